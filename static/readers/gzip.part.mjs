// Unpacks gzip (RFC 1952), piece by piece: one member or several, one behind another, each held to its length and its checksum. The
// browser's own way takes one member alone, and many programs write several.

import { Gunzip } from "fflate";
import { crc } from "./archive.part.mjs";
import { refuse } from "./csv.part.mjs";

const TRAILER = 8; // bytes behind a member: its checksum and its length
const HELD = 1 << 17; // bytes of the input that are held, more than the head of a member has

/** What the bytes of a file are unpacked to. @param {AsyncIterable<Uint8Array>} input */
export async function* gunzipped(input) {
  let made = [], size = 0, sum = -1; // of the member
  let held = new Uint8Array(), read = 0; // the last bytes of the input, and how many there were
  const damaged = () => refuse("damaged", { byte: read });
  const ends = (place) => { // a member, before this byte
    const at = held.length - (read - place) - TRAILER;
    if (at < 0) damaged();
    const trailer = new DataView(held.buffer, held.byteOffset + at, TRAILER);
    if (trailer.getUint32(0, true) !== ~sum >>> 0 || trailer.getUint32(4, true) !== size >>> 0) damaged();
    [size, sum] = [0, -1];
  };
  const unpacker = new Gunzip((piece) => {
    size = (size + piece.length) % 2 ** 32;
    sum = crc(sum, piece);
    if (piece.length > 0) made.push(piece);
  });
  unpacker.onmember = ends;
  const push = (piece, last) => {
    try {
      unpacker.push(piece, last);
    } catch {
      damaged();
    }
  };
  for await (const piece of input) {
    const kept = held.subarray(Math.max(0, held.length - HELD));
    held = new Uint8Array(kept.length + piece.length);
    held.set(kept);
    held.set(piece, kept.length);
    read += piece.length;
    push(piece, false);
    yield* made.splice(0);
  }
  push(new Uint8Array(), true);
  yield* made.splice(0);
  ends(read);
}
