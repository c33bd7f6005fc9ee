import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import * as parquet from "../parquet.mjs";
import { change, fuzzed, random, readOrRefused } from "./random.mjs";
import { read } from "./workbook.mjs";

const compressors = { GZIP: (page) => new Uint8Array(gzipSync(page)), BROTLI: (page) => new Uint8Array(brotliCompressSync(page)) };
const write = (columnData, options = {}) => new Blob([parquetWriteBuffer({ columnData, compressors, ...options })]);
const column = (element, data, more) => ({ columns: [{ name: "x", data, ...more }], schema: [{ name: "root", num_children: 1 }, { name: "x", repetition_type: "OPTIONAL", ...element }] });
const refused = (file, key, where) => assert.rejects(read(parquet, file), (error) => {
  assert.equal(error.key, key, error.stack);
  if (where) assert.deepEqual(error.where, where);
  return true;
});

test("what a value is, by its type", async () => {
  const bytes = (...values) => Uint8Array.from(values);
  const cases = [
    [{ type: "BOOLEAN" }, [true, null, false], ["true", "", "false"]],
    [{ type: "INT32" }, [0, -7, 2_147_483_647, null], ["0", "-7", "2147483647", ""]],
    [{ type: "INT32", converted_type: "UINT_32" }, [4_294_967_295, 5], ["4294967295", "5"]],
    [{ type: "INT64" }, [9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n, null], ["9223372036854775807", "-9223372036854775808", ""]],
    [{ type: "INT64", converted_type: "UINT_64" }, [18_446_744_073_709_551_615n, 9_007_199_254_740_993n], ["18446744073709551615", "9007199254740993"]],
    [{ type: "FLOAT" }, [0.1, 16_777_216, 1.1754943508222875e-38, null], ["0.1", "16777216", "1.1754944e-38", ""]],
    [{ type: "DOUBLE" }, [0.1, -0, 1e300, NaN, null], ["0.1", "0", "1e+300", "", ""]],
    [{ type: "INT32", converted_type: "DATE" }, [new Date("2024-02-29"), new Date("1583-01-01"), null], ["2024-02-29", "1583-01-01", ""]],
    [{ type: "INT64", logical_type: { type: "TIMESTAMP", isAdjustedToUTC: false, unit: "MILLIS" } }, [new Date("1969-12-31T23:59:59.250Z")], ["1969-12-31T23:59:59.25"]],
    [{ type: "INT64", converted_type: "TIMESTAMP_MILLIS" }, [new Date("2020-01-01T00:00:00Z")], ["2020-01-01T00:00:00Z"]],
    [{ type: "BYTE_ARRAY", converted_type: "UTF8" }, ["a,b", 'say "x"', "", "ü\n€", null, " y "], ['"a,b"', '"say ""x"""', "", '"ü\n€"', "", " y "]],
    [{ type: "BYTE_ARRAY" }, [bytes(0x61, 0xc3, 0xbc)], ["aü"]],
    [{ type: "FIXED_LEN_BYTE_ARRAY", type_length: 16, logical_type: { type: "UUID" } }, ["00112233-4455-6677-8899-aabbccddeeff"], ["00112233-4455-6677-8899-aabbccddeeff"]],
    [{ type: "FIXED_LEN_BYTE_ARRAY", type_length: 2, logical_type: { type: "FLOAT16" } }, [1.5, -65504, 2 ** -24, null], ["1.5", "-65504", "5.960464477539063e-8", ""]],
    [{ type: "FIXED_LEN_BYTE_ARRAY", type_length: 3 }, [bytes(0, 1, 255)], ["0001ff"]],
  ];
  for (const [element, data, want] of cases) {
    const { columns, schema } = column(element, data);
    const file = write(columns, { schema });
    assert.equal(await read(parquet, file), ["x", ...want.map((text) => text || '""'), ""].join("\n"), JSON.stringify(element));
    assert.deepEqual(await parquet.parts(file), [{ name: "", rows: data.length, options: { header: "yes" } }]);
  }
});

