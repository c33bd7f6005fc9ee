"""Writes one table in files of several kinds, or counts the ages in one of them and prints seconds, bytes of memory at most and the counts.

Usage: kinds.py write DIRECTORY ROWS, or kinds.py count FILE, which is a program of its own each time. It takes duckdb and python-calamine.
"""
import json
import os
import resource
import shutil
import sys
import tempfile
import time
import zipfile

import duckdb

SQL = """create table people as select i as id, 18 + (hash(i) % 70)::int as age,
  ['Bern', 'Graz', 'Lodz', 'Oslo', 'Porto', 'Lyon', 'Gent', 'Riga'][1 + (hash(i * 3) % 8)::int] as town,
  (hash(i * 7) % 100000) / 100.0 as income, date '1950-01-01' + (hash(i * 11) % 25000)::int as born,
  hash(i * 13) % 2 = 0 as smoker, 'person ' || i as name, (hash(i * 17) % 1000)::int as a,
  (hash(i * 19) % 1000000) / 1000.0 as b, case when i % 10 = 0 then null else (hash(i * 23) % 500)::int end as c
  from range({}) r(i)"""
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
KIND = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def relations(*list):
    return f'<Relationships xmlns="{PACKAGE}/relationships">' + "".join(
        f'<Relationship Id="rId{i + 1}" Type="{KIND}/{kind}" Target="{target}"/>' for i, (kind, target) in enumerate(list)) + "</Relationships>"


def write_workbook(path, names, rows):
    """rows are batches of tuples as SQL has them, with the day born as Excel counts it."""
    book = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
    parts = [("workbook", "sheet.main"), ("worksheets/sheet1", "worksheet"), ("styles", "styles"), ("sharedStrings", "sharedStrings")]
    book.writestr("[Content_Types].xml", f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' + "".join(
        f'<Override PartName="/xl/{part}.xml" ContentType="{TYPE}.{kind}+xml"/>' for part, kind in parts) + "</Types>")
    book.writestr("_rels/.rels", relations(("officeDocument", "xl/workbook.xml")))
    book.writestr("xl/_rels/workbook.xml.rels", relations(("worksheet", "worksheets/sheet1.xml"), ("styles", "styles.xml"), ("sharedStrings", "sharedStrings.xml")))
    book.writestr("xl/workbook.xml", f'<workbook xmlns="{MAIN}" xmlns:r="{KIND}"><sheets><sheet name="People" sheetId="1" r:id="rId1"/></sheets></workbook>')
    book.writestr("xl/styles.xml", f'<styleSheet xmlns="{MAIN}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders>'
                  '<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>')
    texts = {}

    def cell(column, row, value):
        at = f'<c r="{chr(65 + column)}{row}"'
        if value is None:
            return ""
        if isinstance(value, str):
            return f'{at} t="s"><v>{texts.setdefault(value, len(texts))}</v></c>'
        if isinstance(value, bool):
            return f'{at} t="b"><v>{int(value)}</v></c>'
        return f'{at}{" s=" + chr(34) + "1" + chr(34) if column == 4 else ""}><v>{value}</v></c>'

    with book.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as sheet:
        sheet.write(f'<worksheet xmlns="{MAIN}"><sheetData>'.encode())
        at = 0
        for batch in rows:
            lines = []
            for values in ([names] if at == 0 else []) + batch:
                at += 1
                lines.append(f'<row r="{at}">' + "".join(cell(i, at, value) for i, value in enumerate(values)) + "</row>")
            sheet.write("".join(lines).encode())
        sheet.write(b"</sheetData></worksheet>")
    book.writestr("xl/sharedStrings.xml", f'<sst xmlns="{MAIN}">' + "".join(f"<si><t>{text}</t></si>" for text in texts) + "</sst>")
    book.close()


def write(folder, rows):
    db = duckdb.connect()
    db.sql(SQL.format(rows))
    for name, options in [("csv", "header"), ("csv.gz", "header, compression gzip"), ("csv.zst", "header, compression zstd"),
                          ("parquet", "format parquet"), ("jsonl", "format json")]:
        db.sql(f"copy people to '{folder}/people.{name}' ({options})")
    with zipfile.ZipFile(f"{folder}/people.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(f"{folder}/people.csv", "people.csv")
    if rows < 1 << 20:  # what a sheet holds
        found = db.execute("select * replace (born - date '1899-12-30' as born) from people")
        write_workbook(f"{folder}/people.xlsx", tuple(d[0] for d in found.description), iter(lambda: found.fetchmany(20_000), []))


def by_duckdb(path):
    """All columns are read, as a table; then the ages are counted."""
    return duckdb.sql(f"create temp table t as from '{path}'; select age, count(*) from t group by age").fetchall()


def by_unpacking(path):
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(path) as archive:
        plain = os.path.join(folder, "people.csv")
        with archive.open("people.csv") as packed, open(plain, "wb") as file:
            shutil.copyfileobj(packed, file, 1 << 20)
        return by_duckdb(plain)


def by_calamine(path):
    import python_calamine

    counts = {}
    for row in python_calamine.CalamineWorkbook.from_path(path).get_sheet_by_index(0).to_python()[1:]:
        counts[row[1]] = counts.get(row[1], 0) + 1
    return counts.items()


def count(path):
    read = {".zip": by_unpacking, ".xlsx": by_calamine}.get(os.path.splitext(path)[1], by_duckdb)
    began = time.monotonic()
    found = read(path)
    seconds = time.monotonic() - began
    counts = [0] * 100
    for age, n in found:
        counts[int(age)] = n
    print(json.dumps({"seconds": seconds, "bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, "counts": counts}))


if sys.argv[1] == "write":
    write(sys.argv[2], int(sys.argv[3]))
else:
    count(sys.argv[2])
