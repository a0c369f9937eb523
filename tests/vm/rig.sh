# Simulated drives behind the kernel's NVMe/TCP driver, for the cases: tests/rig/README.md.

# rig NAME OPTION...: starts a target whose serial number is NAME, waits until it listens.
rig() {
  rig=$1
  shift
  throttlog-rig --serial "$rig" --control "/run/rig-$rig" --size 2G "$@" >"$rig.port" 2>"$rig.errors" &
  echo $! >"$rig.pid"
  until_true 5 grep -q '^port' "$rig.port"
}
# rig_connect NAME [OPTIONS]: makes it a drive of this machine. Lost for good one second after its
# connection, unless the options say otherwise.
rig_connect() {
  echo "transport=tcp,traddr=127.0.0.1,trsvcid=$(cut -d ' ' -f 2 "$1.port"),\
nqn=nqn.2026-12.org.throttlog:$1,nr_io_queues=1,${2:-ctrl_loss_tmo=1,reconnect_delay=1}" \
    >/dev/nvme-fabrics
}
# rig_disk NAME OPTION...: both; prints the disk's name.
rig_disk() {
  rig "$@" && rig_connect "$1" && disk_of "$1"
}
# rig_do NAME WORD...: on the control socket.
rig_do() {
  rig=$1
  shift
  throttlog-rig ctl "/run/rig-$rig" "$@"
}
# rig_state NAME KEY: one value of what is true about the drive.
rig_state() { rig_do "$1" state | sed -n "s/^$2 //p"; }
rig_end() {
  controller=$(controller_of "$(disk_of "$1")")
  if [ -n "$controller" ]; then echo 1 >"/sys/class/nvme/$controller/delete_controller"; fi
  rig_do "$1" quit
}
