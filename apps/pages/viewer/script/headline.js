// The head of the page: source and target as its heading, tags, the scores below the figures, and one sentence that
// describes the attention.

const joined = (values) => (values.every((v) => v === values[0]) ? values[0] : values.join(" / "));

// "i love you → je t' aime". A picture has its name and the caption, a story the question and the answer.
function headingOf(record) {
  const written = sentence(spoken(record), unknownOf(record, "target"));
  const read = kindOf(record) === "words" && sourceWords(record) === 0 ? [] : briefly(record);
  return read.length > 0 && written.length > 0 ? [...read, " → ", ...written] : [...read, ...written];
}

function drawHead(shown) {
  const views = shown.map((panel) => panel.view);
  byId("title").replaceChildren(...headingOf(shown[0]?.record ?? anyRecord(state.sentence)));
  byId("which").textContent = titleOf(state.sentence);
  byId("whence").textContent = page.sentences[state.sentence].tracked
    ? `a validation ${nounOf(state.sentence)}, recorded after each epoch of the training` : "";
  byId("tags").replaceChildren(...page.sentences[state.sentence].tags.map((tag) => element("span", {}, tag)));
  const number = (name, explanation, of) =>
    element("div", { title: explanation }, element("dt", {}, name), element("dd", {}, joined(views.map(of))));
  const links = () => [
    number("AER", "Alignment error rate of this sentence", (v) => percent(v.aer)),
    number("precision", "Links found that gold accepts", (v) => percent(v.precision)),
    number("recall", "Sure gold links found", (v) => percent(v.recall)),
  ];
  const places = () => [
    number("attention accuracy", "Words whose largest weight lies in gold", (v) => percent(pointingRates(v.pointing).pointing)),
    number("mass in gold", "The share of the weights of words with gold that lies in it", (v) => percent(pointingRates(v.pointing).mass)),
  ];
  const kinds = new Set(views.map(({ record }) => (record.judged ? "pair" : kindOf(record))));
  const weighted = views.some(hasWeights);
  byId("numbers").replaceChildren(
    ...(!weighted || kinds.has("pair") ? [] : !kinds.has("words") ? places() : hasLinks ? links() : []),
    weighted ? number("mean entropy", `How spread the ${views.every(({ record }) => isPosterior(record)) ? "probabilities are" : "attention is"}, mean over rows`,
      (v) => (hasWeights(v) ? `${meanNats(v).toFixed(2)} nats` : "n/a")) : "",
    ...(views.every(({ record }) => isPosterior(record)) ? [] : [number("log p", "Log-probability of the target, nats", (v) => logProbText(logProb(v.record)))]),
    weighted ? number("size", "Target steps by source positions", (v) => (hasWeights(v) ? `${v.rows.length} × ${v.rows[0].length}` : "n/a")) : "");
}

// A list of words in running text: "a, b and c".
const enumerated = (parts) =>
  parts.flatMap((part, i) => [i === 0 ? "" : i === parts.length - 1 ? " and " : ", ", ...part]);
const strong = (token) => element("b", {}, word(token));

// "Step 2: to write ne the decoder attended to do (0.60) and not (0.26). Gold says not."
function readStep(view, t) {
  const { record } = view;
  const top = [...view.rows[t].keys()].sort((a, b) => view.rows[t][b] - view.rows[t][a]).slice(0, 3);
  const seen = top.filter((s, rank) => rank === 0 || view.rows[t][s] >= 0.1)
    .map((s) => [...placeName(record, s), ` (${view.rows[t][s].toFixed(2)})`]);
  if (record.judged) {
    const other = record.self === "premise" ? "hypothesis" : "premise";
    return [strong(record.target_tokens[t]), ` of the ${record.self} attended to `, ...enumerated(seen), ` of the ${other}.`];
  }
  if (record.self) {
    const [before, who] = record.self === "decoder" ? ["to write ", "decoder"] : ["at ", "encoder"];
    return [`Step ${t + 1}: ${before}`, strong(record.target_tokens[t]), ` the ${who} attended to `, ...enumerated(seen), " of its own sentence."];
  }
  if (isPosterior(record)) {
    const token = record.target_tokens[t];
    return [`Row ${t + 1}: the most probable links of `, strong(token), " lead to ", ...enumerated(seen), ".", ...readGold(view, t)];
  }
  const [before, token] = record.attends === "input"
    ? ["having read ", t > 0 ? record.target_tokens[t - 1] : "<s>"] : ["to write ", record.target_tokens[t]];
  return [`Step ${t + 1}: ${before}`, strong(token), record.attends === "input" ? "," : "", ` the decoder ${lookedAt(record, t)} `,
    ...enumerated(seen), ".", ...readGold(view, t)];
}

