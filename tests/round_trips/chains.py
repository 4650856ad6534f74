"""The chains: each passes a batch of hostile lines through two or three programs and compares the result with the
reference."""

import json
import re
import unicodedata

import hostile
import reference
from machine import Batch, Refused, Wrong
from reference import read, words

LINKS = ["pharaoh", "tsv", "hard", "fairseq"]
WEIGHTS = ["soft", "nematus", "sockeye", "bertviz", "t2t", "jsonl"]
ALL = LINKS + WEIGHTS
HOLDS_WORDS = ["tsv", "nematus", "sockeye", "bertviz", "t2t", "jsonl"]
RUNS = ["words", "none", "sentencepiece", "transformer"]
CHAINS = {}


def chain(name, share):
    """Registers a chain. It gets `share` of every hundred inputs."""
    def add(function):
        CHAINS[name] = (function, share)
        return function
    return add


def tell(condition, text, item=None):
    if not condition:
        raise Wrong(text, item)


def same_count(batch, found, what):
    tell(len(found) == len(batch.items), f"{what}: {len(found)} records for {len(batch.items)} lines")


# ---- refusals that are right

def is_invisible(word):
    """Whether a tokeniser may drop the complete word: white space by other definitions, format characters, controls."""
    return all(unicodedata.category(character)[0] in "ZC" for character in word)


def has_invisible(side):
    """Whether some word of the side may have no token, so that it cannot have weights."""
    return any(map(is_invisible, words(side)))


def gold_is_lost(item, message):
    """A gold link may be refused if the tokeniser drops one of its words."""
    sources, targets = words(item.source), words(item.target)
    return re.search("gold|link", message) and any(is_invisible(sources[s]) or is_invisible(targets[t]) for s, t, _ in item.links)


def reasons(*patterns, gold=False):
    """Returns a may_refuse function. A line may be refused if it matches a predicate and the message matches the predicate's
    pattern."""
    def may(item, message):
        sides = [item.source, item.target]
        return gold and gold_is_lost(item, message) or any(re.search(mark, message) and any(holds(side) for side in sides) for mark, holds in patterns)
    return may


RETURN = (r"carriage return|white space|weights|rows", lambda side: "\r" in side)
BARS = (r"\|\|\||the head|fields", lambda side: "|||" in words(side))
END = (r"</s>", lambda side: "</s>" in words(side))
BLANK = (r"empty|blank|no words|without (?:a )?words?|no text|side", lambda side: all(map(is_invisible, words(side))))


# ---- texts and links, from one format of links to another

def corpus_files(machine, items, links, one_based=False, plain=False):
    """Writes the pairs as files. Returns the options that name them."""
    shape = {"end": machine.random.choice(["\n", "\n", "\r\n"]), "mark": machine.random.random() < 0.3,
             "compress": machine.random.random() < 0.2, "last": machine.random.random() < 0.8}
    if items and any(end_is_blank(side) for side in (items[-1].source, items[-1].target)):
        shape["last"] = True  # a blank last line counts only if it has a line end
    if plain:
        machine.write("pairs.source", [item.source for item in items], **shape)
        machine.write("pairs.target", [item.target for item in items], **shape)
        options = ["--source", "pairs.source", "--target", "pairs.target"]
        if links:
            machine.write("pairs.links", [reference.text_of(item.links, one_based) for item in items])
            options += ["--alignment", "pairs.links"]
    else:
        rows = [f"{item.source}\t{item.target}" + (f"\t{reference.text_of(item.links, one_based)}" if links else "") for item in items]
        machine.write("pairs.tsv", rows, **shape)
        options = ["--data", "pairs.tsv"]
    return options + (["--one-based"] if one_based and links else [])


def end_is_blank(side):
    return side == "" or side.isspace()


FILES = ["pairs.tsv", "pairs.source", "pairs.target", "pairs.links", "in", "out", "back", "standard input", "lines"]


def lines_of(form, items, one_based):
    """Returns the items' links as a file of this format."""
    found = []
    for number, item in enumerate(items):
        links = reference.text_of([(s, t, "-") for s, t, _ in item.links], one_based)
        found.append({"pharaoh": links, "fairseq": f"A-{number}\t{links}", "hard": f"{' '.join(words(item.target))} ||| {links}",
                      "tsv": f"{' '.join(words(item.source))}\t{' '.join(words(item.target))}\t{links}"}[form])
    return found


