// Tests of the readers, outside of a browser: node --test static/readers. With HUSH_FUZZ=SECONDS each reader is also fed with so many
// seconds of broken files, made from the seeds below: whatever comes, it ends, refuses by a known key or gives the same bytes twice.

import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync, crc32, gzipSync } from "node:zlib";
import { recognise } from "../formats.js";
import * as json from "./json.mjs";
import * as zip from "./zip.mjs";
import * as zstd from "./zstd.mjs";

const utf8 = new TextEncoder();
const bytesOf = (content) => (typeof content === "string" ? utf8.encode(content) : new Uint8Array(content));

/** A file whose stream comes in pieces of one size. */
function fileOf(content, piece = 1 << 16) {
  const bytes = bytesOf(content);
  return {
    size: bytes.length,
    slice: (from = 0, to = bytes.length) => fileOf(bytes.slice(from, to), piece),
    arrayBuffer: async () => bytes.slice().buffer,
    stream() {
      let at = 0;
      return new ReadableStream({
        pull(controller) {
          if (at >= bytes.length) return controller.close();
          controller.enqueue(bytes.slice(at, (at += piece)));
        },
      });
    },
  };
}

/** The text that a reader makes of a part, and whether it told how far it was. */
async function read(reader, content, { part = 0, piece, options } = {}) {
  const file = fileOf(content, piece);
  const parts = await reader.parts(file);
  const made = [];
  let told = 0;
  const given = { ...parts[part]?.options, ...options };
  for await (const chunk of reader.csv(file, part, { told: (bytes) => (told = bytes), options: given })) made.push(chunk);
  assert.ok(told <= file.size, `told ${told} of ${file.size} bytes`);
  return new TextDecoder().decode(await new Blob(made).arrayBuffer());
}

const refused = (key, where) => (error) => {
  assert.equal(error.key, key, error.stack);
  for (const name in where) assert.equal(error.where[name], where[name], `${name} of ${JSON.stringify(error.where)}`);
  return true;
};

const sum = crc32 ?? ((bytes) => {
  let c = -1;
  for (const byte of bytes) {
    c ^= byte;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  }
  return ~c >>> 0;
});

/** A ZIP archive of {name, content, method?, flags?, size?, crc?, wide?}. */
function zipOf(members, { comment = "" } = {}) {
  const parts = [];
  const list = [];
  let at = 0;
  const put = (target, ...fields) => { // [value, bytes] or bytes
    for (const field of fields) {
      if (!Array.isArray(field)) target.push(field);
      else target.push(Uint8Array.from({ length: field[1] }, (_, k) => Math.floor(field[0] / 256 ** k) & 255));
    }
  };
  for (const { name, content, method = 8, flags = 0x800, wide, ...claimed } of members) {
    const plain = bytesOf(content);
    const packed = method === 8 ? deflateRawSync(plain) : plain;
    const { size = plain.length, crc = sum(plain) } = claimed;
    const title = bytesOf(name);
    put(parts, [0x04034b50, 4], [20, 2], [flags, 2], [method, 2], [0, 4], [crc, 4], [packed.length, 4], [size, 4], [title.length, 2], [0, 2], title, packed);
    const extra = wide ? [[1, 2], [24, 2], [size, 8], [packed.length, 8], [at, 8]] : [];
    const most = 0xffffffff;
    put(list, [0x02014b50, 4], [20, 2], [20, 2], [flags, 2], [method, 2], [0, 4], [crc, 4], [wide ? most : packed.length, 4], [wide ? most : size, 4],
      [title.length, 2], [wide ? 28 : 0, 2], [0, 2], [0, 2], [0, 2], [0, 4], [wide ? most : at, 4], title, ...extra);
    at += 30 + title.length + packed.length;
  }
  const size = list.reduce((n, part) => n + part.length, 0);
  put(list, [0x06054b50, 4], [0, 4], [members.length, 2], [members.length, 2], [size, 4], [at, 4], [comment.length, 2], bytesOf(comment));
  return Buffer.concat([...parts, ...list]);
}

