// A step in numbers, the difference of two runs, figures as files.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { drawn, hover, jsonLines, openPage, show, texts } from "./browser.mjs";

const text = async (tab, selector) => (await texts(tab, selector))[0];
const numbers = (tab, column) => tab.$$eval(".computation tr", (rows, place) =>
  rows.slice(1).map((row) => Number(row.children[place].textContent.replace("−", "-"))), column);
const close = (ours, theirs, within, what) => {
  assert.equal(ours.length, theirs.length, what);
  ours.forEach((x, i) => assert.ok(Math.abs(x - theirs[i]) <= within, `${what}: ${x} is not ${theirs[i]}`));
};

test("a step shows scores, weights and shares of the context as the record has them", async () => {
  const tab = await openPage("tongues", "#s=3&r=1");
  const { matrix, scores, norms } = jsonLines("tongues/alignments.jsonl")[3];
  assert.deepEqual(await texts(tab, ".formula"), ["αij = exp(eij) / Σk exp(eik)", "ci = Σj αij hj"]);
  close(await numbers(tab, 1), scores[1], 0.005, "e_ij");
  close(await numbers(tab, 2), matrix[1], 0.00005, "alpha_ij");
  close(await numbers(tab, 3), matrix[1].map((w, s) => w * norms.source[s]), 0.0005, "alpha_ij |h_j|");
  assert.match(await text(tab, "#inspector"), /\|ci\| = 1\.500/);
  await show(tab, "#s=3&r=1&tau=2");
  const tempered = scores[1].map((e) => Math.exp(e / 2));
  const total = tempered.reduce((a, b) => a + b);
  close(await numbers(tab, 2), tempered.map((x) => x / total), 0.00006, "alpha_ij at temperature 2");
  assert.equal(await text(tab, ".formula"), "αij = exp(eij/2.00) / Σk exp(eik/2.00)");
  await tab.close();
});

test("a record without scores says how to get them", async () => {
  const tab = await openPage("tongues", "#s=4&r=1");
  assert.match(await text(tab, "#inspector"), /align --scores/);
  assert.equal(await tab.$(".computation"), null);
  await tab.close();
});

test("cells, ribbons, bars and legend of a difference all show A minus B", async () => {
  const tab = await openPage("tongues", "#s=3&c=1&d=1");
  const [a, b] = ["tongues", "shifted"].map((run) => jsonLines(`${run}/alignments.jsonl`)[3]);
  const second = (selector, key) => tab.$$eval(`.panel:nth-child(2) ${selector}`, (nodes, name) => nodes.map((node) => Number(node.dataset[name])), key);
  const less = a.matrix.map((row, t) => row.map((w, s) => w - b.matrix[t][s]));
  close(await second(".cell", "w"), less.flat(), 1e-12, "cells");
  const sums = (rows) => rows[0].map((_, s) => rows.reduce((sum, row) => sum + row[s], 0));
  close(await second("[data-coverage]", "coverage"), sums(less), 1e-9, "coverage");
  const nats = ({ matrix }) => matrix.map((row) => -row.reduce((sum, w) => sum + (w > 0 ? w * Math.log(w) : 0), 0));
  close(await second("[data-entropy]", "entropy"), nats(a).map((h, t) => h - nats(b)[t]), 1e-9, "entropy");
  close(await second("[data-p]", "p"), a.logprob.map((l, t) => Math.exp(l) - Math.exp(b.logprob[t])), 1e-9, "p");
  const ribbons = await tab.$$eval(".panel:nth-child(2) .ribbon", (nodes) => nodes.map((node) => [node.dataset.t, node.dataset.s, node.getAttribute("stroke")]));
  assert.ok(ribbons.length > 4);
  for (const [t, s, stroke] of ribbons) {
    const [r, , blue] = stroke.match(/\d+/g).map(Number);
    assert.equal(blue > r, less[t][s] > 0, `ribbon ${t}-${s} of ${less[t][s]} is ${stroke}`);
  }
  assert.match(await text(tab, "#legend"), /A: weight 0 to 1A − B: −1 \(B more\) to \+1 \(A more\)/);
  await hover(tab, '.panel:nth-child(2) .cell[data-t="1"][data-s="1"]');
  const told = await text(tab, "#tip");
  const d = less[1][1];
  for (const part of [`${d > 0 ? "+" : "−"}${Math.abs(d).toFixed(4)}`, `A: ${a.matrix[1][1].toFixed(4)}`, `B: ${b.matrix[1][1].toFixed(4)}`])
    assert.ok(told.includes(part), `"${part}" is not in "${told}"`);
  await show(tab, "#s=3&c=1");
  assert.doesNotMatch(await text(tab, "#legend"), /A − B/);
  await tab.close();
});

