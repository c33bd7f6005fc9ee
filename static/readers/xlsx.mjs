// Excel workbooks (.xlsx, .xlsm; ECMA-376): a part is a sheet with cells. See README.md for what a reader is.
//
// What the rows are: every row of the sheet from the first to the last in which anything stands is one row, an empty one between
// them too. The columns are those from the first to the last in which anything stands in the first LOOK of these rows that are not
// empty; what stands beside them further down makes a row of too many fields, with those of the columns first.
//
// A number has the digits that its cell shows, and a date, time or span of time, which only the format tells from a number, is written
// as ISO 8601 has it: see numberformats.part.mjs. A formula is its stored result, an error nothing.

import { entries, unpack } from "./archive.part.mjs";
import { Rows, refuse } from "./csv.part.mjs";
import { NumberFormat, formatOf } from "./numberformats.part.mjs";
import { attribute, walk } from "./xml.part.mjs";

const LOOK = 100; // rows that decide what the columns are
const ROWS = 1 << 20, COLUMNS = 1 << 14; // of a sheet, in Excel
const mostSheets = 10_000;
const mostOf = { others: 64 << 20, texts: 2 ** 30, sheet: 2 ** 34 }; // bytes of XML
const mostTexts = 1 << 24; // texts that cells share
const mostHeld = 1 << 28; // characters of these
const mostOfRow = 1 << 24; // characters
const mostBlank = 1 << 27; // fields of empty rows

/**
 * The sheets of a workbook, charts left out; the first that nobody has hidden is the likely one.
 * @param {Blob} file
 */
export async function parts(file) {
  const { sheets } = await new Workbook(file).open();
  return sheets.map(({ name, hidden }) => ({ name, likely: !hidden }));
}

/**
 * The cells of a sheet as CSV.
 * @param {Blob} file
 * @param {number} part the sheet, from 0
 * @param {{told: (bytes: number) => void, note: (key: string, values: object) => void}} options is told how many bytes of the file
 *   are read, and what the owner should know of the sheet
 * @returns {AsyncGenerator<Uint8Array>}
 */
export async function* csv(file, part, { told, note }) {
  const book = await new Workbook(file).open();
  const { entry } = book.sheets[part] ?? refuse("no-part", { part: part + 1 });
  const formats = await book.styles();
  const texts = await book.texts(told);
  const sheet = new Sheet(part + 1, book.since1904, formats, texts);
  const table = new Table(part + 1);
  for await (const _ of book.walk(entry, sheet, { most: mostOf.sheet, told, where: sheet.where })) yield* table.add(sheet.take());
  yield* table.end();
  note("sheet-rows", table.range);
  if (sheet.merged.count > 0) note("merged", { count: sheet.merged.count, ...sheet.merged.first });
  if (sheet.hidden > 0) note("hidden-rows", { count: sheet.hidden });
  for (const key of ["cut", "percent"]) if (sheet.shown[key].count > 0) note(key, sheet.shown[key]);
}

// A workbook -----------------------------------------------------------------------------------------------------

/** The parts of a workbook: entries of an archive, which name each other. */
class Workbook {
  sheets = []; // {name, hidden, entry}
  since1904 = false;
  #file;
  #entries;
  #related; // what the workbook refers to
  #read = 0; // bytes of the entries that were read

  constructor(file) {
    this.#file = file;
  }

  async open() {
    this.#entries = new Map((await entries(this.#file)).map((entry) => [entry.name, entry]));
    const main = this.#the("officeDocument", await this.#relations("")) ?? "xl/workbook.xml";
    if (main.endsWith(".bin")) refuse("unsupported");
    this.#related = await this.#relations(main);
    const open = (name, attributes) => {
      if (name === "workbookPr") this.since1904 = truth(attributes.date1904);
      else if (name === "sheet") this.#add(attributes);
    };
    await this.#all(this.#entries.get(main) ?? refuse("damaged"), { open });
    if (this.sheets.length === 0) refuse("empty");
    return this;
  }

