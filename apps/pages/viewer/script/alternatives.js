// Other translations: interventions and the beam. A click on one shows its own attention next to the model's.

// The source position of the change: “word”, “sentence” or cell 2,3.
function placeOfChange(record) {
  const { source } = record.intervention;
  if (source == null) return "";
  const token = visible(record.source_tokens[source]);
  return kindOf(record) === "cells" ? `cell ${token}` : `“${token}”`;
}

function describeChange(record) {
  const { kind, word: written, weight } = record.intervention;
  const seen = placeOfChange(record);
  const what = {
    force: `all attention on ${seen}`,
    ablate: `no attention on ${seen}`,
    shuffle: "weights shuffled",
    weights: weight == null ? "weights chosen" : `attention of ${weight.toFixed(2)} on ${seen}`,
    word: `“${visible(written ?? "")}” written`,
  };
  return what[kind] ?? kind;
}
const describeIntervention = (record) => `step ${record.intervention.step + 1}: ${describeChange(record)}`;

// Returns why step t attended as it did: " the decoder ..." by itself, or because of an intervention.
function lookedAt(record, t) {
  const { intervention } = record;
  if (intervention?.step !== t) return "attended to";
  const made = {
    force: "was made to attend to",
    ablate: `was kept from attending to ${placeOfChange(record)} and attended to`,
    shuffle: "had its weights shuffled, and so attended to",
    weights: "was given these weights, and attended to",
  };
  return made[intervention.kind] ?? "attended to";
}

const spoken = (record) => record.target_tokens.slice(0, targetWords(record));

const buttonOf = (key, ...content) => element("button", { class: "alternative", "aria-pressed": String(state.alternative === key), "data-key": key,
  onclick: () => chooseAlternative(key) }, ...content);

function alternativeButton(key, text, tokens, before) {
  const edits = editsBetween(before, tokens);
  return buttonOf(key, element("small", {}, `${text}   ${countEdits(edits)}`), element("span", { dir: "auto" }, ...editedSentence(edits)));
}

function chooseAlternative(key) {
  if (state.alternative === key) return leaveAlternative();
  Object.assign(state, { alternative: key, other: null, inspected: 0 });
  draw();
  reveal(document.querySelector("#panels .panel:last-child"));
}

// Alternatives belong to the kept model, whatever epoch is shown.
const noteKept = () => (state.epoch == null ? null
  : element("p", { class: "note" }, `Of the ${keptModel(state.run)}, not of epoch ${state.epoch}.`));

const nounOfResults = (record) => (placesOfPair(record) ? "answers" : { words: "translations", cells: "captions", sentences: "answers" }[kindOf(record)]);

function drawBeam(i, record) {
  const buttons = beamOf(i, state.run).map((r, k) =>
    alternativeButton(`b${k}`, `${k + 1}   log p ${logProbText(logProb(r))}`, spoken(r), spoken(record)));
  return buttons.length > 0 ? [heading(`Beam: other ${nounOfResults(record)}`), noteKept(), ...buttons] : [];
}

// Shows the interventions of the selected step; a click on another row shows the others. In the presentation, the
// result is shown only after the click, so that a class can guess it.
function drawInterventions(i, record, t) {
  const all = interventionsOf(i, state.run);
  if (all.length === 0) return [];
  const untouched = untouchedOf(i, state.run) ?? record;
  const offered = all.map((r, k) => [r, `i${k}`]).filter(([r, key]) => r.intervention.step === t || key === state.alternative);
  if (state.presenting) return [element("div", { class: "offered" }, ...offered.map(([r, key]) => buttonOf(key, describeChange(r))))];
  const buttons = offered.map(([r, key]) => alternativeButton(key, describeIntervention(r), spoken(r), spoken(untouched)));
  const chosen = all[0].intervention.kind === "weights";
  const note = chosen ? "Compared with the model's own translation: words that it lost are struck through, words that it gained underlined. Esc goes back."
    : `${all.length} were computed. Those of another step are shown when its row is clicked. Compared with what the ` +
    "decoder writes when left alone: words that it lost are struck through, words that it gained underlined. A second click, or " +
    "Esc, goes back.";
  return [heading("Interventions: what follows"), noteKept(), ...buttons, element("p", { class: "note" }, note)];
}
