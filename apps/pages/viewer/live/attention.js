// Changing the attention. The user chooses a weight of the typed sentence, picture or story by dragging its cell, by a
// slider, or by keys. The other weights of the row keep their proportions, and the decoder continues from this step. If
// the model attends in several hops, all hops get the row.

const canChange = () => isOwn() && Boolean(live.engines[state.run]?.info.changes) && live.bases[state.run] != null && state.head == null;

// Returns the row with weight w at column s. The others share 1 - w as before, or equally if they had nothing.
function rowWith(row, s, w) {
  const rest = sum(row) - row[s];
  return row.map((a, k) => (k === s ? w : rest > 1e-6 ? (a / rest) * (1 - w) : (1 - w) / (row.length - 1)));
}

// "2.0.0.75" in the URL: at step 2, column 0 has weight 0.75.
function changeIn(text) {
  const [t, s, ...weight] = text.split(".");
  return { t: Number(t), s: Number(s), weight: Number(weight.join(".")) };
}

// Returns the present weight of a cell: the chosen one, or the model's own.
function weightOf(t, s) {
  const chosen = state.alternative === "i0" && state.weight != null ? changeIn(state.weight) : null;
  return chosen?.t === t && chosen.s === s ? chosen.weight : live.bases[state.run].matrix[t][s];
}

// Translates with weight w in cell (t, s) and shows the result next to the original. Returns false if that is impossible.
function changeWeight(t, s, w) {
  const base = live.bases[state.run];
  if (!canChange() || t >= base.matrix.length || s >= base.source_tokens.length) return false;
  const weight = base.source_tokens.length === 1 ? 1 : clamp(Math.round(100 * w) / 100, 0, 1);
  let record;
  try {
    record = reweight(live.engines[state.run], textForEngine(live.engines[state.run]), t, rowWith(base.matrix[t], s, weight));
  } catch (error) {
    showMessage(error.message);
    return false;
  }
  record.intervention = { ...record.intervention, source: s, weight };
  live.changed = record;
  const first = firstRecord(live.own);
  page.sentences[live.own].runs[state.run].interventions =
    [{ ...base, intervention: { kind: "none" } }, record].map((each) => comparedWith(first, each));
  Object.assign(state, { alternative: "i0", other: null, difference: false, epoch: null, step: t, column: s, inspected: 0, weight: `${t}.${s}.${weight}` });
  draw();
  return true;
}

// Makes the change that the URL names. Returns false, and forgets it, if the sentence has no such cell.
function applyWeight() {
  const { t, s, weight } = changeIn(state.weight);
  const changed = changeWeight(t, s, weight);
  if (!changed) state.weight = null;
  return changed;
}

function chosenCell() {
  const [t, s] = [state.step, state.column];
  if (!canChange() || t == null || s == null) return null;
  const { matrix, source_tokens } = live.bases[state.run];
  return t < matrix.length && s < source_tokens.length ? [t, s] : null;
}

function stepWeight(by) {
  const cell = chosenCell();
  if (cell) changeWeight(...cell, weightOf(...cell) + by);
}
Object.assign(actions, { "+": () => stepWeight(0.1), "=": () => stepWeight(0.1), "-": () => stepWeight(-0.1) });
keysExplained.splice(6, 0, ["+  −", "more or less attention on the selected cell of your sentence"]);

// --- the slider ---

function drawWeight() {
  if (isReady() && state.alternative !== "i0") state.weight = null;
  const cell = chosenCell();
  byId("live-weight").hidden = !cell;
  byId("live-hint").hidden = Boolean(cell) || !canChange();
  for (const node of document.querySelectorAll(".draggable")) {
    node.classList.remove("draggable");
    node.removeEventListener("touchmove", keepFromScrolling);
  }
  if (!cell) return;
  const [t, s] = cell;
  const base = live.bases[state.run];
  const w = weightOf(t, s);
  byId("live-cell").replaceChildren(`Step ${t + 1}: `, strong(base.target_tokens[t]), " ← ", ...placeName(base, s));
  byId("live-slider").value = Math.round(100 * w);
  byId("live-slider").setAttribute("aria-valuetext", w.toFixed(2));
  byId("live-value").textContent = w.toFixed(2);
  byId("live-reset").disabled = state.alternative !== "i0";
  for (const node of document.querySelectorAll(`.cell[data-t="${t}"][data-s="${s}"]`)) {
    node.classList.add("draggable");
    node.addEventListener("touchmove", keepFromScrolling, { passive: false });
  }
}

// A named function, so that a cell has this listener only once. A dragged cell gets these events even after the next
// drawing has replaced it.
const keepFromScrolling = (event) => { if (event.cancelable) event.preventDefault(); };

// --- dragging ---

const pixelsOfOne = 120;  // the distance up that changes a weight from 0 to 1

// Returns the cell where a drag begins, or null. A finger drags only the selected cell, because it scrolls elsewhere.
function cellToDrag(event) {
  const figure = figureAt(event);
  const { t, s } = event.target.dataset ?? {};
  if (event.button !== 0 || !canChange() || !figure || figure.turned || figure.from || t == null || s == null) return null;
  if (figure.panel > 0 && state.alternative !== "i0") return null;
  if (event.pointerType === "touch" && !event.target.classList.contains("draggable")) return null;
  return Number(t) < live.bases[state.run].matrix.length ? [Number(t), Number(s)] : null;
}

function listenToDragging() {
  let [drag, frame, dragged] = [null, 0, false];
  const panels = byId("panels");
  panels.addEventListener("pointerdown", (event) => {
    const cell = cellToDrag(event);
    if (cell) drag = { cell, y: event.clientY, from: weightOf(...cell), pointer: event.pointerId, moved: false };
  });
  addEventListener("pointermove", (event) => {
    if (event.pointerId !== drag?.pointer) return;
    const { cell, from, y } = drag;
    if (!drag.moved && Math.abs(event.clientY - y) < 4) return;
    if (!drag.moved) panels.setPointerCapture(drag.pointer);  // each change draws new cells, and the old ones get no events
    drag.moved = true;
    event.preventDefault();
    hideTip();
    const w = from + (y - event.clientY) / pixelsOfOne;
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      state.dragging = drag != null;
      changeWeight(...cell, w);
    });
  });
  const end = (event) => {
    if (event.pointerId !== drag?.pointer) return;
    dragged = drag.moved;
    drag = null;
    if (!dragged) return;
    setTimeout(() => { dragged = false; });
    requestAnimationFrame(() => {  // after the last change
      state.dragging = false;
      draw();
    });
  };
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
  // The end of a drag is no click, which would select another cell.
  panels.addEventListener("click", (event) => { if (dragged) event.stopPropagation(); }, { capture: true });
  byId("live-slider").addEventListener("input", (event) => {
    const cell = chosenCell();
    if (cell) changeWeight(...cell, Number(event.target.value) / 100);
  });
}
