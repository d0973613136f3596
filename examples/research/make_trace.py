#!/usr/bin/env python3
"""Writes the example's workload: two weeks of six invented teams, the same bytes for the same seed.

    python3 make_trace.py 2026 > trace.csv

People submit by day and on weekdays; sweeps arrive in bursts; lengths are heavy-tailed; limits are guessed
too large; long jobs save. Nothing here is taken from a real site.
"""
import math
import random
import sys

DAY = 86400
SPAN = 14 * DAY

# queue, users, jobs a weekday, (GPUs, tasks, weight) choices, median hours, sigma, share of sweeps
TEAMS = [
    ("vision/train", 6, 34, [(8, 1, 5), (8, 2, 4), (8, 4, 3), (8, 8, 1)], 3.2, 1.2, 0.15),
    ("vision/debug", 8, 70, [(1, 1, 6), (2, 1, 2)], 0.2, 0.8, 0.0),
    ("nlp", 7, 12, [(8, 1, 5), (8, 4, 3), (8, 8, 1), (8, 16, 1)], 3.4, 1.2, 0.05),
    ("robotics", 5, 60, [(1, 1, 6), (2, 1, 3), (4, 1, 2), (8, 1, 2)], 2.2, 1.3, 0.35),
    ("speech", 4, 26, [(4, 1, 3), (8, 1, 4), (8, 2, 3)], 3.0, 1.1, 0.10),
    ("bio", 4, 50, [(1, 1, 8), (4, 1, 2), (8, 1, 1)], 1.6, 1.4, 0.40),
    ("students", 20, 90, [(1, 1, 9), (2, 1, 3), (4, 1, 1)], 1.5, 1.2, 0.10),
]


def busy(t: float) -> float:
    """Relative rate of submissions at second `t`: office hours, quiet nights, half-quiet weekends."""
    hour = t % DAY / 3600
    day = int(t // DAY) % 7
    by_day = 0.25 + 0.75 * math.exp(-(((hour - 14.5) / 4.2) ** 2))
    return by_day * (0.35 if day >= 5 else 1.0)


def arrivals(rng: random.Random, per_day: float):
    """Poisson arrivals of that daily rate, thinned by busy(); the mean of busy() is about 0.47."""
    rate = per_day / 0.47 / DAY
    t = 0.0
    while True:
        t += rng.expovariate(rate)
        if t >= SPAN:
            return
        if rng.random() < busy(t):
            yield t


def limit_of(rng: random.Random, run: int) -> int:
    """People ask for round numbers, and for too much."""
    wanted = run * rng.choice([1.3, 1.6, 2, 3, 5])
    for hours in (0.5, 1, 2, 4, 8, 12, 24, 48, 72, 168):
        if wanted <= hours * 3600:
            return int(hours * 3600)
    return 168 * 3600


def jobs(rng: random.Random):
    for queue, users, per_day, sizes, median_h, sigma, sweeps in TEAMS:
        team = queue.split("/")[0]
        for t in arrivals(rng, per_day):
            # A few people submit most of the work.
            user = f"{team}-{int(users * rng.random() ** 1.8) + 1}"
            gpu, tasks, _ = rng.choices(sizes, weights=[w for _, _, w in sizes])[0]
            copies = rng.randint(6, 24) if rng.random() < sweeps and tasks == 1 else 1
            for _ in range(copies):
                run = int(min(max(median_h * 3600 * math.exp(rng.gauss(0, sigma)), 20), 100 * 3600))
                if copies > 1:
                    run = max(run // 3, 20)
                limit = limit_of(rng, run)
                saves = run > 3600
                priority = 10 if queue == "vision/debug" else 0
                yield (int(t), queue, user, run, limit, tasks, gpu, gpu * 8, gpu * 64 * 1024,
                       priority, 1800 if saves else "", 60 if saves else "", 180 if saves else "")
                t += rng.random() * 3


def main() -> None:
    rng = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 2026)
    print("id,queue,user,submit_s,run_s,limit_s,tasks,gpu,cpu,memory_mib,priority,"
          "ckpt_every_s,ckpt_takes_s,restart_s")
    for n, (t, queue, user, *rest) in enumerate(sorted(jobs(rng), key=lambda j: (j[0], j[1], j[2]))):
        print(f"j{n + 1},{queue},{user},{t}," + ",".join(str(v) for v in rest))


main()
