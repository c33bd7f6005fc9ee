// Makes the parts of the bundle that come from npm: charts.js, zip.js and the licences of what is in it.
// Usage: node build.mjs OUTPUT_DIRECTORY
import { build } from "esbuild";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const here = import.meta.dirname;
const out = process.argv[2];
if (!out) throw new Error("usage: node build.mjs OUTPUT_DIRECTORY");
await mkdir(out, { recursive: true });

const { metafile } = await build({
  absWorkingDir: here,
  entryPoints: { charts: "charts.src.js", zip: "zip.src.js" },
  outdir: out,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  loader: { ".go": "text" },
  legalComments: "none", // the licences travel in one file of their own
  metafile: true,
  logLevel: "warning",
});

const inside = new Set();
for (const file of Object.keys(metafile.inputs)) {
  const found = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file);
  if (found) inside.add(found[1]);
}

const parts = [];
for (const name of [...inside].sort()) {
  const folder = join(here, "node_modules", name);
  const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  parts.push(`==== ${name} ${version}\n`);
  let found = false;
  for (const file of ["LICENSE", "LICENSE.txt", "LICENSE.md", "NOTICE"]) {
    try {
      parts.push(`\n${(await readFile(join(folder, file), "utf8")).trim()}\n`);
      found = true;
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
    }
  }
  if (!found) throw new Error(`${name} has no licence file: it cannot be shipped`);
  parts.push("\n");
}
await writeFile(join(out, "licences-npm.txt"), parts.join(""));
