#!/usr/bin/env python3
"""CPU time and memory of whole runs of the program, parsing included (DESIGN §10).

Each workload runs five times (--runs); the median of user + system seconds, the spread and the largest
memory are printed. Workloads are the shipped example and, where the shared folder is present, first come
first served on its SWF logs. Single short runs mean nothing within 20 %.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

# Log, processors (traces/swf/README.md).
SWF_LOGS = [("kth5k", 100), ("kth", 100), ("hpc2n", 240), ("blue", 1152), ("thunder", 4008)]

FLAT_CONFIG = """\
stint: 1
cluster: {{nodes: [{{name: machine, has: {{cpu: {cpus}}}}}]}}
queues: {{all: {{}}}}
policy: {{order: fifo, backfill: {{reservations: 0}}}}
"""


def run_once(command):
    """(CPU seconds, peak KiB) of one run; stops the program with its output if it fails."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            output.seek(0)
            sys.stderr.buffer.write(output.read()[-4000:])
            sys.exit(f"bench: exit code {process.returncode}: {' '.join(map(str, command))}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def workloads(args, folder):
    """Yields (name, command)."""
    if Path(args.config).exists() and Path(args.trace).exists():
        yield "example", [args.stint, "sim", args.config, "--trace", args.trace]
    else:
        print(f"example: skipped, {args.config} or {args.trace} is absent")
    logs = Path(os.environ.get("STINT_SHARED", "../shared")) / "traces" / "swf"
    for log, cpus in SWF_LOGS:
        trace = logs / f"{log}.swf.gz"
        if not trace.exists():
            print(f"fcfs-{log}: skipped, {trace} is absent")
            continue
        config = folder / f"{log}.yaml"
        config.write_text(FLAT_CONFIG.format(cpus=cpus))
        yield f"fcfs-{log}", [args.stint, "sim", config, "--trace", trace, "--auto-queues"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--stint", required=True)
    parser.add_argument("--config", required=True)
    parser.add_argument("--trace", required=True)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("names", nargs="*", help="only workloads whose name holds one of these")
    args = parser.parse_args()

    # A child starts with the memory of this script as its peak: what is below that cannot be seen.
    floor = run_once(["true"])[1] * 1.02
    print(f"{'workload':<16} {'cpu_s':>9} {'min':>9} {'max':>9} {'peak_mib':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for name, command in workloads(args, Path(folder)):
            if args.names and not any(part in name for part in args.names):
                continue
            runs = [run_once(command) for _ in range(args.runs)]
            seconds = [cpu for cpu, _ in runs]
            peak_kib = max(kib for _, kib in runs)
            peak = f"{'<' if peak_kib <= floor else ''}{peak_kib / 1024:.1f}"
            print(f"{name:<16} {statistics.median(seconds):9.3f} {min(seconds):9.3f} {max(seconds):9.3f} {peak:>9}")


if __name__ == "__main__":
    main()
