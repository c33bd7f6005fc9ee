// Chooses the language: in a frame the one that its address asks for, then what the person chose here before, or else the first of the
// browser's preferred ones that the bundle has. A demo speaks as the page around it does, whatever was chosen elsewhere. It runs before
// the page is drawn, and translates what stands there before the program runs. It is only in a bundle with translations
// (static/messages), behind speech.js, and whoever reads English loads nothing more.

{
  const key = "hush-language";
  const asked = self === top ? null : new URLSearchParams(location.hash.slice(1)).get("lang");
  let chosen = null;
  try {
    chosen = localStorage.getItem(key);
  } catch {
    // Without storage the browser's languages decide.
  }
  const tag = hushSpeech.choose([asked, chosen, ...navigator.languages]);
  const address = new URL(`messages/${tag}.json`, document.currentScript.src);

  /** The text of the file of messages; empty for English, and where it cannot be had. */
  const messages = tag === "en" ? Promise.resolve("") : fetch(address).then((answer) => (answer.ok ? answer.text() : "")).catch(() => "");
  // On a first visit it was here before the service worker, which keeps what goes through its hands.
  if (tag !== "en") navigator.serviceWorker?.addEventListener("controllerchange", () => fetch(address).catch(() => {}));
  const name = (other) => new Intl.DisplayNames([other], { type: "language" }).of(other);
  globalThis.hushLanguage = {
    tag,
    direction: hushSpeech.direction(tag),
    messages,
    list: ["en", ...Object.keys(hushSpeech.languages)].map((other) => ({ tag: other, name: name(other) })),
    say: (text) => hushSpeech.say(tag, text),
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

  /** The text of an element that tells what it was composed of: a format as Go's, and what fills it. */
  function compose(element, messages) {
    const [format, ...parts] = element.dataset.said.split("|");
    let next = 0;
    element.textContent = (messages[format]?.text ?? format).replace(/%(?:\[(\d+)\])?[sd]/g, (_, at) => {
      if (at) next = at - 1;
      return parts[next++];
    });
  }

  function translate({ messages }) {
    const say = (text) => {
      const whole = text.trim(); // without the lines that the document is set in
      return whole ? text.replace(whole, () => messages[whole]?.text ?? whole) : text;
    };
    Object.assign(page, { lang: tag, dir: hushLanguage.direction });
    document.title = say(document.title);
    const description = document.querySelector("meta[name=description]");
    if (description) description.content = say(description.content);
    for (const name of ["aria-label", "placeholder", "title"]) {
      for (const element of document.body.querySelectorAll(`[${name}]`)) element.setAttribute(name, say(element.getAttribute(name)));
    }
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) walk.currentNode.data = say(walk.currentNode.data);
    for (const element of document.body.querySelectorAll("[data-said]")) compose(element, messages);
  }
}