async function saved(tab, selector) {
  const [download] = await Promise.all([tab.waitForEvent("download"), tab.click(selector)]);
  const xml = readFileSync(await download.path(), "utf8");
  const drawing = await tab.evaluate((markup) => {
    const parsed = new DOMParser().parseFromString(markup, "image/svg+xml");
    const count = (what) => parsed.querySelectorAll(what).length;
    return { broken: count("parsererror"), rects: count("rect"), paths: count("path"), titles: [...parsed.querySelectorAll("title")].map((node) => node.textContent),
      texts: [...parsed.querySelectorAll("text")].map((node) => [...node.childNodes].filter((child) => child.nodeName !== "title").map((child) => child.textContent).join("")),
      plain: [...parsed.querySelectorAll("text")].filter((node) => !node.getAttribute("font-family")?.includes("sans-serif")).length,
      ground: parsed.querySelector("rect").getAttribute("fill") };
  }, xml);
  return { name: download.suggestedFilename(), xml, ...drawing };
}

test("a figure is saved as an SVG that needs nothing: light, its style in it, whatever the words are", async () => {
  const tab = await openPage("tongues", "#s=3&t=dark&r=1");
  const cells = jsonLines("tongues/alignments.jsonl")[3].matrix.flat().length;
  const file = await saved(tab, ".save");
  assert.equal(file.name, "sentence-3-tongues.svg");
  assert.equal(file.broken, 0);
  assert.ok(file.rects > cells && file.paths > 4, `${file.rects} rectangles, ${file.paths} paths`);
  assert.equal(file.ground, "#fffefb");
  assert.equal(file.plain, 0);
  assert.ok(file.xml.includes('stroke="rgb(201, 111, 0)"'), "gold is orange");
  assert.ok(file.texts.includes("love") && file.texts.includes("深度"));
  assert.match(file.titles[0], /^tongues: 我 爱 深度 学习 <\/s> → i love deep learning <\/s>$/);
  assert.doesNotMatch(file.xml, /var\(|class=|url\(|href|https?:(?!\/\/www\.w3\.org\/)|opacity="0\.06"/);
  assert.equal(await tab.getAttribute("html", "data-theme"), "dark");
  assert.equal(new URL(tab.url()).hash.includes("r=1"), true);
  assert.match(await text(tab, "#reading"), /^Step 2/);

  await show(tab, "#s=6&c=1&d=1");
  const hostile = await saved(tab, ".panel:nth-child(2) .save");
  assert.equal(hostile.broken, 0);
  assert.doesNotMatch(hostile.xml, /[\u0000-\u0008\u200b\u202e\u2028]|<script|<img/);
  await tab.close();
});

test("the learning curves are saved next to each other", async () => {
  const tab = await openPage("tongues", "#s=3&c=1");
  const file = await saved(tab, "#save-curves");
  assert.equal(file.name, "curves-tongues.svg");
  assert.equal(file.broken, 0);
  assert.equal(file.paths, 6);
  for (const name of ["validation loss, nats", "validation BLEU", "validation AER"]) assert.ok(file.texts.includes(name), name);
  await drawn(tab);
  assert.equal((await tab.$$("#curves > svg")).length, 3);
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});
