// A thread of Node that is, to one of our scripts, a worker of the browser: it has what they use of one. The scripts are those of the
// page, byte for byte.

import { openAsBlob } from "node:fs";
import { readFile } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import { databases } from "./stores.js";
import { startThread } from "./threads.js";

const { script, label, ledger } = workerData;

/** A worker that one of our scripts starts: the end of its address names its script. */
class Worker {
  onmessage = null;
  onerror = null;
  #thread;

  constructor(address, { name = "" } = {}) {
    this.#thread = startThread({ script: address.split("#/")[1], label: name });
    this.#thread.on("message", (data) => this.onmessage?.({ data }));
    this.#thread.on("error", ({ message }) => this.onerror?.({ message, preventDefault() {} }));
  }
  postMessage(message, moved) {
    const path = paths.get(message.file);
    this.#thread.postMessage(path ? { ...message, file: { path } } : message, moved);
  }
  terminate() {
    this.#thread.terminate();
  }
}

const paths = new WeakMap(); // of files on the disk: Node sends none of them to a thread

/** A file that is not there any more. */
const gone = {
  size: 0,
  slice() {
    throw new DOMException("the file is not there any more", "NotFoundError");
  },
};

/** Opens the file on the disk that a message names. */
async function opened(message) {
  const holder = message.source ?? message;
  const path = holder?.file?.path;
  if (!path) return message;
  const file = await openAsBlob(path).catch(() => gone);
  paths.set(file, path);
  const whole = { ...holder, file };
  return message.source ? { ...message, source: whole } : whole;
}

/** Reads a file of the package, as a server would send it. */
async function fetch(address) {
  const type = String(address).endsWith(".wasm") ? "application/wasm" : "text/plain";
  return new Response(await readFile(new URL(address, import.meta.url)), { headers: { "Content-Type": type } });
}

const realm = {
  self: globalThis, name: label ?? "", location: new URL(import.meta.url), localStorage: undefined, sessionStorage: undefined,
  navigator: globalThis.navigator ?? { userAgent: "Node" }, Worker, fetch, indexedDB: databases(ledger),
  onmessage: null, postMessage: (message, moved) => parentPort.postMessage(message, moved), close: () => setImmediate(() => process.exit()),
};
for (const [name, value] of Object.entries(realm)) Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });

let last = Promise.resolve(); // messages come in order
parentPort.on("message", (message) => {
  const data = opened(message);
  last = last.then(async () => globalThis.onmessage?.({ data: await data }));
});
await import(new URL(script, import.meta.url));
