// Chooses the language: what the person chose here before, or else the first of the browser's preferred ones that the bundle has. It runs
// before the page is drawn, and translates what stands there before the program runs. It is only in a bundle with translations
// (static/messages), and whoever reads English loads nothing more.

{
  const key = "hush-language";
  const list = document.currentScript.dataset.languages.split(" ");
  const find = (wanted) => ["en", ...list].find((tag) => tag.toLowerCase() === wanted.toLowerCase())
    ?? ["en", ...list].find((tag) => tag.split("-")[0].toLowerCase() === wanted.split("-")[0].toLowerCase());
  let chosen = null;
  try {
    chosen = localStorage.getItem(key);
  } catch {
    // Without storage the browser's languages decide.
  }
  const tag = [chosen, ...navigator.languages].filter(Boolean).map(find).find(Boolean) ?? "en";
  const address = new URL(`messages/${tag}.json`, document.currentScript.src);

  /** The text of the file of messages; empty for English, and where it cannot be had. */
  const messages = tag === "en" ? Promise.resolve("") : fetch(address).then((answer) => (answer.ok ? answer.text() : ""), () => "");
  // On a first visit it was here before the service worker, which keeps what goes through its hands.
  if (tag !== "en") navigator.serviceWorker?.addEventListener("controllerchange", () => fetch(address).catch(() => {}));
  const name = (other) => new Intl.DisplayNames([other], { type: "language" }).of(other);
  globalThis.hushLanguage = {
    tag,
    messages,
    list: ["en", ...list].map((other) => ({ tag: other, name: name(other) })),
    choose(other) {
      try {
        localStorage.setItem(key, other);
      } catch {
        // It cannot be kept, so there is nothing to load the page anew for.
        return;
      }
      location.reload();
    },
  };

  // What is there before the program runs is in English: it stays out of sight until it is translated, or cannot be.
  const page = document.documentElement;
  if (tag !== "en") page.classList.add("untranslated");
  const read = new Promise((resolve) => addEventListener("DOMContentLoaded", resolve));
  Promise.all([messages, read]).then(([text]) => {
    if (text) translate(JSON.parse(text));
  }).finally(() => page.classList.remove("untranslated"));

  function translate({ direction = "ltr", messages }) {
    const say = (text) => messages[text]?.text ?? text;
    Object.assign(page, { lang: tag, dir: direction });
    document.title = say(document.title);
    const description = document.querySelector("meta[name=description]");
    if (description) description.content = say(description.content);
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) walk.currentNode.data = say(walk.currentNode.data);
  }
}
