// What is computed from an alignment record: the weights as they are looked at, entropy, links, AER.
// Links are [source, target] pairs of words, counted from 0, without </s>.

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const columnSums = (rows) => rows[0].map((_, s) => sum(rows.map((row) => row[s])));

const sourceWords = (record) => record.source_tokens.length - (record.eos.source ? 1 : 0);
const targetWords = (record) => record.target_tokens.length - (record.eos.target ? 1 : 0);

// How a word that the model's vocabulary does not have is marked.
const unknownOf = (record, side) => (side === "source" ? record.unknown : record.target_unknown) ?? [];
const unknownClass = (record, side, i) => (unknownOf(record, side).includes(i) ? "unknown" : "");

// The row whose weights belong to target word t: the one that writes it, or the one that reads it a step later.
const rowOf = (record, t) => t + (record.attends === "input" ? 1 : 0);

// H = -sum_s a_s ln a_s, in nats.
function entropyNats(row) {
  let H = 0;
  for (let s = 0; s < row.length; ++s) if (row[s] > 0) H -= row[s] * Math.log(row[s]);
  return Math.max(0, H);
}

// softmax(e / tau) of the scores e whose softmax the weights are: a^(1/tau), brought to sum 1. A loop, as above, because
// a whole corpus is sorted by it while a slider moves.
function tempered(row, tau) {
  if (tau === 1 || !row.some((weight) => weight > 0)) return row;
  const largest = Math.log(Math.max(...row));  // divided by first, so that a sharp temperature does not underflow the whole row
  const powers = row.slice();
  let total = 0;
  for (let s = 0; s < row.length; ++s) {
    powers[s] = row[s] > 0 ? Math.exp((Math.log(row[s]) - largest) / tau) : 0;
    total += powers[s];
  }
  for (let s = 0; s < row.length; ++s) powers[s] /= total;
  return powers;
}

// The first of the largest.
function argmax(row) {
  let best = 0;
  for (let s = 1; s < row.length; ++s) if (row[s] > row[best]) best = s;
  return best;
}

// The three rules that make links of weights. argmax is evaluate's: no link if the best is </s>.
const linkRules = {
  argmax: { name: "best word of each row", accepts: () => true },
  mutual: {
    name: "best in its row and column",
    accepts: (rows, t, s) => rows.every((row) => row[s] <= rows[t][s]),
  },
  threshold: { name: "every weight from a threshold", accepts: (rows, t, s, threshold) => rows[t][s] >= threshold },
};

// The weights as they are looked at: of one head (null: of their mean, of a text its first look back, of a pair of
// sentences the premise's at the hypothesis), at a temperature.
const matrixOf = (record, lens) => pairOf(record, lens)?.there ?? (chosenHead(record, lens) ?? record).matrix;
const atTemperature = (rows, { temperature }) => (temperature === 1 ? rows : rows.map((row) => tempered(row, temperature)));
const rowsSeen = (record, lens) => atTemperature(matrixOf(record, lens), lens);

// `seen` is the record as recordOf has it. argmax's links of the mean are the record's own, from before its weights were
// rounded. No temperature changes them.
function linksSeen(record, seen, lens) {
  if (lens.rule !== "argmax") return linksOf(seen, rowsSeen(record, lens), lens.rule, lens.threshold);
  return chosenHead(record, lens) || !seen.links ? linksOf(seen, matrixOf(record, lens), "argmax") : record.links;
}

function linksOf(record, rows, rule, threshold) {
  const links = [];
  const columns = sourceWords(record);
  for (let t = 0; t < targetWords(record); ++t) {
    const row = rowOf(record, t);
    if (row >= rows.length) continue;
    const best = argmax(rows[row]);
    const [first, last] = rule === "threshold" ? [0, columns - 1] : [best, best];
    for (let s = first; s <= last && s < columns; ++s) {
      if (linkRules[rule].accepts(rows, row, s, threshold)) links.push([s, t]);
    }
  }
  return links;
}

const keyOf = ([s, t]) => s * 65536 + t;

// The sure links of gold, and all that it accepts.
const goldKeys = new WeakMap();
function keysOfGold(gold) {
  if (!goldKeys.has(gold)) {
    const sure = new Set(gold.sure.map(keyOf));
    goldKeys.set(gold, { sure, accepted: new Set([...gold.possible.map(keyOf), ...sure]) });
  }
  return goldKeys.get(gold);
}

