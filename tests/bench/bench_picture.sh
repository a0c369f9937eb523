#!/bin/sh
# CPU time, memory and file size of the picture against gnuplot's pngcairo on the same columns:
# a day of rows and a million. Usage: bench_picture.sh THROTTLOG
set -u
throttlog=$1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
command -v gnuplot >/dev/null || { echo "gnuplot is not installed (gnuplot-nox)"; exit 1; }

# A drive that swings between two speeds, with single stalled seconds.
make_log() {
  awk -v n="$1" 'BEGIN {
    print "# schema: 1\n# tool: bench\n# drive_model: Bench SSD\n# op: write\n# interval_s: 1"
    print "# start_utc: 2026-01-01T00:00:00Z\ntime_s,phase,op,bytes,mb_s,temp_c,events"
    srand(1)
    for (i = 1; i <= n; i++) {
      at = int(i + 3 * rand()) % 40
      mb = (i < 300 ? 3000 : at < 22 ? 2900 : 900) * (0.99 + 0.02 * rand())
      if (i % 7001 == 0) mb = 0
      t = i < 300 ? 40 + i * 0.13 : 75 + (at < 22 ? at : 44 - at) / 5
      printf "%d.000,load,write,%.0f,%.3f,%d,\n", i, mb * 1e6, mb, t
    }
  }' >"$2"
}

# The same three panels; gnuplot reads the file for each.
make_plot() {
  cat >"$3" <<END
set terminal pngcairo size 1600,900 font "DejaVu Sans,10"
set output "$2"
set datafile separator ","
set datafile commentschars "#"
set multiplot
set title "Throughput and temperature of a simulated drive, sequential write 128 KiB, QD32" left
set lmargin at screen 0.06; set rmargin at screen 0.64
set tmargin at screen 0.93; set bmargin at screen 0.5
set ylabel "MB/s"; set grid ytics
plot "$1" using 1:5 skip 1 with points pt 7 ps 0.3 notitle
unset title
set tmargin at screen 0.45; set bmargin at screen 0.1
set ylabel "°C"; set xlabel "time, s"
plot "$1" using 1:6 skip 1 with steps lw 2 notitle
set lmargin at screen 0.72; set rmargin at screen 0.97
set tmargin at screen 0.93; set bmargin at screen 0.5
set xlabel "°C"; set ylabel "MB/s"
plot "$1" using 6:5:1 skip 1 with points pt 7 ps 0.3 palette notitle
unset multiplot
END
}

# Runs the rest; prints "CPU seconds, peak KiB".
cost() {
  /usr/bin/time -f '%U %S %M' -o "$dir/time" "$@" >/dev/null 2>&1 || echo "failed: $*" >&2
  awk '{ print $1 + $2, $3 }' "$dir/time"
}

printf '%-10s %-28s %8s %9s %9s\n' rows what 'CPU s' 'peak MiB' 'file KiB'
line() {
  printf '%-10s %-28s %8.2f %9.1f %9.1f\n' "$1" "$2" "$3" "$(echo "$4" | awk '{print $1 / 1024}')" \
    "$(stat -c %s "$5" | awk '{print $1 / 1024}')"
}
for rows in 86400 1000000; do
  make_log "$rows" "$dir/log.csv"
  make_plot "$dir/log.csv" "$dir/gnuplot.png" "$dir/plot.gp"
  rm -f "$dir/ours.png"
  # shellcheck disable=SC2046
  set -- $(cost "$throttlog" report "$dir/log.csv" --picture "$dir/ours.png")
  ours=$1
  line "$rows" "throttlog, with its verdict" "$1" "$2" "$dir/ours.png"
  # shellcheck disable=SC2046
  set -- $(cost "$throttlog" report "$dir/log.csv")
  verdict=$1
  # shellcheck disable=SC2046
  set -- $(cost gnuplot "$dir/plot.gp")
  line "$rows" "gnuplot" "$1" "$2" "$dir/gnuplot.png"
  awk -v o="$ours" -v v="$verdict" -v g="$1" 'BEGIN {
    printf "%-10s %s %.3f of gnuplot; the picture alone %.2f s, %.3f\n", "", "CPU:", o / g, o - v,
      (o - v) / g }'
done
