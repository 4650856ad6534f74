// Two sentences that are read together, "premise | hypothesis", and the attention of each to the other. A head over all
// of their words contains both matrices as parts. Each part is normalised by rows:
//   beta_i = sum_j exp(e_ij) / sum_k exp(e_ik) b_j      alpha_j = sum_i exp(e_ij) / sum_k exp(e_kj) a_i
//                                                                              Parikh et al. 2016, eq. 2

// The positions of the words of both. Returns null unless there is exactly one bar with words on both sides.
function placesOfPair(record) {
  if (kindOf(record) !== "words") return null;
  const words = record.source_tokens.slice(0, sourceWords(record));
  const bar = words.indexOf("|");
  if (bar < 1 || bar === words.length - 1 || words.lastIndexOf("|") !== bar) return null;
  const places = [...words.keys()];
  return { premise: places.slice(0, bar), hypothesis: places.slice(bar + 1) };
}

// The part of a matrix with these rows and columns, where each row is normalised to sum 1. Returns null if a row has no
// weight there.
function partOf(matrix, rows, columns) {
  const part = rows.map((t) => columns.map((s) => matrix[t][s]));
  const sums = part.map(sum);
  return sums.every((total) => total > 0) ? part.map((row, t) => row.map((w) => w / sums[t])) : null;
}

// Returns {premise, hypothesis, there, back} of a head: matrices of premise by hypothesis and of hypothesis by premise.
// Returns null if the head does not attend from one sentence to the other.
const pairsOfHeads = new WeakMap();
function pairOfHead(record, head) {
  if (!pairsOfHeads.has(head)) {
    const places = placesOfPair(record);
    const there = places && partOf(head.matrix, places.premise, places.hypothesis);
    const back = places && partOf(head.matrix, places.hypothesis, places.premise);
    pairsOfHeads.set(head, there && back ? { ...places, there, back } : null);
  }
  return pairsOfHeads.get(head);
}

// The pair that is shown with this lens: of the chosen head, or of the first head that attends across.
function pairOf(record, lens) {
  const heads = (record.heads ?? []).filter((head, place) => head.kind === "encoder-self" && (lens.head ?? place) === place);
  for (const head of heads) {
    const pair = pairOfHead(record, head);
    if (pair) return pair;
  }
  return null;
}

// The record as one sentence of a pair sees the other: its own words are the rows, the other's words the columns.
function sideOf(record, rows, columns, name) {
  const { source_tokens } = record;
  const unknown = unknownOf(record, "source");
  const among = (places) => [...places.keys()].filter((k) => unknown.includes(places[k]));
  return {
    ...record,
    source_tokens: columns.map((s) => source_tokens[s]),
    target_tokens: rows.map((t) => source_tokens[t]),
    eos: { source: false, target: false },
    unknown: among(columns),
    target_unknown: among(rows),
    attends: "output",
    mode: "self",
    self: name,
    judged: record,
    gold: null,
    links: null,
    logprob: undefined,
  };
}
