# A SATA drive whose temperature the kernel's drivetemp gives. It refuses QEMU's (whose identify
# word 93 is not that of SATA), so a drive of ours stands behind target_core_user and tcm_loop:
# drivetemp, hwmon and libsensors are the real ones. Its transport is SCSI as far as anybody sees.
have sata_disk || {
  skip "drivetemp" "sata_disk was not built"
  exit 0
}
target=/sys/kernel/config/target
echo 35 >temperature
make_disk() {
  { mountpoint -q /sys/kernel/config || mount -t configfs config /sys/kernel/config; } &&
    mkdir -p $target/core/user_0/hot &&
    echo "dev_size=134217728,dev_config=sata/hot,hw_block_size=512" >$target/core/user_0/hot/control &&
    echo 1 >$target/core/user_0/hot/enable || return 1
  uio=$(grep -l tcm-user /sys/class/uio/uio*/name | cut -d / -f 5)
  sata_disk "/dev/$uio" 134217728 "$PWD/temperature" &
  disk_pid=$!
  port=$target/loopback/naa.6001405000000001/tpgt_1
  mkdir -p $port && echo naa.6001405000000002 >$port/nexus && mkdir -p $port/lun/lun_0 &&
    ln -s $target/core/user_0/hot $port/lun/lun_0/hot
}
expect "a SATA drive" run 0 make_disk
hot() {
  for d in /sys/block/sd*; do
    case $(readlink -f "$d") in *tcm_loop*) echo "${d##*/}" ;; esac
  done
}
until_true 10 eval '[ -n "$(hot)" ]'
disk=$(hot)
attached() { [ -e "$(echo "/sys/block/$disk/device/hwmon/"hwmon*/temp1_input)" ]; }
expect "drivetemp attaches" until_true 10 attached
expect "list" run 0 throttlog list
expect "list: whole model, firmware, temperature by hwmon" \
  says "^/dev/$disk .*TL-SATA-M2 with a temperature .* 1.0 .* 35 °C .*hwmon"
expect "list: no complaint" eval "! says '^$disk.*no temperature'"
begin hot run "/dev/$disk" --bs 64k --qd 4 --baseline 1 --time 6 --cooldown 1
until_true 10 has_rows hot 4
echo 62 >temperature
have sensors && sensors -u >sensors.out 2>&1
expect "run" ended hot 0
cp hot.csv "$OUT"
expect "run: serial" [ "$(key hot.csv drive_serial)" = TLHOT0001 ]
expect "run: the temperature before" [ "$(column hot.csv temp_c | grep -v '^$' | head -n 1)" = 35 ]
expect "run: and after" [ "$(column hot.csv temp_c | grep -v '^$' | tail -n 1)" = 62 ]
expect "run: JSON" [ "$(json hot.json max_c)" = 62 ]
if have sensors; then
  cp sensors.out "$OUT"
  expect "sensors sees the same" eval "grep -A 3 '^drivetemp-scsi' sensors.out | grep -q 'temp1_input: 62'"
fi
expect "user: the same without privilege" run 0 as_user "throttlog list"
expect "user: temperature" says "^/dev/$disk .* 62 °C .*hwmon"
rm $port/lun/lun_0/hot
rmdir $port/lun/lun_0 $port ${port%/*} $target/core/user_0/hot
kill "$disk_pid" 2>/dev/null && wait "$disk_pid"
