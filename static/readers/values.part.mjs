// What a value of a Parquet column is, as a text: exact, whatever its kind.

import { date, time } from "./dates.part.mjs";

const perSecond = { MILLIS: 1000, MICROS: 1_000_000, NANOS: 1_000_000_000 };
const old = { TIME_MILLIS: ["TIME", "MILLIS"], TIME_MICROS: ["TIME", "MICROS"], TIMESTAMP_MILLIS: ["TIMESTAMP", "MILLIS"], TIMESTAMP_MICROS: ["TIMESTAMP", "MICROS"] };

/**
 * A function that gives the text of a value of a column, by the column's type; null where its values are no single texts or numbers.
 * Its property text says that a value is one in UTF-8.
 */
export function teller({ type, converted_type: converted, logical_type: logical, scale, type_length: width }) {
  const [kind, unit] = old[converted] ?? [logical?.type ?? converted ?? "", logical?.unit];
  switch (`${type} ${kind}`) {
    case "BYTE_ARRAY BSON": case "BYTE_ARRAY VARIANT": case "BYTE_ARRAY GEOMETRY": case "BYTE_ARRAY GEOGRAPHY":
    case "FIXED_LEN_BYTE_ARRAY INTERVAL":
      return null;
    case "INT32 DATE":
      return date;
    case "INT32 TIME": case "INT64 TIME":
      return (value) => time(Number(value), perSecond[unit]);
    case "INT64 TIMESTAMP": {
      const zone = logical && !logical.isAdjustedToUTC ? "" : "Z";
      return (value) => moment(value, perSecond[unit], zone);
    }
    case "INT32 DECIMAL": case "INT64 DECIMAL":
      return (value) => decimal(value, logical?.scale ?? scale ?? 0);
    case "BYTE_ARRAY DECIMAL": case "FIXED_LEN_BYTE_ARRAY DECIMAL":
      return (value) => (value.length > 64 ? "" : decimal(signed(value), logical?.scale ?? scale ?? 0));
    case "FIXED_LEN_BYTE_ARRAY FLOAT16":
      return (value) => float(half(value));
    case "FIXED_LEN_BYTE_ARRAY UUID":
      return (value) => hex(value).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  }
  switch (type) {
    case "BOOLEAN":
      return (value) => (value ? "true" : "false");
    case "INT32":
      return /^UINT/.test(converted) || logical?.isSigned === false ? (value) => String(value >>> 0) : String;
    case "INT64":
      return /^UINT/.test(converted) || logical?.isSigned === false ? (value) => String(BigInt.asUintN(64, value)) : String;
    case "INT96":
      return (value) => moment(BigInt.asIntN(32, (value >> 64n) - 2_440_588n) * 86_400_000_000_000n + BigInt.asUintN(64, value), 1_000_000_000, "");
    case "FLOAT":
      return single;
    case "DOUBLE":
      return float;
    case "BYTE_ARRAY":
      return Object.assign((value) => utf8.decode(value), { text: true });
    case "FIXED_LEN_BYTE_ARRAY":
      return width > 0 ? hex : null;
  }
  return null;
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

const exact = 2n ** 53n;

/** A moment, counted from 1970 in a unit of which a second has so many. */
function moment(value, perSecond, zone) {
  const perDay = 86_400 * perSecond;
  let day, rest;
  if (value > -exact && value < exact) {
    day = Math.floor(Number(value) / perDay);
    rest = Number(value) - day * perDay;
  } else {
    rest = Number(value % BigInt(perDay));
    day = Number((value - BigInt(rest)) / BigInt(perDay));
    if (rest < 0) [day, rest] = [day - 1, rest + perDay];
  }
  return `${date(day)}T${time(rest, perSecond)}${zone}`;
}

/** A whole number, divided by a power of ten. */
function decimal(value, scale) {
  const negative = value < 0;
  const digits = String(negative ? -value : value).padStart(scale + 1, "0");
  const place = digits.length - scale;
  return `${negative ? "-" : ""}${digits.slice(0, place)}${scale > 0 ? `.${digits.slice(place)}` : ""}`;
}

/** The number that bytes are, the largest first. */
const signed = (bytes) => (bytes.length === 0 ? 0n : BigInt.asIntN(8 * bytes.length, BigInt(`0x${hex(bytes)}`)));

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

const float = (value) => (Number.isNaN(value) ? "" : String(value));

/** The shortest text that is read as the same number of 32 bits. */
function single(value) {
  if (Number.isInteger(value) || !Number.isFinite(value)) return float(value);
  for (let digits = 6; digits < 9; digits++) {
    const near = Number(value.toPrecision(digits));
    if (Math.fround(near) === value) return String(near);
  }
  return String(Number(value.toPrecision(9)));
}

/** A number of 16 bits (IEEE 754 binary16), the smallest byte first. */
function half([low, high]) {
  const sign = high > 0x7f ? -1 : 1, exponent = high >> 2 & 0x1f, part = (high & 3) << 8 | low;
  if (exponent === 0) return sign * part * 2 ** -24;
  if (exponent === 31) return part ? NaN : sign * Infinity;
  return sign * (1024 + part) * 2 ** (exponent - 25);
}
