# What a drive says of itself: its events, its persistent event log, its OCP log.
. /vm/rig.sh
have nvme || { skip "a drive's own records" "nvme-cli is not installed"; return; }

# Feature 0Bh as it is now.
feature() { nvme get-feature "/dev/$1" -f 0x0b 2>&1 | sed -n 's/.*value: *0*x0*//p' | head -n 1; }
feature_is() { [ "$(feature "$1")" = "$2" ]; }
# context DISK ACTION: the persistent event log's; 1 establishes it, 2 releases it.
context() { nvme get-log "/dev/$1" --log-id=0x0d --log-len=512 --lsp="$2" >"$OUT" 2>&1; }
pel() { tail -n 1 "$1.csv" | tr ',;' '\n\n' | grep '^pel='; }
logged() { grep -q "[,;]$2" "$1.csv"; }

# One drive runs hot, with all records; the other one is tried meanwhile.
hot=$(rig_disk RECORDS --drive plain --speed 0.01 --set wctemp_c=60 --quirk pel --quirk ocp)
tame=$(rig_disk TAME --drive plain --speed 0.01 --set policy=none,wctemp_c=nan,cctemp_c=nan --quirk pel)
run 0 throttlog list
expect "list names them" says "^/dev/$hot .* smart, ocp, pel"
expect "the kernel's own setting" feature_is "$hot" 100
begin hot run "/dev/$hot" --events --baseline 1 --time 28 --cooldown 3 --cause-test off
expect "--events: on while it runs" until_true 8 feature_is "$hot" 102

# --- without privilege, and without asking ---
chgrp user "/dev/$tame" # a watch needs no more than its name
(
  as_user "throttlog watch /dev/$tame --events --time 12 --no-tui -o seen >seen.out 2>&1"
  echo $? >seen.status
) &
expect "user: a watch runs" until_true 8 has_rows seen 2
cp seen.out "$OUT"
expect "user: --events says what it needs" says "events changes a setting.*CAP_SYS_ADMIN"
before=$(rows seen.csv)
run 0 rig_do TAME aer 0x020201
after=$(rows seen.csv)
expect "an event reaches the log" until_true 3 logged seen "aen=0x020201 spare below threshold"
at=$(grep -n "aen=0x020201" seen.csv | head -n 1 | cut -d : -f 1)
head=$(grep -c -v '^[0-9]' seen.csv)
expect "... within a second" within $((at - head)) "$before" $((after + 1))
echo "change 00000000-0000-0000-0000-000000000001 NVME_AEN=0x020001" \
  >"/sys/class/nvme/$(controller_of "$tame")/uevent"
expect "user: ends" until_true 20 [ -e seen.status ]
expect "a made-up event does not" eval "! logged seen aen=0x020001"
expect "user: nothing was set" feature_is "$tame" 100

# --- a reset in the middle, and the ends that a run may have ---
begin reset watch "/dev/$tame" --events --time 60
expect "on again" until_true 8 feature_is "$tame" 102
has_rows reset 2 || sleep 1
echo 1 >"/sys/class/nvme/$(controller_of "$tame")/reset_controller"
expect "reset: in the log" until_true 8 logged reset reset
expect "reset: set again" until_true 8 feature_is "$tame" 102
kill -TERM "$(cat reset.pid)"
expect "TERM: ends" ended reset 143
expect "TERM: put back" feature_is "$tame" 100
expect "reset: told once" [ "$(grep -c '[,;]reset' reset.csv)" = 1 ]
expect "TERM: the context is released" context "$tame" 1

# That context stays: it is somebody else's now.
expect "a context of another program: runs" \
  run 0 throttlog watch "/dev/$tame" --time 2 --no-tui -o other
expect "... says so" says "read by another program"
context "$tame" 1
expect "... leaves it alone" says "Command Sequence Error\|SEQUENCE\|0xc"
expect "... until its owner releases it" context "$tame" 2

begin killed watch "/dev/$tame" --events --time 60
until_true 8 feature_is "$tame" 102
kill -KILL "$(cat killed.pid)"
sleep 0.5
expect "kill -9: stays set, as the manual says" feature_is "$tame" 102
echo 1 >"/sys/class/nvme/$(controller_of "$tame")/reset_controller"
expect "kill -9: until the next reset" until_true 8 feature_is "$tame" 100

# --- the hot drive ---
expect "the run ends" ended hot 0 60
expect "--events: put back" feature_is "$hot" 100
cp hot.csv "$OUT"
expect "the drive's own event" logged hot "aen=0x020101 temperature threshold"
warn=$(grep -n "[,;]warn_on" hot.csv | head -n 1 | cut -d : -f 1)
aen=$(grep -n "[,;]aen=0x020101" hot.csv | head -n 1 | cut -d : -f 1)
expect "... when SMART shows it, or before" within "$aen" $((warn - 2)) $((warn + 1))
pel hot >"$OUT"
expect "persistent event log: WCTEMP" says "^pel=wctemp@"
expect "persistent event log: throttling, with its time" says "^pel=self-throttling@"
expect "OCP log: counted" [ "$(column hot.csv ocp_throttle_count | grep -v '^$' | tail -n 1)" -ge 1 ]
expect "OCP log: throttled now and then" \
  [ "$(column hot.csv ocp_throttle_status | sort -u | grep -c '[01]')" = 2 ]
cp hot.json "$OUT"
expect "verdict: throttled" [ "$(json hot.json throttled)" = true ]
expect "verdict: confirmed" [ "$(json hot.json certainty)" = confirmed ]
expect "verdict: by the event log" says "persistent event log: self-throttling began"
expect "verdict: by the OCP log" says "OCP log"
# The entry's time against the row whose temperature is highest before the first cut.
began=$(pel hot | sed -n 's/^pel=self-throttling@\([0-9]*\).*/\1/p' | head -n 1)
onset=$(json hot.json onset_time_s | cut -d . -f 1)
expect "verdict: its time is the drive's" within "$onset" $((began - 3)) $((began + 3))
expect "the log alone says the same" eval "throttlog report --json hot.csv | cmp -s - hot.json"
expect "the context is released" context "$hot" 1
context "$hot" 2
for name in RECORDS TAME; do
  rig_do $name state | grep errors >"$OUT"
  run 0 rig_end $name
done
