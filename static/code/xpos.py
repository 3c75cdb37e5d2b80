# Sun et al. 2022, A Length-Extrapolatable Transformer
# https://arxiv.org/abs/2212.10554
planes = head_dim // 2
k = xp.arange(planes, dtype=xp.float64)
position = xp.arange(length, dtype=xp.float64)[:, None]
angles = position * rope_theta ** (-2 * k / head_dim)
cos, sin = xp.cos(angles), xp.sin(angles)  # (position, plane)
zeta = (2 * k / head_dim + 0.4) / 1.4
fading = zeta ** (position / scale_base)


def rotate(x, by):
    """Turns vectors, (position, head_dim), to their positions, and multiplies each plane."""
    out = 1 * x
#? layout=half
    a, b = x[:, :planes], x[:, planes:]
    out[:, :planes], out[:, planes:] = by * (a * cos - b * sin), by * (b * cos + a * sin)
#.
#? layout=interleaved
    a, b = x[:, 0::2], x[:, 1::2]
    out[:, 0::2], out[:, 1::2] = by * (a * cos - b * sin), by * (b * cos + a * sin)
#.
#? layout=interleaved-to-half
    a, b = x[:, 0::2], x[:, 1::2]
    out[:, :planes], out[:, planes:] = by * (a * cos - b * sin), by * (b * cos + a * sin)
#.
    return out


def query(x):
    return rotate(x, fading)


def key(x):
    return rotate(x, 1 / fading)


print(query(xp.ones((length, head_dim), dtype=xp.float64)))
