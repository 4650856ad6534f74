// The list of sentences: chips and tags that filter it, one row per sentence, and the pooled figures below. All rows
// have the same height, and only the visible ones exist.

const rowHeight = 62;
const rowsBeyond = 6;  // extra rows above and below the visible ones, for scrolling

let rows = new Map();              // sentence -> its row, until the list changes
let rowsOf = null;                 // the run of these rows
let drawn = { first: 0, end: 0 };  // range of positions in the list

// If the chosen epoch has no record of the sentence, the row has no figure, because the list never mixes epochs.
function figureOf(record, i) {
  if (record && !isRecordedAt(i, state.run, state.epoch)) {
    return element("div", { class: "figure-of", title: `Recorded for the ${keptModel(state.run)} only` }, "n/a", element("small", {}, `epoch ${state.epoch}`));
  }
  // File order has no figure of its own.
  const { value, show } = sorts[state.sort === "order" ? initial.sort : state.sort];
  const [figure, unit] = record ? show(value(record)) : ["", ""];
  return element("div", { class: "figure-of" }, figure, element("small", {}, unit));
}

// Makes the words of a row. fillRow adds the parts that depend on the lens and on the order.
function makeRow(i) {
  const words = currentRecord(i) ?? anyRecord(i);
  const lines = [briefly(words), sentence(spoken(words), unknownOf(words, "target"))];
  // The thumbnail of a picture is next to them.
  const [first, second] = kindOf(words) === "cells" ? lines.reverse() : lines;
  const extras = Object.keys(kinds).filter((kind) => has(i, kind)).map((kind) => element("i", {}, kinds[kind].name));
  return element("li", { role: "option", id: `sentence-${i}`, "data-i": i }, element("canvas", { "aria-hidden": "true" }),
    element("div", { class: "texts" }, element("span", { class: "source", dir: "auto" }, ...first),
      element("span", { class: "target", dir: "auto" }, ...second), element("span", { class: "has" }, ...extras)),
    element("div"));
}

function fillRow(row, i, at) {
  const record = currentRecord(i);
  if (record) thumbnailOf(row.firstChild, record);
  row.lastChild.replaceWith(figureOf(record, i));
  row.classList.toggle("weightless", record?.matrix.length === 0);
  row.classList.toggle("elsewhen", Boolean(record) && !isRecordedAt(i, state.run, state.epoch));
  furnish(row, { "aria-posinset": at + 1, "aria-setsize": order.length, "aria-selected": i === state.sentence ? "true" : null }, []);
}

// Spacers above and below the rows, as high as the rows that do not exist.
const spaces = [0, 1].map(() => element("li", { role: "presentation" }));

function setSpaces(above, below) {
  spaces[0].style.height = `${above * rowHeight}px`;
  spaces[1].style.height = `${below * rowHeight}px`;
}

// Makes the visible rows and some more. Existing rows are kept, so that they need no new layout.
function drawRows({ stale = false } = {}) {
  const list = byId("list");
  const top = clamp(Math.floor(list.scrollTop / rowHeight), 0, order.length);
  const bottom = Math.min(order.length, top + Math.ceil(list.clientHeight / rowHeight) + 1);
  if (top >= drawn.first && bottom <= drawn.end) return;
  drawn = { first: Math.max(0, top - rowsBeyond), end: Math.min(order.length, bottom + rowsBeyond) };
  const wanted = order.slice(drawn.first, drawn.end);
  const before = rows;
  rows = new Map(wanted.map((i, k) => {
    const row = before.get(i) ?? makeRow(i);
    if (stale || !before.has(i)) fillRow(row, i, drawn.first + k);
    return [i, row];
  }));
  for (const [i, row] of before) if (!rows.has(i)) row.remove();
  setSpaces(drawn.first, order.length - drawn.end);
  let last = spaces[0];
  for (const row of rows.values()) {
    if (last.nextSibling !== row) last.after(row);
    last = row;
  }
  pointToSelected();
}

function pointToSelected() {
  if (rows.has(state.sentence)) byId("list").setAttribute("aria-activedescendant", `sentence-${state.sentence}`);
  else byId("list").removeAttribute("aria-activedescendant");
}

