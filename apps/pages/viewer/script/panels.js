// The figures in the middle: one, or two side by side; what the pointer shows; what a click selects.

// Beside the record may stand another run's, an alternative of the beam, or what an intervention led to.
function recordBeside() {
  if (state.other != null && state.other !== state.run) {
    const record = recordAt(state.sentence, state.other, state.epoch);
    return record && { record, name: page.runs[state.other].name, when: whenOf(record, state.other) };
  }
  const [kind, place] = [state.alternative?.[0], Number(state.alternative?.slice(1))];
  if (kind === "b") {
    const record = beamOf(state.sentence, state.run)[place];
    return record && { record, name: `beam ${record.rank + 1}`, when: `log p ${logProbText(logProb(record))}` };
  }
  if (kind === "i") {
    const record = interventionsOf(state.sentence, state.run)[place];
    return record && { record, name: describeIntervention(record), when: "greedy from there on" };
  }
  return null;
}

// The panels to draw, first the run's own: {view, name, when, changed}.
function panelsShown() {
  const beside = recordBeside();
  const untouched = state.alternative?.[0] === "i" && beside ? untouchedOf(state.sentence, state.run) : null;
  const record = untouched ?? currentRecord(state.sentence);
  const panels = [];
  if (record) {
    const name = untouched ? "left alone" : page.runs[state.run].name;
    panels.push({ record, name, when: untouched ? "greedy" : whenOf(record, state.run) });
  }
  if (beside) panels.push(beside);
  for (const panel of panels) panel.view = look(panel.record, lens());
  const [first, second] = panels;
  if (second && state.alternative) {
    second.changed = changedTokens(first.record.target_tokens, second.record.target_tokens);
  }
  return panels;
}

const sameWords = (a, b) =>
  a.source_tokens.join("\n") === b.source_tokens.join("\n") && a.target_tokens.join("\n") === b.target_tokens.join("\n");

let figures = [];  // of the panels drawn: {node, geometry, view, name, paint}

function drawFigure({ view, name, changed }, g, minuend) {
  const node = svg("svg", {
    class: g.large ? "figure large" : "figure", width: g.width, height: g.height, viewBox: `0 0 ${g.width} ${g.height}`, tabindex: "0",
    role: "img", "aria-label": `Attention of ${name}: ${g.T} steps over ${g.S} source positions. Arrow keys walk the cells.`,
  });
  const shown = minuend ? { ...view, rows: minuend.rows } : view;
  node.append(
    drawRibbons(view, g, changed),
    svg("g", { class: "matrix" },
      drawCells(shown, g, minuend ? paintDifference(view) : paintWeight),
      drawGold(view, g), minuend ? "" : drawLinks(view, g), drawWords(view, g, changed),
      ...drawStepBars(view, g), drawCoverage(view, g)),
    drawCursor(g));
  figures.push({ node, geometry: g, view, name });
  return node;
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
  const words = shown.map(({ record }) => record.target_tokens);
  const differ = state.difference && shown.length > 1 && sameWords(shown[0].record, shown[1].record);
  shown.forEach((panel, i) => {
    const minuend = differ && i === 1 ? shown[0].view : null;
    const title = minuend ? [`${shown[0].name} − ${panel.name}`, "blue: A looks here more; orange: B does"]
      : [panel.name, [shown.length > 1 ? `AER ${percent(panel.view.aer)}` : null, panel.when].filter(Boolean).join(" · ")];
    area.append(element("section", { class: "panel" },
      element("h2", {}, shown.length > 1 ? element("i", {}, "AB"[i]) : null, title[0], element("small", {}, title[1])),
      element("div", { class: "scroll" }, drawFigure(panel, geometryOf(panel.view, width, words), minuend))));
  });
  if (shown.length === 0) area.append(element("p", {}, "This run has no record of this sentence."));
  area.querySelectorAll(".scroll").forEach((node, i) => { node.scrollLeft = scrolled[i] ?? 0; });
  if (hadFocus >= 0) figures[hadFocus]?.node.focus({ preventScroll: true });
  pointAt(state.step, state.column);
}

// --- pointing: all panels follow ---

function pointAt(t, s) {
  for (const { node, geometry } of figures) {
    moveCursor(node, geometry, t, s);
    focusRibbons(node, t, s);
    for (const text of node.querySelectorAll(".token")) {
      const { t: row, s: column } = text.dataset;
      text.classList.toggle("on", (row != null && row === String(t)) || (column != null && column === String(s)));
    }
  }
}