def check_links(batch, form, text, expected):
    """Requires that the records of an output have these links, and the words that the format has."""
    found = read(form, text)
    same_count(batch, found, form)
    for item, record, links in zip(batch.items, found, expected):
        tell(record.links == links, f"{form}: links {sorted(record.links)}, expected {sorted(links)}", item)
        for side, tokens in (("source", record.source), ("target", record.target)):
            tell(tokens is None or tokens == words(getattr(item, side)), f"{form}: {side} words {tokens}", item)
    return found


@chain("convert: links to links and back", 16)
def convert_links(machine, items):
    first, second = machine.random.choice(LINKS), machine.random.choice(LINKS)
    plain, one_based = machine.random.random() < 0.4, machine.random.random() < 0.3
    batch = Batch(machine, items)

    def attempt(items):
        data = corpus_files(machine, items, False, plain=plain)
        machine.write("in", lines_of(first, items, one_based))
        base = ["--one-based"] if one_based else []
        # Words come from the format if it has them, and otherwise from the corpus.
        from_first = [*([] if first == "tsv" else data), *base]
        there = machine.run("convert", "--in", "in", "--from", first, "--format", second, *from_first, "--out", "out")
        tell(there == "", "convert --out prints as well")
        there = machine.path("out").read_bytes().decode()
        back = machine.run("convert", "--in", "out", "--from", second, "--format", first, *([] if second == "tsv" else data))
        again = [*([] if first == "tsv" else data)]
        machine.path("back").write_bytes(back.encode())
        return there, back, machine.run("convert", "--in", "back", "--from", first, "--format", second, *again)

    may = reasons(RETURN, BARS, END, BLANK) if "tsv" in (first, second) or "hard" in (first, second) else reasons(RETURN)
    there, back, again = batch.go(attempt, FILES, may)
    expected = [{(s, t) for s, t, _ in item.links} for item in batch.items]
    check_links(batch, second, there, expected)
    check_links(batch, first, back, expected)
    tell(again == there, f"{second} -> {first} -> {second} is another file")
    return batch


@chain("convert: weights to all and back", 16)
def convert_weights(machine, items):
    first, second = machine.random.choice(WEIGHTS), machine.random.choice(ALL)
    batch = Batch(machine, items)
    for item in items:
        item.weights = item.weights or hostile.weights(machine.random, len(words(item.source)), len(words(item.target)))

    def attempt(items):
        data = corpus_files(machine, items, False, plain=machine.random.random() < 0.4)
        text = "".join(reference.write(first, k, words(item.source), words(item.target), item.weights) for k, item in enumerate(items))
        machine.path("in").write_bytes(text.encode())
        there = machine.run("convert", "--in", "in", "--from", first, "--format", second, *(data if first == "soft" else []))
        machine.path("out").write_bytes(there.encode())
        back = None
        if second in WEIGHTS:
            back = machine.run("convert", "--in", "out", "--from", second, "--format", first, *(data if second == "soft" else []))
        return there, back

    there, back = batch.go(by_record(attempt, machine, first), FILES, reasons(RETURN, BARS, END, BLANK))
    for form, text in ((second, there), (first, back)):
        if text is None:
            continue
        found = read(form, text)
        same_count(batch, found, form)
        for item, record in zip(batch.items, found):
            sources, targets = words(item.source), words(item.target)
            tell(record.source in (None, sources), f"{form}: source words {record.source}", item)
            tell(record.target in (None, targets), f"{form}: target words {record.target}", item)
            if record.links is not None:
                expected = reference.best(item.weights, len(sources), len(targets))
                tell(record.links == expected, f"{first} -> {form}: links {sorted(record.links)}, expected {sorted(expected)}", item)
            if record.weights is not None and (sources or targets):
                wanted = item.weights if targets else []
                tell(reference.close(record.weights, item.weights) or reference.close(record.weights, wanted),
                     f"{first} -> {form}: weights {record.weights}, expected {item.weights}", item)
    return batch


