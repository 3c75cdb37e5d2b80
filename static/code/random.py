class Random:
    """What the page draws by seed: xoshiro256++, and Box and Muller's transform for normal numbers."""

    def __init__(self, seed):
        self.state, self.spare = [], []
        for _ in range(4):
            seed = (seed + 0x9E3779B97F4A7C15) % 2**64
            z = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 % 2**64
            z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
            self.state.append(z ^ z >> 31)

    def uniform(self):
        a, b, c, d = self.state
        total = (a + d) % 2**64
        drawn = ((total << 23 | total >> 41) + a) % 2**64
        c, d = c ^ a, d ^ b
        self.state = [a ^ d, b ^ c, c ^ (b << 17) % 2**64, (d << 45 | d >> 19) % 2**64]
        return ((drawn >> 11) + 1) / 2**53

    def normal(self):
        if not self.spare:
            radius, angle = math.sqrt(-2 * math.log(self.uniform())), 2 * math.pi * self.uniform()
            self.spare = [radius * math.sin(angle), radius * math.cos(angle)]
        return self.spare.pop()

    def matrix(self, rows, columns, spread=1.0):
        drawn = [[spread * self.normal() for _ in range(columns)] for _ in range(rows)]
        return xp.asarray(drawn, dtype=xp.float64)


