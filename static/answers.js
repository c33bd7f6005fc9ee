// The answers that this device keeps: releases as text, beside the ledger, in a database of their own. Each is filed under the id of the
// debit that paid for it. They are public, as every release is, and stay until their owner deletes them; no debit hangs on them.
//
// Rules of this file:
// - Nothing but releases, the ids of their debits, times, whether each stands in the page's list and in its report, and the draft of that
//   report: its own words, and the questions that are still to be asked.
// - An answer is on the disk before it is shown.
// - What goes wrong here loses no debit and no answer: whoever asks is told why, and goes on.

import { onStores, settled, stored } from "./ledger.js";

const DATABASE = "hush answers";
const VERSION = 1; // of the stores below
const refusal = (reason) => `the browser refuses to keep answers (${reason})`;

/**
 * What is told of an answer beside its text: listed says that it comes back into the page's list, report its place in the report, from 1
 * on and in order; 0: it is not in it.
 * @typedef {{entry: string, time: string, listed: boolean, report: number}} Kept
 */

export class Answers {
  #db;

  constructor(db) {
    this.#db = db;
    db.onversionchange = () => db.close(); // another tab deletes or upgrades it; later calls then refuse
  }

  /** @returns {Promise<Answers>} rejects with "no-storage" */
  static open() {
    return stored(async () => {
      const request = indexedDB.open(DATABASE, VERSION);
      request.onupgradeneeded = () => {
        request.result.createObjectStore("kept", { keyPath: "entry" });
        request.result.createObjectStore("texts");
        request.result.createObjectStore("settings");
      };
      return new Answers(await settled(request));
    }, refusal);
  }

  /** Whether answers are kept, and those that are, oldest first. @returns {Promise<{off: boolean, answers: Kept[]}>} */
  list() {
    return this.#do("readonly", async ({ kept, settings }) => {
      const answers = await settled(kept.getAll());
      answers.sort((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time)));
      return { off: (await settled(settings.get("off"))) === true, answers };
    });
  }

  /** The texts of answers, in the order of their entries; those that are gone are left out. @returns {Promise<{entry: string, text: string}[]>} */
  read(entries) {
    return this.#do("readonly", async ({ texts }) => {
      const found = await Promise.all(entries.map(async (entry) => ({ entry, text: await settled(texts.get(entry)) })));
      return found.filter(({ text }) => text !== undefined);
    });
  }

  /** Keeps an answer, unless its owner wants none kept; answers whether it did. One that is kept gets the new text, and stays where it is. */
  keep(entry, text) {
    return this.#do("readwrite", async ({ kept, texts, settings }) => {
      const before = await settled(kept.get(entry));
      if (!before && (await settled(settings.get("off"))) === true) return false;
      kept.put(before ?? { entry, time: new Date().toISOString(), listed: true, report: 0 });
      texts.put(text, entry);
      return true;
    });
  }

  /** Notes whether answers that are kept are listed, and in the report, at its end; what is left out stays. */
  mark(entries, { listed, report }) {
    return this.#do("readwrite", async ({ kept }) => {
      let last = Math.max(0, ...(await settled(kept.getAll())).map((answer) => answer.report));
      for (const entry of entries) {
        const answer = await settled(kept.get(entry));
        if (!answer) continue;
        if (listed !== undefined) answer.listed = listed;
        if (report !== undefined) answer.report = report ? answer.report || ++last : 0;
        kept.put(answer);
      }
    });
  }

  /** Deletes answers, or all of them. What they cost stays in the ledger. */
  drop(entries) {
    return this.#do("readwrite", async ({ kept, texts }) => {
      for (const store of [kept, texts]) {
        if (!entries) store.clear();
        else for (const entry of entries) store.delete(entry);
      }
    });
  }

  /** Sets whether answers are kept from now on. Those that are kept stay. */
  setOff(off) {
    return this.#do("readwrite", async ({ settings }) => void settings.put(off, "off"));
  }

  /** The draft of the page of figures; empty: none. */
  draft() {
    return this.#do("readonly", async ({ settings }) => (await settled(settings.get("draft"))) ?? "");
  }

  /** Keeps the draft of the page of figures, unless its owner wants nothing kept. */
  setDraft(text) {
    return this.#do("readwrite", async ({ settings }) => {
      if ((await settled(settings.get("off"))) !== true) settings.put(text, "draft");
    });
  }

  #do(mode, work) {
    return onStores(this.#db, ["kept", "texts", "settings"], mode, work, refusal);
  }
}
