// The page's one Trusted Types policy: no text becomes a script or markup (web/host/policy.go asks for that). Two kinds of text
// are let through, since they must reach the browser as text: the addresses of our own workers, and the empty text with
// which the chart library clears its frame. All else is blocked, and reported as a violation of the policy.
//
// Page and engine load this file before any other. Where a browser knows no Trusted Types it does nothing.

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

const workers = ["engine.js", "digest.js", "../../app-worker.js"].map((name) => new URL(name, import.meta.url).href);
const base = globalThis.document?.baseURI ?? location.href;

globalThis.trustedTypes?.createPolicy("default", {
  createHTML: (markup) => (markup === "" ? markup : null),
  createScriptURL: (address) => (workers.includes(new URL(address, base).href) ? address : null),
});
