"""Asks Spark Connect, for spark.go: jobs come as JSON on standard input, a line each, and answers go the same way.

The address is in SPARK_REMOTE. A signal stops what the server does for this session, and ends the program.
"""

import contextlib
import json
import os
import signal
import sys
import threading

RETRIES = 5  # over 17 s


def answer(**fields):
    print(json.dumps(fields), flush=True)


def look(spark, job):
    names = spark.sql("SELECT * FROM " + job["table"]).columns
    answer(names=names, place=[spark.catalog.currentCatalog(), spark.catalog.currentDatabase()])


def count(spark, job):
    result = spark.sql(job["sql"])
    names = result.columns
    rows = result.collect()
    answer(names=names)
    for row in rows:
        answer(cells=["" if cell is None else str(cell) for cell in row])
    answer(rows=len(rows))


def main():
    session = []

    def stop(*_):
        try:
            for spark in session:
                spark.interruptAll()
        finally:
            os._exit(130)

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)

    def work():
        try:
            from pyspark.sql import SparkSession

            session.append(SparkSession.builder.remote(os.environ["SPARK_REMOTE"]).create())
            with contextlib.suppress(ImportError, AttributeError):  # it would try for ten minutes
                from pyspark.sql.connect.client.retries import DefaultPolicy

                session[0].client.set_retry_policies([DefaultPolicy(max_retries=RETRIES)])
            answer(names=[])
            for line in sys.stdin:
                job = json.loads(line)
                {"look": look, "count": count}[job["do"]](session[0], job)
        except ImportError as fault:
            answer(missing=True, error=str(fault))
        except Exception as fault:
            answer(error=str(fault))

    thread = threading.Thread(target=work, daemon=True)  # the main one hears signals
    thread.start()
    while thread.is_alive():
        thread.join(0.1)


main()
