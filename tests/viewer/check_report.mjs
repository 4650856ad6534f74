// The report shows the values of its JSON, its links open the pages that they name, and no word of a corpus runs as code.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { folder, openPage, texts } from "./browser.mjs";

const name = "papers/bahdanau";
const openReport = (options = {}) => openPage(name, "", { ready: false, ...options });
const { claims, experiments } = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));

// Rounds as C++ does: a number exactly in the middle goes to the even digit, but toFixed rounds it up.
function fixed(x, decimals) {
  const scaled = x * 10 ** decimals, below = Math.floor(scaled);
  const middle = scaled - below === 0.5 && Number.isInteger(x * 2 ** (decimals + 1));
  return middle && below % 2 === 0 ? (below / 10 ** decimals).toFixed(decimals) : x.toFixed(decimals);
}

// Returns the mean and half of the range over the seeds, as the report prints them.
function written(values, decimals) {
  if (values.some((value) => value == null)) return "-";
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return `${fixed(mean, decimals)} ± ${fixed((Math.max(...values) - Math.min(...values)) / 2, decimals)}`;
}
const rowsOf = (tab, selector) => tab.$$eval(`${selector} tbody tr:not(.family)`, (rows) =>
  rows.map((row) => [...row.children].map((cell) => cell.textContent)));
const boldOf = (tab, selector) => tab.$$eval(`${selector} tbody tr`, (rows) =>
  rows.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.querySelector("b") != null)));

const figures = [["perplexity", 3, Math.min], ["bleu", 1, Math.max], ["exact_match", 1, Math.max], ["aer", 1, Math.min], ["words_per_second", 0, null]];

test("the main table has the JSON's figures, the best of each column bold", async () => {
  const tab = await openReport();
  const [rows, bold] = [await rowsOf(tab, ".results"), await boldOf(tab, ".results")];
  assert.equal(rows.length, 6);
  figures.forEach(([key, decimals, best], column) => {
    const seeds = Object.values(experiments).map((runs) => runs.map((run) => run[key]));
    const expected = seeds.map((values) => written(values, decimals));
    assert.deepEqual(rows.map((row) => row[1 + column]), expected, key);
    const means = expected.map((text) => (text === "-" ? NaN : parseFloat(text)));
    const winner = best && best(...means.filter((mean) => !Number.isNaN(mean)));
    assert.deepEqual(bold.map((row) => row[column]), means.map((mean) => mean === winner), `bold ${key}`);
  });
  await tab.close();
});

test("the tables of parts have the JSON's figures", async () => {
  const tab = await openReport();
  const tables = await tab.$$eval(".parts", (all) => all.map((table) => [...table.rows].map((row) => [...row.children].map((cell) => cell.textContent))));
  const kinds = ["bleu_by_length", "aer_by_length", "aer_by_tag"];
  assert.equal(tables.length, kinds.length);
  tables.forEach(([[, ...parts], , ...rows], i) => {
    const withFigures = Object.entries(experiments).filter(([, runs]) => parts.some((part) => runs[0][kinds[i]][part] != null));
    assert.ok(parts.length > 0 && withFigures.length > 0, kinds[i]);
    assert.deepEqual(rows, withFigures.map(([row, runs]) => [row, ...parts.map((part) => written(runs.map((run) => run[kinds[i]][part]), 1))]), kinds[i]);
  });
  await tab.close();
});

test("the conclusion comes first and has every claim with its verdict", async () => {
  const tab = await openReport();
  assert.equal(await tab.$eval("main > :first-child", (node) => node.id), "conclusion");
  assert.deepEqual(await texts(tab, ".claims li"),
    claims.map(({ claim, held, figures: told }) => `${held ? "✓ holds" : "✗ does not hold"} ${claim} ${told}`));
  const held = claims.filter((claim) => claim.held).length;
  assert.match((await texts(tab, ".lead"))[0], new RegExp(`^${held} of ${claims.length} claims`));
  await tab.close();
});

