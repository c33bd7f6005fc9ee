// Reads a text file inside a ZIP archive. The members are those of its list (the central directory), in that order; what a member
// holds is read as it is, so that it may be CSV in any dialect and encoding. The form: APPNOTE.TXT 6.3.10 of PKWARE.
//
// Bounds: the list has at most 16 MiB; a member is unpacked as a stream, and never beyond the size that the list says.

import { bytes, chunks, refuse, watched } from "./csv.part.mjs";

const LIST = 16 << 20; // bytes
const TAIL = 65_557; // bytes, in which the record at the end of an archive begins
const LIKELY = /\.(csv|tsv|tab|txt|psv)(\.gz)?$/i;
const HIDDEN = /(^|\/)(__MACOSX\/|\.)/; // what systems put beside the members that a person put in

/** The text files in the archive. */
export async function parts(file) {
  const list = (await members(file)).map(({ name, size }) => ({ name, size, likely: LIKELY.test(name) }));
  if (list.length === 0) refuse("empty");
  return list;
}

/** The content of a member, as it is. */
export async function* csv(file, part, { told }) {
  const member = (await members(file))[part] ?? refuse("no-part", { part: part + 1 });
  const where = { part: part + 1, byte: member.at };
  const head = view(await bytes(file, member.at, member.at + 30));
  if (head.byteLength < 30 || head.getUint32(0, true) !== 0x04034b50) refuse("damaged", where);
  if (member.flags & 0x41) refuse("encrypted", where);
  const from = member.at + 30 + head.getUint16(26, true) + head.getUint16(28, true);
  if (from + member.packed > file.size) refuse("damaged", where);
  let stream = watched(file.slice(from, from + member.packed), from, told);
  if (member.method === 8) stream = stream.pipeThrough(new DecompressionStream("deflate-raw"));
  else if (member.method !== 0) refuse("unsupported", where);
  let size = 0;
  let sum = -1;
  try {
    for await (const chunk of chunks(stream)) {
      if ((size += chunk.length) > member.size) refuse("damaged", where);
      sum = crc(sum, chunk);
      yield chunk;
    }
  } catch (error) {
    if (error.key || error instanceof DOMException) throw error; // as of a file that was moved
    refuse("damaged", where); // so says a DecompressionStream
  }
  if (size !== member.size || ~sum >>> 0 !== member.crc) refuse("damaged", where);
}

/** The files that the archive lists, in its order, but for what systems put beside them. */
async function members(file) {
  const { at, size, count } = await list(file);
  if (size > LIST) refuse("too-large", { byte: at });
  const data = await bytes(file, at, at + size);
  const fields = view(data);
  const found = [];
  let place = 0;
  for (let i = 0; i < count; i++) {
    const where = { byte: at + place };
    if (place + 46 > data.length || fields.getUint32(place, true) !== 0x02014b50) refuse("damaged", where);
    const [nameLength, extraLength, noteLength] = [28, 30, 32].map((k) => fields.getUint16(place + k, true));
    const end = place + 46 + nameLength + extraLength;
    if (end + noteLength > data.length) refuse("damaged", where);
    const flags = fields.getUint16(place + 8, true);
    const member = {
      name: new TextDecoder(flags & 0x800 ? "utf-8" : "latin1").decode(data.subarray(place + 46, place + 46 + nameLength)),
      flags,
      method: fields.getUint16(place + 10, true),
      crc: fields.getUint32(place + 16, true),
      packed: fields.getUint32(place + 20, true),
      size: fields.getUint32(place + 24, true),
      at: fields.getUint32(place + 42, true),
    };
    widen(member, data.subarray(place + 46 + nameLength, end), where);
    if (!member.name.endsWith("/") && !HIDDEN.test(member.name)) found.push(member);
    place = end + noteLength;
  }
  return found;
}

/** Takes sizes and places beyond 4 GB from the extra fields, where the list has all bits set in their stead. */
function widen(member, extra, where) {
  const wide = ["size", "packed", "at"].filter((name) => member[name] === 0xffffffff);
  const fields = view(extra);
  for (let k = 0; wide.length > 0 && k + 4 <= extra.length; k += 4 + fields.getUint16(k + 2, true)) {
    if (fields.getUint16(k, true) !== 1) continue;
    for (let at = k + 4; wide.length > 0; at += 8) {
      if (at + 8 > extra.length) refuse("damaged", where);
      member[wide.shift()] = Number(fields.getBigUint64(at, true));
    }
  }
}

/** Where the list is: told by the record at the end of the archive, and by another before it where it lies beyond 4 GB. */
async function list(file) {
  const start = Math.max(0, file.size - TAIL);
  const tail = view(await bytes(file, start, file.size));
  let end = tail.byteLength - 22;
  while (end >= 0 && !(tail.getUint32(end, true) === 0x06054b50 && end + 22 + tail.getUint16(end + 20, true) <= tail.byteLength)) end--;
  if (end < 0) refuse("damaged", { byte: file.size });
  const found = { count: tail.getUint16(end + 10, true), size: tail.getUint32(end + 12, true), at: tail.getUint32(end + 16, true) };
  const wide = end - 20;
  if (wide < 0 || tail.getUint32(wide, true) !== 0x07064b50) return found;
  const place = Number(tail.getBigUint64(wide + 8, true));
  const record = view(await bytes(file, place, place + 56));
  if (record.byteLength < 56 || record.getUint32(0, true) !== 0x06064b50) refuse("damaged", { byte: place });
  const [count, size, at] = [32, 40, 48].map((k) => Number(record.getBigUint64(k, true)));
  return { count, size, at };
}

const view = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const table = Int32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n;
});

/** The checksum of what came before and of these bytes. */
function crc(sum, chunk) {
  for (let i = 0; i < chunk.length; i++) sum = table[(sum ^ chunk[i]) & 255] ^ (sum >>> 8);
  return sum;
}
