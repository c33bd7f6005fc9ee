"""Tumult Analytics' answers about persons with several rows, for `./build.sh bench persons`.

In: JSON with the rows (person, shop, price), the shops, and jobs of a kind, an ε and a number of runs. Out: a line of
JSON for each job, {"answers", "scales"}: one list of numbers for each run, and the scales of the noise. Its neighbours add or remove all rows of one person:
where a replaced person moves an answer twice as far, the job's ε is half of what Hush has.
"""

import json
import os
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")

import pandas
from pyspark.sql import SparkSession
from tmlt.analytics import (
    AddRowsWithID,
    KeySet,
    MaxGroupsPerID,
    MaxRowsPerGroupPerID,
    MaxRowsPerID,
    PureDPBudget,
    QueryBuilder,
    Session,
)

warehouse = tempfile.TemporaryDirectory()  # of Spark's own files
os.environ["PYSPARK_PYTHON"] = sys.executable  # also for its workers
work = json.load(sys.stdin)
spark = SparkSession.builder.master("local[1]").config("spark.sql.shuffle.partitions", "1")
# Plans are long and the table is small: to compile each takes longer than to run it.
for off in "spark.ui.enabled", "spark.sql.adaptive.enabled", "spark.sql.codegen.wholeStage":
    spark = spark.config(off, "false")
spark = spark.config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
spark = spark.config("spark.sql.warehouse.dir", warehouse.name).getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
table = spark.createDataFrame(pandas.DataFrame(work["rows"], columns=["person", "shop", "price"]))
session = Session.from_dataframe(
    privacy_budget=PureDPBudget(float("inf")),
    source_id="orders",
    dataframe=table,
    protected_change=AddRowsWithID(id_column="person"),
)
shops = KeySet.from_dict({"shop": work["shops"]})


def orders():  # a new one for each question: what is asked of a QueryBuilder stays in it
    return QueryBuilder("orders")


def by_shop(rows):
    bounded = orders().enforce(MaxGroupsPerID("shop", work["groups"]))
    return bounded.enforce(MaxRowsPerGroupPerID("shop", rows)).groupby(shops)


questions = {
    "rows": orders().enforce(MaxRowsPerID(work["groups"] * work["each"])).count(),
    "rows by shop": by_shop(work["each"]).count(),
    "persons by shop": by_shop(1).count(),
    "sum by shop": by_shop(work["each"]).sum("price", 0, 10),
    "mean by shop": by_shop(work["each"]).average("price", 0, 10),
    "persons with a price of at least 5": orders().filter("price >= 5").enforce(MaxRowsPerID(1)).count(),
}
for job in work["jobs"]:
    answers = []
    noise = session._noise_info(questions[job["kind"]], PureDPBudget(job["epsilon"]))
    scales = [float(law["noise_parameter"]) for law in noise]
    for _ in range(job["runs"]):
        frame = session.evaluate(questions[job["kind"]], PureDPBudget(job["epsilon"])).toPandas()
        if "shop" in frame:
            frame = frame.set_index("shop").loc[work["shops"]]
        answers.append([float(x) for x in frame.iloc[:, -1]])
    print(json.dumps({"answers": answers, "scales": scales}), flush=True)
    print(job, "asked", file=sys.stderr, flush=True)
