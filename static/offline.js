// The switch that closes the network, the offer to install the page, and whether the browser keeps what is stored.
//
// The switch is a cache without files: while there is one of this name, the service worker refuses every request
// (app-worker.js). So it holds in every tab, in the embed document too, and after a reload.

const scope = new URL(".", document.baseURI).href;
const switchedOff = `hush offline ${scope}`;
const workers = navigator.serviceWorker;

// What the page shows: able – the service worker answers for this page; off – it refuses the network; refused – a request made
// to see whether it does was refused; installable – the browser offers it; kept – it has promised not to evict what is stored.
const state = { able: false, off: false, refused: false, installable: false, kept: false };
let tell = () => {};
let offer = null; // the browser's, to install the page
const tabs = new BroadcastChannel(switchedOff);

/** Reports the state, now and whenever it changes. */
export function watchNetwork(report) {
  tell = report;
  workers?.addEventListener("controllerchange", look);
  tabs.onmessage = look;
  addEventListener("beforeinstallprompt", take);
  addEventListener("appinstalled", () => take(null));
  look();
}

async function look() {
  state.able = Boolean(workers?.controller);
  state.off = Boolean(await globalThis.caches?.has(switchedOff).catch(() => false));
  state.refused = state.able && state.off && await isRefused();
  state.kept = Boolean(await navigator.storage?.persisted?.().catch(() => false));
  tell(state);
}

/** Asks for what no cache holds. */
const isRefused = () => fetch(".", { method: "HEAD", cache: "no-store" }).then(() => false, () => true);

/** Closes the network to every tab of the page, or opens it again. */
export async function switchOff(off) {
  if (off) await caches.open(switchedOff);
  else await caches.delete(switchedOff);
  tabs.postMessage(null);
  await look();
}

/** Asks the browser not to evict what the page stored. */
export async function keepStorage() {
  await navigator.storage?.persist?.().catch(() => false);
  await look();
}

function take(event) {
  event?.preventDefault();
  offer = event;
  state.installable = Boolean(offer);
  tell(state);
}

/** Shows the browser's own question whether to install the page. An offer can be taken once. */
export async function install() {
  const prompt = offer;
  take(null);
  await prompt?.prompt();
}
