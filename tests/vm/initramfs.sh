#!/bin/sh
# Makes the virtual machine's first file system: busybox, the program with its libraries, other
# programs that the cases use where they are installed, the kernel modules and the cases.
# Usage: initramfs.sh PROGRAM MODULES OUT
set -eu
program=$1 modules=$2 out=$3
here=$(dirname "$0")
root=$(mktemp -d)
chmod 755 "$root"
trap 'rm -rf "$root"' EXIT

mkdir -p "$root/bin" "$root/etc" "$root/dev" "$root/proc" "$root/sys" "$root/tmp" "$root/mnt" \
  "$root/modules" "$root/run"
cp "$(command -v busybox)" "$root/bin/busybox"
cp -r "$here" "$root/vm"

# A program and the libraries that it asks for, at the same paths.
add_program() {
  cp -L "$1" "$root/bin/$2"
  ldd "$1" 2>/dev/null |
    sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p; s/^[[:space:]]*\(\/[^ ]*\) (.*/\1/p' |
    while read -r library; do
      if [ -e "$root$library" ]; then continue; fi
      mkdir -p "$root$(dirname "$library")"
      cp -L "$library" "$root$library"
    done
}
add_program "$program" throttlog
# mke2fs as mkfs.ext4 makes ext4; busybox has one of its own for ext2.
for extra in dmsetup setcap nvme smartctl sensors fio lvm mdadm mkfs.ext4; do
  path=$(command -v $extra || true)
  if [ -n "$path" ]; then add_program "$path" $extra; fi
done
# Programs of the tests, beside the one that is tested.
for extra in "$(dirname "$program")"/tests/rig/* "$(dirname "$program")"/tests/vm/*; do
  if [ -f "$extra" ] && [ -x "$extra" ]; then add_program "$extra" "${extra##*/}"; fi
done

# Modules in the order in which they can be loaded: what one needs comes before it.
: >"$root/modules/order"
add_module() {
  set -- "$(echo "$1" | tr - _)"
  if grep -qx "$1" "$root/modules/order"; then return; fi
  file=$(find "$modules/" -name "$1.ko*" -o -name "$(echo "$1" | tr _ -).ko*" | head -n 1)
  if [ -z "$file" ]; then return; fi # built in
  case $file in
  *.xz) xz -dc "$file" >"$root/modules/$1.ko" ;;
  *.zst) zstd -qdc "$file" >"$root/modules/$1.ko" ;;
  *) cp "$file" "$root/modules/$1.ko" ;;
  esac
  for needed in $(tr '\0' '\n' <"$root/modules/$1.ko" | sed -n 's/^depends=//p' | tr , ' '); do
    add_module "$needed"
  done
  echo "$1" >>"$root/modules/order"
}
for module in virtio_pci virtio_blk crct10dif_generic crc64_rocksoft_generic nvme nvme_tcp \
  crc32c_generic ext4 dm_mod loop dm_crypt xts ecb dm_flakey dm_delay sd_mod ahci xhci_pci \
  usb_storage raid1 megaraid_sas drivetemp target_core_user tcm_loop; do add_module $module; done

echo 'root:x:0:0:root:/:/bin/sh
user:x:1000:1000:user:/tmp:/bin/sh' >"$root/etc/passwd"
echo 'root:x:0:
disk:x:6:
user:x:1000:' >"$root/etc/group"
ln -s vm/init "$root/init"
chmod 755 "$root/vm/init"
(cd "$root" && find . | busybox cpio -o -H newc 2>/dev/null) >"$out"
