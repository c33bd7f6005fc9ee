// Draws the figures of core/density/EXPERIMENTS.md: errors against persons and rounds, and times against persons.
// Usage: node experiments.mjs FIGURES.json PICTURE.svg
import * as echarts from "echarts";
import { readFile, writeFile } from "node:fs/promises";

const [from, to] = process.argv.slice(2);
if (!to) throw new Error("usage: node experiments.mjs FIGURES.json PICTURE.svg");
const { measured, published, experiments } = JSON.parse(await readFile(from, "utf8"));

const colours = ["#8a8f98", "#b0413e", "#d98c3f", "#0f6b5e", "#3f7fbf", "#7a4fa3"];
const shown = ["not private, 20 pieces", "MERR, 20 pieces", "MERR, 16 rounds", "MERR, 64 rounds", "MERR, 6 cubics"];
const mixtures = [...new Set(experiments.map(({ mixture }) => mixture))];
const of = (mixture) => experiments.filter((x) => x.mixture === mixture);
const columns = 3, width = 1200, height = 860, cell = { width: 300, height: 280 };

const option = { animation: false, backgroundColor: "#fff", title: [], legend: [], grid: [], xAxis: [], yAxis: [], series: [] };

/** Adds a picture of lines, {name, points: [[x, y], …], dashed}, both axes logarithmic. */
function panel(title, xName, yName, lines) {
  const at = option.grid.length;
  const left = 80 + (at % columns) * 390, top = 70 + Math.floor(at / columns) * 420;
  option.title.push({ text: title, left, top: top - 44, textStyle: { fontSize: 15 } });
  option.grid.push({ left, top, ...cell });
  option.xAxis.push({ gridIndex: at, type: "log", name: xName, nameLocation: "middle", nameGap: 28, min: "dataMin", max: "dataMax" });
  option.yAxis.push({ gridIndex: at, type: "log", name: yName, nameGap: 8 });
  lines.forEach(({ name, points, dashed }, i) => option.series.push({
    type: "line", xAxisIndex: at, yAxisIndex: at, name, data: points, symbolSize: 6, color: colours[i],
    lineStyle: { type: dashed ? "dashed" : "solid" },
  }));
  option.legend.push({ data: lines.map(({ name }) => name), left, top: top + cell.height + 42, width: cell.width, itemWidth: 16, itemHeight: 8, textStyle: { fontSize: 11 } });
}

for (const mixture of mixtures) {
  const lines = shown.map((name) => ({ name, points: of(mixture).map(({ n, l1 }) => [n, l1[measured.indexOf(name)]]) }));
  if (mixture === "Gaussian") lines.push({ name: "published, 20 pieces", points: Object.entries(published).map(([n, [error]]) => [+n, error]), dashed: true });
  panel(`${mixture} mixture`, "persons", "L1 error", lines);
}
panel("Gaussian mixture, by rounds", "rounds", "L1 error", of("Gaussian").map(({ n, l1 }) => ({
  name: `n = ${n}`, points: [8, 16, 32, 64].map((rounds) => [rounds, l1[measured.indexOf(`MERR, ${rounds} rounds`)]]),
})));
panel("Time", "persons", "milliseconds", [
  { name: "MERR, 20 rounds, after sorting", points: of("Gaussian").map(({ n, seconds }) => [n, 1000 * seconds]) },
  { name: "slices.Sort", points: of("Gaussian").map(({ n, sorting }) => [n, 1000 * sorting]), dashed: true },
]);

const chart = echarts.init(null, null, { renderer: "svg", ssr: true, width, height });
chart.setOption(option);
await writeFile(to, chart.renderToSVGString() + "\n");
chart.dispose(); // else its clock keeps the program alive
