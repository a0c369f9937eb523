# A PCIe link that gets slower during a run, and the drive with it. QEMU's links keep their speed:
# files laid over the attributes of /sys tell another one, and QEMU's limit halves the drive's speed.
#
# | fault                | log             | verdict                   | status | terminal      |
# |----------------------|-----------------|---------------------------|--------|---------------|
# | link 8 to 4 GT/s,    | link=4.0x1, the | no throttling; a drop of  | 0      | the new link, |
# | speed halves         | columns follow  | cause link                |        | the drop      |
disk=$(disk_of TLLINK)
pci=$(readlink -f "/sys/class/nvme/$(controller_of "$disk")/device")
limit() {
  monitor "{\"execute\":\"block_set_io_throttle\",\"arguments\":{\"device\":\"TLLINK\",\"bps\":$1,\"bps_rd\":0,\"bps_wr\":0,\"iops\":0,\"iops_rd\":0,\"iops_wr\":0}}"
}
echo "8.0 GT/s PCIe" >speed
expect "another speed in /sys" mount --bind speed "$pci/current_link_speed"
limit 40000000
begin link run "/dev/$disk" --baseline 0 --time 42 --cooldown 0 --cause-test off
until_true 40 has_rows link 20
echo "4.0 GT/s PCIe" >speed
limit 20000000
expect "the run goes on to its end" ended link 0 60
expect "on the terminal" says "4.0x1"
cp link.csv "$OUT"
expect "in the log" [ "$(column link.csv events | grep -c 'link=4.0x1')" = 1 ]
expect "the column follows" [ "$(column link.csv link_gt_s | grep -v '^$' | uniq | tr -d '\n')" = 8.04.0 ]
cp link.json "$OUT"
expect "no throttling" [ "$(json link.json throttled)" = false ]
expect "the drop's cause is the link" [ "$(json link.json cause)" = link ]
umount "$pci/current_link_speed"
