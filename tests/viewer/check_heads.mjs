// Models of several layers and heads: the grid of their maps, and self-attention, a sentence with itself.
import assert from "node:assert/strict";
import { test } from "node:test";
import { hover, jsonLines, openPage, show, texts } from "./browser.mjs";

const [record] = jsonLines("stack/alignments.jsonl");
const cells = (tab, selector = "") => tab.$$eval(`.panel:first-child .cell${selector}`, (nodes) => nodes.map((node) => Number(node.dataset.w)));
const tiles = (tab, kind) => tab.$$eval(`[data-kind="${kind}"] button`, (nodes) =>
  nodes.map((node) => ({ text: node.textContent, name: node.getAttribute("aria-label"), best: node.classList.contains("best") })));

// 1 - (|A n S| + |A n P|) / (|A| + |S|) of the largest weights, in percent.
function aer(matrix, { gold, source_tokens, target_tokens }) {
  const links = matrix.slice(0, target_tokens.length - 1).map((row, t) => [row.indexOf(Math.max(...row)), t])
    .filter(([s]) => s < source_tokens.length - 1).map(String);
  const among = (kind) => links.filter((link) => kind.map(String).includes(link)).length;
  const rate = 1 - (2 * among(gold.sure) + among(gold.possible)) / (links.length + gold.sure.length);
  return (100 * rate).toFixed(1) + "%";
}

test("the heading of a figure names the head that it shows", async () => {
  const tab = await openPage("stack", "#s=0&h=2");
  const about = async () => (await texts(tab, ".panel h2 small"))[0];
  assert.match(await about(), /^layer 2, head 1 of 2 · kept model/);
  await show(tab, "#s=0&h=5");
  assert.match(await about(), /^self-attention of the source, layer 1, head 2 of 2 · kept model/);
  await show(tab, "#s=0&h=2&p=1");
  assert.match(await about(), /^layer 2, head 1 of 2/);
  await show(tab, "#s=0");
  assert.match(await about(), /^kept model/);
  await tab.close();
});

