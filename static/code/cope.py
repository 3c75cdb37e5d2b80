# Golovneva et al. 2024, Contextual Position Encoding: Learning to Count What's Important
# https://arxiv.org/abs/2405.18719
random = Random(1)
q, k = random.matrix(tokens, head_dim), random.matrix(tokens, head_dim)  # queries and keys: yours

# A vector for each whole position is learned: put your model's in their place. These are made up, as on the page.
#? scaling=listing
e = Random(0x436F).matrix(npos_max, head_dim) / math.sqrt(head_dim)
#.
#? scaling=repository
e = Random(0x436F).matrix(npos_max, head_dim)
#.

gates = 1 / (1 + xp.exp(-(q @ k.T) / math.sqrt(head_dim)))  # for causal attention: xp.tril of it
position = gates.sum(-1)[:, None] - xp.cumsum(gates, -1) + gates  # of a key: the gates from it to the last
position = xp.clip(position, 0, npos_max - 1)
below = xp.asarray(xp.floor(position), dtype=xp.int64)
above = xp.clip(below + 1, 0, npos_max - 1)
low, high = xp.einsum("qd,qkd->qk", q, e[below]), xp.einsum("qd,qkd->qk", q, e[above])
#? scaling=listing
bias = low + (position - below) * (high - low)  # (query, key): is added to q·k/√d
#.
#? scaling=repository
bias = (low + (position - below) * (high - low)) / math.sqrt(head_dim)  # (query, key): is added to q·k/√d
#.
print(bias)
