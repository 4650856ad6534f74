"""cmake --install, and a user's program that finds the package: tests/package is built against a copy of the installed tree
in another folder."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

BUILD = Path(os.environ["SOFTALIGN_BUILD"])
PROJECT = Path(__file__).resolve().parents[1]


def run(*command, **more):
    """Returns the output of a command. Raises AssertionError with this output if the command fails."""
    result = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            timeout=600, check=False, **more)
    assert result.returncode == 0, f"{' '.join(map(str, command))} ended with {result.returncode}:\n{result.stdout}"
    return result.stdout


def cached(name):
    """Returns a CMake variable of the build under test."""
    return re.search(rf"^{name}:\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text(), re.MULTILINE).group(1)


FINDS = """
cmake_minimum_required(VERSION 3.25)
project(finds LANGUAGES CXX)
include("{project}/.ci/libraries.cmake")
softalign_find_library(UTF8PROC utf8proc libutf8proc)
softalign_find_openblas()
message(STATUS "found: ${{UTF8PROC_LIBRARY}} ${{SOFTALIGN_OPENBLAS_LIBRARY}}")
"""


class Libraries(unittest.TestCase):
    def test_a_folder_of_cmake_prefix_path_comes_first(self):
        with tempfile.TemporaryDirectory(dir=BUILD) as temporary:
            folder = Path(temporary).resolve()
            (folder / "CMakeLists.txt").write_text(FINDS.format(project=PROJECT))
            # One library is in the usual folder, and a CMake package names the other one.
            own = [folder / "own/lib/libutf8proc.so", folder / "own/blas/libopenblas.so"]
            package = folder / "own/lib/cmake/openblas/OpenBLASConfig.cmake"
            for path in (*own, package):
                path.parent.mkdir(parents=True)
                path.touch()
            package.write_text(f'set(OpenBLAS_LIBRARIES "{own[1]}")\n')
            found = run("cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={folder}/own")
            self.assertIn(f"found: {own[0]} {own[1]}\n", found)


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(dir=BUILD)
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = Path(cls.temporary.name)
        run("cmake", "--install", BUILD, "--prefix", cls.folder / "installed")
        cls.prefix = cls.folder / "moved"
        (cls.folder / "installed").rename(cls.prefix)

    def test_manual_pages_and_completions_are_checked_before_anything_is_installed(self):
        check = (BUILD / "check_programs.cmake").read_text()
        run("cmake", "-P", BUILD / "check_programs.cmake")
        for file in ("man/man1/softalign-train.1", "bash-completion/completions/softalign-train",
                     "zsh/site-functions/_softalign-train", "fish/vendor_completions.d/softalign-train.fish"):
            with self.subTest(file):
                self.assertIn(f'"{BUILD.resolve()}/share/{file}"', check)
                changed = self.folder / "check.cmake"
                changed.write_text(check.replace(f"/share/{file}", f"/nowhere/{file}"))
                result = subprocess.run(["cmake", "-P", changed], capture_output=True, text=True, check=False)
                self.assertNotEqual(result.returncode, 0)
                self.assertIn(f"Nothing is installed, because these files are not built: {Path(file).name}.",
                              " ".join(result.stderr.split()))

    def test_a_program_of_ones_own(self):
        sources = self.folder / "own"
        shutil.copytree(PROJECT / "tests/package", sources)
        # Every installed header can be included on its own.
        include = self.prefix / "include/softalign"
        headers = sorted(str(path.relative_to(include)) for path in include.rglob("*.h"))
        self.assertIn("models/recurrent/rnnsearch.h", headers)
        (sources / "headers.cpp").write_text("".join(f'#include "{header}"\n' for header in headers))
        with (sources / "CMakeLists.txt").open("a") as file:
            file.write("add_library(headers OBJECT headers.cpp)\ntarget_link_libraries(headers softalign::models)\n")
        launcher = shutil.which("ccache")
        run("cmake", "-S", sources, "-B", sources / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}",
            f"-DCMAKE_CXX_COMPILER={cached('CMAKE_CXX_COMPILER')}", "-DCMAKE_BUILD_TYPE=Release",
            "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wshadow -Werror", "-DCMAKE_NO_SYSTEM_FROM_IMPORTED=ON",
            "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *([f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}"] if launcher else []))
        run("cmake", "--build", sources / "build")
        last = run(sources / "build/three_in_a_row").splitlines()[-1]
        self.assertRegex(last, r"step 200: loss 0\.00\d, 256 right")
        self.check_translation(sources / "build/translate_one")
        self.check_kinds_of_errors(sources / "build/open_run")
        # Nothing of our source tree and none of our compiler options reaches the user's compiler.
        for entry in json.loads((sources / "build/compile_commands.json").read_text()):
            for part in (f"-I{PROJECT}", "-march", "SOFTALIGN_VERSION"):
                self.assertNotIn(part, entry["command"].replace(str(self.folder), ""))

    def check_translation(self, program):
        """A run of the installed train gives the same translation in the program as in the installed translate."""
        toy = self.prefix / "share/softalign/data/toy"
        corpus = self.folder / "corpus"
        corpus.mkdir()
        for name in ("train.tsv", "valid.tsv"):
            lines = (toy / name).read_text(encoding="utf-8").splitlines()[:200]
            (corpus / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        folder, sentence = self.folder / "trained", "i love you ."
        run(self.prefix / "bin/softalign-train", "--data", corpus, "--out", folder, "--epochs", "2", "--embedding", "8",
            "--hidden", "12", "--attention-size", "8", "--readout", "8", "--threads", "1")
        translate = (self.prefix / "bin/softalign-translate", "--run", folder)

        def answer(*options):
            printed = run(*translate, *options, input=sentence).splitlines()
            return [line for line in printed if not line.startswith("note: ")][-1]

        record = json.loads(answer("--alignment", "jsonl"))
        text, *links = run(program, folder, sentence).splitlines()
        self.assertEqual(text, answer())
        self.assertEqual(len(links), len(record["links"]))
        for line, (s, t) in zip(links, record["links"]):
            source, _, target, weight = line.split(" ")
            self.assertEqual((source, target), (record["source_tokens"][s], record["target_tokens"][t]))
            self.assertAlmostEqual(float(weight), record["matrix"][t][s], delta=1e-4)
        failed = subprocess.run([program, self.folder / "nowhere", sentence], capture_output=True, text=True, check=False)
        self.assertEqual((failed.returncode, failed.stdout.split(". ")[0]),
                         (1, f"error: {self.folder}/nowhere: no such folder"))

    def check_kinds_of_errors(self, program):
        """Checks the kinds of errors for a missing run, a damaged run and an impossible configuration. The run was trained
        above."""
        def status_of(*folders):
            return subprocess.run([program, *folders], stdout=subprocess.DEVNULL, check=False).returncode

        self.assertEqual(status_of(), 2)
        self.assertEqual(status_of("a", "b"), 2)
        folder = self.folder / "trained"
        model = folder / "model.safetensors"
        self.assertEqual(status_of(folder), 0)
        self.assertEqual(status_of(self.folder / "nowhere"), 3)
        model.write_bytes(model.read_bytes()[:-1])
        self.assertEqual(status_of(folder), 4)
        model.unlink()
        self.assertEqual(status_of(folder), 3)
        (folder / "config.json").write_text('{"hidden": "six"}')
        model.touch()
        self.assertEqual(status_of(folder), 1)

    def test_nothing_names_the_folders_it_was_built_in(self):
        files = list((self.prefix / "lib").rglob("*.cmake"))
        self.assertGreaterEqual(len(files), 4)
        for file in files:
            text = file.read_text()
            for folder in (PROJECT, BUILD, self.folder):
                self.assertNotIn(str(folder), text, file)

    @unittest.skipUnless(shutil.which("readelf"), "no readelf")
    def test_no_installed_file_has_an_absolute_rpath(self):
        files = [path for path in self.prefix.rglob("*")
                 if path.is_file() and not path.is_symlink() and path.read_bytes()[:4] == b"\x7fELF"]
        self.assertIn("softalign-train", {path.name for path in files})
        for path in files:
            paths = re.findall(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", run("readelf", "-dW", path))
            folders = [folder for line in paths for folder in line.split(":")]
            self.assertEqual([folder for folder in folders if not folder.startswith("$ORIGIN")], [], path)

    def test_documents_come_with_the_programs_and_libraries_without(self):
        document = self.prefix / "share/doc/softalign"
        for name in ("LICENSE", "README.md", "CITATION.cff", "docs/formats.md", "docs/schemas/alignment.json", "docs/course/README.md"):
            self.assertTrue((document / name).is_file(), name)
        for component, there, absent in (("programs", "bin/softalign-train", "include"), ("development", "include", "bin")):
            folder = self.folder / component
            run("cmake", "--install", BUILD, "--prefix", folder, "--component", component)
            self.assertTrue((folder / there).exists(), component)
            self.assertFalse((folder / absent).exists(), component)

    def test_links_between_installed_documents(self):
        documents = self.prefix / "share/doc/softalign"
        broken = [f"{page.relative_to(documents)}: {link}" for page in documents.rglob("*.md")
                  for link in re.findall(r"\]\(([^)\s#]+)", re.sub(r"```.*?```", "", page.read_text(), flags=re.S))
                  if not re.match(r"[a-z]+:", link) and not (page.parent / link).exists()]
        self.assertEqual(broken, [])

    def test_nothing_is_installed_of_a_build_that_is_not_complete(self):
        check = self.folder / "check.cmake"
        check.write_text((BUILD / "check_programs.cmake").read_text().replace("/train", "/no-train"))
        result = subprocess.run(["cmake", "-P", check], capture_output=True, text=True, check=False)
        self.assertNotEqual(result.returncode, 0)
        self.assertRegex(result.stderr, r"(?s)not built: no-train\..*--target programs")
        script = (BUILD / "cmake_install.cmake").read_text()
        for component in ("programs", "development", *(["python"] if cached("SOFTALIGN_PYTHON") == "ON" else [])):
            with self.subTest(component):
                self.assertLess(script.index(f"check_{component}.cmake"), script.index("cmake_install.cmake"))

    def test_the_programs_and_the_corpus(self):
        programs = sorted(path.name for path in (self.prefix / "bin").iterdir())
        self.assertIn("softalign-train", programs)
        for program in programs:
            self.assertIn("softalign", run(self.prefix / "bin" / program, "--version"))
        for name in ("train.tsv", "en-fr.grammar"):
            installed = self.prefix / "share/softalign/data/toy" / name
            self.assertEqual(installed.read_bytes(), (PROJECT / "data/toy" / name).read_bytes())
        # Installed programs find the corpora from any folder, by their names in the project.
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        report = run(self.prefix / "bin/softalign-train", "--dry-run", "--threads", "1", cwd=elsewhere)
        self.assertIn("30,000 pairs to train on", report)
        self.assertIn("OpenMP", report)
        own = elsewhere / "data/toy"
        own.mkdir(parents=True)
        (own / "train.tsv").write_text("a b\tx y\n")
        (own / "valid.tsv").write_text("b a\ty x\n")
        report = run(self.prefix / "bin/softalign-train", "--dry-run", "--threads", "1", cwd=elsewhere)
        self.assertIn("1 pairs to train on", report)


if __name__ == "__main__":
    unittest.main()
