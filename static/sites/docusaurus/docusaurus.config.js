export default {
  title: "A page about privacy",
  url: "https://docs.example",
  baseUrl: "/",
  scripts: [{ src: "ADDRESS/embed.js", async: true }],
  presets: [["classic", { docs: { routeBasePath: "/" }, blog: false }]],
};
