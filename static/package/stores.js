// What ledger.js and answers.js use of IndexedDB, over two texts that are kept elsewhere: the ledger, as the page exports it, and what
// belongs to this ledger alone. A transaction takes both texts from their keeper, which holds all others off, and gives them back, on
// the disk, before it ends.
//
// The ledger may have been written by others meanwhile, as from a copy: what it has more is taken in, what it has less is written into it
// again. So what was spent only grows, whichever of the two texts a crash, a mistake or a backup made older.

import { randomBytes, randomUUID, webcrypto } from "node:crypto";
import { LedgerError } from "./ledger.js";

const FORMAT = "hush-ledger";
const OWN_FORMAT = "hush-ledger-own";
const SCHEMA = 1; // of an account, as in ledger.js
const LONGEST = 4096; // characters of a number of a loss, as in web/engine/ledger_file.go
const CURVE = { name: "ECDSA", namedCurve: "P-256" };

const paths = { accounts: "fingerprint", entries: "id", receipts: "id", kept: "entry" }; // what an item is filed under; else it is told

/** In place of indexedDB: the ledger, and answers, which are not kept. @param {?import("node:worker_threads").MessagePort} port to the keeper */
export function databases(port) {
  const keeper = port && new Keeper(port);
  const answers = new Answers();
  return {
    open(name) {
      if (name !== "hush") return request(() => new Database(answers));
      if (!keeper) throw new LedgerError("no-storage", "no ledger was named, so nothing can be drawn: give Hush.open the path of a ledger file");
      return request(async () => {
        await keeper.begin();
        return new Database(keeper);
      });
    },
  };
}

/** A request of IndexedDB's, for work that ends at any time. */
function request(work) {
  const made = { result: undefined, error: null, onsuccess: null, onerror: null };
  Promise.resolve()
    .then(work)
    .then((result) => ((made.result = result), made.onsuccess?.({ target: made })), (error) => ((made.error = error), made.onerror?.({ target: made })));
  return made;
}

class Database {
  onversionchange = null;
  #keeper;
  constructor(keeper) {
    this.#keeper = keeper;
  }
  transaction(names, mode) {
    return new Transaction(this.#keeper, mode);
  }
  close() {}
}

/** Requests are carried out in order once the stores are here; when none is left the transaction ends. */
class Transaction {
  oncomplete = null;
  onabort = null;
  error = null;
  #keeper;
  #mode;
  #requests = [];
  #ended = false;
  #stopped = false;

  constructor(keeper, mode) {
    this.#keeper = keeper;
    this.#mode = mode;
    this.#go();
  }

  objectStore(name) {
    const path = paths[name];
    const copy = name === "keys" ? (key) => key : copied;
    const ask = (work) => this.#ask((stores) => work(stores[name]));
    return {
      get: (key) => ask((store) => copy(store.get(key))),
      getAll: () => ask((store) => [...store.keys()].sort().map((key) => copy(store.get(key)))),
      put: (item, key) => ask((store) => void store.set(path ? item[path] : key, copy(item))),
      add: (item) =>
        ask((store) => {
          if (store.has(item[path])) throw new Error(`there is one of this name already: ${item[path]}`);
          store.set(item[path], copy(item));
        }),
      delete: (key) => ask((store) => void store.delete(key)),
      clear: () => ask((store) => store.clear()),
      index: (field) => {
        const found = (store, key) => [...store.values()].filter((item) => (Array.isArray(item[field]) ? item[field].includes(key) : item[field] === key));
        return {
          get: (key) => ask((store) => copy(found(store, key)[0])),
          getAll: (key) => ask((store) => found(store, key).map(copy)),
          count: (key) => ask((store) => found(store, key).length),
        };
      },
    };
  }

