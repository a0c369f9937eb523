#!/bin/sh
# The program itself on each kind of terminal and locale, and through a storm of sizes: what is drawn,
# and what is left afterwards.
# shellcheck disable=SC2016,SC2034,SC2154
set -u
plan=23
. tests/terminal.sh
hot="$THROTTLOG run sim:bg3 --op read --baseline 2 --time 300 --cooldown 2 --speed 16 -o $dir/r"
ascii() { ! tmux_do capture-pane -p | LC_ALL=C grep -q '[^ -~]'; }
braille() { tmux_do capture-pane -p | grep -q '⠒\|⣀\|⠤\|⡀'; }
coloured() { tmux_do capture-pane -pe | grep -q '\[[0-9;]*3[0-8][;m]'; }
# on NAME ENVIRONMENT OPTIONS: one run to its throttling, then q; two tests.
on() {
  start 80 24
  run "$2" "$hot $3"
  check_seen 'throttles: ' "$1: the throttle point"
  drawn=0
  for look in $4; do
    case $look in !*) ! ${look#!} ;; *) $look ;; esac || drawn=$look
  done
  keys q y
  check "$1: characters, colours, the terminal and the files afterwards" eval '[ "$drawn" = 0 ] && over && complete end='
}
on vt100 "$utf8 TERM=vt100" '' 'ascii !coloured'
on linux "$utf8 TERM=linux" '' '!ascii !braille coloured'
on xterm-256color "$utf8 TERM=xterm-256color" '' 'braille coloured'
on screen "$utf8 TERM=screen" '' 'braille coloured'
on 'no UTF-8' 'LC_ALL=C TERM=xterm' '' 'ascii coloured'
on NO_COLOR "$utf8 TERM=xterm NO_COLOR=1" '' 'braille !coloured'
on --no-color "$utf8 TERM=xterm" --no-color 'braille !coloured'
on --ascii "$utf8 TERM=xterm" --ascii 'ascii coloured'
# The names of terminals that many have: what is not known here is told, and lines take its place.
for kind in xterm-kitty alacritty; do
  start 80 24
  run "$utf8 TERM=$kind" "$hot"
  check "$kind: a view or lines" seen 'THROTTLED'
  kill "$(cat "$dir/pid")"
  over
done
start 80 24
run "$utf8 TERM=dumb" "$hot"
check 'lines fit a narrow terminal' seen 'temp °C .*TMT1 .*state$'
kill "$(cat "$dir/pid")"
over
# A storm of sizes, and keys in between.
start 80 24
run "$utf8 TERM=screen-256color" "$hot"
seen 'HEATING'
for size in '1 1' '200 60' '3 2' '80 5' '10 40' '132 43' '1 50' '20 3' '100 30' '2 2' '400 100' '40 12' '120 40'; do
  tmux_do resize-window -x "${size% *}" -y "${size#* }"
  keys x
done
keys 1
check_seen 'Since the start' 'a storm of sizes and keys ends in a good screen'
tmux_do resize-window -x 40 -y 12
check_seen '°C' '40x12 keeps the temperature'
check '40x12 keeps speed, state and key bar' eval 'seen MB/s && seen THROTTLED && seen "q quit"'
keys q y
check 'the storm: the terminal and the files afterwards' eval 'over && complete end='
