# `list` on NVMe drives, as root and as an ordinary user.
plain=$(disk_of TLVM0) multi=$(disk_of TLVM2)
firmware=$(tr -d ' ' <"/sys/block/$plain/device/firmware_rev")

expect "list works" run 0 throttlog list
line=$(grep "^/dev/$plain " $OUT)
field() { case $line in *"$1"*) true ;; *) false ;; esac; }
expect "model" field "QEMU NVMe Ctrl"
expect "firmware" field " $firmware "
expect "50 °C" field " 50 °C "
expect "WCTEMP and CCTEMP" field " 70 °C  100 °C "
expect "read by SMART" field "smart"
expect "PCIe link" field "GT/s x"
line=$(grep "^/dev/$multi " $OUT)
expect "drive in a subsystem" field " 50 °C "
expect "list --sim names the presets" run 0 throttlog list --sim
expect "list --sim: xg5-p" says "sim:xg5-p"

# Without privilege.
expect "user: list works" run 0 as_user "throttlog list"
line=$(grep "^/dev/$plain " $OUT)
expect "user: hwmon has the temperature" field " 50 °C "
expect "user: read by hwmon" field "hwmon"
expect "user: says what is lost and how to get it, once" \
  [ "$(grep -c "CAP_SYS_ADMIN.*setcap cap_sys_admin,cap_dac_read_search+ep" $OUT)" = 1 ]

# The command that the line gives must do what it says.
if [ -x /bin/setcap ]; then
  cp /bin/throttlog /run/throttlog
  setcap cap_sys_admin,cap_dac_read_search+ep /run/throttlog
  run 0 as_user "/run/throttlog list"
  line=$(grep "^/dev/$plain " $OUT)
  expect "user: with these capabilities SMART is read" field "smart"
  # Whoever may read the namespace (group disk) needs one capability only.
  chgrp user "/dev/$plain" && chmod 640 "/dev/$plain"
  setcap -r /run/throttlog
  run 0 as_user "/run/throttlog list"
  expect "user: says what is lost where the node can be read" says "$plain.*setcap cap_sys_admin+ep"
  setcap cap_sys_admin+ep /run/throttlog
  run 0 as_user "/run/throttlog list"
  line=$(grep "^/dev/$plain " $OUT)
  expect "user: one capability is enough in group disk" field "smart"
  chgrp 0 "/dev/$plain" && chmod 600 "/dev/$plain"
else
  skip "user: with these capabilities SMART is read" "setcap is not installed"
fi
