# Blocks that fail, a device that fails as a whole, and write protection, by device mapper.
#
# | fault                     | log                | verdict           | status | terminal            |
# |---------------------------|--------------------|-------------------|--------|---------------------|
# | errors on some blocks     | io_error=N, the    | judged; warns of  | 0      | failed requests: N  |
# |                           | load goes on       | failed requests   |        |                     |
# | errors on all blocks      | io_error=N,        | nothing to judge  | 1      | the load failed:    |
# |                           | end=failed after   |                   |        | Input/output error  |
# |                           | 3 s                |                   |        |                     |
# | write-protected           | none is made       | -                 | 4      | refusing to write:  |
# |                           |                    |                   |        | write-protected     |
# | protected during a write  | end=failed         | judged up to it   | 1      | the load failed     |
disk=$(disk_of TLDM)
export DM_DISABLE_UDEV=1
have dmsetup || {
  skip "blocks that fail" "dmsetup is not installed"
  exit 0
}
{
  echo "0 32768 linear /dev/$disk 0"
  echo "32768 2048 error"
  echo "34816 32768 linear /dev/$disk 34816"
} >table
expect "a device with bad blocks" run 0 dmsetup create bad table
begin bad run /dev/mapper/bad --baseline 0 --time 5 --cooldown 0
expect "a device of bad blocks" run 0 dmsetup create dead --table "0 65536 error"
begin dead run /dev/mapper/dead --baseline 0 --time 60 --cooldown 1

expect "some blocks: the run ends as planned" ended bad 0
expect "some blocks: on the terminal" says "failed requests: [0-9]"
cp bad.csv "$OUT"
expect "some blocks: in the log" [ "$(column bad.csv events | grep -c 'io_error=[0-9]')" -ge 3 ]
# 8 of 264 requests of 128 KiB fail in each round.
expect "some blocks: the others are read" [ "$(column bad.csv bytes | sum)" -gt 50000000 ]
failed_io=$(column bad.csv events | sed -n 's/.*io_error=\([0-9]*\).*/\1/p' | sum)
passed_io=$(($(column bad.csv bytes | sum) / 131072))
expect "some blocks: as many as there are" \
  within $((failed_io * 1000)) $((passed_io * 20)) $((passed_io * 40))
cp bad.json "$OUT"
expect "some blocks: the verdict warns" says "$failed_io requests failed"

expect "all blocks: the load fails" ended dead 1 20
expect "all blocks: says why" says "^throttlog: /dev/mapper/dead: the load failed: Input/output error"
cp dead.csv "$OUT"
expect "all blocks: in the log" eval "column dead.csv events | grep -q 'io_error=[0-9]'"
expect "all blocks: the log's end" eval "tail -n 1 dead.csv | grep -q end=failed"
expect "all blocks: JSON" [ "$(json dead.json end_reason)" = failed ]
expect "all blocks: nothing is judged" [ "$(json dead.json throttled)" = null ]
dmsetup remove bad >"$OUT" 2>&1
dmsetup remove dead >"$OUT" 2>&1

write="throttlog run /dev/$disk --op write --destructive --confirm TLDM --baseline 0 --time 30"
write="$write --cooldown 1 --no-tui --size 400x250"
expect "write-protected: blockdev" blockdev --setro "/dev/$disk"
# shellcheck disable=SC2086
expect "write-protected: refused" run 4 $write -o protected
expect "write-protected: says so" says "refusing to write: /dev/$disk is write-protected"
expect "write-protected: no file is made" [ ! -e protected.csv ]
expect "write-protected: reading is fine" run 0 tl run "/dev/$disk" --region 8M --baseline 0 \
  --time 1 --cooldown 0 -o readable
blockdev --setrw "/dev/$disk"
# shellcheck disable=SC2086
begin late ${write#throttlog }
until_true 10 has_rows late 2
blockdev --setro "/dev/$disk"
expect "protected during a write: the load fails" ended late 1
expect "protected during a write: says why" says "the load failed: "
expect "protected during a write: JSON" [ "$(json late.json end_reason)" = failed ]
blockdev --setrw "/dev/$disk"
