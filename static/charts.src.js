// The chart library as the page sees it: five functions over Apache ECharts, with only the parts that Hush draws.
// build.mjs bundles this file with ECharts into charts.js; the page imports that after its first paint.
//
// An option is JSON text made by Go, so it holds no functions. What would need one goes by name:
//   series of type "custom": "renderItem" is the name of a renderer below;
//   a value axis: "numbers" of its "axisLabel" is how they are written, "grouped" if it does not say;
//   any "color" (textColor, borderColor, …): "var(--name)" is read from the style sheet where the chart stands.
// Rules: the SVG renderer only, no HTML tooltips (the content security policy allows no inline style), English labels,
// a description for screen readers, and no motion for who asked for none.

import * as echarts from "echarts/core";
import { BarChart, CustomChart, GraphChart, HeatmapChart, LineChart, ScatterChart } from "echarts/charts";
import {
  AriaComponent, DatasetComponent, GridComponent, LegendComponent, MarkAreaComponent, MarkLineComponent,
  TitleComponent, TooltipComponent, VisualMapContinuousComponent,
} from "echarts/components";
import { SVGRenderer } from "echarts/renderers";

echarts.use([
  BarChart, CustomChart, GraphChart, HeatmapChart, LineChart, ScatterChart,
  AriaComponent, DatasetComponent, GridComponent, LegendComponent, MarkAreaComponent, MarkLineComponent,
  TitleComponent, TooltipComponent, VisualMapContinuousComponent,
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
  chart.setOption(complete(JSON.parse(option), chart.getDom()), { notMerge: true, lazyUpdate: nextFrame });
}

/** Fits the chart to its element. */
export function resize(chart) {
  const { clientWidth, clientHeight } = chart.getDom();
  if (clientWidth !== chart.getWidth() || clientHeight !== chart.getHeight()) chart.resize(); // it draws all of itself again
}

/** Removes the chart and everything it holds. */
export function dispose(chart) {
  chart.dispose();
}

/** Returns the picture as an SVG document. */
export function toSVG(chart) {
  return chart.renderToSVGString();
}

// An error bar is one data item [at, low, high], at being a place on the other axis.
const renderers = {
  errorBar: (params, api) => errorBar(api, (at, value) => api.coord([at, value]), ([x, y]) => [x, y]),
  errorBarHorizontal: (params, api) => errorBar(api, (at, value) => api.coord([value, at]).reverse(), ([x, y]) => [y, x]),
};

/** place gives [across, along] in pixels, turn makes [x, y] of them; across is the axis on which the bars stand. */
function errorBar(api, place, turn) {
  const [across, low] = place(api.value(0), api.value(1));
  const [, high] = place(api.value(0), api.value(2));
  const cap = 5;
  const line = (from, to) => {
    const [x1, y1] = turn(from);
    const [x2, y2] = turn(to);
    return { type: "line", shape: { x1, y1, x2, y2 }, style: { stroke: api.visual("color"), lineWidth: 1.5, fill: "none" } };
  };
  return {
    type: "group",
    children: [
      line([across, low], [across, high]),
      line([across - cap, low], [across + cap, low]),
      line([across - cap, high], [across + cap, high]),
    ],
  };
}

/** Fills in what JSON cannot say and what every chart must have. */
function complete(option, element) {
  const style = getComputedStyle(element);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const whole = colours(option, false, style);
  whole.textStyle = { fontFamily: style.fontFamily.replaceAll('"', "'"), ...whole.textStyle };
  whole.aria = { enabled: true, ...whole.aria };
  whole.animation = whole.animation !== false && !still;
  if (whole.tooltip) whole.tooltip = { confine: true, ...whole.tooltip, renderMode: "richText" };
  for (const axis of [whole.xAxis ?? [], whole.yAxis ?? []].flat()) {
    if (axis.type !== "value") continue;
    const written = named(numbers, axis.axisLabel?.numbers ?? "grouped");
    axis.axisLabel = { ...axis.axisLabel, formatter: written };
    if (whole.tooltip?.trigger === "axis") whole.tooltip.valueFormatter = (value) => (typeof value === "number" ? written(value) : value);
  }
  for (const series of [whole.series ?? []].flat()) {
    if (series.type === "custom") series.renderItem = named(renderers, series.renderItem);
  }
  return whole;
}

/** Numbers as elsewhere on the page. Values of a column are plain: one may be a year. */
const numbers = {
  plain: (value) => String(value).replace("-", "\u2212"),
  grouped: (value) => numbers.plain(value).replace(/^\D?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, "\u202f")),
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
