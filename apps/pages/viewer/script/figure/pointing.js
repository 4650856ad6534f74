// Pointing at a figure: what the pointer, a tap or the arrow keys show and select. All panels follow.

// Positions are those of the first figure. In a turned figure, row and column are swapped.
const placeIn = (figure, t, s) => (figure.turned ? [s, t] : [t, s]);

function pointAt(t, s) {
  for (const figure of figures) {
    const [row, column] = placeIn(figure, t, s);
    figure.point(row, column);
    for (const text of figure.node.querySelectorAll(".token")) {
      const { t: ofRow, s: ofColumn } = text.dataset;
      text.classList.toggle("on", (ofRow != null && ofRow === String(row)) || (ofColumn != null && ofColumn === String(column)));
    }
  }
}

// The weight of a cell with its rank in the row. For a difference, how much larger A's weight is.
function tellWeight({ view, from }, t, s) {
  const row = view.rows[t];
  const told = from ? [signed(row[s], (d) => d.toFixed(4)), ` at step ${t + 1}, A less B`]
    : [row[s].toFixed(4), ` rank ${1 + row.filter((w) => w > row[s]).length} of ${row.length} at step ${t + 1}`];
  return element("div", {}, element("b", { class: "weight" }, told[0]), told[1]);
}

function cellTip(figure, t, s) {
  const { record, gold } = figure.view;
  const words = t - rowOf(record, 0);  // the target word that the row belongs to
  const isWord = words >= 0 && words < targetWords(record) && s < sourceWords(record);
  return [
    element("strong", {}, word(record.target_tokens[t]), " ← ", ...(kindOf(record) === "cells" ? ["cell "] : []), word(record.source_tokens[s])),
    isFuture(record, t, s) ? element("div", {}, "the future: not yet written") : tellWeight(figure, t, s),
    gold && isWord ? element("div", {}, `gold: ${goldStatus(gold, s, words)}`) : null,
    ...figure.weightsOfHops(t, s).map((told) => element("div", {}, told)),
  ];
}

// A panel without this cell, because its sentence differs, is left out.
function weightsBeside(own, t, s) {
  if (own.from) return own.from.map((view, i) => ["AB"[i], view.rows[t][s]]);
  const others = figures.filter((figure) => figure !== own && !figure.from).map((figure) => {
    const [row, column] = placeIn(figure, t, s);
    return [figure.name, figure.view.rows[row]?.[column]];
  });
  return others.filter(([, w]) => w != null);
}

// `t` and `s` are positions of the first figure, as in pointAt.
function showTip(event, t, s) {
  const tip = byId("tip");
  const own = figureAt(event) ?? figures[0];
  tip.replaceChildren(...cellTip(own, ...placeIn(own, t, s)).filter(Boolean),
    ...weightsBeside(own, t, s).map(([name, w]) => element("div", {}, `${name}: ${w.toFixed(4)}`)));
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = `${clamp(event.clientX + 14, 4, innerWidth - width - 4)}px`;
  tip.style.top = `${event.clientY + 18 + height > innerHeight ? event.clientY - height - 12 : event.clientY + 18}px`;
}
const hideTip = () => { byId("tip").hidden = true; };

const numberOf = (text) => (text == null ? null : Number(text));
const figureAt = (event) => figures.find(({ node }) => node.contains(event.target));

// The row and the column at the pointer, as positions of the first figure.
function placeAt(event) {
  const { t, s } = event.target.dataset ?? {};
  return placeIn(figureAt(event) ?? {}, numberOf(t), numberOf(s));
}

function pointerOver(event) {
  const [t, s] = placeAt(event);
  if (t == null && s == null) return pointerOut();
  pointAt(t, s);
  if (t != null && s != null) showTip(event, t, s);
  else hideTip();
}
function pointerOut() {
  hideTip();
  pointAt(state.step, state.column);
}

function select(step, column, panel) {
  const again = step === state.step && column === state.column && panel === state.inspected;
  [state.step, state.column] = again ? [null, null] : [step, column];
  state.inspected = panel;
  drawSelection();
}

// A finger leaves as soon as it has touched. The tip of the touched cell stays until the next touch, or until the page
// is scrolled.
function clickFigure(event) {
  if (event.target.dataset?.t == null) return;
  const [t, s] = placeAt(event);
  select(t, s, figureAt(event)?.panel ?? 0);
  if (event.pointerType === "mouse" || s == null || state.step == null) return;
  showTip(event, t, s);
  for (const moved of ["pointerdown", "scroll"]) addEventListener(moved, hideTip, { once: true, capture: true });
}

// Arrow keys move through the cells of the first panel.
function walkCells(key, T, S) {
  const [down, right] = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[key];
  const start = state.step == null;
  state.step = start ? 0 : clamp(state.step + down, 0, T - 1);
  state.column = start ? 0 : clamp((state.column ?? 0) + right, 0, S - 1);
  drawSelection();
}

// In a picture, arrow keys with Shift move through the cells of the selected word.
function walkGrid(key, { H, W }) {
  const [down, right] = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[key];
  const start = state.step == null || state.column == null;
  const [y, x] = start ? [0, 0] : [Math.floor(state.column / W), state.column % W];
  state.step ??= 0;
  state.column = start ? 0 : clamp(y + down, 0, H - 1) * W + clamp(x + right, 0, W - 1);
  drawSelection();
}

// In a picture, arrow keys move through the words.
function walkSteps(key, T) {
  const by = { ArrowDown: 1, ArrowUp: -1, ArrowRight: 1, ArrowLeft: -1 }[key];
  state.step = state.step == null ? 0 : clamp(state.step + by, 0, T - 1);
  state.column = null;
  drawSelection();
}
