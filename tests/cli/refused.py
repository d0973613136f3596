#!/usr/bin/env python3
"""Every file of tests/scenarios/refused is refused at the places and with the words that its head names.

A head line `# refused: LINE:COL words` wants an error at exactly that place whose text holds each word. The
exit code is 2 and nothing runs.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

stint = os.environ["STINT"]
folder = Path(os.environ["STINT_SOURCE_DIR"]) / "tests" / "scenarios" / "refused"


def complaints(path):
    """What is wrong with the program's answer to one file; empty if all is well."""
    wanted = re.findall(r"^# refused: (\d+:\d+) (.+)$", path.read_text(), re.M)
    if not wanted:
        return ["no line `# refused: LINE:COL words`"]
    run = subprocess.run([stint, "test", path], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    found = re.findall(rf"^{re.escape(str(path))}:(\d+:\d+): error: (.+)$", run.stderr, re.M)
    wrong = []
    if run.returncode != 2:
        wrong.append(f"exit code {run.returncode}, want 2")
    if not re.search(r"^0 passed, 0 failed\b", run.stdout, re.M):
        wrong.append(f"something ran: {run.stdout.strip()!r}")
    for place, words in wanted:
        if not any(at == place and all(word in text for word in words.split()) for at, text in found):
            wrong.append(f"no error at {place} with the words: {words}")
    return [*wrong, f"stderr was: {run.stderr.strip()}"] if wrong else []


files = sorted(folder.glob("*.yaml"))
bad = 0
for file in files:
    problems = complaints(file)
    bad += bool(problems)
    for problem in problems:
        print(f"{file.name}: {problem}")
print(f"{len(files) - bad} of {len(files)} files refused as they should be")
sys.exit(1 if bad or not files else 0)