def by_record(attempt, machine, form):
    """Changes `attempt` for a format with several lines per record: FILE:LINE in a message becomes the number of the
    record."""
    if form not in ("nematus", "sockeye"):
        return attempt

    def renamed(items):
        try:
            return attempt(items)
        except Refused as error:
            found = re.search(r"\b(in|out):(\d+)\b", error.message)
            if not found:
                raise
            text = machine.path(found.group(1)).read_bytes().decode().split("\n")[:int(found.group(2))]
            if found.group(1) == "out" and " ||| " not in "".join(text):
                raise
            heads = sum(" ||| " in line or line.startswith(("0 |||", "1 |||")) for line in text)
            raise Refused(error.message.replace(found.group(0), f"{found.group(1)}:{heads}")) from None
    return renamed


@chain("convert --symmetrise", 6)
def convert_symmetrise(machine, items):
    rule = machine.random.choice(["intersection", "union", "grow-diag-final-and"])
    same_order, one_based = machine.random.random() < 0.5, machine.random.random() < 0.3
    batch = Batch(machine, items)
    for item in items:
        if not hasattr(item, "others"):
            item.others = hostile.links(machine.random, len(words(item.source)), len(words(item.target)))

    def attempt(items):
        data = corpus_files(machine, items, False)
        machine.write("in", lines_of("pharaoh", items, one_based))
        others = [[(s, t, "-") if same_order else (t, s, "-") for s, t, _ in item.others] for item in items]
        machine.write("reverse", [reference.text_of(links, one_based) for links in others])
        return machine.run("convert", "--in", "in", "--reverse", "reverse", "--symmetrise", rule, "--from", "pharaoh", "--format",
                           "pharaoh", *data, *(["--same-order"] if same_order else []), *(["--one-based"] if one_based else []))

    text = batch.go(attempt, FILES, reasons(RETURN, BLANK))
    expected = [reference.symmetrised(rule, {(s, t) for s, t, _ in item.links}, {(s, t) for s, t, _ in item.others})
                for item in batch.items]
    check_links(batch, "pharaoh", text, expected)
    return batch


@chain("convert: links that do not fit", 3)
def convert_unfit(machine, items):
    """Each line has a link beyond its words, which must be refused with its line number."""
    form = machine.random.choice(LINKS)
    batch = Batch(machine, items)
    for item in items:
        beyond = (len(words(item.source)) + 1, 0, "-") if machine.random.random() < 0.5 else (0, len(words(item.target)) + 1, "-")
        item.links = [*item.links, beyond]
    for item in list(batch.items):
        data = corpus_files(machine, [item], False)
        machine.write("in", lines_of(form, [item], False))
        try:
            text = machine.run("convert", "--in", "in", "--from", form, "--format", "pharaoh", *([] if form == "tsv" else data))
        except Refused as error:
            tell(re.search(r"in:1\b|pairs\.\w+:1\b", error.message), f"a refusal without a place: {error.message[:300]}", item)
            batch.items.remove(item)
            batch.refused.append((item, error.message))
            continue
        raise Wrong(f"{form}: links beyond the words give {text!r}", item)
    return batch


# ---- a trained model: translate, align, evaluate, score, view

def stdin_lines(machine, items, end="\n"):
    return machine.write("lines", [item.source for item in items], end=end)


TRANSLATE = ["--threads", "1", "--max-length", "5000"]


