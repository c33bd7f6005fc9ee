// The page can be used before its program runs. The bundle writer has drawn it as the program draws it first; what a person does
// meanwhile is kept, and done to the program's own page the moment that takes its place: presses, chosen and dropped files, what was
// typed and unfolded, and where the focus is. Until then each is answered at once: a file dialog opens, a button shows that it waits.
//
// It listens from before the page is first seen, so it is no module. It also takes go-app's loader away.

{
  const root = document.documentElement;
  let kept = []; // what is to be done to the program's page, in order
  let drawn = null; // the page that stands until then
  let held = false; // a pointer or a key is down: a page that went now would take the press with it
  let taken = () => {}; // puts the program's page in its place, once it is whole

  /** The document may hold the workbench as a visitor first meets it; any other page waits behind the loader. */
  const usable = "usable" in document.currentScript.dataset;
  const look = () => root.classList.toggle("early", usable && ["", "#/", "#content"].includes(location.hash));
  look();
  addEventListener("hashchange", look);

  const path = (element) => (element === standing() ? [] : [...path(element.parentElement), [...element.parentElement.children].indexOf(element)]);
  const at = (page, steps) => steps.reduce((element, i) => element?.children[i], page);

  /** Of what is asked of the view the last counts: whoever presses again has thought of something better. */
  function keep(element, act) {
    const view = element.closest("main");
    for (const other of kept) if (view && other.view) other.element.removeAttribute("aria-busy");
    kept = [...kept.filter((other) => !view || !other.view), { element, view, act, steps: path(element) }];
    element.setAttribute("aria-busy", "true");
    root.classList.add("kept");
  }

  /** While the document is still read its first element is the page already. */
  const standing = () => drawn ?? document.body.firstElementChild;

  function hold({ repeat }) {
    if (repeat) return;
    held = true;
    setTimeout(letGo, 5000); // it may have ended where the page does not hear it
  }

  function letGo() {
    setTimeout(() => { // the click comes first
      held = false;
      taken();
    });
  }

  function press({ target }) {
    const button = target.closest("button");
    if (!standing().contains(button)) return;
    const input = button.nextElementSibling;
    if (input?.type === "file") input.click(); // the program may not, once the press is long past
    else keep(button, (same) => same.click());
  }

  function choose({ target }) {
    if (!standing().contains(target) || target.type !== "file") return;
    const { files } = target;
    keep(target, (same) => {
      same.files = files;
      same.dispatchEvent(new Event("change", { bubbles: true }));
    });
  }

  function drop(event) {
    const files = [...event.dataTransfer.files];
    if (!files.length) return;
    event.preventDefault(); // else the browser leaves for the file
    if (!standing().contains(event.target)) return;
    keep(event.target, (same) => {
      const dataTransfer = new DataTransfer();
      for (const file of files) dataTransfer.items.add(file);
      same.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer }));
    });
  }

  /** Brings the program's page to where the drawn one was, which had the focus there. */
  function follow(page, focused) {
    const each = (selector, act) => drawn.querySelectorAll(selector).forEach((old) => act(old, at(page, path(old))));
    each("details[open]", (_, same) => { same.open = true; });
    each("textarea", (old, same) => {
      if (!old.value) return;
      same.value = old.value;
      same.setSelectionRange(old.selectionStart, old.selectionEnd);
      old.value = "";
      same.dispatchEvent(new Event("input", { bubbles: true }));
    });
    if (drawn.contains(focused)) at(page, path(focused))?.focus({ preventScroll: true });
    for (const { act, steps } of kept) act(at(page, steps));
  }

  const heard = [["click", press], ["change", choose], ["drop", drop], ["dragover", (event) => event.preventDefault()],
    ["pointerdown", hold], ["pointerup", letGo], ["pointercancel", letGo],
    ["keydown", hold], ["keyup", letGo]];
  for (const [name, act] of heard) addEventListener(name, act, true);

  document.addEventListener("readystatechange", () => { // the document is read to its end, and no other script has run
    drawn = document.body.firstElementChild;
    const place = document.createElement("div"); // the program's page takes the first place, and is drawn there in parts, unseen
    document.body.prepend(place);
    new MutationObserver((_, observer) => {
      const page = document.body.firstElementChild;
      if (page === place || page.classList.contains("unfinished")) return;
      observer.disconnect();
      taken = take;
      if (!held) take();
    }).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["class"] });

    function take() {
      taken = () => {};
      removeEventListener("hashchange", look);
      for (const [name, act] of heard) removeEventListener(name, act, true);
      document.getElementById("app-wasm-loader").remove();
      goappInitServiceWorker();
      const { activeElement } = document;
      const early = root.classList.contains("early");
      root.classList.remove("early", "kept");
      drawn.remove();
      if (early) follow(document.body.firstElementChild, activeElement);
    }
  }, { once: true });
}
