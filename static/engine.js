// The engine's worker: a module worker that starts the Go program and owns what Go is slow at or cannot see, namely
// the bytes of the file, the fingerprint, the ledger's store and the queue of requests. Its client is hush.js.
//
// Messages in:   {id, op, request, source}  an operation of the table, web/engine/operations.go, with
//                                       JSON, and the open file for a fresh engine
//                {id, op: "cancel"}     soft cancel: taken at the next step
// Messages out:  {op: "begun"}          this worker hears what is asked
//                {op: "ready", operations}  the table
//                {id, progress: {phase, done, total, question?, questions?}}
//                {id, result} or {id, error: {code, message, field?, value?, want?, package?}}
//                {op: "ledger"}         the ledger was written, or what is kept of answers, here or in another tab
//                {op: "requests", requests}  of this worker since the last message: see count.js
//                {op: "died", reason}   the Go program ended; this worker does nothing more
//
// Go attaches three functions and the table, see start. No text that Go prints leaves this file: only
// a reason from a fixed list. Once the program is loaded this worker can ask the network for nothing more.

import { cutOff, startWorker } from "./trust.js"; // before anything else
import "./wasm_exec.js";
import { Answers } from "./answers.js";
import { countRequests } from "./count.js";
import { fault, faultOf } from "./fault.js";
import { Ledger, damaged, signs } from "./ledger.js";
import { Source } from "./source.js";

const CHUNK = 4 << 20; // bytes per read, per call of Go and per digest of the fingerprint
const PACE = 50; // ms between two progress messages, and between two looks at the event loop
const QUIET = 200; // ms without a request, after which is read ahead
const BUILD = new URL(".", import.meta.url).pathname; // of another version it is another
const BUFFERS = 3; // chunks under way: one being filled, the others at the digests

let api; // what Go attached: {call, write, compute}
let operations = {}; // the table that Go attached: name → {needs, named, ledger, once, long}
let held = null; // the open file: {number, source, names, fingerprint, revision, refusal}
let ledger = null; // once opened
let answers = null; // once opened
let lastRun = ""; // the id of the last run's debit
let current = null; // the request at work
const queue = [];

// Requests --------------------------------------------------------------------------------------------------------

/**
 * What Go does not do alone: functions of a request and its message. They are called once all is there
 * that the table says they need.
 */
const own = {
  open, plan, together, unplaced, read, run, runTogether, resumeTogether, planTopUp, topUp, label, freeze, look, lookOn,
  check: checkRelease, sign, ledger: showLedger, setLimit, setNickname, exportLedger, importLedger,
  kept, keptAnswers, markKept, dropKept, keepAnswers, keptDraft, keepDraft,
};

onmessage = ({ data: message }) => {
  if (message.op === "cancel") return cancel(message.id);
  queue.push(message);
  work();
};

async function work() {
  await started.catch(() => {}); // until then nothing is at work, and what is cancelled just leaves the queue
  for (const message of queue.filter((message) => !needs(message, "turn"))) {
    queue.splice(queue.indexOf(message), 1);
    answer(message);
  }
  if (current) return;
  while ((current = queue.shift() ?? null)) await answer(current);
  readAheadSoon();
}

async function answer(message) {
  try {
    await started;
    check(message);
    postMessage({ id: message.id, result: await carryOut(message) });
  } catch (error) {
    if (error !== DEAD) postMessage({ id: message.id, error: describe(error) });
  }
  await message.told?.();
}

/** Sees to what an operation needs, and carries it out. */
async function carryOut(message) {
  const { op, request, source } = message;
  const operation = operations[op];
  if (!operation) throw fault("failed", `no operation ${op}`);
  if (needs(message, "file")) {
    await needFile(source);
    if (operation.ledger && held.refusal) throw held.refusal;
  }
  if (needs(message, "plan")) await plan(request?.recipe ?? request);
  if (own[op]) return own[op](request, message);
  return operation.long ? compute(op, request) : call(op, request);
}

