#!/bin/sh
# What stops a run of one or several loads: signals at any moment, SIGSTOP, a drive that is lost.
set -u
bin=$(realpath "$THROTTLOG")
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
n=0

ok() { n=$((n + 1)); echo "ok $n - $1"; }
not_ok() { n=$((n + 1)); echo "not ok $n - $1"; shift; printf '# %s\n' "$@"; }
skip() { n=$((n + 1)); echo "ok $n - $1 # SKIP $2"; }
same() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "wanted: $2" "got: $3"; fi; }
phases() {
  grep -v '^#' "$1" | tail -n +2 | cut -d, -f3,4 | uniq | sed 's/,$//; s/,/:/' | tr '\n' ' ' | sed 's/ $//'
}
# Waits until the log $1 has a line that matches $2.
await() {
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
    grep -q -- "$2" "$1" 2>/dev/null && return 0
    sleep 0.2
  done
  return 1
}

# Ctrl-C in each part of a run of two loads.
for part in load,read 'cooldown,' load,write; do
  name=a$(printf %s "$part" | tr -d ',')
  "$bin" run sim:xg5-p --op read,write --baseline 0 --time 40 --rest 20 --cooldown 30 --speed 20 \
    --no-tui -q -o "$name" >out 2>err </dev/null & pid=$!
  await "$name.csv" ",$part,\|,$part" || not_ok "never came to $part"
  kill -INT $pid
  wait $pid
  status=$?
  case $part in
  load,read) want="load:read" ;;
  cooldown,) want="load:read cooldown" ;;
  *) want="load:read cooldown load:write" ;;
  esac
  same "Ctrl-C in $part: status, phases, end" "130 $want end=signal" \
    "$status $(phases "$name.csv") $(tail -1 "$name.csv" | grep -o 'end=.*')"
  "$bin" report --json "$name.csv" >again.json 2>err
  same "Ctrl-C in $part: the report agrees" "" "$(cmp "$name.json" again.json 2>&1)"
  if [ -s "$name.png" ]; then ok "Ctrl-C in $part: the picture is there"; else
    not_ok "Ctrl-C in $part: the picture is there"; fi
done

mkdir files
if ! "$bin" run files --op write --region 16M --time 1 --baseline 0 --cooldown 0 --no-tui -q -o probe >out 2>err; then
  for name in "early signals leave nothing behind" "a stopped program leaves a gap" \
    "reads and writes of a file"; do
    skip "$name" "no direct I/O here"
  done
  echo "1..$n"
  exit 0
fi

# A signal at any moment from the start on: all of the files or none, and no test file.
bad=
for ms in 00 02 05 08 12 18 25 40; do
  "$bin" run files --region 256M --time 1 --baseline 0 --cooldown 0 --no-tui -q -o "s$ms" \
    >out 2>err </dev/null & pid=$!
  sleep "0.$ms"
  kill -TERM $pid 2>/dev/null
  wait $pid 2>/dev/null
  status=$?
  [ $status -eq 143 ] || [ $status -eq 0 ] || bad="$bad $ms:status=$status"
  [ -z "$(ls -A files)" ] || bad="$bad $ms:$(ls -A files)"
  case $(find . -maxdepth 1 -name "s$ms.*" | sort | tr '\n' ' ') in
  "" | "./s$ms.csv ./s$ms.json ./s$ms.png ") ;;
  *) bad="$bad $ms:$(find . -maxdepth 1 -name "s$ms.*" | tr '\n' ' ')" ;;
  esac
done
same "early signals leave nothing behind" "" "$bad"

"$bin" run files --op write --region 16M --time 6 --baseline 0 --cooldown 0 --interval 0.5 --no-tui -q \
  -o gap >out 2>err </dev/null & pid=$!
await gap.csv ',load,write'
kill -STOP $pid
sleep 2.2
kill -CONT $pid
wait $pid
if grep -q 'gap=[2-9][0-9.]*s' gap.csv; then ok "a stopped program leaves a gap"; else
  not_ok "a stopped program leaves a gap" "$(tail -5 gap.csv)"; fi

"$bin" run files --op read,write --region 16M --time 2 --rest 1 --baseline 0 --cooldown 1 --no-tui -q -o both \
  >out 2>err
same "reads and writes of a file" "0 load:read cooldown load:write cooldown" "$? $(phases both.csv)"

echo "1..$n"
