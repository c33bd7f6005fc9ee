// Made-up rows as Parquet, over hyparquet-writer: bundled into parquet.js and fetched when a person asks for one.

import { parquetWriteBuffer } from "hyparquet-writer";

const types = { whole: "INT64", number: "DOUBLE", text: "STRING" };
const values = { whole: BigInt, number: Number, text: String };

/** The file of a table of texts, { names, kinds, rows }: a column is "whole", "number" or "text", and an empty cell is no value. */
export function parquet({ names, kinds, rows }) {
  const columnData = names.map((name, i) => ({
    name, type: types[kinds[i]], nullable: true, data: rows.map((row) => (row[i] === "" ? null : values[kinds[i]](row[i]))),
  }));
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}
