# Heo et al. 2024, Rotary Position Embedding for Vision Transformer
# https://arxiv.org/abs/2403.13298
planes = head_dim // 2
k = xp.arange(planes // 2, dtype=xp.float64)
#? convention=pixtral
by_row, by_column = rope_theta ** (-4 * k / head_dim), rope_theta ** (-(4 * k + 2) / head_dim)
#.
#? convention=rope-vit|timm|qwen2-vl|dinov3
by_row = by_column = rope_theta ** (-4 * k / head_dim)
#.
row = xp.arange(height, dtype=xp.float64)[:, None, None]
column = xp.arange(width, dtype=xp.float64)[None, :, None]
#? convention=dinov3
# The middle of the patch, from -1 to 1, in turns.
row = 2 * math.pi * (2 * (row + 0.5) / height - 1)
column = 2 * math.pi * (2 * (column + 0.5) / width - 1)
#.
y = row * by_row + 0 * column  # (row, column, plane)
x = column * by_column + 0 * row
#? convention=rope-vit
angles = xp.stack([x, y], -2).reshape(height, width, planes)
#.
#? convention=timm|qwen2-vl|pixtral|dinov3
angles = xp.stack([y, x], -2).reshape(height, width, planes)
#.
cos, sin = xp.cos(angles), xp.sin(angles)


def rotate(q):
    """Turns queries or keys, (row, column, head_dim)."""
    out = 1 * q
#? convention=rope-vit|timm
    a, b = q[..., 0::2], q[..., 1::2]
    out[..., 0::2], out[..., 1::2] = a * cos - b * sin, b * cos + a * sin
#.
#? convention=qwen2-vl|pixtral|dinov3
    a, b = q[..., :planes], q[..., planes:]
    out[..., :planes], out[..., planes:] = a * cos - b * sin, b * cos + a * sin
#.
    return out


print(rotate(xp.ones((height, width, head_dim), dtype=xp.float64)))
