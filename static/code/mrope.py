# Wang et al. 2024, Qwen2-VL
# https://arxiv.org/abs/2409.12191
planes = head_dim // 2
#? mrope_section=
#? interleaved=false
mrope_section = [planes // 4, (planes - planes // 4) // 2]
mrope_section.append(planes - sum(mrope_section))
#.
#? interleaved=true
mrope_section = [planes - 2 * (5 * planes // 16), 5 * planes // 16, 5 * planes // 16]
#.
#.
# Which number turns a plane: 0 the time, 1 the row, 2 the column.
#? interleaved=false
axis = [which for which in range(3) for _ in range(mrope_section[which])]
#.
#? interleaved=true
axis = [0] * planes
for which in (1, 2):
    axis[which : 3 * mrope_section[which] : 3] = [which] * mrope_section[which]
#.
inv_freq = rope_theta ** (-2 * xp.arange(planes, dtype=xp.float64) / head_dim)
row = xp.arange(height, dtype=xp.float64)[:, None]
column = xp.arange(width, dtype=xp.float64)[None, :]
time = 0 * row * column  # of one picture; a token of text has three equal numbers
place = xp.stack([time, row + time, column + time], -1)
angles = place[:, :, axis] * inv_freq
cos, sin = xp.cos(angles), xp.sin(angles)  # (row, column, plane)


def rotate(x):
    """Turns queries or keys, (row, column, head_dim)."""
    out = 1 * x
    a, b = x[..., :planes], x[..., planes:]
    out[..., :planes], out[..., planes:] = a * cos - b * sin, b * cos + a * sin
    return out


print(rotate(xp.ones((height, width, head_dim), dtype=xp.float64)))
