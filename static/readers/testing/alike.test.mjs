// The same cells are the same bytes of CSV, whatever kind of file they come from, so that the engine takes them for equal: what it makes
// of these bytes, alike.csv, core/table tests with the same cells (TestCellsOfReaders). Written anew with HUSH_UPDATE=1.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { parquetWriteBuffer } from "hyparquet-writer";
import * as json from "../json.mjs";
import * as parquet from "../parquet.mjs";
import * as xlsx from "../xlsx.mjs";
import { workbook } from "./workbook.mjs";

const folder = new URL("../../../core/table/testdata/readers/", import.meta.url);

// All cells of up to three signs that readings may tell apart, each in a row of its own beside its number.
const signs = ["\0", " ", "\t", "A", "a", "0", '"', ",", "\n", "\r", "\u00a0", "\u3000", "\ufeff", "ÿ", "_"];
const cells = signs.flatMap((a) => [a, ...signs.flatMap((b) => [a + b, ...signs.map((c) => a + b + c)])]);
const rows = [["group", "n"], ...cells.map((cell, i) => [cell, String(i)])];

/** The bytes that a reader gives, undecoded: a decoder of text could make two of them one. */
async function bytesOf(reader, file, options = {}) {
  const made = [];
  const given = { ...(await reader.parts(file))[0].options, ...options };
  for await (const piece of reader.csv(file, 0, { told() {}, note() {}, options: given })) made.push(piece);
  return Buffer.concat(made);
}

const wanted = Buffer.from(rows.map((row) => `${row.map((cell) => (/[",\n\r\ufeff]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\n`).join(""));

test("the bytes are those that the engine is tested with", async () => {
  const files = [["alike.csv", wanted], ["alike.json", Buffer.from(JSON.stringify(cells).replaceAll("\ufeff", "\\ufeff"))]];
  for (const [name, bytes] of files) {
    if (process.env.HUSH_UPDATE) await writeFile(new URL(name, folder), bytes);
    assert.ok(bytes.equals(await readFile(new URL(name, folder))), `${name}: HUSH_UPDATE=1 node --test static/readers`);
  }
});

test("JSON: as they are, and with every sign as an escape", async () => {
  const lines = cells.map((group, i) => JSON.stringify({ group, n: String(i) }));
  const escaped = cells.map((group, i) => `{"group":"${[...group].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}","n":"${i}"}`);
  for (const text of [lines.join("\n"), escaped.join("\n"), `[${escaped.join(",")}]`]) {
    assert.ok(wanted.equals(await bytesOf(json, new Blob([text]))));
  }
});

test("Parquet: plain and by dictionary", async () => {
  const schema = [{ name: "root", num_children: 2 }, ...rows[0].map((name) => ({ name, type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" }))];
  for (const encoding of ["PLAIN", undefined]) {
    const columnData = rows[0].map((name, i) => ({ name, encoding, data: rows.slice(1).map((row) => row[i]) }));
    assert.ok(wanted.equals(await bytesOf(parquet, new Blob([parquetWriteBuffer({ columnData, schema })]))));
  }
});

test("Excel: texts that are shared or not, with what XML cannot hold as its escape", async () => {
  // A workbook writes zero bytes and carriage returns so, and the low line of what would be such an escape.
  const sheet = rows.map((row) => row.map((cell) => cell.replaceAll("_", "_x005F_").replaceAll("\0", "_x0000_").replaceAll("\r", "_x000D_")));
  for (const shared of [true, false]) {
    assert.ok(wanted.equals(await bytesOf(xlsx, workbook([{ rows: sheet }], { shared }))));
  }
});
