#!/bin/sh
# Finds a kernel for the virtual machine: the installed one if it can be read, else Debian's,
# downloaded and unpacked under DIR without installing it. Prints "IMAGE MODULES" on success.
# Usage: kernel.sh find DIR | kernel.sh fetch DIR
set -eu
verb=$1 dir=$2

# An older unpacking of ours may lack what later cases need.
has_all() {
  for module in nvme nvme-tcp ahci sd_mod drivetemp dm-crypt raid1 megaraid_sas usb-storage xhci-pci virtio_blk; do
    find "$1/" -name "$module.ko*" 2>/dev/null | grep -q . || return 1
  done
}

find_under() {
  for image in "$1"/boot/vmlinuz-*; do
    modules=$1/lib/modules/${image##*/vmlinuz-}
    if [ -r "$image" ] && has_all "$modules"; then
      printf '%s %s\n' "$image" "$modules"
      return 0
    fi
  done
  return 1
}

# Only what the virtual machine needs: the whole package is 400 MB.
unpack() {
  dpkg-deb --fsys-tarfile "$1" | tar -x -C "$2" --wildcards './boot/vmlinuz-*' \
    '*/kernel/drivers/nvme/*' '*/kernel/drivers/md/*' '*/kernel/drivers/dax/*' \
    '*/kernel/drivers/block/loop.ko*' '*/kernel/drivers/block/virtio_blk.ko*' \
    '*/kernel/drivers/ata/*ahci.ko*' '*/kernel/drivers/ata/libata.ko*' \
    '*/kernel/drivers/scsi/sd_mod.ko*' '*/kernel/drivers/scsi/scsi_*.ko*' \
    '*/kernel/drivers/scsi/megaraid/megaraid_sas.ko*' '*/kernel/drivers/target/*' \
    '*/kernel/drivers/uio/uio.ko*' '*/kernel/fs/configfs/*' '*/kernel/drivers/hwmon/drivetemp.ko*' '*/kernel/drivers/virtio/*' \
    '*/kernel/drivers/usb/common/*' '*/kernel/drivers/usb/core/*' '*/kernel/drivers/usb/host/xhci*' \
    '*/kernel/drivers/usb/storage/*' '*/kernel/fs/ext4/*' '*/kernel/fs/jbd2/*' \
    '*/kernel/fs/mbcache.ko*' '*/kernel/lib/*' '*/kernel/crypto/*' '*/kernel/arch/*' \
    '*/kernel/block/*' '*/modules.builtin*' '*/modules.order'
  # With a merged /usr the modules may lie below it.
  if [ -d "$2/usr/lib/modules" ] && [ ! -e "$2/lib" ]; then ln -s usr/lib "$2/lib"; fi
}

case $verb in
find)
  find_under "" || find_under "$dir"
  ;;
fetch)
  if find_under "" || find_under "$dir"; then exit 0; fi
  mkdir -p "$dir"
  rm -rf "${dir:?}/boot" "${dir:?}/lib" "${dir:?}/usr"
  # The meta package names the kernel of the day.
  package=$(apt-cache depends "linux-image-$(dpkg --print-architecture)" |
    sed -n 's/^ *Depends: \(linux-image-[^ ]*\)$/\1/p' | head -n 1)
  (cd "$dir" && apt-get -q download "$package" >&2)
  unpack "$dir/$package"_*.deb "$dir"
  rm -f "$dir"/*.deb
  find_under "$dir"
  ;;
*)
  echo "usage: kernel.sh find|fetch DIR" >&2
  exit 2
  ;;
esac
