"""Made-up rows of another library, for TestJointPeers (`./build.sh bench peers`).

In: JSON with the peer, sizes of columns, the rows by column, rho, delta and a seed. Out: the made-up rows by column.

Neighbours replace one person. These libraries speak of persons added or removed, for which they are given half of rho:
a replaced person moves two counts of a table by one where such a person moves one, which costs twice as much. What they
choose, a replaced person moves more than that: they get a little more than their part.
"""

import json
import sys

import numpy as np


def opendp(job, algorithm):
    import opendp.extras.mbi as fitted
    import opendp.prelude as dp
    import polars as pl

    dp.enable_features("contrib")
    names = [f"c{i}" for i in range(len(job["sizes"]))]
    people = pl.LazyFrame(dict(zip(names, job["columns"])))
    budget = {"rho": job["rho"] / 2}
    found = dp.Context.compositor(
        data=people, privacy_unit=dp.unit_of(contributions=1), privacy_loss=dp.loss_of(**budget),
        margins=[dp.polars.Margin(max_length=len(job["columns"][0]))],
    ).query(**budget).contingency_table(
        keys={name: list(range(size)) for name, size in zip(names, job["sizes"])},
        algorithm=getattr(fitted, algorithm)()).release()
    made = found.synthesize(rows=len(job["columns"][0]))
    # behind the keys it has a place for those without a value
    return [made[name].fill_null(size - 1).to_numpy() for name, size in zip(names, job["sizes"])]


def dpmm(job, algorithm):
    import dpmm.models.aim
    import dpmm.models.mst
    import pandas as pd
    from dpmm.models.base.mechanisms.cdp2adp import cdp_rho

    low, high = 0.0, 100.0  # the epsilon whose rho is ours
    for _ in range(60):
        mid = (low + high) / 2
        low, high = (mid, high) if cdp_rho(mid, job["delta"]) < job["rho"] / 2 else (low, mid)
    names = [f"c{i}" for i in range(len(job["sizes"]))]
    made = {"MST": dpmm.models.mst.MSTGM, "AIM": dpmm.models.aim.AIMGM}[algorithm](
        epsilon=low, delta=job["delta"], domain=dict(zip(names, job["sizes"])),
        random_state=np.random.RandomState(job["seed"]), n_jobs=1)
    people = pd.DataFrame(dict(zip(names, job["columns"])))
    made.set_domain(dict(zip(names, job["sizes"])))
    made.fit(people)
    rows = made.generate(n_records=len(people))
    return [rows[name].to_numpy() for name in names]


def smartnoise(job, algorithm):
    import pandas as pd
    from snsynth import Synthesizer

    names = [f"c{i}" for i in range(len(job["sizes"]))]
    people = pd.DataFrame(dict(zip(names, job["columns"])))
    made = Synthesizer.create(algorithm.lower(), epsilon=job["epsilon"], delta=job["delta"])
    made.fit(people, categorical_columns=names, preprocessor_eps=0.0)
    rows = made.sample(len(people))
    return [rows[name].to_numpy() for name in names]


job = json.load(sys.stdin)
np.random.seed(job["seed"])
rows = {"opendp": opendp, "dpmm": dpmm, "smartnoise": smartnoise}[job["library"]](job, job["algorithm"])
json.dump([[int(min(max(v, 0), size - 1)) for v in column] for column, size in zip(rows, job["sizes"])], sys.stdout)
