// Tests of the ledger as it is shipped, outside of a browser: node --test static/ledger.test.mjs. ledger.js and the order of
// things in engine.js run on an IndexedDB in memory, with Go's answers played. At the end mistakes are planted in both, each of
// which one of these tests must catch.

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { IDBDatabase, IDBFactory, IDBObjectStore } from "fake-indexeddb";

const here = import.meta.dirname;
const made = [];
after(() => made.forEach((directory) => rmSync(directory, { recursive: true })));

// The code under test ----------------------------------------------------------------------------------------------

/** A copy of the scripts, with a change or without. Its engine has the page's worker played for it. */
function scripts({ file, old, now } = {}) {
  const directory = mkdtempSync(path.join(tmpdir(), "hush-ledger-"));
  made.push(directory);
  for (const name of readdirSync(here)) if (/^[a-z]+\.js$/.test(name)) cpSync(path.join(here, name), path.join(directory, name));
  writeFileSync(path.join(directory, "package.json"), '{"type": "module"}');
  writeFileSync(path.join(directory, "wasm_exec.js"), "");
  writeFileSync(path.join(directory, "trust.js"), "export const startWorker = () => ({}), cutOff = () => {};");
  if (file) {
    const text = readFileSync(path.join(directory, file), "utf8");
    assert.equal(text.split(old).length, 2, `${old} stands in ${file} once: move the change with the code`);
    writeFileSync(path.join(directory, file), text.replace(old, () => now));
  }
  let loaded = 0; // each engine is one of its own
  const load = (name) => import(pathToFileURL(path.join(directory, name)).href + (name === "engine.js" ? `?${++loaded}` : ""));
  return Object.assign(load, { build: pathToFileURL(directory).pathname + "/" });
}

/** An empty browser: a store, in which each transaction tells how durable it is. */
function browser() {
  globalThis.indexedDB = new IDBFactory();
  const asked = [];
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = function (stores, mode, options) {
    asked.push({ mode, durability: options?.durability });
    return transaction.call(this, stores, mode, options);
  };
  return { asked, close: () => (IDBDatabase.prototype.transaction = transaction) };
}

const LIMIT = { epsilon: "3", delta: "0.000001" };
const names = (digit) => ({ fingerprint: digit.repeat(64) });
const loss = (epsilon) => ({ epsilon: String(epsilon), delta: "0" });
const spent = ({ spending }) => spending.entries.reduce((sum, entry) => sum + Number(entry.loss.epsilon), 0);
const charge = (epsilon, most = Infinity) => (account) => {
  const total = (account.spending.total ? Number(account.spending.total.epsilon) : spent(account)) + epsilon;
  if (total > most) throw Object.assign(new Error("over the limit"), { code: "over-limit" });
  return { task: "median", loss: loss(epsilon), column: "age", frozen: [], total: loss(total) };
};
/** What the questions of a plan cost by themselves, of which charge(1) is the price. */
const parts = (n) => Array.from({ length: n }, () => ({ epsilon: "1", delta: "0", least: "1" }));
const id = (n) => `0a1b2c3d-0a1b-4c2d-8e3f-${String(n).padStart(12, "0")}`;
const release = (n, epsilon = 1) => ({ id: id(n), task: "median", loss: loss(epsilon), time: "2026-01-02T03:04:05.678Z", schema: 1 });
const set = (digit, rest) => ({ fingerprint: digit.repeat(64), browser: "f".repeat(16), limit: null, entries: [], ...rest });
const never = () => assert.fail("nothing was set aside");

/** All that the stores hold. */
async function held() {
  const db = await new Promise((resolve) => (indexedDB.open("hush").onsuccess = ({ target }) => resolve(target.result)));
  const all = {};
  for (const store of ["accounts", "entries", "receipts"]) {
    all[store] = await new Promise((resolve) => (db.transaction(store).objectStore(store).getAll().onsuccess = ({ target }) => resolve(target.result)));
  }
  db.close();
  return all;
}

// What must hold ----------------------------------------------------------------------------------------------------

/** Each debit is there in full once it is told, on the disk as far as a browser promises that, and in the next tab. */
async function debited(load) {
  const { Ledger } = await load("ledger.js");
  const { asked, close } = browser();
  try {
    const ledger = await Ledger.open(LIMIT);
    for (let n = 1; n <= 3; n++) assert.equal(await ledger.debit(names("1"), n - 1, charge(0.5)), n);
    assert.ok(asked.some(({ mode }) => mode === "readwrite"));
    for (const { mode, durability } of asked) if (mode === "readwrite") assert.equal(durability, "strict");
    const next = await (await Ledger.open(LIMIT)).account(names("1"));
    assert.equal(spent(next), 1.5);
    assert.equal(next.spending.damaged, false);
    const { entries, receipts } = await held();
    assert.deepEqual([entries.length, receipts.length], [3, 3]);
    assert.deepEqual(receipts.map(({ id }) => id).sort(), entries.map(({ id }) => id).sort());
  } finally {
    close();
  }
}

/** Two tabs that debit at once spend no more than the limit, and what one refuses costs nothing. */
async function shared(load) {
  const { Ledger } = await load("ledger.js");
  const { close } = browser();
  try {
    const tabs = [await Ledger.open(LIMIT), await Ledger.open(LIMIT)];
    const ends = await Promise.allSettled(Array.from({ length: 8 }, (_, i) => tabs[i % 2].debit(names("1"), 0, charge(1, 3))));
    assert.equal(ends.filter(({ status }) => status === "fulfilled").length, 3);
    for (const { reason } of ends) if (reason) assert.equal(reason.code, "over-limit");
    const account = await tabs[0].account(names("1"));
    assert.equal(spent(account), 3);
    assert.equal(account.revision, 3);
  } finally {
    close();
  }
}