@chain("translate --alignment -> convert", 18)
def translate(machine, items):
    name = machine.random.choice(RUNS)
    run = machine.runs[name]
    batch = Batch(machine, items)
    search = machine.random.choice([[], [], ["--beam", "3"], ["--case", "source"], ["--int8"], ["--batch", "3"]])
    if name == "none" and "--case" in search:
        search = []  # this tokeniser keeps capitals, so --case does not apply
    converted = machine.random.choice(LINKS)

    def attempt(items):
        options = ["--run", run, *TRANSLATE, *search]
        lines = stdin_lines(machine, items)
        plain = machine.run("translate", *options, stdin=lines)
        hard, soft, jsonl = [machine.run("translate", *options, "--alignment", form, stdin=lines) for form in ("hard", "soft", "jsonl")]
        for name, text in (("hard", hard), ("soft", soft), ("jsonl", jsonl), ("printed", plain)):
            machine.path(name).write_bytes(text.encode())
        end = machine.random.choice(["\r\n", None])
        if end:
            tell(machine.run("translate", *options, stdin=stdin_lines(machine, items, end)) == plain, "with CRLF the output is another")
            stdin_lines(machine, items)
        files = ["--source", "lines", "--target", "printed"]
        by_hard = machine.run("convert", "--in", "hard", "--from", "hard", "--format", converted, *files)
        by_soft = machine.run("convert", "--in", "soft", "--from", "soft", "--format", converted, *files)
        by_jsonl = machine.run("convert", "--in", "jsonl", "--from", "jsonl", "--format", converted)
        return plain, hard, soft, jsonl, by_hard, by_soft, by_jsonl

    may = reasons(RETURN, (r"\|\|\||</s>", lambda side: True), BLANK)
    plain, hard, soft, jsonl, by_hard, by_soft, by_jsonl = batch.go(attempt, FILES + ["hard", "soft", "jsonl", "printed"], may)
    printed, hards, softs = reference.lines(plain), read("hard", hard), read("soft", soft)
    records = [json.loads(line) for line in reference.lines(jsonl)]
    for name, found in (("plain", printed), ("hard", hards), ("soft", softs), ("jsonl", records)):
        same_count(batch, found, name)
    texts = [line.rsplit(" |||", 1)[0] for line in reference.lines(hard)]
    for k, item in enumerate(batch.items):
        record, hard_links, line = records[k], hards[k].links, printed[k]
        sources, targets = words(item.source), words(line)
        tell(texts[k] == line, f"hard prints {texts[k]!r}, without --alignment {line!r}", item)
        tell(hards[k].target == targets and softs[k].target == targets, "words of hard and soft differ from the line's", item)
        for s, t in hard_links:
            tell(s < len(sources) and t < len(targets), f"link {s}-{t} between {len(sources)} and {len(targets)} words", item)
        tell(record["id"] == k and record.get("rank", 0) == 0, f"record {record['id']}", item)
        check_record(item, record, item.source, line)
        if not targets:
            continue
        folded = reference.folded_weights(record)
        tell(reference.close(softs[k].weights, folded, 2e-4) or reference.close(softs[k].weights, folded[:len(targets)], 2e-4),
             f"soft has {softs[k].weights}, the record's folded are {folded}", item)
        links = reference.folded_links(record)
        tell(links == hard_links, f"hard links {sorted(hard_links)}, those of the record folded {sorted(links)}", item)
    lines = [type(item)(item.source, line, item.links) for item, line in zip(batch.items, printed)]
    whole = Batch(machine, lines)
    for text in (by_hard, by_jsonl):
        check_links(whole, converted, text, [record.links for record in hards])
    check_links(whole, converted, by_soft, [reference.best(soft.weights, len(words(item.source)), len(words(item.target)))
                                            for item, soft in zip(lines, softs)])
    return batch


def check_record(item, record, source, target):
    """Checks the properties of every record with words on both sides."""
    for side, text in (("source", source), ("target", target)):
        line = reference.line_of(record, side)
        tell(words(line) == words(text), f"{side}_line {line!r}, expected {text!r}", item)
    rows = record["matrix"]
    sources, targets = len(record["source_tokens"]), len(record["target_tokens"])
    tell(len(rows) == targets and all(len(row) == sources for row in rows), "the matrix does not fit the tokens", item)
    for row in rows:
        tell(abs(sum(row) - 1) < 1e-3, f"a row sums to {sum(row)}", item)
    for side in ("source", "target"):
        tokens, line, spans = record[f"{side}_tokens"], reference.line_of(record, side), record.get(f"{side}_spans", [])
        tell(len(spans) == len(tokens) - record["eos"][side], f"{len(spans)} spans for {side} tokens {tokens}", item)
        tell(all(tokens), f"an empty token: {tokens}", item)
        before = 0
        for begin, end in spans:
            tell(before <= begin < end <= len(line), f"{side} span [{begin},{end}] in {line!r}", item)
            before = begin
    for s, t in record["links"]:
        tell(s < sources - record["eos"]["source"] and t < targets - record["eos"]["target"], f"link {s}-{t}", item)


