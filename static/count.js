// Counts requests: those that the browser reports to the realm this runs in, the page or a worker. Each realm hears of its own only.

/** Reports, now and whenever there were more: how many went to the page's own server and how many elsewhere since the last report. */
export function countRequests(report) {
  new PerformanceObserver((list) => {
    const requests = { own: 0, foreign: 0 };
    for (const { name } of list.getEntries()) {
      const { protocol, origin } = new URL(name, self.origin);
      if (protocol === "blob:" || protocol === "data:") continue;
      requests[origin === self.origin ? "own" : "foreign"]++;
    }
    if (requests.own || requests.foreign) report(requests);
  }).observe({ type: "resource", buffered: true });
}
