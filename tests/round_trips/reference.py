"""The meaning of alignments, written independently of the programs: words of a line, formats, links, and conversions.

A record here is (source words, target words, links as a set, weights or None). `None` replaces words that a format lacks."""

import json
import re
from collections import namedtuple

Record = namedtuple("Record", "source target links weights")
END = "</s>"


def words(line):
    """Returns the user's words. Spaces, tabs and, in JSON strings, line ends separate words."""
    return [word for word in re.split("[ \t\r\n]+", line) if word]


def word_spans(line):
    return [match.span() for match in re.finditer("[^ \t\r\n]+", line)]


def lines(text):
    """Returns the lines of an output. Only line feeds end lines, and a leading byte order mark belongs to the file."""
    text = text.removeprefix("\ufeff")
    assert text == "" or text.endswith("\n"), "the last line has no end"
    return text.split("\n")[:-1]


def links_of(text):
    """Returns the links of a text like `0-0 1?2` as a set."""
    return {tuple(map(int, re.fullmatch(r"(\d+)[-?p](\d+)", link).groups())) for link in text.split(" ") if link}


def best(weights, sources, targets):
    """Returns the links of the rule `best`. A word with the largest weight on </s> has no link."""
    found = set()
    for t, row in enumerate(weights[:targets]):
        greatest = max(row)
        # If there are more columns than words, the last column belongs to </s>.
        s = row.index(greatest)
        if s < sources and greatest > 0:
            found.add((s, t))
    return found


def transposed(rows):
    return [list(column) for column in zip(*rows)]


def text_of(links, one_based=False):
    first = 1 if one_based else 0
    return " ".join(f"{s + first}{mark}{t + first}" for s, t, mark in links)


# ---- formats: how each is written for the programs, and how the programs' output is read

def write(form, number, source, target, weights):
    """Returns one record of a format with weights, as the format's own tool writes it. </s> has the last row and column."""
    rows = [" ".join(map(str, row)) for row in weights]
    if form == "soft":
        return " ".join(target) + " ||| " + " ".join(",".join(map(str, row)) for row in weights) + "\n"
    if form == "nematus":
        return (f"{number} ||| {' '.join(target)} ||| 0 ||| {' '.join(source)} ||| {len(source) + 1} {len(target) + 1}\n"
                + "\n".join(rows) + "\n\n")
    if form == "sockeye":
        rows = [" ".join(map(str, row)) for row in transposed(weights)]
        return (f"{number} ||| {' '.join([*target, END])} ||| 0 ||| {' '.join([*source, END])} ||| {len(source) + 1} ||| "
                f"{len(target) + 1}\n" + "\n".join(rows) + "\n\n")
    if form == "bertviz":
        return json.dumps({"attention": [{"name": "Cross", "attn": [[weights]], "left_text": [*target, END],
                                          "right_text": [*source, END]}]}, ensure_ascii=False) + "\n"
    if form == "t2t":
        return json.dumps({"inp_out": {"att": [[weights]], "top_text": [*source, END], "bot_text": [*target, END]}},
                          ensure_ascii=False) + "\n"
    if form == "jsonl":  # as the Nematus scorer writes it
        return json.dumps({"matrix": weights, "source_sent": " ".join(source), "target_sent": " ".join(target), "id": number,
                           "prob": 0}, ensure_ascii=False) + "\n"
    raise ValueError(form)


def numbers(text, separator):
    return [float(x) for x in text.split(separator) if x]


def without_end(tokens, eos=None):
    """Returns the words without </s> at the end, if it is there."""
    if eos if eos is not None else tokens[-1:] == [END]:
        return tokens[:-1]
    return tokens


def blocks(text):
    """Returns the headers of Nematus's and Sockeye's text, each with its rows."""
    found, inside = [], False
    for line in lines(text):
        if not line:
            inside = False
        elif not inside:
            found.append((line.split(" ||| "), []))
            inside = True
        else:
            found[-1][1].append(numbers(line, " "))
    return found


