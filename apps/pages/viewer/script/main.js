// Draws the page from the state, and turns clicks and keys into changes of the state.

function draw() {
  const shown = panelsShown();
  if (shown.length < 2) state.inspected = 0;
  document.body.classList.toggle("comparing", shown.length > 1);
  drawControls(shown);
  document.body.classList.toggle("presenting", state.presenting);
  // First, because the figures get the remaining space.
  document.body.classList.toggle("showing-step", presentsStep(shown));
  document.body.classList.toggle("two-runs", shown.length > 1 && state.alternative == null);
  drawCurves();  // first, because the curves' height is not available to the figures
  drawHead(shown);
  drawIntroduction(shown);
  reserveReading(shown);
  drawReading(shown);
  drawPanels(shown);
  drawLegend(shown);
  drawTable(shown);
  drawInspector(shown);
  for (const drawMore of alsoDraw) drawMore();
  writeHash();
}

// Scrolls a changed element into view if it is outside. On a phone it may be screens away.
function reveal(node) {
  if (!node) return;
  const { top, bottom } = node.getBoundingClientRect();
  const foot = byId("strip").getBoundingClientRect().top || innerHeight;
  if (top >= 0 && (bottom <= foot || top <= foot / 3)) return;
  node.scrollIntoView({ block: "start" });
}

// Redraws only the parts that depend on the selected row or cell.
function drawSelection() {
  const shown = panelsShown();
  if (presentsStep(shown) !== document.body.classList.contains("showing-step")) return draw();
  drawReading(shown);
  drawNumbersOfRow(shown);
  drawInspector(shown);
  pointAt(state.step, state.column);
  for (const drawMore of alsoDraw) drawMore();
  writeHash();
}

// Redraws everything that depends on the lens: epoch, run, head, temperature, rule.
function refresh() {
  sortSentences();
  drawAll();
}
function drawAll() {
  drawChips();
  drawList();
  draw();
  markSelected();  // again, because the list may be lower now
}

// Shows the page's answer to a request.
const say = (text) => { byId("said").textContent = text; };

let waiting = 0;
function refreshSoon() {
  cancelAnimationFrame(waiting);
  waiting = requestAnimationFrame(refresh);
}

function drawControls(shown) {
  const several = page.runs.length > 1;
  for (const id of ["compare", "other"]) byId(id).hidden = !several;
  byId("difference").hidden = !hasDifference(shown);
  byId("run").value = state.run;
  byId("other").value = state.other ?? otherRun();
  byId("compare").setAttribute("aria-pressed", String(state.other != null));
  byId("difference").setAttribute("aria-pressed", String(state.difference));
  byId("present").setAttribute("aria-pressed", String(state.presenting));
  byId("reverse").setAttribute("aria-pressed", String(state.reversed));
  byId("sort").value = state.sort;
  if (byId("filter").value !== state.filter) byId("filter").value = state.filter;
  byId("about").textContent = page.runs[state.run].about;
}

const otherRun = () => (state.run === 0 ? 1 : 0);

function goTo(i) {
  stopCaption();
  Object.assign(state, { sentence: i, step: null, column: null, alternative: null });
  say("");
  markSelected();  // first, because measuring the list is cheap before the figure changes
  draw();
}
function stepSentence(by) {
  const at = order.indexOf(state.sentence);
  const next = order[at < 0 ? 0 : clamp(at + by, 0, order.length - 1)];
  if (next != null && next !== state.sentence) goTo(next);
}

function toggleCompare() {
  if (page.runs.length < 2) return;
  state.other = state.other == null ? Number(byId("other").value) : null;
  state.alternative = null;
  draw();
}
function toggleDifference() {
  state.difference = !state.difference;
  draw();
}
function togglePresenting() {
  state.presenting = !state.presenting;
  draw();
  drawRows();  // the list has its full height again
}
function toggleTheme() {
  state.theme = theme() === "dark" ? "light" : "dark";
  applyTheme();
  refresh();
}
function toggleTable() {
  byId("table").hidden = !byId("table").hidden;
  drawTable(panelsShown());
  if (!byId("table").hidden) byId("table").scrollIntoView({ block: "start" });
}

