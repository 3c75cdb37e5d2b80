# Tancik et al. 2020, Fourier Features Let Networks Learn High Frequency Functions in Low Dimensional Domains
# https://arxiv.org/abs/2006.10739
#? axes=1
v = (2 * xp.arange(length, dtype=xp.float64) / (extent - 1) - 1)[:, None]  # (position, 1): from -1 to 1
#.
#? axes=2
row = (2 * xp.arange(height, dtype=xp.float64) / max(height - 1, 1) - 1)[:, None]
column = (2 * xp.arange(width, dtype=xp.float64) / max(width - 1, 1) - 1)[None, :]
v = xp.stack([row + 0 * column, column + 0 * row], -1).reshape(-1, 2)  # (patch, 2): from -1 to 1
#.
#? variant=nerf
k = xp.arange(num_bands, dtype=xp.float64)
#? log_sampling=true
bands = 2.0**k
#.
#? log_sampling=false
bands = 1 + (2.0 ** (num_bands - 1) - 1) * k / max(num_bands - 1, 1)
#.
#? times_pi=true
bands = math.pi * bands
#.
angles = v[:, None, :] * bands[:, None]  # (…, band, axis)
table = xp.stack([xp.sin(angles), xp.cos(angles)], -2).reshape(len(v), -1)
#.
#? variant=gaussian
#? B=
# Drawn at random, as on the page.
bands = Random(bands_seed).matrix(num_bands, axes, sigma)
#.
#? B!=
bands = xp.asarray(B, dtype=xp.float64).reshape(-1, axes)
#.
angles = 2 * math.pi * v @ bands.T  # (…, band)
#? layout=cos-then-sin
table = xp.stack([xp.cos(angles), xp.sin(angles)], -2).reshape(len(v), -1)
#.
#? layout=sin-then-cos
table = xp.stack([xp.sin(angles), xp.cos(angles)], -2).reshape(len(v), -1)
#.
#.
#? variant=perceiver
#? max_resolution=
#? axes=1
max_resolution = [extent]
#.
#? axes=2
max_resolution = [224, 224]
#.
#.
k = xp.arange(num_bands, dtype=xp.float64)
bands = [1 + (n / 2 - 1) * k / max(num_bands - 1, 1) for n in max_resolution]
angles = math.pi * v[:, :, None] * xp.stack(bands, 0)  # (…, axis, band)
table = xp.stack([xp.sin(angles), xp.cos(angles)], -3).reshape(len(v), -1)
#.
#? concat_pos=true
table = xp.hstack([v, table])
#.
#? axes=2
table = table.reshape(height, width, -1)
#.
print(table)
