// Plays the caption step by step, in the order in which it was written.

let captionTimer = null;

const captionButtons = () => document.querySelectorAll(".play-caption");
const nameCaptionButtons = () => captionButtons().forEach((button) => { button.textContent = captionTimer ? "❚❚ Stop" : "▶ Play the caption"; });

function stopCaption() {
  clearInterval(captionTimer);
  captionTimer = null;
  nameCaptionButtons();
}

function nextStep() {
  const T = Math.max(0, ...figures.map(({ view }) => view.rows.length));
  const next = state.step == null ? 0 : state.step + 1;
  if (next >= T) return stopCaption();
  Object.assign(state, { step: next, column: null });
  drawSelection();
}

function playCaption() {
  if (captionTimer) return stopCaption();
  if (captionButtons().length === 0) return;
  state.step = null;
  captionTimer = setInterval(nextStep, matchMedia("(prefers-reduced-motion: reduce)").matches ? 2000 : 900);
  nextStep();
  nameCaptionButtons();
}

const captionButton = () => element("button", { class: "small play-caption", title: "One word after another (v)", onclick: playCaption }, captionTimer ? "❚❚ Stop" : "▶ Play the caption");
