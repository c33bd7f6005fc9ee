// The glue of the document that other sites may frame: the theme that its address asks for, and its height, told to the page
// around it once that page has asked, and to no other. What is told is a number; see embed.js for the other side.

import { showTheme } from "./page.js";

const theme = () => {
  const wanted = new URLSearchParams(location.hash.slice(1)).get("theme");
  showTheme(["light", "dark"].includes(wanted) ? wanted : "");
};
addEventListener("hashchange", theme);
theme();

let asker = ""; // the origin of the page around this one, from the first time it asks
const tell = () => {
  if (asker) parent.postMessage({ hush: "height", height: Math.ceil(document.body.getBoundingClientRect().height) }, asker);
};
addEventListener("message", ({ source, origin, data }) => {
  if (parent === self || source !== parent || data?.hush !== "hello") return;
  if (origin === "null" || (asker && origin !== asker)) return; // a page without an origin cannot be answered for certain
  asker = origin;
  tell();
});
new ResizeObserver(tell).observe(document.body);
