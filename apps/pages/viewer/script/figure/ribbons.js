// Ribbons from the target words to the source words, whose width is the weight. Each target word has one unit to
// distribute, so the sum at a source word is its coverage. For a difference, the width is the size and the colour is
// the sign.

// The ends of each ribbon on its two words. The ribbons of a word are side by side, in the order of the words at the
// other end.
function ribbonEnds(widths, g, unit) {
  const [T, S] = [g.T, g.S];
  const ends = [];
  const arrived = new Array(S).fill(0);
  const given = widths.map(sum);
  const coverage = columnSums(widths);
  for (let t = 0; t < T; ++t) {
    let left = 0;
    for (let s = 0; s < S; ++s) {
      const w = widths[t][s];
      ends.push({ t, s, w, from: (left + w / 2 - given[t] / 2) * unit, to: (arrived[s] + w / 2 - coverage[s] / 2) * unit });
      left += w;
      arrived[s] += w;
    }
  }
  return ends;
}

// Above the matrix, ribbons run down from the target words. Below it, they run down from the columns.
function ribbonPath(g, t, s, from = 0, to = 0) {
  const shift = !g.matrixFirst && g.source.angle === 40 ? leaderShift(g) : 0;
  const [x1, x2] = [targetCentre(g, t) + from, columnCentre(g, s) + shift + to];
  const [top, bottom] = [g.ribbonTop, g.ribbonTop + g.ribbons];
  const middle = (top + bottom) / 2;
  return g.matrixFirst ? `M${x2} ${top}C${x2} ${middle} ${x1} ${middle} ${x1} ${bottom}`
    : `M${x1} ${top}C${x1} ${middle} ${x2} ${middle} ${x2} ${bottom}`;
}

// Slanted source words shift the ribbons sideways: a ribbon ends where the slant from its column leaves the band of the
// words.
const leaderShift = (g) => g.source.height / Math.tan(slant);

function drawLeaders(view, g) {
  const group = svg("g", { class: "leaders" });
  if (g.matrixFirst || g.source.angle !== 40) return group;
  const [shift, top] = [leaderShift(g), g.ribbonTop + g.ribbons];
  view.record.source_tokens.forEach((token, s) => {
    const drawn = Math.min(110, textWidth(beginning(token))) + 8;
    const [x, y] = [columnCentre(g, s) + 2 + drawn * Math.cos(slant), g.top - 8 - drawn * Math.sin(slant)];
    if (y > top + 2) group.append(svg("path", { class: "leader", d: `M${x} ${y}L${columnCentre(g, s) + shift} ${top}` }));
  });
  return group;
}

const ribbonColour = (view, w) => css((view.difference ? differenceRgb : weightRgb)(Math.sign(w) * (0.22 + 0.7 * Math.abs(w))));

function drawRibbons(view, g, edits) {
  const group = svg("g", { class: "ribbons" });
  if (g.ribbonless) return group;
  const widths = view.rows.map((row) => row.map(Math.abs));
  const coverage = Math.max(1, ...columnSums(widths));
  const unit = Math.min(13, (0.7 * g.columns) / g.T, (1.4 * g.cellWidth) / coverage);
  const found = new Set(view.links.map(keyOf));
  const faintest = 0.15 / unit;  // thinner ribbons would be invisible
  for (const { t, s, w, from, to } of ribbonEnds(widths, g, unit)) {
    if (w < faintest) continue;
    const linked = t - rowOf(view.record, 0);
    const wrong = view.gold && found.has(keyOf([s, linked])) && goldStatus(view.gold, s, linked) === "none";
    group.append(svg("path", {
      class: wrong ? "ribbon wrong" : "ribbon", d: ribbonPath(g, t, s, from, to), "stroke-width": Math.max(0.6, w * unit),
      stroke: wrong ? null : ribbonColour(view, view.rows[t][s]), "data-t": t, "data-s": s,
    }));
  }
  for (const link of view.difference ? [] : view.gold?.sure ?? []) {
    const row = rowOf(view.record, link[1]);
    if (found.has(keyOf(link)) || row >= g.T) continue;
    group.append(svg("path", { class: "missed", d: ribbonPath(g, row, link[0]), "data-t": row, "data-s": link[0] }));
  }
  group.append(drawLeaders(view, g), drawTargetWords(view, g, edits));
  return group;
}

function drawTargetWords(view, g, edits) {
  const group = svg("g", { class: "words" });
  const foot = g.matrixFirst ? g.ribbonTop + g.ribbons + (g.target.angle === 0 ? 16 : g.target.height) : g.ribbonTop - 5;
  const added = placesOf(edits, "added");
  view.record.target_tokens.forEach((token, t) => {
    const kind = `target-word ${unknownClass(view.record, "target", t)}`;
    const node = label(token, targetCentre(g, t), foot, g.target, { class: kind, "data-t": t });
    if (added.has(t)) node.classList.add("changed");
    group.append(node);
  });
  for (const t of placesOf(edits, "lost")) {
    const between = g.target.start + t * g.target.pitch;
    const level = g.target.angle === 0 && t < g.T;
    const x = level ? Math.min(between, targetCentre(g, t) - widest([view.record.target_tokens[t]], g.target.room) / 2 - 3) : between;
    group.append(lostMark(edits, t, `M${x} ${foot - 12}V${foot + 4}`));
  }
  return group;
}

// Emphasises the ribbons of one word, while the others fade.
function focusRibbons(figure, t, s) {
  const group = figure.querySelector(".ribbons");
  const isolated = (t == null) !== (s == null);
  group.classList.toggle("focused", isolated);
  for (const path of group.querySelectorAll(".ribbon, .missed")) {
    path.classList.toggle("on", isolated && (path.dataset.t === String(t) || path.dataset.s === String(s)));
  }
}
