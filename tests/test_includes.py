"""Include rules. The table lists for each folder the folders that it may include. A row names only folders of earlier rows,
so includes cannot form a cycle. Names are short within a module: "ops" in the rows of autograd is autograd/ops, and "." is
the module itself. A row may also name a single header.

Further rules: a header in a folder internal/ is for its own module. Heavy libraries are included only where the second table
allows it. A source has the name of its header. Each folder has a README.md of at most ten lines that describes it.
"""

import re
import unittest
from pathlib import Path

import pages

PROJECT = pages.PROJECT

INCLUDES = """
autograd                -
autograd/threads        .
autograd/ops            . threads
autograd/optimise       . threads
autograd/kernels        . threads ops
autograd/kernels/fused  . threads ops kernels

layers                  autograd autograd/ops
layers/dense            . autograd autograd/ops
layers/attention        . dense autograd autograd/ops
layers/recurrent        . dense attention autograd autograd/ops
layers/addressing       . dense attention autograd autograd/ops
layers/fast_weights     . dense attention autograd autograd/ops
layers/transformer      . dense attention fast_weights autograd autograd/ops
layers/pooling          . autograd autograd/ops
layers/convolution      . autograd autograd/ops
layers/pictures         . dense attention autograd autograd/ops

data/io                 -
data/corpus             io autograd/array.h autograd/random.h
data/text               io corpus
data/grammar            io corpus autograd/random.h
data/pictures           io corpus autograd/random.h
data/stories            io corpus autograd/names.h autograd/random.h
data/alignment          io text corpus pictures autograd/names.h
data/sentence_pairs     io corpus alignment autograd/random.h
data/synthetic          io corpus pictures stories sentence_pairs autograd/random.h
data/metrics            io corpus
data/alignment/em       io text corpus alignment
data/alignment/formats  io text corpus alignment autograd/names.h

models                  autograd/* layers/* data/io data/corpus data/alignment
models/transformer      . autograd/* layers/* data/corpus
models/recurrent        . transformer autograd/* layers/* data/corpus
models/language_models  . transformer recurrent autograd/* layers/* data/corpus
models/pictures         . autograd/* layers/* data/corpus
models/stories          . autograd/* layers/* data/corpus
models/sentence_pairs   . autograd/* layers/* data/corpus
models/fast_weights     . autograd/* layers/* data/corpus
models/addressing       . autograd/* layers/* data/corpus
models/search           . autograd/* layers/* data/corpus data/alignment data/io
models/training         . autograd/* layers/attention data/corpus data/io
models/alignment        . training autograd/* layers/* data/corpus data/alignment data/io

apps/terminal           data/* autograd/threads
apps/cli                terminal data/io autograd autograd/threads models/option_table.h models/config.h models/old_names.h
apps/scatter_gather     autograd data/io data/alignment/attention_weights.h models/search/hypothesis.h
apps/run                cli/common_options.h scatter_gather autograd/* data/* models/*
apps/ranks              scatter_gather data/io terminal autograd/*
apps/pages              terminal data/*
apps/inference          cli scatter_gather run terminal pages autograd/* data/* models/*
apps/em                 cli run terminal inference scatter_gather autograd/stopwatch.h data/* models/*
apps/training           cli run ranks terminal inference autograd/* data/* models/*
apps/live               run inference training autograd autograd/threads data/* models/*
apps/python             cli run terminal inference em ranks pages training autograd/* data/* layers/attention layers/recurrent models/*
apps/reproduction       cli run terminal training autograd/stopwatch.h data/*
apps/pages/viewer       pages run terminal inference training data/*
apps/pages/report       pages pages/viewer run terminal inference reproduction autograd/threads data/*
apps/experiments        run pages pages/report reproduction autograd/* data/* models/*
apps/pictures           cli scatter_gather run terminal inference pages experiments reproduction autograd/* data/* layers/* models/*
apps/stories            cli run terminal inference experiments reproduction autograd/* data/* layers/* models/*
apps/sentence_pairs     cli run terminal inference experiments reproduction autograd/* data/* layers/* models/*
apps/language_models    experiments reproduction autograd/* data/* layers/* models/*
apps/fast_weights       experiments reproduction autograd/* data/* layers/* models/*
apps/addressing         experiments reproduction autograd/* data/* layers/* models/*
apps/transformer        experiments reproduction autograd/* data/* layers/* models/*
apps/pooling            experiments reproduction autograd/* data/* layers/* models/*
apps                    cli scatter_gather ranks run terminal inference em training reproduction experiments pictures stories sentence_pairs language_models fast_weights addressing transformer pooling pages/* data/* models/*
"""

