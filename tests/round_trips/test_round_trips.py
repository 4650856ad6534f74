"""Sends five hundred hostile lines through the chains of programs, as round_trips.py describes. Run that script for more
lines."""

import os
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import hostile  # noqa: E402
import reference  # noqa: E402
import round_trips  # noqa: E402

INPUTS = int(os.environ.get("SOFTALIGN_ROUND_TRIPS", "500"))


class RoundTrips(unittest.TestCase):
    def test_hostile_lines(self):
        with tempfile.TemporaryDirectory() as kept:
            report = round_trips.run_all(INPUTS, seed=1, size=25, keep=Path(kept))
        report.show()
        self.assertEqual(report.failures, [])
        counts = {name: sum(count.values()) for name, count in report.counts.items()}
        self.assertEqual(set(counts), set(round_trips.chains.CHAINS))
        self.assertGreaterEqual(sum(counts.values()), INPUTS)
        self.assertGreater(sum(count["same"] for count in report.counts.values()), 0.8 * INPUTS)


if __name__ == "__main__":
    unittest.main()
