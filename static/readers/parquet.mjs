// Parquet files (parquet-format 2.11): one table, with flat columns; the fields of a record are columns of their own. See README.md for
// what a reader is.
//
// Every row of the file is a row; how many there are stands in its list of contents. The pages of all columns are read side by side,
// so that what is held is a page of each. hyparquet reads the list of contents, the heads of pages and most encodings of values; what
// a value is, exactly, is told here, and what a damaged or hostile file could ask for is bounded before it is done.
//
// A number is written with as many digits as it needs to be read as the same again, a decimal with those of its scale; days and times
// as ISO 8601 has them, with a Z where they are those of UTC; what is null or NaN is nothing.

import { parquetMetadata, parquetSchema, snappyUncompress } from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { deltaBinaryUnpack, deltaByteArray, deltaLengthByteArray } from "hyparquet/src/delta.js";
import { byteStreamSplit } from "hyparquet/src/encoding.js";
import { readPlain } from "hyparquet/src/plain.js";
import { decompressBrotli } from "hyparquet-compressors/src/brotli.js";
import { decompressLz4, decompressLz4Raw } from "hyparquet-compressors/src/lz4.js";
import { decompress as decompressZstd } from "fzstd";
import { crc } from "./archive.part.mjs";
import { Rows, bytes, chunks, refuse } from "./csv.part.mjs";
import { skim, tooShort } from "./thrift.part.mjs";
import { teller } from "./values.part.mjs";

const mostContents = 16 << 20; // bytes of the list of contents
const mostHead = 1 << 20; // bytes of the head of a page
const mostPages = 2 ** 30; // bytes of the pages that are held at once
const deepest = 100; // records within each other
const WINDOW = 1 << 20; // bytes of a column that are read at once
const parsers = { stringFromBytes: () => "" }; // statistics are of no use

/** The one table of the file. @param {Blob} file */
export async function parts(file) {
  const { rows } = await contents(file);
  return [{ name: "", rows, options: { header: "yes" } }];
}

/**
 * The table as CSV.
 * @param {Blob} file
 * @param {{told: (bytes: number) => void}} options is told how many bytes of the file are read
 * @returns {AsyncGenerator<Uint8Array>}
 */
export async function* csv(file, part, { told }) {
  if (part !== 0) refuse("no-part", { part: part + 1 });
  const { columns, groups } = await contents(file);
  const rows = new Rows();
  rows.add(columns.map(({ name }) => name));
  const cells = new Array(columns.length);
  const held = { bytes: 0 };
  let read = 0, before = 0;
  for (const group of groups) {
    const open = columns.map((column, i) => new Column(file, column, group.columns[i], { before, rows: group.rows, held }));
    for (let row = 0; row < group.rows; row++) {
      for (let i = 0; i < open.length; i++) {
        const column = open[i];
        if (column.left === 0) {
          await column.turn();
          told(read + open.reduce((sum, { taken }) => sum + taken, 0));
        }
        cells[i] = column.next();
      }
      rows.add(cells);
      if (rows.full) yield rows.take();
    }
    read += group.columns.reduce((sum, { end, start }) => sum + end - start, 0);
    before += group.rows;
    for (const column of open) column.close();
  }
  yield rows.take();
}

// The list of contents -------------------------------------------------------------------------------------------

/** What the end of the file says: {columns, groups, rows}. */
async function contents(file) {
  const tail = await bytes(file, Math.max(0, file.size - 8), file.size);
  const magic = new TextDecoder().decode(tail.subarray(-4));
  if (magic === "PARE") refuse("encrypted");
  if (tail.length < 8 || magic !== "PAR1") refuse("damaged", { byte: file.size });
  const length = new DataView(tail.buffer).getUint32(0, true);
  const start = file.size - 8 - length;
  if (start < 4) refuse("damaged", { byte: file.size - 8 });
  if (length > mostContents) refuse("too-large", { byte: start });
  const list = await bytes(file, start, file.size);
  try {
    if (skim(list.subarray(0, length)) !== length) refuse("damaged", { byte: start });
    const metadata = parquetMetadata(list.buffer, { parsers, geoparquet: false });
    return understood(metadata, start);
  } catch (error) {
    if (error.key) throw error;
    refuse("damaged", { byte: start });
  }
}

