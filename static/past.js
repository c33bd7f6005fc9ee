// While the page is switched offline its service worker refuses every request (offline.js). A page that was loaded past that worker,
// as by a reload that is told to forget what is stored, came from the network, and so would all that it asks for. It says so, and its
// program does not start before its reader has decided: go-app's script waits for hushDecided.

if (!navigator.serviceWorker?.controller && globalThis.caches) {
  const scope = new URL(".", document.baseURI).href;
  const drawn = new Promise((resolve) => addEventListener("DOMContentLoaded", resolve));
  const make = (name, properties) => Object.assign(document.createElement(name), properties);
  const { say = (text) => text } = globalThis.hushLanguage ?? {};

  const ask = async () => {
    await drawn;
    return new Promise((goOn) => {
      const dialog = make("dialog", { id: "past", className: "dialog" });
      const heading = make("h2", { id: "past-title", textContent: say("This page came past the offline switch") });
      const stored = make("button", { type: "button", className: "button main", textContent: say("Load it from this browser") });
      const network = make("button", { type: "button", className: "button", textContent: say("Go on with the network") });
      const row = make("div", { className: "row" });
      row.append(stored, network);
      dialog.append(heading, make("p", { textContent: say("You switched Hush offline, but this page came from the network instead of this browser's storage. It has not started, and has requested nothing but its own files.") }), row);
      dialog.setAttribute("aria-labelledby", heading.id);
      dialog.addEventListener("close", () => dialog.showModal()); // Escape decides nothing
      stored.addEventListener("click", () => location.reload());
      network.addEventListener("click", () => {
        dialog.remove();
        goOn();
      });
      document.body.append(dialog);
      dialog.showModal();
    });
  };
  globalThis.hushDecided = caches.has(`hush offline ${scope}`).catch(() => false).then((off) => off && ask());
}
