// Reads a file of JSON as a table, packed with gzip or not; see json.part.mjs.

import { bytes, chunks, refuse } from "./csv.part.mjs";
import { gunzipped } from "./gzip.part.mjs";
import { optionsOf, tableOf } from "./json.part.mjs";

export const parts = async (file) => [{ name: "", options: await optionsOf(await textOf(file)) }];

export async function* csv(file, part, { told, options }) {
  if (part > 0) refuse("no-part", { part: part + 1 });
  yield* tableOf(await textOf(file, told), options);
}

async function textOf(file, told) {
  const [first, second] = await bytes(file, 0, 2);
  const all = chunks(file.stream(), told);
  return first === 0x1f && second === 0x8b ? gunzipped(all) : all;
}
