// The one JavaScript client of the engine, for the page, for embedded demos and for anybody else:
//
//   import { Hush } from "./hush.js";
//   const hush = await Hush.open();
//   const opening = await hush.file(file);
//   const plan = await hush.price({ task: "histogram", column: 1, … });
//   const release = await hush.release({ task: "histogram", column: 1, … });
//
// It needs engine.js, answers.js, count.js, digest.js, fault.js, formats.js, ledger.js, source.js, trust.js, wasm_exec.js and app.wasm beside it,
// and for files that are no plain text reader.js and readers/.
// Loaded as "hush.js?global" it also makes globalThis.hush. The file never leaves this tab: a worker reads it, which is under the
// page's own policy and, once it has loaded the engine, has no way to the network. A page with a policy allows it
// script-src 'self' 'wasm-unsafe-eval', connect-src 'self' and worker-src blob:.

import { startWorker } from "./trust.js";

const PATIENCE = 5000; // ms for a worker to begin: about one in fifty that Firefox starts never does, and no browser tells of it

/**
 * How far a call has come. Phases: "opening", "reading" (done and total in bytes), "computing" (in the task's steps). question, from
 * 1, of questions is the one at work where several are one plan.
 * @typedef {{phase: string, done: number, total: number, question?: number, questions?: number}} Progress
 */

/**
 * @typedef {Object} CallOptions
 * @property {(progress: Progress) => void} [onprogress] at most 20 times a second
 * @property {AbortSignal} [signal] cancels: softly at the next step, and after `patience` by a fresh engine
 */

/**
 * What the engine says about the file (how it reads, its columns, its problems: for the owner's screen only), and:
 * @typedef {Object} Opening
 * @property {{name: string, rows?: number}[]} parts of a file that is no plain text: its sheets, tables or members, in order
 * @property {string} fingerprint names the data set in this browser's ledger; empty when storage is refused
 * @property {string} storageRefused why there is no ledger to rely on, or empty; without one nothing can be released
 * @property {Account} account what was spent on the same data before
 */

/**
 * What was spent on a data set. Losses are exact.
 * @typedef {Object} Account
 * @property {string} fingerprint
 * @property {string} spent ε in all
 * @property {string} delta δ in all
 * @property {number} count releases
 * @property {?{epsilon: string, delta: string, slack?: string, rho?: string, raised?: Object}} limit see setLimit; rho is what ρ may
 *   add up to, raised the limit before it was raised and what was spent then
 * @property {Object[]} entries {id, task, loss, time, …}
 * @property {boolean} damaged entries are missing: more was spent, and nobody knows how much
 * @property {boolean} [elsewhere] it was made in another browser and imported: no file opened here is this data set
 */

/**
 * Every failure of a call. code is one of
 *   "refused"          a parameter was refused: field, value and want say which, what and why
 *   "cancelled"        by the caller's signal, or by restart (name is then "AbortError")
 *   "no-file"          open a file first
 *   "unreadable-file"  the file was moved or changed since it was chosen
 *   "file-changed"     the engine was replaced, and the file is not the same any more
 *   "other-file"       the plan to be resumed is of another data set
 *   "no-top-up"        an answer cannot be made more exact for the difference alone: the message says why
 *   "plan-closed"      nothing more of the plan can be drawn: it was made elsewhere, or another tab draws it
 *   "no-storage"       the browser refuses to keep the ledger, so nothing can be released
 *   "too-large"        the column does not fit into memory: the message says what to do instead
 *   "over-limit"       the release would cost more than the limit leaves
 *   "ended"            the votes that would label a case have ended, with their cases, another run, another file, or the engine
 *   "not-agreed"       the question says something of the file that the file does not say by itself, and run was not told that
 *                      its owner agrees, see claims
 *   "looked-at"        its owner has looked at what the data set really says, and the question was not frozen before
 *   "found-nothing"    a search ended with nothing that is good enough: that is its answer, and what it cost is spent
 *   "not-looked"       lookOn without look
 *   "ledger-damaged"   entries of the ledger are missing
 *   "bad-ledger"       a ledger file cannot be read, or contradicts the ledger: the message says where
 *   "engine-died"      see the event "died"; the next call works again, with the same file
 *   "engine-start"     the engine could not be loaded
 *   "closed"           close was called
 *   "failed"           anything else the engine says about the request
 *   "internal"         a defect of the engine, which is replaced
 */
