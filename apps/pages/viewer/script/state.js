// The state of the page. All of it is in the URL's hash, so a link reproduces it, for example for a lesson.

// Whether any record of the page passes the test, in any run at any epoch. Records are not unpacked for this.
const someRecord = (passes) => page.sentences.some(({ runs }, i) =>
  runs.some((shown) => shown && [shown.record, ...shown.epochs].some((packed) => passes(packed, i))));

// Whether any model of the page has attention. A matrix is packed as text, which is empty without attention.
const pageHasWeights = someRecord(({ weights }) => weights?.length > 0);

// Whether the page has gold links anywhere, and gold positions in pictures or stories.
const isOfWords = (i) => kindOf(firstRecord(i)) === "words";
const hasLinks = someRecord(({ gold }, i) => gold && isOfWords(i) && !placesOfPair(firstRecord(i)));
const hasPlaces = someRecord(({ gold }, i) => gold && !isOfWords(i) && gold.sure.length + gold.possible.length > 0);

// The list can be sorted by every figure that at least one record has.
const sortsOffered = Object.keys(sorts).filter((name) => sorts[name].isKnown?.() ?? true);

const initial = {
  sentence: 0,
  run: 0,
  other: null,        // the run compared with
  alternative: null,  // or another record: "b2" of the beam, "i0" of the interventions
  difference: false,
  epoch: null,        // null: the kept model
  step: null,         // the selected row
  column: null,       // the selected column
  inspected: 0,       // which of two figures the right-hand column describes
  head: null,         // null: the mean of the heads
  temperature: 1,
  rule: "argmax",
  threshold: 0.3,
  faint: false,
  bare: false,        // the weights of a picture without the picture
  presenting: false,  // figures in large type, and the numbers of the selected step
  theme: null,        // null: the system's theme
  sort: pageKind !== "words" && hasPlaces ? "pointing" : hasLinks ? "aer" : "order",
  reversed: false,
  filter: "",
  tag: null,
  kinds: "",          // extras that the sentences of the list must have, with commas: film, interventions, beams
};
const state = { ...initial };

// The keys of the hash are short, and written in this order.
const keys = {
  s: "sentence", m: "run", c: "other", a: "alternative", d: "difference", e: "epoch", r: "step", w: "column", i: "inspected", h: "head",
  tau: "temperature", l: "rule", x: "threshold", f: "faint", b: "bare", p: "presenting", t: "theme", o: "sort", v: "reversed", q: "filter",
  g: "tag", k: "kinds",
};

function writeHash() {
  const parts = new URLSearchParams();
  for (const [key, field] of Object.entries(keys)) {
    if (field === "sentence") parts.set(key, nameOf(state.sentence));
    else if (state[field] !== initial[field]) parts.set(key, typeof state[field] === "boolean" ? "1" : state[field]);
  }
  const hash = "#" + parts;
  if (hash !== location.hash) history.replaceState(null, "", hash);
}

const wholeBelow = (end) => (text) => (/^\d+$/.test(text) && Number(text) < end ? Number(text) : null);
const within = (low, high, otherwise) => (text) => {
  const x = parseFloat(text);
  return x >= low && x <= high ? x : otherwise;
};
const threeDigits = (x) => Number(x.toPrecision(3));
const oneOf = (known, otherwise) => (text) => (known.includes(text) ? text : otherwise);

// The reader of each field. A link may come from another page, so a value that does not fit becomes the initial value.
const readers = {
  sentence: (name) => Math.max(0, page.sentences.findIndex((_, i) => nameOf(i) === name)),
  run: (text) => wholeBelow(page.runs.length)(text) ?? 0,
  other: wholeBelow(page.runs.length),
  alternative: (text) => (/^[bi]\d+$/.test(text) ? text : null),
  difference: (text) => text === "1",
  epoch: (text) => epochsOf[state.run].find((epoch) => String(epoch) === text) ?? null,
  step: wholeBelow(1e4),
  column: wholeBelow(1e4),
  inspected: (text) => wholeBelow(2)(text) ?? 0,
  head: (text) => wholeBelow(headsOf(state.run))(text),
  temperature: (text) => threeDigits(within(0.1, 10, 1)(text)),
  rule: (text) => oneOf(Object.keys(linkRules), "argmax")(text),
  threshold: within(0.05, 0.95, 0.3),
  faint: (text) => text === "1",
  bare: (text) => text === "1",
  presenting: (text) => text === "1",
  theme: oneOf(["light", "dark"], null),
  sort: (text) => oneOf(sortsOffered, initial.sort)(text),
  reversed: (text) => text === "1",
  filter: (text) => text,
  tag: (text) => oneOf(allTags, null)(text),
  kinds: (text) => Object.keys(kinds).filter((kind) => text.split(",").includes(kind)).join(),
};

// Returns a note if the link names a sentence that the page does not have.
function missingSentence() {
  const name = new URLSearchParams(location.hash.slice(1)).get("s");
  if (name == null || page.sentences.some((_, i) => nameOf(i) === name)) return "";
  return `This page has no ${counted(1)} ${cut(visible(name))} (s=${cut(visible(name))} in the address), so another one is shown.`;
}

function readHash() {
  const parts = new URLSearchParams(location.hash.slice(1));
  Object.assign(state, initial);
  for (const [key, field] of Object.entries(keys)) {
    if (parts.has(key)) state[field] = readers[field](parts.get(key));
  }
  return parts.has("s") && missingSentence() === "";
}

// The record of sentence i in list and figures: of the current run and epoch.
const currentRecord = (i) => recordAt(i, state.run, state.epoch);
const lens = () => ({
  head: state.head,
  temperature: state.temperature,
  rule: state.rule,
  threshold: state.threshold,
});
