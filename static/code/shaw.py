# Shaw, Uszkoreit, Vaswani 2018, Self-Attention with Relative Position Representations
# https://arxiv.org/abs/1803.02155
random = Random(1)
q, k = random.matrix(tokens, head_dim), random.matrix(tokens, head_dim)  # queries and keys: yours

# The tables are learned: put your model's in their place. These are made up, as on the page.
random = Random(0x5348)
rows = left_max_position_embeddings + 1 + right_max_position_embeddings
keys = random.matrix(rows, head_dim)
#? relative_values=true
values = random.matrix(rows, head_dim)
#.

position = xp.arange(tokens)
steps = position[None, :] - position[:, None]  # key position - query position
row = xp.clip(steps, -left_max_position_embeddings, right_max_position_embeddings) + left_max_position_embeddings
bias = xp.einsum("qd,qkd->qk", q, keys[row]) / math.sqrt(head_dim)  # (query, key): is added to q·k/√d
#? relative_values=true
of_value = values[row]  # (query, key, head_dim): is added to the key's value as this query sees it
#.
print(bias)
