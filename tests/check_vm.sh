#!/bin/sh
# Boots a real kernel with drives under QEMU and runs tests/vm/cases/*.sh inside, or only the
# topics that are named: tests/check_vm.sh list guard. Prints TAP. The files of the cases end up in
# $BUILD/vm/out, a directory a topic.
set -u
here=$(dirname "$0")
build=${BUILD:-build/cc}
work=$build/vm

skip_all() {
  echo "1..1"
  echo "ok 1 - virtual machine # SKIP $1"
  exit 0
}
command -v qemu-system-x86_64 >/dev/null || skip_all "qemu-system-x86_64 is not installed"
command -v busybox >/dev/null || skip_all "busybox is not installed"
kernel=$("$here/vm/kernel.sh" find build/vm) || skip_all "no kernel image: make deps-vm gets one"
image=${kernel% *} modules=${kernel#* }

mkdir -p "$work"
if ! "$here/vm/initramfs.sh" "${THROTTLOG:-$build/throttlog}" "$modules" "$work/initramfs"; then
  echo "1..1"
  echo "not ok 1 - initramfs"
  exit 1
fi

# The machine's drives. backend NAME SIZE MB/S: a sparse file of zeros, no faster than that: a
# limit leaves the processor to others, and gives the drive a speed that can be told.
devices=
backend() {
  rm -f "$work/disk-$1"
  truncate -s "$2" "$work/disk-$1"
  devices="$devices -drive file=$work/disk-$1,format=raw,if=none,id=$1,cache=unsafe,discard=unmap"
  devices="$devices,throttling.bps-total=$(($3 * 1000000))"
}
# nvme SERIAL: on a port of its own, so that it has a link and can be pulled.
ports=0
nvme() {
  ports=$((ports + 1))
  backend "$1" 256M 40
  devices="$devices -device pcie-root-port,id=port-$1,chassis=$ports,slot=$ports"
  devices="$devices -device nvme,id=nvme-$1,serial=$1,drive=$1,bus=port-$1"
}
for serial in TLVM0 TLVM1 TLVM3 TLVM4 TLVM5 TLVM6 TLVM7 TLVM8 TLVM9 TLRESET TLDM \
  TLCLOCK TLLINK; do
  nvme $serial
done
backend TLVM2 256M 40
devices="$devices -device nvme-subsys,id=sub2,nqn=throttlog -device nvme,serial=TLVM2,subsys=sub2"
devices="$devices -device nvme-ns,drive=TLVM2"
# The board's own AHCI controller, a USB bridge, a RAID controller.
backend TLSATA 256M 40
devices="$devices -device ide-hd,drive=TLSATA,bus=ide.0,serial=TLSATA,model=TL-SATA-M2,rotation_rate=1"
backend TLUSB 256M 40
devices="$devices -device qemu-xhci,id=usb -device usb-storage,bus=usb.0,drive=TLUSB,serial=TLUSB"
backend TLRAID 256M 40
devices="$devices -device megasas,id=raid -device scsi-hd,bus=raid.0,drive=TLRAID,serial=TLRAID"
# The way back for files.
backend out 128M 1000
devices="$devices -device virtio-blk-pci,drive=out"

: >"$work/results"
monitor=$work/monitor
# Without erms and fsrm the emulated kernel copies several times faster. QEMU's monitor is joined to
# the guest's third serial port: a case can pull a drive by itself.
# shellcheck disable=SC2086
timeout 600 qemu-system-x86_64 -accel tcg,thread=multi -cpu max,-erms,-fsrm -machine q35 -smp 2 \
  -m 1024 -nodefaults -display none -no-reboot -kernel "$image" -initrd "$work/initramfs" \
  -append "console=ttyS0 quiet panic=-1 tsc=reliable mitigations=off nowatchdog random.trust_cpu=on init_on_alloc=0 \
topics=$(echo "$*" | tr ' ' ,)" \
  -chardev "socket,id=monitor,path=$monitor,server=on,wait=off" -mon chardev=monitor,mode=control \
  -chardev "socket,id=guest,path=$monitor" \
  -serial "file:$work/console" -serial "file:$work/results" -serial chardev:guest \
  -device isa-debug-exit,iobase=0xf4,iosize=0x04 $devices </dev/null >"$work/qemu" 2>&1
status=$?
rm -rf "$work/out" "$monitor"
mkdir -p "$work/out"
tar -x -f "$work/disk-out" -C "$work/out" 2>/dev/null
tr -d '\r' <"$work/results"
# isa-debug-exit makes 1 of 0 and 3 of 1.
if [ $status -ne 1 ] && ! grep -q '^not ok' "$work/results"; then
  echo "not ok 999 - the virtual machine ended with status $status"
  tail -n 20 "$work/console" "$work/qemu" | sed 's/^/# /'
fi
rm -f "$work"/disk-* "$work/initramfs"
[ $status -eq 1 ]
