import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { unzipSync, zipSync } from "fflate";
import { NumberFormat } from "../numberformats.part.mjs";
import * as xlsx from "../xlsx.mjs";
import { change, fuzzed, random, readOrRefused } from "./random.mjs";
import { archive, read, rowsOf, workbook } from "./workbook.mjs";

const table = [["name", "age"], ["Ann", 30], ["Bob, B.", 41.5]];
const csv = 'name,age\nAnn,30\n"Bob, B.",41.5\n';
const sheet = (rows, options) => workbook([{ name: "S", rows }], options);
const xml = (text) => ({ xml: text });
const refused = (file, key, where) => assert.rejects(read(xlsx, file), (error) => {
  assert.equal(error.key, key, error.stack);
  if (where) assert.deepEqual(error.where, where);
  return true;
});

test("a table, its texts shared or not", async () => {
  for (const shared of [true, false]) assert.equal(await read(xlsx, sheet(table, { shared })), csv);
  assert.equal(await read(xlsx, workbook([{ rows: table, top: 5, left: 3 }])), csv, "wherever it stands");
});

test("the sheets, in their order; a chart is none", async () => {
  const file = workbook([{ name: "People & more", rows: table }, { name: "B", state: "hidden", rows: [["x"], [1]] }]);
  assert.deepEqual(await xlsx.parts(file), [{ name: "People & more", likely: true }, { name: "B", likely: false }]);
  assert.equal(await read(xlsx, file, 1), "x\n1\n");
});

test("kinds of cells", async () => {
  const cells = {
    '<c r="NAME" t="str"><f>A1&amp;B1</f><v>a&amp;b</v></c>': "a&b",
    '<c r="NAME"><f>SUM(A1)</f><v>7</v></c>': "7",
    '<c r="NAME"><f>SUM(A1)</f></c>': "",
    '<c r="NAME" t="e"><v>#N/A</v></c>': "",
    '<c r="NAME" t="b"><v>1</v></c>': "TRUE",
    '<c r="NAME" t="b"><v>0</v></c>': "FALSE",
    '<c r="NAME" t="d"><v>2020-01-02</v></c>': "2020-01-02",
    '<c r="NAME" s="0"/>': "",
    '<c r="NAME"><v>0.30000000000000004</v></c>': "0.3",
    '<c r="NAME"><v>1E-3</v></c>': "0.001",
    '<c r="NAME"><v>1.2345678901234567E+19</v></c>': "12345678901234600000",
    '<c r="NAME"><v>-0</v></c>': "-0",
    '<c r="NAME" t="inlineStr"><is><r><t>two </t></r><r><rPr><b/></rPr><t xml:space="preserve">runs</t></r><rPh sb="0" eb="1"><t>spoken</t></rPh></is></c>': "two runs",
    '<c r="NAME" t="inlineStr"><is><t>a_x000D_&#10;b_x005F_x</t></is></c>': '"a\r\nb_x"',
    '<c r="NAME" t="inlineStr"><is><t xml:space="preserve"> "x" </t></is></c>': '" ""x"" "',
    '<c r="NAME" t="inlineStr"><is><t><![CDATA[<a>&amp;]]></t></is></c>': "<a>&amp;",
  };
  for (const [cell, want] of Object.entries(cells)) {
    assert.equal(await read(xlsx, sheet([["h", "i"], [xml(cell), 1]])), `h,i\n${want},1\n`, cell);
  }
});

