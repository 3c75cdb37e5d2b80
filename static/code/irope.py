# Meta 2025, The Llama 4 herd
# https://ai.meta.com/blog/llama-4-multimodal-intelligence/
planes = head_dim // 2
position = xp.arange(length, dtype=xp.float64)[:, None]
angles = position * rope_theta ** (-2 * xp.arange(planes, dtype=xp.float64) / head_dim)
cos, sin = xp.cos(angles), xp.sin(angles)  # (position, plane)
temperature = 1 + attn_scale * xp.log(1 + xp.floor((position + 1) / floor_scale))
rotates = (layer + 1) % no_rope_layer_interval > 0  # the others have no positions; layers are counted from 0


def rotate(x):
    """Turns queries or keys, (position, head_dim), to their positions 0, 1, 2 …"""
    out = 1 * x
#? layout=half
    a, b = x[:, :planes], x[:, planes:]
    out[:, :planes], out[:, planes:] = a * cos - b * sin, b * cos + a * sin
#.
#? layout=interleaved
    a, b = x[:, 0::2], x[:, 1::2]
    out[:, 0::2], out[:, 1::2] = a * cos - b * sin, b * cos + a * sin
#.
#? layout=interleaved-to-half
    a, b = x[:, 0::2], x[:, 1::2]
    out[:, :planes], out[:, planes:] = a * cos - b * sin, b * cos + a * sin
#.
    return out


def query(x):
    return rotate(x) if rotates else temperature * x


def key(x):
    return rotate(x) if rotates else x


print(query(xp.ones((length, head_dim), dtype=xp.float64)))
