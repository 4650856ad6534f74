// Paper, a phone, a page enlarged to 200%, a small and a large screen.
import assert from "node:assert/strict";
import { test } from "node:test";
import { drawn, openPage, show, texts } from "./browser.mjs";

const pagesOf = async (tab) =>
  ((await tab.pdf({ preferCSSPageSize: true, printBackground: true })).toString("latin1").match(/\/Type\s*\/Page[^s]/g) ?? []).length;
const box = (tab, selector) => tab.$eval(selector, (node) => node.getBoundingClientRect().toJSON());

// Returns the text and the lines of each figure that are outside of it.
const cutOff = (tab, figures, parts) => tab.$$eval(figures, (nodes, selector) => nodes.flatMap((figure) => {
  const frame = figure.getBoundingClientRect();
  return [...figure.querySelectorAll(selector)].map((node) => [node.textContent || node.tagName, node.getBoundingClientRect()])
    .filter(([, it]) => it.left < frame.left - 1 || it.right > frame.right + 1 || it.top < frame.top - 1 || it.bottom > frame.bottom + 1)
    .map(([what]) => what);
}), parts);

test("a sentence prints on one page, two next to each other, with complete learning curves", async () => {
  for (const width of [1440, 800, 390]) {
    for (const view of ["#s=3&r=1", "#s=3&c=1", "#s=3&c=1&d=1", "#s=3&a=i2&r=2", "#s=5&c=1", "#s=7", "#s=7&c=1", "#s=6"]) {
      const tab = await openPage("tongues", view, { width });
      assert.equal(await pagesOf(tab), 1, `${view} at ${width}`);
      await tab.emulateMedia({ media: "print" });
      await tab.setViewportSize({ width: 1047, height: 718 });  // A4 on its side, less its margins
      await tab.evaluate(() => dispatchEvent(new Event("beforeprint")));
      assert.deepEqual(await cutOff(tab, ".curve", "text, path, circle"), [], `${view} at ${width}`);
      assert.equal(await tab.getAttribute("html", "data-theme"), "light");
      assert.equal(await tab.$$eval("#reading > .hint", (nodes) => nodes.some((node) => node.checkVisibility())), false);
      const panels = await tab.$$eval(".panel", (nodes) => nodes.map((node) => node.getBoundingClientRect().toJSON()));
      if (panels.length === 2) assert.ok(panels[1].left >= panels[0].right - 1, `${view} at ${width}: side by side`);
      await tab.close();
    }
  }
});

