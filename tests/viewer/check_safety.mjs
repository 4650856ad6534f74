// Whatever the words are, a page runs nothing but its own script and asks for nothing; and the checks that say so can fail.
import assert from "node:assert/strict";
import { test } from "node:test";
import { hover, jsonLines, openPage, show, texts } from "./browser.mjs";

const broken = (tab) => tab.evaluate(() => window.broken);

test("hostile words are words", async () => {
  const tab = await openPage("tongues");
  const record = jsonLines("tongues/alignments.jsonl")[6];
  await show(tab, "#s=6&r=3&w=3");
  const rows = await tab.$$eval(".row-word title", (nodes) => nodes.map((node) => node.textContent));
  assert.deepEqual(rows, ["]]>", "&lt;b&gt;", "⟨U+2028⟩", "∅", "⟨U+200B⟩", "__proto__", "{{script}}", "</s>"]);
  const columns = await tab.$$eval(".column-word title", (nodes) => nodes.map((node) => node.textContent));
  assert.deepEqual(columns.slice(0, 3), record.source_tokens.slice(0, 3));
  assert.equal(columns[3], "⟨U+202E⟩abc");
  for (const key of ["w", "c", "d", "s"]) await tab.keyboard.press(key);
  await hover(tab, ".cell");
  assert.equal(await tab.$("#main img, #side img, #inspector img"), null);
  assert.equal(await broken(tab), undefined);
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("the words of every script are there, in logical order, each isolated", async () => {
  const tab = await openPage("tongues", "#s=1");
  for (const number of [1, 2, 3, 4]) {
    const { target_tokens } = jsonLines("tongues/alignments.jsonl")[number];
    await show(tab, `#s=${number}`);
    assert.deepEqual(await texts(tab, ".panel .target-word title"), target_tokens);
    const left = await tab.$$eval(".panel .target-word", (nodes) => nodes.map((node) => node.getBoundingClientRect().left));
    assert.ok(left.every((x, i) => i === 0 || x > left[i - 1]), "in logical order from left to right");
  }
  assert.equal(await tab.$eval("bdi", (node) => getComputedStyle(node).unicodeBidi), "isolate");
  await tab.close();
});

test("a page sends no request and logs nothing, for any clicks", async () => {
  const tab = await openPage("trained");
  for (const key of ["j", "c", "d", "t", "s", "w", "[", "[", "]", "k", "1", "2", "0", "Escape", "?", "Escape"]) {
    await tab.keyboard.press(key);
  }
  await tab.click(".alternative");
  for (const selector of ["#temperature", "#epoch"]) await tab.locator(selector).fill("0");
  await tab.selectOption("#rule", "threshold");
  await tab.locator("#threshold").fill("50");
  await hover(tab, ".cell");
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("without escapes the policy stops scripts and reports them", async () => {
  const kept = await openPage("mutant-unescaped", "", { ready: false });
  assert.equal(await broken(kept), undefined);
  assert.match(kept.complaints.join("\n"), /Content Security Policy/);
  await kept.close();
  const open = await openPage("mutant-unescaped-without-policy", "", { ready: false });
  assert.equal(await broken(open), 1);  // what it is that must not run does run where nothing stops it
  await open.close();
});

test("a script from the network is seen", async () => {
  const kept = await openPage("mutant-cdn");
  assert.match(kept.complaints.join("\n"), /cdn\.example/);
  await kept.close();
  const open = await openPage("mutant-cdn-without-policy");
  assert.match(open.complaints.join("\n"), /request: https:\/\/cdn\.example/);
  await open.close();
});
