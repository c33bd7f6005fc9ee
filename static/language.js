// Chooses the language: what the person chose here before, or else the first of the browser's preferred ones that the bundle has. It runs
// before the page is drawn, and only in a bundle with translations (static/messages); everybody else never loads it.

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
  messages.then((text) => {
    if (text) Object.assign(document.documentElement, { lang: tag, dir: JSON.parse(text).direction ?? "ltr" });
  });
}