// Returns what a figure of the report shows: the model, and the weights in its cells.
const figureOf = (node) => ({
  model: node.querySelector("figcaption b").textContent,
  weights: [...node.querySelectorAll(".matrix title")].map((title) => title.textContent.slice(-4)),
  sure: node.querySelectorAll(".gold:not(.possible)").length,
});
const linksOf = (tab) => tab.evaluate((text) => {
  const figure = eval(text);
  const words = (node) => [...node.querySelectorAll(".pair b bdi")].map((word) => word.textContent);
  const example = document.querySelector("section > .pair").parentElement;
  return [
    ...[...example.querySelectorAll("figure")].map((node) => ({ href: node.querySelector("a").getAttribute("href"), words: words(example), figures: [figure(node)] })),
    ...[...document.querySelectorAll("article")].map((node) => ({
      href: node.querySelector("a").getAttribute("href"), words: words(node), figures: [...node.querySelectorAll("figure")].map(figure),
    })),
  ];
}, `(${figureOf})`);

test("links into the viewer open the sentence by the models that they name, with the same weights", async () => {
  const tab = await openReport();
  const links = await linksOf(tab);
  await tab.close();
  assert.equal(links.length, 3 + 6);
  for (const { href, words, figures: drawn } of links) {
    const [file, hash] = href.split("#");
    const viewer = await openPage(join(dirname(name), file.replace(".html", "")), `#${hash}`);
    const columns = await texts(viewer, ".panel:first-child .column-word title");
    const visible = columns.map((word) => word.replace(/⟨U\+\w+⟩/g, "\ufffd"));  // the report has one sign for all
    assert.deepEqual(visible, [...words, "</s>"], href);
    const shown = await viewer.evaluate(() => ["run", "other"].map((id) => document.getElementById(id).selectedOptions[0].textContent));
    const panels = await viewer.$$eval(".panel", (nodes) => nodes.map((panel) => ({
      weights: [...panel.querySelectorAll(".cell")].map((cell) => Number(cell.dataset.w)),
      sure: panel.querySelectorAll(".sure").length,
    })));
    assert.equal(panels.length, drawn.length, href);
    drawn.forEach(({ model, weights, sure }, i) => {
      assert.equal(shown[i], `${model}-seed1`, href);
      const expected = panels[i].weights.filter((w) => w >= 0.005);
      assert.equal(weights.length, expected.length, href);
      weights.forEach((w, k) => assert.ok(Math.abs(Number(w) - expected[k]) < 0.00501, `${href}: ${w}, ${expected[k]}`));
      assert.equal(sure, panels[i].sure, href);
    });
    assert.deepEqual(viewer.complaints, []);
    await viewer.close();
  }
});

test("the report sends no request, logs nothing and runs no script, for any words", async () => {
  const tab = await openReport();
  assert.equal(await tab.$("script, img, link, iframe, object"), null);
  assert.match((await texts(tab, "section > .pair"))[0], /<\/script><script>window\.broken=1<\/script>/);
  assert.match((await texts(tab, ".lead"))[0], /a <b>&"corpus"/);
  assert.equal(await tab.$("#conclusion .lead b b"), null);
  await tab.click("summary");
  assert.match((await texts(tab, "pre"))[0], /train --max-length 15 --data '.*a <b>&"corpus"' --seed 1/);
  assert.equal(await tab.evaluate(() => window.broken), undefined);
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("a report that does not escape, or that asks for a font, is found out", async () => {
  const kept = await openPage("report-unescaped", "", { ready: false });
  assert.equal(await kept.evaluate(() => window.broken), undefined);
  assert.match(kept.complaints.join("\n"), /Content Security Policy/);
  await kept.close();
  const broken = await openPage("report-unescaped-without-policy", "", { ready: false });
  assert.equal(await broken.evaluate(() => window.broken), 1);
  await broken.close();
  const asking = await openPage("report-cdn-without-policy", "", { ready: false });
  assert.match(asking.complaints.join("\n"), /request: https:\/\/cdn\.example/);
  await asking.close();
});
