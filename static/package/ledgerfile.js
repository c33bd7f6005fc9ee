// Who keeps a ledger in Node: two texts, which are read and written under a lock.
//
// A keeper of one's own has three functions. take() holds all others off and resolves with {ledger, own}, the texts that were given last,
// empty at first. give({ledger, own}) resolves once both are where no crash can lose them, own first, and lets others in; drop() lets them
// in with nothing changed. What take said before must stand until give has ended.

import { randomUUID } from "node:crypto";
import { link, lstat, open, readFile, realpath, rename, unlink } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PATIENCE = 30_000; // ms to wait for others
const PACE = 10; // ms between two looks

/**
 * A ledger in a file of the page's own export format, which the page imports, and beside it PATH.own: the key that names data sets, and what
 * only this ledger can use. PATH.lock is there while one of them is read or written. PATH is the file itself: a symbolic link to a ledger is
 * that ledger.
 */
export class LedgerFile {
  #path;
  #mark = ""; // of our lock
  #seen;

  /** @param {string | URL} path */
  constructor(path) {
    this.#path = path instanceof URL ? fileURLToPath(path) : path;
  }

  async take() {
    this.#path = await trueName(this.#path);
    await this.#lock();
    try {
      this.#seen = { ledger: await textOf(this.#path), own: await textOf(`${this.#path}.own`) };
      return this.#seen;
    } catch (error) {
      await this.drop();
      throw error;
    }
  }

  async give({ ledger, own }) {
    try {
      if ((await textOf(this.#lockPath)) !== this.#mark || (await textOf(this.#path)) !== this.#seen.ledger) {
        throw new Error("another program wrote it, without regard to the lock");
      }
      if (own !== this.#seen.own) await write(`${this.#path}.own`, own);
      if (ledger !== this.#seen.ledger) await write(this.#path, ledger);
    } finally {
      await this.drop();
    }
  }

  async drop() {
    const mark = this.#mark;
    this.#mark = "";
    if (mark && (await textOf(this.#lockPath)) === mark) await unlink(this.#lockPath);
  }

  get #lockPath() {
    return `${this.#path}.lock`;
  }

  async #lock() {
    const mark = JSON.stringify({ pid: process.pid, host: hostname(), turn: randomUUID() });
    for (const end = Date.now() + PATIENCE; ; ) {
      if (await create(this.#lockPath, mark)) break;
      const held = await textOf(this.#lockPath);
      if (held && abandoned(held)) await takeAway(this.#lockPath, held);
      else if (Date.now() > end) throw new Error("another program holds it");
      else await new Promise((resolve) => setTimeout(resolve, PACE));
    }
    this.#mark = mark;
  }
}

/** The ledger of who keeps it elsewhere: it counts what this process spends, and is gone with it. */
export class Memory {
  #texts = { ledger: "", own: "" };
  async take() {
    return this.#texts;
  }
  async give(texts) {
    this.#texts = texts;
  }
  async drop() {}
}

/** The one name of a file, which may not be there yet: two names of one ledger would be two locks, and two limits. */
async function trueName(path) {
  const there = await lstat(path).catch((error) => (error.code === "ENOENT" ? null : Promise.reject(error)));
  if (!there) return join(await realpath(dirname(path)), basename(path));
  const name = await realpath(path).catch((error) => {
    throw error.code === "ENOENT" ? new Error(`${path} is a link to a file that is not there`) : error;
  });
  const file = await lstat(name);
  if (!file.isFile()) throw new Error(`${name} is no file`);
  if (file.nlink > 1) throw new Error(`${name} has ${file.nlink} names (hard links): leave it one, or copy it`);
  return name;
}

/** Creates a file with a text at once, or answers false where there is one. */
async function create(path, text) {
  const made = `${path}.${randomUUID()}`;
  const file = await open(made, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.close();
    await link(made, path);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  } finally {
    await unlink(made);
  }
}

/** Whether whoever made a lock on this machine has ended. */
function abandoned(mark) {
  try {
    const { pid, host } = JSON.parse(mark);
    if (host !== hostname()) return false;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}

/** Takes an abandoned lock away, and puts back what another made in its place meanwhile. */
async function takeAway(path, mark) {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (error.code === "ENOENT") return; // another did
    throw error;
  }
  if ((await textOf(aside)) !== mark) await link(aside, path).catch(() => {}); // give looks whether its lock still stands
  await unlink(aside);
}

async function textOf(path) {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return "";
    throw error;
  }
}

/** Writes a file whole: it, and its name, are on the disk when this resolves. */
async function write(path, text) {
  const made = `${path}.${randomUUID()}.new`;
  const file = await open(made, "wx", 0o600); // it is ours: no file and no link was there
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(made, path);
  const directory = await open(dirname(path), "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
