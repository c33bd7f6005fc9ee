// The workbench is never shown inside another page, which could lay something over it and borrow a person's clicks. A header
// says so (web/host/policy.go); this is for servers that set none. It runs before the document is read any further.

if (self !== top) {
  stop(); // nothing after this script is read or run
  const make = (name, properties) => Object.assign(document.createElement(name), properties);
  const main = make("main", { className: "embed" });
  main.append(
    make("h1", { textContent: "Hush" }),
    make("p", { textContent: "Hush handles data about people, so it does not start inside another page." }),
    make("a", { href: location.href, target: "_blank", rel: "noopener", textContent: "Open Hush in a tab of its own" }),
  );
  document.head.replaceChildren(
    make("title", { textContent: "Hush" }),
    make("link", { rel: "stylesheet", href: new URL("style.css", document.currentScript.src).href }),
  );
  document.documentElement.append(make("body"));
  document.body.append(main);
}
