// The figures in the middle: one, or two side by side.

// What was decoded by the kept model alone, whatever epoch is looked at, says so where that is another.
const ofKeptModel = () => (state.epoch == null ? [] : [keptModel(state.run)]);

// Beside the record may stand another run's, an alternative of the beam, or what an intervention led to.
function recordBeside() {
  if (state.other != null && state.other !== state.run) {
    const record = recordAt(state.sentence, state.other, state.epoch);
    return record && { record, name: page.runs[state.other].name, when: whenOf(record, state.other) };
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

// The panels to draw, first the run's own: {record, view, name, when, edits}; `edits` of an alternative, against the first.
function panelsShown() {
  const beside = recordBeside();
  const untouched = state.alternative?.[0] === "i" && beside ? untouchedOf(state.sentence, state.run) : null;
  const record = untouched ?? currentRecord(state.sentence);
  const panels = [];
  if (record) {
    const name = untouched ? "left alone" : page.runs[state.run].name;
    panels.push({ record, name, when: untouched ? ["greedy", ...ofKeptModel()].join(" · ") : whenOf(record, state.run) });
  }
  if (beside) panels.push(beside);
  for (const panel of panels) panel.view = look(panel.record, lens());
  const [first, second] = panels;
  if (second && state.alternative) {
    second.edits = editsBetween(first.record.target_tokens, second.record.target_tokens);
  }
  return panels;
}

const sameWords = (a, b) =>
  a.source_tokens.join("\n") === b.source_tokens.join("\n") && a.target_tokens.join("\n") === b.target_tokens.join("\n");

const showsDifference = (shown) => state.difference && shown.length > 1 && sameWords(shown[0].record, shown[1].record);

let figures = [];  // of the panels drawn: {node, geometry, view, name}; of a difference also `from`, [A's view, B's]

function drawFigure(view, name, g, edits) {
  const node = svg("svg", {
    class: g.large ? "figure large" : "figure", width: g.width, height: g.height, viewBox: `0 0 ${g.width} ${g.height}`, tabindex: "0",
    role: "img", "aria-label": `Attention of ${name}: ${g.T} steps over ${g.S} source positions. Arrow keys walk the cells.`,
  });
  node.append(
    view.record.self ? drawArcs(view, g) : drawRibbons(view, g, edits),
    svg("g", { class: "matrix" },
      drawCells(view, g), drawGold(view, g), view.difference ? null : drawLinks(view, g), drawWords(view, g, edits),
      ...drawStepBars(view, g), drawCoverage(view, g)),
    drawCursor(g));
  return node;
}

// The texts above two figures of which the second is an alternative: what it lost is struck through.
function drawTexts(shown, i) {
  const { edits } = shown[1] ?? {};
  if (!edits) return null;
  if (i === 0) return element("p", { class: "text", dir: "auto" }, ...sentence(spoken(shown[0].record)));
  return element("p", { class: "text", dir: "auto" }, ...editedSentence(edits.filter(({ token }) => token !== "</s>")), " ",
    element("small", {}, countEdits(edits)));
}

function drawPanel(shown, i, width) {
  const panel = shown[i];
  const differ = i === 1 && showsDifference(shown);
  const view = differ ? differenceOf(shown[0].view, panel.view) : panel.view;
  const name = differ ? `${shown[0].name} − ${panel.name}` : panel.name;
  const about = differ ? "all of it A less B" : [shown.length > 1 ? `AER ${percent(panel.view.aer)}` : null, panel.when].filter(Boolean).join(" · ");
  const g = geometryOf(view, width, shown.map(({ record }) => record.target_tokens));
  const node = drawFigure(view, name, g, panel.edits);
  figures.push({ node, geometry: g, view, name, from: differ ? shown.map((each) => each.view) : null });
  const letter = shown.length > 1 ? element("i", {}, differ ? "A − B" : "AB"[i]) : null;
  return element("section", { class: "panel" },
    element("div", { class: "panel-head" }, element("h2", {}, letter, name, element("small", {}, about)),
      element("button", { class: "small save", title: "Save this figure as SVG", "aria-label": `Save the figure of ${name} as SVG`,
        onclick: () => saveFigure(i) }, "SVG")),
    drawTexts(shown, i),
    element("div", { class: "scroll" }, node));
}

function drawPanels(shown) {
  const area = byId("panels");
  const hadFocus = figures.findIndex(({ node }) => node === document.activeElement);
  const scrolled = [...area.querySelectorAll(".scroll")].map((node) => node.scrollLeft);
  area.replaceChildren();
  figures = [];
  const columns = shown.length > 1 && area.clientWidth > 760 ? 2 : 1;
  area.classList.toggle("two", columns === 2);
  const width = (area.clientWidth - (columns - 1) * 20) / columns;
  area.append(...shown.map((_, i) => drawPanel(shown, i, width)));
  if (shown.length === 0) area.append(element("p", {}, "This run has no record of this sentence."));
  area.querySelectorAll(".scroll").forEach((node, i) => { if (scrolled[i] > 0) node.scrollLeft = scrolled[i]; });
  if (hadFocus >= 0) figures[hadFocus]?.node.focus({ preventScroll: true });
  pointAt(state.step, state.column);
}
