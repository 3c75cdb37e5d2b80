# He et al. 2021, Masked Autoencoders Are Scalable Vision Learners
# https://arxiv.org/abs/2111.06377
planes = -(-d_model // 4)
k = xp.arange(planes, dtype=xp.float64)
freq = base ** (-k / planes)
row = (0.0 + xp.arange(height, dtype=xp.float64))[:, None, None]
column = (0.0 + xp.arange(width, dtype=xp.float64))[None, :, None]
#? layout=detr
row, column = row + 1, column + 1
#? normalize=true
row, column = row * (2 * math.pi / (height + 1e-6)), column * (2 * math.pi / (width + 1e-6))
#.
#.
y = row * freq + 0 * column  # (row, column, plane)
x = column * freq + 0 * row
#? layout=height-first
parts = [xp.sin(y), xp.cos(y), xp.sin(x), xp.cos(x)]
#.
#? layout=width-first
parts = [xp.sin(x), xp.cos(x), xp.sin(y), xp.cos(y)]
#.
#? layout=sines-then-cosines
parts = [xp.sin(y), xp.sin(x), xp.cos(y), xp.cos(x)]
#.
#? layout=height-first|width-first|sines-then-cosines
table = xp.stack(parts, -2).reshape(height, width, 4 * planes)
#.
#? layout=rows-then-columns-interleaved|detr
pairs = [xp.stack([xp.sin(angle), xp.cos(angle)], -1).reshape(height, width, 2 * planes) for angle in (y, x)]
table = xp.stack(pairs, -2).reshape(height, width, 4 * planes)
#.
table = table[:, :, :d_model]  # (row, column, dimension): is added to the embeddings of the patches
print(table)