// |A|, |S|, |A n S|, |A n P| of Och & Ney (2003), as data/metrics/aer.h counts them; null without gold.
function countLinks(links, gold) {
  if (!gold) return null;
  const { sure, accepted } = keysOfGold(gold);
  const found = [...new Set(links.map(keyOf))];
  return {
    found: found.length,
    sure: sure.size,
    foundSure: found.filter((link) => sure.has(link)).length,
    foundPossible: found.filter((link) => accepted.has(link)).length,
  };
}

// Pooled: counts are summed first, never a mean over sentences. null if no sentence has gold.
function pool(counts) {
  const known = counts.filter((c) => c);
  if (known.length === 0) return null;
  const total = (name) => sum(known.map((c) => c[name]));
  return {
    pairs: known.length,
    found: total("found"),
    sure: total("sure"),
    foundSure: total("foundSure"),
    foundPossible: total("foundPossible"),
  };
}

// AER = 1 - (|A n S| + |A n P|) / (|A| + |S|), precision = |A n P| / |A|, recall = |A n S| / |S|.
function rates(c) {
  if (!c) return { aer: null, precision: null, recall: null };
  const both = c.found + c.sure;
  return {
    aer: both > 0 ? 1 - (c.foundSure + c.foundPossible) / both : 0,
    precision: c.found > 0 ? c.foundPossible / c.found : 1,
    recall: c.sure > 0 ? c.foundSure / c.sure : 1,
  };
}

// Gold belongs to the reference, so a free translation has it only if it is the reference word for word. Gold of a picture
// or a story does not depend on what was written.
const isFree = ({ mode }) => ["greedy", "beam", "sampled"].includes(mode);
function goldOf(record) {
  if (kindOf(record) !== "words" || !isFree(record)) return record.gold ?? null;
  const i = sentenceOf.get(record);
  const reference = i == null ? null : anyRecord(i);
  return reference && !isFree(reference) && sameWords(record, reference) ? reference.gold ?? null : null;
}

// A record as it is looked at with a head and a temperature, everything that the page draws of it.
function look(whole, lens) {
  const record = recordOf(whole, lens);
  const view = viewOf(record, rowsSeen(whole, lens), linksSeen(whole, record, lens));
  return { ...view, scores: record.judged ? null : (chosenHead(whole, lens) ?? whole).scores ?? null, back: lookBack(whole, lens) };
}

function viewOf(record, rows, links) {
  const gold = goldOf(record);
  const counts = kindOf(record) === "words" ? countLinks(links, gold) : null;
  const pointing = countPointing(record, rows, gold);
  return {
    record,
    rows,
    links,
    gold,
    counts,
    ...rates(counts),
    pointing,
    nats: rows.map(entropyNats),
    scores: null,
    probabilities: record.logprob ? record.logprob.map(Math.exp) : null,
    gates: record.gate ?? null,
  };
}

// Of a pair of sentences the other way, from the hypothesis to the premise; null of all else.
function lookBack(whole, lens) {
  const pair = pairOf(whole, lens);
  if (!pair) return null;
  const record = sideOf(whole, pair.hypothesis, pair.premise, "hypothesis");
  const rows = atTemperature(pair.back, lens);
  return viewOf(record, rows, linksOf(record, lens.rule === "argmax" ? pair.back : rows, lens.rule, lens.threshold));
}

// A less B, where both have the same words: positive where A looks more. Links belong to one or the other.
function differenceOf(a, b) {
  const less = (x, y) => x && y && x.map((value, i) => value - y[i]);
  return {
    ...b,
    difference: true,
    rows: a.rows.map((row, t) => less(row, b.rows[t])),
    links: [],
    nats: less(a.nats, b.nats),
    probabilities: less(a.probabilities, b.probabilities),
    gates: less(a.gates, b.gates),
  };
}

const mean = (numbers) => sum(numbers) / numbers.length;
const meanNats = (view) => mean(view.nats);

// The step whose weights are most spread, </s> aside unless there is nothing else.
function leastCertain(view) {
  const words = view.nats.slice(0, Math.max(1, targetWords(view.record)));
  return argmax(words);
}
