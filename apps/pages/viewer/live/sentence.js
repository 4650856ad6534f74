// The typed sentence, or what the model reads instead (fields.js). It is a sentence of the page that the list does not
// show, and the model reads it at each key press.

// The URL contains the sentence, and the changed weight as "step.column.weight" (counted from 0).
Object.assign(initial, { typed: "", weight: null });
Object.assign(state, { typed: "", weight: null });
Object.assign(keys, { y: "typed", z: "weight" });
Object.assign(readers, {
  typed: (text) => text.slice(0, 5000),
  weight: (text) => (/^\d{1,4}\.\d{1,4}\.[01](\.\d+)?$/.test(text) ? text : null),
});

// Until the engine has translated it, the typed sentence has the records of the first sentence, and live.css hides them.
live.own = page.sentences.push({ id: 0, own: true, tracked: false, tags: [], runs: page.sentences[0].runs }) - 1;

live.linked = new URLSearchParams(location.hash.slice(1)).has("s");  // read before the page writes its own fragment

const isOwn = () => state.sentence === live.own;

// The page stores what differs from the first record of a sentence (page.js). Keys that only the first record has become
// null here, so that no other record inherits them.
const comparedWith = (first, record) => (record === first ? first
  : { ...Object.fromEntries(Object.keys(first).map((key) => [key, null])), ...record });

// `shown` has per run {record, epochs, beam}, or null.
function setOwn(shown) {
  const first = shown.find((each) => each).record;
  const compared = (records) => records.map((each) => comparedWith(first, each));
  page.sentences[live.own].runs = shown.map((each) => each && {
    record: comparedWith(first, each.record), epochs: compared(each.epochs), beam: compared(each.beam), interventions: [],
  });
}

// Runs every engine on what is typed. Returns false if something is missing. Throws the message of an engine.
function translateTyped() {
  const nothing = { record: null, beam: [], unknown: [] };
  const shown = live.engines.map((engine) => {
    const text = engine && textForEngine(engine);
    return engine && (text == null ? nothing : callEngine(engine, "show", text, beamWidth));
  });
  const [{ record, unknown }] = shown;
  markUnknown(unknown);
  if (!record) {
    showMessage(...missingFile(), fieldsOf.incomplete, suggestion(live.example));
    return false;
  }
  live.bases = shown.map((each) => each?.record ?? null);
  setOwn(page.runs.map((_, m) => shown[m] && { ...shown[m], epochs: m === live.trained && followsTyped() ? training.epochs : [] }));
  showUnknown(unknown);
  return true;
}

// Translates and draws.
function showTyped() {
  let translated = false;
  try {
    translated = translateTyped();
  } catch (error) {
    markUnknown([]);
    showMessage(error.message);
  }
  for (const node of fieldNodes()) node.setAttribute("aria-invalid", String(!translated));
  document.body.classList.toggle("live-nothing", !translated);
  if (!translated) return writeHash();
  if (isOwn() && live.engines[state.run] == null) state.run = 0;
  if (state.weight == null || !applyWeight()) draw();
}

function typed(text) {
  stopCaption();
  Object.assign(state, { sentence: live.own, typed: text, step: null, column: null, alternative: null, weight: null, epoch: null });
  if (fieldText() !== text) setFields(text);
  if (paints) paintBoard();
  say("");
  markSelected();
  showTyped();
}

// If several keys are pressed before the next frame, only the last text is translated.
let typing = 0;
function typeSoon() {
  cancelAnimationFrame(typing);
  typing = requestAnimationFrame(() => typed(fieldText()));
}

// --- words that the model does not know ---

const showMessage = (...parts) => byId("live-words").replaceChildren(...parts);

// A button that puts a sentence into the field, or a known word in the place of an unknown one.
function suggestion(text, unknown = null) {
  const use = () => {
    typed(unknown == null ? text : replaceWord(fieldText(), unknown, text));
    byId(fieldIds[0] ?? "live-board").focus();
  };
  return element("button", { class: "small", onclick: use }, unknown == null ? inBrief(text) : visible(text));
}

function showUnknown(unknown) {
  if (paints) return showMessage("Click into the board to paint a shape, or drop a picture file on the page.");
  if (task === "language-model" && unknown.length === 0) return showMessage("The model continues your text.");
  if (unknown.length === 0) return showMessage("The model knows all these words.");
  const shown = unknown.slice(0, 3).flatMap(({ word: token, similar }) => [
    strong(token), " is not in the vocabulary. ",
    ...(similar.length > 0 ? ["Did you mean ", ...similar.flatMap((known) => [suggestion(known, token), " "]), "? "] : []),
  ]);
  const more = unknown.length - 3;
  showMessage(...shown, more > 0 ? `${more} more ${more === 1 ? "word is" : "words are"} unknown.` : "");
}

// Returns where a token stands in the text, as [begin, end] each: as a word if it is one, else as a part of words. Upper
// and lower case are equal.
function positionsOf(token, text) {
  const escaped = token.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const found = (pattern) => [...text.matchAll(pattern)].map((match) => [match.index, match.index + match[0].length]);
  const words = found(new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, "giu"));
  return words.length > 0 ? words : found(new RegExp(escaped, "giu"));
}

function replaceWord(text, token, by) {
  const [first] = positionsOf(token, text);
  return first ? text.slice(0, first[0]) + by + text.slice(first[1]) : text;
}

// Underlines the unknown words: behind each field is the same text, with marks.
const markUnknown = (unknown) => fieldNodes().forEach((node) => markField(node, unknown));
const marksOf = (node) => node.parentNode.querySelector(".live-marks");
function markField(node, unknown) {
  const text = node.value;
  const marked = new Uint8Array(text.length);
  for (const { word: token } of unknown.slice(0, 50)) for (const [from, to] of positionsOf(token, text)) marked.fill(1, from, to);
  const parts = [];
  for (let at = 0; at < text.length;) {
    const end = marked.indexOf(marked[at] ? 0 : 1, at);
    const part = text.slice(at, end < 0 ? text.length : end);
    parts.push(marked[at] ? element("mark", {}, part) : part);
    at += part.length;
  }
  marksOf(node).replaceChildren(...parts);
  followScrolling(node);
}
const followScrolling = (node) => Object.assign(marksOf(node), { scrollLeft: node.scrollLeft, scrollTop: node.scrollTop });

// A link cannot contain the picture of a file.
function missingFile() {
  const name = paints && state.typed.startsWith("file:") ? state.typed.slice(5) : null;
  return name == null || board.file?.name === name ? [] : [`Open ${cut(visible(name))} again, because the address has only its name. `];
}

// --- other sentences ---

// Saves the record of the translation, and of the translation after a change, as align writes them.
function saveRecords() {
  const changed = state.alternative?.[0] === "i" ? [live.changed] : [];
  const lines = [live.bases[state.run], ...changed].map((record) => {
    if (!record.intervention) return JSON.stringify(record);
    const { weight, ...intervention } = record.intervention;  // alignment records have no key "weight"
    return JSON.stringify({ ...record, intervention });
  });
  download("sentence.jsonl", lines.map((line) => `${line}\n`).join(""), "application/jsonl");
}
