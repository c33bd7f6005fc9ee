// Writes one table of made-up people as people.csv, people.xlsx and people.parquet, for tests of the page.
// Usage: node people.mjs DIRECTORY ROWS

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parquetWriteBuffer } from "hyparquet-writer";
import { field, workbook } from "./workbook.mjs";

const [folder, count] = [process.argv[2], Number(process.argv[3])];
const day = 86_400_000;
const people = Array.from({ length: count }, (_, i) => ({
  age: 20 + i * 7 % 60,
  town: ["Bern", 'Graz, "Lend"', "Łódź", "東京", null][i % 5],
  born: new Date(Date.UTC(1950, 0, 1) + i * 37 % 20_000 * day),
  income: i % 11 === 0 ? null : i * 1_234_567 % 9_000_000 / 100,
  member: i % 3 === 0,
}));
const names = Object.keys(people[0]);
const iso = (date) => date.toISOString().slice(0, 10);

const csv = [names, ...people.map(({ age, town, born, income, member }) => [String(age), town ?? "", iso(born), income === null ? "" : String(income), String(member).toUpperCase()])];
await writeFile(join(folder, "people.csv"), csv.map((row) => `${row.map(field).join(",")}\n`).join(""));

const serial = (date) => ({ xml: `<c r="NAME" s="1"><v>${date / day + 25_569}</v></c>` });
const book = workbook([
  { name: "Read me", rows: [["Made-up people"], ["Nobody is in it"]], after: '<mergeCells><mergeCell ref="A1:C1"/></mergeCells>' },
  { name: "People", top: 2, rows: [names, ...people.map(({ age, town, born, income, member }) => [age, town, serial(born), income, member])] },
  { name: "Old", state: "hidden", rows: [["x"], [1]] },
], { formats: [0, 14] });
await writeFile(join(folder, "people.xlsx"), new Uint8Array(await book.arrayBuffer()));

const column = (name, type, more) => ({ element: { name, type, repetition_type: "OPTIONAL", ...more }, data: people.map((person) => person[name]) });
const columns = [column("age", "INT32"), column("town", "BYTE_ARRAY", { converted_type: "UTF8" }), column("born", "INT32", { converted_type: "DATE" }), column("income", "DOUBLE"), column("member", "BOOLEAN")];
await writeFile(join(folder, "people.parquet"), new Uint8Array(parquetWriteBuffer({
  columnData: columns.map(({ element: { name }, data }) => ({ name, data })),
  schema: [{ name: "root", num_children: columns.length }, ...columns.map(({ element }) => element)],
})));