test("each layer and head has its small map with its AER, the best one marked", async () => {
  const tab = await openPage("stack", "#s=0");
  const cross = record.heads.filter(({ kind }) => kind === "cross");
  const shown = await tiles(tab, "cross");
  assert.deepEqual(shown.map(({ text }) => text), cross.map(({ matrix }) => aer(matrix, record)));
  assert.deepEqual(shown.map(({ name }) => name.split(":")[0]), ["layer 1, head 1", "layer 1, head 2", "layer 2, head 1", "layer 2, head 2"]);
  assert.deepEqual(shown.map(({ best }) => best), [false, false, true, false]);
  for (const kind of ["encoder-self", "decoder-self"]) assert.equal((await tiles(tab, kind)).length, 4);
  assert.match((await texts(tab, "#inspector"))[0], /made of the heads below/);
  assert.equal(await tab.$(".formula"), null);
  await tab.click('[data-kind="cross"] button:nth-child(4)');
  assert.equal((await texts(tab, ".formula")).length, 2);
  assert.deepEqual(await cells(tab), cross[3].matrix.flat());
  assert.match(await tab.evaluate(() => location.hash), /h=3/);
  await tab.click(".heads button");
  assert.deepEqual(await cells(tab), record.matrix.flat());
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("weights of an alignment layer are named, and say how much of the decoder they contain", async () => {
  const tab = await openPage("layer", "#s=0");
  const shown = async () => [(await texts(tab, ".panel h2 small"))[0], (await texts(tab, ".heads button"))[0], (await texts(tab, "#inspector"))[0]];
  const [combined, button, computed] = await shown();
  assert.match(combined, /^alignment layer and decoder · /);
  assert.equal(button, "both");
  assert.ok(await tab.$eval(".heads button", (node) => node.scrollWidth <= node.clientWidth), "the label is wider than its button");
  assert.match(computed, /alignment layer, which knows both sentences \(share 0\.3\), with the decoder's attention \(share 0\.7\)/);
  for (const sentence of [1, 2]) {
    await show(tab, `#s=${sentence}`);
    const [alone, name, text] = await shown();
    assert.match(alone, /^alignment layer · /);
    assert.equal(name, "layer");
    assert.match(text, /These weights come from the alignment layer/);
    assert.doesNotMatch(text, /share/);
  }
  await show(tab, "#s=0&h=0");
  assert.match((await shown())[0], /^decoder attention · /);
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("self-attention of the encoder is a matrix of the source with itself, without gold and without AER", async () => {
  const tab = await openPage("stack", "#s=0&h=5&r=1");
  assert.deepEqual(await cells(tab), record.heads[5].matrix.flat());
  const words = await Promise.all([".column-word", ".row-word"].map((kind) => texts(tab, `.panel:first-child ${kind} > title`)));
  assert.deepEqual(words, [record.source_tokens, record.source_tokens]);
  assert.equal(await tab.$(".panel:first-child .gold rect"), null);
  assert.match((await texts(tab, "#numbers"))[0], /AERn\/a/);
  assert.match((await texts(tab, "#reading"))[0], /^Step 2: at old the encoder attended to .* of its own sentence\.$/);
  await tab.close();
});

test("self-attention is drawn as arcs over one row of words: as wide as the weight, dashed if they attend ahead", async () => {
  const arcs = (tab) => tab.$$eval(".panel:first-child .arcs .ribbon", (nodes) => nodes.map((node) => ({
    t: Number(node.dataset.t), s: Number(node.dataset.s), ahead: node.classList.contains("ahead"), d: node.getAttribute("d"),
    width: Number(node.getAttribute("stroke-width")) })));
  const numbers = (d) => d.match(/-?[\d.]+/g).map(Number);
  const tab = await openPage("stack", "#s=0&h=5");
  const drawn = await arcs(tab);
  const places = record.heads[5].matrix.flatMap((row, t) => row.flatMap((w, s) => (w < 0.02 ? [] : [{ t, s, w }])));
  assert.deepEqual(drawn.map(({ t, s }) => [t, s]), places.map(({ t, s }) => [t, s]));
  drawn.forEach(({ t, s, ahead, width, d }, i) => {
    assert.equal(ahead, s > t);
    assert.ok(Math.abs(width - 0.5 - 5 * places[i].w) < 1e-3);
    const [x1, y1, , , , , x2, y2] = numbers(d);
    assert.equal(y1, y2);
    assert.equal(Math.sign(x2 - x1), Math.sign(s - t));
  });
  assert.equal(await tab.$(".panel:first-child .target-word"), null);
  assert.match((await texts(tab, "#legend"))[0], /attends ahead/);
  await hover(tab, '.row-word[data-t="1"]');
  assert.ok((await tab.$$eval(".arcs .on", (nodes) => nodes.map((node) => node.dataset.t))).every((t) => t === "1"));
  await show(tab, "#s=0&h=8");
  assert.ok((await arcs(tab)).every(({ ahead }) => !ahead));
  await show(tab, "#s=0");
  assert.equal(await tab.$(".arcs"), null);
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("self-attention of the decoder is a triangle, and the cells of the future say so", async () => {
  const tab = await openPage("stack", "#s=0&h=8");
  const T = record.target_tokens.length;
  assert.deepEqual(await texts(tab, ".panel:first-child .column-word > title"), ["<s>", ...record.target_tokens.slice(0, -1)]);
  assert.equal((await cells(tab, ".future")).length, (T * (T - 1)) / 2);
  assert.equal((await cells(tab, ":not(.future)")).length, (T * (T + 1)) / 2);
  await hover(tab, '.cell[data-t="1"][data-s="3"]');
  assert.match((await texts(tab, "#tip"))[0], /the future/);
  await hover(tab, '.cell[data-t="3"][data-s="1"]');
  assert.doesNotMatch((await texts(tab, "#tip"))[0], /the future/);
  assert.match((await texts(tab, "#legend"))[0], /the future/);
  await tab.close();
});

test("a run without heads is next to a run with heads, and the list shows the AER of the head", async () => {
  const tab = await openPage("stack", "#s=0&c=1&h=2");
  assert.equal((await texts(tab, ".panel h2")).length, 2);
  const of = (view) => show(tab, view).then(() => tab.$eval("#pooled-aer", (node) => Number(node.dataset.aer)));
  assert.notEqual(await of("#s=0&h=1"), await of("#s=0&h=2"));
  await tab.close();
});
