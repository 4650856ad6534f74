// Uses the live page as a person does: types, changes the attention, trains and saves. A request to a network fails a test
// (browser.mjs).
//   node tests/viewer/check_live.mjs FOLDER          test_live_page.py makes the pages of the folder and runs this
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, test } from "node:test";
import { closeBrowser, drawn, folder, jsonLines, openPage, save, texts, touchAlong, write } from "./browser.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
after(closeBrowser);

async function openLive(hash = "", options = {}) {
  const tab = await openPage(options.name ?? "live", hash, options);
  await tab.waitForFunction((wanted) => document.documentElement.dataset.live === wanted, options.becomes ?? "ready", { timeout: 60000 });
  await drawn(tab);
  return tab;
}
async function type(tab, text) {
  await write(tab, "#live-text", text);
  await drawn(tab);
  await drawn(tab);
}
const rows = (tab, panel) => tab.$$eval(`.panel:nth-child(${panel}) .row-word title`, (nodes) => nodes.map((node) => node.textContent));
const weights = (tab, panel) => tab.$$eval(`.panel:nth-child(${panel}) .cell`, (nodes) => {
  const found = [];
  for (const { dataset: { t, s, w } } of nodes) (found[t] ??= [])[s] = Number(w);
  return found;
});
const words = (tab) => tab.textContent("#live-words");
const value = (tab) => tab.inputValue("#live-text");
const hashOf = (tab) => tab.evaluate(() => location.hash);

function assertClose(found, expected, where) {
  assert.equal(found.length, expected.length, where);
  found.forEach((row, t) => row.forEach((w, s) => assert.ok(Math.abs(w - expected[t][s]) < 2e-5, `${where}: ${w} and ${expected[t][s]}`)));
}

async function drag(tab, panel, t, s, pixels) {
  const cell = await tab.$(`.panel:nth-child(${panel}) .cell[data-t="${t}"][data-s="${s}"]`);
  await cell.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await cell.boundingBox();
  await tab.mouse.move(x + width / 2, y + height / 2);
  await tab.mouse.down();
  await tab.mouse.move(x + width / 2, y + height / 2 - pixels / 4);
  await drawn(tab);
  await tab.mouse.move(x + width / 2, y + height / 2 - pixels);
  await drawn(tab);
  const during = await tab.$$eval(".panel", (nodes) => nodes.length);
  await tab.mouse.up();
  await drawn(tab);
  await drawn(tab);
  return during;
}

async function dragByFinger(tab, cell, ...distances) {
  await cell.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await cell.boundingBox();
  await touchAlong(tab, [0, ...distances].map((dy) => [x + width / 2, y + height / 2 + dy]));
}

