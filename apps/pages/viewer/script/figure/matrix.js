// The matrix: one cell per weight, gold outlined, links marked, entropy and p(token) on the right, coverage below. A
// difference shows A minus B in all of these.

function drawCells(view, g) {
  const group = svg("g", { class: "cells" });
  const paint = view.difference ? paintDifference : paintWeight;
  for (let t = 0; t < g.T; ++t) {
    for (let s = 0; s < g.S; ++s) {
      const future = isFuture(view.record, t, s);
      const { rgb, text } = paint(view.rows[t][s]);
      const [x, y] = [g.left + s * g.cellWidth, g.top + t * g.cellHeight];
      group.append(svg("rect", {
        class: future ? "cell future" : "cell", x, y, width: g.cellWidth, height: g.cellHeight, fill: future ? null : css(rgb),
        "data-t": t, "data-s": s, "data-w": view.rows[t][s],
      }));
      if (!g.numbers || text === "") continue;
      group.append(svg("text", {
        class: "number", x: x + g.cellWidth / 2, y: y + g.cellHeight / 2 + 4, "text-anchor": "middle", fill: inkOn(rgb),
      }, text));
    }
  }
  return group;
}

const paintWeight = (w) => ({ rgb: weightRgb(w), text: w >= 0.045 ? cellNumber(w) : "" });
const paintDifference = (d) => ({ rgb: differenceRgb(d), text: Math.abs(d) >= 0.045 ? signed(d, cellNumber) : "" });
const signed = (d, show) => {
  const size = show(Math.abs(d));
  return Number(size) === 0 ? "0" : (d > 0 ? "+" : "−") + size;
};

// Sure links have solid outlines, possible links dashed ones. A halo of paper separates each outline from the blue of
// its cell.
function drawGold(view, g) {
  const group = svg("g", { class: "gold" });
  const outline = (kind) => ([s, t]) => {
    const row = rowOf(view.record, t);
    if (row >= g.T) return;
    const box = {
      x: g.left + s * g.cellWidth + 1.5, y: g.top + row * g.cellHeight + 1.5,
      width: g.cellWidth - 3, height: g.cellHeight - 3, rx: 2,
    };
    group.append(svg("rect", { class: "halo", ...box }), svg("rect", { class: kind, ...box }));
  };
  view.gold?.possible.forEach(outline("possible"));
  view.gold?.sure.forEach(outline("sure"));
  return group;
}

const goldStatus = (gold, s, t) => {
  const has = (links) => links.some((link) => link[0] === s && link[1] === t);
  return has(gold.sure) ? "sure" : has(gold.possible) ? "possible" : "none";
};

// A dot marks a link that gold accepts, or any link if there is no gold. A cross marks a link that gold does not
// accept.
function drawLinks(view, g) {
  const group = svg("g", { class: "links" });
  for (const [s, t] of view.links) {
    const row = rowOf(view.record, t);
    const ink = inkOn(weightRgb(view.rows[row][s]));
    const [x, y] = [g.left + (s + 1) * g.cellWidth - 6, g.top + row * g.cellHeight + 6];
    const wrong = view.gold && goldStatus(view.gold, s, t) === "none";
    group.append(wrong
      ? svg("path", { class: "link wrong", d: `M${x - 2.6} ${y - 2.6}l5.2 5.2m0-5.2l-5.2 5.2`, stroke: ink })
      : svg("circle", { class: "link", cx: x, cy: y, r: 2.4, fill: ink }));
  }
  return group;
}

function drawWords(view, g, edits) {
  const group = svg("g", { class: "words" });
  const { source_tokens, target_tokens } = view.record;
  const added = placesOf(edits, "added");
  source_tokens.forEach((token, s) => {
    const kind = `column-word ${unknownClass(view.record, "source", s)}`;
    group.append(label(token, columnCentre(g, s), g.top - 6, g.source, { class: kind, "data-s": s }));
  });
  target_tokens.forEach((token, t) => {
    const side = { angle: 0, room: g.labels - 14 };
    const kind = `row-word ${unknownClass(view.record, "target", t)}`;
    const node = label(token, g.left - 8, rowCentre(g, t) + 5, side, { class: kind, "data-t": t });
    node.setAttribute("text-anchor", "end");
    if (added.has(t)) node.classList.add("changed");
    group.append(node);
  });
  for (const t of placesOf(edits, "lost")) {
    const y = g.top + t * g.cellHeight;
    group.append(lostMark(edits, t, `M4 ${y}H${g.left - 4}`));
  }
  return group;
}

// The positions of words that an alternative gained or lost, compared with the other text (edits.js).
const placesOf = (edits, kind) => new Set((edits ?? []).filter((edit) => edit.kind === kind).map(({ at }) => at));

