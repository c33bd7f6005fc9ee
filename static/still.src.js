// The page's pictures where there is no page: the command hush runs this file, bundled by still.mjs, in web/hush/pictures. The options, the
// library and all that charts.src.js adds to them are the page's. What a browser would be asked stands here: colours are those of daylight
// (still.mjs reads them from the style sheet), and the library estimates how wide a text is.

import * as echarts from "echarts/core";
import { platformApi } from "zrender/lib/core/platform.js";
import { complete, frame } from "./charts.src.js";

/* global DAYLIGHT */
const daylight = { fontFamily: "system-ui, sans-serif", getPropertyValue: (name) => DAYLIGHT[name] ?? "" };
globalThis.getComputedStyle = () => daylight;
globalThis.matchMedia = () => ({ matches: true }); // nothing moves
globalThis.setTimeout = globalThis.clearTimeout = () => 0; // a picture is drawn at once, and dropped

// The library knows the widths of plain letters, and takes every other for as wide as it is high: a letter with marks is as wide as without.
const estimate = platformApi.measureText;
const plain = (text) => text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").replace(/[\u00a0\u202f]/g, " ").replace(/[\u2012-\u2014\u2212]/g, "-");
echarts.setPlatformAPI({ measureText: (text, font) => estimate(plain(String(text ?? "")), font) });

/** Draws an option of a width, in points, and as high if it has no words. Returns SVG. */
export function still(option, width, height) {
  const whole = { ...JSON.parse(option), animation: false };
  const element = { clientWidth: width, clientHeight: height };
  if (whole.words) element.clientHeight = frame(whole, element).height;
  const chart = echarts.init(null, null, { renderer: "svg", ssr: true, width, height: element.clientHeight, locale: "EN" });
  chart.setOption(complete(whole, element, element.clientHeight));
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}