def read(form, text):
    """Returns the records of an output in this format."""
    if form == "pharaoh":
        return [Record(None, None, links_of(line), None) for line in lines(text)]
    if form == "tsv":
        columns = [line.split("\t") for line in lines(text)]
        return [Record(words(c[0]), words(c[1]), links_of(c[2]) if len(c) > 2 else set(), None) for c in columns]
    if form == "fairseq":
        found = {}
        for line in lines(text):
            key, links = line.split("\t")
            found.setdefault(int(key[2:]), links_of(links))
        return [Record(None, None, found[number], None) for number in sorted(found)]
    if form in ("hard", "soft"):
        found = []
        for line in lines(text):
            target, rest = line.rsplit(" ||| ", 1) if " ||| " in line else line.rsplit(" |||", 1)
            if form == "hard":
                found.append(Record(None, words(target), links_of(rest), None))
            else:
                found.append(Record(None, words(target), None, [numbers(row, ",") for row in rest.split(" ") if row]))
        return found
    if form == "nematus":
        return [Record(words(head[3]), words(head[1]), None, rows) for head, rows in blocks(text)]
    if form == "sockeye":
        return [Record(without_end(words(head[3])), without_end(words(head[1])), None, transposed(rows))
                for head, rows in blocks(text)]
    if form == "bertviz":
        found = [json.loads(line)["attention"][0] for line in lines(text)]
        return [Record(without_end(a["right_text"]), without_end(a["left_text"]), None, mean(a["attn"])) for a in found]
    if form == "t2t":
        found = [json.loads(line)["inp_out"] for line in lines(text)]
        return [Record(without_end(a["top_text"]), without_end(a["bot_text"]), None, mean(a["att"])) for a in found]
    if form == "jsonl":
        found = [json.loads(line) for line in lines(text)]
        return [Record(without_end(r["source_tokens"], r["eos"]["source"]), without_end(r["target_tokens"], r["eos"]["target"]),
                       {tuple(link) for link in r["links"]}, r["matrix"]) for r in found]
    raise ValueError(form)


def mean(layers):
    heads = [head for layer in layers for head in layer]
    if not heads:
        return []
    return [[sum(column) / len(heads) for column in zip(*rows)] for rows in zip(*heads)]


def close(some, others, delta=2e-5):
    """Returns whether two matrices have the same shape and nearly the same numbers."""
    return len(some) == len(others) and all(
        len(a) == len(b) and all(abs(x - y) <= delta for x, y in zip(a, b)) for a, b in zip(some, others))


# ---- values that follow from a record's spans

def line_of(record, side):
    """Returns the line of a side. A record of a blank line has none."""
    return record.get(f"{side}_line", "")


def places(record, side):
    """Returns, for each token of a side, the words of its line that overlap with it."""
    line, spans = line_of(record, side), record.get(f"{side}_spans", [])
    found = []
    for begin, end in spans:
        found.append([k for k, (first, last) in enumerate(word_spans(line)) if first < end and begin < last])
    return found


def folded_links(record):
    """Returns the links of a softalign/1 record, over the words of its lines."""
    sources = places(record, "source")
    targets = places(record, "target")
    return {(s, t) for i, j in record["links"] for s in sources[i] for t in targets[j]}


def folded_gold(record, kind):
    sources = places(record, "source")
    targets = places(record, "target")
    return {(s, t) for i, j in record["gold"][kind] for s in sources[i] for t in targets[j]}


def folded_weights(record):
    """Returns weights over words: the weights of a source word's tokens are added, those of a target word's tokens
    averaged."""
    rows, columns = record["matrix"], len(record["source_tokens"])
    sources = places(record, "source")
    targets = places(record, "target")
    ends = {"source": record["eos"]["source"], "target": record["eos"]["target"]}
    width = len(words(line_of(record, "source")))
    into = [place[0] if place else None for place in sources] + ([width] if ends["source"] else [])
    assert len(into) == columns
    height = len(words(line_of(record, "target")))
    groups = [[t for t, place in enumerate(targets) if k in place] for k in range(height)]
    if ends["target"]:
        groups.append([len(rows) - 1])
    folded = []
    for group in groups:
        row = [0.0] * (width + ends["source"])
        for t in group:
            for s, weight in enumerate(rows[t]):
                if into[s] is not None:
                    row[into[s]] += weight / len(group)
        folded.append(row)
    return folded


# ---- rules that join two directions (Koehn et al. 2003)

def symmetrised(rule, forward, backward):
    if rule == "intersection":
        return forward & backward
    union = forward | backward
    if rule == "union":
        return union
    chosen = set(forward & backward)
    neighbours = [(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)]
    grown = True
    while grown:
        grown = False
        for s, t in sorted(union):  # links that are added during the pass are visited, too, if they come later
            if (s, t) not in chosen:
                continue
            for ds, dt in neighbours:
                new = (s + ds, t + dt)
                if new in union and new not in chosen and (all(a != new[0] for a, _ in chosen) or all(b != new[1] for _, b in chosen)):
                    chosen.add(new)
                    grown = True
    for direction in (forward, backward):
        for s, t in sorted(direction):
            if all(a != s for a, _ in chosen) and all(b != t for _, b in chosen):
                chosen.add((s, t))
    return chosen


def alignment_error(found, gold):
    """Returns (|A and S| + |A and P|, |A| + |S|) of one pair. P includes S."""
    sure = {(s, t) for s, t, mark in gold if mark == "-"}
    every = {(s, t) for s, t, _ in gold}
    return len(found & sure) + len(found & every), len(found) + len(sure)
