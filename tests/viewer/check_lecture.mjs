// These checks follow a lecturer: an intervention is in view and one click away, and each number says which figure it belongs to.
import assert from "node:assert/strict";
import { test } from "node:test";
import { drawn, openPage, texts } from "./browser.mjs";

const text = async (tab, selector) => (await texts(tab, selector))[0];
const box = (tab, selector) => tab.$eval(selector, (node) => node.getBoundingClientRect().toJSON());
const hash = (tab) => new URLSearchParams(new URL(tab.url()).hash.slice(1));
const interventions = '.alternative[data-key^="i"]';
// p(token) of a row as the bars next to the figures have it.
const probabilityOf = (tab, panel, row) =>
  tab.$$eval(`.panel:nth-child(${panel}) [data-p]`, (bars, at) => Number(bars[at].dataset.p).toFixed(3), row);

test("at 1280 x 720 the interventions of the selected step are in view, with and without the presentation", async () => {
  for (const [page, view] of [["tongues", "#s=3&r=1"], ["tongues", "#s=3&r=1&p=1"], ["trained", "#s=v0&r=0"], ["trained", "#s=v0&r=0&p=1"]]) {
    const tab = await openPage(page, view, { width: 1280, height: 720 });
    const foot = (await box(tab, "#strip")).top || 720;
    const bottoms = await tab.$$eval(interventions, (nodes) => nodes.map((node) => node.getBoundingClientRect().bottom));
    assert.ok(bottoms.length > 0, `${page} ${view}: ${bottoms.length} buttons`);
    assert.ok(bottoms.every((bottom) => bottom <= foot), `${page} ${view}: buttons to ${bottoms}, the column ends at ${foot}`);
    await tab.close();
  }
});

test("in the presentation the buttons do not give the result away, and a click shows it", async () => {
  const plain = await openPage("tongues", "#s=3&a=i0&r=1", { width: 1440 });
  const expected = [await probabilityOf(plain, 1, 1), await probabilityOf(plain, 2, 1)];
  await plain.close();
  const tab = await openPage("tongues", "#s=3&r=1&p=1", { width: 1280, height: 720 });
  assert.match(await text(tab, '.alternative[data-key="i0"]'), /^all attention on “\S+”$/);
  assert.equal(await tab.$(`${interventions} ins, ${interventions} del`), null);
  await tab.click('.alternative[data-key="i0"]');
  await drawn(tab);
  assert.deepEqual([hash(tab).get("a"), hash(tab).get("p"), (await tab.$$(".panel")).length], ["i0", "1", 2]);
  const captions = await texts(tab, ".of-row");
  assert.deepEqual(captions.map((caption) => caption.match(/^\S+: p\(token\) (\d\.\d{3}), entropy \d+\.\d\d nats$/)?.[1]), expected);
  assert.notEqual(...expected);
  await tab.click('.panel:nth-child(2) .cell[data-t="0"][data-s="0"]');
  await drawn(tab);
  assert.notDeepEqual(await texts(tab, ".of-row"), captions);  // of the row that is selected now
  await tab.keyboard.press("Escape");
  await drawn(tab);
  assert.equal(await tab.isVisible('.alternative[data-key="i1"]'), true);  // of the row that was clicked
  await tab.keyboard.press("Escape");
  await drawn(tab);
  await tab.close();
});

test("two figures without bars have p(token) of the row, those with bars have no second copy of it", async () => {
  const narrow = await openPage("nine", "#s=0&c=1", { width: 1024, height: 768 });
  assert.equal(await narrow.$("[data-p]"), null);
  assert.deepEqual(await texts(narrow, ".of-row"), Array(2).fill("Click a row to see its p(token)."));
  await narrow.close();
  const wide = await openPage("tongues", "#s=3&a=i0&r=1", { width: 1440 });
  assert.notEqual(await wide.$("[data-p]"), null);
  assert.equal(await wide.$(".of-row"), null);
  await wide.close();
});

test("the right-hand column says which of two figures it describes, and a click on the other one changes that", async () => {
  const tab = await openPage("tongues", "#s=3&a=i0&r=1", { width: 1440 });
  const described = async () => ({ title: await text(tab, "#inspector h3"), p: (await texts(tab, "#inspector .pair")).find((line) => line.startsWith("p(token)")) });
  const [a, b] = [await probabilityOf(tab, 1, 1), await probabilityOf(tab, 2, 1)];
  const ofA = { title: "Step 2 of 5 · A, left alone", p: `p(token)${a}` };
  assert.deepEqual(await described(), ofA);
  await tab.click('.panel:nth-child(2) .cell[data-t="1"][data-s="0"]');
  await drawn(tab);
  const ofB = await described();
  assert.match(ofB.title, /^Step 2 of \d+ · B, step 2: all attention on /);
  assert.equal(ofB.p, `p(token)${b}`);
  assert.equal(hash(tab).get("i"), "1");
  const linked = await openPage("tongues", new URL(tab.url()).hash, { width: 1440 });
  assert.equal(await text(linked, "#inspector h3"), ofB.title);
  await linked.close();
  await tab.click('.panel:nth-child(1) .cell[data-t="1"][data-s="0"]');
  await drawn(tab);
  assert.deepEqual(await described(), ofA);
  await tab.click('.panel:nth-child(2) .cell[data-t="1"][data-s="0"]');
  await tab.keyboard.press("Escape");
  await drawn(tab);
  assert.deepEqual([hash(tab).get("i"), await text(tab, "#inspector h3")], [null, "Step 2 of 5"]);
  await tab.close();
});

test("on a phone the button that leaves the presentation does not cover the title", async () => {
  for (const view of ["#s=3&p=1", "#s=3&r=1&p=1", "#s=3&c=1&p=1"]) {
    const tab = await openPage("tongues", view, { width: 390, height: 844, touch: true });
    const [title, leave] = [await box(tab, "#title"), await box(tab, "#leave")];
    assert.ok(title.right <= leave.left || title.top >= leave.bottom, `${view}: title to ${title.right}, button from ${leave.left}`);
    await tab.close();
  }
});

test("at 150% zoom two figures are next to each other, and the names of the curves do not touch their values", async () => {
  for (const view of ["#s=3&c=1", "#s=3&a=i0&r=1"]) {
    const tab = await openPage("tongues", view, { width: 853, height: 480 });
    const [a, b] = await tab.$$eval(".figure", (nodes) => nodes.map((node) => node.getBoundingClientRect().toJSON()));
    assert.ok(Math.abs(a.top - b.top) < 2 && a.top < (await box(tab, "#strip")).top && b.left >= a.right - 1 && b.right <= 853, `${view}: B from ${b.left}, ${b.top}`);
    assert.equal(await tab.isVisible("#curves"), false);  // the rows of the figures need their room
    await tab.setViewportSize({ width: 853, height: 620 });
    await drawn(tab);
    const gaps = await tab.$$eval(".curve", (curves) => curves.map((curve) => {
      const [name, values] = [...curve.querySelectorAll(":scope > text")].map((node) => node.getBoundingClientRect());
      return values.left - name.right;
    }));
    assert.ok(gaps.length > 1 && gaps.every((gap) => gap >= 4), `${view}: gaps of ${gaps}`);
    await tab.close();
  }
});
