// axe-core (Deque's rules of WCAG and good practice) finds no violation in the viewer and in the report.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { openPage } from "./browser.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// The script runs in the page from outside, so the page's policy does not block it.
async function violations(tab) {
  await tab.evaluate(axe);
  const { violations: found, passes } = await tab.evaluate(() => window.axe.run(document));
  assert.ok(passes.length > 15, `${passes.length} rules were looked at`);
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`);
}

test("axe finds nothing in the viewer: light and dark, comparing, a difference, a step, an alternative", async () => {
  for (const theme of ["light", "dark"]) {
    for (const view of ["#s=3", "#s=3&r=1&w=1", "#s=3&c=1", "#s=3&c=1&d=1", "#s=3&a=i2&r=2&e=2", "#s=8&h=1"]) {
      const tab = await openPage("tongues", view, { theme });
      assert.deepEqual(await violations(tab), [], `${theme} ${view}`);
      await tab.close();
    }
    for (const [page, view] of [["stack", "#s=0&h=9&r=1"], ["pictures", "#s=1"], ["pictures", "#s=1&r=2&c=1"], ["pictures", "#s=0&r=1&b=1"],
      ["stories", "#s=0&r=0&w=2"], ["pairs", "#s=0&r=1"], ["text", "#s=0"], ["nine", ""], ["nine", "#s=0&c=1&p=1"], ["films", "#s=0&e=1"], ["own", ""], ["links", "#s=0&r=0"]]) {
      const tab = await openPage(page, view, { theme });
      assert.deepEqual(await violations(tab), [], `${theme} ${page} ${view}`);
      await tab.close();
    }
  }
});

test("axe finds nothing on small screens, with the step below the list", async () => {
  for (const theme of ["light", "dark"]) {
    for (const [width, height, view] of [[1024, 768, "#s=3&r=1"], [1280, 720, "#s=3&r=1&c=1"], [853, 480, "#s=3&r=1"], [853, 480, "#s=3&r=1&c=1"]]) {
      const tab = await openPage("tongues", view, { width, height, theme });
      assert.deepEqual(await violations(tab), [], `${width} ${view}`);
      await tab.close();
    }
  }
});

test("axe finds nothing on a phone, in the table of weights, in the help", async () => {
  for (const [width, key] of [[390, null], [1440, "w"], [1440, "?"]]) {
    const tab = await openPage("trained", "", { width });
    if (key) await tab.keyboard.press(key);
    assert.deepEqual(await violations(tab), [], `${width} ${key}`);
    await tab.close();
  }
});

test("axe finds nothing in the page of an experiment, on a phone neither", async () => {
  for (const width of [1440, 390]) {
    const tab = await openPage("experiment/permutation", "", { width, ready: false });
    assert.deepEqual(await violations(tab), [], `${width}`);
    await tab.close();
  }
});

test("axe finds nothing in the report", async () => {
  for (const theme of ["light", "dark"]) {
    const tab = await openPage("papers/bahdanau", "", { theme, ready: false });
    assert.deepEqual(await violations(tab), [], theme);
    await tab.close();
  }
});

test("axe reports a violation in a page that has one", async () => {
  const tab = await openPage("tongues", "#s=3");
  await tab.evaluate(() => document.getElementById("filter").removeAttribute("aria-label"));
  await tab.evaluate(() => document.getElementById("filter").removeAttribute("placeholder"));
  assert.match((await violations(tab)).join("\n"), /^label: /);
  await tab.close();
});
