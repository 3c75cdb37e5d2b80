# He et al. 2020, DeBERTa: Decoding-enhanced BERT with Disentangled Attention
# https://arxiv.org/abs/2006.03654
random = Random(1)
q, k = random.matrix(tokens, head_dim), random.matrix(tokens, head_dim)  # queries and keys: yours

position = xp.arange(tokens, dtype=xp.float64)
offset = position[:, None] - position[None, :]  # query position - key position
#? position_buckets=0
half = max_relative_positions
bucket = offset
#.
#? position_buckets!=0
half = position_buckets
middle = position_buckets // 2  # so many offsets either way have a bucket of their own
distance = xp.clip(abs(offset), middle, max(middle, tokens))
share = xp.log(distance / middle) / math.log((max_relative_positions - 1) / middle)
# The small number keeps what is whole from being rounded up.
far = middle + xp.ceil(share * (middle - 1) - 1e-9)
bucket = xp.where(abs(offset) <= middle, offset, xp.sign(offset) * far)
#.
row = xp.asarray(xp.clip(bucket + half, 0, 2 * half - 1), dtype=xp.int64)

# The tables, projected, are learned: put your model's in their place. These are made up, as on the page.
random = Random(0x4445)
kr, qr = random.matrix(2 * half, head_dim), random.matrix(2 * half, head_dim)
to_place, from_place = xp.einsum("qd,qkd->qk", q, kr[row]), xp.einsum("kd,qkd->qk", k, qr[row])
bias = (to_place + from_place) / math.sqrt(3 * head_dim)  # (query, key): is added to q·k/√(3d)
print(bias)
