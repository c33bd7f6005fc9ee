// The client in Node, from version 20 on: the same engine, in a worker thread, with a ledger that its caller names.
//
//   import { Hush } from "hush-engine";
//   const hush = await Hush.open({ ledger: "ledger.json" });
//   const opening = await hush.file("people.csv");
//
// A file is a path, a Blob, or bytes. Without a ledger nothing is drawn.

import { access, constants } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Hush as Client, HushError } from "./hush.js";
import { LedgerFile, Memory } from "./ledgerfile.js";
import { Thread } from "./threads.js";

export { HushError, LedgerFile };

const ownWords = { ledger: "none", iKeepItMyself: true };

/** As the client of the page, but for what a file is, and for the ledger. */
export class Hush extends Client {
  /**
   * @param {{ledger?: string | URL | object, iKeepItMyself?: boolean, patience?: number}} [options] ledger: the path of a ledger file, or
   *   an object that keeps two texts, see LedgerFile; "none" with iKeepItMyself: true counts what is spent in this process alone
   */
  constructor({ ledger, iKeepItMyself, patience } = {}) {
    const keeper = keeperOf(ledger, iKeepItMyself);
    super({ patience, start: (script, { name }) => new Thread(script, name, keeper) });
  }

  /** @param {string | URL | Blob | ArrayBuffer | ArrayBufferView} file a string is a path */
  async open(file, options, how) {
    return super.open(await sent(file), options, how);
  }
}

/** Who keeps the ledger; null: nobody. */
function keeperOf(ledger, iKeepItMyself) {
  if (ledger === undefined) return null;
  if (ledger === ownWords.ledger) {
    if (iKeepItMyself === ownWords.iKeepItMyself) return new Memory();
    throw refused("ledger", ledger, "iKeepItMyself: true beside it, or the path of a ledger file");
  }
  if (typeof ledger === "string" || ledger instanceof URL) return new LedgerFile(ledger);
  if (["take", "give", "drop"].every((name) => typeof ledger?.[name] === "function")) return ledger;
  throw refused("ledger", String(ledger), "the path of a ledger file, or an object with take, give and drop");
}

const refused = (field, value, want) => new HushError({ code: "refused", message: `${field}: want ${want}`, field, value, want });

/** A file as a thread is sent it: Node sends no Blob of a file on the disk, so that goes by its path. */
async function sent(file) {
  if (file instanceof Blob) return file.slice(0, file.size); // not every Node can send a File
  if (file instanceof ArrayBuffer || ArrayBuffer.isView(file)) return new Blob([file]);
  if (typeof file !== "string" && !(file instanceof URL)) throw refused("file", typeof file, "a path, a Blob, or bytes");
  const path = resolve(file instanceof URL ? fileURLToPath(file) : file);
  await access(path, constants.R_OK).catch(({ code }) => {
    throw new HushError({ code: "unreadable-file", message: `the file cannot be read (${code})` });
  });
  return { path };
}
