#!/bin/sh
# Boots a real kernel with NVMe drives under QEMU and runs tests/vm/cases.sh inside. Prints TAP.
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
for i in 0 1 2; do
  rm -f "$work/disk$i"
  truncate -s 256M "$work/disk$i"
done
: >"$work/results"
# Without erms and fsrm the emulated kernel copies several times faster.
timeout 300 qemu-system-x86_64 -accel tcg,thread=multi -cpu max,-erms,-fsrm -machine q35 -smp 2 \
  -m 768 -nodefaults -display none -no-reboot -kernel "$image" -initrd "$work/initramfs" \
  -append "console=ttyS0 quiet panic=-1 tsc=reliable mitigations=off nowatchdog random.trust_cpu=on" \
  -serial "file:$work/console" -serial "file:$work/results" \
  -device isa-debug-exit,iobase=0xf4,iosize=0x04 \
  -drive "file=$work/disk0,format=raw,if=none,id=d0" \
  -device pcie-root-port,id=port0,chassis=1 -device nvme,serial=TLVM0,drive=d0,bus=port0 \
  -drive "file=$work/disk1,format=raw,if=none,id=d1" -device nvme,serial=TLVM1,drive=d1 \
  -drive "file=$work/disk2,format=raw,if=none,id=d2" -device nvme-subsys,id=sub2,nqn=throttlog \
  -device nvme,serial=TLVM2,subsys=sub2 -device nvme-ns,drive=d2 </dev/null >"$work/qemu" 2>&1
status=$?
tr -d '\r' <"$work/results"
# isa-debug-exit makes 1 of 0 and 3 of 1.
if [ $status -ne 1 ] && ! grep -q '^not ok' "$work/results"; then
  echo "not ok 999 - the virtual machine ended with status $status"
  tail -n 20 "$work/console" "$work/qemu" | sed 's/^/# /'
fi
rm -f "$work"/disk? "$work/initramfs"
[ $status -eq 1 ]
