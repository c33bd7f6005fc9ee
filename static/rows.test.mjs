// Tests of made-up rows as files, read back by the page's own readers; and by pyarrow and openpyxl where PYTHON names an interpreter that has
// them. node --test static/rows.test.mjs.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { strToU8, zipSync } from "fflate";
import { made } from "./forms.src.js";
import { parquet } from "./parquet.src.js";
import * as parquetReader from "./readers/parquet.mjs";
import * as xlsxReader from "./readers/xlsx.mjs";
import { read } from "./readers/testing/workbook.mjs";

const table = {
  name: "made up", names: ["age", "'=start", "city", "pay"], kinds: ["whole", "text", "text", "number"],
  rows: [["-3", "2020-01-31", "'=1+1", "12.5"], ["", "", "Ulm, \"old\"", ""], ["9007199254740993", "2020-02-29", "'@x", "-0.25"], ["7", "", "", "1e-5"]],
};
const csv = (rows) => rows.map((row) => row.map((cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")).join("\n") + "\n";
const workbook = () => zipSync(Object.fromEntries(made("rows", table).map(({ name, text }) => [name, strToU8(text)])));

test("Parquet holds the rows, whole numbers of any size, and no value where a cell is empty", async () => {
  const rows = table.rows.map((row) => row.map((cell, i) => (i === 3 && cell !== "" ? String(Number(cell)) : cell)));
  assert.equal(await read(parquetReader, new Blob([parquet(table)])), csv([table.names, ...rows]));
});

test("a workbook holds the rows, and no formula", async () => {
  const sheet = made("rows", table).find(({ name }) => name === "xl/worksheets/sheet1.xml").text;
  assert.ok(!sheet.includes("<f"));
  assert.ok(sheet.includes("<c><v>12.5</v></c>") && sheet.includes("&#39;=1+1"));
  const few = { ...table, rows: table.rows.map(([age, ...rest]) => [age.length > 15 ? "8" : age, ...rest]) };
  const files = made("rows", few).map(({ name, text }) => [name, strToU8(text)]);
  const got = await read(xlsxReader, new Blob([zipSync(Object.fromEntries(files))]));
  assert.equal(got, csv([few.names, ...few.rows.map((row) => row.map((cell, i) => (i === 3 && cell !== "" ? String(Number(cell)) : cell)))]));
});

test("as pyarrow and openpyxl read them", { skip: !process.env.PYTHON && "PYTHON names no interpreter" }, () => {
  const folder = mkdtempSync(join(tmpdir(), "rows-"));
  try {
    writeFileSync(join(folder, "rows.parquet"), parquet(table));
    writeFileSync(join(folder, "rows.xlsx"), workbook());
    const program = `
import json, pyarrow.parquet as pq, openpyxl
t = pq.read_table("rows.parquet")
sheet = openpyxl.load_workbook("rows.xlsx").active
print(json.dumps([t.column_names, [str(c.type) for c in t.schema], t.to_pylist(), [[c.data_type for c in r] for r in sheet.iter_rows()], sheet.title]))`;
    const [names, types, rows, kinds, title] = JSON.parse(execFileSync(process.env.PYTHON, ["-c", program], { cwd: folder, encoding: "utf8" }));
    assert.deepEqual(names, table.names);
    assert.deepEqual(types, ["int64", "string", "string", "double"]);
    assert.deepEqual(rows[0], { age: -3, "'=start": "2020-01-31", city: "'=1+1", pay: 12.5 });
    assert.deepEqual(rows[1], { age: null, "'=start": null, city: 'Ulm, "old"', pay: null });
    assert.ok(kinds.flat().every((kind) => kind !== "f") && title === "made up");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a file of a hundred thousand rows is made in seconds", () => {
  const many = { ...table, rows: Array.from({ length: 100_000 }, (_, i) => [String(i % 90), "2020-01-31", `c${i % 7}`, "0.5"]) };
  const before = performance.now();
  assert.ok(parquet(many).length < 2e6);
  assert.ok(performance.now() - before < 20_000);
});
