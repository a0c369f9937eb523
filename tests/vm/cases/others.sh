# Drives that are no NVMe: SATA, USB, RAID. Load and identity work; for the temperature a clear line.
sd_of() {
  for d in /sys/block/sd*; do
    case $(readlink -f "$d") in *"$1"*) echo "${d##*/}" ;; esac
  done
}
until_true 10 eval '[ -n "$(sd_of /usb)" ]'
sata=$(sd_of /ata) usb=$(sd_of /usb)
raid=$(for d in /sys/block/sd*; do
  host=$(readlink -f "$d" | sed -n 's/.*\(host[0-9]*\).*/\1/p')
  [ "$(cat "/sys/class/scsi_host/$host/proc_name")" = megaraid_sas ] && echo "${d##*/}"
done)
expect "list" run 0 throttlog list
expect "list: SATA" says "^/dev/$sata .*TL-SATA-M2.* sata "
expect "list: SATA has no temperature, and why" says "^$sata.*no temperature.*modprobe drivetemp"
expect "list: USB" says "^/dev/$usb .* usb "
expect "list: USB hides the drive's log" says "^$usb.*no temperature.*USB bridge"
expect "list: RAID" says "^/dev/$raid .* raid "
expect "list: RAID hides the drive's log" says "^$raid.*no temperature.*RAID controller"
expect "list: the RAID controller" says "^The RAID controller 0000:.* may hide drives"

# run_on NAME DISK TRANSPORT: reads for some seconds.
run_on() {
  before=$(read_bytes "$2")
  expect "$1: run" run 0 tl run "/dev/$2" --region 16M --baseline 0 --time 2 --cooldown 1 \
    -o "$1"
  expect "$1: says that there is no temperature" says "no temperature: $2"
  cp "$1.csv" "$OUT"
  expect "$1: bytes are what the kernel counted" \
    [ "$(column "$1.csv" bytes | sum)" = $(($(read_bytes "$2") - before)) ]
  expect "$1: it read something" [ "$(column "$1.csv" bytes | sum)" -gt 1000000 ]
  expect "$1: no temperature column" [ -z "$(column "$1.csv" temp_c)" ]
  expect "$1: transport" [ "$(key "$1.csv" transport)" = "$3" ]
  cp "$1.json" "$OUT"
  expect "$1: no verdict without a temperature" [ "$(json "$1.json" throttled)" = null ]
}
run_on sata "$sata" sata
expect "sata: serial" [ "$(key sata.csv drive_serial)" = TLSATA ]
expect "sata: whole model" [ "$(key sata.csv drive_model)" = TL-SATA-M2 ]
run_on usb "$usb" usb
run_on raid "$raid" raid
begin watch watch "/dev/$sata"
until_true 10 has_rows watch 1
dd if="/dev/$sata" of=/dev/null bs=1M count=64 iflag=direct 2>/dev/null
until_true 10 has_rows watch $(($(rows watch.csv) + 2))
kill -INT "$(cat watch.pid)"
expect "sata: watch ends with Ctrl-C" ended watch 130
expect "sata: watch sees another program's 64 MiB" [ "$(column watch.csv bytes | sum)" = $((64 << 20)) ]

# A mirror of two drives, put together by sysfs.
one=$(disk_of TLVM8) two=$(disk_of TLVM9)
mirror() {
  echo md_mirror >/sys/module/md_mod/parameters/new_array &&
    echo raid1 >/sys/block/md_mirror/md/level &&
    echo none >/sys/block/md_mirror/md/metadata_version &&
    echo 2 >/sys/block/md_mirror/md/raid_disks &&
    for d in "$one" "$two"; do
      cat "/sys/block/$d/dev" >/sys/block/md_mirror/md/new_dev &&
        echo 200000 >"/sys/block/md_mirror/md/dev-$d/size" || return 1
    done && echo 200000 >/sys/block/md_mirror/md/component_size &&
    i=0 && for d in "$one" "$two"; do
      echo insync >"/sys/block/md_mirror/md/dev-$d/state" 2>/dev/null
      echo $i >"/sys/block/md_mirror/md/dev-$d/slot" || return 1
      i=$((i + 1))
    done && echo active >/sys/block/md_mirror/md/array_state
}
expect "md: a mirror" run 0 mirror
node=/dev/$(cd /dev && echo md*mirror)
expect "md: run" run 0 tl run "$node" --region 8M --baseline 0 --time 2 --cooldown 0 \
  -o md
expect "md: names both drives" says "no temperature: md_mirror lies on several drives ($one, $two)"
expect "md: members may not be written" run 4 tl run "/dev/$one" --op write --destructive \
  --confirm TLVM8 -o no
expect "md: and says why" says "md_mirror"
