// The page's own glue: what Go cannot do through go-app's Value alone. It owns the engine's client, the chart library,
// downloads, the theme and the request counter, and speaks to Go in numbers and JSON text only.
//
// Go calls hushPage.start(callback) once; afterwards everything arrives as callback(id, kind, json), where id is the
// number Go gave the request (0 for news nobody asked for) and kind is "done", "failed", "progress" or the news' name.

import { countRequests } from "./count.js";
import { fault, faultOf } from "./fault.js";
import { Hush } from "./hush.js";
import { install, keepStorage, switchOff, watchNetwork } from "./offline.js";
import { cutOffUnseen } from "./trust.js";

cutOffUnseen();

const here = new URL(".", import.meta.url);
let engine = null;
let tell = () => {};
let opened = null; // the File at hand, to read it again in another way
const running = new Map(); // request id → AbortController
const charts = new Map(); // element id → {option, chart}
let chartLibrary = null;
const charting = () => (chartLibrary ??= import("./charts.js"));

function start(callback) {
  tell = (id, kind, value) => callback(id, kind, JSON.stringify(value ?? null));
  engine = new Hush();
  engine.addEventListener("died", (event) => tell(0, "died", event.detail));
  engine.addEventListener("restarted", () => tell(0, "restarted"));
  engine.addEventListener("ledger", () => tell(0, "ledger"));
  watchRequests();
  watchNetwork((state) => tell(0, "network", state));
  tell(0, "keys-off", keysOff);
  tell(0, "course", recall("hush-course") ?? "");
  tellPolls();
  addEventListener("storage", ({ key }) => key === polls && !keeping && tellPolls()); // another tab drew a code
  if (globalThis.hushUpdateWaits) tell(0, "update");
  addEventListener("hush-update", () => tell(0, "update"));
  if (history.state?.hush?.answer) goTo(history.state.hush); // the page is loaded again
}

/** Runs one engine call and reports its end, and its progress meanwhile, under the caller's number. */
async function ask(id, call) {
  const abort = new AbortController();
  running.set(id, abort);
  try {
    const onprogress = (progress) => tell(id, "progress", progress);
    tell(id, "done", await call({ onprogress, signal: abort.signal }));
  } catch (error) {
    tell(id, "failed", describe(error));
  } finally {
    running.delete(id);
  }
}

function describe(error) {
  if (error.name === "AbortError") return { code: "cancelled", message: error.message };
  const { code, message, field, value, want } = faultOf(error);
  return { code: typeof code === "string" ? code : "internal", message, field, value, want };
}

/** Carries out an operation of the engine; file is a File where the request is about one. */
const call = (id, op, json, file) => ask(id, (how) => {
  const request = JSON.parse(json);
  return own[op] ? own[op](request, how, file) : engine.call(op, request, how);
});

/** Operations in which the page has a part. */
const own = {
  /** Opens the file; or a made-up data set, or a text, as if dropped; or the last file once more. */
  async open({ options, sample, text }, how, file) {
    if (sample) file = new File([await engine.sample(sample)], `${sample}.csv`, { type: "text/csv" });
    if (text !== undefined) file = new File([text], "pasted.csv", { type: "text/csv" });
    const answer = await engine.open((opened = file ?? opened), options, how);
    warm();
    return answer;
  },
  async plan(recipe, how) {
    await whenTyped();
    return engine.plan(recipe, how);
  },
  /** Checks a release in a file. */
  async check(request, how, file) {
    const text = await smallText(file, 16e6, "refused", "the file is too large: at most 16 MB are read here");
    return engine.check({ ...request, text });
  },
  async importLedger(_, how, file) {
    const text = await smallText(file, 64e6, "bad-ledger", "this file is too large to be a ledger");
    return engine.importLedger(text);
  },
};

const cancel = (id) => running.get(id)?.abort();

/** Reads a small file of the page's own as text. */
const text = (id, file) => ask(id, () => smallText(file, 16e6, "too-large", "the file is too large: at most 16 MB are read here"));

