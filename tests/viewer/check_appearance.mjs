// Pages are legible, printable, no wider than the screen, and fast.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage, show } from "./browser.mjs";

// Returns the smallest contrast (WCAG 2.1) between a cell's number and its cell.
const worstContrast = (tab) => tab.evaluate(() => {
  const luminance = (colour) => {
    const [r, g, b] = colour.match(/[\d.]+/g).map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const fill = (node) => luminance(getComputedStyle(node).fill);
  const numbers = [...document.querySelectorAll(".number")];
  const contrasts = numbers.map((number) => {
    const [a, b] = [fill(number), fill(number.previousElementSibling)].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  });
  return { count: numbers.length, worst: Math.min(...contrasts) };
});

test("numbers in cells have a contrast of at least 4.5 in both themes, at every epoch, and in the difference", async () => {
  const tab = await openPage("tongues");
  for (const theme of ["light", "dark"]) {
    for (const view of ["e=1", "e=2", "e=4", "c=1&d=1", "f=1", "tau=0.3", "tau=4"]) {
      await show(tab, `#s=3&t=${theme}&${view}`);
      const { count, worst } = await worstContrast(tab);
      assert.ok(count > 4 && worst >= 4.5, `${theme} ${view}: ${worst} of ${count} numbers`);
    }
  }
  await tab.close();
});

// Text has enough contrast to its background in the colours of both themes.
test("text has a contrast of at least 4.5 on its ground in both themes", async () => {
  for (const theme of ["light", "dark"]) {
    const tab = await openPage("tongues", "", { theme });
    const contrasts = await tab.evaluate(() => {
      const style = getComputedStyle(document.documentElement);
      const luminance = (hex) => {
        const [r, g, b] = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const value = (name) => luminance(style.getPropertyValue(name).trim());
      return ["--ink", "--quiet", "--accent", "--wrong"].flatMap((ink) => ["--ground", "--card"].map((ground) => {
        const [a, b] = [value(ink), value(ground)].sort((x, y) => y - x);
        return [ink, ground, (a + 0.05) / (b + 0.05)];
      }));
    });
    for (const [ink, ground, contrast] of contrasts) assert.ok(contrast >= 4.5, `${theme}: ${ink} on ${ground}: ${contrast}`);
    await tab.close();
  }
});

test("no sentence makes the page scroll sideways, on any screen", async () => {
  for (const width of [1440, 1024, 390]) {
    const tab = await openPage("tongues", "#s=0", { width });
    for (const view of ["s=0", "s=3", "s=5", "s=6", "s=7", "s=3&c=1", "s=7&c=1"]) {
      await show(tab, "#" + view);
      const [page, screen] = await tab.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(page <= screen, `${view} at ${width}: ${page}`);
    }
    await tab.close();
  }
});

test("a short sentence is drawn large, and a long one completely", async () => {
  const tab = await openPage("tongues", "#s=7");
  const size = await tab.$eval(".cell", (node) => node.getBoundingClientRect().width);
  assert.ok(size >= 11.9 && size <= 16.1, `cells of ${size} px`);
  const order = await tab.evaluate(() => document.querySelector(".matrix .cell").getBoundingClientRect().top <
    document.querySelector(".ribbon").getBoundingClientRect().top);
  assert.ok(order, "of a large sentence the matrix comes first");
  await show(tab, "#s=0");
  assert.equal((await tab.$$(".number")).length > 0, true);
  await tab.close();
});

test("a sentence prints on one page, light", async () => {
  for (const view of ["#s=3&t=dark", "#s=7", "#s=3&c=1"]) {
    const tab = await openPage("tongues", view);
    const pdf = (await tab.pdf({ preferCSSPageSize: true, printBackground: true })).toString("latin1");
    assert.equal((pdf.match(/\/Type\s*\/Page[^s]/g) ?? []).length, 1, view);
    await tab.emulateMedia({ media: "print" });
    await tab.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.equal(await tab.getAttribute("html", "data-theme"), "light");
    await tab.close();
  }
});

// A shared machine may be slow: the limits that fail are five times those that are aimed at.
test("500 records are ready in under 2 s, the next sentence in under 50 ms", async () => {
  const started = Date.now();
  const tab = await openPage("bulk");
  const ready = Date.now() - started;
  assert.equal(await tab.getAttribute("#list [role=option]", "aria-setsize"), "500");
  const steps = await tab.evaluate(() => [...Array(21)].map(() => {
    const before = performance.now();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }));
    return performance.now() - before;
  }));
  const median = steps.sort((a, b) => a - b)[10];
  console.log(`500 records: ready in ${ready} ms, next sentence in ${median.toFixed(1)} ms`);
  assert.ok(ready < 5 * 2000, `ready after ${ready} ms`);
  assert.ok(median < 5 * 50, `next sentence after ${median} ms`);
  await tab.close();
});
