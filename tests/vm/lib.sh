# What the cases of the virtual machine share. A topic's script runs in a directory of its own.
failed=0
OUT=$PWD/last

# expect NAME COMMAND...: one case; on failure the last command's output goes along.
expect() {
  name=$1
  shift
  if "$@"; then
    echo "ok - $name"
  else
    echo "not ok - $name"
    tail -n 40 "$OUT" | sed 's/^/#   /'
    failed=$((failed + 1))
  fi
}
skip() { echo "ok - $1 # SKIP $2"; }
# have PROGRAM...: whether the host had them to give.
have() {
  for program in "$@"; do [ -x "/bin/$program" ] || return 1; done
}
# run STATUS COMMAND...: keeps its output in $OUT.
run() {
  want=$1
  shift
  "$@" >"$OUT" 2>&1
  got=$?
  [ $got -eq "$want" ] || echo "exit status $got, expected $want" >>"$OUT"
  [ $got -eq "$want" ]
}
says() { grep -q -- "$1" "$OUT"; }
as_user() { su user -c "cd '$PWD' && $1"; }
within() { [ "$1" -ge "$2" ] && [ "$1" -le "$3" ]; }
# until_true SECONDS COMMAND...: waits for it to succeed.
until_true() {
  tries=$(($1 * 5))
  shift
  while ! "$@"; do
    tries=$((tries - 1))
    [ $tries -gt 0 ] || return 1
    sleep 0.2
  done
}

# The whole disk with this serial, whatever the kernel called it; waits for it.
disk_of() {
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
    for c in /sys/class/nvme/nvme*; do
      [ "$(tr -d ' ' <"$c/serial" 2>/dev/null)" = "$1" ] || continue
      name=$(for name in "$c"/nvme*n*; do echo "${name##*/}"; done | head -n 1 | sed 's/c[0-9]*n/n/')
      if [ -b "/dev/$name" ]; then
        echo "$name"
        return 0
      fi
    done
    sleep 0.2
  done
  return 1
}
controller_of() { basename "$(readlink -f "/sys/block/$1/device")"; }
# Bytes read from or written to a disk since boot, as the kernel counts them.
read_bytes() { awk '{printf "%.0f", $3 * 512}' "/sys/block/$1/stat"; }
written_bytes() { awk '{printf "%.0f", $7 * 512}' "/sys/block/$1/stat"; }
# partition DISK [N]: a DOS table with N partitions of 64 MiB from sector 2048 on, 1 by default.
partition() {
  dd if=/dev/zero of="/dev/$1" bs=1M count=4 2>/dev/null
  for i in $(seq 0 $((${2:-1} - 1))); do
    printf "\\0\\0\\0\\0\\203\\0\\0\\0\\0\\10\\$(printf %o $((i * 2)))\\0\\0\\0\\2\\0" |
      dd of="/dev/$1" bs=1 seek=$((446 + 16 * i)) conv=notrunc 2>/dev/null
  done
  printf '\125\252' | dd of="/dev/$1" bs=1 seek=510 conv=notrunc 2>/dev/null
  blockdev --rereadpt "/dev/$1"
}

# A run or a watch with a small picture: a large one takes seconds here.
tl() { throttlog "$@" --no-tui --size 400x250; }

# begin NAME ARGUMENT...: throttlog in the background, its log $TO/NAME.csv, its output NAME.out.
TO=.
begin() {
  name=$1
  shift
  (
    throttlog "$@" --no-tui --size 400x250 -o "$TO/$name" >"$name.out" 2>&1 </dev/null &
    echo $! >"$name.pid"
    wait $!
    echo $? >"$name.status"
  ) &
}
# ended NAME STATUS [SECONDS]: waits for it; true if it ended with that status in that time.
ended() {
  cp "$1.out" "$OUT"
  if ! until_true "${3:-30}" [ -e "$1.status" ]; then
    echo "still running" >>"$OUT"
    return 1
  fi
  cp "$1.out" "$OUT"
  [ "$(cat "$1.status")" = "$2" ] && return
  echo "exit status $(cat "$1.status"), expected $2" >>"$OUT"
  return 1
}
rows() {
  if [ -e "$1" ]; then grep -c '^[0-9]' "$1"; else echo 0; fi
}
# Whether the log of a run under way has as many rows.
has_rows() { [ "$(rows "$TO/$1.csv")" -ge "$2" ]; }

# column FILE NAME: that column of a log, a line a row.
column() {
  awk -F, -v name="$2" '/^#/ { next }
    !at { for (i = 1; i <= NF; i++) if ($i == name) at = i; if (!at) exit; next }
    { print $at }' "$1"
}
sum() { awk '{s += $1} END {printf "%.0f", s}'; }
key() { sed -n "s/^# $2: //p" "$1"; }
# json FILE NAME: the first value of that name, without its quotes.
json() { sed -n "s/^ *\"$2\": *//p" "$1" | head -n 1 | sed 's/,$//; s/^"//; s/"$//'; }

# QEMU's own monitor (QMP) is at the other end of ttyS2. monitor JSON: sends one command.
monitor() {
  (
    until mkdir /run/monitor.lock 2>/dev/null; do sleep 0.1; done
    [ -e /run/monitor.ready ] || echo '{"execute":"qmp_capabilities"}' >/dev/ttyS2
    : >/run/monitor.ready
    echo "$1" >/dev/ttyS2
    rmdir /run/monitor.lock
  )
}
