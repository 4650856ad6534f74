// The sentences of the list, their order, and the figures pooled over them.

// Additional data that a run may have for a sentence, and the command that makes them.
const kinds = {
  film: { name: "timeline", article: "a ", of: (shown) => shown.epochs, how: "train --track N, or all, records how the attention of validation pairs forms." },
  interventions: { name: "interventions", article: "", of: (shown) => shown.interventions, how: "align --intervene all --out RUN/interventions.jsonl makes them." },
  beams: { name: "beams", article: "", of: (shown) => shown.beam, how: "view searches for some where RUN has a model; or write RUN/beam.jsonl by translate." },
};

function has(i, kind) {
  const shown = shownBy(i, state.run);
  return shown != null && kinds[kind].of(shown).length > 0;
}

const kindsAsked = () => state.kinds.split(",").filter(Boolean);

// --- selection ---

const searched = [];  // the text of each sentence for the filter
function searchedText(i) {
  const first = firstRecord(i);
  const source = kindOf(first) === "cells" ? [first.source_line ?? ""] : [first.source_tokens.join(" "), first.question ?? ""];
  return (searched[i] ??= [...source, first.target_tokens.join(" "), ...page.sentences[i].tags].join("\n").toLowerCase());
}

const filterWords = () => state.filter.toLowerCase().split(/\s+/).filter(Boolean);
const isSelection = () => filterWords().length > 0 || state.tag != null || state.kinds !== "";

function selected() {
  const [words, asked] = [filterWords(), kindsAsked()];
  const passes = (i) => isListed(i) && (state.tag == null || page.sentences[i].tags.includes(state.tag)) &&
    asked.every((kind) => has(i, kind)) && words.every((word) => searchedText(i).includes(word));
  return [...page.sentences.keys()].filter(passes);
}

// Describes the filters of the list: 'with “not”, tagged negation, with timeline'.
const selection = () => [
  filterWords().length > 0 ? `with “${state.filter.trim()}”` : null,
  state.tag == null ? null : `tagged ${visible(state.tag)}`,
  ...kindsAsked().map((kind) => `with ${kinds[kind].name}`),
].filter(Boolean).join(", ");

// --- order ---

// Caches a value of each record until the lens changes in a part on which the value depends.
function remembered(make, dependsOn) {
  const known = new WeakMap();
  return (record) => {
    const key = dependsOn().join();
    const old = known.get(record);
    if (old?.key === key) return old.value;
    const value = make(record);
    known.set(record, { key, value });
    return value;
  };
}
const countsOf = remembered((record) => {
  const seen = recordOf(record, lens());
  return kindOf(seen) === "words" ? countLinks(linksSeen(record, seen, lens()), goldOf(seen)) : null;
},
  () => (state.rule === "argmax" ? [state.head] : [state.head, state.rule, state.threshold, state.temperature]));
const pointingOf = remembered((record) => {
  const seen = recordOf(record, lens());
  return countPointing(seen, rowsSeen(record, lens()), goldOf(seen));
}, () => [state.head, state.temperature]);
const meanEntropy = remembered((record) => (record.matrix.length > 0 ? mean(rowsSeen(record, lens()).map(entropyNats)) : null),
  () => [state.head, state.temperature]);

const logProb = (record) => (record.logprob ? sum(record.logprob) : null);
const logProbText = (x) => (x == null ? "n/a" : minus(x.toFixed(2)));

// `isKnown` tells whether any record of the page can have the figure. A figure without isKnown is always offered.
const sorts = {
  aer: { value: (record) => rates(countsOf(record)).aer, falling: true, show: (x) => [percent(x), "AER"], isKnown: () => hasLinks },
  pointing: { value: (record) => pointingRates(pointingOf(record)).pointing, falling: false, show: (x) => [percent(x), "accuracy"], isKnown: () => hasPlaces },
  mass: { value: (record) => pointingRates(pointingOf(record)).mass, falling: false, show: (x) => [percent(x), "in gold"], isKnown: () => hasPlaces },
  entropy: { value: meanEntropy, falling: true, show: (x) => (x == null ? ["", ""] : [x.toFixed(2), "nats"]), isKnown: () => pageHasWeights },
  logprob: { value: logProb, falling: false, show: (x) => [logProbText(x), "log p"], isKnown: () => someRecord(({ logprob }) => logprob) },
  length: { value: (record) => targetWords(record), falling: true, show: (x) => [String(x), "words"] },
  order: { value: () => 0, falling: false, show: () => ["", ""] },
};

