#!/bin/sh
# The command line as a user types it: what works, what is refused, with which status and words.
set -u
bin=$(realpath "$THROTTLOG")
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
n=0
# The plan stands at the end.

ok() { n=$((n + 1)); echo "ok $n - $1"; }
not_ok() { n=$((n + 1)); echo "not ok $n - $1"; shift; printf '# %s\n' "$@"; }

# expect NAME STATUS PATTERN COMMAND...: exit status, and one line on stderr that has PATTERN.
expect() {
  name=$1 want=$2 pattern=$3
  shift 3
  "$@" >out 2>err </dev/null
  got=$?
  if [ "$got" -ne "$want" ]; then not_ok "$name" "status $got, wanted $want" "$(cat err)"
  elif [ -n "$pattern" ] && ! grep -q -- "$pattern" err; then not_ok "$name" "no '$pattern' in:" "$(cat err)"
  elif [ -n "$pattern" ] && [ "$(wc -l <err)" -gt 1 ]; then not_ok "$name" "more than one line" "$(cat err)"
  else ok "$name"; fi
}
fast="--speed max --no-tui --quiet"

expect "no command is a usage error" 2 "" "$bin"
expect "help" 0 "" "$bin" --help
expect "help of a command" 0 "" "$bin" run --help
expect "version" 0 "" "$bin" --version
expect "unknown command, nearest named" 2 "did you mean report" "$bin" reprot
expect "unknown option, nearest named" 2 "did you mean --cooldown" "$bin" run --cooldwn 5 sim:xg5
expect "option without its value" 2 "needs a value" "$bin" run sim:xg5 --time
expect "no target" 2 "needs TARGET" "$bin" run
expect "unknown preset, nearest named" 2 "did you mean sim:xg5-p" "$bin" run sim:xg5p
expect "no such device" 1 "no such device" "$bin" run /dev/nvme99n1
expect "not a drive" 2 "not a drive" "$bin" run /dev/null
mkfifo pipe
expect "a pipe" 2 "not a drive" "$bin" run pipe
expect "queue depth 0" 2 "qd 0" "$bin" run --qd 0 sim:xg5
expect "queue depth 1025" 2 "1 to 1024" "$bin" run --qd 1025 sim:xg5
expect "block size that does not fit" 2 "multiple of its logical block" "$bin" run --bs 1000 sim:xg5
expect "region larger than the device" 2 "larger than" "$bin" run --region 9P sim:xg5
expect "region smaller than a block" 2 "less than one block" "$bin" run --region 512 sim:xg5
expect "unknown engine" 2 "expected auto" "$bin" run --engine posix sim:xg5
expect "bad duration" 2 "expected a duration" "$bin" run --time 5x sim:xg5
expect "bad requirement" 2 "" "$bin" run --require speed sim:xg5
expect "bad picture name" 2 "must end in" "$bin" run --picture a.jpg sim:xg5
expect "speed of a real drive" 2 "simulated drives only" "$bin" run --speed 2 .
expect "simulated and real drives" 2 "cannot run together" "$bin" run sim:xg5 .
expect "output directory is missing" 1 "cannot write to nowhere.*-o" "$bin" run -o nowhere/x sim:xg5

# shellcheck disable=SC2086 # $fast is a list of words
{
expect "a run of a simulated drive" 0 "" "$bin" run sim:xg5-p --op write $fast -o a
expect "output exists" 1 "never overwritten" "$bin" run sim:xg5-p $fast -o a
expect "same seed" 0 "" "$bin" run sim:xg5-p --op write --speed 100000 --no-tui -q -o b
expect "other seed" 0 "" "$bin" run sim:xg5-p --op write --seed 2 $fast -o c
if cmp -s a.csv b.csv; then ok "same seed, same log"; else not_ok "same seed, same log"; fi
if cmp -s a.csv c.csv; then not_ok "other seed, other log"; else ok "other seed, other log"; fi
expect "report" 0 "" "$bin" report --json a.csv
if cmp -s out a.json; then ok "report gives the verdict of the run"; else
  not_ok "report gives the verdict of the run" "$(diff out a.json)"; fi
"$bin" report a.csv --picture again.png >out 2>err
if cmp -s a.png again.png; then ok "report gives the picture of the run"; else
  not_ok "report gives the picture of the run"; fi
expect "a drive that keeps records" 0 "" "$bin" run sim:mte850,pel,ocp --op write --events $fast -o rec
if grep -q '"certainty": "confirmed"' rec.json && grep -q 'persistent event log: self-throttling began' rec.json &&
  grep -q 'OCP log: [0-9]* more' rec.json; then ok "its records confirm"; else not_ok "its records confirm"; fi
expect "report of its log" 0 "" "$bin" report --json rec.csv
if cmp -s out rec.json; then ok "the log alone has the records"; else not_ok "the log alone has the records"; fi
expect "no such record" 2 ",pel and ,ocp" "$bin" run sim:mte850,smart $fast -o no
expect "requirement met" 0 "" "$bin" report a.csv --require 'max_temp<=85'
expect "requirement not met" 3 "" "$bin" report a.csv --require no-throttle
expect "requirement not met by a run" 3 "" "$bin" run sim:bg3 $fast -o d --require no-throttle
expect "requirement met by a run" 0 "" "$bin" run sim:mte850 $fast -o e --require no-throttle
expect "stop temperature" 6 "" "$bin" run sim:xg5-p --op write --stop-temp 70 $fast -o f
if grep -q 'stop_temp=7' f.csv && grep -q 'end=stop_temp' f.csv && grep -q ',cooldown,' f.csv
then ok "the stop is in the log, and the cool-down"; else not_ok "the stop is in the log"; fi
expect "two drives" 0 "" "$bin" run sim:xg5 sim:mte850 $fast -o g
if [ -s g-1.csv ] && [ -s g-2.csv ] && [ -s g-1.json ] && [ -s g-2.json ] && [ -s g.png ]
then ok "two logs, one picture"; else not_ok "two logs, one picture" "$(ls)"; fi
expect "until steady" 0 "" "$bin" run sim:m8v --until-steady --time 3600 $fast -o h
if grep -q 'end=steady' h.csv; then ok "ends when steady"; else not_ok "ends when steady"; fi
}

