// Plays the ledger of the page, static/ledger.js, on a store in memory: takes what its engine read of a ledger file, adds a
// debit of its own where that is asked for, or that of a plan, and tells what it then holds. node page.mjs STATIC COPY < request
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [home, copy] = process.argv.slice(2);
const { IDBFactory } = createRequire(path.resolve(home, "package.json"))("fake-indexeddb");
globalThis.indexedDB = new IDBFactory();
const { Ledger } = await import(pathToFileURL(path.resolve(copy, "ledger.js")).href);
const { merge, spend, plan } = JSON.parse(readFileSync(0, "utf8"));
const ledger = await Ledger.open({ epsilon: "3", delta: "0.000001" });
const sums = [];
for (const list of merge ?? []) sums.push(await ledger.merge(list, ({ here }) => here.limit));
if (spend) {
  const names = await ledger.names(new Uint8Array(32));
  await ledger.debit(names, 0, () => ({ task: "count", loss: spend, column: "age", frozen: [], total: spend }));
}
let refused = "";
if (plan) {
  const names = await ledger.names(new Uint8Array(32));
  await ledger.debit(names, 0, () => ({ task: "plan", frozen: [], total: plan.loss, ...plan, plan: { fixed: {}, marks: [] } })).catch((error) => (refused = error.message));
}
console.log(JSON.stringify({ refused, sums, spendings: (await ledger.accounts()).map(({ spending }) => spending) }));
