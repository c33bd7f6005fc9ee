// The service worker: after the first visit the page works without a network, at whatever path it is served from.
// A template: the bundle writer fills in the version and the list of files.
//
// Rules: it fetches files of its own origin only, and none while the page is switched offline; it touches no cache but
// its own; a new version waits until every page is closed or a page asks for it; it never reloads a page, and a page that
// stays open through one update still finds the files of its version.

const version = "{{.Version}}";
const files = [...new Set({{.ResourcesToCache}}.map((name) => new URL(name, location.href).href))];
const extras = ["embed.html", "embed.js", "example.html"].map((name) => new URL(name, location.href).href); // for who uses them

const scope = registration.scope;
const mine = `hush ${scope} `; // other programs of this origin, and Hush at other paths, have other names
const cacheName = mine + version;
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

/** Files that are kept when they were asked for, since most people need none of them: messages of a language, readers of kinds of files. */
const later = /\/(messages|readers)\/[^/]+$/;

/** Keeps those of which another version was kept: who used them is to find them where there is no network. */
async function keepLater() {
  const cache = await caches.open(cacheName);
  const kept = await Promise.all((await older()).map(async (name) => (await caches.open(name)).keys()));
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
  const kept = await Promise.all((await older()).map((name) => match(name, extras[0])));
  return kept.some(Boolean);
}

/** Answers a navigation: an entry document under its address, whatever the query. */
async function page(event) {
  const url = event.request.url.replace(/\/index\.html(?=$|[?#])/, "/");
  const known = await match(cacheName, url, { ignoreSearch: true });
  if (known) return known;
  if (extras.includes(url.replace(/[?#].*/, ""))) event.waitUntil(keepExtras());
  try {
    return await network(event.request);
  } catch {
    return Response.redirect(scope); // no network, and no such page: routes come after the #
  }
}

/** Answers any other request, and keeps what is kept when it was asked for. */
async function file(request) {
  const known = await match(cacheName, request);
  if (known) return known;
  if (versioned(request.url)) {
    for (const name of await older()) {
      const old = await match(name, request);
      if (old) return old;
    }
  }
  const answer = await network(request);
  if (answer.ok && versioned(request.url) && later.test(request.url)) await (await caches.open(cacheName)).put(request, answer.clone());
  return answer;
}

async function match(name, request, options) {
  return (await caches.open(name)).match(request, { ignoreVary: true, ...options });
}

/** After a first visit takes the pages that are open. After an update they are ours already. */
async function adopt() {
  // Claiming them once more would now and then leave a page that reloads without an answer (seen in Chromium 156).
  if ((await clients.matchAll({ type: "window" })).length === 0) await clients.claim();
}

/** Deletes the caches of older versions, but for the last: a page may still be open that came from it. */
async function tidy() {
  await Promise.all((await older()).slice(0, -1).map((name) => caches.delete(name)));
}

/** The names of the caches of other versions at this path, oldest first. */
async function older() {
  return (await caches.keys()).filter((name) => name.startsWith(mine) && name !== cacheName);
}