/** Where an entry or all of an account is taken away nothing is released, and a failed write leaves nothing of itself. */
async function missed(load) {
  const { Ledger } = await load("ledger.js");
  const { close } = browser();
  const { add } = IDBObjectStore.prototype;
  try {
    const ledger = await Ledger.open(LIMIT);
    await ledger.debit(names("1"), 0, charge(1));
    const before = await held();
    IDBObjectStore.prototype.add = function (value) {
      if (this.name === "receipts") throw Object.assign(new Error("full"), { name: "QuotaExceededError" });
      return add.call(this, value);
    };
    await assert.rejects(ledger.debit(names("1"), 1, charge(1)), { code: "no-storage" });
    IDBObjectStore.prototype.add = add;
    assert.deepEqual(await held(), before);
    await assert.rejects(ledger.debit(names("2"), 1, charge(1)), { code: "ledger-damaged" }); // it was cleared
    const db = await new Promise((resolve) => (indexedDB.open("hush").onsuccess = ({ target }) => resolve(target.result)));
    await new Promise((resolve) => (db.transaction("entries", "readwrite").objectStore("entries").clear().onsuccess = resolve));
    db.close();
    await assert.rejects(ledger.debit(names("1"), 1, charge(1)), { code: "ledger-damaged" });
    const { spending } = await ledger.account(names("1"));
    assert.ok(spending.damaged);
    assert.deepEqual(spending.lost, [before.entries[0].id]); // its receipt is kept
  } finally {
    IDBObjectStore.prototype.add = add;
    close();
  }
}

/** A file moves no receipt of another data set, and does not make whole what it does not bring back. */
async function kept(load) {
  const { Ledger } = await load("ledger.js");
  const { close } = browser();
  try {
    const ledger = await Ledger.open(LIMIT);
    await ledger.merge([set("1", { entries: [release(1)], lost: [id(2)] }), set("2", { entries: [release(3)] })], never);
    const before = await held();
    for (const forged of [
      set("2", { lost: [id(1)] }), set("2", { lost: [id(2)] }), set("2", { entries: [release(2)] }),
      set("2", { entries: [release(1)] }), set("1", { entries: [release(1, 0.5)] }),
    ]) {
      await assert.rejects(ledger.merge([set("3", { entries: [release(9)] }), forged], never), { code: "bad-ledger" });
      assert.deepEqual(await held(), before);
    }
    assert.ok((await ledger.account(names("1"))).spending.damaged);
    const db = await new Promise((resolve) => (indexedDB.open("hush").onsuccess = ({ target }) => resolve(target.result)));
    for (const store of ["entries", "receipts"]) {
      await new Promise((resolve) => (db.transaction(store, "readwrite").objectStore(store).delete(id(3)).onsuccess = resolve));
    }
    db.close();
    await ledger.merge([set("2")], never);
    assert.ok((await ledger.account(names("2"))).spending.damaged, "whole, though a release is missing");
    await ledger.merge([set("2", { entries: [release(3)] })], never);
    assert.equal((await ledger.account(names("2"))).spending.damaged, false);
  } finally {
    close();
  }
}

/** Whatever a file holds, what is here only grows. */
async function grown(load) {
  const { Ledger } = await load("ledger.js");
  const { close } = browser();
  let seed = 7;
  const draw = (n) => ((seed = (seed * 48271) % 2147483647), seed % n); // Lehmer's generator
  const some = (n, make) => Array.from({ length: draw(n) }, make);
  try {
    const ledger = await Ledger.open(LIMIT);
    let [taken, refused] = [0, 0];
    for (let round = 0; round < 300; round++) {
      const before = await held();
      const file = some(4, () => set("12345"[draw(5)], {
        limit: [null, LIMIT, { epsilon: "1", slack: "0.000001", rho: "0.02" }][draw(3)],
        entries: some(3, () => release(draw(40), 1 + (draw(8) === 0))),
        lost: some(2, () => id(draw(40))),
        looked: draw(9) ? "" : "2026-01-02T03:04:05.678Z",
      }));
      const result = await ledger.merge(file, ({ here }) => here.limit).catch((error) => {
        if (error.code !== "bad-ledger") assert.equal(error.code, "no-storage", error); // a file with one id twice, which Go refuses
        refused++;
      });
      if (result) taken++;
      const now = await held();
      for (const store of ["entries", "receipts"]) {
        const found = new Map(now[store].map((item) => [item.id, item]));
        for (const item of before[store]) assert.deepEqual(found.get(item.id), item);
        if (!result) assert.equal(now[store].length, before[store].length);
      }
      const found = new Map(now.accounts.map((account) => [account.fingerprint, account]));
      for (const { fingerprint, limit, count } of before.accounts) {
        assert.deepEqual(found.get(fingerprint).limit, limit);
        assert.ok(found.get(fingerprint).count >= count);
      }
    }
    assert.ok(taken > 50 && refused > 50, `${taken} files taken, ${refused} refused`);
  } finally {
    close();
  }
}

