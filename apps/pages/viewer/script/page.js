// The page's data (apps/pages/viewer/page.h), and functions to access them. Records are opened and their weights
// unpacked when they are first needed.

const page = JSON.parse(byId("data").textContent);

// Functions to call after the start, and after each drawing. A live page adds some (live/).
const [alsoStart, alsoDraw] = [[], []];

// The list shows all sentences except the typed one of a live page.
const isListed = (i) => !page.sentences[i].own;
const listLength = () => page.sentences.filter((_, i) => isListed(i)).length;

// --- packed records (page.cpp) ---

const digits = new Uint8Array(128);
[..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"].forEach((c, i) => { digits[c.charCodeAt(0)] = i; });

// Unpacks rows of `columns` weights, which are millionths in base 32. units / 1e6 is exactly the double of the decimal
// number.
function unpackWeights(text, columns) {
  const rows = [];
  for (let at = 0; at < text.length;) {
    const row = [];
    while (row.length < columns) {
      let [units, shift, digit] = [0, 0, 0];
      do {
        digit = digits[text.charCodeAt(at++)];
        units += (digit & 31) << shift;
        shift += 5;
      } while (digit >= 32);
      row.push(units / 1e6);
    }
    rows.push(row);
  }
  return rows;
}

const matrices = new WeakMap();

// Properties that records and heads have in addition to their own keys.
const unpacking = {
  get matrix() {
    const known = matrices.get(this);
    if (known) return known;
    const columns = this.columns ?? this.source_tokens.length;
    const rows = typeof this.weights === "string" ? unpackWeights(this.weights, columns) : this.weights;
    matrices.set(this, rows);
    return rows;
  },
};

// The record of the first run that has one.
const firstRecord = (i) => page.sentences[i].runs.find((shown) => shown).record;

const opened = new WeakMap();
const sentenceOf = new WeakMap();  // record -> its index in page.sentences

// Returns the complete record of sentence i, with its matrix.
function open(packed, i) {
  const known = opened.get(packed);
  if (known) return known;
  const record = Object.setPrototypeOf({ ...firstRecord(i), ...packed }, unpacking);
  const columns = record.source_tokens.length;
  sentenceOf.set(record, i);
  record.heads &&= record.heads.map((head) => Object.setPrototypeOf({ columns, ...head }, unpacking));
  opened.set(packed, record);
  return record;
}

// --- contents of the page ---

// The data of run m for sentence i, with packed records, or null.
const shownBy = (i, m) => page.sentences[i]?.runs[m] ?? null;

// A record of any run, for the words, which are the same in all runs.
const anyRecord = (i) => open(firstRecord(i), i);

const epochOf = (packed, i) => packed.epoch ?? firstRecord(i).epoch;

// The epochs that run m can show: those of its curves and of its tracked sentences.
const epochsOf = page.runs.map((run, m) => {
  const recorded = page.sentences.flatMap((s, i) => (s.runs[m]?.epochs ?? []).map((packed) => epochOf(packed, i)));
  return [...new Set([...recorded, ...run.metrics.map((point) => point.epoch)])].sort((a, b) => a - b);
});

// Whether run m has a record of a sentence at an epoch. The kept model is the model of its own epoch.
function isRecordedAt(i, m, epoch) {
  const shown = shownBy(i, m);
  if (!shown) return false;
  return epoch == null || epoch === page.runs[m].kept_epoch || shown.epochs.some((packed) => epochOf(packed, i) === epoch);
}

// A run's record of a sentence at an epoch. null means the kept model, which also replaces an epoch that is not
// recorded.
function recordAt(i, m, epoch) {
  const shown = shownBy(i, m);
  if (!shown) return null;
  return open(shown.epochs.find((packed) => epochOf(packed, i) === epoch) ?? shown.record, i);
}

// The largest number of heads in a run's records.
const headsOf = (m) => page.sentences.reduce((most, _, i) => Math.max(most, recordAt(i, m, null)?.heads?.length ?? 0), 0);

// The model that view read, which is the model of the best epoch.
function keptModel(m) {
  const epoch = page.runs[m].kept_epoch;
  return epoch == null ? "kept model" : `kept model, epoch ${epoch}`;
}
const whenOf = (record, m) => (isPosterior(record) ? "probabilities of links" : record.epoch == null ? keptModel(m) : `epoch ${record.epoch}`);
// The model of the record, with a remark if the chosen epoch has no record of the sentence.
const whenShown = (record, m) => whenOf(record, m) +
  (isRecordedAt(state.sentence, m, state.epoch) ? "" : `, because epoch ${state.epoch} has no record of this ${counted(1)}`);

// The name of a sentence in the URL, counted from 0 as ids are: "12", or "v3" for the fourth tracked validation
// sentence.
const nameOf = (i) => (page.sentences[i].own ? "own" : (page.sentences[i].tracked ? "v" : "") + page.sentences[i].id);
// The noun for sentence i: a sentence, a picture or a story.
const nounOf = (i) => nouns[kindOf(firstRecord(i))][0];

// The title of a sentence, counted from 1: "Sentence 13", "Tracked sentence 4".
function titleOf(i) {
  const noun = nounOf(i);
  if (page.sentences[i].own) return `Your ${noun}`;
  const title = page.sentences[i].tracked ? `tracked ${noun}` : noun;
  return `${title[0].toUpperCase()}${title.slice(1)} ${page.sentences[i].id + 1}`;
}

// The tags of the page's sentences in alphabetical order, and the number of sentences with each tag.
const tagCounts = new Map();
for (const { tags } of page.sentences) for (const tag of tags) tagCounts.set(tag, (tagCounts.get(tag) ?? 0) + 1);
const allTags = [...tagCounts.keys()].sort();

// Records for the second figure: alternatives of the beam and interventions of the run that is shown.
const beamOf = (i, m) => (shownBy(i, m)?.beam ?? []).map((record) => open(record, i)).sort((a, b) => a.rank - b.rank);
const allInterventions = (i, m) => (shownBy(i, m)?.interventions ?? []).map((record) => open(record, i));
const interventionsOf = (i, m) => allInterventions(i, m).filter((r) => r.intervention.kind !== "none");
// The translation without an intervention, with which interventions are compared.
const untouchedOf = (i, m) => allInterventions(i, m).find((r) => r.intervention.kind === "none") ?? null;
