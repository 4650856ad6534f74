"""README.md and the pages of docs/ are true: the commands run on tiny corpora and models, and the options in the table of
models can be combined. Samples of files can be read, quoted lines are in the files that are named, and files and links
exist. The map of docs/architecture.md has a line for each folder.

Some commands are left out. ./demo.sh, ./test.sh and cmake install and build (see test_package.py). build/reproduce takes
hours (tests/apps/reproduction/test_reproduce.py). view --live needs the engine for browsers (tests/viewer/test_live_page.py).
"""

import html
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import pages
import test_includes

sys.path.insert(0, str(pages.PROJECT / "tests" / "apps"))
import programs  # pylint: disable=wrong-import-position

README = pages.PROJECT / "README.md"
DOCS = {page.stem: page for page in sorted((pages.PROJECT / "docs").glob("*.md"))}
LECTURE = pages.PROJECT / "docs" / "course" / "lecture-plan.md"
OUTCOMES = LECTURE.parent / "lecture-outcomes.tsv"  # outcomes of the run with which the plan was written
RUN = pages.PROJECT / "runs" / "lecture" / "rnnsearch" / "interventions.jsonl"  # the run of a reader who has followed the plan
NUMBER_WORDS = ["none", "one", "two", "three", "four", "five"]
PAGES = [README, *DOCS.values(), LECTURE]
WITHOUT_COMMANDS = [pages.PROJECT / name for name in ("CONTRIBUTING.md", "SECURITY.md")]
ELSEWHERE = ("./demo.sh", "./test.sh", ".ci/wasm.sh", ".ci/packages.sh", "sudo apt-get install", "cmake --preset",
             "cmake --install", "cmake --build", "build/reproduce")
# A replacement for matplotlib.pyplot: savefig prints the arguments of each call as JSON.
STAND_IN = """import json
calls = {}
class Axes:
    def __getattr__(self, name):
        return lambda *arguments, **options: calls.update({name: [list(a) if isinstance(a, range) else a for a in arguments]})
class Figure:
    def savefig(self, name, **options):
        print(json.dumps({**calls, "savefig": [name]}))
def subplots():
    return Figure(), Axes()
"""
SMALL = "--epochs 1 --embedding 8 --hidden 12 --threads 1"


def commands(page):
    """Returns (line, command) of every command of the page, in order."""
    return [(line + 1 + number, command) for line, kind, body in pages.blocks(page) if kind == ["sh"]
            for number, command in enumerate(body) if not command.startswith(ELSEWHERE) and " --live " not in command]


def small(command):
    """Returns a training command of the page with the sizes of SMALL, except for sizes that the command sets itself."""
    if not command.startswith("build/train ") or "--help" in command:
        return command
    sizes = [f"{option} {value}" for option, value in zip(SMALL.split()[::2], SMALL.split()[1::2]) if option not in command]
    return command.replace("build/train", " ".join(["build/train", *sizes]))


def samples(page, kind):
    return ["\n".join(body) for _, words, body in pages.blocks(page) if words == [kind]]


