"""Writes lists of releases and what Google's dp_accounting makes of them (dp-accounting 0.6.0, PyPI):

    python3 judge.py COUNT SEED OF K   random lists, as JUDGE.md is drawn from them: of OF equal shares the Kth, from 0
    python3 judge.py far           testdata/judged.txt: few lists, many of them far out

A line is: class, parts, delta, and the epsilon from below and from above, or "-" twice and the reason.
A part is COUNTxKIND:BASE:SHIFT as in accounting.txt, or COUNTxpure:EPSILON, whose worst case is
randomised response, that is discrete Laplace noise of that epsilon and a shift of 1. The lattice of dp_accounting is refined
until its two estimates are within CLOSE of each other, or has MOST places.
"""
import random
import sys
from fractions import Fraction
from math import exp, log, log1p, sqrt, tanh

import numpy as np
from dp_accounting.pld import privacy_loss_distribution as pld

CLOSE = 1.004
MOST = 3e6


def single(part, fine, pessimistic):
    times, rest = part.split("x")
    kind, base, *shift = rest.split(":")
    options = dict(sensitivity=int((shift or [1])[0]), value_discretization_interval=fine, pessimistic_estimate=pessimistic)
    if kind == "gaussian":
        one = pld.from_discrete_gaussian_mechanism(sqrt(1 / (2 * log1(base))), **options)
    else:
        one = pld.from_discrete_laplace_mechanism(float(base) if kind == "pure" else log1(base), **options)
    return one.self_compose(int(times))


def log1(base):
    """ln of a rational, to a float's precision near 1 and beyond a float's range too."""
    r = Fraction(base)
    if r < 2:
            return log1p(float(r - 1))
    return log(r.numerator) - log(r.denominator)


def epsilon(parts, delta, fine, pessimistic):
    whole = None
    for part in parts.split("+"):
        one = single(part, fine, pessimistic)
        whole = one if whole is None else whole.compose(one)
    told = whole.get_epsilon_for_delta(delta)
    return told if told < 700 else far(whole, delta)


def far(law, delta):
    """epsilon of a law of dp_accounting, where its own reading of it lets e^epsilon overflow a float."""
    return max(read(pmf.to_dense_pmf(), delta) for pmf in (law._pmf_remove, law._pmf_add))


def read(pmf, delta):
    losses = (np.arange(len(pmf._probs)) + pmf._lower_loss) * pmf._discretization
    low, high = 0.0, max(float(losses[-1]), 0.0)
    for _ in range(60):
        middle = (low + high) / 2
        above = losses > middle
        if pmf._infinity_mass - (pmf._probs[above] * np.expm1(middle - losses[above])).sum() > delta:
            low = middle
        else:
            high = middle
    return high


def judged(parts, delta):
    """The two estimates. Each release is off by up to a place of the lattice."""
    releases = sum(int(p.split("x")[0]) for p in parts.split("+"))
    sum_ = sum(int(p.split("x")[0]) * loss(p.split("x")[1]) for p in parts.split("+"))
    fine = sum_ / max(2000, 20 * releases)
    while True:
        low, high = (epsilon(parts, delta, fine, p) for p in (False, True))
        if high <= CLOSE * low or 2 * sum_ / fine >= MOST:
            return low, high
        fine = max(min(fine / 2, (CLOSE - 1) / 2 * low / releases), 2 * sum_ / MOST)


def loss(rest):
    kind, base, *shift = rest.split(":")
    if kind == "pure":
        return float(base)
    if kind == "laplace":
        return log1(base) * int(shift[0])
    rho = log1(base) * int(shift[0]) ** 2
    return rho + 10 * sqrt(2 * rho)


def part(chance, kind, times, each):
    if kind == "pure":
        return "%dxpure:%.4g" % (times, each)
    if kind == "laplace":
        shift = chance.choice([1, 1, 2, 4])
        return "%dxlaplace:%s:%d" % (times, rational(each / shift), shift)
    return "%dxgaussian:%s:1" % (times, rational(max(each * tanh(each / 2), 2**-22)))


def rational(x):
    """About e^x, as a short rational above 1."""
    if x >= 30:
        return Fraction(2 ** round(x / log(2)))
    return Fraction(exp(x)).limit_denominator(int(1e4 / min(x, 1)))


def lists(count, seed):
    chance = random.Random(seed)
    spread = lambda low, high: exp(chance.uniform(log(low), log(high)))
    for i in range(count):
        kind = ("laplace", "gaussian", "pure", "mixed")[i % 4]
        n = round(spread(1, 200))
        groups = min(n, 60 if chance.random() < 0.05 else chance.randint(1, 8))
        weights = [spread(0.1, 1) for _ in range(groups)]
        times = [1] * groups
        for _ in range(n - groups):
            times[chance.randrange(groups)] += 1
        unit = spread(0.01, 2000) / sum(t * w for t, w in zip(times, weights))
        parts = []
        for t, w in zip(times, weights):
            one = chance.choice(["laplace", "gaussian", "pure"]) if kind == "mixed" else kind
            parts.append(part(chance, one, t, unit * w))
        yield kind, "+".join(parts), "%.3g" % spread(1e-12, 0.1)


FAR = [
    "20xpure:17.75",
    "20xpure:35",
    "20xpure:98.7",
    "20xpure:100",
    "1xpure:355+1xpure:0.01",
    "100xpure:7+1xpure:0.5",
    "200xpure:1.75",
    "200xpure:10",
    "12xlaplace:%s:1+3xpure:0.25" % round(exp(25)),
    "50xlaplace:3:4+1xpure:200",
    "64xgaussian:2:1",
    "30xgaussian:8:1+20xpure:10",
    "200xpure:0.0005",
    "3xlaplace:1001/1000:1+1xgaussian:100001/100000:1",
]
TINY = [  # all that is lost is within delta, or nearly; the last has tens of thousands of outcomes a release
    ("4xgaussian:113517821/113512839:1", "0.0153"),
    ("1xpure:0.009383+1xgaussian:15987760058/15987750331:1", "0.00805"),
    ("12xgaussian:174192023/174189791:1", "6.41e-05"),
]

if __name__ == "__main__":
    if sys.argv[1:] == ["far"]:
        print("# dp-accounting 0.6.0, judge.py far: class, parts, delta, epsilon from below and from above")
        todo = (("far", parts, delta) for parts in FAR for delta in ("1e-3", "1e-6", "1e-12"))
        todo = list(todo) + [("tiny", *one) for one in TINY]
    else:
        count, seed, of, share = map(int, sys.argv[1:])
        todo = (one for i, one in enumerate(lists(count, seed)) if i // 4 % of == share)
    for kind, parts, delta in todo:
        try:
            told = "%.12g %.12g" % judged(parts, float(delta))
        except Exception as error:  # whatever it cannot do is said in the table
            told = "- - " + " ".join(("%s: %s" % (type(error).__name__, error)).split())[:120]
        print(kind, parts, delta, told, flush=True)
