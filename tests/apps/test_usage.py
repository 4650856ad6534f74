"""All programs share help, version, exit statuses and --config."""

import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import programs

ALL = ["train", "translate", "caption", "entail", "answer", "align", "links", "convert", "evaluate", "score", "average", "view", "reproduce", "make_corpus"]


def help_of(program, flag, columns=80):
    """Returns the help of a program that is called by its name only, because the length of a path would change the lines."""
    return subprocess.run([program, flag], executable=programs.BUILD / program, capture_output=True, text=True, check=True,
                          env={**os.environ, "COLUMNS": str(columns)}).stdout


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
        self.refused("train", "--hiden", "3", says=["no option --hiden; did you mean --hidden?", "--help"])
        self.refused("train", "--epoch=3", says=["no option --epoch; did you mean --epochs?"])
        self.refused("train", "--batchsize", "3", says=["no option --batchsize; did you mean --batch-size?"])
        self.refused("train", "--no-scael", says=["no option --no-scael; did you mean --no-scale?"])
        # The message is not that --run is required.
        self.refused("translate", "--rum", "r", says=["no option --rum; did you mean --run?"])
        self.refused("train", "--xyzzy", says=["no option --xyzzy\n"])
        self.refused("train", "my/corpus", says=['"my/corpus" belongs to no option'])

    def test_an_option_given_twice_or_without_a_value(self):
        self.refused("train", "--batch", "8", "--epochs", "1", "--batch", "9", says=["error: --batch was given twice. Give --batch once\n"])
        self.refused("train", "--batch=8", "--batch-size", "9", "--batch", "9", says=["error: --batch was given 3 times. Give --batch once\n"])
        self.refused("convert", "--in", "a", "--from", "tsv", "--in", "a", says=["error: --in was given twice. Give --in once\n"])
        for program in ALL:
            self.refused(program, "--seed", "1", "--seed", "1", says=["error: --seed was given twice. Give --seed once\n"])
            self.refused(program, "--seed", says=["error: --seed has no value. Write a value after the option\n"])

    def test_names_that_users_of_other_tools_type(self):
        with tempfile.TemporaryDirectory() as temporary:
            corpus = programs.tiny_corpus(Path(temporary) / "corpus")
            shown = programs.succeed("train", "--data", corpus, "--dry-run", "--optimizer", "sgd", "--learning-rate", ".1",
                                     "--batch-size", "7", "--initializer", "paper", "--tokeniser", "none", "--output",
                                     Path(temporary) / "run", "--model", "cho", *programs.TINY)
            for row in (r"model +encdec", r"summary +every-step", r"initialiser +paper"):
                self.assertRegex(shown, rf"(?m)^{row}$")
            config = Path(temporary) / "config.json"
            config.write_text('{"learning-rate": 0.25, "optimizer": "sgd", "model": "bahdanau", "epochs": 1}')
            programs.succeed("train", "--data", corpus, "--config", config, "--out", Path(temporary) / "run", *programs.TINY)
            kept = json.loads((Path(temporary) / "run" / "config.json").read_text())
            self.assertEqual((kept["lr"], kept["optimiser"], kept["model"]), (0.25, "sgd", "rnnsearch"))
            self.assertFalse({"learning-rate", "optimizer"} & set(kept))
        self.refused("train", "--model", "cho", "--summary", "once", says=["--summary once is not possible with --model cho"])
        self.refused("train", "--model", "bahdanua", says=["did you mean bahdanau, which is another name of one of these?"])

    def test_help_lists_no_old_names(self):
        for program in ("train", "align", "convert"):
            everything = help_of(program, "--help-all")
            for old in ("scope", "start", "pieces", "piece-model", "accumulate", "wire", "look"):
                self.assertNotRegex(everything, rf"--{old}\b")
            self.assertNotRegex(everything, r"`(relative|original)`|[Oo]ld name")

    def test_old_names_are_accepted(self):
        old = {"scope": ("attention-window", "local-m"), "start": ("initial-state", "both"), "pieces": ("subwords", 77),
               "piece-model": ("subword-model", "bpe"), "accumulate": ("gradient-accumulation", 3),
               "wire": ("gradient-dtype", "bfloat16")}
        soft, hard = ({"look": ("hard-attention", word)} for word in ("soft", "hard"))
        with tempfile.TemporaryDirectory() as temporary:
            corpus = programs.tiny_corpus(Path(temporary) / "corpus")
            config, run = Path(temporary) / "config.json", Path(temporary) / "run"
            def kept(*arguments):
                programs.succeed("train", "--data", corpus, "--epochs", "1", "--out", run, "--force", *arguments, *programs.TINY)
                return json.loads((run / "config.json").read_text())
            expected = {new: value for new, value in old.values()}
            for arguments in (
                    [word for name, (_, value) in old.items() for word in (f"--{name}", str(value))] + ["--look", "soft"],
                    ["--config", config]):
                config.write_text(json.dumps({name: value for name, (_, value) in {**old, **soft}.items()}))
                now = kept(*arguments)
                self.assertEqual({name: now[name] for name in expected}, expected)
                self.assertIs(now["hard-attention"], False)
                self.assertFalse({*old, "look"} & set(now))
            config.write_text('{"look": "hard"}')
            for arguments in (["--look", "hard"], ["--config", config]):
                self.refused("train", "--data", corpus, "--dry-run", *arguments, says=["hard-attention needs model show-attend-tell, because the model rnnsearch has only soft attention"])
            # The command line takes precedence.
            self.assertIs(kept("--config", config, "--look", "soft")["hard-attention"], False)
            self.refused("train", "--look", "hrad", says=["no option --look"])
            config.write_text('{"look": "hrad"}')
            result = programs.run("train", "--config", config)
            self.assertEqual(result.returncode, 1)
            self.assertIn('no option "look"', result.stderr)
            self.refused("train", "--scope=far", says=["--attention-window: unknown value 'far'"])
            self.refused("train", "--no-look", says=["no option --no-look"])
            config.write_text(json.dumps({name: value for name, (_, value) in {**old, **hard}.items()}))
            # The configuration of a run has names that links does not know.
            programs.succeed("links", "--data", corpus / "valid.tsv", "--config", config)

    def test_a_program_goes_by_the_name_that_it_was_called(self):
        for argument in ("--help", "--help-all"):
            shown = programs.succeed("train", argument, environment={"COLUMNS": "110"})
            self.assertIn(f"Usage: {programs.BUILD}/train [OPTIONS]\n", shown)
            self.assertIn(f"\n  {programs.BUILD}/train --resume --out runs/mine", shown)
        self.assertIn("Usage: softalign-train ", subprocess.run(["softalign-train", "--help"], executable=programs.BUILD / "train",
                                                                capture_output=True, text=True, check=True).stdout)

    def test_short_help_and_all(self):
        short, everything = help_of("train", "--help"), help_of("train", "--help-all")
        names = {help: set(re.findall(r"^  (?:-h, )?--(?:\[no-\])?([\w-]+)", help, re.MULTILINE)) for help in (short, everything)}
        self.assertLess(names[short], names[everything])
        self.assertLessEqual({"data", "model", "hidden", "epochs", "lr", "out", "seed", "help"}, names[short])
        self.assertIn(f"--help-all shows {len(names[everything] - names[short])} more options.", " ".join(short.split()))
        self.assertLess(len(short.splitlines()), 75)  # --help-all shows more than 200 lines
        for heading in ("Corpus", "Model", "Attention", "Training", "Schedule", "Output", "General"):
            self.assertRegex(everything, rf"(?m)^{heading}:$")
        hidden, default = "--hidden N size of the hidden states", "[128; transformer: 64]"
        self.assertIn(f"{hidden} {default}", " ".join(short.split()))
        self.assertIn(f"{hidden} (1 to 100000) {default}", " ".join(everything.split()))
        self.assertRegex(everything, r"--lr, --learning-rate X")
        # The model's own default 4, not the general default 2.
        self.assertRegex(" ".join(everything.split()), r"--hops N only for --model memory-network: [^\[]* \[4\]")

    def test_help_fits_the_terminal(self):
        for columns in (50, 80, 200):
            for program in ALL:
                shown = help_of(program, "--help-all", columns)
                long = [line for line in shown.splitlines() if len(line) > columns and " " in line.strip()]
                self.assertEqual([line for line in long if not re.match(r"  --|Usage", line)], [], program)

    def test_missing_required_option(self):
        for program in ["translate", "align", "evaluate", "score", "average"]:
            self.refused(program, says=["--run is required"])
        self.refused("align", "--run", "r", says=["--data FILE"])

    def test_unknown_names_list_the_known_ones(self):
        self.refused("train", "--model", "perceptron", says=["perceptron", "rnnsearch"])
        self.refused("train", "--attention", "flash", says=["flash", "additive"])
        self.refused("align", "--run", "r", "--data", "d", "--format", "xml", says=["xml", "jsonl", "pharaoh", "soft"])

    def test_numbers_out_of_range(self):
        for option, value in [("--hidden", "0"), ("--hidden", "-1"), ("--hidden", "many"), ("--lr", "nan"),
                              ("--dropout", "1"), ("--epochs", "0"), ("--track", "1000001")]:
            self.refused("train", option, value, says=[option])
        for option, value in [("--sample", "-1"), ("--temperature", "0"), ("--temperature", "nan"), ("--top-k", "-1"),
                              ("--top-p", "0"), ("--top-p", "1.5")]:
            self.refused("translate", "--run", "r", option, value, says=[option])
        for program in ["translate", "evaluate"]:
            for option, value in [("--normalisation", "Wu"), ("--coverage-penalty", "-1"), ("--length-penalty", "nan")]:
                self.refused(program, "--run", "r", option, value, says=[option])

    def test_a_word_too_many(self):
        self.refused("reproduce", "pooling", "flash", says=['"flash" is one word too many. Write text with spaces in quotes; usage: ', "[OPTIONS] [study]"])
        self.refused("reproduce", "", says=["study"])

    def test_a_name_that_is_empty(self):
        for option in ("--out", "--data", "--config", "--reverse"):
            self.refused("align", "--run", "r", option, "", says=[f"{option} has an empty value"])

    def test_files_that_would_not_be_read(self):
        self.refused("view", "--run", "r", "--alignment", "a", says=["--source FILE and --target FILE"])
        self.refused("convert", "--in", "a", "--from", "jsonl", "--format", "plot", "--target", "f", says=["Remove --data, --source and --target"])

    def test_options_that_exclude_each_other(self):
        self.refused("translate", "--run", "r", "--n-best", "3", says=["--n-best", "--beam"])
        for option, value in (("--temperature", "2"), ("--top-k", "3"), ("--top-p", "0.5")):
            self.refused("translate", "--run", "r", option, value, says=[option, "--sample"])
        for option, value in (("--beam", "5"), ("--n-best", "1"), ("--normalisation", "wu"), ("--length-penalty", "0"),
                              ("--coverage-penalty", "1")):
            self.refused("translate", "--run", "r", "--sample", "3", option, value, says=[option, "--sample"])
        self.refused("train", "--source", "a", says=["--source", "--target"])
        self.refused("align", "--run", "r", "--source", "a", says=["--source and --target need each other"])
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

    def test_a_run_s_config_is_read_by_every_program(self):
        with tempfile.TemporaryDirectory() as temporary:
            corpus = programs.tiny_corpus(Path(temporary) / "corpus")
            run = programs.train(corpus, Path(temporary) / "run")
            config = run / "config.json"
            programs.succeed("score", "--run", run, "--data", corpus / "valid.tsv", "--config", config)
            config.write_text(config.read_text().replace('"seed"', '"sead"'))
            result = programs.run("score", "--run", run, "--data", corpus / "valid.tsv", "--config", config)
            self.assertEqual(result.returncode, 1)
            self.assertIn('no option "sead"; did you mean seed?', result.stderr)

    def test_bad_config(self):
        with tempfile.TemporaryDirectory() as temporary:
            config = Path(temporary) / "config.json"
            for text, says in [("{", "not JSON"), ('{"modl": "luong"}', 'no option "modl"; did you mean model?'),
                               ('{"out": "r"}', '"out" belongs on the command line: --out'), ('{"source-vocabulary": 3}', "no option"),
                               ('{"hidden": 0}', '"hidden"'), ('{"hidden": "x"}', '"hidden"'),
                               ("[1]", "JSON object"), ('{"lowercase": "maybe"}', '"lowercase"')]:
                config.write_text(text)
                result = programs.run("train", "--config", config, "--out", Path(temporary) / "run")
                self.assertEqual(result.returncode, 1, text)
                self.assertIn(str(config), result.stderr)
                self.assertIn(says, result.stderr)


if __name__ == "__main__":
    unittest.main()
