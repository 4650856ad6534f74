// Learning curves by epoch, and the slider that moves through the epochs.

const curveKinds = [
  { key: "loss", name: "validation loss, nats", show: (x) => x.toFixed(3) },
  { key: "bleu", name: "validation BLEU", show: (x) => x.toFixed(1) },
  { key: "exact", name: "answers right", show: (x) => percent(x) },
  { key: "aer", name: "validation AER", show: (x) => percent(x) },
  { key: "accuracy", name: "attention accuracy", show: (x) => percent(x) },
];
// The curves for which at least one run of the page has a value.
const curvesShown = () => curveKinds.filter(({ key }) => page.runs.some(({ metrics }) => metrics.some((point) => point[key] != null)));

const runsCompared = () => (state.other == null || state.other === state.run ? [state.run] : [state.run, state.other]);

// The positions of the slider: the epochs of the run, and last the kept model.
const places = () => [...epochsOf[state.run], null];

function drawSlider() {
  const epochs = epochsOf[state.run];
  const slider = byId("epoch");
  slider.max = epochs.length;
  slider.value = places().indexOf(state.epoch);
  slider.disabled = byId("play").disabled = epochs.length === 0;
  const kept = page.runs[state.run].kept_epoch;
  const told = state.epoch == null ? keptModel(state.run) : `${state.epoch} of ${epochs.at(-1)}`;
  slider.setAttribute("aria-valuetext", told);
  const recorded = has(state.sentence, "film");
  byId("strip").hidden = epochs.length === 0;
  byId("strip").classList.toggle("idle", !recorded);
  const hint = epochs.length > 0 && !recorded ? element("small", {}, `no timeline of this ${counted(1)}`) : null;
  const which = state.epoch != null ? ["Epoch ", element("b", {}, told)] : kept == null ? ["Kept model"] : ["Kept model: epoch ", element("b", {}, kept)];
  byId("epoch-label").replaceChildren(...which, ...(hint ? [hint] : []));
}

function curveScale(points, width, height) {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const scale = (from, to, low, high) => (v) => (high === low ? (from + to) / 2 : from + ((v - low) / (high - low)) * (to - from));
  return {
    x: scale(12, width - 12, Math.min(...xs), Math.max(...xs)),
    y: scale(height - 10, 28, Math.min(...ys), Math.max(...ys)),
  };
}

// One figure by epoch for each run: a line, a dot at the epoch that is shown, and its value in the heading.
function drawCurve({ key, name, show }, width, height) {
  const lines = runsCompared().map((m) => page.runs[m].metrics.filter((p) => p[key] != null).map((p) => [p.epoch, p[key]]));
  if (lines.every((line) => line.length === 0)) return null;
  const { x, y } = curveScale(lines.flat(), width, height);
  const node = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${name} by epoch`, class: "curve" },
    svg("title", {}, `${name} by epoch`));
  const values = svg("text", { x: width - 12, y: 17, "text-anchor": "end" });
  lines.forEach((line, i) => {
    if (line.length === 0) return;
    const kind = i === 0 ? "line" : "line second";
    const epoch = state.epoch ?? page.runs[runsCompared()[i]].kept_epoch ?? line.at(-1)[0];
    const point = line.findLast(([e]) => e <= epoch) ?? line[0];
    node.append(svg("path", { class: kind, d: "M" + line.map(([e, v]) => `${x(e).toFixed(1)} ${y(v).toFixed(1)}`).join("L") }),
      svg("circle", { class: kind, cx: x(point[0]), cy: y(point[1]), r: 3.5 }));
    values.append(svg("tspan", { dx: i > 0 ? 8 : 0, "font-weight": i > 0 ? 400 : 650 },
      (lines.length > 1 ? "AB"[i] + " " : "") + show(point[1])));
  });
  node.append(svg("text", { class: "quiet", x: 12, y: 17 }, fittingName(name, values.textContent + " ", width - 24)), values,
    svg("line", { class: "axis", x1: 12, x2: width - 12, y1: height - 6, y2: height - 6 }));
  node.addEventListener("click", (event) => goToEpoch(nearestEpoch(event.offsetX, x)));
  return node;
}

// The name, shortened until it fits next to its values.
function fittingName(name, values, room) {
  const left = room - textWidth(values) * (12 / 14) - 10;
  return [name, name.replace("validation ", ""), name.replace("validation ", "").replace(/,.*/, "")].find((text) => textWidth(text) * (12 / 14) <= left) ?? "";
}

const nearestEpoch = (pixel, x) =>
  epochsOf[state.run].reduce((best, e) => (Math.abs(x(e) - pixel) < Math.abs(x(best) - pixel) ? e : best));

function drawCurves() {
  drawSlider();
  const area = byId("curves");
  const height = innerHeight < 800 ? 64 : 84;
  const shown = curvesShown();
  const width = Math.max(140, area.clientWidth / Math.max(3, shown.length));
  area.replaceChildren(...shown.map((kind) => drawCurve(kind, width, height)).filter(Boolean));
}

function goToEpoch(epoch) {
  if (epoch === state.epoch) return;
  state.epoch = epoch;
  refreshSoon();
}
function stepEpoch(by) {
  const all = places();
  goToEpoch(all[clamp(all.indexOf(state.epoch) + by, 0, all.length - 1)]);
}

// Goes from a sentence without a training timeline to the next one of the list that has a timeline, or else to any.
function findFilm() {
  if (has(state.sentence, "film")) return;
  const withFilm = (among) => among.filter((i) => has(i, "film"));
  const after = withFilm(order.slice(order.indexOf(state.sentence) + 1));
  const i = after[0] ?? bestToShow(withFilm(order)) ?? bestToShow(withFilm([...page.sentences.keys()]));
  if (i == null) return say(noneHas("film"));
  const before = titleOf(state.sentence);
  goTo(i);
  say(`${before} has no timeline; this is one that has.`);
}

let playing = null;

function stopPlaying() {
  clearInterval(playing);
  playing = null;
  byId("play").textContent = "▶";
}
function playEpochs() {
  if (playing) return stopPlaying();
  if (epochsOf[state.run].length === 0) return;
  findFilm();
  if (!has(state.sentence, "film")) return;  // no sentence has a timeline, and a message says so
  reveal(byId("panels"));
  if (state.epoch == null) goToEpoch(places()[0]);
  byId("play").textContent = "❚❚";
  const pause = matchMedia("(prefers-reduced-motion: reduce)").matches ? 1500 : 650;
  playing = setInterval(() => {
    stepEpoch(1);
    if (state.epoch == null) stopPlaying();
  }, pause);
}
