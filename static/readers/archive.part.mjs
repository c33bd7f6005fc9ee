// The entries of a ZIP archive, found by the list at its end, so that one can be read without those before it. It is unpacked by the
// browser, piece by piece: what is held never depends on what an archive says of itself. The form: APPNOTE.TXT 6.3.10 of PKWARE.

import { bytes, chunks, refuse, watched } from "./csv.part.mjs";

const mostList = 16 << 20; // bytes of the list of entries
const TAIL = 65_557; // bytes, in which the record at the end of an archive begins
const END = 0x06054b50, END64 = 0x06064b50, LOCATOR64 = 0x07064b50, LISTED = 0x02014b50, LOCAL = 0x04034b50;

/**
 * Lists an archive: its entries in their order, [{name, method, flags, size, packed, crc, at}].
 * @param {Blob} file
 */
export async function entries(file) {
  const { count, length, start } = await listOf(file);
  if (length > mostList) refuse("too-large", { byte: start });
  const list = await view(file, start, start + length);
  const found = [];
  for (let at = 0, i = 0; i < count; i++) {
    const damaged = () => refuse("damaged", { byte: start + at });
    if (at + 46 > list.byteLength || list.getUint32(at, true) !== LISTED) damaged();
    const [named, extra, said] = [28, 30, 32].map((place) => list.getUint16(at + place, true));
    const next = at + 46 + named + extra + said;
    if (next > list.byteLength) damaged();
    const flags = list.getUint16(at + 8, true);
    const name = new TextDecoder(flags & 0x800 ? "utf-8" : "latin1").decode(new Uint8Array(list.buffer, at + 46, named));
    const entry = { name, flags, method: list.getUint16(at + 10, true), crc: list.getUint32(at + 16, true),
      packed: list.getUint32(at + 20, true), size: list.getUint32(at + 24, true), at: list.getUint32(at + 42, true) };
    widen(entry, new DataView(list.buffer, at + 46 + named, extra), damaged);
    found.push(entry);
    at = next;
  }
  return found;
}

/** Where the list is: told by the record at the end of the archive, and by another before it where it lies beyond 4 GB. */
async function listOf(file) {
  const tail = await view(file, Math.max(0, file.size - TAIL), file.size);
  let end = tail.byteLength - 22;
  while (end >= 0 && !(tail.getUint32(end, true) === END && end + 22 + tail.getUint16(end + 20, true) <= tail.byteLength)) end--;
  if (end < 0) refuse("damaged", { byte: file.size });
  if (end < 20 || tail.getUint32(end - 20, true) !== LOCATOR64) {
    return { count: tail.getUint16(end + 10, true), length: tail.getUint32(end + 12, true), start: tail.getUint32(end + 16, true) };
  }
  const at = whole(tail, end - 12);
  const record = await view(file, at, at + 56);
  if (record.byteLength < 56 || record.getUint32(0, true) !== END64) refuse("damaged", { byte: at });
  return { count: whole(record, 32), length: whole(record, 40), start: whole(record, 48) };
}

/** Takes sizes and places beyond 4 GB from the extra fields, where the list has all bits set in their stead. */
function widen(entry, extra, damaged) {
  const wide = ["size", "packed", "at"].filter((name) => entry[name] === 0xffffffff);
  for (let field = 0; wide.length > 0 && field + 4 <= extra.byteLength; field += 4 + extra.getUint16(field + 2, true)) {
    if (extra.getUint16(field, true) !== 1) continue;
    for (let at = field + 4; wide.length > 0; at += 8) {
      if (at + 8 > extra.byteLength) damaged();
      entry[wide.shift()] = whole(extra, at);
    }
  }
}

/**
 * Unpacks an entry, piece by piece. It is refused where it is not as long as the list says, or another text.
 * @param {Blob} file
 * @param {(place: number) => void} told is told how far in the archive it was read
 * @param {object} where the entry is, for a person
 * @returns {AsyncGenerator<Uint8Array>}
 */
export async function* unpack(file, entry, told, where = { byte: entry.at }) {
  const head = await view(file, entry.at, entry.at + 30);
  if (head.byteLength < 30 || head.getUint32(0, true) !== LOCAL) refuse("damaged", where);
  if (entry.flags & 0x41) refuse("encrypted", where);
  const from = entry.at + 30 + head.getUint16(26, true) + head.getUint16(28, true);
  if (from + entry.packed > file.size) refuse("damaged", where);
  let stream = watched(file.slice(from, from + entry.packed), from, told);
  if (entry.method === 8) stream = stream.pipeThrough(new DecompressionStream("deflate-raw"));
  else if (entry.method !== 0) refuse("unsupported", where);
  let size = 0, sum = -1;
  try {
    for await (const piece of chunks(stream)) {
      if ((size += piece.length) > entry.size) refuse("damaged", where);
      sum = crc(sum, piece);
      yield piece;
    }
  } catch (error) {
    if (error.key || error instanceof DOMException) throw error; // the file itself cannot be read any more
    refuse("damaged", where);
  }
  if (size !== entry.size || ~sum >>> 0 !== entry.crc) refuse("damaged", where);
}

const whole = (view, at) => Number(view.getBigUint64(at, true));

/** The bytes of a file from one place to another, as far as there are any. */
const view = async (file, from, to) => new DataView((await bytes(file, from, Math.max(from, to))).buffer);

// CRC-32, eight bytes at a time (Kounavis, Berry 2005).
const table = new Uint32Array(8 * 256);
for (let i = 0; i < 256; i++) {
  let value = i;
  for (let bit = 0; bit < 8; bit++) value = value >>> 1 ^ (value & 1 ? 0xedb88320 : 0);
  table[i] = value;
}
for (let i = 256; i < table.length; i++) table[i] = table[i - 256] >>> 8 ^ table[table[i - 256] & 0xff];

/** The checksum goes on from -1; its value is the complement. */
export function crc(sum, bytes) {
  let i = 0;
  for (const end = bytes.length - 7; i < end; i += 8) {
    sum ^= bytes[i] | bytes[i + 1] << 8 | bytes[i + 2] << 16 | bytes[i + 3] << 24;
    sum = table[1792 + (sum & 0xff)] ^ table[1536 + (sum >>> 8 & 0xff)] ^ table[1280 + (sum >>> 16 & 0xff)] ^ table[1024 + (sum >>> 24)]
      ^ table[768 + bytes[i + 4]] ^ table[512 + bytes[i + 5]] ^ table[256 + bytes[i + 6]] ^ table[bytes[i + 7]];
  }
  for (; i < bytes.length; i++) sum = sum >>> 8 ^ table[(sum ^ bytes[i]) & 0xff];
  return sum;
}
