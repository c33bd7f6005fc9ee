// Reads JSON as a table: an array of objects, or objects one after another, as in JSON lines. Each object is a row, each key a column.
// Strings are cells as they are, numbers as they are written, true and false by their names; null, and a key that is not there, are
// empty cells. A value that is a list or an object has no place in a cell and is refused. RFC 8259.
//
// The columns are the keys that the recipe names; where none does, those of the first objects, in the order in which they come up. An
// object with another key, or with one twice, makes a row with a field too many, which counts as one without values: so what one
// object holds never moves the cells of another.
//
// Bounds: an object has at most 16 Mi characters.
//
// The text is in UTF-8, or in UTF-16 where its first bytes say so.

import { isJSON, unicodeOf } from "../formats.js";
import { Rows, refuse } from "./csv.part.mjs";

const LOOKED = 1000; // objects that columns are proposed from
const MOST = 16 << 20; // characters of an object
const KEYS = 60_000; // bytes of their names

/** What is sure of the table in a text, of which input gives the bytes piece by piece. */
export async function optionsOf(input) {
  const found = new Set();
  let rows = 0;
  for await (const { keys } of objects(input)) {
    for (const key of keys) found.add(key);
    if (++rows === LOOKED) break;
  }
  const names = [...found];
  if (names.length === 0) refuse("empty");
  if (JSON.stringify(names).length > KEYS) refuse("too-large", { row: 1 });
  return { header: "yes", columns: names.length, keys: JSON.stringify(names) };
}

/** The same of a packed text; undefined where it is no table of JSON, or cannot be read, so that it is read as it is. */
export async function optionsWithin(input) {
  try {
    let head = new Uint8Array();
    for (let ended = false; !ended && head.length < 4096; ) {
      const { value, done } = await input.next();
      if (!(ended = done)) head = joined(head, value);
    }
    if (isJSON(head)) return await optionsOf(before(head, input));
    await input.return();
    return undefined;
  } catch (error) {
    if (error.key) return undefined;
    throw error;
  }
}

/** A piece and what comes behind it. */
async function* before(piece, rest) {
  yield piece;
  yield* rest;
}

/** The table of a text as CSV, with the columns of options. */
export async function* tableOf(input, options) {
  const names = JSON.parse(options.keys);
  const place = new Map(names.map((key, i) => [key, i]));
  const rows = new Rows();
  rows.add(names);
  for await (const { keys, values } of objects(input)) {
    const cells = new Array(names.length).fill(null);
    let over = false;
    for (let i = 0; i < keys.length; i++) {
      const k = names[i] === keys[i] ? i : place.get(keys[i]);
      if (k === undefined || cells[k] !== null) over = true;
      else cells[k] = values[i];
    }
    if (over) cells.push("");
    rows.add(cells);
    if (rows.full) yield rows.take();
  }
  yield rows.take();
}

/** Thrown where a text ends in the midst of something. */
const MORE = Symbol("more");

