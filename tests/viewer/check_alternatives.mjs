// The page marks the words that an intervention or the beam lost and gained, and names their translation.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { drawn, openPage, show, texts } from "./browser.mjs";

const text = async (tab, selector) => (await texts(tab, selector))[0];
const script = readFileSync(new URL("../../apps/pages/viewer/script/edits.js", import.meta.url), "utf8");
const { editsBetween, countEdits } = new Function(`${script}\nreturn { editsBetween, countEdits };`)();

// The length of a longest common subsequence, by trying all subsequences.
function longestCommon(before, after) {
  const lengths = [...Array(1 << before.length).keys()].map((chosen) => {
    const part = before.filter((_, i) => (chosen >> i) & 1);
    let at = 0;
    for (const token of after) if (at < part.length && token === part[at]) ++at;
    return at === part.length ? part.length : 0;
  });
  return Math.max(...lengths);
}

test("edits turn the first text into the second and keep as many words as possible", () => {
  let seed = 1;
  const draw = (n) => {
    seed = (seed * 16807) % 2147483647;
    return seed % n;
  };
  for (let trial = 0; trial < 400; ++trial) {
    const [before, after] = [0, 1].map(() => [...Array(draw(8))].map(() => "abc"[draw(3)]));
    const edits = editsBetween(before, after);
    const of = (...kinds) => edits.filter(({ kind }) => kinds.includes(kind)).map(({ token }) => token);
    assert.deepEqual(of("kept", "lost"), before);
    assert.deepEqual(of("kept", "added"), after);
    assert.equal(of("kept").length, longestCommon(before, after), `${before} / ${after}`);
    edits.forEach(({ kind, token, at }, i) => {
      if (kind !== "lost") assert.equal(after[at], token);
      else assert.equal(at, edits.slice(0, i).filter((edit) => edit.kind !== "lost").length);
    });
  }
  assert.equal(countEdits(editsBetween(["a", "b", "c"], ["a", "d", "e"])), "−2 words, +2 words");
  assert.equal(countEdits(editsBetween(["a", "b"], ["a"])), "−1 word");
  assert.equal(countEdits(editsBetween(["a"], ["a"])), "the same words");
});

test("a word that an intervention removed is struck through at its position, and counted", async () => {
  const tab = await openPage("tongues", "#s=3&r=2");
  const button = '.alternative[data-key="i2"]';
  assert.match(await text(tab, `${button} small`), /no attention on “深度”   −1 word$/);
  assert.equal(await text(tab, `${button} span`), "i love deep learning");
  assert.deepEqual(await texts(tab, `${button} del`), ["deep"]);
  assert.deepEqual(await texts(tab, `${button} ins`), []);
  await tab.click(button);
  assert.deepEqual(await texts(tab, ".panel .text"), ["i love deep learning", "i love deep learning −1 word Back to the model's own attention (Esc)"]);
  assert.deepEqual(await texts(tab, ".panel:nth-child(2) .text del"), ["deep"]);
  assert.deepEqual(await texts(tab, ".panel:nth-child(2) .gap title"), ["lost here: deep", "lost here: deep"]);  // of words and rows
  const [gap, row] = await tab.evaluate(() => [".panel:nth-child(2) .matrix .gap", '.panel:nth-child(2) .cell[data-t="2"]']
    .map((selector) => document.querySelector(selector).getBoundingClientRect().top));
  assert.ok(Math.abs(gap - row) < 3, "the gap stands before the row that follows");
  assert.match(await text(tab, "#legend"), /words lost here/);
  await tab.close();
});

test("an alternative of the beam that replaces a word shows both", async () => {
  const tab = await openPage("tongues", "#s=3");
  assert.deepEqual(await texts(tab, '.alternative[data-key="b2"] del'), ["i"]);
  assert.deepEqual(await texts(tab, '.alternative[data-key="b2"] ins'), ["me"]);
  assert.match(await text(tab, '.alternative[data-key="b2"] small'), /−1 word, \+1 word$/);
  assert.match(await text(tab, '.alternative[data-key="b0"] small'), /the same words$/);
  await tab.close();
});

test("both figures of an intervention show their bars, below each other if one row has too little space", async () => {
  const stacked = [];
  for (const [page, view] of [["tongues", "#s=3&a=i0&r=1"], ...["v0", "v1", "v2"].map((name) => ["trained", `#s=${name}&a=i0&r=0`])]) {
    for (const width of [1190, 1280, 1440]) {
      const tab = await openPage(page, view, { width });
      const panels = await tab.$$eval(".panel", (nodes) => nodes.map((node) => {
        const scroll = node.querySelector(".scroll");
        return { top: scroll.getBoundingClientRect().top, over: scroll.scrollWidth - scroll.clientWidth, bars: node.querySelectorAll("[data-p]").length };
      }));
      assert.equal(panels.length, 2);
      assert.ok(panels.every(({ over, bars }) => over <= 0 && bars > 0), `${page} ${view} at ${width}: ${JSON.stringify(panels)}`);
      stacked.push(panels[1].top > panels[0].top + 20);
      await tab.close();
    }
  }
  assert.deepEqual([...new Set(stacked)].sort(), [false, true]);
});

test("a dot is explained for the figure that has no gold, and the presentation explains its marks", async () => {
  const tab = await openPage("tongues", "#s=3&a=i0&r=1");
  assert.match(await text(tab, "#legend"), /link in gold \(B has no gold: any link\)/);
  assert.doesNotMatch(await text(tab, "#introduction"), /Dot/);
  await show(tab, "#s=3&a=i0&r=1&p=1");
  assert.match(await text(tab, "#introduction"), /Orange: gold .* Dot: link in gold \(B has no gold: any link\)\. Cross, .* Coverage: /);
  await show(tab, "#s=3&p=1");
  assert.match(await text(tab, "#introduction"), /Dot: link in gold\. Cross/);
  await tab.close();
});

test("the page names the word to which the decoder was forced to attend", async () => {
  const tab = await openPage("tongues", "#s=3&a=i0&r=1");
  const told = await texts(tab, "#reading > span");
  assert.match(told[0], /Step 2: to write love the decoder attended to /);
  assert.match(told[1], /Step 2: to write learn the decoder was made to attend to /);
  await show(tab, "#s=3&a=i0&r=0");
  assert.doesNotMatch((await texts(tab, "#reading > span"))[1], /was made to/);
  await show(tab, "#s=3&a=i2&r=2");
  assert.match((await texts(tab, "#reading > span"))[1], /was kept from attending to “深度” and attended to /);
  await tab.close();
});

test("at an earlier epoch interventions and beams are called the kept model's", async () => {
  const tab = await openPage("tongues", "#s=3&r=1");
  const notes = () => tab.$$eval("#inspector .note", (nodes) => nodes.map((node) => node.textContent).filter((note) => /^Of the kept/.test(note)));
  assert.deepEqual(await notes(), []);
  await show(tab, "#s=3&r=1&e=2");
  assert.deepEqual(await notes(), Array(2).fill("Of the kept model, epoch 4, not of epoch 2."));
  await tab.click('.alternative[data-key="i0"]');
  await drawn(tab);
  for (const panel of await texts(tab, ".panel h2 small")) assert.match(panel, / · kept model, epoch 4$/);
  await show(tab, "#s=3&e=2&a=b1");
  assert.match((await texts(tab, ".panel h2 small"))[0], /epoch 2$/);
  assert.match((await texts(tab, ".panel h2 small"))[1], /kept model, epoch 4$/);
  await tab.close();
});