/** A limit that sets a δ aside is asked about when releases come that were not here, and only then, and only it may change. */
async function asked(load) {
  const { Ledger } = await load("ledger.js");
  const { close } = browser();
  try {
    const ledger = await Ledger.open(LIMIT);
    const slack = { epsilon: "1", delta: "0", slack: "0.01", rho: "0.1" };
    await ledger.setLimit(names("1"), () => slack);
    await ledger.debit(names("1"), 1, charge(0.5));
    const limit = async () => (await ledger.account(names("1"))).spending.limit;
    const file = set("1", { limit: { epsilon: "9" }, entries: [release(1), release(2)] });
    let question;
    const keeps = await ledger.merge([file], (joined) => ((question = joined), joined.here.limit));
    assert.equal(spent({ spending: question.here }), 0.5);
    assert.deepEqual(question.file.entries.map(({ id }) => id), [id(1), id(2)]);
    assert.deepEqual([keeps.ended, await limit()], [0, slack]);
    await ledger.merge([file], never); // nothing is new
    const ends = await ledger.merge([set("1", { entries: [release(1), release(3)] })], ({ here, file }) => {
      assert.equal(spent({ spending: here }), 2.5);
      assert.deepEqual(file.entries.map(({ id }) => id), [id(3)]);
      return { epsilon: "1", delta: "0" };
    });
    assert.deepEqual([ends.ended, ends.added, ends.known], [1, 1, 1]);
    assert.deepEqual(await limit(), { epsilon: "1", delta: "0" });
    await ledger.merge([set("1", { limit: slack, entries: [release(4)] })], never); // it is for good
    assert.deepEqual(await limit(), { epsilon: "1", delta: "0" });
  } finally {
    close();
  }
}

/** A database that is deleted just as it was opened is not held on to: else whoever deletes it waits for good. */
async function letGo(load) {
  const { Ledger } = await load("ledger.js");
  const { close } = browser();
  const [requests, open] = [[], indexedDB.open.bind(indexedDB)];
  indexedDB.open = (...what) => (requests.push(open(...what)), requests.at(-1));
  try {
    const opened = Ledger.open(LIMIT).catch(() => {});
    const deleted = new Promise((resolve) => {
      const request = indexedDB.deleteDatabase("hush");
      request.onsuccess = () => resolve("deleted");
      request.onblocked = () => setTimeout(resolve, 200, "blocked");
    });
    assert.equal(await deleted, "deleted");
    await opened;
  } finally {
    for (const { result } of requests) result.close(); // the store in memory spins while one is held
    close();
  }
}

/** The engine with Go's answers played, and a file open: ask answers with the message that ends a request. */
async function engine(load, go, compute) {
  const done = new Map();
  const channels = []; // what is open keeps the tests from their end
  const api = {
    write: () => '{"ok": null}',
    call(op, text) {
      assert.ok(go[op], op);
      try {
        return JSON.stringify({ ok: go[op](JSON.parse(text)) });
      } catch (fault) {
        if (!fault.code) throw fault;
        return JSON.stringify({ fault });
      }
    },
    compute(op, text, resolve) {
      assert.ok(["run", "topUp"].includes(op));
      const { recipe, release, epsilon } = JSON.parse(text);
      compute((reply) => resolve(JSON.stringify(reply)), recipe ?? { ...release, epsilon });
    },
  };
  const paid = { needs: "file", ledger: true, long: true };
  const table = { open: { needs: "turn" }, run: { needs: "plan", ledger: true, long: true }, runTogether: paid, resumeTogether: paid, planTopUp: { needs: "file" }, topUp: paid, keepAnswers: {} };
  const saved = ["self", "VECTORS", "Go", "fetch", "fs", "navigator", "postMessage", "onmessage", "BroadcastChannel", "hushEngine", "go", "close", "MessageChannel"].map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
  const define = (name, value) => Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  const { instantiateStreaming } = WebAssembly;
  const end = () => {
    WebAssembly.instantiateStreaming = instantiateStreaming;
    for (const { port1 } of channels) port1.close();
    for (const [name, descriptor] of saved) descriptor ? Object.defineProperty(globalThis, name, descriptor) : delete globalThis[name];
  };
  let number = 0;
  const ask = (op, request, source) =>
    new Promise((resolve) => {
      done.set(++number, (message) => message && resolve(message));
      onmessage({ data: { id: number, op, request, source } });
    });
  try {
    define("self", { name: "engine" });
    define("VECTORS", true);
    define("navigator", { userAgent: "" });
    define("fs", {});
    const { MessageChannel } = globalThis;
    define("MessageChannel", class extends MessageChannel {
      constructor() {
        super();
        channels.push(this);
      }
    });
    define("close", () => {});
    define("onmessage", null);
    define("BroadcastChannel", undefined);
    define("fetch", async () => new Response("", { headers: { "Content-Type": "application/wasm" } }));
    define("postMessage", (message) => done.get(message.id)?.(message.id && ("result" in message || message.error) ? message : undefined));
    define("Go", class {
      importObject = {};
      run() {
        hushEngine.attach(api, JSON.stringify(table));
        return new Promise(() => {});
      }
    });
    WebAssembly.instantiateStreaming = async () => ({ instance: {} });
    await load("engine.js");
    const source = { file: new File(["age\n1\n2\n"], "ages.csv"), options: {}, number: 1 };
    assert.equal((await ask("open", null, source)).error, undefined);
    return { ask: (op, request) => ask(op, request, source), cancel: () => onmessage({ data: { id: number, op: "cancel" } }), end };
  } catch (error) {
    end();
    throw error;
  }
}

const quiet = {
  defaultLimit: () => LIMIT, survey: () => null, opened: () => ({ options: {} }), abandon: () => null,
  plan: () => ({}), encode: () => false, ahead: () => false, reads: () => false, encoded: () => null, problems: () => [],
  account: (spending) => spending, digest: () => "",
};

/**
 * The engine, from a file to a release: when Go computes, what it costs is in the store, also where that fails or the
 * worker is gone then; where the debit fails Go does not compute.
 */
