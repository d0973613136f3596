"""Rows that run the whole program: CPU seconds with parsing, peak memory, and whether the answers are right."""

import csv
import gzip
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from bench_rows import Ours, Value

# Log -> processors (traces/swf/README.md of the shared folder).
SWF_LOGS = {"kth": 100, "hpc2n": 240, "blue": 1152, "thunder": 4008}
YEAR_SECONDS_MAX = 600  # of CPU time

FLAT_CONFIG = """\
stint: 1
cluster: {{nodes: [{{name: machine, has: {{cpu: {cpus}}}}}]}}
queues: {{all: {{}}}}
policy: {{order: fifo, backfill: {{reservations: 1}}, instant: submit_first}}
"""


class Failed(Exception):
    """The program did not do what the row asks of it."""


def run_once(command, output=None, seconds=None):
    """(CPU seconds, peak bytes) of one run of at most that many CPU seconds. Its output goes to the file `output`,
    else nowhere."""
    limit = (lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))) if seconds else None
    with open(output or os.devnull, "wb") as out, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=out, stderr=errors,
                                   preexec_fn=limit)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            errors.seek(0)
            sys.stderr.buffer.write(errors.read()[-4000:])
            raise Failed(f"exit code {process.returncode}: {' '.join(map(str, command))}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


class Macro:
    def __init__(self, args, folder):
        self.stint = args.stint
        self.example = (args.config, args.trace)
        self.runs = args.runs
        self.year_folder = Path(os.environ.get("STINT_YEAR", "build/bench/year"))
        self.logs = Path(os.environ.get("STINT_SHARED", "../shared")) / "traces" / "swf"
        self.folder = Path(folder)
        # A child starts with the memory of this script as its peak: what is below that cannot be seen.
        self.floor = run_once(["true"])[1] * 1.02

    def measure(self, command, runs=None, seconds=None):
        """Values of CPU and memory."""
        seen = [run_once(command, seconds=seconds) for _ in range(runs or self.runs)]
        return Value([cpu for cpu, _ in seen], "s"), Value([peak for _, peak in seen], "bytes")

    def peak_note(self, peak):
        mark = "at most " if max(peak.runs) <= self.floor else ""
        return f"peak {mark}{max(peak.runs) / 2**20:.0f} MiB"

    def sim_example(self):
        config, trace = self.example
        cpu, peak = self.measure([self.stint, "sim", config, "--trace", trace])
        return Ours([cpu], self.peak_note(peak))

    def easy(self, log):
        trace = self.logs / f"{log}.swf.gz"
        if not trace.exists():
            return Ours(note=f"not run: {trace} is absent")
        config = self.folder / f"{log}.yaml"
        config.write_text(FLAT_CONFIG.format(cpus=SWF_LOGS[log]))
        command = [self.stint, "sim", config, "--trace", trace, "--auto-queues"]
        cpu, peak = self.measure(command)
        out = self.folder / log
        run_once([*command, "--out", out])
        wrong, jobs = compare_waits(out / "jobs.csv", self.logs / "expected" / f"{log}.easy.wait.gz")
        answers = f"{wrong:,} of {jobs:,} waits differ" if wrong else f"all {jobs:,} waits right"
        return Ours([cpu], f"{self.peak_note(peak)}; {answers}", failed=wrong > 0)

    def year(self):
        folder = self.year_folder
        if not (folder / "trace.csv").exists():
            make = [self.stint, "gen", "--preset", "year", "--seed", "1", "--out", folder]
            try:
                print(f"bench: making {folder}", file=sys.stderr)
                run_once(make)
            except Failed:
                shown = " ".join(map(str, make[1:]))
                return Ours(note=f"not run: {folder} is absent, make it with `stint {shown}`")
        command = [self.stint, "sim", folder / "cluster.yaml", "--trace", folder / "trace.csv"]
        try:
            cpu, peak = self.measure(command, runs=1, seconds=YEAR_SECONDS_MAX)
            if cpu.median < 60:
                more = self.measure(command, runs=self.runs - 1) if self.runs > 1 else None
                if more:
                    cpu.runs += more[0].runs
                    peak.runs += more[1].runs
        except Failed as failure:
            return Ours(note=f"not done within {YEAR_SECONDS_MAX} CPU seconds: {failure}")
        return Ours([cpu, peak], f"{len(cpu.runs)} run{'s' if len(cpu.runs) > 1 else ''}")

    def rows_per_second(self, source, rows):
        cpu, _ = self.measure([self.stint, "import", source])
        return Value([rows / seconds / 1e6 for seconds in cpu.runs], "M rows/s")

    def imports(self):
        swf = self.logs / "RICC-2010-2.swf.gz"
        if not swf.exists():
            return Ours(note=f"not run: {swf} is absent")
        as_csv = self.folder / "ricc.csv"
        run_once([self.stint, "import", swf], output=as_csv)
        with as_csv.open("rb") as file:
            rows = sum(1 for _ in file) - 1
        values = [self.rows_per_second(swf, rows), self.rows_per_second(as_csv, rows)]
        return Ours(values, f"{rows:,} rows, read and written as CSV; the SWF unpacked as well")


def compare_waits(jobs_csv, expected):
    """(jobs whose wait differs or that did not end well, jobs)."""
    with gzip.open(expected, "rt") as file:
        waits = [int(text) for text in file]
    with open(jobs_csv, newline="") as file:
        ours = [float(job["start_s"]) - float(job["submit_s"]) if job["state"] == "done" else None
                for job in csv.DictReader(file)]
    differing = sum(a != b for a, b in zip(ours, waits))
    return differing + abs(len(ours) - len(waits)), len(waits)
