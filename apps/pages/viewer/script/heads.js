// Models with several heads or hops: the list of heads, the matrix of each, and the grid to choose from.

const isToSource = (kind) => kind === "cross" || kind === "decoder";
const isSelf = (head) => head != null && !isToSource(head.kind);
// If a head has the kind decoder, the record's own matrix comes from an alignment layer.
const hasLayer = (record) => record.heads?.some(({ kind }) => kind === "decoder") ?? false;
// Whether the matrix also contains the decoder's attention. A record of an older version has no share.
const isCombined = ({ layer_share: share }) => share != null && share < 1;
// A text without a source, for example of a language model, attends to its own past.
const chosenHead = (record, lens) => record.heads?.[lens.head] ??
  (sourceWords(record) === 0 ? record.heads?.find(({ kind }) => kind === "decoder-self") : null) ?? null;

// The record as a head of self-attention sees it: rows and columns are the words of one side. The decoder attends from
// the last word that it has read, and writes the next word. It sees only words that it has read, so later columns do
// not exist yet.
function recordOf(record, lens) {
  const pair = pairOf(record, lens);
  if (pair) return sideOf(record, pair.premise, pair.hypothesis, "premise");
  const head = chosenHead(record, lens);
  if (!isSelf(head)) return record;
  const decoder = head.kind === "decoder-self" || (head.kind === "self" && head.matrix.length === record.target_tokens.length);
  const words = decoder ? record.target_tokens : record.source_tokens;
  const eos = decoder ? record.eos.target : record.eos.source;
  const unknown = unknownOf(record, decoder ? "target" : "source");
  return {
    ...record,
    source_tokens: decoder ? ["<s>", ...words.slice(0, -1)] : words,
    target_tokens: words,
    eos: { source: eos && !decoder, target: eos },
    unknown: decoder ? unknown.map((t) => t + 1) : unknown,
    target_unknown: unknown,
    attends: "output",
    mode: "self",
    self: decoder ? "decoder" : "encoder",
    gold: null,
    logprob: decoder ? record.logprob : undefined,
  };
}

// Whether a cell is in the future of its step.
const isFuture = (record, t, s) => record.self === "decoder" && s > t;

const headNames = { decoder: "Decoder attention", cross: "Attention to the source", "encoder-self": "Self-attention of the source", "decoder-self": "Self-attention of the target", self: "Self-attention" };

// One row per layer, one column per head.
function drawGrid(record, kind) {
  const places = [...record.heads.keys()].filter((place) => record.heads[place].kind === kind);
  if (places.length === 0) return [];
  const heads = places.map((place) => record.heads[place]);
  const gold = isToSource(kind) ? goldOf(record) : null;
  const words = kindOf(record) === "words";
  const rate = ({ matrix }) => (words ? rates(countLinks(linksOf(record, matrix, "argmax"), gold)).aer
    : pointingRates(countPointing(record, matrix, gold)).pointing);
  const rated = gold ? heads.map(rate) : [];
  const best = words ? Math.min(...rated) : Math.max(...rated);
  const layers = new Set(heads.map(({ layer }) => layer)).size;
  const tile = (each, k) => {
    const { layer, head, matrix } = each;
    const name = kind === "decoder" ? "decoder attention" : kindOf(record) === "sentences" ? hopName(heads, each) : `${layers > 1 ? `layer ${layer + 1}, ` : ""}head ${head + 1}`;
    const told = kindOf(record) === "sentences" ? name : gold ? percent(rated[k]) : kind === "decoder" ? "decoder" : layers > 1 ? `${layer + 1} · ${head + 1}` : `head ${head + 1}`;
    const attributes = { title: name, "aria-label": gold ? `${name}: ${words ? "AER" : "attention accuracy"} ${percent(rated[k])}` : null };
    return headButton(places[k], matrix, told, { ...attributes, class: gold && rated[k] === best ? "best" : null });
  };
  const columns = Math.max(...heads.map(({ head }) => head)) + 1;
  const grid = element("div", { class: "heads", "data-kind": kind }, ...heads.map(tile));
  grid.style.gridTemplateColumns = `repeat(${Math.max(4, columns)}, minmax(0, 1fr))`;
  return [element("h4", {}, headNames[kind]), grid];
}

// The name of the selected head, for the heading of its figure: "head 3 of 8", "layer 2, head 1 of 4".
function headTold(record) {
  const chosen = record.heads?.[state.head];
  if (!chosen) return isCombined(record) ? "alignment layer and decoder" : hasLayer(record) ? "alignment layer" : null;
  if (chosen.kind === "decoder") return "decoder attention";
  if (kindOf(record) === "sentences") return hopName(record.heads, chosen);
  const { kind, layer, head } = chosen;
  const ofThisKind = record.heads.filter((each) => each.kind === kind);
  const place = ofThisKind.some((each) => each.layer !== layer) ? `layer ${layer + 1}, ` : "";
  return `${kind === "cross" ? "" : `${headNames[kind].toLowerCase()}, `}${place}head ${head + 1} of ${ofThisKind.filter((each) => each.layer === layer).length}`;
}

function headButton(head, matrix, text, attributes = {}) {
  const picture = element("canvas", { "aria-hidden": "true" });
  // The single row of a story is drawn upright.
  thumbnail(picture, matrix.length === 1 ? matrix[0].map((w) => [w]) : matrix);
  return element("button", { "aria-pressed": String((state.head ?? null) === head), onclick: () => chooseHead(head), ...attributes }, picture, text);
}

// The lens without a selected head.
const whole = { head: null, temperature: 1 };
function namesOfWhole(record) {
  if (pairOf(record, whole)) return ["pair", { title: "Premise and hypothesis" }];
  if (chosenHead(record, whole)) return ["first", { title: "The first head of self-attention" }];
  if (isCombined(record)) return ["both", { title: "Alignment layer and decoder attention, combined: the links come from them" }];
  if (hasLayer(record)) return ["layer", { title: "Alignment layer: the links come from it" }];
  return kindOf(record) === "words" ? ["links", { title: "The alignment: the links come from it" }] : ["all", { title: "All hops together" }];
}

function drawHeads(record) {
  if (!record.heads) return [];
  const all = element("div", { class: "heads" }, headButton(null, matrixOf(record, whole), ...namesOfWhole(record)));
  return [heading(kindOf(record) === "sentences" ? "Hops" : "Heads"), all, ...Object.keys(headNames).flatMap((kind) => drawGrid(record, kind))];
}

function chooseHead(head) {
  state.head = head;
  refresh();
  reveal(byId("panels"));
}
