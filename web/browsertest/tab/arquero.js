// Arquero, which takes the file as one text: only the column that is counted is more than text to it.
import { fromCSV } from "arquero";

export async function ready() {}

export async function count(file) {
  const counts = new Array(100).fill(0);
  const text = await file.text();
  if (!text) throw new Error("it takes a file as one text, and the browser makes none that long"); // not of 512 MB
  const table = fromCSV(text, { autoType: false, parse: { age: Number } });
  for (const { age, count } of table.groupby("age").count().objects()) counts[age] = count;
  return counts;
}
