"""docs/command-line.md equals the output of --help-all of the programs."""

import subprocess
import sys
from pathlib import Path

script = Path(__file__).resolve().parents[1] / "docs" / "command_line.py"
sys.exit(subprocess.run([sys.executable, script, "--check"], check=False).returncode)
