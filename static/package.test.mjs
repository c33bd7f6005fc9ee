// Tests of the package as npm installs it, in Node: node --test static/package.test.mjs, once ./build.sh build has made dist/hush.tgz. At
// the end mistakes are planted in it, each of which one of these tests must catch.

import assert from "node:assert/strict";
import { execFile, execFileSync, fork } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const here = import.meta.dirname;
const root = mkdtempSync(path.join(tmpdir(), "hush-package-"));
after(() => rmSync(root, { recursive: true }));

const open = []; // engines to close
after(() => open.forEach((hush) => hush.close()));

const load = (folder) => import(pathToFileURL(path.join(folder, "node.js")).href);

const home = path.join(root, "program");
cpSync(path.join(here, "../dist/hush.tgz"), path.join(home, "hush.tgz"));
writeFileSync(path.join(home, "package.json"), '{"private": true, "type": "module"}');
execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", "./hush.tgz"], { cwd: home, stdio: "pipe" });
const installed = path.join(home, "node_modules/hush-engine");
const { Hush, HushError } = await load(installed);

let made = 0;
const fresh = () => path.join(root, `ledger-${++made}.json`);
const begin = async (options, Client = Hush) => {
  const hush = await Client.open(options);
  open.push(hush);
  return hush;
};

const AGES = "age\n" + Array.from({ length: 1000 }, (_, i) => `${i % 100}\n`).join("");
const question = (opening, changes) => ({
  version: 1, task: "histogram", table: opening.options, column: 1, domain: { kind: "integer", lo: "0", hi: "99" }, epsilon: "1/10", ...changes,
});
const codeOf = (promise) => promise.then(() => "", (error) => (error instanceof HushError ? error.code : String(error.stack)));
const read = (file) => JSON.parse(readFileSync(file, "utf8"));
const spentIn = (file) => read(file).dataSets.flatMap(({ releases }) => releases).length;

test("The package holds what npm would pack of it, and depends on nothing.", () => {
  const [{ files }] = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json"], { cwd: installed }));
  const there = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  assert.deepEqual(files.map((file) => file.path).sort(), there.map((entry) => path.relative(installed, path.join(entry.parentPath, entry.name))).sort());
  assert.deepEqual(readdirSync(path.join(home, "node_modules")).filter((name) => !name.startsWith(".")), ["hush-engine"]);
});

test("The types name each method, and each code of a failure.", () => {
  const types = readFileSync(path.join(installed, "hush.d.ts"), "utf8");
  const typed = (name) => new RegExp(`^  (static |readonly )?${name}[(:]`, "m").test(types.slice(types.indexOf("class Hush extends")));
  const Client = Object.getPrototypeOf(Hush);
  const own = Object.getOwnPropertyNames(Client.prototype);
  for (const name of own) assert.ok(typed(name), name);
  const named = [...types.slice(types.indexOf("class Hush extends")).matchAll(/^  (?:readonly )?(\w+)[(:]/gm)].map(([, name]) => name);
  assert.deepEqual([...new Set(named)].sort(), own.sort());
  const said = readFileSync(path.join(here, "hush.js"), "utf8").match(/^ \*   "[a-z-]+" /gm).map((line) => line.split('"')[1]);
  const codes = types.slice(types.indexOf("type Code ="), types.indexOf(";", types.indexOf("type Code ="))).match(/"[a-z-]+"/g).map((code) => code.slice(1, -1));
  assert.deepEqual(codes, said);
});

test("The example of the README runs, and its program ends on its own.", async () => {
  const [, code] = /```js\n([^]*?)```/.exec(readFileSync(path.join(installed, "README.md"), "utf8"));
  const script = path.join(home, "example.js");
  const ledger = fresh();
  const options = `{ ledger: ${JSON.stringify(ledger)} }`;
  writeFileSync(script, `const blob = new Blob([${JSON.stringify(AGES)}]);\n${code.replace("Hush.open()", `Hush.open(${options})`)}`);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script], { timeout: 60_000 });
  assert.match(stdout, /good to publish|Off by/);
  assert.match(stdout, /^Mean .*is about \d+/m);
  assert.equal(stderr, "");
  assert.equal(spentIn(ledger), 1);
});

test("A file is a path, an address, a Blob, a File or bytes, and the same data set in each of them.", async () => {
  const hush = await begin({ ledger: fresh() });
  const file = path.join(root, "ages.csv");
  writeFileSync(file, AGES);
  const found = new Set();
  for (const same of [file, pathToFileURL(file), new Blob([AGES]), new File([AGES], "ages.csv"), Buffer.from(AGES), new TextEncoder().encode(AGES).buffer]) {
    found.add((await hush.file(same)).fingerprint);
  }
  assert.equal(found.size, 1);
  assert.match([...found][0], /^[0-9a-f]{64}$/);
  const json = path.join(root, "ages.json"); // a reader makes a table of it, in a thread of its own
  writeFileSync(json, JSON.stringify(Array.from({ length: 100 }, (_, i) => ({ age: i }))));
  assert.equal((await hush.file(json)).options.format, "json");
  assert.equal(await codeOf(hush.file(path.join(root, "no such file"))), "unreadable-file");
  assert.equal(await codeOf(hush.file(17)), "refused");
});