/** Whether an operation needs this much. */
function needs({ op, request }, level) {
  const { needs = "", named } = operations[op] ?? {};
  if (named && request?.fingerprint) return false; // it is about the ledger alone
  return levels.indexOf(needs) >= levels.indexOf(level);
}
const levels = ["", "turn", "file", "plan"];

/** What is at work stops at its next step, and what waits leaves at once: to its client a long run before it would look like an engine that hears nothing. */
function cancel(id) {
  if (current?.id === id) {
    current.cancelled = true;
    current.source?.stop?.(cancelled()); // before it reads, its source is the page's
  }
  const place = queue.findIndex((request) => request.id === id);
  if (place >= 0) postMessage({ id: queue.splice(place, 1)[0].id, error: describe(cancelled()) });
}

const cancelled = () => fault("cancelled", "cancelled");

function check(message) {
  if (message.cancelled) throw cancelled();
}

/** An error as a message. */
function describe(error) {
  if (error.reader) return describe(unread(error.reader));
  const { code, message, field, value, want, package: origin } = faultOf(error);
  if (typeof code === "string") return { code, message, field, value, want, package: origin };
  console.error(error); // for whoever mends it; the text may hold anything, so it goes no further
  return { code: "internal", message: "an internal error of the engine" };
}

// The operations --------------------------------------------------------------------------------------------------

/**
 * Reads a file for the first time: what it looks like, its fingerprint, and what was spent on it before. Where there is
 * no ledger to rely on, the file opens all the same, and nothing can be released.
 */
async function open(_, { source }) {
  await giveUp();
  planned = null; // a question about the file before
  held?.source.close();
  held = null;
  let refusal = null;
  await openLedger().catch((error) => (refusal = error));
  const digests = ledger && new Digests();
  const from = await Source.of(source.file, source.options);
  await from.load(tellRequests);
  if (from.made && digests) await digest(source.file, digests);
  call("survey", { options: from.options, own: from.own, key: ledger?.rowsKey });
  await pass(from, "opening", { request: current }, from.made ? undefined : digests?.swap);
  const { marks, ...opened } = call("opened");
  const names = digests ? await ledger.names(await digests.all(opened.options.part), marks) : null;
  const account = names ? await ledger.recognise(names) : nothing;
  const { fingerprint } = account.spending;
  if (source.fingerprint && ![fingerprint, names?.fingerprint].includes(source.fingerprint)) {
    throw fault("file-changed", "the file is not the one that was opened before. Open it again");
  }
  if (account.spending.damaged) refusal = damaged();
  held = { number: source.number, source: from, names, fingerprint, revision: account.revision, refusal };
  const bytes = String(source.file.size); // not those of the table that a reader makes
  return { ...opened, bytes, parts: from.parts, notes: from.notes, fingerprint, storageRefused: refusal?.message ?? "", account: sum(account), near: account.near ?? [] };
}

/** After the engine was replaced, a request brings its file with it. */
async function needFile(source) {
  if (source && source.number !== held?.number) await open(null, { source });
  if (!held) throw fault("no-file", "no file is open");
}

/** What a question costs. How many persons there are may be known only when its columns were read. */
async function plan(recipe) {
  planned = recipe;
  try {
    return call("plan", recipe);
  } catch (error) {
    if (error.code !== "not-read") throw error;
  }
  await read(recipe);
  return call("plan", recipe);
}

/** Reads the columns of a question, unless they are held, and tells which cells have no value. Spends nothing. */
async function read(recipe) {
  await takeOver(recipe);
  if (call("encode", recipe)) {
    await pass(held.source, "reading", { request: current });
    call("encoded");
  }
  return call("problems");
}

/** Which cells of columns have no place in their lists: for the owner's screen. Reads the file, spends nothing. */
async function unplaced(columns) {
  await giveUp();
  call("places", columns);
  await pass(held.source, "reading", { request: current });
  return call("placed");
}

/**
 * Planned before: read, debit, compute, keep. What fails before the debit costs nothing, and the debit stays
 * whatever comes after. The answer is kept before anybody hears of it.
 */
