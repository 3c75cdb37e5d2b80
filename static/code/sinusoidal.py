# Vaswani et al. 2017, Attention Is All You Need, section 3.5
# https://arxiv.org/abs/1706.03762
#? odd=|own-exponent
width = d_model
#.
#? odd=round-up
width = d_model + 1
#.
#? odd=zero-pad
width = d_model - 1
#.
planes = -(-width // 2)
k = xp.arange(planes, dtype=xp.float64)
#? frequencies=paper
freq = base ** (-2 * k / width)
#.
#? frequencies=tensor2tensor
freq = base ** (-k / (planes - 1))
#.
#? spacing=linear
freq = 1 - k / planes * (1 - 1 / base)
#.
#? spacing=random
# Drawn at random, as on the page.
freq = xp.asarray([{{freq}}], dtype=xp.float64)
#.

angles = xp.arange(length, dtype=xp.float64)[:, None] * freq
table = xp.zeros((length, max(d_model, 2 * planes)), dtype=xp.float64)
#? layout=interleaved
table[:, 0 : 2 * planes : 2] = xp.sin(angles)
table[:, 1 : 2 * planes : 2] = xp.cos(angles)
#.
#? layout=concatenated
table[:, :planes] = xp.sin(angles)
table[:, planes : 2 * planes] = xp.cos(angles)
#.
table = table[:, :d_model]  # (position, dimension): is added to the embeddings
print(table)