let order = [];  // the sentences of the list

// Sentences without the figure come last in both directions. Equal ones are in file order.
function sortSentences() {
  const { value, falling } = sorts[state.sort];
  const direction = falling !== state.reversed ? -1 : 1;
  const valued = selected().map((i) => {
    const record = currentRecord(i);
    return { i, x: record && isRecordedAt(i, state.run, state.epoch) ? value(record) : null };
  });
  valued.sort((a, b) => {
    if (a.x == null || b.x == null) return (a.x == null) - (b.x == null) || a.i - b.i;
    return direction * (a.x - b.x) || (state.sort === "order" ? direction : 1) * (a.i - b.i);
  });
  order = valued.map(({ i }) => i);
  pooled = poolShown();
}

// --- pooled figures ---

// AER, precision and recall over the list, or attention accuracy and mass. Counts are summed first; `which` describes
// the sentences. Tracked sentences are validation pairs, so they are left out unless the list has no others. Over a
// complete corpus, this equals evaluate's figure. At an epoch, the figures cover the sentences that were recorded then.
// If there are none, the figures are those of the kept model, and the text says so.
let pooled = null;

function poolShown() {
  const recorded = order.filter((i) => isRecordedAt(i, state.run, state.epoch));
  const known = recorded.length > 0 ? recorded : order;
  const corpus = known.filter((i) => !page.sentences[i].tracked);
  const over = corpus.length > 0 ? corpus : known;
  const records = over.map(currentRecord);
  const counts = pool(records.map((record) => record && countsOf(record)));
  const points = poolPointing(records.map((record) => record && pointingOf(record)));
  const noun = pageKind === "words" ? (over.length === 1 ? "pair" : "pairs") : counted(over.length);
  const pairs = `${over.length} ${corpus.length > 0 ? "" : "tracked "}${noun}`;
  const when = state.epoch == null ? "" : recorded.length > 0 ? ` at epoch ${state.epoch}` : `, ${keptModel(state.run)}`;
  const those = isSelection() ? `the ${pairs} ${selection()}${when}` : known.length < order.length ? `the ${pairs}${when}` : `all ${pairs}${when}`;
  const withGold = counts?.pairs ?? points?.sources ?? over.length;
  const which = withGold === over.length ? those : `the ${withGold} with gold${counts ? " links" : ""} of ${those}`;
  return { which, aside: known.length - over.length, missing: recorded.length > 0 ? order.length - recorded.length : 0, ...rates(counts), ...pointingRates(points) };
}

// --- the first sentence to show ---

// The error starts at 0: AER, or 1 minus the attention accuracy. It is null without gold.
function errorOf(record) {
  const { pointing } = pointingRates(pointingOf(record));
  return rates(countsOf(record)).aer ?? (pointing == null ? null : 1 - pointing);
}

// Whether two words are translated in the opposite order: their links cross, and gold has both links.
function crosses(record) {
  const right = linksSeen(record, recordOf(record, lens()), lens()).filter((link) => keysOfGold(goldOf(record)).accepted.has(keyOf(link)));
  return right.some(([s, t]) => right.some(([other, later]) => other < s && later > t));
}
const showsCrossing = (record) => goldOf(record) != null && kindOf(record) === "words" && rates(countsOf(record)).aer <= 0.25 && crosses(record);

// The best sentence to show has a training timeline and interventions, ordinary length, crossing links and a low error.
// Returns null if `among` is empty.
function bestToShow(among) {
  const lengths = among.map((i) => targetWords(anyRecord(i)));
  const median = [...lengths].sort((a, b) => a - b)[lengths.length >> 1];
  const rated = among.map((i, place) => {
    const record = currentRecord(i);
    const distance = Math.abs(lengths[place] - median);
    return [!record, !has(i, "film"), !has(i, "interventions"), distance > median / 2, !(record && showsCrossing(record)),
      (record && errorOf(record)) ?? 1, distance, i].map(Number);
  });
  const better = (a, b) => a.map((x, k) => x - b[k]).find((d) => d !== 0) < 0;
  return rated.length > 0 ? rated.reduce((best, other) => (better(other, best) ? other : best)).at(-1) : null;
}