export class HushError extends Error {
  /** @param {{code: string, message: string, field?: string, value?: string, want?: string, package?: string}} fault */
  constructor({ message, ...details }) {
    super(message);
    this.name = details.code === "cancelled" ? "AbortError" : "HushError";
    Object.assign(this, details);
  }
}

/**
 * The engine. Results are plain JSON objects; failures are HushErrors.
 *
 * Events: "died" (detail: {reason, message}) when the engine ended or was replaced, with every open call rejected (where it was
 * replaced for one that could not be cancelled, those without effect go on), and "restarted" when a fresh one is ready. The file
 * stays open: the next call reads it again by itself. "ledger" when the ledger was written, in this tab or another.
 * "requests" (detail: {own, foreign}) when the engine has made more requests to the network.
 */
export class Hush extends EventTarget {
  #worker = null; // once it has begun
  #starting = new Set(); // workers of which none has begun
  #late; // the timer of the next of them
  #ready;
  #operations = {}; // the engine's table, once it is ready: name → {once, …}
  #calls = new Map(); // id → the call waiting for its answer
  #lastID = 0;
  #source = null; // the open file, kept for the next engine: {number, file, options, fingerprint}
  #opening = 0; // the number of the last open
  #patience;
  #startWorker;
  #closed = false;

  /**
   * @param {{patience?: number, start?: (script: string, how: {name: string}) => Worker}} [options] patience: milliseconds a cancelled
   *   call may go on before the engine is replaced; start: how a worker of ours is started, where that is not as in a browser
   */
  constructor({ patience = 1000, start = startWorker } = {}) {
    super();
    this.#patience = patience;
    this.#startWorker = start;
    this.#start();
  }

  /** An engine that is ready; the options are those of the constructor. @returns {Promise<Hush>} */
  static async open(options) {
    const hush = new this(options);
    await hush.ready;
    return hush;
  }

  /** Resolves when the engine can work; rejects with "engine-start". */
  get ready() {
    return this.#ready.promise;
  }

  /** What can be asked. @returns {Promise<Object[]>} */
  catalogue() {
    return this.call("catalogue");
  }

  /** One of the made-up data sets that come with the engine, as the text of a CSV file. @returns {Promise<string>} */
  sample(name) {
    return this.call("sample", name);
  }

