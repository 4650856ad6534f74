"""Some models have their own defaults, which replace the general ones unless the user sets the option."""

import json
import re
import unittest

import programs


class OwnDefaults(programs.WithRun):
    def config(self, name, *arguments):
        """Returns the config.json of a run that was trained with the arguments."""
        run = self.folder / name
        programs.succeed("train", "--data", self.corpus, "--epochs", "1", "--hidden", "8", "--out", run, *arguments)
        return json.loads((run / "config.json").read_text(encoding="utf-8"))

    def test_a_model_has_defaults_of_its_own_which_whatever_is_given_overrides(self):
        by_itself = self.config("own", "--model", "vaswani")
        own = {"layers": 2, "heads": 4, "lr": 0.004, "warmup": 400, "word-dropout": 0}
        self.assertEqual({name: by_itself[name] for name in own}, own)
        self.assertEqual(by_itself["hidden"], 8)
        others = json.loads((self.run_folder / "config.json").read_text(encoding="utf-8"))
        self.assertEqual((others["layers"], others["heads"], others["warmup"]), (1, 1, 0))
        some = self.folder / "some.json"
        some.write_text(json.dumps({"model": "transformer", "heads": 2, "learning-rate": 0.5}), encoding="utf-8")
        mixed = self.config("mixed", "--config", some, "--warmup", "3")
        self.assertEqual([mixed[name] for name in own], [2, 2, 0.5, 3, 0])
        self.assertRegex(" ".join(programs.succeed("train", "--help").split()), r"--layers N [^\[]*\[1; transformer: 2\]")

    def test_lstmn_has_no_word_dropout_unless_asked(self):
        self.assertEqual(self.config("lstmn", "--model", "lstmn")["word-dropout"], 0)
        self.assertEqual(self.config("some-lstmn", "--model", "lstmn", "--word-dropout", "0.1")["word-dropout"], 0.1)

    def test_luong_scales_general_scores_and_no_others(self):
        def settings(*arguments):
            dry = programs.succeed("train", "--data", self.corpus, "--dry-run", "--out", self.folder / "dry", *arguments)
            return [re.search(f"(?m)^{name} +(.*)$", dry).group(1) for name in ("scale", "initialiser")]

        self.assertEqual(settings("--model", "luong"), ["true", "default"])
        self.assertEqual(settings("--model", "luong", "--attention", "general"), ["true", "default"])
        self.assertEqual(settings("--model", "luong", "--attention-window", "local-p"), ["false", "luong"])
        self.assertEqual(settings("--model", "luong", "--no-scale"), ["false", "luong"])
        self.assertEqual(settings("--model", "luong", "--attention", "dot"), ["false", "luong"])
        self.assertEqual(settings("--model", "luong", "--attention", "concat"), ["false", "default"])
        self.assertEqual(settings("--attention", "general"), ["false", "default"])
        help_text = " ".join(programs.succeed("train", "--help-all").split())
        self.assertRegex(help_text, r"--scale, --no-scale [^\[]*\[no; luong with general: yes\]")

    def test_an_encoder_brings_its_options_and_defaults(self):
        arguments = ["train", "--data", self.corpus, "--out", self.folder / "dry", "--dry-run"]
        for decoder in ("rnnsearch", "luong", "transformer"):
            result = programs.run(*arguments, "--decoder", decoder, "--encoder", "transformer")
            for line in (f"model +{decoder}", "encoder +transformer", "layers +2", "heads +4", "feed-forward +256"):
                self.assertRegex(result.stdout, f"(?m)^{line}$")
        result = programs.run(*arguments, "--encoder", "convolution", "--layers", "3")
        self.assertRegex(result.stdout, "(?m)^layers +3$")
        self.assertNotRegex(result.stdout, "(?m)^norm ")
        result = programs.run(*arguments, "--encoder", "unidirectional")
        self.assertIn("note: --unidirectional has no effect on the model rnnsearch", result.stderr)

    def test_the_note_about_losses_names_only_what_the_model_has(self):
        stories = self.folder / "stories"
        programs.succeed("make_corpus", "one", "--split", "train=20,valid=4", "--out", stories)
        for model, named in (("memory-network", "time noise"), ("attentive-reader", None)):
            result = programs.run("train", "--data", stories, "--model", model, "--epochs", "1", "--restarts", "0", "--linear-start", "0",
                                  "--out", self.folder / f"note-{model}")
            self.assertEqual(result.returncode, 0, result.stderr)
            notes = re.findall("note: only the training loss includes (.*);", result.stderr)
            self.assertEqual(notes, [named] if named else [])


if __name__ == "__main__":
    unittest.main()