// What follows from a text waits until nothing more is typed: it would hold up the next key.
const pause = 200; // ms
const waiting = new Set();
let typing;
addEventListener("input", ({ inputType }) => {
  if (!inputType) return; // no text
  clearTimeout(typing);
  typing = setTimeout(typed, pause);
}, true);
for (const over of ["change", "focusout"]) addEventListener(over, typed, true);

function typed() {
  clearTimeout(typing);
  typing = undefined;
  for (const goOn of waiting) goOn();
  waiting.clear();
}

const whenTyped = () => typing && new Promise((goOn) => waiting.add(goOn));

/** Writes the address behind the #, so that a bookmark brings the question back: once nothing more is typed, or another page is gone to. */
let addressWaits = null; // {path, from}
async function address(path) {
  lastAddress = path;
  addressWaits = { path, from: location.hash };
  await whenTyped();
  setTimeout(writeAddress); // what was done is shown first
}

function writeAddress() {
  if (!addressWaits) return;
  const { path, from } = addressWaits;
  addressWaits = null;
  // Who has gone elsewhere meanwhile, as with the Back button, is not called back.
  if (location.hash === from && from.slice(1) !== path) history.replaceState(history.state, "", "#" + path);
}
addEventListener("beforeunload", writeAddress);
addEventListener("click", (event) => event.target.closest?.("a[href]") && writeAddress(), true);

// The steps of the way to an answer are in the browser's history: Back goes one step back. What the history keeps of each is its number
// and, where a kept answer is shown, the id of its debit: no data, no names. A step of an earlier load of the page is about a file that is
// gone; its answer may be kept.
const load = crypto.randomUUID();
let gone = 0; // steps in the history that were gone so far, with Back and Forward
let arrived = false; // at one of them, and the program knows it
let unsaved = false;
let lastAddress = ""; // as the program wrote it

/** Takes from the program where the person stands. What it says before it knows of the last step in the history is out of date. */
function stand(json) {
  const { stage, answer, heard, unsaved: loses } = JSON.parse(json);
  unsaved = loses;
  if (heard !== gone) return;
  const at = history.state?.hush;
  if (at?.load === load && at.stage === stage && at.answer === answer) return void (arrived = false);
  writeAddress();
  const state = { ...history.state, hush: { load, stage, answer } };
  if (arrived || at?.load !== load) history.replaceState(state, "");
  else history.pushState(state, "");
  arrived = false;
}

addEventListener("popstate", ({ state }) => {
  const at = state?.hush;
  if (!at) return; // a link within the page
  if (at.load === load && lastAddress) history.replaceState(state, "", "#" + lastAddress); // the question is as it is, not as it was
  goTo(at.load === load ? at : { stage: at.answer ? at.stage : 0, answer: at.answer });
}, true); // before the program's own

function goTo({ stage, answer }) {
  arrived = true;
  tell(0, "step", { stage, answer, heard: ++gone });
}

addEventListener("beforeunload", (event) => unsaved && event.preventDefault());

/** Reads what the tests found out about every claim, a file of the bundle. */
function evidence(id) {
  return ask(id, async () => {
    const answer = await fetch(new URL("evidence.json", here));
    if (!answer.ok) throw new Error(`the figures could not be read (${answer.status})`);
    return answer.json();
  });
}

/** Reads a living table that lies beside the program, for a page that embeds it: a file of this origin, which is told nothing. */
function table(id, address) {
  return ask(id, async () => {
    const url = new URL(address, new URL(".", document.baseURI));
    if (url.origin !== location.origin) throw fault("refused", "a living table lies on the site that this program comes from, and this one does not");
    const answer = await fetch(url, { credentials: "omit", redirect: "error", referrerPolicy: "no-referrer" }).catch(() => null);
    if (!answer?.ok) throw fault("refused", "the living table could not be loaded: its address is another, or there is no network");
    return smallText(await answer.blob(), 16e6, "too-large", "the file is too large: at most 16 MB are read here");
  });
}

async function smallText(file, most, code, message) {
  if (file.size > most) throw fault(code, message);
  return file.text();
}

// Charts ------------------------------------------------------------------------------------------------------------

