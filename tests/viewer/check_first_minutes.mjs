// A first reader meets the title of the page, the layout, the way back, two runs and the presentation.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { drawn, folder, listed, openPage, show, texts } from "./browser.mjs";

const text = async (tab, selector) => (await texts(tab, selector))[0];
const box = (tab, selector) => tab.$eval(selector, (node) => node.getBoundingClientRect().toJSON());
const hash = (tab) => new URLSearchParams(new URL(tab.url()).hash.slice(1));
const press = async (tab, key) => {
  await tab.keyboard.press(key);
  await drawn(tab);
};
// Returns the part of the screen above the strip.
const inView = async (tab, selector) => {
  const { top, bottom } = await box(tab, selector);
  const [{ top: foot }, { height }] = [await box(tab, "#strip"), tab.viewportSize()];
  return top >= 0 && bottom <= (foot || height) + 1;
};

test("the page opens with source and translation and says what rows, columns and shades are", async () => {
  const views = [
    ["languages", "#s=3", "light", "Rows: the French words as written. Columns: the English words read. Dark: high attention."],
    ["languages", "#s=3", "dark", "Rows: the French words as written. Columns: the English words read. Bright: high attention."],
    ["tongues", "#s=3", "light", "Rows: the target words as written. Columns: the source words read. Dark: high attention."],
    ["stack", "#s=0&h=5", "light", "Rows and columns: the source words. Each row attends to the words of its own sentence. Dark: high attention."],
    ["pictures", "#s=0", "light", "Each small picture: one word of the caption as written. Bright: high attention."],
    ["pictures", "#s=0&b=1", "light", "Each small picture: one word of the caption as written. Dark: high attention."],
    ["stories", "#s=0", "light", "Rows: the sentences of the story as read. Columns: the attention steps (hops), one after another. Dark: high attention."],
    ["stories", "#s=1", "light", "Rows: the sentences of the story as read. Column: the attention weights. Dark: high attention."],
    ["pairs", "#s=0", "light", "First figure: rows are the words of the premise, columns those of the hypothesis. Second figure: the reverse. Dark: high attention."],
    ["text", "#s=0", "light", "Rows: the words as written. Columns: the words before them, which the model attends to. Dark: high attention."],
  ];
  for (const [page, view, theme, expected] of views) {
    const tab = await openPage(page, view, { theme });
    assert.equal(await text(tab, "#introduction"), expected, `${page} ${view}`);
    await tab.close();
  }
  const headings = [["tongues", "#s=3", "我 爱 深度 学习 → i love deep learning"], ["stories", "#s=0", "where is the apple → park"],
    ["pairs", "#s=0", "a tall girl reads a book | a child reads → entailment"], ["text", "#s=0", "mary likes tea . john likes it"]];
  for (const [page, view, expected] of headings) {
    const tab = await openPage(page, view);
    assert.equal(await text(tab, "h1"), expected);
    await tab.close();
  }
});

test("a difference says which colour is whose", async () => {
  const tab = await openPage("tongues", "#s=3&c=1&d=1");
  assert.match(await text(tab, "#introduction"), /blue where A attends more and orange where B does\.$/);
  await tab.close();
});

test("the scores are below the figure", async () => {
  const tab = await openPage("trained", "#s=v0");
  const [figure, numbers] = [await box(tab, ".figure"), await box(tab, "#numbers")];
  assert.ok(numbers.top >= figure.bottom, `scores at ${numbers.top}, figure to ${figure.bottom}`);
  await tab.close();
});

test("the help opens at its top, with the focus on its heading", async () => {
  const tab = await openPage("trained", "", { height: 600 });
  await press(tab, "?");
  const [scrolled, higher] = await tab.$eval("#help", (node) => [node.scrollTop, node.scrollHeight > node.clientHeight]);
  assert.deepEqual([scrolled, higher], [0, true]);
  assert.equal(await tab.evaluate(() => document.activeElement.id), "help-title");
  const [heading, help] = [await box(tab, "#help-title"), await box(tab, "#help")];
  assert.ok(heading.top >= help.top && heading.bottom <= help.bottom);
  await tab.close();
});

