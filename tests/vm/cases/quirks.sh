# On request
# Drives that report odd things, behind a real kernel: what the verdict must make of each.
# shellcheck disable=SC2154 # rig_disk is set by rig_connect
. /vm/rig.sh

# A line a drive: name, options of the target. HOT throttles at 80 °C after 7 s; MILD does not
# throttle and stays as it is; TMT would not, had the host not set TMT1.
HOT="--drive bg3 --time-scale 3 --speed 0.0045"
MILD="--drive plain --speed 0.006 --set policy=none,noise=0.005"
cat >table <<T
tmt      $MILD,read_w=3.5 --speed 0.0085
zero     $HOT --quirk counters-zero
nothing  $HOT --quirk composite-0K --quirk no-sensors
frozen   $MILD,read_w=5.5,tmt1_c=60 --quirk composite-frozen=40 --quirk no-sensors
spike    $MILD,read_w=1
sensor2  $HOT --quirk composite-0K --quirk only-sensor2
nolimits $HOT --quirk no-limits
warm     $MILD,read_w=0.1 --quirk warning-bit
cold     $MILD,read_w=0.1,ambient_c=-15 --quirk warning-bit
minutes  $MILD,read_w=3.5,wctemp_c=55 --quirk warning-moves=4
refresh  $MILD,read_w=3.5 --quirk refresh=8
slow     $HOT --quirk smart-slow=0.5
slower   $HOT
failing  $HOT
T
while read -r name options; do
  # shellcheck disable=SC2086
  rig "$name" $options
done <table
disks=
while read -r name options; do
  rig_connect "$name" && disks="$disks /dev/$rig_disk"
  [ "$name" != tmt ] || tmt=$rig_disk
done <table
# By the host: 50 °C, and no TMT2.
if have nvme; then
  expect "TMT1 is set" run 0 nvme set-feature "/dev/$tmt" -f 0x10 -v $(((273 + 50) << 16))
fi
rig_do slower quirk smart-slow=5
# shellcheck disable=SC2086
begin all run $disks --op read --baseline 2 --time 40 --cooldown 6 --cause-test off --qd 4
expect "under way" until_true 60 has_rows all-1 12
rig_do spike quirk composite-spike
rig_do failing quirk smart-fail=6
sleep 8
rig_do failing quirk smart-fail=off
expect "all of them: the run ends as planned" ended all 0 120

n=0
# of NAME: what follows is about that drive; false if the machine did not carry its load.
of() {
  n=$(($(grep -n "^$1 " table | cut -d : -f 1)))
  csv=all-$n.csv json=all-$n.json what=$1
  cp "$json" "$OUT"
  expect "$what: its drive" says "\"serial\": \"$1\"" && rig_calm "$1" "$1"
}
value() { json "$json" "$1"; }
is() { expect "$what: $1: $2" eval "case \"$(value "$1")\" in $2) ;; *) false ;; esac"; }
around() { # KEY FROM TO
  at=$(value "$1")
  expect "$what: $1 from $2 to $3" within "${at%.*}" "$2" "$3"
}
warns() { expect "$what: says: $1" says "$1"; }
cells() { column "$csv" "$1" | grep -c '[0-9]'; }

if of tmt; then
  is throttled true
  is certainty confirmed
  is tmt1 50
  around onset_c 49 53
  warns "TMT1"
fi
if of zero; then
  is throttled true
  is certainty "likely|possible"
  around onset_c 79 81
fi
if of nothing; then
  is throttled null
  is trusted false
  expect "nothing: no temperature in the log" [ "$(cells temp_c)" = 0 ]
fi
if of frozen; then
  is throttled true
  is certainty confirmed
  is trusted false
fi
if of spike; then
  is throttled false
  around max_c 36 50
  warns "jumped"
fi
if of sensor2; then
  is throttled true
  around onset_c 79 81
  warns "sensor 2"
fi
if of nolimits; then
  is throttled true
  is wctemp null
  around onset_c 79 81
fi
if of warm; then
  is throttled false
  around max_c 34 38
  expect "warm: the bit is in the log" [ "$(column "$csv" critical_warning | grep -c '^2')" -gt 10 ]
fi
if of cold; then
  is throttled false
  around max_c -8 -3
fi
if of minutes; then
  is throttled false
  expect "minutes: they move in the log" \
    [ "$(column "$csv" warning_min | grep '[0-9]' | sort -nu | wc -l)" -gt 5 ]
fi
if of refresh; then
  is throttled false
  warns "renews its temperature only every"
fi
if of slow; then
  is throttled true
  around onset_c 79 81
  expect "slow: a row each second" within "$(rows "$csv")" 46 52
fi
if of slower; then
  expect "slower: a row each second" within "$(rows "$csv")" 46 52
  expect "slower: late readings are said" [ "$(grep -c poll_late "$csv")" -gt 0 ]
fi
if of failing; then
  is throttled "true|null"
  expect "failing: the gap has no temperature" within $(($(rows "$csv") - $(cells temp_c))) 6 25
fi
for name in ./*.controller; do kill "$(cat "${name%.controller}.pid")"; done