/** Draws an option (JSON) in an element, as soon as it is unfolded; the library is fetched the first time. */
async function chart(elementID, option) {
  const folded = document.getElementById(elementID);
  if (folded?.closest("details:not([open])")) {
    foldedCharts.set(folded, option);
    return unfolding.observe(folded);
  }
  const library = await charting();
  await new Promise((drawn) => setTimeout(drawn)); // the page first: a chart is a task of its own
  const element = document.getElementById(elementID);
  if (!element) return;
  const known = charts.get(elementID);
  if (known?.element === element) {
    if (known.option !== option) library.update(known.chart, (known.option = option));
    return;
  }
  // The page may have given the element of another chart this name, as where something came or went above it.
  for (const [id, old] of charts) {
    if (id !== elementID && old.element !== element) continue;
    old.observer.disconnect();
    library.dispose(old.chart);
    charts.delete(id);
  }
  const drawn = library.mount(element, option, true);
  const observer = new ResizeObserver(() => element.isConnected && library.resize(drawn));
  observer.observe(element);
  charts.set(elementID, { element, chart: drawn, observer, option });
}

/** Gets the library ready while the page has nothing else to do: a chart is soon wanted, and what draws it is slow the first time. */
async function warm() {
  if (chartLibrary) return;
  await idle();
  const library = await charting();
  for (const axis of [{ show: false }, {}]) {
    await idle();
    const frame = hiddenFrame("picture short");
    const bars = { xAxis: { ...axis, type: "category", data: ["", ""] }, yAxis: axis, series: { type: "bar", data: [0, 1] } };
    const drawn = library.mount(frame, JSON.stringify(bars), true);
    await idle();
    library.dispose(drawn);
    frame.remove();
  }
}

const idle = () => new Promise((rested) => { (globalThis.requestIdleCallback ?? setTimeout)(rested); });

/** Charts in closed disclosures: the library is large, and most of them are never opened. */
const foldedCharts = new WeakMap();
const unfolding = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    unfolding.unobserve(target);
    chart(target.id, foldedCharts.get(target));
  }
});

/** Draws an option for use outside of the page: by daylight, of a fixed size, at once; width, in points, is 720 unless it is given. Answers with SVG. */
function picture(id, option, tall, width) {
  return ask(id, async () => {
    const library = await charting();
    const frame = hiddenFrame(tall ? "daylight picture" : "daylight picture short");
    if (width) frame.style.width = `${width}px`;
    try {
      const drawn = library.mount(frame, JSON.stringify({ ...JSON.parse(option), animation: false }));
      const svg = library.toSVG(drawn);
      library.dispose(drawn);
      return svg;
    } finally {
      frame.remove();
    }
  });
}

function hiddenFrame(name) {
  const frame = document.createElement("div");
  frame.className = name;
  frame.setAttribute("aria-hidden", "true");
  document.body.append(frame);
  return frame;
}

