# Simulated drives behind the kernel's NVMe/TCP driver, for the cases: tests/rig/README.md. Mostly
# without other programs, whose start is slow in an emulated machine.

# rig NAME OPTION...: starts a target whose serial number is NAME.
rig() {
  rig=$1
  shift
  throttlog-rig --serial "$rig" --control "/run/rig-$rig" --size 2G "$@" >"$rig.port" 2>"$rig.errors" &
  echo $! >"$rig.pid"
}
# rig_connect NAME [OPTIONS]: makes it a drive of this machine, as soon as it listens. Lost for good
# one second after its connection, unless the options say otherwise. Sets $rig_disk.
rig_connect() {
  rig_tries=100
  until read -r rig_word rig_port <"$1.port"; do
    rig_tries=$((rig_tries - 1))
    [ $rig_tries -gt 0 ] || return 1
    sleep 0.1
  done
  exec 3<>/dev/nvme-fabrics || return 1
  echo "transport=tcp,traddr=127.0.0.1,trsvcid=$rig_port,nqn=nqn.2026-12.org.throttlog:$1,\
nr_io_queues=1,${2:-ctrl_loss_tmo=1,reconnect_delay=1}" >&3 && read -r rig_word <&3
  rig_status=$?
  exec 3>&-
  [ $rig_status -eq 0 ] || return 1
  rig_word=${rig_word#instance=}
  echo "nvme${rig_word%%,*}" >"$1.controller"
  rig_wait "$1"
}
# rig_wait NAME: until its namespace is a disk; sets $rig_disk.
rig_wait() {
  read -r rig_word <"$1.controller"
  rig_tries=100
  while [ $rig_tries -gt 0 ]; do
    for rig_disk in "/sys/class/nvme/$rig_word"/nvme*n*; do
      rig_disk=${rig_disk##*/}
      [ ! -b "/dev/$rig_disk" ] || return 0
    done
    rig_tries=$((rig_tries - 1))
    sleep 0.1
  done
  return 1
}
# rig_disk NAME OPTION...: both; prints the disk's name.
rig_disk() {
  rig "$@" && rig_connect "$1" && echo "$rig_disk"
}
# rig_do NAME WORD...: on the control socket.
rig_do() {
  rig=$1
  shift
  throttlog-rig ctl "/run/rig-$rig" "$@"
}
# rig_state NAME KEY: one value of what is true about the drive.
rig_state() { rig_do "$1" state | sed -n "s/^$2 //p"; }
# The kernel lets the drive go in good order, then the target ends.
rig_end() {
  read -r rig_word <"$1.controller" && echo 1 >"/sys/class/nvme/$rig_word/delete_controller"
  rig_do "$1" quit
}
# rig_calm NAME WHAT: whether the machine carried the load of that target: nearly all that it offered
# was fetched in time. Else one line says that WHAT is skipped, since its verdict is about the machine.
rig_calm() {
  rig_word=$(rig_do "$1" state | awk '/^(read|written)_bytes/ { moved += $2 } /^unused_bytes/ { lost = $2 }
    END { printf "%.0f", moved + lost ? 100 * lost / (moved + lost) : 100 }')
  [ "$rig_word" -gt 5 ] || return 0
  skip "$2" "the machine was too busy for $rig_word % of the load"
  return 1
}
