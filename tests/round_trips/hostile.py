"""Random texts and links that are hard for the programs that exchange them."""

from dataclasses import dataclass, field

# Words with a special meaning in a model, a segmenter, an alignment format or a file.
MARKERS = ["</s>", "<s>", "<unk>", "<pad>", "\u2581", "\u2581chat", "@@", "ch@@", "|||", "\ufeff", "\ufeffchat"]
# Words with characters that other definitions count as white space.
SPACES = ["oui\u00a0!", "\u00a0", "\u3000", "a\u3000b", "\u2028", "x\u2028y", "\u0085", "n\u0085m", "\x0b", "u\x0bv", "\x0c", "p\x0cq",
          "\u2009", "12\u202f000", "\x1c", "k\x1dl"]
# Words that a tokeniser may drop completely.
INVISIBLE = ["\u200b", "\u200d", "\u200c", "\u2060", "\u00ad", "\u200b\u200b"]
SCRIPTS = ["שלום", "مرحبا", "\u202eabc", "\u200fא", "e\u0301", "\u0301", "n\u0303o", "ﬁn", "İ", "ß", "我喜欢猫", "ありがとう", "ขอบคุณ",
           "가나", "👩\u200d👩\u200d👧", "🇫🇷", "👍🏽", "𝔄", "\U000e0001", "\ufffe", "\ufffd"]
CONTROLS = ["\x01", "a\x02b", "\x1b[31m", "\x7f", "\x9b31m"]
SYNTAX = ["don't", "l'eau", "aujourd'hui", "U.S.A.", "3.14", "1,000", "0-0", "1?2", "A-0", "-", "--", "?", ".", "...", ",", "#", "\\", "\\n",
          '"', "'", "’", "<b>", "</script>", "&amp;", "{}", "]]>", "%s", "{0}", "know.", "(a)", "well-known", "e-mail@x.org", "-nous"]
COMMON = {"source": "i you he the a red cat house sees do not see it love buys small old".split(),
          "target": "je tu il le la un rouge chat maison voit ne pas t' aime achète petit vieux".split()}


@dataclass
class Pair:
    """A line of each side as a user writes it, with links between their words."""
    source: str
    target: str
    links: list = field(default_factory=list)  # (source word, target word, "-" or "?"), counted from 0
    weights: list = None                       # one row per target word and </s>, one column per source word and </s>


def word(random, side):
    if random.random() < 0.6:
        return random.choice(COMMON[side])
    if random.random() < 0.004:
        return random.choice("xé我") * random.randrange(500, 3000)
    kind = random.choices([MARKERS, SPACES, INVISIBLE, SCRIPTS, CONTROLS, SYNTAX], [3, 4, 2, 5, 1, 6])[0]
    return random.choice(kind)


def line(random, side, tabs, most):
    """Returns a line of text. `tabs` tells whether tabs may separate words, as in a plain file."""
    draw = random.random()
    if draw < 0.03:
        return random.choice(["", "", " ", "   "] + (["\t", " \t "] if tabs else []))
    if draw < 0.05:
        return random.choice(INVISIBLE + ["\u00a0", "\u200b \u200b"])
    if draw < 0.06:  # a carriage return that is no line end
        return random.choice(["a\rb", "\rchat", "le \r chat"])
    count = 1 if draw < 0.16 else random.randrange(2, most)
    parting = (lambda: random.choice([" ", "  "] + (["\t"] if tabs else []))) if random.random() < 0.1 else (lambda: " ")
    text = word(random, side)
    for _ in range(count - 1):
        text += parting() + word(random, side)
    if random.random() < 0.03:
        text = random.choice([" " + text, text + " "])
    return text


def links(random, sources, targets):
    """Returns some links between words, in any order. Sometimes a link occurs twice."""
    if not sources or not targets:
        return []
    drawn = [(random.randrange(sources), random.randrange(targets), random.choice("---?"))
             for _ in range(random.randrange(0, 2 * max(sources, targets)))]
    once = {(s, t): (s, t, mark) for s, t, mark in drawn}
    return list(once.values())


def pair(random, words, tabs=False, most=9):
    drawn = Pair(line(random, "source", tabs, most), line(random, "target", tabs, most))
    drawn.links = links(random, len(words(drawn.source)), len(words(drawn.target)))
    return drawn


def weights(random, sources, targets):
    """Returns rows that sum to 1, with </s> last on both sides. All weights of a row differ, and each has few digits."""
    rows = []
    for _ in range(targets + 1):
        parts = random.sample(range(1, 1000 + 9 * sources), sources + 1)
        total = sum(parts)
        rows.append([round(part / total, 6) for part in parts])
    return rows
