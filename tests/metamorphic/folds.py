"""The folds of `hinge cross-validate`, from its seed: a shuffle by xoshiro256++, then one fold after the other in turn."""
MASK = (1 << 64) - 1


class Random:
    def __init__(self, seed):
        self.state = []
        for _ in range(4):
            seed = (seed + 0x9E3779B97F4A7C15) & MASK
            z = seed
            z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
            z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
            self.state.append(z ^ z >> 31)

    def next(self):
        def rotated(x, k):
            return (x << k | x >> (64 - k)) & MASK

        s = self.state
        result = (rotated((s[0] + s[3]) & MASK, 23) + s[0]) & MASK
        t = s[1] << 17 & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotated(s[3], 45)
        return result

    def below(self, count):
        return self.next() * count >> 64


def make_folds(examples, count, seed):
    """The examples of each fold, in ascending order."""
    order, random = list(range(examples)), Random(seed)
    for i in range(examples, 1, -1):
        j = random.below(i)
        order[i - 1], order[j] = order[j], order[i - 1]
    parts = [[] for _ in range(count)]
    for k, example in enumerate(order):
        parts[k % count].append(example)
    return [sorted(part) for part in parts]