async function run({ recipe, agreed }, message) {
  await read(recipe);
  check(message);
  const id = crypto.randomUUID();
  held.revision = await ledger.debit(held.names, held.revision, ({ spending }) => ({ ...call("charge", { ...spending, recipe, agreed }), id }));
  ledgerWritten();
  const release = await compute("run", { recipe });
  const digest = call("digest", release);
  if (digest) await ledger.markHead(id, digest, BUILD).catch(() => {}); // it then stays as it is
  return keep((lastRun = id), release);
}

/** What it costs to make an answer more exact, or what was paid for that and never shown. */
async function planTopUp({ release, epsilon }) {
  if (held.refusal) throw held.refusal;
  const { paid } = await ledger.head(held.names, call("digest", release), BUILD);
  const spending = paid ? {} : (await ledger.account(held.names)).spending;
  const price = () => ({ ...call("topUpPlan", { ...spending, release, epsilon: paid?.epsilon ?? epsilon }), paid: Boolean(paid) });
  try {
    return price();
  } catch (error) {
    if (error.code !== "not-read") throw error;
  }
  await read(release.recipe);
  return price();
}

/** The answer of a release with more ε, for the difference: it takes its place, once and for good. */
async function topUp({ release, epsilon, agreed }, message) {
  const of = { release, epsilon, agreed };
  await read(release.recipe);
  check(message);
  const digest = call("digest", release);
  const { paid, ...head } = await ledger.head(held.names, digest, BUILD, epsilon);
  const [id, turn] = [paid?.id ?? crypto.randomUUID(), crypto.randomUUID()];
  if (!paid) {
    held.revision = await ledger.debit(held.names, held.revision, ({ spending }) => ({
      ...call("chargeTopUp", { ...spending, ...of }), id, replaces: head, plan: { epsilon, turn },
    }));
    ledgerWritten();
  }
  const { drawn } = await ledger.plan(held.names, id, turn);
  const came = drawn[1] ? JSON.parse(drawn[1]) : await drawNoted(id, turn, 1, "topUp", of);
  message.told = () => ledger.settle(id, [1]).catch(() => {});
  if (came.failure) throw Object.assign(new Error(came.failure.message), came.failure);
  const next = call("digest", came.release);
  if (next) await ledger.markHead(id, next, BUILD).catch(() => {});
  return keep((lastRun = id), came.release);
}

/**
 * Draws one question that was paid for, and notes what came of it before anybody may see that. A draw that fails is over, as one that was
 * seen: who made it again would choose among draws.
 */
async function drawNoted(id, turn, number, op, request) {
  const came = await compute(op, request).then((release) => ({ release }), (error) => {
    if (error === DEAD || error.code === "cancelled") throw error;
    return { failure: describe(error) };
  });
  await ledger.hand(id, turn, number, JSON.stringify(came));
  return came;
}

/** What a plan costs. How many persons there are may be known only when its columns were read. */
async function together(several) {
  for (const { recipe } of several.parts ?? []) {
    try {
      return await compute("together", several);
    } catch (error) {
      if (error.code !== "not-read") throw error;
    }
    await read({ ...recipe, epsilon: "1" });
  }
  return compute("together", several);
}

/**
 * A plan of several questions: all is read once before the one debit, so that what cannot be read costs nothing. From the debit on
 * it always ends with what was drawn so far.
 */
async function runTogether({ plan: fixed, agreed }, message) {
  await readPlan(fixed, numbersOf(fixed), message);
  const [id, turn] = [crypto.randomUUID(), crypto.randomUUID()];
  held.revision = await ledger.debit(held.names, held.revision, ({ spending }) => {
    const { marks, ...debit } = call("chargePlan", { ...spending, plan: fixed, agreed });
    return { ...debit, id, plan: { fixed, marks, turn } };
  });
  ledgerWritten();
  return drawPlan(id, turn, { fixed, drawn: {} }, message);
}