async function ordered(load) {
  const { close } = browser();
  let found; // what was in the store when Go computed
  let computed = 0;
  let end = (resolve) => resolve({ ok: { statement: "released" } });
  let over = false;
  const go = {
    ...quiet,
    charge: ({ entries, total }) => {
      if (over) throw { code: "over-limit", message: "over the limit" };
      return charge(0.5)({ spending: { entries, total } });
    },
  };
  let played;
  try {
    played = await engine(load, go, (resolve) => {
      computed++;
      held().then((store) => ((found = store), end(resolve)));
    });
    const { ask } = played;
    const first = (await ask("run", { recipe: {} })).result;
    assert.deepEqual([found.entries.length, found.receipts.length], [1, 1], "debits when Go computes");
    assert.deepEqual(first, { statement: "released", entry: found.entries[0].id, notKept: "" });
    const { Answers } = await load("answers.js");
    const shelf = await Answers.open();
    assert.deepEqual(await shelf.read([first.entry]), [{ entry: first.entry, text: '{"statement":"released"}' }], "kept when it is told");
    end = (resolve) => resolve({ fault: { code: "failed", message: "it failed" } });
    assert.equal((await ask("run", { recipe: {} })).error.code, "failed");
    assert.equal((await held()).entries.length, 2, "debits after a failed run");
    over = true;
    assert.equal((await ask("run", { recipe: {} })).error.code, "over-limit");
    assert.equal(computed, 2, "runs, one of them over the limit");
    over = false;
    // An answer that cannot be kept is told all the same, and says so.
    end = (resolve) => resolve({ ok: { statement: "unkept" } });
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (...values) {
      if (this.name === "texts") throw new DOMException("full", "QuotaExceededError");
      return put.call(this, ...values);
    };
    const unkept = (await ask("run", { recipe: {} })).result;
    IDBObjectStore.prototype.put = put;
    assert.equal(unkept?.statement, "unkept");
    assert.match(unkept.notKept, /no room is left for it/);
    await ask("keepAnswers", false);
    assert.equal((await ask("run", { recipe: {} })).result.notKept, "off");
    assert.equal((await held()).entries.length, 4, "what is not kept is paid for");
    assert.deepEqual((await shelf.list()).answers.map(({ entry }) => entry), [first.entry]);
    const before = computed;
    end = () => {}; // the worker is killed in the midst of it
    ask("run", { recipe: {} });
    while (computed <= before || found.entries.length < 5) await new Promise((resolve) => setTimeout(resolve, 1));
    const { entries, receipts, accounts } = await held();
    assert.deepEqual([entries.length, receipts.length, accounts[0].count], [5, 5, 5], "debits after a crash");
  } finally {
    played?.end();
    close();
  }
}

/**
 * A plan of several questions is one debit, written before the first draw; what is not drawn when it is cancelled, or when the worker is
 * gone, is drawn later at no cost, and nothing twice, also from two tabs and where no answers are kept.
 */