@chain("align -> convert -> evaluate", 14)
def align(machine, items):
    name = machine.random.choice(RUNS)
    run = machine.runs[name]
    batch = Batch(machine, items)
    form, converted = machine.random.choice(WEIGHTS[:-1]), machine.random.choice(LINKS)
    plain, one_based = machine.random.random() < 0.3, machine.random.random() < 0.3

    def attempt(items):
        data = corpus_files(machine, items, True, one_based, plain)
        options = ["--run", run, "--threads", "1", "--max-length", "5000", *data]
        jsonl = machine.run("align", *options, "--format", "jsonl")
        machine.path("jsonl").write_bytes(jsonl.encode())
        links = machine.run("align", *options, "--format", "pharaoh")
        other = machine.run("align", *options, "--format", converted)
        weights = machine.run("align", *options, "--format", form)
        machine.path("out").write_bytes(weights.encode())
        by_jsonl = machine.run("convert", "--in", "jsonl", "--from", "jsonl", "--format", converted)
        scores = json.loads(machine.run("evaluate", *options, "--json"))
        return jsonl, links, other, weights, by_jsonl, scores

    may = reasons(RETURN, (r"\|\|\|", lambda side: "|||" in side), END, BLANK, (r"no token", has_invisible), gold=True)
    jsonl, links, other, weights, by_jsonl, scores = batch.go(attempt, FILES + ["jsonl"], may)
    records = [json.loads(line) for line in reference.lines(jsonl)]
    same_count(batch, records, "jsonl")
    aligned, others = read("pharaoh", links), read(converted, other)
    same_count(batch, aligned, "pharaoh")
    error = [0, 0]
    for item, record, found, again in zip(batch.items, records, aligned, others):
        sources, targets = words(item.source), words(item.target)
        for s, t in found.links:
            tell(s < len(sources) and t < len(targets), f"link {s}-{t} between {len(sources)} and {len(targets)} words", item)
        tell(found.links == again.links, f"{converted} has {sorted(again.links)}, pharaoh {sorted(found.links)}", item)
        check_record(item, record, item.source, item.target)
        folded = reference.folded_links(record)
        tell(found.links == folded, f"links {sorted(found.links)}, those of the record folded {sorted(folded)}", item)
        check_gold(item, record)
        if item.links and sources and targets:
            some, all_of = reference.alignment_error(found.links, item.links)
            error = [error[0] + some, error[1] + all_of]
    check_links(batch, converted, by_jsonl, [record.links for record in aligned])
    check_weights(batch, form, weights, records)
    if error[1] and "alignment" in scores["all"]:
        ours = 1 - error[0] / error[1]
        tell(abs(ours - scores["all"]["alignment"]["aer"]) < 1e-6, f"AER {scores['all']['alignment']['aer']}, by the links {ours}")
    return batch


def check_gold(item, record):
    """Requires that gold links over the user's words are unchanged."""
    if "gold" not in record:
        tell(not item.links, "the gold is gone", item)
        return
    for kind, mark in (("sure", "-"), ("possible", "?")):
        given = {(s, t) for s, t, m in item.links if m == mark}
        got = reference.folded_gold(record, kind)
        tell(got == given, f"gold {kind} {sorted(got)}, given {sorted(given)}", item)


def check_weights(batch, form, text, records):
    found = read(form, text)
    same_count(batch, found, form)
    for item, record, other in zip(batch.items, records, found):
        if not record["matrix"]:
            continue
        tokens, folded = record["matrix"], reference.folded_weights(record)
        heads = reference.mean([[head["matrix"] for head in record.get("heads", []) if head["kind"] == "cross"]])
        tell(any(reference.close(other.weights, matrix, 2e-4) for matrix in (tokens, folded, folded[:-1], heads)),
             f"{form}: weights are neither the record's nor these folded", item)


