// The positions of the parts of a figure. Columns are source positions, rows are target steps. The ribbons above run
// into the columns, so that the source words are written only once, between ribbons and matrix.

const clamp = (x, low, high) => Math.min(high, Math.max(low, x));

const slant = (40 * Math.PI) / 180;

// The width of the longest label.
const widest = (tokens, most) => Math.ceil(Math.min(most, Math.max(...tokens.map((token) => textWidth(beginning(token))))));

// Labels are horizontal if they fit between their neighbours, else slanted, else upright. `height` is the space that
// they need.
function labelsFor(tokens, pitch, most) {
  const longest = widest(tokens, most);
  if (longest <= pitch - 5) return { angle: 0, height: 18, room: pitch - 3 };
  if (pitch >= 19) return { angle: 40, height: Math.ceil(longest * Math.sin(slant)) + 14, room: most };
  return { angle: 90, height: longest + 6, room: most };
}

// `width` and `height` are the space on the screen. A figure that is wider is scrolled sideways, and a figure that is
// higher gets lower rows and ribbons. `beside` has the words of all figures side by side, so that their parts have
// equal heights.
function geometryOf(view, { width, height: most }, beside) {
  const { record, rows, probabilities } = view;
  const [T, S] = [rows.length, rows[0].length];
  const large = Math.max(T, S) > 40;
  const narrow = width < 520;
  const labels = Math.max(widest(beside.flat(), narrow ? 80 : 130), textWidth("coverage")) + 20;
  const columnsOfBars = probabilities ? 2 : 1;
  const widthOfBars = (bar) => (bar > 0 ? columnsOfBars * bar : 44);  // slanted words and ribbons need this width
  const widthOfCells = (bar) => (width - labels - widthOfBars(bar) - 14) / S;
  // Two figures on a small screen, or in the presentation, have space for cells only. On a phone, rows have low bars
  // without numbers.
  const presentsTwo = state.presenting && beside.length > 1;
  const barWidth = presentsTwo ? 0 : !narrow ? 58 : widthOfCells(48) >= 24 ? 48 : innerWidth > 760 ? 0 : 36;
  const bars = widthOfBars(barWidth);
  const cellWidth = clamp(widthOfCells(barWidth), large ? 12 : narrow ? 19 : 26, large ? 16 : 66);
  const usual = large ? clamp(cellWidth, 12, 16) : Math.max(cellWidth / 1.9, clamp(460 / T, 20, 34));
  const source = labelsFor(record.source_tokens, cellWidth, 110);
  const matrixFirst = large || innerWidth <= 760;
  const g = { T, S, large, matrixFirst, labels, barWidth, cellWidth, source, left: labels, columns: S * cellWidth };
  g.right = g.left + g.columns;
  g.width = g.right + 10 + bars;
  g.target = placeTargetWords(g, record.target_tokens);
  const written = Math.max(...beside.map((tokens) => placeTargetWords({ ...g, T: tokens.length }, tokens).height));
  const steps = Math.max(...beside.map((tokens) => tokens.length));
  // Ribbons would end to the right of slanted words. On a low screen, they would leave no room for the rows.
  g.ribbonless = !matrixFirst && (presentsTwo ? source.angle !== 0
    : !state.presenting && isLowScreen() && written + source.height + 42 + lowestRibbons + steps * lowestRow > most);
  const height = g.ribbonless ? 0 : written;
  Object.assign(g, fitHeight(most - (height + source.height + 8 + 34), T, g.ribbonless ? 0 : large ? 90 : 96, large, usual));
  // The order from top to bottom is target words, ribbons, source words, matrix, coverage. On a narrow screen, and with
  // a large matrix, the ribbons come last.
  g.ribbonTop = height + 4;
  g.top = (g.matrixFirst ? 4 : g.ribbonTop + g.ribbons) + g.source.height + 4;
  g.bottom = g.top + T * g.cellHeight;
  g.coverage = 34;
  if (g.matrixFirst) g.ribbonTop = g.bottom + g.coverage + 12;
  g.height = g.matrixFirst ? g.ribbonTop + g.ribbons + height + 6 : g.bottom + g.coverage;
  g.numbers = cellWidth >= 26 && g.cellHeight >= 18;
  return g;
}

const [lowestRibbons, lowestRow] = [44, 18];
const isLowScreen = () => innerWidth <= 1000 && innerHeight <= 600;  // a laptop's screen at 150% zoom

// The heights of ribbons and rows. A figure that is higher than `space` gets lower ribbons and rows, but they stay
// legible. The presentation does not lower a figure that is still too high, because it must be legible from far away.
function fitHeight(space, T, ribbons, large, usual) {
  const lowest = Math.min(lowestRibbons, ribbons);
  const least = lowest + T * lowestRow;
  if (large || ribbons + T * usual <= space || (state.presenting && least > space)) return { ribbons, cellHeight: usual };
  const room = Math.max(space, least);
  const lower = clamp(room - T * usual, lowest, ribbons);
  return { ribbons: lower, cellHeight: Math.min(usual, (room - lower) / T) };
}

// Target words are spread over the columns, or wider on both sides if they need this to be horizontal.
function placeTargetWords(g, tokens) {
  const centre = g.left + g.columns / 2;
  const level = g.T * (6 + widest(tokens, 110));
  const most = 2 * Math.min(centre, g.width - centre);
  const span = level <= most ? Math.max(level, Math.min(g.columns, most)) : g.columns;
  return { start: centre - span / 2, pitch: span / g.T, ...labelsFor(tokens, span / g.T, 110) };
}

const columnCentre = (g, s) => g.left + (s + 0.5) * g.cellWidth;
const rowCentre = (g, t) => g.top + (t + 0.5) * g.cellHeight;
const targetCentre = (g, t) => g.target.start + (t + 0.5) * g.target.pitch;

// A label whose foot is at x, y. Each token is a separate text element, which isolates its direction.
function label(token, x, y, { angle, room }, attributes) {
  const anchor = angle === 0 ? "middle" : "start";
  const place = angle === 0 ? { x, y } : { transform: `translate(${x + (angle === 90 ? 4 : 2)} ${y}) rotate(${-angle})` };
  const node = svg("text", { ...place, "text-anchor": anchor, ...attributes }, fitted(token, room));
  node.append(svg("title", {}, visible(token)));
  node.classList.add("token");
  if (isSpecial(token)) node.classList.add("special");
  return node;
}