/** Makes a PNG of an SVG document, with twice as many points each way. */
async function toPNG(svg) {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = 2 * image.naturalWidth;
    canvas.height = 2 * image.naturalHeight;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    const png = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
    if (!png) throw new Error("this browser made no picture of the chart");
    return png;
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Puts the text of an element on the clipboard. */
const copy = (id, elementID) => ask(id, () => navigator.clipboard.writeText(document.getElementById(elementID).textContent));

const downloadPNG = (id, name, svg) => ask(id, async () => download(name, "image/png", await toPNG(svg)));

/**
 * Saves files, as JSON, in one archive: {name} with its text, an SVG that becomes a PNG, or the files of an archive inside. The same content makes the same archive.
 */
function downloadZip(id, name, files) {
  return ask(id, async () => download(name, "application/zip", await packed(JSON.parse(files))));
}

/** Saves a publication, as JSON, in a form: "docx", "xlsx", or "zip" of everything. */
function downloadForm(id, name, type, form, page) {
  return ask(id, async () => {
    const { forms } = await import("./zip.js");
    download(name, type, await packed(forms(form, JSON.parse(page))));
  });
}

/** Saves made-up rows, as JSON { names, kinds, rows }, in a form: "xlsx" or "parquet". */
function downloadRows(id, name, type, form, table) {
  return ask(id, async () => {
    if (form === "parquet") {
      const { parquet } = await import("./parquet.js");
      return download(name, type, parquet(JSON.parse(table)));
    }
    const { forms } = await import("./zip.js");
    download(name, type, await packed(forms("rows", JSON.parse(table))));
  });
}

async function packed(list) {
  const { zip } = await import("./zip.js");
  const entries = [];
  for (const { name, text = "", png, files } of list) {
    if (png) entries.push({ name, bytes: new Uint8Array(await (await toPNG(png)).arrayBuffer()) });
    else if (files) entries.push({ name, bytes: await packed(files) });
    else entries.push({ name, text });
  }
  return zip(entries);
}

// Files, theme, requests --------------------------------------------------------------------------------------------

function download(name, type, content) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Shows a document in a frame. It has no origin and runs nothing; its address ends with the next one. */
function preview(frameID, content) {
  const frame = document.getElementById(frameID);
  if (!frame) return;
  if (frame.src.startsWith("blob:")) URL.revokeObjectURL(frame.src);
  frame.setAttribute("sandbox", "");
  frame.src = URL.createObjectURL(new Blob([content], { type: "text/html" }));
}

/** Sets the theme, "light" or "dark", and remembers it. */
function setTheme(name) {
  showTheme(name);
  remember("hush-theme", name);
}

/** Shows a theme, or without a name the system's; charts take on its colours. */
export function showTheme(name) {
  if (name) document.documentElement.dataset.theme = name;
  else delete document.documentElement.dataset.theme;
  recolour();
}

/** Returns the theme in force. */
function theme() {
  return document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

async function recolour() {
  if (!chartLibrary) return;
  const library = await chartLibrary;
  for (const { element, chart, option } of charts.values()) {
    if (element.isConnected) library.update(chart, option); // another view may be on the screen
  }
}

function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

let keysOff = recall("hush-keys") === "off";
const chosen = recall("hush-theme");
if (chosen) document.documentElement.dataset.theme = chosen;
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);

/** The day where the person is, as 2026-01-31. */
function today() {
  const now = new Date();
  const two = (n) => String(n).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

// A file is opened wherever it is dropped while none is open. Else one that misses its field does not make the browser leave the page.
const taker = () => document.querySelector(":is(.landing, .checking) input[type=file]");
for (const name of ["dragover", "drop"]) {
  addEventListener(name, (event) => {
    const { dataTransfer } = event;
    if (event.defaultPrevented || !dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    const input = taker();
    dataTransfer.dropEffect = input ? "copy" : "none";
    document.documentElement.classList.toggle("dragging", input !== null && name === "dragover");
    if (!input || name !== "drop" || !dataTransfer.files.length) return;
    const first = new DataTransfer();
    first.items.add(dataTransfer.files[0]);
    input.files = first.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
}
addEventListener("dragleave", ({ relatedTarget }) => {
  if (!relatedTarget) document.documentElement.classList.remove("dragging"); // it left the window
});

// What is pasted anywhere while no file is open comes to the field for tables, to be looked at and read.
addEventListener("paste", (event) => {
  const field = document.querySelector(".landing #pasted");
  const text = event.clipboardData?.getData("text/plain") ?? "";
  if (!field || !/[\n\r]/.test(text) || event.target.closest?.("input, textarea, [contenteditable]")) return;
  event.preventDefault();
  field.closest("details").open = true;
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
});

/** Opens the system's file dialog of an input. */
const pick = (inputID) => document.getElementById(inputID)?.click();

// Keys --------------------------------------------------------------------------------------------------------------

/** Reports single keys to Go, unless a text is being typed, a list is open to typing, or they are turned off. */
function watchKeys(keys) {
  addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat || event.defaultPrevented) return;
    if (key.length !== 1 || !keys.includes(key) || keysOff) return;
    if (target.isContentEditable || target.closest?.("textarea, select, input:not([type=radio], [type=checkbox], [type=range], [type=file])")) return;
    const above = document.querySelector("dialog:modal");
    if (above && key !== "?") return;
    event.preventDefault();
    tell(0, "key", key);
  });
}

// The menu folds when something of it is chosen, when one goes elsewhere, and with Escape, which leads back to its button.
const menus = () => document.querySelectorAll("details.menu[open]");
function fold(menu, back) {
  menu.open = false;
  if (back) menu.querySelector("summary").focus({ preventScroll: true });
}
addEventListener("click", ({ target }) => {
  for (const menu of menus()) {
    const button = target.closest?.("a, button");
    if (!menu.contains(target)) fold(menu, false);
    else if (button) fold(menu, button.localName === "button"); // a dialog gives the focus back where it was
  }
}, true);
addEventListener("focusout", ({ relatedTarget }) => {
  for (const menu of menus()) if (relatedTarget && !menu.contains(relatedTarget)) fold(menu, false);
});
addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.isComposing) return;
  for (const menu of menus()) fold(menu, menu.contains(document.activeElement));
});

