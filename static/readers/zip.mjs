// Reads a text file inside a ZIP archive. The members are those of its list (the central directory), in that order; what a member
// holds is read as it is, so that it may be CSV in any dialect and encoding. A member of JSON is made a table of, where its first
// objects are one: its options name the columns then, and the same member is read as it is where the recipe names none.

import { entries, unpack } from "./archive.part.mjs";
import { refuse } from "./csv.part.mjs";
import { optionsWithin, tableOf } from "./json.part.mjs";

const LIKELY = /\.(csv|tsv|tab|txt|psv)(\.gz)?$/i;
const OBJECTS = /\.(json|jsonl|ndjson)$/i;
const HIDDEN = /(^|\/)(__MACOSX\/|\.)/; // what systems put beside the members that a person put in
const LOOKED = 50; // members that columns of JSON are proposed of

/** The text files in the archive. */
export async function parts(file) {
  const all = await members(file);
  const some = all.some(({ name }) => LIKELY.test(name));
  const list = [];
  let looked = 0;
  for (const member of all) {
    const { name, size } = member;
    const part = { name, size, likely: LIKELY.test(name) };
    if (OBJECTS.test(name) && looked++ < LOOKED) {
      part.options = await optionsWithin(unpack(file, member, () => {}));
      part.likely = !some && part.options !== undefined;
    }
    list.push(part);
  }
  if (list.length === 0) refuse("empty");
  return list;
}

/** The content of a member, as it is, or the table that its JSON is. */
export async function* csv(file, part, { told, options }) {
  const member = (await members(file))[part] ?? refuse("no-part", { part: part + 1 });
  const content = unpack(file, member, told, { part: part + 1, byte: member.at });
  if (!options?.keys) {
    yield* content;
    return;
  }
  try {
    yield* tableOf(content, options);
  } catch (error) {
    if (error.key) error.where = { part: part + 1, ...error.where };
    throw error;
  }
}

/** The files in the archive, but for what systems put beside them. */
const members = async (file) => (await entries(file)).filter(({ name }) => !name.endsWith("/") && !HIDDEN.test(name));