"$bin" run sim:xg5 --speed 10 --no-tui -q -o s >out 2>err & pid=$!
sleep 1.5
kill -INT $pid; wait $pid; status=$?
if [ $status -eq 130 ] && grep -q 'end=signal' s.csv && [ -s s.json ] && [ -s s.png ]
then ok "SIGINT: status 130, files complete"; else
  not_ok "SIGINT: status 130, files complete" "status $status" "$(cat err)"; fi
for sig in TERM:143 HUP:129; do
  "$bin" run sim:xg5 --speed 10 --no-tui -q -o "s${sig%:*}" >out 2>err & pid=$!
  sleep 1
  kill "-${sig%:*}" $pid; wait $pid; status=$?
  if [ $status -eq "${sig#*:}" ] && [ -s "s${sig%:*}.json" ]; then ok "SIG${sig%:*}"; else
    not_ok "SIG${sig%:*}" "status $status"; fi
done
"$bin" run sim:xg5 --speed 10 --no-tui -q -o k >out 2>err & pid=$!
sleep 1.5
kill -KILL $pid; wait $pid 2>/dev/null
expect "a log whose run was killed" 0 "" "$bin" report --json k.csv
if grep -q '"end_reason": *"unknown"' out; then ok "its end is unknown"; else
  not_ok "its end is unknown" "$(grep end_reason out)"; fi

expect "compare of two logs" 0 "" "$bin" compare a.csv d.csv -o both
if grep -q '^throttles after, s .* (-' out && [ -s both.png ]; then ok "compare says what differs"; else
  not_ok "compare says what differs" "$(cat out)"; fi
# A write that falls after 90 GB, up to 66 °C bare and up to 42 °C with a fan.
cache_log() {
  awk -v hot="$1" 'BEGIN {
    print "# op: write"; print "time_s,op,mb_s,temp_c"
    for (i = 1; i <= 260; i++)
      printf "%d,write,%d,%d\n", i, (i <= 60 ? 1500 : 450) + i % 3, i <= 60 ? 30 + (hot - 30) * i / 60 : hot }'
}
cache_log 66 >bare.csv
cache_log 42 >fan.csv
expect "compare of two coolings" 0 "" "$bin" compare bare.csv fan.csv
if grep -q 'fall after 90 and 90 GB, at 66 and 42 °C: the end of a cache, not heat' out
then ok "compare names the cache"; else not_ok "compare names the cache" "$(cat out)"; fi
expect "report with a prefix" 0 "" "$bin" report a.csv -o once
if cmp -s once.json a.json && cmp -s once.png a.png && [ ! -e once.csv ]
then ok "report -o writes JSON and picture, no log"; else
  not_ok "report -o writes JSON and picture, no log" "$(ls once*)"; fi
expect "report of two with a prefix" 0 "" "$bin" report a.csv c.csv -o duo
if cmp -s duo-1.json a.json && cmp -s duo-2.json c.json && [ -s duo.png ]; then
  ok "report of two logs: a JSON each, one picture"; else
  not_ok "report of two logs: a JSON each, one picture" "$(ls duo*)"; fi
rm -f duo.png
expect "report -o never overwrites" 1 "duo-1.json exists" "$bin" report a.csv d.csv -o duo
if [ ! -e duo.png ]; then ok "and writes nothing then"; else not_ok "and writes nothing then"; fi
expect "a picture named twice" 2 "named twice" "$bin" report a.csv --picture twice.png \
  --picture twice.png
expect "a picture larger than any" 1 "32767" "$bin" report a.csv --size 10000x10000 --scale 4 \
  --picture large.png