const table = `age,town\n${Array.from({ length: 5000 }, (_, i) => `${20 + (i % 60)},"Łódź ${i}"\n`).join("")}`;

test("zip: members in the order of the list, and as they are", async () => {
  const members = [
    { name: "read me.md", content: "hello", method: 0 }, { name: "a/", content: "" }, { name: "a/ages.csv", content: table },
    { name: "__MACOSX/a/._ages.csv", content: "x" }, { name: ".DS_Store", content: "x" }, { name: "größe.tsv", content: "a\tb\n", wide: true },
  ];
  for (const piece of [7, 1 << 16]) {
    for (const comment of ["", "PK\x05\x06 is no end"]) {
      const archive = zipOf(members, { comment });
      const parts = await zip.parts(fileOf(archive));
      assert.deepEqual(parts.map(({ name, likely }) => [name, likely]), [["read me.md", false], ["a/ages.csv", true], ["größe.tsv", true]]);
      assert.equal(await read(zip, archive, { part: 0, piece }), "hello");
      assert.equal(await read(zip, archive, { part: 1, piece }), table);
      assert.equal(await read(zip, archive, { part: 2, piece }), "a\tb\n");
    }
  }
});

test("zip: what cannot be read is refused", async () => {
  const one = (change) => zipOf([{ name: "a.csv", content: table, ...change }]);
  const whole = one({});
  await assert.rejects(read(zip, one({ flags: 1 })), refused("encrypted", { part: 1 }));
  await assert.rejects(read(zip, one({ method: 12 })), refused("unsupported", { part: 1 }));
  await assert.rejects(read(zip, one({ size: 100 })), refused("damaged"));
  await assert.rejects(read(zip, one({ size: table.length * 2 })), refused("damaged"));
  await assert.rejects(read(zip, one({ crc: 1 })), refused("damaged"));
  await assert.rejects(read(zip, whole.subarray(0, -30)), refused("damaged"));
  await assert.rejects(read(zip, whole.subarray(100)), refused("damaged"));
  await assert.rejects(read(zip, zipOf([{ name: "a/", content: "" }])), refused("empty"));
  await assert.rejects(read(zip, whole, { part: 1 }), refused("no-part"));
  const broken = Uint8Array.from(whole);
  broken.fill(0x55, 2000, 2100);
  await assert.rejects(read(zip, broken), refused("damaged"));
});

// Made by zstd 1.5 of the first 400 bytes of such a table: zstd --check, and an empty file behind it.
const packed = Buffer.from("KLUv/WTAACUIAKbRLiCgJ+n+g+QFbszfqvPF8T3vH+cBDHdPklJKKZOl/tAzBCwAIwAiAD0q6CzXcuyFgCgkHCwc5E6xj9m9FZ4TCgTAMS5Z3s3AoAg4ipsoGCA4EAKGxYQkB0ZjkRym2tjq1F9+jorno+8S3Y3pPpEM3TLe5+ZU3hzlo6na4NFKFZOax1IyqTeTGVLH56qjFsoPGla+qJN3JqphSHJgNBbJ8aoPz5PVo9eneqejuqrHqqVY/tWZ46mKxhd0lR4cAFDJwdhwhZ0yYYPQyEFZxMSc89Ud0A64NrECxTz+U87TOyRrhwe/XC0CU3hB3QEjXsyIkLILLX71IlAXmyBkMxM/2kkGyX+ykii1L/0kAAEAAJnp2FE=", "base64");
const packedSays = `age,town
20,Graz596853
21,Bern267459
22,Bern519501
23,東京495185
24,東京827036
25,Graz98418
26,東京29724
27,東京453789
28,Bern729633
29,東京279267
30,Graz619869
31,Bern945215
32,Łódź32075
33,Bern26681
34,Bern984769
35,東京719830
36,Graz442621
37,Bern553259
38,Graz800798
39,東京984787
40,東京579715
41,Graz362493
42,Graz709727
43,Graz797911
44,東京998500
45,Łódź971512
46,Bern436396
47,Bern194936
48,Łódź126762
49,Łódź`;

