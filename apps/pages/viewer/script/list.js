// The list of sentences: filter, sort, thumbnails, and below it the figures pooled over the corpus.

const sorts = {
  aer: { value: (view) => view.aer, falling: true, show: (x) => [percent(x), "AER"] },
  entropy: { value: (view) => meanNats(view), falling: true, show: (x) => [x.toFixed(2), "nats"] },
  logprob: { value: (view) => logProb(view.record), falling: false, show: (x) => [logProbText(x), "log p"] },
  length: { value: (view) => targetWords(view.record), falling: true, show: (x) => [String(x), "words"] },
  order: { value: () => 0, falling: false, show: () => ["", ""] },
};

const logProb = (record) => (record.logprob ? sum(record.logprob) : null);
const logProbText = (x) => (x == null ? "n/a" : minus(x.toFixed(2)));

// Of each sentence as it is looked at; null where this run has no record of it.
let views = [];
let order = [];  // the sentences that pass the filter, sorted

function lookAtAll() {
  views = page.sentences.map((_, i) => {
    const record = currentRecord(i);
    return record && look(record, lens());
  });
}

function passesFilter(i) {
  const { tags, tracked } = page.sentences[i];
  const { source_sent, target_sent } = anyRecord(i);
  const text = [source_sent, target_sent, ...tags, tracked ? "tracked" : ""].join("\n").toLowerCase();
  return state.filter.toLowerCase().split(/\s+/).every((part) => text.includes(part));
}

// Sentences without the figure come last, whichever way the list runs; equal ones in file order.
function sortSentences() {
  const { value, falling } = sorts[state.sort];
  const direction = falling !== state.reversed ? -1 : 1;
  const values = views.map((view) => (view ? value(view) : null));
  const compare = (a, b) => {
    if (values[a] == null || values[b] == null) return (values[a] == null) - (values[b] == null) || a - b;
    return direction * (values[a] - values[b]) || (state.sort === "order" ? direction : 1) * (a - b);
  };
  order = [...page.sentences.keys()].filter((i) => passesFilter(i)).sort(compare);
}

function listItem(i) {
  const view = views[i];
  const record = view?.record ?? anyRecord(i);
  const picture = element("canvas", { "aria-hidden": "true" });
  if (view) thumbnail(picture, view.rows);
  const [figure, unit] = view ? sorts[state.sort].show(sorts[state.sort].value(view)) : ["", ""];
  return element("li", { role: "option", id: `sentence-${i}`, "data-i": i }, picture,
    element("div", { class: "texts" },
      element("span", { class: "source", dir: "auto" }, ...sentence(record.source_tokens.slice(0, sourceWords(record)), record.unknown)),
      element("span", { class: "target", dir: "auto" }, ...sentence(record.target_tokens.slice(0, targetWords(record)), record.target_unknown))),
    element("div", { class: "figure-of" }, figure, element("small", {}, unit)));
}

function drawList() {
  byId("list").replaceChildren(...order.map(listItem));
  drawPooled();
  markSelected();
}

function markSelected() {
  for (const item of byId("list").querySelectorAll("[aria-selected=true]")) item.removeAttribute("aria-selected");
  const item = byId(`sentence-${state.sentence}`);
  if (!item) return;
  item.setAttribute("aria-selected", "true");
  byId("list").setAttribute("aria-activedescendant", item.id);
  item.scrollIntoView({ block: "nearest" });
}

// Over the corpus, not over the tracked sentences, which are of another: this is evaluate's figure.
function pooled() {
  const counts = pool(views.filter((view, i) => view && !page.sentences[i].tracked).map((view) => view.counts));
  return { pairs: counts?.pairs ?? 0, ...rates(counts) };
}

function drawPooled() {
  const corpus = page.sentences.filter((s) => !s.tracked).length;
  const { pairs, aer, precision, recall } = pooled();
  const which = pairs === corpus ? `all ${pairs} pairs` : `the ${pairs} pairs with gold links`;
  const figures = aer == null ? "" :
    element("div", { id: "pooled-aer", "data-aer": aer, title: "Pooled over the corpus: counts first, then the rate" },
      `AER of ${which} `, element("b", {}, percent(aer)), ` · precision ${percent(precision)} · recall ${percent(recall)}`);
  byId("pooled").replaceChildren(element("div", {}, `${order.length} of ${page.sentences.length} sentences`), figures);
}
