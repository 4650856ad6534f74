"""Hand-made run folders for the viewer's checks: cases that no training produces on demand. They are the same on every
machine.

    python3 tests/viewer/records.py COUNT FOLDER      COUNT records for measure.mjs, some with training timelines
"""

import json
import math
import sys
from pathlib import Path

EPOCHS = [1, 2, 4]

SENTENCES = {
    "one": (["go"], ["va"]),
    "arabic": (["the", "old", "book"], ["الكتاب", "القديم", "هنا"]),
    "hebrew": (["a", "good", "year"], ["שנה", "טובה"]),
    "chinese": (["我", "爱", "深度", "学习"], ["i", "love", "deep", "learning"]),
    "japanese": (["東京", "で", "会い", "ましょう"], ["let", "us", "meet", "in", "Tōkyō"]),
    "long-words": (["Donaudampfschifffahrtsgesellschaftskapitän"] * 3, ["internationalisation"] * 4),
    "hostile": (
        ["</script><script>window.broken=1</script>", "<img/src=x/onerror=window.broken=1>", "<!--<script>", "\u202eabc"],
        ["]]>", "&lt;b&gt;", "\u2028", "", "\u200b", "__proto__", "{{script}}"],
    ),
    "large": ([f"s{i}" for i in range(57)], [f"t{i}" for i in range(59)]),
}

STACKED = [(["the", "old", "black", "cat"], ["le", "vieux", "chat", "noir", "dort"]), (["go"], ["va"])]


def weights(rows, columns, sharpness, shift=0):
    """Returns rows that sum to exactly 1 in millionths. Row t is largest near column t + shift."""
    matrix = []
    for t in range(rows):
        raw = [1 / (1 + sharpness * abs(s - (t + shift) % columns)) for s in range(columns)]
        units = [int(1e6 * w / sum(raw)) for w in raw]
        units[raw.index(max(raw))] += 1_000_000 - sum(units)
        matrix.append([u / 1e6 for u in units])
    return matrix


def links_of(matrix, source_words, target_words):
    best = [row.index(max(row)) for row in matrix[:target_words]]
    return [[s, t] for t, s in enumerate(best) if s < source_words]


def record(number, source, target, *, mode="forced", gold=True, sharpness=6.0, shift=0, rank=0, **more):
    columns, rows = len(source) + 1, len(target) + 1
    matrix = weights(rows, columns, sharpness, shift)
    result = {
        "schema": "softalign/1", "id": number, "source_sent": " ".join(source), "target_sent": " ".join(target),
        "prob": -0.25 * rows, "source_tokens": [*source, "</s>"], "target_tokens": [*target, "</s>"], "matrix": matrix,
        "orientation": "target_by_source", "eos": {"source": True, "target": True}, "attends": "output", "mode": mode,
        "rule": "argmax", "links": links_of(matrix, len(source), len(target)), "entropy": [0.5] * rows,
        "logprob": [-0.05 * (t % 40) for t in range(rows)], "rank": rank, **more,
    }
    if gold:
        diagonal = range(min(len(source), len(target)))
        result["gold"] = {"sure": [[i, i] for i in diagonal if i % 3 != 2], "possible": [[i, i] for i in diagonal if i % 3 == 2]}
    return result


def with_scores(result):
    """Adds scores, whose softmax is the weights, and norms to a record."""
    result["scores"] = [[round(math.log(w) + 0.5 * t, 6) for w in row] for t, row in enumerate(result["matrix"])]
    result["norms"] = {"source": [2.0 + s for s in range(len(result["matrix"][0]))], "context": [1.5] * len(result["matrix"])}
    return result


def write(path, records):
    path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records), encoding="utf-8")


def metrics(loss):
    return [{"epoch": e, "best": e == EPOCHS[-1], "valid": {"loss": loss / e, "bleu": 20.0 * e ** 0.5, "alignment": {"aer": 0.5 / e}}}
            for e in EPOCHS]


