"""Every kind of wrong input gets a clear message and the right exit status, and no file is half-written."""

import json
import os
import shutil
import time
import unittest

import programs


class BadInput(programs.WithRun):
    def train_refused(self, *arguments, says):
        out = self.folder / "never"
        self.refused(1, "train", "--data", self.corpus, "--out", out, *programs.TINY, *arguments, says=says)
        self.assertFalse(out.exists(), "a run folder was left behind")

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def corpus_refused(self, content, says):
        """Requires that train, align and evaluate refuse the same file with the same message."""
        path = self.file("bad.tsv", content)
        self.train_refused("--train", path, "--valid", self.corpus / "valid.tsv", says=says)
        self.train_refused("--train", self.corpus / "train.tsv", "--valid", path, says=says)
        out = self.folder / "never.jsonl"
        self.refused(1, "align", "--run", self.run_folder, "--data", path, "--out", out, says=says)
        self.assertFalse(out.exists())
        self.refused(1, "evaluate", "--run", self.run_folder, "--data", path, says=says)

    def test_missing_file(self):
        self.refused(1, "train", "--data", "nowhere", "--out", self.folder / "never", says=["nowhere/train.tsv", "No such file"])
        self.assertFalse((self.folder / "never").exists())
        for wrong in (["--data", "nowhere"], ["--train", "nowhere.tsv", "--valid", self.corpus / "valid.tsv"]):
            result = self.refused(1, "train", *wrong, "--out", self.run_folder, says=["cannot read nowhere", "No such file"])
            self.assertNotIn("--force", result.stderr)  # the problem is not an existing --out
        self.refused(1, "align", "--run", self.run_folder, "--data", "nowhere.tsv", says=["nowhere.tsv", "No such file"])
        self.refused(1, "evaluate", "--run", self.run_folder, "--data", "nowhere.tsv", says=["nowhere.tsv"])

    def test_folder_in_place_of_a_file(self):
        self.refused(1, "align", "--run", self.run_folder, "--data", self.corpus, says=[self.corpus, "folder"])
        self.train_refused("--train", self.corpus, "--valid", self.corpus, says=[self.corpus, "folder"])

    def test_empty_file(self):
        self.corpus_refused("", says=["bad.tsv", "empty"])

    def test_line_without_a_tab(self):
        self.corpus_refused("a cat\tun chat\na dog\n", says=["bad.tsv:2:", "tab"])

    def test_empty_side(self):
        """train leaves the pair out and reports it. The message does not need the name of the file."""
        path = self.file("blank.tsv", "a cat\tun chat\na dog\t \n")
        printed = programs.succeed("train", "--train", path, "--valid", self.corpus / "valid.tsv", "--epochs", "1",
                                   *programs.TINY, "--out", self.folder / "with-a-blank-side")
        self.assertIn("pairs with a side without words, which are left out: 1", printed)

    def test_invalid_utf8(self):
        self.corpus_refused(b"a cat\tun chat\ncoffee\tcaf\xe9\n", says=["bad.tsv:2:", "UTF-8"])
        result = self.refused(1, "translate", "--run", self.run_folder, stdin=b"i see\n\xff\n",
                              says=["standard input:2:", "UTF-8"])
        self.assertEqual(result.stdout.count("\n"), 2)

    def test_old_line_ends(self):
        says = ["the line contains a carriage return (byte", "Old Macs used this character as the line end", r"tr '\r' '\n'"]
        self.corpus_refused("a cat\tun chat\r\na dog\tun chien\ra\tun\n", says=["bad.tsv:2:", *says])
        self.refused(1, "translate", "--run", self.run_folder, stdin=b"i see\r\ni\rsee\n", says=["standard input:2:", *says])
        self.refused(1, "translate", "--run", self.run_folder, stdin=b"i see\r", says=["standard input:1:", *says])

    def test_a_column_of_text_in_place_of_gold_links(self):
        self.corpus_refused("Go.\tVa !\tCC-BY 2.0 (France) Attribution: example.org #1 (A)\n",
                            says=["bad.tsv:1: column 3 is text, "
                                  '"CC-BY 2.0 (France)', "gold links such as 0-0 1-2 are expected", f"cut -f1-2 {self.folder / 'bad.tsv'}"])

    def test_gold_link_to_a_word_that_the_tokeniser_drops(self):
        self.corpus_refused("a \u200b cat\tun chat\t0-0 1-1\n",
                            says=["bad.tsv:1: link 1-1", "the tokeniser removes word 1 of the source"])

    def test_gold_that_may_count_from_one(self):
        path = self.file("ones.tsv", "a cat\tun chat\t1-1\na b c\td e f\t1-1 2-2\n")
        align = ["align", "--run", self.run_folder, "--data", path]
        self.assertIn("ones.tsv: none of the 3 links contains word 0 of either side. If the file counts words from 1, add --one-based\n",
                      programs.run(*align).stderr)
        self.assertNotIn("counts words from 1", programs.run(*align, "--one-based").stderr)

    def test_one_based_without_gold_links_is_noted(self):
        path = self.file("no-gold.tsv", "a cat\tun chat\n")
        source, target = self.file("no-gold.en", "a cat\n"), self.file("no-gold.fr", "un chat\n")
        for program in ("align", "score", "evaluate"):
            for data, name in ((["--data", path], path), (["--source", source, "--target", target], source)):
                result = programs.run(program, "--run", self.run_folder, *data, "--one-based")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn(f"note: {name}: there are no gold links, so --one-based has no effect\n", result.stderr)
        self.assertIn("--one-based has no effect", programs.run("links", "--data", path, "--one-based").stderr)
        gold = self.file("some-gold.tsv", "a cat\tun chat\na cat\tun chat\t1-1\n")
        self.assertNotIn("no effect", programs.run("align", "--run", self.run_folder, "--data", gold, "--one-based").stderr)

    def test_a_file_name_that_is_too_long_is_not_quoted_in_full(self):
        long = "x" * 100000
        for arguments in (["align", "--run", self.run_folder, "--data", long], ["train", "--replay", long],
                          ["translate", "--run", long], ["train", "--data", self.corpus, "--out", long],
                          ["align", "--run", self.run_folder, "--data", self.corpus / "valid.tsv", "--out", long],
                          ["make_corpus", "reverse", "--pairs", "5", "--out", long], ["convert", "--in", long, "--format", "tsv"]):
            result = self.refused(1, *arguments, says=["xxx…", "File name too long"])
            self.assertLess(len(result.stderr), 1000)

    def test_gold_link_out_of_range(self):
        self.corpus_refused("a cat\tun chat\t0-0 1-2\n", says=["bad.tsv:1:", "1-2"])

    def test_a_line_that_a_table_of_places_does_not_reach(self):
        long = self.file("long.tsv", "a cat\tun chat\n" + "word " * 30 + "\tmot\n")
        for run, kind in (("learned", ["--positions", "learned"]),
                          ("by-place", ["--positions", "none", "--self-attention", "positional"])):
            run = programs.train(self.corpus, self.folder / run, "--model", "transformer", *kind, "--max-length", "20")
            for program in ("align", "score", "evaluate"):
                self.refused(1, program, "--run", run, "--data", long, "--max-length", "50",
                             says=["long.tsv:2:", "30 words, but the limit is 20", "positions"])
            self.refused(1, "translate", "--run", run, "--max-length", "50", stdin="a cat\n" + "word " * 30 + "\n",
                         says=["standard input:2:", "30 words, but at most 20", "positions"])

    def test_a_translation_that_outgrows_the_positions_keeps_its_record(self):
        """The search writes up to 2S + 10 tokens, which may exceed the number of the model's positions."""
        pair = self.file("twenty.tsv", "a cat\tun chat\n" + "the old man " * 6 + "\tle vieil homme\n")
        for kind in (["--positions", "learned"], ["--positions", "none", "--self-attention", "positional"],
                     ["--positions", "none", "--self-attention", "factorized"]):
            run = programs.train(self.corpus, self.folder / f"outgrown-{kind[-1]}", "--model", "transformer", *kind, "--max-length", "20")
            lines = "i see\n" + "the old man " * 6 + "\ni see\n"
            result = programs.run("translate", "--run", run, "--alignment", "jsonl", stdin=lines)
            self.assertEqual(result.returncode, 0, result.stderr)
            records = [json.loads(line) for line in result.stdout.splitlines()]
            self.assertEqual(len(records), 3)
            self.assertGreater(len(records[1]["target_tokens"]), 21)
            self.assertEqual({head["kind"] for head in records[1]["heads"]}, {"cross", "encoder-self"})
            self.assertIn("more than 20 tokens, and the model has no positions for more", result.stderr)
            printed = programs.run("view", "--run", run, "--data", pair, "--out", run / "page.html")
            self.assertEqual(printed.returncode, 0, printed.stderr)
            self.assertIn("without the self-attention of the target", printed.stderr)

    def test_very_long_line(self):
        long_pair = " ".join(["cat"] * 5000) + "\t" + " ".join(["chat"] * 5000)
        path = self.file("long.tsv", "\n".join(programs.short_pairs("train.tsv", 40) + [long_pair]) + "\n")
        arguments = ["--valid", self.corpus / "valid.tsv", "--epochs", "1", *programs.TINY]
        printed = programs.succeed("train", "--train", path, "--out", self.folder / "dropped", *arguments)
        self.assertIn("pairs with more than 100 words on a side (--max-length), which are left out: 1\n", printed)
        for program in ["align", "evaluate"]:
            self.refused(1, program, "--run", self.run_folder, "--data", path, says=["long.tsv:41:", "5000"])
        self.train_refused("--train", self.corpus / "train.tsv", "--valid", path, says=["long.tsv:41:", "5000"])
        self.refused(1, "translate", "--run", self.run_folder, stdin="i see\n" + "cat " * 5000 + "\n",
                     says=["standard input:2:", "5000", "--max-length"])

    def test_parallel_files_of_different_length(self):
        self.refused(1, "align", "--run", self.run_folder, "--source", self.file("s", "a\nb\n"), "--target",
                     self.file("t", "a\n"), says=["/s", "/t", "2", "1"])

    def test_references_of_different_length(self):
        self.refused(1, "evaluate", "--run", self.run_folder, "--data", self.corpus / "valid.tsv", "--reference",
                     self.file("r", "a\n"), says=["/r", "1 line,", "20 pairs"])

    def test_output_folder_that_exists(self):
        before = {p.name: p.read_bytes() for p in self.run_folder.iterdir()}
        self.refused(1, "train", "--data", self.corpus, "--out", self.run_folder, says=["--resume", "--force"])
        self.assertEqual(before, {p.name: p.read_bytes() for p in self.run_folder.iterdir()})

    def test_output_folder_that_cannot_be_written(self):
        self.refused(1, "train", "--data", self.corpus, "--out", self.file("a-file", "x"), *programs.TINY,
                     says=["a-file", "file"])
        self.refused(1, "train", "--data", self.corpus, "--out", self.folder / "a-file" / "run", *programs.TINY,
                     says=["a-file/run"])
        self.refused(1, "align", "--run", self.run_folder, "--data", self.corpus / "valid.tsv", "--out",
                     self.folder / "no-folder" / "out.jsonl", says=["no-folder/out.jsonl"])
        if os.geteuid() != 0:  # root may write to any folder
            locked = self.folder / "locked"
            locked.mkdir(mode=0o555)
            self.refused(1, "train", "--data", self.corpus, "--out", locked / "run", *programs.TINY, says=["locked/run"])

    def test_force_replaces_a_run_and_nothing_else(self):
        other = self.folder / "other"
        shutil.copytree(self.run_folder, other)
        (other / "notes.txt").write_text("mine")
        (other / "alignments.jsonl").write_text("of the old model")
        programs.succeed("train", "--data", self.corpus, "--out", other, "--force", "--epochs", "1", *programs.TINY)
        self.assertEqual((other / "notes.txt").read_text(), "mine")
        self.assertFalse((other / "alignments.jsonl").exists())
        self.assertEqual(len(programs.json_lines(other / "metrics.jsonl")), 1)

    def damaged(self, says, change):
        """Requires that all programs that read a run refuse a copy of it with one change."""
        copy = self.folder / "damaged"
        shutil.copytree(self.run_folder, copy)
        try:
            change(copy)
            self.refused(1, "translate", "--run", copy, stdin="i see\n", says=says)
            self.refused(1, "align", "--run", copy, "--data", self.corpus / "valid.tsv", says=says)
            self.refused(1, "evaluate", "--run", copy, "--data", self.corpus / "valid.tsv", says=says)
        finally:
            shutil.rmtree(copy)

    def test_truncated_or_flipped_checkpoint(self):
        def cut(run):
            model = run / "model.safetensors"
            model.write_bytes(model.read_bytes()[:-100])

        def flip(run):
            model = run / "model.safetensors"
            content = bytearray(model.read_bytes())
            content[-100] ^= 4
            model.write_bytes(content)

        self.damaged(["model.safetensors"], cut)
        self.damaged(["model.safetensors", "checksum"], flip)

    def test_checkpoint_of_another_vocabulary(self):
        def swap(run):
            lines = (run / "source.vocab").read_text().splitlines()
            lines[4], lines[5] = lines[5], lines[4]
            programs.write_lines(run / "source.vocab", lines)

        self.damaged(["model.safetensors", "source"], swap)

    def test_checkpoint_of_another_size(self):
        def widen(run):
            config = json.loads((run / "config.json").read_text())
            config["hidden"] = 13
            (run / "config.json").write_text(json.dumps(config))

        self.damaged(["config.json contains hidden 13", "model.safetensors was trained with 12"], widen)

    def test_configuration_of_another_run(self):
        for name, value in [("lowercase", False), ("attention-window", "local-m"), ("tokenizer", "none")]:
            def change(run, name=name, value=value):
                config = json.loads((run / "config.json").read_text())
                config[name] = value
                (run / "config.json").write_text(json.dumps(config))

            self.damaged([f"config.json contains {name}", "model.safetensors was trained with"], change)
            run = shutil.copytree(self.run_folder, self.folder / f"resumed-{name}")
            change(run)
            self.refused(1, "train", "--resume", "--out", run, says=[f"config.json contains {name}", "last.safetensors was trained with"])

    def test_a_configuration_of_any_depth(self):
        deep = "[" * 100000 + "]" * 100000
        self.damaged(["config.json: nested too deeply"], lambda run: (run / "config.json").write_text('{"lr": %s}' % deep))
        path = self.file("deep.json", '{"epochs": %s}' % deep)
        result = self.refused(1, "train", "--config", path, "--out", self.folder / "never", says=["deep.json: nested too deeply"])
        self.assertLess(len(result.stderr), 1000)

    def test_a_configuration_with_a_key_of_a_million_letters(self):
        run = shutil.copytree(self.run_folder, self.folder / "long-key")
        config = json.loads((run / "config.json").read_text())
        (run / "config.json").write_text(json.dumps({**config, "k" * 1000000: 1}))
        for arguments in (["train", "--resume", "--out", run], ["train", "--config", run / "config.json", "--out", self.folder / "never"]):
            begin = time.monotonic()
            result = self.refused(1, *arguments, says=["config.json: no option \"kkk", "kkk…\""])
            self.assertLess(len(result.stderr), 400)
            self.assertLess(time.monotonic() - begin, 10)  # seconds; the search for a similar name once took 13

    def test_options_that_do_not_go_together_are_wrong_usage(self):
        train = ["train", "--data", self.corpus, "--out", self.folder / "never", *programs.TINY, "--model", "encdec"]
        for option in (["--guided-alignment", "0.1"], ["--doubly-stochastic", "0.1"], ["--keep", "aer"]):
            self.refused(2, *train, *option, says=[" ".join(option[:1]), "encdec has no attention. Remove "])
        self.refused(2, "align", "--run", self.run_folder, "--data", self.corpus / "valid.tsv", "--subwords", says=["has no subwords"])
        self.assertFalse((self.folder / "never").exists())

    def test_no_reader_of_json_recurses_without_bound(self):
        """Input of 200,000 brackets would overflow the stack of a parser that calls itself for each bracket."""
        deep = "[" * 200000 + "1" + "]" * 200000
        for text in [deep, "[" * 200000]:
            for form, line in {
                "jsonl": '{"schema": "softalign/1", "matrix": %s}',
                "nematus-scorer": '{"id": 0, "source_sent": "a", "target_sent": "b", "matrix": %s}',
                "t2t": '{"inp_out": {"att": %s, "top_text": ["a"], "bot_text": ["b"]}}',
                "bertviz": '{"attention": [{"name": "Cross", "attn": %s, "left_text": ["a"], "right_text": ["b"]}]}',
            }.items():
                path = self.file("deep.jsonl", line % text + "\n")
                source = "jsonl" if form == "nematus-scorer" else form
                self.refused(1, "convert", "--in", path, "--from", source, "--format", "pharaoh", says=["deep.jsonl:1:", "nested too deeply"])
            for name in ["alignments.jsonl", "history.jsonl", "beam.jsonl", "interventions.jsonl", "metrics.jsonl"]:
                run = shutil.copytree(self.run_folder, self.folder / "deep-run")
                (run / name).write_text('{"schema": "softalign/1", "epoch": %s}\n' % text)
                self.refused(1, "view", "--run", run, "--out", self.folder / "never.html", says=[f"{name}:1:"])
                shutil.rmtree(run)
            run = shutil.copytree(self.run_folder, self.folder / "deep-run")
            (run / "config.json").write_text('{"lr": %s}' % text)
            self.refused(1, "train", "--resume", "--out", run, says=["config.json", "nested too deeply"])
            header = ('{"w":%s}' % text).encode()
            (run / "model.safetensors").write_bytes(len(header).to_bytes(8, "little") + header)
            shutil.copy(self.run_folder / "config.json", run)
            self.refused(1, "translate", "--run", run, says=["model.safetensors", "nested too deeply"])
            shutil.rmtree(run)

    def test_numbers_are_decimal_and_whole(self):
        for option, values in {"--hidden": ["0x10", "-1", "1e2", "12.0", "+12", "", "99999999999999999999999"],
                               "--seed": ["-1", "18446744073709551616", "", "1e3"],
                               "--max-length": ["-5", "", "1152921504606846975"],
                               "--lr": ["nan", "inf", "", "0x1p-3", "1e999", "-1"]}.items():
            for value in values:
                with self.subTest(option=option, value=value):
                    self.refused(2, "train", "--data", self.corpus, "--out", self.folder / "never", f"{option}={value}",
                                 says=[option])
        for program in ["translate", "align", "evaluate", "score"]:
            self.refused(2, program, "--run", self.run_folder, "--max-length=-5", says=["--max-length"])
        octal = self.folder / "octal"
        programs.train(self.corpus, octal, "--seed", "010")
        self.assertEqual(json.loads((octal / "config.json").read_text())["seed"], 10)

    def test_messages_do_not_command_the_terminal(self):
        result = self.refused(1, "score", "--run", "no\x1b[31m\x9b1m\rrun", "--data", "x", says=["no\ufffd[31m\ufffd1m\ufffdrun"])
        self.assertNotIn("\x1b", result.stderr)

    def test_a_name_of_two_lines_is_one_message(self):
        result = self.refused(1, "align", "--run", self.run_folder, "--data", self.folder / "no\nerror: such", says=["cannot read"])
        self.assertIn("\n  error: such", result.stderr)

    def test_force_that_cannot_begin_leaves_the_run(self):
        before = {path.name: path.read_bytes() for path in self.run_folder.iterdir()}
        self.refused(1, "train", "--data", self.corpus, "--out", self.run_folder, "--force", "--lr", "1000",
                     "--momentum", "0.9999", "--batch", "1", "--clip", "0", "--optimiser", "sgd", "--schedule", "constant",
                     *programs.TINY, says=["No epoch has ended", "train --replay"])
        (self.run_folder / "diverged.safetensors").unlink()
        self.assertEqual(before, {path.name: path.read_bytes() for path in self.run_folder.iterdir()})

    def test_force_replaces_no_model_of_another_program(self):
        other = self.folder / "hf"
        other.mkdir()
        (other / "config.json").write_text('{"architectures": ["Bert"]}')
        (other / "model.safetensors").write_text("w")
        for program in [("train", "--data", self.corpus), ("average", "--run", self.kept())]:
            self.refused(1, *program, "--out", other, "--force", says=["hf/config.json does not belong to a run of softalign"])
        self.assertEqual((other / "model.safetensors").read_text(), "w")

    def test_what_is_not_of_make_corpus_or_reproduce_is_not_replaced(self):
        mine = self.folder / "mine"
        mine.mkdir()
        draw = ["make_corpus", "--grammar", programs.TOY / "en-fr.grammar", "--split", "train=3,valid=2", "--out", mine, "--force"]
        for text, problem in [("no tab\n", "train.tsv:1"), ("i see\tje vois\n", "line 1 has no gold"),
                              ("i  see\tje vois\t0-0\n", "it differs from the files that this program writes")]:
            (mine / "train.tsv").write_text(text)
            self.refused(1, *draw, says=["make_corpus did not write", "mine/train.tsv", problem, "--force does not replace it"])
            self.assertEqual(programs.contents(mine), {"train.tsv": text.encode()})
        (mine / "train.tsv").unlink()
        programs.succeed(*draw)
        programs.succeed(*draw)
        (mine / "sutskever.md").write_text("mine")
        corpus = programs.tiny_corpus(self.folder / "three", train=20, valid=5)
        shutil.copy(corpus / "valid.tsv", corpus / "test.tsv")
        study = ["reproduce", "sutskever", "--data", corpus, "--out", mine]
        self.refused(1, *study, says=["reproduce did not write ", "mine/sutskever.md"])
        (mine / "sutskever.md").unlink()
        run = mine / "runs" / "encdec-deep-seed1"
        run.mkdir(parents=True)
        (run / "notes.txt").write_text("mine")
        self.refused(1, *study, says=["reproduce did not write this folder", "Therefore it is not replaced"])

    def kept(self):
        folder = self.folder / "kept"
        if not folder.exists():
            programs.train(self.corpus, folder, "--keep-epochs", "2")
        return folder

    def test_run_folder_with_something_missing(self):
        self.refused(1, "translate", "--run", self.folder / "nowhere", says=["nowhere", "train"])
        for name in ["model.safetensors", "config.json", "source.vocab", "target.vocab"]:
            self.damaged([name], lambda run, name=name: (run / name).unlink())
        self.damaged(["config.json", "not JSON"], lambda run: (run / "config.json").write_text("{"))

    def test_run_folder_that_cannot_be_looked_into(self):
        def loop(run):
            (run / "model.safetensors").unlink()
            (run / "model.safetensors").symlink_to("model.safetensors")

        self.damaged(["model.safetensors: Too many levels of symbolic links"], loop)

    def test_a_line_of_a_journal_that_is_being_written_is_not_read(self):
        page = self.folder / "page.html"
        programs.succeed("view", "--run", self.run_folder, "--out", page)
        whole, copy = page.read_bytes(), self.folder / "during" / self.run_folder.name
        shutil.copytree(self.run_folder, copy)
        for name in ["metrics.jsonl", "history.jsonl"]:
            with open(copy / name, "a", encoding="utf-8") as journal:
                journal.write('{"torn": ')
        programs.succeed("view", "--run", copy, "--out", page)
        self.assertEqual(page.read_bytes(), whole)

    def test_resume_without_or_with_a_damaged_state(self):
        self.refused(1, "train", "--resume", "--out", self.folder / "nowhere", says=["nowhere/config.json"])
        copy = self.folder / "resumed"
        shutil.copytree(self.run_folder, copy)
        state = copy / "last.safetensors"
        state.write_bytes(state.read_bytes()[:-1])
        self.refused(1, "train", "--resume", "--out", copy, says=["last.safetensors"])
        state.unlink()
        self.refused(1, "train", "--resume", "--out", copy, says=["last.safetensors does not exist", "--force"])


if __name__ == "__main__":
    unittest.main()
