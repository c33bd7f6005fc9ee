// The chart library as the page sees it: five functions over Apache ECharts, with only the parts that Hush draws.
// build.mjs bundles this file with ECharts into charts.js; the page imports that after its first paint. still.src.js draws with it
// where there is no page.
//
// An option is JSON text made by Go, so it holds no functions. What would need one goes by name:
//   series of type "custom": "renderItem" is the name of a renderer below;
//   a value axis: "numbers" of its "axisLabel" is how they are written, "grouped" if it does not say;
//   "words" is what stands around the picture: see frame();
//   "says" of a point is the text of its tooltip;
//   any "color" (textColor, borderColor, …): "var(--name)" is read from the style sheet where the chart stands.
// Rules: the SVG renderer only, no HTML tooltips (the content security policy allows no inline style), English labels,
// a description for screen readers, and no motion for who asked for none.

import * as echarts from "echarts/core";
import { BarChart, CustomChart, GraphChart, HeatmapChart, LineChart, ScatterChart } from "echarts/charts";
import {
  AriaComponent, GraphicComponent, GridComponent, LegendComponent, MarkLineComponent, TitleComponent, TooltipComponent,
  VisualMapContinuousComponent,
} from "echarts/components";
import { SVGRenderer } from "echarts/renderers";
import { platformApi } from "zrender/lib/core/platform.js";

echarts.use([
  BarChart, CustomChart, GraphChart, HeatmapChart, LineChart, ScatterChart,
  AriaComponent, GraphicComponent, GridComponent, LegendComponent, MarkLineComponent, TitleComponent, TooltipComponent,
  VisualMapContinuousComponent,
  SVGRenderer,
]);

/**
 * Draws a chart in an element that has a size, now or in the next frame: in two tasks, since the library is slow the first time. Returns the
 * chart, for the other four. A click on a point of a graph is the element's event "pick", with its number.
 */
export function mount(element, option, nextFrame = false) {
  const chart = echarts.init(element, null, { renderer: "svg", locale: "EN" });
  update(chart, option, nextFrame);
  chart.on("click", { dataType: "node" }, ({ dataIndex }) => element.dispatchEvent(new CustomEvent("pick", { detail: dataIndex })));
  return chart;
}

/** Draws another option, whole, in the same place. Also how a chart takes on a changed theme. */
export function update(chart, option, nextFrame = false) {
  const drawn = JSON.parse(option);
  const height = fit(chart, drawn);
  options.set(chart, drawn);
  chart.setOption(complete(drawn, chart.getDom(), height), { notMerge: true, lazyUpdate: nextFrame });
}

/** Fits the chart to its element. Words wrap anew, so a chart that has some is laid out again. */
export function resize(chart) {
  const { clientWidth, clientHeight } = chart.getDom();
  if (clientWidth === chart.getWidth() && clientHeight === chart.getHeight()) return; // it draws all of itself again
  const drawn = options.get(chart);
  if (!drawn?.words || clientWidth === chart.getWidth()) return chart.resize();
  const height = fit(chart, drawn);
  chart.setOption(complete(drawn, chart.getDom(), height), { notMerge: true });
}

const options = new WeakMap(); // chart → its option, parsed

/** Gives the element of a chart with words the height that they and the picture need; returns it. */
function fit(chart, option) {
  const element = chart.getDom();
  if (!option.words) {
    if (element.style.height) element.style.height = "";
  } else {
    const { height } = frame(option, element);
    if (element.clientHeight !== height) element.style.height = `${height}px`;
  }
  if (element.clientWidth !== chart.getWidth() || element.clientHeight !== chart.getHeight()) chart.resize();
  return element.clientHeight;
}

/** Removes the chart and everything it holds. */
export function dispose(chart) {
  chart.dispose();
}

/** Returns the picture as an SVG document. */
export function toSVG(chart) {
  return chart.renderToSVGString();
}

