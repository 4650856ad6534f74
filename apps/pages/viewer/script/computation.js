// Shows a step in numbers: from the scores to the weights, and from the weights to the context.
//   alpha_ij = exp(e_ij) / sum_k exp(e_ik)      Bahdanau et al. 2015, eq. 6
//   c_i = sum_j alpha_ij h_j                    eq. 5
// Norms tell how much each word contributes to the context: |alpha_ij h_j| = alpha_ij |h_j|      Kobayashi et al. 2020,
// section 3

// The score e_ij is that of the run's model (layers/attention/scores.h).

const letter = (name, index) => [element("i", {}, name), element("sub", {}, index)];

// "s_i−1", "[s_i−1; E y_i−1]" or "s_i": what the score compares with h_j.
const queries = {
  "previous state": () => letter("s", "i−1"),
  "previous state and word": () => ["[", ...letter("s", "i−1"), "; ", element("i", {}, "E"), " ", ...letter("y", "i−1"), "]"],
  "state": () => letter("s", "i"),
};

// The right-hand side of e_ij = ... for each kind of score.
const ofScore = {
  additive: (q, { coverage }) => [...letter("v", "a"), "ᵀ tanh(", ...letter("W", "a"), " ", ...q, " + ", ...letter("U", "a"), " ", ...letter("h", "j"),
    ...(coverage ? [" + ", ...letter("w", "c"), " ", ...letter("cov", "ij")] : []), ")"],
  dot: (q) => [...q, "ᵀ ", ...letter("h", "j")],
  general: (q) => [...q, "ᵀ ", ...letter("W", "a"), " ", ...letter("h", "j")],
  location: (q) => ["(", ...letter("W", "a"), " ", ...q, ")", element("sub", {}, "j")],
  qkv: (q) => ["(", ...letter("W", "Q"), " ", ...q, ")ᵀ (", ...letter("W", "K"), " ", ...letter("h", "j"), ") / √", element("i", {}, "d")],
};
ofScore.concat = ofScore.additive;

function scoreFormula({ run }) {
  const score = page.runs[run]?.score;
  if (!score) return [];
  const scaled = score.scaled ? [" / √", element("i", {}, "Q")] : [];
  return [element("p", { class: "formula", title: "In the code: layers/attention/scores.h" }, ...letter("e", "ij"), " = ",
    ...ofScore[score.kind](queries[score.query](), score), ...scaled)];
}

function formulas(view) {
  const tau = state.temperature === 1 ? [] : ["/", state.temperature.toFixed(2)];
  return [
    ...scoreFormula(view),
    element("p", { class: "formula" }, ...letter("α", "ij"), " = exp(", ...letter("e", "ij"), ...tau, ") / Σ", element("sub", {}, "k"), " exp(",
      ...letter("e", "ik"), ...tau, ")"),
    element("p", { class: "formula" }, ...letter("c", "i"), " = Σ", element("sub", {}, "j"), " ", ...letter("α", "ij"), " ", ...letter("h", "j")),
  ];
}

const ofHeads = "The alignment is made of the heads below: the mean of their weights or, in a Transformer, what each word adds " +
  "to the contexts of all layers. Choose a head to see how its own weights come to be.";
// The weights of a record with an alignment layer.
function ofLayer(record) {
  const share = record.layer_share;
  const told = isCombined(record)
    ? `These weights combine the alignment layer, which knows both sentences (share ${share.toFixed(1)}), with the decoder's attention ` +
      `(share ${(1 - share).toFixed(1)}). Each weight is raised to the power of its share, and the results are multiplied.`
    : "These weights come from the alignment layer, which knows both sentences.";
  return `${told} The decoder's own attention is among the heads below.`;
}
const ofPairs = "One score for each word of the premise with each of the hypothesis. The left matrix is its softmax over the hypothesis, the " +
  "right one over the premise; each word is compared with the mean of the words that it attends to (Parikh et al. 2016).";
const missingScores = "This record has weights alone. With align --scores it also holds the scores that they are the softmax of.";

const ofParts = "Score, weight and length of the word's part of the context. Lengths do not add up, because the parts have different directions.";

const unrecordedScores = "Scores are recorded only for the kept model.";

// The matrix of an EM aligner is not made of scores.
const drawEstimation = () => [
  heading("How it is computed"),
  element("p", { class: "formula" }, "p(", ...letter("a", "i"), " = j | both sentences)"),
  element("p", { class: "note" }, "Row i has the probability that target word i is linked to source word j. EM estimates it from the translation " +
    "probabilities of the words and from their positions, over the corpus. No model reads or writes these sentences."),
  element("p", { class: "note" }, "Column </s> is the empty word: the probability that the word has no link. Each row sums to 1."),
];

// One row per source word, in the order of the sentence.
function drawComputation(view, t) {
  const { record, rows, scores } = view;
  const title = heading("How it is computed");
  const note = (text) => element("p", { class: "note" }, text);
  if (record.judged) return [title, note(ofPairs)];
  if (!scores && kindOf(record) !== "words") return [];
  if (record.heads && state.head == null && !record.self) return [title, note(hasLayer(record) ? ofLayer(record) : ofHeads)];
  if (!scores) return [title, ...formulas(view), note(record.epoch == null ? missingScores : unrecordedScores)];
  const norms = record.norms;
  const head = (...content) => element("th", { scope: "col" }, ...content);
  const number = (x, digits) => element("td", {}, x == null ? "" : minus(x.toFixed(digits)));
  const lines = record.source_tokens.map((token, s) => element("tr", {},
    element("th", { scope: "row" }, word(token, unknownClass(record, "source", s))),
    scores[t][s] == null ? element("td", { title: "outside the attention window of this step" }, "−∞") : number(scores[t][s], 2),
    number(rows[t][s], 4), norms ? number(rows[t][s] * norms.source[s], 3) : null));
  const table = element("table", { class: "computation" }, element("caption", {}, norms ? ofParts : "Score and weight of each word"),
    element("tr", {}, element("td"), head(...letter("e", "ij")), head(...letter("α", "ij")),
      norms ? head(...letter("α", "ij"), "|", ...letter("h", "j"), "|") : null), ...lines);
  const context = norms && state.temperature === 1 ? row("length of the context", "|", ...letter("c", "i"), `| = ${norms.context[t].toFixed(3)}`) : null;
  return [title, ...formulas(view), table, context];
}
