#!/usr/bin/env bash
# run_fuzzer.sh clean|crash PROGRAM CORPUS WORK: runs a libFuzzer program for $STINT_FUZZ_SECONDS (default 10).
#
# `clean`: passes if nothing was found. `crash`: passes if the planted fault was found in that time.
# WORK (in the build folder) keeps new inputs and crashes; CORPUS is only read.
set -euo pipefail
expected=$1 program=$2 corpus=$3 work=$4
seconds=${STINT_FUZZ_SECONDS:-10}

mkdir -p "$work/found"
folders=("$work/found")
if [[ -d $corpus ]]; then folders+=("$corpus"); fi
if [[ $expected == crash ]]; then
  rm -rf "$work/found" && mkdir -p "$work/found"  # each time from nothing: yesterday's find proves nothing
fi

log=$work/log
status=0
"$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
  -artifact_prefix="$work/" "${folders[@]}" >"$log" 2>&1 || status=$?
tail -n 40 "$log"

case $expected in
  clean)
    if [[ $status -ne 0 ]]; then
      echo "$(basename "$program") found a fault; the input stands in $work, the whole log in $log"
    fi
    exit "$status"
    ;;
  crash)
    if [[ $status -eq 0 ]] || ! grep -q '^SUMMARY: ' "$log"; then
      echo "$(basename "$program") must find its planted fault within $seconds s and did not: this harness is blind"
      exit 1
    fi
    echo "found the planted fault, as it must"
    ;;
esac