// Redraws everything, for other sentences, another order, or other weights.
function drawList() {
  const list = byId("list");
  list.style.setProperty("--row", `${rowHeight}px`);
  if (rowsOf !== state.run) forgetRows();
  setSpaces(0, order.length);  // so that the list can be scrolled to its end before the rows exist
  drawNothing();
  drawPooled();
  scrollToSelected();
  drawn = { first: 0, end: -1 };
  drawRows({ stale: true });
  markSelected();
}

function forgetRows() {
  rowsOf = state.run;
  rows = new Map();
  byId("list").replaceChildren(...spaces);
}

function scrollToSelected() {
  const list = byId("list");
  const top = order.indexOf(state.sentence) * rowHeight;
  const height = Math.floor(list.getBoundingClientRect().height);  // clientHeight may be rounded up
  if (top >= 0) list.scrollTop = clamp(list.scrollTop, top + rowHeight - height, top);
}

function markSelected() {
  scrollToSelected();
  for (const [i, row] of rows) {
    if (i === state.sentence) row.setAttribute("aria-selected", "true");
    else row.removeAttribute("aria-selected");
  }
  drawRows();
  pointToSelected();
}

// An empty list says why it is empty, and how to change that.
function drawNothing() {
  byId("nothing").hidden = order.length > 0;
  byId("list").hidden = order.length === 0;
  if (order.length > 0) return;
  byId("nothing").replaceChildren(element("p", {}, `None of the ${listLength()} ${counted(listLength())}: ${selection()}.`),
    element("button", { onclick: () => changeList({ filter: "", tag: null, kinds: "" }) }, `Show all ${counted(2)}`));
}

function drawPooled() {
  const { which, aside, missing, aer, precision, recall, pointing, mass } = pooled;
  const figures = [];
  if (aer != null) {
    figures.push(element("div", { id: "pooled-aer", "data-aer": aer, title: "Pooled over the sentences: counts first, then the rates" },
      `AER of ${which} `, element("b", {}, percent(aer)), ` · precision ${percent(precision)} · recall ${percent(recall)}`));
  }
  if (pointing != null) {
    figures.push(element("div", { id: "pooled-pointing", "data-pointing": pointing, "data-mass": mass, title: "Over all words with gold" },
      `Attention accuracy of ${which} `, element("b", {}, percent(pointing)), ` · mass in gold ${percent(mass)}`));
  }
  const tracked = aside > 0 ? `, ${aside} of them tracked` : "";
  const unrecorded = missing > 0 ? `, ${missing} without a record of epoch ${state.epoch}` : "";
  byId("pooled").replaceChildren(element("div", {}, `${order.length} of ${listLength()} ${counted(listLength())}${tracked}${unrecorded}`), ...figures);
}

// --- filters ---

// Runs once, at the start.
function makeChips() {
  for (const option of [...byId("sort").options]) if (!sortsOffered.includes(option.value)) option.remove();
  byId("kinds").append(...Object.keys(kinds).map((kind) =>
    element("button", { class: "small toggle", "data-kind": kind, onclick: () => toggleKind(kind) })));
  byId("tag").closest(".sorting").hidden = allTags.length === 0;
  byId("tag").append(element("option", { value: "" }, "any"),
    ...allTags.map((tag) => element("option", { value: tag }, `${visible(tag)} (${tagCounts.get(tag)})`)));
}

const countOf = (kind) => page.sentences.filter((_, i) => isListed(i) && has(i, kind)).length;

function drawChips() {
  for (const chip of byId("kinds").children) {
    const { kind } = chip.dataset;
    const count = countOf(kind);
    chip.textContent = `${kinds[kind].name} ${count}`;
    chip.title = count > 0 ? `Only ${counted(2)} with ${kinds[kind].name}` : noneHas(kind);
    chip.setAttribute("aria-pressed", String(kindsAsked().includes(kind)));
  }
  byId("tag").value = state.tag ?? "";
}

const noneHas = (kind) => `No ${counted(1)} has ${kinds[kind].article}${kinds[kind].name} by this run. ${kinds[kind].how}`;

function toggleKind(kind) {
  const on = kindsAsked().includes(kind);
  if (!on && countOf(kind) === 0) return say(noneHas(kind));
  changeList({ kinds: Object.keys(kinds).filter((k) => (k === kind ? !on : kindsAsked().includes(k))).join() });
}