/** Draws what is left of a plan that was paid for, of the same file, and tells what was drawn and never told. */
async function resumeTogether(id, message) {
  const { fixed, marks, drawn } = await ledger.plan(held.names, id);
  if (!fixed) throw fault("plan-closed", "this plan was drawn in another browser, or its draws are over: nothing more of it can be drawn");
  const left = numbersOf(fixed).filter((number) => !(number in drawn));
  if (left.length) {
    await readPlan(fixed, left, message);
    call("samePlan", { plan: fixed, marks, left });
  }
  const turn = crypto.randomUUID();
  return drawPlan(id, turn, await ledger.plan(held.names, id, turn), message);
}

const numbersOf = ({ questions }) => (questions ?? []).map((_, i) => i + 1);

async function readPlan({ questions }, numbers, message) {
  for (const number of numbers) {
    message.part = { question: number, questions: questions.length };
    await read(questions[number - 1]);
    check(message);
  }
}

/** Question by question: draw, note in the ledger, keep, and at the end tell. What stops the rest, as a cancel, is told beside what was drawn. */
async function drawPlan(id, turn, { fixed, drawn }, message) {
  const answers = [];
  const left = numbersOf(fixed).filter((number) => !(number in drawn));
  const untold = []; // and not kept
  const add = async (number, { release, failure }) => {
    const released = release && (await keep((lastRun = `${id}/${number}`), release));
    answers.push(release ? { number, released } : { number, fault: failure });
    if (released?.notKept === "") await ledger.settle(id, [number]);
    else untold.push(number);
  };
  message.told = () => untold.length && ledger.settle(id, untold).catch(() => {});
  let stopped;
  try {
    for (const [number, text] of Object.entries(drawn)) if (text) await add(Number(number), JSON.parse(text));
    while (left.length) {
      check(message);
      const [number] = left;
      message.part = { question: number, questions: fixed.questions.length };
      const recipe = fixed.questions[number - 1];
      await read(recipe);
      const came = await drawNoted(id, turn, number, "run", { recipe });
      left.shift();
      await add(number, came);
    }
  } catch (error) {
    if (error === DEAD) throw error;
    stopped = describe(error);
  }
  ledgerWritten();
  return { entry: id, answers, left, stopped };
}

/** Asks the votes of the last run for one more case, which was paid for with it. They live in this engine only: a fresh one has none. */
async function label(cells) {
  const account = ledger && held?.names ? await ledger.account(held.names) : nothing;
  if (account.spending.looked) throw fault("looked-at", "no more cases are labelled: the owner has looked at the true answers of this data set and might choose cases by them");
  return keep(lastRun, call("label", cells));
}

/** Fixes a question, so that it may be asked once even after somebody has looked at what the data really say. */
async function freeze(recipe) {
  await ledger.freeze(held.names, ({ spending }) => call("frozen", { ...spending, recipe }));
  ledgerWritten();
}

/** Notes, for good, that the owner of the open file sees from now on what it really says. */
async function look() {
  held.revision = await ledger.look(held.names);
  ledgerWritten();
}

/** Shows what a question's answers are without noise, and draws of them: only after look. */
async function lookOn(lesson, message) {
  const account = held.names ? await ledger.account(held.names) : nothing;
  if (!account.spending.looked) throw fault("not-looked", "the true answers of this data set are not shown: that has to be chosen first");
  await plan(lesson.recipe);
  await read(lesson.recipe);
  check(message);
  return compute("lookOn", lesson);
}

// Reading ahead ---------------------------------------------------------------------------------------------------

// What the question on the page asks about is read while its owner still thinks, so that the answer need not wait for it. This
// goes on only while no request is at work. A request that needs the same takes it over, one that reads something else ends it.

let planned = null; // the recipe of the question that was priced last, until it is read
let ahead = null; // an errand {request, end, go, over}: the request that waits for it, its end, what wakes it, whether to give up
let quiet; // the timer

function readAheadSoon() {
  ahead?.go();
  clearTimeout(quiet);
  if (planned) quiet = setTimeout(readAhead, QUIET);
}

/** Begins to read for the question priced last. What goes wrong is told to the request that needs it. */
async function readAhead() {
  const recipe = planned;
  if (current || !recipe || !held || held.refusal || (ahead && call("reads", recipe))) return;
  await giveUp();
  if (current) return; // it begins again afterwards
  planned = null;
  try {
    if (!call("ahead", recipe)) return;
  } catch {
    return;
  }
  const errand = (ahead = { request: null, go() {}, over: false });
  errand.end = pass(held.source, "reading", errand)
    .then(() => call("encoded"))
    .finally(() => (ahead = null));
  errand.end.catch(() => {});
}

