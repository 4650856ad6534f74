"""docs/command-line.md is what the programs print for --help-all."""

import subprocess
import sys
from pathlib import Path

script = Path(__file__).resolve().parents[1] / "docs" / "command_line.py"
sys.exit(subprocess.run([sys.executable, script, "--check"], check=False).returncode)
