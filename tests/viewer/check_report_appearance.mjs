// The report is legible in both themes, on any screen and on paper.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { folder, openPage } from "./browser.mjs";

const openReport = (options) => openPage("papers/bahdanau", "", { ready: false, ...options });

// Returns the contrast (WCAG 2.1) of every element with text to the nearest background behind it. A canvas reads every
// notation of colours that a browser uses.
const contrasts = (tab) => tab.evaluate(() => {
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const luminance = (colour) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = [...pen.getImageData(0, 0, 1, 1).data].map((c) => c / 255);
    const [x, y, z] = [r, g, b].map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return a < 1 ? null : 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const groundOf = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const found = luminance(getComputedStyle(at).backgroundColor);
      if (found != null) return found;
    }
    return null;
  };
  const hasText = (node) => [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim());
  return [...document.body.querySelectorAll("*")].filter((node) => hasText(node) && node.tagName !== "title").map((node) => {
    const style = getComputedStyle(node);
    const [a, b] = [luminance(node.closest("svg") ? style.fill : style.color), groundOf(node)].sort((x, y) => y - x);
    return { what: `${node.tagName} ${node.textContent.slice(0, 30)}`, contrast: (a + 0.05) / (b + 0.05) };
  });
});

test("all text has a contrast of at least 4.5 in both themes", async () => {
  for (const theme of ["light", "dark"]) {
    const tab = await openReport({ theme });
    const found = await contrasts(tab);
    assert.ok(found.length > 200, `${found.length} texts`);
    for (const { what, contrast } of found) assert.ok(contrast >= 4.5, `${theme}: ${what}: ${contrast}`);
    await tab.close();
  }
});

test("each line has a colour and a dash of its own in both themes", async () => {
  for (const theme of ["light", "dark"]) {
    const tab = await openReport({ theme });
    for (const property of ["stroke", "strokeDasharray"]) {
      const seen = await tab.$$eval(".series .line", (lines, name) => lines.map((line) => getComputedStyle(line)[name]), property);
      assert.equal(new Set(seen).size, 6, `${theme}: ${property}`);
    }
    await tab.close();
  }
});

test("no screen makes the report scroll sideways", async () => {
  for (const width of [1440, 1024, 390]) {
    const tab = await openReport({ width });
    await tab.click("summary");
    const [page, screen] = await tab.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(page <= screen, `${page} at ${width}`);
    await tab.close();
  }
});

test("no label of a figure is cut off, and those at the lines' ends do not cover each other", async () => {
  const tab = await openReport();
  const cut = await tab.evaluate(() => [...document.querySelectorAll(".chart text, .matrix text")].filter((node) => {
    const [text, figure] = [node.getBoundingClientRect(), node.closest("svg").getBoundingClientRect()];
    return text.left < figure.left - 1 || text.right > figure.right + 1 || text.top < figure.top - 1 || text.bottom > figure.bottom + 1;
  }).map((node) => node.textContent));
  assert.deepEqual(cut, []);
  const covered = await tab.evaluate(() => [...document.querySelectorAll(".chart")].flatMap((chart) => {
    const tops = [...chart.querySelectorAll(".label")].map((node) => node.getBBox().y).sort((a, b) => a - b);
    return tops.slice(1).map((y, i) => y - tops[i]);
  }).filter((gap) => gap < 13.5));
  assert.deepEqual(covered, []);
  await tab.close();
});

// Opens a study's drawing as a separate file.
const openDrawing = async (name) => {
  const tab = await openPage("tongues", "", { ready: false });
  await tab.goto(pathToFileURL(join(folder, name)).href);
  return tab;
};

