// What readers share: how a table is written as CSV, and how a file is refused. See README.md.

/** Ends the reading: key names why, one of core/table/unread.go, where is {part?, row?, line?, column?, byte?}. */
export function refuse(key, where = {}) {
  throw Object.assign(new Error(key), { key, where });
}

const MOST = 16 << 20; // bytes of a row, as core/table has it
const PIECE = 1 << 18; // characters that are turned into bytes at once
const special = /[",\n\r\ufeff]/;

/** Writes rows as CSV that core/table reads as they are: UTF-8, commas, double quotes where needed, LF behind each row. */
export class Rows {
  #text = "";
  #row = 0;
  #encoder = new TextEncoder();

  /** Adds a row of texts; null and undefined are empty cells. It is never an empty line. */
  add(cells) {
    let line = "";
    for (let i = 0; i < cells.length; i++) {
      const cell = cells[i] ?? "";
      if (i > 0) line += ",";
      line += special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
    }
    this.#row++;
    if (line.length > MOST / 3 && (line.length > MOST || this.#encoder.encode(line).length > MOST)) refuse("too-large", { row: this.#row });
    this.#text += line === "" ? '""\n' : `${line}\n`;
  }

  /** Whether enough is held to be taken. */
  get full() {
    return this.#text.length >= PIECE;
  }

  /** The bytes of the rows since the last time. */
  take() {
    const bytes = this.#encoder.encode(this.#text);
    this.#text = "";
    return bytes;
  }
}

/** The bytes of a file from one place up to another, in memory: for what is small by its nature. */
export const bytes = async (file, from, to) => new Uint8Array(await file.slice(from, to).arrayBuffer());

/** Yields what a stream brings, and tells how many bytes of it were read. */
export async function* chunks(stream, told = () => {}) {
  const reader = stream.getReader();
  let read = 0;
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      told((read += value.length));
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** A stream of a file's slice whose reading is told by its place in the file. */
export const watched = (slice, from, told) => slice.stream().pipeThrough(new TransformStream({
  transform(chunk, controller) {
    told((from += chunk.length));
    controller.enqueue(chunk);
  },
}));
