// Colours of weights: fixed from 0 to 1, one hue, lightness monotone, zero = paper; never rescaled per sentence.

const ramps = {
  light: {
    weight: ["#fffefb", "#dbe8f5", "#a9cdea", "#6aa9d9", "#3580c1", "#1a5599", "#0b2d5e"],
    less: ["#fffefb", "#fbe3c4", "#f4bd7c", "#e08d33", "#b2630c", "#834400", "#5c2f00"],
  },
  dark: {
    weight: ["#161b24", "#1b3048", "#21507f", "#2f76b8", "#5b9fdd", "#9bc8f3", "#e2f0ff"],
    less: ["#161b24", "#3a2713", "#69400f", "#9c6015", "#cf8a34", "#efb871", "#ffe9cd"],
  },
};

const theme = () => document.documentElement.dataset.theme;
const channels = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));

function between(ramp, x) {
  const place = Math.min(1, Math.max(0, x)) * (ramp.length - 1);
  const i = Math.min(ramp.length - 2, Math.floor(place));
  const [from, to] = [channels(ramp[i]), channels(ramp[i + 1])];
  return from.map((c, k) => Math.round(c + (place - i) * (to[k] - c)));
}
const css = (rgb) => `rgb(${rgb.join(",")})`;

// "Faint weights" takes the square root, which shows 0.01 as 0.1; the legend says so.
const shade = (w) => (state.faint ? Math.sqrt(w) : w);
const weightRgb = (w) => between(ramps[theme()].weight, shade(w));
const differenceRgb = (d) => between(ramps[theme()][d < 0 ? "less" : "weight"], shade(Math.abs(d)));

// Relative luminance (WCAG 2.1). Of black and white one always has a contrast of at least 4.58 to any colour.
function luminance(rgb) {
  const linear = rgb.map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}
const inkOn = (rgb) => (luminance(rgb) > 0.179 ? "#000" : "#fff");

// A matrix as a small picture, one pixel a weight.
function thumbnail(canvas, rows) {
  canvas.width = rows[0].length;
  canvas.height = rows.length;
  const pen = canvas.getContext("2d");
  const image = pen.createImageData(canvas.width, canvas.height);
  rows.flat().forEach((w, i) => image.data.set([...weightRgb(w), 255], 4 * i));
  pen.putImageData(image, 0, 0);
}

function applyTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = state.theme || (dark ? "dark" : "light");
}
