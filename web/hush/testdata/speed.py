"""Times hush and DuckDB on one thread, from a CSV file to a histogram of its ages: python speed.py HUSH DIRECTORY ROWS. Each runs three
times, in turn, as a program of its own; the least wall time and the least time of the processor count."""
import json
import os
import random
import resource
import subprocess
import sys
import time

hush, directory, rows = sys.argv[1], sys.argv[2], int(sys.argv[3])
columns = ["id", "age", "income", "town", "visited", "sex", "score", "remark"]
path = os.path.join(directory, f"people-{rows}.csv")
if not os.path.exists(path):
    random.seed(1)
    towns = ["Harbour", "Hill", "Market", "Mill", "Old Town", "Park"]
    block = "".join(
        f"{random.randrange(10**9)},{random.randrange(100)},{random.randrange(9000) / 100 + 1200:.2f},{random.choice(towns)},"
        f"2024-{random.randrange(1, 13):02}-{random.randrange(1, 29):02},{random.choice('fm')},{random.random():.6f},seen\n"
        for _ in range(100_000))
    with open(path + ".new", "w") as file:
        file.write(",".join(columns) + "\n")
        for _ in range(rows // 100_000):
            file.write(block)
    os.rename(path + ".new", path)

with open(path) as file, open(os.path.join(directory, "head.csv"), "w") as head:
    for _ in range(1000):
        head.write(file.readline())
looked = json.loads(subprocess.run([hush, "look", "-json", os.path.join(directory, "head.csv")], check=True, capture_output=True).stdout)
recipe = os.path.join(directory, "recipe.json")
with open(recipe, "w") as file:
    json.dump({"version": 1, "task": "histogram", "column": 2, "label": "age", "epsilon": "1", "table": looked["options"],
               "domain": {"kind": "integer", "lo": "0", "hi": "99"}, "params": {"width": "1"}}, file)
duckdb = f"""
import duckdb
database = duckdb.connect()
database.execute("set threads = 1")
types = ", ".join(f"'{{c}}': '{{'integer' if c == 'age' else 'varchar'}}'" for c in {columns!r})
print(len(database.execute(f"select age, count(*) from read_csv(?, header = true, columns = {{{{{{types}}}}}}) group by age", [{path!r}]).fetchall()))
"""
runs = {"hush": lambda i: [hush, "ask", "-spend", "-json", "-ledger", os.path.join(directory, f"ledger-{os.getpid()}-{i}"), recipe, path],
        "duckdb": lambda i: [sys.executable, "-c", duckdb]}
least = {}
for i in range(3):
    for name, command in runs.items():
        before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(command(i), check=True, capture_output=True)
        wall, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        old = least.get(name, (wall, cpu))
        least[name] = (min(old[0], wall), min(old[1], cpu))
for name, (wall, cpu) in least.items():
    print(f"{name:8} {rows} rows, {os.path.getsize(path) / 1e6:.0f} MB: {wall:.2f} s, {cpu:.2f} s of the processor")
print(f"hush takes {least['hush'][0] / least['duckdb'][0]:.2f} times as long, and {least['hush'][1] / least['duckdb'][1]:.2f} of the processor")
