// The figures in the middle: one, or two side by side. A sentence pair has two figures for each.

// Alternatives were decoded by the kept model. If another epoch is shown, this label says so.
const ofKeptModel = () => (state.epoch == null ? [] : [keptModel(state.run)]);

// The second record: of another run, of an alternative of the beam, or of an intervention.
function recordBeside() {
  if (state.other != null && state.other !== state.run) {
    const record = recordAt(state.sentence, state.other, state.epoch);
    return record && { record, run: state.other, name: page.runs[state.other].name, when: whenShown(record, state.other) };
  }
  const [kind, place] = [state.alternative?.[0], Number(state.alternative?.slice(1))];
  if (kind === "b") {
    const record = beamOf(state.sentence, state.run)[place];
    const when = record && [`log p ${logProbText(logProb(record))}`, ...ofKeptModel()].join(" · ");
    return record && { record, name: `beam ${record.rank + 1}`, when };
  }
  if (kind === "i") {
    const record = interventionsOf(state.sentence, state.run)[place];
    return record && { record, name: describeIntervention(record), when: ["greedy from there on", ...ofKeptModel()].join(" · ") };
  }
  return null;
}

// The panels to draw, the run's own first: {record, view, name, when, edits}. `edits` compares an alternative with the
// first panel.
function panelsShown() {
  const beside = recordBeside();
  const untouched = state.alternative?.[0] === "i" && beside ? untouchedOf(state.sentence, state.run) : null;
  const record = untouched ?? currentRecord(state.sentence);
  const panels = [];
  if (record) {
    const name = untouched ? "left alone" : page.runs[state.run].name;
    panels.push({ record, name, when: untouched ? ["greedy", ...ofKeptModel()].join(" · ") : whenShown(record, state.run) });
  }
  if (beside) panels.push(beside);
  for (const panel of panels) panel.view = { ...look(panel.record, lens()), run: panel.run ?? state.run };
  const [first, second] = panels;
  if (second && state.alternative) {
    second.edits = editsBetween(first.record.target_tokens, second.record.target_tokens);
  }
  if (second && state.dragging) return [second];  // so that the dragged cell stays under the pointer
  return panels;
}

const sameWords = (a, b) =>
  a.source_tokens.join("\n") === b.source_tokens.join("\n") && a.target_tokens.join("\n") === b.target_tokens.join("\n");

const hasDifference = (shown) => shown.length > 1 && sameWords(shown[0].record, shown[1].record) && shown.every(({ view }) => hasWeights(view));
const showsDifference = (shown) => state.difference && hasDifference(shown) && !shown.some(({ view }) => view.back);

// Each drawn panel is {node, panel, view, name, from, turned, point(t, s), walk(key), weightsOfHops(t, s)}. `panel` counts
// from 0. `from` is [A's view, B's] for a difference. `turned` marks a figure whose rows are the columns of the figure
// before it. point highlights a row and a column, and walk handles an arrow key. weightsOfHops returns the weight that
// each hop gives to a position, as text.
let figures = [];

function drawMatrixFigure(view, name, room, beside, edits) {
  const g = geometryOf(view, room, beside);
  const node = svg("svg", {
    class: g.large ? "figure large" : "figure", width: g.width, height: g.height, viewBox: `0 0 ${g.width} ${g.height}`, tabindex: "0",
    role: "img", "aria-label": `${isPosterior(view.record) ? "Probabilities of links of" : "Attention of"} ${name}: ${g.T} steps over ${g.S} source positions. Arrow keys walk the cells.`,
  });
  node.append(
    view.record.self && !view.record.judged ? drawArcs(view, g) : drawRibbons(view, g, edits),
    svg("g", { class: "matrix" },
      drawCells(view, g), drawGold(view, g), view.difference ? null : drawLinks(view, g), drawWords(view, g, edits),
      ...drawStepBars(view, g), drawCoverage(view, g)),
    drawCursor(g));
  const point = (t, s) => {
    moveCursor(node, g, t, s);
    focusRibbons(node, t, s);
  };
  return { node, point, walk: (key) => walkCells(key, g.T, g.S), clearness: g.numbers ? 1 + (g.source.angle === 0) : 0, probabilities: g.barWidth > 40 };
}

