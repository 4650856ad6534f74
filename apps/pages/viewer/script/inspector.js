// The right-hand column: one step of one figure in detail, and changes: interventions (alternatives.js), temperature,
// link rule, and the beam.

const row = (name, ...value) => element("div", { class: "pair" }, element("span", {}, name), element("b", {}, ...value));
const heading = (text) => element("h3", {}, text);

// The words with the largest weights of a step, as bars. A diamond marks gold.
function drawTop(view, t) {
  const { record, rows, gold } = view;
  const top = [...rows[t].keys()].sort((a, b) => rows[t][b] - rows[t][a]).slice(0, 6);
  return top.map((s) => {
    const bar = element("i");
    bar.style.width = `${Math.max(1, 100 * rows[t][s])}%`;
    const isGold = gold && goldStatus(gold, s, t - rowOf(record, 0)) !== "none";
    return element("div", { class: isGold ? "looked gold-word" : "looked" }, element("span", {}, word(record.source_tokens[s], unknownClass(record, "source", s))),
      element("div", {}, bar), element("b", {}, rows[t][s].toFixed(2)));
  });
}

const isChosen = (view) => state.step != null && state.step < view.rows.length;
const stepShown = (view) => (isChosen(view) ? state.step : leastCertain(view));

// The figure that the column describes: the first, or the second after a click on it.
const inspectedOf = (shown) => Math.min(state.inspected, shown.length - 1);

function drawStep(shown) {
  const at = inspectedOf(shown);
  const { view, name } = shown[at];
  const t = stepShown(view);
  const most = Math.log(view.rows[t].length);
  const whose = shown.length > 1 ? ` · ${"AB"[at]}, ${name}` : "";
  return [
    heading(`${isPosterior(view.record) ? "Row" : "Step"} ${t + 1} of ${view.rows.length}${isChosen(view) || view.rows.length === 1 ? "" : ", the least certain"}${whose}`),
    element("div", { class: "written" }, word(view.record.target_tokens[t])),
    element("div", { class: kindOf(view.record) === "sentences" ? "tops of-sentences" : "tops" }, ...drawTop(view, t)),
    row("entropy", `${view.nats[t].toFixed(2)} of ${most.toFixed(2)} nats`),
    view.probabilities ? row("p(token)", view.probabilities[t].toFixed(3)) : null,
    view.gates ? row("gate, the share let through", view.gates[t].toFixed(3)) : null,
  ];
}

function drawReasons({ view }) {
  if (isPosterior(view.record)) return drawEstimation();
  return [
    ...drawComputation(view, stepShown(view)),
    element("p", { class: "note" }, "Attention shows where the decoder drew its context from. It need not be the reason for the word."),
  ];
}

// The slider shows 100 times log10 of the temperature, from -100 to 100. It snaps to temperature 1.
function drawTemperature() {
  const set = (event) => {
    const x = Number(event.target.value);
    state.temperature = Math.abs(x) < 4 ? 1 : threeDigits(Math.pow(10, x / 100));
    refreshSoon();
  };
  return [
    heading("What if the attention were sharper, or more spread?"),
    row("softmax temperature", state.temperature.toFixed(2)),
    element("input", { id: "temperature", type: "range", min: -100, max: 100, "aria-label": "Softmax temperature",
      value: Math.round(100 * Math.log10(state.temperature)), "aria-valuetext": state.temperature.toFixed(2), oninput: set }),
    element("p", { class: "note" }, "Recomputed from the weights: left towards one word, right towards all of them."),
  ];
}

function drawRule() {
  const options = Object.entries(linkRules).map(([name, rule]) => element("option", { value: name }, rule.name));
  const choose = element("select", { id: "rule", "aria-label": "How weights become links", onchange: (event) => {
    state.rule = event.target.value;
    refresh();
  } }, ...options);
  choose.value = state.rule;
  const parts = [heading("From weights to links"), choose];
  if (state.rule === "threshold") {
    const set = (event) => {
      state.threshold = Number(event.target.value) / 100;
      refreshSoon();
    };
    parts.push(row("threshold", state.threshold.toFixed(2)), element("input", { id: "threshold", type: "range", min: 5,
      max: 95, value: Math.round(100 * state.threshold), "aria-label": "Threshold", "aria-valuetext": state.threshold.toFixed(2), oninput: set }));
  }
  if (pooled.aer != null) parts.push(row(`AER of ${pooled.which} by this rule`, percent(pooled.aer)));
  return parts;
}

// In the presentation, the numbers of the selected step are next to a single figure of words.
const presentsStep = (shown) => state.presenting && shown.length === 1 && isChosen(shown[0].view) && kindOf(shown[0].record) === "words";

function presentedStep({ view }) {
  const t = state.step;
  const probability = view.probabilities ? element("small", {}, ` p(token) ${view.probabilities[t].toFixed(3)}`) : null;
  return [element("div", { class: "written" }, word(view.record.target_tokens[t]), probability),
    ...drawInterventions(state.sentence, view.record, t), ...drawComputation(view, t).slice(1)];
}

// A slider that is being dragged, and a button that was pressed, keep the focus when the column is redrawn.
function drawInspector(shown) {
  const column = byId("inspector");
  const { id: focused, dataset: { key } = {} } = column.contains(document.activeElement) ? document.activeElement : {};
  if (presentsStep(shown)) return column.replaceChildren(...presentedStep(shown[0]).filter(Boolean));
  const record = currentRecord(state.sentence);
  const inspected = shown[inspectedOf(shown)];
  const parts = inspected && hasWeights(inspected.view) ? drawStep(shown) : [];
  if (record && shown.length > 0) parts.push(...drawInterventions(state.sentence, record, stepShown(shown[0].view)));
  if (parts.length > 0) parts.push(...drawReasons(inspected), ...drawHeads(shown[0].record));
  if (pageHasWeights && !pageIsPosterior) parts.push(...drawTemperature());
  if (pageHasWeights && pageKind === "words") parts.push(...drawRule());
  if (record && shown.length > 0) parts.push(...drawBeam(state.sentence, record));
  column.replaceChildren(...parts.filter(Boolean));
  if (["temperature", "threshold", "rule"].includes(focused)) byId(focused)?.focus();
  if (key) column.querySelector(`[data-key="${key}"]`)?.focus({ preventScroll: true });
}