// A gap before token t, where words were lost: a stroke whose tooltip names the words.
function lostMark(edits, t, d) {
  const words = edits.filter(({ kind, at }) => kind === "lost" && at === t).map(({ token }) => visible(token));
  return svg("path", { class: "gap", d, "data-lost": words.length }, svg("title", {}, `lost here: ${words.join(" ")}`));
}

function drawBars(g, x, values, longest, title, attributes) {
  const group = svg("g", { class: "bars" });
  const numbered = g.barWidth > 40;
  const room = numbered ? g.barWidth - 30 : g.barWidth - 8;
  group.append(svg("line", { class: "axis", x1: x, x2: x, y1: g.top, y2: g.bottom }));
  values.forEach((value, t) => {
    const height = Math.min(14, g.cellHeight - 4);
    const { text, ...rest } = attributes(value, t);
    const width = Math.max(0.5, (room * Math.abs(value)) / longest);
    group.append(svg("rect", { x, y: rowCentre(g, t) - height / 2, width, height, ...rest }));
    if (g.cellHeight < 15 || !numbered) return;
    group.append(svg("text", { class: "quiet", x: x + width + 3, y: rowCentre(g, t) + 4 }, text));
  });
  group.append(svg("text", { class: "quiet", x, y: g.bottom + 16 }, numbered ? title : title.replace(/^entropy$/, "H").replace("(token)", "")));
  return group;
}

// The class of a difference's bar tells whether A or B has more.
const leaning = (d) => (d < 0 ? "bar less" : "bar more");

// The bars on the right: the entropy of each step, out of ln S, and the probability of its word.
function drawStepBars(view, g) {
  if (g.barWidth === 0) return [];
  const most = Math.max(1, Math.log(g.S));
  const nats = (x) => Math.abs(x).toFixed(1);
  const entropy = drawBars(g, g.right + 10, view.nats, most, "entropy", (value) => ({
    class: view.difference ? leaning(value) : "bar entropy", text: view.difference ? signed(value, nats) : nats(value),
    "data-entropy": value,
  }));
  const { probabilities } = view;
  if (!probabilities) return [entropy];
  const kind = (p) => (view.difference ? leaning(p) : p < 0.3 ? "bar doubtful" : "bar");
  return [entropy, drawBars(g, g.right + 10 + g.barWidth, probabilities, 1, "p(token)", (p) => ({
    class: kind(p), text: view.difference ? signed(p, cellNumber) : cellNumber(p), "data-p": p,
  }))];
}

// The bars below: the sum of each source word's weights. The dotted line is 1, the weight of a complete step.
function drawCoverage(view, g) {
  const group = svg("g", { class: "coverage" });
  const unit = 14;
  const y = g.bottom + 5;
  columnSums(view.rows).forEach((total, s) => {
    const bar = { x: g.left + s * g.cellWidth + g.cellWidth * 0.2, y, width: g.cellWidth * 0.6 };
    const height = Math.min(g.coverage - 6, unit * Math.abs(total));
    group.append(svg("rect", { class: view.difference ? leaning(total) : "bar", ...bar, height, "data-coverage": total }));
  });
  if (!view.difference) group.append(svg("line", { class: "reference", x1: g.left, x2: g.right, y1: y + unit, y2: y + unit }));
  group.append(svg("text", { class: "quiet", x: g.left - 8, y: y + 13, "text-anchor": "end" }, "coverage"));
  return group;
}

// The bands that follow the pointer, and the frame of the selected cell. They are moved, not redrawn.
function drawCursor(g) {
  const top = g.source.angle === 40 ? g.top : g.top - g.source.height - 4;  // a band does not follow slanted labels
  return svg("g", { class: "cursor" },
    svg("rect", { class: "band row", x: 0, width: g.right, height: g.cellHeight, visibility: "hidden" }),
    svg("rect", { class: "band column", y: top, width: g.cellWidth, height: g.bottom - top, visibility: "hidden" }),
    svg("rect", { class: "frame", width: g.cellWidth, height: g.cellHeight, rx: 2, visibility: "hidden" }));
}

function place(node, attributes, visible) {
  node.setAttribute("visibility", visible ? "visible" : "hidden");
  if (visible) Object.entries(attributes).forEach(([name, value]) => node.setAttribute(name, value));
}

function moveCursor(figure, g, t, s) {
  const [x, y] = [g.left + s * g.cellWidth, g.top + t * g.cellHeight];
  place(figure.querySelector(".band.row"), { y }, t != null && t < g.T);
  place(figure.querySelector(".band.column"), { x }, s != null && s < g.S);
  place(figure.querySelector(".frame"), { x, y }, t != null && s != null && t < g.T && s < g.S);
}
