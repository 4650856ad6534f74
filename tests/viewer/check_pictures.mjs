// These checks compare the cells of a picture for each word of its caption, and the attention accuracy of pictures and
// stories.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { drawn, folder, hover, jsonLines, listed, openPage, show, texts } from "./browser.mjs";

const records = jsonLines("pictures/alignments.jsonl");
const stories = jsonLines("stories/alignments.jsonl");
const text = async (tab, selector) => (await texts(tab, selector))[0];
const near = (x, y, within, what) => assert.ok(Math.abs(x - y) <= within, `${what}: ${x} is not ${y}`);
const attributes = (tab, selector, ...names) => tab.$$eval(selector, (nodes, wanted) =>
  nodes.map((node) => wanted.map((name) => node.getAttribute(name))), names);
const goldOf = ({ gold }, t) => (gold ? [...gold.sure, ...gold.possible].filter(([, word]) => word === t).map(([s]) => s) : []);
const best = (row) => row.indexOf(Math.max(...row));

// hits, words and mass of a record, as data/metrics/attention_accuracy.h counts them.
function pointing(record) {
  const words = [...record.target_tokens.keys()].filter((t) => goldOf(record, t).length > 0);
  return { words: words.length, hits: words.filter((t) => goldOf(record, t).includes(best(record.matrix[t]))).length,
    mass: words.reduce((sum, t) => sum + goldOf(record, t).reduce((all, s) => all + record.matrix[t][s], 0), 0) };
}

// Returns the figures of a record that C++ computes and that `convert --format plot` prints.
function plotted(run, number) {
  const told = readFileSync(`${folder}/${run}.plot`, "utf8").split(/^(?:picture|story) /m)[number + 1];
  const [, point, mass] = told.match(/attention accuracy ([\d.]+)%  mass in gold ([\d.]+)%/) ?? [];
  return point == null ? null : [`${point}%`, `${mass}%`];
}

