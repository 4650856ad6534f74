// Uses the live pages of the other tasks as a person does: paints, writes a story and a question, two sentences, or a text.
//   node tests/viewer/check_live_tasks.mjs FOLDER    test_live_page.py makes the pages of the folder and runs this
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, test } from "node:test";
import { closeBrowser, drawn, folder, openPage, save, texts } from "./browser.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const expected = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8"));
after(closeBrowser);

async function open(name, hash = "", options = {}) {
  const tab = await openPage(name, hash, options);
  await tab.waitForFunction(() => document.documentElement.dataset.live === "ready", null, { timeout: 60000 });
  await drawn(tab);
  return tab;
}
const title = (tab) => tab.textContent("#title");
const message = (tab) => tab.textContent("#live-words");
const hashOf = (tab) => tab.evaluate(() => location.hash);
async function settle(tab) {
  await drawn(tab);
  await drawn(tab);
}
async function record(tab, name = "record.jsonl") {
  await save(tab, "#live-save", join(folder, name));
  return JSON.parse(readFileSync(join(folder, name), "utf8"));
}
function assertSame(found, native, where) {
  assert.deepEqual(found.target_tokens, native.target_tokens, where);
  found.matrix.forEach((row, t) => row.forEach((w, s) => assert.ok(Math.abs(w - native.matrix[t][s]) < 1e-5, where)));
}

for (const name of ["stories", "pairs"]) {
  test(`${name}: the page answers as the programs do`, async () => {
    const tab = await open(name);
    for (const { text, second, records } of expected[name]) {
      await tab.fill("#live-text", text);
      await tab.fill("#live-second", second);
      await settle(tab);
      assertSame(await record(tab), records[0], second);
      assert.equal((await tab.$$('.alternative[data-key^="b"]')).length, records.length);
    }
    const [hash, heading] = [await hashOf(tab), await title(tab)];
    await tab.fill("#live-second", " ");
    await settle(tab);
    assert.match(await message(tab), name === "stories" ? /Write a story.*and a question/ : /Type a premise and a hypothesis/);
    await tab.click("#live-words button");
    await settle(tab);
    assert.notEqual(await tab.inputValue("#live-second"), " ");
    await tab.fill("#live-second", "zyzzyva 😀");
    await settle(tab);
    assert.match(await message(tab), /zyzzyva is not in the vocabulary/);
    assert.deepEqual(await texts(tab, "#live-second-marks mark"), ["zyzzyva", "😀"]);
    await tab.fill("#live-text", "the ".repeat(400));
    await settle(tab);
    assert.notEqual(await message(tab), "");
    assert.deepEqual(tab.complaints, []);
    await tab.close();
    const again = await open(name, hash);
    assert.equal(await title(again), heading);
    assert.equal(await again.inputValue("#live-second"), expected[name].at(-1).second);
    await again.close();
  });
}

test("captions: a shape is painted with the mouse and the keys, and a file is opened", async () => {
  const tab = await open("captions");
  assert.match(await hashOf(tab), /y=example/);
  const first = await title(tab);
  await tab.setInputFiles("#live-file", join(folder, "picture.png"));
  await tab.waitForFunction(() => location.hash.includes("picture.png"));
  await settle(tab);
  assertSame(await record(tab), expected.captions[0].records[0], "the file");
  const ofFile = await hashOf(tab);
  await tab.setInputFiles("#live-file", join(folder, "broken.png"));
  await tab.waitForFunction(() => location.hash.includes("broken.png"));
  await settle(tab);
  assert.match(await message(tab), /picture/i);
  await tab.click("#live-clear");
  await settle(tab);
  assert.match(await message(tab), /Paint a shape/);
  const { x, y, width, height } = await (await tab.$("#live-board")).boundingBox();
  await tab.mouse.click(x + width / 6, y + height / 6);
  await settle(tab);
  assert.equal(await hashOf(tab).then((hash) => new URLSearchParams(hash.slice(1)).get("y")), "board:0.0.1.1");
  await tab.selectOption("#live-colour", { label: "blue" });
  await tab.selectOption("#live-shape", { label: "cross" });
  await tab.focus("#live-board");
  for (let k = 0; k < 12; ++k) await tab.keyboard.press("ArrowDown");
  for (let k = 0; k < 8; ++k) await tab.keyboard.press("ArrowRight");
  await tab.keyboard.press("Enter");
  await settle(tab);
  assert.equal(await hashOf(tab).then((hash) => new URLSearchParams(hash.slice(1)).get("y")), "board:0.0.1.1_3.2.13.9");
  await record(tab, "painted.jsonl");
  const [hash, heading] = [await hashOf(tab), await title(tab)];
  assert.notEqual(heading, first);
  await tab.focus("#live-board");
  await tab.keyboard.press("Backspace");
  await settle(tab);
  assert.doesNotMatch(await hashOf(tab), /_3\.2/);
  await tab.click("#live-undo");
  await settle(tab);
  assert.match(await message(tab), /Paint a shape/);
  assert.deepEqual(tab.complaints, []);
  await tab.close();
  const again = await open("captions", hash);
  assert.equal(await title(again), heading);
  await again.close();
  const lost = await open("captions", ofFile);
  assert.match(await message(lost), /Open picture\.png again/);
  await lost.close();
  for (const wrong of ["#s=own&y=board:9.9.9.9", "#s=own&y=board:x", "#s=own&y=example:zzz", "#s=own&y=%00"]) {
    const other = await open("captions", wrong);
    assert.match(await message(other), /Paint a shape/, wrong);
    assert.deepEqual(other.complaints, [], wrong);
    await other.close();
  }
});

test("texts: the page continues a text, and shows its self-attention", async () => {
  const tab = await open("texts");
  for (const { text, tokens } of expected.texts) {
    await tab.fill("#live-text", text);
    await settle(tab);
    const { target_tokens } = await record(tab);
    assert.deepEqual(target_tokens.slice(0, tokens.length), tokens);
    assert.ok((await tab.$$(".panel .cell")).length > 0);
  }
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("axe finds nothing", async () => {
  for (const name of ["captions", "stories", "pairs", "texts"]) {
    for (const [theme, width] of [["light", 1440], ["dark", 390]]) {
      const tab = await open(name, `#t=${theme}`, { theme, width });
      await tab.evaluate(axe);
      const { violations, passes } = await tab.evaluate(() => window.axe.run(document));
      assert.ok(passes.length > 15);
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`), [], `${name} ${theme}`);
      await tab.close();
    }
  }
});
