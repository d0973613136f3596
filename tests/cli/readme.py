#!/usr/bin/env python3
"""What the README says that the program prints is what it prints.

A fenced block of text belongs to the last command in backquotes above it.
"""

import difflib
import os
import re
import subprocess
import sys
from pathlib import Path

source = Path(os.environ["STINT_SOURCE_DIR"])
text = (source / "README.md").read_text()
shown = re.findall(r"`build/release/stint ([^`]+)`\):\n\n```text\n(.*?)```", text, re.S)
if not shown:
    sys.exit("README.md: no command with its output")
failed = False
for command, expected in shown:
    run = subprocess.run([os.environ["STINT"], *command.split()], cwd=source, capture_output=True, text=True,
                         stdin=subprocess.DEVNULL)
    if run.returncode != 0 or run.stdout != expected:
        failed = True
        print(f"README.md shows another output of `stint {command}` (exit code {run.returncode})")
        sys.stdout.writelines(difflib.unified_diff(expected.splitlines(True), run.stdout.splitlines(True),
                                                   "README.md", "printed"))
sys.exit(failed)
