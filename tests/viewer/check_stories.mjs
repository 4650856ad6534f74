// These checks are about stories, two sentences that attend to each other, and a text that attends to its own past.
import assert from "node:assert/strict";
import { test } from "node:test";
import { drawn, hover, jsonLines, openPage, show, texts } from "./browser.mjs";

const stories = jsonLines("stories/alignments.jsonl");
const text = async (tab, selector) => (await texts(tab, selector))[0];
const near = (x, y, within, what) => assert.ok(Math.abs(x - y) <= within, `${what}: ${x} is not ${y}`);
const attributes = (tab, selector, ...names) => tab.$$eval(selector, (nodes, wanted) =>
  nodes.map((node) => wanted.map((name) => node.getAttribute(name))), names);
const goldOf = ({ gold }, t) => (gold ? [...gold.sure, ...gold.possible].filter(([, word]) => word === t).map(([s]) => s) : []);
const best = (row) => row.indexOf(Math.max(...row));

test("a story has a column for each hop, its gold sentences outlined, question and answer", async () => {
  const tab = await openPage("stories");
  for (const record of stories) {
    await show(tab, `#s=${record.id}`);
    const looks = record.heads?.map(({ matrix }) => matrix[0]) ?? [record.matrix[0]];
    for (const [hop, look] of looks.entries())
      assert.deepEqual((await attributes(tab, `.panel .cell[data-hop="${hop}"]`, "data-w")).map(([w]) => Number(w)), look);
    assert.deepEqual((await attributes(tab, ".panel .said", "data-w")).map(([w]) => Number(w)), record.matrix[0]);
    assert.equal((await tab.$$(".panel .gold .sure")).length, record.gold.sure.length);
    const hits = looks.filter((look) => goldOf(record, 0).includes(best(look))).length;
    assert.equal((await tab.$$(".panel .pointed")).length, hits);
    assert.equal((await tab.$$(".panel .missing")).length, looks.length - hits);
    assert.equal(await text(tab, ".told.asked"), record.question);
    assert.equal(await text(tab, ".told.answered"), record.target_tokens.join(" "));
    const said = await tab.$$eval(".line .told", (nodes) => nodes.map((node) => [...node.children].map((line) => line.textContent).join("")));
    assert.deepEqual(said.map((line) => line.replaceAll(" ", "")), record.source_tokens.map((line) => line.replaceAll(" ", "")));
  }
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("sentences of a story stay within their boxes, at any width", async () => {
  for (const width of [1440, 1024, 390]) {
    const tab = await openPage("stories", "#s=2", { width });
    const out = await tab.$$eval(".line", (nodes) => nodes.flatMap((node) => {
      const [box, told] = [".said", ".told"].map((part) => node.querySelector(part).getBoundingClientRect());
      return told.right > box.right + 1 || told.bottom > box.bottom + 1 ? [node.textContent] : [];
    }));
    assert.deepEqual(out, [], width);
    assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width}: no sideways scroll`);
    await tab.close();
  }
});

test("hovering a sentence shows the weight of every hop; arrow keys move between sentences and hops", async () => {
  const tab = await openPage("stories", "#s=0");
  await hover(tab, '.said[data-s="2"]');
  const told = await text(tab, "#tip");
  const [first, second] = stories[0].heads.map(({ matrix }) => matrix[0][2].toFixed(4));
  for (const part of ["park ← mary went to the park", "gold: sure", `hop 1: ${first}`, `hop 2: ${second}`]) assert.ok(told.includes(part), told);
  assert.match(await text(tab, "#reading"), /Asked “where is the apple”, the reference answers “park”\. The largest weight lies in gold/);
  await tab.focus(".figure");
  await tab.keyboard.press("ArrowDown");
  await tab.keyboard.press("ArrowDown");
  assert.match(await tab.evaluate(() => location.hash), /r=0&w=1/);
  await tab.keyboard.press("ArrowRight");
  await drawn(tab);
  assert.match(await tab.evaluate(() => location.hash), /h=0/);
  assert.deepEqual((await attributes(tab, ".panel .said", "data-w")).map(([w]) => Number(w)), stories[0].heads[0].matrix[0]);
  await tab.close();
});

test("two sentences attend to each other: the matrix has all words, and each part is normalised by rows", async () => {
  const [record] = jsonLines("pairs/alignments.jsonl");
  const tab = await openPage("pairs", "#s=0");
  const bar = record.source_tokens.indexOf("|");
  const all = record.heads[1].matrix;
  const part = (rows, columns) => rows.map((t) => {
    const row = columns.map((s) => all[t][s]);
    return row.map((w) => w / row.reduce((a, b) => a + b));
  });
  const [premise, hypothesis] = [[...all.keys()].slice(0, bar), [...all.keys()].slice(bar + 1)];
  const cells = async (panel) => (await attributes(tab, `.panel:nth-child(${panel}) .cell`, "data-w")).map(([w]) => Number(w));
  const [there, back] = [await cells(1), await cells(2)];
  part(premise, hypothesis).flat().forEach((w, i) => near(there[i], w, 1e-12, `premise ${i}`));
  part(hypothesis, premise).flat().forEach((w, i) => near(back[i], w, 1e-12, `hypothesis ${i}`));
  assert.deepEqual(await texts(tab, ".panel:nth-child(1) .row-word > title"), record.source_tokens.slice(0, bar));
  assert.deepEqual(await texts(tab, ".panel:nth-child(2) .row-word > title"), record.source_tokens.slice(bar + 1));
  assert.match(await text(tab, "#reading"), /judged: entailment\./);
  // A position in one is a position in the other.
  await hover(tab, '.panel:nth-child(2) .cell[data-t="1"][data-s="2"]');
  const told = await text(tab, "#tip");
  assert.ok(told.includes("child ← girl") && told.includes(`premise → hypothesis: ${there[2 * hypothesis.length + 1].toFixed(4)}`), told);
  assert.equal(await tab.getAttribute(".panel:nth-child(1) .frame", "visibility"), "visible");
  await tab.click('.panel:nth-child(2) .cell[data-t="1"][data-s="2"]');
  assert.match(await tab.evaluate(() => location.hash), /r=2&w=1/);
  assert.match(await text(tab, "#reading"), /^girl of the premise attended to .* of the hypothesis\./);
  await show(tab, "#s=0&h=0");  // a head that looks at its own sentence alone is one square
  assert.equal((await tab.$$(".panel")).length, 1);
  assert.deepEqual(await cells(1), record.heads[0].matrix.flat());
  await show(tab, "#s=0&c=1");
  assert.equal((await tab.$$(".panel")).length, 4);
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("a text without a source opens on its own past, a triangle under arcs", async () => {
  const [record] = jsonLines("text/alignments.jsonl");
  const tab = await openPage("text", "#s=0");
  assert.deepEqual((await attributes(tab, ".panel .cell", "data-w")).map(([w]) => Number(w)), record.heads[0].matrix.flat());
  assert.deepEqual(await texts(tab, ".panel .column-word > title"), ["<s>", ...record.target_tokens.slice(0, -1)]);
  assert.ok((await tab.$$(".arcs .ribbon")).length > 5);
  assert.ok((await tab.$$(".cell.future")).length > 0);
  await tab.close();
});
