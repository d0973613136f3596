#!/usr/bin/env python3
"""`stint sim --record`: what is in the folder, that it is whole or not there, and never overwritten."""

import json
import os
import subprocess
import sys
from pathlib import Path

stint = os.environ["STINT"]
bad = 0


def sim(*args):
    return subprocess.run([stint, "sim", *args], capture_output=True, text=True, stdin=subprocess.DEVNULL)


def want(text, is_so):
    global bad
    if not is_so:
        bad += 1
        print(text)


def lines_of(folder):
    return [json.loads(line) for line in Path(folder, "journal.jsonl").read_text().splitlines()]


Path("queues.yaml").write_text("queues: {a: {guarantee: {gpu: 4}}, b: {}}\n")
Path("cluster.yaml").write_text("stint: 1\ninclude: [queues.yaml]\ncluster: {nodes: [{name: n1, has: {gpu: 8}}]}\n")
Path("t.csv").write_text(
    "id,queue,user,submit_s,run_s,gpu,patience_s\nj1,a,u,0,60,8,\nj2,b,v,10,60,3,\nj3,b,v,20,60,3,5\n"
)

run = sim("cluster.yaml", "--trace", "t.csv", "--record", "rec/", "-o", "json")
want(f"a recording: {run.stderr}", run.returncode == 0)
names = sorted(str(path.relative_to("rec")) for path in Path("rec").rglob("*") if path.is_file())
want(f"files: {names}", names == ["config/1-cluster.yaml", "config/2-queues.yaml", "end.snapshot", "journal.jsonl",
                                  "start.snapshot"])
want("a source was changed", Path("rec/config/2-queues.yaml").read_text() == Path("queues.yaml").read_text())
header, *lines = lines_of("rec")
want(f"header: {header}", header == {"format": "stint journal", "version": 1})
told = [(line["at_ms"], line["what"], line["job"]) for line in lines if line["what"] != "passed"]
want(f"facts and decisions: {told}", told == [
    (0, "submitted", 0), (0, "started", 0), (10000, "submitted", 1), (20000, "submitted", 2), (25000, "cancelled", 2),
    (60000, "ended", 0), (60000, "started", 1), (120000, "ended", 1)])
want(f"a submission: {lines[0]}", lines[0] == {
    "at_ms": 0, "what": "submitted", "job": 0, "name": "j1", "queue": "a", "user": "u", "tasks": 1,
    "each": [["gpu", 8000]], "work_ms": 60000})
want(f"a start: {lines[1]}", lines[1]["on"] == [["n1", 1, *([d, 1000] for d in range(8))]])

# The same again is the same bytes, and recording changes nothing.
want("recording changed a number", sim("cluster.yaml", "--trace", "t.csv", "-o", "json").stdout == run.stdout)
sim("cluster.yaml", "--trace", "t.csv", "--record", "again")
for name in names:
    want(f"{name} differs", Path("again", name).read_bytes() == Path("rec", name).read_bytes())

# Never over something, and nothing stays of what did not come to its end.
run = sim("cluster.yaml", "--trace", "t.csv", "--record", "rec")
want(f"over another: {run.stderr}", run.returncode == 2 and "rec: is there already" in run.stderr)
run = sim("cluster.yaml", "--trace", "t.csv", "--record", "t.csv/rec")
want(f"below a file: {run.stderr}", run.returncode == 1 and "cannot be made" in run.stderr)
Path("many/2").mkdir(parents=True)
run = sim("cluster.yaml", "--trace", "t.csv", "--trace", "t.csv", "--record", "many")
want(f"the second is taken: {run.stderr}", run.returncode == 2 and not Path("many/1").exists())
run = sim("cluster.yaml", "--trace", "t.csv", "--trace", "t.csv", "--record", "both")
want("two traces", lines_of("both/1") == lines_of("both/2") == [header, *lines])
want("something half made is left", not list(Path(".").rglob("*.part")))

# A scenario with other policies: its jobs are known from the start.
Path("s.yaml").write_text("""
stint: 1
cluster: {nodes: [{name: n1, has: {gpu: 8}}]}
queues: {a: {}}
jobs: [{name: x, queue: a, at: 1h, each: {gpu: 1}, run: 1h}]
events: [{at: 10m, apply: {queues: {a: {weight: 2}}}}, {at: 90m, cancel: x}]
""")
run = sim("s.yaml", "--record", "scenario")
want(f"a scenario: {run.stderr}", run.returncode == 0)
what = [line["what"] for line in lines_of("scenario")[1:] if line["what"] != "passed"]
want(f"what: {what}", what == ["applied", "submitted", "started", "cancelled", "told_to_stop", "stopped"])
want("no snapshot of the policy", Path("scenario/applied-1.snapshot").exists())

print(f"{bad} things were not as wanted")
sys.exit(1 if bad else 0)
