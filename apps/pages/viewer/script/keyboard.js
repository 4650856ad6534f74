// Keys, what each does, and the help that lists them.

const keysExplained = [
  ["j  k", "next, previous sentence"],
  ["[  ]", "previous, next epoch"],
  ["space", "play the training"],
  ["c  d", "compare with another run, show the difference"],
  ["arrows", "walk the cells, once a figure has the focus; of a picture step through its words"],
  ["p", "play the caption of a picture"],
  ["b", "the weights of a picture alone, without it"],
  ["1 … 9, 0", "one head, the mean of all"],
  ["s", "show faint weights"],
  ["w", "the weights as a table"],
  ["/", "filter"],
  ["t", "light or dark"],
  ["Esc", "clear the selection"],
];

const wordsExplained = [
  ["AER", "alignment error rate (Och & Ney 2003): 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|) for the links A that are found, the " +
    "sure gold links S and all gold links P; 0% is best. Below the list it is pooled over the sentences of the list, counts " +
    "first, tracked ones aside, which are of the validation pairs."],
  ["precision, recall", "how many of the links found are in gold; how many of the sure gold links are found."],
  ["pointing, mass in gold", "of pictures and stories, where any of several places is right: how many of the words with gold have their " +
    "largest weight there; how much of their weights lies there. Below the list over all words, not a mean of sentences."],
  ["hop", "a look of a model that looks several times at the same sentences, each time asking by what it has found before."],
  ["entropy", "how spread the weights of a step are, −Σ a ln a in nats: 0 where one word has all, ln S where all S words have the same."],
  ["log p", "the natural logarithm of the probability that the model gives the translation; 0 would be certainty."],
  ["tracked", "a validation sentence whose attention was recorded after every epoch of the training (train --track): it has a film."],
  ["kept", "the model of the best epoch, which the training kept and all programs use."],
  ["intervention", "a translation for which one step was made to look at one word only, not to look at one, to look with its " +
    "weights shuffled, or to write another word (align --intervene); all after that step is the model's."],
  ["beams", "the translations that beam search ended with, best first."],
];

function showHelp() {
  const paragraphs = [
    "Each row of the matrix is one step of the decoder: a softmax over the source words, which sums to 1. The more colour, " +
      "the more of its context the decoder drew from that word.",
    "Orange outlines are the gold alignment: solid where annotators are sure, dashed where a link is possible. A dot is a link " +
      "that gold accepts, a cross one that it does not. Bars on the right show how spread a step is and how probable its " +
      "word was; those below how much a source word was looked at in all, the dotted line being once.",
    "Of a picture each small map is one word: what it looked at is lit, the rest lies in the dark. Of a story the columns are " +
      "the looks, one after the other. Of two sentences the left matrix says where the words of the premise looked in the " +
      "hypothesis, the right one the reverse.",
    "Attention shows where the decoder drew its context from; it need not be the reason for a word.",
  ];
  const lines = keysExplained.map(([key, what]) => element("tr", {}, element("td", {}, element("kbd", {}, key)), element("td", {}, what)));
  const words = wordsExplained.flatMap(([name, what]) => [element("dt", {}, name), element("dd", {}, what)]);
  byId("help").replaceChildren(element("h1", { id: "help-title" }, "Reading this page"), ...paragraphs.map((p) => element("p", {}, p)),
    element("table", {}, ...lines), element("dl", {}, ...words), element("button", { onclick: () => byId("help").close() }, "Close"));
  byId("help").showModal();
}

// Looked up when a key is pressed; what it names stands in the other files.
const actions = {
  "j": () => stepSentence(1),
  "k": () => stepSentence(-1),
  "[": () => stepEpoch(-1),
  "]": () => stepEpoch(1),
  " ": () => playEpochs(),
  "c": () => toggleCompare(),
  "d": () => toggleDifference(),
  "s": () => toggleFaint(),
  "w": () => toggleTable(),
  "p": () => playCaption(),
  "b": () => toggleBare(),
  "/": () => byId("filter").focus(),
  "?": showHelp,
  "t": () => toggleTheme(),
  "Escape": () => clearSelection(),
};

function actionOf(key, target) {
  const isArrow = /^Arrow/.test(key);
  if (isArrow && target.closest?.(".figure")) return () => figures[0].walk(key);
  if (target === byId("list") && ["ArrowDown", "ArrowUp"].includes(key)) return () => stepSentence(key === "ArrowDown" ? 1 : -1);
  const heads = currentRecord(state.sentence)?.heads?.length ?? 0;
  if (/^\d$/.test(key) && Number(key) <= heads) return () => chooseHead(key === "0" ? null : Number(key) - 1);
  return actions[key];
}

// Keys belong to the control that has the focus where it knows what to do with them.
function keyDown(event) {
  const { key, target } = event;
  const tag = target.tagName;
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open || tag === "SELECT") return;
  if (target === byId("filter")) {
    if (key === "Escape") target.blur();
    return;
  }
  if ((tag === "INPUT" && /^Arrow/.test(key)) || (tag === "BUTTON" && key === " ")) return;
  const action = actionOf(key, target);
  if (!action) return;
  event.preventDefault();
  action();
}
