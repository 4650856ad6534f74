"""A portable build (SOFTALIGN_PORTABLE) has the library of autograd once per instruction set. The dynamic linker chooses the
best one that the processor supports, and all of them give the same translation."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

BUILD = Path(os.environ["SOFTALIGN_BUILD"]).resolve()
PROJECT = Path(__file__).resolve().parents[1]
PORTABLE = re.search(r"^SOFTALIGN_PORTABLE:BOOL=ON$", (BUILD / "CMakeCache.txt").read_text(encoding="utf-8"), re.M)
LIBRARY = "libsoftalign_autograd.so"
FOLDERS = {"x86-64-v4": "glibc-hwcaps/x86-64-v4/", "x86-64-v3": "glibc-hwcaps/x86-64-v3/", "x86-64": ""}
LINKER = "/lib64/ld-linux-x86-64.so.2"


def run(*command, **more):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300, check=True, **more).stdout


def library(level):
    return BUILD / "lib" / FOLDERS[level] / LIBRARY


def supported():
    """Returns the levels that this processor supports, best first."""
    levels = re.findall(r"^ *(x86-64-v\d) \(supported", run(LINKER, "--help"), re.M)
    return [level for level in FOLDERS if level in levels or level == "x86-64"]


def started(level, program, *arguments, **more):
    """Runs a program with this level as the best. Returns its output and the path of the library that it loaded."""
    below = list(FOLDERS)[list(FOLDERS).index(level):]
    with tempfile.TemporaryDirectory(dir=BUILD) as folder:
        log = Path(folder) / "log"
        output = run(LINKER, "--glibc-hwcaps-mask", ":".join(below), BUILD / program, *arguments,
                     env=os.environ | {"LD_DEBUG": "libs", "LD_DEBUG_OUTPUT": str(log)}, **more)
        text = "".join(path.read_text(errors="replace") for path in Path(folder).iterdir())
    return output, Path(re.search(rf"calling init: (\S*{LIBRARY}\S*)", text).group(1))


@unittest.skipUnless(PORTABLE, "this build is not portable")
class Portable(unittest.TestCase):
    def test_one_library_per_instruction_set_with_the_same_interface(self):
        names, symbols = set(), set()
        for level in FOLDERS:
            names.add(re.search(r"\(SONAME\).*\[(.*)\]", run("readelf", "-dW", library(level))).group(1))
            # Templates and inline functions (W, V, u) are copied into each user, and depend on the optimisation.
            lines = [line.split() for line in run("nm", "-D", "--defined-only", library(level)).splitlines()]
            own = frozenset(line[-1] for line in lines if line[-2] in "TDBR" and "9softalign" in line[-1])
            self.assertGreater(len(own), 200, level)
            symbols.add(own)
        self.assertEqual(len(names), 1, names)
        self.assertRegex(names.pop(), rf"^{re.escape(LIBRARY)}\.\d+\.\d+$")
        self.assertEqual(len(symbols), 1, sorted(symbols.pop() ^ symbols.pop())[:5] if len(symbols) > 1 else "")

    def test_nothing_else_needs_more_than_the_oldest_processor(self):
        """Only the libraries in glibc-hwcaps have registers of AVX (ymm) and AVX-512 (zmm)."""
        wide = re.compile(r"%[yz]mm\d")
        for path in (*sorted((BUILD / "lib").glob("*.so")), BUILD / "train", BUILD / "translate"):
            with self.subTest(path.name):
                self.assertNotRegex(run("objdump", "-d", "--no-show-raw-insn", path), wide)
        for level, register in (("x86-64-v3", "%ymm"), ("x86-64-v4", "%zmm")):
            self.assertIn(register, run("objdump", "-d", "--no-show-raw-insn", library(level)))

    def test_the_linker_chooses_the_best_and_each_translates_alike(self):
        translations = {}
        with tempfile.TemporaryDirectory(dir=BUILD) as temporary:
            folder = Path(temporary)
            for name in ("train.tsv", "valid.tsv"):
                lines = (PROJECT / "data/toy" / name).read_text(encoding="utf-8").splitlines()[:400]
                (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
            run(BUILD / "train", "--data", folder, "--out", folder / "run", "--epochs", "3", "--threads", "1", "--embedding", "16",
                "--hidden", "24")
            for level in supported():
                with self.subTest(level):
                    translations[level], loaded = started(level, "translate", "--run", folder / "run", "--threads", "1",
                                                          input="i love you .\nthe cat sees a dog .\n")
                    self.assertEqual(loaded.parent, library(level).parent)
        self.assertIn("x86-64", translations)
        self.assertEqual(len(set(translations.values())), 1, translations)

    def test_without_a_mask_the_linker_takes_the_best_that_the_processor_supports(self):
        best = supported()[0]
        used = run(LINKER, "--list", BUILD / "translate")
        self.assertIn(str(library(best).parent), used)

    def test_installed_files_find_the_libraries_by_relative_paths(self):
        with tempfile.TemporaryDirectory(dir=BUILD) as temporary:
            run("cmake", "--install", BUILD, "--prefix", temporary)
            files = [path for path in Path(temporary).rglob("*")
                     if path.is_file() and not path.is_symlink() and path.read_bytes()[:4] == b"\x7fELF"]
            names = {path.name.split(".so")[0] for path in files}
            self.assertLessEqual({"softalign", "softalign-train", "libsoftalign_autograd", "libsoftalign_run"}, names)
            for path in files:
                dynamic = run("readelf", "-dW", path)
                folders = [folder for line in re.findall(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", dynamic) for folder in line.split(":")]
                self.assertEqual([folder for folder in folders if not folder.startswith("$ORIGIN")], [], path)
            for name in ("glibc-hwcaps/x86-64-v3", "glibc-hwcaps/x86-64-v4"):
                self.assertEqual(len([path for path in files if path.parent.match(name)]), 1)


if __name__ == "__main__":
    unittest.main()