test("a click on a row moves nothing and draws no box around the figure; the keyboard's focus is seen", async () => {
  for (const [page, view, width] of [["trained", "#s=v0", 1440], ["trained", "#s=v0", 1024], ["tongues", "#s=6", 1024], ["tongues", "#s=3&c=1", 1280], ["stories", "#s=0", 1024]]) {
    const tab = await openPage(page, view, { width });
    const before = await box(tab, ".figure");
    const cells = await tab.$$eval(".panel:first-child .cell", (nodes) => nodes.map(({ dataset }) => [dataset.t, dataset.s]));
    for (const [t, s] of [cells[0], cells[cells.length >> 1], cells.at(-1)]) {
      await tab.click(`.panel:first-child .cell[data-t="${t}"][data-s="${s}"]`, { force: true });
      await drawn(tab);
      const after = await box(tab, ".figure");
      assert.deepEqual([after.top, after.left], [before.top, before.left], `${page} ${view} at ${width}: row ${t}`);
      assert.equal(await tab.$eval(".figure", (node) => getComputedStyle(node).outlineStyle), "none");
    }
    await tab.close();
  }
  const tab = await openPage("trained", "#s=v0");
  await tab.focus("#other");
  await tab.keyboard.press("Tab");
  for (let k = 0; k < 40 && !(await tab.evaluate(() => document.activeElement.matches(".figure"))); ++k) await tab.keyboard.press("Tab");
  assert.equal(await tab.$eval(".figure", (node) => getComputedStyle(node).outlineStyle), "solid");
  await tab.close();
});

test("the list never mixes epochs: records of another epoch have no figure, come last, and are not pooled", async () => {
  const tab = await openPage("films", "#s=10&e=1");
  const rows = await listed(tab);
  assert.deepEqual(rows.slice(0, 4).map(({ i }) => i).sort(), [10, 11, 12, 13]);
  assert.ok(rows.slice(0, 4).every(({ figure }) => /%$/.test(figure)));
  assert.ok(rows.slice(4).every(({ figure }) => figure === "n/a"), "others");
  assert.match(await text(tab, "#pooled"), /^60 of 60 sentences, 56 without a record of epoch 1AER of the 4 pairs at epoch 1 /);
  await show(tab, "#s=0&e=1");
  assert.match(await text(tab, ".panel h2"), /kept model, epoch 4, because epoch 1 has no record of this sentence$/);
  await show(tab, "#s=0&e=4");  // the kept model is that of epoch 4
  assert.ok((await listed(tab)).every(({ figure }) => figure !== "n/a"));
  assert.match(await text(tab, "#pooled"), /^60 of 60 sentencesAER of all 60 pairs at epoch 4 /);
  await show(tab, "#s=0&e=1&q=n5");  // none of these is recorded
  assert.match(await text(tab, "#pooled-aer"), /, kept model, epoch 4 /);
  await tab.close();
});

test("an intervention has a button back, and so has Esc, which takes one step at a time", async () => {
  const tab = await openPage("tongues", "#s=3&r=1");
  await tab.click('.alternative[data-key="i0"]');
  await drawn(tab);
  assert.equal(await text(tab, "#back"), "Back to the model's own attention (Esc)");
  assert.equal(await tab.evaluate(() => document.activeElement.dataset.key), "i0");
  await tab.click("#back");
  await drawn(tab);
  assert.deepEqual([hash(tab).get("a"), hash(tab).get("r"), (await tab.$$(".panel")).length], [null, "1", 1]);
  await tab.click('.alternative[data-key="i0"]');
  await press(tab, "Escape");
  assert.deepEqual([hash(tab).get("a"), hash(tab).get("r")], [null, "1"]);
  await press(tab, "Escape");
  assert.equal(hash(tab).get("r"), null);
  await tab.close();
});

