// DuckDB-Wasm, one thread in its worker, on the file as it lies there: every column but the one that is counted stays text.
import { AsyncDuckDB, DuckDBDataProtocol, VoidLogger } from "@duckdb/duckdb-wasm";

let db;

export async function ready() {
  db = new AsyncDuckDB(new VoidLogger(), new Worker("duckdb-browser-eh.worker.js"));
  await db.instantiate(new URL("duckdb-eh.wasm", location.href).href);
}

export async function count(file) {
  const counts = new Array(100).fill(0);
  await db.registerFileHandle("people.csv", file, DuckDBDataProtocol.BROWSER_FILEREADER, true);
  const connection = await db.connect();
  const columns = "{'id': 'varchar', 'age': 'integer', 'income': 'varchar', 'town': 'varchar', 'visited': 'varchar', 'sex': 'varchar', 'score': 'varchar', 'remark': 'varchar'}";
  const found = await connection.query(`select age, count(*)::integer as n from read_csv('people.csv', header = true, columns = ${columns}) group by age`);
  for (const { age, n } of found.toArray()) counts[age] = n;
  await connection.close();
  return counts;
}
