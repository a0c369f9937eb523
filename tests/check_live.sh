#!/bin/sh
# The program itself in a real terminal (tmux): run, watch and replay through their keys, on good and
# bad terminals, to each kind of end; the terminal and the files afterwards.
# shellcheck disable=SC2016,SC2034,SC2154
set -u
plan=49
. tests/terminal.sh
good="$utf8 TERM=screen-256color"
# A drive that throttles 20 s into a read, four times faster than real time.
hot="$THROTTLOG run sim:bg3 --op read --baseline 3 --time 200 --cooldown 4 --speed 4 -o $dir/r"

# 1. run: each key.
start 120 40
run "$good" "$hot"
check_seen 'HEATING' 'run: the state'
keys m 'fan on' Enter
check_seen 'm mark: fan on' 'run: a typed mark'
keys x
check_seen 'Throughput against temperature' 'run: x'
keys x u
check_seen 'All values' 'run: x again'
keys x t
check_seen '°F' 'run: °F'
keys h
check_seen 'draw the screen again' 'run: help'
keys Escape Space
check_seen 'PAUSED' 'run: pause'
keys Space s
check_seen 'picture written' 'run: a picture now'
check_seen 'throttles: ' 'run: the throttle point is marked'
keys + + Left
check_seen 'looking back' 'run: zoom and scroll'
keys End r C-l q
check_seen 'Stop the load and quit' 'run: q asks'
keys n
sleep 0.5
check 'run: another key goes on' [ ! -e "$dir/over" ]
keys q y
check_over 'run: the terminal is as it was after q'
check 'run: status 0' [ "$(cat "$dir/status")" = 0 ]
check 'run: keys are in the log' has 'mark=fan on'
check 'run: a pause is in the log' eval 'has "[,;]pause" && has "[,;]resume"'
check 'run: the files are complete' complete 'end='

# 2. replay of that log, and a watch, end by q alone.
cp "$log" "$dir/../throttlog-$$.csv"
start 40 12
run "$good" "$THROTTLOG watch --replay $dir/../throttlog-$$.csv --speed 50"
check_seen 'MB/s' 'replay at 40x12'
keys q
check_over 'replay: q ends it without a question'
start 120 40
run "$good" "$THROTTLOG watch --replay $dir/../throttlog-$$.csv --speed 10"
check_seen 'Throughput' 'replay at 120x40'
keys Space
check_seen 'PAUSED' 'replay: pause'
keys x
check_seen 'Throughput against temperature' 'replay: x'
keys 3 u
check_seen 'MiB/s' 'replay: units'
keys t r h
check_seen 'draw the screen again' 'replay: help'
keys Escape
sleep 0.3
keys 1 m
check_seen 'no marks in a replay' 'replay: m says why not'
keys s
check_seen 'throttlog report' 'replay: s says what does it'
keys C-z
check_seen 'Stopped' 'replay: Ctrl-Z'
keys clear Enter fg Enter
check_seen 'PAUSED' 'replay: fg takes it up where it was'
keys Space
check_seen 'throttles: ' 'replay: goes on'
keys + + Left
check_seen 'looking back' 'replay: zoom and scroll'
keys End C-l q
ended "$(cat "$dir/pid")"
keys "stty -g >$dir/after" Enter
sleep 0.5
check 'replay: the terminal is as it was' cmp -s "$dir/before" "$dir/after"
start 80 24
run "TERM=dumb $utf8" "$THROTTLOG watch --replay $dir/../throttlog-$$.csv --speed max"
check 'replay without a view: lines, and the verdict' eval 'over && seen "peak" && [ "$(cat "$dir/status")" = 0 ]'
start 80 24
cp "$dir/../throttlog-$$.csv" "$dir/file"
rm -f "$dir/../throttlog-$$.csv"
run "$good" "$THROTTLOG watch $dir/file --time 60 -o $dir/r"
check_seen 'watch' 'watch of the drive that a file lies on'
keys q
over
check 'watch: q ends it, files are complete' complete 'end='

# 3. Bad terminals: one line a second where there can be no view; a cell is enough for one.
for kind in TERM=dumb '-u TERM' TERM=no-such-terminal; do
  start 80 24
  run "$kind $utf8" "$THROTTLOG run sim:bg3 --op read --baseline 1 --time 20 --cooldown 1 --speed 20 -o $dir/r"
  over
  check "$kind: lines" eval 'seen "HEATING" && [ "$(cat "$dir/status")" = 0 ] && complete end='
done
start 1 1
run "$good" "$hot"
sleep 1
kill "$(cat "$dir/pid")"
over
check 'a terminal of one cell' eval '[ "$(cat "$dir/status")" = 143 ] && complete end='

# 4. Ends: a key, a closed terminal, a stop and a suspension.
start 80 24
run "$good" "$hot"
seen 'HEATING'
keys C-c
over
check 'Ctrl-C: status 130, files complete' eval '[ "$(cat "$dir/status")" = 130 ] && complete end='
start 80 24
run "$good" "$hot"
seen 'HEATING'
keys C-z
seen 'Stopped'
# The shell went on with what follows the program.
check 'Ctrl-Z: the terminal is as it was' over
keys clear Enter fg Enter
seen 'q quit'
keys q y
ended "$(cat "$dir/pid")"
keys "stty -g >$dir/after" Enter
sleep 0.5
check 'fg, q: the terminal is as it was' cmp -s "$dir/before" "$dir/after"
check 'Ctrl-Z: what became of the load is in the log' eval 'has "[,;]pause" && has "[,;]resume" && complete end='
start 80 24
run "$good" "$hot"
seen 'HEATING'
keys 'C-\'
over
check 'Ctrl-\: status 131, files complete' eval '[ "$(cat "$dir/status")" = 131 ] && complete end='
start 80 24
run "$good" "$hot"
seen 'HEATING'
kill -USR1 "$(cat "$dir/pid")"
# The shell would mend the modes, not the screen: nothing of the view may be left.
check 'a signal that nobody expects: the screen is as it was' eval 'over && ! seen_now "q quit"'
start 80 24
run "$good" "$hot"
seen 'HEATING'
kill -HUP "$(cat "$dir/pid")"
over
check 'SIGHUP: status 129, files complete' eval '[ "$(cat "$dir/status")" = 129 ] && complete end='
start 80 24
run "$good" "$hot"
seen 'HEATING'
kill -STOP "$(cat "$dir/pid")"
sleep 2
kill -CONT "$(cat "$dir/pid")"
keys clear Enter fg Enter
check_seen 'q quit' 'STOP, CONT, fg: the view is there again'
keys q y
ended "$(cat "$dir/pid")"
keys "stty -g >$dir/after" Enter
sleep 0.5
check 'STOP, CONT, q: the terminal is as it was' cmp -s "$dir/before" "$dir/after"
check 'STOP, CONT: files complete' complete end=
start 80 24
run "$good" "$hot"
seen 'HEATING'
pid=$(cat "$dir/pid")
tmux_do kill-server
check 'a closed terminal: the run ends, files complete' eval 'ended "$pid" && complete end='
