"""Manual pages, completions and softalign COMMAND describe the programs in the form that other tools need. Every option is in
each of them."""

import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import programs

VERBS = ["train", "translate", "caption", "entail", "answer", "align", "links", "evaluate", "score", "view", "average", "convert", "reproduce", "make_corpus"]
FORMS = ["man", "bash", "zsh", "fish"]


def options(program):
    """Returns every option that --help-all names, such as "--lr". Names that only other tools use are left out."""
    shown = programs.succeed(program, "--help-all")
    lines = re.findall(r"^  (?:-h, )?(--[^\n]*?)(?:  |$)", shown, re.MULTILINE)
    return {name for line in lines for name in re.findall(r"--[\w-]+", line)
            if name == line.split(",")[0].split()[0] or name.startswith("--no-")}


def bash(script, folder):
    return subprocess.run(["bash", "-euc", script], cwd=folder, capture_output=True, text=True, check=True).stdout.split()


class Descriptions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.texts = {(verb, form): programs.succeed(verb, "--generate", form) for verb in VERBS for form in FORMS}
        cls.options = {verb: options(verb) for verb in VERBS}

    def test_every_option_is_in_every_form(self):
        self.assertGreater(len(self.options["train"]), 90)
        self.assertLessEqual({"--hidden", "--no-scale", "--seed", "--help-all"}, self.options["train"])
        for verb in VERBS:
            for form in FORMS:
                text = self.texts[verb, form].replace("\\-", "-")
                if form == "fish":
                    text = re.sub(r" -l ", " --", text)
                said = set(re.findall(r"--[a-z][\w-]*", text))
                self.assertEqual(self.options[verb] - said, set(), f"{verb} {form}")

    def test_values_are_completed_too(self):
        for form in FORMS[1:]:
            self.assertIn("rnnsearch luong encdec", self.texts["train", form])
            self.assertIn("models pooling permutation positions three-ways fast-weights flash induction circuits gaps n-grams modular-addition pervasive-attention captioning cnn-attention gates saliency memory-network entailment intra-attention turing-machine dnc alignment-on-real-text all", self.texts["reproduce", form])

    def test_bash_completes(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for verb in VERBS:
                (folder / f"softalign-{verb}").write_text(self.texts[verb, "bash"])
            (folder / "softalign").write_text(programs.succeed("softalign", "--generate", "bash"))
            (folder / "corpus.tsv").touch()

            def replies(words):
                script = (f". ./{words[0]}; COMP_WORDS=({' '.join(map(repr, words))}); COMP_CWORD={len(words) - 1}; "
                          f"_{words[0].replace('-', '_')} {words[0]} '{words[-1]}' '{words[-2]}'; echo \"${{COMPREPLY[@]}}\"")
                return bash(script, folder)
            self.assertEqual(replies(["softalign-train", "--hid"]), ["--hidden"])
            self.assertEqual(replies(["softalign-train", "--model", "lu"]), ["luong"])
            self.assertEqual(replies(["softalign-train", "--train", "cor"]), ["corpus.tsv"])
            self.assertEqual(replies(["softalign", "tra"]), ["train", "translate"])
            self.assertEqual(replies(["softalign", "train", "--hid"]), ["--hidden"])
            self.assertEqual(replies(["softalign", "align", "--format", "ph"]), ["pharaoh"])

    def check(self, shell, form, *arguments):
        if not shutil.which(shell):
            self.skipTest(f"{shell} is not installed")
        for verb in [*VERBS, "softalign"]:
            text = programs.succeed(verb, "--generate", form)
            result = subprocess.run([shell, *arguments], input=text, capture_output=True, text=True, check=False)
            self.assertEqual((result.returncode, result.stderr), (0, ""), verb)

    def test_bash_reads_its_files(self):
        self.check("bash", "bash", "-n")

    def test_zsh_reads_its_files(self):
        self.check("zsh", "zsh", "-n")

    def test_fish_reads_its_files(self):
        self.check("fish", "fish", "--no-execute")

    def test_troff_formats_the_pages(self):
        self.check("groff", "man", "-man", "-Tutf8", "-ww", "-z")


class Softalign(unittest.TestCase):
    def test_lists_the_programs_that_are_installed(self):
        shown = programs.succeed("softalign", "--help")
        self.assertEqual(re.findall(r"^  ([a-z]\w+)  ", shown.split("Commands:")[1].split("General:")[0], re.MULTILINE), VERBS)
        cmake = (programs.PROJECT / "apps/CMakeLists.txt").read_text(encoding="utf-8")
        installed = re.search(r"set\(programs ([^)]*)\)", cmake)[1].split()
        self.assertEqual({Path(program).name for program in installed}, {*VERBS, "softalign"})

    def test_a_verb_is_the_program(self):
        for verb in VERBS:
            self.assertEqual(programs.succeed("softalign", verb, "--version"), programs.succeed(verb, "--version"))
        called = str(programs.BUILD / "softalign")
        self.assertIn(f"Usage: {called} train [OPTIONS]", programs.succeed("softalign", "train", "--help"))
        self.assertEqual(programs.succeed("softalign", "help", "train"), programs.succeed("softalign", "train", "--help"))
        result = programs.run("softalign", "train", "--epoch", "3")
        self.assertEqual(result.returncode, 2)
        self.assertIn("did you mean --epochs?", result.stderr)
        self.assertIn(f"{called} train --help", result.stderr)

    def test_an_unknown_verb(self):
        result = programs.run("softalign", "trian")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("no command trian; did you mean train?", result.stderr)


if __name__ == "__main__":
    unittest.main()
