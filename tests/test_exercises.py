"""The checks of the course's programming exercises accept the solutions of the course and refuse wrong answers."""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

COURSE = Path(__file__).resolve().parents[1] / "docs" / "course"
SOLUTIONS = COURSE / "solutions.py"
# A slip in each chapter's solution, which the chapter's check must find.
SLIPS = {1: ("before.grad += dx", "before.grad = dx"), 2: ("dy / (1 + math.exp(-x))", "1 / (1 + math.exp(-x))"),
         3: ("/ (2 * h)", "/ h"), 4: ("f * c + i * g", "c + i * g"), 5: ("/ (1 - beta2 ** t)", "/ (1 - beta2)"),
         6: ("continued[:K]", "continued[:1]"), 7: ("if j < length", "if j < len(values)"), 8: ("sigma = D / 2", "sigma = D"),
         9: ("sure | possible", "sure"), 10: ("(i == j) - b", "(i == j) + b"), 11: ("else T * keys", "else keys"),
         12: ("count / totals[f]", "count"), 13: ("(query - key)) ** 2 / 2", "abs(query - key)) / 2"), 14: ("/ math.sqrt(len(q))", "/ len(q)"),
         15: ("X[:t + 1] if causal", "X[:t + 2] if causal"), 16: ("-2 * j / d", "-j / d"), 17: ("total - (step - 1)", "total - step"),
         18: ("cache + [(k, v)]", "cache[:1] + [(k, v)]"), 19: ("new - old", "new"), 20: ("kept * o", "o"),
         21: ("(tau - sum(column)) ** 2", "(tau - sum(column))"), 22: ("(reward - baseline)", "reward"), 23: ("/ len(cells)", ""),
         24: ("softmax(column) for column", "column for column"), 25: ("p * cell[c]", "cell[c]"), 26: ("a + b for a, b in zip(u, o)", "b for b in o"),
         27: ("(i - s) % N", "(i + s) % N"), 28: ("zip(words, words[1:])", "zip(words[1:], words)"), 29: (")[:-1]", ")"), 30: (" / len(chosen)", "")}


def check(number, file):
    return subprocess.run([sys.executable, COURSE / "check.py", str(number), file], capture_output=True, text=True, check=False)


class Exercises(unittest.TestCase):
    def test_every_chapter_has_a_solution_that_its_check_accepts(self):
        chapters = [int(path.name[:2]) for path in sorted(COURSE.glob("[0-9][0-9]-*.md"))]
        self.assertEqual(chapters, sorted(SLIPS))
        for number in chapters:
            with self.subTest(chapter=number):
                self.assertEqual(check(number, SOLUTIONS).stdout, f"chapter {number}: right\n")

    def test_every_check_refuses_a_wrong_answer(self):
        parts = re.split(r"^# Chapter (\d+)$", SOLUTIONS.read_text(encoding="utf-8"), flags=re.MULTILINE)
        with tempfile.TemporaryDirectory() as folder:
            for number, solution in zip(map(int, parts[1::2]), parts[2::2]):
                with self.subTest(chapter=number):
                    right, slip = SLIPS[number]
                    self.assertIn(right, solution)
                    mine = Path(folder) / "mine.py"
                    mine.write_text(parts[0] + solution.replace(right, slip), encoding="utf-8")
                    answer = check(number, mine)
                    self.assertEqual((answer.returncode, answer.stderr[:8]), (1, "not yet:"))

    def test_a_file_that_fails_gets_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            mine = Path(folder) / "mine.py"
            self.assertEqual(check(7, mine).stderr, f"{mine}: no such file. Write the functions of the exercise into this file\n")
            for text, says in {"import math\ndef attend(e, h, n): return math.exp(1000), 1\n": "OverflowError: math range error (mine.py, line 2)",
                               "x = 1\nfoo\n": "your file cannot be run: NameError: name 'foo' is not defined (mine.py, line 2)",
                               "def f(:\n": "your file cannot be run: SyntaxError: invalid syntax (mine.py, line 1)"}.items():
                mine.write_text(text, encoding="utf-8")
                self.assertEqual(check(7, mine).stderr, f"not yet: {says}\n")
            self.assertEqual(check(99, mine).stderr, f"chapter 99 has no exercise to check. The chapters are 1 to {max(SLIPS)}\n")

    def test_every_check_names_the_arguments_where_a_function_has_others(self):
        parts = re.split(r"^# Chapter (\d+)$", SOLUTIONS.read_text(encoding="utf-8"), flags=re.MULTILINE)
        with tempfile.TemporaryDirectory() as folder:
            mine = Path(folder) / "mine.py"
            for number, solution in zip(map(int, parts[1::2]), parts[2::2]):
                with self.subTest(chapter=number):
                    called = set(re.findall(r"\bmy\.(\w+)\(", (COURSE / "check.py").read_text(encoding="utf-8")))
                    names = [name for name in re.findall(r"^(?:def|class) (\w+)", solution, re.MULTILINE) if name in called]
                    stubs = "".join(f"def {name}():\n    return None\n" for name in names)
                    mine.write_text(stubs, encoding="utf-8")
                    answer = check(number, mine)
                    self.assertEqual((answer.returncode, answer.stderr.count("Traceback")), (1, 0), answer.stderr)
                    self.assertRegex(answer.stderr, rf"^not yet: {names[0]}\(\) (takes|got) .*\. The check calls {names[0]}\(\w+")
            mine.write_text("def attend(scores, values, length):\n    return scores + 1\n", encoding="utf-8")
            self.assertIn(" (mine.py, line 2). The check calls attend(scores, values, length)\n", check(7, mine).stderr)


if __name__ == "__main__":
    unittest.main()
