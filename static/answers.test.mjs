// Tests of the kept answers as they are shipped, outside of a browser: node --test static/answers.test.mjs.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { IDBDatabase, IDBFactory, IDBObjectStore } from "fake-indexeddb";
import { Answers } from "./answers.js";
import { Ledger } from "./ledger.js";

beforeEach(() => (globalThis.indexedDB = new IDBFactory()));

const entries = async (answers) => (await answers.list()).answers.map(({ entry }) => entry);
const report = async (answers) => (await answers.list()).answers.filter(({ report }) => report).sort((a, b) => a.report - b.report).map(({ entry }) => entry);

test("answers outlive whatever kept them, and reach the disk first", async () => {
  const modes = [];
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = function (stores, mode, options) {
    modes.push(`${mode} ${options?.durability}`);
    return transaction.call(this, stores, mode, options);
  };
  try {
    assert.equal(await (await Answers.open()).keep("a", '{"n":1}'), true);
    assert.ok(modes.includes("readwrite strict"));
  } finally {
    IDBDatabase.prototype.transaction = transaction;
  }
  const next = await Answers.open();
  assert.deepEqual(await next.read(["gone", "a"]), [{ entry: "a", text: '{"n":1}' }]);
  const [{ time, ...rest }] = (await next.list()).answers;
  assert.deepEqual(rest, { entry: "a", listed: true, report: 0 });
  assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000);
});

test("a case more is a new text in the same place", async () => {
  const answers = await Answers.open();
  await answers.keep("a", "1");
  await answers.mark(["a"], { listed: false, report: true });
  const before = await answers.list();
  await answers.setOff(true);
  assert.equal(await answers.keep("a", "2"), true);
  assert.deepEqual(await answers.list(), { ...before, off: true });
  assert.deepEqual(await answers.read(["a"]), [{ entry: "a", text: "2" }]);
});

test("the report has the order in which answers came to it, also from two tabs", async () => {
  const [one, other] = [await Answers.open(), await Answers.open()];
  for (const entry of "abcd") await one.keep(entry, entry);
  await Promise.all([one.mark(["c"], { report: true }), other.mark(["a"], { report: true })]);
  await one.mark(["d", "c"], { report: true });
  assert.deepEqual(await report(other), ["c", "a", "d"]);
  await other.mark(["c"], { report: false });
  await one.mark(["c", "gone"], { report: true });
  assert.deepEqual(await report(one), ["a", "d", "c"]);
  await one.mark(["a", "b"], { listed: false });
  assert.deepEqual((await one.list()).answers.map(({ listed }) => listed), [false, false, true, true]);
  assert.deepEqual(await report(one), ["a", "d", "c"]);
});

test("deleting takes the answer, and nothing of the ledger", async () => {
  const ledger = await Ledger.open({ epsilon: "3" });
  const names = { fingerprint: "1".repeat(64) };
  for (const id of ["a", "b"]) await ledger.debit(names, 0, () => ({ id, task: "median", loss: { epsilon: "1", delta: "0" }, frozen: [] }));
  const answers = await Answers.open();
  for (const entry of "abc") await answers.keep(entry, entry);
  const before = await ledger.accounts();
  assert.deepEqual(before[0].spending.entries.map(({ id }) => id).sort(), ["a", "b"]);
  await answers.drop(["a"]);
  assert.deepEqual([await entries(answers), await answers.read(["a"])], [["b", "c"], []]);
  await answers.drop(null);
  assert.deepEqual([await entries(answers), await answers.read(["b", "c"])], [[], []]);
  assert.deepEqual(await ledger.accounts(), before);
});

test("without room nothing of it stays, and what was kept is whole", async () => {
  const answers = await Answers.open();
  await answers.keep("a", "1");
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (...values) {
    if (this.name === "texts") throw new DOMException("full", "QuotaExceededError");
    return put.call(this, ...values);
  };
  try {
    await assert.rejects(answers.keep("b", "2"), { code: "no-storage", message: "the browser refuses to keep answers (no room is left for it)" });
    await assert.rejects(answers.keep("a", "2"), { code: "no-storage" });
  } finally {
    IDBObjectStore.prototype.put = put;
  }
  assert.deepEqual([await entries(answers), await answers.read(["a"])], [["a"], [{ entry: "a", text: "1" }]]);
});

test("where storage is forbidden that is said", async () => {
  globalThis.indexedDB = { open: () => { throw new DOMException("no", "SecurityError"); } };
  await assert.rejects(Answers.open(), { code: "no-storage", message: "the browser refuses to keep answers (the settings of this browser forbid it)" });
});
