// PapaParse, in chunks: rows as lists of text, of which the second is counted.
import Papa from "papaparse";

export async function ready() {}

export const count = (file) => new Promise((resolve, reject) => {
  const counts = new Array(100).fill(0);
  let named = false;
  Papa.parse(file, {
    skipEmptyLines: true,
    error: reject,
    chunk({ data }) {
      for (const row of data) {
        if (named) counts[Number(row[1])]++;
        named = true;
      }
    },
    complete: () => resolve(counts),
  });
});
