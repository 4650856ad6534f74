"""Runs the audit for some minutes; audit.py describes it. Run audit.py itself to audit for longer."""

import os
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import audit  # noqa: E402
import kinds  # noqa: E402

# In CI other tests run at the same time, on the second core.
SECONDS = float(os.environ.get("SOFTALIGN_AUDIT_SECONDS", "60" if os.environ.get("CI") == "true" else "30"))


class Audit(unittest.TestCase):
    def test_hostile_starts(self):
        least = int(SECONDS / 4) + 1
        results = audit.audit(SECONDS, seed=int(os.environ.get("SOFTALIGN_AUDIT_SEED", "1")), least=least)
        audit.show(results, SECONDS)
        self.assertEqual([(r["case"], r["complaints"]) for r in results if r["complaints"]], [])
        self.assertGreaterEqual(len(results), least)
        if len(results) > 400:
            self.assertEqual({r["kind"] for r in results}, set(kinds.KINDS))


if __name__ == "__main__":
    unittest.main()
