"""Hand-made records whose sources are not sentences: pictures, stories, sentence pairs, and a text that attends to its own
past."""

import base64
import json
import struct
import zlib

from records import EPOCHS, links_of, metrics, weights, write

COLOURS = {"red": (214, 40, 40), "blue": (38, 80, 200), "green": (40, 160, 70), "yellow": (235, 200, 40)}
SIDE = 8  # side of a cell in pixels


def png(width, height, rgb):
    """Returns a PNG file. `rgb` gives the pixel at (x, y)."""
    rows = b"".join(b"\0" + bytes(c for x in range(width) for c in rgb(x, y)) for y in range(height))

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def inside(shape, x, y, side):
    """Returns whether a pixel of a square with this side belongs to the shape."""
    dx, dy = x - (side - 1) / 2, y - (side - 1) / 2
    if shape == "circle":
        return dx * dx + dy * dy <= (side / 2 - 1) ** 2
    if shape == "triangle":
        return 1 <= y < side - 1 and abs(dx) <= y / 2
    return max(abs(dx), abs(dy)) <= side / 2 - 2


def picture(H, W, objects):
    """Returns a picture of a grid of cells, grey with objects of two by two cells: (shape, colour, row, column)."""
    def rgb(x, y):
        for shape, colour, row, column in objects:
            px, py = x - column * SIDE, y - row * SIDE
            if 0 <= px < 2 * SIDE and 0 <= py < 2 * SIDE and inside(shape, px, py, 2 * SIDE):
                return COLOURS[colour]
        grey = 200 + (x * 7 + y * 13 + x * y) % 17
        return (grey, grey, grey)

    return "data:image/png;base64," + base64.b64encode(png(W * SIDE, H * SIDE, rgb)).decode("ascii")


def normed(raw):
    units = [int(1e6 * w / sum(raw)) for w in raw]
    units[raw.index(max(raw))] += 1_000_000 - sum(units)
    return [u / 1e6 for u in units]


def around(H, W, row, column, sharpness):
    """Returns weights that are largest in the middle of an object of two by two cells. (row, column) is its upper left
    cell."""
    return normed([1 / (1 + sharpness * ((y - row - 0.45) ** 2 + (x - column - 0.4) ** 2)) ** 2 for y in range(H) for x in range(W)])


def base(number, kind, source, target, matrix, gold, eos, **more):
    return {
        "schema": "softalign/1", "id": number, "source_sent": (" | " if kind == "sentences" else " ").join(source),
        "target_sent": " ".join(target), "source_tokens": source, "target_tokens": target + ["</s>"] * eos, "source_kind": kind,
        "matrix": matrix, "orientation": "target_by_source", "eos": {"source": False, "target": bool(eos)}, "attends": "output",
        "mode": "forced", "rule": "argmax", "links": sorted(links_of(matrix, len(source), len(target))),
        **({"gold": gold} if gold else {}), "entropy": [0.5] * len(matrix),
        "logprob": [-0.05 - 0.04 * t for t in range(len(matrix))], "rank": 0, **more}


# --- pictures ---

BOARDS = [
    (6, 6, [("circle", "red", 0, 2), ("square", "blue", 4, 2)], "a red circle above a blue square"),
    (6, 6, [("triangle", "green", 2, 0), ("circle", "yellow", 2, 4)], "a green triangle left-of a yellow circle"),
    (3, 8, [("square", "yellow", 0, 0), ("triangle", "blue", 1, 6)], "a yellow square left-of a blue triangle"),
    (6, 6, [("circle", "green", 4, 4)], "a green circle"),
]


def picture_record(number, H, W, objects, caption, sharpness, astray=(), **more):
    """Words of an object attend to the object, other words to all cells. The words at the positions `astray` attend to the
    opposite corner."""
    words = caption.split()
    of_word = {word: place for place in objects for word in place[:2]}
    matrix, possible = [], []
    for t, word in enumerate(words):
        place = of_word.get(word)
        row, column = place[2:] if place else (H / 2 - 1, W / 2 - 1)
        if t in astray:
            row, column = (0, 0) if row > 0 or column > 0 else (H - 2, W - 2)
        matrix.append(around(H, W, row, column, sharpness if place else sharpness / 40))
        if place:
            possible += [[(place[2] + y) * W + place[3] + x, t] for y in (0, 1) for x in (0, 1)]
    matrix.append(normed([1] * (H * W)))
    names = [f"{row},{column}" for row in range(1, H + 1) for column in range(1, W + 1)]
    return base(number, "cells", names, words, matrix, {"sure": [], "possible": sorted(possible)}, True,
                source_grid=[H, W], source_image=picture(H, W, objects),
                gate=[round(0.9 - 0.02 * t - 0.01 * sharpness if word in of_word else min(0.9, 0.1 * sharpness), 6) for t, word in enumerate([*words, ""])],
                **more)


def write_pictures(folder, sharpness=1.6, loss=2.0):
    """Boards with captions; a word of the second one attends to the wrong corner. Then a board without a picture, a picture
    of one cell with hostile words and no gold links, and a board for which each run writes another caption."""
    folder.mkdir()
    records = [picture_record(i, *board, sharpness, astray=(2,) if i == 1 else ()) for i, board in enumerate(BOARDS)]
    bare = picture_record(4, *BOARDS[0], sharpness)
    del bare["source_image"]
    hostile = base(5, "cells", ["1,1"], ["</script><script>window.broken=1</script>", "\u202eabc"], [[1.0], [1.0], [1.0]], None, True,
                   source_grid=[1, 1], source_image=picture(2, 2, [("circle", "red", 0, 0)]))
    H, W, objects, _ = BOARDS[1]
    other = picture_record(6, H, W, objects[:1], "a green triangle" if sharpness < 2 else "a green circle", sharpness, mode="greedy",
                           source_line="boards/small/board.png")
    other["source_image"] = picture(H, W, [*objects[:1], ("square", "red", 4, 4)])
    write(folder / "alignments.jsonl", [*records, bare, hostile, other])
    write(folder / "metrics.jsonl", metrics(loss))
    return folder


