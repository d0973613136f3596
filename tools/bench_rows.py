"""The speed targets of DESIGN §10 and how a measured value is set beside them."""

import statistics
from dataclasses import dataclass, field

MIB, GIB = 2**20, 2**30


@dataclass
class Row:
    """A line of the table. `limits` are (must, stretch) for each of the row's values, in the order in which it
    gives them; None where there is nothing to be held to."""
    id: str
    name: str  # what `./dev bench NAME` goes by, beside the id
    work: str
    must: str = "–"
    stretch: str = "–"
    peers: str = "–"
    limits: list = field(default_factory=list)
    more_is_better: bool = False


ROWS = [
    Row("S1", "kth", "EASY, KTH, 27,992 jobs", "0.05 s", "0.02",
        "pyss 1.74 s, CQSim 2.74, Alea 9.1, Batsim 10.3, AccaSim 13.9", [(0.05, 0.02)]),
    Row("S2", "hpc2n", "EASY, HPC2N, 202,876 jobs", "0.5 s", "0.15",
        "pyss 115 s, Batsim 61", [(0.5, 0.15)]),
    Row("S3", "blue", "EASY, SDSC Blue, 232,536 jobs", "0.45 s", "0.15", "pyss 46.6 s",
        [(0.45, 0.15)]),
    Row("S4", "conservative", "conservative, SDSC Blue", "6 s", "1.2", "pyss 122 s"),
    Row("S5", "year", "a year of a 100,000-GPU cluster: 10 M jobs, tree, shares, gangs, one thread", "30 s, 1.5 GiB",
        "8 s, 600 MiB", "none runs it", [(30, 8), (1.5 * GIB, 600 * MIB)]),
    Row("S6", "steady", "one full decision (turn, quota, placement, commit), 10,000 nodes, 1–8 GPU jobs",
        "5 µs mean, 20 µs p99", "1 µs", "Fluxion 287 µs, HiveD 614 µs (4,096 nodes)", [(5, 1), (20, 20)]),
    Row("S7", "steady-100000", "the same at 100,000 nodes", "8 µs", "2 µs", "flow solver 11.6 s a solve", [(8, 2)]),
    Row("S8", "gang", "64-node gang in one block, 10,000 nodes", "50 µs", "10 µs", "Fluxion 872 µs p99 for 8 nodes"),
    Row("S9", "cold", "cold pass: 100,000 waiting jobs, 10,000 nodes, 1,000 tenants", "200 ms", "50 ms",
        "Mesos 1.06 s for 1,000 frameworks; KAI minutes at 1,000 nodes", [(200, 50)]),
    Row("S10", "blocked", "a pass in which nothing can start, 100,000 waiting", "100 µs", "10 µs", "Mesos 13 s",
        [(100, 10)]),
    Row("S11", "share", "share update and pick, 10,000 tenants: root, 100 queues, 100 users each", "1 µs", "0.3 µs",
        "re-sorting: 450 µs", [(1, 0.3)]),
    Row("S11g", "share-guaranteed", "the same, queues with guarantee and limit", "1 µs", "0.3 µs", "–", [(1, 0.3)]),
    Row("S11n", "share-nested", "the same, queues below 10 departments that have them", "1 µs", "0.3 µs", "–",
        [(1, 0.3)]),
    Row("S12", "reclaim", "reclaim plan for 64 GPUs at 1,000 nodes; 2,000-GPU reclaim; 4,000 single reclaims",
        "5 ms; 50 ms; 1 s", "0.5 ms", "KAI 9 s at 500 nodes; 102 s; 694 s"),
    Row("S13", "memory", "memory per waiting job / per finished job kept", "160 B / 64 B", "96 / 32",
        "pyss and Batsim 5 KB", [(160, 96), (64, 32)]),
    Row("S14", "import", "SWF import (RICC) / CSV import (the same)", "1.5 M rows/s", "5 M", "–",
        [(1.5, 5), (1.5, 5)], True),
    Row("S15", "live", "live: durable submit to decision, 10,000 nodes", "5,000/s, p99 10 ms", "20,000/s, 2 ms",
        "Slurm 500 jobs/s, Nomad 1,500/s, YuniKorn 833 pods/s, Kueue 43/s"),
    # Not in DESIGN's table.
    Row("heap", "heap", "event heap of 100,000: one out, one in"),
    Row("example", "example", "the shipped example, 64 nodes, two weeks"),
    Row("thunder", "thunder", "EASY, LLNL Thunder, 113,613 jobs"),
]

NOT_BUILT = {
    "S4": "conservative reservations",
    "S8": "an index of domains",
    "S12": "preemption",
    "S15": "the service",
}


@dataclass
class Value:
    """Runs of one measurement."""
    runs: list
    unit: str

    @property
    def median(self):
        return statistics.median(self.runs)

    def __str__(self):
        if len(self.runs) == 1:
            return f"{digits(self.median)} {self.unit}"
        return f"{digits(self.median)} {self.unit} ({digits(min(self.runs))}–{digits(max(self.runs))})"


@dataclass
class Ours:
    """What a row has come to. `failed`: the answers were wrong."""
    values: list = field(default_factory=list)
    note: str = ""
    failed: bool = False


def digits(value):
    """Three significant digits, no exponent."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.{1 if value >= 10 else 2 if value >= 1 else 3}f}"


def verdict(row, ours):
    """`stretch`, `must`, or by what factor the worst value misses what it must reach."""
    pairs = list(zip(ours.values, row.limits))
    if not pairs:
        return ""

    def factor(value, limit):
        return limit / value.median if row.more_is_better else value.median / limit

    if all(factor(value, stretch) <= 1 for value, (_, stretch) in pairs):
        return "reaches the stretch"
    worst = max(factor(value, must) for value, (must, _) in pairs)
    return "reaches the must" if worst <= 1 else f"**{digits(worst)} × the must**"


def line(row, ours):
    parts = [", ".join(map(format_value, ours.values)), verdict(row, ours), ours.note]
    return f"| {row.id} | {row.work} | {row.must} | {row.stretch} | {'; '.join(filter(None, parts))} | {row.peers} |"


def format_value(value):
    if value.unit != "bytes":
        return str(value)
    return str(Value([peak / MIB for peak in value.runs], "MiB"))


HEAD = "| id | work | must | stretch | ours: median (min–max) | peers from DESIGN §10 |\n|---|---|---|---|---|---|"