/** Waits while a request is at work that does not wait for this errand. */
async function turnOf(errand) {
  while (current && current !== errand.request && !errand.over) await new Promise((resolve) => (errand.go = resolve));
  if (errand.over) throw cancelled();
}

/** Has the request at work wait for what is read ahead, if that is what it needs; else nothing is read ahead any more. */
async function takeOver(recipe) {
  if (!ahead) return;
  if (!call("reads", recipe)) return giveUp();
  call("narrow");
  ahead.request = current;
  current.source = held.source;
  ahead.go();
  await ahead.end;
}

/** Ends the reading ahead. */
async function giveUp() {
  if (!ahead) return;
  ahead.over = true;
  ahead.go();
  held.source.stop(cancelled());
  await ahead.end.catch(() => {});
}

// The ledger ------------------------------------------------------------------------------------------------------

async function openLedger() {
  ledger ??= await Ledger.open(call("defaultLimit"));
}

/** The account of the open file, which a fresh engine has not read yet, and those of all data sets. */
async function showLedger(_, { source }) {
  await openLedger();
  const names = held?.names ?? (source?.fingerprint && { fingerprint: source.fingerprint });
  const own = names ? await ledger.account(names) : nothing;
  return { ...sum(own), accounts: (await ledger.accounts()).map(sum) };
}

const nothing = { revision: 0, spending: { fingerprint: "", limit: null, entries: [], damaged: false } };
const sum = ({ spending }) => call("account", spending);

async function setLimit({ limit, fingerprint }) {
  call("account", { ...nothing.spending, limit }); // refuses what is no limit
  await openLedger();
  await ledger.setLimit(fingerprint ? { fingerprint } : held.names, ({ spending }) => call("limit", { ...spending, to: limit }));
  ledgerWritten();
}

async function setNickname({ nickname, fingerprint }) {
  await openLedger();
  await ledger.setNickname({ fingerprint }, nickname.slice(0, 80));
  ledgerWritten();
}

async function exportLedger() {
  await openLedger();
  const all = (await ledger.accounts()).map(({ spending }) => spending);
  // An entry that is not in its account's list is damage too; the file can say so only by naming a lost one.
  for (const spending of all) if (spending.damaged && !spending.lost.length) spending.lost = [crypto.randomUUID()];
  return call("writeLedger", all);
}

async function importLedger(file) {
  const spendings = call("readLedger", file);
  await openLedger();
  const sum = await ledger.merge(spendings, (joined) => call("joined", joined));
  if (held?.refusal?.code === "ledger-damaged") {
    const { spending } = await ledger.account(held.names);
    if (!spending.damaged) held.refusal = null; // the file brought back what was missing
  }
  ledgerWritten();
  return sum;
}

// Signatures ------------------------------------------------------------------------------------------------------

/** Signs a text with the key of this device. */
async function sign(text) {
  await openLedger();
  return ledger.sign(text);
}

// A signature stands at the end of a file, and is of what stands there without it: of a release in front of the checksum
// (ask.WithSignature), of a publication as JSON and as HTML (publication.WithSignature).
const SIGNATURES = [
  [/,\n {2}"signature": \{\n {4}"key": "([0-9a-f]{130})",\n {4}"value": "([0-9a-f]{128})"\n {2}\},\n {2}"checksum": "[0-9a-f]{64}"\n\}\n$/, "\n}\n"],
  [/,"signature":\{"key":"([0-9a-f]{130})","value":"([0-9a-f]{128})"\}\}$/, "}"],
  [/\n<script type="application\/json" id="hush-signature">\{"key":"([0-9a-f]{130})","value":"([0-9a-f]{128})"\}<\/script>\n<\/body>\n<\/html>\n$/, "\n</body>\n</html>\n"],
];

