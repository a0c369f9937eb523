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
    [ "$(tr -d ' ' <$c/serial)" = "$1" ] || continue
    name=$(ls -d $c/nvme*n* | head -n 1)
    echo "${name##*/}" | sed 's/c[0-9]*n/n/'
  done
}
controller_of() { ls -d /sys/class/nvme/*/ | while read -r c; do [ "$(tr -d ' ' <"$c/serial")" = "$1" ] && basename "$c"; done; }

plain=$(disk_of TLVM0) victim=$(disk_of TLVM1) multi=$(disk_of TLVM2)
firmware=$(tr -d ' ' </sys/class/nvme/"$(controller_of TLVM0)"/firmware_rev)

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

echo "1..$n"
exit $((failed > 0))
