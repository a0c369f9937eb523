# Whatever lies on a drive leads to it: a partition, ext4, dm-crypt, LVM; and two drives at once.
disk=$(disk_of TLVM3)
controller=$(controller_of "$disk")
expect "three partitions" eval "partition $disk 3 && until_true 5 [ -b /dev/${disk}p3 ]"
mkdir -p /mnt/plain /mnt/crypt /mnt/lvm

# volume NAME NODE: ext4 on it, mounted; then a run on a directory of it leads to the drive.
on_drive() {
  run 0 tl run "$2" --region 8M --baseline 0 --time 2 --cooldown 0 -o "$1"
}
leads() {
  expect "$1: run" on_drive "$1" "$2"
  cp "$1.csv" "$OUT"
  expect "$1: it was read" [ "$(column "$1.csv" bytes | sum)" -gt 1000000 ]
  expect "$1: the log names the drive" [ "$(key "$1.csv" drive_serial)" = TLVM3 ]
  expect "$1: JSON names the drive" [ "$(json "$1.json" serial)" = TLVM3 ]
  expect "$1: its temperature" [ "$(column "$1.csv" temp_c | grep -v '^$' | sort -u)" = 50 ]
  expect "$1: its link" [ "$(column "$1.csv" link_width | grep -v '^$' | sort -u)" = 1 ]
}
leads_mounted() {
  expect "$1: ext4" eval "mkfs.ext4 -q -F $2 >$OUT 2>&1 && mount -t ext4 $2 /mnt/$1"
  leads "$1" "/mnt/$1"
  run 0 tl watch "/mnt/$1" --time 1 -o "$1-watch"
  expect "$1: watch" [ "$(key "$1-watch.csv" drive_serial)" = TLVM3 ]
}
if have mkfs.ext4; then leads_mounted plain "/dev/${disk}p1"; else skip "ext4" "no mkfs.ext4"; fi
leads partition "/dev/${disk}p2"
if have mkfs.ext4 dmsetup; then
  expect "dm-crypt" run 0 env DM_DISABLE_UDEV=1 dmsetup create secret \
    --table "0 131072 crypt aes-xts-plain64 $(printf %064d 7) 0 /dev/${disk}p2 0"
  leads_mounted crypt /dev/mapper/secret
  leads node /dev/mapper/secret
else
  skip "dm-crypt" "dmsetup or mkfs.ext4 is not installed"
fi
if have mkfs.ext4 lvm; then
  mkdir -p /etc/lvm
  quiet="devices{use_devicesfile=0 filter=[\"a|/dev/${disk}p3|\",\"r|.*|\"]}
activation{udev_sync=0 udev_rules=0}global{event_activation=0}"
  volume() {
    lvm pvcreate --config "$quiet" -y "/dev/${disk}p3" &&
      lvm vgcreate --config "$quiet" -y group "/dev/${disk}p3" &&
      lvm lvcreate --config "$quiet" -y -Zn -Wn -L 48M -n volume group
  }
  expect "lvm: a volume" run 0 volume
  leads_mounted lvm /dev/mapper/group-volume
else
  skip "LVM" "lvm or mkfs.ext4 is not installed"
fi
throttlog run "/dev/$disk" --op write --destructive --confirm TLVM3 --no-tui -o no >"$OUT" 2>&1
expect "nothing of it may be overwritten" says "refusing to write"
expect "nor written through its controller" run 4 tl run "/dev/$controller" --op write \
  --destructive --confirm TLVM3 -o no