/** Which claims of a release hold. Go has no curves, so its signature is looked at here. */
async function checkRelease({ text, build }) {
  let signature = null;
  for (const [form, end] of SIGNATURES) {
    const [tail, key, value] = form.exec(text.slice(-1000)) ?? [];
    if (!tail) continue;
    const own = await openLedger().then(() => ledger.signer(), () => ""); // no ledger, no key
    signature = { key, holds: await signs(key, value, text.slice(0, -tail.length) + end), own: key === own };
  }
  return call("verify", { text, build, signature });
}

// The answers -----------------------------------------------------------------------------------------------------

const KEEPING = 10_000; // ms, after which a paid answer waits for its storage no longer
const SILENT = "it does not answer";
const silent = () => fault("no-storage", `the browser refuses to keep answers (${SILENT})`);

async function openAnswers() {
  return (answers ??= await Answers.open());
}

/** Keeps a release, and returns it with the id of its debit, and with why it is not kept where it is not. Nothing that fails here keeps it back. */
async function keep(entry, release) {
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(reject, KEEPING, silent())));
  try {
    const kept = await Promise.race([openAnswers().then((all) => all.keep(entry, JSON.stringify(release))), late]);
    ledgerWritten();
    return { ...release, entry, notKept: kept ? "" : "off" };
  } catch (error) {
    return { ...release, entry, notKept: describe(error).message };
  } finally {
    clearTimeout(timer);
  }
}

/** What is kept; where the browser keeps nothing, why. */
async function kept() {
  try {
    return { ...(await (await openAnswers()).list()), refused: "" };
  } catch (error) {
    return { off: false, answers: [], refused: describe(error).message };
  }
}

async function keptAnswers(entries) {
  return (await openAnswers()).read(entries);
}

function markKept({ entries, ...marks }) {
  return changeAnswers((all) => all.mark(entries, marks));
}

function dropKept(entries) {
  return changeAnswers((all) => all.drop(entries));
}

async function keptDraft() {
  return (await openAnswers()).draft();
}

async function keepDraft(text) {
  await (await openAnswers()).setDraft(text);
}

function keepAnswers(on) {
  return changeAnswers((all) => all.setOff(!on));
}

async function changeAnswers(change) {
  await change(await openAnswers());
  ledgerWritten();
}

const tabs = channel(); // tells every tab's engine

/** Where site data is forbidden some browsers have no channel either: there is no ledger to tell of. */
function channel() {
  try {
    return new BroadcastChannel("hush-ledger");
  } catch {
    return { postMessage() {} };
  }
}

const tellLedger = () => postMessage({ op: "ledger" });
tabs.onmessage = tellLedger;

function ledgerWritten() {
  tabs.postMessage(null);
  tellLedger();
}

// Bytes -----------------------------------------------------------------------------------------------------------

/** Feeds a file to the pass that Go has begun, piece by piece, for the request that waits for it; on any failure Go forgets the pass. */
async function pass(source, phase, errand, swap) {
  if (errand.request) errand.request.source = source;
  let last = performance.now();
  try {
    for await (const { piece, done } of source.made ? source.pieces(tellRequests) : pieces(source.file, swap)) {
      await turnOf(errand);
      parse(api.write(piece));
      if (performance.now() - last >= PACE) {
        if (errand.request) progress(errand.request.id, phase, done, source.file.size);
        await breathe(); // reads of a cached file may all be answered without the event loop ever turning
        last = performance.now();
      }
      if (errand.request) check(errand.request);
    }
    await turnOf(errand);
  } catch (error) {
    source.close();
    if (error !== DEAD) call("abandon");
    throw error;
  }
}

/** Makes the digests of a file whose bytes a reader takes. */
async function digest(file, digests) {
  const request = current;
  for await (const _ of pieces(file, digests.swap)) check(request);
}

/** Why a reader could not read a file, in words. */
function unread(refusal) {
  try {
    return call("unread", refusal);
  } catch (error) {
    return error;
  }
}

/**
 * Yields a file as it arrives, in pieces, with how many bytes that makes. To work on a piece while the browser fetches the next is a tenth faster than
 * to wait for whole chunks. The pieces fill a chunk's buffer; when it is full, or the file ends, swap may take it away
 * and gives the next one to fill.
 */
