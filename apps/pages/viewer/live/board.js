// The board of a page with captions. The user paints shapes as data/pictures/shapes.h draws them, or opens a picture file.
// state.typed is "board:" with the shapes, "example:NAME" for a picture of the page, or "file:NAME" for a dropped file,
// which a link cannot contain. A shape is "shape.colour.top.left" in pixels.

const shapeNames = ["circle", "square", "triangle", "cross", "ring", "bar"];
const colourNames = ["red", "green", "blue", "yellow", "purple", "cyan"];
const colourValues = [[255, 26, 26], [26, 204, 51], [51, 77, 255], [255, 230, 26], [178, 26, 204], [26, 204, 204]];
const shapeSide = 7;
const mostShapes = 60;
const mostPixelsOfASide = 16384;
const mostPixels = 64000000;

const board = { width: 24, height: 24, shape: 0, colour: 0, top: 8, left: 8, file: null };

const covers = {
  circle: (down, right) => Math.hypot(down, right) <= 3.1,
  square: (down, right) => Math.abs(right) <= 2 && Math.abs(down) <= 2,
  triangle: (down, right) => 2 * Math.abs(right) <= down + 3,
  cross: (down, right) => Math.abs(right) <= 1 || Math.abs(down) <= 1,
  ring: (down, right) => Math.hypot(down, right) <= 3.3 && Math.hypot(down, right) >= 1.8,
  bar: (down) => Math.abs(down) <= 1,
};

// Returns the shapes of the text: [shape, colour, top, left] each. Shapes that do not fit are left out.
function shapesOf(text) {
  if (!text.startsWith("board:")) return [];
  return text.slice(6).split("_").map((one) => one.split(".").map(Number)).slice(0, mostShapes).filter(([shape, colour, top, left]) =>
    shapeNames[shape] && colourNames[colour] && top >= 0 && left >= 0 && top + shapeSide <= board.height && left + shapeSide <= board.width);
}
const textOfShapes = (shapes) => `board:${shapes.map((one) => one.join(".")).join("_")}`;

// Returns the red, green and blue values of the painted picture. The grey ground has noise, as in the training. The noise
// is the same in every browser.
function pixelsOf(shapes) {
  const pixels = new Uint8Array(3 * board.width * board.height);
  let x = 1;
  const noise = () => {
    let total = 0;
    for (let k = 0; k < 12; ++k) {
      x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
      total += x / 2 ** 32;
    }
    return total - 6;  // nearly normal
  };
  for (let i = 0; i < pixels.length; ++i) pixels[i] = clamp(Math.round(64 + 15 * noise()), 0, 255);
  for (const [shape, colour, top, left] of shapes)
    for (let i = 0; i < shapeSide; ++i)
      for (let j = 0; j < shapeSide; ++j)
        if (covers[shapeNames[shape]](i - 3, j - 3)) pixels.set(colourValues[colour], 3 * ((top + i) * board.width + left + j));
  return pixels;
}

const bytesOfImage = (uri) => Uint8Array.from(atob(uri.slice(uri.indexOf(",") + 1)), (c) => c.charCodeAt(0));
const exampleOf = (text) => page.sentences.findIndex((_, i) => isListed(i) && `example:${nameOf(i)}` === text);

// Returns the bytes of the picture file that is shown, or null if the picture is painted.
function pictureBytes() {
  if (state.typed.startsWith("file:")) return board.file?.name === state.typed.slice(5) ? board.file.bytes : null;
  const image = exampleOf(state.typed) < 0 ? null : anyRecord(exampleOf(state.typed)).source_image;
  return image ? bytesOfImage(image) : null;
}

// Writes the picture into the files of the engine, and returns its name. Returns null if there is no picture.
function pictureForEngine(engine) {
  const bytes = pictureBytes();
  if (bytes) {
    engine.FS.writeFile("/picture", bytes);
    return "/picture";
  }
  const shapes = shapesOf(state.typed);
  if (shapes.length === 0) return null;
  const header = new TextEncoder().encode(`P6\n${board.width} ${board.height}\n255\n`);
  const pixels = pixelsOf(shapes);
  const file = new Uint8Array(header.length + pixels.length);
  file.set(header);
  file.set(pixels, header.length);
  engine.FS.writeFile("/painting", file);
  return "/painting";
}

function makeBoard() {
  const picture = pictureOf(anyRecord(0));
  if (picture) Object.assign(board, { width: clamp(picture.width, shapeSide, 256), height: clamp(picture.height, shapeSide, 256) });
  const choose = (name, values, field) => element("select", { id: `live-${field}`, disabled: "", class: "live-input", "aria-label": name,
    onchange: (event) => { board[field] = Number(event.target.value); paintBoard(); } }, ...values.map((value, k) => element("option", { value: k }, value)));
  return [
    element("label", { for: "live-board" }, fieldsOf.label),
    element("canvas", { id: "live-board", width: board.width, height: board.height, tabindex: "0", role: "application",
      title: "Click to paint a shape",
      "aria-label": "Board. Click to paint. The arrow keys move the brush, Enter paints, Backspace removes the last shape." }),
    element("div", { class: "live-brush" }, choose("Colour", colourNames, "colour"), choose("Shape", shapeNames, "shape"),
      element("button", { id: "live-undo", class: "small live-input", disabled: "", onclick: undoShape }, "Undo"),
      element("button", { id: "live-clear", class: "small live-input", disabled: "", onclick: () => typed("board:") }, "Clear"),
      element("button", { id: "live-open", class: "small live-input", disabled: "", title: "Open a picture file (PNG or JPEG). You can also drop one on the page",
        onclick: () => byId("live-file").click() }, "Open a picture"),
      element("input", { id: "live-file", type: "file", accept: "image/*,.ppm,.pgm", hidden: "", "aria-label": "Picture file",
        onchange: (event) => openPicture(event.target.files[0]) })),
  ];
}