test("numbers that only their type makes exact", async () => {
  const { teller } = await import("../values.part.mjs");
  const tell = (element, value) => teller(element)(value);
  const decimal = (type, scale) => ({ type, converted_type: "DECIMAL", scale });
  assert.equal(tell(decimal("INT32", 2), -5), "-0.05");
  assert.equal(tell(decimal("INT64", 3), 9_007_199_254_740_993n), "9007199254740.993");
  assert.equal(tell(decimal("FIXED_LEN_BYTE_ARRAY", 4), Uint8Array.of(0xff, 0xff, 0xff, 0xf6)), "-0.0010");
  assert.equal(tell(decimal("BYTE_ARRAY", 0), Uint8Array.of(0x7f, ...new Array(15).fill(0xff))), String(2n ** 127n - 1n));
  const stamp = (unit, isAdjustedToUTC) => ({ type: "INT64", logical_type: { type: "TIMESTAMP", unit, isAdjustedToUTC } });
  assert.equal(tell(stamp("NANOS", false), 1_700_000_000_123_456_789n), "2023-11-14T22:13:20.123456789");
  assert.equal(tell(stamp("NANOS", true), -1n), "1969-12-31T23:59:59.999999999Z");
  assert.equal(tell(stamp("MICROS", true), -3_372_036_854_775_000n), "1863-02-22T19:05:45.225Z");
  assert.equal(tell({ type: "INT96" }, (2_440_589n << 64n) + 1_500_000_000n), "1970-01-02T00:00:01.5");
  assert.equal(tell({ type: "INT64", logical_type: { type: "TIME", unit: "NANOS" } }, 86_399_000_000_001n), "23:59:59.000000001");
  assert.equal(tell({ type: "INT32", converted_type: "TIME_MILLIS" }, 1), "00:00:00.001");
});