// How each kind of view is drawn, and its hint.
const drawings = {
  words: { draw: drawMatrixFigure, get hint() { return pageIsPosterior ? "Click a row to read its links." : "Click a row to read its step."; } },
  cells: { draw: drawPicture, hint: "Click a word to see which cells the decoder attended to." },
  sentences: { draw: drawStory, hint: "" },
  none: { draw: drawPlain, hint: "" },
};
const drawingOf = (view) => (!hasWeights(view) ? drawings.none : view.record.self ? drawings.words : drawings[kindOf(view.record)]);

// The texts above two figures if the second one is an alternative: the words that it lost are struck through.
function drawTexts(shown, i) {
  const { edits } = shown[1] ?? {};
  if (!edits) return null;
  if (i === 0) return element("p", { class: "text", dir: "auto" }, ...sentence(spoken(shown[0].record)));
  return element("p", { class: "text" }, element("span", { dir: "auto" }, ...editedSentence(edits.filter(({ token }) => token !== "</s>"))), " ",
    element("small", {}, countEdits(edits)), " ",
    element("button", { id: "back", class: "small", onclick: leaveAlternative, title: "Esc does the same" }, "Back to the model's own attention (Esc)"));
}

// The score above a figure when two figures are compared.
function scoreOf({ record, rows, aer, pointing }) {
  if (record.self || rows.length === 0) return null;
  return kindOf(record) === "words" ? `AER ${percent(aer)}` : `attention accuracy ${percent(pointingRates(pointing).pointing)}`;
}

// The parts of panel i: {view, name, about, letter}. A sentence pair has two parts.
function partsOf(shown, i) {
  const { view, name, when } = shown[i];
  const letter = shown.length > 1 ? "AB"[i] : null;
  if (i === 1 && showsDifference(shown)) {
    return [{ view: differenceOf(shown[0].view, view), name: `${shown[0].name} − ${name}`, about: "all of it A less B", letter: "A − B",
      from: shown.map((each) => each.view) }];
  }
  const about = [headTold(shown[i].record), shown.length > 1 ? scoreOf(view) : null, when].filter(Boolean).join(" · ");
  if (!view.back) return [{ view, name, about, letter }];
  return [{ view, name: "premise → hypothesis", about: `${name} · ${about}`, letter },
    { view: view.back, name: "hypothesis → premise", about: `${name} · ${about}`, letter, turned: true }];
}

// Two figures may have no space for the numbers of entropy and p(token). In this case, a line above each figure has the
// numbers of the selected row.
const lacksNumbersOfRow = (shown) => shown.length > 1 && figures.some(({ probabilities }) => probabilities === false) &&
  shown.some(({ view }) => view.probabilities && !view.record.judged);

function numbersOfRow({ view }, isDifference) {
  if (!hasWeights(view)) return [];
  const t = state.step;
  if (t == null || t >= view.rows.length) return [element("span", { class: "quiet" }, "Click a row to see its p(token).")];
  const p = view.probabilities ? `p(token) ${view.probabilities[t].toFixed(3)}, ` : "";
  return [isDifference ? "B: " : "", word(view.record.target_tokens[t]), `: ${p}entropy ${view.nats[t].toFixed(2)} nats`];
}

function drawNumbersOfRow(shown) {
  document.querySelectorAll(".of-row").forEach((line, i) => line.replaceChildren(...numbersOfRow(shown[i], i === 1 && showsDifference(shown))));
}

function drawPanel(shown, i, part, room, withNumbers) {
  const { view, name, about, letter, from = null, turned = false } = part;
  const { draw: drawFigure } = drawingOf(view);
  const beside = view.record.judged ? [view.record.target_tokens] : shown.map(({ record }) => record.target_tokens);
  const at = figures.length;
  const figure = drawFigure(view, name, room, beside, shown[i].edits);
  figures.push({ panel: i, view, name, from, turned, weightsOfHops: () => [], ...figure });
  return element("section", { class: "panel" },
    element("div", { class: "panel-head" }, element("h2", {}, letter ? element("i", {}, letter) : null, name, element("small", {}, about),
      withNumbers ? element("small", { class: "of-row" }) : null),
      element("div", { class: "panel-tools" }, drawFigure === drawPicture && at === 0 ? captionButton() : null,
        element("button", { class: "small save", title: "Save this figure as SVG", "aria-label": `Save the figure of ${name} as SVG`,
          onclick: () => saveFigure(at) }, "SVG"))),
    turned ? null : drawTexts(shown, i),
    element("div", { class: "scroll" }, figure.node));
}

