// A picture under its weights: small maps for all steps, side by side, and a large one for the selected step. Cells
// with weight are bright, others dark: dark is 0 and bright is 1 for every picture. Gold cells are outlined as one
// area.

const thickestVeil = 0.84;  // opacity over a cell without weight, so that its part of the picture is barely visible
const veilRgb = [19, 25, 36];

// Width and height of a PNG file are in its bytes 16 to 23 (ISO/IEC 15948, 11.2.2). Returns null if there is no
// picture.
function pictureOf({ source_image: uri }) {
  if (!uri) return null;
  const bytes = atob(uri.slice("data:image/png;base64,".length).slice(0, 32));
  const number = (at) => [0, 1, 2, 3].reduce((n, k) => n * 256 + bytes.charCodeAt(at + k), 0);
  return { uri, width: Math.max(1, number(16)), height: Math.max(1, number(20)) };
}

const showsPicture = (view) => Boolean(view.record.source_image) && !state.bare && !view.difference;

// The colour and opacity of a cell, and its number if weights are shown without the picture.
function paintCell(view, w) {
  if (view.difference) return { ...paintDifference(w), opacity: 1 };
  if (!showsPicture(view)) return { ...paintWeight(w), opacity: 1 };
  return { rgb: veilRgb, opacity: thickestVeil * (1 - shade(w)), text: "" };
}

// The cells of one step as an image with one pixel per cell.
function veilOf(view, row) {
  const canvas = element("canvas");
  [canvas.height, canvas.width] = view.record.source_grid;
  const pen = canvas.getContext("2d");
  const image = pen.createImageData(canvas.width, canvas.height);
  row.forEach((w, s) => {
    const { rgb, opacity } = paintCell(view, w);
    image.data.set([...rgb, Math.round(255 * opacity)], 4 * s);
  });
  pen.putImageData(image, 0, 0);
  return canvas.toDataURL();
}

// --- positions of the parts ---

const fitIn = (width, height, aspect) => (width / height > aspect ? { width: height * aspect, height } : { width, height: width / aspect });

// Words in lines of at most `pixels` pixels: [{x, line, width}].
function wordsInLines(tokens, pixels) {
  let [x, line] = [0, 0];
  return tokens.map((token) => {
    const width = Math.min(pixels, textWidth(beginning(token)));
    if (x > 0 && x + width > pixels) [x, line] = [0, line + 1];
    const place = { x, line, width };
    x += width + 28;
    return place;
  });
}

// Small maps in as many columns as make them largest, from 56 to 150 pixels wide.
function tilesFor(count, width, height, aspect) {
  const tile = (columns) => {
    const across = Math.min(150, (width - 10 * (columns - 1)) / columns);
    return { columns, width: across, height: across / aspect, pitch: across / aspect + 34, rows: Math.ceil(count / columns) };
  };
  const most = Math.max(1, Math.floor((width + 10) / 66));
  const all = [...Array(Math.min(most, count)).keys()].map((k) => tile(k + 1));
  return all.find(({ rows, pitch }) => rows * pitch <= height) ?? all.at(-1);
}

function pictureGeometry(view, width) {
  const [H, W] = view.record.source_grid;
  const picture = pictureOf(view.record);
  const aspect = clamp(picture ? picture.width / picture.height : W / H, 0.25, 4);
  const wide = width >= 620;
  const large = { x: 2, y: 2, ...fitIn(wide ? 0.46 * width : width - 4, wide ? 360 : 240, aspect) };
  const words = wordsInLines(view.record.target_tokens, Math.max(large.width, wide ? 0.46 * width : width - 20));
  const caption = { top: large.y + large.height + 26, pitch: 26, words };
  const foot = caption.top + 26 * words.at(-1).line + 12;
  const left = wide ? Math.max(large.width, ...words.map((word) => word.x + word.width)) + 34 : 2;
  const tiles = tilesFor(view.rows.length, width - left - 2, Math.max(foot, 300), aspect);
  const start = { x: left, y: wide ? 2 : foot + 8 };
  const height = Math.max(foot, start.y + tiles.rows * tiles.pitch);
  return { H, W, T: view.rows.length, S: H * W, large, caption, tiles, start, width, height };
}

