"""CMake cuts the name of a C++ test at ';', and joins the text after an unclosed '[' to the next name. A test with such a
name would not run under its own name."""

import re
import unittest
from pathlib import Path


class Names(unittest.TestCase):
    def test_no_name_is_cut_or_joined(self):
        names = [(path.name, name) for path in Path(__file__).parent.rglob("*.cpp")
                 for name in re.findall(r'^TEST_CASE\("((?:[^"\\]|\\.)*)"', path.read_text(encoding="utf-8"), re.M)]
        self.assertGreater(len(names), 300)
        self.assertEqual([name for name in names if re.search(r"[;\[\]]", name[1])], [])
        self.assertEqual(len(names), len({name for name in names}), "two tests of one file have the same name")


if __name__ == "__main__":
    unittest.main()
