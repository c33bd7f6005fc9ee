"""Runs statements on DuckDB or Spark, of tables that come as JSON, a line each, on standard input.

A line has "create", "insert", "table", "columns", "rows" and "sql"; the answer to it is a line with "csv" or "error".
"""

import csv
import io
import json
import os
import sys
import tempfile


def duckdb_runner():
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET threads = 1")

    def run(job):
        connection.execute(job["create"])
        if job["rows"]:
            connection.executemany(job["insert"], job["rows"])
        name = os.path.join(tempfile.mkdtemp(), "counts.csv")
        connection.execute("COPY (" + job["sql"].strip().rstrip(";") + ") TO '" + name + "' (HEADER)")
        with open(name, newline="", encoding="utf-8") as file:
            text = file.read()
        connection.execute(job["drop"])
        return text

    return run


def spark_runner():
    from pyspark.sql import SparkSession
    from pyspark.sql.types import StringType, StructField, StructType

    spark = (
        SparkSession.builder.master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "1")
        .getOrCreate()
    )

    def run(job):
        schema = StructType([StructField(name, StringType()) for name in job["columns"]])
        spark.createDataFrame([tuple(row) for row in job["rows"]], schema).createOrReplaceTempView(job["table"])
        answer = spark.sql(job["sql"].strip().rstrip(";"))
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(answer.columns)
        for row in answer.collect():
            writer.writerow(["" if cell is None else cell for cell in row])
        return out.getvalue()

    return run


def main():
    run = {"duckdb": duckdb_runner, "spark": spark_runner}[sys.argv[1]]()
    for line in sys.stdin:
        try:
            answer = {"csv": run(json.loads(line))}
        except Exception as fault:  # whatever an engine says is told
            answer = {"error": str(fault)}
        print(json.dumps(answer), flush=True)


main()
