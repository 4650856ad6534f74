"""The default model, trained on data/toy, translates what visitors type (data/toy/visitors.tsv): at least 36 of 40
sentences.

    SOFTALIGN_BUILD=build PYTHONPATH=tests/apps python3 tests/data/grammar/test_visitors.py [list.tsv ...]

This command also translates the sentences of other lists, and prints every translation that is not accepted."""

import re
import sys
import unittest
from pathlib import Path

import programs

PROJECT = Path(__file__).resolve().parents[3]
TOY = PROJECT / "data" / "toy"
ENOUGH = 36  # of 40 sentences


def read(path):
    """Returns (sentence, accepted translations) of each line."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return [(source, accepted.split(" | ")) for source, accepted in (line.split("\t") for line in lines)]


def compared(text):
    """Returns the text in a form without differences in capitals, apostrophes and spaces before punctuation."""
    return " ".join(re.sub(r"\s*([?!.,;:])", r"\1", text.lower().replace("’", "'")).split())


def wrong_translations(run, visitors):
    result = programs.run("translate", "--run", run, stdin="".join(source + "\n" for source, _ in visitors))
    assert result.returncode == 0, result.stderr
    answers = result.stdout.splitlines()
    assert len(answers) == len(visitors), result.stdout
    return [(source, answer) for (source, accepted), answer in zip(visitors, answers)
            if compared(answer) not in map(compared, accepted)]


class Visitors(unittest.TestCase):
    def test_the_default_model_translates_them(self):
        visitors = read(TOY / "visitors.tsv")
        self.assertEqual(len(visitors), 40)
        self.assertEqual(len({source for source, _ in visitors}), 40)
        run = programs.demo_run()
        for name in LISTS:
            asked = read(Path(name))
            wrong = wrong_translations(run, asked)
            print(f"{name}: {len(asked) - len(wrong)} of {len(asked)}", *wrong, sep="\n  ")
        wrong = wrong_translations(run, visitors)
        self.assertGreaterEqual(len(visitors) - len(wrong), ENOUGH, wrong)


if __name__ == "__main__":
    LISTS = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
