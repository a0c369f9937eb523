#!/bin/sh
# Runs of several loads, and the protocols that are made of them.
set -u
bin=$(realpath "$THROTTLOG")
root=$(pwd)
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
n=0

ok() { n=$((n + 1)); echo "ok $n - $1"; }
not_ok() { n=$((n + 1)); echo "not ok $n - $1"; shift; printf '# %s\n' "$@"; }
# same NAME WANTED GOT
same() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "wanted: $2" "got: $3"; fi; }
has() { if printf '%s' "$3" | grep -q -- "$2"; then ok "$1"; else not_ok "$1" "no '$2' in: $3"; fi; }

# The phases of a log in order, "baseline load:read cooldown load:write cooldown".
phases() {
  grep -v '^#' "$1" | tail -n +2 | cut -d, -f3,4 | uniq | sed 's/,$//; s/,/:/' | tr '\n' ' ' | sed 's/ $//'
}
# rows LOG PHASE,OP: how many.
rows() { grep -v '^#' "$1" | cut -d, -f3,4 | grep -cx -- "$2"; }
run() { "$bin" run --no-tui --speed max "$@" >out 2>err </dev/null; }

run sim:xg5-p --protocol review -o a
same "review: status" 0 $?
same "review: two loads in one log" "baseline load:read cooldown load:write cooldown" "$(phases a.csv)"
same "review: the preamble says both" "# op: read,write" "$(grep '^# op' a.csv)"
same "review: five minutes of each" "300 300" "$(rows a.csv load,read) $(rows a.csv load,write)"
has "review: the time is said before" "protocol review.*read 5 min.*write 5 min.*15 min to 24 min in all" "$(cat err)"
"$bin" report a.csv --json >again.json
same "review: report says what the run said" "" "$(cmp a.json again.json 2>&1)"
"$bin" report a.csv --picture again.png >out
same "review: report draws what the run drew" "" "$(cmp a.png again.png 2>&1)"
run sim:xg5-p --op read,write --baseline 60 --time 300 --rest 600 --cooldown 180 -q -o b
same "a protocol is what its options are" "" "$(cmp a.csv b.csv 2>&1)"

run sim:xg5-p --protocol quick -q -o c
same "quick: reads only" "baseline load:read cooldown" "$(phases c.csv)"
run sim:m8v --protocol soak -q -o d
has "soak: ends when steady" "end=steady" "$(tail -1 d.csv)"
run sim:xg5-p --time 30s --protocol review --cooldown 5 -q -o e
same "an option wins, wherever it stands" "30 5" "$(rows e.csv load,read) $(tail -5 e.csv | grep -c cooldown)"
run sim:xg5-p --op write --protocol review --time 30 -q -o f
same "so does the load" "baseline load:write cooldown" "$(phases f.csv)"
"$bin" run sim:xg5 --protocol revue 2>err
same "unknown protocol: status" 2 $?
has "unknown protocol: names the ones there are" "quick, review or soak" "$(cat err)"

# What is known of these drives, by load: "read true 80".
legs() {
  sed -n '/"legs":/,/^  \]/p' "$1" | awk -F': ' '/"op"/ {op = $2} /"throttled"/ {t = $2} /"onset_c"/ {print op, t, $2}' |
    tr -d '",' | sed 's/\.0$//' | tr '\n' ';'
}
same "xg5-p throttles in both loads" "read true 80;write true 80;" "$(legs a.json)"
same "and the live detector said so in both" 2 "$(grep -c 'throttle=' a.csv)"
run sim:bg3 --protocol review -q -o bg3
same "bg3 throttles in both loads" "read true 80;write true 80;" "$(legs bg3.json)"
has "by the limit that reading showed" "limit that this drive showed when reading, 80" "$(cat bg3.json)"
run sim:mte850 --protocol review -q -o mte850
same "mte850 throttles when writing only" "read false null;write true 68;" "$(legs mte850.json)"
run sim:m8v --protocol review -q -o m8v
same "m8v throttles in none" "read false null;write false null;" "$(legs m8v.json)"
run sim:xg5 --protocol review -q -o xg5 --require no-throttle
same "a requirement is about all loads" 3 $?

