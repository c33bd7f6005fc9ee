// The ledger: which releases were made from which data set, and what each of them cost. It lives in IndexedDB.
//
// Rules of this file:
// - No data, no file names, no statistics: fingerprints, task names, published names of columns, exact losses, times,
//   and what their owner calls the data sets.
// - A debit is written before the run it pays for and never taken back.
// - It does no arithmetic on losses. The engine's Go code adds exact fractions and decides; this file makes sure
//   that nobody wrote between the decision and the debit, and that nothing was lost since.

const DATABASE = "hush";
const VERSION = 1; // of the stores below
const SCHEMA = 1; // of an entry

/**
 * One debit. Losses are exact fractions as text, "1/10".
 * @typedef {Object} Entry
 * @property {string} id
 * @property {string} fingerprint the data set it was spent on
 * @property {string} task the task's name in the catalogue
 * @property {Object} loss as the engine states it
 * @property {string} [column] the published name of the column that was asked about
 * @property {string} time ISO 8601
 * @property {number} schema
 */

/**
 * What was spent on one data set: limit is the most that may be, null where somebody took it away; entries are oldest
 * first; damaged says that some are missing (lost: their ids, as far as known), so that nobody knows. browser is the
 * public name of the key that made the fingerprint, elsewhere says that it is not ours. looked is when its owner chose to see
 * what the data really say, empty before; frozen are the questions fixed before that. nickname is what the owner calls it.
 * Every write raises revision.
 * @typedef {{fingerprint: string, browser: string, elsewhere: boolean, nickname: string, limit: ?Object, entries: Entry[],
 *   damaged: boolean, lost: string[], looked: string, frozen: Object[]}} Spending
 * @typedef {{revision: number, spending: Spending}} Account
 */

/** An error with a code: "no-storage", "ledger-damaged" or "bad-ledger". */
export class LedgerError extends Error {
  constructor(code, message, options) {
    super(message, options);
    this.code = code;
  }
}

export class Ledger {
  #db;
  #key;
  #browser; // the public name of #key
  #limit; // of a data set that has none of its own yet

  constructor(db, key, browser, limit) {
    this.#db = db;
    this.#key = key;
    this.#browser = browser;
    this.#limit = limit;
    // Another tab may upgrade or delete the database; holding on would block it. Later calls then refuse.
    db.onversionchange = () => db.close();
  }

  /**
   * Opens the ledger and shows that it can be written: a refusal comes now, not after a file was read.
   * @param {Object} limit of each data set until somebody sets another
   * @returns {Promise<Ledger>} rejects with "no-storage"
   */
  static open(limit) {
    return stored(async () => {
      if (!globalThis.crypto?.subtle) throw new Error("this page is not served over HTTPS");
      const db = await connect();
      try {
        const key = await fingerprintKey(db);
        // The text is no row of digests of 32 bytes, so this is no data set's name.
        const browser = (await mac(key, new TextEncoder().encode("the browser of this ledger"))).slice(0, 16);
        return new Ledger(db, key, browser, limit);
      } catch (error) {
        db.close();
        throw error;
      }
    });
  }

