// The archive writer, over fflate, and the forms of a publication that are archives: bundled into zip.js and fetched when a person asks for one.

import { strToU8, zipSync } from "fflate";
import python from "./charts.py";
import r from "./charts.R";
import { made } from "./forms.src.js";

/** The files of a form of a publication: see forms.src.js. */
export const forms = (form, page) => made(form, page, { python, r });

/** Returns an archive of files, [{name, text or bytes}]. It carries no clock: every entry has the format's first day. */
export function zip(files) {
  const mtime = new Date(1980, 0, 1);
  return zipSync(Object.fromEntries(files.map(({ name, text, bytes }) => [name, [bytes ?? strToU8(text), { mtime }]])));
}