test("zstd: frames one after another, with their checksums", async () => {
  for (const piece of [1, 5, 1 << 16]) {
    assert.equal(await read(zstd, packed, { piece }), packedSays);
    const note = Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
    assert.equal(await read(zstd, Buffer.concat([note, packed, note, packed]), { piece }), packedSays + packedSays);
  }
  for (let i = 4; i < packed.length; i++) { // whatever is changed or cut off is noticed
    const other = Uint8Array.from(packed);
    other[i] ^= 4;
    const text = await read(zstd, other).catch((error) => (error.key ? packedSays : error.stack)); // a bit may mean nothing
    assert.equal(text, packedSays, `byte ${i}`);
    if (i !== packed.length - 13) await assert.rejects(read(zstd, packed.subarray(0, i)), refused("damaged"), `cut at ${i}`);
  }
});

test("zstd: a window of two gigabytes is refused before it is there", async () => {
  await assert.rejects(read(zstd, Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0xa8, 1, 0, 0])), refused("too-large"));
  await assert.rejects(read(zstd, Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 3, 0, 1, 0, 0, 0, 1, 0, 0])), refused("unsupported"));
});

const rows = [
  ['{"age":34,"town":"Bern"}', '34,Bern'], ['{"town":"Gr\\u0061z, \\"Lend\\"","age":57.50}', '57.50,"Graz, ""Lend"""'],
  [' { "age" : -1e+5 , "town" : null } ', "-1e+5,"], ['{"age":12345678901234567890,"town":"a\\nb"}', '12345678901234567890,"a\nb"'],
  ['{"age":true,"town":""}', "true,"], ["{}", ","], ['{"town":"東京 \\ud83d\\ude00"}', ",東京 😀"],
];
const wanted = `age,town\n${rows.map(([, row]) => `${row}\n`).join("")}`;

test("json: lines and arrays give the same table, however the bytes are cut", async () => {
  const objects = rows.map(([object]) => object);
  const forms = [objects.join("\n"), `${objects.join("\r\n")}\r\n`, `[${objects.join(",")}]`, `\ufeff [\n ${objects.join(" ,\n")}\n ] \n`, objects.join("")];
  for (const form of forms) {
    for (const piece of [1, 2, 3, 10, 1 << 16]) assert.equal(await read(json, form, { piece }), wanted, form);
  }
});

const utf16 = (text, big) => {
  const bytes = Buffer.from(text, "utf16le");
  return big ? bytes.swap16() : bytes;
};

test("json: UTF-16 by its first bytes, with and without a mark", async () => {
  for (const big of [false, true]) {
    for (const mark of ["", "\ufeff"]) {
      const text = utf16(`${mark}[${rows.map(([object]) => object).join(",")}]`, big);
      for (const piece of [1, 3, 1 << 16]) assert.equal(await read(json, text, { piece }), wanted);
      assert.equal(await recognise(fileOf(text)), "json");
    }
    await assert.rejects(read(json, utf16('{"a":"\ud800"}', big)), refused("damaged"));
    assert.equal(await recognise(fileOf(utf16("age,town\n1,2\n", big))), "");
  }
});

test("json: in an archive it is the table that it is alone", async () => {
  const lines = rows.map(([object]) => object).join("\n");
  const members = [{ name: "about.json", content: '{"version":[1]}' }, { name: "a.jsonl", content: lines },
    { name: "b.json", content: utf16(`[${lines.replaceAll("\n", ",")}]`) }, { name: "c.json", content: "no object" }];
  const archive = zipOf(members);
  const parts = await zip.parts(fileOf(archive));
  const options = { header: "yes", columns: 2, keys: '["age","town"]' };
  assert.deepEqual(parts.map(({ likely }) => likely), [false, true, true, false]);
  assert.deepEqual(parts.map((part) => part.options), [undefined, options, options, undefined]);
  for (const piece of [7, 1 << 16]) {
    for (const part of [1, 2]) assert.equal(await read(zip, archive, { part, piece }), wanted);
    assert.equal(await read(zip, archive, { part: 1, piece, options: { keys: '["town"]' } }).then((text) => text.split("\n")[1]), "Bern,");
    assert.equal(await read(zip, archive, { part: 3, piece }), "no object");
    assert.equal(await read(zip, archive, { part: 1, piece, options: { keys: "" } }), lines, "where no columns are named");
  }
  const beside = await zip.parts(fileOf(zipOf([...members, { name: "d.csv", content: table }])));
  assert.deepEqual(beside.map(({ likely }) => likely), [false, false, false, false, true], "a table of text comes first");
  const cut = zipOf([{ name: "a.json", content: '{"a":1}\n{"a":[2]}' }]);
  await assert.rejects(read(zip, cut, { options: { keys: '["a"]' } }), refused("nested", { part: 1, row: 2 }));
  const frame = Buffer.from("KLUv/QRoQQEAeyJhZ2UiOjEsInRvd24iOiJCZXJuIn0KeyJ0b3duIjoiR3JheiJ9CsjjyXc=", "base64"); // made by zstd 1.5
  assert.equal(await read(zstd, frame), "age,town\n1,Bern\n,Graz\n");
});