test("a translation that is the reference word for word keeps gold and AER", async () => {
  const tab = await openPage("tongues", "#s=3&a=i0");
  const gold = (panel) => tab.$$eval(`.panel:nth-child(${panel}) .gold .sure`, (nodes) => nodes.length);
  assert.ok(await gold(1) > 0);
  assert.equal(await gold(2), 0);  // another text
  assert.match(await text(tab, "#numbers dd"), /^\d+\.\d% \/ n\/a$/);
  await tab.close();
});

test("on a phone the result of a tap is in view", async () => {
  const tab = await openPage("tongues", "#s=3&r=1", { width: 390, height: 844, touch: true });
  for (const key of ["i0", "b1"]) {
    await tab.$eval(`.alternative[data-key="${key}"]`, (node) => node.scrollIntoView({ block: "center" }));
    await tab.tap(`.alternative[data-key="${key}"]`);
    await drawn(tab);
    assert.ok(await inView(tab, '.panel:nth-child(2) .cell[data-t="0"]'), `${key}: the first row of its figure`);
    assert.ok(await inView(tab, "#back"), `${key}: the way back`);
  }
  await tab.tap("#back");
  await drawn(tab);
  assert.ok(await inView(tab, '.cell[data-t="0"]'));
  await show(tab, "#s=8");
  await tab.$eval(".heads[data-kind] button", (node) => node.scrollIntoView({ block: "center" }));
  await tab.tap(".heads[data-kind] button");
  await drawn(tab);
  assert.ok(await inView(tab, '.cell[data-t="0"]'), "of a head");
  await tab.close();
});

test("at 1024 x 768, 1280 x 720 and 1440 x 900 the matrix of 9 words is in view completely", async () => {
  for (const [width, height] of [[1024, 768], [1280, 720], [1440, 900]]) {
    const tab = await openPage("nine", "#s=0", { width, height });
    assert.equal((await tab.$$(".row-word")).length, 10);
    for (const selector of ['.cell[data-t="0"]', '.cell[data-t="9"]', ".target-word", "#introduction", "#reading"]) {
      assert.ok(await inView(tab, selector), `${selector} at ${width}`);
    }
    await tab.close();
  }
});

test("a figure is no higher on a lower screen, also where it does not fit", async () => {
  const heights = [900, 800, 720, 680, 640, 620, 600, 580, 560, 540];
  for (const [page, view] of [["nine", "#s=0"], ["nine", "#s=0&c=1"], ["nine", "#s=0&c=1&d=1"], ["bulk", "#s=7"]]) {
    const tab = await openPage(page, view, { width: 1280, height: heights[0] });
    const seen = [];
    for (const height of heights) {
      await tab.setViewportSize({ width: 1280, height });
      await drawn(tab);
      seen.push(await tab.$$eval(".figure", (nodes) => Math.max(...nodes.map((node) => node.getBoundingClientRect().height))));
    }
    assert.ok(seen.every((height, k) => k === 0 || height <= seen[k - 1] + 0.5), `${page} ${view}: ${seen}`);
    assert.equal(await tab.getAttribute('.cell[data-t="0"]', "height"), "18", `${page} ${view}: the lowest rows`);
    assert.ok((await tab.$$(".number")).length > 0, `${page} ${view}: numbers in the cells`);
    await tab.close();
  }
});

test("the table of weights comes into view", async () => {
  for (const [width, height] of [[1440, 900], [1024, 768], [390, 844]]) {
    const tab = await openPage("nine", "#s=0", { width, height });
    await press(tab, "w");
    assert.ok(await inView(tab, "#table tr:nth-child(3)"), `at ${width}`);
    await tab.close();
  }
});

test("a page of two runs opens with both, a link as it says", async () => {
  const tab = await openPage("nine");
  assert.equal((await tab.$$(".panel")).length, 2);
  assert.deepEqual([hash(tab).get("c"), await tab.getAttribute("#compare", "aria-pressed")], ["1", "true"]);
  await tab.close();
  const linked = await openPage("nine", "#s=0");
  assert.equal((await linked.$$(".panel")).length, 1);
  await linked.close();
});

