"""Writes vectors.txt: python3 vectors.py > vectors.txt (Python 3 and mpmath 1.3).

Shares no code with the package: laws are summed term by term from their definitions, in 40 digits.
Lines: kind, parameters as name=value, then "=" and the expected numbers.
"""
from itertools import permutations
from mpmath import mp, mpf, exp, log, nsum, inf

mp.dps = 40
REACH = 400  # noise beyond this has a mass below 10^-60 for the bases used


def number(text):
    a, _, b = str(text).partition("/")
    return mpf(a) / mpf(b or 1)


def line(kind, params, values):
    text = " ".join("%s=%s" % (k, v) for k, v in params.items())
    print(kind, text, "=", " ".join(mp.nstr(v, 20) if isinstance(v, mpf) else str(v) for v in values))


def laplace(r):
    return lambda z: (r - 1) / (r + 1) * r ** (-abs(z))


def tail(r, s):
    """Pr[Z >= s], summed."""
    return sum(laplace(r)(z) for z in range(s, REACH)) if s > -REACH else mpf(1)


def tails(r):
    """Pr[Z >= s] for -REACH <= s <= REACH in one pass."""
    out, mass = {REACH: mpf(0)}, mpf(0)
    for s in range(REACH - 1, -REACH - 1, -1):
        mass += laplace(r)(s)
        out[s] = mass
    return out


def difference(r1, r2, s):
    t = tails(r1)
    return sum(laplace(r2)(z) * t[s + z] for z in range(-REACH + s, REACH - s))


def smallest(fits):
    s = 0
    while not fits(s):
        s += 1
    return s


def weights(w):
    return [x / sum(w) for x in w]


def permute_and_flip(r, scores):
    """Over all orders: the first whose coin shows heads."""
    best, law, orders = max(scores), [mpf(0)] * len(scores), list(permutations(range(len(scores))))
    for order in orders:
        alive = mpf(1) / len(orders)
        for i in order:
            p = r ** (scores[i] - best)
            law[i] += alive * p
            alive *= 1 - p
    return law


def above_threshold(r1, r2, threshold, values):
    """The probability that the first "above" is at each query; last: at none."""
    t = tails(r2)
    law = [mpf(0)] * (len(values) + 1)
    for rho in range(-REACH, REACH):
        alive = laplace(r1)(rho)
        for i, f in enumerate(values):
            p = t[max(min(threshold + rho - f, REACH), -REACH)]
            law[i] += alive * p
            alive *= 1 - p
        law[-1] += alive
    return law


print("# python3 vectors.py > vectors.txt, with mpmath 1.3; kind, parameters, = expected numbers to 20 digits")
for r in ["3/2", "2", "10/9"]:
    for s in [-5, -1, 0, 1, 7]:
        line("laplace-tail", {"base": r, "s": s}, [tail(number(r), s)])
for r1, r2 in [("3/2", "3/2"), ("2", "3/2"), ("3/2", "2"), ("6/5", "5"), ("3/2", "1500000001/1000000000")]:
    for s in [1, 2, 9]:
        line("difference-tail", {"base1": r1, "base2": r2, "s": s}, [difference(number(r1), number(r2), s)])
for r, scores in [("3/2", "3,5"), ("2", "0,-4,0,1"), ("3/2", "7")]:
    q = [int(x) for x in scores.split(",")]
    line("exponential", {"base": r, "scores": scores}, weights([number(r) ** x for x in q]))
    line("permute-and-flip", {"base": r, "scores": scores}, permute_and_flip(number(r), q))
# Scores of the points 8, 9, 10, 11 for the data 1 2 2 3 8 9 9 10 10 14 with weights e^(score/2).
line("exponential", {"exponent": "1/2", "scores": "5,5,3,1"}, weights([exp(x * mpf("0.5")) for x in [5, 5, 3, 1]]))
# The choice with weight W = (k/d)·e^a of nothing, d = 1/100; in our terms δ = d/(1+d) = 1/101. Last: nothing.
for a in ["99/200", "99/100"]:
    w = 100 * exp(number(a))
    line("stable", {"exponent": a, "delta": "1/101", "newcomers": 1, "scores": "3,5"}, weights([exp(3 * number(a)), exp(5 * number(a)), w]))
line("stable", {"base": "3/2", "delta": "2/7", "newcomers": 3, "scores": "0,2,4"},
     weights([mpf(1), mpf("2.25"), mpf("1.5") ** 4, 3 * mpf("1.5") * mpf(5) / 2]))
for r in ["3/2", "1001/1000", "7"]:
    x = number(r)
    total = nsum(lambda k: x ** (-k * k), [-inf, inf]) if x > 1.1 else sum(x ** (-k * k) for k in range(-1200, 1201))
    line("gaussian-pmf", {"base": r}, [x ** (-z * z) / total for z in [0, 1, -2, 5]])
for r, delta in [("3/2", "1/10"), ("2", "1/100000"), ("10/9", "1/20")]:
    x = number(r)
    above = smallest(lambda s: tail(x, s) <= number(delta))
    line("stability", {"base": r, "delta": delta}, [above + 1, tail(x, above)] + [tail(x, above + 1 - c) for c in [1, 5, 40]])
    line("distance", {"base": r, "delta": delta}, [above, tail(x, above)] + [tail(x, above - d) for d in [0, 3, 40]])
for r1, r2, threshold, values in [("3/2", "3/2", 5, "1,4,7"), ("2", "6/5", 0, "-3,0,9,9")]:
    q = [int(x) for x in values.split(",")]
    line("above", {"base1": r1, "base2": r2, "threshold": threshold, "values": values}, above_threshold(number(r1), number(r2), threshold, q))
for r1, r2, delta, cap in [("3/2", "3/2", "1/20", 30), ("2", "6/5", "1/1000000", 100)]:
    margin = smallest(lambda s: difference(number(r1), number(r2), s + 1) <= number(delta))
    line("clip", {"base1": r1, "base2": r2, "delta": delta, "cap": cap}, [cap - 1 - margin, difference(number(r1), number(r2), margin + 1)])
for epsilon, delta, beta, k, n in [("1", "1/1000000", "1/100", 1, 1000), ("2", "1/10", "1/2", 5, 1)]:
    e, x = number(epsilon), 4 * k / (number(beta) * number(epsilon) * number(delta))
    t = int(mp.ceil(8 / e * log(x)))
    line("choosing", {"epsilon": epsilon, "delta": delta, "beta": beta, "newcomers": k, "n": n}, [t, int(mp.ceil(16 / e * log(x * n)))])
