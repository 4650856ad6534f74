// Measures a live page in Chromium: seconds to the first answer, milliseconds per key press, training, memory.
//   node tests/viewer/measure_live.mjs FOLDER NAME    for FOLDER/NAME.html; prints JSON
import { statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { closeBrowser, drawn, folder, openPage } from "./browser.mjs";

const name = process.argv[3] ?? "live";
const path = join(folder, `${name}.html`);
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const found = { load: loadavg()[0], page_bytes: statSync(path).size, page_gzip_bytes: gzipSync(readFileSync(path)).length };
const ready = (tab) => tab.waitForFunction(() => document.documentElement.dataset.live === "ready" && document.querySelector(".own .panel .cell"), null, { timeout: 60000, polling: 10 });

const seconds = [];
for (let k = 0; k < 5; ++k) {
  const begin = performance.now();
  const tab = await openPage(name, "#s=own&y=i+love+you");
  await ready(tab);
  seconds.push((performance.now() - begin) / 1000);
  if (k < 4) await tab.close();
  else {
    const sentence = "i do not see the red car and the old cat sees me ";
    const presses = await tab.evaluate(async (text) => {
      const field = document.getElementById("live-text");
      const times = [];
      for (let k = 0; times.length < 50; ++k) {
        field.value = text.slice(0, 1 + (k % text.length));
        const begin = performance.now();
        field.dispatchEvent(new Event("input"));
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));  // the page translates and draws in this frame
        times.push(performance.now() - begin);
      }
      return times;
    }, sentence);
    found.ms_per_key_press = { median: median(presses), worst: Math.max(...presses), count: presses.length };
    await tab.click("#live-train");
    await tab.waitForFunction(() => document.documentElement.dataset.training === "ended", null, { timeout: 400000 });
    found.training = await tab.textContent("#live-status");
    const client = await tab.context().newCDPSession(tab);
    const { usedSize } = await client.send("Runtime.getHeapUsage");
    found.script_heap_bytes = usedSize;
    found.load_at_end = loadavg()[0];
    await drawn(tab);
  }
}
found.seconds_to_first_answer = { median: median(seconds), all: seconds };
await closeBrowser();
console.log(JSON.stringify(found, null, 1));