async function* pieces(file, swap = (buffer) => buffer) {
  const reader = (reading = byteReader(file.stream()));
  let buffer = new ArrayBuffer(CHUNK);
  let filled = 0;
  let total = 0;
  try {
    for (let end = false; !end; ) {
      const { value: piece, done } = await reader.read(new Uint8Array(buffer, filled));
      buffer = piece.buffer; // a read takes the buffer away and brings it back under another name
      filled += piece.length;
      total += piece.length;
      end = done;
      yield { piece, done: total };
      if (filled === CHUNK || (end && filled > 0)) {
        buffer = await swap(buffer, filled);
        filled = 0;
      }
    }
  } finally {
    await reader.cancel(); // while it is held: else this, too, may never be settled
    reading = null;
  }
}

/** The reader at work. Chromium collects one that only its own promise leads to, and then that is never settled. */
let reading = null;

/**
 * A BYOB reader: read(view) fills the front of the view as far as bytes are there. It is three to five times as fast as
 * a reader that brings its own chunks, which stands in for it where streams of files have none.
 */
function byteReader(stream) {
  try {
    return stream.getReader({ mode: "byob" });
  } catch {
    return new CopyingReader(stream.getReader());
  }
}

class CopyingReader {
  #reader;
  #rest = new Uint8Array();

  constructor(reader) {
    this.#reader = reader;
  }

  async read(view) {
    while (this.#rest.length === 0) {
      const { value, done } = await this.#reader.read();
      if (done) return { value: view.subarray(0, 0), done };
      this.#rest = value;
    }
    const part = this.#rest.subarray(0, view.length);
    this.#rest = this.#rest.subarray(part.length);
    view.set(part);
    return { value: view.subarray(0, part.length), done: false };
  }

  cancel() {
    return this.#reader.cancel();
  }
}

/** SHA-256 of each chunk, made by digest.js while the next chunk is filled. The buffers go there and come back. */
class Digests {
  #jobs = []; // promises of {digest, buffer}, in the file's order

  swap = async (buffer, length) => {
    this.#jobs.push(hasher().digest(buffer, length));
    const done = this.#jobs.at(-BUFFERS);
    return done ? (await done).buffer : new ArrayBuffer(CHUNK);
  };

