// A story: its sentences one below the other, shaded by weight. On the left is one column of weights per hop, above is
// the question, below the answer. Gold sentences are outlined.

// Breaks the text into lines of at most `pixels` pixels. Lines break between words, in Chinese too.
function wrapped(text, pixels) {
  const lines = [];
  let line = "";
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: "word" }).segment(visible(text))) {
    if (line !== "" && textWidth(line + segment.trimEnd()) > pixels) {
      lines.push(line);
      line = segment.trimStart();
    } else {
      line += segment;
    }
  }
  return [...lines, line];
}

// The columns: the weights of each hop, or the weights of the record if it has no heads.
function columnsOf(view) {
  const heads = view.difference ? [] : (view.record.heads ?? []).filter(({ kind }) => kind === "cross");
  if (heads.length === 0) return [{ name: view.difference ? "A − B" : "weight", rows: view.rows }];
  return heads.map((head) => ({ name: hopName(heads, head), rows: atTemperature(head.matrix, lens()) }));
}

// Hops are layers. If a layer has several heads, each head is named.
function hopName(heads, { layer, head }) {
  const several = heads.some((other) => other.layer === layer && other.head !== head);
  return `hop ${layer + 1}${several ? `.${head + 1}` : ""}`;
}

function storyGeometry(view, width) {
  const { record } = view;
  const columns = columnsOf(view);
  const cellWidth = width < 520 ? 40 : 52;
  const left = 30;
  const text = left + columns.length * cellWidth + 10;
  const room = Math.max(120, Math.min(width, 860) - text - 12);
  const [question, answer] = [record.question ?? "", `${spoken(record).join(" ")}`].map((told) => wrapped(told, text + room - 90));
  let y = 26 + (record.question ? question.length * 20 + 12 : 0);
  const head = y - 8;
  const lines = record.source_tokens.map((told) => {
    const said = wrapped(told, room - 16);
    const line = { said, y, height: Math.max(28, 19 * said.length + 10) };
    y += line.height + 3;
    return line;
  });
  return { T: view.rows.length, S: lines.length, columns, cellWidth, left, text, room, question, answer, head, lines, foot: y + 22,
    width: text + room + 4, height: y + 22 + 20 * answer.length };
}

const textLines = (lines, x, y, attributes) => svg("text", { x, y, ...attributes }, ...lines.map((line, k) => svg("tspan", { x, dy: k > 0 ? 19 : 0 }, line)));

function drawAsked(view, g) {
  const group = svg("g", { class: "asked" });
  if (view.record.question) group.append(svg("text", { class: "quiet", x: 2, y: 20 }, "Question"), textLines(g.question, 80, 20, { class: "told asked" }));
  group.append(svg("text", { class: "quiet", x: 2, y: g.foot }, "Answer"), textLines(g.answer, 80, g.foot, { class: "told answered" }));
  const p = view.probabilities && !view.difference && view.probabilities.slice(0, targetWords(view.record)).reduce((a, b) => a * b, 1);
  if (p) group.append(svg("text", { class: "quiet", x: 92 + 1.12 * Math.max(...g.answer.map(textWidth)), y: g.foot }, `p ${p.toFixed(2)}`));
  return group;
}

// A cell of a hop: its weight and, for the largest weight, whether gold has this sentence.
function drawLook(view, g, t, s, { rows }, k) {
  const row = rows[t];
  const { y, height } = g.lines[s];
  const { rgb, text } = (view.difference ? paintDifference : paintWeight)(row[s]);
  const box = { x: g.left + k * g.cellWidth, y, width: g.cellWidth, height };
  const parts = [svg("rect", { class: "cell", ...box, fill: css(rgb), "data-t": t, "data-s": s, "data-w": row[s], "data-hop": k })];
  if (text) parts.push(svg("text", { class: "number", x: box.x + g.cellWidth / 2, y: y + height / 2 + 4, "text-anchor": "middle", fill: inkOn(rgb) }, text));
  const gold = goldOfStep(view, t);
  if (gold.size > 0 && argmax(row) === s && !view.difference) {
    const [x, top] = [box.x + g.cellWidth - 7, y + 8];
    parts.push(gold.has(s) ? svg("circle", { class: "link pointed", cx: x, cy: top, r: 2.6, fill: inkOn(rgb) })
      : svg("path", { class: "link wrong missing", d: `M${x - 2.6} ${top - 2.6}l5.2 5.2m0-5.2l-5.2 5.2`, stroke: inkOn(rgb) }));
  }
  return parts;
}

