// What a realm of ours, the page or a worker, may load and reach. Each loads this file before any other.
//
// One Trusted Types policy: no text becomes a script or markup (web/host/policy.go asks for that). Two kinds of text are let
// through, since they must reach the browser as text: the addresses of our own workers, and the empty text with which the chart
// library clears its frame. All else is blocked, and reported as a violation of the policy. A page that has a default policy of
// its own, or allows no other, decides itself.
//
// Workers are under the policy of whoever starts them, see startWorker, and lose the ways out of their realm, see cutOff.

// Where a browser keeps nothing for a page, as for a frame of another site, the mere look at its storage throws, and go-app looks
// at it when it starts: it finds one there that forgets.
for (const name of ["localStorage", "sessionStorage"]) {
  try {
    void globalThis[name];
  } catch {
    Object.defineProperty(globalThis, name, { value: forgetful(new Map()) });
  }
}

function forgetful(kept) {
  return {
    get length() {
      return kept.size;
    },
    key: (place) => [...kept.keys()][place] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, String(value)),
    removeItem: (key) => void kept.delete(key),
    clear: () => kept.clear(),
  };
}

const { Worker } = globalThis;
const beside = (name) => new URL(name, import.meta.url).href;
const base = globalThis.document?.baseURI ?? globalThis.location?.href; // Node has none
const starters = new Map(["engine.js", "digest.js", "reader.js"].map((name) => [name, starter(name)]));
const workers = [beside("../../app-worker.js"), ...starters.values()];

try {
  globalThis.trustedTypes?.createPolicy("default", {
    createHTML: (markup) => (markup === "" ? markup : null),
    createScriptURL: (address) => (workers.includes(new URL(address, base).href) ? address : null),
  });
} catch (error) {
  console.warn(error); // of a page of others
}

/**
 * The address of a script that loads one of ours and does nothing else. A worker that is started from such an address has the
 * policy of the page, also where the server sends none with its files; the end of the address is for whoever looks at it. A policy takes
 * what is imported while it runs for a script (script-src), and an import at its head for a worker (worker-src).
 */
function starter(name) {
  const text = `import(${JSON.stringify(beside(name))}).catch((error) => setTimeout(() => { throw error; }));`;
  return `${URL.createObjectURL(new Blob([text], { type: "text/javascript" }))}#/${name}`;
}

/** Starts a worker of ours, "engine.js", "digest.js" or "reader.js". */
export function startWorker(name, options) {
  return new Worker(starters.get(name), { ...options, type: "module" });
}

/** The ways out of a realm that no page needs: they are neither counted nor seen by the service worker. */
const unseen = ["WebSocket", "WebSocketStream", "WebTransport", "EventSource", "RTCPeerConnection", "webkitRTCPeerConnection",
  "sendBeacon", "fetchLater"];

/** Takes the ways out from a page of Hush. */
export const cutOffUnseen = () => cutOff(unseen);

/** What a worker that holds the file needs no more once it is loaded. */
const all = [...unseen, "fetch", "XMLHttpRequest", "importScripts", "Worker", "SharedWorker", "Cache", "CacheStorage", "caches",
  "FontFace", "FontFaceSet", "fonts", "Notification", "serviceWorker", "ServiceWorkerContainer", "BackgroundFetchManager"];

/** What a worker needs no more that reads a file with code of others: also what the page stores, and other tabs. */
export const cutOffReader = () => cutOff([...all, "indexedDB", "IDBFactory", "BroadcastChannel", "storage", "locks"]);

/** Takes away names from this realm for good, wherever they stand, and from what was made with them the way back to them. */
export function cutOff(names = all) {
  const nothing = { value: undefined, writable: false, configurable: false };
  for (const name of names) {
    const { prototype } = Object.getOwnPropertyDescriptor(globalThis, name)?.value ?? {};
    if (prototype) Object.defineProperty(prototype, "constructor", nothing);
    for (const start of [globalThis, navigator]) {
      for (let holder = start; holder && holder !== Object.prototype; holder = Object.getPrototypeOf(holder)) {
        if (Object.hasOwn(holder, name)) Object.defineProperty(holder, name, nothing);
      }
    }
  }
}
