"""average: the mean of a run's kept epochs is a run, too."""

import json
import struct
import tempfile
import shutil
import zlib
import unittest
from pathlib import Path

import programs


def tensors(path):
    """Returns the numbers of a safetensors file by name."""
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8:8 + length])
    header.pop("__metadata__")
    found = {}
    for name, entry in header.items():
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        found[name] = struct.unpack(f"<{(end - begin) // 4}f", data[begin:end])
    return found


class Average(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cls.corpus = programs.tiny_corpus(cls.folder / "corpus")
        cls.run_folder = cls.folder / "run"
        programs.succeed("train", "--data", cls.corpus, "--out", cls.run_folder, "--epochs", "4", "--keep-epochs", "3",
                         *programs.TINY)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def check_mean(self, out, epochs):
        parts = [tensors(self.run_folder / f"epoch-{epoch}.safetensors") for epoch in epochs]
        mean = tensors(out / "model.safetensors")
        self.assertEqual(set(mean), set(parts[0]))
        for name, values in mean.items():
            for i, value in enumerate(values):
                self.assertAlmostEqual(value, sum(part[name][i] for part in parts) / len(parts), delta=1e-6)

    def test_the_kept_epochs(self):
        kept = sorted(path.name for path in self.run_folder.glob("epoch-*"))
        self.assertEqual(kept, [f"epoch-{epoch}.safetensors" for epoch in (2, 3, 4)])

    def test_all_the_last_or_chosen_epochs(self):
        for name, arguments, epochs in (("all", [], (2, 3, 4)), ("last", ["--last", "2"], (3, 4)),
                                        ("chosen", ["--epochs", "4,2"], (2, 4))):
            out = self.folder / name
            printed = programs.succeed("average", "--run", self.run_folder, "--out", out, *arguments)
            self.assertIn(f"the mean of epochs {', '.join(map(str, epochs))} is {out}/model.safetensors", printed)
            self.check_mean(out, epochs)

    def test_epochs_of_another_run_and_numbers_that_are_not_finite_are_refused(self):
        copy = shutil.copytree(self.run_folder, self.folder / "mixed")
        out = self.folder / "good"
        programs.succeed("average", "--run", self.run_folder, "--out", out)
        good = programs.contents(out)
        other = self.folder / "other"
        programs.succeed("train", "--data", self.corpus, "--out", other, "--epochs", "4", "--keep-epochs", "3", "--seed", "2",
                         *programs.TINY)
        broken = bytearray((copy / "epoch-3.safetensors").read_bytes())
        broken[-4:] = struct.pack("<f", float("nan"))
        at = broken.index(b'"checksum":"') + 12
        broken[at:at + 8] = b"0" * 8
        broken[at:at + 8] = f"{zlib.crc32(broken):08x}".encode()
        for epoch, message in ((other / "epoch-3.safetensors").read_bytes(), "contains seed 1, but .* with 2"), (broken, "has NaN or infinity"):
            (copy / "epoch-3.safetensors").write_bytes(epoch)
            result = programs.run("average", "--run", copy, "--force", "--out", out)
            self.assertEqual(result.returncode, 1)
            self.assertRegex(result.stderr, f"epoch-3.safetensors.*{message}|{message}.*")
            self.assertEqual(programs.contents(out), good)

    def test_the_mean_is_a_run(self):
        out = self.folder / "usable"
        programs.succeed("average", "--run", self.run_folder, "--out", out)
        self.assertEqual({path.name for path in out.iterdir()},
                         {"config.json", "source.vocab", "target.vocab", "model.safetensors", "provenance.json"})
        self.assertEqual(len(programs.succeed("translate", "--run", out, stdin="a cat\nthe dog\n").splitlines()), 2)
        score = json.loads(programs.succeed("evaluate", "--run", out, "--data", self.corpus / "valid.tsv", "--json"))
        last = programs.json_lines(self.run_folder / "metrics.jsonl")[-1]["valid"]
        self.assertAlmostEqual(score["all"]["loss"] / last["loss"], 1, delta=.2)

    def refused(self, status, says, *arguments):
        out = self.folder / "never"
        result = programs.run("average", "--out", out, *arguments)
        self.assertEqual(result.returncode, status, result.stderr)
        self.assertIn(says, result.stderr)
        self.assertFalse(out.exists())

    def test_what_cannot_be_averaged(self):
        self.refused(1, "this run has not kept epoch 7. This run has kept the epochs 2, 3, 4", "--run", self.run_folder, "--epochs", "3,7")
        self.refused(1, "this run has kept fewer than 5 epochs. This run has kept the epochs 2, 3, 4", "--run", self.run_folder, "--last", "5")
        self.refused(1, "nowhere: no such folder", "--run", self.folder / "nowhere")
        self.refused(2, "Remove one of them", "--run", self.run_folder, "--epochs", "3", "--last", "1")
        for epochs in ["three", "2,,3", "2,3,", ",2", "", "2, 3", "2,3x", "-2", "2;3"]:
            self.refused(2, "--epochs", "--run", self.run_folder, f"--epochs={epochs}")
        self.refused(2, '"2,,3" has an empty item', "--run", self.run_folder, "--epochs", "2,,3")
        self.refused(2, "--last", "--run", self.run_folder, "--last", "-1")
        plain = programs.train(self.corpus, self.folder / "plain")
        self.refused(1, "train --keep-epochs N", "--run", plain)
        damaged = programs.train(self.corpus, self.folder / "damaged", "--keep-epochs", "1")
        path = damaged / "epoch-2.safetensors"
        path.write_bytes(path.read_bytes()[:-3])
        self.refused(1, str(path), "--run", damaged)

    def test_an_existing_folder_is_not_overwritten_unasked(self):
        out = self.folder / "taken"
        programs.succeed("average", "--run", self.run_folder, "--out", out)
        result = programs.run("average", "--run", self.run_folder, "--out", out)
        self.assertEqual(result.returncode, 1)
        programs.succeed("average", "--run", self.run_folder, "--out", out, "--last", "1", "--force")
        self.check_mean(out, (4,))
        result = programs.run("average", "--run", self.run_folder, "--out", self.run_folder, "--force")
        self.assertEqual(result.returncode, 2)
        self.assertTrue((self.run_folder / "last.safetensors").exists())


if __name__ == "__main__":
    unittest.main()