# Libraries that take seconds to compile, or that a single place hides from the others: header -> files that include it.
HEAVY = {
    "xtensor/": ["autograd/internal/xtensor.h"],
    "xflens/": ["autograd/kernels/gemm.cpp"],  # xtensor-blas
    "xsimd/": ["autograd/internal/simd.h", "autograd/internal/xtensor.h"],
    "CLI/": ["apps/cli/command_line.cpp"],
    "mpi.h": ["apps/ranks/all_reduce.cpp", "apps/ranks/communicator.cpp"],
    "sentencepiece": ["data/text/subwords.cpp"],
    "png.h": ["data/pictures/picture_file.cpp"],
    "jpeglib.h": ["data/pictures/jpeg_file.cpp"],
    "catch2/": ["tests/catch.h", "tests/catch_main.cpp"],
}

MOST_LINES_OF_A_PAGE = 10
# header -> (files, lines) that it may reach, counting its own source and the sources of what it includes. Lower them when
# you can.
REACH = {"autograd/var.h": (10, 985), "models/recurrent/rnnsearch.h": (89, 5910)}
# Files that include each other, where a header and its source count as one. Do not add any.
KNOWN_CIRCLES = ()
MODULES = ("autograd", "layers", "models", "data", "apps")


def written_out():
    """Returns {folder: its row with every name in full}."""
    rows = {}
    for folder, *names in (line.split() for line in INCLUDES.split("\n") if line):
        module = folder.split("/")[0]
        rows[folder] = [module if name == "." else name if name.split("/")[0] in MODULES else f"{module}/{name}"
                        for name in names if name != "-"]
    return rows

def table():
    """Returns {folder: the folders and headers that it may include}, in the order of the table. "x/*" is x and everything in
    it."""
    rows = {}
    for folder, names in written_out().items():
        rows[folder] = {name for name in names if not name.endswith("/*")}
        rows[folder] |= {row for name in names if name.endswith("/*") for row in rows if f"{row}/".startswith(name[:-1])}
    return rows

def folder_of(file):
    return re.sub(r"/internal$", "", str(Path(file).parent))

def sources(*modules):
    """Returns every C++ source of the modules, relative to the project."""
    return sorted(str(path.relative_to(PROJECT)) for module in modules for path in (PROJECT / module).rglob("*")
                  if path.suffix in (".h", ".cpp"))

def includes(file):
    """Returns [(line, included file)]."""
    lines = (PROJECT / file).read_text(encoding="utf-8").split("\n")
    return [(number, match[1]) for number, line in enumerate(lines, 1)
            if (match := re.match(r'\s*#\s*include ["<](.+?)[">]', line))]

def is_program(file):
    return file.startswith("apps/") and "\nint main(" in (PROJECT / file).read_text(encoding="utf-8")

def is_ours(header):
    return (PROJECT / header).is_file()

def sources_of(header):
    """Returns the source with the definitions of a header. The source of an internal header is in the folder above."""
    path = Path(header).with_suffix(".cpp")
    where = {path, path.parents[1] / path.name} if path.parent.name == "internal" else {path}
    return [str(file) for file in where if is_ours(file)]

