"""Every JSON file that the programs write follows its schema in docs/schemas, and each name in a schema occurs in some
file."""

import copy
import json
import re
import struct
import sys
import shutil
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import finished_runs  # noqa: E402
import programs  # noqa: E402
import schema  # noqa: E402


def header(path):
    """Returns the JSON header of a safetensors file."""
    data = path.read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    return json.loads(data[8:8 + length])


def page_data(path):
    return json.loads(re.search(r'id="data">(.*?)</script>', path.read_text(encoding="utf-8"), re.S)[1])


def places(value, path=()):
    """Yields the position of every object in a JSON value, as the keys that lead to the object."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else []
    if isinstance(value, dict):
        yield path
    for key, part in items:
        yield from places(part, (*path, key))


def kinds(value):
    """Returns one position of each kind. Positions are of one kind if they have the same keys, whatever the indices in
    lists."""
    found = {}
    for path in places(value):
        found.setdefault(tuple(key for key in path if isinstance(key, str)), path)
    return found.values()


def cut(value):
    """Returns the value with only the first two items of every list."""
    if isinstance(value, dict):
        return {key: cut(part) for key, part in value.items()}
    return [cut(part) for part in value[:2]] if isinstance(value, list) else value


def at(value, path):
    for key in path:
        value = value[key]
    return value


class Schemas(programs.WithRun):
    training = ["--lr", "0.02", "--attention", "qkv", "--heads", "2", "--track", "2", "--guided-alignment", "0.05"]

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        run = cls.run_folder
        test = programs.write_lines(cls.folder / "test.tsv", [*programs.short_pairs("test.tsv", 6), "qwertz qwertz\tqwertz"])
        few = programs.write_lines(cls.folder / "few.tsv", programs.short_pairs("test.tsv", 1))
        programs.write_lines(cls.corpus / "test.tsv", programs.short_pairs("test.tsv", 6))
        covered = programs.train(cls.corpus, cls.folder / "covered", "--coverage", "--coverage-loss", "0.1",
                                 "--doubly-stochastic", "0.01")

        resumed = shutil.copytree(covered, cls.folder / "resumed")
        programs.succeed("train", "--resume", "--epochs", "3", "--out", resumed)

        def lines(*arguments, stdin=""):
            return [json.loads(line) for line in programs.succeed(*arguments, stdin=stdin).splitlines()]

        align = ["align", "--run", run, "--data"]
        for name, arguments in {"alignments.jsonl": [test, "--scores"], "interventions.jsonl": [few, "--intervene", "all"]}.items():
            programs.succeed(*align, *arguments, "--out", run / name)
        programs.succeed("align", "--run", covered, "--data", test, "--scores", "--out", covered / "alignments.jsonl")
        translate = ["translate", "--run", run, "--alignment", "jsonl"]
        heads = programs.train(cls.corpus, cls.folder / "heads", "--model", "transformer", "--layers", "1", "--heads", "2", "--align")
        page = cls.folder / "page.html"
        programs.succeed("view", "--run", run, "--compare", covered, "--compare", heads, "--languages", "English,French", "--out", page)
        evaluate = ["evaluate", "--run", run, "--data", test, "--json"]
        encdec = programs.train(cls.corpus, cls.folder / "encdec", "--model", "encdec")
        pictured = cls.folder / "pictured"
        pictured.mkdir()
        kinds = programs.PROJECT / "tests" / "data" / "alignment" / "kinds.jsonl"
        programs.succeed("convert", "--in", kinds, "--from", "jsonl", "--format", "jsonl", "--out", pictured / "alignments.jsonl")
        programs.succeed("view", "--run", pictured, "--out", cls.folder / "pictured.html")
        halves, captions = cls.folder / "halves", cls.folder / "captions"
        halves.mkdir()
        programs.halves(halves)
        programs.succeed("train", "--data", halves, "--epochs", "1", "--threads", "1", "--out", captions)
        repeats, texts = cls.folder / "repeats", cls.folder / "texts"
        programs.succeed("make_corpus", "repeats", "--split", "train=20,valid=5", "--out", repeats)
        programs.succeed("train", "--data", repeats, "--model", "rnn-lm", "--epochs", "1", "--hidden", "8", "--out", texts)
        moves, answers = cls.folder / "moves", cls.folder / "answers"
        moves.mkdir()
        programs.moves(moves)
        programs.succeed("train", "--data", moves, "--epochs", "1", "--threads", "1", "--out", answers)
        study = finished_runs.lay_out(cls.folder / "study", cls.corpus, [encdec], [covered])
        programs.succeed(*study)
        # Schema -> values that the programs wrote for it.
        cls.written = {
            "alignment.json": [
                *(record for name in ("alignments", "interventions", "history") for record in programs.json_lines(run / f"{name}.jsonl")),
                *programs.json_lines(covered / "alignments.jsonl"),
                *lines(*translate, "--beam", "3", "--n-best", "2", stdin="i love you\n"),
                *lines(*translate, "--sample", "1", stdin="i love you\n"),
                *lines("translate", "--run", covered, "--run", covered, "--alignment", "jsonl", stdin="i love you\n"),
                *lines("translate", "--run", heads, "--alignment", "jsonl", stdin="i love you\n\n"),
                *lines("translate", "--run", heads, "--alignment", "jsonl", "--over", "words", stdin="i don't love you.\n\n"),
                *programs.json_lines(pictured / "alignments.jsonl"),
                *lines("align", "--run", captions, "--data", halves / "valid.tsv"),
                *lines("align", "--run", answers, "--data", moves / "valid.tsv")],
            "config.json": [json.loads((folder / "config.json").read_text(encoding="utf-8")) for folder in (run, resumed)],
            "provenance.json": [json.loads((run / "provenance.json").read_text(encoding="utf-8"))],
            "metrics.json": [*programs.json_lines(run / "metrics.jsonl"), *programs.json_lines(covered / "metrics.jsonl")],
            "timing.json": programs.json_lines(run / "timing.jsonl"),
            "evaluation.json": [json.loads(programs.succeed(*evaluate)),
                                json.loads(programs.succeed("evaluate", "--run", heads, "--data", test, "--json")),
                                json.loads(programs.succeed("evaluate", "--run", encdec, "--data", test, "--json")),
                                json.loads(programs.succeed("evaluate", "--run", captions, "--data", halves / "valid.tsv", "--json")),
                                json.loads(programs.succeed("evaluate", "--run", texts, "--data", repeats / "valid.tsv", "--json")),
                                json.loads(programs.succeed("evaluate", "--run", answers, "--data", moves / "valid.tsv", "--json"))],
            "checkpoint.json": [header(run / "model.safetensors"), header(run / "last.safetensors")],
            "page.json": [page_data(page), page_data(cls.folder / "pictured.html")],
            "study.json": [json.loads((cls.folder / "study" / "bahdanau.json").read_text(encoding="utf-8"))],
            "bertviz.json": lines(*align, test, "--format", "bertviz"),
            "t2t.json": lines(*align, test, "--format", "t2t"),
        }

    def assert_refused(self, value, name, what):
        self.assertTrue(schema.problems(value, schema.load(name), name), f"{name} takes {what}")

    def test_what_programs_write_keeps_to_its_schema(self):
        self.assertEqual(set(self.written), {path.name for path in schema.SCHEMAS.glob("*.json")})
        for name, values in self.written.items():
            self.assertTrue(values, name)
            for value in values:
                self.assertEqual(schema.problems(value, schema.load(name), name), [], name)

    def test_every_property_of_a_schema_is_written_by_somebody(self):
        seen = set()
        for name, values in self.written.items():
            for value in values:
                schema.problems(value, schema.load(name), name, seen=seen)
        for name in self.written:
            self.assertEqual([key for *_, key in sorted(schema.all_properties(name) - seen)], [], name)

    def test_a_key_more_or_less_is_refused(self):
        for name, value in ((name, cut(values[0])) for name, values in self.written.items()):
            self.assertEqual(schema.problems(value, schema.load(name), name), [], name)
            free = {"config.json": [()], "checkpoint.json": [()], "evaluation.json": [("by_length",), ("by_tag",)]}.get(name, [])
            study = [("experiments",)] + [path for path in places(value) if path[-1:] and str(path[-1]).startswith(("bleu_by", "aer_by"))]
            free = study if name == "study.json" else free
            for path in kinds(value):
                broken = copy.deepcopy(value)
                at(broken, path)["surprise"] = {}
                self.assert_refused(broken, name, f"{path} with a surprise")
                for key in [] if path in free else at(value, path):
                    broken = copy.deepcopy(value)
                    del at(broken, path)[key]
                    if key not in self.optional(name, path):
                        self.assert_refused(broken, name, f"{path} without {key}")
            if name not in ("config.json", "checkpoint.json"):
                self.assert_refused([value], name, "a list of it")

    @staticmethod
    def optional(name, path):
        """Returns the keys that an object at this position may lack."""
        properties = schema.load("alignment.json")
        if name == "alignment.json" and path == ():
            return set(properties["properties"]) - set(properties["required"])
        if name == "page.json" and (path[-1:] == ("record",) or path[-2:-1] in (("epochs",), ("beam",), ("interventions",))):
            # Keys with the same value as in the first record are left out.
            return set(schema.load("page.json")["$defs"]["record"]["properties"])
        if path[-1:] == ("intervention",):
            return {"step", "source", "word"}
        if name == "evaluation.json":
            return {"alignment_of_em"}  # the scores of a validation lack this key
        if path[-2:-1] == ("heads",):
            return {"scores"}
        return {"train_guided_alignment", "train_coverage", "train_doubly_stochastic"} if name == "metrics.json" else set()

    def test_another_kind_of_value_is_refused(self):
        record = self.written["alignment.json"][0]
        for key, value in {"id": "0", "matrix": [[2]], "links": [[0]], "mode": "forward", "tags": [], "unknown": [-1],
                           "schema": "softalign/2", "source_line": None, "entropy": ["1"], "eos": True}.items():
            self.assert_refused({**record, key: value}, "alignment.json", f"{key}: {value}")
        self.assert_refused({**self.written["config.json"][0], "seed": True}, "config.json", "a flag as a number")
        with self.assertRaises(ValueError):
            schema.problems(1, {"format": "email"}, "alignment.json")

    def test_config_holds_the_options_of_train(self):
        shown = programs.succeed("train", "--help-all" if "--help-all" in programs.succeed("train", "--help") else "--help")
        for key in self.written["config.json"][0]:
            self.assertIn(f"--{key}", shown)

    def test_the_id_of_a_schema_is_an_absolute_uri(self):
        """The specification asks for an absolute URI. A reference to another schema has this URI too, because a relative
        reference cannot be resolved against a URN. A validator that has all schemas then needs no address."""
        for path in schema.SCHEMAS.glob("*.json"):
            text = path.read_text(encoding="utf-8")
            self.assertEqual(json.loads(text)["$id"], f"urn:softalign:schema:{path.stem}")
            for address in re.findall(r'"\$ref": "([^"#]+)#', text):
                self.assertIn(address, schema.files_by_id(), path.name)

    def test_each_schema_is_named_on_the_page_of_formats(self):
        page = (programs.PROJECT / "docs" / "formats.md").read_text(encoding="utf-8")
        for name in self.written:
            self.assertIn(f"schemas/{name}", page)

    def test_the_record_on_the_page_of_formats(self):
        page = (programs.PROJECT / "docs" / "formats.md").read_text(encoding="utf-8")
        record = json.loads(re.search(r"```json\n(.*?)```", page, re.S)[1])
        self.assertEqual(schema.problems(record, schema.load("alignment.json"), "alignment.json"), [])


if __name__ == "__main__":
    unittest.main()
