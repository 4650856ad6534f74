// Plays the caption step by step, in the order in which it was written.

let filming = null;

const filmButtons = () => document.querySelectorAll(".film");
const nameFilm = () => filmButtons().forEach((button) => { button.textContent = filming ? "❚❚ Stop" : "▶ Play the caption"; });

function stopFilm() {
  clearInterval(filming);
  filming = null;
  nameFilm();
}

function nextStep() {
  const T = Math.max(0, ...figures.map(({ view }) => view.rows.length));
  const next = state.step == null ? 0 : state.step + 1;
  if (next >= T) return stopFilm();
  Object.assign(state, { step: next, column: null });
  drawSelection();
}

function playCaption() {
  if (filming) return stopFilm();
  if (filmButtons().length === 0) return;
  state.step = null;
  filming = setInterval(nextStep, matchMedia("(prefers-reduced-motion: reduce)").matches ? 2000 : 900);
  nextStep();
  nameFilm();
}

const filmButton = () => element("button", { class: "small film", title: "One word after another (v)", onclick: playCaption }, filming ? "❚❚ Stop" : "▶ Play the caption");
