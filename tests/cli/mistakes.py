#!/usr/bin/env python3
"""Ordinary mistakes: each gives one clear answer, the right exit code, and leaves nothing behind."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

stint = os.environ["STINT"]
here = Path.cwd()
bad = 0


def expect(text, code, *words, args):
    """Runs `stint ARGS` and wants that exit code and each word somewhere in what it prints."""
    global bad
    run = subprocess.run([stint, *map(str, args)], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    said = run.stdout + run.stderr
    missing = [word for word in words if word not in said]
    if run.returncode != code or missing:
        bad += 1
        print(f"{text}: exit code {run.returncode}, want {code}; missing {missing}; it said:\n{said}")


def write(name, text):
    (here / name).write_text(text)
    return name


cluster = write(
    "cluster.yaml",
    "stint: 1\ncluster: {nodes: [{name: n1, has: {gpu: 8, cpu: 64}}]}\nqueues: {a: {}}\n",
)
trace = write("trace.csv", "id,queue,user,submit_s,run_s,gpu\nj1,a,u,0,60,1\nj2,a,u,0,60,9\n")
write("broken.csv", "id,queue,user,submit_s,run_s,gpu\nj1,a,u,0,60,-1\n")
write("column.csv", "id,queue,user,submit_s,run_s,gpus\nj1,a,u,0,60,1\n")
write("lost.csv", "id,queue,user,submit_s,run_s,gpu\nj1,b,u,0,60,1\n")
write("level.csv", "id,queue,user,submit_s,run_s,gpu,tasks,together\nj1,a,u,0,60,8,2,nod\n")
write("apart.csv", "id,queue,user,submit_s,run_s,gpu,tasks,together\nj1,a,u,0,60,8,2,node\n")
write("word.swf", "1 0 -1 ten 4 -1 -1 4 60 -1 1 1 1 -1 1 1 -1 -1\n")
(here / "cut.csv.gz").write_bytes(gzip.compress(Path("trace.csv").read_bytes())[:-6])

expect("no verb", 64, "--help", args=[])
expect("a misspelt verb", 64, "simm", "did you mean sim", args=["simm"])
expect("an unknown option", 64, "--outt", args=["sim", cluster, "--outt", "x"])
expect("a wrong choice", 64, "file,run,none", args=["sim", cluster, "--trace", trace, "--limits", "all"])
expect("nothing to simulate", 64, "--trace", args=["sim", cluster])
expect("a file that is not there", 2, "nofile.yaml", args=["check", "nofile.yaml"])
expect("a folder without scenarios", 2, "no *.yaml", args=["test", os.environ["STINT_SOURCE_DIR"] + "/tools"])
expect("a duration without unit", 2, "--until", "unit", args=["sim", cluster, "--trace", trace, "--until", "5"])
expect("a negative amount in a row", 2, "broken.csv:2:13", args=["sim", cluster, "--trace", "broken.csv", "--out", "o"])
expect("an unknown column", 2, "column.csv:1:30", "did you mean", args=["sim", cluster, "--trace", "column.csv"])
expect("a queue that the tree lacks", 2, "lost.csv", "--auto-queues", args=["sim", cluster, "--trace", "lost.csv"])
expect("a level that is none", 2, "together", 'did you mean "node"', args=["sim", cluster, "--trace", "level.csv"])
expect("a gang larger than its domain", 0, "impossible 1", args=["sim", cluster, "--trace", "apart.csv"])
expect("a word where a number belongs", 2, "word.swf:1:8", args=["import", "word.swf", "--out", "o.csv"])
expect("a file that is cut off", 2, "cut.csv.gz", args=["sim", cluster, "--trace", "cut.csv.gz", "--out", "o"])
gen = ["gen", "--preset", "research", "--jobs", 50]
expect("a misspelt preset", 64, "did you mean philly", args=["gen", "--preset", "phily", "--out", "g"])
expect("no preset", 64, "--preset", args=["gen", "--out", "g"])
expect("a generator with nowhere to write", 64, "--out", args=gen)
expect("a misspelt parameter", 2, "did you mean sweep_share", args=[*gen, "--out", "g", "--set", "sweep_shar=0.1"])
expect("a parameter without value", 2, "KEY=VALUE", args=[*gen, "--out", "g", "--set", "sweep_share"])
expect("a negative load", 2, "load", "0.85", args=[*gen, "--out", "g", "--load", "-1"])
expect("a load of nothing", 2, "load", "outside 0.001", args=[*gen, "--out", "g", "--load", "0"])
all_four = ["--days", 1, "--nodes", 3, "--set", "stretch=1"]
expect("everything given", 2, "leave one out", args=[*gen, "--out", "g", *all_four])
expect("tasks that no node holds", 2, "no node", "cpu_per_gpu", args=[*gen, "--out", "g", "--set", "cpu_per_gpu=100"])
expect("a folder that is a file", 1, "cluster.yaml", args=[*gen, "--out", "cluster.yaml"])
expect("a folder inside a file", 1, "cannot be made", args=[*gen, "--out", "cluster.yaml/g"])
for leftover in ("g", "o", "o.csv", "o.csv.part"):
    if (here / leftover).exists():
        bad += 1
        print(f"{leftover} was left behind by a run that was refused")

expect("a request that can never start", 0, "impossible 1", args=["sim", cluster, "--trace", trace, "--out", "good"])
for name in ("jobs.csv", "metrics.json", "timeline.csv"):
    if not (here / "good" / name).exists():
        bad += 1
        print(f"good/{name} is missing")
print(f"{bad} mistakes answered badly")
sys.exit(1 if bad else 0)
