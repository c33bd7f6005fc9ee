// Makes the script that draws the command's pictures: still.src.js with the chart library, for a program without modules, packed.
// Usage: node still.mjs OUTPUT.js.gz
import { build } from "esbuild";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const here = import.meta.dirname;
const [out] = process.argv.slice(2);
if (!out) throw new Error("usage: node still.mjs OUTPUT.js.gz");

const style = await readFile(join(here, "style.css"), "utf8");
const [, tokens] = /^:root, \.daylight \{$(.*?)^\}$/ms.exec(style);
const daylight = Object.fromEntries([...tokens.matchAll(/(--[\w-]+): (#[0-9a-f]{6});/g)].map(([, name, colour]) => [name, colour]));

const { outputFiles: [made] } = await build({
  absWorkingDir: here, entryPoints: ["still.src.js"], write: false, bundle: true, minify: true, format: "iife", globalName: "hush",
  target: "es2020", define: { DAYLIGHT: JSON.stringify(daylight) }, legalComments: "none", logLevel: "warning",
});
await writeFile(out, gzipSync(made.contents, { level: 9 }));
