# Ke, He, Liu 2020, Rethinking Positional Encoding in Language Pre-training
# https://arxiv.org/abs/2006.15595
# All of these weights are learned: put your model's in their place. They are made up, as on the page.
model = 64
random = Random(0x5455)
column = xp.arange(model)
freq = 1000.0 ** (-xp.asarray(column // 2, dtype=xp.float64) / (model // 2))
angles = xp.arange(max_positions + 1, dtype=xp.float64)[:, None] * freq
places = xp.where(column % 2 == 0, xp.sin(angles), xp.cos(angles)) + random.matrix(max_positions + 1, model, 0.1)
places = places - places.mean(-1)[:, None]
places = places / xp.sqrt((places**2).mean(-1) + 1e-5)[:, None]
u_q = random.matrix(model, head_dim, 1.2 / math.sqrt(model))
u_k = u_q + random.matrix(model, head_dim, 0.3 / math.sqrt(model))

# Places meet places; row 0 and the product of row 1 with itself are those of [CLS].
product = (places @ u_q) @ (places @ u_k).T / math.sqrt(2 * head_dim)
count = min(tokens, max_positions)
bias = product[1 : count + 1, 1 : count + 1]
#? relative_bias=true
# T5's buckets: 16 for keys before the query, 16 for those after it.
table = xp.asarray([{{relative}}], dtype=xp.float64)
position = xp.arange(count, dtype=xp.float64)
offset = position[:, None] - position[None, :]  # query position - key position
distance = abs(offset)
far = 8 + xp.floor(xp.log(xp.clip(distance, 8, 128) / 8) / math.log(128 / 8) * 8 + 1e-9)
bucket = 16 * (offset < 0) + xp.where(distance < 8, distance, xp.clip(far, 8, 15))
bias = bias + table[xp.asarray(bucket, dtype=xp.int64)]
#.
#? untie_cls=true
bias = 1 * bias
#? relative_bias=true
bias[1:, 0], bias[0, :] = product[1, 1] - 0.5, product[0, 0] + 0.5  # a number of its own either way
#.
#? relative_bias=false
bias[1:, 0], bias[0, :] = product[1, 1], product[0, 0]
#.
#.
print(bias)  # (query, key): is added to q·k/√(2d)
