# Chi, Fan, Ramadge, Rudnicky 2022, KERPLE: Kernelized Relative Positional Embedding for Length Extrapolation
# https://arxiv.org/abs/2205.09921
# Two numbers a head: learned. These are drawn as the authors' code draws them before training, as on the page.
p = xp.asarray([{{p}}], dtype=xp.float64)
a = xp.asarray([{{a}}], dtype=xp.float64)

position = xp.arange(length, dtype=xp.float64)
distance = abs(position[:, None] - position[None, :])
p, a = p[:, None, None], a[:, None, None]
#? kernel=log
bias = -p * xp.log(1 + a * distance)  # (head, query, key): is added to the logits
#.
#? kernel=power
bias = -a * distance**p  # (head, query, key): is added to the logits
#.
print(bias)
