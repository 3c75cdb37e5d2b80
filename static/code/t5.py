# Raffel et al. 2019, Exploring the Limits of Transfer Learning
# https://arxiv.org/abs/1910.10683
# The table (head, bucket) is learned: of a model of the transformers package it is the transpose of
# encoder.block[0].layer[0].SelfAttention.relative_attention_bias.weight.
#? table=yours
# Save yours, (bucket, head), as table.npy: the buckets are counted from it.
#? numpy
table = np.load("table.npy").astype(np.float64).T
#.
#? torch
import numpy as np

table = torch.from_numpy(np.load("table.npy")).to(torch.float64).T
#.
relative_attention_num_buckets, relative_attention_max_distance = table.shape[1], 128
#.
#? bidirectional=true
side = relative_attention_num_buckets // 2  # keys after the query have buckets of their own
#.
#? bidirectional=false
side = relative_attention_num_buckets
#.
exact = side // 2  # so many buckets are one token wide


def bucket_of(distance):
    """The bucket of distances, of those on one side."""
    near = distance + (exact - distance) * (distance < exact)  # no logarithm of what is nearer
    share = xp.log(near / exact) / math.log(relative_attention_max_distance / exact)
    # The small number keeps what is whole from being rounded down.
    far = exact + xp.floor(share * (side - exact) + 1e-9)
    return xp.where(distance < exact, distance, xp.clip(far, exact, side - 1))


position = xp.arange(length, dtype=xp.float64)
offset = position[:, None] - position[None, :]  # query position - key position
#? bidirectional=true
buckets = side * (offset < 0) + bucket_of(abs(offset))
#.
#? bidirectional=false
buckets = bucket_of(offset * (offset > 0))
#.
buckets = xp.asarray(buckets, dtype=xp.int64)  # (query, key)
#? table=synthetic


# This table is made up, as on the page.
def head(number):
    random = Random(0x7435 + number)
    steepness, tilt = 2.4 * random.uniform() - 0.3, 1.5 * random.normal()
    peak = 3 * random.uniform() if random.uniform() < 0.4 else 0
    for bucket in range(relative_attention_num_buckets // side * side):
        distance = nearest.get(bucket % side, 0)
        sign = 0 if distance == 0 else 1 if bucket < side else -1
        at_peak = distance == 1 and (sign < 0) == (tilt < 0)
        yield -steepness * math.log1p(distance) + peak * at_peak + sign * tilt / 2 + 0.15 * random.normal()


nearest = {}  # of each bucket, the least distance in it
for step, bucket in enumerate(bucket_of(xp.arange(relative_attention_max_distance + 1, dtype=xp.float64)).tolist()):
    nearest.setdefault(int(bucket), step)
table = xp.asarray([list(head(number)) for number in range(num_heads)], dtype=xp.float64)
#.
bias = table[:, buckets]  # (head, query, key): is added to the logits, which T5 does not divide by √d
print(bias)
