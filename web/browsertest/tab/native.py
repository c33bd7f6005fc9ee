"""Counts the ages in a file by DuckDB or polars, each as a program of its own, and prints seconds, bytes of memory at most and
the counts: python native.py duckdb|polars FILE. The environment says on how many threads."""
import json
import os
import resource
import sys
import time

library, path = sys.argv[1:]
columns = ["id", "age", "income", "town", "visited", "sex", "score", "remark"]
counts = [0] * 100
if library == "duckdb":
    import duckdb

    begun = time.perf_counter()
    database = duckdb.connect()
    database.execute("set threads = " + os.environ["POLARS_MAX_THREADS"])
    types = ", ".join(f"'{c}': '{'integer' if c == 'age' else 'varchar'}'" for c in columns)
    rows = database.execute(
        f"select age, count(*) from read_csv(?, header = true, columns = {{{types}}}) group by age", [path]).fetchall()
else:
    import polars

    begun = time.perf_counter()
    table = polars.scan_csv(path, schema={c: polars.Int64 if c == "age" else polars.String for c in columns})
    rows = table.group_by("age").len().collect(engine="streaming").rows()
seconds = time.perf_counter() - begun
for age, n in rows:
    counts[age] = n
print(json.dumps({"seconds": seconds, "bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, "counts": counts}))
