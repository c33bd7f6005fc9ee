// The same visits as a workbook and as Parquet: what the readers make of them, visits.xlsx.csv and visits.parquet.csv, differs where the
// kinds of file do, and core/table takes the rows for the same (TestRowsOfAnyKindOfFile). Written anew with HUSH_UPDATE=1.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { parquetWriteBuffer } from "hyparquet-writer";
import * as parquet from "../parquet.mjs";
import * as xlsx from "../xlsx.mjs";
import { workbook } from "./workbook.mjs";

const folder = new URL("../../../core/table/testdata/readers/", import.meta.url);
const visits = Array.from({ length: 300 }, (_, i) => ({
  patient: `P-${1000 + i * 7 % 140}`, place: ["Mitte", "Süd", "Nord"][i % 3], day: 19_700 + i % 61, cost: i * 37 % 1000 / 7, n: 4_000_000_000 + i, first: i % 4 === 0,
}));

async function textOf(reader, file) {
  const made = [];
  const { options } = (await reader.parts(file))[0];
  for await (const piece of reader.csv(file, 0, { told() {}, note() {}, options })) made.push(piece);
  return Buffer.concat(made);
}

async function same(name, bytes) {
  if (process.env.HUSH_UPDATE) await writeFile(new URL(name, folder), bytes);
  assert.ok(bytes.equals(await readFile(new URL(name, folder))), `${name}: HUSH_UPDATE=1 node --test static/readers`);
}

test("a workbook, with days as moments", async () => {
  const rows = visits.map(({ patient, place, day, cost, n, first }) =>
    [patient, place, { xml: `<c r="NAME" s="0"><v>${day + 25_569}</v></c>` }, { xml: `<c r="NAME" s="1"><v>${cost}</v></c>` }, { xml: `<c r="NAME" s="1"><v>${n}</v></c>` }, first]);
  const file = workbook([{ rows: [Object.keys(visits[0]), ...rows] }], { formats: ["yyyy-mm-dd hh:mm:ss", "General"] });
  await same("visits.xlsx.csv", await textOf(xlsx, file));
});

test("Parquet, with days as days", async () => {
  const column = (name, type, more, tell = (value) => value) => [
    { name, type, repetition_type: "OPTIONAL", ...more }, { name, data: visits.map((visit) => tell(visit[name])) },
  ];
  const columns = [column("patient", "BYTE_ARRAY", { converted_type: "UTF8" }), column("place", "BYTE_ARRAY", { converted_type: "UTF8" }),
    column("day", "INT32", { converted_type: "DATE" }), column("cost", "DOUBLE"), column("n", "INT64", {}, BigInt), column("first", "BOOLEAN")];
  const schema = [{ name: "root", num_children: columns.length }, ...columns.map(([type]) => type)];
  await same("visits.parquet.csv", await textOf(parquet, new Blob([parquetWriteBuffer({ columnData: columns.map(([, data]) => data), schema })])));
});
