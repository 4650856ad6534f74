"""The model card (README.md) of a run: its metadata, scores and command. A README.md of another author stays."""

import json
import re
import shlex
import shutil
import unittest

import programs


def metadata_of(card):
    """Returns the lines of the metadata. Requires that each line is simple YAML."""
    match = re.match(r"---\n(.*?)\n---\n\n# ", card, re.S)
    for line in match[1].splitlines():
        assert re.fullmatch(r'# .*| *(- )*\w+:( ([\w.-]+|".*"))?| *(- )*[\w-]+(: [\w-]+|:)?', line), line
    return match[1]


class ModelCard(programs.WithRun):
    def card(self, run):
        return (run / "README.md").read_text(encoding="utf-8")

    def test_metadata_and_scores_of_the_best_epoch(self):
        card = self.card(self.run_folder)
        metadata = metadata_of(card)
        for line in ("library_name: softalign", "pipeline_tag: translation", "- rnnsearch", f'      name: "{self.corpus}/valid.tsv"'):
            self.assertIn(f"\n{line}\n", metadata)
        [*_, best] = [row for row in programs.json_lines(self.run_folder / "metrics.jsonl") if row["best"]]
        valid = best["valid"]
        for kind, value, label in (("loss", f"{valid['loss']:.3f}", "loss, in nats per token"), ("bleu", f"{valid['bleu']:.1f}", "BLEU"),
                                   ("aer", f"{100 * valid['alignment']['aer']:.1f}", "alignment error rate (AER), in percent")):
            self.assertIn(f'    - type: {kind}\n      value: {value}\n      name: "{label}"', metadata)
            self.assertIn(f"\n| {label} | {value} |\n", card)
        self.assertIn(f"The best epoch is {best['epoch']}.", card)
        provenance = json.loads((self.run_folder / "provenance.json").read_text(encoding="utf-8"))
        for part in ("training", "validation"):
            told = provenance[part]
            self.assertIn(f'\n- {part}: {told["examples"]} pairs from "{told["files"][0]}" (hash {told["hash"]})\n', card)

    def test_the_command_trains_the_same_run(self):
        spaced = self.folder / "with a space.tsv"
        shutil.copy(self.corpus / "train.tsv", spaced)
        stories = self.folder / "corpus-of-stories"
        programs.succeed("make_corpus", "one", "--split", "train=60,valid=20,test=1", "--out", stories)
        files = ["--train", spaced, "--valid", self.corpus / "valid.tsv"]
        for name, arguments in (("align", [*files, *programs.TINY, "--align", "--no-lowercase", "--seed", "5"]),
                                ("luong", [*files, "--model", "luong", "--hidden", "8", "--embedding", "8", "--threads", "1"]),
                                ("hybrid", [*files, *programs.TINY, "--encoder", "transformer", "--decoder", "rnnsearch"]),
                                ("stories", ["--data", stories, "--threads", "1"])):
            with self.subTest(name):
                run, again = self.folder / name, self.folder / f"{name}-again"
                programs.succeed("train", *arguments, "--epochs", "1", "--out", run)
                [command] = re.findall(r"^softalign train (.*) --out FOLDER$", self.card(run), re.M)
                programs.succeed("train", *shlex.split(command), "--out", again)
                self.assertEqual(programs.contents(run), programs.contents(again))

    def test_a_resumed_training_describes_all_of_it(self):
        run = self.folder / "resumed"
        programs.train(self.corpus, run, "--epochs", "1")
        self.assertIn("\nThis command trains the same model again with the same build on the same processor. ", self.card(run))
        programs.succeed("train", "--resume", "--out", run, "--epochs", "3")
        card = self.card(run)
        self.assertIn("\nThe training was resumed with other options. This command has the last options, so it trains a different model. ", card)
        self.assertIn(" --epochs 3 ", card)
        [*_, best] = [row for row in programs.json_lines(run / "metrics.jsonl") if row["best"]]
        self.assertIn(f"\n| BLEU | {best['valid']['bleu']:.1f} |\n", card)
        self.assertIn(f"The best epoch is {best['epoch']}.", card)

    def test_a_readme_of_another_author_stays(self):
        run = self.folder / "edited"
        programs.train(self.corpus, run, "--epochs", "1")
        own = re.sub(r"\n# softalign train wrote this file.*\n", "\n", self.card(run), count=1) + "My notes.\n"
        (run / "README.md").write_text(own, encoding="utf-8")
        programs.succeed("train", "--resume", "--out", run, "--epochs", "2")
        self.assertEqual(self.card(run), own)
        programs.train(self.corpus, run, "--epochs", "1", "--force")
        self.assertEqual(self.card(run), own)
        elsewhere = self.folder / "elsewhere.md"
        (run / "README.md").unlink()
        (run / "README.md").symlink_to(elsewhere)
        programs.train(self.corpus, run, "--epochs", "1", "--force")
        self.assertFalse(elsewhere.exists())


if __name__ == "__main__":
    unittest.main()
