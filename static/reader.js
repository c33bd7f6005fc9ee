// A worker that makes CSV of a file that is no plain text, with one of readers/: the engine starts it for such a file, and source.js
// speaks to it. It holds the file and the code of others that reads it, and nothing else: once its reader is loaded it has no way to
// the network, to what the page stores or to other tabs.
//
// Messages in:   {file, format}        first
//                {part, options}       begins to read a part, from 0; what was read before is given up
//                {next: true, room}    asks for one more piece, and gives back the bytes of one before
// Messages out:  {ready} when it runs  {parts: […]}, once the reader is loaded
//                {piece, done}         CSV, and how many bytes of the file are read; piece is null at the end, and notes
//                                      say what the owner should know of the part
//                {error: {key, where}} what is wrong with the file, or "internal"; see readers/README.md
//                {requests}            see count.js

import { cutOffReader } from "./trust.js"; // before anything else
import { countRequests } from "./count.js";
import { faultOf } from "./fault.js";

countRequests((requests) => postMessage({ requests }));

const ENOUGH = 256 << 10, ROOM = 2 * ENOUGH; // bytes

let file, reader;
let pieces = null; // of the part that is read
let rest = null; // of what it gave, what did not fit
let done = 0;
let notes = []; // what the reader says of the part
let last = Promise.resolve();

onmessage = ({ data }) => {
  last = last.then(() => answer(data)).catch((error) => postMessage({ error: describe(error) }));
};

async function answer({ file: given, format, part, options, next, room }) {
  if (given) {
    file = given;
    reader = await load(format);
    cutOffReader();
    postMessage({ parts: await reader.parts(file) });
  } else if (next) {
    const piece = await gather(room);
    postMessage(piece ? { piece, done } : { piece, done: file.size, notes }, piece ? [piece.buffer] : []);
  } else {
    await pieces?.return();
    done = 0;
    notes = [];
    const note = (key, values) => notes.push({ key, ...values });
    pieces = reader.csv(file, part, { options, told: (bytes) => (done = bytes), note });
    rest = null;
  }
}

/** Some hundred kilobytes of the part at least, up to its end; null there. They are put where there is room. */
async function gather(room) {
  const whole = room ? new Uint8Array(room) : new Uint8Array(ROOM);
  for (let filled = 0; ; ) {
    const { value, done: ended } = rest ? { value: rest } : await pieces.next();
    rest = null;
    if (ended) return filled ? whole.subarray(0, filled) : null;
    if (filled + value.length > ROOM) {
      if (filled === 0) return value.byteLength === value.buffer.byteLength ? value : value.slice();
      rest = value;
      return whole.subarray(0, filled);
    }
    whole.set(value, filled);
    filled += value.length;
    if (filled >= ENOUGH) return whole.subarray(0, filled);
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
