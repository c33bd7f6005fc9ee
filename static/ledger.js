// The ledger: which releases were made from which data set, and what each of them cost. It lives in IndexedDB.
//
// Rules of this file:
// - No data, no file names, no statistics: fingerprints, task names, published names of columns, exact losses, times,
//   and what their owner calls the data sets.
// - A debit is written before the run it pays for and never taken back.
// - A data set is known by its bytes and, in another wrapping, by its rows; both names are made with a key of this
//   browser, and neither leaves it. Its debit takes the same time however long its list is: the total of an account stands in it.
// - It decides nothing about losses. The engine's Go code adds exact fractions and decides; this file makes sure that nobody wrote
//   between the decision and the debit, that nothing was lost since, and that the price of a plan is one that its questions can have.

const DATABASE = "hush";
const VERSION = 2; // of the stores below
const SCHEMA = 1; // of an account
const ENTRY_SCHEMA = 3; // 3: it may be a plan, or a top-up; 2: its loss states ρ, as core/privacy/filter.md says; 1: only where ε does not imply it

/**
 * One debit. Losses are exact fractions as text, "1/10".
 * @typedef {Object} Entry
 * @property {string} id
 * @property {string} fingerprint the data set it was spent on
 * @property {string} task the task's name in the catalogue
 * @property {Object} loss as the engine states it
 * @property {string} [column] the published name of the column that was asked about
 * @property {number} [questions] how many were paid for together
 * @property {{questions: Object[], delta: string, drawn: number[]}} [plan] those, where they are drawn on this device, and the numbers of
 *   those that were. In the store it has the marks of its price too, what the last tab that draws it goes by, and what was drawn and is not
 *   kept or told yet
 * @property {string} [replaces] the id of the entry whose answer this one's was made of, for the difference of their losses
 * @property {string} time ISO 8601
 * @property {number} schema
 *
 * In the store an entry also has: read, the name of the bytes that it was asked of, and era, that of the account at the debit; head, a keyed
 * digest of its answer where that can be topped up, with build, that of the page then; next, the id of the entry that did so; and as its plan what was drawn of a top-up.
 */

/**
 * What was spent on one data set: limit is the most that may be, null where somebody took it away; entries are oldest
 * first; damaged says that some are missing (lost: their ids, as far as known), so that nobody knows. browser is the
 * public name of the key that made the fingerprint, elsewhere says that it is not ours. looked is when its owner chose to see
 * what the data really say, empty before; frozen are the questions fixed before that. nickname is what the owner calls it.
 * Every write raises revision.
 * @typedef {{fingerprint: string, browser: string, elsewhere: boolean, nickname: string, limit: ?Object, entries: Entry[],
 *   damaged: boolean, lost: string[], looked: string, frozen: Object[], total: ?Object}} Spending
 * @typedef {{revision: number, spending: Spending}} Account
 *
 * What a data set is known by: the name that its bytes give, and the name and sketch that its rows give; alike is one more name, that
 * rows have as their cells read in whatever kind of file.
 * @typedef {{fingerprint: string, rows?: string, sketch?: string[], alike?: string, alikeSketch?: string[]}} Names
 */

