// <hush-demo>: shows a demo of Hush in any page. What is inside the element stays there until the demo runs, or for good where
// this script does not. It needs nothing else, keeps nothing, and asks for nothing but embed.html beside it.
//
//   <script src="…/embed.js" async></script>
//   <hush-demo task="mean" epsilon="1" theme="dark" start="click"><p>What a reader sees before.</p></hush-demo>
//   <hush-demo table="visits.json"><p>…</p></hush-demo>
//   <hush-demo lesson="2"><p>…</p></hush-demo>

(() => {
  const frameURL = new URL("embed.html", document.currentScript.src);
  const told = ["task", "data", "question", "epsilon", "theme", "table", "lesson"]; // attributes that the frame is told
  const patience = 20_000; // ms from a loaded frame to its first word

  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    :host { display: block; margin: 1em 0; }
    iframe { display: block; width: 100%; height: 0; border: 1px solid rgb(128 128 128 / 35%); border-radius: 10px; box-sizing: content-box; max-width: calc(100% - 2px); color-scheme: normal; }
    button { font: inherit; font-weight: 600; padding: 0.5em 1em; border: 1px solid currentcolor; border-radius: 8px; background: none; color: inherit; cursor: pointer; }
    p { display: flex; flex-wrap: wrap; align-items: center; gap: 0.75em; margin: 0.5em 0; }
    a { color: inherit; }
    [hidden] { display: none; }
  `);

  const make = (name, properties) => Object.assign(document.createElement(name), properties);

  class HushDemo extends HTMLElement {
    static observedAttributes = [...told, "start"];
    #before = make("div");
    #row = make("p");
    #button = make("button", { type: "button" });
    #state = make("span", { role: "status" });
    #frame = null;
    #timer = 0;
    #voice; // of a bundle with translations
    #seen = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) this.run();
    });

    constructor() {
      super();
      const root = this.attachShadow({ mode: "open" });
      root.adoptedStyleSheets = [sheet];
      this.#row.append(this.#button, this.#state);
      this.#before.append(document.createElement("slot"), this.#row);
      root.append(this.#before);
      this.#button.addEventListener("click", () => this.run());
    }

    connectedCallback() {
      if (typeof hushSpeech !== "undefined") this.#voice = hushSpeech.voice(this, this.#row); // see speech.js
      this.#button.textContent = this.#say("Run this demo");
      addEventListener("message", this.#hear);
      if (this.getAttribute("start") === "visible") this.#seen.observe(this);
    }

    /** Out of the page the frame goes, and with it the demo's memory. */
    disconnectedCallback() {
      removeEventListener("message", this.#hear);
      this.#seen.disconnect();
      this.#stop("");
    }

    attributeChangedCallback(name) {
      if (name === "start") {
        if (this.isConnected && this.getAttribute("start") === "visible") this.#seen.observe(this);
      } else if (this.#frame) this.#frame.src = this.#address();
    }

    #say(text) {
      return this.#voice?.say(text) ?? text;
    }

    #address() {
      const wanted = told.filter((name) => this.hasAttribute(name)).map((name) => [name, this.getAttribute(name)]);
      if (this.#voice) wanted.push(["lang", this.#voice.tag]);
      return `${frameURL}#${new URLSearchParams(wanted)}`;
    }

    /** Loads the frame, once. */
    run() {
      this.#seen.disconnect();
      if (this.#frame) return;
      this.#button.disabled = true;
      this.#state.textContent = this.#say("Loading the demo…");
      const shown = this.hasAttribute("lesson") ? `lesson ${this.getAttribute("lesson")}` : this.getAttribute("task");
      const title = this.hasAttribute("table") ? this.#say("Living table") : this.#say("Hush demo: %s").replace("%s", () => shown);
      const frame = make("iframe", { title, src: this.#address(), referrerPolicy: "no-referrer" });
      frame.addEventListener("load", () => {
        frame.contentWindow?.postMessage({ hush: "hello" }, frameURL.origin);
        clearTimeout(this.#timer);
        if (!this.#before.hidden) this.#timer = setTimeout(() => this.#stop(this.#say("The demo could not be loaded.")), patience);
      });
      this.#frame = frame;
      this.shadowRoot.append(frame);
    }

    #stop(why) {
      clearTimeout(this.#timer);
      this.#frame?.remove();
      this.#frame = null;
      this.#before.hidden = this.#button.disabled = false;
      this.#state.textContent = why;
    }

    /** Takes the height that the frame tells, from the frame and its own origin only. */
    #hear = ({ source, origin, data }) => {
      if (!this.#frame || source !== this.#frame.contentWindow || origin !== frameURL.origin || data?.hush !== "height") return;
      if (!(data.height > 0 && data.height < 10_000)) return;
      clearTimeout(this.#timer);
      this.#frame.style.height = `${data.height}px`;
      if (this.#before.hidden) return;
      const asked = this.shadowRoot.activeElement === this.#button;
      this.#before.hidden = true;
      if (asked) this.#frame.focus();
    };
  }

  if (!customElements.get("hush-demo")) customElements.define("hush-demo", HushDemo);
})();
