// Randomness for tests.

import assert from "node:assert/strict";
import { read } from "./workbook.mjs";

/** Numbers from 0 to 1 that look random and are the same for a seed (Chris Wellons, triple32). */
export function random(seed) {
  return () => {
    seed = (seed + 0x9e3779b9) | 0;
    let z = Math.imul(seed ^ (seed >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** Changes one to four bytes, those at the end more often. */
export function change(bytes, r) {
  for (let changes = 1 + Math.floor(r() * 4); changes > 0; changes--) {
    const place = Math.floor((r() < 0.5 ? r() : 1 - r() ** 3) * bytes.length);
    if (r() < 0.5) bytes[place] ^= 1 << Math.floor(r() * 8);
    else bytes[place] = [0, 1, 0x7f, 0x80, 0xff, Math.floor(r() * 256)][Math.floor(r() * 6)];
  }
}

/** For how many seconds a test changes files at random, by HUSH_FUZZ; 0: a few hundred times. */
export const fuzzed = Number(process.env.HUSH_FUZZ ?? 0);

/** Has a reader read files that were changed at random: each is refused by a key, or read in at most 5 s of the processor to a text that check allows. */
export async function readOrRefused(t, reader, changed, check) {
  const end = Date.now() + 1000 * fuzzed;
  let readable = 0, refusals = 0;
  for (let i = 0; fuzzed ? Date.now() < end : i < 300; i++) {
    const bytes = changed(i);
    const before = process.cpuUsage();
    try {
      check(await read(reader, new Blob([bytes])));
      readable++;
    } catch (error) {
      if (typeof error.key !== "string") {
        t.diagnostic(Buffer.from(bytes).toString("base64"));
        throw error;
      }
      refusals++;
    }
    const { user } = process.cpuUsage(before); // µs
    if (user > 5e6) t.diagnostic(Buffer.from(bytes).toString("base64"));
    assert.ok(user <= 5e6, `${user} µs`);
  }
  t.diagnostic(`${readable} read, ${refusals} refused`);
}
