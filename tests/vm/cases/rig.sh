# Drives that throttle by themselves, behind a real kernel: seen, loaded, judged.
. /vm/rig.sh

bg3=$(rig_disk RIGBG3 --drive bg3 --time-scale 3 --speed 0.01)
sx8000=$(rig_disk RIGSX --drive sx8000 --time-scale 2 --speed 0.01 --keep 64M)
expect "the kernel sees the drives" [ -b "/dev/$bg3" -a -b "/dev/$sx8000" ]
run 0 throttlog list
expect "list has them" says "^/dev/$bg3 .*KBG3AZMS512G.*ADHA0102 .* tcp .* 82 °C *85 °C"
throttlog run "/dev/$sx8000" --op write --destructive --confirm RIGSX --baseline 3 --time 32 \
  --cooldown 6 --cause-test off --no-tui -o sx >sx.out 2>&1 &
expect "reads" run 0 throttlog run "/dev/$bg3" --op read --baseline 3 --time 32 --cooldown 6 \
  --cause-test off --no-tui -o bg3

wait $!
cp bg3.json $OUT
if rig_calm RIGBG3 "reading"; then
  expect "reading: throttled" [ "$(json bg3.json throttled)" = true ]
  expect "reading: at 80 °C" within "$(json bg3.json onset_c | cut -d . -f 1)" 79 81
fi
cp sx.json $OUT
if rig_calm RIGSX "writing"; then
  expect "writing: throttled" [ "$(json sx.json throttled)" = true ]
  expect "writing: at 68 °C" within "$(json sx.json onset_c | cut -d . -f 1)" 67 69
fi
# The target counts what the kernel read: the load, and what looked at the drive.
expect "bytes are what the drive counted" within "$(rig_state RIGBG3 read_bytes)" \
  "$(column bg3.csv bytes | sum)" $(($(column bg3.csv bytes | sum) + (32 << 20)))
expect "ends" run 0 rig_end RIGBG3
run 0 rig_end RIGSX