class Commands(unittest.TestCase):
    def shell(self, command, folder, where):
        result = subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=folder, stdin=subprocess.DEVNULL, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, check=False)
        self.assertEqual(result.returncode, 0, f"{where}: {command}\n{result.stdout[-2000:]}{result.stderr}")
        return result.stdout

    def prepare(self, folder):
        """Prepares the files that the commands need: a user's corpus in all its forms, and the run that demo.sh leaves."""
        (folder / "build").symlink_to(programs.BUILD.resolve())
        (folder / "data").mkdir()
        toy = programs.tiny_corpus(folder / "data" / "toy")
        for name in ("test.tsv", "long.tsv"):
            lines = (programs.TOY / name).read_text(encoding="utf-8").splitlines()
            programs.write_lines(toy / name, lines[:12])
        for name in ("data/facts", "data/tasks", "docs", "README.md"):
            (folder / name).symlink_to(programs.PROJECT / name)
        (folder / "my").mkdir()
        programs.tiny_corpus(folder / "my" / "corpus")
        for name in ("train", "valid"):
            pairs = [line.split("\t") for line in (toy / f"{name}.tsv").read_text(encoding="utf-8").splitlines()]
            programs.write_lines(folder / f"{name}.en", [pair[0] for pair in pairs])
            programs.write_lines(folder / f"{name}.fr", [pair[1] for pair in pairs])
        (folder / "my" / "pictures").mkdir()
        lines = programs.halves(folder / "my" / "pictures")
        for name in ("a.tsv", "b.tsv"):
            programs.write_lines(folder / name, [f"my/pictures/{line}" for line in lines])
        (folder / "picture.png").write_bytes((folder / "my" / "pictures" / "red-blue.png").read_bytes())
        programs.write_lines(folder / "input.en", [pair.split("\t")[0] for pair in programs.short_pairs("test.tsv", 4)])
        programs.write_lines(folder / "pairs.tsv", programs.short_pairs("test.tsv", 4))
        self.shell(f"build/train --out runs/demo {SMALL}", folder, "demo.sh")

    def test_demo_builds_the_programs_that_the_readme_and_the_first_chapters_on_attention_call(self):
        target = re.search(r"--target ([\w ]+)", (pages.PROJECT / "demo.sh").read_text(encoding="utf-8"))
        chapters = sorted((pages.PROJECT / "docs" / "course").glob("0[6-9]-*.md"))
        called = {name for page in [README, *chapters] for _, command in commands(page)
                  for name in re.findall(r"\bbuild/(\w+)", command)}
        self.assertLessEqual({"links", "make_corpus"}, called)
        self.assertLessEqual(called, set(target[1].split()))

    def test_the_commands_of_a_page_in_their_order(self):
        self.assertGreater(len(commands(README)), 3)
        self.assertGreater(len(commands(DOCS["train"])), 10)
        for page in (page for page in PAGES if commands(page)):
            with self.subTest(page=page.name), tempfile.TemporaryDirectory() as name:
                self.prepare(Path(name))
                for line, command in commands(page):
                    self.shell(small(command).replace("less -R", "cat"), name, f"{page.name}:{line}")

    def test_the_options_of_the_table_of_models(self):
        rows = re.findall(r"^\| .*? \| .*? \| (?:`(--[^`]+)`|the defaults) \|", DOCS["results"].read_text(encoding="utf-8").split("## Word alignment")[0],
                          re.MULTILINE)
        self.assertGreater(len(rows), 15)
        with tempfile.TemporaryDirectory() as name:
            self.prepare(Path(name))
            for options in rows:
                self.shell(f"build/train {options} {SMALL} --dry-run", name, "the table of models")

    def test_the_samples_of_files_are_read(self):
        [record], [pair] = samples(DOCS["formats"], "json"), samples(DOCS["formats"], "text")
        with tempfile.TemporaryDirectory() as name:
            self.prepare(Path(name))
            programs.write_lines(Path(name) / "sample.jsonl", [record.replace("\n", "")])
            programs.write_lines(Path(name) / "sample.tsv", [pair])
            self.assertEqual(self.shell("build/convert --in sample.jsonl --from jsonl --format pharaoh", name, "formats.md"),
                             "0-0 1-1 2-1\n")  # t’aime is one word of the line
            [aligned] = self.shell("build/align --run runs/demo --data sample.tsv", name, "formats.md").splitlines()
            self.assertIn('"gold":{"sure":[[0,0],[1,2],[2,1]]', aligned)

    def test_the_python_program_draws_a_record(self):
        """The program is run with a replacement for matplotlib, which prints the calls, and with matplotlib if it is
        installed."""
        [program] = samples(DOCS["formats"], "python")
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            self.prepare(folder)
            programs.write_lines(folder / "wide.tsv", ["the cat sees a red car\tle chat\t0-0 1-1"])
            self.shell("build/align --run runs/demo --data wide.tsv --out runs/demo/alignments.jsonl", folder, "demo.sh")
            [record] = programs.json_lines(folder / "runs" / "demo" / "alignments.jsonl")
            record["links"] = [[5, 0], [2, 1]]  # an untrained model may have no links
            programs.write_lines(folder / "runs" / "demo" / "alignments.jsonl", [json.dumps(record)])
            (folder / "draw.py").write_text(program, encoding="utf-8")
            (folder / "matplotlib").mkdir()
            (folder / "matplotlib" / "__init__.py").touch()
            (folder / "matplotlib" / "pyplot.py").write_text(STAND_IN, encoding="utf-8")
            calls = json.loads(self.shell(f"{sys.executable} draw.py", folder, "formats.md").splitlines()[-1])
            rows, columns = len(record["target_tokens"]), len(record["source_tokens"])
            self.assertEqual(calls["imshow"], [record["matrix"]])
            self.assertLess(rows, columns)  # so that rows and columns cannot be confused
            self.assertEqual((len(record["matrix"]), len(record["matrix"][0])), (rows, columns))
            self.assertEqual(calls["set_xticks"], [list(range(columns)), record["source_tokens"]])
            self.assertEqual(calls["set_yticks"], [list(range(rows)), record["target_tokens"]])
            self.assertEqual(calls["plot"][:2], [[link[side] for link in record["links"]] for side in (0, 1)])
            self.assertEqual(calls["savefig"], ["heatmap.png"])
            shutil.rmtree(folder / "matplotlib")
            if importlib.util.find_spec("matplotlib"):
                self.shell(f"MPLBACKEND=agg {sys.executable} draw.py", folder, "formats.md")
                self.assertTrue((folder / "heatmap.png").read_bytes().startswith(b"\x89PNG"))


