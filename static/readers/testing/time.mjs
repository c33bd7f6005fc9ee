// Tells how long a reader takes to make text of a file, in seconds of a processor: node static/readers/testing/time.mjs FILE, once
// ./build.sh build has made the readers. web/hush/readers has the same of its readers, BenchmarkRead.
import { openAsBlob, readdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { recognise } from "../../formats.js";

const versions = path.join(import.meta.dirname, "../../../dist/v");
const file = await openAsBlob(process.argv[2]);
const format = await recognise(file);
const reader = await import(pathToFileURL(path.join(versions, readdirSync(versions)[0], "readers", `${format}.js`)).href);
const [{ options = {} }] = await reader.parts(file);
const before = process.cpuUsage();
let bytes = 0;
for await (const piece of reader.csv(file, 0, { options, told() {}, note() {} })) bytes += piece.length;
const { user, system } = process.cpuUsage(before);
console.log(`${format}: ${bytes} bytes in ${((user + system) / 1e6).toFixed(2)} s`);
