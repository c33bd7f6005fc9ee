// The workbench is never shown inside another page, which could lay something over it and borrow a person's clicks. A header
// says so (web/host/policy.go); this is for servers that set none. It runs before the document is read any further; before it runs only
// language.js, where there is one.

if (self !== top) {
  stop(); // nothing after this script is read or run
  const make = (name, properties) => Object.assign(document.createElement(name), properties);
  const { tag = "en", direction = "ltr", say = (text) => text } = globalThis.hushLanguage ?? {};
  const main = make("main", { className: "embed" });
  main.append(
    make("h1", { textContent: "Hush" }),
    make("p", { textContent: say("Hush handles data about people, so it does not start inside another page.") }),
    make("a", { href: location.href, target: "_blank", rel: "noopener", textContent: say("Open Hush in a tab of its own") }),
  );
  // A document that was stopped is never painted in Chromium, unless something that it waits for arrives: the style sheet.
  document.head.replaceChildren(
    make("title", { textContent: "Hush" }),
    make("link", { rel: "stylesheet", blocking: "render", href: new URL("style.css", document.currentScript.src).href }),
  );
  Object.assign(document.documentElement, { lang: tag, dir: direction, className: "" }).append(make("body"));
  document.body.append(main);
}
