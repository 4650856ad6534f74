// Colours of weights. The scale is fixed from 0 to 1 for all sentences; light.css and dark.css have its stops.

const theme = () => document.documentElement.dataset.theme;

// The seven stops of "weight" or "less" in the current theme.
const ramps = {};
const ramp = (name) => (ramps[theme() + name] ??= readRamp(name));
function readRamp(name) {
  const style = getComputedStyle(document.documentElement);
  return [...Array(7).keys()].map((i) => channels(style.getPropertyValue(`--${name}-${i}`).trim()));
}

const channels = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));

function between(stops, x) {
  const place = Math.min(1, Math.max(0, x)) * (stops.length - 1);
  const i = Math.min(stops.length - 2, Math.floor(place));
  const [from, to] = [stops[i], stops[i + 1]];
  return from.map((c, k) => Math.round(c + (place - i) * (to[k] - c)));
}
const css = (rgb) => `rgb(${rgb.join(",")})`;

// "Faint weights" takes the square root, so 0.01 is shown as 0.1. The legend says so.
const shade = (w) => (state.faint ? Math.sqrt(w) : w);
const weightRgb = (w) => between(ramp("weight"), shade(w));
const differenceRgb = (d) => between(ramp(d < 0 ? "less" : "weight"), shade(Math.abs(d)));

// Relative luminance (WCAG 2.1). Black or white always has a contrast of at least 4.58 to any colour.
function luminance(rgb) {
  const linear = rgb.map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}
const inkOn = (rgb) => (luminance(rgb) > 0.179 ? "#000" : "#fff");

// A matrix as a small picture, one pixel per weight.
function thumbnail(canvas, rows) {
  if (rows.length === 0) return;
  canvas.width = rows[0].length;
  canvas.height = rows.length;
  const pen = canvas.getContext("2d");
  const image = pen.createImageData(canvas.width, canvas.height);
  rows.flat().forEach((w, i) => image.data.set([...weightRgb(w), 255], 4 * i));
  pen.putImageData(image, 0, 0);
}

// The thumbnail of a record in the list: the picture itself, a story upright with one column per hop, and otherwise the
// weights.
function thumbnailOf(canvas, record) {
  if (kindOf(record) === "cells" && record.source_image) return pictureThumbnail(canvas, record);
  if (kindOf(record) !== "sentences") return thumbnail(canvas, rowsSeen(record, lens()));
  const columns = columnsOf({ record, rows: rowsSeen(record, lens()) });
  thumbnail(canvas, record.source_tokens.map((_, s) => columns.map(({ rows }) => rows[0][s])));
}

const decoded = new Map();  // data URI -> image, so that it is decoded once

async function pictureThumbnail(canvas, record) {
  const { uri, width, height } = pictureOf(record);
  if (!decoded.has(uri)) {
    const image = new Image();
    image.src = uri;
    decoded.set(uri, image.decode().then(() => image));
  }
  try {
    const image = await decoded.get(uri);
    [canvas.width, canvas.height] = [88, 88];
    const { width: w, height: h } = fitIn(88, 88, width / height);
    canvas.getContext("2d").drawImage(image, (88 - w) / 2, (88 - h) / 2, w, h);
  } catch {
    thumbnail(canvas, rowsSeen(record, lens()));  // the picture is damaged, so its weights are shown
  }
}

function applyTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = state.theme || (dark ? "dark" : "light");
}
