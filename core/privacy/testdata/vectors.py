"""Writes vectors.txt: python3 vectors.py > vectors.txt (Python 3 and mpmath 1.3).

Shares no code with the package: 60 digits in place of rational bounds, all 2^k answers of k randomised responses in place
of a lattice, a fine search in place of golden section.
"""
from itertools import product
from mpmath import mp, mpf, exp, log, sqrt, tanh, findroot

mp.dps = 60


def number(text):
    if "/" in text:
        a, b = text.split("/")
        return mpf(a) / mpf(b)
    return mpf(text)


def out(kind, args, value):
    print(kind, args, mp.nstr(value, 40, strip_zeros=False))


def zcdp(rho, delta):
    """The smallest epsilon over all orders alpha, from delta(alpha) by ternary search on ln(alpha - 1)."""
    def eps(u):
        alpha = 1 + exp(u)
        return alpha * rho + (log(1 / delta) + (alpha - 1) * log(1 - 1 / alpha) - log(alpha)) / (alpha - 1)
    low, high = mpf(-20), mpf(40)
    for _ in range(400):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        if eps(a) < eps(b):
            high = b
        else:
            low = a
    return max(eps(low), mpf(0))


def advanced(epsilons, slack):
    return sum(e * tanh(e / 2) for e in epsilons) + sqrt(2 * log(1 / slack) * sum(e * e for e in epsilons))


def optimal(epsilons, slack):
    """The smallest epsilon with hockey-stick divergence at most slack, over all answers of the randomised responses."""
    answers = []
    for signs in product((1, -1), repeat=len(epsilons)):
        p = q = mpf(1)
        for s, e in zip(signs, epsilons):
            p *= exp(e) / (1 + exp(e)) if s > 0 else 1 / (1 + exp(e))
            q *= 1 / (1 + exp(e)) if s > 0 else exp(e) / (1 + exp(e))
        answers.append((p, q))
    low, high = mpf(0), sum(epsilons)
    for _ in range(160):
        middle = (low + high) / 2
        delta = sum(max(mpf(0), p - exp(middle) * q) for p, q in answers)
        low, high = (low, middle) if delta <= slack else (middle, high)
    return high


print("# python3 vectors.py > vectors.txt, with mpmath 1.3; kind, arguments, value to 40 digits")
for x in ["0", "1/10", "-1/10", "1", "-1", "1/1000000000000", "25/3", "700", "-700", "60000"]:
    out("exp", x, exp(number(x)))
for x in ["1", "2", "1/2", "3/2", "1/3", "10", "1000000007/1000000006", "999999/1000000", "1e50", "1e-100"]:
    out("log", x, log(number(x)))
for x in ["0", "1", "2", "1/2", "4/9", "1e-60", "123456789", "1e41"]:
    out("sqrt", x, sqrt(number(x)))
for rho, delta in [("1/200", "1e-6"), ("1/2", "1e-6"), ("5", "1e-9"), ("100", "1e-3"), ("1e-8", "1e-10"), ("1/10", "1e-100"), ("1/1000", "1/10")]:
    out("zcdp", rho + " " + delta, zcdp(number(rho), number(delta)))
for list_, slack in [("1/10*10", "1e-6"), ("1*3", "1e-2"), ("1/2*8", "1e-5"), ("1/10*1,1/2*2,1/4*3", "1e-3"),
                     ("1/7*3,2/5*4", "1e-4"), ("1/1000*10", "1e-3"), ("2*6", "1e-9"), ("1/3*1", "1e-6")]:
    epsilons = [number(e) for part in list_.split(",") for e, k in [part.split("*")] for _ in range(int(k))]
    out("advanced", list_ + " " + slack, advanced(epsilons, number(slack)))
    out("optimal", list_ + " " + slack, optimal(epsilons, number(slack)))
for epsilon, m, n in [("1", "1", "10"), ("1/10", "999", "1000"), ("5", "1", "1000000"), ("1/1000000", "1", "3")]:
    out("subsampled", epsilon + " " + m + " " + n, log(1 + number(m) / number(n) * (exp(number(epsilon)) - 1)))
for epsilon, delta, d in [("1", "1e-6", "2"), ("1/10", "1e-9", "64"), ("2", "1e-8", "5")]:
    out("group-delta", epsilon + " " + delta + " " + d, number(delta) * sum(exp(i * number(epsilon)) for i in range(int(d))))
for epsilon in ["1/1000000000000000000000000000000", "1/10", "1/2", "1", "2", "50"]:
    out("pure-rho", epsilon, number(epsilon) * tanh(number(epsilon) / 2))