function drawLine(view, g, t, s) {
  const { said, y, height } = g.lines[s];
  const rgb = (view.difference ? differenceRgb : weightRgb)(view.rows[t][s]);
  const ink = inkOn(rgb);
  return svg("g", { class: "line", "data-t": t, "data-s": s },
    svg("text", { class: "quiet", x: g.left - 8, y: y + 19, "text-anchor": "end" }, s + 1),
    ...g.columns.flatMap((column, k) => drawLook(view, g, t, s, column, k)),
    svg("rect", { class: "said", x: g.text, y, width: g.room, height, rx: 4, fill: css(rgb), "data-t": t, "data-s": s, "data-w": view.rows[t][s] }),
    textLines(said, g.text + 8, y + 19, { class: "told", fill: ink, "pointer-events": "none" }));
}

function drawGoldLines(view, g, t) {
  return [...goldOfStep(view, t)].flatMap((s) => {
    const { y, height } = g.lines[s];
    const box = { x: g.left - 1, y: y - 0.5, width: g.text + g.room - g.left + 2, height: height + 1, rx: 4 };
    const kind = view.gold.sure.some(([place]) => place === s) ? "sure" : "possible";
    return [svg("rect", { class: "halo", ...box }), svg("rect", { class: kind, ...box })];
  });
}

function drawStory(view, name, { width }) {
  const g = storyGeometry(view, width);
  const node = svg("svg", {
    class: "figure", width: g.width, height: g.height, viewBox: `0 0 ${g.width} ${g.height}`, tabindex: "0", role: "img",
    "aria-label": `Attention of ${name} over ${g.S} sentences in ${g.columns.length} ${g.columns.length === 1 ? "hop" : "hops"}. Up and down arrow keys walk the sentences, left and right the hops.`,
  });
  const body = svg("g");
  const frame = svg("rect", { class: "frame", visibility: "hidden", "pointer-events": "none" });
  node.append(drawAsked(view, g), ...g.columns.map(({ name: hop }, k) =>
    svg("text", { class: "quiet", x: g.left + (k + 0.5) * g.cellWidth, y: g.head + 2, "text-anchor": "middle" }, hop)), body, frame);
  let drawnStep;
  const point = (t, s) => {
    const step = t != null && t < g.T ? t : 0;
    if (step !== drawnStep) {
      body.replaceChildren(...g.lines.map((_, line) => drawLine(view, g, step, line)), svg("g", { class: "gold" }, ...drawGoldLines(view, g, step)));
    }
    drawnStep = step;
    const line = g.lines[s];
    place(frame, line ? { x: g.text, y: line.y, width: g.room, height: line.height, rx: 4 } : {}, line != null);
  };
  const weightsOfHops = (t, s) => g.columns.length > 1 ? g.columns.map(({ name: hop, rows }) => `${hop}: ${rows[t][s].toFixed(4)}`) : [];
  return { node, point, weightsOfHops, walk: (key) => walkStory(key, view, g) };
}

// Up and down move through the sentences. Left and right change the shading: all hops together, or one hop.
function walkStory(key, view, g) {
  if (key === "ArrowDown" || key === "ArrowUp") {
    const start = state.column == null;
    state.column = start ? 0 : clamp(state.column + (key === "ArrowDown" ? 1 : -1), 0, g.S - 1);
    state.step ??= 0;
    return drawSelection();
  }
  const places = [null, ...(view.record.heads ?? []).keys()];
  const at = places.indexOf(state.head);
  const next = places[clamp(at + (key === "ArrowRight" ? 1 : -1), 0, places.length - 1)];
  if (next !== state.head) chooseHead(next);
}