const boxOfTile = (g, t) => ({
  x: g.start.x + (t % g.tiles.columns) * (g.tiles.width + 10), y: g.start.y + Math.floor(t / g.tiles.columns) * g.tiles.pitch,
  width: g.tiles.width, height: g.tiles.height,
});
const boxOfCell = (g, { x, y, width, height }, s) => ({
  x: x + ((s % g.W) * width) / g.W, y: y + (Math.floor(s / g.W) * height) / g.H, width: width / g.W, height: height / g.H,
});

// --- content of the parts ---

// The sides of cells that no other cell of the set shares.
function outlineOf(places, g, box) {
  const sides = [];
  for (const s of places) {
    const { x, y, width, height } = boxOfCell(g, box, s);
    const column = s % g.W;
    if (!places.has(s - g.W)) sides.push(`M${x} ${y}h${width}`);
    if (!places.has(s + g.W)) sides.push(`M${x} ${y + height}h${width}`);
    if (column === 0 || !places.has(s - 1)) sides.push(`M${x} ${y}v${height}`);
    if (column === g.W - 1 || !places.has(s + 1)) sides.push(`M${x + width} ${y}v${height}`);
  }
  return sides.join("");
}

function drawGoldArea(view, g, box, t) {
  const places = goldOfStep(view, t);
  if (places.size === 0) return [];
  const d = outlineOf(places, g, box);
  return [svg("path", { class: "halo", d }), svg("path", { class: "sure area", d })];
}

// A dot if the largest weight is on gold, a cross if it is not, and no mark if the word has no gold.
function pointingMark(view, t, x, y) {
  const places = goldOfStep(view, t);
  if (places.size === 0 || view.difference) return null;
  return places.has(argmax(view.rows[t])) ? svg("circle", { class: "ink pointed", cx: x, cy: y, r: 2.8 })
    : svg("path", { class: "ink missing", d: `M${x - 3} ${y - 3}l6 6m0-6l-6 6` });
}

const imageAt = (box, href, smooth) => svg("image", {
  ...box, href, preserveAspectRatio: "none", "image-rendering": smooth ? null : "pixelated", "pointer-events": "none" });
const pictureAt = (box, id, picture) =>
  svg("use", { href: `#${id}`, transform: `translate(${box.x} ${box.y}) scale(${box.width / picture.width} ${box.height / picture.height})`, "pointer-events": "none" });

function drawTile(view, g, t, id) {
  const box = boxOfTile(g, t);
  const token = view.record.target_tokens[t];
  const foot = box.y + box.height + 17;
  // The word becomes bold under the pointer.
  const half = Math.min(g.tiles.width - 14, 1.1 * textWidth(beginning(token))) / 2;
  return svg("g", { class: "tile", "data-t": t },
    showsPicture(view) ? pictureAt(box, id, pictureOf(view.record)) : null, imageAt(box, veilOf(view, view.rows[t])), ...drawGoldArea(view, g, box, t),
    svg("rect", { class: "rim", ...box, "data-t": t }),
    label(token, box.x + box.width / 2, foot, { angle: 0, room: g.tiles.width - 14 }, { "data-t": t, class: unknownClass(view.record, "target", t) }),
    pointingMark(view, t, box.x + box.width / 2 + half + 7, foot - 5), ...drawGate(view, t, box));
}