class Words(unittest.TestCase):
    maxDiff = None

    def test_quotations_names_and_links(self):
        problems = []
        for page in [*PAGES, *WITHOUT_COMMANDS]:
            problems += [f"{page.name}: {problem}" for problem in pages.problems_of_names(page)
                         if not re.search(r"/(glu|activated)\.h", problem)]  # the reader writes these files
            for line, kind, body in pages.blocks(page):
                if kind[:1] == ["cpp"] and len(kind) == 2 and (problem := pages.problem_of_quote(kind, body)):
                    problems.append(f"{page.name}:{line}: {problem}")
        self.assertEqual(problems, [])

    def test_the_page_on_architecture_maps_every_folder(self):
        page = DOCS["architecture"]
        mapped, problems = set(), []
        for row in re.findall(r"^\|.*\]\(.*", page.read_text(encoding="utf-8"), re.MULTILINE):
            folders = re.findall(r"\]\(\.\./([\w/-]+)\)", row)
            mapped |= set(folders)
            problems += [f"none of {folders} has {name}" for name in re.findall(r"`([\w-]+\.\w+)`", row)
                         if not any((pages.PROJECT / folder / name).exists() for folder in folders)]
        self.assertEqual(problems, [])
        self.assertEqual(set(test_includes.table()) - mapped, set(), "folders that the map does not name")

    def test_the_readme_names_every_module(self):
        rows = re.findall(r"^\| \[(\w+)\]\(\1\) \|", README.read_text(encoding="utf-8"), re.MULTILINE)
        self.assertEqual(set(rows), {folder.split("/")[0] for folder in test_includes.table()})
        self.assertEqual([row for row in rows if not (pages.PROJECT / row / "README.md").exists()], [])

    def test_the_citation_has_the_version_of_the_build(self):
        citation = (pages.PROJECT / "CITATION.cff").read_text(encoding="utf-8")
        build = (pages.PROJECT / "CMakeLists.txt").read_text(encoding="utf-8")
        [version] = re.findall(r"^project\(softalign VERSION (\S+)", build, re.MULTILINE)
        self.assertEqual(re.findall(r"^version: (\S+)$", citation, re.MULTILINE), [version])
        for key in ("cff-version", "message", "title", "authors"):  # a citation file must have these keys
            self.assertRegex(citation, rf"(?m)^{key}:")


