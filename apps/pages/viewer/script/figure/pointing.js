// Pointing at a figure: what the pointer, a tap or the arrow keys show and select. All panels follow.

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

// The weight of a cell with its rank in the row; of a difference how much A looks more than B.
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
    element("strong", {}, word(record.target_tokens[t]), " ← ", word(record.source_tokens[s])),
    isFuture(record, t, s) ? element("div", {}, "the future: not yet written") : tellWeight(figure, t, s),
    gold && isWord ? element("div", {}, `gold: ${goldStatus(gold, s, words)}`) : null,
  ];
}

// Where a panel lacks the cell, because its sentence is another, it says nothing.
function showTip(event, t, s) {
  const tip = byId("tip");
  const [own, ...others] = figures.toSorted((a, b) => b.node.contains(event.target) - a.node.contains(event.target));
  const lines = own.from ? own.from.map((view, i) => [`${"AB"[i]}`, view])
    : others.filter(({ view, from }) => !from && view.rows[t]?.[s] != null).map(({ name, view }) => [name, view]);
  tip.replaceChildren(...cellTip(own, t, s).filter(Boolean),
    ...lines.map(([name, view]) => element("div", {}, `${name}: ${view.rows[t][s].toFixed(4)}`)));
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = `${clamp(event.clientX + 14, 4, innerWidth - width - 4)}px`;
  tip.style.top = `${event.clientY + 18 + height > innerHeight ? event.clientY - height - 12 : event.clientY + 18}px`;
}
const hideTip = () => { byId("tip").hidden = true; };

const numberOf = (text) => (text == null ? null : Number(text));

function pointerOver(event) {
  const data = event.target.dataset ?? {};
  const [t, s] = [numberOf(data.t), numberOf(data.s)];
  if (t == null && s == null) return pointerOut();
  pointAt(t, s);
  if (t != null && s != null) showTip(event, t, s);
  else hideTip();
}
function pointerOut() {
  hideTip();
  pointAt(state.step, state.column);
}

function select(step, column) {
  const again = step === state.step && column === state.column;
  [state.step, state.column] = again ? [null, null] : [step, column];
  drawSelection();
}

// A finger leaves as soon as it has touched: what it touched is told until the next touch, or until the page is moved.
function clickFigure(event) {
  const { t, s } = event.target.dataset ?? {};
  if (t == null) return;
  select(numberOf(t), numberOf(s));
  if (event.pointerType === "mouse" || s == null || state.step == null) return;
  showTip(event, numberOf(t), numberOf(s));
  for (const moved of ["pointerdown", "scroll"]) addEventListener(moved, hideTip, { once: true, capture: true });
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
