// The field and the buttons at the top of a live page, and the start of the engine. The page without engine starts first.

function makeBar() {
  const button = (id, text, onclick, more = {}) => element("button", { id, onclick, ...more }, text);
  byId("main").prepend(element("section", { id: "live", "aria-label": "Your own sentence" },
    element("div", { class: `live-line for-${task}` },
      ...makeFields(),
      button("live-copy", fieldsOf.copy, copySentence, { title: "Copy what is shown into the field", hidden: "" }),
      button("live-save", "Save record", saveRecords, { title: "Save the alignment record as JSON. The button SVG above a figure saves the figure", disabled: "" }),
      button("live-train", "Train a model", train, { title: "Train a small model in this page", disabled: "", hidden: byId("live-lesson").textContent ? null : "" })),
    element("div", { class: "live-line" },
      element("p", { id: "live-words", "aria-live": "polite" }, "The engine starts."),
      element("p", { id: "live-hint", hidden: "" }, fieldsOf.drag),
      element("div", { id: "live-weight", role: "group", "aria-label": "Attention weight of the selected cell", hidden: "" },
        element("span", { id: "live-cell" }),
        element("input", { id: "live-slider", type: "range", min: 0, max: 100, "aria-label": "Attention weight" }),
        element("b", { id: "live-value" }),
        button("live-reset", "Reset", leaveAlternative, { class: "small", title: "Back to the model's own attention (Esc)" }))),
    element("div", { id: "live-training", class: "live-line", hidden: "" },
      element("progress", { id: "live-progress", max: 1, value: 0, "aria-label": "Progress of the training" }),
      element("p", { id: "live-status", role: "status" }),
      button("live-stop", "Stop", stopTraining, { class: "small" }),
      button("live-download", "Download the trained run", downloadRun,
        { class: "small", title: "Save a zip file with a run folder, which translate and the other programs open", hidden: "" }))));
}

const copySentence = () => typed(textOf(anyRecord(state.sentence)));

const isReady = () => document.documentElement.dataset.live === "ready";

function drawLive() {
  document.body.classList.toggle("own", isOwn());
  byId("live-copy").hidden = isOwn() || !isReady();
  const base = live.bases[state.run];
  byId("live-save").disabled = !isOwn() || !base?.matrix.length;  // without attention there is no alignment
  drawWeight();
}

// Shows the recorded sentences only, and says why.
function startWithoutEngine(error, recorded) {
  if (isOwn()) state.sentence = recorded;
  document.body.classList.remove("live-nothing");
  showMessage(`The engine of this page cannot start, so you can only look at the recorded sentences: ${error.message ?? error}`);
  document.documentElement.dataset.live = "failed";
  drawAll();
}

function listenLive() {
  for (const field of fieldNodes()) {
    field.addEventListener("input", typeSoon);
    field.addEventListener("scroll", () => followScrolling(field));
    field.addEventListener("keydown", (event) => { if (event.key === "Enter") typeSoon(); });
  }
  if (paints) listenToBoard();
  listenToDragging();
  addEventListener("hashchange", () => {
    state.typed ||= fieldText() || live.example;
    setFields(state.typed);
    if (isOwn()) showTyped();
  });
}

async function startLive() {
  const recorded = isOwn() ? 0 : state.sentence;
  const opensOnOwn = isOwn() || !live.linked;
  live.example = textOf(anyRecord(recorded));
  state.typed ||= live.example;
  makeBar();
  setFields(state.typed);
  alsoDraw.push(drawLive);
  if (isOwn()) document.body.classList.add("live-nothing");
  draw();
  document.documentElement.dataset.live = "starting";
  try {
    const [bytes, run] = await Promise.all(["live-engine", "live-run"].map(unpackedBytes));
    live.bytes = bytes;
    live.engines[0] = await openEngine(filesOf(run));
  } catch (error) {
    return startWithoutEngine(error, recorded);
  }
  document.documentElement.dataset.live = "ready";
  for (const node of document.querySelectorAll("#live .live-input, #live-train")) node.disabled = false;
  listenLive();
  showMessage("");
  if (!opensOnOwn) return draw();
  state.sentence = live.own;
  showTyped();
  markSelected();
}

alsoStart.push(startLive);
