"""A build without autograd/kernels: `train` still works, with the same losses up to rounding."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

BUILD = Path(os.environ["SOFTALIGN_BUILD"]).resolve()
PROJECT = Path(__file__).resolve().parents[1]
# For losses of about 6. The kernels add in another order and have their own tanh. The difference grows with the number of
# steps, because a step of the optimiser depends on all steps before it.
TOLERANCE = 1e-5
PAIRS = (("train", 200), ("valid", 50))
MODELS = ([], ["--model", "luong", "--cell", "gru"], ["--model", "transformer", "--layers", "1"])


def run(*command, seconds=60, **more):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=seconds, check=False, env=os.environ | more)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}:\n{done.stdout[-4000:]}")


def settings():
    """Returns the settings that the other build takes from ours."""
    cache = (BUILD / "CMakeCache.txt").read_text(encoding="utf-8")
    names = ("CMAKE_CXX_COMPILER", "CMAKE_CXX_COMPILER_LAUNCHER", "CMAKE_GENERATOR", "CMAKE_PREFIX_PATH", "SOFTALIGN_ARCH",
             "SOFTALIGN_WERROR")
    values = {name: match[1] for name in names if (match := re.search(rf"^{name}:\w+=(.+)$", cache, re.M))}
    generator = values.pop("CMAKE_GENERATOR")
    if "CMAKE_CXX_COMPILER_LAUNCHER" not in values:  # a compiler cache has objects of -O3; without it, -O1 compiles faster
        values["CMAKE_CXX_FLAGS_RELEASE"] = "-O1 -DNDEBUG"
    return ["-G", generator, *(f"-D{name}={value}" for name, value in values.items())]


def losses(train, folder, corpus, options):
    """Returns [(training loss, validation loss)] of each epoch."""
    run(train, "--data", corpus, "--epochs", "2", "--threads", "1", "--hidden", "32", "--embedding", "16", "--out", folder,
        *options, seconds=600)
    lines = (folder / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    return [(epoch["train_loss"], epoch["valid"]["loss"]) for epoch in map(json.loads, lines)]


class WithoutKernels(unittest.TestCase):
    def test_train_is_built_and_trains_to_the_same_losses(self):
        with tempfile.TemporaryDirectory(dir=BUILD) as name:
            folder = Path(name)
            tree = folder / "tree"  # a copy of the sources without the kernels
            shutil.copytree(PROJECT, tree, symlinks=True, ignore=lambda at, names: [
                each for each in names if Path(at) == PROJECT and each not in
                ("CMakeLists.txt", "LICENSE", ".ci", "autograd", "layers", "models", "data", "apps")
                or Path(at) == PROJECT / "autograd" and each == "kernels"])
            # Relative to the sources as in our build, so that a compiler cache finds the unchanged objects.
            build = tree / "build"
            run("cmake", "-S", tree, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DSOFTALIGN_KERNELS=OFF",
                "-DSOFTALIGN_TESTS=OFF", "-DSOFTALIGN_BENCHMARKS=OFF", "-DSOFTALIGN_MPI=OFF", "-DSOFTALIGN_INSTALL=OFF",
                *settings(), seconds=300)
            run("cmake", "--build", build, "--parallel", str(os.cpu_count()), "--target", "train", seconds=2400,
                CCACHE_BASEDIR=str(tree), CCACHE_NOHASHDIR="1")
            corpus = folder / "corpus"
            corpus.mkdir()
            for part, pairs in PAIRS:
                lines = (PROJECT / f"data/toy/{part}.tsv").read_text(encoding="utf-8").splitlines(keepends=True)
                (corpus / f"{part}.tsv").write_text("".join(lines[:pairs]), encoding="utf-8")
            for at, options in enumerate(MODELS):
                with self.subTest(options=options):
                    plain = losses(build / "train", folder / f"plain{at}", corpus, options)
                    fast = losses(BUILD / "train", folder / f"fast{at}", corpus, options)
                    self.assertEqual(len(plain), 2)
                    for ours, theirs in zip(plain, fast):
                        for loss, other in zip(ours, theirs):
                            self.assertLess(abs(loss - other), TOLERANCE)


if __name__ == "__main__":
    unittest.main()