test("json: packed with gzip it is the table that it is alone, of one member or several", async () => {
  const lines = rows.map(([object]) => object);
  const long = Array.from({ length: 20_000 }, (_, i) => `{"age":${(i * 7919) % 10_007},"town":"t${i % 91}"}`);
  const table = `age,town\n${long.map((object) => `${Object.values(JSON.parse(object))}\n`).join("")}`;
  const several = (...texts) => Buffer.concat(texts.map((text) => gzipSync(text)));
  for (const [packed, want] of [
    [several(lines.join("\n")), wanted], [several(`[${lines.join(",")}]`), wanted], [several(utf16(lines.join("\n"))), wanted],
    [several("", lines.slice(0, 3).join("\n"), "\n", lines.slice(3).join("\n")), wanted],
    [several(long.slice(0, 9000).join("\n"), `\n${long.slice(9000).join("\n")}`), table],
  ]) {
    assert.equal(await recognise(fileOf(packed)), "json");
    for (const piece of packed.length < 1000 ? [1, 7, 1 << 16] : [999, 1 << 16]) assert.ok((await read(json, packed, { piece })) === want);
  }
  assert.equal(await recognise(fileOf(gzipSync("age,town\n1,2\n"))), "", "a packed table of text is no affair of a reader");
  assert.equal(await recognise(fileOf(gzipSync(lines.join("\n")).subarray(0, 9))), "", "nor is one that is cut off in its first bytes");
});

test("json: gzip that is damaged or cut off is refused", async () => {
  const packed = gzipSync(Buffer.from(rows.map(([object]) => object).join("\n")));
  for (let i = 10; i < packed.length; i++) {
    const other = Uint8Array.from(packed);
    other[i] ^= 4;
    const text = await read(json, other).catch((error) => (error.key ? wanted : error.stack)); // a bit may mean nothing
    assert.equal(text, wanted, `byte ${i}`);
    await assert.rejects(read(json, packed.subarray(0, i)), (error) => ["damaged", "empty"].includes(error.key), `cut at ${i}`);
  }
  await assert.rejects(read(json, Buffer.concat([packed, Buffer.from("more")])), refused("damaged"));
});

test("json: the columns are those of the recipe, and no object moves the cells of another", async () => {
  const two = ['{"a":1,"b":2}', '{"b":4,"a":3,"c":5}', '{"a":6,"a":7,"b":8}', '{"b":9}'].join("\n");
  assert.equal(await read(json, two, { options: { keys: '["b","a"]' } }), "b,a\n2,1\n4,3,\n8,6,\n9,\n");
  assert.equal(await read(json, `{"c":0}\n${two}`, { options: { keys: '["b","a"]' } }), "b,a\n,,\n2,1\n4,3,\n8,6,\n9,\n");
  assert.deepEqual((await json.parts(fileOf(two)))[0].options, { header: "yes", columns: 3, keys: '["a","b","c"]' });
  assert.equal(await read(json, '{"a":"x"}\n{"a":""}\n{"a":null}'), 'a\nx\n""\n""\n', "a row is never an empty line");
});