// An error bar is one data item [at, low, high], at being a place on the other axis. A bar is [from, to, value, hatched], from and to being
// places on the axis on which it stands; on an axis of names it is [place, value, hatched]. A cell is [column, row].
const renderers = {
  errorBar: (api, series) => errorBar(api, series, (at, value) => api.coord([at, value]), ([x, y]) => [x, y]),
  errorBarHorizontal: (api, series) => errorBar(api, series, (at, value) => api.coord([value, at]).reverse(), ([x, y]) => [y, x]),
  bin: (api, series) => {
    const [left, foot] = api.coord([api.value(0), 0]);
    const [right, top] = api.coord([api.value(1), api.value(2)]);
    const gap = right - left > 4 ? 1 : 0; // a hairline between bars that touch
    return bar(series, { x: left + gap / 2, y: Math.min(top, foot), width: Math.max(right - left - gap, 1), height: Math.abs(foot - top) }, api.value(3));
  },
  standing: (api, series) => {
    const [middle, foot] = api.coord([api.value(0), 0]);
    const [, top] = api.coord([api.value(0), api.value(1)]);
    const width = Math.min(0.72 * api.size([1, 0])[0], 96);
    return bar(series, { x: middle - width / 2, y: Math.min(top, foot), width, height: Math.abs(foot - top) }, api.value(2));
  },
  lying: (api, series) => {
    const [foot, middle] = api.coord([0, api.value(0)]);
    const [end] = api.coord([api.value(1), api.value(0)]);
    const thick = Math.min(0.72 * api.size([0, 1])[1], 28);
    return bar(series, { x: Math.min(foot, end), y: middle - thick / 2, width: Math.abs(end - foot), height: thick }, api.value(2));
  },
  cell: (api, series) => {
    const [x, y] = api.coord([api.value(0), api.value(1)]);
    const [width, height] = api.size([1, 1]);
    return { type: "group", children: [hatches({ x: x - width / 2, y: y - height / 2, width, height }, series.hatchColor)] };
  },
};

/** An opaque bar, or one that is hatched: too few to tell. */
function bar(series, shape, hatched) {
  if (!hatched) return { type: "rect", shape, style: { fill: series.itemStyle.color } };
  return {
    type: "group",
    children: [
      { type: "rect", shape, style: { fill: series.groundColor, stroke: series.hatchColor, lineWidth: 1 } },
      hatches(shape, series.hatchColor),
    ],
  };
}

/** Slanting lines in a rectangle: shapes, not a pattern, so that the picture refers to nothing. */
function hatches({ x, y, width, height }, stroke) {
  const lines = [];
  for (let c = 6; c < width + height; c += 6) { // along x − left + bottom − y = c
    const low = Math.max(0, c - height);
    const high = Math.min(c, width);
    lines.push({
      type: "line", shape: { x1: x + low, y1: y + height - (c - low), x2: x + high, y2: y + height - (c - high) },
      style: { stroke, lineWidth: 1 },
    });
  }
  return { type: "group", children: lines };
}

/** place gives [across, along] in pixels, turn makes [x, y] of them; across is the axis on which the bars stand. */
function errorBar(api, series, place, turn) {
  const [across, low] = place(api.value(0), api.value(1));
  const [, high] = place(api.value(0), api.value(2));
  const cap = series.cap ?? 5;
  const line = (from, to, stroke, lineWidth) => {
    const [x1, y1] = turn(from);
    const [x2, y2] = turn(to);
    return { type: "line", shape: { x1, y1, x2, y2 }, style: { stroke, lineWidth, fill: "none" } };
  };
  const lines = (stroke, lineWidth) => [
    line([across, low], [across, high], stroke, lineWidth),
    line([across - cap, low], [across + cap, low], stroke, lineWidth),
    line([across - cap, high], [across + cap, high], stroke, lineWidth),
  ];
  // on a ground of its own, so that it is seen on a dark bar too
  return { type: "group", children: [...(series.groundColor ? lines(series.groundColor, 3.5) : []), ...lines(api.visual("color"), 1.5)] };
}

// What stands around a picture is part of it: {title, subtitle, unit, axis, note, source, mark, height, rows}. Each text wraps at the width that
// there is, and the element grows by what that takes; height is that of the picture itself, and rows are the names of lying bars.
// Without a title it stands below the page's own, at whose edge it begins, or alone: below that of a page which takes no face along.
const marginOf = (words) => (words?.title ? 8 : 0);
const styles = { title: [19, 600, 1.3], subtitle: [14, 400, 1.4], unit: [13, 400, 1.4], axis: [13, 400, 1.4], note: [13, 400, 1.4], source: [13, 400, 1.4] };

