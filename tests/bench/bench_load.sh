#!/bin/sh
# Compares the load path with fio: same engine, block size, depth and target, in turn A B A B.
# Prints medians of throughput and of CPU seconds per GiB, and their ratios to fio's.
# Usage: bench_load.sh DRIVER   ROUNDS=5 SECONDS_EACH=2 DIR=/tmp can be set.
# The loop device over tmpfs needs root; the file lies in DIR and is written to.
set -u
driver=$1
rounds=${ROUNDS:-5} each=${SECONDS_EACH:-2} size=512M block=128k depth=32
dir=$(mktemp -d "${DIR:-/tmp}/bench_load.XXXXXX") || exit 1
image='' loop=''
cleanup() {
  [ -n "$loop" ] && losetup -d "$loop"
  rm -rf "$dir" "$image"
}
trap cleanup EXIT
trap 'exit 130' INT TERM
command -v fio >/dev/null || { echo "bench_load: no fio here"; exit 1; }

ours() { # TARGET ENGINE OP: "MB/s cpu_s/GiB"
  "$driver" "$1" "$2" "$3" $block $depth "$each" $size | awk '{ print $1, $3 }'
}

# fio reports in its terse form, version 3: KiB moved, ms, and CPU percent of the job. Its own
# latencies stay on, as ours do; registered buffers and files where the engine has them.
theirs() {
  fixed=''
  [ "$2" = io_uring ] && fixed='--fixedbufs=1 --registerfiles=1'
  # shellcheck disable=SC2086 # two options or none
  fio --name=bench --filename="$1" --ioengine="$2" --rw="$3" --bs=$block --iodepth=$depth \
    --direct=1 --size=$size --time_based --ramp_time=0.5 --runtime="$each" --minimal $fixed |
    awk -F';' -v write="$([ "$3" = write ] && echo 1)" '{
      kib = write ? $47 : $6; ms = write ? $50 : $9; cpu = $88 + $89
      printf "%.1f %.4f\n", kib * 1.024 / ms, cpu / 100 * ms / 1000 / (kib / 1048576)
    }'
}

median() { # COLUMN FILE
  awk -v c="$1" '{ print $c }' "$2" | sort -n | awk '{ v[NR] = $1 }
    END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

compare() { # LABEL TARGET
  for engine in io_uring libaio; do
    for op in read write; do
      : >"$dir/a"
      : >"$dir/b"
      i=0
      while [ $i -lt "$rounds" ]; do
        ours "$2" $engine $op >>"$dir/a"
        theirs "$2" $engine $op >>"$dir/b"
        i=$((i + 1))
      done
      printf '%-6s %-8s %-5s %s %s %s %s\n' "$1" $engine $op "$(median 1 "$dir/a")" \
        "$(median 1 "$dir/b")" "$(median 2 "$dir/a")" "$(median 2 "$dir/b")"
    done
  done | awk '{ printf "%-6s %-8s %-5s %9.1f %9.1f %6.3f   %8.4f %8.4f %6.2f\n",
    $1, $2, $3, $4, $5, $4 / $5, $6, $7, $6 / $7 }'
}

echo "block $block, depth $depth, $rounds rounds of $each s, medians; ratios are to fio"
echo "target engine   op         MB/s       fio  ratio   cpu s/GiB      fio  ratio"
image=/dev/shm/${dir##*/}
if head -c $size </dev/urandom >"$image" 2>/dev/null &&
  loop=$(losetup -f --show --direct-io=on "$image" 2>/dev/null); then
  compare loop "$loop"
else
  echo "loop   left out: needs root and a tmpfs at /dev/shm"
fi
head -c $size </dev/urandom >"$dir/file" && sync "$dir/file"
compare file "$dir/file"