test("two runs are next to each other, completely, from 1024 pixels on", async () => {
  for (const [width, height] of [[1024, 768], [1280, 720], [1440, 900]]) {
    const tab = await openPage("nine", "#s=0&c=1", { width, height });
    const [a, b] = await tab.$$eval(".figure", (nodes) => nodes.map((node) => node.getBoundingClientRect().toJSON()));
    assert.ok(Math.abs(a.top - b.top) < 2 && b.left >= a.right - 1 && b.right <= width, `at ${width}`);
    for (const panel of [1, 2]) assert.ok(await inView(tab, `.panel:nth-child(${panel}) .cell[data-t="9"]`), `at ${width}: panel ${panel}`);
    assert.deepEqual(await tab.$$eval(".scroll", (nodes) => nodes.map((node) => node.scrollWidth <= node.clientWidth)), [true, true], `at ${width}`);
    await tab.close();
  }
});

test("the presentation shows complete figures in large type; p and Esc leave it", async () => {
  for (const view of ["#s=0", "#s=0&c=1"]) {
    const tab = await openPage("nine", view, { width: 1280, height: 720 });
    const size = () => tab.$eval(".row-word", (node) => node.getBoundingClientRect().height);
    const before = await size();
    await press(tab, "p");
    assert.equal(hash(tab).get("p"), "1");
    for (const selector of ["#bar", "#side", "#inspector", "#strip", "#legend", "#numbers"]) assert.equal(await tab.isVisible(selector), false, selector);
    assert.equal(await tab.isVisible("#introduction"), true);
    assert.ok(await size() > 1.15 * before, `${view}: ${await size()} px after ${before}`);
    const figures = await tab.$$eval(".figure", (nodes) => nodes.map((node) => node.getBoundingClientRect().toJSON()));
    for (const { left, right, bottom } of figures) assert.ok(left >= 0 && right <= 1280 && bottom <= 721, `${view}: to ${right}, ${bottom}`);
    await tab.hover('.cell[data-t="1"][data-s="1"]');
    assert.equal(await tab.isVisible("#tip"), true);
    await press(tab, "Escape");
    assert.equal(await tab.isVisible("#side"), true);
    await press(tab, "p");
    await tab.click("#leave");
    await drawn(tab);
    assert.equal(await tab.isVisible("#inspector"), true);
    assert.deepEqual(tab.complaints, []);
    await tab.close();
  }
  const linked = await openPage("nine", "#s=0&p=1");
  assert.equal(await linked.isVisible("#side"), false);
  await linked.close();
  const help = await openPage("nine", "#s=0");
  await press(help, "?");
  assert.ok((await texts(help, "dialog tr")).includes("ppresent: figures in large type, and the numbers of the selected step"));
  await help.close();
});