# --- stories ---

STORIES = [
    (["mary got the apple", "it rained in the morning", "mary went to the park", "john went to the kitchen"], "where is the apple", ["park"],
     [0, 2], [[0.86, 0.02, 0.09, 0.03], [0.07, 0.03, 0.82, 0.08]]),
    (["john went to the garden", "mary went to the hall", "john took the ball"], "where is john", ["garden"], [0], [[0.3, 0.2, 0.5]]),
    (["图像处理需要大量的并行计算，因此适合使用图形处理器，因为它有数千个小的计算单元可以同时工作。", "天气很好。", "Signal processing is done by small chips, whose programs must keep to a "
      "budget of power, of memory and of time, as nobody waits for a sound that comes too late."], "哪一句说的是图像处理？", ["第", "一", "句"], [0], [[0.7, 0.1, 0.2]]),
]


def write_stories(folder, blur=0.0):
    """A story with two hops, one with one hop, and one with long sentences, one of them Chinese, and an answer of three
    words."""
    folder.mkdir()
    records = []
    for number, (story, question, answer, gold, looks) in enumerate(STORIES):
        looks = [normed([(1 - blur) * w + blur / len(story) for w in look]) for look in looks]
        heads = [{"layer": hop, "head": 0, "kind": "cross", "matrix": [look] * len(answer)} for hop, look in enumerate(looks)]
        mean = normed([sum(weights) for weights in zip(*looks)])
        records.append(base(number, "sentences", story, answer, [mean] * len(answer), {"sure": [[s, 0] for s in gold], "possible": []}, False,
                            question=question, **({"heads": heads} if len(looks) > 1 else {})))
    write(folder / "alignments.jsonl", records)
    return folder


def write_tracked(folder):
    """Changes a folder of records so that the first record becomes a validation record that train tracked."""
    first, *others = [json.loads(line) for line in (folder / "alignments.jsonl").read_text(encoding="utf-8").splitlines()]
    write(folder / "alignments.jsonl", others)
    write(folder / "history.jsonl", [{**first, "epoch": epoch} for epoch in EPOCHS])
    return folder


def write_accuracies(folder, bleu, **scores):
    """Writes the files that train writes for a task with attention accuracy into a folder of records."""
    points = metrics(2.0)
    for point in points:
        point["valid"].update(bleu=bleu, attention_accuracy=0.2 * point["epoch"], **scores)
    write(folder / "metrics.jsonl", points)
    return folder


# --- pairs of sentences, and a text ---

PAIRS = [("a tall girl reads a book", "a child reads", "entailment"), ("two dogs run", "the cats sleep all day", "contradiction")]


def across(premise, hypothesis, sharpness):
    """Returns a matrix of all words. The words of each sentence attend to the other sentence. The third letter from the
    right sets how strongly."""
    words = [*premise, "|", *hypothesis]
    bar = len(premise)

    def row(i):
        other = [s > bar if i < bar else s < bar if i > bar else s == bar for s in range(len(words))]
        return normed([there * (0.2 + sharpness / (1 + abs(len(word) - len(words[i]))) ** 2) for there, word in zip(other, words)])

    return [row(i) for i in range(len(words))]


def write_pairs(folder, sharpness=3.0):
    """Both sentences attend to each other. In the first pair, another head attends to its own sentence only."""
    folder.mkdir()
    records = []
    for number, (premise, hypothesis, label) in enumerate(PAIRS):
        premise, hypothesis = premise.split(), hypothesis.split()
        words = [*premise, "|", *hypothesis]
        heads = [{"layer": 0, "head": 0, "kind": "encoder-self", "matrix": across(premise, hypothesis, sharpness)}]
        if number == 0:
            own = [[float(i == s) for s in range(len(words))] for i in range(len(words))]
            heads.insert(0, {"layer": 0, "head": 1, "kind": "encoder-self", "matrix": own})
        made = base(number, "words", words, [label], [normed([1] * len(words))], None, False, heads=heads)
        del made["source_kind"]
        records.append(made)
    write(folder / "alignments.jsonl", records)
    return folder


def write_text(folder):
    """A text of a language model, which has no source and attends to its own past."""
    folder.mkdir()
    words = "mary likes tea . john likes it".split()
    T = len(words) + 1
    past = [normed([1 + 5 * (s == max(0, t - 3)) for s in range(t + 1)]) + [0.0] * (T - t - 1) for t in range(T)]
    made = base(0, "words", [], words, [[1.0]] * T, None, True, heads=[{"layer": 0, "head": 0, "kind": "decoder-self", "matrix": past}])
    del made["source_kind"]
    made.update(source_tokens=["</s>"], eos={"source": True, "target": True}, links=[])
    write(folder / "alignments.jsonl", [made, {**made, "id": 1, "target_sent": "mary likes tea . john likes it .",
          "target_tokens": [*words, ".", "</s>"], "matrix": [[1.0]] * (T + 1), "entropy": [0.0] * (T + 1), "logprob": [-0.1] * (T + 1),
          "heads": [{"layer": 0, "head": 0, "kind": "decoder-self", "matrix": weights_back(T + 1)}]}])
    return folder


def weights_back(T):
    return [weights(1, t + 1, 2.0)[0] + [0.0] * (T - t - 1) for t in range(T)]