# Without permission to write.
head -c 4194304 /dev/urandom >data
if "$bin" run data --protocol review --time 1 --baseline 0 --cooldown 0 --no-tui -o g >out 2>err; then
  same "a file that exists is only read" "load:read" "$(phases g.csv)"
  has "and that is said" "without its write leg" "$(grep -c . err) $(cat err)"
else
  for _ in 1 2; do n=$((n + 1)); echo "ok $n - a file that exists # SKIP no direct I/O here"; done
fi
"$bin" run data --op read,write --time 1 -q >out 2>err
same "writes that were asked for are refused, not left out" 4 $?

run sim:xg5-p --op read,write,read --time 20 --rest 0 --cooldown 0 --baseline 0 -q -o h
same "three loads without a rest are kept apart by a row" \
  "load:read cooldown load:write cooldown load:read" "$(phases h.csv)"
run sim:xg5-p --op read,write,read,write,read -q -o i
same "more than four loads" 2 $?
run sim:xg5-p --op read, -q -o i
same "a load without a name" 2 $?

# What ends a load early.
run sim:xg5-p --protocol review --stop-temp 75 -q -o j
same "stop temperature: status" 6 $?
same "stop temperature: no second load" "baseline load:read cooldown" "$(phases j.csv)"
run sim:mte850 --protocol review --stop-temp 67 -q -o k
same "stop temperature in the second load: status" 6 $?
same "stop temperature in the second load" "baseline load:read cooldown load:write cooldown" "$(phases k.csv)"
run sim:bg3 --op read,write --time 60 --rest 1 --stop-temp 78 --baseline 0 -q -o l
same "no load begins above the limit" "load:read cooldown" "$(phases l.csv)"
run sim:bg3 --op write --baseline 60 --stop-temp 60 -q -o m
same "nor does the first" "6 baseline cooldown" "$? $(phases m.csv)"
run sim:m8v --op read,write --until-steady --time 3600 -q -o o
same "steady ends each load" "baseline load:read cooldown load:write cooldown" "$(phases o.csv)"
has "and the run goes on to its end" "end=steady" "$(tail -1 o.csv)"
if [ "$(rows o.csv load,read)" -lt 3600 ] && [ "$(rows o.csv load,write)" -lt 3600 ]; then
  ok "both were ended early"; else not_ok "both were ended early"; fi
run sim:mte850 --protocol review --rest 16s -q -o p
has "the cause test after a write writes" "restart:write" "$(phases p.csv)"

# Compared load by load, whatever decided.
run sim:mte850 --protocol review --time 60 -q -o q
run sim:m8v --op write,read --time 60 -q -o r
"$bin" compare q.csv r.csv -o s >out 2>err
same "compare: status" 0 $?
same "compare: a table for each kind of load" "reading writing" "$(grep -o '^reading\|^writing' out | tr '\n' ' ' | sed 's/ $//')"
has "compare: the reads' own temperature" "highest temperature, °C  *6[2-5] " \
  "$(sed -n '/^reading/,/^writing/p' out | grep highest)"
"$bin" report q.csv --json >again.json
same "compare: JSON tells of the whole log" "" "$(cmp s-1.json again.json 2>&1)"
if [ -s s.png ]; then ok "compare: one picture"; else not_ok "compare: one picture" "$(cat err)"; fi

# Help, manual and README say the same as the table.
cd "$root" || exit 1
missing=
"$bin" run --help | sed -n '/^Protocols:/,$p' | sed 1d >"$dir/protocols"
# "quick --baseline 30s ...", a line each.
awk '/^  [a-z]/ {if (l) print l; l = $0; o = 1; next} o && /^ *-/ {l = l " " $0; next}
  o && /^ *off/ {l = l " " $0; next} {o = 0} END {print l}' "$dir/protocols" | tr -s ' ' |
  sed 's/^ //; s/ $//' >"$dir/lines"
sed 's/\\-/-/g; s/^\.It //; s/^\.Dl //' man/throttlog.1 >"$dir/man"
while read -r name options; do
  grep -qx -- "$name" "$dir/man" || grep -qx -- "Cm $name" "$dir/man" || missing="$missing man:$name"
  grep -qxF -- "$options" "$dir/man" || missing="$missing man:[$options]"
  grep -qF -- "$options" README.md || missing="$missing README:[$options]"
done <"$dir/lines"
same "manual and README tell the protocols' options" "3 " "$(wc -l <"$dir/lines") $missing"

echo "1..$n"