/** Lays the words out: where each line goes, and how much of the height they take above and below. */
export function frame({ words }, element) {
  const width = element.clientWidth;
  const left = marginOf(words);
  const family = familyOf(words, element);
  const texts = [];
  const block = (name, y) => {
    const [size, weight, spacing] = styles[name];
    const lines = words[name] ? wrap(words[name], width - 2 * left, `${weight} ${size}px ${family}`) : [];
    const step = Math.round(size * spacing);
    lines.forEach((text, i) => texts.push({ name, text, y: y + i * step, font: `${weight} ${size}px ${family}`, size, weight }));
    return lines.length * step;
  };
  let head = words.title ? left : 4;
  head += block("title", head);
  if (words.subtitle) head += 4 + block("subtitle", head + 4);
  if (words.unit) head += (words.title ? 12 : 0) + block("unit", head + (words.title ? 12 : 0));
  const above = texts.length;
  let foot = 0;
  if (words.axis) foot += 4 + block("axis", 4) + 4;
  const rule = words.note || words.source ? (foot += 8) : null;
  if (words.note) foot += 8 + block("note", foot + 8);
  if (words.source) foot += 4 + block("source", foot + 4);
  foot += 8;
  let plot = words.height;
  let names = null;
  if (words.rows) {
    const font = `400 13px ${family}`;
    names = words.rows.map((name) => wrap(name, Math.round(0.4 * width), font));
    plot = words.rows.length * Math.max(26, 17 * Math.max(...names.map((lines) => lines.length)) + 8) + 48;
  }
  return { width, family, texts, above, head, foot, rule, names, plot, height: head + plot + foot };
}

/** The page's own face; what leaves the page has the system's, as it cannot take a face along. */
const familyOf = (words, element) => (words?.title || words?.alone ? "system-ui, sans-serif" : getComputedStyle(element).fontFamily || "system-ui, sans-serif");

const measured = (text, font) => platformApi.measureText(text, font).width;

/** Breaks a text into lines at spaces, and words that are longer than a line anywhere. */
function wrap(text, width, font) {
  const lines = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line ? `${line} ${word}` : word;
    if (measured(longer, font) <= width) {
      line = longer;
      continue;
    }
    if (line) lines.push(line);
    line = "";
    for (const letter of word) {
      if (line && measured(line + letter, font) > width) {
        lines.push(line);
        line = "";
      }
      line += letter;
    }
  }
  return [...lines, line];
}

/** Puts the words into an option, and the picture between them. */
function around(option, element, height, style) {
  const { words } = option;
  const left = marginOf(words);
  const { width, family, texts, above, head, foot, rule, names } = frame(option, element);
  const token = (name) => style.getPropertyValue(name).trim();
  const inner = height - head - foot;
  const inside = (size, start) => start + (typeof size === "string" && size.endsWith("%") ? (inner * parseFloat(size)) / 100 : size);
  const grids = [option.grid ?? []].flat().map((grid) => ({
    ...grid, top: inside(grid.top ?? 0, head), bottom: grid.bottom === undefined ? undefined : inside(grid.bottom, foot),
    height: grid.height === undefined ? undefined : inside(grid.height, 0),
  }));
  option.grid = Array.isArray(option.grid) ? grids : grids[0];
  for (const above of [option.legend, option.visualMap]) if (above) above.top = head + (above.top ?? 0);
  if (names) {
    option.yAxis.data = names.map((lines) => lines.join("\n"));
    option.yAxis.axisLabel = { ...option.yAxis.axisLabel, fontSize: 13, lineHeight: 17, interval: 0, hideOverlap: false };
  }
  option.textStyle = { ...option.textStyle, fontFamily: family };
  const start = (text, i) => (i < above ? text.y : height - foot + text.y);
  option.graphic = texts.map((text, i) => ({
    type: "text", silent: true, z: 5, x: text.name === "axis" ? width / 2 : left, y: start(text, i),
    style: {
      text: text.text, font: text.font, fontSize: text.size, fontWeight: text.weight, fontFamily: family,
      fill: token(text.name === "title" ? "--ink" : "--ink-soft"), align: text.name === "axis" ? "center" : "left", verticalAlign: "top",
    },
  }));
  if (rule !== null) {
    const y = height - foot + rule;
    option.graphic.push({ type: "line", silent: true, shape: { x1: left, y1: y, x2: width - left, y2: y }, style: { stroke: token("--line"), lineWidth: 1 } });
  }
  if (words.mark) {
    // across the bars themselves, so that no crop can take it off
    const size = Math.round(Math.min(width / 7, inner / 3, 84));
    option.graphic.push({
      type: "text", silent: true, z: 4, x: width / 2, y: head + inner / 2, rotation: 0.3,
      style: {
        text: words.mark, font: `600 ${size}px ${family}`, fontSize: size, fontWeight: 600, fontFamily: family, fill: token("--ink-soft"), opacity: 0.22,
        align: "center", verticalAlign: "middle",
      },
    });
  }
  delete option.words;
}

