// The sources of records: the words of a sentence, the cells of a picture, the sentences of a story. It also has the
// attention accuracy.

const kindOf = (record) => record.source_kind ?? "words";
const nouns = { words: ["sentence", "sentences"], cells: ["picture", "pictures"], sentences: ["story", "stories"] };

// Whether the matrix has the probabilities of links that an EM aligner estimated (program links). Then there is no
// decoder, and no scores.
const isPosterior = (record) => record.mode === "posterior";
const pageIsPosterior = page.sentences.length > 0 && page.sentences.every((_, i) => isPosterior(firstRecord(i)));

// The kind of all sentences of the page, or "words" if their kinds differ.
const pageKind = (() => {
  const found = new Set(page.sentences.map((_, i) => kindOf(firstRecord(i))));
  return found.size === 1 ? [...found][0] : "words";
})();
const counted = (n) => nouns[pageKind][n === 1 ? 0 : 1];

// The name of a source position within a sentence: the word itself, a cell, or a sentence in quotation marks.
function placeName(record, s) {
  const token = record.source_tokens[s];
  if (kindOf(record) === "cells") return ["cell ", strong(token)];
  return kindOf(record) === "sentences" ? ["“", strong(token), "”"] : [strong(token)];
}

// The file name of a picture, without its folders.
const pictureName = (record) => record.source_line.slice(record.source_line.lastIndexOf("/") + 1);

// The text of a source in one line of the list.
function briefly(record) {
  if (kindOf(record) === "cells") return record.source_line ? [word(pictureName(record))] : [`${record.source_grid.join(" × ")} cells`];
  if (kindOf(record) === "sentences") return record.question ? [word(record.question)] : [word(record.source_tokens[0] ?? "")];
  return sentence(record.source_tokens.slice(0, sourceWords(record)), unknownOf(record, "source"));
}

// --- attention accuracy, counted as in data/metrics/attention_accuracy.h ---

// Target word -> the source positions that gold accepts for it, sure or possible.
const goldPlaces = new WeakMap();
function placesOfGold(gold) {
  if (!goldPlaces.has(gold)) {
    const places = new Map();
    for (const [s, t] of [...gold.sure, ...gold.possible]) places.set(t, (places.get(t) ?? new Set()).add(s));
    goldPlaces.set(gold, places);
  }
  return goldPlaces.get(gold);
}

// The source positions that gold accepts for step t. The set is empty if the step has no word, or the word no gold.
const goldOfStep = ({ record, gold }, t) => (gold && placesOfGold(gold).get(t - rowOf(record, 0))) ?? new Set();

// Words with gold, words whose largest weight is on gold, and the sum of the weights on gold.
function countPointing(record, rows, gold) {
  if (!gold || kindOf(record) === "words") return null;
  const count = { words: 0, hits: 0, mass: 0 };
  for (const [t, places] of placesOfGold(gold)) {
    const row = rows[rowOf(record, t)];
    if (!row) continue;
    count.words += 1;
    count.hits += places.has(argmax(row)) ? 1 : 0;
    count.mass += sum([...places].map((s) => row[s]));
  }
  return count.words > 0 ? count : null;
}

// Counts are summed first, as for links. Returns null if no word has gold.
function poolPointing(counts) {
  const known = counts.filter((c) => c);
  if (known.length === 0) return null;
  const total = (name) => sum(known.map((c) => c[name]));
  return { sources: known.length, words: total("words"), hits: total("hits"), mass: total("mass") };
}

const pointingRates = (c) => (c ? { pointing: c.hits / c.words, mass: c.mass / c.words } : { pointing: null, mass: null });