/** An error with a code: "no-storage", "ledger-damaged", "bad-ledger", "other-file", "plan-closed" or "no-top-up". */
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

  /** The key of the marks that Go makes of rows: 32 hexadecimal digits. */
  rowsKey;

  constructor(db, key, { browser, rowsKey, limit }) {
    this.#db = db;
    this.#key = key;
    this.#browser = browser;
    this.#limit = limit;
    this.rowsKey = rowsKey;
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
        // These texts are no rows of digests of 32 bytes, so this is no data set's name.
        const browser = (await mac(key, utf8("the browser of this ledger"))).slice(0, 16);
        const rowsKey = (await mac(key, utf8("the key of the rows of data sets"))).slice(0, 32);
        return new Ledger(db, key, { browser, rowsKey, limit });
      } catch (error) {
        db.close();
        throw error;
      }
    });
  }

  /**
   * Names a data set by an HMAC over the digests of its chunks, and by one over what Go has marked its rows with. The
   * key never leaves this browser, so the names say nothing about the data to anybody else, not even to one who has a copy.
   * @param {Uint8Array} digests
   * @param {{rows: string, sketch: string[], alike?: string, alikeSketch?: string[]}} [marks]
   * @returns {Promise<Names>} names of 64 hexadecimal digits
   */
  async names(digests, { rows = "", sketch = [], alike = "", alikeSketch = [] } = {}) {
    const named = async (kind, text) => text && mac(this.#key, utf8(`${kind} ${text}`));
    return { fingerprint: await mac(this.#key, digests), rows: await named("rows", rows), sketch, alike: await named("alike", alike), alikeSketch };
  }

  /**
   * Signs a text with a key of this device, made when it is first needed. Its private half never leaves this browser.
   * @param {string} text
   * @returns {Promise<{key: string, value: string}>} the public half and the signature, as hexadecimal digits
   */
  sign(text) {
    return stored(async () => {
      const { privateKey, publicKey } = await signingKey(this.#db);
      return { key: await publicHalf(publicKey), value: hex(await crypto.subtle.sign(SIGNING, privateKey, utf8(text))) };
    });
  }

  /** The public half of the key that this device signs with; empty where it has none. @returns {Promise<string>} */
  async signer() {
    const pair = await transact(this.#db, ["keys"], "readonly", (keys) => settled(keys.get("signing")));
    return pair ? publicHalf(pair.publicKey) : "";
  }

  /**
   * The account of a file that was just opened. Where its rows are known in another wrapping it is that data set's, and two that
   * were kept apart, before rows were known, become one. near are other data sets with at least half of the rows.
   * @param {Names} names
   * @returns {Promise<Account & {near: Object[]}>}
   */
  recognise(names) {
    return this.#transact("readwrite", async (stores) => {
      const { accounts } = stores;
      const own = await named(accounts, names.fingerprint);
      let record = own;
      for (const find of [() => names.rows && settled(accounts.index("rows").get(names.rows)), () => names.alike && named(accounts, names.alike)]) {
        const same = await find();
        if (!same) continue;
        record = record && record.fingerprint !== same.fingerprint ? await this.#unite(stores, record, same) : (record ?? same);
      }
      if (record) accounts.put((record = known(record, names)));
      const account = await this.#account(stores, record ?? this.#blank(names));
      return { ...account, near: record ? [] : nearTo(names, await settled(accounts.getAll())) };
    });
  }

  /** @param {Names} names @returns {Promise<Account>} */
  account(names) {
    return this.#transact("readonly", async (stores) => this.#account(stores, await this.#find(stores, names)));
  }

  /** @returns {Promise<Account[]>} every data set that anything was spent on or a limit was set for */
  accounts() {
    return this.#transact("readonly", async ({ accounts, entries, receipts }) => {
      const records = await settled(accounts.getAll());
      const of = bySet(await settled(entries.getAll()));
      const paid = bySet(await settled(receipts.getAll()));
      return records.map((record) => this.#assemble(record, of.get(record.fingerprint) ?? [], paid.get(record.fingerprint) ?? []));
    });
  }

  /**
   * Appends one debit. charge sees all that was spent and returns what to add ({id, task, loss, column, frozen}; without an id it gets one; a plan also has questions, parts and plan, see plan, and a top-up plan and replaces, see head), or throws to refuse;
   * it is asked again when another tab wrote meanwhile, so two tabs cannot both spend the last of a limit.
   * @param {Names} names
   * @param {number} seen a revision seen before: a ledger behind it was cleared, and is refused
   * @param {(account: Account) => {id: string|undefined, task: string, loss: Object, column: string|undefined, questions: number|undefined, parts: Object[]|undefined, plan: Object|undefined, replaces: Object|undefined, frozen: Object[], total: Object}} charge takes no time: it may not wait
   * @returns {Promise<number>} the new revision, once the debit is on the disk; or rejects with "ledger-damaged"
   */
  async debit(names, seen, charge) {
    for (;;) {
      const account = await this.#standing(names);
      if (account.revision < seen || account.spending.damaged) throw damaged();
      const { id = crypto.randomUUID(), task, loss, column, questions, parts, plan, replaces, frozen, total } = charge(account);
      if (questions && !possible(loss, parts, questions)) {
        throw new Error("the price of this plan cannot be that of its questions: nothing was debited, and nothing may be drawn");
      }
      const entry = { id, task, loss, column, time: new Date().toISOString(), schema: ENTRY_SCHEMA };
      if (plan) Object.assign(entry, { ...(questions && { questions }), plan: { ...plan, drawn: {} } });
      if (await this.#write(names, account.revision, { entry, replaces, frozen, total })) return account.revision + 1;
    }
  }

  // Plans: several questions that were paid for at once are drawn one after the other. What is drawn of one may be seen, kept or told only
  // once the entry says so: a draw that nobody saw may be made again, one that somebody may have seen may not. Of two tabs only the one
  // whose turn it is hands out.

  /**
   * The plan of a debit, with what was handed out of it by number: as text while it is not kept or told, then "". With a turn
   * it is from now on this tab's to draw. A top-up is one question, the first.
   * @param {Names} names of the open file
   * @returns {Promise<{fixed: Object, marks: string[], drawn: Object}>} rejects with "plan-closed" or "other-file"
   */
  plan(names, id, turn) {
    return this.#transact(turn ? "readwrite" : "readonly", async (stores) => {
      const entry = await settled(stores.entries.get(id));
      if (!entry?.plan) throw new LedgerError("plan-closed", "this plan was drawn in another browser, or its draws are over: nothing more of it can be drawn");
      if (entry.fingerprint !== (await this.#find(stores, names)).fingerprint) {
        throw new LedgerError("other-file", "this plan was made of another data set. Open the file that it was made of");
      }
      if (turn) stores.entries.put({ ...entry, plan: { ...entry.plan, turn } });
      return entry.plan;
    });
  }

  /** Notes that a question of a plan was drawn, with what came of it: only then may anybody see that. It is refused where the turn is another tab's by now. */
  hand(id, turn, number, text) {
    return this.#changePlan(id, (plan) => {
      if (plan.turn !== turn || number in plan.drawn) throw new LedgerError("plan-closed", "another tab draws the rest of this plan");
      plan.drawn[number] = text;
    });
  }

  /** Forgets what was handed out, once it is kept or told. */
  settle(id, numbers) {
    return this.#changePlan(id, (plan) => numbers.forEach((number) => (plan.drawn[number] = "")));
  }

  #changePlan(id, change) {
    return this.#transact("readwrite", async ({ entries }) => {
      const entry = await settled(entries.get(id));
      change(entry.plan);
      entries.put(entry);
    });
  }

  // Top-ups: an answer is made more exact for the difference of two losses, which is right only where it is the same question of the same
  // numbers, in one limit, and where each answer has one successor: see core/basic/topup.md.

  /**
   * The head of an answer: what a debit names that is for the difference to it. paid is the top-up that was paid for and that nobody has
   * seen, with its id and what was noted of it, see plan.
   * @param {Names} names of the open file
   * @param {string} digest of the answer
   * @param {string} build of the page
   * @param {string} [wanted] the ε of the top-up: one to another ε, if paid for, is in its way
   * @returns {Promise<{head: string, build: string, paid: ?Object}>} rejects with "no-top-up"
   */
  async head(names, digest, build, wanted) {
    const head = await this.#headName(digest);
    return this.#transact("readonly", async (stores) => {
      const { next } = await this.#headOf(stores, await this.#find(stores, names), names, { head, build });
      if (!next) return { head, build, paid: null };
      const { id, plan } = await settled(stores.entries.get(next));
      if (plan.drawn[1] === "" || (wanted ?? plan.epsilon) !== plan.epsilon) throw noTopUp("it was made more exact before");
      return { head, build, paid: { id, epsilon: plan.epsilon } };
    });
  }

  #headName(digest) {
    return mac(this.#key, utf8(`head ${digest}`));
  }

  /** Notes that the answer of a debit can be topped up, by this build of the page. */
  async markHead(id, digest, build) {
    const head = await this.#headName(digest);
    return this.#transact("readwrite", async ({ entries }) => {
      entries.put({ ...(await settled(entries.get(id))), head, build });
    });
  }

  /** The entry with a head, if it may be topped up. */
  async #headOf({ entries }, { fingerprint, era = 0 }, { fingerprint: read }, { head, build }) {
    const entry = (await settled(entries.index("fingerprint").getAll(fingerprint))).find((entry) => entry.head === head);
    if (!entry) throw noTopUp("it was asked of another data set, or in another browser, or together with other questions");
    if (entry.build !== build) throw noTopUp("it was asked in another version of this page, which may read the file in another way");
    if (entry.read !== read) throw noTopUp("it was asked of a file with other bytes, which may hold other numbers");
    if (entry.era !== era) throw noTopUp("its ledger was restored, joined with another, or given another limit since");
    return entry;
  }

  /** Sets the most that may be spent on a data set, or null for no limit: choose sees what is there and returns it, or throws to refuse. */
  setLimit(names, choose) {
    return this.#change(names, (account) => ({ limit: choose(account), closes: Boolean(account.spending.limit?.slack) }));
  }

  /** Sets what the owner of a data set calls it. It stays here: no ledger file holds it. */
  setNickname(names, nickname) {
    return this.#change(names, () => ({ nickname }));
  }

  /** Fixes questions of a data set: add sees what is there and returns all of them, or throws to refuse. */
  freeze(names, add) {
    return this.#change(names, (account) => ({ frozen: add(account) }));
  }

  /** Notes that the owner of a data set chose to see what it really says. That is never taken back. */
  look(names) {
    return this.#change(names, ({ spending }) => ({ looked: spending.looked || new Date().toISOString() }));
  }

  /** Writes changes that are made anew when another tab wrote meanwhile; answers the new revision. */
  async #change(names, changes) {
    for (;;) {
      const account = await this.#standing(names);
      if (await this.#write(names, account.revision, changes(account))) return account.revision + 1;
    }
  }

  /**
   * Adds what a ledger file holds, all of it or nothing, in one transaction. Nothing that is here is changed, moved or
   * taken away: an entry or a receipt that is here stays with its data set, and a file that says otherwise is refused. The
   * limit of a data set that is known here stays, too, but for what it sets aside, which keep may end. A data set that was
   * looked at there was looked at, and only the questions that are frozen both there and here remain so.
   * @param {Spending[]} spendings as the engine read them
   * @param {(joined: {here: Spending, file: Spending}) => ?Object} keep the limit of a data set that sets a δ aside, once
   *   releases come to it that were not here; it takes no time: it may not wait
   * @returns {Promise<{dataSets: number, added: number, known: number, elsewhere: number, above: number, ended: number}>} the
   *   data sets of the file, how many of its releases were new here and how many not, how many data sets have another
   *   browser's fingerprint, how many a limit in the file that was not taken, and how many set a δ aside that they do no more
   */
  merge(spendings, keep) {
    return this.#transact("readwrite", async (stores) => {
      const { accounts, entries, receipts } = stores;
      const sum = { dataSets: spendings.length, added: 0, known: 0, elsewhere: 0, above: 0, ended: 0 };
      for (const file of spendings) {
        const { browser, limit, lost = [], looked, frozen, above } = file;
        const held = await named(accounts, file.fingerprint);
        const record = held ?? { ...this.#blank(file), browser, limit: limit ?? this.#limit, frozen };
        const { fingerprint } = record;
        if (above && !held) sum.above++;
        const fresh = [];
        const ids = new Set(file.entries.map(({ id }) => id));
        const here = await settled(entries.index("fingerprint").getAll(fingerprint));
        // A top-up here that the file does not have may be of the same answer as one of the file, in a copy of the ledger.
        const other = here.some(({ id, loss }) => loss.rest && !ids.has(id));
        const of = (entry) => (entry.loss.rest && !entry.replaces && other ? { replaces: OTHER_COPY } : {});
        for (const entry of file.entries.map((entry) => ({ ...entry, ...of(entry), fingerprint }))) {
          const before = await settled(entries.get(entry.id));
          if (before && !same(before, entry)) throw contradicts(entry);
          sum[before ? "known" : "added"]++;
          if (!before) fresh.push(entry);
        }
        if (held?.limit?.slack && fresh.length) {
          const { spending: here } = await this.#account(stores, held);
          record.limit = keep({ here, file: { ...file, entries: fresh } });
          if (!record.limit?.slack) sum.ended++;
        }
        for (const entry of fresh) entries.add(entry);
        for (const id of [...file.entries.map(({ id }) => id), ...lost]) {
          const [entry, paid] = [await settled(entries.get(id)), await settled(receipts.get(id))];
          if ([entry, paid].some((here) => here && here.fingerprint !== fingerprint)) throw contradicts({ id });
          if (!paid) receipts.add({ id, fingerprint });
        }
        if (record.browser !== this.#browser) sum.elsewhere++;
        if (looked) {
          const kept = new Set(frozen?.map(plain));
          Object.assign(record, { looked: record.looked || looked, frozen: record.frozen?.filter((recipe) => kept.has(plain(recipe))) });
        }
        // An account of which even receipts are missing is not whole because of a file that does not bring them back.
        const count = Math.max(record.count, await settled(receipts.index("fingerprint").count(fingerprint)));
        accounts.put({ ...record, revision: record.revision + 1, count, total: undefined, era: (record.era ?? 0) + 1 });
      }
      return sum;
    });
  }

  /** Makes one account of two of the same data set: the first, with all that was spent on either. */
  async #unite({ accounts, entries, receipts }, to, from) {
    for (const store of [entries, receipts]) {
      for (const item of await settled(store.index("fingerprint").getAll(from.fingerprint))) store.put({ ...item, fingerprint: to.fingerprint });
    }
    accounts.delete(from.fingerprint);
    const kept = new Set(from.frozen?.map(plain));
    return {
      ...to,
      also: [...(to.also ?? []), from.fingerprint, ...(from.also ?? [])],
      nickname: to.nickname || from.nickname,
      limit: from.count ? counted(to.limit) : to.limit,
      looked: to.looked || from.looked,
      frozen: to.looked || from.looked ? to.frozen?.filter((recipe) => kept.has(plain(recipe))) : to.frozen,
      count: to.count + from.count,
      era: Math.max(to.era ?? 0, from.era ?? 0) + 1,
      total: undefined,
      revision: Math.max(to.revision, from.revision) + 1,
    };
  }

  /** Writes in one transaction, unless the account has another revision by now: then it answers false. */
  #write(names, revision, { entry, replaces, closes, ...changes }) {
    return this.#transact("readwrite", async (stores) => {
      const { accounts, entries, receipts } = stores;
      const record = await this.#find(stores, names);
      if (record.revision !== revision) return false;
      if (!(await this.#whole(stores, record))) throw damaged();
      if (closes) changes.era = (record.era ?? 0) + 1;
      if (replaces) {
        const head = await this.#headOf(stores, record, names, replaces);
        if (head.next) throw noTopUp("it was made more exact before");
        stores.entries.put({ ...head, next: entry.id });
        entry = { ...entry, replaces: head.id };
      }
      if (entry) {
        const { fingerprint } = record;
        entries.add({ ...entry, fingerprint, read: names.fingerprint, era: record.era ?? 0 });
        receipts.add({ id: entry.id, fingerprint });
      }
      accounts.put({ ...known(record, names), ...changes, revision: revision + 1, count: record.count + (entry ? 1 : 0) });
      return true;
    });
  }

  /** An account without its entries, where its total says what they come to; else with them. */
  #standing(names) {
    return this.#transact("readonly", async (stores) => {
      const record = await this.#find(stores, names);
      if (!record.total) return this.#account(stores, record);
      const account = this.#assemble(record, [], []);
      account.spending.total = record.total;
      account.spending.damaged = !(await this.#whole(stores, record));
      account.spending.lost = [];
      return account;
    });
  }

  /** Whether as many entries are held as were written. Which ones is looked at when a file is opened. */
  async #whole({ entries }, { fingerprint, count }) {
    return (await settled(entries.index("fingerprint").count(fingerprint))) === count;
  }

  /** The record of a data set by any of its names, or that of one that is not known yet. */
  async #find({ accounts }, names) {
    const { fingerprint, rows, alike } = names;
    const byRows = async () => (rows ? settled(accounts.index("rows").get(rows)) : undefined);
    return (await named(accounts, fingerprint)) ?? (await byRows()) ?? (alike ? await named(accounts, alike) : undefined) ?? this.#blank(names);
  }

  async #account({ entries, receipts }, record) {
    const of = (store) => settled(store.index("fingerprint").getAll(record.fingerprint));
    return this.#assemble(record, await of(entries), await of(receipts));
  }

  #transact(mode, work) {
    return onStores(this.#db, ["accounts", "entries", "receipts"], mode, work);
  }

  #assemble(record, entries, receipts) {
    entries.sort((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time)));
    const { fingerprint, browser, revision, nickname = "", limit, looked = "", frozen } = record;
    const held = new Set(entries.map(({ id }) => id));
    const lost = receipts.map(({ id }) => id).filter((id) => !held.has(id));
    const whole = lost.length === 0 && held.size === receipts.length && held.size === record.count;
    const spending = { fingerprint, browser, elsewhere: browser !== this.#browser, nickname, limit, entries: entries.map(told), damaged: !whole, lost, looked, frozen: frozen ?? [] };
    return { revision, spending };
  }

  /** The account of a data set that is not known yet. count is how many entries were written, to see when one is lost. */
  #blank({ fingerprint }) {
    return { fingerprint, browser: this.#browser, revision: 0, count: 0, limit: this.#limit, schema: SCHEMA };
  }
}

