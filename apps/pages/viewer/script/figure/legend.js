// The part below the figures: the meaning of their marks, and the weights as a table.

const legendSign = (width, ...marks) => svg("svg", { width, height: 16, "aria-hidden": "true" }, ...marks);
const legendItem = (sign, text) => element("span", {}, sign, text);

// A colour scale of 48 strokes. `colour` maps 0 to 1 to a colour.
const legendScale = (colour) => legendSign(122, ...[...Array(48).keys()].map((i) =>
  svg("rect", { x: 2.5 * i, y: 2, width: 3, height: 12, fill: css(colour(i / 47)) })));

// A mark as it appears in a cell of large weight, on a chip with the colour of such a cell.
function markSign(wrong) {
  const colour = weightRgb(1);
  const ink = inkOn(colour);
  return legendSign(16, svg("rect", { class: "chip", x: 1, y: 1, width: 14, height: 14, rx: 2, fill: css(colour) }), wrong
    ? svg("path", { class: "link wrong", d: "M5 5l6 6m0-6l-6 6", stroke: ink })
    : svg("circle", { class: "link", cx: 8, cy: 8, r: 2.6, fill: ink }));
}

function goldItems(difference) {
  const box = { x: 2, y: 2, width: 12, height: 12, rx: 2 };
  return [
    legendItem(legendSign(16, svg("rect", { class: "sure", ...box })), "gold, sure"),
    legendItem(legendSign(16, svg("rect", { class: "possible", ...box })), "gold, possible"),
    difference ? null : legendItem(legendSign(24, svg("path", { class: "missed", d: "M1 8H23" })), "gold, missed"),
  ];
}

// The scale of a veil: the larger a weight, the more of the picture below it is visible.
const veilScale = () => legendSign(122, svg("rect", { class: "under", x: 0, y: 2, width: 122, height: 12 }), ...[...Array(48).keys()].map((i) =>
  svg("rect", { x: 2.5 * i, y: 2, width: 2.6, height: 12, fill: css(veilRgb), "fill-opacity": thickestVeil * (1 - shade(i / 47)) })));

const toggle = (id, pressed, act, title, text) =>
  element("button", { id, class: "small toggle", "aria-pressed": String(pressed), onclick: act, title }, text);

// For pictures and stories, gold is a set of positions, each of which is right.
function placeItems(shown) {
  const [cells] = shown.map(({ view }) => kindOf(view.record) === "cells");
  const box = { x: 2, y: 2, width: 12, height: 12, rx: 2 };
  return [
    legendItem(legendSign(16, svg("rect", { class: "sure", ...box })), cells ? "gold: any of these cells is right" : "gold: what the answer needs"),
    legendItem(cells ? legendSign(12, svg("circle", { class: "ink", cx: 6, cy: 8, r: 2.6 })) : markSign(false), "largest weight in gold"),
    legendItem(cells ? legendSign(12, svg("path", { class: "ink", d: "M3 5l6 6m0-6l-6 6" })) : markSign(true), "not in gold"),
  ];
}

const gateItem = () => legendItem(legendSign(32, svg("rect", { class: "gate-room", x: 1, y: 5, width: 30, height: 6 }),
  svg("rect", { class: "bar", x: 1, y: 5, width: 18, height: 6 })), "gate, 0 to 1");

function drawLegend(all) {
  const shown = all.filter(({ view }) => hasWeights(view));
  if (shown.length === 0) return byId("legend").replaceChildren();
  const hasGold = shown.some(({ view }) => view.gold);
  const difference = showsDifference(shown);
  const words = drawingOf(shown[0].view) === drawings.words;
  const root = state.faint ? ", square-root scale" : "";
  const veiled = showsPicture(shown[0].view);
  const items = [
    legendItem(veiled ? veilScale() : legendScale(weightRgb), `${difference ? "A: " : ""}${shown.every(({ view }) => isPosterior(view.record)) ? "probability" : "weight"} 0 to 1${veiled ? ", the more the brighter" : ""}${root}`),
    difference ? legendItem(legendScale((x) => differenceRgb(2 * x - 1)), `A − B: −1 (B more) to +1 (A more)${root}`) : null,
    toggle("faint", state.faint, toggleFaint, "Square-root colour scale (s)", "show faint weights"),
    shown[0].record.source_image ? toggle("bare", state.bare, toggleBare, "The weights without the picture (b)", "weights alone") : null,
  ];
  if (shown.some(({ view }) => view.gates)) items.push(gateItem());
  if (words) items.push(...linkItems(shown, hasGold, difference));
  else if (hasGold) items.push(...placeItems(shown));
  byId("legend").replaceChildren(...items.filter(Boolean));
}

// A dot is a link that gold accepts. In a figure without gold, a dot is any link.
function dotMeans(shown) {
  const without = shown.flatMap(({ view }, i) => (view.gold ? [] : ["AB"[i]]));
  if (without.length === shown.length) return "link";
  return without.length > 0 ? `link in gold (${without[0]} has no gold: any link)` : "link in gold";
}

// The presentation hides the legend, so this line explains the marks of its figures.
function marksExplained(shown) {
  if (!state.presenting || shown.length === 0 || drawingOf(shown[0].view) !== drawings.words) return null;
  const hasGold = shown.some(({ view }) => view.gold);
  const gold = hasGold ? "Orange: gold (dashed: possible or missed). " : "";
  const cross = hasGold ? " Cross, red: link not in gold." : "";
  return `${gold}Dot: ${dotMeans(shown)}.${cross} Coverage: sum of a column.`;
}

function linkItems(shown, hasGold, difference) {
  const items = [
    ...(hasGold ? goldItems(difference) : []),
    legendItem(markSign(false), dotMeans(shown)),
    hasGold ? legendItem(markSign(true), "link not in gold") : null,
    element("span", {}, difference ? "each row of A sums to 1, of A − B to 0" : "each row sums to 1"),
  ];
  const kinds = shown.flatMap(({ edits }) => (edits ?? []).map(({ kind }) => kind));
  if (kinds.includes("lost")) items.push(legendItem(legendSign(24, svg("path", { class: "gap", d: "M1 8H23" })), "words lost here"));
  if (kinds.includes("added")) items.push(element("ins", {}, "word added"));
  if (shown.some(({ view }) => view.record.self === "decoder"))
    items.push(legendItem(legendSign(16, svg("rect", { class: "future", x: 2, y: 2, width: 12, height: 12 })), "the future"));
  if (shown.some(({ view }) => view.record.self === "encoder"))
    items.push(legendItem(legendSign(24, svg("path", { class: "ahead", d: "M1 12Q12 2 23 12" })), "attends ahead"));
  if (shown.some(({ view }) => ["source", "target"].some((side) => unknownOf(view.record, side).length > 0)))
    items.push(element("span", { class: "unknown" }, "not in the vocabulary"));
  return items;
}

function toggleFaint() {
  state.faint = !state.faint;
  refresh();
}

function drawTable(shown) {
  const area = byId("table");
  if (area.hidden || shown.length === 0) return;
  const { record, rows } = shown[0].view;
  const heads = record.source_tokens.map((token) => element("th", { scope: "col" }, word(token)));
  const lines = rows.map((row, t) => element("tr", {}, element("th", { scope: "row" }, word(record.target_tokens[t])),
    ...row.map((w) => element("td", {}, w.toFixed(3)))));
  area.replaceChildren(element("table", {}, element("caption", {}, "The weights as a table"),
    element("tr", {}, element("td"), ...heads), ...lines));
}