  /** All of them; of a further part of a file with its number, since that is another data set. */
  async all(part = 1) {
    const digests = (await Promise.all(this.#jobs)).map(({ digest }) => digest);
    if (part > 1) digests.push(String(part));
    return new Uint8Array(await new Blob(digests).arrayBuffer());
  }
}

/**
 * The worker that makes digests, started for the first file and kept. It answers in order. Firefox needs none: it makes digests beside
 * whoever asks, and on a busy machine this worker may stand still for good while it starts another.
 */
function hasher() {
  return (hasher.only ??= /Firefox\//.test(navigator.userAgent) ? here : startHasher());
}

/** Makes digests without a worker. */
const here = {
  digest: async (buffer, length) => ({ digest: await crypto.subtle.digest("SHA-256", new Uint8Array(buffer, 0, length)), buffer }),
};

/** Until the worker has begun digests are made here, for nothing may wait for it. */
function startHasher() {
  const worker = startWorker("digest.js");
  const waiting = [];
  let ready = false;
  worker.onmessage = ({ data }) => {
    if (data.ready) ready = true;
    else if (data.requests) tellRequests(data.requests);
    else waiting.shift().resolve(data);
  };
  worker.onerror = () => waiting.splice(0).forEach(({ reject }) => reject(new Error("digest.js failed")));
  return {
    async digest(buffer, length) {
      if (!ready) return here.digest(buffer, length);
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        worker.postMessage({ buffer, length }, [buffer]);
      });
    },
  };
}

// Go --------------------------------------------------------------------------------------------------------------

/** Thrown when Go has ended under a call: its client is told by "died". */
const DEAD = new Error("the Go program has ended");

const text = (value) => JSON.stringify(value ?? null);

/** Asks Go. Every answer is {"ok": …} or {"fault": …}. */
const call = (op, request) => parse(api.call(op, text(request)));

/** Asks Go for what takes long: it steps meanwhile. */
const compute = async (op, request) => parse(await new Promise((resolve) => api.compute(op, text(request), resolve)));

function parse(reply) {
  if (typeof reply !== "string") throw DEAD;
  const { ok, fault: refusal } = JSON.parse(reply);
  if (refusal) throw Object.assign(new Error(refusal.message), refusal);
  return ok;
}

/**
 * Go calls this in the midst of long work, at least every 50 ms, and sleeps until wake(cancelled) is called from a
 * fresh event: only then can the message that cancels the work have been heard.
 */
async function step(done, total, wake) {
  progress(current.id, "computing", done, total);
  await breathe();
  wake(Boolean(current.cancelled));
}

function progress(id, phase, done, total) {
  const now = performance.now();
  const part = current?.part; // of several questions
  if (phase === told.phase && part === told.part && now - told.at < PACE) return;
  told = { phase, part, at: now };
  postMessage({ id, progress: { phase, done, total, ...part } });
}
let told = { phase: "", at: 0 }; // a new phase or question is told at once

/** Lets the event loop turn. A message to oneself takes microseconds, where setTimeout waits 4 ms. */
const breathe = () => new Promise((resolve) => (breathing.push(resolve), turn.port2.postMessage(0)));
const breathing = [];
const turn = new MessageChannel();
turn.port1.onmessage = () => breathing.shift()();

/** The language of the page, which its client tells in this worker's name. */
const language = self.name.split(" ")[1] ?? "en";
let said; // its messages
if (language !== "en") {
  said = fetch(new URL(`messages/${language}.json`, import.meta.url)).then((answer) => (answer.ok ? answer.text() : "")).catch(() => "");
  globalThis.hushLanguage = { messages: said };
}

const tellRequests = (requests) => postMessage({ op: "requests", requests });
countRequests(tellRequests);

/** Starts Go; it calls attach before it first sleeps. */
async function start() {
  const able = VECTORS; // see web/bundle/vectors.go
  if (!able) throw new Error("this browser lacks the vector instructions of WebAssembly");
  globalThis.go = new Go();
  const url = new URL("app.wasm", import.meta.url);
  const { instance } = await instantiate(url, go.importObject);
  await said; // nothing else is to come
  cutOff();
  const attached = new Promise((resolve) => {
    const attach = (functions, table) => {
      api = functions;
      operations = JSON.parse(table);
      resolve();
    };
    globalThis.hushEngine = { attach, step };
  });
  // A Go program that panics or runs out of memory resolves run; it never ends of itself.
  go.run(instance).then(died, died);
  await attached;
  postMessage({ op: "ready", operations });
}

async function instantiate(url, imports) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.pathname.replace(/.*\//, "")}: status ${response.status}`);
  try {
    return await WebAssembly.instantiateStreaming(response.clone(), imports);
  } catch (error) {
    // Some servers send a type that streaming refuses.
    if (response.headers.get("Content-Type")?.startsWith("application/wasm")) throw error;
    return WebAssembly.instantiate(await response.arrayBuffer(), imports);
  }
}

// What Go prints when it dies, and what we call it. The text itself may hold anything, so it stays here.
const causes = [
  [/out of memory|cannot allocate memory/, "out-of-memory"],
  [/stack overflow|stack exceeds/, "stack-overflow"],
  [/crypto\/rand/, "no-entropy"],
  [/^panic|\npanic/, "panic"],
];
let reason = "crashed";

globalThis.fs.writeSync = (_, bytes) => {
  const line = new TextDecoder().decode(bytes);
  const cause = causes.find(([pattern]) => pattern.test(line));
  if (cause && reason === "crashed") [, reason] = cause;
  return bytes.length;
};

function died() {
  postMessage({ op: "died", reason });
  close();
}

postMessage({ op: "begun" });
const started = start();
started.catch((error) => {
  postMessage({ op: "died", reason: "start", message: error.message });
  close();
});