/**
 * Whether a plan can have its price: more than 0, no less than any question by itself (least), and no more than all of them added up, as
 * web/hush/ledger has it.
 */
function possible(loss, parts, questions) {
  const fraction = (text) => (([n, d = "1"]) => [BigInt(n), BigInt(d)])(text.split("/"));
  const above = ([a, b], [c, d]) => a * d > c * b;
  const added = (list) => list.map(fraction).reduce(([a, b], [c, d]) => [a * d + c * b, b * d], [0n, 1n]);
  const [epsilon, none] = [fraction(loss.epsilon ?? "0"), [0n, 1n]];
  if (parts?.length !== questions || !above(epsilon, none) || parts.some(({ least }) => above(fraction(least), epsilon))) return false;
  const summed = parts.every((part) => part.epsilon) && !above(added(parts.map(({ delta }) => delta)), fraction(loss.delta ?? "0"));
  return !summed || !above(epsilon, added([...parts.map((part) => part.epsilon), `1/${1n << 200n}`])); // long sums are rounded up
}

/** What a top-up replaces where nobody knows: engine.OtherCopy, which is charged for whatever it was. */
const OTHER_COPY = "?";

/** An entry as it is told: what is drawn of it and not told yet stays here. */
function told({ plan, head, build, era, read, next, ...entry }) {
  return plan?.fixed ? { ...entry, plan: { ...plan.fixed, drawn: Object.keys(plan.drawn).map(Number) } } : entry;
}

