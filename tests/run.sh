#!/bin/sh
# Runs test programs and scripts, each of which prints TAP, and ends with one line of totals.
# Usage: tests/run.sh PROGRAM...   A program that dies without a failed line counts as one failure.
set -u
export CMOCKA_MESSAGE_OUTPUT=TAP
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
passed=0 failed=0 skipped=0
for t in "$@"; do
  timeout -k 10 900 "$t" >"$log" 2>&1 </dev/null
  status=$?
  # cmocka writes a skipped test as "not ok N # SKIP name".
  sed -i 's/^not ok \([0-9]* # SKIP\)/ok \1/' "$log"
  p=$(grep -c '^ok ' "$log")
  s=$(grep -c '^ok .*# SKIP' "$log")
  f=$(grep -c '^not ok ' "$log")
  p=$((p - s))
  if [ "$f" -eq 0 ] && { [ "$status" -ne 0 ] || [ $((p + s)) -eq 0 ]; }; then f=1; fi
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
  printf '%-40s %3d passed' "${t##*/}" "$p"
  [ "$s" -gt 0 ] && printf ', %d skipped' "$s"
  [ "$f" -gt 0 ] && printf ', %d FAILED (exit status %d)' "$f" "$status"
  printf '\n'
  grep '^ok .*# SKIP' "$log"
  if [ "$f" -gt 0 ]; then sed 's/^/    /' "$log"; fi
done
printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
[ "$failed" -eq 0 ]
