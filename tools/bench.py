#!/usr/bin/env python3
"""The table of DESIGN §10 with our column, ready for docs/internals/performance.md; `./dev bench` calls it.

  tools/bench.py --program BENCH --stint STINT … [NAME…]   all rows, or those of these ids or names
  tools/bench.py --program BENCH --gates                   the gates alone: what ctest runs

Rows on whole runs are CPU seconds of five runs (--runs), parsing included; rows on single decisions come from
stint_bench. Times never fail the command: wrong answers do, and counters above bench/limits.json. A difference
within 20 % means nothing.
"""

import argparse
import math
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
from bench_gates import check_gates, measure, record_limits  # noqa: E402
from bench_macro import SWF_LOGS, Failed, Macro  # noqa: E402
from bench_rows import HEAD, NOT_BUILT, ROWS, Ours, Value, line  # noqa: E402

LIMITS = Path(__file__).resolve().parent.parent / "bench" / "limits.json"

# Row -> workload of stint_bench, its unit and the factor from microseconds.
MICRO = {
    "S6": ("steady-10000", "µs", 1),
    "S7": ("steady-100000", "µs", 1),
    "S9": ("cold", "ms", 1e-3),
    "S10": ("blocked", "µs", 1),
    "S11": ("share", "µs", 1),
    "S11g": ("share-guaranteed", "µs", 1),
    "S11n": ("share-nested", "µs", 1),
    "heap": ("heap", "µs", 1),
}
SCALES = {
    "scale-nodes": ("nodes, 90 % full, nobody waits", "steady", [1_000, 10_000, 100_000]),
    "scale-waiting": ("waiting jobs, 1,000 full nodes, 50 queues", "backlog", [10**3, 10**4, 10**5, 10**6]),
    "scale-nested": ("waiting jobs, 1,000 full nodes, queues below departments", "backlog-nested",
                     [10**3, 10**4, 10**5]),
}


class Micro:
    """Rows from stint_bench; a workload runs once however many rows ask for it."""

    def __init__(self, program):
        self.program = program
        self.seen = {}

    def line(self, name):
        if name not in self.seen:
            self.seen[name] = measure(self.program, name)
        return self.seen[name]

    def row(self, row):
        if row.id == "S13":
            return Ours([Value(self.line(name)["runs"], "B") for name in ("memory-waiting", "memory-finished")])
        name, unit, factor = MICRO[row.id]
        result = self.line(name)
        values = [Value([run * factor for run in result["runs"]], unit)]
        if result["p99"]:
            values.append(Value(result["p99"], unit + " p99"))
        counted = ", ".join(f"{value:.4g} {key}" for key, value in result["counters"].items()
                            if key in ("candidates", "starts", "matches", "allocations", "comparisons"))
        return Ours(values, f"each: {counted}" if counted else "")

    def scale(self, title, prefix, sizes):
        """A table of one workload by size, and the exponent by which its time grows."""
        columns = ["candidates", "searches", "matches", "ranked", "walked", "allocations"]
        print(f"\n| {title} | µs mean | µs p99 | end of a run, µs | {' | '.join(columns)} |")
        print("|---" * (len(columns) + 4) + "|")
        points = []
        for size in sizes:
            result = self.line(f"{prefix}-{size}")
            mean, p99 = Value(result["runs"], ""), Value(result["p99"], "")
            points.append((size, mean.median))
            counters = " | ".join(f"{result['counters'][name]:.4g}" for name in columns)
            print(f"| {size:,} | {str(mean).replace('  ', ' ')} | {p99.median:,.1f} | {result['others']['end_us']:.1f} "
                  f"| {counters} |", flush=True)
        print(f"\nTime grows as size to the power {exponent(points):.2f}.")


def exponent(points):
    """Slope of the line through the logarithms."""
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    return (sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys)) / sum((x - x_mean)**2 for x in xs))


def ours_of(row, micro, macro):
    if row.id in NOT_BUILT:
        return Ours(note=f"not run: waits for {NOT_BUILT[row.id]}")
    try:
        if row.id in MICRO or row.id == "S13":
            return micro.row(row)
        if row.name in SWF_LOGS:
            return macro.easy(row.name)
        return {"S5": macro.year, "S14": macro.imports, "example": macro.sim_example}[row.id]()
    except (Failed, subprocess.CalledProcessError) as failure:
        return Ours(note=f"failed: {failure}", failed=True)


def is_wanted(names, *own):
    """By id, or by a part of a name."""
    lower = [text.lower() for text in own]
    return not names or any(name.lower() == lower[0] or any(name.lower() in text for text in lower[1:])
                            for name in names)


def print_table(args):
    """Whether all answers were right."""
    right = True
    micro = Micro(args.program)
    with tempfile.TemporaryDirectory() as folder:
        macro = Macro(args, folder)
        rows = [row for row in ROWS if is_wanted(args.names, row.id, row.name)]
        if rows:
            print(HEAD)
        for row in rows:
            ours = ours_of(row, micro, macro)
            right = right and not ours.failed
            print(line(row, ours), flush=True)
    for name, (title, prefix, sizes) in SCALES.items():
        if is_wanted(args.names, name, name):
            micro.scale(title, prefix, sizes)
    return right


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", required=True, help="stint_bench")
    parser.add_argument("--stint")
    parser.add_argument("--config")
    parser.add_argument("--trace")
    parser.add_argument("--runs", type=int, default=5, help="of whole programs")
    parser.add_argument("--gates", action="store_true", help="check the gates and nothing else")
    parser.add_argument("--record-limits", action="store_true", help="write bench/limits.json anew")
    parser.add_argument("names", nargs="*", help="ids, or parts of names; `gates` is one")
    args = parser.parse_args()

    if args.record_limits:
        record_limits(args.program, LIMITS)
        return
    held = right = True
    if args.gates or is_wanted(args.names, "gates", "gates"):
        held = check_gates(args.program, LIMITS)
    if not args.gates:
        right = print_table(args)
    if not right:
        print("bench: answers are wrong, see the table", file=sys.stderr)
    sys.exit(0 if held and right else 1)


if __name__ == "__main__":
    main()
