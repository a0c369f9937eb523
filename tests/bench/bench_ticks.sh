#!/bin/sh
# How punctual rows are while a load and two busy loops take all cores; and the drift at the end.
# Usage: bench_ticks.sh THROTTLOG [SECONDS]
set -eu
bin=$(realpath "$1")
seconds=${2:-60}
dir=$(mktemp -d)
trap 'kill $a $b 2>/dev/null; rm -rf "$dir"' EXIT
(while :; do :; done) & a=$!
(while :; do :; done) & b=$!
"$bin" run "$dir" --region 256M --baseline 0 --time "$seconds" --cooldown 0 --no-tui --quiet \
  -o "$dir/x" >/dev/null 2>&1
kill $a $b
awk -F, '/^[0-9]/ { n++; late = ($1 - n) * 1000; if (late > max) max = late; sum += late; last = $1 }
  END { printf "%d rows, late by %.1f ms in the mean, %.1f ms at most; last row %.1f ms after its time\n",
        n, sum / n, max, (last - n) * 1000 }' "$dir/x.csv"