test("a typed sentence is translated at each key press, as translate does", async () => {
  const tab = await openLive();
  assert.match(await tab.textContent("#which"), /Your sentence/);
  for (const record of jsonLines("translated.jsonl")) {
    await type(tab, record.source_line);
    assert.deepEqual(await rows(tab, 1), record.target_tokens);
    assertClose(await weights(tab, 1), record.matrix, record.source_line);
  }
  await tab.fill("#live-text", "");
  const seen = new Set();
  for (const key of "i love you") {
    await tab.locator("#live-text").press(key === " " ? "Space" : key);
    await drawn(tab);
    await drawn(tab);
    seen.add((await texts(tab, ".panel:first-child .column-word title")).join(" "));
  }
  assert.equal(seen.size, "i love you".length - 2);  // a space at the end changes nothing
  assert.ok((await tab.$$(".link")).length > 0);
  assert.ok((await tab.$$(".ribbon")).length > 0);
  await tab.click(".row-word >> nth=0");
  assert.ok((await tab.$$(".computation tr")).length > 3, "scores and weights in numbers");
  assert.equal((await tab.$$('.alternative[data-key^="b"]')).length, 5);
  await tab.click('.alternative[data-key="b1"]');
  assert.equal((await tab.$$(".panel")).length, 2);
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("unknown words are marked, and a click puts in a known one", async () => {
  const tab = await openLive();
  await type(tab, "I lvoe you lvoes");
  assert.deepEqual(await texts(tab, "#live-marks mark"), ["lvoe", "lvoes"]);
  assert.match(await words(tab), /lvoe is not in the vocabulary. Did you mean/);
  await tab.click("#live-words button:text-is('love') >> nth=0");
  assert.match(await value(tab), /^I love you /);
  await drawn(tab);
  assert.deepEqual(await texts(tab, "#live-marks mark"), ["lvoes"]);
  await type(tab, "i love you");
  assert.match(await words(tab), /knows all these words/);
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("weight 1 by dragging does what --intervene force does", async () => {
  const records = jsonLines("forced.jsonl").filter(({ intervention }) => intervention.kind === "force").slice(0, 50);
  assert.equal(records.length, 50);
  const tab = await openLive();
  let [text, changed] = ["", 0];
  for (const record of records) {
    const { step, source } = record.intervention;
    if (record.source_line !== text) await type(tab, text = record.source_line);
    else await tab.keyboard.press("Escape");
    await drawn(tab);
    const before = await rows(tab, 1);
    assert.equal(await drag(tab, 1, step, source, 200), 1);  // the cell stays under the pointer
    const where = `${text}, step ${step}, on ${source}`;
    assert.deepEqual(await rows(tab, 1), before, where);  // the original beside it
    assert.deepEqual(await rows(tab, 2), record.target_tokens, where);
    assertClose(await weights(tab, 2), record.matrix, where);
    assert.equal(await tab.textContent("#live-value"), "1.00");
    if (before.join(" ") !== record.target_tokens.join(" ")) {
      ++changed;
      assert.ok((await tab.$$(".panel .text del, .panel .text ins")).length > 0, where);
    }
  }
  assert.ok(changed > 5, `${changed} changed translations`);
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("a weight changes by slider, keys and touch; the row is brought to sum 1; reset goes back", async () => {
  const [first] = jsonLines("translated.jsonl").filter((record) => record.source_tokens.length > 3);
  for (const touch of [false, true]) {
    const tab = await openLive("", { touch, width: touch ? 390 : 1440, height: 844 });
    await type(tab, first.source_line);
    const own = await weights(tab, 1);
    assert.ok(await tab.isHidden("#live-weight"));
    const cell = tab.locator('.panel:first-child .cell[data-t="0"][data-s="1"]');
    if (touch) await dragByFinger(tab, cell);  // a tap
    else await cell.click();
    await drawn(tab);
    assert.ok(await tab.isVisible("#live-weight"));
    await tab.fill("#live-slider", "60");
    await drawn(tab);
    const [row] = await weights(tab, 2);
    assert.ok(Math.abs(row[1] - 0.6) < 1e-6, String(row));
    assert.ok(Math.abs(row.reduce((a, b) => a + b) - 1) < 1e-5);
    const rest = own[0].reduce((a, b) => a + b) - own[0][1];
    row.forEach((w, s) => assert.ok(s === 1 || Math.abs(w - (own[0][s] / rest) * 0.4) < 1e-5, "the others keep their proportions"));
    await tab.focus(".panel:first-child .figure");
    await tab.keyboard.press("+");
    await drawn(tab);
    assert.equal(await tab.textContent("#live-value"), "0.70");
    await tab.keyboard.press("-");
    await tab.keyboard.press("-");
    await drawn(tab);
    assert.equal(await tab.textContent("#live-value"), "0.50");
    assert.match(await hashOf(tab), /z=0\.1\.0\.5/);
    await tab.click("#live-reset");
    await drawn(tab);
    assert.equal((await tab.$$(".panel")).length, 1);
    assertClose(await weights(tab, 1), own, "after reset");
    assert.doesNotMatch(await hashOf(tab), /z=/);
    if (touch) {  // a finger drags the selected cell, and scrolls elsewhere
      await dragByFinger(tab, tab.locator('.panel:first-child .cell[data-t="1"][data-s="1"]'), -10, -60, -110, -160);
      assert.equal((await tab.$$(".panel")).length, 1);
      await dragByFinger(tab, cell, -10, -60, -110, -160);
      assert.equal(await tab.textContent("#live-value"), "1.00");
      assert.equal((await tab.$$(".panel")).length, 2);
    }
    assert.deepEqual(tab.complaints, []);
    await tab.close();
  }
});

test("a link shows the sentence, the change and the view again", async () => {
  const tab = await openLive();
  await type(tab, "you love me");
  await tab.click('.panel:first-child .cell[data-t="0"][data-s="1"]');
  await tab.fill("#live-slider", "90");
  await drawn(tab);
  const [hash, rowsThere, cells] = [await hashOf(tab), await rows(tab, 2), await weights(tab, 2)];
  await tab.close();
  const again = await openLive(hash);
  assert.equal(await value(again), "you love me");
  assert.deepEqual(await rows(again, 2), rowsThere);
  assertClose(await weights(again, 2), cells, "by the link");
  assert.equal(await hashOf(again), hash);
  await again.evaluate(() => { location.hash = "#s=own&y=i%20love%20you"; });
  await drawn(again);
  await drawn(again);
  assert.equal(await value(again), "i love you");
  assert.equal((await again.$$(".panel")).length, 1);
  for (const wrong of ["#s=own&y=you&z=9.9.1", "#s=own&y=you&z=x", "#s=own&y=&a=i0", "#s=99999"]) {
    const other = await openLive(wrong);
    assert.ok((await other.$$(".panel .cell")).length > 0, wrong);
    assert.deepEqual(other.complaints, [], wrong);
    await other.close();
  }
  await again.close();
});

test("the button that ends the presentation does not cover the field", async () => {
  for (const [width, height] of [[354, 638], [390, 844], [800, 700], [1280, 720]]) {
    for (const hash of ["#s=0&p=1", "#s=0&r=0&p=1"]) {
      const tab = await openLive(hash, { width, height });
      const [field, leave] = await Promise.all(["#live-text", "#leave"].map((it) => tab.$eval(it, (node) => node.getBoundingClientRect().toJSON())));
      assert.ok(leave.width > 0 && (field.right <= leave.left || field.top >= leave.bottom), `${hash} at ${width}`);
      await tab.close();
    }
  }
});

test("the records that are saved are records, the figure is an SVG", async () => {
  const tab = await openLive();
  await type(tab, "i love you");
  await tab.click('.panel:first-child .cell[data-t="0"][data-s="1"]');
  await tab.fill("#live-slider", "100");
  await drawn(tab);
  for (const [selector, name] of [["#live-save", "saved.jsonl"], [".save >> nth=1", "saved.svg"]]) {
    await save(tab, selector, join(folder, name));
  }
  assert.equal(jsonLines("saved.jsonl").length, 2);
  assert.match(readFileSync(join(folder, "saved.svg"), "utf8"), /^<svg/);
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("whatever is typed, there is an answer or a message", async () => {
  const tab = await openLive();
  await type(tab, "the ".repeat(400));
  assert.match(await words(tab), /400 words/);
  await type(tab, "");
  assert.match(await words(tab), /Type a sentence, for example/);
  await tab.click("#live-words button");
  assert.notEqual(await value(tab), "");
  for (const text of ["ü 😀 你好 <b>&amp;", "שלום עולם", "مرحبا بالعالم", "a\u202Eb \u200B", "   ", "</script><script>window.broken=1</script>", "__proto__ constructor"]) {
    await type(tab, text);
    assert.notEqual(await words(tab), "", text);
  }
  await tab.evaluate(() => {
    document.getElementById("live-text").value = "i \ud83d love \0 you \udc00";
    document.getElementById("live-text").dispatchEvent(new Event("input"));
  });
  await drawn(tab);
  await drawn(tab);
  assert.deepEqual(await texts(tab, ".panel:first-child .column-word title"), ["i", "\ufffd", "love", "you", "\ufffd", "</s>"]);
  await tab.fill("#live-text", "");
  await tab.locator("#live-text").pressSequentially("i see you ", { delay: 0 });  // ten fast key presses
  await drawn(tab);
  await drawn(tab);
  assert.deepEqual(await texts(tab, ".panel:first-child .column-word title"), ["i", "see", "you", "</s>"]);
  assert.equal(await tab.evaluate(() => window.broken), undefined);
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("a damaged model or a missing engine leaves the recorded sentences, and says so", async () => {
  for (const [name, message] of [["damaged", /checksum/], ["without-engine", /cannot start.*its part live-engine is missing/], ["without-run", /cannot start.*its part live-run is missing/]]) {
    for (const hash of ["", "#s=own&y=i+love+you"]) {
      const tab = await openLive(hash, { name, becomes: "failed" });
      assert.match(await words(tab), message, name);
      assert.match(await words(tab), /only look at the recorded sentences/);
      assert.ok(await tab.isDisabled("#live-text"));
      assert.ok((await tab.$$(".panel .cell")).length > 0, name);
      await tab.keyboard.press("j");
      await tab.close();
    }
  }
});

test("a page without its records says so", async () => {
  const tab = await openLive("", { name: "without-data", becomes: "failed", ready: false });
  assert.match(await tab.textContent("#main"), /records of this page cannot be read: its part live-data is missing\. Write the page again/);
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("a sentence of the list is taken over into the field", async () => {
  const tab = await openLive("#s=1");
  assert.equal((await tab.$$("body.own")).length, 0);
  await tab.click("#live-copy");
  await drawn(tab);
  assert.equal((await tab.$$("body.own")).length, 1);
  assert.deepEqual(await texts(tab, ".panel:first-child .column-word title"), [...jsonLines("alignments.jsonl").find(({ id }) => id === 1).source_tokens]);
  await tab.fill("#filter", "qqq");
  await drawn(tab);
  await tab.fill("#filter", "");
  assert.ok(!(await tab.textContent("#pooled")).includes("NaN"));
  await tab.close();
});

test("a model is trained, stopped, trained again, shown and downloaded", async () => {
  const tab = await openLive();
  await type(tab, "i love you");
  await tab.click("#live-train");
  assert.ok(await tab.isDisabled("#live-train"));  // no second training while one runs
  await tab.evaluate(() => document.getElementById("live-train").click());
  await tab.waitForFunction(() => document.querySelectorAll("#run option").length === 2);
  await tab.waitForFunction(() => /Epoch/.test(document.getElementById("live-status").textContent), null, { timeout: 60000 });
  await tab.click("#live-stop");
  await tab.waitForFunction(() => document.documentElement.dataset.training === "ended");
  assert.match(await tab.textContent("#live-status"), /Stopped/);
  await tab.click("#live-train");
  await tab.waitForFunction(() => document.documentElement.dataset.training === "running");
  await tab.waitForFunction(() => Number(document.getElementById("epoch").max) >= 2, null, { timeout: 120000 });
  await type(tab, "i love you");  // the model of the page still answers
  await tab.waitForFunction(() => document.documentElement.dataset.training === "ended", null, { timeout: 200000 });
  assert.match(await tab.textContent("#live-status"), /Trained [\d,]+ steps/);
  await tab.selectOption("#run", "1");
  await drawn(tab);
  assert.match(await tab.textContent("#about"), /small rnnsearch model, trained in this page/);
  assert.ok((await tab.$$(".curve")).length >= 2);
  assert.ok((await rows(tab, 1)).length > 0);
  await tab.click('.panel:first-child .cell[data-t="0"][data-s="1"]');
  await tab.fill("#live-slider", "100");
  await drawn(tab);
  assert.equal((await tab.$$(".panel")).length, 2);
  await save(tab, "#live-download", join(folder, "trained.zip"));
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("the timeline of a training has the typed sentence after each epoch", async () => {
  const tab = await openLive();
  await type(tab, "i love you");
  await tab.click("#live-train");
  await tab.waitForFunction(() => document.documentElement.dataset.training === "ended", null, { timeout: 200000 });
  assert.equal(await tab.inputValue("#run"), "1");
  const epochs = Number(await tab.getAttribute("#epoch", "max"));
  assert.ok(epochs >= 2);
  const seen = [];
  for (let epoch = 0; epoch < epochs; ++epoch) {
    await tab.fill("#epoch", String(epoch));
    await drawn(tab);
    seen.push(JSON.stringify(await weights(tab, 1)));
  }
  assert.ok(new Set(seen).size > 1, "the attention changes");
  await type(tab, "i see you");
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("axe finds nothing", async () => {
  for (const theme of ["light", "dark"]) {
    for (const [hash, width] of [["", 1440], ["#s=own&y=i+lvoe+you&z=0.1.1", 1440], ["#s=1", 1280], ["#s=own&y=i+love+you&r=0&w=1", 390]]) {
      const tab = await openLive(hash, { theme, width });
      await tab.evaluate(axe);
      const { violations, passes } = await tab.evaluate(() => window.axe.run(document));
      assert.ok(passes.length > 15);
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`), [], `${theme} ${hash}`);
      await tab.close();
    }
  }
});
