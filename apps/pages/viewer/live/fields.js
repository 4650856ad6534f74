// The fields in which the user writes what the model reads. They depend on the task of the run. The text of two fields is
// one text: the second field has the last line. A picture has a board instead (board.js).

const task = byId("live-task").textContent;

// `incomplete` is the message while the model has nothing to read.
const fieldsOf = {
  translation: { label: "Your sentence", hint: "Type a sentence", copy: "Change this sentence", incomplete: "Type a sentence, for example: ",
    drag: "Drag a cell up or down to change its weight." },
  "language-model": { label: "Your text", hint: "Type the beginning of a text", copy: "Change this text", incomplete: "Type the beginning of a text, for example: " },
  questions: { label: "Your story", hint: "One sentence per line", lines: true, second: "Question", copy: "Change this story",
    drag: "Drag a sentence up or down to change its weight, in all hops.",
    incomplete: "Write a story, one sentence per line, and a question, for example: " },
  entailment: { label: "Premise", hint: "Type a sentence", second: "Hypothesis", copy: "Change these sentences",
    incomplete: "Type a premise and a hypothesis, for example: " },
  captioning: { label: "Your picture", copy: "Take this picture", incomplete: "Paint a shape, or take: ",
    drag: "Click a word, then drag a cell of the picture up or down to change its weight." },
}[task];
const paints = task === "captioning";
const fieldIds = paints ? [] : fieldsOf.second ? ["live-text", "live-second"] : ["live-text"];
const fieldNodes = () => fieldIds.map(byId);

// A field, and behind it the same text with marks under the unknown words.
function makeField(id, label, tag, more) {
  return [element("label", { for: id }, label),
    element("div", { class: "live-field" },
      element("div", { id: id === "live-text" ? "live-marks" : `${id}-marks`, class: "live-marks", "aria-hidden": "true", dir: "auto" }),
      element(tag, { id, class: "live-input", disabled: "", dir: "auto", spellcheck: "false", autocomplete: "off", autocapitalize: "off",
        "aria-describedby": "live-words", ...more }))];
}

function makeFields() {
  if (paints) return makeBoard();
  const { label, hint, lines, second } = fieldsOf;
  return [
    ...makeField("live-text", label, lines ? "textarea" : "input", lines ? { rows: 4, placeholder: hint } : { type: "text", placeholder: hint }),
    ...(second ? makeField("live-second", second, "input", { type: "text", placeholder: `${second}` }) : []),
  ];
}

function fieldText() {
  if (paints) return state.typed;
  const texts = fieldNodes().map((node) => node.value);
  return fieldsOf.second ? `${texts[0]}\n${texts[1].replace(/[\r\n]+/g, " ")}` : texts[0];
}

function setFields(text) {
  if (paints) return paintBoard();
  const at = fieldsOf.second ? text.lastIndexOf("\n") : -1;
  const texts = !fieldsOf.second ? [text] : at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
  fieldNodes().forEach((node, k) => { if (node.value !== texts[k]) node.value = texts[k]; });
}

// Returns the typed text as the engine reads it (softalign_show), or null if something is missing.
function textForEngine(engine) {
  if (paints) return pictureForEngine(engine);
  if (!fieldsOf.second) return oneLine(state.typed);
  const lines = state.typed.split("\n").map(oneLine);
  const second = lines.pop();
  const first = lines.filter((line) => line.trim() !== "");
  return first.length > 0 && second.trim() !== "" ? [...first, second].join("\n") : null;
}

// Returns the text that shows the source of a record in the fields.
function textOf(record) {
  if (paints) return `example:${nameOf(sentenceOf.get(record))}`;
  if (task === "questions") return [...record.source_tokens, record.question ?? ""].join("\n");
  if (task === "language-model") return spoken(record).slice(0, 4).join(" ");
  const places = placesOfPair(record);
  if (task === "entailment" && places)
    return [places.premise, places.hypothesis].map((side) => side.map((s) => record.source_tokens[s]).join(" ")).join("\n");
  return record.source_line ?? record.source_tokens.slice(0, sourceWords(record)).join(" ");
}

// Returns the name of a text on a button.
const inBrief = (text) => (paints ? "the first picture" : cut(visible(text.replaceAll("\n", " / "))));
