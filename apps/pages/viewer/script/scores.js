// Values that are computed from an alignment record: weights under the current lens, entropy, links, AER.
// Links are [source, target] pairs of words, counted from 0, without </s>.

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const columnSums = (rows) => rows[0].map((_, s) => sum(rows.map((row) => row[s])));

const sourceWords = (record) => record.source_tokens.length - (record.eos.source ? 1 : 0);
const targetWords = (record) => record.target_tokens.length - (record.eos.target ? 1 : 0);

// The marks of words that are not in the model's vocabulary.
const unknownOf = (record, side) => (side === "source" ? record.unknown : record.target_unknown) ?? [];
const unknownClass = (record, side, i) => (unknownOf(record, side).includes(i) ? "unknown" : "");

// The row of target word t: the step that writes the word, or the step after that, which reads it.
const rowOf = (record, t) => t + (record.attends === "input" ? 1 : 0);

// H = -sum_s a_s ln a_s, in nats.
function entropyNats(row) {
  let H = 0;
  for (let s = 0; s < row.length; ++s) if (row[s] > 0) H -= row[s] * Math.log(row[s]);
  return Math.max(0, H);
}

// softmax(e / tau) of the scores e whose softmax the weights are: a^(1/tau), normalised to sum 1. It is a loop, as
// above, because a complete corpus is sorted by it while a slider moves.
function tempered(row, tau) {
  if (tau === 1 || !row.some((weight) => weight > 0)) return row;
  // Dividing by the largest first avoids underflow of the row at a low temperature.
  const largest = Math.log(Math.max(...row));
  const powers = row.slice();
  let total = 0;
  for (let s = 0; s < row.length; ++s) {
    powers[s] = row[s] > 0 ? Math.exp((Math.log(row[s]) - largest) / tau) : 0;
    total += powers[s];
  }
  for (let s = 0; s < row.length; ++s) powers[s] /= total;
  return powers;
}

// The first of the largest elements.
function argmax(row) {
  let best = 0;
  for (let s = 1; s < row.length; ++s) if (row[s] > row[best]) best = s;
  return best;
}

// The three rules that make links from weights. argmax is the rule of evaluate: there is no link if </s> has the
// largest weight.
const linkRules = {
  argmax: { name: "best word of each row", accepts: () => true },
  mutual: {
    name: "best in its row and column",
    accepts: (rows, t, s) => rows.every((row) => row[s] <= rows[t][s]),
  },
  threshold: { name: "every weight from a threshold", accepts: (rows, t, s, threshold) => rows[t][s] >= threshold },
};

// The weights under the lens, at a temperature. They belong to one head. Without a head (null) they are the mean of the
// heads. For a text, they are its first self-attention head, and for a sentence pair the attention of the premise to
// the hypothesis.
const matrixOf = (record, lens) => pairOf(record, lens)?.there ?? (chosenHead(record, lens) ?? record).matrix;
const atTemperature = (rows, { temperature }) => (temperature === 1 ? rows : rows.map((row) => tempered(row, temperature)));
const rowsSeen = (record, lens) => atTemperature(matrixOf(record, lens), lens);

// `seen` is the result of recordOf. The argmax links of the mean are the record's own links, computed before its
// weights were rounded. The temperature does not change them.
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

// The sure links of gold, and all links that gold accepts.
const goldKeys = new WeakMap();
function keysOfGold(gold) {
  if (!goldKeys.has(gold)) {
    const sure = new Set(gold.sure.map(keyOf));
    goldKeys.set(gold, { sure, accepted: new Set([...gold.possible.map(keyOf), ...sure]) });
  }
  return goldKeys.get(gold);
}

// |A|, |S|, |A n S|, |A n P| of Och & Ney (2003), counted as in data/metrics/aer.h; null without gold.
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

// Counts are summed first, so the pooled figure is not a mean over sentences. Returns null if no sentence has gold.
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

// Gold belongs to the reference, so a free translation has gold only if it equals the reference. Gold of a picture or a
// story does not depend on the words that were written.
const isFree = ({ mode }) => ["greedy", "beam", "sampled"].includes(mode);
function goldOf(record) {
  if (kindOf(record) !== "words" || !isFree(record)) return record.gold ?? null;
  const i = sentenceOf.get(record);
  const reference = i == null ? null : anyRecord(i);
  return reference && !isFree(reference) && sameWords(record, reference) ? reference.gold ?? null : null;
}

// The view of a record under a head and a temperature, with everything that the page draws of it.
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

// The view of a sentence pair in the opposite direction, from the hypothesis to the premise; null for other records.
function lookBack(whole, lens) {
  const pair = pairOf(whole, lens);
  if (!pair) return null;
  const record = sideOf(whole, pair.hypothesis, pair.premise, "hypothesis");
  const rows = atTemperature(pair.back, lens);
  return viewOf(record, rows, linksOf(record, lens.rule === "argmax" ? pair.back : rows, lens.rule, lens.threshold));
}

// A minus B for records with the same words: positive where A's weight is larger. Links belong to A or B only, so there
// are none.
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

// The step with the largest entropy, without </s> unless there is no other step.
function leastCertain(view) {
  const words = view.nats.slice(0, Math.max(1, targetWords(view.record)));
  return argmax(words);
}
