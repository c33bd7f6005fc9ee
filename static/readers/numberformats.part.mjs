// What a number of a workbook is in the format of its cell, written so that it can be read as a number or a time. (ECMA-376, part 1,
// 18.8.30 and 18.8.31.)
//
// A number has the digits that its cell shows, as the CSV that Excel saves has them: rounded to its decimals, half away from zero, of
// the fifteen digits that Excel knows; with the zeros that the format puts in front and behind; divided by a thousand for each comma
// behind its digits. Thousands marks, currencies and other signs are left out, and a minus stands in front, whether the format has one,
// parentheses, a colour or nothing. A percentage is the fraction that it is: 12 % is 0.12. A format that shows no digits, fractions such
// as 1/3, or digits in groups of its own, such as of a telephone number, shows the number as if it had no format.
//
// Without a format Excel shows and saves up to eleven characters. They are taken so, but that no whole digit is lost: of 123456789012
// Excel would save 1.23457E+11, and two identifiers would become one.

import { date, time } from "./dates.part.mjs";

const builtIn = new Map([
  ["0", [1]], ["0.00", [2]], ["#,##0", [3, 5, 6, 37, 38, 41, 42]], ["#,##0.00", [4, 7, 8, 39, 40, 43, 44]], ["0%", [9]], ["0.00%", [10]],
  ["0.00E+00", [11]], ["##0.0E+0", [48]],
  ["y", [14, 15, 16, 17, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 57, 58]], ["h:m", [18, 20, 32, 55]],
  ["h:m:s", [19, 21, 33, 45, 56]], ["m:s.0", [47]], ["y h:m", [22]], ["[h]:m:s", [46]],
].flatMap(([code, ids]) => ids.map((id) => [id, code])));

/** How the number format of a style shows numbers: formats are {id → code}. */
export const formatOf = (id, formats) => new NumberFormat(formats.get(id) ?? builtIn.get(id) ?? "General");

export class NumberFormat {
  /** Whether the last number has more digits than are shown. */
  cut = false;
  /** Whether the last number is shown as a percentage. */
  percent = false;
  #moments; // kind and unit of times, or null
  #sections; // each {when, shape}; shape is null where it shows a number as if it had no format

  constructor(code) {
    this.#moments = momentsOf(code);
    this.#sections = this.#moments ? [] : sectionsOf(code);
  }

  /** A number as a text, of which text is how the file has it. */
  show(text, number, since1904) {
    this.cut = this.percent = false;
    const moment = this.#moments && momentOf(number, this.#moments, since1904);
    if (moment) return moment;
    const shape = this.#sections.find(({ when }) => when(number))?.shape;
    if (shape) return this.#shaped(number, shape);
    const { length } = text;
    if (length <= 11 && !/[eE]/.test(text)) return text;
    return this.#general(number);
  }

  #general(number) {
    const { digits, scale, size } = decimal(number);
    const short = scale <= 0 || size > 10 || plain(digits, scale).length <= 11;
    const [shown, places] = short ? [digits, scale] : this.#rounded(digits, scale, size < -4 ? 5 - size : Math.max(0, 10 - Math.max(1, size + 1)));
    return signed(number, shown, places, 1, 0);
  }

  #shaped(number, { zeros, least, most, thousands, percents, exponent }) {
    this.percent = percents > 0;
    let { digits, scale, size } = decimal(number);
    scale += 3 * thousands;
    size -= 3 * thousands;
    const places = exponent === 0 ? most + 2 * percents : most - Math.floor(size / exponent) * exponent;
    const [shown, kept] = this.#rounded(digits, scale, places);
    return exponent === 0 ? signed(number, shown, kept, zeros, least && least + 2 * percents) : signed(number, shown, kept, 1, 0);
  }

  /** Digits over a power of ten, rounded to so many places, and how many they are. */
  #rounded(digits, scale, places) {
    const drop = scale - places;
    if (drop <= 0) return [digits, scale];
    if (drop > 16) {
      this.cut = digits !== 0;
      return [0, 0];
    }
    const unit = 10 ** drop, rest = digits % unit;
    this.cut = rest !== 0;
    return [(digits - rest) / unit + (2 * rest >= unit ? 1 : 0), places];
  }
}

/** A number's fifteen digits: digits / 10^scale, without zeros behind; size is the power of ten of the first. */
function decimal(number) {
  const [digits, power] = Math.abs(number).toExponential(14).split("e");
  const short = (digits[0] + digits.slice(2)).replace(/0+$/, "");
  const size = Number(power);
  return short === "" ? { digits: 0, scale: 0, size: 0 } : { digits: Number(short), scale: short.length - 1 - size, size };
}

/** What has the sign of a number and these digits, with as many zeros as are wanted. */
function signed(number, digits, scale, zeros, least) {
  const text = plain(digits, scale, zeros, least);
  return number < 0 && digits !== 0 ? `-${text}` : text;
}

