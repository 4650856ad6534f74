// Uses the live pages of the other tasks as a person does: paints, writes a story and a question, two sentences, or a text.
//   node tests/viewer/check_live_tasks.mjs FOLDER    test_live_page.py makes the pages of the folder and runs this
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, test } from "node:test";
import { closeBrowser, drawn, folder, openPage, save, texts, touchAlong, write } from "./browser.mjs";

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
// The record of the answer, and of the answer after a change.
async function changed(tab) {
  await save(tab, "#live-save", join(folder, "changed.jsonl"));
  const [base, record] = readFileSync(join(folder, "changed.jsonl"), "utf8").trim().split("\n").map((line) => JSON.parse(line));
  return { base, record };
}
const cellAt = (tab, t, s) => tab.locator(`.panel:first-child .cell[data-t="${t}"][data-s="${s}"]`).first();
// The mouse goes away first, because a picture shows the word under it, and not the selected one.
async function middleOf(tab, cell) {
  await tab.mouse.move(0, 0);
  await drawn(tab);
  return cell.evaluate((node) => {
    node.scrollIntoView({ block: "center" });
    const { x, y, width, height } = node.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  });
}
async function drag(tab, cell, pixels) {
  const [x, y] = await middleOf(tab, cell);
  await tab.mouse.move(x, y);
  await tab.mouse.down();
  for (const part of [0.25, 0.5, 1]) {
    await tab.mouse.move(x, y - part * pixels);
    await drawn(tab);
  }
  await tab.mouse.up();
  await settle(tab);
}
function assertSame(found, native, where) {
  assert.deepEqual(found.target_tokens, native.target_tokens, where);
  found.matrix.forEach((row, t) => row.forEach((w, s) => assert.ok(Math.abs(w - native.matrix[t][s]) < 1e-5, where)));
}

