// Reads a file of JSON as a table; see json.part.mjs.

import { chunks, refuse } from "./csv.part.mjs";
import { optionsOf, tableOf } from "./json.part.mjs";

export const parts = async (file) => [{ name: "", options: await optionsOf(chunks(file.stream())) }];

export async function* csv(file, part, { told, options }) {
  if (part > 0) refuse("no-part", { part: part + 1 });
  yield* tableOf(chunks(file.stream(), told), options);
}
