# Raffel et al. 2019, Exploring the Limits of Transfer Learning
# https://arxiv.org/abs/1910.10683
position = xp.arange(length, dtype=xp.float64)
offset = position[:, None] - position[None, :]  # query position - key position
#? bidirectional=true
side = relative_attention_num_buckets // 2
first = side * (offset < 0)  # keys after the query have buckets of their own
distance = abs(offset)
#.
#? bidirectional=false
side = relative_attention_num_buckets
first = 0
distance = offset * (offset > 0)
#.
exact = side // 2  # so many buckets are one token wide
near = distance + (exact - distance) * (distance < exact)  # no logarithm of what is nearer
share = xp.log(near / exact) / math.log(relative_attention_max_distance / exact)
# The small number keeps what is whole from being rounded down.
far = exact + xp.floor(share * (side - exact) + 1e-9)
far = xp.clip(far, exact, side - 1)
buckets = first + xp.where(distance < exact, distance, far)  # (query, key)


def bias(table):
    """What is added to the logits, which T5 does not divide by √d. The table (head, bucket) is learned: of a model of
    the transformers package, encoder.block[0].layer[0].SelfAttention.relative_attention_bias.weight, transposed."""
    rows = xp.asarray(buckets, dtype=xp.int64)
    return table[:, rows]


print(buckets)