/** The columns and row groups of a table that can be read; what its bytes say of it is taken for true only within the file. */
function understood(metadata, size) {
  if (metadata.schema.length < 2) refuse("empty");
  const { children } = parquetSchema(metadata);
  const columns = [...leaves(children)];
  let rows = 0;
  const groups = metadata.row_groups.map((group) => {
    const count = whole(group.num_rows);
    rows += count;
    if (group.columns.length !== columns.length) refuse("damaged", { row: rows });
    return { rows: count, columns: group.columns.map((chunk, i) => placeOf(chunk, columns[i], size)) };
  });
  if (rows !== whole(metadata.num_rows)) refuse("damaged", { byte: size });
  return { columns, groups, rows };
}

/**
 * The columns of the fields of the table, or of a record in it, whose fields are columns of their own: "address.town" is there where
 * address and town both are. most is how many of these may be missing.
 */
function* leaves(fields, path = [], most = 0, before = { count: 0 }) {
  for (const { element, children } of fields) {
    const names = [...path, element.name];
    const name = names.join(".");
    const kind = element.logical_type?.type ?? element.converted_type;
    const where = { column: before.count + 1, name };
    if (element.repetition_type === "REPEATED" || /^(LIST|MAP|MAP_KEY_VALUE|VARIANT)$/.test(kind)) refuse("nested", where);
    const missing = most + (element.repetition_type === "REQUIRED" ? 0 : 1);
    if (names.length > deepest || missing > deepest) refuse("unsupported", where);
    if (children.length > 0) {
      yield* leaves(children, names, missing, before);
      continue;
    }
    if (element.num_children) refuse("damaged", where);
    before.count++;
    yield { name, most: missing, element, where, tell: teller(element) ?? refuse("unsupported", where) };
  }
}

/** Where a column's pages of a row group are. */
function placeOf({ file_path: elsewhere, meta_data: about, crypto_metadata: sealed }, { element, where }, size) {
  if (elsewhere) refuse("unsupported", where);
  if (sealed || !about) refuse("encrypted", where);
  if (about.type !== element.type) refuse("damaged", where);
  const offsets = [about.data_page_offset, about.dictionary_page_offset].filter(Boolean).map(whole);
  const start = Math.min(...offsets), end = start + whole(about.total_compressed_size);
  if (!(start >= 4 && end <= size)) refuse("damaged", where);
  return { start, end, codec: about.codec };
}

/** A number of the file, which has 64 bits: none is below zero or beyond what a file can have. */
function whole(number) {
  const value = Number(number ?? NaN);
  return value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : refuse("damaged");
}

// A column of a row group ----------------------------------------------------------------------------------------

class Column {
  left = 0; // values of the page that were not given yet
  #file;
  #column;
  #end;
  #codec;
  #first; // rows of the file before this group
  #rows; // of the group, that no page has given yet
  #held; // shared by all columns
  #size = 0; // bytes of the page and the dictionary that are held
  #kept = 0; // of the dictionary alone
  #start;
  #place; // of the next byte in the file
  #window = new Uint8Array();
  #at = 0; // in the window
  #dictionary = null; // of texts
  #present = null; // which values of the page are there; null where all are
  #index = 0;
  #value; // gives the next value that is there

  constructor(file, column, { start, end, codec }, { before, rows, held }) {
    this.#file = file;
    this.#column = column;
    this.#start = this.#place = start;
    this.#end = end;
    this.#codec = codec;
    this.#first = before;
    this.#rows = rows;
    this.#held = held;
  }

