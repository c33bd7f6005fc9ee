// The service worker: after the first visit the page works without a network, at whatever path it is served from.
// A template: the bundle writer fills in the version and the list of files.
//
// Rules: it fetches files of its own origin only, and none while the page is switched offline; it touches no cache but
// its own; a new version waits until every page is closed or a page asks for it; it never reloads a page, and a page that
// stays open through one update still finds the files of its version. Every page of this origin can write into its caches, so
// it hands out nothing of them that is not what was built.

const version = "{{.Version}}";
const hashes = HASHES; // the SHA-256 of every file of this version, by its name below the scope
const documents = DOCUMENTS; // the headers of each entry document, also where the host sends none
const files = [...new Set({{.ResourcesToCache}}.map((name) => new URL(name, location.href).href))];
const extras = ["embed.html", "embed.js", "example.html", "package.html"].map((name) => new URL(name, location.href).href); // for who uses them

const scope = registration.scope;
const mine = `hush ${scope} `; // other programs of this origin, and Hush at other paths, have other names
const cacheName = mine + version;
const named = (url) => url.slice(scope.length).replace(/[?#].*/, "") || "index.html"; // below the scope
const switchedOff = `hush offline ${scope}`; // there is a cache of this name while the page is switched offline, see offline.js
const versioned = (url) => url.startsWith(`${scope}v/`);

addEventListener("install", (event) => event.waitUntil(fill()));
addEventListener("activate", (event) => event.waitUntil(Promise.all([adopt(), tidy()])));
addEventListener("message", (event) => {
  if (event.data === "skip-waiting") event.waitUntil(skipWaiting());
});
addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  if (new URL(url).origin !== location.origin) event.respondWith(Response.error());
  else if (method !== "GET") event.respondWith(network(event.request));
  else event.respondWith(mode === "navigate" ? page(event) : file(event.request));
});

/** The only way to the network. */
async function network(request, options) {
  if (await caches.has(switchedOff)) throw new Error("the page is switched offline");
  return fetch(request, options);
}

/** Fetches every file of the bundle. When one fails nothing is kept, and the version before stays in place. */
async function fill() {
  const cache = await caches.open(cacheName);
  try {
    await Promise.all(files.map((url) => keep(cache, url)));
  } catch (error) {
    await caches.delete(cacheName);
    throw error;
  }
  if (await extrasAreUsed()) await keepExtras();
  await keepLater();
}

/** Files that are kept when they were asked for, since most people need none of them: messages of a language, readers of kinds of files, the
 * script of a page that shows the package. */
const later = /\/(messages|readers|package)\/[^/]+$/;

/** Keeps those of which another version was kept: who used them is to find them where there is no network. */
async function keepLater() {
  const cache = await caches.open(cacheName);
  const kept = await Promise.all((await older()).map(async (old) => (await caches.open(mine + old)).keys()));
  const names = new Set(kept.flat().map(({ url }) => later.exec(url)?.[0]).filter(Boolean));
  await Promise.allSettled([...names].map((name) => keep(cache, `${scope}v/${version}${name}`)));
}

async function keep(cache, url) {
  // A versioned file may come from the browser's own cache; an entry document must be the one of this version.
  const answer = await network(url, { cache: versioned(url) ? "default" : "no-cache" });
  await tellRequest();
  if (!answer.ok || answer.redirected) throw new Error(`${url} is answered with ${answer.status} or elsewhere`);
  if ((url === scope || url.endsWith(".html")) && !(await answer.clone().text()).includes(`v/${version}/`)) {
    throw new Error("the page on the server is another version already");
  }
  if (!await genuine(answer.clone(), version, url)) throw new Error(`${url} is not as it was built`);
  await cache.put(url, answer);
}

/** Keeps what is not needed by everybody; where a file cannot be had, the page that asks for it says so. */
async function keepExtras() {
  const cache = await caches.open(cacheName);
  await Promise.allSettled(extras.map((url) => keep(cache, url)));
}

/** Tells every open page of a request that none of them asked for: they count those, see page.js. */
async function tellRequest() {
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  for (const page of pages) page.postMessage({ requests: { own: 1, foreign: 0 } });
}

async function extrasAreUsed() {
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  if (pages.some(({ url }) => extras.includes(url.replace(/[?#].*/, "")))) return true;
  const kept = await Promise.all((await older()).map(async (old) => (await caches.open(mine + old)).match(extras[0])));
  return kept.some(Boolean);
}

/** Answers a navigation: an entry document under its address, whatever the query. */
async function page(event) {
  const url = event.request.url.replace(/\/index\.html(?=$|[?#])/, "/");
  const known = await match(version, url, { ignoreSearch: true });
  const headers = documents[named(url)];
  if (known) return headers ? new Response(known.body, { headers }) : known;
  if (extras.includes(url.replace(/[?#].*/, ""))) event.waitUntil(keepExtras());
  try {
    return await network(event.request);
  } catch {
    if (named(url) === "index.html") return Response.error();
    return Response.redirect(scope); // no network, and no such page: routes come after the #
  }
}

/** Answers any other request, and keeps what is kept when it was asked for. */
async function file(request) {
  const known = await match(version, request.url);
  if (known) return known;
  if (versioned(request.url)) {
    for (const old of await older()) {
      const known = await match(old, request.url);
      if (known) return known;
    }
  }
  const answer = await network(request);
  if (answer.ok && versioned(request.url) && later.test(request.url) && await genuine(answer.clone(), version, request.url)) {
    await (await caches.open(cacheName)).put(request, answer.clone());
  }
  return answer;
}

/** What a version's cache holds under an address, if it is what was built. What is not is taken out, and fetched again. */
async function match(of, url, options) {
  const cache = await caches.open(mine + of);
  const kept = await cache.match(url, { ignoreVary: true, ...options });
  if (!kept) return undefined;
  if (await genuine(kept.clone(), of, url)) return kept;
  await cache.delete(url, { ignoreVary: true, ...options });
  if (of === version) await keep(cache, url.replace(/[?#].*/, "")).catch(() => {}); // no network
  return undefined;
}

/** Whether an answer has the bytes that a version has under an address. */
async function genuine(answer, of, url) {
  const wanted = (of === version ? hashes : await listed(of))[named(url)];
  return wanted !== undefined && wanted === await digest(await answer.arrayBuffer());
}

/** The hashes of the files of another version, whose list has a hash that begins with the version itself. */
async function listed(of) {
  const list = await (await caches.open(mine + of)).match(`${scope}v/${of}/files.txt`);
  const bytes = await list?.arrayBuffer();
  if (!bytes || of.length < 16 || !(await digest(bytes)).startsWith(of)) return {};
  const lines = new TextDecoder().decode(bytes).trimEnd().split("\n");
  return Object.fromEntries(lines.map((line) => [`v/${of}/${line.slice(66)}`, line.slice(0, 64)]));
}

async function digest(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** After a first visit takes the pages that are open. After an update they are ours already. */
async function adopt() {
  // Claiming them once more would now and then leave a page that reloads without an answer (seen in Chromium 156).
  if ((await clients.matchAll({ type: "window" })).length === 0) await clients.claim();
}

/** Deletes the caches of older versions, but for the last: a page may still be open that came from it. */
async function tidy() {
  await Promise.all((await older()).slice(0, -1).map((old) => caches.delete(mine + old)));
}

/** The other versions at this path of which there is a cache, oldest first. */
async function older() {
  const names = (await caches.keys()).filter((name) => name.startsWith(mine) && name !== cacheName);
  return names.map((name) => name.slice(mine.length));
}
