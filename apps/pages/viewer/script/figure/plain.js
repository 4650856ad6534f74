// The figure of a model without attention: the words as written, and below each word its probability as a bar.

const hasWeights = (view) => view.rows.length > 0;

// The position of each word: {x, line, width}. A word needs space for the number below it.
function wordsOnLines(tokens, pixels) {
  let [x, line] = [0, 0];
  return tokens.map((token) => {
    const width = clamp(textWidth(beginning(token)), 34, pixels);
    if (x > 0 && x + width > pixels) [x, line] = [0, line + 1];
    const place = { x, line, width };
    x += width + 16;
    return place;
  });
}

function drawPlain({ record, probabilities }, name, { width }, beside, edits) {
  const [left, pitch] = [4, 56];
  const words = wordsOnLines(record.target_tokens, width - 2 * left);
  const right = Math.max(60, ...words.map((word) => word.x + word.width)) + 2 * left;
  const height = pitch * ((words.at(-1)?.line ?? 0) + 1);
  const added = placesOf(edits, "added");
  const node = svg("svg", {
    class: "figure plain", width: right, height, viewBox: `0 0 ${right} ${height}`, tabindex: "0", role: "img",
    "aria-label": `What ${name} wrote, and the probability of each word. The model has no attention.`,
  });
  words.forEach(({ x, line, width: room }, t) => {
    const top = pitch * line;
    const text = label(record.target_tokens[t], left + x, top + 18, { angle: 0, room: room + 1 },
      { class: `plain-word ${unknownClass(record, "target", t)}`, "data-t": t });
    text.setAttribute("text-anchor", "start");
    if (added.has(t)) text.classList.add("changed");
    node.append(text);
    if (!probabilities) return;
    const p = probabilities[t];
    node.append(svg("rect", { class: "gate-room", x: left + x, y: top + 25, width: room, height: 6 }),
      svg("rect", { class: p < 0.3 ? "bar doubtful" : "bar", x: left + x, y: top + 25, width: p * room, height: 6, "data-p": p }),
      svg("text", { class: "quiet", x: left + x, y: top + 45 }, cellNumber(p)));
  });
  return { node, point: () => {}, walk: () => {} };
}
