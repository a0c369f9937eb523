# A program in a real terminal (tmux), for the tests of the live view; to be sourced. Set `plan` to
# the number of tests before; prints TAP. Sets: dir, a directory that goes with the test; utf8.
# shellcheck shell=sh disable=SC2016,SC2034,SC2154
echo "1..$plan"
n=0
pass() { n=$((n + 1)); echo "ok $n - $1"; }
fail() {
  n=$((n + 1))
  echo "not ok $n - $1"
  tmux_do capture-pane -p | sed 's/^/# /'
}
if ! command -v tmux >/dev/null; then
  while [ $n -lt "$plan" ]; do n=$((n + 1)); echo "ok $n - view # SKIP no tmux"; done
  exit 0
fi
dir=$(mktemp -d) || exit 1
socket=none starts=0
tmux_do() { tmux -u -L "$socket" "$@" 2>/dev/null; }
trap 'tmux_do kill-server; rm -rf "$dir"' EXIT

# A shell of its own with job control: start WIDTH HEIGHT
start() {
  tmux_do kill-server
  rm -f "$dir"/*
  # A new socket: the old server may still be going.
  starts=$((starts + 1))
  socket=throttlog-$$-$starts
  tmux -u -L "$socket" -f /dev/null new-session -d -x "$1" -y "$2" 'PS1="ready> " bash --norc -i'
  tmux_do set -g status off
  tmux_do set -g remain-on-exit off
  seen 'ready>'
}
keys() { tmux_do send-keys "$@"; }
# Waits up to 30 s for a text on the screen: machines may be busy.
seen() {
  for _ in $(seq 300); do
    tmux_do capture-pane -p | grep -q -e "$1" && return 0
    sleep 0.1
  done
  return 1
}
seen_now() { tmux_do capture-pane -p | grep -q -e "$1"; }
check_seen() { if seen "$1"; then pass "$2"; else fail "$2"; fi; }
# run ENVIRONMENT COMMAND: a program, between two looks at the terminal's modes.
run() {
  keys "clear; stty -g >$dir/before; env $1 sh -c 'echo \$\$ >$dir/pid; exec $2'; echo \$? >$dir/status; stty -g >$dir/after; touch $dir/over" Enter
}
# After it: the same modes, and it left nothing but its last words on the screen.
over() {
  for _ in $(seq 300); do [ -e "$dir/over" ] && break; sleep 0.1; done
  [ -e "$dir/over" ] && cmp -s "$dir/before" "$dir/after"
}
check_over() { if over; then pass "$1"; else fail "$1"; fi; }
utf8=LC_ALL=C.UTF-8
check() { name=$1; shift; if "$@"; then pass "$name"; else fail "$name"; fi; }

# What a run with -o $dir/r leaves.
log=$dir/r.csv
has() { grep -q -e "$1" "$log"; }
# The log is whole, report says of it what the run said, and the picture is a whole PNG.
complete() {
  has "$1" && "$THROTTLOG" report --json "$log" | cmp -s - "${log%.csv}.json" &&
    [ "$(tail -c 8 "${log%.csv}.png" | od -An -tx1 | tr -d ' ')" = 49454e44ae426082 ]
}
# Waits up to 10 s for the end of a process.
ended() {
  for _ in $(seq 100); do [ -d "/proc/$1" ] || return 0; sleep 0.1; done
  return 1
}
