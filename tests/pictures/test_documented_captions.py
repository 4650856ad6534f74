"""The examples of caption in docs/other-tasks.md: the documented commands run with three seeds on pictures of two colours.
With two cells, the test cannot check where each word attends, because the state knows both cells after the first word."""

import glob
import json
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import programs  # noqa: E402
from documented import commands  # noqa: E402

SEEDS = (1, 2, 3)
SHORTER = ("--epochs", "40", "--batch", "4", "--threads", "1")  # 32 pictures instead of thousands


class DocumentedCaptions(unittest.TestCase):
    def test_captions_of_three_seeds(self):
        for seed in SEEDS:
            with self.subTest(seed=seed), tempfile.TemporaryDirectory() as name:
                self.check(seed, Path(name))

    def check(self, seed, folder):
        pictures = folder / "my" / "pictures"
        pictures.mkdir(parents=True)
        programs.halves(pictures)
        for picture in pictures.glob("*.png"):
            shutil.copy(picture, folder)
        shutil.copy(pictures / "red-blue.png", folder / "picture.png")
        shutil.copy(pictures / "train.tsv", folder / "a.tsv")
        shutil.copy(pictures / "valid.tsv", folder / "b.tsv")
        printed = {}
        for name, *arguments in commands("docs/other-tasks.md", "Captions of pictures"):
            program = name.removeprefix("build/")
            if program == "train":
                programs.succeed(program, *arguments, "--seed", str(seed), *SHORTER, cwd=folder)
                continue
            self.assertEqual(program, "caption")
            if ">" in arguments:
                arguments = arguments[:arguments.index(">")]
            found = [sorted(glob.glob(word, root_dir=folder)) if "*" in word else [word] for word in arguments]
            printed[arguments[-1]] = programs.succeed(program, *sum(found, []), cwd=folder)
        self.assertEqual(sorted(printed), ["jsonl", "plot"])
        self.assertIn("red then blue", printed["plot"])
        records = {Path(record["source_line"]).stem: record for record in map(json.loads, printed["jsonl"].splitlines())}
        self.assertEqual(len(records), 5)
        for name, record in records.items():
            said = name.replace("-", " then ") if name != "picture" else "red then blue"
            self.assertEqual(record["target_sent"], said)
            # Two cells, and a matrix row for </s>.
            self.assertEqual((record["source_tokens"], len(record["matrix"])), (["1,1", "1,2"], 4))
        for run in ("other", "hard"):
            said = programs.succeed("caption", "--run", f"runs/{run}", "picture.png", cwd=folder)
            self.assertEqual(said, "red then blue\n", run)


if __name__ == "__main__":
    unittest.main()
