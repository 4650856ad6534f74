// Keys, their actions, and the help that lists them.

const keysExplained = [
  ["j  k", "next, previous sentence"],
  ["[  ]", "previous, next epoch"],
  ["space", "play the training timeline"],
  ["c  d", "compare with another run, show the difference"],
  ["p", "present: figures in large type, and the numbers of the selected step"],
  ["arrows", "move between cells, once a figure has the focus; between the words of a picture, and with Shift between its cells"],
  ["v", "play the caption of a picture, word by word"],
  ["b", "the weights of a picture without the picture"],
  ["1 … 9, 0", "one head, the mean of all"],
  ["s", "show faint weights"],
  ["w", "the weights as a table, below the figure"],
  ["/", "filter"],
  ["t", "light or dark"],
  ["Esc", "back to the model's own attention; clear the selection; leave the presentation"],
];

const wordsExplained = [
  ["AER", "alignment error rate (Och & Ney 2003): 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|) for the links A that are found, the " +
    "sure gold links S and all gold links P. 0% is best. The AER below the list is pooled over its sentences: counts are added " +
    "first. Tracked sentences belong to the validation pairs and are left out of it."],
  ["precision, recall", "the share of found links that are in gold; the share of sure gold links that are found."],
  ["attention accuracy, mass in gold", "for pictures and stories, where any of several positions is right: the share of words whose largest " +
    "weight lies in gold; the share of the weight that lies in gold. Both are counted over all words with gold."],
  ["hop", "one attention step of a model that attends several times to the same sentences, each time with a query that holds what it has read."],
  ["entropy", "how spread the weights of a step are, −Σ a ln a in nats: 0 if one word has all, ln S if all S words have the same."],
  ["log p", "the natural logarithm of the probability that the model gives the translation; 0 would be certainty."],
  ["timeline", "the attention to a sentence after each epoch of the training. Other sentences are recorded for the kept model only; at an " +
    "epoch the list marks them n/a."],
  ["tracked", "a validation sentence that has a training timeline (train --track)."],
  ["kept", "the model of the best epoch, which training saves and all programs use."],
  ["intervention", "a translation during which one step was forced to attend to one word, kept from a word, given shuffled " +
    "weights, or made to write another word (align --intervene); everything after that step is the model's own."],
  ["beams", "the translations that beam search ended with, best first."],
];

function showHelp() {
  const paragraphs = [
    `${byId("introduction").textContent} ` + (pageIsPosterior
      ? "Each row sums to 1. The column </s> is the empty word: its value is the probability that the word has no link."
      : "Each row is a softmax over the columns and sums to 1: the attention that the model paid while it wrote one word."),
    pageIsPosterior ? "Click a row to read its links in words and numbers." : "Click a row to read its step in words and numbers. Click an intervention at the right to see what the model writes if that " +
      "step attends elsewhere.",
    "Orange outlines are the gold alignment: solid where annotators are sure, dashed where a link is possible. A dot is a link " +
      "that gold accepts, a cross is a link that it does not accept; in a figure without gold, a dot is any link. Bars on the right show the entropy of a step and the probability " +
      "of its word. Bars below show how much attention a source word received in all; the dotted line is 1.",
    "For pictures, each small map is one word: cells with attention are lit. For stories, the columns are the hops. For two " +
      "sentences, the first matrix shows the premise attending to the hypothesis, the second the reverse.",
    ...(pageIsPosterior ? [] : ["Attention shows where the decoder drew its context from; it need not be the reason for a word."]),
  ];
  const lines = keysExplained.map(([key, what]) => element("tr", {}, element("td", {}, element("kbd", {}, key)), element("td", {}, what)));
  const words = wordsExplained.flatMap(([name, what]) => [element("dt", {}, name), element("dd", {}, what)]);
  byId("help").replaceChildren(element("h1", { id: "help-title", tabindex: -1, autofocus: "" }, "Reading this page"),
    ...paragraphs.map((p) => element("p", {}, p)), element("table", {}, ...lines), element("dl", {}, ...words),
    element("button", { onclick: () => byId("help").close() }, "Close"));
  byId("help").showModal();
  byId("help").scrollTop = 0;
}

// The actions are functions, because the functions that they call are in other files.
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
  "p": () => togglePresenting(),
  "v": () => playCaption(),
  "b": () => toggleBare(),
  "/": () => byId("filter").focus(),
  "?": showHelp,
  "t": () => toggleTheme(),
  "Escape": () => goBack(),
};

function actionOf(key, target, shift = false) {
  const isArrow = /^Arrow/.test(key);
  if (isArrow && target.closest?.(".figure")) return () => figures[0].walk(key, shift);
  if (target === byId("list") && ["ArrowDown", "ArrowUp"].includes(key)) return () => stepSentence(key === "ArrowDown" ? 1 : -1);
  const heads = currentRecord(state.sentence)?.heads?.length ?? 0;
  if (/^\d$/.test(key) && Number(key) <= heads) return () => chooseHead(key === "0" ? null : Number(key) - 1);
  return actions[key];
}

// A control that has the focus gets the keys that it uses itself.
function keyDown(event) {
  const { key, target } = event;
  const tag = target.tagName;
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open || tag === "SELECT") return;
  if (target === byId("filter") || target.type === "text" || tag === "TEXTAREA") {
    if (key === "Escape") target.blur();
    return;
  }
  if ((tag === "INPUT" && /^Arrow/.test(key)) || (tag === "BUTTON" && key === " ")) return;
  const action = actionOf(key, target, event.shiftKey);
  if (!action) return;
  event.preventDefault();
  action();
}
