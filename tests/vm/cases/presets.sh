# Alone
# On request
# Every simulated drive behind a real kernel: the verdict of a run says what was published about it.
# shellcheck disable=SC2154 # rig_disk is set by rig_connect
. /vm/rig.sh

# A line a run: drive, load, seconds of the model a second, MB/s before any drop, and what
# the verdict must be: throttled, class, °C at the onset, seconds of the model until then, loss in %,
# cause of the first drop. A dash is not claimed: the loss
# of the XG5 is hardly visible, and 45 s are too short to be sure of it. A single lasting drop of a
# write may be a full cache for all that a log can tell: null, never false.
# MB/s of the models: writing at first (after the XG5's 3 GB, which are over at once), reading.
model="xg5 944 2936 xg5-p 1038 3041 bg3 944 1468 mte850 1181 2470 sx8000 1049 2362 m8v 524 556
trion150 283 556 esd310 944 996"
cat >table <<'T'
xg5      write 8  6 true|false gentle|none - -  -     -
xg5-p    write 4  6 true  step|hold    80 60  20-30 -
bg3      write 1  9 true|null step|oscillating|hold|unattributed 80 20 40-60 slc-cache
mte850   write 2  6 true|null step|oscillating|hold|unattributed 68 20 - -
sx8000   write 2  6 true|null step|oscillating|unattributed 68 15 - -
m8v      write 2  9 false none         -  -   -     slc-cache
trion150 write 2  9 false none         -  -   -     slc-cache
esd310   write 15 12 null  unattributed -  -  -     slc-cache
xg5      read  8  6 true|false gentle|none - -  -     -
xg5-p    read  4  6 true  step|hold    80 60  20-30 thermal
bg3      read  2  6 true  step|oscillating|hold 80 20 40-60 thermal
mte850   read  4  6 false none         -  -   -     -
sx8000   read  4  6 false none         -  -   -     -
m8v      read  4  6 false none         -  -   -     -
trion150 read  4  6 false none         -  -   -     -
esd310   read  4  6 false none         -  -   -     -
T

options="--baseline 2 --time 45 --cooldown 6 --cause-test off --qd 4"
while read -r drive op scale mb_s rest; do
  # shellcheck disable=SC2086
  rig "$op-$drive" --drive "$drive" --time-scale "$scale" --keep 16M --speed "$(echo $model |
    awk -v drive="$drive" -v op="$op" -v mb_s="$mb_s" 'BEGIN { RS = " "; ORS = "" }
      at && NR == at + (op == "read") { print mb_s / $1 } $1 == drive { at = NR + 1 }')"
done <table
reads=
while read -r drive op rest; do
  rig_connect "$op-$drive"
  if [ "$op" = read ]; then
    # shellcheck disable=SC2154 # set by rig_connect
    reads="$reads /dev/$rig_disk"
  else
    # shellcheck disable=SC2086
    begin "$op-$drive" run "/dev/$rig_disk" --op write $options --destructive --confirm "$op-$drive"
  fi
done <table
# All those that are read in one run.
# shellcheck disable=SC2086
begin read run $reads --op read $options

n=0
while read -r drive op scale mb_s throttled class at_c at_s loss cause; do
  file=$op-$drive what="$drive, $op"
  if [ "$op" = read ]; then
    n=$((n + 1))
    file=read-$n
    until_true 120 [ -e read.status ]
  else
    until_true 120 [ -e "$file.status" ]
  fi
  cp "$file.json" "$OUT"
  rig_calm "$op-$drive" "$what" || continue
  expect "$what: its drive" says "\"serial\": \"$op-$drive\""
  expect "$what: throttled: $throttled" eval \
    "case $(json "$file.json" throttled) in $throttled) ;; *) false ;; esac"
  expect "$what: $class" eval "case $(json "$file.json" class) in $class) ;; *) false ;; esac"
  [ "$(json "$file.json" throttled)" = true ] || at_c=- at_s=- loss=-
  at=$(json "$file.json" onset_c)
  [ "$at_c" = - ] || expect "$what: at $at_c °C" within "${at%.*}" $((at_c - 1)) $((at_c + 1))
  [ "$at_s" = - ] || expect "$what: after $at_s s of the drive's time" awk "BEGIN {
    s = $scale * $(json "$file.json" onset_s); limit = 5 * $scale + 0.15 * $at_s
    exit !(s > $at_s - limit && s < $at_s + limit)}"
  lost=$(json "$file.json" loss_pct)
  [ "$loss" = - ] || expect "$what: loss of $loss %" within "${lost%.*}" "${loss%-*}" "${loss#*-}"
  [ "$cause" = - ] || expect "$what: first drop by $cause" [ "$(json "$file.json" cause)" = "$cause" ]
done <table
for drive in ./*.controller; do kill "$(cat "${drive%.controller}.pid")"; done
