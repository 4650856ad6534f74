// The page shows the values of the files.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, jsonLines, openPage, show, texts } from "./browser.mjs";

const figure = (tab) => tab.evaluate(() => {
  const all = (selector) => [...document.querySelectorAll(`.panel:first-child ${selector}`)];
  return {
    weights: all(".cell").map((cell) => Number(cell.dataset.w)),
    places: all(".cell").map((cell) => [Number(cell.dataset.t), Number(cell.dataset.s)]),
    rows: all(".row-word").length,
    columns: all(".column-word").length,
    targets: all(".target-word").length,
    unknown: [".column-word.unknown", ".row-word.unknown", ".target-word.unknown"].map((kind) =>
      all(kind).map((word) => Number(word.dataset.s ?? word.dataset.t))),
    sure: all(".gold .sure").length,
    possible: all(".gold .possible").length,
    dots: all("circle.link").length,
    crosses: all("path.link").length,
    entropy: all("[data-entropy]").map((bar) => Number(bar.dataset.entropy)),
    probabilities: all("[data-p]").map((bar) => Number(bar.dataset.p)),
    coverage: all("[data-coverage]").map((bar) => Number(bar.dataset.coverage)),
  };
});

function compare(drawn, record, what) {
  const { matrix, gold, links } = record;
  const flat = matrix.flat();
  assert.equal(drawn.weights.length, flat.length, `${what}: cells`);
  flat.forEach((w, i) => assert.ok(Math.abs(w - drawn.weights[i]) < 1e-12, `${what}: cell ${drawn.places[i]} is ${drawn.weights[i]}, not ${w}`));
  assert.deepEqual(drawn.places, matrix.flatMap((row, t) => row.map((_, s) => [t, s])), what);
  assert.equal(drawn.rows, record.target_tokens.length, `${what}: rows`);
  assert.equal(drawn.targets, record.target_tokens.length, `${what}: target words`);
  assert.equal(drawn.columns, record.source_tokens.length, `${what}: columns`);
  const unknown = [record.unknown ?? [], record.target_unknown ?? []];
  assert.deepEqual(drawn.unknown, [...unknown, unknown[1]], `${what}: unknown words`);
  assert.equal(drawn.sure, gold?.sure.length ?? 0, `${what}: sure links`);
  assert.equal(drawn.possible, gold?.possible.length ?? 0, `${what}: possible links`);
  const accepted = new Set([...(gold?.sure ?? []), ...(gold?.possible ?? [])].map(String));
  const wrong = gold ? links.filter((link) => !accepted.has(String(link))).length : 0;
  assert.equal(drawn.crosses, wrong, `${what}: crosses`);
  assert.equal(drawn.dots, links.length - wrong, `${what}: dots`);
  const nats = matrix.map((row) => -row.reduce((sum, w) => sum + (w > 0 ? w * Math.log(w) : 0), 0));
  assert.equal(drawn.entropy.length, matrix.length, `${what}: entropy bars`);
  nats.forEach((h, t) => assert.ok(Math.abs(h - drawn.entropy[t]) < 1e-9, `${what}: entropy of step ${t}`));
  record.logprob.forEach((l, t) => assert.ok(Math.abs(Math.exp(l) - drawn.probabilities[t]) < 1e-9, `${what}: p of step ${t}`));
  drawn.coverage.forEach((c, s) => {
    const total = matrix.reduce((sum, row) => sum + row[s], 0);
    assert.ok(Math.abs(c - total) < 1e-9, `${what}: coverage of word ${s}`);
  });
}

test("cells, words, links, gold and bars of every record equal those of alignments.jsonl", async () => {
  for (const [name, run] of [["tongues", "tongues"], ["trained", "run"]]) {
    const tab = await openPage(name);
    for (const record of jsonLines(`${run}/alignments.jsonl`)) {
      await show(tab, `#s=${record.id}`);
      compare(await figure(tab), record, `${name} ${record.id}`);
    }
    assert.deepEqual(tab.complaints, []);
    await tab.close();
  }
});

test("epochs equal those of history.jsonl, for each head too", async () => {
  const tab = await openPage("trained");
  for (const record of jsonLines("run/history.jsonl")) {
    await show(tab, `#s=v${record.id}&e=${record.epoch}`);
    compare(await figure(tab), record, `epoch ${record.epoch} of ${record.id}`);
    assert.match((await texts(tab, ".panel h2 small"))[0], new RegExp(`epoch ${record.epoch}$`));
  }
  const [record] = jsonLines("run/alignments.jsonl");
  for (const { head, matrix } of record.heads) {
    await show(tab, `#s=0&h=${head}`);
    assert.deepEqual((await figure(tab)).weights, matrix.flat());
  }
  await tab.close();
});

test("AER, precision and recall are evaluate's", async () => {
  const { alignment } = JSON.parse(readFileSync(join(folder, "evaluation.json"), "utf8"));
  const tab = await openPage("trained");
  const aer = await tab.$eval("#pooled-aer", (node) => Number(node.dataset.aer));
  assert.ok(Math.abs(aer - alignment.aer) < 1e-12, `${aer} is not ${alignment.aer}`);
  const [told] = await texts(tab, "#pooled-aer");
  const percent = (x) => (100 * x).toFixed(1) + "%";
  assert.equal(told, `AER of all 30 pairs ${percent(alignment.aer)} · precision ${percent(alignment.precision)} · recall ${percent(alignment.recall)}`);
  await tab.close();
});

test("thresholds and mutual best words make the links that they say", async () => {
  const tab = await openPage("trained");
  const [record] = jsonLines("run/alignments.jsonl");
  const [words, columns] = [record.target_tokens.length - 1, record.source_tokens.length - 1];
  const all = record.matrix.slice(0, words).flatMap((row, t) => row.slice(0, columns).map((w, s) => ({ w, t, s, row })));
  const marks = () => tab.$$eval(".panel:first-child .links > *", (nodes) => nodes.length);
  await show(tab, "#s=0&l=threshold&x=0.2");
  assert.equal(await marks(), all.filter(({ w }) => w >= 0.2).length);
  await show(tab, "#s=0&l=mutual");
  const column = (s) => Math.max(...record.matrix.map((row) => row[s]));
  assert.equal(await marks(), all.filter(({ w, s, row }) => w === Math.max(...row) && w === column(s)).length);
  await tab.close();
});

test("a temperature leaves rows that sum to 1, and argmax links as they were", async () => {
  const tab = await openPage("tongues", "#s=3");
  const before = await figure(tab);
  for (const tau of [0.1, 0.5, 2, 10]) {
    await show(tab, `#s=3&tau=${tau}`);
    const after = await figure(tab);
    assert.notDeepEqual(after.weights, before.weights);
    assert.equal(after.dots, before.dots);
    const sums = [];
    after.places.forEach(([t], i) => { sums[t] = (sums[t] ?? 0) + after.weights[i]; });
    sums.forEach((total) => assert.ok(Math.abs(total - 1) < 1e-9));
  }
  await tab.close();
});