// For pictures and stories, gold is a set of positions, and the sum of their weights counts.
function readPlaces(view, t) {
  const { record, gold, rows } = view;
  if (!gold || t >= rowOf(record, targetWords(record))) return [];
  const places = [...goldOfStep(view, t)];
  if (places.length === 0) return [" Gold has no position for this word."];
  const hit = places.includes(argmax(rows[t])) ? " The largest weight lies in gold" : " The largest weight does not lie in gold";
  return [`${hit}, which has ${sum(places.map((s) => rows[t][s])).toFixed(2)} of it all.`];
}

function readGold(view, t) {
  const { record, gold } = view;
  if (kindOf(record) !== "words") return readPlaces(view, t);
  const of = (links) => links.filter((link) => rowOf(record, link[1]) === t).map(([s]) => [strong(record.source_tokens[s])]);
  if (!gold || t >= rowOf(record, targetWords(record))) return [];
  const [sure, possible] = [of(gold.sure), of(gold.possible)];
  if (sure.length > 0) return [" Gold says ", ...enumerated(sure), "."];
  if (possible.length > 0) return [" Gold accepts ", ...enumerated(possible), "."];
  return [" Gold links it to no word."];
}

const readJudgement = (record) => ["Premise and hypothesis were judged: ", ...enumerated(spoken(record).map((label) => [strong(label)])), ". "];

function readPointing({ record, pointing }) {
  const asked = kindOf(record) !== "sentences" ? [] : [...(record.question ? ["Asked “", strong(record.question), "”,"] : ["Here"]),
    record.mode === "forced" ? " the reference answers “" : " the model answers “", ...sentence(spoken(record)), "”. "];
  if (!pointing) return [...asked, "There is no gold, so there is nothing to compare the attention with. "];
  const { words, hits, mass } = pointing;
  const told = words === 1 ? `The largest weight ${hits ? "lies" : "does not lie"} in gold, which has `
    : `Of ${words} words with gold ${hits} ${hits === 1 ? "has its" : "have their"} largest weight there; gold has `;
  return [...asked, told, `${percent(mass / words)} of ${words === 1 ? "it all" : "their weights"}. `];
}

// The sentence below the figure, for a model without attention.
function readProbabilities({ record, probabilities }) {
  if (!probabilities) return [];
  const t = argmax(probabilities.map((p) => -p));
  return ["Least certain: ", strong(record.target_tokens[t]), ` (p ${probabilities[t].toFixed(2)}).`];
}

function readSentence(view) {
  if (!hasWeights(view)) return readProbabilities(view);
  const t = leastCertain(view);
  const least = [isPosterior(view.record) ? "Least certain row: " : "Most spread attention: ", strong(view.record.target_tokens[t]),
    ` (${view.nats[t].toFixed(1)} nats).`];
  if (view.record.judged) return [...readJudgement(view.record.judged), ...least];
  if (kindOf(view.record) !== "words") return [...readPointing(view), ...(view.rows.length > 1 ? least : [])];
  if (!view.counts) {
    const why = !hasLinks ? "" : view.record.self ? "The sentence attends to itself, so there are no links to find. " : ["forced", "posterior"].includes(view.record.mode) ? "No gold links, so no AER. " :
      "A free translation: gold links belong to the reference, so no AER. ";
    return [why, ...least];
  }
  const { found, sure, foundSure, foundPossible } = view.counts;
  const wrong = found - foundPossible;
  if (foundSure === sure && wrong === 0) return ["Every sure gold link is found, and nothing else is linked. ", ...least];
  return [`${foundSure} of ${sure} sure links found, ${wrong} not in gold. `, ...least];
}

function readingOf(shown, step) {
  const told = shown.map(({ view, name }, i) => {
    const parts = step != null && step < view.rows.length ? readStep(view, step) : readSentence(view);
    return element("span", {}, shown.length > 1 ? element("i", {}, `${"AB"[i]}, ${name}: `) : null, ...parts);
  });
  const hint = step == null && shown.length > 0 ? element("span", { class: "hint" }, drawingOf(shown[0].view).hint) : "";
  return [...told, hint];
}

const drawReading = (shown) => byId("reading").replaceChildren(...readingOf(shown, state.step));

// Reserves space for the longest sentence, so that the figures do not move when a row is selected.
const mostMeasured = 80;  // steps
function reserveReading(shown) {
  const reading = byId("reading");
  const steps = Math.min(mostMeasured, Math.max(0, ...shown.map(({ view }) => view.rows.length)));
  const measured = [null, ...Array(steps).keys()].map((step) => element("p", { class: "reading" }, ...readingOf(shown, step)));
  const room = element("div", { class: "measured", "aria-hidden": "true" }, ...measured);
  reading.before(room);
  const height = Math.max(...measured.map((node) => node.getBoundingClientRect().height));
  room.remove();
  reading.style.minHeight = `${Math.ceil(height)}px`;
}
