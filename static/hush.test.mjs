// Tests of the engine's client as it is shipped, outside of a browser: node --test static/hush.test.mjs. Its workers are played.

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, beforeEach, mock, test } from "node:test";
import { pathToFileURL } from "node:url";

const directory = mkdtempSync(path.join(tmpdir(), "hush-client-"));
after(() => rmSync(directory, { recursive: true }));
cpSync(path.join(import.meta.dirname, "hush.js"), path.join(directory, "hush.js"));
writeFileSync(path.join(directory, "package.json"), '{"type": "module"}');
writeFileSync(path.join(directory, "trust.js"), "export const startWorker = (name) => globalThis.startPlayed(name);");
const { Hush } = await import(pathToFileURL(path.join(directory, "hush.js")).href);

const PATIENCE = 5000; // as hush.js has it
let workers;

/** A worker that does only what a test has it say. */
class Played {
  heard = [];
  ended = false;
  postMessage(message) {
    this.heard.push(message);
  }
  terminate() {
    this.ended = true;
  }
  says(data) {
    this.onmessage?.({ data });
  }
  /** Begins, and answers what it hears with the name of what was asked. */
  begins() {
    this.says({ op: "begun" });
    this.says({ op: "ready", operations: { catalogue: {}, run: { once: true } } });
    for (const { id, op } of this.heard) this.says({ id, result: op });
  }
}

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  workers = [];
  globalThis.startPlayed = () => (workers.push(new Played()), workers.at(-1));
});

const codeOf = (promise) => promise.then(() => "", ({ code }) => code);

test("A worker hears nothing before it has begun, and then all that was asked, once and in order.", async () => {
  const hush = new Hush();
  const asked = [hush.catalogue(), hush.run({})];
  assert.deepEqual(workers[0].heard, []);
  workers[0].begins();
  assert.deepEqual(workers[0].heard.map(({ op }) => op), ["catalogue", "run"]);
  assert.deepEqual(await Promise.all(asked), ["catalogue", "run"]);
  mock.timers.tick(1e6);
  assert.equal(workers.length, 1);
});

test("Beside a worker that never begins another is started, which is asked.", async () => {
  const hush = new Hush();
  const asked = hush.run({});
  mock.timers.tick(PATIENCE);
  assert.equal(workers.length, 2);
  mock.timers.tick(2 * PATIENCE - 1);
  assert.equal(workers.length, 2, "each wait is twice the one before");
  mock.timers.tick(1);
  assert.equal(workers.length, 3);
  workers[1].begins();
  assert.equal(await asked, "run");
  assert.deepEqual(workers.map(({ ended }) => ended), [true, false, true]);
  workers[0].begins(); // too late
  assert.deepEqual(workers[0].heard, []);
  mock.timers.tick(1e6);
  assert.equal(workers.length, 3);
  assert.equal(await hush.ready, undefined);
});

test("An engine that takes its place may not begin either.", async () => {
  const hush = new Hush();
  hush.addEventListener("died", () => {});
  workers[0].begins();
  await hush.ready;
  hush.restart();
  const asked = hush.catalogue();
  mock.timers.tick(PATIENCE);
  assert.equal(workers.length, 3);
  workers[2].begins();
  assert.equal(await asked, "catalogue");
  assert.deepEqual(workers.map(({ ended }) => ended), [true, true, false]);
});

test("What is cancelled before an engine has begun is never asked.", async () => {
  const hush = new Hush();
  const end = new AbortController();
  const lost = codeOf(hush.run({}, { signal: end.signal }));
  const asked = hush.catalogue();
  end.abort();
  assert.equal(await lost, "cancelled");
  workers[0].begins();
  assert.deepEqual(workers[0].heard.map(({ op }) => op), ["catalogue"]);
  assert.equal(await asked, "catalogue");
});

test("An engine that is closed before it has begun starts no more workers.", async () => {
  const hush = new Hush();
  const asked = codeOf(hush.catalogue());
  mock.timers.tick(PATIENCE);
  hush.close();
  mock.timers.tick(1e6);
  assert.equal(await asked, "closed");
  assert.deepEqual(workers.map(({ ended }) => ended), [true, true]);
});

test("An engine that cannot be loaded is said, and the next call tries again.", async () => {
  const hush = new Hush();
  const asked = codeOf(hush.catalogue());
  workers[0].onerror({ preventDefault() {}, message: "no such file" });
  assert.equal(await asked, "engine-start");
  mock.timers.tick(1e6);
  assert.equal(workers.length, 1);
  const again = hush.catalogue();
  assert.equal(workers.length, 2);
  workers[1].begins();
  assert.equal(await again, "catalogue");
});

test("What JSON has not is refused with its field, and a proxy is sent as what it stands for; the engine goes on.", async () => {
  const hush = new Hush();
  const asked = hush.plan(new Proxy({ epsilon: "1" }, {}));
  const refused = await hush.plan({ epsilon: 1n }).catch((error) => error);
  assert.deepEqual([refused.code, refused.field], ["refused", "epsilon"]);
  assert.match(refused.message, /numbers as text/);
  workers[0].begins();
  await asked;
  assert.deepEqual(workers[0].heard.map(({ request }) => structuredClone(request)), [{ epsilon: "1" }]);
  assert.equal(workers.length, 1);
});
