"""What every program has in common: help, version, exit statuses, --config."""

import json
import tempfile
import unittest
from pathlib import Path

import programs

ALL = ["train", "translate", "align", "links", "convert", "evaluate", "score", "average", "reproduce"]


class Usage(unittest.TestCase):
    def refused(self, *arguments, says):
        result = programs.run(*arguments)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stdout, "")
        for text in says:
            self.assertIn(text, result.stderr)

    def test_help_has_the_common_options_and_examples(self):
        for program in ALL:
            result = programs.run(program, "--help")
            self.assertEqual(result.returncode, 0)
            for text in ["--version", "--seed", "--threads", "--config", "Examples:", f"{program} --"]:
                self.assertIn(text, result.stdout, program)

    def test_version(self):
        for program in ALL:
            self.assertRegex(programs.succeed(program, "--version"), rf"^{program} \(softalign\) \d+\.\d+\.\d+\n$")

    def test_unknown_option(self):
        self.refused("train", "--hiden", "3", says=["--hiden", "--help"])

    def test_missing_required_option(self):
        for program in ["translate", "align", "evaluate", "score", "average"]:
            self.refused(program, says=["--run is required"])
        self.refused("align", "--run", "r", says=["--data FILE"])

    def test_unknown_names_list_the_known_ones(self):
        self.refused("train", "--model", "transformer", says=["transformer", "rnnsearch"])
        self.refused("train", "--attention", "flash", says=["flash", "additive"])
        self.refused("align", "--run", "r", "--data", "d", "--format", "xml", says=["xml", "jsonl", "pharaoh", "soft"])

    def test_numbers_out_of_range(self):
        for option, value in [("--hidden", "0"), ("--hidden", "-1"), ("--hidden", "many"), ("--lr", "nan"),
                              ("--dropout", "1"), ("--epochs", "0"), ("--track", "33")]:
            self.refused("train", option, value, says=[option])
        for option, value in [("--sample", "0"), ("--temperature", "0"), ("--temperature", "nan"), ("--top-k", "-1"),
                              ("--top-p", "0"), ("--top-p", "1.5")]:
            self.refused("translate", "--run", "r", option, value, says=[option])
        for program in ["translate", "evaluate"]:
            for option, value in [("--normalisation", "Wu"), ("--coverage-penalty", "-1"), ("--length-penalty", "nan")]:
                self.refused(program, "--run", "r", option, value, says=[option])

    def test_options_that_exclude_each_other(self):
        self.refused("translate", "--run", "r", "--n-best", "3", says=["--n-best", "--beam"])
        for option, value in (("--temperature", "2"), ("--top-k", "3"), ("--top-p", "0.5")):
            self.refused("translate", "--run", "r", option, value, says=[option, "--sample"])
        for option, value in (("--beam", "5"), ("--n-best", "1"), ("--normalisation", "wu"), ("--length-penalty", "0"),
                              ("--coverage-penalty", "1")):
            self.refused("translate", "--run", "r", "--sample", "3", option, value, says=[option, "--sample"])
        self.refused("train", "--source", "a", says=["--source", "--target"])
        self.refused("align", "--run", "r", "--source", "a", says=["--source and --target go together"])
        self.refused("train", "--train", "a", says=["--train", "--valid"])
        self.refused("align", "--run", "r", "--data", "a", "--source", "b", "--target", "c", says=["one of them"])

    def test_config_gives_defaults_and_the_command_line_wins(self):
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            corpus = programs.tiny_corpus(folder / "corpus")
            first = programs.train(corpus, folder / "first", "--no-lowercase", "--lr", "0.003")
            programs.succeed("train", "--config", first / "config.json", "--lr", "0.001", "--out", folder / "second")
            configs = [json.loads((folder / run / "config.json").read_text()) for run in ["first", "second"]]
            self.assertEqual(configs[0]["lr"], 0.003)
            self.assertEqual(configs[1], {**configs[0], "lr": 0.001})
            self.assertIs(configs[1]["lowercase"], False)

    def test_bad_config(self):
        with tempfile.TemporaryDirectory() as temporary:
            config = Path(temporary) / "config.json"
            for text, says in [("{", "not JSON"), ('{"hidden": 0}', '"hidden"'), ('{"hidden": "x"}', '"hidden"'),
                               ("[1]", "JSON object"), ('{"lowercase": "maybe"}', '"lowercase"')]:
                config.write_text(text)
                result = programs.run("train", "--config", config, "--out", Path(temporary) / "run")
                self.assertEqual(result.returncode, 1, text)
                self.assertIn(str(config), result.stderr)
                self.assertIn(says, result.stderr)


if __name__ == "__main__":
    unittest.main()
