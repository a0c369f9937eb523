# Time: the clock on the wall is set, the process is stopped, the machine sleeps. A log's time_s
# comes from a clock that nobody sets.
#
# | fault                   | log                     | verdict            | status | terminal |
# |-------------------------|-------------------------|--------------------|--------|----------|
# | clock set on, then back | time_s as ever, utc     | nothing of it      | 0      | -        |
# |                         | follows the clock       |                    |        |          |
# | SIGSTOP for 4 s         | a gap, then rows at     | missed_samples,    | 0      | -        |
# |                         | whole seconds again     | "rows are missing" |        |          |
# | machine sleeps for 4 s  | suspended=N; no time    | nothing of it      | 0      | -        |
# |                         | passes for time_s       |                    |        |          |
#
# Alone
disk=$(disk_of TLCLOCK) other=$(disk_of TLVM0)
spaced() {
  column "$1" time_s | awk -v most="$2" '{if (NR > 1 && ($1 - last < 0.6 || $1 - last > 1.4)) bad++
    last = $1} END {exit bad > most}'
}
set_clock() { date -s "@$(($(date +%s) + $1))" >/dev/null; }

begin set run "/dev/$disk" --baseline 0 --time 9 --cooldown 0
begin stop run "/dev/$other" --baseline 0 --time 9 --cooldown 0
until_true 10 has_rows set 2
set_clock 3600
kill -STOP "$(cat stop.pid)"
until_true 10 has_rows set 4
set_clock -7200
until_true 10 has_rows set 6
kill -CONT "$(cat stop.pid)"
expect "clock set: the run ends in time" ended set 0 12
expect "stopped: the run ends in time" ended stop 0 5
set_clock 3600
cp set.csv "$OUT"
expect "clock set: a row each second all the same" spaced set.csv 0
expect "clock set: no row is missing" within "$(rows set.csv)" 8 10
expect "clock set: utc tells the clock's time" \
  [ "$(column set.csv utc | cut -c 12-13 | sort -u | wc -l)" -ge 3 ]
expect "clock set: the verdict misses nothing" [ "$(json set.json missed_samples)" = 0 ]
cp stop.csv "$OUT"
expect "stopped: one gap, then rows at whole seconds" spaced stop.csv 2
expect "stopped: rows that were missed are not made up" within "$(rows stop.csv)" 4 7
expect "stopped: the verdict counts them" within "$(json stop.json missed_samples)" 2 5
cp stop.json "$OUT"
expect "stopped: and says so" says "rows are missing"

if grep -q deep /sys/power/mem_sleep && [ -e /sys/class/rtc/rtc0/wakealarm ]; then
  begin sleep run "/dev/$disk" --baseline 0 --time 8 --cooldown 0
  until_true 10 has_rows sleep 2
  echo 0 >/sys/class/rtc/rtc0/wakealarm
  echo +4 >/sys/class/rtc/rtc0/wakealarm
  echo deep >/sys/power/mem_sleep
  echo mem >/sys/power/state 2>"$OUT"
  expect "asleep: the run ends in time" ended sleep 0 20
  cp sleep.csv "$OUT"
  expect "asleep: the log tells how long" within \
    "$(column sleep.csv events | sed -n 's/.*suspended=\([0-9]*\).*/\1/p')" 2 6
  # Waking takes a busy host some seconds.
  expect "asleep: rows before and after" within "$(rows sleep.csv)" 5 9
  expect "asleep: the drive is read afterwards" \
    [ "$(column sleep.csv temp_c | tail -n 4 | grep -c '^50$')" -ge 3 ]
  expect "asleep: and the load goes on" [ "$(column sleep.csv bytes | tail -n 2 | sum)" -gt 5000000 ]
else
  skip "asleep" "this kernel cannot sleep and wake by its clock"
fi
