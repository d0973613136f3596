#!/usr/bin/env python3
"""Several traces in one run, one per seed: the spread over them, their files, and the warm-up."""

import json
import os
import statistics
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


Path("cluster.yaml").write_text(
    "stint: 1\ncluster: {nodes: [{name: n1, has: {gpu: 8}}]}\nqueues: {a: {guarantee: {gpu: 4}}, b: {}}\n"
)
traces = []
for seed in (1, 2, 4):
    rows = [f"j{i},a,u,{i * seed},{60 + 7 * seed},3" for i in range(9)]
    Path(f"t{seed}.csv").write_text("\n".join(["id,queue,user,submit_s,run_s,gpu", *rows, ""]))
    traces += ["--trace", f"t{seed}.csv"]
Path("bad.csv").write_text("id,queue,user,submit_s,run_s,gpu\nj1,a,u,0,60,-1\n")
Path("lost.csv").write_text("id,queue,user,submit_s,run_s,gpu\nj1,nowhere,u,0,60,1\n")

# One by one, then together.
alone = []
for i, trace in enumerate(traces[1::2]):
    run = sim("cluster.yaml", "--trace", trace, "--out", f"alone/{i + 1}")
    want(f"{trace} alone: {run.stderr}", run.returncode == 0)
    alone.append(json.loads(Path(f"alone/{i + 1}/metrics.json").read_text()))
together = sim(*traces[:4], "cluster.yaml", *traces[4:], "--out", "all", "-o", "json")
want(f"together: {together.stderr}", together.returncode == 0)
for i in (1, 2, 3):
    for name in ("jobs.csv", "timeline.csv", "metrics.json"):
        here, there = Path(f"all/{i}/{name}"), Path(f"alone/{i}/{name}")
        want(f"{here} is not {there}", here.exists() and here.read_bytes() == there.read_bytes())

# Mean and half-width by the textbook: t for two degrees of freedom is 4.303.
spread = json.loads(together.stdout)
want("all/metrics.json is not what was printed", json.loads(Path("all/metrics.json").read_text()) == spread)
for path in (["wait_s", "mean"], ["utilisation"], ["queues", "a", "wait_s", "p95"]):
    values, got = alone, spread
    for key in path:
        values, got = [value[key] for value in values], got[key]
    mean, half = statistics.mean(values), 4.303 * statistics.stdev(values) / 3**0.5
    is_so = abs(got["mean"] - mean) < 1e-9 and abs(got["half_width"] - half) < 1e-6 and got["runs"] == 3
    want(f"{path}: {got}, want {mean} ± {half}", is_so)
want("waits do not scatter", spread["wait_s"]["mean"]["half_width"] > 1)
want("a Jain index of no run", spread["jain"] == {"mean": None, "half_width": None, "runs": 0})
want("digests are no list of three", spread["digest"] == [run["digest"] for run in alone])
text = sim("cluster.yaml", *traces).stdout
for word in ("t1.csv: rows read 9", "t4.csv: rows read 9", "3 runs: mean ± half-width", "utilisation"):
    want(f"the summary lacks {word!r}:\n{text}", word in text)

# One bad trace: all complaints, and nothing runs.
run = sim("cluster.yaml", *traces, "--trace", "bad.csv", "--trace", "lost.csv", "--out", "none")
want(f"a bad trace: exit code {run.returncode}", run.returncode == 2)
want(f"not all complaints: {run.stderr}", "bad.csv:2:13" in run.stderr and "lost.csv" in run.stderr)
want("something ran", run.stdout == "" and not Path("none").exists())

# A warm-up leaves out jobs and time, not decisions.
whole, warm = (json.loads(sim("cluster.yaml", "--trace", "t4.csv", "-o", "json", *more).stdout)
               for more in ([], ["--warmup", "10s"]))
want(f"jobs counted {warm['jobs']}, want 6 of 9", whole["jobs"] == 9 and warm["jobs"] == 6)
# Each job holds 3 GPUs for 88 s; the first 10 s had three submissions, of which two ran, since 0 and 4 s.
left_out = (3 * 10 + 3 * 6) / 3600
want(f"held {warm['held_hours']}", abs(whole["held_hours"] - warm["held_hours"] - left_out) < 1e-9)
want("a warm-up changed a decision", whole["digest"] == warm["digest"])
run = sim("cluster.yaml", "--trace", "t1.csv", "--warmup", "5")
want(f"a warm-up without unit: {run.stderr}", run.returncode == 2 and "--warmup" in run.stderr)

print(f"{bad} things were not as wanted")
sys.exit(1 if bad else 0)
