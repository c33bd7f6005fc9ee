// Thrift's compact protocol, as far as it takes to bound what reading it asks for: hyparquet believes what lengths say.

const mostDepth = 64;
const mostValues = 1 << 22;

/** The bytes end before the structure does. */
export const tooShort = new Error("the structure goes on");

/**
 * The length of the structure that the bytes begin with, looked through: no number has more than ten bytes, no list or text more than
 * is there, and nothing stands deeper than mostDepth. Throws otherwise, or tooShort.
 * @param {Uint8Array} data
 */
export function skim(data) {
  let at = 0, values = 0;
  const byte = () => {
    if (at >= data.length) throw tooShort;
    return data[at++];
  };
  const pass = (count) => {
    at += count;
    if (at > data.length) throw tooShort;
  };
  const number = (most) => {
    let value = 0;
    for (let i = 0; ; i++) {
      const next = byte();
      value += (next & 0x7f) * 2 ** (7 * i);
      if (next < 0x80) return value;
      if (i === most - 1) throw new Error("a number of too many bytes");
    }
  };
  const element = (type, depth) => {
    if (++values > mostValues) throw new Error("too many values");
    switch (type) {
      case 1: case 2:
        return;
      case 3:
        return pass(1);
      case 4: case 5:
        return void number(5);
      case 6:
        return void number(10);
      case 7:
        return pass(8);
      case 8:
        return pass(number(5));
      case 9:
        return list(depth + 1);
      case 12:
        return structure(depth + 1);
      default:
        throw new Error("a type that Parquet does not use");
    }
  };
  const list = (depth) => {
    const head = byte();
    const count = head >> 4 === 15 ? number(5) : head >> 4;
    const type = head & 15;
    if (count > mostValues) throw new Error("too many values");
    for (let i = 0; i < count; i++) element(type < 3 ? 3 : type, depth);
  };
  const structure = (depth) => {
    if (depth > mostDepth) throw new Error("too deep");
    for (;;) {
      const head = byte();
      if ((head & 15) === 0) return;
      if (head >> 4 === 0) number(5);
      element(head & 15, depth);
    }
  };
  structure(0);
  return at;
}
