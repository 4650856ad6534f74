// Saves a figure as an SVG file that needs neither this page's style nor its theme. Nothing is fetched: the page makes
// the file and offers it as a download.

// Properties that this page's style sets and a separate SVG must set itself, each with its default value.
const ownStyle = {
  "fill": "rgb(0, 0, 0)", "fill-opacity": "1", "stroke": "none", "stroke-opacity": "1", "stroke-width": "1px",
  "stroke-dasharray": "none", "opacity": "1", "font-family": "", "font-size": "", "font-style": "normal",
  "font-weight": "400", "text-decoration": "none",
};

function withOwnStyle(node, original) {
  const style = getComputedStyle(original);
  const isText = /^t(ext|span)$/.test(node.tagName);
  for (const [name, usual] of Object.entries(ownStyle)) {
    const value = style.getPropertyValue(name);
    const says = value !== usual && !value.startsWith(`${usual} `);  // for example "none solid rgb(0, 0, 0)"
    if (says && (isText || !/^(font|text)/.test(name))) node.setAttribute(name, value);
  }
  for (const name of ["class", "tabindex", "pointer-events"]) node.removeAttribute(name);
  for (const name of Object.keys(node.dataset)) delete node.dataset[name];
}

// Returns an SVG element of the page as a separate document, on a light background and with a title.
function standaloneSvg(figure, title) {
  const copy = figure.cloneNode(true);
  const [copies, originals] = [copy, figure].map((node) => [...node.querySelectorAll("svg, g, rect, path, line, circle, text, tspan")]);
  copies.forEach((node, i) => withOwnStyle(node, originals[i]));
  copy.querySelectorAll("[visibility=hidden]").forEach((node) => node.remove());
  for (const name of ["class", "tabindex"]) copy.removeAttribute(name);
  const ground = getComputedStyle(document.documentElement).getPropertyValue("--card").trim();
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("aria-label", title);
  copy.prepend(svg("title", {}, title), svg("rect", { width: "100%", height: "100%", fill: ground }));
  return new XMLSerializer().serializeToString(copy) + "\n";
}

function download(name, content, type = "image/svg+xml") {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

// Files are for paper: they are light, and nothing in them is selected. `draw` restores the page's own figures.
function onPaper(work) {
  const { step, column } = state;
  Object.assign(state, { step: null, column: null });
  document.documentElement.dataset.theme = "light";
  work();
  Object.assign(state, { step, column });
  applyTheme();
  draw();
}

// Makes the text safe for a file name and a title, because a run may have any name.
const plain = (text) => text.split(" ").map((part) => part && visible(part)).join(" ");
const fileName = (...parts) => parts.join("-").replace(/[^\p{L}\p{N}_.-]+/gu, "-") + ".svg";

function saveFigure(i) {
  onPaper(() => {
    drawPanels(panelsShown());
    const { node, name, view } = figures[i];
    const said = (tokens) => cut(tokens.slice(0, mostShown).map(beginning).join(" "));
    const title = `${plain(name)}: ${said(view.record.source_tokens)} → ${said(view.record.target_tokens)}`;
    download(fileName(page.sentences[state.sentence].tracked ? "tracked" : "sentence", nameOf(state.sentence).replace("v", ""), name),
      standaloneSvg(node, title));
  });
  document.querySelectorAll(".save")[i]?.focus();
}

// Saves the learning curves side by side in one file.
function saveCurves() {
  onPaper(() => {
    drawCurves();
    const curves = [...document.querySelectorAll(".curve")];
    const widths = curves.map((curve) => Number(curve.getAttribute("width")));
    const height = curves[0].getAttribute("height");
    const sheet = svg("svg", { width: sum(widths), height, viewBox: `0 0 ${sum(widths)} ${height}`, role: "img" });
    curves.forEach((curve, i) => {
      const copy = curve.cloneNode(true);
      copy.setAttribute("x", sum(widths.slice(0, i)));
      sheet.append(copy);
    });
    byId("curves").append(sheet);  // the page's style applies to it here
    download(fileName("curves", page.runs[state.run].name), standaloneSvg(sheet, `Learning curves of ${plain(page.runs[state.run].name)}`));
    sheet.remove();
  });
}
