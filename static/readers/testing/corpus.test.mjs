// One table in files of every kind that has a reader: whatever its cells hold, each is read as the CSV of the table, byte for byte. The
// dialects and encodings of CSV itself have a corpus of their own, TestCorpus of core/table.

import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import { recognise } from "../../formats.js";
import * as json from "../json.mjs";
import * as parquet from "../parquet.mjs";
import * as xlsx from "../xlsx.mjs";
import * as zip from "../zip.mjs";
import * as zstd from "../zstd.mjs";
import { archive, workbook } from "./workbook.mjs";

const readers = { json, parquet, xlsx, zip, zstd };

/** What cells of the second column hold, in turns with plain ones. */
const spoilt = {
  plain: ["Bern"], commas: ["a,b", ",", ",,"], semicolons: ["a;b"], tabs: ["a\tb", "\t"], bars: ["a|b"], "double quotes": ['"', '""', 'say "hi"', '"a"'],
  apostrophes: ["'", "o'x", "'a'"], "line feeds": ["a\nb", "\n", "a\n\nb\n"], CRs: ["a\rb", "\r"], "CRs and line feeds": ["a\r\nb"], backslashes: ["\\", "\\n", 'a\\"b'],
  spaces: [" a", "a ", "  "], gaps: [null, "a", null], accents: ["Zoë", "José", "Łódź"], "other scripts": ["東京", "Ελλάς", "שלום", "😀"], "marks of order": ["\ufeff", "\ufeffa"],
  "numbers as texts": ["00412", "1e5", "-0", "1,234.50"], formulas: ["=1+1", "@a", "+1", "-1"], markup: ["<b>&amp;</b>", "]]>", "&lt;"], "words for nothing": ["NULL", "NA", "-"],
  "long texts": ["x".repeat(40_000)], "sep lines": ["sep=;"], "years": ["2024", "1999"], "odd spaces": ["\u00a0a", "\u2028b", "\u0085c"], "escapes": ["_x000D_", "\\u0041", "%41"],
};

function tableOf(cells) {
  const rows = [];
  for (let i = 0; i < 60; i++) rows.push([i, i % 3 === 1 ? cells[Math.floor(i / 3) % cells.length] : `t${i % 7}`, (i * 7) % 40 / 8]);
  return { names: ["id", "text", "score"], rows };
}

/** The CSV of a table, by another way than a reader's. */
const csvOf = ({ names, rows }) => [names, ...rows].map((row) => `${row.map((cell) => {
  const text = cell === null ? "" : String(cell);
  return /[",\n\r\ufeff]/.test(text) ? `"${text.split('"').join('""')}"` : text;
}).join(",")}\n`).join("");

const objects = ({ names, rows }) => rows.map((row) => JSON.stringify(Object.fromEntries(names.map((name, i) => [name, row[i]]))));
const utf8 = (text) => new TextEncoder().encode(text);
const utf16 = (text) => new Uint8Array(Buffer.from(`\ufeff${text}`, "utf16le"));

/** A frame of Zstandard whose blocks are the text as it is: RFC 8878, 3.1.1. */
function framed(bytes) {
  const parts = [Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0xa0), new Uint8Array(Uint32Array.of(bytes.length).buffer)];
  for (let at = 0; at < bytes.length; at += 1 << 16) {
    const block = bytes.subarray(at, at + (1 << 16));
    const head = block.length << 3 | Number(at + block.length === bytes.length);
    parts.push(Uint8Array.of(head, head >> 8, head >> 16), block);
  }
  return new Blob(parts);
}

const column = (table, i, element) => ({ element, data: table.rows.map((row) => row[i]) });
const parquetOf = (table, codec) => {
  const columns = [column(table, 0, { name: "id", type: "INT32" }), column(table, 1, { name: "text", type: "BYTE_ARRAY", converted_type: "UTF8" }), column(table, 2, { name: "score", type: "DOUBLE" })];
  return new Blob([parquetWriteBuffer({
    codec, compressors: { GZIP: (page) => new Uint8Array(gzipSync(page)) },
    columnData: columns.map(({ element: { name }, data }) => ({ name, data })),
    schema: [{ name: "root", num_children: 3 }, ...columns.map(({ element }) => ({ ...element, repetition_type: "OPTIONAL" }))],
  })]);
};
// Excel writes a character that XML has no room for, or that begins like one of those, as _x000D_.
const escaped = ({ names, rows }) => [names, ...rows.map((row) => row.map((cell) => (typeof cell === "string" ? cell.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_").replaceAll("\r", "_x000D_") : cell)))];

/** Files of each kind, and the reader that they are recognised for. */
const kinds = {
  "xlsx, texts shared": ["xlsx", (table) => workbook([{ rows: escaped(table) }])],
  "xlsx, texts in their cells": ["xlsx", (table) => workbook([{ rows: escaped(table), top: 3, left: 2 }], { shared: false, level: 0 })],
  "parquet, plain": ["parquet", (table) => parquetOf(table, "UNCOMPRESSED")],
  "parquet, Snappy": ["parquet", (table) => parquetOf(table, "SNAPPY")],
  "parquet, gzip": ["parquet", (table) => parquetOf(table, "GZIP")],
  "JSON lines": ["json", (table) => new Blob([objects(table).join("\n")])],
  "JSON array": ["json", (table) => new Blob([`[\n${objects(table).join(",\n")}\n]\n`])],
  "JSON in UTF-16": ["json", (table) => new Blob([utf16(objects(table).join("\r\n"))])],
  "JSON with gzip": ["json", (table) => new Blob([gzipSync(objects(table).slice(0, 9).join("\n")), gzipSync(`\n${objects(table).slice(9).join("\n")}`)])],
  "JSON with Zstandard": ["zstd", (table) => framed(utf8(objects(table).join("\n")))],
  "JSON in ZIP": ["zip", (table) => archive({ "people.jsonl": objects(table).join("\n") })],
  "CSV with Zstandard": ["zstd", (table) => framed(utf8(csvOf(table)))],
  "CSV in ZIP": ["zip", (table) => archive({ "read me.md": "hello", "people.csv": csvOf(table) })],
};

test("a table is read the same from files of every kind", async () => {
  let files = 0;
  for (const [name, cells] of Object.entries(spoilt)) {
    const table = tableOf(cells), want = csvOf(table);
    for (const [kind, [format, write]] of Object.entries(kinds)) {
      const file = write(table), where = `${name}, ${kind}`;
      files++;
      assert.equal(await recognise(file), format, where);
      const parts = await readers[format].parts(file);
      const part = Math.max(0, parts.findIndex(({ likely }) => likely));
      const pieces = [];
      for await (const piece of readers[format].csv(file, part, { told() {}, note() {}, options: parts[part].options })) pieces.push(piece);
      const got = Buffer.concat(pieces).toString();
      if (got !== want) assert.fail(`${where}: ${JSON.stringify(got.slice(0, 400))}, want ${JSON.stringify(want.slice(0, 400))}`);
    }
  }
  assert.ok(files >= 300, `${files} files`);
});