async function planned(load) {
  const { close } = browser();
  const drawn = []; // [question, debits in the store]
  const seen = new Map(); // what was told of each question, by entry
  let end = (resolve, { task }) => (task === "fails" ? resolve({ fault: { code: "found-nothing", message: "nothing" } }) : resolve({ ok: { statement: `${task} ${drawn.length}` } }));
  let over = false;
  let same = () => null;
  const go = {
    ...quiet,
    chargePlan: ({ entries, total, plan }) => {
      if (over) throw { code: "over-limit", message: "over the limit" };
      return { ...charge(1)({ spending: { entries, total } }), task: "plan", questions: plan.questions.length, parts: parts(plan.questions.length), marks: plan.questions.map(({ task }) => task) };
    },
    samePlan: (rest) => same(rest),
  };
  const plan = { questions: ["a", "b", "fails", "c"].map((task) => ({ task })), delta: "0" };
  const tell = ({ result }) => {
    assert.ok(result, "what was drawn is not told");
    for (const { number, released, fault } of result.answers) {
      const text = released?.statement ?? fault.code;
      assert.equal(seen.get(`${result.entry}/${number}`) ?? text, text, "another draw of an answer that was told");
      seen.set(`${result.entry}/${number}`, text);
    }
    return result;
  };
  const debits = async () => (await held()).entries.length;
  const fresh = () => engine(load, go, (resolve, recipe) => {
    held().then((store) => (drawn.push([recipe.task, store.entries.length]), end(resolve, recipe)));
  });
  let played;
  try {
    played = await fresh();
    const { ask, cancel } = played;
    over = true;
    assert.equal((await ask("runTogether", { plan })).error.code, "over-limit");
    assert.deepEqual([drawn.length, await debits()], [0, 0], "of a plan over the limit");
    over = false;
    // All of it.
    const whole = tell(await ask("runTogether", { plan }));
    assert.deepEqual(drawn, [["a", 1], ["b", 1], ["fails", 1], ["c", 1]]);
    assert.deepEqual(whole.answers.map(({ released, fault }) => released?.entry ?? fault.code), [`${whole.entry}/1`, `${whole.entry}/2`, "found-nothing", `${whole.entry}/4`]);
    assert.deepEqual([whole.left, whole.stopped], [[], undefined]);
    const { Answers } = await load("answers.js");
    const shelf = await Answers.open();
    assert.deepEqual((await shelf.list()).answers.map(({ entry }) => entry), [1, 2, 4].map((n) => `${whole.entry}/${n}`));
    const { Ledger } = await load("ledger.js");
    const ledger = await Ledger.open(LIMIT);
    const [{ spending: { entries: [entry] } }] = await ledger.accounts();
    assert.deepEqual([entry.questions, entry.plan, entry.task], [4, { ...plan, drawn: [1, 2, 3, 4] }, "plan"]);
    assert.deepEqual(tell(await ask("resumeTogether", whole.entry)), { entry: whole.entry, answers: [], left: [], stopped: undefined });
    // Cancelled in the midst: what was drawn is told, and the rest is drawn later. Nothing is kept here.
    await ask("keepAnswers", false);
    const before = end;
    end = (resolve, recipe) => (recipe.task === "b" ? (cancel(), resolve({ fault: { code: "cancelled", message: "cancelled" } })) : before(resolve, recipe));
    const part = tell(await ask("runTogether", { plan }));
    assert.deepEqual([part.answers.map(({ number }) => number), part.left, part.stopped.code], [[1], [2, 3, 4], "cancelled"]);
    assert.equal(part.answers[0].released.notKept, "off");
    end = before;
    drawn.length = 0;
    same = () => { throw { code: "plan-closed", message: "another price" }; };
    assert.equal((await ask("resumeTogether", part.entry)).error?.code, "plan-closed");
    same = ({ marks, left }) => assert.deepEqual([marks, left], [["a", "b", "fails", "c"], [2, 3, 4]]);
    const rest = tell(await ask("resumeTogether", part.entry));
    assert.deepEqual([rest.answers.map(({ number }) => number), rest.left], [[2, 3, 4], []]);
    assert.deepEqual(drawn.map(([task]) => task), ["b", "fails", "c"]);
    assert.equal(await debits(), 2);
    assert.equal((await ask("resumeTogether", part.entry)).result.answers.length, 0, "answers that were told are told again");
    // Another tab draws the rest meanwhile: what this one had drawn is seen by nobody.
    same = () => null;
    await ask("keepAnswers", true);
    const names = { fingerprint: entry.fingerprint };
    let taken;
    end = async (resolve, recipe) => {
      if (recipe.task === "b") {
        taken = (await held()).entries.find(({ plan }) => !(2 in plan.drawn)).id;
        await ledger.plan(names, taken, "another tab");
        await ledger.hand(taken, "another tab", 2, JSON.stringify({ release: { statement: "of the other tab" } }));
      }
      before(resolve, recipe);
    };
    const lost = tell(await ask("runTogether", { plan }));
    assert.deepEqual([lost.answers.map(({ number }) => number), lost.stopped?.code], [[1], "plan-closed"]);
    end = before;
    // The other tab was killed before it told its answer, or once it had kept it.
    drawn.length = 0;
    const found = tell(await ask("resumeTogether", taken));
    assert.deepEqual([found.answers.map(({ number }) => number), found.answers[0]?.released?.statement], [[2, 3, 4], "of the other tab"]);
    assert.deepEqual(drawn.map(([task]) => task), ["fails", "c"]);
    const texts = await shelf.read([1, 2, 4].map((n) => `${taken}/${n}`));
    assert.deepEqual(texts.map(({ text }) => JSON.parse(text).statement), [1, 2, 4].map((n) => seen.get(`${taken}/${n}`)));
    await assert.rejects(ledger.hand(taken, "another tab", 4, "{}"), { code: "plan-closed" });
    // Of another data set, and in another browser.
    await ledger.debit({ fingerprint: "2".repeat(64) }, 0, (account) => ({ ...charge(1)(account), id: "other", questions: 4, parts: parts(4), plan: { fixed: plan, marks: [], turn: "x" } }));
    assert.equal((await ask("resumeTogether", "other")).error?.code, "other-file");
    await ledger.merge([set("3", { entries: [{ ...release(1), task: "plan", questions: 4 }] })], never);
    assert.equal((await ask("resumeTogether", release(1).id)).error.code, "plan-closed");
    assert.equal(await debits(), 5);
    // The worker is killed while it draws the first.
    end = () => {};
    const computed = drawn.length;
    ask("runTogether", { plan });
    while (drawn.length === computed) await new Promise((resolve) => setTimeout(resolve, 1));
    const killed = (await held()).entries.find(({ plan }) => plan && !Object.keys(plan.drawn).length && plan.turn !== "x").id;
    played.end();
    played = await fresh();
    end = before;
    assert.deepEqual(tell(await played.ask("resumeTogether", killed)).answers.map(({ number }) => number), [1, 2, 3, 4]);
    assert.equal(await debits(), 6);
  } finally {
    played?.end();
    close();
  }
}

/**
 * An answer is made more exact for the difference once: of two tabs one wins, in another version of the page or after ledgers were joined
 * none. What was paid for and never seen is drawn once more at no cost, and nothing that was.
 */
