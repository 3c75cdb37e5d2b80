# Dai et al. 2019, Transformer-XL: Attentive Language Models Beyond a Fixed-Length Context
# https://arxiv.org/abs/1901.02860
random = Random(1)
q, k = random.matrix(tokens, head_dim), random.matrix(tokens, head_dim)  # queries and keys: yours

# These are learned: put your model's in their place. They are made up, as on the page.
random = Random(0x584C)
u, v = random.matrix(1, head_dim, 0.5)[0], random.matrix(1, head_dim, 0.5)[0]
w_r = random.matrix(d_model, head_dim, 1 / math.sqrt(d_model / 2))

freq = 10000.0 ** (-2 * xp.arange(d_model // 2, dtype=xp.float64) / d_model)
angles = xp.arange(1 - tokens, tokens, dtype=xp.float64)[:, None] * freq  # of every offset
r = xp.hstack([xp.sin(angles), xp.cos(angles)]) @ w_r
position = xp.arange(tokens)
offset = position[:, None] - position[None, :]  # query position - key position
to_place = xp.einsum("qd,qkd->qk", q + v, r[offset + tokens - 1])
bias = (k @ u + to_place) / math.sqrt(head_dim)  # (query, key): is added to q·k/√d
print(bias)