  /**
   * Names a data set by an HMAC over the digests of its chunks. The key never leaves this browser, so the name says
   * nothing about the data to anybody else, not even to one who has a copy.
   * @param {Uint8Array} digests
   * @returns {Promise<string>} 64 hexadecimal digits
   */
  fingerprint(digests) {
    return mac(this.#key, digests);
  }

  /** @returns {Promise<Account>} */
  account(fingerprint) {
    return this.#transact("readonly", async (accounts, entries) => {
      const record = (await settled(accounts.get(fingerprint))) ?? this.#blank(fingerprint);
      return this.#assemble(record, await settled(entries.index("fingerprint").getAll(fingerprint)));
    });
  }

  /** @returns {Promise<Account[]>} every data set that anything was spent on or a limit was set for */
  accounts() {
    return this.#transact("readonly", async (accounts, entries) => {
      const records = await settled(accounts.getAll());
      const all = await settled(entries.getAll());
      const of = ({ fingerprint }) => all.filter((entry) => entry.fingerprint === fingerprint);
      return records.map((record) => this.#assemble(record, of(record)));
    });
  }

  /**
   * Appends one debit. charge sees all that was spent and returns what to add ({task, loss, column, frozen}), or throws to refuse;
   * it is asked again when another tab wrote meanwhile, so two tabs cannot both spend the last of a limit.
   * @param {string} fingerprint
   * @param {number} known a revision seen before: a ledger behind it was cleared, and is refused
   * @param {(account: Account) => {task: string, loss: Object, column: string|undefined, frozen: Object[]}} charge takes no time: it may not wait
   * @returns {Promise<number>} the new revision, once the debit is on the disk; or rejects with "ledger-damaged"
   */
  async debit(fingerprint, known, charge) {
    for (;;) {
      const account = await this.account(fingerprint);
      if (account.revision < known || account.spending.damaged) throw damaged();
      const { task, loss, column, frozen } = charge(account);
      const entry = { id: crypto.randomUUID(), fingerprint, task, loss, column, time: new Date().toISOString(), schema: SCHEMA };
      if (await this.#write(fingerprint, account.revision, { entry, frozen })) return account.revision + 1;
    }
  }

  /** Sets the most that may be spent on a data set, or null for no limit. */
  setLimit(fingerprint, limit) {
    return this.#change(fingerprint, () => ({ limit }));
  }

  /** Sets what the owner of a data set calls it. It stays here: no ledger file holds it. */
  setNickname(fingerprint, nickname) {
    return this.#change(fingerprint, () => ({ nickname }));
  }

  /** Fixes questions of a data set: add sees what is there and returns all of them, or throws to refuse. */
  freeze(fingerprint, add) {
    return this.#change(fingerprint, (account) => ({ frozen: add(account) }));
  }

  /** Notes that the owner of a data set chose to see what it really says. That is never taken back. */
  look(fingerprint) {
    return this.#change(fingerprint, ({ spending }) => ({ looked: spending.looked || new Date().toISOString() }));
  }

  /** Writes changes that are made anew when another tab wrote meanwhile; answers the new revision. */
  async #change(fingerprint, changes) {
    for (;;) {
      const account = await this.account(fingerprint);
      if (await this.#write(fingerprint, account.revision, changes(account))) return account.revision + 1;
    }
  }

  /**
   * Adds what a ledger file holds, all of it or nothing, in one transaction. Nothing that is here is changed or taken
   * away: an entry that is here already stays, and so does the limit of a data set that is known here. A data set that was
   * looked at there was looked at, and only the questions that are frozen both there and here remain so.
   * @param {Spending[]} spendings as the engine read them
   * @returns {Promise<{dataSets: number, added: number, known: number, elsewhere: number}>} the data sets of the file, how
   *   many of its releases were new here and how many not, and how many data sets have another browser's fingerprint
   */
  merge(spendings) {
    return this.#transact("readwrite", async (accounts, entries) => {
      const sum = { dataSets: spendings.length, added: 0, known: 0, elsewhere: 0 };
      for (const { fingerprint, browser, limit, entries: read, lost = [], looked, frozen } of spendings) {
        const fresh = { ...this.#blank(fingerprint), browser, limit: limit ?? this.#limit, frozen };
        const record = (await settled(accounts.get(fingerprint))) ?? fresh;
        const ids = new Set([...record.ids, ...lost]);
        for (const entry of read) {
          const held = await settled(entries.get(entry.id));
          if (held && !same(held, entry)) throw contradicts(entry);
          if (!held) entries.add(entry);
          sum[held ? "known" : "added"]++;
          ids.add(entry.id);
        }
        if (record.browser !== this.#browser) sum.elsewhere++;
        if (looked) {
          const kept = new Set(frozen?.map(plain));
          Object.assign(record, { looked: record.looked || looked, frozen: record.frozen?.filter((recipe) => kept.has(plain(recipe))) });
        }
        accounts.put({ ...record, revision: record.revision + 1, ids: [...ids] });
      }
      return sum;
    });
  }

  /** Writes in one transaction, unless the account has another revision by now: then it answers false. */
  #write(fingerprint, revision, { entry, ...changes }) {
    return this.#transact("readwrite", async (accounts, entries) => {
      const record = (await settled(accounts.get(fingerprint))) ?? this.#blank(fingerprint);
      const held = await settled(entries.index("fingerprint").getAllKeys(fingerprint));
      if (record.revision !== revision) return false;
      if (!whole(record, held)) throw damaged();
      if (entry) entries.add(entry);
      accounts.put({ ...record, ...changes, revision: revision + 1, ids: entry ? [...held, entry.id] : held });
      return true;
    });
  }

  #transact(mode, work) {
    return stored(() => transact(this.#db, ["accounts", "entries"], mode, work));
  }

  #assemble(record, entries) {
    entries.sort((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time)));
    const { fingerprint, browser, revision, nickname = "", limit, looked = "", frozen } = record;
    const held = entries.map(({ id }) => id);
    const lost = record.ids.filter((id) => !held.includes(id));
    const spending = { fingerprint, browser, elsewhere: browser !== this.#browser, nickname, limit, entries, damaged: !whole(record, held), lost, looked, frozen: frozen ?? [] };
    return { revision, spending };
  }

  /** The account of a data set that is not known yet. ids are those of its entries, kept apart to see when one is lost. */
  #blank(fingerprint) {
    return { fingerprint, browser: this.#browser, revision: 0, ids: [], limit: this.#limit, schema: SCHEMA };
  }
}

