// What a record looks at: the words of a sentence, the cells of a picture, the sentences of a story; and how often it
// looks where it should.

const kindOf = (record) => record.source_kind ?? "words";
const nouns = { words: ["sentence", "sentences"], cells: ["picture", "pictures"], sentences: ["story", "stories"] };

// What all sentences of the page are, or else sentences.
const pageKind = (() => {
  const found = new Set(page.sentences.map((_, i) => kindOf(firstRecord(i))));
  return found.size === 1 ? [...found][0] : "words";
})();
const counted = (n) => nouns[pageKind][n === 1 ? 0 : 1];

// A source position as a sentence calls it: the word itself, a cell, a sentence in quotation marks.
function placeName(record, s) {
  const token = record.source_tokens[s];
  if (kindOf(record) === "cells") return ["cell ", strong(token)];
  return kindOf(record) === "sentences" ? ["“", strong(token), "”"] : [strong(token)];
}

// Of a picture's file what follows the folders.
const pictureName = (record) => record.source_line.slice(record.source_line.lastIndexOf("/") + 1);

// What the list tells of a source in one line.
function briefly(record) {
  if (kindOf(record) === "cells") return record.source_line ? [word(pictureName(record))] : [`${record.source_grid.join(" × ")} cells`];
  if (kindOf(record) === "sentences") return record.question ? [word(record.question)] : [word(record.source_tokens[0] ?? "")];
  return sentence(record.source_tokens.slice(0, sourceWords(record)), unknownOf(record, "source"));
}

// --- pointing, as data/metrics/attention_accuracy.h counts it ---

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

// The source positions that gold accepts for step t; none if the step has no word or the word no gold.
const goldOfStep = ({ record, gold }, t) => (gold && placesOfGold(gold).get(t - rowOf(record, 0))) ?? new Set();

// Words with gold; those whose largest weight lies in it; and how much of their rows does, summed.
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

// Counts are summed first, as of links. null if no word has gold.
function poolPointing(counts) {
  const known = counts.filter((c) => c);
  if (known.length === 0) return null;
  const total = (name) => sum(known.map((c) => c[name]));
  return { sources: known.length, words: total("words"), hits: total("hits"), mass: total("mass") };
}

const pointingRates = (c) => (c ? { pointing: c.hits / c.words, mass: c.mass / c.words } : { pointing: null, mass: null });
