// Elements, and tokens in a readable form. Text enters the page as text nodes only, so a token is never markup.

const byId = (id) => document.getElementById(id);

// Attributes that are null or false are left out. Attributes that start with "on" are listeners.
function furnish(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value == null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}
const element = (tag, attributes = {}, ...children) => furnish(document.createElement(tag), attributes, children);
const svg = (tag, attributes = {}, ...children) =>
  furnish(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

const codePoint = (c) => `⟨U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`;

// Gives characters without a shape a visible one. Joiners (U+200C, U+200D) stay where they join letters or emoji, and a
// space stays where it separates words, because a token may be a sentence.
function visible(token) {
  if (token === "") return "∅";
  const parts = (at) => at > 0 && at + 1 < token.length && token[at - 1] !== " " && token[at + 1] !== " ";
  const shown = token.replace(/[\p{C}\p{Z}]/gu, (c, at) =>
    (/[\u200c\u200d]/.test(c) && at > 0 && at + 1 < token.length) || (c === " " && parts(at)) ? c : codePoint(c));
  return /^\p{M}/u.test(shown) ? "◌" + shown : shown;
}

const isSpecial = (token) => /^<\/?[a-z]+>$/.test(token);  // </s>, <unk>

// The first UTF-16 units of a token, with an ellipsis if there are more. A token may have a megabyte.
const mostShown = 400;
const cut = (text) => (text.length <= mostShown ? text : text.slice(0, mostShown).replace(/[\ud800-\udbff]$/, "") + "…");
const beginning = (token) => (token.length <= mostShown ? visible(token) : cut(visible(token.slice(0, 2 * mostShown))));

// A token inside a sentence of any direction. The tooltip of a shortened token has the complete token.
const word = (token, extra = "") =>
  element("bdi", {
    class: `${isSpecial(token) ? "special " : ""}${extra}`.trim() || null, title: token.length > mostShown ? visible(token) : null,
  }, beginning(token));
const sentence = (tokens, unknown = []) => tokens.flatMap((token, i) =>
  [...(i > 0 ? [" "] : []), word(token, unknown.includes(i) ? "unknown" : "")]);

// --- the width of text, and how much of it fits ---

const ruler = document.createElement("canvas").getContext("2d");
const labelFont = () => `14px ${getComputedStyle(document.body).fontFamily}`;
function textWidth(text) {
  ruler.font = labelFont();
  return ruler.measureText(text).width;
}

// The token, or its beginning with an ellipsis, at most `pixels` wide. Characters are never cut.
function fitted(token, pixels) {
  const text = beginning(token);
  if (textWidth(text) <= pixels) return text;
  const characters = [...new Intl.Segmenter().segment(text)].map((part) => part.segment);
  let [fits, cut] = [0, characters.length];
  while (cut - fits > 1) {
    const middle = (fits + cut) >> 1;
    if (textWidth(characters.slice(0, middle).join("") + "…") <= pixels) fits = middle;
    else cut = middle;
  }
  return characters.slice(0, fits).join("") + "…";
}

// --- numbers ---

const minus = (text) => text.replace("-", "−");
const percent = (x) => (x == null ? "n/a" : (100 * x).toFixed(1) + "%");
const cellNumber = (w) => (w >= 0.995 ? "1" : w.toFixed(2).replace(/^0/, ""));
