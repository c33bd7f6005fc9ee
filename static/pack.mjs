// Puts a brotli and a gzip variant beside each file of the bundle that gets smaller by it, prints what a first visit
// transfers, and fails when that is over budget, unless it is told why it may be: then it only says so.
// What was compressed once is kept in a cache by content.
// Usage: node pack.mjs BUNDLE CACHE [WHY]
import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, rename, stat, unlink, utimes, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const [bundle, cache, allowed] = process.argv.slice(2);
if (!cache) throw new Error("usage: node pack.mjs BUNDLE CACHE [WHY]");

// Megabytes are 10^6 bytes of brotli. The service worker fetches every file, so a first visit is the whole bundle, but for what is
// fetched when it is needed.
// A course of six lessons, six ways to publish a table and a poll take 75 kB of the binary. What was tried to win them elsewhere: wasm-opt
// (5 % larger after brotli), one copy of equal functions (0.1 %), xz (4 % smaller, but not compiled while it loads).
// Survival curves of groups, and a trial to try them on, take 20 kB.
const budget = { binary: 3.53e6, visit: 3.92e6 };
const packed = new Set([".html", ".js", ".css", ".csv", ".txt", ".json", ".svg", ".wasm", ".webmanifest"]); // as in web/host

const variants = [
  {
    extension: ".br",
    compress: (text) => promisify(brotliCompress)(text, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_LGWIN]: 24, // the largest window that browsers decode
        [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
      },
    }),
  },
  { extension: ".gz", compress: (text) => promisify(gzip)(text, { level: 9 }) },
];

/** Returns the compressed text of a file, from the cache when it is there. */
async function compressed(text, { extension, compress }) {
  const kept = join(cache, createHash("sha256").update(text).digest("hex") + extension);
  try {
    const result = await readFile(kept);
    await utimes(kept, new Date(), new Date());
    return result;
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  const result = await compress(text);
  await writeFile(`${kept}.${process.pid}`, result);
  await rename(`${kept}.${process.pid}`, kept); // never half a file under that name
  return result;
}

async function pack(name) {
  const text = await readFile(join(bundle, name));
  const sizes = { raw: text.length, ".br": text.length, ".gz": text.length };
  if (packed.has(extname(name))) {
    for (const variant of variants) {
      const result = await compressed(text, variant);
      if (result.length >= text.length) continue;
      sizes[variant.extension] = result.length;
      await writeFile(join(bundle, name + variant.extension), result);
    }
  }
  return { name, ...sizes };
}

await mkdir(cache, { recursive: true });
const names = (await readdir(bundle, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && ![".br", ".gz"].includes(extname(entry.name)))
  .map((entry) => join(entry.parentPath, entry.name).slice(join(bundle, "/").length));
const rows = (await Promise.all(names.map(pack))).sort((a, b) => b[".br"] - a[".br"]);
const sum = (name, counted) => rows.filter((row) => counted(row.name)).reduce((all, row) => ({
  name, raw: all.raw + row.raw, ".br": all[".br"] + row[".br"], ".gz": all[".gz"] + row[".gz"],
}), { name, raw: 0, ".br": 0, ".gz": 0 });

// Documents that the service worker keeps for who uses them only, and what a demo in a page of another site needs to be seen:
// what its document names, and what that loads.
const extras = ["embed.html", "embed.js", "example.html", "package.html", "hush.tgz"];
const told = ["_headers", ".assetsignore"]; // to the server
const later = /\/(readers|package)\//; // of kinds of files that are no plain text, and of a page about the package
const shown = /^embed\.(html|js)$|\/(app\.(wasm|js|css)|wasm_exec\.js|(page|hush|engine|ledger|offline|trust|frame|charts)\.js|style\.css|icons\/icon(-192\.png|\.svg)|fonts\/[a-z-]+\.woff2)$/;
const visit = sum("first visit, all of it", (name) => ![...extras, ...told].includes(name) && !later.test(name));
const demo = sum("first demo in a page of another site", (name) => shown.test(name));

const week = 7 * 24 * 60 * 60 * 1000;
for (const name of await readdir(cache)) { // what nobody has asked for in a week is of no more use
  if (Date.now() - (await stat(join(cache, name))).mtimeMs > week) await unlink(join(cache, name));
}

const number = (n) => n.toLocaleString("en").padStart(11);
console.log(`${"bytes".padStart(11)}${"gzip".padStart(11)}${"brotli".padStart(11)}`);
for (const row of [...rows, visit, demo]) console.log(`${number(row.raw)}${number(row[".gz"])}${number(row[".br"])}  ${row.name}`);

const over = [];
const binary = rows.find(({ name }) => name.endsWith("/app.wasm"));
if (!binary || binary[".br"] > budget.binary) over.push(`the binary is over ${budget.binary} bytes of brotli`);
if (visit[".br"] > budget.visit) over.push(`a first visit is over ${budget.visit} bytes of brotli`);
for (const reason of over) console.error(`pack: ${reason}${allowed ? `, which is let through: ${allowed}` : ""}`);
if (over.length && !allowed) process.exitCode = 1;
