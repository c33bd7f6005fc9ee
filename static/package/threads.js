// Workers of the browser, played by threads of Node. Each runs thread.js, which loads one of our scripts.

import { MessageChannel, Worker } from "node:worker_threads";

/** A worker of one of our scripts, as hush.js uses it. It keeps the program running only while it starts and while a call is open. */
export class Thread {
  onmessage = null;
  onerror = null;
  #worker;
  #open = new Set(); // ids of calls
  #begun = false; // it is ready

  /** @param {?{take: Function, give: Function, drop: Function}} keeper of the ledger */
  constructor(script, label, keeper) {
    const { port1, port2 } = new MessageChannel();
    serve(port1, keeper);
    this.#worker = startThread({ script, label, ledger: keeper && port2 }, keeper ? [port2] : []);
    if (!keeper) port1.close();
    this.#worker.on("message", (data) => {
      this.#count(data);
      this.onmessage?.({ data });
    });
    this.#worker.on("error", ({ message }) => this.onerror?.({ message, preventDefault() {} }));
  }

  postMessage(message) {
    if (message.op !== "cancel") this.#open.add(message.id);
    this.#hold();
    this.#worker.postMessage(message);
  }

  terminate() {
    this.#worker.terminate();
  }

  #count({ op, id, progress }) {
    if (op === "ready") this.#begun = true;
    if (id !== undefined && !progress) this.#open.delete(id);
    this.#hold();
  }

  #hold() {
    if (!this.#begun || this.#open.size) this.#worker.ref();
    else this.#worker.unref();
  }
}

export const startThread = (workerData, transferList = []) => new Worker(new URL("thread.js", import.meta.url), { workerData, transferList });

/** Answers what a thread asks of the keeper of its ledger, one after the other. A thread that ends while it has the ledger lets it go. */
function serve(port, keeper) {
  if (!keeper) return;
  let last = Promise.resolve();
  let taken = false;
  const answer = async ({ id, op, texts }) => {
    try {
      if (op !== "take") taken = false; // whatever comes of it
      const result = await keeper[op](texts);
      if (op === "take") taken = true;
      port.postMessage({ id, result });
    } catch (error) {
      port.postMessage({ id, error: { code: error.code, message: error.message } });
    }
  };
  port.on("message", (message) => (last = last.then(() => answer(message))));
  port.on("close", () => (last = last.then(() => taken && keeper.drop()).catch(() => {})));
  port.unref(); // the open call keeps the program running
}