test("a study's drawing has its colours in it, no label is cut off, and none is smaller than 10 px", async () => {
  for (const name of ["papers/bahdanau.svg", "experiment/permutation-weights.svg", "experiment/pooling.svg"]) {
    const tab = await openDrawing(name);
    assert.doesNotMatch(readFileSync(join(folder, name), "utf8"), /var\(|@media/, name);
    const [found, cut, small, captions] = await tab.evaluate(() => {
      const svg = document.documentElement;
      const texts = [...svg.querySelectorAll("text")];
      const frame = svg.getScreenCTM();
      const { width, height } = svg.viewBox.baseVal;
      const outside = ({ left, right, top, bottom }) => left < frame.e - 1 || top < frame.f - 1 ||
        right > frame.e + frame.a * width + 1 || bottom > frame.f + frame.d * height + 1;
      return [texts.length, texts.filter((node) => outside(node.getBoundingClientRect())).map((node) => node.textContent),
        texts.filter((node) => parseFloat(getComputedStyle(node).fontSize) < 10).length, svg.querySelectorAll(".title, .caption").length];
    });
    assert.ok(found > 8 && captions > 0, `${name}: ${found} texts, ${captions} captions`);
    assert.deepEqual([cut, small], [[], 0], name);
    const strokes = await tab.$$eval(".line, .grid", (nodes) => nodes.map((node) => getComputedStyle(node).stroke));
    assert.ok(strokes.every((stroke) => /^rgb/.test(stroke)), `${name}: ${strokes}`);
    await tab.close();
  }
});

test("an experiment's figures of weights have captions and keep their size", async () => {
  for (const width of [1440, 390]) {
    const tab = await openPage("experiment/permutation", "", { ready: false, width });
    assert.deepEqual(await tab.$$eval(".weights figcaption", (nodes) => nodes.map((node) => node.textContent)),
      ["without positions", "without positions, in another order", "with sinusoidal positions",
        "with sinusoidal positions, in another order"]);
    const scales = await tab.$$eval(".weights svg", (nodes) => nodes.map((node) => node.getScreenCTM().a));
    assert.ok(scales.every((scale) => scale > 0.99), `${scales} at ${width}`);
    const cells = await tab.$$eval(".weights svg rect:not(.w0)", (nodes) => nodes.map((node) => node.getBoundingClientRect().width));
    assert.ok(cells.length > 20 && Math.min(...cells) >= 40, `cells of ${Math.min(...cells)} px at ${width}`);  // legible from far away
    assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await tab.close();
  }
});

// Returns the size of a text on the screen, because an <svg> may be enlarged.
const textSizes = (tab, selector) => tab.$$eval(selector, (nodes) => nodes.map((node) => parseFloat(getComputedStyle(node).fontSize) * node.getScreenCTM().a));

test("an experiment's figures come before its table, fill the page, and have text of at least 12 px", async () => {
  for (const name of ["pooling", "permutation"]) {
    for (const [width, height] of [[1440, 900], [1280, 720], [390, 844]]) {
      const tab = await openPage(`experiment/${name}`, "#figure", { ready: false, width, height });
      const of = (selector) => tab.$eval(selector, (node) => node.getBoundingClientRect().toJSON());
      const [figure, table] = [await of("#figure svg"), await of("table")];
      assert.ok(figure.top >= 0 && figure.bottom <= Math.min(height, table.top), `${name} at ${width}: figure from ${figure.top} to ${figure.bottom}, table at ${table.top}`);
      const sizes = await textSizes(tab, "#figure svg text");
      assert.ok(sizes.length > 8 && Math.min(...sizes) >= 12, `${name} at ${width}: ${Math.min(...sizes)} px`);
      assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} at ${width}`);
      if (name === "pooling" && width > 390) {
        const plot = await of("#figure .grid");
        assert.ok(figure.width >= 0.9 * (width - 64) && plot.width >= 0.6 * figure.width, `at ${width}: ${figure.width} px, the plot ${plot.width}`);
      }
      await tab.close();
    }
  }
});

test("the chart of noisy points shows the points", async () => {
  const tab = await openPage("experiment/pooling", "#figure", { ready: false });
  const points = await tab.$$eval(".point", (nodes) => nodes.map((node) => [Number(node.getAttribute("cx")), Number(node.getAttribute("cy"))]));
  assert.equal(points.length, 50);
  assert.ok(new Set(points.map(String)).size > 45);
  await tab.close();
});

test("every link to a section finds it", async () => {
  const tab = await openReport();
  const [links, sections] = await tab.evaluate(() => [
    [...document.querySelectorAll("nav a")].map((link) => link.hash.slice(1)),
    [...document.querySelectorAll("main > section")].map((section) => section.id),
  ]);
  assert.equal(links.length, 7);
  assert.deepEqual(["conclusion", ...links], sections);
  await tab.close();
});

test("bands show the seeds, and learning curves their last values", async () => {
  const tab = await openReport();
  assert.ok((await tab.$$(".band")).length >= 12);
  const charts = await tab.$$eval(".chart", (all) => all.map((chart) => chart.getAttribute("aria-label")));
  assert.deepEqual(charts, ["validation loss, nats, logarithmic by epoch", "BLEU by epoch", "AER in percent, logarithmic by epoch", "BLEU by words in the source sentence"]);
  await tab.close();
});

test("paper is light and has all of the report", async () => {
  const tab = await openReport({ theme: "dark" });
  await tab.emulateMedia({ media: "print" });
  assert.equal(await tab.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
  for (const { what, contrast } of (await contrasts(tab)).filter(({ what: text }) => !text.startsWith("PRE"))) {
    assert.ok(contrast >= 4.5, `${what}: ${contrast}`);
  }
  const pages = ((await tab.pdf({ preferCSSPageSize: true, printBackground: true })).toString("latin1").match(/\/Type\s*\/Page[^s]/g) ?? []).length;
  assert.ok(pages >= 2 && pages <= 12, `${pages} pages`);
  await tab.close();
});