const noTopUp = (why) => new LedgerError("no-top-up", `this answer cannot be made more exact for the difference alone: ${why}`);

/** The record that bears a name, as its own or as one more; undefined: none does. */
const named = async (accounts, fingerprint) => (await settled(accounts.get(fingerprint))) ?? settled(accounts.index("also").get(fingerprint));

/** A record that knows the names of a file that is its data set. */
function known(record, { fingerprint, rows, sketch, alike, alikeSketch }) {
  const also = new Set(record.also ?? []).add(fingerprint);
  if (alike) also.add(alike);
  also.delete(record.fingerprint);
  return { ...record, also: [...also], ...(rows ? { rows, sketch } : {}), ...(alike ? { alikeSketch } : {}) };
}

/** A limit as it is once releases come to it that were made elsewhere: what has to be fixed before the first release goes. */
const counted = (limit) => limit && { epsilon: limit.epsilon, delta: limit.delta };

/** Items by their data set. */
function bySet(items) {
  const sets = new Map();
  for (const item of items) {
    if (!sets.has(item.fingerprint)) sets.set(item.fingerprint, []);
    sets.get(item.fingerprint).push(item);
  }
  return sets;
}

/** The data sets that share at least half of their rows with one, as they are or as they read: shared is about how many of a hundred. */
function nearTo({ sketch = [], alikeSketch = [] }, records) {
  const near = [];
  for (const { fingerprint, nickname, sketch: others = [], alikeSketch: alike = [] } of records) {
    // What reads in one way only is in both sketches of a file that is no plain text.
    const shared = Math.max(...[sketch, alikeSketch].flatMap((one) => [others, alike].map((other) => resemblance(one, other))));
    if (shared >= 50) near.push({ fingerprint, nickname, shared });
  }
  return near;
}