class Lecture(unittest.TestCase):
    def test_its_minutes_rise_and_each_has_an_answer(self):
        text = LECTURE.read_text(encoding="utf-8")
        plan, answers = ([int(minute) for minute in re.findall(r"^\| (\d+) \|", part, re.MULTILINE)]
                         for part in text.split("## Answers to the questions"))
        self.assertEqual(plan, sorted(set(plan)))
        self.assertEqual((plan[0], plan[-1] < 90), (0, True))
        self.assertLessEqual(set(answers), set(plan))

    def test_its_links_into_the_page_use_the_keys_of_the_viewer(self):
        state = (pages.PROJECT / "apps/pages/viewer/script/state.js").read_text(encoding="utf-8")
        keys = set(re.findall(r"(\w+): \"", re.search(r"const keys = \{(.*?)\};", state, re.DOTALL)[1]))
        links = re.findall(r"`(?:\w+\.html)?#([^`]+)`", LECTURE.read_text(encoding="utf-8"))
        self.assertGreater(len(links), 8)
        for link in links:
            self.assertLessEqual({part.split("=")[0] for part in link.split("&")}, keys, link)

    def test_the_outcomes_that_it_states_are_those_of_the_recorded_run(self):
        """The plan's tables and links agree with the recorded outcomes of every forced step, and so does each probability
        and weight."""
        text = LECTURE.read_text(encoding="utf-8")
        recorded = {line.split("\t")[0]: line.split("\t")[1:] for line in OUTCOMES.read_text(encoding="utf-8").splitlines()}
        rows = re.findall(r"^\| `(#s=\d+[^`]*)` \| (.*) \| (.*) \| (.*) \| (.*) \|$", text.replace("`</s>`", "</s>"), re.MULTILINE)
        self.assertGreater(len(rows), 8)
        stated = dict((link, [cell if cell != "-" else "" for cell in cells]) for link, *cells in rows)
        for link, cells in stated.items():
            self.assertEqual(cells, recorded.get(link), link)
        # Each has the outcome without an intervention, too.
        self.assertLessEqual({link.split("&")[0] for link in stated}, set(stated))
        minutes = {int(row[0]): row[1] for row in re.findall(r"^\| (\d+) \| (.*`#.*) \|$", text, re.MULTILINE)}
        for minute in (45, 50, 55):
            links = re.findall(r"`(#s=[^`]+)`", minutes[minute])
            self.assertTrue(links)
            shown = [cells for link in links for found, cells in stated.items() if self.stands_for(link, found)]
            self.assertGreaterEqual(len(shown), len(links), minute)
            words = " ".join(" ".join(cells) for cells in [*shown, *(stated[link.split("&")[0]] for link in links)])
            for quoted in re.findall(r"\*([^*]+)\*|\b(0\.\d+)\b", minutes[minute].split(" | ", 2)[-1]):
                self.assertIn(next(filter(None, quoted)), words, f"minute {minute}")

    @staticmethod
    def stands_for(link, found):
        """Whether a link, or the intervention "all attention on" of the step that it opens, is the row `found` of the
        outcomes."""
        keys, its = (dict(part.split("=") for part in each[1:].split("&") if part != "p=1") for each in (link, found))
        return keys == its or ("a" in its and "a" not in keys and keys == {key: its[key] for key in ("s", "r")})

    def test_what_it_calls_general_is_so_in_the_recorded_run_and_in_one_that_is_there(self):
        recorded = [line.split("\t") for line in OUTCOMES.read_text(encoding="utf-8").splitlines()]
        forced, kept = self.count(recorded, "all attention on")
        shuffled, unmoved = self.count(recorded, "weights shuffled")
        text = LECTURE.read_text(encoding="utf-8").replace("\n", " ")
        for stated in (f"{NUMBER_WORDS[kept]} of {forced} forced steps left", f"{unmoved} of {shuffled} shuffled steps did"):
            self.assertTrue(stated in text, f"{LECTURE.name} does not say: {stated}")
        for lines in [recorded, *([] if not RUN.exists() else [[line.split("\t") for line in self.outcomes(RUN).splitlines()]])]:
            forced, kept = self.count(lines, "all attention on")
            self.assertLess(kept, forced / 4)
            self.assertGreater(self.count(lines, "weights shuffled")[1], 0)

    @staticmethod
    def count(lines, change):
        """Returns how many steps were changed in this way, and for how many of them the translation is the same."""
        untouched = {line[0]: line[4] for line in lines if "&" not in line[0]}
        changed = [line for line in lines if change in line[1]]
        return len(changed), sum(line[4] == untouched[line[0].split("&")[0]] for line in changed)

    @staticmethod
    def outcomes(*arguments):
        return subprocess.run([sys.executable, LECTURE.parent / "outcomes.py", *arguments], stdout=subprocess.PIPE, text=True,
                              check=True).stdout

    def test_outcomes_lists_what_each_intervention_led_to_and_where_two_runs_differ(self):
        def record(number, intervention, target, weights):
            return {"id": number, "source_tokens": ["i", "see", "</s>"], "target_sent": target, "logprob": [-0.5] * len(weights),
                    "matrix": weights, "intervention": intervention}
        records = [record(0, {"kind": "none"}, "je vois", [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
                   record(0, {"kind": "force", "step": 0, "source": 1}, "vois", [[0, 1, 0], [0, 0, 1]]),
                   record(0, {"kind": "shuffle", "step": 1}, "je vois", [[1, 0, 0], [0.75, 0.25, 0], [0, 0, 1]]),
                   record(1, {"kind": "word", "step": 0, "word": "tu"}, "tu vois", [[1, 0, 0]])]
        with tempfile.TemporaryDirectory() as name:
            found = programs.write_lines(Path(name) / "interventions.jsonl", [json.dumps(each) for each in records])
            lines = ["#s=0\tnothing\t\t0.61 0.61 0.61\tje vois",
                     "#s=0&a=i0&r=0\tstep 1: all attention on see\tsee 1.00\t0.61\tvois",
                     "#s=0&a=i1&r=1\tstep 2: weights shuffled\ti 0.75\t0.61\tje vois",
                     "#s=1&a=i0&r=0\tstep 1: tu written\ti 1.00\t0.61\ttu vois"]
            self.assertEqual(self.outcomes(found).splitlines(), lines)
            other = [lines[0].replace("0.61", "0.62"), lines[1].replace("\tvois", "\tje vois"), lines[2]]
            known = programs.write_lines(Path(name) / "known.tsv", other)
            differing = self.outcomes(found, "--against", known)
            self.assertEqual(re.findall(r"^(?:minute \d+: )?(#\S+)", differing, re.MULTILINE), ["#s=0&a=i0&r=0", "#s=1&a=i0&r=0"])
            self.assertEqual(self.outcomes(found, "--against", programs.write_lines(Path(name) / "same.tsv", lines)), "all agree\n")
            with subprocess.Popen([sys.executable, LECTURE.parent / "outcomes.py", found], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
                process.stdout.close()  # head closes its input in this way
                self.assertEqual(process.stderr.read(), b"")

    def test_outcomes_says_how_a_tracked_sentence_was_learnt_and_reports_one_that_was_not(self):
        def record(epoch, weights, links):
            return {"id": 4, "epoch": epoch, "target_sent": "je vois", "matrix": weights, "links": links,
                    "gold": {"sure": [[0, 0], [1, 1]], "possible": []}}
        right = [[0.9, 0.1, 0], [0.2, 0.7, 0.1], [0, 0, 1]]
        with tempfile.TemporaryDirectory() as name:
            interventions, history = Path(name) / "interventions.jsonl", Path(name) / "history.jsonl"
            interventions.touch()
            programs.write_lines(history, [json.dumps(each) for each in [
                record(1, [[0.4, 0.6, 0], [0.2, 0.7, 0.1], [0, 0, 1]], [[1, 0], [1, 1]]), record(2, right, [[0, 0], [1, 1]])]])
            line = "#s=v4&e=1\tepochs 1 to 2\t1 of 3 rows moved\t0.500 0.000\tje vois"
            self.assertEqual(self.outcomes(interventions), line + "\n")
            known = programs.write_lines(Path(name) / "known.tsv", [line])
            self.assertEqual(self.outcomes(interventions, "--against", known), "all agree\n")
            programs.write_lines(history, [json.dumps(record(epoch, right, [[0, 0], [1, 1]])) for epoch in (1, 2)])
            self.assertIn("here   epochs 1 to 2  0 of 3 rows moved", self.outcomes(interventions, "--against", known))

    def test_the_weights_of_the_minute_on_learning_move_as_it_says(self):
        recorded = {line.split("\t")[0]: line.split("\t")[1:] for line in OUTCOMES.read_text(encoding="utf-8").splitlines()}
        row, _ = re.findall(r"^\| 35 \|.*$", LECTURE.read_text(encoding="utf-8"), re.MULTILINE)
        _, moved, rates, _ = recorded[re.search(r"`(#[^`]+)`", row)[1].replace("&p=1", "")]
        moved, rows = map(int, re.match(r"(\d+) of (\d+) rows moved$", moved).groups())
        self.assertGreaterEqual(3 * moved, rows)
        first, last = (f"{100 * float(rate):.1f}%" for rate in rates.split())
        for stated in (f"{moved} of {rows} rows have", f"from {first} to {last}"):
            self.assertTrue(stated in row, f"minute 35 does not say: {stated}")

    def test_one_page_has_every_link_and_command_of_the_plan(self):
        text = LECTURE.read_text(encoding="utf-8")
        table = text.split("### The plan")[1].split("#### 1.")[0]
        with tempfile.TemporaryDirectory() as name:
            page = Path(name) / "index.html"
            subprocess.run([sys.executable, LECTURE.parent / "lecture_links.py", page], check=True, stdout=subprocess.PIPE)
            written = html.unescape(page.read_text(encoding="utf-8"))
            formula = html.unescape((Path(name) / "formula.html").read_text(encoding="utf-8"))
        addresses = re.findall(r'href="([^"]+)"', written)
        links = re.findall(r"`([^`\s]*#[^`\s]+)`", "".join(re.findall(r"^\| \d.*$", table, re.MULTILINE)))
        self.assertGreater(len(links), 15)
        for link in links:
            self.assertTrue(any(address.endswith(link) for address in addresses), link)
        self.assertEqual([address for address in addresses if address.startswith("#") or " " in address], [])
        for name in ("validation sentence 7, after epoch 1, presentation", "sentence 1, step 1: all attention on you, presentation",
                     "sentence 2, the second model, head 1, presentation", "From formula to line"):
            self.assertIn(f">{name}</a>", written)
        self.assertIn('href="formula.html"', written)
        self.assertEqual(formula.count("<math "), 2)
        self.assertIn("const Var c = weighted_sum(alpha, memory.values, rows);\n</pre>", formula)
        self.assertNotRegex(formula, r"\\[a-z]|\$")  # no LaTeX
        self.assertNotRegex(written, r"</h3>(?!<pre>|<ul><li>)")
        for number, file in ((5, "permutation"), (6, "memory-network"), (7, "pooling")):  # a page comes after its command
            self.assertLess(written.index(f"<h3>{number}. "), written.index(f"runs/reproduce/{file}.html"))
        if not (pages.PROJECT / "site").exists():
            self.assertRegex(written, r"Chapter 7</a> <small>A browser shows this page as plain text\. This command formats it[^<]*: "
                                      r"python3 docs/site/build\.py --out site</small>")
        wanted = [command for line, command in commands(LECTURE) if text[:text.index("#### 1.")].count("\n") < line < text[:text.index("### Answers")].count("\n")]
        self.assertGreater(len(wanted), 8)
        for command in wanted:
            self.assertIn(command, written)

    def test_the_page_of_links_describes_the_changes_of_this_run(self):
        recorded = LECTURE.parent / "lecture-outcomes.tsv"
        self.assertIn("#s=0&a=i0&r=0\tstep 1: all attention on you", recorded.read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory() as name:
            page = Path(name) / "index.html"
            (Path(name) / "rnnsearch").mkdir()
            records = [{"id": 0, "source_tokens": ["i", "love", "you"], "target_sent": "je t' aime", "logprob": [-0.5], "matrix": [[0, 1, 0]],
                        "intervention": {"kind": "force", "step": 0, "source": 1}}]
            programs.write_lines(Path(name) / "rnnsearch" / "interventions.jsonl", [json.dumps(record) for record in records])
            subprocess.run([sys.executable, LECTURE.parent / "lecture_links.py", page], check=True, stdout=subprocess.PIPE)
            written = page.read_text(encoding="utf-8")
        self.assertIn(">sentence 1, step 1: all attention on love, presentation</a>", written)
        self.assertNotIn("step 1: all attention on you", written)

    def test_outcomes_names_the_steps_of_the_plan_first_and_what_to_show_instead(self):
        lines = OUTCOMES.read_text(encoding="utf-8").splitlines()
        step = next(line for line in lines if line.startswith("#s=0&a=i0&r=0\t"))
        other = next(line for line in lines if line.startswith("#s=1&a=i0&r=0\t"))
        found = [line for line in lines if not line.startswith("#s=v")]
        for line in (step, other):
            found[found.index(line)] = line.rpartition("\t")[0] + "\tquelque chose"
        sys.path.insert(0, str(LECTURE.parent))
        import outcomes  # pylint: disable=import-outside-toplevel
        shown = list(outcomes.report(found, dict(line.split("\t", 1) for line in lines)))
        self.assertEqual([text.split("\n")[0] for text in shown], ["minute 45: #s=0&a=i0&r=0", "steps that the plan does not show:", "#s=1&a=i0&r=0"])
        self.assertRegex(shown[0], r"\n  or show #s=\d&a=i\d+&r=\d+  step \d+: all attention on ")
        self.assertEqual(set(outcomes.minutes().values()), {"35", "45", "50", "55"})
        self.assertEqual([outcomes.effect(text, "a b c") for text in ("a b c", "a c", "a b c b c", "a d c")], ["nothing", "lost", "repeated", "other"])

    def test_the_toy_corpus_teaches_every_word_of_its_sentences(self):
        def pairs(path):
            for line in path.read_text(encoding="utf-8").splitlines():
                source, target, *more = line.split("\t")
                yield source.split(), target.split(), more
        known = [set(), set()]
        for source, target, _ in pairs(pages.PROJECT / "data" / "toy" / "train.tsv"):
            known[0].update(source)
            known[1].update(target)
        sentences = list(pairs(LECTURE.parent / "lecture.tsv"))
        self.assertEqual(len(sentences), 4)
        for source, target, more in sentences:
            self.assertLessEqual(set(source), known[0])
            self.assertLessEqual(set(target), known[1])
            links = [tuple(map(int, link.split("-"))) for link in more[0].split()]
            self.assertTrue(all(i < len(source) and j < len(target) for i, j in links), links)


if __name__ == "__main__":
    unittest.main()
