// Takes screenshots of a page: wide and narrow, light and dark. It takes the complete report, or one screen from the section
// that the hash names.
//   node tests/viewer/screenshots.mjs page.html FOLDER ["#s=3&e=2"]
//   node tests/viewer/screenshots.mjs bahdanau.html FOLDER ["#example"]
import { mkdirSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { openBrowser } from "./browser.mjs";

const [page, folder, hash = ""] = process.argv.slice(2);
if (!page || !folder) {
  console.error('usage: node tests/viewer/screenshots.mjs page.html FOLDER ["#hash"]');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const browser = await openBrowser();
for (const [width, height] of [[1440, 900], [1280, 720], [390, 844]]) {
  for (const theme of ["light", "dark"]) {
    const tab = await browser.newPage({ viewport: { width, height }, colorScheme: theme });
    await tab.goto(pathToFileURL(resolve(page)).href + hash);
    const drawn = (await tab.$("script")) != null;  // the report has no script: it is there at once, and long
    if (drawn) await tab.waitForFunction(() => document.documentElement.dataset.ready);
    const path = `${folder}/${basename(page, ".html")}-${width}-${theme}.png`;
    await tab.screenshot({ path, fullPage: drawn ? width < 1440 : hash === "" });
    console.log(path);
    await tab.close();
  }
}
await browser.close();
