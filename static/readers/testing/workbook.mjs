// Writes workbooks for tests, by hand: each cell as the XML that the test wants, and the rest as Excel has it.

import { strToU8, zipSync } from "fflate";

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const kinds = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
export const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** The name of a column, from 0. */
export const letters = (column) => (column < 26 ? "" : letters(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + column % 26);

const relations = (list) => `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list
  .map(([id, kind, target]) => `<Relationship Id="${id}" Type="${kinds}/${kind}" Target="${target}"/>`).join("")}</Relationships>`;

/** Styles: one for each code of a number format, or number of one that is built in. */
function styleSheet(formats) {
  const codes = formats.filter((format) => typeof format === "string");
  const id = (format) => (typeof format === "string" ? 164 + codes.indexOf(format) : format);
  return `${head}<styleSheet ${main}><numFmts>${codes.map((code) => `<numFmt numFmtId="${id(code)}" formatCode="${escape(code).replaceAll('"', "&quot;")}"/>`).join("")}</numFmts>` +
    `<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${formats.map((format) => `<xf numFmtId="${id(format)}"/>`).join("")}</cellXfs></styleSheet>`;
}

/**
 * A cell of a value: a text (shared, if there is a list of such), a number, true or false, null for none, or {xml}, which stands for itself:
 * the name of the cell is put in for NAME.
 */
function cell(name, value, texts) {
  if (value === null || value === "") return "";
  if (typeof value === "number") return `<c r="${name}"><v>${value}</v></c>`;
  if (typeof value === "boolean") return `<c r="${name}" t="b"><v>${value ? 1 : 0}</v></c>`;
  if (typeof value === "object") return value.xml.replaceAll("NAME", name);
  if (!texts) return `<c r="${name}" t="inlineStr"><is><t xml:space="preserve">${escape(value)}</t></is></c>`;
  if (!texts.has(value)) texts.set(value, texts.size);
  return `<c r="${name}" t="s"><v>${texts.get(value)}</v></c>`;
}

export const rowsOf = (rows, texts, { top = 1, left = 0 } = {}) => rows.map((cells, i) =>
  `<row r="${top + i}">${cells.map((value, j) => cell(letters(left + j) + (top + i), value, texts)).join("")}</row>`).join("");

/**
 * A workbook as a Blob. Sheets are {name, state, rows, xml, after, top, left}; xml is the content of sheetData instead of rows, after
 * what follows it.
 */
export function workbook(sheets, { since1904 = false, formats = [0], shared = true, extra = {}, level = 6 } = {}) {
  const texts = shared ? new Map() : null;
  const files = {};
  sheets.forEach((sheet, i) => {
    const { rows = [], xml = rowsOf(rows, texts, sheet), after = "" } = sheet;
    files[`xl/worksheets/sheet${i + 1}.xml`] = `${head}<worksheet ${main}><dimension ref="A1"/><sheetData>${xml}</sheetData>${after}</worksheet>`;
  });
  files["_rels/.rels"] = relations([["rId1", "officeDocument", "xl/workbook.xml"]]);
  files["xl/workbook.xml"] = `${head}<workbook ${main} xmlns:r="${kinds}"><workbookPr${since1904 ? ' date1904="1"' : ""}/><sheets>${sheets
    .map(({ name = "Sheet", state }, i) => `<sheet name="${escape(name)}" sheetId="${i + 1}"${state ? ` state="${state}"` : ""} r:id="rId${i + 1}"/>`).join("")}</sheets></workbook>`;
  files["xl/_rels/workbook.xml.rels"] = relations([
    ...sheets.map((_, i) => [`rId${i + 1}`, "worksheet", `worksheets/sheet${i + 1}.xml`]),
    ["rIdS", "styles", "styles.xml"], ...(shared ? [["rIdT", "sharedStrings", "/xl/sharedStrings.xml"]] : []),
  ]);
  files["xl/styles.xml"] = styleSheet(formats);
  if (shared) files["xl/sharedStrings.xml"] = `${head}<sst ${main}>${[...texts.keys()].map((text) => `<si><t xml:space="preserve">${escape(text)}</t></si>`).join("")}</sst>`;
  return archive({ ...files, ...extra }, level);
}

/** An archive of texts or bytes; null leaves one out. */
export const archive = (files, level = 6) => new Blob([zipSync(Object.fromEntries(Object.entries(files)
  .filter(([, text]) => text !== null).map(([name, text]) => [name, typeof text === "string" ? strToU8(text) : text])), { level })]);

/** What a reader makes of a part, as a text; notes takes what it says of it. */
export async function read(reader, file, part = 0, notes = []) {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  const note = (key, values) => notes.push({ key, ...values });
  for await (const piece of reader.csv(file, part, { told() {}, note })) text += decoder.decode(piece, { stream: true });
  return text + decoder.decode();
}

/** A field as CSV has it. */
export const field = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