def reach(header):
    """Returns every file that a reader of the header reaches: its includes, their sources, and so on."""
    seen, todo = set(), [header]
    while todo:
        file = todo.pop()
        if file in seen or not is_ours(file):
            continue
        seen.add(file)
        todo += [name for _, name in includes(file)]
        if file.endswith(".h"):
            todo += sources_of(file)
    return seen

def unit_of(file):
    """Returns the common name of a header and its source."""
    return str(Path(file).with_suffix("")).replace("/internal/", "/")

def circles(units):
    """Returns the groups of names that reach each other, as sorted lists. `units` is {name: names it includes}."""
    def reached_from(unit):
        seen, todo = set(), [unit]
        while todo:
            new = units[todo.pop()] - seen
            seen |= new
            todo += new
        return seen
    reached = {unit: reached_from(unit) for unit in units}
    groups = {tuple(sorted({unit, *(other for other in reached[unit] if unit in reached[other])})) for unit in units}
    return sorted(group for group in groups if len(group) > 1)

def outside_of_namespace(file):
    """Returns the lines of code of a header that are neither in the namespace softalign nor for the preprocessor."""
    code = re.sub(r"//.*|R?\"(\\.|[^\"\\])*\"", "", (PROJECT / file).read_text(encoding="utf-8"))
    lines, depth, inside = [], 0, False
    for line in code.replace("\\\n", " ").splitlines():
        if line.startswith("#"):
            continue
        inside = inside or line.startswith("namespace softalign")
        if line.strip() and not inside:
            lines.append(line)
        depth += line.count("{") - line.count("}")
        inside = inside and depth > 0
    return lines

class Includes(unittest.TestCase):
    maxDiff = None

    def test_installed_headers_declare_only_in_the_namespace(self):
        headers = [file for file in sources("autograd", "layers", "models", "data") if file.endswith(".h") and "/internal/" not in file]
        self.assertGreater(len(headers), 200)
        self.assertEqual({file: lines for file in (*headers, "apps/run/run.h") if (lines := outside_of_namespace(file))}, {})

    def test_a_row_for_each_folder_names_only_earlier_rows(self):
        rows, above = table(), set()
        self.assertEqual(set(rows), {folder_of(file) for file in sources(*MODULES)})
        for folder, allowed in rows.items():
            unknown = {name for name in allowed if name not in above and not is_ours(name)}
            self.assertEqual(unknown, set(), f"the row of {folder} names folders that are not in an earlier row")
            above.add(folder)

    def test_no_include_runs_against_the_table(self):
        rows, against = table(), []
        for file in sources(*MODULES):
            here = folder_of(file)
            for line, header in includes(file):
                there = folder_of(header)
                if not is_ours(header) or there in (here, *rows[here]) or header in rows[here]:
                    continue
                against.append(f"{file}:{line} includes {header}, but {here} may not include {there}")
        self.assertEqual(against, [])

    def test_the_trainer_knows_no_translation(self):  # directly or indirectly
        todo = [f"apps/training/{name}.cpp" for name in ("trainer", "state", "metrics", "divergence")]
        reached = set()
        while todo:
            reached |= (new := {header for _, header in includes(todo.pop()) if is_ours(header)} - reached)
            todo += new
        self.assertIn("apps/training/training_task.h", reached)
        translation = re.compile(r"data/(?!io/)|layers/|models/(seq2seq|registry|search|recurrent)|apps/(inference|run/run_)"
                                 r"|apps/training/(seq2seq_task|training_data)")
        self.assertEqual(sorted(filter(translation.match, reached - {"apps/run/run_files.h"})), [])

    def test_the_engine_can_be_read_without_much_else(self):
        for header, (most_files, most_lines) in REACH.items():
            files = reach(header)
            lines = sum(len((PROJECT / file).read_text(encoding="utf-8").splitlines()) for file in files)
            with self.subTest(header, files=len(files), lines=lines):
                self.assertLessEqual(len(files), most_files)
                self.assertLessEqual(lines, most_lines)

    def test_no_includes_of_files_form_a_cycle(self):  # a header and its source count as one
        units = {}
        for file in sources(*MODULES):
            units.setdefault(unit_of(file), set()).update(unit_of(header) for _, header in includes(file) if is_ours(header))
        new = [group for group in circles(units) if not any(set(group) <= set(known.split()) for known in KNOWN_CIRCLES)]
        self.assertEqual(new, [])

    def test_internal_headers_stay_in_their_module(self):
        strangers = [f"{file}:{line} includes {header}, which is for the sources of {header.split('/')[0]}"
                     for file in sources(*MODULES, "docs", "tests/package") for line, header in includes(file)
                     if "/internal/" in header and header.split("/")[0] != file.split("/")[0]]
        self.assertEqual(strangers, [])

    def test_no_header_reads_json(self):  # json_fwd.hpp suffices for a declaration
        self.assertEqual([file for file in sources(*MODULES) if file.endswith(".h")
                          and any(header == "nlohmann/json.hpp" for _, header in includes(file))], [])

    def test_heavy_libraries_are_read_where_the_second_table_says(self):
        where = {library: [] for library in HEAVY}
        for file in sources(*MODULES, "tests", "docs"):
            for library in {library for _, header in includes(file) for library in HEAVY if header.startswith(library)}:
                where[library].append(file)
        self.assertEqual(where, HEAVY)

