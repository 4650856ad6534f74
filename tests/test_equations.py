"""docs/equations.md is what docs/equations.py makes of the citations now in the code, and every citation has a test."""

import subprocess
import sys
from pathlib import Path

script = Path(__file__).resolve().parents[1] / "docs" / "equations.py"
sys.exit(subprocess.run([sys.executable, script, "--check"], check=False).returncode)
