#!/usr/bin/env bash
# compare_digests.sh [--sim CONFIG TRACE] STINT STINT…: do differently compiled programs decide alike?
#
# Runs every scenario of tests/scenarios (without the waiting and the refused ones), and the simulation if one is
# given, with each program, and compares the digests of all decisions with those of the first; also the bytes of a small
# world of each preset of `stint gen`. Prints one line per program; exit 0 if all agree, else 1 with the differences.
# An empty answer is a failure.
set -euo pipefail
cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.."

config='' trace=''
if [[ ${1:-} == --sim ]]; then
  config=$2 trace=$3
  shift 3
fi
if (($# < 2)); then
  echo "usage: compare_digests.sh [--sim CONFIG TRACE] STINT STINT…" >&2
  exit 64
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Scenario files that should pass, sorted by name.
waiting=$(sed -nE 's|^([^# ]+\.yaml) .*|tests/scenarios/\1|p' tests/scenarios/waiting.txt 2>/dev/null || true)
mapfile -t files < <(find tests/scenarios -name '*.yaml' -not -path '*/refused/*' | LC_ALL=C sort |
  grep -vxF "${waiting:-/}")
if ((${#files[@]} == 0)); then
  echo "compare_digests: no scenario below tests/scenarios" >&2
  exit 1
fi

# digests STINT: one line `DIGEST NAME` for each scenario, for each generated world and for the simulation.
digests() {
  local out="$work/out" lines status=0
  # Whether expectations hold is for `stint test` in ctest to say: exit code 1 is an answer here.
  "$1" test --digest "${files[@]}" >"$work/answer" || status=$?
  if ((status > 1)); then return 1; fi
  lines=$(grep -E '^[0-9a-f]{8,} ' "$work/answer") || return 1
  if (($(wc -l <<<"$lines") != ${#files[@]})); then
    echo "compare_digests: $1 gave $(wc -l <<<"$lines") digests for ${#files[@]} scenarios" >&2
    return 1
  fi
  printf '%s\n' "$lines"
  for preset in philly helios acme pai research year; do
    rm -rf "$out"
    "$1" gen --preset "$preset" --seed 7 --jobs 20000 --out "$out" >/dev/null || return 1
    printf '%s gen %s\n' "$(cat "$out/cluster.yaml" "$out/trace.csv" | sha256sum | cut -c1-16)" "$preset"
  done
  if [[ -n $config ]]; then
    rm -rf "$out"
    "$1" sim "$config" --trace "$trace" --out "$out" >/dev/null || return 1
    lines=$(sed -nE 's/.*"digest": *"?([0-9a-fA-F]+).*/\1/p' "$out/metrics.json" | head -n 1)
    if [[ -z $lines ]]; then return 1; fi
    printf '%s %s\n' "$lines" "$trace"
  fi
}

status=0
first=$1
for stint; do
  if ! digests "$stint" >"$work/now"; then
    echo "compare_digests: $stint gave no complete list of digests" >&2
    exit 1
  fi
  if [[ $stint == "$first" ]]; then cp "$work/now" "$work/first"; fi
  if diff -u --label "$first" "$work/first" --label "$stint" "$work/now"; then
    echo "$(sha256sum <"$work/now" | cut -c1-16) over $(wc -l <"$work/now") digests: $stint"
  else
    status=1
  fi
done
exit "$status"
