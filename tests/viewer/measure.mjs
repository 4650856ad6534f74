// Measures how many milliseconds Chromium's main thread works to open a page and to answer actions on it. Run it by hand
// on an idle machine. The checks have separate, wider limits.
//   python3 tests/viewer/records.py 5000 runs/bulk          hand-made records of ordinary sentences
//   build/view --run runs/bulk --out bulk.html
//   node tests/viewer/measure.mjs bulk.html [times]
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { drawn, openBrowser } from "./browser.mjs";

const [page, times = "9"] = process.argv.slice(2);
if (!page) {
  console.error("usage: node tests/viewer/measure.mjs PAGE.html [times]");
  process.exit(2);
}
const browser = await openBrowser();
const tab = await browser.newPage({ viewport: { width: 1440, height: 900 } });
const session = await tab.context().newCDPSession(tab);
await session.send("Performance.enable", { timeDomain: "threadTicks" });

// Returns the CPU time of the main thread so far: script, style, layout and paint.
async function spent() {
  const { metrics } = await session.send("Performance.getMetrics");
  return 1000 * metrics.find(({ name }) => name === "TaskDuration").value;
}

const started = Date.now();
await tab.goto(pathToFileURL(resolve(page)).href);
await tab.waitForFunction(() => document.documentElement.dataset.ready);
await drawn(tab);
console.log(`${page}: ready after ${Date.now() - started} ms, of which the main thread worked ${(await spent()).toFixed(0)} ms`);

const quiet = () => new Promise((done) => setTimeout(done, 300));
const value = (id, x) => tab.evaluate(([id, x]) => {
  const node = document.getElementById(id);
  node.value = x;
  node.dispatchEvent(new Event(node.tagName === "SELECT" ? "change" : "input", { bubbles: true }));
}, [id, x]);
const key = (k) => tab.evaluate((k) => { document.body.dispatchEvent(new KeyboardEvent("keydown", { key: k, bubbles: true })); }, k);
const view = async (hash) => {
  await tab.evaluate((text) => { location.hash = text; }, hash);
  await quiet();
};

// Returns the median cost of one action, including everything that it causes.
async function measure(name, act) {
  const costs = [];
  for (let k = 0; k < Number(times); ++k) {
    const before = await spent();
    await act(k);
    await drawn(tab);
    await quiet();
    costs.push((await spent()) - before);
  }
  costs.sort((a, b) => a - b);
  console.log(`${name.padEnd(42)} median ${costs[costs.length >> 1].toFixed(0)} ms, most ${costs.at(-1).toFixed(0)} ms`);
}

const epochs = await tab.evaluate(() => Number(document.getElementById("epoch").max));
await measure("nothing", () => {});
await measure("next sentence", () => key("j"));
await measure("key in the filter", (k) => value("filter", "small cat".slice(0, 1 + (k % 9))));
await value("filter", "");
await measure("temperature slider", (k) => value("temperature", 10 + 7 * k));
if (epochs > 0) await measure("epoch slider", (k) => value("epoch", k % (epochs + 1)));
for (const [name, hash] of [["sorted by entropy", "o=entropy"], ["by mutual links", "l=mutual"], ["by threshold", "l=threshold"]]) {
  await view(hash);
  await measure(`temperature slider, ${name}`, (k) => value("temperature", 10 + 7 * k));
}
await view("l=threshold");
await measure("threshold slider", (k) => value("threshold", 10 + 7 * k));
await view("o=order");
await measure("another order", (k) => value("sort", ["length", "aer", "entropy"][k % 3]));
await measure("scrolled by a page", (k) => tab.evaluate((k) => { document.getElementById("list").scrollTop = 900 * (k + 1); }, k));
await browser.close();