class Folders(unittest.TestCase):
    maxDiff = None

    def test_every_folder_says_what_it_is_in_ten_lines(self):
        problems = []
        for folder in written_out():
            page = PROJECT / folder / "README.md"
            text = page.read_text(encoding="utf-8") if page.exists() else ""
            if not text.startswith(f"# {folder}\n"):
                problems.append(f"{folder}/README.md does not begin with '# {folder}'")
            if len(text.splitlines()) > MOST_LINES_OF_A_PAGE:
                problems.append(f"{folder}/README.md has more than {MOST_LINES_OF_A_PAGE} lines")
            problems += [f"{folder}/README.md: {problem}" for problem in (pages.problems_of_names(page) if text else [])]
            problems += [f"{folder}/README.md names {name}" for name in re.findall(r"`([\w-]+\.\w+)`", text)
                         if not (page.parent / name).exists()]
        self.assertEqual(problems, [])

    def test_files_that_a_source_names_are_there(self):
        name = re.compile(rf"(?<![\w/.])((?:{'|'.join(MODULES)}|tests|docs)/[\w/.-]*\.(?:h|cpp|py|md|tsv|grammar|json))\b")
        files = [path for module in (*MODULES, "tests", "docs") for kind in ("*.h", "*.cpp", "*.py", "CMakeLists.txt")
                 for path in (PROJECT / module).rglob(kind) if "node_modules" not in path.parts]
        gone = [f"{path.relative_to(PROJECT)}:{number} names {named}" for path in files
                for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
                for named in name.findall(line) if not (PROJECT / named).exists()]
        self.assertEqual(gone, [])

    def test_a_source_is_named_like_its_header(self):
        listed = {"apps/experiments/experiment.h", "apps/python/bindings.h", "apps/reproduction/study.h", "autograd/ops/fused.h",
                  "autograd/ops/fused_addressing.h", "autograd/ops/fused_convolution.h",
                  "autograd/threads/internal/blas_library.h"}  # each defines what its header declares
        alone = {file for file in sources(*MODULES) if file.endswith(".cpp") and not is_program(file)
                 and not listed & {header for _, header in includes(file)}
                 and not is_ours(file[:-4] + ".h") and not is_ours(f"{Path(file).parent}/internal/{Path(file).stem}.h")}
        self.assertEqual(alone, set())

if __name__ == "__main__":
    unittest.main()
