// Ribbons from the target words to the source words; the width is the weight. Each target word has one unit to give, so
// that what arrives at a source word is its coverage.

// Where on its word each ribbon begins and ends: side by side, in the order of the words at the other end.
function ribbonEnds(view, g, unit) {
  const [T, S] = [g.T, g.S];
  const ends = [];
  const arrived = new Array(S).fill(0);
  const coverage = [...Array(S).keys()].map((s) => sum(view.rows.map((row) => row[s])));
  for (let t = 0; t < T; ++t) {
    let given = 0;
    for (let s = 0; s < S; ++s) {
      const w = view.rows[t][s];
      ends.push({ t, s, w, from: (given + w / 2 - 0.5) * unit, to: (arrived[s] + w / 2 - coverage[s] / 2) * unit });
      given += w;
      arrived[s] += w;
    }
  }
  return ends;
}

// Above the matrix from the target words down; below a large one from the columns down.
function ribbonPath(g, t, s, from = 0, to = 0) {
  const shift = !g.large && g.source.angle === 40 ? leaderShift(g) : 0;
  const [x1, x2] = [targetCentre(g, t) + from, columnCentre(g, s) + shift + to];
  const [top, bottom] = [g.ribbonTop, g.ribbonTop + g.ribbons];
  const middle = (top + bottom) / 2;
  return g.large ? `M${x2} ${top}C${x2} ${middle} ${x1} ${middle} ${x1} ${bottom}`
    : `M${x1} ${top}C${x1} ${middle} ${x2} ${middle} ${x2} ${bottom}`;
}

// Slanted source words lead the eye sideways: ribbons end where the slant from the column leaves the words' band.
const leaderShift = (g) => g.source.height / Math.tan(slant);

function drawLeaders(view, g) {
  const group = svg("g", { class: "leaders" });
  if (g.large || g.source.angle !== 40) return group;
  const [shift, top] = [leaderShift(g), g.ribbonTop + g.ribbons];
  view.record.source_tokens.forEach((token, s) => {
    const drawn = Math.min(110, textWidth(visible(token))) + 8;
    const [x, y] = [columnCentre(g, s) + 2 + drawn * Math.cos(slant), g.top - 8 - drawn * Math.sin(slant)];
    if (y > top + 2) group.append(svg("path", { class: "leader", d: `M${x} ${y}L${columnCentre(g, s) + shift} ${top}` }));
  });
  return group;
}

function drawRibbons(view, g, changed) {
  const group = svg("g", { class: "ribbons" });
  const coverage = Math.max(1, ...[...Array(g.S).keys()].map((s) => sum(view.rows.map((row) => row[s]))));
  const unit = Math.min(13, (0.7 * g.columns) / g.T, (1.4 * g.cellWidth) / coverage);
  const found = new Set(view.links.map(keyOf));
  const faintest = 0.15 / unit;  // thinner than that nothing would be seen
  for (const { t, s, w, from, to } of ribbonEnds(view, g, unit)) {
    if (w < faintest) continue;
    const linked = t - rowOf(view.record, 0);
    const wrong = view.gold && found.has(keyOf([s, linked])) && goldStatus(view.gold, s, linked) === "none";
    group.append(svg("path", {
      class: wrong ? "ribbon wrong" : "ribbon", d: ribbonPath(g, t, s, from, to), "stroke-width": Math.max(0.6, w * unit),
      stroke: wrong ? null : css(weightRgb(0.22 + 0.7 * w)), "data-t": t, "data-s": s,
    }));
  }
  for (const link of view.gold?.sure ?? []) {
    const row = rowOf(view.record, link[1]);
    if (found.has(keyOf(link)) || row >= g.T) continue;
    group.append(svg("path", { class: "missed", d: ribbonPath(g, row, link[0]), "data-t": row, "data-s": link[0] }));
  }
  group.append(drawLeaders(view, g), drawTargetWords(view, g, changed));
  return group;
}

function drawTargetWords(view, g, changed) {
  const group = svg("g", { class: "words" });
  const foot = g.large ? g.ribbonTop + g.ribbons + (g.target.angle === 0 ? 16 : g.target.height) : g.ribbonTop - 5;
  view.record.target_tokens.forEach((token, t) => {
    const kind = `target-word ${unknownClass(view.record, "target", t)}`;
    const node = label(token, targetCentre(g, t), foot, g.target, { class: kind, "data-t": t });
    if (changed?.[t]) node.classList.add("changed");
    group.append(node);
  });
  return group;
}

// The ribbons of one word stand out while the others fade.
function focusRibbons(figure, t, s) {
  const group = figure.querySelector(".ribbons");
  const isolated = (t == null) !== (s == null);
  group.classList.toggle("focused", isolated);
  for (const path of group.querySelectorAll(".ribbon, .missed")) {
    path.classList.toggle("on", isolated && (path.dataset.t === String(t) || path.dataset.s === String(s)));
  }
}
