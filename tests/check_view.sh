#!/bin/sh
# The live view in a real terminal (tmux): keys, sizes, kinds of terminals, signals, and whether the
# terminal is as it was afterwards.
# $BUILD/tests/view_driver plays a made-up run. shellcheck disable=SC2154
set -u
driver=$BUILD/tests/view_driver
plan=35
. tests/terminal.sh

# 1. Keys.
start 80 24
run "$utf8 TERM=screen-256color" "$driver live 1 60"
check_seen 'HEATING' 'the state is on the screen'
keys m 'fan on' Enter
check_seen 'm mark: fan on' 'm marks with a typed note'
keys x
check_seen 'Throughput against temperature' 'x shows the curve'
keys x
check_seen 'All values' 'x shows all values'
keys x h
check_seen 'draw the screen again' 'h shows help'
keys '?' u
check_seen 'MiB/s' 'u changes the unit'
keys t
check_seen '°F' 't shows °F'
keys + Left
check_seen 'looking back' '+ and Left go back in time'
keys End r
check_seen 'peaks forgotten' 'r forgets the peaks'
keys s
check_seen 'picture written' 's asks for the picture and tells when it is there'
keys Space
check_seen 'PAUSED' 'Space pauses'
keys Space q
check_seen 'Stop the load and quit' 'q asks while a load runs'
keys n q y
check_over 'the terminal is as it was after q'
if seen 'asked: pause' && seen 'asked: mark fan on' && seen 'asked: quit'; then
  pass 'the conductor heard of it'
else fail 'the conductor heard of it'; fi

# 2. Sizes.
start 40 12
run "$utf8 TERM=screen-256color" "$driver live 1 100"
if seen 'MB/s' && seen 'TMT1' && seen 'quit'; then pass '40x12 has the essentials'; else fail '40x12 has the essentials'; fi
for size in '1 1' '200 60' '3 2' '80 5' '10 40' '132 43' '1 50' '20 3' '100 30' '2 2' '120 40'; do
  tmux_do resize-window -x "${size% *}" -y "${size#* }"
  sleep 0.05
done
check_seen 'Since the start' 'a storm of sizes ends in a good screen'
seen '0:07:00'
tmux_do resize-window -x 40 -y 12
sleep 1
tmux_do capture-pane -p >"$dir/resized"
keys C-l
sleep 0.5
if tmux_do capture-pane -p | cmp -s - "$dir/resized"; then pass 'nothing of the old size is left'; else fail 'nothing of the old size is left'; fi
keys q
seen 'Stop the load' && keys y
check_over 'the terminal is as it was after the storm'

# 3. Kinds of terminals.
ended=
for kind in vt100 linux screen xterm-256color; do
  start 80 24
  run "$utf8 TERM=$kind" "$driver live 1 200"
  if seen 'THROTTLED' && seen 'throttles'; then pass "TERM=$kind"; else fail "TERM=$kind"; fi
  case $kind in
  vt100) if tmux_do capture-pane -p | LC_ALL=C grep -q '[^ -~]'; then fail 'vt100 is ASCII'; else pass 'vt100 is ASCII'; fi ;;
  linux) if tmux_do capture-pane -p | grep -q '⠒\|⣀\|⠤\|⡀'; then fail 'no braille on the console'; else pass 'no braille on the console'; fi ;;
  esac
  kill "$(cat "$dir/pid")"
  over || ended=$kind
done
if [ -z "$ended" ]; then pass 'a signal leaves the terminal as it was'; else fail "a signal leaves the terminal as it was: $ended"; fi
start 80 24
run 'LC_ALL=C TERM=xterm' "$driver live 1 200 --no-color"
seen 'THROTTLED'
if tmux_do capture-pane -pe | LC_ALL=C grep -q '\[3[0-8][;m]\|[^ -~[:cntrl:]]'; then
  fail 'a C locale gets ASCII, --no-color no colours'
else pass 'a C locale gets ASCII, --no-color no colours'; fi
for kind in TERM=dumb TERM=no-such-terminal '-u TERM'; do
  start 80 24
  run "$kind $utf8" "$driver live 1 100"
  if over && seen 'no view: ' && [ "$(cat "$dir/status")" = 3 ]; then pass "$kind is refused in words"; else fail "$kind is refused in words"; fi
done

# 4. Signals.
start 80 24
run "$utf8 TERM=screen-256color" "$driver live 2 20"
seen 'BASELINE'
keys C-z
if seen 'Stopped' && stty_now=$(keys 'stty -g >'"$dir"'/stopped' Enter; sleep 0.5; cat "$dir/stopped") &&
  [ -n "$stty_now" ] && cmp -s "$dir/before" "$dir/stopped"; then
  pass 'Ctrl-Z gives the terminal back'
else fail 'Ctrl-Z gives the terminal back'; fi
keys 'fg' Enter
check_seen 'TS512GMTE850' 'fg takes it again'
kill -STOP "$(cat "$dir/pid")"
sleep 2
kill -CONT "$(cat "$dir/pid")"
keys fg Enter
sleep 0.3
keys C-l
check_seen 'Space pause' 'STOP and CONT do no harm'
kill -SEGV "$(cat "$dir/pid")"
for _ in $(seq 50); do [ -d "/proc/$(cat "$dir/pid")" ] || break; sleep 0.1; done
keys 'stty -g >'"$dir"'/crashed' Enter
sleep 0.5
if cmp -s "$dir/before" "$dir/crashed"; then pass 'a crash leaves the terminal as it was'; else fail 'a crash leaves the terminal as it was'; fi
start 80 24
run "$utf8 TERM=screen-256color" "$driver live 1 20"
seen 'BASELINE'
pid=$(cat "$dir/pid")
tmux_do kill-server
for _ in $(seq 50); do [ -d "/proc/$pid" ] || break; sleep 0.1; done
if [ -d "/proc/$pid" ]; then
  kill -KILL "$pid"
  fail 'a closed terminal ends the run'
else pass 'a closed terminal ends the run'; fi
if LC_ALL=C.UTF-8 TERM=xterm-256color "$driver" stall; then pass 'a stalled terminal stops nothing'; else fail 'a stalled terminal stops nothing'; fi
