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
const entropyNats = (row) => Math.max(0, -sum(row.map((a) => (a > 0 ? a * Math.log(a) : 0))));

// softmax(e / tau) of the scores e whose softmax the weights are: a^(1/tau), brought to sum 1.
function tempered(row, tau) {
  if (tau === 1) return row;
  const largest = Math.max(...row);  // divided by first, so that a sharp temperature does not underflow the whole row
  const powers = row.map((a) => Math.pow(a / largest, 1 / tau));
  const total = sum(powers);
  return powers.map((p) => p / total);
}

// The first of the largest.
const argmax = (row) => row.reduce((best, a, s) => (a > row[best] ? s : best), 0);

// The three rules that make links of weights. argmax is evaluate's: no link if the best is </s>.
const linkRules = {
  argmax: { name: "best word of each row", accepts: () => true },
  mutual: {
    name: "best in its row and column",
    accepts: (rows, t, s) => rows.every((row) => row[s] <= rows[t][s]),
  },
  threshold: { name: "every weight from a threshold", accepts: (rows, t, s, threshold) => rows[t][s] >= threshold },
};

// `rows` are the record's own or another head's or temperature's; the record's own links are argmax's before rounding.
function linksOf(record, rows, rule, threshold) {
  if (rule === "argmax" && rows === record.matrix) return record.links;
  const links = [];
  const columns = sourceWords(record);
  for (let t = 0; t < targetWords(record); ++t) {
    const row = rowOf(record, t);
    if (row >= rows.length) continue;
    const candidates = rule === "threshold" ? rows[row].keys() : [argmax(rows[row])];
    for (const s of candidates) {
      if (s < columns && linkRules[rule].accepts(rows, row, s, threshold)) links.push([s, t]);
    }
  }
  return links;
}

const keyOf = ([s, t]) => `${s}-${t}`;

// |A|, |S|, |A n S|, |A n P| of Och & Ney (2003), as data/metrics/aer.h counts them; null without gold.
function countLinks(links, gold) {
  if (!gold) return null;
  const sure = new Set(gold.sure.map(keyOf));
  const accepted = new Set([...gold.possible.map(keyOf), ...sure]);
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

// A record as it is looked at with a head (null: their mean) and a temperature, everything that the page draws of it.
function look(record, { head, temperature, rule, threshold }) {
  const chosen = head != null && record.heads?.[head] ? record.heads[head].matrix : record.matrix;
  const rows = temperature === 1 ? chosen : chosen.map((row) => tempered(row, temperature));
  const links = linksOf(record, rows, rule, threshold);
  const free = ["greedy", "beam", "sampled"].includes(record.mode);  // gold belongs to the reference
  const gold = free ? null : record.gold ?? null;
  const counts = countLinks(links, gold);
  return {
    record,
    rows,
    links,
    gold,
    counts,
    ...rates(counts),
    nats: rows.map(entropyNats),
    probabilities: record.logprob ? record.logprob.map(Math.exp) : null,
  };
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
  };
}

const meanNats = (view) => sum(view.nats) / view.nats.length;

// The step whose weights are most spread, </s> aside unless there is nothing else.
function leastCertain(view) {
  const words = view.nats.slice(0, Math.max(1, targetWords(view.record)));
  return argmax(words);
}
