# Li et al. 2023, Functional Interpolation for Relative Positions Improves Long Context Transformers
# https://arxiv.org/abs/2310.04418
# The network is learned: put your model's in its place. This is the one before training, drawn as on the page.
random = Random(init_seed)


def layer(rows, columns, bound):
    drawn = [[bound * (2 * random.uniform() - 1) for _ in range(columns)] for _ in range(rows)]
    return xp.asarray(drawn, dtype=xp.float64)


w1, b1 = layer(1, mlp_width, 1)[0], layer(1, mlp_width, 1)[0]
w2, b2 = layer(num_heads, mlp_width, mlp_width**-0.5), layer(1, num_heads, mlp_width**-0.5)[0]


def psi(x):
    return xp.log(abs(init_c * x) + 1)


position = xp.arange(length, dtype=xp.float64)
query, key = position[:, None], position[None, :]
context = xp.clip(query, init_L, max(length, init_L))  # L, or the query's position where that is more
share = psi(query - key) / (psi(context) + 1e-6)
units = share[:, :, None] * w1 + b1
units = units * (units > 0)
bias = xp.einsum("hu,qku->hqk", w2, units) + b2[:, None, None]  # (head, query, key): is added to the logits
print(bias)