/** Whether the entries held are those that were written. */
const whole = ({ ids }, held) => ids.length === held.length && ids.every((id) => held.includes(id));

/** A question as text, whatever the order of its fields. */
const plain = (value) => JSON.stringify(value, (_, part) => (part?.constructor === Object ? Object.fromEntries(Object.entries(part).sort()) : part));

const same = (a, b) => ["id", "fingerprint", "task", "loss", "time"].every((field) => JSON.stringify(a[field]) === JSON.stringify(b[field]));

const contradicts = ({ id }) =>
  new LedgerError("bad-ledger", `this ledger file contradicts the ledger of this browser: the release ${id} is another one here. Nothing was taken from it`);

export const damaged = () =>
  new LedgerError("ledger-damaged", "the ledger has lost entries of this data set, so what was spent is not known");

// IndexedDB as promises -----------------------------------------------------------------------------------------------

function connect() {
  const request = indexedDB.open(DATABASE, VERSION);
  request.onupgradeneeded = () => {
    const db = request.result;
    db.createObjectStore("keys");
    db.createObjectStore("accounts", { keyPath: "fingerprint" });
    db.createObjectStore("entries", { keyPath: "id" }).createIndex("fingerprint", "fingerprint");
  };
  return settled(request);
}

/** The key that fingerprints are made with: created once, kept, and not extractable. */
async function fingerprintKey(db) {
  // Made beforehand, needed or not: a transaction ends while it waits for anything else.
  const fresh = await crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return transact(db, ["keys"], "readwrite", async (keys) => {
    const key = (await settled(keys.get("fingerprint"))) ?? fresh;
    keys.put(key, "fingerprint"); // also when it was there: this shows that the store can be written
    return key;
  });
}

/**
 * Runs work on stores in one transaction and returns what it returned once the transaction has ended. It is strict: the
 * end of a write means on the disk, so that a crash right after a release cannot forget its price.
 */
async function transact(db, stores, mode, work) {
  const tx = db.transaction(stores, mode, { durability: "strict" });
  const end = new Promise((resolve, reject) => {
    tx.oncomplete = () => resolve();
    tx.onabort = () => reject(tx.error ?? new Error("the transaction was aborted"));
  });
  try {
    const result = await work(...stores.map((name) => tx.objectStore(name)));
    await end;
    return result;
  } catch (error) {
    try {
      tx.abort(); // work refuses: nothing that it wrote may stay
    } catch {} // it had ended by itself
    await end.catch(() => {});
    throw tx.error ?? error;
  }
}

/** An HMAC as hexadecimal digits. */
async function mac(key, bytes) {
  const code = new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes));
  return Array.from(code, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const settled = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Why storage is refused: our own reasons, and the common ones of browsers, in words that Said (web/engine) knows. */
function why(error) {
  if (error.constructor === Error) return error.message;
  if (error.name === "QuotaExceededError") return "no room is left for it";
  if (error.name === "SecurityError") return "the settings of this browser forbid it";
  return `${error.name}: ${error.message}`;
}

/** Whatever the browser's storage complains about becomes one code; our own errors pass. */
async function stored(work) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LedgerError) throw error;
    throw new LedgerError("no-storage", `the browser refuses to store the ledger (${why(error)})`, { cause: error });
  }
}