expect "an ending in capitals" 0 "" "$bin" report a.csv --picture CAPITALS.PNG
expect "a size too small for many" 0 "1600x1840" "$bin" report a.csv a.csv d.csv a.csv d.csv \
  --size 1600x900 --picture many.png
expect "compare of one log" 2 "two logs" "$bin" compare a.csv
expect "replay of a log" 0 "" "$bin" watch --replay a.csv --speed max
if grep -q 'THROTTLED' out && grep -q 'Throttles at 80' out; then ok "replay shows rows and verdict"; else
  not_ok "replay shows rows and verdict" "$(tail -3 out)"; fi
printf 'time_s,mb_s\n1,5\n2,5\n3,5\n1e18,5\n' >gap.csv
expect "a gap of any size" 0 "" "$bin" report --json gap.csv
if grep -q '"missed_samples": *1000000000' out; then ok "its missing rows have a limit"; else
  not_ok "its missing rows have a limit" "$(grep missed out)"; fi
: >empty.csv
expect "empty log" 1 "empty" "$bin" report empty.csv
head -c 30005 a.csv >torn.csv
expect "torn log" 0 "not complete" "$bin" report torn.csv
head -c 100000 /dev/urandom >binary.csv
expect "binary file" 1 "binary.csv: " "$bin" report binary.csv
sed 's/^# schema: 1/# schema: 9/' a.csv >newer.csv
expect "log of a newer schema" 1 "newer version" "$bin" report newer.csv
expect "no such log" 1 "cannot open" "$bin" report nothing.csv
expect "a directory as a log" 1 "cannot open" "$bin" report .
expect "report never overwrites" 1 "never overwritten" "$bin" report a.csv --picture a.png
sh -c 'ulimit -f 40; trap "" XFSZ; exec "$@"' sh "$bin" run sim:xg5 --speed max --no-tui -q -o full >out 2>err
status=$?
if [ $status -eq 1 ] && [ "$(grep -c 'cannot write full.csv' err)" -eq 1 ] && grep -q 'rows were lost' err
then ok "disk full: said once, status 1"; else
  not_ok "disk full: said once, status 1" "status $status" "$(cat err)"; fi
expect "its log is readable" 0 "" "$bin" report full.csv
truncate -s 8M loop.img
if loop=$(losetup -f --show loop.img 2>/dev/null); then
  expect "one device named twice" 2 "name it once" "$bin" run "$loop" "$loop" -q -o twice
  losetup -d "$loop"
else ok "one device named twice # SKIP no loop devices"; fi
# Under nohup a closed terminal ends nothing; otherwise it ends the run, files written.
(trap '' HUP; exec "$bin" run sim:xg5 --speed 5 --baseline 0 --time 10s --cooldown 0 --no-tui -q -o nohup) >out 2>err & pid=$!
for _ in 1 2 3 4 5 6 7 8 9; do [ -s nohup.csv ] && break; sleep 0.3; done
kill -HUP $pid; wait $pid; status=$?
if [ $status -eq 0 ] && grep -q '^10[.,]' nohup.csv; then ok "nohup is honoured"; else
  not_ok "nohup is honoured" "status $status" "$(cat err)"; fi
"$bin" run sim:xg5 --speed 1 --no-tui -q -o hup >out 2>err & pid=$!
for _ in 1 2 3 4 5 6 7 8 9; do [ -s hup.csv ] && break; sleep 0.3; done
kill -HUP $pid; wait $pid; status=$?
if [ $status -eq 129 ] && [ -s hup.json ]; then ok "a closed terminal ends the run, files written"; else
  not_ok "a closed terminal ends the run, files written" "status $status" "$(cat err)"; fi
LC_ALL=de_DE.UTF-8 "$bin" report --json a.csv >out 2>err
if cmp -s out a.json; then ok "no locale changes a number"; else not_ok "no locale changes a number"; fi
"$bin" run sim:xg5 --baseline 0 --time 24h --speed max --no-tui -q -o day >/dev/null 2>err & pid=$!
peak=0
while kill -0 $pid 2>/dev/null; do
  now=$(awk '/VmHWM/ { print $2 }' /proc/$pid/status 2>/dev/null)
  [ "${now:-0}" -gt $peak ] && peak=$now
done
wait $pid; status=$?
rows=$(grep -c '^[0-9]' day.csv)
if [ $status -eq 0 ] && [ "$rows" -eq 86580 ]; then ok "a day has a row a second"; else
  not_ok "a day has a row a second" "status $status, $rows rows"; fi
if [ -n "${ASAN_OPTIONS:-}" ] || ldd "$bin" | grep -q asan; then
  ok "a day needs less than 32 MiB # SKIP sanitizers take more memory"
elif [ "$peak" -lt 32768 ]; then ok "a day needs less than 32 MiB"; else
  not_ok "a day needs less than 32 MiB" "$peak kB"; fi
echo "1..$n"