// Returns from an intervention or another translation to the model's own attention.
function leaveAlternative() {
  state.alternative = null;
  draw();
  reveal(byId("panels"));
}

// Esc goes back one step: from an alternative, from a selection, from the presentation.
function goBack() {
  stopCaption();
  if (state.alternative != null) return leaveAlternative();
  if (state.step != null || state.column != null) Object.assign(state, { step: null, column: null });
  else state.presenting = false;
  draw();
}

function listen() {
  const on = (id, event, act) => byId(id).addEventListener(event, act);
  on("run", "change", (event) => {
    Object.assign(state, { run: Number(event.target.value), alternative: null, head: null });
    if (state.other === state.run) state.other = otherRun();
    if (!epochsOf[state.run].includes(state.epoch)) state.epoch = null;
    say("");
    refresh();
  });
  on("other", "change", (event) => {
    Object.assign(state, { other: Number(event.target.value), alternative: null });
    draw();
  });
  on("compare", "click", toggleCompare);
  on("difference", "click", toggleDifference);
  on("theme", "click", toggleTheme);
  on("help-button", "click", showHelp);
  for (const id of ["present", "leave"]) on(id, "click", togglePresenting);
  on("print", "click", () => window.print());
  on("play", "click", playEpochs);
  on("save-curves", "click", saveCurves);
  on("epoch", "input", (event) => goToEpoch(places()[Number(event.target.value)]));
  on("sort", "change", (event) => changeList({ sort: event.target.value }));
  on("reverse", "click", () => changeList({ reversed: !state.reversed }));
  on("filter", "input", (event) => changeList({ filter: event.target.value }));
  on("tag", "change", (event) => changeList({ tag: event.target.value || null }));
  on("list", "scroll", drawRows);
  on("list", "click", (event) => {
    const item = event.target.closest("[role=option]");
    if (item) goTo(Number(item.dataset.i));
  });
  on("panels", "pointerover", pointerOver);
  on("panels", "pointerleave", pointerOut);
  on("panels", "click", clickFigure);
  addEventListener("keydown", keyDown);
  addEventListener("resize", () => requestAnimationFrame(() => {
    draw();
    drawRows();
  }));
  addEventListener("hashchange", () => {
    readHash();
    say(missingSentence());
    applyTheme();
    refresh();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    applyTheme();
    refresh();
  });
  listenToPrinting();
}

// The figure shows a sentence of the list. If the list has lost this sentence, the figure shows the first one.
function changeList(changes) {
  Object.assign(state, changes);
  sortSentences();
  const lost = order.length > 0 && !order.includes(state.sentence);
  if (lost) Object.assign(state, { sentence: order[0], step: null, column: null, alternative: null });
  drawChips();
  byId("list").scrollTop = 0;
  drawList();
  if (lost) return draw();
  const shown = panelsShown();
  drawControls(shown);
  drawInspector(shown);  // its AER is computed over the list
  writeHash();
}

// Paper is always light.
function listenToPrinting() {
  addEventListener("beforeprint", () => {
    document.documentElement.dataset.theme = "light";
    draw();
  });
  addEventListener("afterprint", () => {
    applyTheme();
    draw();
  });
}

function listRuns() {
  for (const id of ["run", "other"]) byId(id).replaceChildren(...page.runs.map((run, m) => element("option", { value: m }, run.name)));
}

function start() {
  listRuns();
  byId("notes").replaceChildren(...page.notes.map((note) => element("span", {}, `Note: ${note}. `)));
  makeChips();
  const linked = readHash();
  say(missingSentence());
  applyTheme();
  // In file order, tracked sentences come first, so the page opens on one of them.
  if (!linked && !new URLSearchParams(location.hash.slice(1)).has("o") && page.sentences.some(({ tracked }) => tracked)) state.sort = "order";
  sortSentences();
  if (!linked) {
    // Without links, no sentence is better to show than another.
    const first = pageKind === "words" && !hasLinks ? order[0] : bestToShow(order);
    state.sentence = first ?? state.sentence;
    if (page.runs.length > 1) state.other = 1;  // with --compare, both runs are shown
  }
  drawAll();
  listen();
  document.documentElement.dataset.ready = "true";
}

start();
for (const startMore of alsoStart) startMore();
