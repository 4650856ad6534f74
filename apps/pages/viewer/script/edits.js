// Compares two texts word by word: which words the second has lost, and which it has gained.

// The edits that turn `before` into `after`, in the order of the text: {kind: "kept" | "lost" | "added", token, at}.
// `at` is the token's position in `after`. For a lost token, it is the position of the next token. The edits follow
// from a longest common subsequence:
//   L(i, j) = 1 + L(i+1, j+1) if before_i = after_j, else max(L(i+1, j), L(i, j+1))      Wagner & Fischer 1974
function editsBetween(before, after) {
  const common = Array.from({ length: before.length + 1 }, () => new Array(after.length + 1).fill(0));
  for (let i = before.length - 1; i >= 0; --i) {
    for (let j = after.length - 1; j >= 0; --j) {
      common[i][j] = before[i] === after[j] ? 1 + common[i + 1][j + 1] : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  const edits = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const both = i < before.length && j < after.length;
    if (both && before[i] === after[j]) {
      edits.push({ kind: "kept", token: after[j], at: j });
      ++i;
      ++j;
    } else if (j === after.length || (both && common[i + 1][j] >= common[i][j + 1])) {
      edits.push({ kind: "lost", token: before[i++], at: j });
    } else {
      edits.push({ kind: "added", token: after[j], at: j++ });
    }
  }
  return edits;
}

// "−1 word, +2 words", or "the same words" if there is nothing to count.
function countEdits(edits) {
  const count = (kind, sign) => {
    const n = edits.filter((edit) => edit.kind === kind).length;
    return n > 0 ? [`${sign}${n} ${n === 1 ? "word" : "words"}`] : [];
  };
  return [...count("lost", "−"), ...count("added", "+")].join(", ") || "the same words";
}

// The second text, with lost words struck through at their old positions.
const editedSentence = (edits) => edits.flatMap(({ kind, token }, i) =>
  [...(i > 0 ? [" "] : []), kind === "kept" ? word(token) : element(kind === "lost" ? "del" : "ins", {}, word(token))]);
