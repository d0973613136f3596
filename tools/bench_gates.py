"""Gates: how much work small fixed workloads may cost, by counters that are the same on every machine.

bench/limits.json holds what was counted when a limit was last set, and why it was moved. More than 2 % above it
fails; times never do.
"""

import json
import subprocess

ALLOWED = 1.02


def measure(program, name):
    """The line that a workload of stint_bench prints."""
    output = subprocess.run([program, name], check=True, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL).stdout
    return json.loads(output)


def check_gates(program, path, report=print):
    """Whether every counter is within its limit; tells each that is not."""
    held = True
    limits = json.loads(path.read_text())
    for name, gate in limits.items():
        counters = measure(program, name)["counters"]
        for counter, limit in gate["counters"].items():
            seen = counters.get(counter)
            if seen is None or seen > limit * ALLOWED + 1e-9:
                held = False
                report(f"gate {name}: {counter} {seen}, limit {limit} (bench/limits.json)")
            elif seen < limit / ALLOWED - 1e-9:
                report(f"gate {name}: {counter} {seen}, below its limit {limit}: lower it with --record-limits")
    report(f"gates: {len(limits)} workloads, {'every counter within its limit' if held else 'exceeded'}")
    return held


def record_limits(program, path):
    """Writes what is counted now as limits; each reason stays and is to be brought up to date by hand."""
    limits = json.loads(path.read_text())
    for name, gate in limits.items():
        gate["counters"] = measure(program, name)["counters"]
    path.write_text(json.dumps(limits, indent=2) + "\n")
