# Su et al. 2021, RoFormer: Enhanced Transformer with Rotary Position Embedding, section 3.2
# https://arxiv.org/abs/2104.09864
#? rope_type=proportional
rotated = head_dim
#.
#? rope_type=default|linear|ntk|dynamic|ntk-by-parts|yarn|llama3|longrope
rotated = int(head_dim * partial_rotary_factor) // 2 * 2  # dimensions that turn
#.
planes = rotated // 2
k = xp.arange(planes, dtype=xp.float64)
#? rope_type=ntk
rope_theta *= factor ** (rotated / (rotated - 2))
#.
#? rope_type=dynamic
stretch = factor * max(length, max_position_embeddings) / max_position_embeddings - (factor - 1)
rope_theta *= stretch ** (rotated / (rotated - 2))
#.
inv_freq = rope_theta ** (-2 * k / rotated)  # radians per token
#? rope_type=linear
inv_freq = inv_freq / factor
#.
#? rope_type=proportional
inv_freq = xp.where(k < int(partial_rotary_factor * planes), inv_freq / factor, 0 * k)
#.
#? rope_type=ntk-by-parts
turns = original_max_position_embeddings * inv_freq / (2 * math.pi)
kept = xp.clip((turns - beta_slow) / max(beta_fast - beta_slow, 1e-9), 0, 1)
inv_freq = (1 - kept) * inv_freq / factor + kept * inv_freq
#.
#? rope_type=llama3
turns = original_max_position_embeddings * inv_freq / (2 * math.pi)
kept = xp.clip((turns - low_freq_factor) / max(high_freq_factor - low_freq_factor, 1e-9), 0, 1)
inv_freq = (1 - kept) * inv_freq / factor + kept * inv_freq
#.
#? rope_type=yarn
#? ramp=paper
turns = original_max_position_embeddings * inv_freq / (2 * math.pi)
kept = xp.clip((turns - beta_slow) / max(beta_fast - beta_slow, 1e-9), 0, 1)
#.
#? ramp=code


def plane(turns):
    """The plane that makes so many turns within the trained length, as a real number."""
    return rotated * math.log(original_max_position_embeddings / (turns * 2 * math.pi)) / (2 * math.log(rope_theta))


#? truncate=true
low, high = math.floor(plane(beta_fast)), math.ceil(plane(beta_slow))
#.
#? truncate=false
low, high = plane(beta_fast), plane(beta_slow)
#.
low, high = max(low, 0), min(high, rotated - 1)
kept = 1 - xp.clip((k - low) / (high - low if high != low else 0.001), 0, 1)
#.
inv_freq = (1 - kept) * inv_freq / factor + kept * inv_freq
#.
#? rope_type=longrope
# One divisor a plane: at this length, of these settings.
inv_freq = inv_freq / xp.asarray([{{divisors}}], dtype=xp.float64)
#.
#? rope_type=yarn|longrope
attention_scale = {{attention_scale}}  # cosine and sine are multiplied by it
#.

angles = xp.arange(length, dtype=xp.float64)[:, None] * inv_freq
#? rope_type=yarn|longrope
cos, sin = attention_scale * xp.cos(angles), attention_scale * xp.sin(angles)  # (position, plane)
#.
#? rope_type=default|linear|ntk|dynamic|ntk-by-parts|llama3|proportional
cos, sin = xp.cos(angles), xp.sin(angles)  # (position, plane)
#.


def rotate(x):
    """Turns queries or keys, (position, head_dim), to their positions 0, 1, 2 …"""
    out = 1 * x
#? layout=half
    a, b = x[:, :planes], x[:, planes:rotated]
    out[:, :planes], out[:, planes:rotated] = a * cos - b * sin, b * cos + a * sin
#.
#? layout=interleaved
    a, b = x[:, 0:rotated:2], x[:, 1:rotated:2]
    out[:, 0:rotated:2], out[:, 1:rotated:2] = a * cos - b * sin, b * cos + a * sin
#.
#? layout=interleaved-to-half
    a, b = x[:, 0:rotated:2], x[:, 1:rotated:2]
    out[:, :planes], out[:, planes:rotated] = a * cos - b * sin, b * cos + a * sin
#.
    return out


print(rotate(xp.ones((length, head_dim), dtype=xp.float64)))
