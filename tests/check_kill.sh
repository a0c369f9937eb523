#!/bin/sh
# kill -9 at 100 random moments: the log can be read up to its last whole row, verdict and picture
# are whole or not there, and nothing else is left behind, in file mode nothing at all.
set -u
bin=$(realpath "$THROTTLOG")
dir=$(mktemp -d "$(realpath "$BUILD")/kill-XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
mkdir data

# A moment from 0 to $1 ms, as seconds.
moment() { od -An -N2 -tu2 /dev/urandom | awk -v most="$1" '{printf "%.3f", $1 / 65536 * most / 1000}'; }
# killed NAME MOST COMMAND...: starts it, kills it within MOST ms.
killed() {
  name=$1 after=$(moment "$2")
  shift 2
  "$@" >/dev/null 2>&1 </dev/null &
  sleep "$after"
  kill -9 $! 2>/dev/null
  wait $! 2>/dev/null
  echo "$name killed after $after s" >>moments
}
# In four lanes of 25 at once. Half a second for 840 simulated ones, then verdict and picture.
lane() {
  for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
    killed "sim$1-$i" 1000 "$bin" run sim:xg5-p --op write --speed 1700 --no-tui --quiet -o "sim$1-$i"
  done
  for i in 1 2 3 4 5 6; do
    killed "file$1-$i" 800 "$bin" run data --region 2M --op write --baseline 0 --time 5 \
      --interval 0.1 --no-tui --quiet -o "file$1-$i"
  done
  # Past the load: the kill falls on the verdict, the files, the end.
  for i in 7 8 9 10; do
    killed "end$1-$i" 400 "$bin" run sim:bg3 --time 60 --speed max --no-tui --quiet -o "end$1-$i"
  done
}
for l in 1 2 3 4; do lane $l & done
wait

n=0
check() {
  n=$((n + 1))
  if [ -z "$2" ]; then echo "ok $n - $1"; else
    echo "not ok $n - $1"
    echo "$2" | head -n 20 | sed 's/^/# /'
    grep -F -e "$(echo "$2" | head -n 1 | sed 's/\..*//')" moments | sed 's/^/# /'
  fi
}
echo "1..6"
check "100 runs were killed" "$([ "$(wc -l <moments)" = 100 ] || wc -l moments)"
check "most of them had a log" "$([ "$(find . -name '*.csv' | wc -l)" -gt 50 ] || ls)"
unread=$(for log in *.csv; do
  rows=$(grep -c '^[0-9].*$' "$log")
  [ -z "$(tail -c 1 "$log")" ] || rows=$((rows - 1)) # the last one is torn
  "$bin" report --json "$log" >out 2>err || [ "$rows" -eq 0 ] || echo "$log: $(cat err)"
  [ "$rows" -eq 0 ] || grep -q "\"samples\": $rows,\$" out ||
    echo "$log: $rows rows, $(grep samples out)"
done)
rm -f out err
check "every log is read up to its last whole row" "$unread"
check "every verdict is whole" "$(for f in *.json; do
  [ ! -e "$f" ] || [ "$(tail -n 1 "$f")" = "}" ] || echo "$f"; done)"
check "every picture is whole" "$(for f in *.png; do
  [ ! -e "$f" ] || tail -c 12 "$f" | grep -aq IEND || echo "$f"; done)"
"$bin" run sim:xg5 --time 10 --speed max --no-tui --quiet -o after >/dev/null 2>&1
left=$(find . -mindepth 1 ! -name '*.csv' ! -name '*.json' ! -name '*.png' ! -name moments ! -name data)
check "nothing else is left, and no file of a load" "$left$(ls -A data)"
