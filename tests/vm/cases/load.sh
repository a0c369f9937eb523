# A load on the real driver, and at the same time a user's on a file system.
plain=$(disk_of TLVM0) multi=$(disk_of TLVM2)
firmware=$(tr -d ' ' <"/sys/block/$plain/device/firmware_rev")
mkdir -p /mnt/load

mke2fs -q "/dev/$multi" >/dev/null && mount -t ext4 "/dev/$multi" /mnt/load && chmod 1777 /mnt/load
mkdir -p /dev/disk/by-id && ln -s "../../$plain" /dev/disk/by-id/nvme-plain
before=$(read_bytes "$plain")
as_user "throttlog run /mnt/load --region 16M --baseline 1 --time 4 --cooldown 1 --no-tui -o user" \
  >user.out 2>&1 &
expect "reads for five seconds" \
  run 0 throttlog run /dev/disk/by-id/nvme-plain --baseline 2 --time 5 --cooldown 2 --no-tui -o read
after=$(read_bytes "$plain")
wait $!
user_status=$?
log=read.csv
cp $log $OUT
expect "bytes are what the kernel counted" \
  [ "$(column $log bytes | sum)" = "$(awk "BEGIN {printf \"%.0f\", $after - $before}")" ]
expect "it read something" [ "$(column $log bytes | sum)" -gt 1000000 ]
expect "a row each second" eval "column $log time_s | awk '
  {if (NR > 1 && (\$1 - last < 0.7 || \$1 - last > 1.3)) bad = 1; last = \$1}
  END {exit bad || NR < 8 || NR > 10}'"
expect "50 °C all along" [ "$(column $log temp_c | grep -v '^$' | sort -u)" = 50 ]
expect "model" [ "$(key $log drive_model)" = "QEMU NVMe Ctrl" ]
expect "serial" [ "$(key $log drive_serial)" = TLVM0 ]
expect "firmware" [ "$(key $log drive_firmware)" = "$firmware" ]
expect "transport" [ "$(key $log transport)" = pcie ]
expect "limits" [ "$(key $log wctemp_c) $(key $log cctemp_c)" = "70 100" ]
expect "PCIe link" [ "$(column $log link_width | grep -v '^$' | sort -u)" = 1 ]
expect "nobody else used the drive" \
  [ "$(column $log foreign_bytes | grep -v '^$' | sum)" = 0 ]
cp read.json $OUT
expect "verdict names the drive" says "QEMU NVMe Ctrl"
expect "picture" [ "$(dd if=read.png bs=1 skip=1 count=3 2>/dev/null)" = PNG ]

cp user.out $OUT
expect "user: run on a directory" [ $user_status -eq 0 ]
expect "user: run says what is lost" says "CAP_SYS_ADMIN"
expect "user: temperature from hwmon" \
  [ "$(column user.csv temp_c | grep -v '^$' | sort -u)" = 50 ]
expect "user: the drive below the file system" [ "$(key user.csv drive_serial)" = TLVM2 ]
expect "user: nothing is left behind" [ "$(ls -A /mnt/load)" = lost+found ]
umount /mnt/load
expect "user: may not load a device" run 4 as_user "throttlog run /dev/$plain --no-tui -o no"