const string = /"[^"\\\u0000-\u001f]*(?:\\.[^"\\\u0000-\u001f]*)*"/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const words = { t: "true", f: "false", n: "null" };

/** Yields the objects of a text: {keys, values}, where a value is a text or null. */
async function* objects(input) {
  const text = new Text();
  let decoder = null;
  let head = new Uint8Array(); // until there are as many bytes as tell the encoding
  let read = 0;
  try {
    for (let ended = false; !ended; ) {
      let { value = new Uint8Array(), done } = await input.next();
      ended = Boolean(done);
      const { length } = value;
      if (!decoder) {
        head = value = joined(head, value);
        if (head.length < 4 && !ended) continue;
        decoder = new TextDecoder(unicodeOf(head), { fatal: true });
      }
      try {
        text.push(decoder.decode(value, { stream: !ended }), ended);
      } catch {
        refuse("damaged", { byte: read });
      }
      read += length;
      if (text.long < text.wanted && !ended) continue;
      for (let object; (object = text.object()); ) yield object;
    }
  } finally {
    await input.return();
  }
}

function joined(a, b) {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** The text as far as it is read, of which one object after another is taken. */
class Text {
  wanted = 0; // characters that are to be there before it is tried again
  #text = "";
  #at = 0;
  #ended = false;
  #row = 0;
  #line = 1;
  #list = null; // whether the file is an array, once it is known
  #open = false; // an array has begun, or an object of it is to follow
  #closed = false;

  push(more, ended) {
    this.#text = this.#text.slice(this.#at) + more;
    this.#at = 0;
    this.#ended = ended;
  }

  get long() {
    return this.#text.length;
  }

  /** The next object; null where more of the text is needed, or it has ended. */
  object() {
    const from = { at: this.#at, line: this.#line, list: this.#list, open: this.#open, closed: this.#closed };
    try {
      return this.#next();
    } catch (error) {
      if (error !== MORE) throw error;
      if (this.#ended) refuse("damaged", this.#where());
      [this.#at, this.#line, this.#list, this.#open, this.#closed] = [from.at, from.line, from.list, from.open, from.closed];
      const held = this.#text.length - this.#at;
      if (held > MOST) refuse("too-large", this.#where());
      this.wanted = 2 * held;
      return null;
    }
  }

  #next() {
    let c = this.#space();
    if (this.#list === null) {
      if (c === "") return this.#more();
      this.#list = c === "[";
      if (this.#list) {
        this.#at++;
        this.#open = true;
        c = this.#space();
        if (c === "]") return this.#close();
      }
    } else if (this.#list && !this.#closed) {
      if (c === "]") return this.#close();
      if (c === ",") this.#at++;
      else this.#fail(c);
      c = this.#space();
    }
    if (c === "" && (this.#closed || !this.#list)) return this.#more();
    if (this.#closed) refuse("damaged", this.#where());
    if (c !== "{") {
      if (c === "") throw MORE;
      refuse("not-table", this.#where());
    }
    this.#row++;
    try {
      return this.#members();
    } catch (error) {
      if (error === MORE) this.#row--;
      throw error;
    }
  }

  /** Nothing is left of the text at hand: more may come. */
  #more() {
    this.wanted = 0;
    return null;
  }

  #close() {
    this.#at++;
    this.#closed = true;
    if (this.#space() !== "") refuse("damaged", this.#where());
    return this.#more();
  }

  #members() {
    this.#at++;
    const keys = [];
    const values = [];
    if (this.#space() === "}") {
      this.#at++;
      return { keys, values };
    }
    for (;;) {
      if (this.#space() !== '"') this.#fail(this.#space());
      keys.push(this.#string());
      if (this.#space() !== ":") this.#fail(this.#space());
      this.#at++;
      values.push(this.#value(keys.length));
      const c = this.#space();
      this.#at++;
      if (c === "}") return { keys, values };
      if (c !== ",") this.#fail(c);
    }
  }

  #value(column) {
    const c = this.#space();
    if (c === '"') return this.#string();
    if (c === "{" || c === "[") refuse("nested", { ...this.#where(), column });
    const word = words[c];
    if (word) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return word === "null" ? null : word;
      }
      if (word.startsWith(this.#text.slice(this.#at))) throw MORE;
    }
    number.lastIndex = this.#at;
    const found = number.exec(this.#text)?.[0];
    const end = this.#at + (found?.length ?? 0);
    if (end === this.#text.length || (c === "-" && end + 1 === this.#text.length)) throw MORE; // it may go on
    if (!found || /[\w.+-]/.test(this.#text[end])) {
      if (this.#text.length - end < 4) throw MORE; // as 1. or 1e+ does
      this.#fail(c);
    }
    this.#at = end;
    return found;
  }

  #string() {
    string.lastIndex = this.#at;
    const found = string.exec(this.#text)?.[0];
    if (found === undefined) {
      const rest = /"[^"\\\u0000-\u001f]*(?:\\.[^"\\\u0000-\u001f]*)*\\?/y;
      rest.lastIndex = this.#at;
      rest.exec(this.#text);
      if (rest.lastIndex === this.#text.length) throw MORE;
      refuse("damaged", this.#where());
    }
    this.#at += found.length;
    if (!found.includes("\\")) return found.slice(1, -1);
    try {
      return JSON.parse(found);
    } catch {
      return refuse("damaged", this.#where());
    }
  }

  /** Skips white space, and says what comes then; "" at the end of what is read. */
  #space() {
    for (; ; this.#at++) {
      const c = this.#text.charCodeAt(this.#at);
      if (c === 10) this.#line++;
      else if (c !== 32 && c !== 13 && c !== 9) return Number.isNaN(c) ? "" : this.#text[this.#at];
    }
  }

  #fail(c) {
    if (c === "") throw MORE;
    refuse("damaged", this.#where());
  }

  #where() {
    return { row: Math.max(1, this.#row), line: this.#line };
  }
}
