// Keys, what each does, and the help that lists them.

const keysExplained = [
  ["j  k", "next, previous sentence"],
  ["[  ]", "previous, next epoch"],
  ["space", "play the training"],
  ["c  d", "compare with another run, show the difference"],
  ["arrows", "walk the cells, once a figure has the focus"],
  ["1 … 9, 0", "one head, the mean of all"],
  ["s", "show faint weights"],
  ["w", "the weights as a table"],
  ["/", "filter"],
  ["t", "light or dark"],
  ["Esc", "clear the selection"],
];

function showHelp() {
  const paragraphs = [
    "Each row of the matrix is one step of the decoder: a softmax over the source words, which sums to 1. The more colour, " +
      "the more of its context the decoder drew from that word.",
    "Orange outlines are the gold alignment: solid where annotators are sure, dashed where a link is possible. A dot is a link " +
      "that gold accepts, a cross one that it does not. Bars on the right show how spread a step is and how probable its " +
      "word was; those below how much a source word was looked at in all, the dotted line being once.",
    "Attention shows where the decoder drew its context from; it need not be the reason for a word.",
  ];
  const lines = keysExplained.map(([key, what]) => element("tr", {}, element("td", {}, element("kbd", {}, key)), element("td", {}, what)));
  byId("help").replaceChildren(element("h1", { id: "help-title" }, "Reading this page"), ...paragraphs.map((p) => element("p", {}, p)),
    element("table", {}, ...lines), element("button", { onclick: () => byId("help").close() }, "Close"));
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
  "/": () => byId("filter").focus(),
  "?": showHelp,
  "t": () => toggleTheme(),
  "Escape": () => clearSelection(),
};

function actionOf(key, target) {
  const isArrow = /^Arrow/.test(key);
  if (isArrow && target.closest?.(".figure")) return () => walk(key);
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
