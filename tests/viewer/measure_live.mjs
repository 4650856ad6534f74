// Measures a live page in Chromium, and prints JSON: the size of the module and of the page, seconds to the first answer,
// milliseconds per key press, training steps per second of the page and of the native program with one thread, and memory.
// Page and program train the same model on the same pairs, in turn. Run it by hand on an idle machine; "load" tells how busy
// it was.
//   node tests/viewer/measure_live.mjs FOLDER NAME [BUILD]   for FOLDER/NAME.html; BUILD has the programs (build)
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliCompressSync, gunzipSync, gzipSync } from "node:zlib";
import { closeBrowser, folder, openPage } from "./browser.mjs";

const [name = "live", build = "build"] = process.argv.slice(3);
const path = join(folder, `${name}.html`);
const rounds = 3;
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const sizes = (bytes) => ({ bytes: bytes.length, gzip: gzipSync(bytes).length, brotli: brotliCompressSync(bytes).length });
const html = readFileSync(path, "utf8");
const part = (id) => gunzipSync(Buffer.from(html.match(new RegExp(`id="${id}">([^<]*)</script>`))[1], "base64"));

// Writes the files of the page's training (live_parts.h) into a folder.
function writeLesson(to) {
  const bytes = part("live-lesson");
  for (let at = 0; at < bytes.length;) {
    const take = () => {
      const size = bytes.readUInt32LE(at);
      at += 4 + size;
      return bytes.subarray(at - size, at);
    };
    const file = join(to, take().toString());
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, take());
  }
}

// The resident memory of Chromium's largest process with a page, in bytes, and its largest value so far.
async function memoryOf(tab) {
  const browser = await tab.context().browser().newBrowserCDPSession();
  const { processInfo } = await browser.send("SystemInfo.getProcessInfo");
  const used = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => {
    const status = readFileSync(`/proc/${id}/status`, "utf8");
    const kilobytes = (key) => 1024 * Number(status.match(new RegExp(`${key}:\\s+(\\d+) kB`))[1]);
    return { now: kilobytes("VmRSS"), most: kilobytes("VmHWM") };
  });
  return { now: Math.max(...used.map(({ now }) => now)), most: Math.max(...used.map(({ most }) => most)) };
}

async function pressKeys(tab) {
  const times = await tab.evaluate(async (text) => {
    const field = document.getElementById("live-text");
    const found = [];
    for (let k = 0; found.length < 50; ++k) {
      field.value = text.slice(0, 1 + (k % text.length));
      const begin = performance.now();
      field.dispatchEvent(new Event("input"));
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));  // the page translates and draws in this frame
      found.push(performance.now() - begin);
    }
    return found;
  }, "i do not see the red car and the old cat sees me ");
  return { median: median(times), worst: Math.max(...times), count: times.length };
}

async function trainInPage(tab) {
  await tab.evaluate(() => { document.documentElement.dataset.training = ""; });  // "ended" remains from an earlier round
  await tab.click("#live-train");
  await tab.waitForFunction(() => document.documentElement.dataset.training === "ended", null, { timeout: 400000 });
  const status = await tab.textContent("#live-status");
  const [, steps, seconds] = status.match(/Trained ([\d,]+) steps in ([\d.]+) s/);
  return { steps: Number(steps.replaceAll(",", "")), seconds: Number(seconds) };
}

// Trains with the native program. Its time is that of the epochs, as in the page: without reading the corpus.
function trainNatively(lesson, out) {
  const { OPENBLAS_CORETYPE, OPENBLAS_L2_SIZE, ...environment } = process.env;  // both make OpenBLAS slower
  execFileSync(join(build, "train"), ["--config", join(lesson, "run/config.json"), "--data", join(lesson, "corpus"), "--threads", "1",
    "--out", out, "--force"], { stdio: "ignore", env: { ...environment, OMP_NUM_THREADS: "1" } });
  return readFileSync(join(out, "timing.jsonl"), "utf8").trim().split("\n").map((line) => JSON.parse(line))
    .reduce((total, { seconds = 0 }) => total + seconds, 0);
}

const module = ["softalign.wasm", "softalign.js"].map((file) => join(build, "../build-wasm", file));
const found = {
  load_at_start: loadavg()[0],
  module: existsSync(module[0]) ? Object.fromEntries(module.map((file) => [file.split("/").at(-1), sizes(readFileSync(file))])) : null,
  page: { ...sizes(readFileSync(path)), bytes: statSync(path).size, model_bytes: part("live-run").length },
};
const seconds = [];
let tab = null;
for (let k = 0; k < 5; ++k) {
  await tab?.close();
  const begin = performance.now();
  tab = await openPage(name, "#s=own&y=i+love+you");
  await tab.waitForFunction(() => document.documentElement.dataset.live === "ready" && document.querySelector(".own .panel .figure"), null, { timeout: 60000, polling: 10 });
  seconds.push((performance.now() - begin) / 1000);
}
found.seconds_to_first_answer = { median: median(seconds), first: seconds[0], all: seconds };
found.ms_per_key_press = await pressKeys(tab);
found.memory = { page_bytes: (await memoryOf(tab)).now };
if (html.match(/id="live-lesson">[^<]/)) {
  const temporary = mkdtempSync(join(tmpdir(), "measure-live-"));
  writeLesson(temporary);
  const [ours, native] = [[], []];
  let steps = 0;
  for (let round = 0; round < rounds; ++round) {
    native.push(trainNatively(temporary, join(temporary, "native")));
    const trained = await trainInPage(tab);
    steps = trained.steps;
    ours.push(trained.seconds);
  }
  const perSecond = (times) => ({ median: steps / median(times), seconds: times });
  found.training = { steps, page_steps_per_second: perSecond(ours), native_steps_per_second: perSecond(native), native_times_faster: median(ours) / median(native) };
  found.memory.with_training_bytes = (await memoryOf(tab)).most;
  rmSync(temporary, { recursive: true });
}
found.load_at_end = loadavg()[0];
await closeBrowser();
console.log(JSON.stringify(found, null, 1));
