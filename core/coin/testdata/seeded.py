"""Writes seeded.txt: python3 seeded.py > seeded.txt (Python 3 and mpmath 1.3).

Shares no code with the package: ChaCha8 after C2SP chacha8rand, real-number comparisons with 400 bits in place of
enclosures and tables.
"""
import struct
from mpmath import mp, mpf, floor, log

mp.prec = 400
M32 = 2**32 - 1


def words(seed):
    key = struct.pack("<Q", seed) + bytes(24)
    while True:
        out = []
        for group in range(4):
            blocks = [block(key, 4 * group + i) for i in range(4)]
            out += [blocks[i][w] for w in range(16) for i in range(4)]
        data = struct.pack("<256I", *out)
        yield from struct.unpack("<124Q", data[:992])
        key = data[992:]


def block(key, counter):
    k = list(struct.unpack("<8I", key))
    s = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574] + k + [counter, 0, 0, 0]

    def quarter(a, b, c, d):
        s[a] = (s[a] + s[b]) & M32; s[d] = rot(s[d] ^ s[a], 16)
        s[c] = (s[c] + s[d]) & M32; s[b] = rot(s[b] ^ s[c], 12)
        s[a] = (s[a] + s[b]) & M32; s[d] = rot(s[d] ^ s[a], 8)
        s[c] = (s[c] + s[d]) & M32; s[b] = rot(s[b] ^ s[c], 7)

    def rot(x, n):
        return (x << n | x >> (32 - n)) & M32

    for _ in range(4):
        quarter(0, 4, 8, 12), quarter(1, 5, 9, 13), quarter(2, 6, 10, 14), quarter(3, 7, 11, 15)
        quarter(0, 5, 10, 15), quarter(1, 6, 11, 12), quarter(2, 7, 8, 13), quarter(3, 4, 9, 14)
    return s[:4] + [(s[4 + i] + k[i]) & M32 for i in range(8)] + s[12:]


def uniform(w, n):
    while True:
        x = next(w) * n
        if x % 2**64 >= 2**64 % n:
            return x >> 64


def bernoulli(w, num, den, base, power):
    """One word decides but for a chance of 2^-60."""
    return int(mpf(next(w)) / 2**64 < mpf(num) / den / mpf(base) ** power)


def geometric(w, base):
    u = mpf(next(w)) / 2**64
    return int(floor(-log(u) / log(mpf(base))))


def uniform_big(w, bits, less):
    """Below 2^bits - less."""
    while True:
        x, have = 0, 0
        while have < bits:
            x, have = x << 64 | next(w), have + 64
        x >>= have - bits
        if x < 2**bits - less:
            return x


def choose(w, base, groups):
    lowest = min(s for s, m in groups if m)
    weights = [m / mpf(base) ** (s - lowest) for s, m in groups]
    unit = mpf(2) ** (floor(log(max(weights), 2)) - 63)
    total = sum(weights) / unit
    bits = int(floor(log(total, 2))) + 1
    while True:
        x = (next(w) << 64 | next(w)) >> (128 - bits)
        if x < total:
            break
    next(w)  # the coin that corrects for rounded heights says yes but for a chance of 2^-56
    for i, weight in enumerate(weights):
        if x < weight / unit:
            return i
        x -= weight / unit


def line(name, seed, draw):
    w = words(seed)
    print(name, seed, *[draw(w) for _ in range(24)])


print("# python3 seeded.py > seeded.txt, with mpmath 1.3; operation, seed, 24 results in order")
for seed in (0, 1, 2**64 - 1):
    line("word", seed, next)
    line("uniform-10", seed, lambda w: uniform(w, 10))
    line("uniform-big", seed, lambda w: uniform_big(w, 100, 2**98))
    line("bernoulli-2/5", seed, lambda w: int(uniform(w, 5) < 2))
    line("bernoulli-3/4-power-2", seed, lambda w: bernoulli(w, 3, 4, 1.5, 2))
    line("geometric-3/2", seed, lambda w: geometric(w, 1.5))
    line("geometric-1+2^-40", seed, lambda w: geometric(w, 1 + mpf(2) ** -40))
    line("choose", seed, lambda w: choose(w, 1.5, [(-2, 1), (0, 5), (1, 0), (3, 40)]))
