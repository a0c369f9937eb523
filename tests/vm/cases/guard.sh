# The write guard: what it refuses, what it lets through, and that nothing else is touched.
victim=$(disk_of TLVM1)
mkdir -p /mnt/guard

# Named by its controller, so that the namespace is found as well.
controller=$(basename "$(readlink -f "/sys/block/$victim/device")")
write="throttlog run /dev/$controller --op write --region 16M --qd 4 --bs 64k --baseline 0"
write="$write --time 6 --cooldown 2"
write="$write --no-tui --size 400x250"
refused() { run 4 $write "$@" </dev/null; }
expect "needs --destructive" refused -o w1
expect "says so" says "--destructive"
expect "needs --confirm" refused --destructive -o w2
expect "wrong serial" refused --destructive --confirm TLVM0 -o w3
sure="--destructive --confirm TLVM1"
mke2fs -q "/dev/$victim" >/dev/null && mount -t ext4 "/dev/$victim" /mnt/guard
expect "mounted" refused $sure -o w4
expect "names the mount" says "mounted on /mnt/guard"
umount /mnt/guard
mkswap "/dev/$victim" >$OUT 2>&1 && swapon "/dev/$victim"
expect "swap" refused $sure -o w5
expect "names swapoff" says "swapoff"
swapoff "/dev/$victim"
if [ -x /bin/dmsetup ]; then
  dmsetup --noudevsync create vault --table "0 8192 linear /dev/$victim 0" >$OUT 2>&1
  expect "held by device mapper" refused $sure -o w6
  expect "names the holder" says "vault"
  dmsetup --noudevsync remove vault >$OUT 2>&1
else
  skip "guard: held by device mapper" "dmsetup is not installed"
fi
partition "$victim"
mke2fs -q "/dev/${victim}p1" >/dev/null && mount -t ext4 "/dev/${victim}p1" /mnt/guard
expect "a partition is mounted" refused $sure -o w7
expect "names the partition" says "${victim}p1 is mounted"
umount /mnt/guard
sync
before=$(written_bytes "$victim")
behind() { dd if="/dev/$victim" bs=1M skip=16 count=4 2>/dev/null | sha1sum; }
rest=$(behind)
# shellcheck disable=SC2086
begin w8 ${write#throttlog } $sure
until_true 15 has_rows w8 1
dd if="/dev/$victim" of=/dev/null bs=1M skip=32 count=64 iflag=direct 2>/dev/null
expect "lets a confirmed write through" ended w8 0
expect "write: bytes are what the kernel counted" \
  [ "$(column w8.csv bytes | sum)" = \
    "$(awk "BEGIN {printf \"%.0f\", $(written_bytes "$victim") - $before}")" ]
foreign=$(column w8.csv foreign_bytes | grep -v '^$' | sum)
expect "write: sees that somebody else read 64 MiB" \
  within "$foreign" $((63 << 20)) $((65 << 20))
expect "write: the region was overwritten" \
  [ "$(dd if="/dev/$victim" bs=1M skip=12 count=4 2>/dev/null | tr -d '\0' | wc -c)" -gt 4000000 ]
expect "write: and nothing behind it" [ "$(behind)" = "$rest" ]
