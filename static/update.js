// Offers a new version of the page, and moves to it when asked. Nothing here happens by itself: a page that holds
// data is never reloaded under its reader's hands.
//
// The offer reaches page.js as the event "hush-update", or as hushUpdateWaits where it came before page.js listened; Go
// accepts it with hushUpdate(). go-app's own news of an update is of no use: it comes with every first visit.

const workers = navigator.serviceWorker;

async function watch() {
  const registration = await workers.ready;
  const offer = () => {
    if (!registration.waiting || !workers.controller) return;
    globalThis.hushUpdateWaits = true;
    dispatchEvent(new Event("hush-update"));
  };
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", offer));
  offer();
}

/** Loads the version that waits. The page starts afresh: what it held in memory is gone. */
globalThis.hushUpdate = async () => {
  const registration = await workers?.getRegistration();
  const fresh = registration?.waiting;
  if (!fresh) return location.reload();
  fresh.addEventListener("statechange", () => {
    if (fresh.state === "activated") location.reload();
  });
  fresh.postMessage("skip-waiting");
  // When another page asks the old worker for a file at the wrong moment, Chromium lets the new one wait for minutes.
  // Then the page comes from the network, if there is one, and brings the new worker with it.
  setInterval(async () => {
    const answer = await fetch(".", { method: "HEAD" }).catch(() => null);
    if (answer?.ok && await registration.unregister()) location.reload();
  }, 3000);
};

if (workers) watch();
