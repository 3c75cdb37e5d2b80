# Heo et al. 2024, Rotary Position Embedding for Vision Transformer
# https://arxiv.org/abs/2403.13298
planes = head_dim // 2
#? freqs_x=
# Frequencies are learned: put your model's in their place. These are those before training: a random direction for each
# head, as on the page.
random = Random(freqs_seed)
phi = 2 * math.pi * [random.uniform() for _ in range(head + 1)][head]
size = rope_theta ** (-4 * xp.arange(planes // 2, dtype=xp.float64) / head_dim)
freqs_x = xp.hstack([size * math.cos(phi), size * -math.sin(phi)])
freqs_y = xp.hstack([size * math.sin(phi), size * math.cos(phi)])
#.
#? freqs_x!=
freqs_x, freqs_y = xp.asarray(freqs_x, dtype=xp.float64), xp.asarray(freqs_y, dtype=xp.float64)
#.
row = xp.arange(height, dtype=xp.float64)[:, None, None]
column = xp.arange(width, dtype=xp.float64)[None, :, None]
angles = column * freqs_x + row * freqs_y
cos, sin = xp.cos(angles), xp.sin(angles)  # (row, column, plane)


def rotate(x):
    """Turns queries or keys, (row, column, head_dim)."""
    out = 1 * x
    a, b = x[..., 0::2], x[..., 1::2]
    out[..., 0::2], out[..., 1::2] = a * cos - b * sin, b * cos + a * sin
    return out


print(rotate(xp.ones((height, width, head_dim), dtype=xp.float64)))
