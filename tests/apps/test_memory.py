"""The memory that a training announces is within a factor of two of the memory that it uses. A training that the machine
cannot hold is refused before it begins.

Five trainings of text and one of pictures are measured. SOFTALIGN_MEMORY=all measures more and larger trainings, which takes
some minutes."""

import gzip
import os
import random
import re
import resource
import subprocess
import unittest

import programs

FACTOR = 2
UNITS = {"kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}
# (options, number of pairs, largest number of words per side)
SOME = [
    (["--hidden", "192", "--embedding", "128", "--batch", "64"], 256, 60),
    (["--model", "luong", "--attention-window", "local-p", "--cell", "gru", "--batch", "48", "--optimiser", "sgd", "--kernels", "composed"], 96, 20),
    (["--model", "encdec", "--hidden", "700", "--ema", "0.9", "--batch", "16"], 64, 20),
    (["--model", "transformer", "--heads", "8", "--max-length", "400", "--batch", "16"], 64, 400),
    (["--model", "transformer", "--self-attention", "linear", "--max-length", "900", "--batch", "4"], 8, 900),
]
MORE = [
    (["--hidden", "1000", "--embedding", "620", "--batch", "80"], 160, 60),
    (["--hidden", "256", "--batch-tokens", "4000"], 800, 60),
    (["--hidden", "300", "--attention-size", "500", "--kernels", "composed", "--batch", "40"], 160, 40),
    (["--model", "luong", "--attention", "general", "--hidden", "500", "--layers", "2", "--batch", "128"], 512, 60),
    (["--model", "luong", "--attention", "qkv", "--heads", "4", "--batch", "64", "--dropout", "0.3"], 256, 60),
    (["--hidden", "256", "--optimiser", "adadelta", "--gradient-accumulation", "4", "--batch", "64"], 512, 60),
    (["--model", "encdec", "--hidden", "512", "--layers", "3", "--batch", "100", "--dropout", "0.2"], 400, 40),
    (["--tokenizer", "characters", "--batch", "8"], 64, 60),
]


def lines_of(name, count, words):
    lines = (programs.TOY / name).read_text(encoding="utf-8").splitlines()
    if words > 60:  # longer than any line of the corpus
        lines = ["\t".join(map(" ".join, zip(*(line.split("\t")[:2] for line in lines[i:i + 8])))) for i in range(0, len(lines), 8)]
    lines = [line for line in lines if all(len(side.split()) <= words for side in line.split("\t")[:2])]
    return sorted(lines, key=len)[-count:]


def limited(*arguments, environment=None, **limits):
    """Returns the finished program under these resource limits (RLIMIT_NAME). Its messages are text."""
    def limit():
        for name, value in limits.items():
            resource.setrlimit(getattr(resource, name), (value, value))

    return subprocess.run([programs.BUILD / arguments[0], *map(str, arguments[1:])], capture_output=True, text=True,
                          preexec_fn=limit, check=False, timeout=600, env={**os.environ, **(environment or {})})


class Memory(programs.WithRun):
    def measured(self, options, count, words):
        """Returns the bytes that were announced and the bytes that were used."""
        folder = self.folder / f"{len(list(self.folder.iterdir()))}"
        folder.mkdir()
        programs.write_lines(folder / "train.tsv", lines_of("long.tsv" if words > 25 else "train.tsv", count, words))
        programs.write_lines(folder / "valid.tsv", lines_of("valid.tsv", 20, words))
        arguments = ["train", "--data", folder, "--threads", "1", "--epochs", "1", *options]
        return self.of_training(arguments, folder)

    def of_training(self, arguments, folder):
        said = re.search(r"The training needs about ([\d.]+) (\w+) of the ", programs.succeed(*arguments, "--dry-run"))
        with subprocess.Popen([programs.BUILD / "train", *map(str, arguments[1:]), "--out", folder / "run"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        return float(said[1]) * UNITS[said[2]], usage.ru_maxrss * 1024

    def test_the_announced_memory_is_the_memory_that_is_used(self):
        for options, count, words in SOME + (MORE if os.environ.get("SOFTALIGN_MEMORY") == "all" else []):
            with self.subTest(" ".join(options)):
                said, taken = self.measured(options, count, words)
                print(f"{' '.join(options)}: said {said / 1e6:.0f} MB, taken {taken / 1e6:.0f} MB, {said / taken:.2f}")
                self.assertLess(taken, FACTOR * said)
                self.assertLess(said, FACTOR * taken)

    def test_the_announced_memory_of_pictures_is_the_memory_that_is_used(self):
        """An untrained model writes as many words as it may for each validation picture, and attends to all cells."""
        folder = self.folder / "pictures"
        folder.mkdir()
        drawn = random.Random(1)
        for i in range(60):
            (folder / f"{i}.png").write_bytes(programs.png_of(64, 64, b"".join(b"\0" + drawn.randbytes(3 * 64) for _ in range(64))))
        for name in ("train.tsv", "valid.tsv"):
            programs.write_lines(folder / name, [f"{i}.png\ta {drawn.choice('bcd')} thing" for i in range(60)])
        arguments = ["train", "--task", "captioning", "--data", folder, "--threads", "1", "--epochs", "1",
                     "--picture-height", "128", "--picture-width", "128"]
        said, taken = self.of_training(arguments, folder)
        print(f"pictures: said {said / 1e6:.0f} MB, taken {taken / 1e6:.0f} MB, {said / taken:.2f}")
        self.assertLess(taken, FACTOR * said)
        self.assertLess(said, FACTOR * taken)

    def test_what_the_machine_has_not_is_refused_before_it_begins(self):
        before = programs.files_below(self.run_folder)
        train = ["train", "--data", self.corpus, "--threads", "1", "--force", "--out", self.run_folder]
        large = self.large()
        # Address space for the program and for the model's numbers.
        room = 330_000_000 + round(2.5 * (large / "model.safetensors").stat().st_size)
        for arguments, says in [
                ([*train, "--hidden", "30000"], r"the model needs about [\d.]+ GB, and ulimit -v has 900.0 MB\. The parts are \d+ parameters"),
                ([*train, "--hidden", "2500"], r"this training needs about [\d.]+ GB, .*parameters .*, memory of adam .*, gradients "),
                ([*train, "--hidden", "500", "--batch", "100000", "--dry-run", "--train", self.long(), "--valid",
                  self.corpus / "valid.tsv", "--max-length", "4000"],
                 r"this training needs about .*largest batch \(96 pairs of up to 3000 and \d+ words\)"),
                (["train", "--resume", "--dry-run", "--threads", "1", "--out", large], r"this training needs"),
                (["translate", "--run", large, "--threads", "1"], r".*model.safetensors needs about .*the file as it is read"),
                (["evaluate", "--run", self.run_folder, "--data", self.vast()],
                 r".*vast.tsv needs about [\d.]+ [GM]B, .*text, as it is read"),
                (["evaluate", "--run", self.run_folder, "--data", self.dense()],
                 r".*dense.tsv.gz needs about [\d.]+ [GM]B, .*text, as it is read, \d+ lines"),
                (["links", "--data", self.dense()], r".*dense.tsv.gz needs about [\d.]+ [GM]B, .*text, as it is read, \d+ lines"),
                (["links", "--data", self.corpus / "train.tsv", "--align", self.dense()],
                 r".*dense.tsv.gz needs about [\d.]+ [GM]B, .*text, as it is read, \d+ lines"),
                (["convert", "--in", self.few_links(), "--format", "tsv", "--data", self.dense()],
                 r".*dense.tsv.gz needs about [\d.]+ [GM]B, .*text, as it is read, \d+ lines"),
                (["train", "--train", self.dense(), "--valid", self.corpus / "valid.tsv", "--dry-run"],
                 r".*dense.tsv.gz needs about [\d.]+ [GM]B, .*text, as it is read, \d+ lines"),
        ]:
            with self.subTest(" ".join(map(str, arguments))):
                result = limited(*arguments, RLIMIT_AS=room if large in arguments else 900_000_000)
                self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
                self.assertRegex(result.stderr, f"error: not enough memory: {says}")
        self.assertEqual(programs.files_below(self.run_folder), before)

    def test_addresses_that_openblas_is_not_granted_end_a_program(self):
        """OpenBLAS requests refused memory again and again: when it is loaded, and for each thread that multiplies."""
        train = ["train", "--data", self.corpus, "--hidden", "64", "--epochs", "1", "--out", self.folder / "few-addresses", "--force"]
        begins = r"error: not enough memory: ulimit -v leaves \d+ MB of addresses, and the program needs about \d+ MB before it begins"
        blas = r"error: not enough memory: OpenBLAS needs [\d.]+ MB of addresses for 2 threads, .* ulimit -v leaves [\d.]+ MB in all"
        for megabytes, arguments, says in [(128, ["train", "--version"], begins), (200, train, begins), (128, ["softalign", "--help"], begins),
                                           (260, ["train", "--version"], None), (500, [*train, "--threads", "2"], blas),
                                           (900, [*train, "--threads", "2"], None)]:
            with self.subTest(megabytes=megabytes, program=arguments[:2]):
                result = limited(*arguments, RLIMIT_AS=megabytes * 1_000_000)
                self.assertEqual(result.returncode, 1 if says else 0, result.stderr)
                if says:
                    self.assertRegex(result.stderr, says)

    def test_a_stack_that_is_too_small_ends_a_program(self):
        links = ["links", "--data", self.corpus / "train.tsv", "--threads", "1"]
        for kilobytes, arguments, status in [(64, links, 1), (80, ["translate", "--version"], 1), (128, links, 0)]:
            with self.subTest(kilobytes=kilobytes, program=arguments[0]):
                result = limited(*arguments, RLIMIT_STACK=kilobytes * 1024)
                self.assertEqual(result.returncode, status, result.stderr)
                if status:
                    self.assertEqual(result.stderr, "error: not enough memory: ulimit -s leaves less than 100 kB for the stack. "
                                                    "Raise the limit: ulimit -s 8192\n")

    def test_a_limit_of_addresses_changes_no_number_of_threads(self):
        for threads in ([], ["--threads", "2"]):
            for environment in ({}, {"OMP_NUM_THREADS": "1"}, {"OMP_NUM_THREADS": "1", b"OMP_NUM_THREADS": "3"}):  # twice: the first counts
                lines = [re.search(r"softalign .*", limited("train", "--data", self.corpus, "--dry-run", *threads,
                                                             environment=environment, **limits).stderr)
                         for limits in ({}, {"RLIMIT_AS": 4_000_000_000})]
                with self.subTest(threads=threads, environment=environment):
                    self.assertEqual(lines[0][0], lines[1][0])

    def long(self):
        return programs.write_lines(self.folder / "long.tsv", [" ".join(["i"] * 3000) + "\tje"] * 96)

    def dense(self):
        """Makes a file of 20 kB from which 20 MB of text are read. Short lines need 40 times the memory of their text."""
        path = self.folder / "dense.tsv.gz"
        path.write_bytes(gzip.compress(b"a\tb\n" * 5_000_000))
        return path

    def few_links(self):
        return programs.write_lines(self.folder / "few.pharaoh", ["0-0"])

    def vast(self):
        path = self.folder / "vast.tsv"
        with open(path, "wb") as file:
            file.truncate(200_000_000)  # a file without content, of which nothing is read
        return path

    def large(self):
        out = self.folder / "large"
        few = programs.tiny_corpus(self.folder / "few", train=8, valid=2)
        programs.succeed("train", "--data", few, "--hidden", "700", "--epochs", "1", "--threads", "1", "--out", out)
        return out


if __name__ == "__main__":
    unittest.main()
