// uDSV, by pieces of text: rows as lists of text, of which the second is counted.
import { inferSchema, initParser } from "udsv";

export async function ready() {}

export async function count(file) {
  const counts = new Array(100).fill(0);
  const take = (row) => {
    counts[Number(row[1])]++;
  };
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  let parser = null;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    parser ??= initParser(inferSchema(value));
    parser.chunk(value, parser.stringArrs, take);
  }
  parser.end();
  return counts;
}
