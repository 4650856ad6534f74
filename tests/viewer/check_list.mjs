// These checks are about the list: the first sentence, the filters, the figures above the list, and the state in a link.
import assert from "node:assert/strict";
import { test } from "node:test";
import { drawn, jsonLines, listed, openPage, show, texts } from "./browser.mjs";

const text = async (tab, selector) => (await texts(tab, selector))[0];
const hash = (tab) => new URLSearchParams(new URL(tab.url()).hash.slice(1));
const places = async (tab) => (await listed(tab)).map(({ i }) => i);
const percent = (x) => (100 * x).toFixed(1) + "%";

// Counts the figures of Och & Ney (2003) again, pooled over records.
function figures(records) {
  const sums = { found: 0, sure: 0, foundSure: 0, foundPossible: 0 };
  for (const { links, gold } of records) {
    const [sure, all] = [gold.sure, [...gold.sure, ...gold.possible]].map((list) => new Set(list.map(String)));
    sums.found += links.length;
    sums.sure += sure.size;
    sums.foundSure += links.filter((link) => sure.has(String(link))).length;
    sums.foundPossible += links.filter((link) => all.has(String(link))).length;
  }
  return {
    aer: 1 - (sums.foundSure + sums.foundPossible) / (sums.found + sums.sure),
    precision: sums.foundPossible / sums.found,
    recall: sums.foundSure / sums.sure,
  };
}

test("a page opens on a sentence with a timeline and interventions, of ordinary length, with a low AER", async () => {
  const tab = await openPage("films");
  assert.equal(await text(tab, "#which"), "Sentence 14");
  assert.equal(await text(tab, "#list [aria-selected] .has"), "timelineinterventions");
  assert.equal(await text(tab, "#numbers dd"), "12.5%");
  assert.equal(await tab.getAttribute("#list", "aria-activedescendant"), "sentence-13");
  await tab.close();
  const filtered = await openPage("films", "#q=n20");  // among those of the list
  assert.equal(await text(filtered, "#which"), "Sentence 21");
  await filtered.close();
});

test("a page with tracked sentences opens in file order, in sight of one whose links cross, and says what tracked is", async () => {
  for (const [width, height] of [[1440, 900], [1024, 768]]) {
    const tab = await openPage("crossing", "", { width, height });
    assert.deepEqual([await text(tab, "#which"), hash(tab).get("s"), hash(tab).get("o")], ["Tracked sentence 3", "v2", "order"]);
    assert.match(await text(tab, "#whence"), /^a validation sentence, recorded after each epoch/);
    const [row, list] = await Promise.all(["#list [aria-selected]", "#list"].map((at) => tab.$eval(at, (node) => node.getBoundingClientRect().toJSON())));
    assert.ok(row.top >= list.top && row.bottom <= list.bottom, `row ${row.top} to ${row.bottom}, list ${list.top} to ${list.bottom}`);
    assert.ok((await listed(tab)).every(({ figure }) => /%$/.test(figure)));  // in file order, too, rows show their AER
    await show(tab, "#s=3&o=order");
    assert.equal(await text(tab, "#whence"), "");
    await tab.close();
  }
  const sorted = await openPage("crossing", "#o=entropy");  // a link says how the list is sorted
  assert.equal(hash(sorted).get("o"), "entropy");
  await sorted.close();
});