  /**
   * Opens a file in place of the one before.
   * @param {Blob} file
   * @param {Object} [options] how to read it; what is missing is guessed
   * @param {CallOptions} [how]
   * @returns {Promise<Opening>}
   */
  async open(file, options = {}, how) {
    const number = ++this.#opening;
    const source = { number, file, options };
    this.#source = null; // until this one is open
    const opening = await this.#ask({ op: "open", source }, how);
    if (number === this.#opening) this.#source = { ...source, fingerprint: opening.fingerprint };
    return opening;
  }

  /** The same as open. */
  file(file, options, how) {
    return this.open(file, options, how);
  }

  /**
   * What a question would cost and how good its answer would be, from public facts alone. Spends nothing.
   * @param {Object} recipe
   * @param {CallOptions} [how]
   * @returns {Promise<Object>}
   */
  plan(recipe, how) {
    return this.call("plan", recipe, how);
  }

  /** The same as plan. */
  price(recipe, how) {
    return this.plan(recipe, how);
  }

  /**
   * The error to expect for a range of ε, from public facts alone.
   * @param {Object} recipe
   * @returns {Promise<{epsilon: string, error: number}[]>}
   */
  curve(recipe) {
    return this.call("curve", recipe);
  }

  /**
   * The smallest ε that reaches an error, in the plan's errorUnit, at 95 %.
   * @param {Object} recipe
   * @param {number} error
   * @returns {Promise<string>}
   */
  epsilonFor(recipe, error) {
    return this.call("epsilonFor", { recipe, error });
  }

  /**
   * Changes of a question that would make its answer better, the best first, each with its verdict; none where the
   * answer is good. Spends nothing.
   * @param {Object} recipe
   * @returns {Promise<{text: string, recipe: Object, grade: string, error: number, exact: boolean}[]>}
   */
  help(recipe) {
    return this.call("help", recipe);
  }

  /**
   * Divides a privacy loss among several questions about the open file, and says what all of them cost together. Spends nothing.
   * @param {{parts: {recipe: Object, weight?: number}[], division: string, total?: string, delta: string}} several
   * @param {CallOptions} [how]
   * @returns {Promise<{plans: Object[], epsilons: string[], total: Object, apart: Object}>}
   */
  together(several, how) {
    return this.call("together", several, how);
  }

  /**
   * Says which columns of the open file later questions are likely to ask about, and how they will describe them. When the columns of a
   * question are read while nobody waits, these are read as well, as far as they are small: the file is then read once for all. Changes
   * no answer.
   * @param {{column: number, spec: Object}[]} columns from 1, with a domain as in a recipe
   * @returns {Promise<void>}
   */
  expect(columns) {
    return this.call("expect", columns);
  }

  /**
   * Reads the columns of a question ahead of its run, and lists the cells that have no value. Spends nothing. The list
   * shows the data: it is for the owner's eyes.
   * @param {Object} recipe
   * @param {CallOptions} [how]
   * @returns {Promise<Object[]>}
   */
  read(recipe, how) {
    return this.call("read", recipe, how);
  }

  /**
   * Tells which cells of columns have no place in their lists of categories, each spelling once: for the owner's screen
   * alone. Spends nothing.
   * @param {Object[]} columns {column, spec} of each
   * @param {CallOptions} [how]
   * @returns {Promise<Object[]>} {column, cells, more?} of each that has such cells
   */
  unplaced(columns, how) {
    return this.call("unplaced", columns, how);
  }

  /**
   * Answers a question. Its cost is written into the ledger before the data is used, and stays there even if the run
   * is cancelled or dies afterwards. A run that ends before the engine hears of a cancel resolves: it has been paid for.
   * The answer is kept on this device before it is told, see kept.
   * @param {Object} recipe
   * @param {CallOptions & {agreed?: Object[]}} [how] agreed: what its owner agreed to, as claims lists it
   * @returns {Promise<Object>} the release, with entry, the id of its debit, and notKept: why it is not kept, "off" where nobody
   *   wants it, or empty
   */
  run(recipe, how) {
    const agreed = how?.agreed?.map(({ about, column, says }) => ({ about, column, says }));
    return this.call("run", { recipe, agreed }, how);
  }

  /** The same as run. */
  release(recipe, how) {
    return this.run(recipe, how);
  }

  /**
   * Draws a plan of several questions as it was priced: questions are those of several with the ε of together. All that it costs
   * is one debit, written before the first of them is drawn, and stays there. From then on it resolves, also where it is
   * cancelled or a draw fails: stopped says why, and left are the numbers of the questions that were not drawn, which resumeTogether
   * draws. Each answer is kept as soon as it is drawn, under the id of the debit and its number.
   * @param {{questions: Object[], delta: string}} plan
   * @param {CallOptions & {agreed?: Object[]}} [how] as in run
   * @returns {Promise<{entry: string, answers: {number: number, released?: Object, fault?: Object}[], left: number[], stopped?: Object}>}
   */
  runTogether(plan, how) {
    const agreed = how?.agreed?.map(({ about, column, says }) => ({ about, column, says }));
    return this.call("runTogether", { plan, agreed }, how);
  }

  /**
   * Draws what is left of a plan that was paid for and is not drawn, after a reload or a crash, too: of the same file, and on
   * this device alone. It costs nothing.
   * @param {string} entry the id of its debit
   * @param {CallOptions} [how]
   * @returns {Promise<Object>} as runTogether; answers that were told before are not told again
   */
  resumeTogether(entry, how) {
    return this.call("resumeTogether", entry, how);
  }

  /**
   * What it costs to make an answer more exact: the difference of two losses, where the answer is the latest of its question, came from
   * this ledger and this version of the page, and was asked by itself. paid says that it was paid for and never shown.
   * @param {Object} release as run or topUp gave it
   * @param {string} [epsilon] of the answer that comes of it; without one, at which it is good to publish
   * @returns {Promise<{plan: Object, debit: Object, epsilon: string, paid: boolean}>}
   */
  planTopUp(release, epsilon = "") {
    return this.call("planTopUp", { release, epsilon });
  }

  /**
   * Makes an answer more exact. Both answers together cost what the second costs alone, with Gaussian noise counted in ρ: that is an
   * average with a second release. Each answer can have one such successor. What was paid
   * for and never shown, as after a crash, is drawn when the same is asked again, at no cost.
   * @param {Object} release as run or topUp gave it
   * @param {string} epsilon of both answers together
   * @param {CallOptions & {agreed?: Object[]}} [how] as in run
   * @returns {Promise<Object>} as run
   */
  topUp(release, epsilon, how) {
    const agreed = how?.agreed?.map(({ about, column, says }) => ({ about, column, says }));
    return this.call("topUp", { release, epsilon, agreed }, how);
  }

  /**
   * What a question says of the open file that the file does not say by itself: who a row stands for, which rows of a person count,
   * names, units, how the file is read. It changes what is public, or what a published name means, so run refuses it unless the owner
   * of the file has agreed: line says it in words.
   * @param {Object} recipe
   * @returns {Promise<{about: string, column?: number, says: string, line: string}[]>}
   */
  claims(recipe) {
    return this.call("claims", recipe);
  }

  /**
   * Labels one more case by the votes of the last run, if its recipe paid for cases to be asked later. The case is public.
   * @param {string[]} cells the case's features, as cells of text
   * @returns {Promise<Object>} the release, with the case in it
   */
  label(cells) {
    return this.call("label", cells);
  }

  /**
   * Fixes a question: it may be released once even after look.
   * @param {Object} recipe
   * @returns {Promise<void>}
   */
  freeze(recipe) {
    return this.call("freeze", recipe);
  }

  /**
   * Notes, for good, that the owner of the open file chose to see what it really says. From then on run refuses every question
   * that was not frozen before.
   * @returns {Promise<void>}
   */
  look() {
    return this.call("look");
  }

  /**
   * After look: a question of the open file without noise and drawn many times with seeded coins. It protects nobody, and nothing
   * of it is a release.
   * @param {Object} lesson {recipe, draws, seed}
   * @param {CallOptions} [how]
   * @returns {Promise<{quiet: Object, draws: Object[]}>}
   */
  lookOn(lesson, how) {
    return this.call("lookOn", lesson, how);
  }

  /**
   * Checks what a release or a publication claims: recomputes all that follows from it, without its data. It spends nothing.
   * @param {{text: string, build: string}} file
   * @returns {Promise<Object>} a Report of core/verify
   */
  check(file) {
    return this.call("check", file);
  }

  /**
   * Computes the exact output laws of an algorithm on made-up tiny data, and compares them with its claim. It needs no file, spends
   * nothing and releases nothing. A request names a demonstration of core/prove.
   * @param {Object} demonstration
   * @param {CallOptions} [how]
   * @returns {Promise<Object>}
   */
  prove(demonstration, how) {
    return this.call("prove", demonstration, how);
  }

  /**
   * Asks a question many times of made-up data that come with the engine, with seeded coins. Nothing of it is a release.
   * @param {Object} lesson {sample, rows, recipe, draws, seed}
   * @param {CallOptions} [how]
   * @returns {Promise<{quiet: Object, draws: Object[]}>}
   */
  teach(lesson, how) {
    return this.call("teach", lesson, how);
  }

  /**
   * Makes a rough answer about made-up people more exact for the difference of two ε, and asks the same anew beside that. Nothing of it is a release.
   * @param {{first: string, then: string, seed: number}} lesson
   * @param {CallOptions} [how]
   * @returns {Promise<Object>} Difference of core/task
   */
  difference(lesson, how) {
    return this.call("difference", lesson, how);
  }

  /**
   * Counts the visits of made-up patients with several bounds on the rows of each person: what a bound leaves out beside its noise. Nothing of it is a release.
   * @param {{epsilon: string, seed: number}} lesson
   * @returns {Promise<Object>} Visits of core/task
   */
  rows(lesson) {
    return this.call("rows", lesson);
  }

  /**
   * Measures what a paper's theorem bounds, on made-up data with seeded coins, beside the bound. Nothing of it is a release.
   * @param {{id: string, seed: number}} study
   * @param {CallOptions} [how]
   * @returns {Promise<{x: number[], y: number[][]}>} Curves of core/study
   */
  study(study, how) {
    return this.call("study", study, how);
  }

  /**
   * Runs an algorithm on small made-up data with seeded coins and tells what happens inside, frame by frame. Nothing of it is a release.
   * @param {{id: string, seed: number}} film
   * @returns {Promise<Object>} a Film of web/film
   */
  film(film) {
    return this.call("film", film);
  }

  /**
   * Signs a text with a key of this device. It shows who has that key which texts one device signed, and no more.
   * @param {string} text
   * @returns {Promise<{key: string, value: string}>} the public half of the key and the signature, as hexadecimal digits
   */
  sign(text) {
    return this.call("sign", text);
  }

  /** What was spent on the open file, and on every data set. @returns {Promise<Account & {accounts: Account[]}>} */
  ledger() {
    return this.call("ledger");
  }

  /** What the releases of a data set's spending cost together, by each rule of composition. @returns {Promise<Object>} */
  compose(spending) {
    return this.call("compose", spending);
  }

  /**
   * Sets the most that may be spent on a data set in all, or null for no limit. One without a limit of its own has ε = 3.
   * slack is a δ beside that of the releases: set before the first of them, it has releases counted by ρ too, and refused only where
   * both counts exceed what is fixed. Then all cost at most (epsilon, delta + slack). What can follow is a limit without slack, or
   * one with a larger epsilon and no less delta and slack: what it has more is counted by itself, and all of the first is spent.
   * @param {?{epsilon: string, delta?: string, slack?: string}} limit
   * @param {string} [fingerprint] of the data set; without one, the open file's
   * @returns {Promise<void>}
   */
  setLimit(limit, fingerprint) {
    return this.call("setLimit", { limit, fingerprint: fingerprint || undefined });
  }

  /**
   * Sets what the owner of a data set calls it, on this device alone; empty: its fingerprint.
   * @returns {Promise<void>}
   */
  setNickname(nickname, fingerprint) {
    return this.call("setNickname", { nickname, fingerprint });
  }

  /** The ledger as the text of a JSON file, see importLedger. It holds no data and no file names. @returns {Promise<string>} */
  exportLedger() {
    return this.call("exportLedger");
  }

  /**
   * Adds what such a file holds, all of it or nothing. Nothing that was spent here gets less by it. A limit that sets a δ aside
   * becomes one that does not where a release comes to it that was not fixed by the same limit, or all together exceed it.
   * @param {string} file its text
   * @returns {Promise<{dataSets: number, added: number, known: number, elsewhere: number, above: number, ended: number}>} data
   *   sets of the file, releases that were new and that were known here, data sets of other browsers, those whose limit was above
   *   the default, which they have here, and those whose limit set a δ aside and does no more
   */
  importLedger(file) {
    return this.call("importLedger", file);
  }

  /**
   * The answers that this device keeps, oldest first, without their texts; refused says why the browser keeps none.
   * @returns {Promise<{off: boolean, refused: string, answers: {entry: string, time: string, listed: boolean, report: number}[]}>}
   */
  kept() {
    return this.call("kept");
  }

  /** The texts of answers that are kept, by the ids of their debits. @returns {Promise<{entry: string, text: string}[]>} */
  keptAnswers(entries) {
    return this.call("keptAnswers", entries);
  }

  /** Notes whether kept answers stand in the page's list and in its report. @param {{entries: string[], listed?: boolean, report?: boolean}} marks */
  markKept(marks) {
    return this.call("markKept", marks);
  }

  /** Deletes kept answers, by the ids of their debits, or without them all. What they cost stays spent. */
  dropKept(entries) {
    return this.call("dropKept", entries);
  }

  /** The draft of the page of figures, as it was kept; empty: there is none. */
  keptDraft() {
    return this.call("keptDraft");
  }

  /** Keeps the draft of the page of figures, unless answers are not to be kept. @param {string} text */
  keepDraft(text) {
    return this.call("keepDraft", text);
  }

  /** Sets whether answers are kept from now on. @param {boolean} on */
  keepAnswers(on) {
    return this.call("keepAnswers", on);
  }

  /**
   * Carries out an operation by its name, as the methods above do. web/engine/operations.go has the
   * names, and the types of requests and answers; that of open is {file, options}.
   * @param {string} op
   * @param {*} [request]
   * @param {CallOptions} [how]
   * @returns {Promise<*>}
   */
  async call(op, request, how) {
    if (op === "open") return this.open(request.file, request.options, how);
    return this.#ask({ op, request: plain(request), source: this.#source }, how);
  }

  /** Hard cancel, now: every open call rejects with "cancelled" and a fresh engine starts. */
  restart() {
    this.#replace("stopped", cancelled());
  }

  /** Ends the engine for good. */
  close() {
    this.#closed = true;
    this.#ready.reject(closed());
    this.#stop(closed());
  }

  // The calls -----------------------------------------------------------------------------------------------------

  async #ask(message, { onprogress, signal } = {}) {
    if (this.#closed) throw closed();
    if (signal?.aborted) throw cancelled();
    if (!this.#worker && !this.#starting.size) this.#start(); // it could not start before: perhaps now
    const id = ++this.#lastID;
    const call = { message: { ...message, id }, onprogress, ...deferred() };
    const cancel = () => this.#cancel(id);
    this.#calls.set(id, call);
    this.#worker?.postMessage(call.message); // else once there is one
    signal?.addEventListener("abort", cancel);
    try {
      return await call.promise;
    } finally {
      this.#calls.delete(id);
      signal?.removeEventListener("abort", cancel);
      clearTimeout(call.timer);
    }
  }

  /**
   * Asks the engine to stop this call at its next step, and does not ask twice: it is replaced then. Of the other calls those that
   * spend and change nothing are asked of the new one.
   */
  #cancel(id) {
    const call = this.#calls.get(id);
    if (!call) return;
    if (!this.#worker) return call.reject(cancelled()); // nobody was asked yet
    this.#worker.postMessage({ op: "cancel", id });
    const lose = () => {
      call.reject(cancelled());
      this.#calls.delete(id);
      const spared = [...this.#calls].filter(([, { message, timer }]) => !this.#operations[message.op]?.once && !timer);
      for (const [other] of spared) this.#calls.delete(other);
      this.#replace("stopped");
      for (const [other, call] of spared) this.#calls.set(other, call); // asked once it has begun
    };
    const behindRun = [...this.#calls.values()].some(({ message }) => PAID.includes(message.op) && message.id < id);
    const wait = () => this.#calls.has(id) && (call.timer = setTimeout(lose, this.#patience));
    if (!behindRun) this.#ready.promise.then(wait, () => {}); // a run is paid for; and an engine that starts hears nothing yet
  }

  #hear({ op, id, operations, progress, result, error, reason, message, requests }) {
    if (op === "ready") {
      this.#operations = operations;
      return this.#ready.resolve();
    }
    if (op === "died") return this.#lost(reason, message);
    if (op === "ledger") return void this.dispatchEvent(new Event("ledger"));
    if (op === "requests") return void this.dispatchEvent(new CustomEvent("requests", { detail: requests }));
    const call = this.#calls.get(id);
    if (!call) return; // an answer nobody waits for any more
    if (progress) call.onprogress?.(progress);
    else if (!error) call.resolve(result);
    else {
      call.reject(new HushError(error));
      if (error.code === "internal") this.#replace("internal"); // who knows what state it is in
    }
  }

  // The engine's life -----------------------------------------------------------------------------------------------

  #start() {
    const ready = { ...deferred(), done: false };
    ready.promise.then(() => (ready.done = true), () => {}); // a caller that does not look at ready is no error
    this.#ready = ready;
    this.#another(PATIENCE);
  }

  /** Starts a worker, and while none has begun one more beside it, each after twice the wait. The first that begins is the engine. */
  #another(wait) {
    const worker = this.#startWorker("engine.js", { name: `hush ${globalThis.hushLanguage?.tag ?? "en"}` });
    this.#starting.add(worker);
    worker.onmessage = ({ data }) => (data.op === "begun" ? this.#begun(worker) : this.#hear(data));
    worker.onerror = (event) => {
      event.preventDefault();
      this.#lost("crashed", event.message);
    };
    this.#late = setTimeout(() => this.#another(2 * wait), wait);
  }

  #begun(worker) {
    this.#starting.delete(worker);
    this.#endStarting();
    this.#worker = worker;
    for (const { message } of this.#calls.values()) worker.postMessage(message);
  }

  #endStarting() {
    clearTimeout(this.#late);
    this.#starting.forEach(end);
    this.#starting.clear();
  }

  /** The engine is gone, by itself. One that never was ready is not started again until somebody asks for it. */
  #lost(reason, message) {
    if (this.#ready.done) return this.#replace(reason);
    const error = new HushError({ code: "engine-start", message: `the engine could not be started (${message ?? reason})` });
    this.#ready.reject(error);
    this.#stop(error);
  }

  #replace(reason, error) {
    const message = deaths[reason] ?? deaths.crashed;
    const old = this.#ready;
    this.#stop(error ?? new HushError({ code: "engine-died", message, reason }));
    this.#start();
    const fresh = this.#ready.promise;
    old.resolve(fresh); // for whoever still waits for the one that was stopped
    this.dispatchEvent(new CustomEvent("died", { detail: { reason, message } }));
    fresh.then(() => this.dispatchEvent(new Event("restarted")), () => {});
  }

  #stop(error) {
    this.#endStarting();
    if (this.#worker) end(this.#worker);
    this.#worker = null;
    for (const call of this.#calls.values()) call.reject(error);
    this.#calls.clear();
  }
}

/** Operations that pay for what they draw. */
const PAID = ["run", "runTogether", "resumeTogether", "topUp"];

/** Ends a worker. What it had sent already is too late. */
function end(worker) {
  worker.terminate();
  worker.onmessage = worker.onerror = null;
}

/** A request as JSON has it, since the engine gets it so. What JSON has not is refused, and its field named. */
function plain(request) {
  if (typeof request !== "object" || request === null) return request;
  for (const [field, value] of Object.entries(request)) {
    try {
      JSON.stringify(value);
    } catch (error) {
      const want = 'values that JSON has, with numbers as text: "0.5"';
      throw new HushError({ code: "refused", message: `${field}: ${error.message}; want ${want}`, field, value: "", want });
    }
  }
  return JSON.parse(JSON.stringify(request));
}

const cancelled = () => new HushError({ code: "cancelled", message: "cancelled" });
const closed = () => new HushError({ code: "closed", message: "the engine was closed" });

/** Why an engine ended, in words for people. */
const deaths = {
  "out-of-memory": "the engine ran out of memory and was restarted. Nothing of the file was lost; it may be too large for this browser",
  "stack-overflow": "the engine ran out of stack and was restarted",
  "no-entropy": "the browser gave no randomness, so the engine stopped and was restarted",
  panic: "the engine met a defect of its own and was restarted",
  internal: "the engine met a defect of its own and was restarted",
  stopped: "the engine was stopped and restarted",
  crashed: "the engine ended unexpectedly and was restarted",
};

/** A promise with its ends in hand. */
function deferred() {
  const parts = {};
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return parts;
}

if (new URL(import.meta.url).searchParams.has("global")) globalThis.hush = new Hush();