/** About how many of a hundred of the rows of two sketches both have. */
function resemblance(sketch, other) {
  if (!sketch.length || other.length < sketch.length) return 0;
  // Of the smallest hashes of both together, those that both have.
  const [here, there] = [new Set(sketch), new Set(other)];
  const least = [...new Set([...sketch, ...other])].sort().slice(0, sketch.length);
  return Math.round((100 * least.filter((hash) => here.has(hash) && there.has(hash)).length) / least.length);
}

/** A question as text, whatever the order of its fields. */
const plain = (value) => JSON.stringify(value, (_, part) => (part?.constructor === Object ? Object.fromEntries(Object.entries(part).sort()) : part));

/** Whether two entries are the same release: a long e^ε may be missing in one. */
const same = (a, b) =>
  ["fingerprint", "task", "time"].every((field) => a[field] === b[field]) && ["epsilon", "delta"].every((field) => a.loss[field] === b.loss[field]);

const contradicts = ({ id }) =>
  new LedgerError("bad-ledger", `this ledger file contradicts the ledger of this browser: the release ${id} is another one here. Nothing was taken from it`);

export const damaged = () =>
  new LedgerError("ledger-damaged", "the ledger has lost entries of this data set, so the budget spent is not known");

// IndexedDB as promises -----------------------------------------------------------------------------------------------

