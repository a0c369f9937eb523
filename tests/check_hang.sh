#!/bin/sh
# A drive that does not answer for ten seconds while its load runs: the view says how old the
# temperature is, and nothing else stops. The program is the real one; libsensors is slow_sensors.c.
# shellcheck disable=SC2154
set -u
plan=10
. tests/terminal.sh
# A file on a disk that has a place in sysfs; its reads are small, so that they disturb nobody.
file=$(mktemp ./build/hang-XXXXXX) || exit 1
sensors=$(mktemp -d) || exit 1
trap 'tmux_do kill-server; rm -rf "$dir" "$sensors" "$file"' EXIT
dd if=/dev/urandom of="$file" bs=1M count=16 2>/dev/null
disk=$(readlink -f "/sys/dev/block/$(stat -c %Hd:%Ld "$file")")
[ -e "$disk/partition" ] && disk=${disk%/*}
if ! device=$(readlink -e "$disk/device"); then
  while [ $n -lt $plan ]; do n=$((n + 1)); echo "ok $n - hang # SKIP the tests lie on no disk"; done
  exit 0
fi
ln -s "$device" "$sensors/device"
good="$utf8 TERM=screen-256color SLOW_SENSORS=$sensors ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=$BUILD/tests/slow_sensors.so"
command="$THROTTLOG run $PWD/$file --bs 4k --qd 1 --baseline 1 --time 300 --cooldown 1 -o $dir/r"
# No row of the load is late by half the hang, and none is without reads.
steady() { awk -F, '/^#/ || /^time_s/ { next } $3 == "load" { if (last && $1 - last > 5) bad = 1; if (n++ && $6 <= 0) bad = 1; last = $1 } END { exit bad || n < 10 }' "$dir/r.csv"; }

start 80 24
run "$good" "$command"
check_seen '   52 °C' 'the temperature is there'
seen 'read load'
sleep 2
touch "$sensors/hang"
check_seen '([4-9] s old)' 'the view says how old it is'
keys x
check_seen 'All values\|Throughput against' 'keys work meanwhile'
keys x x m 'it hangs' Enter
check_seen 'mark: it hangs' 'marks too'
check_seen '(1[0-9] s old)' 'ten seconds'
rm "$sensors/hang"
sleep 2.5
if tmux_do capture-pane -p | grep -q 's old)'; then fail 'then it is news again'; else pass 'then it is news again'; fi
if steady; then pass 'rows and load went on all the time'; else fail 'rows and load went on all the time'; fi
touch "$sensors/hang"
sleep 1.5
keys q y
check_over 'q ends it although the drive hangs'
if grep -q 'poll_late=' "$dir/r.csv"; then pass 'the log has it'; else fail 'the log has it'; fi
if "$THROTTLOG" report --json "$dir/r.csv" | cmp -s - "$dir/r.json" && [ -s "$dir/r.png" ]; then pass 'the files are complete'; else fail 'the files are complete'; fi