  #add(attributes) {
    const { kind, to } = this.#related.get(attribute(attributes, "id")) ?? {};
    if (kind !== "worksheet") return; // a chart
    const part = this.sheets.length + 1;
    if (part > mostSheets) refuse("too-large", { part });
    const entry = this.#entries.get(to) ?? refuse("damaged", { part });
    this.sheets.push({ name: attributes.name ?? "", hidden: (attributes.state ?? "visible") !== "visible", entry });
  }

  /** What a part refers to, by identifier: {kind, to}. */
  async #relations(part) {
    const folder = part.slice(0, part.lastIndexOf("/") + 1);
    const entry = this.#entries.get(`${folder}_rels/${part.slice(folder.length)}.rels`);
    const found = new Map();
    const open = (name, { Id, Type = "", Target = "", TargetMode }) => {
      if (name !== "Relationship" || TargetMode === "External") return;
      found.set(Id, { kind: Type.slice(Type.lastIndexOf("/") + 1), to: resolve(folder, Target) });
    };
    if (entry) await this.#all(entry, { open });
    return found;
  }

  #the = (kind, related = this.#related) => [...related.values()].find((relation) => relation.kind === kind)?.to;

  /** How each style shows numbers. */
  async styles() {
    const codes = new Map(), formats = [];
    const entry = this.#entries.get(this.#the("styles"));
    let inCells = false;
    const open = (name, attributes) => {
      if (name === "numFmt") codes.set(Number(attributes.numFmtId), attributes.formatCode ?? "");
      else if (name === "cellXfs") inCells = true;
      else if (name === "xf" && inCells) formats.push(formatOf(Number(attributes.numFmtId ?? 0), codes));
    };
    const close = (name) => {
      if (name === "cellXfs") inCells = false;
    };
    if (entry) await this.#all(entry, { open, close });
    return formats;
  }

  /** The texts that cells share. */
  async texts(told) {
    const texts = [];
    const entry = this.#entries.get(this.#the("sharedStrings"));
    if (!entry) return texts;
    const rich = new Rich();
    let held = 0;
    const text = (text) => {
      if ((held += text.length) > mostHeld) refuse("too-large", { byte: entry.at });
      rich.add(text);
    };
    const close = (name) => {
      rich.close(name);
      if (name === "si" && texts.push(rich.take()) > mostTexts) refuse("too-large", { byte: entry.at });
    };
    const handlers = { open: (name) => rich.open(name), text, close };
    for await (const _ of this.walk(entry, handlers, { most: mostOf.texts, told }));
    return texts;
  }

  /** Walks through the XML of an entry, see walk. */
  async *walk(entry, handlers, { most = mostOf.others, told = () => {}, where = () => ({ byte: entry.at }) } = {}) {
    if (entry.size > most) refuse("too-large", where());
    const before = this.#read - entry.at;
    yield* walk(unpack(this.#file, entry, (place) => told(before + place), where()), handlers, where);
    this.#read += entry.packed;
  }

  async #all(entry, handlers) {
    for await (const _ of this.walk(entry, handlers));
  }
}

function resolve(folder, target) {
  const path = target.startsWith("/") ? [] : folder.split("/").slice(0, -1);
  for (const step of target.split("/")) {
    if (step === "..") path.pop();
    else if (step !== "" && step !== ".") path.push(step);
  }
  return path.join("/");
}

const truth = (value) => value === "1" || value === "true";

/** A text of several runs; how it is spoken (rPh) is no part of it. */
class Rich {
  #text = "";
  #taken = false;
  #spoken = false;

  open(name) {
    if (name === "rPh") this.#spoken = true;
    this.#taken = name === "t" && !this.#spoken;
  }

  add(text) {
    if (this.#taken) this.#text += text;
  }

  close(name) {
    if (name === "rPh") this.#spoken = false;
    this.#taken = false;
  }

  take() {
    const text = plain(this.#text);
    this.#text = "";
    return text;
  }
}

/** Characters that XML cannot hold are written _x0008_ in a workbook. */
const plain = (text) => (text.includes("_x") ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code) => String.fromCharCode(parseInt(code, 16))) : text);