function turnKeysOff(off) {
  keysOff = off;
  remember("hush-keys", off ? "off" : "on");
  tell(0, "keys-off", off);
}

const keepCourse = (done) => remember("hush-course", done);

const polls = "hush-polls";
let told = ""; // of the polls' codes
const tellPolls = () => tell(0, "polls", told = recall(polls) ?? "");
let keeping = 0; // codes on their way
/** Keeps codes, "poll=code" each. Of two tabs that draw one for a poll at the same moment, the first to write it has its code kept. */
async function keepPolls(codes) {
  const keep = () => {
    const known = new Set(told.split(" "));
    const others = (recall(polls) ?? "").split(" ").filter((entry) => !known.has(entry)); // of another tab, meanwhile
    const all = new Map([...codes.split(" "), ...others].filter(Boolean).map((entry) => [entry.split("=")[0], entry]));
    remember(polls, [...all.values()].sort().join(" "));
  };
  keeping++;
  try {
    await (navigator.locks?.request(polls, keep) ?? keep());
  } catch {
    keep(); // a browser without locks for this page
  } finally {
    keeping--;
  }
  tellPolls(); // of a browser that keeps nothing the page says so
}

function showDialog(elementID) {
  const dialog = document.getElementById(elementID);
  if (dialog?.open) dialog.close();
  else dialog?.showModal();
}

const hideDialog = (elementID) => document.getElementById(elementID)?.close();

/** Goes to an address behind the #, as a link does. */
function visit(path) {
  writeAddress();
  location.hash = path;
}

/** Moves the reader to a part of the page that has just appeared, or will within some frames. */
function reveal(elementID, frames = 20) {
  requestAnimationFrame(() => {
    const element = document.getElementById(elementID);
    if (!element) return frames > 0 && reveal(elementID, frames - 1);
    element.focus({ preventScroll: true });
    const { top } = element.getBoundingClientRect();
    if (element.closest(".stage") && top + scrollY < innerHeight / 2) scrollTo(0, 0); // with the steps that are done
    else if (top < 0 || top > innerHeight / 2) element.scrollIntoView({ block: "start" });
  });
}

/** Adds up the requests of the page, of its engine, and of its service worker on its own account while the page is open. */
const requests = { own: 0, foreign: 0 };
function addRequests({ own, foreign }) {
  requests.own += own;
  requests.foreign += foreign;
  tell(0, "requests", requests);
}

function watchRequests() {
  countRequests(addRequests);
  engine.addEventListener("requests", ({ detail }) => addRequests(detail));
  navigator.serviceWorker?.addEventListener("message", ({ data }) => data?.requests && addRequests(data.requests));
  navigator.serviceWorker?.startMessages();
}

globalThis.hushPage = {
  start, call, cancel, evidence, table, text, address, stand, chart, picture, download, preview, downloadPNG, downloadZip, downloadForm,
  downloadRows,
  today, theme, setTheme, pick, reveal,
  watchKeys, turnKeysOff, keepCourse, keepPolls, showDialog, hideDialog, visit, switchOff, keepStorage, install, copy,
  base: new URL(".", document.baseURI).href,
  languages: JSON.stringify(globalThis.hushLanguage?.list ?? []),
  language: globalThis.hushLanguage?.tag ?? "en",
  speak: (tag) => globalThis.hushLanguage.choose(tag),
};
globalThis.dispatchEvent(new Event("hush-page"));