  abort() {
    if (this.#ended) throw new Error("the transaction has ended");
    this.#stopped = true;
  }

  #ask(work) {
    if (this.#ended) throw new Error("the transaction has ended");
    const made = { work, result: undefined, error: null, onsuccess: null, onerror: null };
    this.#requests.push(made);
    return made;
  }

  async #go() {
    let stores;
    try {
      stores = await this.#keeper.take();
      for (;;) {
        await new Promise(setImmediate); // whoever waited for the last one has asked for the next
        const next = this.#requests.shift();
        if (this.#stopped || !next) break;
        try {
          next.result = next.work(stores);
          next.onsuccess?.({ target: next });
        } catch (error) {
          next.error = this.error = error;
          next.onerror?.({ target: next });
          this.#stopped = true;
        }
      }
      this.#ended = true;
      if (this.#stopped || this.#mode === "readonly") await this.#keeper.drop();
      else await this.#keeper.give(stores);
    } catch (error) {
      this.error = error;
      this.#stopped = this.#ended = true;
      for (const made of this.#requests.splice(0)) {
        made.error = error;
        made.onerror?.({ target: made });
      }
      await new Promise(setImmediate); // whoever asked hears of it first
    }
    if (this.#stopped) this.onabort?.();
    else this.oncomplete?.();
  }
}

/** What is stored and what was read are never the same object. */
const copied = (item) => (item === undefined ? item : JSON.parse(JSON.stringify(item)));

/** The answers are their caller's, so nothing keeps them: the switch that says so is as the page has it. */
class Answers {
  #stores = { kept: new Map(), texts: new Map(), settings: new Map([["off", true]]) };
  async take() {
    return this.#stores;
  }
  async give() {}
  async drop() {}
}

/** The ledger's stores, by way of the thread that keeps its texts. */
class Keeper {
  #port;
  #waiting = new Map();
  #last = 0;
  #turn = Promise.resolve(); // of transactions: one at a time
  #done;
  #keys; // those of this ledger, made from what its own text says
  #own; // that, as read or made

  constructor(port) {
    this.#port = port;
    port.on("message", ({ id, result, error }) => {
      const { resolve, reject } = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error) reject(new LedgerError("no-storage", `the ledger cannot be kept: ${error.message}`));
      else resolve(result);
    });
    port.unref();
  }

  /** Makes the keys of a ledger that has none yet, and keeps them before anything hangs on them. */
  async begin() {
    const stores = await this.take();
    await this.give(stores);
  }

  async take() {
    const before = this.#turn;
    let done;
    this.#turn = new Promise((resolve) => (done = resolve));
    await before;
    this.#done = done;
    try {
      const { ledger, own } = await this.#ask("take");
      try {
        return await this.#read(ledger, own);
      } catch (error) {
        await this.#ask("drop");
        throw error;
      }
    } catch (error) {
      done();
      throw error;
    }
  }

  async give(stores) {
    const own = { ...this.#own, accounts: all(stores.accounts), entries: all(stores.entries), receipts: all(stores.receipts) };
    try {
      await this.#ask("give", { own: text(own), ledger: text(ledgerOf(stores)) });
    } finally {
      this.#done();
    }
  }

  async drop() {
    try {
      await this.#ask("drop");
    } finally {
      this.#done();
    }
  }

  #ask(op, texts) {
    const id = ++this.#last;
    this.#port.postMessage({ id, op, texts });
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  async #read(ledger, ownText) {
    const file = ledger && parsed(ledger, FORMAT, 3);
    if (!ownText && file && file.dataSets.length) {
      throw new LedgerError("ledger-damaged", "what is kept beside the ledger is missing (PATH.own), and with it the key that knows its data sets again: put it back, or begin a new ledger and import this one, which counts nothing of it for the files that you open");
    }
    const own = ownText ? parsed(ownText, OWN_FORMAT, 1) : await fresh();
    if (this.#own && this.#own.key !== own.key) throw new LedgerError("ledger-damaged", "the key of this ledger is another one since it was opened");
    const { format, version, key, signing } = own;
    this.#own = { format, version, key, signing };
    this.#keys ??= await keysOf(own);
    const stores = { keys: this.#keys, accounts: byPath(own.accounts, "fingerprint"), entries: byPath(own.entries, "id"), receipts: byPath(own.receipts, "id") };
    if (file) takeIn(stores, file);
    return stores;
  }
}

const text = (value) => `${JSON.stringify(value, null, 2)}\n`;
const all = (store) => [...store.keys()].sort().map((key) => store.get(key));
const byPath = (items = [], path) => new Map(items.map((item) => [item[path], item]));

function parsed(text, format, latest) {
  let file;
  try {
    file = JSON.parse(text);
  } catch {
    throw new LedgerError("bad-ledger", "this ledger file cannot be read: it is damaged, or no ledger at all");
  }
  if (file?.format !== format) throw new LedgerError("bad-ledger", `this ledger file cannot be read: its format is not "${format}"`);
  if (!(file.version >= 1 && file.version <= latest)) throw new LedgerError("bad-ledger", `this ledger file cannot be read: it is of version ${file.version}, and this reads versions 1 to ${latest}`);
  const lists = format === FORMAT ? [file.dataSets] : [file.accounts ?? [], file.entries ?? [], file.receipts ?? []];
  if (!lists.every(Array.isArray) || (format === FORMAT && !file.dataSets.every((set) => Array.isArray(set?.releases)))) throw new LedgerError("bad-ledger", "this ledger file cannot be read: a list is missing");
  return file;
}

/** The keys of a new ledger: they stay in the own text, and are in no export. */
async function fresh() {
  const { privateKey } = await webcrypto.subtle.generateKey(CURVE, true, ["sign", "verify"]);
  return { format: OWN_FORMAT, version: 1, key: randomBytes(32).toString("hex"), signing: await webcrypto.subtle.exportKey("jwk", privateKey) };
}

async function keysOf({ key, signing: { d, ...open } }) {
  const { subtle } = webcrypto;
  const fingerprint = await subtle.importKey("raw", Buffer.from(key, "hex"), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const privateKey = await subtle.importKey("jwk", { ...open, d, key_ops: ["sign"] }, CURVE, false, ["sign"]);
  const publicKey = await subtle.importKey("jwk", { ...open, key_ops: ["verify"] }, CURVE, true, ["verify"]);
  return new Map([["fingerprint", fingerprint], ["signing", { privateKey, publicKey }]]);
}

/** Adds what a ledger has and the stores have not. Its limits hold: whoever has the file sets them. */
function takeIn({ accounts, entries, receipts }, file) {
  const others = [...accounts.values()];
  for (const { fingerprint, browser, limit, lost = [], looked, frozen, releases } of file.dataSets) {
    const here = accounts.get(fingerprint) ?? others.find(({ also }) => also?.includes(fingerprint));
    const record = here ?? { fingerprint, browser, revision: 0, count: 0, limit, schema: SCHEMA, ...(looked && { looked }), ...(frozen && { frozen }) };
    const set = record.fingerprint;
    let more = 0;
    for (const release of releases) {
      const before = entries.get(release.id);
      if (before && (before.fingerprint !== set || before.task !== release.task || before.time !== release.time)) {
        throw new LedgerError("bad-ledger", `this ledger file contradicts what is kept beside it: the release ${release.id} is another one there`);
      }
      if (before) continue;
      entries.set(release.id, { ...release, fingerprint: set, schema: SCHEMA });
      if (!receipts.has(release.id)) more++;
      receipts.set(release.id, { id: release.id, fingerprint: set });
    }
    for (const id of lost.filter((id) => !receipts.has(id))) {
      receipts.set(id, { id, fingerprint: set });
      more++;
    }
    if (here && here.fingerprint === fingerprint) {
      record.limit = limit;
      if (looked) record.looked ||= looked;
      if (record.looked || looked) {
        const left = new Set((frozen ?? []).map((recipe) => JSON.stringify(recipe)));
        record.frozen = record.frozen?.filter((recipe) => left.has(JSON.stringify(recipe)));
      }
    }
    if (more) Object.assign(record, { count: record.count + more, revision: record.revision + 1, era: (record.era ?? 0) + 1, total: undefined });
    accounts.set(set, record);
  }
}

/** The ledger of the stores, as WriteLedger (web/engine/ledger_file.go) writes it. */
function ledgerOf({ accounts, entries, receipts }) {
  let version = 1;
  const of = new Map(all(accounts).map(({ fingerprint }) => [fingerprint, { entries: [], lost: [] }]));
  for (const entry of all(entries)) of.get(entry.fingerprint).entries.push(entry);
  for (const { id, fingerprint } of all(receipts)) if (!entries.has(id)) of.get(fingerprint).lost.push(id);
  const dataSets = all(accounts).map((record) => {
    const { entries, lost } = of.get(record.fingerprint);
    const missing = record.count > entries.length + lost.length;
    if (missing) lost.push(randomUUID()); // it can be said only by naming one
    const releases = entries.sort((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time))).map(({ id, task, loss, time, questions, replaces }) => {
      if (questions || loss.rest) version = Math.max(version, 2);
      if (replaces) version = 3;
      const { odds, ...rest } = loss;
      return { id, task, loss: odds?.length > LONGEST ? rest : loss, time, ...(questions && { questions }), ...(replaces && { replaces }) };
    });
    const { fingerprint, browser, limit, looked, frozen } = record;
    return { fingerprint, browser, limit, ...(lost.length && { lost }), ...(looked && { looked }), ...(frozen?.length && { frozen }), releases };
  });
  return { format: FORMAT, version, dataSets };
}