  /** How many bytes were read. */
  get taken() {
    return this.#place - this.#start;
  }

  /** The text of the next value of the page. */
  next() {
    this.left--;
    const index = this.#index++;
    return this.#present !== null && this.#present[index] === 0 ? "" : this.#value();
  }

  close() {
    this.#hold(0);
  }

  #hold(bytes) {
    this.#held.bytes += bytes - this.#size;
    this.#size = bytes;
    if (this.#held.bytes > mostPages) refuse("bomb", this.#where());
  }

  #where = () => ({ row: this.#first + 2, ...this.#column.where, byte: this.#place });

  /** Goes on to the next page that has values. */
  async turn() {
    try {
      while (this.left === 0) await this.#page();
    } catch (error) {
      if (error.key || error instanceof DOMException) throw error; // the file itself cannot be read any more
      refuse("damaged", this.#where());
    }
  }

  async #page() {
    const head = await this.#head();
    const { compressed_page_size: packed, uncompressed_page_size: size } = head;
    if (!(packed >= 0 && size >= 0)) refuse("damaged", this.#where());
    this.#hold(this.#kept + size);
    const page = (await this.#need(packed)).subarray(0, packed);
    this.#take(packed);
    if (head.crc !== undefined && ~crc(-1, page) !== (head.crc | 0)) refuse("damaged", this.#where());
    if (head.type === "DICTIONARY_PAGE") {
      const { num_values: count } = head.dictionary_page_header;
      const values = this.#decoded(await this.#unpacked(page, size), "PLAIN", count);
      this.#dictionary = Array.from({ length: count }, values);
      this.#kept = size;
    } else if (head.type === "DATA_PAGE") {
      const { num_values: count, encoding, definition_level_encoding: levels } = head.data_page_header;
      this.#count(count);
      let data = await this.#unpacked(page, size);
      this.#present = null;
      if (this.#column.most > 0) {
        if (levels !== "RLE") refuse("unsupported", this.#where());
        const length = view(data).getUint32(0, true);
        this.#levels(data.subarray(4, 4 + length), count);
        data = data.subarray(4 + length);
      }
      this.#begin(data, encoding, count);
    } else if (head.type === "DATA_PAGE_V2") {
      const about = head.data_page_header_v2;
      const { num_values: count, definition_levels_byte_length: levels, repetition_levels_byte_length: repeated, is_compressed: sealed } = about;
      this.#count(count);
      if (repeated !== 0 || !(levels >= 0 && levels <= Math.min(packed, size))) refuse("damaged", this.#where());
      this.#present = null;
      if (this.#column.most > 0) this.#levels(page.subarray(0, levels), count);
      const data = page.subarray(levels);
      this.#begin(sealed ? await this.#unpacked(data, size - levels) : data, about.encoding, count);
    }
  }

  /** No page has more values than rows are left, since a row has one. */
  #count(count) {
    if (!(count >= 0 && count <= this.#rows)) refuse("damaged", this.#where());
  }

  /** A value is there where as much of its path is there as may be missing. */
  #levels(data, count) {
    const { most } = this.#column;
    const levels = new Uint8Array(count);
    hybrid(data, 32 - Math.clz32(most), levels);
    if (most > 1) for (let i = 0; i < count; i++) levels[i] = levels[i] === most ? 1 : 0;
    this.#present = levels.includes(0) ? levels : null;
  }

  #begin(data, encoding, count) {
    const present = this.#present ? this.#present.reduce((sum, one) => sum + one, 0) : count;
    this.#value = present === 0 ? null : this.#decoded(data, encoding, present);
    this.#index = 0;
    this.left = count;
    this.#rows -= count;
  }

  /** A function that gives the texts of so many values, one by one. */
  #decoded(data, encoding, count) {
    const { tell, element: { type, type_length } } = this.#column;
    const width = type === "FIXED_LEN_BYTE_ARRAY" ? type_length : undefined; // some write one for numbers too, in bits
    const reader = { view: view(data), offset: 0 };
    let next = 0;
    if (encoding === "PLAIN_DICTIONARY" || encoding === "RLE_DICTIONARY") {
      const dictionary = this.#dictionary;
      const indexes = new Uint32Array(count);
      hybrid(data.subarray(1), data[0], indexes);
      if (indexes.some((index) => index >= dictionary.length)) refuse("damaged", this.#where());
      return () => dictionary[indexes[next++]];
    }
    if (encoding === "RLE" && type === "BOOLEAN") {
      const values = new Uint8Array(count);
      hybrid(data.subarray(4, 4 + reader.view.getUint32(0, true)), 1, values);
      return () => tell(values[next++] === 1);
    }
    if (encoding === "PLAIN" && type === "BYTE_ARRAY" && tell.text) return texts(data, count);
    let values;
    if (encoding === "PLAIN") {
      if (count * (width || 1) > data.length * (type === "BOOLEAN" ? 8 : 1)) refuse("damaged", this.#where());
      values = readPlain(reader, type, count, width);
    } else if (encoding === "BYTE_STREAM_SPLIT") {
      if (count * (width || 1) > data.length) refuse("damaged", this.#where());
      values = byteStreamSplit(reader, count, type, width);
    } else if (encoding === "DELTA_BINARY_PACKED" && type === "INT32") {
      // As 64 bits: some write the first value of numbers without a sign with 33 bits, which the shorter way loses.
      deltaBinaryUnpack(reader, count, (values = new BigInt64Array(count)));
      values = Int32Array.from(values, (value) => Number(BigInt.asIntN(32, value)));
    } else if (encoding === "DELTA_BINARY_PACKED" && type === "INT64") {
      deltaBinaryUnpack(reader, count, (values = new BigInt64Array(count)));
    } else if (encoding === "DELTA_LENGTH_BYTE_ARRAY" && type === "BYTE_ARRAY") {
      deltaLengthByteArray(reader, count, (values = new Array(count)));
    } else if (encoding === "DELTA_BYTE_ARRAY" && (type === "BYTE_ARRAY" || type === "FIXED_LEN_BYTE_ARRAY")) {
      this.#boundDelta(data, count);
      deltaByteArray(reader, count, (values = new Array(count)));
    } else {
      refuse("unsupported", this.#where());
    }
    if (reader.offset > data.length) refuse("damaged", this.#where());
    return () => tell(values[next++]);
  }

  /** Values that repeat the beginning of the one before can be far longer together than the page. */
  #boundDelta(data, count) {
    const reader = { view: view(data), offset: 0 };
    const lengths = new Int32Array(count);
    let sum = 0;
    for (let part = 0; part < 2; part++) {
      deltaBinaryUnpack(reader, count, lengths);
      for (const length of lengths) if ((sum += length) > mostPages / 4 || length < 0) refuse("bomb", this.#where());
    }
    this.#hold(this.#size + sum);
  }

  /** The page as it was before it was packed. */
  async #unpacked(page, size) {
    const unpack = unpackers[this.#codec] ?? refuse("unsupported", this.#where());
    const data = await unpack(page, size, () => this.#room(size));
    if (data.length !== size) refuse("damaged", this.#where());
    return data;
  }

  /** Bytes for a page, the same again for each of the column: of a page nothing is held when the next one is read. */
  #room(size) {
    const column = this.#column;
    if (!(column.room?.length >= size)) column.room = new Uint8Array(size);
    return column.room.subarray(0, size);
  }

  /** The head of the next page. It does not say how long it is: it is skimmed first. */
  async #head() {
    for (let ahead = 1 << 12; ; ahead *= 8) {
      const data = await this.#need(Math.min(ahead, this.#end - this.#place));
      try {
        const length = skim(data);
        const head = parquetHeader({ view: view(data.subarray(0, length)), offset: 0 });
        this.#take(length);
        return head;
      } catch (error) {
        if (error !== tooShort || data.length >= this.#end - this.#place) throw error;
        if (ahead > mostHead) refuse("too-large", this.#where());
      }
    }
  }

  /** At least so many of the next bytes of the column. */
  async #need(count) {
    if (count > this.#end - this.#place) refuse("damaged", this.#where());
    if (this.#window.length - this.#at < count) {
      this.#window = await bytes(this.#file, this.#place, Math.min(this.#end, this.#place + Math.max(count, WINDOW)));
      this.#at = 0;
    }
    return this.#window.subarray(this.#at);
  }

  #take(count) {
    this.#at += count;
    this.#place += count;
  }
}

const view = (data) => new DataView(data.buffer, data.byteOffset, data.byteLength);

/** Each gives what a page was before it was packed, of so many bytes; room has as many, for those that take it. */
const unpackers = {
  UNCOMPRESSED: (page) => page,
  SNAPPY(page, size, room) {
    const data = room();
    snappyUncompress(page, data);
    return data;
  },
  async GZIP(page, size, room) {
    const data = room();
    let at = 0;
    for await (const piece of chunks(new Blob([page]).stream().pipeThrough(new DecompressionStream("gzip")))) {
      data.set(piece, at); // throws where it is longer
      at += piece.length;
    }
    return data.subarray(0, at);
  },
  BROTLI: decompressBrotli,
  ZSTD: (page, size, room) => decompressZstd(page, room().fill(0)),
  LZ4: decompressLz4,
  LZ4_RAW: decompressLz4Raw,
};

/** Reads runs and packed values of so many bits, as many as there is room for. */
function hybrid(data, width, values) {
  if (!(width >= 0 && width <= 32)) throw new RangeError("a width beyond 32 bits");
  let at = 0;
  const byte = () => {
    if (at === data.length) throw new RangeError("the page ends too early");
    return data[at++];
  };
  for (let seen = 0; seen < values.length && width > 0; ) {
    let head = 0;
    for (let shift = 0, more = true; more; shift += 7) {
      const next = byte();
      head += (next & 0x7f) * 2 ** shift;
      more = next > 0x7f;
      if (shift > 28) throw new RangeError("a length beyond 32 bits");
    }
    if (head % 2 === 0) {
      let value = 0;
      for (let shift = 0; shift < width; shift += 8) value += byte() * 2 ** shift;
      const end = Math.min(values.length, seen + head / 2);
      values.fill(value, seen, end);
      seen = end;
      continue;
    }
    const end = Math.min(values.length, seen + (head - 1) * 4);
    if (width <= 24) {
      const mask = (1 << width) - 1;
      let held = 0, bits = 0;
      for (; seen < end; seen++) {
        for (; bits < width; bits += 8) held |= byte() << bits;
        values[seen] = held & mask;
        held >>>= width;
        bits -= width;
      }
    } else {
      let held = 0, bits = 0;
      for (; seen < end; seen++) {
        for (; bits < width; bits += 8) held += byte() * 2 ** bits;
        values[seen] = held % 2 ** width;
        held = Math.floor(held / 2 ** width);
        bits -= width;
      }
    }
  }
}

const latin = new TextDecoder("latin1"), utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
const beyond = /[^\x00-\x7f]/;

/** Gives texts, each behind its length. Those of ASCII alone are cut from the page as one text, which is far faster. */
function texts(data, count) {
  const lengths = view(data);
  let at = 0;
  for (let i = 0; i < count; i++) at += 4 + lengths.getUint32(at, true);
  if (at > data.length) throw new RangeError("a text goes beyond its page");
  const all = latin.decode(data);
  at = 0;
  return () => {
    const start = at + 4;
    at = start + lengths.getUint32(at, true);
    const text = all.slice(start, at);
    return beyond.test(text) ? utf8.decode(data.subarray(start, at)) : text;
  };
}