test("a tracked story is called a validation story", async () => {
  const tab = await openPage("tracked-stories");
  assert.deepEqual([await text(tab, "#which"), await text(tab, "#whence")],
    ["Tracked story 1", "a validation story, recorded after each epoch of the training"]);
  await show(tab, "#s=99");
  assert.match(await text(tab, "#said"), /^This page has no story 99 /);
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("the list can be sorted by what records of the page have", async () => {
  const [links, places, rest] = [["aer"], ["pointing", "mass"], ["entropy", "logprob", "length", "order"]];
  for (const [page, expected, first] of [["films", [...links, ...rest], "aer"], ["stories", [...places, ...rest], "pointing"],
    ["pictures", [...places, ...rest], "pointing"], ["pairs", rest, "order"], ["text", rest, "order"], ["own", rest, "order"]]) {
    const tab = await openPage(page, "#s=0");
    assert.deepEqual(await tab.$$eval("#sort option", (options) => options.map(({ value }) => value)), expected, page);
    assert.equal(await tab.inputValue("#sort"), first, page);
    for (const other of [...links, ...places].filter((name) => !expected.includes(name))) {  // a link of another page
      await show(tab, `#s=0&o=${other}`);
      assert.equal(await tab.inputValue("#sort"), first, `${page} by ${other}`);
    }
    assert.deepEqual(tab.complaints, []);
    await tab.close();
  }
});

test("a figure shows a sentence of the list: if the list loses it, the first one is shown", async () => {
  const tab = await openPage("films", "#s=3&r=1");
  await tab.fill("#filter", "n20");
  await drawn(tab);
  assert.deepEqual([await text(tab, "#which"), hash(tab).get("s"), hash(tab).get("r")], ["Sentence 21", "20", null]);
  assert.equal(await text(tab, "#list [aria-selected] .target"), await text(tab, "#list [role=option] .target"));
  await tab.click("#kinds [data-kind=film]");  // none of both: nothing else is shown
  assert.equal(await text(tab, "#which"), "Sentence 21");
  await tab.fill("#filter", "");
  assert.equal(await text(tab, "#which"), `Sentence ${(await places(tab))[0] + 1}`);
  await tab.selectOption("#tag", "fixed");
  assert.equal(await text(tab, "#which"), "Sentence 11");
  await tab.close();
});

test("a link to a sentence that the page does not have says so", async () => {
  const tab = await openPage("films", "#s=9999");
  assert.equal(await text(tab, "#said"), "This page has no sentence 9999 (s=9999 in the address), so another one is shown.");
  assert.equal(await text(tab, "#which"), "Sentence 14");  // as without a link
  await show(tab, "#s=3");
  assert.deepEqual([await text(tab, "#said"), await text(tab, "#which")], ["", "Sentence 4"]);
  await show(tab, "#s=v3");
  assert.match(await text(tab, "#said"), /^This page has no sentence v3 /);
  await tab.close();
});

test("chips say what sentences have, and reduce the list to those", async () => {
  const tab = await openPage("films", "#s=0&o=order");
  assert.deepEqual(await texts(tab, "#kinds button"), ["timeline 4", "interventions 4", "beams 0"]);
  await tab.click("#kinds [data-kind=film]");
  assert.deepEqual(await places(tab), [10, 11, 12, 13]);
  await tab.click("#kinds [data-kind=interventions]");
  assert.deepEqual(await places(tab), [11, 12, 13]);
  assert.equal(hash(tab).get("k"), "film,interventions");
  assert.equal(await tab.getAttribute("#kinds [data-kind=film]", "aria-pressed"), "true");
  await tab.click("#kinds [data-kind=film]");
  assert.deepEqual(await places(tab), [11, 12, 13, 20]);
  await tab.click("#kinds [data-kind=beams]");  // none has any: it says how they come
  assert.match(await text(tab, "#said"), /No sentence has beams.*beam.jsonl/);
  assert.deepEqual(await places(tab), [11, 12, 13, 20]);
  await tab.close();
});

// Returns the texts directly after the button was pressed. Later they change, because a clock advances the epochs.
const play = (tab) => tab.evaluate(() => {
  document.getElementById("play").click();
  return ["which", "said", "play"].map((id) => document.getElementById(id).textContent);
});

test("playing a sentence that has no timeline goes to one that has, or says how it is made", async () => {
  const tab = await openPage("films", "#s=0&o=order");
  assert.match(await text(tab, "#epoch-label"), /no timeline of this sentence/);
  assert.deepEqual(await play(tab), ["Sentence 11", "Sentence 1 has no timeline; this is one that has.", "❚❚"]);
  await tab.close();
  const filtered = await openPage("films", "#s=0&o=order&q=n5");  // none in the list: then the best of all
  assert.deepEqual((await play(filtered))[0], "Sentence 14");
  await filtered.close();
  const unfilmed = await openPage("films", "#s=0&m=1");
  const [title, said, button] = await play(unfilmed);
  assert.equal(title, "Sentence 1");
  assert.match(said, /train --track/);
  assert.equal(button, "▶");
  await unfilmed.close();
});

test("AER, precision and recall are those of the list, by filter, tag and chip", async () => {
  const tab = await openPage("films");
  const records = jsonLines("films/alignments.jsonl");
  const slices = [
    ["#s=0", () => true, "all 60 pairs"],
    ["#s=0&g=negation", ({ tags }) => tags?.includes("negation"), "the 12 pairs tagged negation"],
    ["#s=0&q=NegaTion+N5", ({ id }) => [5, 50, 55].includes(id), "the 3 pairs with “NegaTion N5”"],
    ["#s=0&k=film", ({ id }) => id >= 10 && id < 14, "the 4 pairs with timeline"],
    ["#s=0&g=fixed&k=film", ({ id }) => id === 10, "the 1 pair tagged fixed, with timeline"],
  ];
  for (const [view, belongs, which] of slices) {
    await show(tab, view);
    const { aer, precision, recall } = figures(records.filter(belongs));
    assert.equal(await text(tab, "#pooled-aer"),
      `AER of ${which} ${percent(aer)} · precision ${percent(precision)} · recall ${percent(recall)}`);
    assert.ok((await texts(tab, "#inspector .pair")).includes(`AER of ${which} by this rule${percent(aer)}`), which);
  }
  const all = figures(records).aer;
  await show(tab, "#s=0");
  await tab.selectOption("#tag", "negation");
  assert.equal(hash(tab).get("g"), "negation");
  assert.deepEqual(await texts(tab, "#tag option"), ["any", "fixed (9)", "negation (12)"]);
  assert.notEqual(Number(await tab.getAttribute("#pooled-aer", "data-aer")), all);
  await tab.close();
});

test("tracked sentences are in the figures only where the list has no others", async () => {
  const tab = await openPage("trained");
  assert.match(await text(tab, "#pooled"), /^33 of 33 sentences, 3 of them trackedAER of all 30 pairs /);
  await tab.click("#kinds [data-kind=film]");
  assert.match(await text(tab, "#pooled"), /^3 of 33 sentencesAER of the 3 tracked pairs with timeline /);
  await tab.close();
});

test("an empty list says why and how to get out", async () => {
  const tab = await openPage("films", "#s=3&q=xyzzy&g=fixed&k=film");
  assert.equal(await text(tab, "#nothing p"), "None of the 60 sentences: with “xyzzy”, tagged fixed, with timeline.");
  assert.equal(await tab.isVisible("#list"), false);
  await tab.click("#nothing button");
  assert.equal((await listed(tab)).length, 60);
  assert.deepEqual(["q", "g", "k"].map((key) => hash(tab).get(key)), [null, null, null]);
  assert.deepEqual([await tab.inputValue("#filter"), await tab.inputValue("#tag"), await tab.isVisible("#nothing")], ["", "", false]);
  await tab.close();
});

test("rows are there when they are seen", async () => {
  const tab = await openPage("bulk", "#s=0&o=order");
  const rows = () => tab.$$eval("#list [role=option]", (nodes) => nodes.map((node) => Number(node.dataset.i)));
  const first = await rows();
  assert.ok(first.length >= 10 && first.length < 40, `${first.length} rows`);
  assert.deepEqual(await places(tab), [...Array(500).keys()]);
  await show(tab, "#s=250&o=order");
  const box = await tab.$eval("#sentence-250", (node) => node.getBoundingClientRect().toJSON());
  const list = await tab.$eval("#list", (node) => node.getBoundingClientRect().toJSON());
  assert.ok(box.top >= list.top && box.bottom <= list.bottom + 1, "the selected row is in sight");
  assert.ok((await rows()).length < 40);
  for (let k = 0; k < 12; ++k) await tab.keyboard.press("j");
  assert.equal(await tab.$eval("#list [aria-selected=true]", (node) => node.dataset.i), "262");
  await tab.click("#sentence-260");
  assert.equal(await text(tab, "#which"), "Sentence 261");
  await tab.close();
});

test("a temperature changes neither argmax's links nor their AER, whatever sentence it is", async () => {
  const told = async (hash) => {
    const tab = await openPage("trained", hash);  // opened anew: counts are remembered
    const both = [await text(tab, "#pooled-aer"), await tab.$$eval(".panel .links > *", (nodes) => nodes.length)];
    await tab.close();
    return both;
  };
  const before = await told("#s=0");
  for (const tau of [0.1, 3.98, 10]) assert.deepEqual(await told(`#s=0&tau=${tau}`), before);
});

test("links hold short numbers, and nothing that the page does not have", async () => {
  const tab = await openPage("tongues", "#s=8&tau=3.9810717055349722&h=50");
  assert.deepEqual([hash(tab).get("tau"), hash(tab).get("h")], ["3.98", null]);
  await show(tab, "#s=8&h=2");
  assert.equal(hash(tab).get("h"), "2");
  await show(tab, "#s=8&g=none&k=film,sound");
  assert.deepEqual([hash(tab).get("g"), hash(tab).get("k")], [null, "film"]);
  await tab.locator("#temperature").fill("60");
  await drawn(tab);
  assert.equal(hash(tab).get("tau"), "3.98");
  assert.equal(await tab.getAttribute("#temperature", "aria-valuetext"), "3.98");
  assert.equal(await tab.inputValue("#temperature"), "60");
  await tab.close();
});

test("the help explains the page's words", async () => {
  const tab = await openPage("tongues");
  await tab.keyboard.press("?");
  assert.deepEqual(await texts(tab, "dialog dt"),
    ["AER", "precision, recall", "attention accuracy, mass in gold", "hop", "entropy", "log p", "timeline", "tracked", "kept", "intervention", "beams"]);
  assert.ok((await texts(tab, "dialog dd")).every((meaning) => meaning.length > 40));
  await tab.close();
});