// A bar under each word shows how far the gate of its step is open. For a difference, it shows how much further A's
// gate is open.
function drawGate(view, t, { x, y, width, height }) {
  if (!view.gates) return [];
  const open = view.gates[t];
  const bar = { x, y: y + height + 23, height: 5 };
  const kind = view.difference ? leaning(open) : "bar";
  const told = view.difference ? signed(open, cellNumber) : open.toFixed(2);
  return [svg("rect", { class: "gate-room", ...bar, width }),
    svg("rect", { class: `gate ${kind}`, ...bar, width: Math.abs(open) * width, "data-gate": open }, svg("title", {}, `gate ${told}`))];
}

function drawCaption(view, g) {
  const group = svg("g", { class: "words" });
  g.caption.words.forEach(({ x, line, width }, t) => {
    const [left, foot] = [g.large.x + x, g.caption.top + g.caption.pitch * line];
    const kind = `target-word ${unknownClass(view.record, "target", t)}`;
    const node = label(view.record.target_tokens[t], left, foot, { angle: 0, room: width + 1 }, { class: kind, "data-t": t });
    node.setAttribute("text-anchor", "start");
    group.append(node);
    const mark = pointingMark(view, t, left + 1.1 * width + 8, foot - 5);
    if (mark) group.append(mark);
  });
  return group;
}

// The large map at step t, or only the picture if no step is selected.
function drawLarge(view, g, t, id) {
  const group = svg("g", { class: "large-map" });
  if (showsPicture(view)) group.append(pictureAt(g.large, id, pictureOf(view.record)));
  if (t != null) {
    view.rows[t].forEach((w, s) => {
      const { rgb, opacity, text } = paintCell(view, w);
      const box = boxOfCell(g, g.large, s);
      group.append(svg("rect", { class: "cell", ...box, fill: css(rgb), "fill-opacity": opacity.toFixed(4), "data-t": t, "data-s": s, "data-w": w }));
      if (text === "" || box.width < 26 || box.height < 18) return;
      group.append(svg("text", { class: "number", x: box.x + box.width / 2, y: box.y + box.height / 2 + 4, "text-anchor": "middle", fill: inkOn(rgb) }, text));
    });
    group.append(...drawGoldArea(view, g, g.large, t));
  }
  group.append(svg("rect", { class: "rim", ...g.large, "pointer-events": "none" }));
  return group;
}

// --- the figure ---

function drawPicture(view, name, { width }) {
  const g = pictureGeometry(view, width);
  const picture = pictureOf(view.record);
  const id = `picture-${figures.length}`;
  const node = svg("svg", {
    class: "figure", width: g.width, height: g.height, viewBox: `0 0 ${g.width} ${g.height}`, tabindex: "0", role: "img",
    "aria-label": `Attention of ${name} over a picture of ${g.H} by ${g.W} cells at ${g.T} steps. The left and right arrow keys step through the words.`,
  });
  const large = svg("g");
  const frame = svg("rect", { class: "frame", visibility: "hidden", "pointer-events": "none" });
  const whole = picture && { x: 0, y: 0, width: picture.width, height: picture.height };
  node.append(...(picture ? [svg("defs", {}, furnish(imageAt(whole, picture.uri, picture.width > 200), { id }, []))] : []), large, frame, drawCaption(view, g),
    svg("g", { class: "tiles" }, ...view.rows.map((_, t) => drawTile(view, g, t, id))));
  let drawnStep;
  const point = (t, s) => {
    const step = t != null && t < g.T ? t : showsPicture(view) ? null : leastCertain(view);
    if (step !== drawnStep) large.replaceChildren(drawLarge(view, g, step, id));
    drawnStep = step;
    place(frame, s != null && s < g.S ? boxOfCell(g, g.large, s) : {}, step != null && step === t && s != null && s < g.S);
    for (const tile of node.querySelectorAll(".tile")) tile.classList.toggle("on", tile.dataset.t === String(t));
  };
  return { node, point, walk: (key, shift) => (shift ? walkGrid(key, g) : walkSteps(key, g.T)) };
}

function toggleBare() {
  state.bare = !state.bare;
  draw();
}
