// Reads a text file inside a ZIP archive. The members are those of its list (the central directory), in that order; what a member
// holds is read as it is, so that it may be CSV in any dialect and encoding.

import { entries, unpack } from "./archive.part.mjs";
import { refuse } from "./csv.part.mjs";

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
  yield* unpack(file, member, told, { part: part + 1, byte: member.at });
}

/** The files in the archive, but for what systems put beside them. */
const members = async (file) => (await entries(file)).filter(({ name }) => !name.endsWith("/") && !HIDDEN.test(name));
