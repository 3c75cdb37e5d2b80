# Dosovitskiy et al. 2020, An Image is Worth 16x16 Words, section 3.2
# https://arxiv.org/abs/2010.11929
#? table=synthetic
# The table is learned: put your model's in its place. This one is made up, as on the page: each dimension is a wave.
random = Random(table_seed)
drawn = xp.asarray([[random.uniform() for _ in range(3)] for _ in range(d_model)], dtype=xp.float64)
direction, turns, phase = 2 * math.pi * drawn[:, 0], 0.5 + 1.5 * drawn[:, 1], drawn[:, 2]
at = xp.arange(grid_size, dtype=xp.float64) / grid_size
down, right = turns * xp.sin(direction) * at[:, None, None], turns * xp.cos(direction) * at[None, :, None]
learned = xp.cos(2 * math.pi * (down + right + phase))  # (row, column, dimension)
#.
#? table=yours
# Your table, a row for each patch, without the row of a class token.
#? numpy
learned = np.load("table.npy").astype(np.float64)
#.
#? torch
import numpy as np

learned = torch.from_numpy(np.load("table.npy")).to(torch.float64)
#.
grid_size = math.isqrt(len(learned))
learned = learned.reshape(grid_size, grid_size, -1)
#.


def cubic(x, a):
    """Keys' cubic kernel."""
    x = abs(x)
    near, far = ((a + 2) * x - (a + 3)) * x * x + 1, ((x - 5) * x + 8) * x * a - 4 * a
    return near * (x < 1) + far * ((x >= 1) & (x < 2))


def weights(cells):
    """How much each cell of the table counts in each of so many, (cell, cell of the table)."""
#? antialias=true
    scale = grid_size / cells
    stretch = max(scale, 1)  # the kernel is as wide as a new cell where that is the larger one
    centre = scale * (xp.arange(cells, dtype=xp.float64) + 0.5)
    out = cubic((xp.arange(grid_size, dtype=xp.float64) - centre[:, None] + 0.5) / stretch, -0.5)
    return out / out.sum(-1)[:, None]
#.
#? antialias=false
    at = (xp.arange(cells, dtype=xp.float64) + 0.5) * (grid_size / cells) - 0.5
    out = xp.zeros((cells, grid_size), dtype=xp.float64)
    for step in (-1, 0, 1, 2):
        cell = xp.floor(at) + step
        nearest = xp.asarray(xp.clip(cell, 0, grid_size - 1), dtype=xp.int64)  # beyond the edge, the last cell
        out[xp.arange(cells), nearest] += cubic(cell - at, -0.75)
    return out
#.


# Stretched to the patches there are: (row, column, dimension), is added to their embeddings.
table = xp.einsum("ri,ijd->rjd", weights(height), learned)
table = xp.einsum("cj,rjd->rcd", weights(width), table)
print(table)
