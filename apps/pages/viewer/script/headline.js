// The head of the page: title, tags, headline numbers, and one sentence that says what is seen.

const joined = (values) => (values.every((v) => v === values[0]) ? values[0] : values.join(" / "));

function drawHead(shown) {
  const views = shown.map((panel) => panel.view);
  byId("title").replaceChildren(titleOf(state.sentence));
  byId("tags").replaceChildren(...page.sentences[state.sentence].tags.map((tag) => element("span", {}, tag)));
  const number = (name, explanation, of) =>
    element("div", { title: explanation }, element("dt", {}, name), element("dd", {}, joined(views.map(of))));
  byId("numbers").replaceChildren(
    number("AER", "Alignment error rate of this sentence", (v) => percent(v.aer)),
    number("precision", "Links found that gold accepts", (v) => percent(v.precision)),
    number("recall", "Sure gold links found", (v) => percent(v.recall)),
    number("mean entropy", "How spread the attention is, mean over steps", (v) => `${meanNats(v).toFixed(2)} nats`),
    number("log p", "Log-probability of the target, nats", (v) => logProbText(logProb(v.record))),
    number("size", "Target steps by source positions", (v) => `${v.rows.length} × ${v.rows[0].length}`));
}

// Words in a row of text: "a, b and c".
const enumerated = (parts) =>
  parts.flatMap((part, i) => [i === 0 ? "" : i === parts.length - 1 ? " and " : ", ", ...part]);
const strong = (token) => element("b", {}, word(token));

// "Step 2: to write ne the decoder looked at do (0.60) and not (0.26). Gold says not."
function readStep(view, t) {
  const { record } = view;
  const top = [...view.rows[t].keys()].sort((a, b) => view.rows[t][b] - view.rows[t][a]).slice(0, 3);
  const seen = top.filter((s, rank) => rank === 0 || view.rows[t][s] >= 0.1)
    .map((s) => [strong(record.source_tokens[s]), ` (${view.rows[t][s].toFixed(2)})`]);
  if (record.self) {
    const [before, who] = record.self === "decoder" ? ["to write ", "decoder"] : ["at ", "encoder"];
    return [`Step ${t + 1}: ${before}`, strong(record.target_tokens[t]), ` the ${who} looked at `, ...enumerated(seen), " of its own sentence."];
  }
  const [before, token] = record.attends === "input"
    ? ["having read ", t > 0 ? record.target_tokens[t - 1] : "<s>"] : ["to write ", record.target_tokens[t]];
  return [`Step ${t + 1}: ${before}`, strong(token), record.attends === "input" ? "," : "", ` the decoder ${lookedAt(record, t)} `,
    ...enumerated(seen), ".", ...readGold(view, t)];
}

function readGold({ record, gold }, t) {
  const of = (links) => links.filter((link) => rowOf(record, link[1]) === t).map(([s]) => [strong(record.source_tokens[s])]);
  if (!gold || t >= rowOf(record, targetWords(record))) return [];
  const [sure, possible] = [of(gold.sure), of(gold.possible)];
  if (sure.length > 0) return [" Gold says ", ...enumerated(sure), "."];
  if (possible.length > 0) return [" Gold accepts ", ...enumerated(possible), "."];
  return [" Gold links it to no word."];
}

function readSentence(view) {
  const t = leastCertain(view);
  const least = ["Least certain where to look: ", strong(view.record.target_tokens[t]),
    ` (${view.nats[t].toFixed(1)} nats).`];
  if (!view.counts) {
    const why = view.record.self ? "The sentence looks at itself, so there are no links to find. " : view.record.mode === "forced" ? "No gold links, so no AER. " :
      "A free translation: gold links belong to the reference, so no AER. ";
    return [why, ...least];
  }
  const { found, sure, foundSure, foundPossible } = view.counts;
  const wrong = found - foundPossible;
  if (foundSure === sure && wrong === 0) return ["Every sure gold link is found, and nothing else is linked. ", ...least];
  return [`${foundSure} of ${sure} sure links found, ${wrong} not in gold. `, ...least];
}

function drawReading(shown) {
  const told = shown.map(({ view, name }, i) => {
    const parts = state.step != null && state.step < view.rows.length ? readStep(view, state.step) : readSentence(view);
    return element("span", {}, shown.length > 1 ? element("i", {}, `${"AB"[i]}, ${name}: `) : null, ...parts);
  });
  const hint = state.step == null ? element("span", { class: "hint" }, "Click a row to read its step.") : "";
  byId("reading").replaceChildren(...told, hint);
}
