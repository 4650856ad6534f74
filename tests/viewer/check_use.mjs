// Pointer, keys, controls and URL do what they promise.
import assert from "node:assert/strict";
import { test } from "node:test";
import { drawn, hover, jsonLines, listed, openPage, show, texts } from "./browser.mjs";

const text = async (tab, selector) => (await texts(tab, selector))[0];
const hash = (tab) => new URLSearchParams(new URL(tab.url()).hash.slice(1));
const press = async (tab, key) => {
  await tab.keyboard.press(key);
  await drawn(tab);
};
const cell = (t, s, panel = 1) => `.panel:nth-child(${panel}) .cell[data-t="${t}"][data-s="${s}"]`;

test("hovering a cell shows its weight, both words and its gold label, in all panels", async () => {
  const tab = await openPage("tongues", "#s=3&c=1");
  const [first, second] = ["tongues", "shifted"].map((run) => jsonLines(`${run}/alignments.jsonl`)[3]);
  await hover(tab, cell(1, 0));
  const told = await text(tab, "#tip");
  for (const part of ["love", "我", first.matrix[1][0].toFixed(4), "gold: none", `shifted: ${second.matrix[1][0].toFixed(4)}`]) {
    assert.ok(told.includes(part), `"${part}" is not in "${told}"`);
  }
  assert.equal(await tab.$$eval(".band[visibility=visible]", (nodes) => nodes.length), 4);
  await hover(tab, cell(1, 1, 2));
  assert.match(await text(tab, "#tip"), /gold: sure/);
  await hover(tab, cell(2, 2));
  assert.match(await text(tab, "#tip"), /gold: possible/);
  await hover(tab, "#title");
  assert.equal(await tab.isHidden("#tip"), true);
  await tab.close();
});

test("hovering a word isolates its ribbons", async () => {
  const tab = await openPage("tongues", "#s=3");
  await hover(tab, '.target-word[data-t="2"]');
  const rows = await tab.$$eval(".focused .ribbon.on", (nodes) => nodes.map((node) => node.dataset.t));
  assert.ok(rows.length > 0 && rows.every((t) => t === "2"));
  await hover(tab, '.column-word[data-s="1"]');
  const columns = await tab.$$eval(".focused .ribbon.on", (nodes) => nodes.map((node) => node.dataset.s));
  assert.ok(columns.length > 1 && columns.every((s) => s === "1"));
  await tab.close();
});

test("a click reads the step in one sentence", async () => {
  const tab = await openPage("tongues", "#s=3");
  const { matrix } = jsonLines("tongues/alignments.jsonl")[3];
  await tab.click(cell(1, 0));
  const seen = [...matrix[1].keys()].sort((a, b) => matrix[1][b] - matrix[1][a])[0];
  const words = ["我", "爱", "深度", "学习", "</s>"];
  const told = await text(tab, "#reading");
  assert.ok(told.startsWith(`Step 2: to write love the decoder attended to ${words[seen]} (${matrix[1][seen].toFixed(2)})`), told);
  assert.ok(told.endsWith("Gold says 爱."), told);
  assert.equal(await text(tab, ".written"), "love");
  assert.match(await text(tab, "#inspector"), /need not be the reason/);
  assert.equal(hash(tab).get("r"), "1");
  await press(tab, "Escape");
  assert.match(await text(tab, "#reading"), /Most spread attention/);
  assert.equal(hash(tab).get("r"), null);
  await tab.close();
});

test("the right end of the epochs is the kept model and says so", async () => {
  const tab = await openPage("films", "#s=11");
  const end = () => tab.$eval(".slider", (node) => node.textContent.replace(/\s+/g, " ").trim());
  assert.equal(await end(), "Kept model: epoch 4kept");
  assert.equal(await tab.getAttribute("#epoch", "aria-valuetext"), "kept model, epoch 4");
  const [slider, tick] = await Promise.all(["#epoch", ".slider .track small"].map((at) => tab.$eval(at, (node) => node.getBoundingClientRect().toJSON())));
  assert.ok(tick.left >= slider.right && tick.top < slider.bottom && tick.bottom > slider.top, "the tick stands at the right end");
  await show(tab, "#s=11&e=2");
  assert.equal(await end(), "Epoch 2 of 4kept");
  await tab.close();
});