/** Fills in what JSON cannot say and what every chart must have. */
export function complete(option, element, height) {
  const style = getComputedStyle(element);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const whole = colours(option, false, style);
  whole.textStyle = { fontFamily: style.fontFamily.replaceAll('"', "'"), ...whole.textStyle };
  if (whole.words) around(whole, element, height, style);
  whole.aria = { enabled: true, ...whole.aria };
  whole.animation = whole.animation !== false && !still;
  if (whole.tooltip) whole.tooltip = { confine: true, ...whole.tooltip, renderMode: "richText" };
  for (const axis of [whole.xAxis ?? [], whole.yAxis ?? []].flat()) {
    if (axis.type !== "value" && axis.type !== "log") continue;
    if (axis.ticks) ticks(axis, element);
    const written = named(numbers, axis.axisLabel?.numbers ?? "grouped");
    axis.axisLabel = { ...axis.axisLabel, formatter: written };
    if (whole.tooltip?.trigger === "axis") whole.tooltip.valueFormatter = (value) => (typeof value === "number" ? written(value) : value);
  }
  for (const series of [whole.series ?? []].flat()) {
    if (series.type === "custom") {
      const render = named(renderers, series.renderItem);
      series.renderItem = (params, api) => render(api, series);
    }
    for (const point of Array.isArray(series.data) ? series.data : []) {
      if (point?.says) point.tooltip = { formatter: () => point.says };
    }
  }
  return whole;
}

/** Puts the ticks of an axis where bins begin and end: at each, or where that is too close, at every second, fourth, fifth, … */
function ticks(axis, element) {
  const all = axis.ticks;
  delete axis.ticks;
  const written = named(numbers, axis.axisLabel?.numbers ?? "grouped");
  const room = Math.max(...all.map((edge) => measured(written(edge), "13px sans-serif"))) + 14;
  const most = Math.max(2, Math.floor((element.clientWidth - 80) / room));
  const every = [1, 2, 4, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000].find((n) => (all.length - 1) / n <= most) ?? all.length;
  let shown = all.filter((_, i) => i % every === 0);
  // The last edge is named, unless that of the tick before it would be in the way.
  const last = all.at(-1);
  if (shown.at(-1) !== last) shown = [...((last - shown.at(-1)) / (last - all[0]) * (element.clientWidth - 80) < room ? shown.slice(0, -1) : shown), last];
  axis.axisTick = { ...axis.axisTick, customValues: shown };
  axis.axisLabel = { ...axis.axisLabel, customValues: shown, hideOverlap: false };
}

/** Numbers as elsewhere on the page. Years are plain. */
const numbers = {
  plain: (value) => String(value).replace("-", "\u2212"),
  grouped: (value) => numbers.plain(value).replace(/^\D?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, "\u00a0")),
};

/** Copies a JSON value; texts that stand for a colour are looked up in the style. */
function colours(value, isColour, style) {
  if (Array.isArray(value)) return value.map((item) => colours(item, isColour, style));
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, colours(item, /color$/i.test(key), style)]));
  }
  if (!isColour || typeof value !== "string") return value;
  const variable = /^var\((--[\w-]+)\)$/.exec(value);
  if (!variable) return value;
  const colour = style.getPropertyValue(variable[1]).trim();
  if (!colour) throw new Error(`charts: the style sheet has no ${variable[1]}`);
  return colour;
}

function named(table, name) {
  if (!Object.hasOwn(table, name)) throw new Error(`charts: no renderer ${JSON.stringify(name)}, want one of ${Object.keys(table).join(", ")}`);
  return table[name];
}
