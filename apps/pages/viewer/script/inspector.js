// The right-hand column: one step in detail, and what would be otherwise: temperature, link rule, beam, interventions.

const row = (name, ...value) => element("div", { class: "pair" }, element("span", {}, name), element("b", {}, ...value));
const heading = (text) => element("h3", {}, text);

// The words that a step looked at most, as bars; a diamond marks gold.
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

function drawStep(view) {
  const t = stepShown(view);
  const most = Math.log(view.rows[t].length);
  return [
    heading(`Step ${t + 1} of ${view.rows.length}${isChosen(view) ? "" : ", the least certain"}`),
    element("div", { class: "written" }, word(view.record.target_tokens[t])),
    ...drawTop(view, t),
    row("entropy", `${view.nats[t].toFixed(2)} of ${most.toFixed(2)} nats`),
    view.probabilities ? row("p(token)", view.probabilities[t].toFixed(3)) : null,
    element("p", { class: "note" }, "Attention shows where the decoder drew its context from. It need not be the reason for the word."),
  ];
}

function drawHeads(record) {
  if (!record.heads) return [];
  const button = (head, rows, text) => {
    const picture = element("canvas", { "aria-hidden": "true" });
    thumbnail(picture, rows);
    const pressed = String((state.head ?? null) === head);
    return element("button", { "aria-pressed": pressed, onclick: () => chooseHead(head) }, picture, text);
  };
  return [heading("Heads"), element("div", { class: "heads" }, button(null, record.matrix, "mean"),
    ...record.heads.map((h, k) => button(k, h.matrix, `head ${k + 1}`)))];
}

function chooseHead(head) {
  state.head = head;
  refresh();
}

// log10 of the temperature times 100 on a slider from -100 to 100, with a catch at 1.
function drawTemperature() {
  const set = (event) => {
    const x = Number(event.target.value);
    state.temperature = Math.abs(x) < 4 ? 1 : Math.pow(10, x / 100);
    refreshSoon();
  };
  return [
    heading("What if it were sharper, or vaguer?"),
    row("softmax temperature", state.temperature.toFixed(2)),
    element("input", { id: "temperature", type: "range", min: -100, max: 100, "aria-label": "Softmax temperature",
      value: Math.round(100 * Math.log10(state.temperature)), oninput: set }),
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
      max: 95, value: Math.round(100 * state.threshold), "aria-label": "Threshold", oninput: set }));
  }
  const all = pooled();
  if (all.aer != null) parts.push(row("AER of all pairs by this rule", percent(all.aer)));
  return parts;
}

// --- alternatives: clicking one puts its own attention beside ---

function describeIntervention({ intervention, source_tokens }) {
  const { step, kind, source, word: written } = intervention;
  const seen = source == null ? "" : visible(source_tokens[source]);
  const what = {
    force: `all attention on “${seen}”`,
    ablate: `“${seen}” out of sight`,
    shuffle: "weights shuffled",
    word: `“${visible(written ?? "")}” written`,
  };
  return `step ${step + 1}: ${what[kind] ?? kind}`;
}

function alternativeButton(key, text, tokens, before) {
  const changed = changedTokens(before, tokens);
  const words = tokens.flatMap((token, i) => [i > 0 ? " " : "", word(token, changed[i] ? "changed" : "")]);
  return element("button", { class: "alternative", "aria-pressed": String(state.alternative === key), "data-key": key,
    onclick: () => chooseAlternative(key) }, element("small", {}, text), element("span", { dir: "auto" }, ...words));
}

function chooseAlternative(key) {
  state.alternative = state.alternative === key ? null : key;
  state.other = null;
  draw();
}

const spoken = (record) => record.target_tokens.slice(0, targetWords(record));

function drawBeam(i, record) {
  const buttons = beamOf(i, state.run).map((r, k) =>
    alternativeButton(`b${k}`, `${k + 1}   log p ${logProbText(logProb(r))}`, spoken(r), spoken(record)));
  return buttons.length > 0 ? [heading("Beam: other translations"), ...buttons] : [];
}

// Those of the step that is shown; the others are a click on their row away.
function drawInterventions(i, record, t) {
  const all = interventionsOf(i, state.run);
  if (all.length === 0) return [];
  const untouched = untouchedOf(i, state.run) ?? record;
  const buttons = all.map((r, k) => [r, `i${k}`])
    .filter(([r, key]) => r.intervention.step === t || key === state.alternative)
    .map(([r, key]) => alternativeButton(key, describeIntervention(r), spoken(r), spoken(untouched)));
  const note = `${all.length} were computed. Those of another step are shown when its row is clicked. The words in red are not ` +
    "in the translation that the decoder writes when left alone.";
  return [heading("Interventions: what follows"), ...buttons, element("p", { class: "note" }, note)];
}

// A slider that is being dragged keeps the focus although the column is drawn anew.
function drawInspector(shown) {
  const focused = document.activeElement?.id;
  const column = byId("inspector");
  const record = currentRecord(state.sentence);
  const parts = shown.length === 0 ? [] : [...drawStep(shown[0].view), ...drawHeads(shown[0].record)];
  parts.push(...drawTemperature(), ...drawRule());
  if (record && shown.length > 0) {
    parts.push(...drawInterventions(state.sentence, record, stepShown(shown[0].view)), ...drawBeam(state.sentence, record));
  }
  column.replaceChildren(...parts.filter(Boolean));
  if (["temperature", "threshold", "rule"].includes(focused)) byId(focused)?.focus();
}