async function toppedUp(load) {
  const { close } = browser();
  const drawn = [];
  let end = (resolve, { epsilon = "1", task, recipe = { task } }) => resolve({ ok: { recipe, says: `${recipe.task} ${epsilon} ${drawn.length}` } });
  const go = {
    ...quiet,
    charge: ({ entries, total }) => charge(1)({ spending: { entries, total } }),
    chargeTopUp: ({ entries, total, epsilon }) => charge(epsilon - 1, 100)({ spending: { entries, total } }),
    topUpPlan: ({ epsilon }) => ({ epsilon: epsilon || "2" }),
    digest: ({ says, recipe }) => (recipe?.task === "median" ? "" : says),
  };
  const fresh = () => engine(load, go, (resolve, question) => (drawn.push(question.epsilon ?? "1"), end(resolve, question)));
  const why = ({ error, result }) => [error?.code, error?.message.replace(/.*: /, "") ?? result];
  let played;
  try {
    played = await fresh();
    let { ask } = played;
    const { Ledger } = await load("ledger.js");
    const { Answers } = await load("answers.js");
    const [ledger, shelf] = [await Ledger.open(LIMIT), await Answers.open()];
    const released = async (task = "count") => (await ask("run", { recipe: { task } })).result;
    const [before, taken] = ["it was made more exact before", "it was asked of another data set, or in another browser, or together with other questions"];
    // Once, and the answer that came of it once more.
    const first = await released();
    assert.deepEqual((await ask("planTopUp", { release: first, epsilon: "" })).result, { epsilon: "2", paid: false });
    const second = (await ask("topUp", { release: first, epsilon: "2" })).result;
    assert.deepEqual([second?.says, second?.notKept], ["count 2 2", ""]);
    assert.equal((await shelf.read([second.entry])).length, 1, "it is kept when it is told");
    assert.deepEqual(why(await ask("planTopUp", { release: first, epsilon: "" })), ["no-top-up", before]);
    assert.deepEqual(why(await ask("topUp", { release: first, epsilon: "2" })), ["no-top-up", before]);
    const third = (await ask("topUp", { release: second, epsilon: "3" })).result;
    let [{ spending: { entries } }] = await ledger.accounts();
    assert.deepEqual(entries.map(({ loss, replaces }) => [loss.epsilon, replaces]), [["1", undefined], ["1", first.entry], ["2", second.entry]]);
    assert.ok(entries.every((entry) => !("head" in entry || "plan" in entry || "next" in entry || "era" in entry)));
    assert.deepEqual(why(await ask("topUp", { release: { ...third, says: "forged" }, epsilon: "4" })), ["no-top-up", taken]);
    assert.deepEqual(why(await ask("planTopUp", { release: await released("median"), epsilon: "" })), ["no-top-up", taken]);
    // Two tabs: one debit, one answer. They look at the head at once.
    const twice = await released();
    const [names, spends] = [{ fingerprint: entries[0].fingerprint }, drawn.length];
    const { head, build } = await ledger.head(names, twice.says, load.build);
    const debit = () => ledger.debit(names, 0, (account) => ({ ...charge(1)(account), replaces: { head, build }, plan: { epsilon: "2", turn: "x" } }));
    const ends = await Promise.allSettled([debit(), debit()]);
    assert.deepEqual(ends.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
    assert.equal(ends.find(({ reason }) => reason).reason.code, "no-top-up");
    // The one that won was killed: the same is drawn once more at no cost, and nothing else.
    const count = async () => (await ledger.accounts())[0].spending.entries.length;
    const paid = await count();
    assert.deepEqual((await ask("planTopUp", { release: twice, epsilon: "" })).result, { epsilon: "2", paid: true });
    assert.deepEqual(why(await ask("topUp", { release: twice, epsilon: "3" })), ["no-top-up", before]);
    assert.equal((await ask("topUp", { release: twice, epsilon: "2" })).result?.says, `count 2 ${spends + 1}`);
    assert.deepEqual(why(await ask("topUp", { release: twice, epsilon: "2" })), ["no-top-up", before]);
    assert.equal(await count(), paid);
    // It had noted its answer: that is the answer.
    const noted = await released();
    const other = await ledger.head(names, noted.says, build);
    await ledger.debit(names, 0, (account) => ({ ...charge(1)(account), id: "won", replaces: other, plan: { epsilon: "2", turn: "x" } }));
    await ledger.hand("won", "x", 1, JSON.stringify({ release: { recipe: { task: "count" }, says: "of the other tab" } }));
    assert.equal((await ask("topUp", { release: noted, epsilon: "2" })).result.says, "of the other tab");
    assert.equal((await ask("topUp", { release: { says: "of the other tab", recipe: {} }, epsilon: "3" })).error, undefined, "the chain ends where a tab was killed");
    // A run that is cancelled is drawn later; what fails is over.
    const stopped = await released();
    const usual = end;
    for (const [code, left] of [["cancelled", true], ["failed", false]]) {
      const of = code === "failed" ? await released() : stopped;
      end = (resolve) => resolve({ fault: { code, message: code } });
      assert.equal((await ask("topUp", { release: of, epsilon: "2" })).error.code, code);
      end = usual;
      assert.equal((await ask("planTopUp", { release: of, epsilon: "" })).result?.paid ?? false, left);
    }
    // Another version of the page, a limit that sets a δ aside, and ledgers that were joined.
    const last = await released();
    await assert.rejects(ledger.head(names, last.says, "/v/other/"), { code: "no-top-up" });
    await ledger.setLimit(names, () => ({ epsilon: "3", slack: "0.1" }));
    assert.equal((await ask("planTopUp", { release: last, epsilon: "" })).error, undefined);
    await ledger.setLimit(names, () => null);
    assert.equal((await ask("planTopUp", { release: last, epsilon: "" })).error?.code, "no-top-up");
    const late = await released();
    await ledger.merge([set("1", { fingerprint: names.fingerprint, entries: [release(7)] })], never);
    assert.deepEqual(why(await ask("topUp", { release: late, epsilon: "2" })), ["no-top-up", "its ledger was restored, joined with another, or given another limit since"]);
    assert.equal((await ask("planTopUp", { release: await released(), epsilon: "" })).error, undefined);
    // A limit that is changed while a question is drawn: the answer lies in the limit of its debit.
    end = async (resolve, question) => {
      await ledger.setLimit(names, () => ({ epsilon: "3", slack: "0.1" }));
      await ledger.setLimit(names, () => null);
      usual(resolve, question);
    };
    const between = await released();
    end = usual;
    assert.equal((await ask("planTopUp", { release: between, epsilon: "" })).error?.code, "no-top-up");
    // A file that only reads alike has the same account, and other bytes.
    const alike = await released();
    const reads = await ledger.head(names, alike.says, build);
    assert.equal(reads.paid, null);
    await ledger.recognise({ ...names, alike: "a".repeat(64) });
    const copy = { fingerprint: "e".repeat(64), alike: "a".repeat(64) };
    assert.equal((await ledger.account(copy)).spending.fingerprint, names.fingerprint, "one account");
    await assert.rejects(ledger.head(copy, alike.says, build), (error) => error.code === "no-top-up" && /other bytes/.test(error.message));
    const { revision } = await ledger.account(copy);
    await assert.rejects(
      ledger.debit(copy, revision, (account) => ({ ...charge(1)(account), id: "alike", replaces: { head: reads.head, build }, plan: { epsilon: "2", turn: "x" } })),
      { code: "no-top-up" },
    );
    assert.equal((await ledger.accounts())[0].spending.entries.some(({ id }) => id === "alike"), false);
    // Files of a copy of this ledger, which made top-ups of its own; the second does not say of what.
    const [stated, copied] = [8, 9].map((n) => ({ ...release(n), loss: { epsilon: "0.5", delta: "0", rest: true } }));
    for (const entry of [{ ...stated, replaces: id(7) }, copied]) await ledger.merge([set("1", { fingerprint: names.fingerprint, entries: [entry] })], never);
    const replaced = (await ledger.accounts())[0].spending.entries.filter(({ loss }) => loss.rest).map(({ replaces }) => replaces);
    assert.deepEqual(replaced.sort(), [id(7), "?"]);
  } finally {
    played?.end();
    close();
  }
}

/** The same rows have one account, whatever the kind of file, also where two were opened before that was known; nearly the same warn. */
async function recognised(load) {
  const { Ledger } = await load("ledger.js");
  const { close } = browser();
  const bytes = (n) => new Uint8Array(32).fill(n);
  const hashes = (from) => Array.from({ length: 64 }, (_, i) => String(from + i).padStart(16, "0"));
  try {
    const ledger = await Ledger.open(LIMIT);
    const xlsx = await ledger.names(bytes(1), { rows: "a", sketch: hashes(0), alike: "x", alikeSketch: hashes(500) });
    const parquet = await ledger.names(bytes(2), { rows: "b", sketch: hashes(100), alike: "x", alikeSketch: hashes(500) });
    await ledger.debit(xlsx, 0, charge(1));
    assert.equal(spent(await ledger.account(parquet)), 1);
    const opened = await ledger.recognise(parquet);
    assert.deepEqual([spent(opened), opened.near], [1, []]);
    await ledger.debit(parquet, 1, charge(1));
    assert.equal(spent(await ledger.recognise(await ledger.names(bytes(1), { rows: "a", sketch: hashes(0) }))), 2, "of the bytes alone");
    assert.equal((await ledger.accounts()).length, 1);
    // Two accounts that were apart, as in ledgers of earlier versions, become one.
    const before = [await ledger.names(bytes(3), { rows: "c" }), await ledger.names(bytes(4), { rows: "d" })];
    for (const names of before) await ledger.debit(names, 0, charge(0.5));
    await ledger.recognise(await ledger.names(bytes(3), { rows: "c", alike: "y" }));
    assert.equal(spent(await ledger.recognise(await ledger.names(bytes(4), { rows: "d", alike: "y" }))), 1);
    assert.equal((await ledger.accounts()).length, 2);
    const near = await ledger.recognise(await ledger.names(bytes(5), { rows: "e", sketch: hashes(200), alike: "z", alikeSketch: hashes(510) }));
    assert.deepEqual([spent(near), near.near.map(({ fingerprint }) => fingerprint)], [0, [xlsx.fingerprint]]);
    assert.ok(near.near[0].shared >= 50 && near.near[0].shared < 100);
    assert.deepEqual((await ledger.recognise(await ledger.names(bytes(6), { rows: "f", sketch: hashes(300), alikeSketch: hashes(900) }))).near, []);
    for (const { spending } of await ledger.accounts()) assert.equal(spending.damaged, false);
  } finally {
    close();
  }
}

/** A device signs with one key, in each tab, whose private half cannot leave; only what was signed bears the signature. */
async function signed(load) {
  const { Ledger, signs } = await load("ledger.js");
  const { close } = browser();
  try {
    const ledger = await Ledger.open(LIMIT);
    assert.equal(await ledger.signer(), "", "no key before it is needed");
    const { key, value } = await ledger.sign("one\n");
    assert.match(key + value, /^04[0-9a-f]{256}$/);
    assert.ok(await signs(key, value, "one\n"));
    assert.equal(await signs(key, value, "two\n"), false);
    assert.equal(await signs(`04${"0".repeat(128)}`, value, "one\n"), false, "no key");
    const next = await Ledger.open(LIMIT);
    assert.equal(await next.signer(), key);
    assert.equal((await next.sign("two\n")).key, key);
    const db = await new Promise((resolve) => (indexedDB.open("hush").onsuccess = ({ target }) => resolve(target.result)));
    const pair = await new Promise((resolve) => (db.transaction("keys").objectStore("keys").get("signing").onsuccess = ({ target }) => resolve(target.result)));
    db.close();
    assert.equal(pair.privateKey.extractable, false);
  } finally {
    close();
  }
}

const all = { debited, shared, missed, kept, grown, asked, letGo, recognised, signed, ordered, planned, toppedUp };
for (const [name, holds] of Object.entries(all)) test(name, () => holds(scripts()));

// Mistakes ----------------------------------------------------------------------------------------------------------

const debit = "  held.revision = await ledger.debit(held.names, held.revision, ({ spending }) => ({ ...call(\"charge\", { ...spending, recipe, agreed }), id }));\n";
const planDebit = "  held.revision = await ledger.debit(held.names, held.revision, ({ spending }) => {\n    const { marks";
for (const [what, by, file, old, now] of [
  ["a write need not reach the disk", "debited", "ledger.js", 'durability: "strict"', 'durability: "relaxed"'],
  ["durability is left to the browser", "debited", "ledger.js", ', { durability: "strict" }', ""],
  ["an entry is not written", "debited", "ledger.js", "entries.add({ ...entry, fingerprint, read: names.fingerprint, era: record.era ?? 0 });", ""],
  ["a receipt is not written", "debited", "ledger.js", "receipts.add({ id: entry.id, fingerprint });", ""],
  ["two tabs spend the same rest", "shared", "ledger.js", "if (record.revision !== revision) return false;", ""],
  ["what a refused write began stays", "missed", "ledger.js", "tx.abort(); // work", "// work"],
  ["a cleared ledger starts anew", "missed", "ledger.js", "account.revision < seen || ", ""],
  ["a lost entry is not missed", "missed", "ledger.js", "if (account.revision < seen || account.spending.damaged) throw damaged();", ""],
  ["a file moves receipts", "kept", "ledger.js", "if ([entry, paid].some((here) => here && here.fingerprint !== fingerprint)) throw contradicts({ id });\n          if (!paid) receipts.add({ id, fingerprint });", "receipts.put({ id, fingerprint });"],
  ["a file makes whole what it does not hold", "kept", "ledger.js", "Math.max(record.count, await settled(receipts.index(\"fingerprint\").count(fingerprint)))", "await settled(receipts.index(\"fingerprint\").count(fingerprint))"],
  ["a file changes an entry", "grown", "ledger.js", "if (before && !same(before, entry)) throw contradicts(entry);", "if (before && !same(before, entry)) entries.put(entry);"],
  ["a filter stays whatever is imported", "asked", "ledger.js", "record.limit = keep(", "keep("],
  ["a database is held on to", "letGo", "ledger.js", "  db.onversionchange = () => db.close();\n", ""],
  ["each signature has a key of its own", "signed", "ledger.js", 'if (!pair) keys.put(fresh, "signing");', ""],
  ["a private key can leave", "signed", "ledger.js", "generateKey(CURVE, false", "generateKey(CURVE, true"],
  ["any signature holds", "signed", "ledger.js", "return await crypto.subtle.verify(SIGNING, of, bytes(value), utf8(text));", "return true;"],
  ["rows that read alike have two accounts", "recognised", "ledger.js", "if (alike) also.add(alike);", ""],
  ["the debit is skipped", "ordered", "engine.js", debit, ""],
  ["the debit is not waited for", "ordered", "engine.js", debit, debit.replace("await ", "")],
  ["the debit comes after the run", "ordered", "engine.js", `${debit}  ledgerWritten();\n  const release = await compute("run", { recipe });`, `  const release = await compute("run", { recipe });\n${debit}`],
  ["the answer is told before it is kept", "ordered", "engine.js", "  return keep((lastRun = id), release);", "  keep((lastRun = id), release);\n  return { ...release, entry: id, notKept: \"\" };"],
  ["what is not kept is not told", "ordered", "engine.js", "return { ...release, entry, notKept: describe(error).message };", "throw error;"],
  ["an answer is kept against its owner's will", "ordered", "answers.js", '=== true) return false;', '=== 1) return false;'],
  ["a plan is drawn before it is paid for", "planned", "engine.js", planDebit, `  await compute("run", { recipe: fixed.questions[0] });\n${planDebit}`],
  ["what is drawn of a plan is not noted", "planned", "engine.js", "  await ledger.hand(id, turn, number, JSON.stringify(came));\n", ""],
  ["two tabs hand out one question", "planned", "ledger.js", "if (plan.turn !== turn || number in plan.drawn) throw", "if (false) throw"],
  ["what was drawn of a plan is drawn again", "planned", "engine.js", "const answers = [];\n  const left = numbersOf(fixed).filter((number) => !(number in drawn));", "const answers = [];\n  const left = numbersOf(fixed);"],
  ["what was drawn and not told is lost", "planned", "engine.js", "if (text) await add(Number(number), JSON.parse(text));", "continue;"],
  ["what was told is told again", "planned", "engine.js", "message.told = () => untold.length && ledger.settle(id, untold).catch(() => {});", ""],
  ["a plan is drawn of any file", "planned", "ledger.js", "if (entry.fingerprint !== (await this.#find(stores, names)).fingerprint) {", "if (false) {"],
  ["a failed draw is made again", "planned", "engine.js", "if (error === DEAD || error.code === \"cancelled\") throw error;", "throw error;"],
  ["a cancel loses what was drawn", "planned", "engine.js", "    stopped = describe(error);", "    throw error;"],
  ["an answer has two successors", "toppedUp", "ledger.js", "if (head.next) throw", "if (false) throw"],
  ["what was topped up is topped up again", "toppedUp", "ledger.js", 'if (plan.drawn[1] === "" || (', "if (("],
  ["another version of the page tops up", "toppedUp", "ledger.js", "if (entry.build !== build) throw", "if (false) throw"],
  ["what a copy of the ledger topped up is a rest like others", "toppedUp", "ledger.js", "!entry.replaces && other ?", "!entry.replaces && false ?"],
  ["other bytes of one account are topped up", "toppedUp", "ledger.js", "if (entry.read !== read) throw", "if (false) throw"],
  ["a head has the limit of the end of its draw", "toppedUp", "ledger.js", "head, build });\n    });\n  }\n\n  /** The entry", "head, build, era: (await settled(accounts.get((await settled(entries.get(id))).fingerprint))).era ?? 0 });\n    });\n  }\n\n  /** The entry"],
  ["a head outlives a restore", "toppedUp", "ledger.js", "total: undefined, era: (record.era ?? 0) + 1 });", "total: undefined });"],
  ["a head outlives its limit", "toppedUp", "ledger.js", "if (closes) changes.era = (record.era ?? 0) + 1;", ""],
  ["a top-up is drawn before it is paid for", "toppedUp", "engine.js", "  if (!paid) {\n", "  if (false) {\n"],
  ["a top-up that was paid for is paid for again", "toppedUp", "engine.js", "  if (!paid) {\n", "  if (true) {\n"],
  ["a top-up is paid for to one ε and drawn to another", "toppedUp", "ledger.js", "(wanted ?? plan.epsilon) !== plan.epsilon", "false"],
  ["the rest is drawn at another price", "planned", "engine.js", "    call(\"samePlan\", { plan: fixed, marks, left });\n", ""],
]) {
  test(`caught: ${what}`, () => assert.rejects(all[by](scripts({ file, old, now })), (error) => ["ERR_ASSERTION", "ledger-damaged"].includes(error.code)));
}