test("a record without scores says how they come, or of an epoch that only the kept model has them", async () => {
  const tab = await openPage("films", "#s=11");
  assert.ok((await texts(tab, "#inspector .note")).some((note) => note.includes("align --scores")));
  await show(tab, "#s=11&e=1");
  const notes = await texts(tab, "#inspector .note");
  assert.ok(notes.includes("Scores are recorded only for the kept model.") && !notes.some((note) => note.includes("align --scores")), notes.join("\n"));
  await tab.close();
});

test("the legend shows a mark as it is in a dark cell", async () => {
  for (const [page, theme, ink] of [["tongues", "light", "rgb(255, 255, 255)"], ["tongues", "dark", "rgb(0, 0, 0)"], ["stories", "light", "rgb(255, 255, 255)"]]) {
    const tab = await openPage(page, "#s=3", { theme });
    const marks = await tab.$$eval("#legend .chip", (nodes) => nodes.map(({ nextSibling, parentNode }) => {
      const { fill, stroke } = getComputedStyle(nextSibling);
      return [nextSibling.matches(".wrong") ? stroke : fill, parentNode.parentNode.textContent];
    }));
    assert.deepEqual(marks.map(([colour]) => colour), [ink, ink], `${page}, ${theme}: ${marks}`);
    assert.equal(marks[1][1], page === "stories" ? "not in gold" : "link not in gold");
    await tab.close();
  }
});

test("each sort orders the list, and can be reversed", async () => {
  const tab = await openPage("trained");
  const values = async () => (await listed(tab)).map(({ figure }) => parseFloat(figure.replace("−", "-")));
  const falling = (numbers) => numbers.every((x, i) => i === 0 || numbers[i - 1] >= x);
  for (const [sort, direction] of [["aer", 1], ["entropy", 1], ["length", 1], ["logprob", -1]]) {
    await tab.selectOption("#sort", sort);
    const listed = await values();
    assert.equal(listed.length, 33);
    assert.ok(new Set(listed).size > 2 && falling(listed.map((x) => direction * x)), `${sort}: ${listed}`);
    await tab.click("#reverse");
    assert.ok(falling((await values()).map((x) => -direction * x)), `${sort} reversed`);
    await tab.click("#reverse");
  }
  await tab.selectOption("#sort", "order");
  assert.deepEqual((await listed(tab)).map(({ i }) => i), [...Array(33).keys()]);
  await tab.close();
});

test("the filter keeps sentences with all its words", async () => {
  const tab = await openPage("tongues", "#o=order");
  await press(tab, "/");
  await tab.keyboard.type("I 学习");
  assert.equal((await listed(tab)).length, 1);
  assert.match(await text(tab, "#pooled"), /^1 of 10 sentences/);
  assert.equal(hash(tab).get("q"), "I 学习");
  await tab.fill("#filter", "of-the-record");  // a tag that no corpus file has told the page of
  assert.equal((await listed(tab)).length, 1);
  await tab.fill("#filter", "");
  assert.equal((await listed(tab)).length, 10);
  await tab.close();
});

