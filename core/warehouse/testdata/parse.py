"""Has sqlglot parse statements, which come as JSON with "dialect", "sql", "names" and "texts", a line each.

The answer is a line with the names and texts that the parser finds in the statement, or with "error".
"""

import json
import sys

import sqlglot
from sqlglot import expressions

for line in sys.stdin:
    job = json.loads(line)
    try:
        dialect = job["dialect"].replace("postgresql", "postgres")
        parsed = sqlglot.parse(job["sql"], read=dialect, error_level=sqlglot.ErrorLevel.RAISE)
        parsed = [one for one in parsed if one is not None]
        answer = {
            "statements": len(parsed),
            "kind": type(parsed[0]).__name__,
            "tables": [one.name for one in parsed[0].find_all(expressions.Table)],
            "names": sorted({one.name for one in parsed[0].find_all(expressions.Column)}),
            "texts": sorted({one.this for one in parsed[0].find_all(expressions.Literal) if one.is_string}),
        }
    except Exception as fault:
        answer = {"error": str(fault)}
    print(json.dumps(answer), flush=True)