const kinds = [
  { type: "INT32", encodings: ["PLAIN", "DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"], value: (r) => Math.floor((r() - 0.5) * 2 ** 32), text: String },
  { type: "INT64", encodings: ["PLAIN", "DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"], value: (r) => BigInt.asIntN(64, BigInt(Math.floor(r() * 2 ** 53)) * 4099n), text: String },
  { type: "DOUBLE", encodings: ["PLAIN", "BYTE_STREAM_SPLIT"], value: (r) => (r() - 0.5) * 10 ** Math.floor(r() * 40 - 20), text: String },
  { type: "BOOLEAN", encodings: ["PLAIN", "RLE"], value: (r) => r() < 0.3, text: String },
  { type: "STRING", encodings: ["PLAIN", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"], value: (r) => `${"ünï".slice(0, r() * 4)}${"prefix".slice(r() * 6)}${Math.floor(r() * 1e4)}`, text: String },
  { type: "STRING", encodings: [undefined], value: (r) => ["red", "green, or so", "", "blue"][Math.floor(r() * 4)], text: (value) => (value.includes(",") ? `"${value}"` : value) },
  { type: "INT32", encodings: [undefined], value: (r) => Math.floor(r() * 5), text: String },
];

test("every encoding, codec and size of pages and row groups, with gaps and without", async () => {
  const r = random(7);
  for (let i = 0; i < (fuzzed ? 400 : 24); i++) {
    const rows = [1, 2, 9, 100, 1000, 5000][Math.floor(r() * 6)];
    const codec = ["UNCOMPRESSED", "SNAPPY", "GZIP", "BROTLI"][i % 4];
    const columns = kinds.map((kind, k) => {
      const gaps = r() < 0.5 ? r() : 0;
      const encoding = kind.encodings[Math.floor(r() * kind.encodings.length)];
      return { kind, data: Array.from({ length: rows }, () => (r() < gaps ? null : kind.value(r))), name: `c${k}`, encoding, type: kind.type, nullable: gaps > 0 };
    });
    const sizes = { rowGroupSize: Math.ceil(r() * 2000), pageSize: Math.ceil(r() * 5000) };
    const file = write(columns.map(({ name, data, type, encoding, nullable }) => ({ name, data, type, encoding, nullable })), { codec, ...sizes });
    const lines = [columns.map(({ name }) => name).join(",")];
    for (let row = 0; row < rows; row++) lines.push(columns.map(({ kind, data }) => (data[row] === null ? "" : kind.text(data[row]))).join(","));
    assert.ok(await read(parquet, file) === `${lines.join("\n")}\n`, JSON.stringify({ i, rows, codec, ...sizes, encodings: columns.map(({ encoding }) => encoding) }));
  }
});

test("whatever a value is, it changes its own row alone", async () => {
  const rows = 300;
  const names = Array.from({ length: rows }, (_, i) => (i % 7 ? `t${i % 5}` : null));
  const ages = Array.from({ length: rows }, (_, i) => (i % 11 ? i : null));
  const lines = async (texts, numbers) => (await read(parquet, write([{ name: "a", type: "INT32", data: numbers }, { name: "b", type: "STRING", data: texts }], { pageSize: 200, rowGroupSize: 100 })));
  const before = (await lines(names, ages)).split("\n");
  const put = (list, row, value) => list.map((old, i) => (i === row ? value : old));
  for (const row of [0, 99, 100, 299]) {
    const head = `${before.slice(0, row + 1).join("\n")}\n`, tail = `\n${before.slice(row + 2).join("\n")}`;
    const check = (whole) => assert.ok(whole.startsWith(head) && whole.endsWith(tail) && whole.length >= head.length + tail.length, `row ${row}`);
    for (const value of [null, "", '"', 'a"b,c', "x\ny\r\nz", "\r", "x".repeat(40_000), "t1"]) check(await lines(put(names, row, value), ages));
    for (const value of [null, 0, -(2 ** 31), 2 ** 31 - 1]) check(await lines(names, put(ages, row, value)));
  }
});

test("a column without a single text or number is refused by its place", async () => {
  const schema = [
    { name: "root", num_children: 2 }, { name: "a", type: "INT32", repetition_type: "OPTIONAL" },
    { name: "tags", repetition_type: "OPTIONAL", converted_type: "LIST", num_children: 1 }, { name: "list", repetition_type: "REPEATED", num_children: 1 },
    { name: "element", type: "INT32", repetition_type: "OPTIONAL" },
  ];
  await refused(write([{ name: "a", data: [1] }, { name: "tags", data: [[1, 2]] }], { schema }), "nested", { column: 2, name: "tags" });
  await refused(write([{ name: "a", data: [{ x: 1 }], type: "VARIANT" }]), "nested", { column: 1, name: "a" });
  const { teller } = await import("../values.part.mjs");
  assert.equal(teller({ type: "BYTE_ARRAY", converted_type: "BSON" }), null);
  await refused(write([{ name: "a", data: [{ type: "Point", coordinates: [1, 2] }], type: "GEOMETRY" }]), "unsupported", { column: 1, name: "a" });
});

// Made by pyarrow 18.1, with pages of both versions: id INT32, address {town STRING, geo {lat DOUBLE}}, age INT64.
const records = ["UEFSMRUAFTQVNCwVChUAFQYVBhwAAAACAAAACgEBAAAAAgAAAAMAAAAEAAAABQAAABUAFTYVNiwVChUAFQYVBhwAAAADAAAAA4YCBAAAAEdyYXoEAAAAQmVybgAAAAAVABUuFS4sFQoVABUGFQYcAAAAAwAAAANPAs3MzMzMjEdAMzMzMzNzR0AVABVMFUwsFQoVABUGFQYcAAAAAgAAAAMdHgAAAAAAAAAFAAAAAAAAAAYAAAAAAAAABwAAAAAAAAAVBBl8NQAYBnNjaGVtYRUGABUCJQIYAmlkADUCGAdhZGRyZXNzFQQAFQwlAhgEdG93biUATBwAAAA1AhgDZ2VvFQIAFQolAhgDbGF0ABUEJQIYA2FnZQAWChkcGUwmABwVAhklBgAZGAJpZBUAFgoWWhZaJghJHBUAFQAVAgAAACYAHBUMGSUGABkoB2FkZHJlc3MEdG93bhUAFgoWXBZcJmJJHBUAFQAVAgAAACYAHBUKGSUGABk4B2FkZHJlc3MDZ2VvA2xhdBUAFgoWVBZUJr4BSRwVABUAFQIAAAAmABwVBBklBgAZGANhZ2UVABYKFnIWciaSAkkcFQAVABUCAAAAFvwCFgomCBb8AhQAACggcGFycXVldC1jcHAtYXJyb3cgdmVyc2lvbiAxOC4xLjAZTBwAABwAABwAABwAAABBAQAAUEFSMQ==", "UEFSMRUGFSwVLFwVChUAFQoVABUEFQASHAAAAAoBAQAAAAIAAAADAAAABAAAAAUAAAAVBhUuFS5cFQoVBBUKFQAVBhUAEhwAAAADhgIEAAAAR3JhegQAAABCZXJuAAAAABUGFSYVJlwVChUGFQoVABUGFQASHAAAAANPAs3MzMzMjEdAMzMzMzNzR0AVBhVEFURcFQoVAhUKFQAVBBUAEhwAAAADHR4AAAAAAAAABQAAAAAAAAAGAAAAAAAAAAcAAAAAAAAAFQQZfDUAGAZzY2hlbWEVBgAVAiUCGAJpZAA1AhgHYWRkcmVzcxUEABUMJQIYBHRvd24lAEwcAAAANQIYA2dlbxUCABUKJQIYA2xhdAAVBCUCGANhZ2UAFgoZHBlMJgAcFQIZJQYAGRgCaWQVABYKFlwWXCYISRwVABUAFQIAAAAmABwVDBklBgAZKAdhZGRyZXNzBHRvd24VABYKFl4WXiZkSRwVABUAFQIAAAAmABwVChklBgAZOAdhZGRyZXNzA2dlbwNsYXQVABYKFlYWVibCAUkcFQAVABUCAAAAJgAcFQQZJQYAGRgDYWdlFQAWChZ0FnQmmAJJHBUAFQAVAgAAABaEAxYKJggWhAMUAAAoIHBhcnF1ZXQtY3BwLWFycm93IHZlcnNpb24gMTguMS4wGUwcAAAcAAAcAAAcAAAAQQEAAFBBUjE="];

test("the fields of a record are columns of their own, and lists in it are refused by name", async () => {
  const want = 'id,address.town,address.geo.lat,age\n1,Graz,47.1,30\n2,,46.9,\n3,,,5\n4,Bern,,6\n5,,,7\n';
  for (const text of records) {
    const file = new Blob([Buffer.from(text, "base64")]);
    assert.equal(await read(parquet, file), want);
    assert.deepEqual(await parquet.parts(file), [{ name: "", rows: 5, options: { header: "yes" } }]);
  }
  const group = (name, repetition_type = "OPTIONAL", more = {}) => ({ name, repetition_type, num_children: 1, ...more });
  const root = { name: "root", num_children: 1 }, leaf = { name: "c", type: "INT32", repetition_type: "OPTIONAL" };
  const schema = [root, group("a", "REQUIRED"), group("b"), leaf];
  const data = Array.from({ length: 3000 }, (_, i) => ({ b: i % 3 ? { c: i % 5 ? i : null } : null }));
  const lines = data.map(({ b }) => String(b?.c ?? "") || '""');
  assert.equal(await read(parquet, write([{ name: "a", data }], { schema })), ["a.b.c", ...lines, ""].join("\n"));
  const list = [root, group("a"), group("b", "OPTIONAL", { converted_type: "LIST" }), group("list", "REPEATED"), leaf];
  await refused(write([{ name: "a", data: [{ b: [1, 2] }] }], { schema: list }), "nested", { column: 1, name: "a.b" });
});

test("damaged files are refused", async () => {
  const file = write([{ name: "a", data: Array.from({ length: 1000 }, (_, i) => i) }, { name: "b", data: Array.from({ length: 1000 }, (_, i) => `t${i}`) }]);
  const bytes = new Uint8Array(await file.arrayBuffer());
  await refused(file.slice(0, file.size - 1), "damaged");
  await refused(file.slice(100), "damaged");
  await refused(new Blob(["PAR1PAR1"]), "damaged");
  await refused(new Blob(["PAR1", new Uint8Array(4), "PARE"]), "encrypted");
  await refused(new Blob(["PAR1", new Uint8Array(40), Uint8Array.of(255, 255, 255, 0), "PAR1"]), "damaged");
  await assert.rejects(read(parquet, file, 1), { key: "no-part" });
  const cut = bytes.slice();
  cut.fill(0, 10, 40);
  await refused(new Blob([cut]), "damaged");
});

test("what a list of contents asks for is bounded before it is done", async () => {
  const footer = (bytes) => {
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, bytes.length, true);
    return new Blob(["PAR1", bytes, length, "PAR1"]);
  };
  await refused(footer(new Uint8Array(1 << 20).fill(0xff)), "damaged"); // a number that never ends
  await refused(footer(new Uint8Array(1 << 20).fill(0x1c)), "damaged"); // deeper and deeper
  await refused(footer(Uint8Array.of(0x29, 0xfc, 0xff, 0xff, 0xff, 0x0f, 0)), "damaged"); // a list of 2^32 elements
  await refused(footer(new Uint8Array(17 << 20)), "too-large");
});

test("what is changed at random is read or refused, and never fails otherwise", async (t) => {
  const r = random(fuzzed ? Date.now() | 0 : 11);
  const rows = 200;
  const files = [];
  for (const codec of ["UNCOMPRESSED", "SNAPPY", "GZIP", "BROTLI"]) {
    for (const choice of [0, 1, 2]) {
      const columns = kinds.map((kind, k) => ({ name: `c${k}`, type: kind.type, encoding: kind.encodings[choice % kind.encodings.length], data: Array.from({ length: rows }, () => (r() < 0.1 ? null : kind.value(r))) }));
      files.push(new Uint8Array(await write(columns, { codec, pageSize: 500 }).arrayBuffer()));
    }
  }
  await readOrRefused(t, parquet, (i) => {
    const bytes = files[i % files.length].slice();
    change(bytes, r);
    return bytes;
  }, (text) => assert.ok(text.split("\n").length >= 2));
});