async function connect() {
  const request = indexedDB.open(DATABASE, VERSION);
  request.onupgradeneeded = ({ oldVersion }) => {
    const { result: db, transaction } = request;
    if (oldVersion < 1) {
      db.createObjectStore("keys");
      db.createObjectStore("accounts", { keyPath: "fingerprint" });
      db.createObjectStore("entries", { keyPath: "id" }).createIndex("fingerprint", "fingerprint");
    }
    if (oldVersion < 2) {
      const accounts = transaction.objectStore("accounts");
      accounts.createIndex("rows", "rows");
      accounts.createIndex("also", "also", { multiEntry: true });
      const receipts = db.createObjectStore("receipts", { keyPath: "id" });
      receipts.createIndex("fingerprint", "fingerprint");
      // An account had the ids of its entries in a list of its own.
      accounts.openCursor().onsuccess = ({ target: { result: cursor } }) => {
        if (!cursor) return;
        const { ids, ...record } = cursor.value;
        for (const id of ids) receipts.put({ id, fingerprint: record.fingerprint });
        cursor.update({ ...record, count: ids.length });
        cursor.continue();
      };
    }
  };
  const db = await settled(request);
  // Another tab may upgrade or delete the database; holding on would block it. Later calls then refuse.
  db.onversionchange = () => db.close();
  return db;
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

const CURVE = { name: "ECDSA", namedCurve: "P-256" };
const SIGNING = { name: "ECDSA", hash: "SHA-256" };
const publicHalf = async (key) => hex(await crypto.subtle.exportKey("raw", key));

/** The pair of keys that texts are signed with: created once, kept, its private half not extractable. */
async function signingKey(db) {
  const fresh = await crypto.subtle.generateKey(CURVE, false, ["sign", "verify"]);
  return transact(db, ["keys"], "readwrite", async (keys) => {
    const pair = await settled(keys.get("signing"));
    if (!pair) keys.put(fresh, "signing");
    return pair ?? fresh;
  });
}

/** Tells whether a signature is that of a text by a key; both are hexadecimal digits. */
export async function signs(key, value, text) {
  const bytes = (digits) => Uint8Array.from(digits.match(/../g), (two) => parseInt(two, 16));
  try {
    const of = await crypto.subtle.importKey("raw", bytes(key), CURVE, true, ["verify"]);
    return await crypto.subtle.verify(SIGNING, of, bytes(value), utf8(text));
  } catch {
    return false; // no key of that curve
  }
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

const utf8 = (text) => new TextEncoder().encode(text);

/** An HMAC as hexadecimal digits. */
async function mac(key, bytes) {
  return hex(await crypto.subtle.sign("HMAC", key, bytes));
}

const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

export const settled = (request) =>
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

/** Runs work on an object of stores, by name, as transact does; refusal words what the browser says against it. */
export function onStores(db, stores, mode, work, refusal) {
  const once = () => transact(db, stores, mode, (...all) => work(Object.fromEntries(stores.map((name, i) => [name, all[i]]))));
  // Firefox forbids the first write after one for which there was no room, also when there is room by now.
  return stored(() => once().catch((error) => (error.name === "InvalidStateError" ? once() : Promise.reject(error))), refusal);
}

/** Whatever the browser's storage complains about becomes one code; our own errors pass. */
export async function stored(work, refusal = (reason) => `the browser refuses to store the ledger (${reason})`) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LedgerError) throw error;
    throw new LedgerError("no-storage", refusal(why(error)), { cause: error });
  }
}