const general = new NumberFormat("General");

// A sheet --------------------------------------------------------------------------------------------------------

/** Takes the events of a sheet's XML and makes rows of them: {row, cells}, from 1, with [column, field, column, field, …], from 0. */
class Sheet {
  hidden = 0; // rows that a person does not see
  merged = { count: 0, first: null }; // groups of cells
  shown = { cut: { count: 0 }, percent: { count: 0 } }; // numbers, see NumberFormat, and where the first is
  #part; // from 1
  #since1904;
  #formats; // by style
  #texts;
  #rows = []; // that were not taken yet
  #row = 0;
  #column = -1;
  #cells = [];
  #held = 0; // characters of the row
  #unseen = false; // the row is hidden
  #cell = null; // the attributes of the one that is read
  #value = "";
  #taken = false; // what is read is its value
  #rich = new Rich();
  #inside = false; // of sheetData

  constructor(part, since1904, formats, texts) {
    this.#part = part;
    this.#since1904 = since1904;
    this.#formats = formats;
    this.#texts = texts;
    for (const method of ["open", "text", "close", "where"]) this[method] = this[method].bind(this);
  }

  /** The row and the cell that is read, for a person. */
  where() {
    return { part: this.#part, ...(this.#row && { row: this.#row }), ...(this.#cell && { column: this.#column + 1 }) };
  }

  /** The rows that were read since. */
  take() {
    return this.#rows.splice(0);
  }

  open(name, attributes) {
    if (name === "sheetData") this.#inside = true;
    else if (name === "mergeCell") this.#merge(attributes);
    else if (!this.#inside) return;
    else if (name === "c") this.#openCell(attributes);
    else if (name === "v") this.#taken = this.#cell !== null;
    else if (name === "row") this.#openRow(attributes);
    else if (this.#cell) this.#rich.open(name);
  }

  text(text) {
    if ((this.#held += text.length) > mostOfRow) refuse("too-large", this.where());
    if (this.#taken) this.#value += text;
    else if (this.#cell) this.#rich.add(text);
  }

  close(name) {
    this.#taken = false;
    if (name === "sheetData") this.#inside = false;
    else if (!this.#inside) return;
    else if (name === "c") this.#closeCell();
    else if (name === "row") this.#closeRow();
    else if (this.#cell) this.#rich.close(name);
  }

  #openRow({ r, hidden }) {
    const row = r === undefined ? this.#row + 1 : Number(r);
    if (!(Number.isInteger(row) && row > this.#row && row <= ROWS)) refuse("damaged", this.where());
    this.#row = row;
    this.#column = -1;
    this.#cells = [];
    this.#held = 0;
    this.#unseen = truth(hidden);
  }

  #closeRow() {
    if (this.#unseen && this.#cells.length > 0) this.hidden++;
    this.#rows.push({ row: this.#row, cells: this.#cells });
  }

  /** Counts the groups of cells that are one on the screen. */
  #merge({ ref = "" }) {
    const [, name, row] = /^([A-Z]{1,3})([1-9][0-9]{0,6}):/.exec(ref) ?? [];
    if (!name) return;
    this.merged.first ??= { row: Number(row), column: columnOf(name) + 1 };
    this.merged.count++;
  }

  #openCell(attributes) {
    this.#cell = attributes;
    this.#column = attributes.r === undefined ? this.#column + 1 : this.#place(attributes.r);
    if (this.#column >= COLUMNS) refuse("damaged", this.where());
    this.#value = "";
  }

  /** The column that a cell says it is in: one after the last, in this row. */
  #place(name) {
    const column = columnOf(name);
    const row = name.slice(column < 26 ? 1 : column < 702 ? 2 : 3);
    if (column <= this.#column || Number(row) !== this.#row) refuse("damaged", this.where());
    return column;
  }

  #closeCell() {
    if (!this.#cell) return;
    const text = this.#field(this.#cell);
    this.#cell = null;
    if (text !== "") this.#cells.push(this.#column, text);
  }

  #field({ t = "n", s }) {
    const value = this.#value;
    const rich = this.#rich.take();
    switch (t) {
      case "n":
        return value === "" ? "" : this.#number(value, this.#formats[s] ?? general);
      case "s":
        return value === "" ? "" : this.#shared(Number(value));
      case "str":
        return plain(value);
      case "inlineStr":
        return rich;
      case "b":
        return value === "" ? "" : truth(value) ? "TRUE" : "FALSE";
      case "d":
        return value;
      default:
        return ""; // an error
    }
  }

  #shared(index) {
    return this.#texts[index] ?? refuse("damaged", this.where());
  }

  #number(text, format) {
    const number = Number(text);
    if (!Number.isFinite(number)) return text;
    const shown = format.show(text, number, this.#since1904);
    if (format.cut) this.#count(this.shown.cut);
    if (format.percent) this.#count(this.shown.percent);
    return shown;
  }

  #count(of) {
    if (of.count++ === 0) Object.assign(of, { row: this.#row, column: this.#column + 1 });
  }
}

/** The column, from 0, that the name of a cell begins with; -1 where it begins with none. */
function columnOf(name) {
  let column = 0;
  for (let i = 0; i < 3; i++) {
    const letter = name.charCodeAt(i) - 64;
    if (!(letter >= 1 && letter <= 26)) break;
    column = column * 26 + letter;
  }
  return column - 1;
}

/** Makes CSV of the rows of a sheet. */
class Table {
  #part;
  #rows = new Rows();
  #first = []; // the rows that decide on the columns; null once they have
  #left = 0;
  #fields = []; // of a row, one for each column
  #start = 0; // the first row
  #next = 0; // the row that comes next
  #blank = 0; // fields that were made of nothing

  constructor(part) {
    this.#part = part;
  }

  *add(rows) {
    rows = rows.filter(({ cells }) => cells.length > 0);
    if (this.#first) {
      this.#first.push(...rows);
      if (this.#first.length < LOOK) return;
      rows = this.#begin();
    }
    for (const row of rows) yield* this.#put(row);
  }

  *end() {
    if (this.#first) for (const row of this.#begin()) yield* this.#put(row);
    if (this.#next === 0) refuse("empty", { part: this.#part });
    yield this.#rows.take();
  }

  /** Decides on the columns, and returns the rows that were kept for that. */
  #begin() {
    const all = this.#first, rows = all.slice(0, LOOK);
    this.#first = null;
    if (rows.length === 0) return [];
    this.#left = Math.min(...rows.map(({ cells }) => cells[0]));
    this.#fields = new Array(Math.max(...rows.map(({ cells }) => cells.at(-2))) - this.#left + 1);
    this.#start = this.#next = rows[0].row;
    return all;
  }

  /** Where it is in the sheet. */
  get range() {
    return { row: this.#start, to: this.#next - 1 };
  }

  /** Writes a row in which something stands, and the empty ones before it. What stands beside the columns makes it too long. */
  *#put({ row, cells }) {
    const fields = this.#fields.fill("");
    const { length } = fields;
    const before = [];
    for (let i = 0; i < cells.length; i += 2) {
      const place = cells[i] - this.#left;
      if (place < 0) {
        before.push(cells[i + 1]);
        continue;
      }
      while (fields.length < place) fields.push("");
      fields[place] = cells[i + 1];
    }
    fields.push(...before);
    if (row > this.#next) yield* this.#empty(row);
    this.#next = row + 1;
    this.#rows.add(fields);
    fields.length = length;
    if (this.#rows.full) yield this.#rows.take();
  }

  *#empty(row) {
    this.#blank += (row - this.#next) * this.#fields.length;
    if (this.#blank > mostBlank) refuse("bomb", { part: this.#part, row });
    const blank = new Array(this.#fields.length).fill("");
    for (; this.#next < row; this.#next++) {
      this.#rows.add(blank);
      if (this.#rows.full) yield this.#rows.take();
    }
  }
}
