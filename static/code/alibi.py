# Press, Smith, Lewis 2021, Train Short, Test Long: Attention with Linear Biases
# https://arxiv.org/abs/2108.12409
power = 2 ** math.floor(math.log2(num_heads))  # the greatest power of two that is not above the number of heads
slopes = [2 ** (-alibi_bias_max * h / power) for h in range(1, power + 1)]
slopes += [2 ** (-alibi_bias_max * (2 * t + 1) / (2 * power)) for t in range(num_heads - power)]
slopes = xp.asarray(slopes, dtype=xp.float64)

query = xp.arange(length, dtype=xp.float64)[:, None]
key = xp.arange(length, dtype=xp.float64)[None, :]
#? form=relative
steps = key - query
#.
#? form=distance
steps = -abs(key - query)
#.
#? form=key-index
steps = key - 0 * query
#.
#? form=last-query
steps = key - (length - 1) - 0 * query
#.
bias = slopes[:, None, None] * steps  # (head, query, key): is added to the logits, before the mask
print(bias)