def write_tongues(folder, shift=0):
    """Records in many scripts and with hostile words. The first two sentences have epochs, alternatives and
    interventions."""
    folder.mkdir()
    records = [record(i, *words, shift=shift + (i > 0)) for i, words in enumerate(SENTENCES.values())]
    heads = [{"layer": 0, "head": k, "kind": "cross", "matrix": weights(4, 4, 2.0 + k, k)} for k in range(3)]
    records.append(record(len(records), ["with", "two", "heads"], ["à", "deux", "têtes"], heads=heads))
    with_scores(records[3])
    records[0].update(unknown=[0], target_unknown=[], tags=["of-the-record"])
    records.append(record(len(records), ["a", "free", "one"], ["une", "libre"], mode="greedy", gold=False))
    write(folder / "alignments.jsonl", records)
    write(folder / "metrics.jsonl", metrics(2.0 + shift))
    tracked = list(SENTENCES.values())[3:5]
    write(folder / "history.jsonl", [record(i, *words, sharpness=0.4 * e, shift=shift, epoch=e)
                                     for e in EPOCHS for i, words in enumerate(tracked)])
    source, target = tracked[0]
    alternatives = [target, [*target[:3], "study"], ["me", *target[1:]]]
    write(folder / "beam.jsonl", [record(3, source, words, mode="beam", gold=False, rank=rank) for rank, words in enumerate(alternatives)])
    changes = [({"kind": "none"}, target), ({"step": 1, "kind": "force", "source": 3}, ["i", "learn", "deep", "learning"]),
               ({"step": 0, "kind": "word", "word": "you"}, ["you", *target[1:]]),
               ({"step": 2, "kind": "ablate", "source": 2}, [*target[:2], target[3]])]
    changed = [record(3, source, words, mode="greedy", gold=False, shift=k, intervention=change) for k, (change, words) in enumerate(changes)]
    changed[1]["logprob"][1] -= 1  # the word of a forced step is less probable
    write(folder / "interventions.jsonl", changed)
    return folder


NINE = "will you open a beautiful round cupboard now ?".split(), "vas -tu ouvrir un beau placard rond maintenant ?".split()


def write_nine(folder, shift=0):
    """A sentence of nine words, whose matrix fits on a small screen, and a shorter one."""
    folder.mkdir()
    write(folder / "alignments.jsonl", [record(0, *NINE, shift=shift), record(1, ["go"], ["va"])])
    write(folder / "metrics.jsonl", metrics(2.0 + shift))
    return folder


def write_stack(folder):
    """Sentences of a model with two layers of two heads and with self-attention. In the first sentence, layer 2 head 1
    aligns best."""
    folder.mkdir()

    def heads(source, target):
        S, T = len(source) + 1, len(target) + 1
        places = [(layer, head) for layer in (0, 1) for head in (0, 1)]
        past = [weights(1, t + 1, 2.0)[0] + [0.0] * (T - t - 1) for t in range(T)]
        return [
            *({"layer": l, "head": k, "kind": "cross", "matrix": weights(T, S, 3.0, (1 - l) + 2 * k)} for l, k in places),
            *({"layer": l, "head": k, "kind": "encoder-self", "matrix": weights(S, S, 1.0 + l, k)} for l, k in places),
            *({"layer": l, "head": k, "kind": "decoder-self", "matrix": past} for l, k in places)]

    write(folder / "alignments.jsonl", [record(i, *pair, heads=heads(*pair)) for i, pair in enumerate(STACKED)])
    write(folder / "metrics.jsonl", metrics(2.0))
    return folder


def write_layer(folder):
    """Sentences of a run with an alignment layer: combined with the decoder's attention, the layer alone, and a record of
    an older version, which does not say how much of the layer its weights contain."""
    folder.mkdir()

    def made(number, share):
        source, target = ["we", *"old friends sleep".split()[:number + 1]], ["nous", *"vieux amis dorment".split()[:number + 1]]
        heads = [{"layer": 0, "head": 0, "kind": "decoder", "matrix": weights(len(target) + 1, len(source) + 1, 1.0)}]
        return record(number, source, target, heads=heads, **share)

    write(folder / "alignments.jsonl", [made(i, share) for i, share in enumerate([{"layer_share": 0.3}, {"layer_share": 1}, {}])])
    write(folder / "metrics.jsonl", metrics(1.0))
    return folder


