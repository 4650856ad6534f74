// The first sentence of the page: what rows and columns are, and which shade means high attention.

// "French words" if the languages are known, else "target words".
const wordsOf = (side) => `${page.languages?.[side] ?? side} words`;

const highAttention = (shade = theme() === "dark" ? "Bright" : "Dark") => `${shade}: high attention.`;

function introductionOfSelf({ self, judged }) {
  if (judged) return "First figure: rows are the words of the premise, columns those of the hypothesis. Second figure: the reverse.";
  if (self === "decoder") return "Rows: the words as written. Columns: the words before them, which the model attends to.";
  return `Rows and columns: the ${wordsOf("source")}. Each row attends to the words of its own sentence.`;
}

function introductionOf(view) {
  const { record } = view;
  if (!hasWeights(view)) return "This model has no attention to show. The words as written, each with its probability.";
  if (record.self) return `${introductionOfSelf(record)} ${highAttention()}`;
  const kind = kindOf(record);
  if (kind === "cells") return `Each small picture: one word of the caption as written. ${highAttention(showsPicture(view) ? "Bright" : undefined)}`;
  if (kind === "sentences") {
    const columns = columnsOf(view).length > 1 ? "Columns: the attention steps (hops), one after another" : "Column: the attention weights";
    return `Rows: the sentences of the story as read. ${columns}. ${highAttention()}`;
  }
  if (isPosterior(record)) return `Rows: the ${wordsOf("target")}. Columns: the ${wordsOf("source")}. ${highAttention().replace("attention", "probability of a link")}`;
  return `Rows: the ${wordsOf("target")} as written. Columns: the ${wordsOf("source")} read. ${highAttention()}`;
}

function drawIntroduction(shown) {
  const parts = shown.length > 0 ? [introductionOf(shown[0].view)] : [];
  if (showsDifference(shown)) parts.push("Second figure: A − B, blue where A attends more and orange where B does.");
  const marks = marksExplained(shown.filter(({ view }) => hasWeights(view)));
  byId("introduction").textContent = [...parts, ...(marks ? [marks] : [])].join(" ");
}