test("dates, times and spans by the format of their cell", async () => {
  const formats = [0, 14, 22, 18, 46, "yyyy\\-mm\\-dd", 'd"d"mmm', "hh:mm:ss.000", "[h]:mm", "General", '0.0 "days"', "#,##0.00\\ [$€-407]", "[Red]0;[Blue]-0", "m/d/yy h:mm AM/PM", "0.00E+00", "@", "h:mm:ss", "mm:ss.0", "h AM/PM", "mmm\\-yy"];
  const cells = [
    [0, "43831.5", "43831.5"], [1, "43831", "2020-01-01"], [1, "43831.75", "2020-01-01"], [2, "43831.75", "2020-01-01T18:00:00"],
    [3, "0.5", "12:00:00"], [4, "1.25", "30:00:00"], [5, "1", "1900-01-01"], [5, "59", "1900-02-28"], [5, "60", "60"], [5, "61", "1900-03-01"],
    [6, "2958465", "9999-12-31"], [7, "0.000005", "00:00:00.432"], [8, "2.5", "60:00:00"], [9, "43831", "43831"], [10, "3", "3.0"],
    [11, "3.5", "3.50"], [12, "5", "5"], [13, "43831.999999999", "2020-01-02"], [13, "45296", "2024-01-05"], [2, "45296.25", "2024-01-05T06:00:00"], [13, "0", "00:00:00"], [1, "43831.9999", "2020-01-01"],
    [2, "43831.524299", "2020-01-01T12:34:00"], [8, "2.524299", "60:34:00"], [16, "0.524299", "12:34:59"], [17, "0.524299", "12:34:59.4"], [18, "0.524299", "12:00:00"], [19, "43845", "2020-01-15"], [14, "5", "5"], [15, "5", "5"], [1, "-5", "-5"],
    [1, "1e9", "1000000000"], [1, "0.25", "06:00:00"],
  ];
  for (const [style, value, want] of cells) {
    const file = sheet([["h", "i"], [xml(`<c r="NAME" s="${style}"><v>${value}</v></c>`), 1]], { formats });
    assert.equal(await read(xlsx, file), `h,i\n${want},1\n`, `${formats[style]} of ${value}`);
  }
  const since1904 = sheet([["h", "i"], [xml('<c r="NAME" s="1"><v>0</v></c>'), xml('<c r="NAME" s="1"><v>42369</v></c>')]], { formats, since1904: true });
  assert.equal(await read(xlsx, since1904), "h,i\n1904-01-01,2020-01-01\n");
});

test("numbers have the digits that their cells show", async () => {
  // What is shown and means another number: the minus is left to a colour, parentheses of a later part or nothing; 0 is a dash; digits are cut off.
  const notShown = { "#.##\t0": "0", "#.##\t0.00001": "0", "#.##\t0.00001234567": "0", "[>=1000]#,##0.0;[<10]0.00;0.000\t-1": "-1.00", "[>=1000]#,##0.0;[<10]0.00;0.000\t-0.5": "-0.50",
    "[>=1000]#,##0.0;[<10]0.00;0.000\t-1234.567": "-1234.57", "[>=1000]#,##0.0;[<10]0.00;0.000\t-0.6666666666666666": "-0.67", '_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)\t0': "0" };
  const lines = (await readFile(new URL("shown.txt", import.meta.url), "utf8")).trimEnd().split("\n").slice(2);
  const byCode = new Map();
  for (const line of lines) {
    const [code, number, shown] = line.split("\t");
    const made = new NumberFormat(code).show(number, Number(number), false);
    assert.match(made, /^-?\d+(\.\d+)?$/);
    const other = notShown[`${code}\t${number}`];
    if (other === undefined) assert.equal(Number(made), saidBy(shown), line);
    else assert.equal(made, other, line);
    byCode.set(code, [...(byCode.get(code) ?? []), [number, made]]);
  }
  assert.equal(lines.length, 29 * 24);
  const formats = [...byCode.keys()]; // the same as cells of a sheet
  const rows = formats.flatMap((code, style) => byCode.get(code).map(([number, made], i) => [`${code} ${i}`, xml(`<c r="NAME" s="${style}"><v>${number}</v></c>`), made]));
  const written = (await read(xlsx, sheet([["h", "i", "j"], ...rows], { formats }))).split("\n");
  for (const [i, [, , made]] of rows.entries()) assert.ok(written[i + 1].endsWith(`,${made},${made}`), written[i + 1]);
});

