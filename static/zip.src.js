// The archive writer: one function over fflate, bundled into zip.js and fetched when a person asks for an archive.

import { strToU8, zipSync } from "fflate";
import program from "../web/run/main.go";

/** The program that asks a recipe again natively. */
export const runs = { name: "run/main.go", text: program };

/** Returns an archive of files, [{name, text or bytes}]. It carries no clock: every entry has the format's first day. */
export function zip(files) {
  const mtime = new Date(1980, 0, 1);
  return zipSync(Object.fromEntries(files.map(({ name, text, bytes }) => [name, [bytes ?? strToU8(text), { mtime }]])));
}
