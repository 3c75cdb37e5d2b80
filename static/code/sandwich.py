# Chi, Fan, Rudnicky, Ramadge 2022, Dissecting Transformer Length Extrapolation
# https://arxiv.org/abs/2212.10356
position = xp.arange(length, dtype=xp.float64)
offset = position[:, None] - position[None, :]
k = xp.arange(1, d_bar // 2 + 1, dtype=xp.float64)  # from 1: the fastest wave is left out
freq = 10000.0 ** (-2 * k / d_bar)
waves = xp.cos(offset[:, :, None] * freq).sum(-1) - d_bar // 2
head = xp.arange(1, num_heads + 1, dtype=xp.float64)
bias = (num_heads / (8 * head))[:, None, None] * waves  # (head, query, key): is added to the logits
print(bias)