test("pictures, stories and pairs print on one page, fit a phone, and nothing of them is cut off", async () => {
  for (const [page, view] of [["pictures", "#s=0&r=1"], ["pictures", "#s=2&c=1"], ["stories", "#s=2"], ["pairs", "#s=0"], ["text", "#s=0"]]) {
    for (const width of [1440, 390]) {
      const tab = await openPage(page, view, { width });
      assert.equal(await pagesOf(tab), 1, `${page} ${view} at ${width}`);
      assert.deepEqual(await cutOff(tab, ".figure", ".token, .told, .rim"), [], `${page} ${view} at ${width}`);
      assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${page} ${view} at ${width}: no sideways scroll`);
      assert.deepEqual(tab.complaints, []);
      await tab.close();
    }
  }
});

test("a phone shows several sentences of the list, and a short list is no higher than its rows", async () => {
  for (const [page, least, most] of [["bulk", 0.15 * 844, 0.25 * 844], ["pairs", 62, 0.25 * 844]]) {
    const tab = await openPage(page, "", { width: 390, height: 844 });
    const [{ height }, rows] = [await box(tab, "#list"), await tab.$eval("#list", (list) => list.scrollHeight)];
    assert.ok(height >= least && height <= Math.min(most, rows + 1), `${page}: ${height} of ${rows}`);
    await tab.close();
  }
});

test("on a phone the matrix is on the first two screens", async () => {
  for (const view of ["#s=3", "#s=5", "#s=6", "#s=7"]) {
    const tab = await openPage("tongues", view, { width: 390, height: 844 });
    const first = await box(tab, ".matrix .cell");
    assert.ok(first.bottom < 1.5 * 844, `${view}: the first cell is at ${first.top}`);
    await tab.close();
  }
});

test("a tap shows the weight, even of an empty cell, until something else is touched", async () => {
  const tab = await openPage("tongues", "#s=3", { width: 390, height: 844, touch: true });
  await tab.$eval('.cell[data-t="2"]', (node) => node.scrollIntoView({ block: "center" }));
  await tab.tap('.cell[data-t="2"][data-s="0"]');
  await drawn(tab);
  assert.equal(await tab.isVisible("#tip"), true);
  assert.match((await texts(tab, "#tip"))[0], /deep ← 我0\.\d{4} rank/);
  await tab.tap("#title");
  assert.equal(await tab.isVisible("#tip"), false);
  await tab.close();
});

test("a phone has no strip for a slider that moves nothing, and a run without epochs has none at all", async () => {
  const tab = await openPage("tongues", "#s=3", { width: 390, height: 844 });
  assert.equal(await tab.isVisible("#epoch"), true);
  await show(tab, "#s=0");  // not tracked
  assert.equal(await tab.isVisible("#strip"), false);
  await tab.close();
  const wide = await openPage("tongues", "#s=0");
  assert.equal(await wide.isVisible("#strip"), true);  // the curves still move
  await wide.close();
  const bulk = await openPage("bulk", "");
  assert.equal(await bulk.isVisible("#strip"), false);
  await bulk.close();
});

test("enlarged to 200% a figure is on the first screen", async () => {
  for (const view of ["#s=3", "#s=3&c=1", "#s=4&r=1"]) {
    const tab = await openPage("tongues", view, { width: 720, height: 450 });
    const row = await box(tab, '.matrix .cell[data-t="1"]');
    assert.ok(row.bottom <= 450, `${view}: the second row of the matrix ends at ${row.bottom}`);
    const covered = await tab.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.closest("#strip") != null, { x: row.x + 4, y: row.y + 4 });
    assert.equal(covered, false, view);
    await tab.close();
  }
});

test("at 1024 x 768 the foot of the list is on the screen, above the strip", async () => {
  const tab = await openPage("trained", "", { width: 1024, height: 768 });
  const [foot, strip] = [await box(tab, "#pooled"), await box(tab, "#strip")];
  assert.ok(foot.height > 0 && foot.bottom <= strip.top + 1 && strip.bottom <= 769, `foot to ${foot.bottom}, strip from ${strip.top}`);
  await tab.$eval("#inspector", (node) => node.scrollIntoView({ block: "end" }));
  const after = await box(tab, "#pooled");
  assert.ok(after.top >= 0 && after.bottom <= strip.top + 1, "and stays there when the rest is scrolled");
  await tab.close();
});

test("comparing at 1440 cuts off no text of list and strip", async () => {
  const tab = await openPage("tongues", "#s=0&c=1");
  const cut = await tab.evaluate(() => {
    const pen = document.createElement("canvas").getContext("2d");
    const wide = (node, text) => {
      const style = getComputedStyle(node);
      pen.font = style.font;
      const room = node.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - (node.tagName === "SELECT" ? 18 : 0);
      return pen.measureText(text).width > room + 1 ? [`${text} in ${room}`] : [];
    };
    const [filter, sort] = [document.getElementById("filter"), document.getElementById("sort")];
    const strip = document.querySelector(".player").getBoundingClientRect();
    const over = [...document.querySelectorAll(".player *")].filter((node) => node.getBoundingClientRect().right > strip.right + 1);
    return [...wide(filter, filter.placeholder), ...[...sort.options].flatMap((option) => wide(sort, option.text)), ...over.map((node) => node.textContent)];
  });
  assert.deepEqual(cut, []);
  await tab.close();
});

test("the name of a learning curve does not cover its figures, of one run or of two", async () => {
  for (const [page, view, width] of [["tongues", "#s=3&c=1", 1024], ["trained", "#s=3&c=1", 1024], ["trained", "#s=3", 1024], ["trained", "#s=3&c=1", 1440], ["pointed", "#s=0&c=1", 1024]]) {
    const tab = await openPage(page, view, { width, height: 768 });
    const gaps = await tab.$$eval(".curve", (nodes) => nodes.map((node) => {
      const [name, values] = [...node.querySelectorAll(":scope > text")].map((text) => text.getBoundingClientRect());
      return values.left - name.right;
    }));
    assert.ok(gaps.length > 0 && gaps.every((gap) => gap >= 4), `${page} ${view} at ${width}: ${gaps}`);
    await tab.close();
  }
});

test("no label of a figure is cut off, the coverage's neither", async () => {
  for (const width of [1440, 390]) {
    const tab = await openPage("tongues", "#s=0", { width });
    for (const view of ["#s=0", "#s=1", "#s=3", "#s=4", "#s=3&c=1&d=1"]) {
      await show(tab, view);
      assert.deepEqual(await cutOff(tab, ".figure", "text.quiet, .row-word"), [], `${view} at ${width}`);
    }
    await tab.close();
  }
});
