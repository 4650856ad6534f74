"""Files that programs write and read by name: the ending of --out gives the format, and - is standard input. A program that
is stopped or may not write leaves no temporary file."""

import json
import os
import resource
import signal
import subprocess
import time
import unittest

import programs


class OutputFiles(programs.WithRun):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.gold = programs.write_lines(cls.folder / "gold.tsv", ["a b\tc d\t0-0 1-1", "b a\td c\t0-0 1-1"] * 4)
        cls.plain = programs.write_lines(cls.folder / "plain.tsv", ["a b\tc d", "b a\td c"] * 4)

    def setUp(self):
        self.place = self.folder / self.id().rsplit(".", maxsplit=1)[-1]
        self.place.mkdir()

    def links(self, *arguments, **more):
        return programs.run("links", "--data", self.gold, *arguments, **more)

    def align(self, *arguments, **more):
        return programs.run("align", "--run", self.run_folder, "--data", self.gold, *arguments, **more)

    def convert(self, *arguments, **more):
        return programs.run("convert", "--in", self.folder / "records.jsonl", *arguments, **more)

    def each_program(self):
        self.assertEqual(self.align("--out", self.folder / "records.jsonl").returncode, 0)
        return {"links": self.links, "align": self.align, "convert": self.convert}

    def test_the_ending_of_a_name_chooses_the_format(self):
        for program, run in self.each_program().items():
            for ending, name in {"jsonl": "jsonl", "json": "jsonl", "pharaoh": "pharaoh", "tsv": "tsv", "soft": "soft"}.items():
                with self.subTest(program=program, ending=ending):
                    out = self.place / f"{program}.{ending}"
                    self.assertEqual(run("--out", out).returncode, 0)
                    self.assertEqual(out.read_text(), run("--format", name).stdout)

    def test_an_ending_of_json_gets_lines_and_a_note(self):
        for program, run in self.each_program().items():
            self.assertIn("gets JSON lines, with one record per line", run("--out", self.place / f"{program}.json").stderr)
            self.assertNotIn("JSON lines", run("--out", self.place / f"{program}.jsonl").stderr)
            self.assertNotIn("JSON lines", run("--out", self.place / f"{program}.json", "--format", "jsonl").stderr)

    def test_a_contradiction_is_a_note(self):
        for program, run in self.each_program().items():
            result = run("--out", self.place / f"{program}.pharaoh", "--format", "tsv")
            self.assertEqual(result.returncode, 0)
            self.assertIn("gets the format tsv (--format), but its ending names the format pharaoh", result.stderr)
            self.assertNotIn("but its ending", run("--out", self.place / program, "--format", "tsv").stderr)

    def test_a_format_that_is_not_written_is_refused(self):
        for program, run in self.each_program().items():
            for name, says in {"x.npy": "Write FILE.jsonl", "x.csv": "Write FILE.tsv", "x.html": "view --in", "x.pdf": "rsvg-convert"}.items():
                result = run("--out", self.place / name)
                self.assertEqual((result.returncode, list(self.place.iterdir())), (2, []), program)
                self.assertIn(says, result.stderr)
            result = run("--out", self.place / "x.jsonl.gz")
            self.assertEqual((result.returncode, list(self.place.iterdir())), (1, []))
            self.assertIn("write " + str(self.place / "x.jsonl") + ", and then run gzip on it", result.stderr)

    def test_translate_says_how_a_format_is_written(self):
        self.refused(2, "translate", "--run", self.run_folder, "--out", "y.jsonl", stdin="i see\n",
                     says=['translate ... --alignment jsonl > "y.jsonl"'])

    def test_a_dash_is_standard_input(self):
        text = self.gold.read_text()
        self.assertEqual(programs.succeed("links", "--data", "-", stdin=text), self.links().stdout)
        self.assertEqual(programs.succeed("align", "--run", self.run_folder, "--data", "-", stdin=text), self.align().stdout)
        evaluate = ["evaluate", "--run", self.run_folder, "--json", "--data"]
        self.assertEqual(programs.succeed(*evaluate, "-", stdin=text), programs.succeed(*evaluate, self.gold))
        records = self.align().stdout
        for arguments in (["--in", "-"], ["-"]):
            shown = programs.succeed("convert", *arguments, "--from", "jsonl", "--format", "pharaoh", stdin=records)
            self.assertEqual(shown, self.align("--format", "pharaoh").stdout)

    def test_a_file_beyond_the_limit_is_an_error(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))
        for program in (["align", "--run", self.run_folder], ["links"]):
            out = self.place / "out.jsonl"
            result = subprocess.run([programs.BUILD / program[0], *program[1:], "--data", self.gold, "--out", out], capture_output=True,
                                    preexec_fn=limit, check=False, text=True)
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertIn("File too large", result.stderr)
            self.assertIn("ulimit -f", result.stderr)
            self.assertEqual(list(self.place.iterdir()), [])

    def stopped(self, number, *arguments, files=1):
        """Sends the signal while `files` temporary files are open. Returns the exit status and the files that remain."""
        many = self.folder / "many.tsv"
        if not many.exists():
            programs.write_lines(many, programs.short_pairs("train.tsv", 150) * 100)
        with subprocess.Popen([programs.BUILD / "align", "--run", self.run_folder, "--data", many, "--threads", "1", *arguments],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            end = time.monotonic() + 120
            while len(list(self.place.iterdir())) < files and time.monotonic() < end and process.poll() is None:
                time.sleep(0.005)
            process.send_signal(number)
            self.said = process.communicate(timeout=120)[1].decode()
        return process.returncode, [path.name for path in self.place.iterdir()]

    def test_a_signal_leaves_no_temporary_file(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
            self.assertEqual(self.stopped(number, "--out", self.place / "out.jsonl"), (-number, []))
            self.assertEqual("stopped" in self.said, number == signal.SIGINT, self.said)

    def test_ctrl_c_says_what_was_not_written(self):
        self.stopped(signal.SIGINT, "--out", self.place / "out.jsonl")
        self.assertTrue(self.said.endswith(f"\nstopped; {self.place}/out.jsonl was not written\n"), self.said)
        self.stopped(signal.SIGINT, "--out", self.place / "out.jsonl", "--lexicon", self.place / "lexicon.tsv", files=2)
        self.assertRegex(self.said, r"\nstopped; .*(out.jsonl|lexicon.tsv) and other files were not written\n\Z")
        for program in (["links", "--data", "-"], ["convert", "--in", "-", "--from", "jsonl"], ["evaluate", "--links", "-", "--gold", "-"]):
            ours, its = programs.open_terminal()
            with subprocess.Popen([programs.BUILD / program[0], *program[1:]], stdin=subprocess.PIPE, stderr=its,
                                  stdout=subprocess.DEVNULL) as process:
                os.close(its)
                self.assertIn("softalign", os.read(ours, 1000).decode())  # the program has started and waits for its input
                time.sleep(0.3)
                process.send_signal(signal.SIGINT)
                shown = programs.read_terminal(ours)
                process.wait(timeout=120)
            self.assertEqual((process.returncode, shown[-10:]), (-signal.SIGINT, "\nstopped\r\n"), program)

    def test_the_error_rate_is_shown_where_links_go_to_standard_output(self):
        result = self.links()
        self.assertRegex(result.stderr, r"(?m)^agreement +[\d.]+ ")
        self.assertEqual(result.stdout, self.links("--out", "/dev/stdout").stdout.partition(" " * 20)[0])
        titles = next(line for line in result.stderr.splitlines() if line.startswith("round")).split()
        self.assertEqual(titles, ["round", "prior", *["t|s", "s|t"] * 3, "sec."])

    def test_view_shows_records_without_a_run(self):
        for name, run in self.each_program().items():
            records, page = self.place / f"{name}.jsonl", self.place / f"{name}.html"
            self.assertEqual(run("--out", records).returncode, 0)
            shown = programs.succeed("view", "--in", records, "--out", page)
            self.assertIn(f"{page} has 8 sentences", shown)
            self.assertTrue('"a","b"' in page.read_text(), name)
        sentence = programs.succeed("translate", "--run", self.run_folder, "--alignment", "jsonl", stdin="i see\n")
        self.assertIn("has 1 sentence and", programs.succeed("view", "--in", "-", "--out", self.place / "own.html", stdin=sentence))
        self.refused(2, "view", says=["--run RUN", "--in FILE.jsonl"])
        self.refused(2, "view", "--run", self.run_folder, "--in", records, says=["Remove one of them"])
        self.refused(2, "view", "--in", records, "--data", self.gold, says=["--data needs the model of a run"])
        self.refused(1, "view", "--in", self.run_folder, says=["use --run"])
        self.refused(1, "view", "--run", records, says=["is a file, and --run needs"])

    def test_uniform_attention_is_noted_once(self):
        for program, run in {"align": self.align}.items():
            said = run("--out", self.place / program).stderr
            self.assertEqual(said.count("nearly uniform"), 1)
            self.assertIn("links --data FILE", said)
        steep = programs.train(self.corpus, self.place / "steep", *programs.STEEP, "--epochs", "30")
        self.assertNotIn("nearly uniform", programs.run("align", "--run", steep, "--data", self.corpus / "valid.tsv").stderr)
        self.assertEqual(json.loads(programs.succeed("align", "--run", steep, "--data", self.gold).splitlines()[0])["id"], 0)

    def test_evaluate_notes_uniform_attention_too(self):
        run = ["evaluate", "--run", self.run_folder, "--data", self.gold]
        said = programs.run(*run)
        self.assertEqual((said.returncode, said.stderr.count("nearly uniform")), (0, 1), said.stderr)
        self.assertEqual(programs.run("align", *run[1:]).stderr.splitlines()[-2:], said.stderr.splitlines()[-2:])

    def no_links(self):
        """Returns a rule and a threshold that give this run no links."""
        return ["--rule", "threshold", "--threshold", "1"]

    def test_precision_without_links_is_not_a_number(self):
        run = ["evaluate", "--run", self.run_folder, "--data", self.gold, *self.no_links()]
        alignment = json.loads(programs.succeed(*run, "--json"))["all"]["alignment"]
        self.assertEqual(alignment, {"aer": 1.0, "precision": None, "recall": 0.0})
        table = [line.replace("of EM", "EM").split() for line in programs.succeed(*run, "--details").splitlines()]
        head = next(line for line in table if line[:1] == ["AER"])
        row = next(line for line in table[table.index(head):] if line[:1] == ["all"])
        self.assertEqual(row[1 + head.index("prec.")], "-")

    def test_align_says_that_no_line_has_a_link(self):
        said = self.align("--format", "pharaoh", *self.no_links())
        self.assertEqual(said.stdout.strip(), "")
        self.assertIn("note: no line has a link. Choose another --rule or a smaller --threshold", said.stderr)
        self.assertNotIn("no line has a link", self.align("--format", "pharaoh", "--rule", "best-word").stderr)
        self.assertNotIn("no line has a link", self.align("--format", "jsonl").stderr)

    def test_one_file_may_come_from_the_folder(self):
        train = ["train", "--epochs", "1", *programs.TINY, "--out"]
        programs.succeed(*train, self.place / "whole", "--data", self.corpus)
        for missing, name in (("valid", "--train"), ("train", "--valid")):
            folder = self.place / f"only-{missing}"
            folder.mkdir()
            (folder / f"{missing}.tsv").write_text((self.corpus / f"{missing}.tsv").read_text())
            own = self.corpus / f"{name[2:]}.tsv"
            programs.succeed(*train, self.place / name[2:], "--data", folder, name, own)
            self.assertEqual((self.place / name[2:] / "model.safetensors").read_bytes()[-400:],
                             (self.place / "whole" / "model.safetensors").read_bytes()[-400:])
            self.refused(2, *train, self.place / "none", name, own, says=["are needed together", f"--data DIR for DIR/{missing}.tsv"])


if __name__ == "__main__":
    unittest.main()
