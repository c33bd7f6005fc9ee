// A worker that makes CSV of a file that is no plain text, with one of readers/: the engine starts it for such a file, and source.js
// speaks to it. It holds the file and the code of others that reads it, and nothing else: once its reader is loaded it has no way to
// the network, to what the page stores or to other tabs.
//
// Messages in:   {file, format}        first
//                {part, options}       begins to read a part, from 0; what was read before is given up
//                {next: true}          asks for one more piece
// Messages out:  {ready} when it runs  {parts: […]}, once the reader is loaded
//                {piece, done}         CSV, and how many bytes of the file are read; piece is null at the end
//                {error: {key, where}} what is wrong with the file, or "internal"; see readers/README.md
//                {requests}            see count.js

import { cutOffReader } from "./trust.js"; // before anything else
import { countRequests } from "./count.js";
import { faultOf } from "./fault.js";

countRequests((requests) => postMessage({ requests }));

const ENOUGH = 256 << 10; // bytes

let file, reader;
let pieces = null; // of the part that is read
let rest = null; // of what it gave, what did not fit
let done = 0;
let last = Promise.resolve();

onmessage = ({ data }) => {
  last = last.then(() => answer(data)).catch((error) => postMessage({ error: describe(error) }));
};

async function answer({ file: given, format, part, options, next }) {
  if (given) {
    file = given;
    reader = await load(format);
    cutOffReader();
    postMessage({ parts: await reader.parts(file) });
  } else if (next) {
    const piece = await gather();
    postMessage({ piece, done: piece ? done : file.size }, piece ? [piece.buffer] : []);
  } else {
    await pieces?.return();
    done = 0;
    pieces = reader.csv(file, part, { options, told: (bytes) => (done = bytes) });
    rest = null;
  }
}

/** Some hundred kilobytes of the part at least, up to its end; null there. */
async function gather() {
  let whole = null;
  let filled = 0;
  for (;;) {
    const { value, done: ended } = rest ? { value: rest } : await pieces.next();
    rest = null;
    if (ended) return whole && whole.slice(0, filled);
    if (!whole && value.length >= ENOUGH) return value.byteLength === value.buffer.byteLength ? value : value.slice();
    whole ??= new Uint8Array(2 * ENOUGH);
    if (filled + value.length > whole.length) {
      rest = value;
      return whole.slice(0, filled);
    }
    whole.set(value, filled);
    if ((filled += value.length) >= ENOUGH) return whole.slice(0, filled);
  }
}

/** A reader can come from our own server alone, and by one of these addresses. */
async function load(format) {
  if (!/^[a-z]+$/.test(format)) throw new Error("no such reader");
  try {
    return await import(new URL(`readers/${format}.js`, import.meta.url));
  } catch {
    throw Object.assign(new Error("no reader"), { key: "no-reader", where: {} });
  }
}

function describe(error) {
  if (typeof error.key === "string") return { key: error.key, where: error.where ?? {} };
  const { code, message } = faultOf(error);
  if (typeof code === "string") return { code, message };
  console.error(error); // for whoever mends it; the text may hold anything, so it goes no further
  return { key: "damaged", where: {} };
}

postMessage({ ready: true });