for (const name of ["stories", "pairs"]) {
  test(`${name}: the page answers as the programs do`, async () => {
    const tab = await open(name);
    for (const { text, second, records } of expected[name]) {
      await write(tab, "#live-text", text);
      await write(tab, "#live-second", second);
      await settle(tab);
      assertSame(await record(tab), records[0], second);
      assert.equal((await tab.$$('.alternative[data-key^="b"]')).length, records.length);
    }
    const [hash, heading] = [await hashOf(tab), await title(tab)];
    await write(tab, "#live-second", " ");
    await settle(tab);
    assert.match(await message(tab), name === "stories" ? /Write a story.*and a question/ : /Type a premise and a hypothesis/);
    await tab.click("#live-words button");
    await settle(tab);
    assert.notEqual(await tab.inputValue("#live-second"), " ");
    await write(tab, "#live-second", "zyzzyva 😀");
    await settle(tab);
    assert.match(await message(tab), /zyzzyva is not in the vocabulary/);
    assert.deepEqual(await texts(tab, "#live-second-marks mark"), ["zyzzyva", "😀"]);
    await write(tab, "#live-text", "the ".repeat(400));
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

test("mixed: a model with attention next to one without", async () => {
  const tab = await open("mixed", "#s=2&c=1");
  for (const key of [null, "p", "d", "p"]) {
    if (key) await tab.keyboard.press(key);
    await settle(tab);
    assert.ok((await tab.$$(".panel:first-child .cell")).length > 0);
    assert.equal((await tab.$$(".panel:last-child .plain")).length, 1);
    assert.ok(await tab.isHidden("#difference"));
    assert.doesNotMatch(await tab.textContent("#introduction"), /B has no gold/);
    assert.doesNotMatch(await tab.innerText("body"), /NaN|undefined/);
  }
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

// Drops a file on the page, as a desktop does. Without a name, the drop has no file.
async function drop(tab, name) {
  const content = name ? [...readFileSync(join(folder, name))] : null;
  return tab.evaluate(([file, bytes]) => {
    const dataTransfer = new DataTransfer();
    if (file) dataTransfer.items.add(new File([new Uint8Array(bytes)], file, { type: `image/${file.split(".").at(-1).replace("jpg", "jpeg")}` }));
    else dataTransfer.setData("text/plain", "no file");
    const events = ["dragover", "drop"].map((kind) => new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
    for (const event of events) document.getElementById("panels").dispatchEvent(event);
    return events.every((event) => event.defaultPrevented);  // else the browser would leave the page
  }, [name, content]);
}

test("captions: a picture is dropped on the page", async () => {
  const tab = await open("captions");
  assert.ok(await drop(tab, null));
  await settle(tab);
  assert.match(await hashOf(tab), /y=example/);
  for (const { file, records } of expected.captions) {
    assert.ok(await drop(tab, file));
    await tab.waitForFunction((name) => location.hash.includes(name), file);
    await settle(tab);
    assertSame(await record(tab), records[0], file);
  }
  assert.ok(await drop(tab, "broken.png"));
  await tab.waitForFunction(() => location.hash.includes("broken.png"));
  await settle(tab);
  assert.match(await message(tab), /picture/i);
  const before = await hashOf(tab);
  for (const [file, said] of [["cut.jpg", "the browser cannot read it"], ["notes.jpg", "the browser cannot read it"],
    ["wide.bmp", "the picture has 16385 x 1 pixels, but at most 16384 per side and 64000000 together are allowed"]]) {
    assert.ok(await drop(tab, file));
    await tab.waitForFunction((text) => document.getElementById("live-words").textContent.startsWith(text), `${file} cannot be opened: ${said}`);
    assert.equal(await hashOf(tab), before, file);
  }
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("captions: weight 1 on a cell does what --intervene force does", async () => {
  const tab = await open("captions");
  await tab.setInputFiles("#live-file", join(folder, "picture.png"));
  await tab.waitForFunction(() => location.hash.includes("picture.png"));
  await settle(tab);
  assert.match(await tab.textContent("#live-hint"), /Click a word, then drag a cell/);
  let other = 0;
  for (const native of expected.captions[0].forced) {
    const { step, source } = native.intervention;
    await tab.keyboard.press("Escape");
    await settle(tab);
    if (await tab.isVisible("#live-weight")) await tab.keyboard.press("Escape");  // the first one left the change
    await settle(tab);
    await tab.click(`.panel:first-child .tile[data-t="${step}"] .rim`);
    await settle(tab);
    if (step % 2 === 0) {
      await drag(tab, cellAt(tab, step, source), 200);
    } else {
      await tab.mouse.click(...await middleOf(tab, cellAt(tab, step, source)));
      await settle(tab);
      await tab.fill("#live-slider", "100");
      await settle(tab);
    }
    assert.equal(await tab.textContent("#live-value"), "1.00");
    assert.equal((await tab.$$(".panel")).length, 2);
    const { base, record: ours } = await changed(tab);
    assertSame(base, expected.captions[0].records[0], `before step ${step}`);
    assertSame(ours, native, `step ${step}, cell ${source}`);
    other += base.target_tokens.join(" ") !== ours.target_tokens.join(" ") || base.logprob.join() !== ours.logprob.join();
  }
  assert.ok(other > 0);
  await tab.click("#live-reset");
  await settle(tab);
  assert.equal((await tab.$$(".panel")).length, 1);
  await tab.keyboard.press("Escape");
  await tab.focus(".panel:first-child .figure");  // the keys alone choose a cell and change it
  await tab.keyboard.press("ArrowRight");
  for (const key of ["ArrowRight", "ArrowRight", "ArrowDown"]) await tab.keyboard.press(`Shift+${key}`);
  await settle(tab);
  const width = await tab.evaluate(() => 1 + Math.max(...[...document.querySelectorAll(".panel:first-child .cell")].map((cell) => Number(cell.dataset.s)))).then(Math.sqrt);
  assert.match(await hashOf(tab), new RegExp(`w=${width + 1}(&|$)`));
  await tab.keyboard.press("+");
  await settle(tab);
  assert.match(await hashOf(tab), new RegExp(`z=0\\.${width + 1}\\.0`));
  assert.equal((await tab.$$(".panel")).length, 2);
  assert.deepEqual(tab.complaints, []);
  const [hash, heading] = [await hashOf(tab), await texts(tab, "h2")];
  await tab.close();
  const painted = await open("captions", hash.replace(/y=file[^&]*/, "y=board%3A0.0.1.1"));
  assert.equal((await painted.$$(".panel")).length, 2, "the change of a link");
  assert.equal((await texts(painted, "h2")).length, heading.length);
  await painted.close();
});

test("stories: weight 1 on a sentence does what --intervene force does", async () => {
  for (const touch of [false, true]) {
    const tab = await open("stories", "", { touch, width: touch ? 390 : 1440 });
    let other = 0;
    for (const { text, second, forced } of expected.stories) {
      await write(tab, "#live-text", text);
      await write(tab, "#live-second", second);
      await settle(tab);
      for (const native of forced) {
        const { source } = native.intervention;
        const cell = cellAt(tab, 0, source);
        if (touch) {
          await touchAlong(tab, [await middleOf(tab, cell)]);
          const [x, y] = await middleOf(tab, cell);
          await touchAlong(tab, [10, 60, 110, 160].map((up) => [x, y - up + 10]));
        } else {
          await drag(tab, cell, 200);
        }
        assert.equal(await tab.textContent("#live-value"), "1.00");
        const { base, record: ours } = await changed(tab);
        assertSame(ours, native, second);
        for (const { matrix } of ours.heads ?? []) assert.equal(matrix[0][source], 1, "all hops attend to the sentence");
        other += base.logprob[0] !== ours.logprob[0];
        await tab.click("#live-reset");
        await settle(tab);
        await tab.keyboard.press("Escape");
        await settle(tab);
      }
      if (touch) break;
    }
    assert.ok(other > 0);
    assert.deepEqual(tab.complaints, []);
    await tab.close();
  }
});

for (const name of ["plain", "plain-texts"]) {
  test(`${name}: a model without attention writes, and the page says that there is nothing to show`, async () => {
    const tab = await open(name);
    for (const { text, tokens } of expected[name]) {
      await write(tab, "#live-text", text);
      await settle(tab);
      assert.deepEqual(await texts(tab, ".plain-word title"), tokens);
      assert.match(await tab.textContent("#introduction"), /has no attention to show/);
      assert.match(await tab.textContent("#reading"), /^Least certain: /);
    }
    assert.equal((await tab.$$(".cell")).length, 0);
    assert.equal((await tab.$$(".plain [data-p]")).length, expected[name].at(-1).tokens.length);
    assert.ok(await tab.isHidden("#live-weight"));
    assert.ok(await tab.isHidden("#live-hint"));
    assert.ok(await tab.isDisabled("#live-save"));
    if (name === "plain") {
      await tab.click('.alternative[data-key="b1"]');
      await settle(tab);
      assert.equal((await tab.$$(".panel .plain")).length, 2);
      assert.ok(await tab.isHidden("#difference"));
      await tab.keyboard.press("Escape");
      await write(tab, "#live-text", "the zyzzyva");
      await settle(tab);
      assert.match(await message(tab), /zyzzyva is not in the vocabulary/);
    }
    for (const key of ["j", "k", "w", "w", "s", "p", "p", "1", "+", "ArrowDown", "t"]) {  // nothing that needs weights fails
      await tab.locator(name === "plain" ? ".figure" : "#list").first().press(key);
      await drawn(tab);
    }
    assert.doesNotMatch(await tab.innerText("body"), /NaN|undefined/);
    assert.deepEqual(tab.complaints, []);
    await tab.close();
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
  await tab.mouse.click(x + 0.19 * width, y + 0.19 * height);
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
    await write(tab, "#live-text", text);
    await settle(tab);
    const { target_tokens } = await record(tab);
    assert.deepEqual(target_tokens.slice(0, tokens.length), tokens);
    assert.ok((await tab.$$(".panel .cell")).length > 0);
  }
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("axe finds nothing", async () => {
  for (const name of ["captions", "stories", "pairs", "texts", "plain"]) {
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
