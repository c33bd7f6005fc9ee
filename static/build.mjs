// Makes the parts of the bundle that come from npm: charts.js, zip.js, readers/, the typefaces and the licences of what is in them;
// and our own scripts and style sheet, and the one that starts Go programs, without their comments and spaces, a third of what they
// would take.
// Usage: node build.mjs OUTPUT_DIRECTORY WASM_EXEC_JS
import { build, transform } from "esbuild";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import subset from "subset-font";

const here = import.meta.dirname;
const [out, starter] = process.argv.slice(2);
if (!starter) throw new Error("usage: node build.mjs OUTPUT_DIRECTORY WASM_EXEC_JS");
await mkdir(out, { recursive: true });

// Each kind of file has a reader, readers/NAME.mjs, which travels as one file; what several of them share is named NAME.part.mjs.
const readers = (await readdir(join(here, "readers"))).filter((name) => /^[a-z]+\.mjs$/.test(name)).map((name) => name.slice(0, -4));

const { metafile } = await build({
  absWorkingDir: here,
  entryPoints: {
    charts: "charts.src.js", parquet: "parquet.src.js", zip: "zip.src.js",
    ...Object.fromEntries(readers.map((name) => [`readers/${name}`, `readers/${name}.mjs`])),
  },
  outdir: out,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  loader: { ".py": "text", ".R": "text" },
  legalComments: "none", // the licences travel in one file of their own
  metafile: true,
  logLevel: "warning",
});

const templates = ["app-worker.js", "embed.js", "speech.js"]; // web/bundle/bundle.go completes them
const own = (await readdir(here)).filter((name) => /(?<!\.src)\.(js|css)$/.test(name) && !templates.includes(name));
for (const file of [...own.map((name) => join(here, name)), starter]) {
  const name = basename(file);
  const loader = name.endsWith(".css") ? "css" : "js";
  const { code } = await transform(await readFile(file, "utf8"), {
    loader, minifyWhitespace: true, minifySyntax: loader === "js", legalComments: "none", charset: "utf8",
  });
  await writeFile(join(out, name), code);
}

// The typefaces, cut to Western European Latin and to the Greek letters of formulas, with the weights 400 to 700. Other scripts
// have the system's. static/style.css names the files and these ranges.
const letters = (first, last) => String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, i) => first + i));
const latin = letters(0x20, 0x7e) + letters(0xa0, 0xff) + "\u0131\u0152\u0153\u2013\u2014\u2018\u2019\u201a\u201c\u201d\u201e\u2022\u2026\u2039\u203a\u20ac\u2122\u2212";
const greek = "αβγδεηθκλμρστφΔΣ";
const budget = 70e3; // bytes, all of them
const fonts = [
  { name: "sans", from: "source-sans-3", file: "source-sans-3-latin-wght-normal", text: latin, axes: {} },
  { name: "sans-greek", from: "source-sans-3", file: "source-sans-3-greek-wght-normal", text: greek, axes: {} },
  { name: "serif", from: "source-serif-4", file: "source-serif-4-latin-opsz-normal", text: latin, axes: { opsz: 28 } }, // headlines
];

let weight = 0;
await mkdir(join(out, "fonts"), { recursive: true });
for (const { name, from, file, text, axes } of fonts) {
  const font = await readFile(join(here, "node_modules", "@fontsource-variable", from, "files", `${file}.woff2`));
  const cut = await subset(font, text, { targetFormat: "woff2", variationAxes: { wght: { min: 400, max: 700 }, ...axes } });
  weight += cut.length;
  await writeFile(join(out, "fonts", `${name}.woff2`), cut);
}
if (weight > budget) throw new Error(`the typefaces take ${weight} bytes, want at most ${budget}`);

const inside = new Set(fonts.map(({ from }) => `@fontsource-variable/${from}`));
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
  const ours = join(here, "licences", `${name}.txt`); // of a package that names its licence and does not bring its text
  for (const file of ["LICENSE", "LICENSE.txt", "LICENSE.md", "NOTICE", ours]) {
    try {
      parts.push(`\n${(await readFile(resolve(folder, file), "utf8")).trim()}\n`);
      found = true;
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
    }
  }
  if (!found) throw new Error(`${name} has no licence file: it cannot be shipped`);
  parts.push("\n");
}
await writeFile(join(out, "licences-npm.txt"), parts.join(""));
