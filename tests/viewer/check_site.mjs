// Opens every prepared state of the site, and a chapter with a live page.
//   node tests/viewer/check_site.mjs SITE            test_site.py makes the site and runs this
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, test } from "node:test";
import { join } from "node:path";
import { closeBrowser, drawn, folder, openPage } from "./browser.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const states = JSON.parse(readFileSync(join(folder, "states.json"), "utf8"));
after(closeBrowser);

test("each state opens with what is typed, and the model knows its words", async () => {
  for (const state of [...new Set(states)]) {
    const [page, hash] = state.split(/\.html(?=#)/);
    const tab = await openPage(page, hash);
    await tab.waitForFunction(() => document.documentElement.dataset.live === "ready", null, { timeout: 60000 });
    await drawn(tab);
    const wanted = new URLSearchParams(hash.slice(1));
    const shown = new URLSearchParams((await tab.evaluate(() => location.hash)).slice(1));
    for (const key of wanted.keys()) assert.equal(shown.get(key), wanted.get(key), `${state}: ${key}`);
    assert.doesNotMatch(await tab.textContent("#live-words"), /not in the vocabulary|Type a|Write a|Paint a/, state);
    assert.ok((await tab.$$(".own .panel .figure")).length > 0, state);
    assert.deepEqual(tab.complaints, [], state);
    await tab.close();
  }
});

test("a chapter shows its live page", async () => {
  const tab = await openPage("docs/course/07-attention", "", { ready: false });
  await tab.locator(".try iframe").scrollIntoViewIfNeeded();
  const frame = tab.frameLocator(".try iframe");
  await frame.locator(".panel .cell").first().waitFor({ timeout: 60000 });
  await frame.locator("#live-text").fill("you love me");
  await frame.locator(".panel .column-word title", { hasText: "you" }).first().waitFor({ state: "attached" });
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("axe finds nothing in a chapter, the index and the lesson", async () => {
  for (const theme of ["light", "dark"]) {
    for (const [page, width] of [["docs/course/05-training-step", 1440], ["index", 390], ["lesson", 1280], ["docs/results", 390]]) {
      const tab = await openPage(page, "", { ready: false, theme, width });
      await tab.evaluate(axe);
      const { violations, passes } = await tab.evaluate(() => window.axe.run(document, { iframes: false }));
      assert.ok(passes.length > 10);
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`), [], `${page} ${theme}`);
      await tab.close();
    }
  }
});