test("each word of a caption has its map, and the large one is that of the word", async () => {
  const tab = await openPage("pictures");
  for (const record of records) {
    await show(tab, `#s=${record.id}`);
    assert.deepEqual(await texts(tab, ".panel .target-word > title"), (await texts(tab, ".tile .token > title")));
    assert.equal((await tab.$$(".tile")).length, record.matrix.length);
    assert.equal((await tab.$$(".tile .area")).length, record.target_tokens.filter((_, t) => goldOf(record, t).length > 0).length);
    const { words, hits } = pointing(record);
    assert.equal((await tab.$$(".tile .pointed")).length, hits);
    assert.equal((await tab.$$(".tile .missing")).length, words - hits);
    for (const t of record.matrix.keys()) {
      await show(tab, `#s=${record.id}&r=${t}`);
      const cells = await attributes(tab, ".large-map .cell", "data-w", "data-s", "fill-opacity");
      assert.deepEqual(cells.map(([w]) => Number(w)), record.matrix[t], `${record.id}, step ${t}`);
      assert.deepEqual(cells.map(([, s]) => Number(s)), [...record.matrix[t].keys()]);
      assert.equal((await tab.$$(".large-map .area")).length, goldOf(record, t).length > 0 ? 1 : 0);
      if (record.source_image) cells.forEach(([w, , opacity]) => near(Number(opacity), 0.84 * (1 - w), 6e-5, "veil"));
    }
  }
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("the picture is behind the cells, as wide as they are, and belongs to one record", async () => {
  const tab = await openPage("pictures", "#s=2&r=1");
  assert.deepEqual(await attributes(tab, "defs image", "href"), [[records[2].source_image]]);
  assert.equal((await tab.$$(".panel use")).length, 1 + records[2].matrix.length);
  const loaded = await tab.evaluate(async () => {
    const image = new Image();
    image.src = document.querySelector("defs image").getAttribute("href");
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  });
  assert.deepEqual(loaded, [64, 24]);
  const [[width, height]] = await attributes(tab, ".large-map .rim", "width", "height");
  near(width / height, 64 / 24, 1e-6, "the picture's shape");
  await show(tab, "#s=4&r=1");  // has none
  assert.equal(await tab.$(".panel use"), null);
  assert.equal(await tab.$("defs"), null);
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("gold is outlined as one area", async () => {
  const tab = await openPage("pictures", "#s=0&r=1");
  const [[d]] = await attributes(tab, ".large-map .area", "d");
  assert.equal(d.match(/M/g).length, 8);  // two by two cells: eight sides
  await tab.close();
});

test("a cell shows its position, its weight and its gold label, and both weights next to another run", async () => {
  const tab = await openPage("pictures", "#s=0&r=1");
  const { matrix } = records[0];
  await hover(tab, '.large-map .cell[data-s="2"]');
  const told = await text(tab, "#tip");
  assert.match(told, /^red ← cell 1,3/);
  assert.ok(told.includes(`${matrix[1][2].toFixed(4)} rank 1 of 36 at step 2`), told);
  assert.match(told, /gold: possible$/);
  await hover(tab, '.large-map .cell[data-s="35"]');
  assert.match(await text(tab, "#tip"), /cell 6,6.*gold: none$/);
  await show(tab, "#s=0&r=1&c=1");
  const hard = jsonLines("hard/alignments.jsonl")[0].matrix;
  await hover(tab, '.panel:first-child .large-map .cell[data-s="2"]');
  assert.ok((await text(tab, "#tip")).endsWith(`hard: ${hard[1][2].toFixed(4)}`));
  await tab.close();
});

test("click, arrow keys and the play button step through the caption", async () => {
  const tab = await openPage("pictures", "#s=0");
  const step = () => tab.evaluate(() => new URLSearchParams(location.hash.slice(1)).get("r"));
  assert.equal((await tab.$$(".large-map .cell")).length, 0);  // the picture as it is
  await tab.click('.tile[data-t="2"] .rim');
  assert.equal(await step(), "2");
  assert.match(await text(tab, "#reading"), /^Step 3: to write circle the decoder attended to cell 1,3 \(0\.\d\d\).* The largest weight lies in gold, which has 0\.\d\d of it all\./);
  await tab.focus(".figure");
  for (const [key, expected] of [["ArrowRight", "3"], ["ArrowRight", "4"], ["ArrowLeft", "3"]]) {
    await tab.keyboard.press(key);
    assert.equal(await step(), expected);
  }
  assert.match(await text(tab, "#reading"), /Gold has no position for this word/);
  await tab.clock.install();
  await tab.clock.pauseAt(Date.now() + 60000);
  await tab.click(".play-caption");
  assert.equal(await text(tab, ".play-caption"), "❚❚ Stop");
  const seen = [await step()];
  for (let t = 0; t < 12; ++t) {
    await tab.clock.runFor(900);
    seen.push(await step());
  }
  assert.deepEqual([...new Set(seen)], ["0", "1", "2", "3", "4", "5", "6", "7"]);
  assert.equal(await text(tab, ".play-caption"), "▶ Play the caption");
  await tab.keyboard.press("v");
  assert.equal(await step(), "0");
  await tab.keyboard.press("Escape");
  await tab.clock.runFor(3000);
  assert.equal(await step(), null);
  assert.deepEqual(tab.complaints, []);
  await tab.context().close();  // whose clock stands still
});

test("faint weights take the square root, and the weights can be shown without the picture, with their numbers", async () => {
  const tab = await openPage("pictures", "#s=0&r=1&f=1");
  const { matrix } = records[0];
  for (const [i, [opacity]] of (await attributes(tab, ".large-map .cell", "fill-opacity")).entries())
    near(Number(opacity), 0.84 * (1 - Math.sqrt(matrix[1][i])), 6e-5, "veil");
  await show(tab, "#s=0&r=1&b=1");
  assert.equal(await tab.$(".panel use"), null);
  const numbers = await texts(tab, ".large-map .number");
  assert.deepEqual(numbers, matrix[1].filter((w) => w >= 0.045).map((w) => w.toFixed(2).slice(1)));
  await tab.click("#bare");
  assert.ok((await tab.$$(".panel use")).length > 0);
  await tab.keyboard.press("b");
  assert.match(await tab.evaluate(() => location.hash), /b=1/);
  await tab.close();
});

test("attention accuracy and mass in gold equal those of C++, for a record and pooled", async () => {
  for (const [name, all] of [["pictures", records], ["stories", stories]]) {
    const tab = await openPage(name);
    for (const record of all) {
      await show(tab, `#s=${record.id}`);
      const shown = (await texts(tab, "#numbers dd")).slice(0, 2);
      assert.deepEqual(shown, plotted(name, record.id) ?? ["n/a", "n/a"], `${name} ${record.id}`);
      assert.doesNotMatch(await text(tab, "#numbers"), /AER/);
    }
    const counts = all.map(pointing);
    const total = (key) => counts.reduce((sum, count) => sum + count[key], 0);
    const pooled = await tab.$eval("#pooled-pointing", (node) => [Number(node.dataset.pointing), Number(node.dataset.mass)]);
    near(pooled[0], total("hits") / total("words"), 1e-12, "pointing");
    near(pooled[1], total("mass") / total("words"), 1e-9, "mass");
    await tab.close();
  }
});

test("pictures are sorted by attention accuracy, the worst first, those without gold last", async () => {
  const tab = await openPage("pictures");
  const rates = records.map((record) => ({ id: record.id, ...pointing(record) }));
  const figure = ({ hits, words }) => (words > 0 ? `${((100 * hits) / words).toFixed(1)}%` : "n/a");
  const rows = await listed(tab);
  assert.deepEqual(rows.map(({ figure: told }) => told), rows.map(({ i }) => figure(rates[i])));
  const value = (i) => (rates[i].words > 0 ? rates[i].hits / rates[i].words : Infinity);
  assert.ok(rows.every(({ i }, k) => k === 0 || value(rows[k - 1].i) <= value(i)));
  assert.equal(rows[0].i, 1);
  assert.match(await text(tab, "#which"), /^Picture \d$/);
  await tab.fill("#filter", "yellow");
  await drawn(tab);
  assert.deepEqual((await listed(tab)).map(({ i }) => i), [1, 2]);
  assert.match(await text(tab, "#pooled"), /2 of 7 pictures.*the 2 pictures with “yellow”/);
  await tab.fill("#filter", "small/board");
  await drawn(tab);
  assert.deepEqual((await listed(tab)).map(({ i }) => i), [6]);
  assert.equal(await text(tab, "#list .target"), "board.png");
  await tab.close();
});

test("a run with another caption is next to the first, and the difference of two maps has its sign", async () => {
  const tab = await openPage("pictures", "#s=6&c=1");
  assert.deepEqual((await texts(tab, ".panel .target-word > title")), ["a", "green", "triangle", "</s>", "a", "green", "circle", "</s>"]);
  assert.equal(await tab.isVisible("#difference"), false);
  await show(tab, "#s=0&c=1&d=1&r=1");
  const [soft, hard] = [records, jsonLines("hard/alignments.jsonl")].map(([record]) => record.matrix[1]);
  const cells = await attributes(tab, ".panel:nth-child(2) .large-map .cell", "data-w");
  cells.forEach(([w], s) => near(Number(w), soft[s] - hard[s], 1e-12, `cell ${s}`));
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("a figure of a picture is saved with the picture in it", async () => {
  const tab = await openPage("pictures", "#s=0");
  const [download] = await Promise.all([tab.waitForEvent("download"), tab.click(".save")]);
  const xml = readFileSync(await download.path(), "utf8");
  assert.ok(xml.includes(records[0].source_image));
  assert.equal(xml.match(/<use /g).length, 1 + records[0].matrix.length);
  assert.doesNotMatch(xml, /var\(|class=|https?:(?!\/\/www\.w3\.org\/)/);
  assert.equal(await tab.evaluate((markup) => new DOMParser().parseFromString(markup, "image/svg+xml").querySelectorAll("parsererror").length, xml), 0);
  await tab.close();
});

test("pictures come from the page alone: its policy lets data in and nothing else, and other pages no image at all", async () => {
  const policy = (tab) => tab.$eval("meta[http-equiv]", (node) => node.content);
  const tab = await openPage("pictures");
  assert.match(await policy(tab), /; img-src data:; base-uri 'none'/);
  await tab.close();
  const stories = await openPage("stories");
  assert.doesNotMatch(await policy(stories), /img-src/);
  await stories.close();
  const elsewhere = await openPage("mutant-image");
  assert.match(elsewhere.complaints.join("\n"), /cdn\.example/);
  await elsewhere.close();
});

test("hostile words in a caption are words", async () => {
  const tab = await openPage("pictures", "#s=5&r=0");
  assert.deepEqual(await texts(tab, ".panel .target-word > title"), ["</script><script>window.broken=1</script>", "⟨U+202E⟩abc", "</s>"]);
  assert.equal(await tab.evaluate(() => window.broken), undefined);
  assert.match(await text(tab, "#numbers"), /attention accuracyn\/amass in goldn\/a/);
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("a bar under each word shows how far its gate is open, but only if the model has one", async () => {
  const tab = await openPage("pictures");
  for (const record of records) {
    await show(tab, `#s=${record.id}&r=1`);
    const gates = await attributes(tab, ".tile .gate", "data-gate", "width");
    assert.deepEqual(gates.map(([open]) => Number(open)), record.gate ?? []);
    const rooms = await attributes(tab, ".tile .gate-room", "width");
    gates.forEach(([open, width], t) => near(Number(width), Number(open) * Number(rooms[t][0]), 1e-6, `step ${t}`));
    const told = await text(tab, "#inspector");
    if (record.gate) assert.ok(told.includes(`gate, the share let through${record.gate[1].toFixed(3)}`), told);
    else assert.doesNotMatch(told, /gate/);
    assert.equal(/gate, 0 to 1/.test(await text(tab, "#legend")), Boolean(record.gate));
  }
  await show(tab, "#s=0&c=1&d=1&r=1");
  const [soft, hard] = [records, jsonLines("hard/alignments.jsonl")].map(([record]) => record.gate);
  const differences = await attributes(tab, ".panel:nth-child(2) .tile .gate", "data-gate", "class", "width");
  assert.equal(differences.length, soft.length);
  differences.forEach(([value, kind, width], t) => {
    near(Number(value), soft[t] - hard[t], 1e-12, `step ${t}`);
    assert.equal(kind, soft[t] < hard[t] ? "gate bar less" : "gate bar more");
    assert.ok(Number(width) >= 0);
  });
  assert.ok(soft.some((open, t) => open < hard[t]) && soft.some((open, t) => open > hard[t]));
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});