/** The number that a person reads in a text: with commas for thousands, a currency, parentheses for a minus, a percent sign or an exponent. */
function saidBy(shown) {
  const [digits] = /[\d.]+(E[+-]?\d+)?/.exec(shown.replaceAll(",", ""));
  const minus = /[(-]/.test(shown.replace(/E.*/, "")) ? "-" : "";
  return Number(minus + digits + (shown.includes("%") ? "e-2" : "")) + 0;
}

test("digits that are not shown: decisions", () => {
  for (const [code, number, want, cut, percent] of [
    ["General", "1234567890123", "1234567890123", false, false], // Excel would save 1.23457E+12
    ["General", "123456789012.5", "123456789012.5", false, false],
    ["General", "0.3333333333333333", "0.333333333", true, false],
    ["General", "1E-3", "0.001", false, false],
    ["0", "34.7", "35", true, false], ["0", "34", "34", false, false], ["0.00", "34.7", "34.70", false, false],
    ["0%", "0.123", "0.12", true, true], ["0%", "1", "1", false, true], ["0.0%", "0.1", "0.100", false, true],
    ["0.00;[Red]0.00", "-5", "-5.00", false, false], // the colour alone is its minus
    ['0;-0;"none"', "0", "0", false, false], ['"yes";"no";"no"', "1", "1", false, false], [";;;", "-2.5", "-2.5", false, false],
    ["# ?/?", "1.5", "1.5", false, false], ["000\\-00\\-0000", "12345678", "12345678", false, false], ["0#\\ 00", "1234", "1234", false, false],
    ["@", "7.25", "7.25", false, false], ["00000", "412", "00412", false, false], ["0.0,,", "1234567", "1.2", true, false],
    ["#,##0.00\\ [$€-407]", "1234.5", "1234.50", false, false], ["0", "-0.2", "0", true, false], ["0.0", "1e300", "1e+300", false, false], ["", "5", "5", false, false],
  ]) {
    const format = new NumberFormat(code);
    assert.deepEqual([format.show(number, Number(number), false), format.cut, format.percent], [want, cut, percent], `${code} of ${number}`);
  }
});

test("what a cell does not show is told", async () => {
  const notes = [];
  const cells = ["0.123", "0.5", "0.256"].map((number) => [xml(`<c r="NAME" s="1"><v>${number}</v></c>`), 1 / 8]);
  assert.equal(await read(xlsx, sheet([["h", "i"], ...cells], { formats: [0, 9] }), 0, notes), "h,i\n0.12,0.125\n0.5,0.125\n0.26,0.125\n");
  assert.deepEqual(notes.slice(1), [{ key: "cut", count: 2, row: 2, column: 1 }, { key: "percent", count: 3, row: 2, column: 1 }]);
});

test("rows are told by their place: empty ones between others count, those around them do not", async () => {
  const file = workbook([{ xml: '<row r="1"/><row r="3"><c r="B3" t="str"><v>h</v></c><c r="C3" t="str"><v>i</v></c></row>' +
    '<row r="5"><c r="C5"><v>1</v></c></row><row r="6"><c r="B6" s="1"/></row><row r="7"><c r="B7"><v>2</v></c></row><row r="9"><c r="B9" s="1"/></row><row r="12"/>' }]);
  assert.equal(await read(xlsx, file), "h,i\n,\n,1\n,\n2,\n");
  const one = workbook([{ xml: rowsOf([["h"], [1], [null], [2]]) }]);
  assert.equal(await read(xlsx, one), 'h\n1\n""\n2\n', "an empty row of one column is no empty line");
});

test("what stands beside the columns further down makes its row too long, and moves nothing", async () => {
  const rows = [["h", "i"], ...Array.from({ length: 120 }, (_, i) => [i, i]), [1, 2, null, "far"]];
  assert.equal((await read(xlsx, workbook([{ rows, left: 1 }]))).split("\n").at(-2), "1,2,,far");
  const before = rowsOf(rows.slice(0, -1), null, { left: 1 }) + '<row r="122"><c r="A122"><v>9</v></c><c r="C122"><v>8</v></c></row>';
  assert.equal((await read(xlsx, workbook([{ xml: before }]))).split("\n").at(-2), ",8,9");
});

test("whatever a cell holds, it changes its own row alone", async () => {
  const rows = [["a", "b", "c"], ...Array.from({ length: 150 }, (_, i) => [i, i % 3 ? `t${i}` : null, i / 3])];
  const lines = async (content) => (await read(xlsx, sheet(content, { formats: [0, 14] }))).split("\n");
  const before = await lines(rows);
  const cells = [null, "", '"', 'a"b,c', "x\ny\r\nz", "\r", "=1+1", "_x000A_", "\u2028", "x".repeat(40_000), 1e300, -0.5, true, xml('<c r="NAME" t="e"><v>#REF!</v></c>'), xml('<c r="NAME" s="1"><v>60</v></c>'),
    xml('<c r="NAME"/>'), xml(""), xml('<c r="NAME" t="zzz"><v>1</v></c>'), xml('<c r="NAME"><f>A1</f></c>'), xml('<c r="NAME" s="99"><v>1</v></c>'), xml('<c r="NAME" t="inlineStr"/>')];
  for (const row of [1, 2, 99, 100, 101, 149]) {
    for (const cell of cells) {
      for (const column of [0, 1, 2]) {
        const changed = rows.map((values, i) => (i === row ? values.map((value, j) => (j === column ? cell : value)) : values));
        const whole = await read(xlsx, sheet(changed, { formats: [0, 14] }));
        const head = before.slice(0, row).join("\n") + "\n", tail = before.slice(row + 1).join("\n");
        assert.ok(whole.startsWith(head) && whole.endsWith(`\n${tail}`), `row ${row}, column ${column}: ${JSON.stringify(cell)?.slice(0, 50)}`);
        const own = whole.slice(head.length, whole.length - tail.length - 1);
        assert.equal(fields(own).length, 3, own);
      }
    }
  }
});

/** The fields of one row of CSV, by another way than the one that wrote it. */
function fields(text) {
  const found = [];
  let field = "", quoted = false;
  for (let i = 0; i < text.length; i++) {
    if (quoted && text[i] === '"' && text[i + 1] === '"') field += text[++i];
    else if (text[i] === '"') quoted = !quoted;
    else if (!quoted && text[i] === ",") {
      found.push(field);
      field = "";
    } else {
      assert.ok(quoted || !/[\n\r]/.test(text[i]), "an end of a row in a field without quotes");
      field += text[i];
    }
  }
  assert.ok(!quoted);
  return [...found, field];
}

test("what the owner should know of a sheet", async () => {
  const file = workbook([{ xml: `<row r="2" hidden="1"/>${rowsOf(table, null, { top: 3 })}<row r="9" hidden="1"><c r="A9"><v>1</v></c></row>`,
    after: '<mergeCells count="2"><mergeCell ref="B3:C3"/><mergeCell ref="AA1:AB2"/></mergeCells>' }, { rows: table }]);
  const notes = [[], []];
  for (const part of [0, 1]) await read(xlsx, file, part, notes[part]);
  assert.deepEqual(notes, [
    [{ key: "sheet-rows", row: 3, to: 9 }, { key: "merged", count: 2, row: 3, column: 2 }, { key: "hidden-rows", count: 1 }],
    [{ key: "sheet-rows", row: 1, to: 3 }],
  ]);
  assert.equal(await read(xlsx, workbook([{ rows: table, after: '<mergeCells><mergeCell ref="1"/><mergeCell/></mergeCells>' }])), csv);
});

test("cells without names, prefixes, other parts, UTF-16", async () => {
  const plain = workbook([{ xml: "<row><c t=\"str\"><v>h</v></c><c t=\"str\"><v>i</v></c></row><row><c/><c><v>1</v></c></row>" }]);
  assert.equal(await read(xlsx, plain), "h,i\n,1\n");
  const prefixed = '<x:worksheet xmlns:x="a"><x:sheetData><x:row r="1"><x:c r="A1" t="str"><x:v>h</x:v></x:c></x:row></x:sheetData></x:worksheet>';
  assert.equal(await read(xlsx, workbook([{}], { extra: { "xl/worksheets/sheet1.xml": prefixed } })), "h\n");
  const wide = new Uint8Array(Buffer.from(`\ufeff${prefixed.replace(">h<", ">ü<")}`, "utf16le"));
  assert.equal(await read(xlsx, workbook([{}], { extra: { "xl/worksheets/sheet1.xml": wide } })), "ü\n");
});

test("a large sheet in pieces, stored and packed", async () => {
  const rows = [["id", "text", "x"], ...Array.from({ length: 30_000 }, (_, i) => [i, `t ${i % 977}`, i / 8])];
  const want = rows.map((row) => row.join(",")).join("\n") + "\n";
  for (const level of [0, 6]) {
    const file = sheet(rows, { level });
    let told = 0, pieces = 0, text = "";
    for await (const piece of xlsx.csv(file, 0, { note() {}, told: (bytes) => { assert.ok(bytes >= told && bytes <= file.size); told = bytes; } })) {
      pieces++;
      text += new TextDecoder().decode(piece);
    }
    assert.ok(text === want);
    assert.ok(pieces > 1 && told > file.size / 2);
  }
});

test("what is no workbook, or a damaged one, is refused with its place", async () => {
  const cells = (text) => workbook([{ name: "S", xml: text }]);
  await refused(new Blob(["PK\x03\x04 and no more"]), "damaged", { byte: 16 });
  await refused(archive({ "a.txt": "x" }), "damaged");
  await refused(workbook([{ rows: table }], { extra: { "_rels/.rels": '<Relationships><Relationship Id="a" Type="x/officeDocument" Target="xl/workbook.bin"/></Relationships>' } }), "unsupported");
  await refused(workbook([{ rows: table }, { rows: table }], { extra: { "xl/worksheets/sheet2.xml": null } }), "damaged", { part: 2 });
  await refused(workbook([]), "empty");
  await refused(cells(""), "empty", { part: 1 });
  await refused(cells('<row r="2"/><row r="1"/>'), "damaged", { part: 1, row: 2 });
  await refused(cells('<row r="1048577"/>'), "damaged");
  await refused(cells('<row r="1"><c r="B1"/><c r="A1"/></row>'), "damaged", { part: 1, row: 1, column: 2 });
  await refused(cells('<row r="1"><c r="A2"/></row>'), "damaged");
  await refused(cells('<row r="1"><c r="XFE1"/></row>'), "damaged");
  await refused(cells('<row r="1"><c r="B1" t="s"><v>7</v></c></row>'), "damaged", { part: 1, row: 1, column: 2 });
  await refused(cells('<row r="1"><c r="A1" t="s"><v>toString</v></c></row>'), "damaged");
  await refused(cells('<row r="3"><c r="A3"><v>1</v>'), "damaged", { part: 1, row: 3 });
  const third = workbook([{ rows: table }]);
  await assert.rejects(read(xlsx, third, 1), { key: "no-part", where: { part: 2 } });
});

test("hostile files are bounded", async () => {
  const cells = (text) => workbook([{ name: "S", xml: text }]);
  const texts = (text) => workbook([{ rows: table }], { extra: { "xl/sharedStrings.xml": text } });
  const x = "x".repeat(17 << 20);
  await refused(texts('<!DOCTYPE sst [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><sst><si><t>&b;</t></si></sst>'), "unsupported");
  await refused(texts("<sst><si><t>&b;</t></si></sst>"), "damaged");
  if (fuzzed) {
    await refused(texts(`<sst>${`<si><t>${x.slice(0, 10 << 20)}</t></si>`.repeat(27)}</sst>`), "too-large");
    await refused(texts(`<sst>${"<si/>".repeat((1 << 24) + 1)}</sst>`), "too-large");
  }
  await refused(cells("<row>".repeat(300)), "damaged");
  await refused(cells('<row r="1">' + "<c/>".repeat(16_385)), "damaged");
  await refused(cells("<row/>".repeat(1_048_577)), "damaged");
  for (const long of [`<v>${x}</v>`, `<v ${x}="1"/>`, `<!--${x}-->`, `<v>${`${x.slice(0, 1 << 20)}<i/>`.repeat(17)}</v>`, x]) {
    await refused(cells(`<row r="7"><c r="B7" t="str">${long}</c></row>`), "too-large", { part: 1, row: 7, column: 2 });
  }
  await refused(cells(`<row r="1"><c r="A1" t="str"><v>h</v></c><c r="XFD1"><v>1</v></c></row><row r="1000000"><c r="A1000000"><v>1</v></c></row>`), "bomb", { part: 1, row: 1_000_000 });
});

test("an archive that says one thing and holds another is refused", async () => {
  const bytes = new Uint8Array(await sheet(table).arrayBuffer());
  const end = bytes.length - 22;
  const list = new DataView(bytes.buffer).getUint32(end + 16, true);
  const refusedIf = (key, change) => {
    const copy = bytes.slice();
    change(new DataView(copy.buffer));
    return refused(new Blob([copy]), key);
  };
  await refusedIf("damaged", (view) => view.setUint32(list + 24, 1, true)); // less than there is
  await refusedIf("damaged", (view) => view.setUint32(list + 24, 1 << 20, true)); // more
  await refusedIf("damaged", (view) => view.setUint32(list + 16, 1, true)); // another checksum
  await refusedIf("encrypted", (view) => view.setUint16(list + 8, 1, true));
  await refusedIf("unsupported", (view) => view.setUint16(list + 10, 12, true));
  await refusedIf("damaged", (view) => view.setUint32(list + 42, 0x7fffffff, true));
  await refusedIf("damaged", (view) => view.setUint32(end + 16, 0x7fffffff, true));
  await refusedIf("damaged", (view) => view.setUint16(end + 10, 60_000, true));
  await refusedIf("too-large", (view) => view.setUint32(end + 12, 0x7fffffff, true));
  await refused(new Blob([bytes.subarray(0, bytes.length - 30)]), "damaged");
});

test("what is changed at random is read or refused, and never fails otherwise", async (t) => {
  const r = random(fuzzed ? Date.now() | 0 : 5);
  const rows = [["name", "day", "x"], ...Array.from({ length: 40 }, (_, i) => [`n${i % 7}`, xml(`<c r="NAME" s="1"><v>${i * 1000}.5</v></c>`), i / 3])];
  const files = [];
  for (const level of [0, 6]) for (const shared of [true, false]) files.push(new Uint8Array(await sheet(rows, { formats: [0, 22], level, shared }).arrayBuffer()));
  await readOrRefused(t, xlsx, (i) => {
    const bytes = files[i % files.length].slice();
    if (i % 3 === 0) { // the archive
      change(bytes, r);
      return bytes;
    }
    const parts = unzipSync(bytes); // what is in it, with its checksum right
    const names = Object.keys(parts);
    change(parts[names[Math.floor(r() * names.length)]], r);
    return zipSync(parts, { level: 1 });
  }, (text) => assert.ok(text.endsWith("\n")));
});
