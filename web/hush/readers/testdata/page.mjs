// What the readers of the page make of files: node page.mjs STATIC DIRECTORY writes NAME.page beside each file NAME, JSON of
// {options, csv} or {key, where}; with a third argument it first writes files of Parquet there.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [home, directory, make] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(path.resolve(home, name)).href);
const { recognise } = await load("formats.js");

if (make) await makeFiles();
for (const name of readdirSync(directory)) {
  if (name.endsWith(".page")) continue;
  const file = new Blob([readFileSync(path.join(directory, name))]);
  writeFileSync(path.join(directory, `${name}.page`), JSON.stringify(await read(file)));
}

async function read(file) {
  const format = await recognise(file);
  if (!format) return { format };
  try {
    const reader = await load(`readers/${format}.mjs`);
    const [{ options }] = await reader.parts(file);
    const pieces = [];
    for await (const piece of reader.csv(file, 0, { told() {}, note() {}, options })) pieces.push(Buffer.from(piece));
    return { format, options: options ?? {}, csv: Buffer.concat(pieces).toString("base64") };
  } catch (error) {
    if (!error.key) throw error;
    return { format, key: error.key, where: error.where };
  }
}

async function makeFiles() {
  const { parquetWriteBuffer } = await import(pathToFileURL(createRequire(path.resolve(home, "package.json")).resolve("hyparquet-writer")).href);
  let seed = 1; // Park and Miller's generator
  const random = (most) => (seed = (seed * 48271) % 2147483647) % most;
  const some = (make) => Array.from({ length: 700 }, (_, i) => (i % 11 === 5 ? null : make(i)));
  const floats = new Float32Array(1), doubles = new DataView(new ArrayBuffer(8));
  const bits = () => (doubles.setUint32(0, random(2147483647) * 2), doubles.setUint32(4, random(2147483647)), doubles.getFloat64(0));
  const near = () => ((floats[0] = bits() % 1e9), floats[0]);
  const texts = ["a,b", 'say "x"', "", "ü\n€", " y ", "\ufeffx", "😀", "a\rb", "plain"];
  const day = 86_400_000;
  const kinds = {
    boolean: [{ type: "BOOLEAN" }, (i) => i % 3 === 0],
    int32: [{ type: "INT32" }, () => random(2147483647) - 1073741823],
    uint32: [{ type: "INT32", converted_type: "UINT_32" }, () => random(2147483647) * 2],
    int64: [{ type: "INT64" }, () => BigInt(random(2147483647)) * -4294967291n],
    uint64: [{ type: "INT64", converted_type: "UINT_64" }, () => BigInt(random(2147483647)) * 8589934583n],
    float: [{ type: "FLOAT" }, (i) => (i % 2 ? near() : Math.fround(random(100000) / 1000))],
    double: [{ type: "DOUBLE" }, (i) => [bits(), random(100000) / 1000, -0, NaN, 1e21, 1e-7, 123456789012345680000, Infinity][i % 8]],
    date: [{ type: "INT32", converted_type: "DATE" }, () => new Date((random(4000000) - 1200000) * day)],
    local: [{ type: "INT64", logical_type: { type: "TIMESTAMP", isAdjustedToUTC: false, unit: "MILLIS" } }, () => new Date((random(2147483647) - 1073741823) * 1000 + random(1000))],
    utc: [{ type: "INT64", converted_type: "TIMESTAMP_MILLIS" }, () => new Date((random(2147483647) - 1073741823) * 1000)],
    text: [{ type: "BYTE_ARRAY", converted_type: "UTF8" }, () => texts[random(texts.length)]],
    bytes: [{ type: "BYTE_ARRAY" }, (i) => Uint8Array.from([0x61, [0xc3, 0xe2, 0xf0, 0x80, 0xed][i % 5], [0x28, 0x82, 0x9f, 0xbf, 0xa0][random(5)], random(256), 0x62])],
    uuid: [{ type: "FIXED_LEN_BYTE_ARRAY", type_length: 16, logical_type: { type: "UUID" } }, () => "00112233-4455-6677-8899-aabbccddee" + String(10 + random(90))],
    half: [{ type: "FIXED_LEN_BYTE_ARRAY", type_length: 2, logical_type: { type: "FLOAT16" } }, (i) => [1.5, -65504, 2 ** -24, 0, random(1000) / 8][i % 5]],
    fixed: [{ type: "FIXED_LEN_BYTE_ARRAY", type_length: 3 }, () => Uint8Array.of(random(256), 1, random(256))],
  };
  for (const codec of ["SNAPPY", "UNCOMPRESSED"]) {
    const names = Object.keys(kinds);
    const columnData = names.map((name) => ({ name, data: some(kinds[name][1]) }));
    const schema = [{ name: "root", num_children: names.length }, ...names.map((name) => ({ name, repetition_type: "OPTIONAL", ...kinds[name][0] }))];
    writeFileSync(path.join(directory, `kinds-${codec}.parquet`), Buffer.from(parquetWriteBuffer({ columnData, schema, codec, rowGroupSize: 300 })));
  }
  const one = (name, element, data) => writeFileSync(path.join(directory, `${name}.parquet`), Buffer.from(parquetWriteBuffer({
    columnData: [{ name: "x", data }], schema: [{ name: "root", num_children: 1 }, { name: "x", repetition_type: "OPTIONAL", ...element }] })));
  one("empty-cells", { type: "BYTE_ARRAY", converted_type: "UTF8" }, [null, "", null]);
  one("none", { type: "INT32" }, []);
}
