// Arcs of self-attention, from the column of the attending word to the column of the attended word. The width is the
// weight. Arcs to later words, which only an encoder has, are dashed. Attention to the word itself is a loop.

function arcPath(g, t, s) {
  const shift = !g.matrixFirst && g.source.angle === 40 ? leaderShift(g) : 0;
  const [x1, x2] = [t, s].map((place) => columnCentre(g, place) + shift);
  // Above the matrix, arcs start at the words. Below it, they hang from the columns.
  const [base, up] = g.matrixFirst ? [g.ribbonTop, 1] : [g.ribbonTop + g.ribbons, -1];
  if (t === s) return `M${x1} ${base}C${x1 - 12} ${base + 22 * up} ${x1 + 12} ${base + 22 * up} ${x1} ${base}`;
  // A cubic curve reaches 3/4 of it.
  const height = 1.25 * up * g.ribbons * (0.2 + (0.8 * Math.abs(t - s)) / (g.S - 1));
  return `M${x1} ${base}C${x1} ${base + height} ${x2} ${base + height} ${x2} ${base}`;
}

function drawArcs(view, g) {
  const group = svg("g", { class: "ribbons arcs" });
  const faintest = 0.02;
  view.rows.forEach((row, t) => row.forEach((w, s) => {
    if (Math.abs(w) < faintest) return;
    group.append(svg("path", {
      class: s > t ? "ribbon ahead" : "ribbon", d: arcPath(g, t, s), "stroke-width": 0.5 + 5 * Math.abs(w),
      stroke: ribbonColour(view, w), "data-t": t, "data-s": s,
    }));
  }));
  group.append(drawLeaders(view, g));
  return group;
}
