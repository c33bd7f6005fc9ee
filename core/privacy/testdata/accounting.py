"""Writes accounting.txt: python3 accounting.py > accounting.txt (dp-accounting 0.6.0, from PyPI).

Each line: what is composed, delta, and the epsilon that Google's dp_accounting gives, from below and
from above. A part is COUNTxKIND:BASE:SHIFT, KIND laplace or gaussian, BASE the rational r of the noise.
"""
from fractions import Fraction
from math import log, sqrt
from dp_accounting.pld import privacy_loss_distribution as pld

PLANS = [
    "1xlaplace:3/2:1",
    "2xlaplace:3/2:1",
    "2xlaplace:3/2:1 1xlaplace:4/3:1",
    "16xlaplace:11/10:1",
    "24xlaplace:21/20:1 8xlaplace:5/4:1 2xlaplace:2/1:1",
    "128xlaplace:26/25:1",
    "6xlaplace:9/8:4 10xlaplace:16/15:1 1xlaplace:7/5:2",
    "1xgaussian:33/32:1",
    "2xgaussian:65/64:1",
    "64xgaussian:513/512:1",
    "8xgaussian:129/128:1 24xlaplace:21/20:1",
    "4xgaussian:65/64:1 2xgaussian:33/32:1 12xlaplace:10/9:1 1xlaplace:3/2:3",
    "1xlaplace:8/1:1 100xlaplace:101/100:1",
]


def single(part, fine, pessimistic):
    times, rest = part.split("x")
    kind, base, shift = rest.split(":")
    a = log(Fraction(base))
    options = dict(sensitivity=int(shift), value_discretization_interval=fine, pessimistic_estimate=pessimistic)
    if kind == "laplace":
        one = pld.from_discrete_laplace_mechanism(a, **options)
    else:
        one = pld.from_discrete_gaussian_mechanism(sqrt(1 / (2 * a)), **options)
    return one.self_compose(int(times))


def epsilon(plan, delta, pessimistic):
    fine = 1e-5
    whole = None
    for part in plan.split():
        one = single(part, fine, pessimistic)
        whole = one if whole is None else whole.compose(one)
    return whole.get_epsilon_for_delta(delta)


print("# dp-accounting 0.6.0, accounting.py: plan, delta, epsilon from below and from above")
for plan in PLANS:
    for delta in ("1e-4", "1e-6", "1e-9"):
        print(plan.replace(" ", "+"), delta, *("%.9f" % epsilon(plan, float(delta), p) for p in (False, True)), flush=True)
