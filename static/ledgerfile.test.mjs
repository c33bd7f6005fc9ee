// Tests of the ledger in Node that need no engine: node --test static/ledgerfile.test.mjs.

import assert from "node:assert/strict";
import { cpSync, existsSync, linkSync, mkdtempSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, beforeEach, test } from "node:test";
import { pathToFileURL } from "node:url";
import { MessageChannel } from "node:worker_threads";

// The package as it is shipped has ledger.js beside its own scripts.
const shipped = mkdtempSync(path.join(tmpdir(), "hush-package-"));
after(() => rmSync(shipped, { recursive: true }));
writeFileSync(path.join(shipped, "package.json"), '{"type": "module"}');
for (const name of ["package/ledgerfile.js", "package/stores.js", "ledger.js"]) cpSync(path.join(import.meta.dirname, name), path.join(shipped, path.basename(name)));
const load = (name) => import(pathToFileURL(path.join(shipped, name)).href);
const { LedgerFile } = await load("ledgerfile.js");
const { databases } = await load("stores.js");

let folder;
beforeEach(() => (folder = mkdtempSync(path.join(shipped, "ledger-"))));
const at = (name) => path.join(folder, name);

test("A symbolic link to a ledger is that ledger: one lock, one pair of texts.", async () => {
  mkdirSync(at("deep"));
  const ledger = new LedgerFile(at("deep/ledger.json"));
  await ledger.take();
  await ledger.give({ ledger: "one", own: "key" });
  symlinkSync(at("deep/ledger.json"), at("link.json"));
  symlinkSync(at("deep"), at("folder"));
  for (const name of ["link.json", "folder/ledger.json"]) {
    const other = new LedgerFile(at(name));
    assert.deepEqual(await other.take(), { ledger: "one", own: "key" }, name);
    assert.ok(existsSync(at("deep/ledger.json.lock")), "one lock for both");
    await other.drop();
  }
  const linked = new LedgerFile(at("link.json"));
  await linked.take();
  await linked.give({ ledger: "two", own: "key" });
  assert.equal(readFileSync(at("deep/ledger.json"), "utf8"), "two");
  assert.ok(!existsSync(at("link.json.own")));
});

test("A link to nothing and a second hard link are refused with words.", async () => {
  symlinkSync(at("nothing.json"), at("link.json"));
  await assert.rejects(new LedgerFile(at("link.json")).take(), /a file that is not there/);
  writeFileSync(at("ledger.json"), "");
  linkSync(at("ledger.json"), at("twin.json"));
  await assert.rejects(new LedgerFile(at("twin.json")).take(), /hard links/);
  assert.ok(!existsSync(at("twin.json.lock")));
});

test("A planted link in the place of a new file is not followed.", async () => {
  writeFileSync(at("target"), "precious");
  for (const name of ["ledger.json.new", "ledger.json.own.new"]) symlinkSync(at("target"), at(name));
  const ledger = new LedgerFile(at("ledger.json"));
  await ledger.take();
  await ledger.give({ ledger: "one", own: "key" });
  assert.equal(readFileSync(at("target"), "utf8"), "precious");
  assert.deepEqual(await ledger.take(), { ledger: "one", own: "key" });
  await ledger.drop();
});

/** Opens the stores over two texts, and answers the code of the error, or "". */
async function codeOver(texts) {
  const { port1, port2 } = new MessageChannel();
  port2.on("message", ({ id, op }) => port2.postMessage({ id, result: op === "take" ? texts : undefined }));
  try {
    const request = databases(port1).open("hush");
    await new Promise((resolve, reject) => Object.assign(request, { onsuccess: resolve, onerror: () => reject(request.error) }));
    return "";
  } catch (error) {
    return error.code;
  } finally {
    port1.close();
    port2.close();
  }
}

test("A ledger with releases and without what is kept beside it is damaged, and not a new one.", async () => {
  const release = { id: "0a1b2c3d-0a1b-4c2d-8e3f-000000000001", task: "count", loss: { epsilon: "1", delta: "0" }, time: "2026-01-02T03:04:05.678Z" };
  const ledger = JSON.stringify({ format: "hush-ledger", version: 1, dataSets: [{ fingerprint: "a".repeat(64), browser: "b".repeat(16), limit: null, releases: [release] }] });
  assert.equal(await codeOver({ ledger, own: "" }), "ledger-damaged");
  assert.equal(await codeOver({ ledger: "", own: "" }), "");
  assert.equal(await codeOver({ ledger: JSON.stringify({ format: "hush-ledger", version: 1, dataSets: [] }), own: "" }), "", "nothing was spent");
});