/** digits / 10^scale, with at least so many digits before and behind the point. */
function plain(digits, scale, zeros = 1, least = 0) {
  if (scale > 100 || scale < -100) return String(Number(`${digits}e${-scale}`));
  const all = scale < 0 ? `${digits}${"0".repeat(digits && -scale)}` : String(digits).padStart(scale + 1, "0");
  const place = all.length - Math.max(0, scale);
  const before = all.slice(0, place).replace(/^0+/, "").padStart(zeros, "0");
  const behind = all.slice(place).replace(/0+$/, "").padEnd(least, "0");
  return (before || "0") + (behind && `.${behind}`);
}

const sign = { "=": (a, b) => a === b, "<>": (a, b) => a !== b, "<": (a, b) => a < b, ">": (a, b) => a > b, "<=": (a, b) => a <= b, ">=": (a, b) => a >= b };

/** The parts of a code, each for some numbers: by its condition, or else those above zero, below it, and zero. */
function sectionsOf(code) {
  // What is shown as it stands becomes one character that no code has.
  const parts = code.replace(/"[^"]*"?|\\.|[_*]./gs, (part) => (/^[_*]/.test(part) ? "" : "\0")).split(";").slice(0, 3);
  const conditions = parts.map((part) => /\[(<>|[<>]=?|=)(-?[\d.]+)\]/.exec(part));
  const some = conditions.some(Boolean);
  const usual = [(x) => parts.length === 1 || x > 0 || (x === 0 && parts.length === 2), (x) => x < 0, (x) => x === 0];
  return parts.map((part, i) => {
    const [, compare, to] = conditions[i] ?? [];
    const when = compare ? (x) => sign[compare](x, Number(to)) : some ? () => true : usual[i];
    return { when, shape: shapeOf(part.replace(/\[[^\]]*\]/g, "")) };
  });
}

/** What digits a part shows; null where it shows a number as if it had no format. */
function shapeOf(part) {
  if (/general|@/i.test(part)) return null;
  const [, whole, fraction = "", between, power] = /^[^0#?.]*([0#?,]*)(?:\.([0#?]*))?([^0#?.eE]*)(?:E[+-]([0#?]+))?[^0#?.]*$/i.exec(part) ?? [];
  if (!/[0#?]/.test(`${whole ?? ""}${fraction}`) || /\//.test(between)) return null;
  const commas = (text) => /^,*/.exec(text)[0].length;
  return {
    zeros: whole.replace(/[^0]/g, "").length,
    least: fraction.lastIndexOf("0") + 1,
    most: fraction.length,
    thousands: commas([...whole].reverse().join("")) + commas(between),
    percents: part.split("%").length - 1,
    exponent: power ? Math.max(1, whole.replace(/,/g, "").length) : 0, // the powers of ten are multiples of it
  };
}

/** What one code makes of a number of days: {kind, unit}, the kind a "date", "time", "moment" or "span" (hours that go on after 24), and
 * the least unit that it shows, in ms; null if a number. Its first part counts, that for numbers above zero. */
function momentsOf(code) {
  const tokens = code.replace(/"[^"]*"?|\\.|_.|\*./gs, "").split(";")[0];
  if (/general/i.test(tokens)) return null;
  const span = /\[(h+|m+|s+)\]/i.test(tokens);
  const letters = tokens.replace(/\[(h+|m+|s+)\]/gi, "$1").replace(/\[[^\]]*\]/g, "").replace(/am\/pm|a\/p/gi, "h").toLowerCase();
  const clock = /[hs]/.test(letters);
  const day = /[yd]/.test(letters) || (/m/.test(letters) && !clock);
  const kind = span ? "span" : day ? (clock ? "moment" : "date") : clock ? "time" : "";
  if (kind === "") return null;
  const parts = /s[.,](0{1,3})/.exec(letters)?.[1].length ?? 0;
  const unit = /s/.test(letters) ? 1000 / 10 ** parts : /h[^a-z]*m|^[^a-z]*m+[^a-z]*$/.test(letters) ? 60_000 : 3_600_000;
  return { kind, unit };
}

const DAY = 86_400_000; // ms
const lastDay = 2_958_465; // 9999-12-31

/**
 * A number of days as what its format makes of it, to the unit that this shows: seconds and their parts rounded, whole minutes and hours;
 * "" where there is no such day. A moment at midnight is its day: most programs write days so, and a time reads a day as its midnight. Days are counted from the one before 1900-01-01, and the 60th is 1900-02-29, which never was; or from 1904-01-01.
 */
function momentOf(number, { kind, unit }, since1904) {
  if (number < 0 || number > lastDay + 1) return "";
  const least = kind === "date" ? 1 : Math.min(unit, 1000);
  let days = Math.floor(number);
  let ticks = Math.round(((number - days) * DAY) / least) * least;
  if (ticks === DAY) [days, ticks] = [days + 1, 0];
  if (kind !== "date") ticks -= ticks % unit;
  if (kind === "span") return time(days * DAY + ticks, 1000);
  if (kind === "time" || (days === 0 && !since1904)) return time(ticks, 1000);
  const day = since1904 ? days - 24_107 : days - (days > 60 ? 25_569 : 25_568);
  if (days === 60 && !since1904) return "";
  return kind === "moment" && ticks > 0 ? `${date(day)}T${time(ticks, 1000)}` : date(day);
}