test("keys move through sentences, epochs, heads, themes", async () => {
  const tab = await openPage("tongues", "#s=3&o=order");
  const title = () => text(tab, "#which");
  await press(tab, "j");
  assert.equal(await title(), "Sentence 5");
  await press(tab, "k");
  await press(tab, "k");
  assert.equal(await title(), "Sentence 3");
  await show(tab, "#s=3&o=order");
  await press(tab, "[");
  assert.equal(hash(tab).get("e"), "4");
  assert.match(await text(tab, "#epoch-label"), /4 of 4/);
  await press(tab, "[");
  assert.equal(hash(tab).get("e"), "2");
  await press(tab, "]");
  await press(tab, "]");
  assert.equal(hash(tab).get("e"), null);
  await press(tab, "t");
  assert.equal(await tab.getAttribute("html", "data-theme"), "dark");
  await show(tab, "#s=8");
  await press(tab, "2");
  assert.equal(hash(tab).get("h"), "1");
  await press(tab, "0");
  assert.equal(hash(tab).get("h"), null);
  await press(tab, "w");
  assert.equal((await texts(tab, "#table td")).length, 1 + 4 * 4);
  await press(tab, "s");
  assert.match(await text(tab, "#legend"), /square-root scale/);
  await press(tab, "?");
  assert.match(await text(tab, "dialog[open]"), /Reading this page/);
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("arrow keys move between the cells of the figure with the focus, and the step is read out", async () => {
  const tab = await openPage("tongues", "#s=3");
  await tab.focus(".figure");
  for (const key of ["ArrowDown", "ArrowDown", "ArrowRight"]) await press(tab, key);
  assert.deepEqual([hash(tab).get("r"), hash(tab).get("w")], ["1", "1"]);
  assert.match(await text(tab, "#reading[aria-live=polite]"), /^Step 2: to write love /);
  await tab.close();
});

test("a comparison shows two figures next to each other, and their difference", async () => {
  const tab = await openPage("tongues", "#s=3");
  await press(tab, "c");
  const boxes = await tab.$$eval(".panel", (nodes) => nodes.map((node) => node.getBoundingClientRect().toJSON()));
  assert.equal(boxes.length, 2);
  assert.ok(Math.abs(boxes[0].top - boxes[1].top) < 2 && boxes[1].left >= boxes[0].right);
  await press(tab, "d");
  const [a, b] = ["tongues", "shifted"].map((run) => jsonLines(`${run}/alignments.jsonl`)[3].matrix);
  const drawn = await tab.$$eval(".panel:nth-child(2) .number", (nodes) => nodes.map((node) => node.textContent));
  const expected = a.flatMap((row, t) => row.map((w, s) => w - b[t][s])).filter((d) => Math.abs(d) >= 0.045);
  assert.ok(expected.length > 4);
  assert.deepEqual(drawn, expected.map((d) => (d > 0 ? "+" : "−") + Math.abs(d).toFixed(2).replace(/^0/, "")));
  await press(tab, "c");
  assert.equal(await tab.$$eval(".panel", (nodes) => nodes.length), 1);
  await tab.close();
});

test("an alternative of the beam, and an intervention, show their own attention and mark what changed", async () => {
  const tab = await openPage("tongues", "#s=3&r=1");
  assert.deepEqual(await tab.$$eval(".alternative", (nodes) => nodes.map((node) => node.dataset.key)), ["i0", "b0", "b1", "b2"]);
  await tab.click('.alternative[data-key="b1"]');
  assert.deepEqual(await texts(tab, ".panel:nth-child(2) .row-word.changed title"), ["study"]);
  assert.equal(hash(tab).get("a"), "b1");
  await show(tab, "#s=3&a=i0");
  assert.deepEqual(await texts(tab, ".panel h2"),
    ["Aleft aloneAER 0.0% · greedy", "Bstep 2: all attention on “学习”AER n/a · greedy from there on"]);
  assert.deepEqual(await texts(tab, ".panel:nth-child(2) .row-word.changed title"), ["learn"]);
  await show(tab, "#s=3&r=0");
  await tab.click('.alternative[data-key="i1"]');
  assert.match(await text(tab, ".panel:nth-child(2) h2"), /^Bstep 1: “you” written/);
  await tab.close();
});

// The clock is the test's: a busy machine would miss epochs of the page's own.
test("playing goes from the first epoch to the kept model, epoch by epoch, and stops", async () => {
  const tab = await openPage("tongues", "#s=3");
  await tab.evaluate(() => {
    globalThis.setInterval = (tick, pause) => {
      globalThis.clock = { tick, pause };
      return 1;
    };
    globalThis.clearInterval = () => { globalThis.clock = null; };
  });
  await tab.click("#play");
  await drawn(tab);
  assert.ok(await tab.evaluate(() => globalThis.clock.pause >= 500));
  const seen = [];
  while (await tab.evaluate(() => globalThis.clock !== null) && seen.length < 9) {
    seen.push(hash(tab).get("e"));
    assert.equal(await text(tab, "#play"), "❚❚");
    await tab.evaluate(() => globalThis.clock.tick());
    await drawn(tab);
  }
  assert.deepEqual(seen, ["1", "2", "4"]);
  assert.equal(hash(tab).get("e"), null);
  assert.equal(await text(tab, "#play"), "▶");
  await tab.close();
});

test("a link opens the same view", async () => {
  const given = "#s=4&c=1&d=1&e=2&r=1&w=2&tau=2&l=threshold&x=0.25&f=1&t=dark&o=length&v=1&q=o";
  const tab = await openPage("tongues", given);
  assert.deepEqual(hash(tab).toString(), given.slice(1));
  await show(tab, "#s=99&m=7&c=x&e=3&tau=0&l=all&t=pink&o=none&a=b99&r=77");
  assert.equal(await text(tab, "#which"), "Sentence 1");
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});
