# Cases that run inside the virtual machine, on a real kernel's NVMe driver. Prints TAP.
#
# Drives: nvme with serial TLVM0 (plain), TLVM1 (to be mounted, held, written), and TLVM2 in a
# subsystem, which the kernel takes for a multipath drive.
n=0 failed=0
out=/tmp/out

# expect NAME COMMAND...: one case; on failure the last command's output goes along.
expect() {
  name=$1
  shift
  n=$((n + 1))
  if "$@"; then
    echo "ok $n - $name"
  else
    echo "not ok $n - $name"
    sed 's/^/#   /' $out
    failed=$((failed + 1))
  fi
}
skip() {
  n=$((n + 1))
  echo "ok $n - $1 # SKIP $2"
}
# run STATUS COMMAND...: keeps its output in $out.
run() {
  want=$1
  shift
  "$@" >$out 2>&1
  got=$?
  [ $got -eq "$want" ] || echo "exit status $got, expected $want" >>$out
  [ $got -eq "$want" ]
}
says() { grep -q -- "$1" $out; }
as_user() { su user -c "$1"; }
# The whole disk with this serial, whatever the kernel called it.
disk_of() {
  for c in /sys/class/nvme/nvme*; do
    [ "$(tr -d ' ' <"$c/serial")" = "$1" ] || continue
    for name in "$c"/nvme*n*; do echo "${name##*/}"; done | head -n 1 | sed 's/c[0-9]*n/n/'
  done
}
# Bytes read from or written to a disk since boot, as the kernel counts them.
read_bytes() { awk '{printf "%.0f", $3 * 512}' "/sys/block/$1/stat"; }
written_bytes() { awk '{printf "%.0f", $7 * 512}' "/sys/block/$1/stat"; }
# column FILE NAME: that column of a log, a line a row.
column() {
  awk -F, -v name="$2" '/^#/ { next }
    !at { for (i = 1; i <= NF; i++) if ($i == name) at = i; if (!at) exit; next }
    { print $at }' "$1"
}
sum() { awk '{s += $1} END {printf "%.0f", s}'; }
key() { sed -n "s/^# $2: //p" "$1"; }

plain=$(disk_of TLVM0) victim=$(disk_of TLVM1) multi=$(disk_of TLVM2)
firmware=$(tr -d ' ' <"/sys/block/$plain/device/firmware_rev")

# --- list ---
expect "list works" run 0 throttlog list
line=$(grep "^/dev/$plain " $out)
field() { case $line in *"$1"*) true ;; *) false ;; esac; }
expect "list: model" field "QEMU NVMe Ctrl"
expect "list: firmware" field " $firmware "
expect "list: 50 °C" field " 50 °C "
expect "list: WCTEMP and CCTEMP" field " 70 °C  100 °C "
expect "list: read by SMART" field "smart"
expect "list: PCIe link" field "GT/s x"
line=$(grep "^/dev/$multi " $out)
expect "list: drive in a subsystem" field " 50 °C "
expect "list --sim names the presets" run 0 throttlog list --sim
expect "list --sim: xg5-p" says "sim:xg5-p"

# --- without privilege ---
expect "user: list works" run 0 as_user "throttlog list"
line=$(grep "^/dev/$plain " $out)
expect "user: hwmon has the temperature" field " 50 °C "
expect "user: read by hwmon" field "hwmon"
expect "user: says what is lost and how to get it, once" \
  [ "$(grep -c "CAP_SYS_ADMIN.*setcap cap_sys_admin,cap_dac_read_search+ep" $out)" = 1 ]

# The command that the line gives must do what it says.
if [ -x /bin/setcap ]; then
  cp /bin/throttlog /run/throttlog
  setcap cap_sys_admin,cap_dac_read_search+ep /run/throttlog
  run 0 as_user "/run/throttlog list"
  line=$(grep "^/dev/$plain " $out)
  expect "user: with these capabilities SMART is read" field "smart"
  # Whoever may read the namespace (group disk) needs one capability only.
  chgrp user "/dev/$plain" && chmod 640 "/dev/$plain"
  setcap -r /run/throttlog
  run 0 as_user "/run/throttlog list"
  expect "user: says what is lost where the node can be read" says "$plain.*setcap cap_sys_admin+ep"
  setcap cap_sys_admin+ep /run/throttlog
  run 0 as_user "/run/throttlog list"
  line=$(grep "^/dev/$plain " $out)
  expect "user: one capability is enough in group disk" field "smart"
  chgrp 0 "/dev/$plain" && chmod 600 "/dev/$plain"
else
  skip "user: with these capabilities SMART is read" "setcap is not installed"
fi

# --- run: a load on the real driver, and a user's on a file system at the same time ---
mke2fs -q "/dev/$multi" >/dev/null && mount -t ext4 "/dev/$multi" /mnt && chmod 1777 /mnt
mkdir -p /dev/disk/by-id && ln -s "../../$plain" /dev/disk/by-id/nvme-plain
before=$(read_bytes "$plain")
as_user "throttlog run /mnt --region 16M --baseline 1 --time 4 --cooldown 1 --no-tui -o /tmp/user" \
  >/tmp/user.out 2>&1 &
expect "run: reads for five seconds" \
  run 0 throttlog run /dev/disk/by-id/nvme-plain --baseline 2 --time 5 --cooldown 2 --no-tui -o /tmp/read
