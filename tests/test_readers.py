"""Every function that reads a file is tested with damaged files. A new reader needs a row in tests/apps/fuzz/readers.cpp."""

import re
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]

# These readers have no row of their own. Rows of other readers test them.
WITHIN = {
    "read_bytes": "all of them",
    "load_run": "configuration, vocabulary, pieces, checkpoint",
    "load_runs": "as load_run",
    "read_named": "configuration",
    "load_state": "checkpoint",
    "read_references": "corpus, side by side",
    "read_shortlist": "table, vocabulary, pieces",
    "read_training_data": "corpus, side by side",
}
# Functions named read... or load... whose argument is a path, a folder, or options that name files.
READER = re.compile(r"^(?:static )?[\w:<>]+ (\w+::)?((?:read|load)\w*)\((?:const (?:std::string& \w*(?:path|file|folder|run)|"
                    r"std::vector<std::string>& paths|RunFolder&|TrainOptions&))", re.MULTILINE)


class Readers(unittest.TestCase):
    def test_each_reader_of_files_is_fuzzed(self):
        table = (PROJECT / "tests/apps/fuzz/readers.cpp").read_text(encoding="utf-8")
        readers = set()
        for module in ("autograd", "layers", "models", "data", "apps"):
            for header in (PROJECT / module).rglob("*.h"):
                text = re.sub(r"^ +", "", header.read_text(encoding="utf-8"), flags=re.MULTILINE)
                readers |= {match[2] for match in READER.finditer(text)}
        self.assertGreater(len(readers), 12)
        self.assertLessEqual(set(WITHIN), readers)
        self.assertEqual({name for name in readers - set(WITHIN) if not re.search(rf"\b{name}\(", table)}, set())


if __name__ == "__main__":
    unittest.main()