const placeOfBrush = (value, size) => clamp(value, 0, size - shapeSide);

// Draws the picture and the outline of the brush.
function paintBoard() {
  const canvas = byId("live-board");
  const pen = canvas.getContext("2d");
  const bytes = pictureBytes();
  if (bytes) return drawBytes(pen, bytes);
  const image = pen.createImageData(board.width, board.height);
  const pixels = pixelsOf(shapesOf(state.typed));
  for (let i = 0; i < board.width * board.height; ++i) image.data.set([...pixels.subarray(3 * i, 3 * i + 3), 255], 4 * i);
  pen.putImageData(image, 0, 0);
  if (document.activeElement !== canvas) return;
  pen.strokeStyle = "#fff";
  pen.lineWidth = 0.5;
  pen.strokeRect(board.left, board.top, shapeSide, shapeSide);
}

// A picture that the browser cannot decode is not drawn: the engine has a message, or reads it (PPM).
let drawing = 0;
async function drawBytes(pen, bytes) {
  const mine = ++drawing;
  try {
    const image = await createImageBitmap(new Blob([bytes]));
    if (mine !== drawing || !pictureBytes()) return;
    pen.imageSmoothingEnabled = image.width > board.width;
    pen.drawImage(image, 0, 0, board.width, board.height);
  } catch {
    pen.clearRect(0, 0, board.width, board.height);
  }
}

function paintShape() {
  const shapes = [...shapesOf(state.typed), [board.shape, board.colour, board.top, board.left]];
  if (shapes.length > mostShapes) return showMessage(`The board has ${mostShapes} shapes. Remove some.`);
  typed(textOfShapes(shapes));
}
const undoShape = () => typed(textOfShapes(shapesOf(state.typed).slice(0, -1)));

// The engine decodes PNG and Netpbm files (PPM, PGM) itself.
const isPng = (bytes) => [0x89, 0x50, 0x4e, 0x47].every((byte, i) => bytes[i] === byte);
const isNetpbm = (bytes) => bytes[0] === 0x50 && bytes[1] >= 0x31 && bytes[1] <= 0x37;  // P1 to P7

// Returns a picture file as the engine reads it. The browser converts other formats, for example JPEG, to PNG. The size is
// limited as in data/corpus/picture.h, and the ground behind transparent pixels is white, as in the engine. Throws an Error
// if the browser cannot decode the file, or if the picture is too large.
async function pictureForBoard(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (isPng(bytes) || isNetpbm(bytes)) return bytes;
  let image;
  try {
    image = await createImageBitmap(file, { colorSpaceConversion: "none" });
  } catch {
    throw new Error("the browser cannot read it as a picture. Open a PNG or JPEG file.");
  }
  const { width, height } = image;
  if (Math.max(width, height) > mostPixelsOfASide || width * height > mostPixels)
    throw new Error(`the picture has ${width} x ${height} pixels, but at most ${mostPixelsOfASide} per side and ${mostPixels} together ` +
      "are allowed. Make the picture smaller.");
  const canvas = element("canvas", { width, height });
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, width, height);
  pen.drawImage(image, 0, 0);
  const png = await new Promise((done) => canvas.toBlob(done, "image/png"));
  if (!png) throw new Error(`the browser has no memory for ${width} x ${height} pixels. Make the picture smaller.`);
  return new Uint8Array(await png.arrayBuffer());
}

async function openPicture(file) {
  if (!file) return;
  const name = oneLine(file.name).slice(0, 200);
  if (file.size > 20e6) return showMessage(`${name} has ${(file.size / 1e6).toFixed(0)} MB, and at most 20 MB can be opened.`);
  try {
    board.file = { name, bytes: await pictureForBoard(file) };
  } catch (error) {
    return showMessage(`${name} cannot be opened: ${error.message}`);
  }
  typed(`file:${name}`);
}

function listenToBoard() {
  const canvas = byId("live-board");
  canvas.addEventListener("pointerdown", (event) => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    board.top = placeOfBrush(Math.round(((event.clientY - top) / height) * board.height - shapeSide / 2), board.height);
    board.left = placeOfBrush(Math.round(((event.clientX - left) / width) * board.width - shapeSide / 2), board.width);
    paintShape();
  });
  canvas.addEventListener("keydown", (event) => {
    const by = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (by) {
      board.top = placeOfBrush(board.top + by[0], board.height);
      board.left = placeOfBrush(board.left + by[1], board.width);
      paintBoard();
    } else if (event.key === "Enter" || event.key === " ") {
      paintShape();
    } else if (event.key === "Backspace") {
      undoShape();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
  for (const name of ["focus", "blur"]) canvas.addEventListener(name, () => paintBoard());
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    openPicture(event.dataTransfer.files[0]);
  });
}