@chain("align: formats that hold tokens agree", 6)
def align_tokens(machine, items):
    run = machine.runs[machine.random.choice(RUNS)]
    batch = Batch(machine, items)
    forms = machine.random.sample(["tsv", "nematus", "sockeye", "bertviz", "t2t"], 2)

    def attempt(items):
        data = corpus_files(machine, items, True)
        options = ["--run", run, "--threads", "1", "--max-length", "5000", "--over", "tokens", *data]
        texts = [machine.run("align", *options, "--format", form) for form in ["jsonl", *forms]]
        return [machine.run("align", *options, "--format", "pharaoh", "--tokens", "tokens"), *texts]

    may = reasons(RETURN, (r"\|\|\|", lambda side: "|||" in side), (r"</s>", lambda side: "</s>" in side), BLANK, gold=True)
    links, jsonl, *texts = batch.go(attempt, FILES, may)
    records, aligned = read("jsonl", jsonl), read("pharaoh", links)
    tokens = [line.split("\t") for line in reference.lines(machine.path("tokens").read_bytes().decode())]
    for found, what in ((records, "jsonl"), (aligned, "pharaoh"), (tokens, "--tokens")):
        same_count(batch, found, what)
    for item, record, found, sides in zip(batch.items, records, aligned, tokens):
        tell(found.links == record.links, f"pharaoh: links {found.links}, the record's are {record.links}", item)
        tell([words(side) for side in sides] == [record.source, record.target], f"--tokens has {sides}", item)
    for form, text in zip(forms, texts):
        found = read(form, text)
        same_count(batch, found, form)
        for item, record, other in zip(batch.items, records, found):
            tell(other.source == record.source and other.target == record.target,
                 f"{form}: tokens {other.source} {other.target}, the record's are {record.source} {record.target}", item)
            if other.links is not None:
                tell(other.links == record.links, f"{form}: links {other.links}, the record's are {record.links}", item)
            # These formats have the weights of heads, a record has norm-based weights.
            of_heads = run == machine.runs["transformer"] and form in ("bertviz", "t2t")
            if other.weights is not None and record.weights and not of_heads:
                tell(reference.close(other.weights, record.weights, 2e-4), f"{form}: other weights than the record's", item)
    return batch


@chain("translate --n-best -> score", 5)
def n_best(machine, items):
    run = machine.runs[machine.random.choice(RUNS)]
    batch = Batch(machine, items)

    def attempt(items):
        options = ["--run", run, *TRANSLATE, "--beam", "3"]
        lines = stdin_lines(machine, items)
        best = machine.run("translate", *options, stdin=lines)
        several = machine.run("translate", *options, "--n-best", "3", stdin=lines)
        return best, several, machine.run("score", "--run", run, "--threads", "1", "--max-length", "5000", *corpus_files(machine, items, False))

    best, several, scored = batch.go(attempt, FILES, reasons(RETURN, (r"\|\|\|", lambda side: True), BLANK))
    printed = reference.lines(best)
    same_count(batch, printed, "--beam 3")
    same_count(batch, reference.lines(scored), "score")
    seen = {}
    for line in reference.lines(several):
        number, rest = line.split(" ||| ", 1) if " ||| " in line else (line.split(" |||")[0], "")
        text = rest.rsplit(" ||| ", 1)[0] if " ||| " in rest else rest
        seen.setdefault(int(number), []).append(text)
    for k, item in enumerate(batch.items):
        tell(1 <= len(seen.get(k, [])) <= 3, f"line {k} has {len(seen.get(k, []))} translations", item)
        tell(seen[k][0] == printed[k], f"the best is {seen[k][0]!r}, --beam 3 prints {printed[k]!r}", item)
    return batch


@chain("score: jsonl's sums", 3)
def score(machine, items):
    run = machine.runs[machine.random.choice(RUNS)]
    batch = Batch(machine, items)

    def attempt(items):
        options = ["--run", run, "--threads", "1", "--max-length", "5000", *corpus_files(machine, items, False)]
        return machine.run("score", *options), machine.run("align", *options, "--format", "jsonl")

    scored, jsonl = batch.go(attempt, FILES, reasons(RETURN, BLANK))
    for text, what in ((scored, "score"), (jsonl, "align")):
        same_count(batch, reference.lines(text), what)
    for item, line, record in zip(batch.items, reference.lines(scored), map(json.loads, reference.lines(jsonl))):
        if line.strip() and record.get("total_logprob") is not None:
            tell(abs(float(line.split("\t")[0]) - record["total_logprob"]) < 1e-3 * (1 + abs(record["total_logprob"])),
                 f"score {line}, the record has {record['total_logprob']}", item)
    return batch


