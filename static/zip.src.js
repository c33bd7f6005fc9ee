// The archive writer, over fflate, and the forms of a publication that are archives: bundled into zip.js and fetched when a person asks for one.

import { strToU8, zipSync } from "fflate";
import program from "../web/run/again/main.go";
import python from "../web/run/charts.py";
import r from "../web/run/charts.R";
import { made } from "./forms.src.js";

/** The program that asks a recipe again natively. */
export const runs = { name: "run/main.go", text: program };

/** The files of a form of a publication: see forms.src.js. */
export const forms = (form, page) => made(form, page, { python, r });

/** Returns an archive of files, [{name, text or bytes}]. It carries no clock: every entry has the format's first day. */
export function zip(files) {
  const mtime = new Date(1980, 0, 1);
  return zipSync(Object.fromEntries(files.map(({ name, text, bytes }) => [name, [bytes ?? strToU8(text), { mtime }]])));
}
