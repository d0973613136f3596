#!/usr/bin/env bash
# What `stint gen` writes is taken by `check` and `sim`, is the same for the same seed, and is there whole or not at
# all.
set -euo pipefail

for preset in philly helios acme pai research year; do
  "$STINT" gen --preset "$preset" --seed 7 --jobs 400 --days 2 --out "$preset" >/dev/null
  "$STINT" check "$preset/cluster.yaml" >/dev/null
  said=$("$STINT" sim "$preset/cluster.yaml" --trace "$preset/trace.csv" --until 4d)
  for words in "rows read 400, rejected 0" "impossible 0"; do
    [[ $said == *"$words"* ]] || { echo "$preset: simulated, but no '$words' in: $said"; exit 1; }
  done
  "$STINT" gen --preset "$preset" --show >shown
  grep -q '^sweep_share=' shown || { echo "$preset: --show shows no sweep_share"; exit 1; }
done

"$STINT" gen --preset philly --seed 7 --jobs 400 --days 2 --out again >/dev/null
cmp philly/trace.csv again/trace.csv
cmp philly/cluster.yaml again/cluster.yaml
"$STINT" gen --preset philly --seed 8 --jobs 400 --days 2 --out other >/dev/null
! cmp -s philly/trace.csv other/trace.csv || { echo "another seed, the same trace"; exit 1; }

# The command in the file's first line gives the same file again.
"$STINT" gen --preset research --seed 3 --jobs 300 --set "gangs=1:50 8:50" --set promised=0.5 --out first >/dev/null
command=$(sed -n '1s/^# Invented; written by: stint //p' first/cluster.yaml)
eval "\"$STINT\" $command --out second" >/dev/null
cmp first/cluster.yaml second/cluster.yaml
cmp first/trace.csv second/trace.csv

# Interrupted: nothing of a new world, and an old one stays. (A shell starts background jobs deaf to Ctrl-C, so the
# signal goes through a process that listens again.)
cp -r first kept
for folder in kept fresh; do
  python3 - "$STINT" "$folder" <<'PY'
import pathlib, signal, subprocess, sys, time
stint, folder = sys.argv[1:]
signal.signal(signal.SIGINT, signal.default_int_handler)
run = subprocess.Popen([stint, "gen", "--preset", "year", "--out", folder], stdout=subprocess.DEVNULL)
part = pathlib.Path(folder, "trace.csv.part")
while run.poll() is None and not (part.exists() and part.stat().st_size):
    time.sleep(0.02)
run.send_signal(signal.SIGINT)
if run.wait() != 130:
    sys.exit(f"interrupted: exit code {run.returncode}, want 130")
PY
done
[[ -z $(ls fresh) ]] || { echo "left behind: $(ls fresh)"; exit 1; }
diff -r first kept
