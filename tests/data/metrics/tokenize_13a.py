"""The tokeniser of mteval-v13a.pl by its regular expressions, to check our implementation.

usage: tokenize_13a.py FILE    one JSON text per line; prints a JSON list of tokens for each.
"""
import json
import re
import sys

RULES = [(re.compile(r"([\{-\~\[-\` -\&\(-\+\:-\@\/])"), r" \1 "),
         (re.compile(r"([^0-9])([\.,])"), r"\1 \2 "),
         (re.compile(r"([\.,])([^0-9])"), r" \1 \2"),
         (re.compile(r"([0-9])(-)"), r"\1 \2 ")]


def tokens(line):
    line = line.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, sign in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        line = line.replace(entity, sign)
    line = f" {line} "
    for pattern, replacement in RULES:
        line = pattern.sub(replacement, line)
    return line.split()


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        for text in file:
            print(json.dumps(tokens(json.loads(text)), ensure_ascii=False))
