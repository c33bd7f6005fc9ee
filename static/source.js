// The file that the engine holds, as the bytes of a table of text: as it is, or, where it is no plain text, as the reader of its kind
// makes it, in a worker of its own (reader.js).

import { startWorker } from "./trust.js";
import { fault } from "./fault.js";
import { recognise } from "./formats.js";

const PIECE = 4 << 20; // bytes of a reader's piece that are passed on at once
const ROOM = 512 << 10; // bytes of a piece, as reader.js has them
const PATIENCE = 5000; // ms for a worker to begin: about one in fifty that Firefox starts never does
const TRIES = 3;

/** A file that a reader makes CSV of. */
export class Source {
  #worker = null;
  #waiting = []; // ends of promises, in the order of what was asked

  /** What the file is and how it is to be read: options that leave its kind open, or name another one than it is, leave all open. */
  static async of(file, options) {
    const format = await recognise(file);
    const given = options.format ?? "";
    return new Source(file, format, given === format ? options : format ? { format } : given ? {} : options);
  }

  constructor(file, format, options) {
    this.file = file;
    this.format = format;
    this.options = options;
    this.own = {}; // as it would be read by itself, as far as a reader says
    this.parts = []; // once load was called
    this.notes = []; // once a part was read
  }

  /** Whether a reader is needed. */
  get made() {
    return this.format !== "";
  }

  /** Loads the reader, and lists the parts of the file; where the options name none, one is chosen. */
  async load(requests) {
    if (!this.made || this.#worker) return;
    for (let tries = 1; !this.#worker; tries++) {
      this.#worker = await begin(this.#hear(requests));
      if (!this.#worker && tries === TRIES) throw fault("failed", "the reader of this kind of file could not be started. Open the file again");
    }
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#fail({ key: "damaged", where: {} });
    };
    const { parts } = await this.#ask({ file: this.file, format: this.format });
    this.parts = parts.map(({ name, rows }) => ({ name, rows }));
    const likely = Math.max(0, parts.findIndex((part) => part.likely));
    const part = this.options.part || likely + 1;
    this.own = { ...parts[likely]?.options, format: this.format, part: likely + 1 };
    this.options = { ...parts[part - 1]?.options, ...this.options, part };
  }

  /** The bytes of the part that is read, piece by piece: {piece, done}, where done is how much of the file is read. */
  async *pieces(requests) {
    await this.load(requests);
    this.#worker.postMessage({ part: this.options.part - 1, options: this.options });
    let next = this.#ask({ next: true });
    next.catch(() => {});
    let room; // of a piece that was used: left to itself Chromium keeps hundreds of megabytes of them
    for (;;) {
      const { piece, done, notes } = await next;
      if (!piece) {
        this.notes = notes;
        return;
      }
      next = this.#ask({ next: true, room }, room ? [room] : []); // one ahead
      next.catch(() => {});
      for (let at = 0; at < piece.length; at += PIECE) yield { piece: piece.subarray(at, at + PIECE), done };
      room = piece.buffer.byteLength === ROOM ? piece.buffer : undefined;
    }
  }

  /** Ends the worker. The next reading starts another. */
  close() {
    this.#worker?.terminate();
    this.#worker = null;
    this.#waiting = [];
  }

  /** Ends what is asked of the worker with an error: what it does cannot be interrupted otherwise. */
  stop(error) {
    const waiting = this.#waiting;
    this.close();
    for (const { reject } of waiting) reject(error);
  }

  #ask(message, moved = []) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(message, moved);
    });
  }

  #hear = (requests) => (data) => {
    if (data.requests) return requests(data.requests);
    if (data.error) return this.#fail(data.error);
    this.#waiting.shift()?.resolve(data);
  };

  /** After an error the worker is of no more use: the answers would not be those to the questions. */
  #fail({ key, where, code, message }) {
    this.stop(code ? fault(code, message) : Object.assign(new Error(key), { reader: { format: this.format, key, where } }));
  }
}

/** Starts a worker, or gives up where it does not begin. */
function begin(hear) {
  return new Promise((resolve) => {
    const worker = startWorker("reader.js");
    const late = setTimeout(() => {
      worker.terminate();
      resolve(null);
    }, PATIENCE);
    worker.onmessage = ({ data }) => {
      if (!data.ready) return hear(data);
      clearTimeout(late);
      resolve(worker);
    };
  });
}