test("Without a ledger a question is priced, and nothing is drawn.", async () => {
  const hush = await begin();
  assert.equal(await codeOf(hush.price({})), "no-file");
  const opening = await hush.file(Buffer.from(AGES));
  assert.match(opening.storageRefused, /no ledger was named/);
  assert.equal((await hush.price(question(opening))).people, 1000);
  assert.equal(await codeOf(hush.release(question(opening))), "no-storage");
  assert.equal(await codeOf(Hush.open({ ledger: "none" })), "refused");
  assert.equal(await codeOf(Hush.open({ ledger: {} })), "refused");
  const mine = await begin({ ledger: "none", iKeepItMyself: true });
  await mine.file(Buffer.from(AGES));
  await mine.release(question(opening));
  assert.equal((await mine.ledger()).spent, "0.1");
});

test("The ledger is the file that is exported, and another imports it.", async () => {
  const file = fresh();
  const hush = await begin({ ledger: file });
  const opening = await hush.file(Buffer.from(AGES));
  const first = await hush.run(question(opening));
  const second = await hush.release(question(opening, { task: "mean" }));
  assert.equal(readFileSync(file, "utf8"), await hush.exportLedger());
  assert.deepEqual(new Set(read(file).dataSets[0].releases.map(({ id }) => id)), new Set([first.entry, second.entry]));
  const other = await begin({ ledger: fresh() });
  assert.equal((await other.importLedger(readFileSync(file, "utf8"))).added, 2);
  assert.ok(!readFileSync(file, "utf8").includes(read(`${file}.own`).key), "the key is in no export");
  assert.ok(!existsSync(`${file}.lock`));
  const signed = await hush.sign("a text");
  const again = await begin({ ledger: file });
  assert.equal((await again.file(Buffer.from(AGES))).account.count, 2);
  assert.equal((await again.sign("a text")).key, signed.key);
});

test("A refusal has its code and its field, and what was cancelled is an AbortError.", async () => {
  const hush = await begin({ ledger: fresh() });
  const opening = await hush.file(Buffer.from(AGES));
  const refusal = await hush.price(question(opening, { epsilon: "-1" })).catch((error) => error);
  assert.ok(refusal instanceof HushError);
  assert.equal(refusal.code, "refused");
  assert.equal(refusal.field, "epsilon");
  assert.equal(await codeOf(hush.release(question(opening, { epsilon: "4" }))), "over-limit");
  const stop = new AbortController();
  const lost = hush.release(question(opening), { signal: stop.signal }).catch((error) => error);
  stop.abort();
  assert.equal((await lost).name, "AbortError");
});

test("A debit that cannot be kept is one for which nothing is drawn.", async () => {
  const texts = { ledger: "", own: "" };
  let full = false;
  const keeper = {
    take: async () => ({ ...texts }),
    async give(next) {
      if (full) throw new Error("the disk is full");
      Object.assign(texts, next);
    },
    drop: async () => {},
  };
  const hush = await begin({ ledger: keeper });
  const opening = await hush.file(Buffer.from(AGES));
  full = true;
  const lost = await hush.release(question(opening)).catch((error) => error);
  assert.equal(lost.code, "no-storage");
  assert.match(lost.message, /the disk is full/);
  full = false;
  assert.equal((await hush.ledger()).count, 0);
  const drawn = await hush.release(question(opening));
  assert.ok(texts.ledger.includes(drawn.entry) && texts.own.includes(drawn.entry));
});

/** Of engines of several threads and another program that all ask for more than half of the limit at once, one gets it. */
async function together(folder) {
  const file = fresh();
  const { Hush } = await load(folder);
  const [a, b, c] = await Promise.all([1, 2, 3].map(() => begin({ ledger: file }, Hush)));
  const opening = await a.file(Buffer.from(AGES));
  await Promise.all([b, c].map((hush) => hush.file(Buffer.from(AGES))));
  const ask = (hush) => hush.release(question(opening, { epsilon: "2" })).then(() => "drawn", ({ code }) => code);
  const outcomes = await Promise.all([a, b, c].map(ask));
  assert.deepEqual(outcomes.sort(), ["drawn", "over-limit", "over-limit"]);
  assert.equal(spentIn(file), 1);
  const small = await Promise.all([a, b, c, a, b, c].map((hush) => hush.release(question(opening))));
  assert.equal(new Set(small.map(({ entry }) => entry)).size, 6);
  assert.equal(spentIn(file), 7);
}
test("Of several that ask for the last of a limit at once, one gets it, and no debit is lost.", () => together(installed));

