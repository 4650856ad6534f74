"""Reads records back from a viewer's page, as page.js does. It was written independently, from docs/schemas/page.json."""

import json
import re
from itertools import chain

DIGITS = {c: i for i, c in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")}
FOLLOWS = ("schema", "id", "source_sent", "target_sent", "tags", "orientation", "rule", "entropy", "total_logprob", "prob")


def page_data(page):
    return json.loads(re.search(r'id="data">(.*?)</script>', page.read_text(encoding="utf-8"), re.S)[1])


def matrix(weights, columns):
    if not isinstance(weights, str):
        return weights
    numbers, units, place = [], 0, 1
    for digit in (DIGITS[c] for c in weights):
        units, place = units + digit % 32 * place, place * 32
        if digit < 32:
            numbers.append(units / 1e6)
            units, place = 0, 1
    return [numbers[i:i + columns] for i in range(0, len(numbers), columns)]


def unpacked(record, first):
    whole = {key: value for key, value in {**first, **record}.items() if value is not None}
    whole["heads"] = [dict(head) for head in whole.get("heads", [])]
    for holder in chain([whole], whole["heads"]):
        holder["matrix"] = matrix(holder.pop("weights"), holder.pop("columns", len(whole["source_tokens"])))
    return whole


def sentences(page):
    """Yields the sentences of a page with complete records."""
    for sentence in (read := page_data(page)["sentences"]):
        first = next(run["record"] for run in sentence["runs"] if run)
        for run in filter(None, sentence["runs"]):
            for key, value in run.items():
                run[key] = [unpacked(r, first) for r in value] if isinstance(value, list) else unpacked(value, first)
    return read


def as_shown(record):
    """Returns a record of a file without the keys that a page leaves out."""
    return {"heads": [], **{key: value for key, value in record.items() if key not in FOLLOWS}}
