// What a number of a workbook is by the format it is shown in: "date", "time", "moment", "span" (hours that go on after 24), or ""
// for a number. (ECMA-376, part 1, 18.8.30 and 18.8.31.)

import { date, time } from "./dates.part.mjs";

const builtIn = new Map([
  ...[14, 15, 16, 17, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, "date"]),
  ...[18, 19, 20, 21, 32, 33, 45, 47, 55, 56].map((id) => [id, "time"]),
  [22, "moment"],
  [46, "span"],
]);

/** What the number formats of a style sheet make of a number: formats are {id → code}. */
export function kindOf(id, formats) {
  return formats.has(id) ? kindOfCode(formats.get(id)) : (builtIn.get(id) ?? "");
}

/** What one code makes of a number: its first part counts, that for numbers above zero. */
export function kindOfCode(code) {
  const tokens = code.replace(/"[^"]*"?|\\.|_.|\*./gs, "").split(";")[0];
  if (/^general$/i.test(tokens.trim())) return "";
  if (/\[(h+|m+|s+)\]/i.test(tokens)) return "span";
  const letters = tokens.replace(/\[[^\]]*\]/g, "").replace(/am\/pm|a\/p/gi, "h").toLowerCase();
  const clock = /[hs]/.test(letters);
  const day = /[yd]/.test(letters) || (/m/.test(letters) && !clock);
  if (day) return clock ? "moment" : "date";
  return clock ? "time" : "";
}

const DAY = 86_400_000; // ms
const lastDay = 2_958_465; // 9999-12-31

/**
 * A number of days as what its format makes of it, to the millisecond; "" where there is no such day. Days are counted from the one
 * before 1900-01-01, and the 60th is 1900-02-29, which never was; or from 1904-01-01.
 */
export function momentOf(number, kind, since1904) {
  if (number < 0 || number > lastDay + 1) return "";
  let days = Math.floor(number);
  let ticks = Math.round((number - days) * DAY);
  if (ticks === DAY) [days, ticks] = [days + 1, 0];
  if (kind === "span") return time(days * DAY + ticks, 1000);
  const clock = kind === "date" ? "" : time(ticks, 1000);
  if (kind === "time" || (days === 0 && !since1904)) return time(ticks, 1000);
  const day = since1904 ? days - 24_107 : days - (days > 60 ? 25_569 : 25_568);
  if (days === 60 && !since1904) return "";
  return clock && kind === "moment" ? `${date(day)}T${clock}` : date(day);
}
