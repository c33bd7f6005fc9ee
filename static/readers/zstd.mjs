// Reads a text file that is packed with Zstandard: RFC 8878. One of JSON is made a table of, as in a ZIP archive. The frames and their blocks are found here, so that nothing is unpacked
// whose size was not looked at first; what is in a block is fzstd's to unpack. Sizes and checksums are compared, where a frame has them.
//
// Bounds: a window of 128 MiB, as zstd itself has it unless told otherwise; a block gives 128 KiB at most.

import { Decompress } from "fzstd";
import { chunks, refuse } from "./csv.part.mjs";
import { optionsWithin, tableOf } from "./json.part.mjs";
import { Checksum } from "./xxhash.part.mjs";

const WINDOW = 128 << 20; // bytes
const FRAME = 0xfd2fb528;
const BLOCK = 128 << 10; // bytes at most, packed and unpacked

export const parts = async (file) => [{ name: "", options: await optionsWithin(unpacked(file, () => {})) }];

/** What is packed, as it is, or the table that its JSON is. */
export async function* csv(file, part, { told, options }) {
  if (part > 0) refuse("no-part", { part: part + 1 });
  yield* options?.keys ? tableOf(unpacked(file, told), options) : unpacked(file, told);
}

async function* unpacked(file, told) {
  const input = new Input(file, told);
  try {
    while (await input.has(1)) {
      const magic = await input.number(4);
      if (magic >>> 4 === 0x184d2a5) await input.skip(await input.number(4)); // notes of somebody's
      else if (magic === FRAME) yield* frame(input);
      else refuse("damaged", { byte: input.at - 4 });
    }
  } finally {
    await input.end();
  }
}

async function* frame(input) {
  const start = input.at - 4;
  const flags = await input.number(1);
  const single = (flags & 0x20) !== 0;
  const summed = (flags & 4) !== 0;
  if (flags & 8) refuse("damaged", { byte: start });
  if (flags & 3) refuse("unsupported", { byte: start }); // a dictionary, which is not in the file
  const descriptor = single ? new Uint8Array() : await input.take(1);
  const sizeBytes = [single ? 1 : 0, 2, 4, 8][flags >> 6];
  const sizeField = await input.take(sizeBytes);
  let size = sizeField.reduceRight((sum, byte) => sum * 256 + byte, 0);
  if (sizeBytes === 2) size += 256;
  let window = size;
  if (!single) {
    const base = 2 ** (10 + (descriptor[0] >> 3));
    window = base + (base / 8) * (descriptor[0] & 7);
  }
  if (window > WINDOW) refuse("too-large", { byte: start });

  // The frame without its checksum, which fzstd does not look at.
  let head = join([Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, flags & ~4), descriptor, sizeField]);
  let made = [];
  const unpacker = new Decompress((piece) => made.push(piece));
  const sum = new Checksum();
  let total = 0;
  for (let last = false; !last; ) {
    const at = input.at;
    const header = await input.take(3);
    const field = header[0] | (header[1] << 8) | (header[2] << 16);
    const type = (field >> 1) & 3;
    const length = field >> 3;
    last = (field & 1) === 1;
    if (type === 3 || length > BLOCK) refuse("damaged", { byte: at });
    const content = await input.take(type === 1 ? 1 : length);
    try {
      unpacker.push(join([head, header, content]), last);
    } catch {
      refuse("damaged", { byte: at });
    }
    head = new Uint8Array();
    for (const piece of made) {
      if (summed) sum.add(piece);
      total += piece.length;
      if (piece.length) yield piece.slice();
    }
    made = [];
  }
  if (sizeBytes && total !== size) refuse("damaged", { byte: input.at });
  if (summed && (await input.number(4)) !== sum.low()) refuse("damaged", { byte: input.at });
}

/** The bytes of a file, in the portions that are asked for. */
class Input {
  at = 0; // how many were taken
  #chunks;
  #held = new Uint8Array();

  constructor(file, told) {
    this.#chunks = chunks(file.stream(), told);
  }

  /** Whether there are so many more. */
  async has(count) {
    const more = [this.#held];
    for (let held = this.#held.length; held < count; ) {
      const { value, done } = await this.#chunks.next();
      if (done) break;
      more.push(value);
      held += value.length;
    }
    if (more.length > 1) this.#held = join(more);
    return this.#held.length >= count;
  }

  async take(count) {
    if (!(await this.has(count))) refuse("damaged", { byte: this.at + this.#held.length });
    const taken = this.#held.subarray(0, count);
    this.#held = this.#held.subarray(count);
    this.at += count;
    return taken;
  }

  async skip(count) {
    for (; count > 0; count -= BLOCK) await this.take(Math.min(count, BLOCK));
  }

  /** A number of so many bytes, the least first. */
  async number(count) {
    return (await this.take(count)).reduceRight((sum, byte) => sum * 256 + byte, 0);
  }

  end() {
    return this.#chunks.return();
  }
}

function join(parts) {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
