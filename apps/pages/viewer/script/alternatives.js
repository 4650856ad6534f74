// What else might have been written: interventions and the beam. Clicking one puts its own attention beside.

function describeIntervention({ intervention, source_tokens }) {
  const { step, kind, source, word: written } = intervention;
  const seen = source == null ? "" : visible(source_tokens[source]);
  const what = {
    force: `all attention on “${seen}”`,
    ablate: `no attention on “${seen}”`,
    shuffle: "weights shuffled",
    weights: "weights chosen",
    word: `“${visible(written ?? "")}” written`,
  };
  return `step ${step + 1}: ${what[kind] ?? kind}`;
}

// How step t came to attend to what it did: of its own accord, or because it was made to. " the decoder … "
function lookedAt({ intervention, source_tokens }, t) {
  if (intervention?.step !== t) return "attended to";
  const seen = intervention.source == null ? "" : visible(source_tokens[intervention.source]);
  const made = {
    force: "was made to attend to",
    ablate: `was kept from attending to “${seen}” and attended to`,
    shuffle: "had its weights shuffled, and so attended to",
    weights: "was given these weights, and attended to",
  };
  return made[intervention.kind] ?? "attended to";
}

const spoken = (record) => record.target_tokens.slice(0, targetWords(record));

function alternativeButton(key, text, tokens, before) {
  const edits = editsBetween(before, tokens);
  return element("button", { class: "alternative", "aria-pressed": String(state.alternative === key), "data-key": key,
    onclick: () => chooseAlternative(key) }, element("small", {}, `${text}   ${countEdits(edits)}`),
  element("span", { dir: "auto" }, ...editedSentence(edits)));
}

function chooseAlternative(key) {
  if (state.alternative === key) return leaveAlternative();
  Object.assign(state, { alternative: key, other: null });
  draw();
  reveal(document.querySelector("#panels .panel:last-child"));
}

// Alternatives are of the kept model, whatever epoch is looked at.
const noteKept = () => (state.epoch == null ? null
  : element("p", { class: "note" }, `Of the ${keptModel(state.run)}, not of epoch ${state.epoch}.`));

function drawBeam(i, record) {
  const buttons = beamOf(i, state.run).map((r, k) =>
    alternativeButton(`b${k}`, `${k + 1}   log p ${logProbText(logProb(r))}`, spoken(r), spoken(record)));
  return buttons.length > 0 ? [heading("Beam: other translations"), noteKept(), ...buttons] : [];
}

// Those of the step that is shown; the others are a click on their row away.
function drawInterventions(i, record, t) {
  const all = interventionsOf(i, state.run);
  if (all.length === 0) return [];
  const untouched = untouchedOf(i, state.run) ?? record;
  const buttons = all.map((r, k) => [r, `i${k}`])
    .filter(([r, key]) => r.intervention.step === t || key === state.alternative)
    .map(([r, key]) => alternativeButton(key, describeIntervention(r), spoken(r), spoken(untouched)));
  const note = `${all.length} were computed. Those of another step are shown when its row is clicked. Compared with what the ` +
    "decoder writes when left alone: words that it lost are struck through, words that it gained underlined. A second click, or " +
    "Esc, goes back.";
  return [heading("Interventions: what follows"), noteKept(), ...buttons, element("p", { class: "note" }, note)];
}
