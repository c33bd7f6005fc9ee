"""Other libraries' answers to the jobs that others_test.go writes, for `./build.sh bench peers`.

In: a JSON array of jobs. Out: a line of JSON for each peer of each job, {"job", "peer", "answers"}, one list of
numbers for each run, or {"job", "peer", "why"} where the peer does not do the job. After PATIENCE seconds of a job
no more than FEWEST runs are made of it, and after five times as long none is begun.

Neighbours replace one person, n is public. Where a library speaks of persons added or removed, a replaced
person is two of them: OpenDP is given the distance 2, the others half of epsilon. Where one replaced person moves the
answer no further than one who comes or goes (a single count, a single sum from 0), all of epsilon is given.
"""

import json
import sys
from time import monotonic

import numpy as np

MOST = 100_000  # persons that a library is given one by one
SORTED = 1_000_000  # the same, each for every quantile that is asked
LEAVES = 1 << 20  # of a tree
PATIENCE, FEWEST = 2, 5


class Unable(Exception):
    """Why a peer does not do a job."""


def column(job):
    if job["n"] > MOST:
        raise Unable(f"more than {MOST} persons, which it takes one by one")
    values, counts = np.array(job["values"]), np.array(job["counts"])
    return np.repeat(values, counts)


def with_opendp():
    import opendp.prelude as dp

    dp.enable_features("contrib", "honest-but-curious")
    whole = dp.vector_domain(dp.atom_domain(T=int))

    def scaled(make, epsilon):
        return dp.binary_search_chain(make, d_in=2, d_out=epsilon, T=float)

    def number(job, sized, high):
        bounded = dp.vector_domain(dp.atom_domain(bounds=(0, high)), size=job["n"])
        total = (bounded, dp.symmetric_distance()) >> dp.t.then_sum()
        noisy = scaled(lambda s: total >> dp.m.then_laplace(s), job["epsilon"])
        return lambda: [float(noisy(sized))]

    def count(job):
        return number(job, (column(job) >= job["edges"][0]).astype(int).tolist(), 1)

    def sum_(job):
        return number(job, column(job).tolist(), job["size"] - 1)

    def histogram(job):
        first = job["edges"][:-1]
        of = (np.searchsorted(first, column(job), side="right") - 1).tolist()
        by = dp.t.make_count_by_categories(
            whole, dp.symmetric_distance(), list(range(len(first))), null_category=False)
        noisy = scaled(lambda s: by >> dp.m.then_laplace(s), job["epsilon"])
        least = job.get("least", -np.inf)
        return lambda: [max(float(v), least) for v in noisy(of)]

    def percentiles(job):
        if job["size"] > LEAVES:
            raise Unable("more leaves than its tree is given")
        size = job["size"]
        b = dp.t.choose_branching_factor(job["n"])
        counts = np.bincount(job["values"], weights=job["counts"], minlength=size).astype(int).tolist()
        domain = dp.vector_domain(dp.atom_domain(T=int), size=size)
        tree = dp.t.make_b_ary_tree(domain, dp.l1_distance(T=int), leaf_count=size, branching_factor=b)
        noisy = scaled(lambda s: tree >> dp.m.then_laplace(s), job["epsilon"])
        fit = dp.t.make_consistent_b_ary_tree(branching_factor=b)

        def answer():
            upto = np.maximum.accumulate(np.cumsum(fit(noisy(counts))[:size]))
            return upto[job["probes"]].tolist()

        return answer

    def quantiles(job):
        if job["n"] * len(job["targets"]) > MOST:
            raise Unable("more persons than it takes in a moment, for each quantile")
        people, each = column(job).tolist(), job["epsilon"] / len(job["targets"])
        candidates = list(range(0, job["size"], max(1, job["size"] // 4096)))
        if len(candidates) * len(job["targets"]) > MOST // 2:
            raise Unable("more candidates than it is built for in a moment, for each quantile")
        sized = dp.vector_domain(dp.atom_domain(T=int), size=job["n"])

        def one(target):
            return scaled(
                lambda s: dp.m.make_private_quantile(
                    sized, dp.symmetric_distance(), dp.max_divergence(), candidates, target, s), each)

        noisy = [one(target) for target in job["targets"]]
        return lambda: sorted(float(q(people)) for q in noisy)

    return {"count": count, "sum": sum_, "histogram": histogram, "percentiles": percentiles, "quantiles": quantiles}


def with_opendp_tables():
    from itertools import combinations

    import mbi  # of the version that OpenDP takes

    if not hasattr(mbi.estimation, "mirror_descent"):
        raise ImportError("OpenDP's tables take an older mbi")
    import opendp.extras.mbi as fitted
    import opendp.prelude as dp
    import polars as pl

    dp.enable_features("contrib")

    def tables(job):
        names = [str(i) for i in range(len(job["sizes"]))]
        pairs = list(combinations(names, 2))
        rows = pl.LazyFrame({name: [row[i] for row in job["rows"]] for i, name in enumerate(names)})
        loss = dp.loss_of(rho=job["rho"]) if "rho" in job else dp.loss_of(epsilon=float(job["epsilon"]))

        def answer():
            asked = dp.Context.compositor(
                data=rows, privacy_unit=dp.unit_of(contributions=2), privacy_loss=loss, split_evenly_over=1,
                margins=[dp.polars.Margin(max_length=len(job["rows"]))])
            found = asked.query().contingency_table(
                keys={name: list(range(size)) for name, size in zip(names, job["sizes"])},
                algorithm=fitted.Fixed(queries=[fitted.Count(by=pair) for pair in pairs])).release()
            # behind the keys it has a place for those without a value
            return np.concatenate([
                np.asarray(found.project(pair))[:job["sizes"][int(pair[0])], :job["sizes"][int(pair[1])]].flatten()
                for pair in pairs]).tolist()

        return answer

    return {"tables": tables}


def with_diffprivlib():
    from diffprivlib import tools
    from diffprivlib.accountant import BudgetAccountant

    def count(job):
        yes = column(job) >= job["edges"][0]
        return lambda: [float(tools.count_nonzero(yes, epsilon=job["epsilon"], accountant=BudgetAccountant()))]

    def sum_(job):
        people, bounds = column(job), (0, job["size"] - 1)
        return lambda: [float(tools.sum(people, epsilon=job["epsilon"], bounds=bounds, accountant=BudgetAccountant()))]

    def histogram(job):
        if "least" not in job:
            raise Unable("it shows counts below 0 as 0")
        people, edges = column(job), np.array(job["edges"])

        def answer():
            counts, _ = tools.histogram(people, epsilon=job["epsilon"] / 2, bins=edges, range=(0, job["size"]),
                                        accountant=BudgetAccountant())
            return [float(v) for v in counts]

        return answer

    def quantiles(job):
        if job["n"] * len(job["targets"]) > SORTED:
            raise Unable("more persons than it sorts in a moment, for each quantile")
        people, bounds = column(job), (0, job["size"] - 1)

        def answer():
            found = tools.quantile(people, job["targets"], epsilon=job["epsilon"], bounds=bounds,
                                   accountant=BudgetAccountant())
            return [float(v) for v in np.atleast_1d(found)]

        return answer

    return {"count": count, "sum": sum_, "histogram": histogram, "quantiles": quantiles}


def with_mbi():
    from itertools import combinations

    import mbi

    if not hasattr(mbi.estimation, "MirrorDescent"):
        raise ImportError("an older mbi")

    def tables(job):
        names = [str(i) for i in range(len(job["sizes"]))]
        domain = mbi.Domain(names, job["sizes"])
        rows = np.array(job["rows"])
        pairs = list(combinations(names, 2))
        # a replaced person is in two cells of each table
        if "rho" in job:
            scale = stddev = (len(pairs) / job["rho"]) ** 0.5
            noise = np.random.normal
        else:
            scale, noise = 2 * len(pairs) / job["epsilon"], np.random.laplace
            stddev = scale * 2**0.5
        exact = []
        for a, b in pairs:
            cells = np.zeros((domain[a], domain[b]))
            np.add.at(cells, (rows[:, int(a)], rows[:, int(b)]), 1)
            exact.append(cells.flatten())

        def answer():
            measured = [mbi.LinearMeasurement(cells + noise(scale=scale, size=len(cells)), pair, stddev=stddev)
                        for pair, cells in zip(pairs, exact)]
            model = mbi.estimation.MirrorDescent().estimate(
                domain, measured, known_total=float(len(rows)), iters=1000)
            return np.concatenate([np.asarray(model.project(pair).datavector()) for pair in pairs]).tolist()

        return answer

    return {"tables": tables}


PEERS = [("OpenDP", with_opendp), ("OpenDP", with_opendp_tables), ("diffprivlib", with_diffprivlib), ("mbi", with_mbi)]


def main():
    jobs = json.load(sys.stdin)
    for peer, start in PEERS:
        try:
            does = start()
        except ImportError as missing:
            print(json.dumps({"peer": peer, "why": f"not installed: {missing}"}), flush=True)
            continue
        for number, job in enumerate(jobs):
            said = {"job": number, "peer": peer}
            if job["kind"] not in does:
                continue
            try:
                begun, answer = monotonic(), does[job["kind"]](job)
                said["answers"] = []
                for run in range(job["runs"]):
                    patience = PATIENCE * 5 if run < FEWEST else PATIENCE
                    if run == 0 or monotonic() < begun + patience:
                        said["answers"].append(answer())
                if monotonic() > begun + 5 * PATIENCE:
                    took = monotonic() - begun
                    print(f"{peer}: job {number}, {job['kind']}, n = {job['n']}: {took:.0f} s", file=sys.stderr, flush=True)
            except (Unable, RuntimeError) as why:  # its own failures too
                said["why"] = str(why)
            print(json.dumps(said), flush=True)


main()
