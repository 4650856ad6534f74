// The page's data (apps/pages/viewer/page_data.h) and how the rest asks for them.

const page = JSON.parse(byId("data").textContent);

// What run m has of sentence i; null if it has nothing.
const shownBy = (i, m) => page.sentences[i]?.runs[m] ?? null;

// By whichever run has it: for the words, which are the same by all.
const anyRecord = (i) => page.sentences[i].runs.find((shown) => shown).record;

// Epochs that run m can show: of its curves and of its tracked sentences.
const epochsOf = page.runs.map((run, m) => {
  const recorded = page.sentences.flatMap((s) => (s.runs[m]?.epochs ?? []).map((record) => record.epoch));
  return [...new Set([...recorded, ...run.metrics.map((point) => point.epoch)])].sort((a, b) => a - b);
});

// A run's record of a sentence at an epoch; null is the kept model, which also stands in where an epoch is not recorded.
function recordAt(i, m, epoch) {
  const shown = shownBy(i, m);
  if (!shown) return null;
  return shown.epochs.find((record) => record.epoch === epoch) ?? shown.record;
}

// The model that view read: the one of the best epoch.
function keptModel(m) {
  const epoch = page.runs[m].kept_epoch;
  return epoch == null ? "kept model" : `kept model, epoch ${epoch}`;
}
const whenOf = (record, m) => (record.epoch == null ? keptModel(m) : `epoch ${record.epoch}`);

// A sentence in the URL: "12", or "v3" for the fourth validation sentence that was tracked.
const nameOf = (i) => (page.sentences[i].tracked ? "v" : "") + page.sentences[i].id;
const titleOf = (i) => `${page.sentences[i].tracked ? "Tracked sentence" : "Sentence"} ${page.sentences[i].id}`;

// What may stand beside the record: alternatives of the beam and interventions, of the run that is shown.
const beamOf = (i, m) => [...(shownBy(i, m)?.beam ?? [])].sort((a, b) => a.rank - b.rank);
const interventionsOf = (i, m) => (shownBy(i, m)?.interventions ?? []).filter((r) => r.intervention.kind !== "none");
// What the decoder writes when left alone, which an intervention is compared with.
const untouchedOf = (i, m) => (shownBy(i, m)?.interventions ?? []).find((r) => r.intervention.kind === "none") ?? null;
