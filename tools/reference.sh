#!/usr/bin/env bash
# reference.sh [--check] STINT: writes the generated pages of docs/reference, which the program prints from its own
# tables. With --check it writes nothing and fails where a page is not what the program would print.
set -euo pipefail
cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.."

check=false
if [[ ${1:-} == --check ]]; then
  check=true
  shift
fi
stint=${1:?usage: reference.sh [--check] STINT}

declare -A pages=([cli]=cli.md [config]=config.md [config-schema]=config.schema.json
  [scenario-schema]=scenario.schema.json [gen]=gen.md)

status=0
for page in cli config config-schema scenario-schema gen; do
  file=docs/reference/${pages[$page]}
  text=$("$stint" reference "$page")
  if ! $check; then
    printf '%s\n' "$text" >"$file"
    echo "wrote $file"
  elif [[ ! -f $file ]] || ! diff -u --label "$file" --label "stint reference $page" "$file" - <<<"$text"; then
    echo "$file is not what the program prints: run tools/reference.sh build/dev/stint"
    status=1
  fi
done
exit "$status"