// The largest height of a figure that is visible completely below a heading of `head` pixels. It is infinite if the
// page scrolls anyway.
function heightBelow(head) {
  if (innerWidth <= 760) return Infinity;
  const [columns, main] = [byId("columns"), byId("main")];
  const above = byId("panels").getBoundingClientRect().top - columns.getBoundingClientRect().top + columns.scrollTop + main.scrollTop;
  return columns.clientHeight - above - head;
}

// In the presentation, figures are drawn for a smaller screen and then enlarged. The scale is the largest one at which
// they are visible completely. A smaller scale is chosen if it gives cells with numbers below horizontal words.
function enlarge(append, room) {
  const sizes = () => figures.map(({ node }) => node.viewBox.baseVal);
  let best = { clearness: -1 };
  for (const scale of [2.2, 1.9, 1.6, 1.4, 1.2, 1]) {
    append(scale);
    if (scale > 1 && !sizes().every(({ height }) => scale * height <= room + 1)) continue;
    const clearness = Math.min(...figures.map(({ clearness: of = 2 }) => of));
    if (clearness > best.clearness) best = { clearness, scale };
    if (clearness === 2) break;
  }
  append(best.scale);
  const scale = Math.min(2.5, ...figures.map(({ node }) => node.parentElement.clientWidth / node.viewBox.baseVal.width),
    ...sizes().map(({ height }) => Math.max(1, room / height)));
  for (const { node } of figures) {
    const { width, height } = node.viewBox.baseVal;
    node.setAttribute("width", scale * width);
    node.setAttribute("height", scale * height);
  }
}

function drawPanels(shown) {
  const area = byId("panels");
  const hadFocus = figures.findIndex(({ node }) => node === document.activeElement);
  const scrolled = [...area.querySelectorAll(".scroll")].map((node) => node.scrollLeft);
  area.replaceChildren();
  const parts = shown.flatMap((_, i) => partsOf(shown, i).map((part) => [i, part]));
  const isAlternative = shown.some(({ edits }) => edits);
  const head = isAlternative ? (state.presenting ? 100 : 60) : 32;
  area.classList.toggle("several", parts.length > 1);
  const drawFigures = (columns, withNumbers) => {
    area.classList.toggle("two", columns === 2);
    const width = (area.clientWidth - (columns - 1) * 20) / columns;
    const above = heightBelow(head + (withNumbers ? (state.presenting ? 27 : 18) : 0));
    // A is above B, and both are visible if possible.
    const stacked = isAlternative && columns === 1 && !state.presenting;
    const height = stacked ? (above - head - 20) / 2 : above;
    const append = (scale) => {
      figures = [];
      const room = { width: width / scale, height: height / scale };
      area.replaceChildren(...parts.map(([i, part]) => drawPanel(shown, i, part, room, withNumbers)));
    };
    if (state.presenting) enlarge(append, height);
    else append(1);
    return figures.every(({ node, probabilities }) => probabilities !== false && node.viewBox.baseVal.width <= width + 1);
  };
  let columns = parts.length > 1 && area.clientWidth >= 640 ? 2 : 1;
  const fits = drawFigures(columns, false);
  // An intervention's figures are placed one below the other if they are too wide for one row, or have no space for
  // their bars.
  if (!fits && columns === 2 && isAlternative && !state.presenting) drawFigures(columns = 1, false);
  if (lacksNumbersOfRow(shown)) drawFigures(columns, true);
  if (shown.length === 0) area.append(element("p", {}, `This run has no record of this ${counted(1)}.`));
  area.querySelectorAll(".scroll").forEach((node, i) => { if (scrolled[i] > 0) node.scrollLeft = scrolled[i]; });
  if (hadFocus >= 0) figures[hadFocus]?.node.focus({ preventScroll: true });
  drawNumbersOfRow(shown);
  pointAt(state.step, state.column);
}