test("json: what is no table is refused, with where", async () => {
  for (const [text, key, where] of [
    ['{"a":1}\n{"a":[1]}', "nested", { row: 2, line: 2, column: 1 }], ['{"a":1,"b":{"c":1}}', "nested", { row: 1, column: 2 }],
    ['[{"a":1},\n\n2]', "not-table", { line: 3 }], ['{"a":1}\n[2]', "not-table", {}], ["[]", "empty", {}], ["[{}]", "empty", {}],
    ['{"a":1}\n{"a":', "damaged", { row: 1, line: 2 }], ['{"a":1}\n{"a":tru}', "damaged", { row: 2 }], ['[{"a":1}', "damaged", {}],
    ['[{"a":1}]x', "damaged", {}], ['[{"a":1} {"a":2}]', "damaged", {}], ['{"a":01}', "damaged", {}], ['{"a":"\\x"}', "damaged", {}],
    ['{"a":"x\ny"}', "damaged", {}], ['{"a" 1}', "damaged", {}], ['{"a":1,}', "damaged", {}], ['{a:1}', "damaged", {}],
    ['{"a":1.}', "damaged", {}], ['{"a":1e}', "damaged", {}], ['{"a":-}', "damaged", {}], ['[{"a":1},]', "not-table", {}], ['{"a":1}}', "not-table", {}],
  ]) {
    for (const piece of [1, 4, 1 << 16]) await assert.rejects(read(json, text, { piece }), refused(key, where), `${text} by ${piece}`);
  }
  await assert.rejects(read(json, Uint8Array.of(0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d)), refused("damaged"));
});

test("json: an object without an end is given up", async () => {
  await assert.rejects(read(json, `{"a":1}\n{"a":"${"x".repeat(40 << 20)}`), refused("too-large"));
});

// Fuzzing -----------------------------------------------------------------------------------------------------------------

const seconds = Number(process.env.HUSH_FUZZ ?? 0.5);
const seeds = {
  zip: [zip, zipOf([{ name: "a.csv", content: table.slice(0, 300) }, { name: "b.csv", content: "x", method: 0, wide: true }])],
  zstd: [zstd, packed],
  json: [json, utf8.encode(rows.map(([object]) => object).join("\n"))],
  gzip: [json, Buffer.concat([gzipSync(rows[0][0]), gzipSync(rows.slice(1).map(([object]) => object).join("\n"))])],
  array: [json, utf8.encode(`[${rows.map(([object]) => object).join(",")}]`)],
};

for (const [name, [reader, seed]] of Object.entries(seeds)) {
  test(`${name}: broken files are refused or read, the same way twice`, async () => {
    let state = 0x2545f491;
    const below = (n) => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return (state >>> 0) % n;
    };
    let tried = 0;
    let whole = 0;
    for (const end = Date.now() + 1000 * seconds; Date.now() < end; tried++) {
      let file = Uint8Array.from(seed);
      for (let changes = 1 + below(4); changes > 0; changes--) {
        const at = below(file.length);
        if (below(8) === 0) file = file.slice(0, at + 1);
        else if (below(4) === 0) file = new Uint8Array(Buffer.concat([file.subarray(0, at), file.subarray(below(file.length))]));
        else if (below(2)) file[at] = [0, 255, 0x22, 0x5c, 0x7b, 0x5b, 0x2c, 0x80][below(8)];
        else file[at] ^= 1 << below(8);
        if (file.length === 0) file = Uint8Array.of(0);
      }
      const outcomes = [];
      for (const piece of [1 << 16, 1 + below(9)]) {
        outcomes.push(await read(reader, file, { piece }).then((text) => (whole++, text), (error) => {
          if (typeof error.key !== "string") throw new Error(`seed ${name}, try ${tried}: ${Buffer.from(file).toString("base64")}`, { cause: error });
          return null; // which of several faults is met first may depend on where the file is cut
        }));
      }
      if (outcomes[0] !== outcomes[1]) assert.fail(`${name}, try ${tried}: ${Buffer.from(file).toString("base64")}: ${JSON.stringify(outcomes)}`);
    }
    console.log(`${name}: ${tried} files, ${whole / 2} of them whole`);
  });
}
