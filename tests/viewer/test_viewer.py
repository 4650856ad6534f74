"""view and the report end to end: a real Chromium opens pages of trained runs and of hand-made records (check*.mjs)."""

import json
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "apps"))
import finished_runs  # noqa: E402
import other_sources  # noqa: E402
import packed  # noqa: E402
import programs  # noqa: E402
import records  # noqa: E402

HERE = Path(__file__).resolve().parent


def what_is_missing():
    """Returns what a machine lacks to run Chromium under test, or Firefox with BROWSER=firefox; "" if nothing."""
    if os.environ.get("BROWSER") == "firefox":
        if not any(shutil.which(name) for name in ("firefox-esr", "firefox", os.environ.get("FIREFOX", "-"))):
            return "no firefox (Debian: apt-get install firefox-esr)"
    elif not any(shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome", os.environ.get("CHROMIUM", "-"))):
        return "no chromium (Debian: apt-get install chromium)"
    if not shutil.which("node"):
        return "no node (Debian: apt-get install nodejs npm)"
    for package in ("playwright-core", "axe-core"):
        if not (HERE / "node_modules" / package).is_dir():
            return f"no {package} (npm ci --prefix tests/viewer)"
    return ""


def mutate(page, out, *replacements):
    text = page.read_text(encoding="utf-8")
    for old, new in replacements:
        assert old in text, old
        text = text.replace(old, new)
    out.write_text(text, encoding="utf-8")


class Viewer(programs.WithRun):
    # The corpus is tokenised already, so --tokenizer none allows any words.
    training = [*programs.STEEP, "--attention", "qkv", "--heads", "2", "--track", "3", "--tokenizer", "none"]

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.test = programs.write_lines(cls.folder / "test.tsv", programs.short_pairs("test.tsv", 30))
        cls.other = programs.train(cls.corpus, cls.folder / "other", "--seed", "2", "--tokenizer", "none")
        cls.encdec = programs.train(cls.corpus, cls.folder / "encdec", "--model", "encdec", "--tokenizer", "none")
        for run in (cls.run_folder, cls.other):
            programs.succeed("align", "--run", run, "--data", cls.test, "--out", run / "alignments.jsonl")
        few = programs.write_lines(cls.folder / "few.tsv", programs.short_pairs("valid.tsv", 3))
        interventions = cls.run_folder / "interventions.jsonl"
        programs.succeed("align", "--run", cls.run_folder, "--data", few, "--intervene", "all", "--out", interventions)
        cls.trained = cls.view("trained", cls.run_folder, "--compare", cls.other)

    @classmethod
    def view(cls, name, run, *arguments):
        page = cls.folder / f"{name}.html"
        programs.succeed("view", "--run", run, "--out", page, *arguments)
        return page

    def test_records_are_those_of_the_files_and_tracked_ones_come_first(self):
        sentences = packed.sentences(self.trained)
        shown = [sentence["runs"][0]["record"] for sentence in sentences]
        self.assertEqual([s["tracked"] for s in sentences], 3 * [True] + 30 * [False])
        self.assertEqual(shown[3:], self.as_shown(self.run_folder / "alignments.jsonl"))
        history = programs.json_lines(self.run_folder / "history.jsonl")
        for i, sentence in enumerate(sentences[:3]):
            self.assertEqual(sentence["runs"][0]["epochs"], [packed.as_shown(r) for r in history if r["id"] == i])
        interventions = self.as_shown(self.run_folder / "interventions.jsonl")
        self.assertEqual([r for s in sentences[:3] for r in s["runs"][0]["interventions"]], interventions)
        self.assertEqual([s["runs"][1]["record"] for s in sentences][3:], self.as_shown(self.other / "alignments.jsonl"))

    def test_a_source_that_comes_again_has_its_interventions_once(self):
        run, pair = self.folder / "again", programs.short_pairs("valid.tsv", 1)[0]
        shutil.copytree(self.run_folder, run)
        twice = programs.write_lines(self.folder / "twice.tsv", [pair, pair.split("\t")[0] + "\tje\t"])
        programs.succeed("align", "--run", run, "--data", twice, "--intervene", "all", "--out", run / "interventions.jsonl")
        first = [packed.as_shown(record) for record in programs.json_lines(run / "interventions.jsonl") if record["id"] == 0]
        shown = packed.sentences(self.view("again", run, "--data", twice))[-2:]
        self.assertEqual([s["runs"][0]["interventions"] for s in shown], [first, first])

    @staticmethod
    def as_shown(path):
        return [packed.as_shown(record) for record in programs.json_lines(path)]

    def test_weights_of_any_program_are_kept_to_the_last_digit(self):
        run = records.write_films(self.folder / "precise")
        first, *others = programs.json_lines(run / "alignments.jsonl")
        first["matrix"][0] = [1 / 3, 2 / 3, *[0] * (len(first["matrix"][0]) - 2)]
        records.write(run / "alignments.jsonl", [first, *others])
        shown = [s["runs"][0]["record"] for s in packed.sentences(self.view("precise", run))]
        self.assertEqual(shown, self.as_shown(run / "alignments.jsonl"))
        raw = [s["runs"][0]["record"]["weights"] for s in packed.page_data(self.folder / "precise.html")["sentences"]]
        self.assertEqual([type(weights) for weights in raw], [list] + [str] * len(others))

    def test_heads_of_self_attention_are_kept_whole(self):
        run = records.write_stack(self.folder / "whole-stack")
        shown = [s["runs"][0]["record"] for s in packed.sentences(self.view("whole-stack", run))]
        self.assertEqual(shown, self.as_shown(run / "alignments.jsonl"))

    def test_tracked_sentences_are_aligned_by_the_kept_model(self):
        pairs = programs.write_lines(self.folder / "tracked.tsv", programs.short_pairs("valid.tsv", 3))
        forced = [json.loads(line) for line in programs.succeed("align", "--run", self.run_folder, "--data", pairs).splitlines()]
        tracked = packed.sentences(self.trained)[:3]
        for sentence, record in zip(tracked, forced, strict=True):
            self.assertEqual(sentence["runs"][0]["record"]["matrix"], record["matrix"])
            self.assertEqual(sentence["id"], record["id"])

    def test_tracked_sentences_that_are_aligned_now_have_scores(self):
        page = packed.sentences(self.trained)
        for sentence in page[:3]:
            several, one = (run["record"] for run in sentence["runs"])
            for holder in [*several["heads"], one]:
                for row, weights in zip(programs.softmax(holder["scores"]), holder["matrix"], strict=True):
                    self.assertLess(max(abs(x - y) for x, y in zip(row, weights, strict=True)), 1e-5)
            self.assertEqual(len(one["norms"]["context"]), len(one["target_tokens"]))
        self.assertFalse(any("scores" in run["record"] for sentence in page[3:] for run in sentence["runs"]))

    def test_beams_are_those_of_translate(self):
        sentence = packed.sentences(self.trained)[0]["runs"][0]
        source = " ".join(sentence["record"]["source_tokens"][:-1])
        told = programs.succeed("translate", "--run", self.run_folder, "--tokenized", "--beam", "5", "--n-best", "5", stdin=source + "\n")
        for record, line in zip(sentence["beam"], told.splitlines(), strict=True):
            self.assertIn(" ".join(record["target_tokens"][:-1]), line)

    def test_data_are_aligned_now_with_their_tags(self):
        page = packed.sentences(self.view("fresh", self.run_folder, "--data", self.test))
        lines = [line.split("\t") for line in self.test.read_text(encoding="utf-8").splitlines()]
        corpus = [s for s in page if not s["tracked"]]
        self.assertEqual([",".join(s["tags"]) for s in corpus], [line[3] for line in lines])
        self.assertEqual([s["runs"][0]["record"] for s in corpus], self.as_shown(self.run_folder / "alignments.jsonl"))

    def test_same_run_same_bytes(self):
        again = self.view("again", self.run_folder, "--compare", self.other)
        self.assertEqual(again.read_bytes(), self.trained.read_bytes())

    def test_sentences_that_a_run_lacks_are_counted(self):
        tongues = records.write_tongues(self.folder / "lacking")
        lines = (tongues / "alignments.jsonl").read_text(encoding="utf-8").splitlines()
        bare = self.folder / "bare"
        bare.mkdir()
        programs.write_lines(bare / "alignments.jsonl", lines[:4])
        page = self.folder / "lacking.html"
        result = programs.run("view", "--run", tongues, "--compare", bare, "--out", page)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("bare has no record of 6 of the 10 sentences", result.stderr)
        self.assertEqual(len(packed.page_data(page)["notes"]), 1)

    def test_all_of_5000_sentences_fit_in_12_mb_and_fewer_are_said_to_be_fewer(self):
        large = records.write_bulk(self.folder / "many", 5000)
        page = self.view("many", large)
        self.assertLess(page.stat().st_size, 12_000_000)
        data = packed.page_data(page)
        self.assertEqual((len(data["sentences"]), data["notes"]), (5000, []))
        result = programs.run("view", "--run", large, "--sentences", "40", "--out", page)
        self.assertEqual(result.returncode, 0, result.stderr)
        data = packed.page_data(page)
        self.assertEqual([s["id"] for s in data["sentences"]], [*range(40)])
        self.assertIn("this page shows the first 40 of 5000 sentences", data["notes"][0])
        self.assertIn(f"note: {data['notes'][0]}\n", result.stderr)

    def test_without_out_the_page_is_in_the_run_folder(self):
        run = records.write_tongues(self.folder / "own-page")
        other = records.write_tongues(self.folder / "no-page")
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        told = programs.succeed("view", "--run", run, "--compare", other, cwd=elsewhere)
        self.assertTrue(told.startswith(f"{run}/page.html has 10 sentences"), told)
        self.assertTrue((run / "page.html").exists())
        self.assertEqual((list(elsewhere.iterdir()), (other / "page.html").exists()), ([], False))
        named = self.folder / "named.html"
        programs.succeed("view", "--run", run, "--out", named, cwd=elsewhere)
        self.assertEqual((named.exists(), list(elsewhere.iterdir())), (True, []))

    def test_a_run_of_another_corpus_is_noticed(self):
        letters = self.folder / "letters"
        letters.mkdir()
        for name in ("train.tsv", "valid.tsv"):
            programs.write_lines(letters / name, ["q w x y\ty x w q", "x q w\tw q x"] * 4)
        foreign = programs.train(letters, self.folder / "foreign", "--tokenizer", "none")

        def told(*arguments):
            return programs.run("view", "--out", self.folder / "noticed.html", *arguments).stderr

        self.assertRegex(told("--run", self.run_folder, "--compare", foreign),
                         r"note: foreign: \d+ of \d+ words are not in the vocabulary of this run")
        self.assertIn("note: foreign: ", told("--run", foreign, "--data", self.test))  # the note also comes without --compare
        self.assertNotIn("not in the vocabulary", told("--run", self.run_folder, "--compare", self.other))

    def test_every_validation_pair_can_have_its_training_timeline(self):
        run = programs.train(self.corpus, self.folder / "tracked", "--tokenizer", "none", "--track", "all")
        pairs = [line.split("\t")[0] for line in (self.corpus / "valid.tsv").read_text(encoding="utf-8").splitlines()]
        history = programs.json_lines(run / "history.jsonl")
        self.assertEqual([(r["epoch"], r["source_sent"]) for r in history], [(e, source) for e in (1, 2) for source in pairs])

    def test_many_pairs_are_aligned_aloud(self):
        result = programs.run("view", "--run", self.run_folder, "--data", self.test, "--out", self.folder / "aloud.html")
        self.assertIn("run: aligning 30 pairs\n", result.stderr)
        self.assertIn("run: searching for other translations of 32 sentences\n", result.stderr)

    def hostile_keys(self, name):
        """Returns a run whose records have keys that the page's script would trust if they were copied into the page."""
        run = records.write_stack(self.folder / name)
        lines = programs.json_lines(run / "alignments.jsonl")
        for record, columns in zip(lines, (0, 1e9), strict=True):
            record.update(columns=columns, weights=None, note="x", gate=[], scores=[], target_spans=[[0.5]], target_unknown={"a": 1})
            record["gold"]["likely"] = [[0.9, 0.9]]
            for head in record["heads"]:
                head.update(columns=columns, weights="A", note="x", scores=[])
        records.write(run / "alignments.jsonl", lines)
        records.write(run / "interventions.jsonl", lines)  # the file of align --out RUN/interventions.jsonl without --intervene
        return run

    def test_only_keys_of_the_schema_are_in_a_page(self):
        run, page = self.hostile_keys("hostile-keys"), self.folder / "hostile-keys.html"
        result = programs.run("view", "--run", run, "--out", page)
        self.assertEqual(result.returncode, 0, result.stderr)
        clean = self.view("clean-stack", records.write_stack(self.folder / "clean-stack"))
        shown = packed.page_data(page)
        self.assertEqual(shown["sentences"], packed.page_data(clean)["sentences"])
        self.assertIn("the page leaves out 2 records of interventions.jsonl, because they contain no intervention", shown["notes"][0])
        self.assertIn("note: hostile-keys: the page leaves out 2 records", result.stderr)

    def test_a_value_that_no_record_has_is_refused(self):
        def change(name, path, value):
            run = records.write_stack(self.folder / f"refused-{name}")
            first, second = programs.json_lines(run / "alignments.jsonl")
            place = second
            for key in path[:-1]:
                place = place[key]
            place[path[-1]] = value
            records.write(run / "alignments.jsonl", [first, second])
            return run

        for number, (path, value, says) in enumerate([
                (["links"], {"a": [0, 0]}, "links holds an object"), (["links"], [[0.9, 0.9]], "links holds 0.9"),
                (["links"], [[-1, 0]], "links holds -1"), (["gold", "sure"], {}, "gold.sure holds an object"),
                (["matrix"], None, "matrix holds null"), (["heads"], {}, "heads holds an object"),
                (["heads", 0, "layer"], 1e9, "layer holds"), (["heads", 0, "head"], 1000000000, "head 1000000000"),
                (["heads", 0, "kind"], "other", "kind of head"), (["eos", "source"], 1, "eos.source holds 1; expected true or false"),
                (["eos"], None, "eos holds null; expected an object"), (["source_tokens"], None, "source_tokens holds null; expected a list"),
                (["target_tokens", 0], 5, "target_tokens holds 5; expected a text"), (["tags"], 5, "tags holds 5; expected a list"),
                (["mode"], None, "mode holds null; expected a text"), (["heads", 0, "kind"], 7, "kind of head holds 7; expected a text"),
                (["heads", 0], 3, "heads holds 3; expected an object"), (["norms"], None, "norms holds null; expected an object"),
                (["gold"], [], "gold holds an array; expected an object"), (["source_line"], 1, "source_line holds 1; expected a text"),
                (["intervention"], None, "intervention holds null; expected an object"), (["schema"], 1, "schema holds 1; expected a text"),
                (["heads", 0], {"layer": 0, "head": 0, "kind": "self", "matrix": []}, "a head of kind self has no rows"),
                (["heads", 0], {"layer": 0, "head": 0, "kind": "self", "matrix": [[1]]}, "a head of kind self has 1 rows"),
                (["intervention"], {"kind": "other", "step": 0}, "kind of intervention"),
                (["intervention"], {"kind": "force", "step": 0, "source": 99}, "the intervention names source position 99"),
                (["intervention"], {"kind": "force"}, "force without a step"), (["rank"], 0.5, "rank holds 0.5"),
                (["gate"], [2.0, 0.5], "gate"), (["layer_share"], 0.5, "layer_share needs a head of the kind decoder"),
                (["unknown"], [True], "unknown holds true")]):
            run = change(number, path, value)
            result = self.refused(1, "view", "--run", run, "--out", self.folder / "no.html", says=["alignments.jsonl:2:", says])
            self.assertLess(len(result.stderr), 1000)
        self.assertFalse((self.folder / "no.html").exists())

    def test_bad_input(self):
        self.refused(1, "view", "--run", self.folder / "nowhere", says=["nowhere", "no such folder"])
        self.refused(1, "view", "--run", self.corpus, says=["is a corpus, and --run needs a trained model. Train one with: ", f"/train --data {self.corpus} --out"])
        (self.folder / "empty").mkdir()
        self.refused(1, "view", "--run", self.folder / "empty", says=["the files alignments.jsonl and history.jsonl have no sentence", "align --run"])
        damaged = records.write_tongues(self.folder / "damaged")
        with open(damaged / "alignments.jsonl", "a", encoding="utf-8") as file:
            file.write("{}\n")
        self.refused(1, "view", "--run", damaged, "--out", self.folder / "no.html", says=["alignments.jsonl:11:"])
        self.assertFalse((self.folder / "no.html").exists())
        self.refused(1, "view", "--run", records.write_tongues(self.folder / "modelless"), "--data", self.test, says=["no model.safetensors"])
        self.refused(1, "view", "--run", self.encdec, "--data", self.test, says=["no attention"])
        self.assertEqual(programs.run("view").returncode, 2)

    def write_report(self):
        """Writes a report in which no run is trained, on a corpus with hostile words in a folder with a hostile name."""
        corpus = self.folder / 'a <b>&"corpus"'
        shutil.copytree(self.corpus, corpus)
        source, target = (words + ["and", "so", "on"] for words in records.SENTENCES["hostile"])
        target = [word for word in target if word.strip("\u2028\u200b")]
        crossing = " ".join(f"{i}-{6 - i}" for i in range(7))
        programs.write_lines(corpus / "test.tsv", [*programs.short_pairs("test.tsv", 7), "\t".join([" ".join(source), " ".join(target), crossing, "fixed"])])
        papers = self.folder / "papers"
        command = finished_runs.lay_out(papers, corpus, [self.encdec], [self.run_folder, self.other])
        told = programs.succeed(*command)
        self.assertEqual(told.count("done before"), 12)
        self.assertIn("Open bahdanau.html in a browser", told)
        names = ["bahdanau.html", "bahdanau-alignments.html", "bahdanau-sentences.tsv", "bahdanau.svg", "bahdanau.json"]
        before = [(papers / name).read_bytes() for name in names]
        self.assertTrue(ElementTree.parse(papers / "bahdanau.svg").getroot().tag.endswith("}svg"))
        programs.succeed(*command)
        self.assertEqual([(papers / name).read_bytes() for name in names], before)
        return papers / "bahdanau.html"

    def test_in_a_browser(self):
        missing = what_is_missing()
        if missing and os.environ.get("CI") == "true":
            self.fail(missing)
        if missing:
            self.skipTest(f"the browser checks did not run: {missing}")
        tongues = records.write_tongues(self.folder / "tongues")
        page = self.view("tongues", tongues, "--compare", records.write_tongues(self.folder / "shifted", shift=1))
        self.view("bulk", records.write_bulk(self.folder / "bulk"))
        self.view("stack", records.write_stack(self.folder / "stack"), "--compare", records.write_one_look(self.folder / "one-look"))
        self.view("layer", records.write_layer(self.folder / "layer"))
        films = records.write_films(self.folder / "films")
        self.view("films", films, "--compare", records.write_unfilmed(self.folder / "unfilmed"))
        self.write_other_sources()
        self.view("crossing", records.write_crossing(self.folder / "crossing"))
        self.write_first_minutes(films)
        evaluation = json.loads(programs.succeed("evaluate", "--run", self.run_folder, "--data", self.test, "--json"))
        (self.folder / "evaluation.json").write_text(json.dumps(evaluation["all"]), encoding="utf-8")
        self.write_mutants(page)
        self.write_report_mutants(self.write_report())
        for study in ("permutation", "pooling"):  # each study takes a second
            programs.succeed("reproduce", study, "--out", self.folder / "experiment")
        result = subprocess.run(["node", HERE / "check.mjs", self.folder], capture_output=True, text=True, timeout=1400, check=False)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def write_first_minutes(self, films):
        """Pages that a first reader opens: known languages, two runs, curves by task, and the reader's own sentences."""
        self.view("languages", films, "--languages", "English,French")
        self.view("nine", records.write_nine(self.folder / "nine"), "--compare", records.write_nine(self.folder / "nine-shifted", shift=1))
        self.view("hops", other_sources.write_accuracies(other_sources.write_stories(self.folder / "hops"), 0.0, exact_match=61.6))
        pointed = other_sources.write_accuracies(other_sources.write_pictures(self.folder / "pointed"), 40.0)
        one = self.folder / "one-picture"
        one.mkdir()
        records.write(one / "alignments.jsonl", programs.json_lines(pointed / "alignments.jsonl")[:1])
        self.view("pointed", pointed, "--compare", one)
        sources = [line.split("\t")[0] for line in programs.short_pairs("test.tsv", 2)]
        programs.succeed("translate", "--run", self.run_folder, "--page", self.folder / "own.html", stdin="\n".join(sources) + "\n")
        links = self.folder / "links.jsonl"
        programs.succeed("links", "--data", self.test, "--out", links)
        programs.succeed("view", "--in", links, "--out", self.folder / "links.html")

    def test_a_page_of_own_sentences_has_the_same_bytes_and_says_what_it_lacks(self):
        lines = "\n".join([*(line.split("\t")[0] for line in programs.short_pairs("test.tsv", 2)), "", ""])
        one, two = self.folder / "own-1.html", self.folder / "own-2.html"
        printed = [programs.succeed("translate", "--run", self.run_folder, "--page", page, stdin=lines) for page in (one, two)]
        self.assertEqual(one.read_bytes(), two.read_bytes())
        self.assertEqual(printed[0], programs.succeed("translate", "--run", self.run_folder, stdin=lines))
        shown = packed.sentences(one)
        self.assertEqual([s["id"] for s in shown], [0, 1])  # blank lines are left out
        for sentence, line in zip(shown, printed[0].splitlines()):
            self.assertIn(sentence["runs"][0]["record"]["target_tokens"][0], line)
            kinds = [r["intervention"]["kind"] for r in sentence["runs"][0]["interventions"]]
            self.assertEqual(set(kinds), {"none", "force", "ablate", "shuffle", "word"})
        self.refused(1, "translate", "--run", self.run_folder, "--page", one, says=["no line was translated"])
        self.refused(2, "translate", "--run", self.run_folder, "--page", one, "--sample", "2", says=["--page shows the best"])
        self.refused(2, "translate", "--run", self.run_folder, "--run", self.other, "--page", one, says=["--page shows one run"])

    def test_languages_are_named_by_option_folder_or_endings(self):
        def names(page):
            return packed.page_data(page)["languages"]

        films = records.write_films(self.folder / "named")
        self.assertIsNone(names(self.view("unnamed", films)))
        self.assertEqual(names(self.view("named", films, "--languages", "English,French")), {"source": "English", "target": "French"})
        for wrong in ("English", "English,", "a,b,c"):
            self.refused(2, "view", "--run", films, "--languages", wrong, says=["--languages", "English,French"])
        parts = [line.split("\t") for line in programs.short_pairs("test.tsv", 2)]
        for column, ending in enumerate(("de", "en")):
            programs.write_lines(self.folder / f"few.{ending}", [part[column] for part in parts])
        page = self.view("ends", self.run_folder, "--source", self.folder / "few.de", "--target", self.folder / "few.en", "--sentences", "2")
        self.assertEqual(names(page), {"source": "German", "target": "English"})
        (self.folder / "folder").mkdir()
        programs.write_lines(self.folder / "folder" / "languages", ["Latin Greek"])
        data = programs.write_lines(self.folder / "folder" / "few.tsv", programs.short_pairs("test.tsv", 2))
        self.assertEqual(names(self.view("folder", self.run_folder, "--data", data)), {"source": "Latin", "target": "Greek"})

    def write_other_sources(self):
        """Pages of sources that are not sentences, and the terminal's output for their records."""
        pictures = other_sources.write_pictures(self.folder / "pictures")
        page = self.view("pictures", pictures, "--compare", other_sources.write_pictures(self.folder / "hard", sharpness=12, loss=1.5))
        mutate(page, self.folder / "mutant-image.html", ("<noscript>", '<img alt="" src="https://cdn.example/a.png"><noscript>'))
        stories = other_sources.write_stories(self.folder / "stories")
        self.view("stories", stories, "--compare", other_sources.write_stories(self.folder / "mean", blur=0.8))
        self.view("tracked-stories", other_sources.write_tracked(other_sources.write_stories(self.folder / "tracked-stories")))
        self.view("pairs", other_sources.write_pairs(self.folder / "pairs"), "--compare", other_sources.write_pairs(self.folder / "vague", sharpness=0.3))
        self.view("text", other_sources.write_text(self.folder / "text"))
        for run in (pictures, stories):
            programs.succeed("convert", "--in", run / "alignments.jsonl", "--from", "jsonl", "--format", "plot", "--color", "never",
                             "--out", self.folder / f"{run.name}.plot")

    def write_mutants(self, page):
        """Pages with one fault each, which the checks must find."""
        unescaped = ("\\u003c/script\\u003e\\u003cscript\\u003ewindow.broken=1\\u003c/script\\u003e", "</script><script>window.broken=1</script>")
        policy = ("Content-Security-Policy", "X-No-Policy")
        mutate(page, self.folder / "mutant-unescaped.html", unescaped)
        mutate(page, self.folder / "mutant-unescaped-without-policy.html", unescaped, policy)
        cdn = ("<noscript>", '<script src="https://cdn.example/d3.js"></script><noscript>')
        mutate(page, self.folder / "mutant-cdn.html", cdn)
        mutate(page, self.folder / "mutant-cdn-without-policy.html", cdn, policy)

    def write_report_mutants(self, page):
        unescaped = ("&lt;/script&gt;&lt;script&gt;window.broken=1&lt;/script&gt;</bdi>", "</script><script>window.broken=1</script></bdi>")
        policy = ("Content-Security-Policy", "X-No-Policy")
        mutate(page, self.folder / "report-unescaped.html", unescaped)
        mutate(page, self.folder / "report-unescaped-without-policy.html", unescaped, policy)
        font = ("<h1>", '<link rel="stylesheet" href="https://cdn.example/font.css"><h1>')
        mutate(page, self.folder / "report-cdn-without-policy.html", font, policy)


if __name__ == "__main__":
    unittest.main()