function cellTip(view, t, s) {
  const { record, rows, gold } = view;
  const rank = 1 + rows[t].filter((w) => w > rows[t][s]).length;
  const words = t - rowOf(record, 0);  // the target word that the row belongs to
  const isWord = words >= 0 && words < targetWords(record) && s < sourceWords(record);
  return [
    element("strong", {}, word(record.target_tokens[t]), " ← ", word(record.source_tokens[s])),
    element("div", {}, element("b", { class: "weight" }, rows[t][s].toFixed(4)), ` rank ${rank} of ${rows[t].length} at step ${t + 1}`),
    gold && isWord ? element("div", {}, `gold: ${goldStatus(gold, s, words)}`) : null,
  ];
}

// Where a panel lacks the cell, because its sentence is another, it says nothing.
function showTip(event, t, s) {
  const tip = byId("tip");
  const [own, ...others] = figures.toSorted((a, b) => b.node.contains(event.target) - a.node.contains(event.target));
  const lines = others.filter(({ view }) => view.rows[t]?.[s] != null)
    .map(({ name, view }) => element("div", {}, `${name}: ${view.rows[t][s].toFixed(4)}`));
  tip.replaceChildren(...cellTip(own.view, t, s).filter(Boolean), ...lines);
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = `${clamp(event.clientX + 14, 4, innerWidth - width - 4)}px`;
  tip.style.top = `${event.clientY + 18 + height > innerHeight ? event.clientY - height - 12 : event.clientY + 18}px`;
}

const numberOf = (text) => (text == null ? null : Number(text));

function pointerOver(event) {
  const data = event.target.dataset ?? {};
  const [t, s] = [numberOf(data.t), numberOf(data.s)];
  if (t == null && s == null) return pointerOut();
  pointAt(t, s);
  if (t != null && s != null) showTip(event, t, s);
  else byId("tip").hidden = true;
}
function pointerOut() {
  byId("tip").hidden = true;
  pointAt(state.step, state.column);
}

function select(step, column) {
  const again = step === state.step && column === state.column;
  [state.step, state.column] = again ? [null, null] : [step, column];
  drawSelection();
}
function clickFigure(event) {
  const { t, s } = event.target.dataset ?? {};
  if (t != null) select(numberOf(t), numberOf(s));
}

// Arrow keys walk the cells of the first panel.
function walk(key) {
  const [T, S] = [figures[0].geometry.T, figures[0].geometry.S];
  const [down, right] = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[key];
  const start = state.step == null;
  state.step = start ? 0 : clamp(state.step + down, 0, T - 1);
  state.column = start ? 0 : clamp((state.column ?? 0) + right, 0, S - 1);
  drawSelection();
}

// --- below the panels ---

function legendSign(width, ...marks) {
  return svg("svg", { width, height: 16, "aria-hidden": "true" }, ...marks);
}

function drawLegend(shown) {
  const scale = [...Array(48).keys()].map((i) =>
    svg("rect", { x: 2.5 * i, y: 2, width: 3, height: 12, fill: css(weightRgb(i / 47)) }));
  const box = { x: 2, y: 2, width: 12, height: 12, rx: 2 };
  const hasGold = shown.some(({ view }) => view.gold);
  const item = (sign, text) => element("span", {}, sign, text);
  const items = [
    item(legendSign(122, ...scale), state.faint ? "weight 0 to 1, square-root scale" : "weight 0 to 1"),
    element("button", { id: "faint", class: "small toggle", "aria-pressed": String(state.faint), onclick: toggleFaint,
      title: "Square-root colour scale (s)" }, "show faint weights"),
  ];
  if (hasGold) {
    items.push(item(legendSign(16, svg("rect", { class: "sure", ...box })), "gold, sure"),
      item(legendSign(16, svg("rect", { class: "possible", ...box })), "gold, possible"),
      item(legendSign(24, svg("path", { class: "missed", d: "M1 8H23" })), "gold, missed"));
  }
  items.push(item(legendSign(12, svg("circle", { class: "ink", cx: 6, cy: 8, r: 2.6 })), hasGold ? "link in gold" : "link"));
  if (hasGold) items.push(item(legendSign(12, svg("path", { class: "ink", d: "M3 5l6 6m0-6l-6 6" })), "link not in gold"));
  items.push(element("span", {}, "each row sums to 1"));
  if (shown.some(({ view }) => ["source", "target"].some((side) => unknownOf(view.record, side).length > 0)))
    items.push(element("span", { class: "unknown" }, "not in the vocabulary"));
  byId("legend").replaceChildren(...items);
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
