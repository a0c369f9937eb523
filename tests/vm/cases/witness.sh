# Other programs as witnesses: at the same time they read the same temperatures, limits and counters,
# and a load of fio is as large and as fast as fio says.
disk=$(disk_of TLVM5)
controller=$(controller_of "$disk")
# A threshold below the drive's temperature, so that the warning is something other than 0.
have nvme && nvme set-feature "/dev/$controller" -f 4 -v 318 >"$OUT" 2>&1
begin own watch "/dev/$disk" --time 4

# Every value of a column, once; the log has one row a second.
own() { column own.csv "$1" | grep -v '^$' | sort -u; }
near() { awk "BEGIN {exit !(($1) - ($2) <= 1 && ($2) - ($1) <= 1)}"; }
until_true 10 has_rows own 2
have nvme && nvme smart-log "/dev/$controller" >nvme.out 2>&1
have smartctl && smartctl -a "/dev/$disk" >smartctl.out 2>&1
hwmon=$(echo /sys/class/nvme/"$controller"/hwmon*/temp1_input)
have sensors && sensors -u >sensors.out 2>&1
expect "watch" ended own 0
cp own.csv "$OUT"
if have nvme; then
  of_nvme() { sed -n "s/^$1[[:space:]]*: *\(0x\)\{0,1\}\([0-9]*\).*/\2/p" nvme.out; }
  cat nvme.out >>"$OUT"
  expect "nvme: temperature" near "$(of_nvme temperature)" "$(own temp_c)"
  expect "nvme: warning" [ "$(of_nvme critical_warning)" = "$(own critical_warning)" ]
  expect "nvme: and there is one" [ "$(own critical_warning)" = 2 ]
  expect "nvme: warning time" [ "$(of_nvme 'Warning Temperature Time')" = "$(own warning_min)" ]
  expect "nvme: critical time" \
    [ "$(of_nvme 'Critical Composite Temperature Time')" = "$(own critical_min)" ]
  for i in 1 2; do
    expect "nvme: TMT$i count" [ "$(of_nvme "Thermal Management T$i Trans Count")" = "$(own tmt${i}_count)" ]
    expect "nvme: TMT$i seconds" [ "$(of_nvme "Thermal Management T$i Total Time")" = "$(own tmt${i}_s)" ]
  done
  nvme set-feature "/dev/$controller" -f 4 -v 343 >"$OUT" 2>&1
else
  skip "nvme" "nvme-cli is not installed"
fi
if have smartctl; then
  of_smartctl() { sed -n "s/^$1: *\([0-9]*\).*/\1/p" smartctl.out; }
  cp smartctl.out "$OUT"
  expect "smartctl: temperature" near "$(of_smartctl Temperature)" "$(own temp_c)"
  expect "smartctl: WCTEMP" \
    [ "$(sed -n 's/^Warning  Comp. Temp. Threshold: *\([0-9]*\).*/\1/p' smartctl.out)" = \
      "$(key own.csv wctemp_c)" ]
  expect "smartctl: CCTEMP" \
    [ "$(sed -n 's/^Critical Comp. Temp. Threshold: *\([0-9]*\).*/\1/p' smartctl.out)" = \
      "$(key own.csv cctemp_c)" ]
  expect "smartctl: serial" \
    [ "$(sed -n 's/^Serial Number: *//p' smartctl.out)" = "$(key own.csv drive_serial)" ]
else
  skip "smartctl" "smartmontools is not installed"
fi
if have sensors; then
  # Its chip by the PCI address: nvme-pci-BBDF.
  pci=$(basename "$(readlink -f "/sys/class/nvme/$controller/device")")
  chip=nvme-pci-$(echo "$pci" | awk -F '[:.]' '{print $2}')$(printf %02x $((0x$(echo "$pci" |
    cut -d : -f 3 | cut -d . -f 1) * 8)))
  cp sensors.out "$OUT"
  expect "sensors: temperature" near \
    "$(awk -v chip="$chip" '$0 == chip {on = 1} on && /temp1_input/ {print $2; exit}' sensors.out)" \
    "$(own temp_c)"
else
  skip "sensors" "lm-sensors is not installed"
fi
expect "hwmon within 1 °C of SMART" near "$(awk '{print $1 / 1000}' "$hwmon")" "$(own temp_c)"

# The tool's own two ways to the temperature.
chgrp user "/dev/$disk" && chmod 640 "/dev/$disk"
expect "user: watch" run 0 as_user "throttlog watch /dev/$disk --time 2 --no-tui --size 400x250 -o hwmon"
chgrp 0 "/dev/$disk" && chmod 600 "/dev/$disk"
expect "user: hwmon within 1 °C of SMART" \
  near "$(column hwmon.csv temp_c | grep -v '^$' | sort -u)" "$(own temp_c)"
expect "user: limits as well" \
  [ "$(key hwmon.csv wctemp_c) $(key hwmon.csv cctemp_c)" = "$(key own.csv wctemp_c) $(key own.csv cctemp_c)" ]

if have fio; then
  begin fio watch "/dev/$disk"
  until_true 10 has_rows fio 1
  run 0 fio --name=load --filename="/dev/$disk" --direct=1 --rw=read --bs=128k --iodepth=16 \
    --ioengine=libaio --time_based --runtime=8 --output-format=terse --terse-version=3 \
    --write_lat_log=fio --log_unix_epoch=1 --disable_slat=1 --disable_clat=1
  bytes=$(grep '^3;' "$OUT" | awk -F ';' '{printf "%.0f", $6 * 1024}')
  until_true 10 has_rows fio $(($(rows fio.csv) + 2))
  kill -INT "$(cat fio.pid)"
  expect "fio: watch" ended fio 130
  cat fio.csv >"$OUT"
  expect "fio: bytes are the same" [ "$(column fio.csv bytes | sum)" = "$bytes" ]
  # fio's own log has a line a request: ms since 1970, latency, direction, bytes. In the rows that
  # lie in it as a whole both must have moved the same.
  cat >speed.awk <<'AWK'
FILENAME ~ /log$/ { split($0, f, ", *"); n++; at[n] = f[1] / 1000 % 86400; moved[n] = f[4]; next }
/^[0-9]/ {
  split($0, f, ","); split(substr(f[2], 12, 12), c, ":")
  now = c[1] * 3600 + c[2] * 60 + c[3]
  if (before >= at[1] && now <= at[n]) {
    own += f[5]
    rows++
    for (i = 1; i <= n; i++) if (at[i] > before && at[i] <= now) fio += moved[i]
  }
  before = now
}
END { printf "rows %d, own %.0f bytes, fio %.0f bytes\n", rows, own, fio
  exit !(rows >= 5 && own > 0.98 * fio && own < 1.02 * fio) }
AWK
  cp fio_lat.*.log fio.log
  expect "fio: speed within 2 %" run 0 awk -f speed.awk fio.log fio.csv
  cp "$OUT" fio.result
else
  skip "fio" "fio is not installed"
fi