after=$(read_bytes "$plain")
wait $!
user_status=$?
log=/tmp/read.csv
cp $log $out
expect "run: bytes are what the kernel counted" \
  [ "$(column $log bytes | sum)" = "$(awk "BEGIN {printf \"%.0f\", $after - $before}")" ]
expect "run: it read something" [ "$(column $log bytes | sum)" -gt 1000000 ]
expect "run: a row each second" eval "column $log time_s | awk '
  {if (NR > 1 && (\$1 - last < 0.7 || \$1 - last > 1.3)) bad = 1; last = \$1}
  END {exit bad || NR < 8 || NR > 10}'"
expect "run: 50 °C all along" [ "$(column $log temp_c | grep -v '^$' | sort -u)" = 50 ]
expect "run: model" [ "$(key $log drive_model)" = "QEMU NVMe Ctrl" ]
expect "run: serial" [ "$(key $log drive_serial)" = TLVM0 ]
expect "run: firmware" [ "$(key $log drive_firmware)" = "$firmware" ]
expect "run: transport" [ "$(key $log transport)" = pcie ]
expect "run: limits" [ "$(key $log wctemp_c) $(key $log cctemp_c)" = "70 100" ]
expect "run: PCIe link" [ "$(column $log link_width | grep -v '^$' | sort -u)" = 1 ]
expect "run: nobody else used the drive" \
  [ "$(column $log foreign_bytes | grep -v '^$' | sum)" = 0 ]
cp /tmp/read.json $out
expect "run: verdict names the drive" says "QEMU NVMe Ctrl"
expect "run: picture" [ "$(dd if=/tmp/read.png bs=1 skip=1 count=3 2>/dev/null)" = PNG ]

cp /tmp/user.out $out
expect "user: run on a directory" [ $user_status -eq 0 ]
expect "user: run says what is lost" says "CAP_SYS_ADMIN"
expect "user: temperature from hwmon" \
  [ "$(column /tmp/user.csv temp_c | grep -v '^$' | sort -u)" = 50 ]
expect "user: the drive below the file system" [ "$(key /tmp/user.csv drive_serial)" = TLVM2 ]
expect "user: nothing is left behind" [ "$(ls -A /mnt)" = lost+found ]
umount /mnt
expect "user: may not load a device" run 4 as_user "throttlog run /dev/$plain --no-tui -o /tmp/no"

# --- the write guard ---
# Named by its controller, so that the namespace is found as well.
controller=$(basename "$(readlink -f "/sys/block/$victim/device")")
write="throttlog run /dev/$controller --op write --region 16M --baseline 0 --time 2 --cooldown 1"
write="$write --no-tui"
refused() { run 4 $write "$@" </dev/null; }
expect "guard: needs --destructive" refused -o /tmp/w1
expect "guard: says so" says "--destructive"
expect "guard: needs --confirm" refused --destructive -o /tmp/w2
expect "guard: wrong serial" refused --destructive --confirm TLVM0 -o /tmp/w3
sure="--destructive --confirm TLVM1"
mke2fs -q "/dev/$victim" >/dev/null && mount -t ext4 "/dev/$victim" /mnt
expect "guard: mounted" refused $sure -o /tmp/w4
expect "guard: names the mount" says "mounted on /mnt"
umount /mnt
mkswap "/dev/$victim" >$out 2>&1 && swapon "/dev/$victim"
expect "guard: swap" refused $sure -o /tmp/w5
expect "guard: names swapoff" says "swapoff"
swapoff "/dev/$victim"
if [ -x /bin/dmsetup ]; then
  dmsetup --noudevsync create vault --table "0 8192 linear /dev/$victim 0" >$out 2>&1
  expect "guard: held by device mapper" refused $sure -o /tmp/w6
  expect "guard: names the holder" says "vault"
  dmsetup --noudevsync remove vault >$out 2>&1
else
  skip "guard: held by device mapper" "dmsetup is not installed"
fi
# A DOS table with one partition from sector 2048.
dd if=/dev/zero of="/dev/$victim" bs=1M count=4 2>/dev/null
printf '\0\0\0\0\203\0\0\0\0\10\0\0\0\0\2\0' |
  dd of="/dev/$victim" bs=1 seek=446 conv=notrunc 2>/dev/null
printf '\125\252' | dd of="/dev/$victim" bs=1 seek=510 conv=notrunc 2>/dev/null
blockdev --rereadpt "/dev/$victim"
mke2fs -q "/dev/${victim}p1" >/dev/null && mount -t ext4 "/dev/${victim}p1" /mnt
expect "guard: a partition is mounted" refused $sure -o /tmp/w7
expect "guard: names the partition" says "${victim}p1 is mounted"
umount /mnt
sync
before=$(written_bytes "$victim")
behind() { dd if="/dev/$victim" bs=1M skip=16 count=4 2>/dev/null | sha1sum; }
rest=$(behind)
(sleep 1; exec dd if="/dev/$victim" of=/dev/null bs=1M skip=32 count=64 iflag=direct 2>/dev/null) &
expect "guard: lets a confirmed write through" run 0 $write $sure -o /tmp/w8
wait $!
expect "write: bytes are what the kernel counted" \
  [ "$(column /tmp/w8.csv bytes | sum)" = \
    "$(awk "BEGIN {printf \"%.0f\", $(written_bytes "$victim") - $before}")" ]
# Two full queues may be taken for the load's own.
foreign=$(column /tmp/w8.csv foreign_bytes | grep -v '^$' | sum)
within() { [ "$1" -ge "$2" ] && [ "$1" -le "$3" ]; }
expect "write: sees that somebody else read 64 MiB" \
  within "$foreign" $((56 << 20)) $((72 << 20))
expect "write: the region was overwritten" \
  [ "$(dd if="/dev/$victim" bs=1M skip=12 count=4 2>/dev/null | tr -d '\0' | wc -c)" -gt 4000000 ]
expect "write: and nothing behind it" [ "$(behind)" = "$rest" ]

echo "1..$n"
exit $((failed > 0))