test("the presentation shows the numbers of the selected step in large type, next to the figure", async () => {
  const tab = await openPage("tongues", "#s=3&p=1&r=1", { width: 1280, height: 720 });
  const shown = async () => ({ inspector: await tab.isVisible("#inspector"), table: await tab.isVisible(".computation"), side: await tab.isVisible("#side") });
  assert.deepEqual(await shown(), { inspector: true, table: true, side: false });
  assert.ok(await tab.$eval(".computation td", (node) => parseFloat(getComputedStyle(node).fontSize)) >= 18);
  const { left, right, bottom } = await box(tab, "#inspector");
  assert.ok(right <= 1280 && bottom <= 721 && (await box(tab, ".figure")).right <= left, `from ${left} to ${right}, ${bottom}`);
  const first = await text(tab, ".written");
  await tab.click('.cell[data-t="0"][data-s="0"]');
  await drawn(tab);
  assert.notEqual(await text(tab, ".written"), first);
  await press(tab, "Escape");
  assert.equal(await tab.isVisible("#inspector"), false);
  assert.equal(await tab.isVisible("#side"), false);
  await tab.click('.cell[data-t="0"][data-s="0"]');
  await drawn(tab);
  assert.equal(await tab.isVisible(".computation"), true);
  await show(tab, "#s=3&p=1&r=1&c=1");
  assert.equal(await tab.isVisible("#inspector"), false);
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("two figures in the presentation have numbers in their cells, and ribbons end above their words", async () => {
  for (const [width, height] of [[1280, 720], [1440, 900]]) {
    const tab = await openPage("nine", "#s=0&c=1&p=1", { width, height });
    for (const panel of await tab.$$(".panel")) {
      const { numbers, rows, ends } = await panel.evaluate((node) => {
        const centre = (word) => {
          const { x, width } = word.getBBox();
          return x + width / 2;
        };
        const words = [...node.querySelectorAll(".column-word")].map((word) => ({ level: !word.hasAttribute("transform"), x: centre(word) }));
        const cell = Number(node.querySelector(".cell").getAttribute("width"));
        return { numbers: node.querySelectorAll(".number").length, rows: node.querySelectorAll(".row-word").length,
          ends: [...node.querySelectorAll(".ribbon")].map((path) => {
            const word = words[path.dataset.s];
            const to = Number(path.getAttribute("d").split(/[ C]/).at(-2));
            return word.level ? Math.abs(to - word.x) / cell : Infinity;
          }) };
      });
      assert.ok(numbers >= rows, `${width}: ${numbers} numbers in ${rows} rows`);
      assert.ok(Math.max(0, ...ends) < 0.7, `${width}: a ribbon ends ${Math.max(...ends)} cells from its word`);
    }
    await tab.close();
  }
});

test("on a small screen the step of a clicked row is in view, below the list and next to the figure", async () => {
  for (const [page, view, width, height] of [["trained", "#s=v0", 1024, 768], ["tongues", "#s=3", 1024, 768], ["tongues", "#s=3&c=1", 1280, 720], ["tongues", "#s=3", 960, 600]]) {
    const tab = await openPage(page, view, { width, height });
    const what = `${page} ${view} at ${width}`;
    const row = await tab.$eval(".panel:first-child .matrix .row-word", (node) => node.textContent);
    await tab.click('.panel:first-child .cell[data-t="0"][data-s="0"]', { force: true });
    await drawn(tab);
    assert.ok(row.startsWith(await text(tab, ".written")), what);
    for (const selector of ["#inspector .written", "#inspector .looked", '#list [aria-selected="true"] .source']) assert.ok(await inView(tab, selector), `${what}: ${selector}`);
    assert.ok((await box(tab, "#inspector")).top >= (await box(tab, "#side")).bottom - 1, what);
    await tab.close();
  }
});

test("at 150% zoom every row of a sentence of nine words is in view, of one run and of two", async () => {
  for (const [page, view] of [["tongues", "#s=3"], ["tongues", "#s=3&c=1"], ["nine", "#s=0"], ["nine", "#s=0&c=1"], ["languages", "#s=3"]]) {
    for (const [width, height] of [[853, 480], [960, 600]]) {
      const tab = await openPage(page, view, { width, height });
      const rows = (await tab.$$(".panel:first-child .row-word")).length;
      for (let t = 0; t < rows; ++t) assert.ok(await inView(tab, `.panel:first-child .cell[data-t="${t}"]`), `${page} ${view} at ${width}: row ${t + 1} of ${rows}`);
      assert.equal(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
      await tab.close();
    }
  }
});

test("the formula of the scores is that of the run's model", async () => {
  const tab = await openPage("trained", "#s=v0&m=1");
  assert.equal((await texts(tab, ".formula"))[0], "eij = vaᵀ tanh(Wa [si−1; E yi−1] + Ua hj)");
  await show(tab, "#s=v0&h=0");
  const { attention, "query-word": withWord } = JSON.parse(readFileSync(join(folder, "run", "config.json"), "utf8"));
  assert.equal(attention, "qkv");
  assert.equal((await texts(tab, ".formula"))[0], `eij = (WQ ${withWord ? "[si−1; E yi−1]" : "si−1"})ᵀ (WK hj) / √d`);
  await tab.close();
  const unknown = await openPage("tongues", "#s=3");  // records without a model
  assert.equal((await texts(unknown, ".formula"))[0], "αij = exp(eij) / Σk exp(eik)");
  await unknown.close();
});

test("a page of links says that an EM aligner estimated them, and shows nothing of a decoder", async () => {
  const tab = await openPage("links", "#s=0&r=0");
  assert.equal(await text(tab, "#introduction"), "Rows: the target words. Columns: the source words. Dark: high probability of a link.");
  assert.match(await text(tab, ".panel h2"), /probabilities of links$/);
  assert.match(await text(tab, "#reading"), /^Row 1: the most probable links of .* lead to /);
  assert.match(await text(tab, "#inspector"), /EM estimates it from the translation probabilities.*empty word: the probability that the word has no link/);
  assert.match(await tab.$eval(".figure", (node) => node.getAttribute("aria-label")), /^Probabilities of links of /);
  await press(tab, "?");
  const all = (await texts(tab, "body > :not(script):not(dialog)")).join(" ") + (await texts(tab, "dialog p")).join(" ");
  assert.doesNotMatch(all, /decoder|softmax|exp\(|kept model|align --scores|temperature|log p 0|Attention/);
  assert.equal((await tab.$$("#temperature")).length, 0);
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("at 150% zoom everything of the bar and of the figure is on the screen", async () => {
  for (const [width, view] of [[960, "#s=v0&r=1"], [960, "#s=v0&r=1&c=1"], [1024, "#s=v0&r=1&c=1"]]) {
    const tab = await openPage("trained", view, { width, height: 600 });
    for (const selector of ["#theme", "#difference", "#other", ".figure", "#strip"]) {
      if (!(await tab.isVisible(selector))) continue;
      const { left, right } = await box(tab, selector);
      assert.ok(left >= 0 && right <= width, `${selector} at ${width}: from ${left} to ${right}`);
    }
    assert.equal(await tab.isVisible("#theme"), true);
    await tab.close();
  }
});

test("curves are named after what they show", async () => {
  const curves = (tab) => texts(tab, ".curve > text:nth-of-type(1)");
  for (const [page, expected] of [["tongues", ["validation loss, nats", "validation BLEU", "validation AER"]], ["hops", ["validation loss, nats", "answers right", "attention accuracy"]],
    ["pointed", ["validation loss, nats", "validation BLEU", "attention accuracy"]]]) {
    const tab = await openPage(page);
    assert.deepEqual((await curves(tab)).filter((name) => expected.includes(name)), expected, page);
    assert.equal((await tab.$$(".curve")).length, expected.length);
    await tab.close();
  }
});

test("notes call pictures pictures", async () => {
  const tab = await openPage("pointed", "#s=0");
  assert.match(await text(tab, "#notes"), /has no record of 6 of the 7 pictures/);
  await tab.close();
});

test("a page of the reader's own sentences has interventions, beams and scores, and no gold to miss", async () => {
  const tab = await openPage("own");
  assert.equal(await text(tab, "#which"), "Sentence 1");
  assert.deepEqual((await listed(tab)).map(({ i }) => i), [0, 1]);
  assert.doesNotMatch(await text(tab, "#numbers"), /AER/);
  assert.doesNotMatch(await text(tab, "#reading"), /AER/);
  const [timeline, interventions, beams] = await texts(tab, "#kinds button");
  assert.deepEqual([timeline, interventions, beams], ["timeline 0", "interventions 2", "beams 2"]);
  await tab.click('.alternative[data-key^="i"]');
  await drawn(tab);
  assert.equal((await tab.$$(".panel")).length, 2);
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});