@chain("links -> convert, links -> train", 9)
def links(machine, items):
    """Learns from these pairs and aligns them. Then the links supervise a training of one epoch."""
    batch = Batch(machine, items)
    tokenizer = machine.random.choice(["words", "none"])
    second = machine.random.choice(LINKS)

    def attempt(items):
        data = corpus_files(machine, items, False, plain=machine.random.random() < 0.4)
        options = [*data, "--tokenizer", tokenizer, "--threads", "1", "--diagonal-rounds", "2", "--jump-rounds", "1", "--max-length", "5000"]
        jsonl = machine.run("links", *options, "--format", "jsonl")
        machine.path("jsonl").write_bytes(jsonl.encode())
        out = machine.run("links", *options)
        tsv = machine.run("links", *options, "--format", "tsv")
        machine.path("in").write_bytes(tsv.encode())
        return jsonl, out, tsv, machine.run("convert", "--in", "in", "--from", "tsv", "--format", second)

    may = reasons(RETURN, BLANK, BARS)
    jsonl, out, tsv, converted = batch.go(attempt, FILES, may)
    records = [json.loads(line) for line in reference.lines(jsonl)]
    aligned = read("pharaoh", out)
    same_count(batch, records, "jsonl")
    same_count(batch, aligned, "pharaoh")
    for item, record, found in zip(batch.items, records, aligned):
        check_record(item, record, item.source, item.target)
        for s, t in found.links:
            tell(s < len(words(item.source)) and t < len(words(item.target)), f"link {s}-{t} beyond the words", item)
        # Records have the forward posteriors. The links of one direction come from them, but the links of both directions
        # need not.
    check_links(batch, "tsv", tsv, [record.links for record in aligned])
    check_links(batch, second, converted, [record.links for record in aligned])
    whole = [item for item in batch.items if words(item.source) and words(item.target)]
    if machine.random.random() < 0.3 and len(whole) > 4:
        machine.write("valid.tsv", tsv.split("\n")[:4] if all(words(i.source) and words(i.target) for i in batch.items[:4]) else
                      ["a\tb\t0-0"])
        machine.run("train", "--train", "in", "--valid", "valid.tsv", "--tokenizer", "none", "--epochs", "1", "--guided-alignment",
                           "0.1", "--max-length", "5000", *SMALL, "--out", "taught", "--force")
        printed = machine.run("align", "--run", "taught", "--data", "in", "--threads", "1", "--max-length", "5000", "--format", "jsonl")
        again = [json.loads(line) for line in reference.lines(printed)]
        same_count(batch, again, "align by the taught run")
        for item, record, found in zip(batch.items, again, aligned):
            if "gold" in record:
                got = reference.folded_gold(record, "sure")
                tell(got == found.links, f"the links {sorted(found.links)} are read as gold {sorted(got)}", item)
    return batch


SMALL = ["--embedding", "16", "--hidden", "16", "--attention-size", "16", "--readout", "16", "--threads", "1"]


@chain("align -> view", 3)
def view(machine, items):
    """The page has every record that align writes, with its links and the user's gold links."""
    run = machine.runs[machine.random.choice(RUNS)]
    batch = Batch(machine, items)

    def attempt(items):
        data = ["--run", run, *corpus_files(machine, items, True), "--max-length", "5000", "--threads", "1"]
        jsonl = machine.run("align", *data, "--format", "jsonl")
        machine.run("view", *data, "--out", "page.html")
        return jsonl

    may = reasons(RETURN, BLANK, gold=True)
    records = [json.loads(line) for line in reference.lines(batch.go(attempt, FILES, may))]
    same_count(batch, records, "align")
    page = machine.path("page.html").read_text(encoding="utf-8")
    tell(re.search(r"</html>\s*$", page) is not None, "the page is not whole")
    shown = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S).group(1))["sentences"]
    by_tokens = {}
    for sentence in shown:
        record = sentence["runs"][0]["record"]
        by_tokens[tuple(record["source_tokens"]), tuple(record["target_tokens"])] = record
    for item, record in zip(batch.items, records):
        there = by_tokens.get((tuple(record["source_tokens"]), tuple(record["target_tokens"])))
        if not record["matrix"]:
            continue  # a record without weights is not shown
        tell(there is not None, f"the page has no sentence {record['source_tokens']} {record['target_tokens']}", item)
        tell(there["links"] == record["links"], f"the page has links {there['links']}, the record {record['links']}", item)
        if all(there.get(key) == record.get(key) for key in ("source_line", "target_line", "gold")):
            check_gold(item, {**there, "gold": there["gold"]} if there.get("gold") else {})
    return batch