def write_one_look(folder):
    """The sentences of write_stack from a model with one attention."""
    folder.mkdir()
    write(folder / "alignments.jsonl", [record(i, *pair) for i, pair in enumerate(STACKED)])
    write(folder / "metrics.jsonl", metrics(1.0))
    return folder


def film_records():
    """Yields 60 sentences with tags. A third of them are badly aligned."""
    words = "the small black cat never sleeps in an old red house tonight".split()
    for i in range(60):
        length = 12 if i == 11 else 5 + i % 3
        tags = ["negation"] * (i % 5 == 0) + ["fixed"] * (i % 7 == 3)
        made = record(i, [*words[: length - 1], f"n{i}"], [*words[: length - 2], f"m{i}"], shift=int(i % 3 == 0),
                      **({"tags": tags} if tags else {}))
        if i == 13:
            made["links"].pop()
        yield made


def write_films(folder):
    """Sentences 10 to 13 have training timelines, and 11 to 13 and 20 have interventions. Sentence 11 is long, and 12 is
    badly aligned. Sentence 13 is good to show, although 11 has no fault at all."""
    folder.mkdir()
    shown = list(film_records())
    write(folder / "alignments.jsonl", shown)
    write(folder / "metrics.jsonl", metrics(2.0))
    write(folder / "history.jsonl", [{**shown[i], "epoch": e} for e in EPOCHS for i in range(10, 14)])
    changes = [{"kind": "none"}, {"step": 0, "kind": "force", "source": 1}]
    write(folder / "interventions.jsonl", [
        {**{key: value for key, value in shown[i].items() if key != "gold"}, "mode": "greedy", "intervention": change}
        for i in (11, 12, 13, 20) for change in changes])
    return folder


def crossed(result):
    """Returns the record with target words 2 and 3 in the opposite order, in its weights and gold links."""
    rows = result["matrix"]
    rows[2], rows[3] = rows[3], rows[2]
    words = len(result["target_tokens"]) - 1
    return {**result, "links": links_of(rows, len(result["source_tokens"]) - 1, words),
            "gold": {"sure": [[{2: 3, 3: 2}.get(t, t), t] for t in range(words)], "possible": []}}


def write_crossing(folder):
    """Four tracked sentences with interventions, where the third one has crossing links. Many of the forty other sentences
    have errors."""
    folder.mkdir()
    others = [record(i, [*"a small black cat sleeps".split(), f"n{i}"], [*"un petit chat noir dort".split(), f"m{i}"], shift=i % 2)
              for i in range(40)]
    write(folder / "alignments.jsonl", others)
    write(folder / "metrics.jsonl", metrics(2.0))
    tracked = [record(i, [*"we see the red car".split(), f"v{i}"], [*"nous voyons la voiture rouge".split(), f"w{i}"]) for i in range(4)]
    tracked[2] = crossed(tracked[2])
    write(folder / "history.jsonl", [{**r, "epoch": e} for e in EPOCHS for r in tracked])
    write(folder / "interventions.jsonl", [{**r, "mode": "greedy", "intervention": change} for r in tracked
                                           for change in ({"kind": "none"}, {"step": 0, "kind": "force", "source": 1})])
    return folder


def write_unfilmed(folder):
    """The sentences of write_films from a run that tracked none."""
    folder.mkdir()
    write(folder / "alignments.jsonl", film_records())
    write(folder / "metrics.jsonl", metrics(3.0))
    return folder


def bulk_record(i, **more):
    words = "the small black cat never sleeps in an old red house tonight".split()
    return record(i, [*words[: 6 + i % 7], f"n{i}"], [*words[: 5 + i % 8], f"m{i}"], **{"sharpness": 1 + i % 5, **more})


def write_bulk(folder, count=500):
    """As many records as a test corpus has, with its sentence lengths."""
    folder.mkdir()
    write(folder / "alignments.jsonl", [bulk_record(i) for i in range(count)])
    return folder


if __name__ == "__main__":
    run = write_bulk(Path(sys.argv[2]), int(sys.argv[1]))
    write(run / "metrics.jsonl", metrics(2.0))
    write(run / "history.jsonl", [bulk_record(i, sharpness=e, epoch=e) for e in EPOCHS for i in range(0, int(sys.argv[1]), 50)])
