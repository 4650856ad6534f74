// The browser of the checks is the system's Chromium, or its Firefox with BROWSER=firefox. It has no display and no network.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import playwright from "playwright-core";

const first = (...paths) => paths.find((path) => path && existsSync(path));
export const chromiumPath = first(process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");
export const isFirefox = process.env.BROWSER === "firefox";

export function openBrowser() {
  if (isFirefox) {
    const executablePath = first(process.env.FIREFOX, "/usr/bin/firefox-esr", "/usr/bin/firefox");
    if (!executablePath) throw new Error("no firefox here; on Debian: sudo apt-get install firefox-esr; or set FIREFOX");
    return playwright._bidiFirefox.launch({ executablePath });  // WebDriver BiDi, which unchanged Firefox speaks
  }
  if (!chromiumPath) throw new Error("no chromium here; on Debian: sudo apt-get install chromium; or set CHROMIUM");
  // Root, as in a container, may only start it without its sandbox; what it opens are our own pages.
  return playwright.chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
}

// The folder with the pages, given on the command line.
export const folder = resolve(process.argv[2] ?? ".");
export const jsonLines = (path) => readFileSync(join(folder, path), "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));

let browser = null;
export async function closeBrowser() {
  await browser?.close();
}

// Tabs that wait to be used again, with and without touch: a new one takes a process of its own, and four times as long.
const waiting = { true: [], false: [] };

async function newTab(touch) {
  browser ??= await openBrowser();
  const tab = await browser.newPage({ hasTouch: touch && !isFirefox });  // Playwright refuses it for Firefox
  tab.on("console", (message) => tab.complaints.push(`console: ${message.text()}`));
  tab.on("pageerror", (error) => tab.complaints.push(`error: ${error.message}`));
  tab.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) tab.complaints.push(`request: ${request.url()}`);
  });
  tab.close = async () => {
    await tab.mouse.move(0, 0);
    await tab.goto("about:blank");
    waiting[touch].push(tab);
  };
  return tab;
}

// Opens a page in a separate tab. `complaints` collects events that must never occur: console messages, errors, and
// requests to a network.
export async function openPage(name, hash = "", { width = 1440, height = 900, theme = "light", ready = true, touch = false } = {}) {
  const tab = waiting[touch].pop() ?? await newTab(touch);
  tab.complaints = [];
  await tab.setViewportSize({ width, height });
  await tab.emulateMedia({ media: null, colorScheme: theme });
  await tab.goto(pathToFileURL(join(folder, `${name}.html`)).href + hash);
  if (ready) await tab.waitForFunction(() => document.documentElement.dataset.ready, null, { timeout: 60000 });
  return tab;
}

// The page draws at the next frame, so earlier requests are drawn after two frames.
export const drawn = (tab) => tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

// A further view of the page that is open, by its URL.
export async function show(tab, hash) {
  await tab.evaluate((text) => { location.hash = text; }, hash);
  await drawn(tab);
}

// The pointer in the middle of an element.
export async function hover(tab, selector) {
  await drawn(tab);
  await tab.hover(selector, { force: true });
}

// Writes text into a field. In Firefox, Playwright would press a key per letter, and the page translates at each.
export async function write(tab, selector, text) {
  if (!isFirefox) return tab.fill(selector, text);
  return tab.evaluate(([where, value]) => {
    const field = document.querySelector(where);
    field.value = value;
    field.dispatchEvent(new Event("input"));
  }, [selector, text]);
}

// Touches the page at the first point, moves the finger to the others, and lifts it. A point is [x, y]. Playwright has no
// touch for Firefox, so this sends the actions of WebDriver BiDi.
export async function touchAlong(tab, points) {
  const [first, ...others] = points.map(([x, y]) => ({ x: Math.round(x), y: Math.round(y) }));
  let [down, move, up] = [];
  if (isFirefox) {
    const session = tab._connection.toImpl(tab).delegate._session;
    const act = (...actions) => session.send("input.performActions", { context: session.sessionId,
      actions: [{ type: "pointer", id: "finger", parameters: { pointerType: "touch" }, actions }] });
    const to = (point) => ({ type: "pointerMove", ...point });
    down = (point) => act(to(point), { type: "pointerDown", button: 0 });
    move = (point) => act(to(point));
    up = () => act({ type: "pointerUp", button: 0 });
  } else {
    const client = await tab.context().newCDPSession(tab);
    const send = (type, ...touchPoints) => client.send("Input.dispatchTouchEvent", { type, touchPoints });
    down = (point) => send("touchStart", point);
    move = (point) => send("touchMove", point);
    up = () => send("touchEnd");
  }
  await down(first);
  for (const point of others) {
    await move(point);
    await drawn(tab);
  }
  await up();
  await drawn(tab);
  await drawn(tab);
}

// Clicks and writes the file that the page saves. In Firefox, Playwright does not report downloads, so this takes the blob.
export async function save(tab, selector, path) {
  if (!isFirefox) {
    const [download] = await Promise.all([tab.waitForEvent("download"), tab.click(selector)]);
    return download.saveAs(path);
  }
  await tab.evaluate(() => {
    window.makeUrl ??= URL.createObjectURL;
    URL.createObjectURL = (blob) => window.makeUrl.call(URL, window.savedBlob = blob);
  });
  await tab.click(selector);
  const bytes = await tab.evaluate(async () => {
    const content = new Uint8Array(await window.savedBlob.arrayBuffer());
    let text = "";
    for (const byte of content) text += String.fromCharCode(byte);
    return btoa(text);
  });
  writeFileSync(path, Buffer.from(bytes, "base64"));
}

// Returns every row of the list in its order. It scrolls, because the page keeps only the visible rows.
export const listed = (tab) => tab.evaluate(async () => {
  const list = document.getElementById("list");
  const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const found = new Map();
  for (let [top, before] = [0, -1]; top !== before;) {
    list.scrollTop = top;
    await drawn();
    for (const row of list.querySelectorAll("[role=option]")) {
      const text = (selector) => row.querySelector(selector).firstChild?.textContent;
      found.set(Number(row.getAttribute("aria-posinset")), { i: Number(row.dataset.i), figure: text(".figure-of"), target: row.querySelector(".target").textContent });
    }
    before = top;
    list.scrollTop += list.clientHeight;
    top = list.scrollTop;
  }
  return [...found].sort(([a], [b]) => a - b).map(([, row]) => row);
});

export const texts = (tab, selector) => tab.$$eval(selector, (nodes) => nodes.map((node) => node.textContent));
