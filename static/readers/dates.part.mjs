// Days and times as ISO 8601 has them.

const DAY = 86_400_000; // ms

const known = new Map(); // days that were told before: most columns have few
const mostKnown = 1 << 16;

/** A day, counted from 1970-01-01. @param {number} day */
export function date(day) {
  const found = known.get(day);
  if (found !== undefined) return found;
  if (known.size === mostKnown) known.clear();
  const text = told(day);
  known.set(day, text);
  return text;
}

function told(day) {
  const text = new Date(day * DAY);
  if (Number.isNaN(text.getTime())) return "";
  const year = text.getUTCFullYear();
  const years = year < 0 || year > 9999 ? text.toISOString().slice(0, 7) : String(year).padStart(4, "0");
  return `${years}-${two(text.getUTCMonth() + 1)}-${two(text.getUTCDate())}`;
}

/** A time of a day in a unit of which a second has so many, with as many digits as it needs. @param {number} ticks @param {number} perSecond */
export function time(ticks, perSecond) {
  const seconds = Math.floor(ticks / perSecond);
  const part = ticks - seconds * perSecond;
  const digits = part === 0 ? "" : `.${String(part).padStart(Math.round(Math.log10(perSecond)), "0").replace(/0+$/, "")}`;
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}${digits}`;
}

const two = (number) => (number < 10 ? `0${number}` : String(number));