/** What is in the ledger's file and not beside it was spent, and what is beside it and no more in the file was, too. */
async function joined(folder) {
  const file = fresh();
  const { Hush } = await load(folder);
  const hush = await begin({ ledger: file }, Hush);
  const opening = await hush.file(Buffer.from(AGES));
  const { entry } = await hush.release(question(opening));
  const ledger = read(file);
  const [{ releases }] = ledger.dataSets;
  releases.push({ id: "0a1b2c3d-0a1b-4c2d-8e3f-0a1b2c3d4e5f", task: "median", loss: { epsilon: "2", delta: "0" }, time: "2026-01-02T03:04:05.678Z" });
  releases.splice(0, 1);
  writeFileSync(file, JSON.stringify(ledger));
  assert.equal((await hush.ledger()).spent, "2.1");
  assert.equal(await codeOf(hush.release(question(opening, { epsilon: "1" }))), "over-limit");
  await hush.release(question(opening));
  assert.equal(spentIn(file), 3);
  assert.ok(readFileSync(file, "utf8").includes(entry));
  rmSync(file);
  assert.equal((await hush.ledger()).spent, "2.2", "a file that was deleted");
  const known = read(`${file}.own`);
  known.entries = known.entries.filter(({ id }) => id !== entry);
  writeFileSync(`${file}.own`, JSON.stringify(known));
  assert.equal(await codeOf(hush.release(question(opening))), "ledger-damaged");
}
test("What others wrote into the ledger was spent, and what they left out is written again.", () => joined(installed));

test("A ledger that cannot be read is refused, and stays as it is.", async () => {
  for (const text of ["{", '{"format": "another"}', '{"format": "hush-ledger", "version": 9}', '{"format": "hush-ledger", "version": 1}', '{"format": "hush-ledger", "version": 1, "dataSets": [7]}']) {
    const file = fresh();
    writeFileSync(file, text);
    const hush = await begin({ ledger: file });
    const opening = await hush.file(Buffer.from(AGES));
    assert.equal(await codeOf(hush.release(question(opening))), "bad-ledger", text);
    assert.equal(readFileSync(file, "utf8"), text);
  }
});

test("A program that is killed has paid for all that it was told, and leaves no lock.", async () => {
  const file = fresh();
  const script = path.join(home, "killed.js");
  writeFileSync(script, `
    import { Hush } from "hush-engine";
    const hush = await Hush.open({ ledger: ${JSON.stringify(file)} });
    const { options } = await hush.file(Buffer.from(${JSON.stringify(AGES)}));
    await hush.setLimit(null);
    const question = { version: 1, task: "mean", table: options, column: 1, domain: { kind: "integer", lo: "0", hi: "99" }, epsilon: "1/100" };
    for (;;) process.send((await hush.release(question)).entry);
  `);
  const told = [];
  for (let round = 0; round < 6; round++) {
    const child = fork(script, { cwd: home });
    const ended = new Promise((resolve) => child.on("exit", resolve));
    await new Promise((resolve) => {
      child.on("message", (entry) => {
        told.push(entry);
        if (told.length % 5 === 0) setTimeout(resolve, 3 * round); // in the midst of the next
      });
    });
    child.kill("SIGKILL");
    await ended;
  }
  const hush = await begin({ ledger: file });
  const { account } = await hush.file(Buffer.from(AGES));
  const kept = new Set(account.entries.map(({ id }) => id));
  assert.ok(told.length >= 30 && told.every((id) => kept.has(id)), `${told.length} were told, ${kept.size} are kept`);
  assert.ok(!account.damaged);
  assert.equal(spentIn(file), account.count);
});

// Mistakes, each in a copy of the package ---------------------------------------------------------------------------

const mistakes = [
  { says: "nobody is held off", file: "ledgerfile.js", old: "if (await create(this.#lockPath, mark)) break;", now: "break;", caught: together },
  { says: "the file of others is not read", file: "stores.js", old: "if (file) takeIn(", now: "if (false) takeIn(", caught: joined },
  { says: "entries that are lost are not missed", file: "stores.js", old: "receipts: byPath(own.receipts", now: "receipts: byPath(own.entries", caught: joined },
];
for (const { says, file, old, now, caught } of mistakes) {
  test(`It is seen where ${says}.`, async () => {
    const folder = path.join(root, `mistake-${++made}`);
    cpSync(installed, folder, { recursive: true });
    const text = readFileSync(path.join(folder, file), "utf8");
    assert.equal(text.split(old).length, 2, `${old} stands in ${file} once: move the change with the code`);
    writeFileSync(path.join(folder, file), text.replace(old, now));
    await assert.rejects(caught(folder), assert.AssertionError);
  });
}
