# Resets, requests that hang, and Ctrl-C meanwhile, on the drive itself.
#
# | fault                  | log                     | verdict        | status | terminal          |
# |------------------------|-------------------------|----------------|--------|-------------------|
# | controller reset       | reset, once; the run    | no throttling  | 0      | controller reset  |
# | through sysfs          | and the SMART log go on | from it        |        |                   |
# | requests hang for 5 s  | rows of 0 bytes, with   | no throttling  | 0      | the rows          |
# |                        | temperatures            | from it        |        |                   |
# | ... and Ctrl-C         | end=signal within 2 s   | up to there    | 130    | that requests are |
# |                        |                         |                |        | left behind       |
disk=$(disk_of TLRESET)
controller=$(controller_of "$disk")
# QEMU lets so many bytes a second through, 0: all. Not while it resets: it may then lose requests.
limit() {
  monitor "{\"execute\":\"block_set_io_throttle\",\"arguments\":{\"device\":\"TLRESET\",\"bps\":$1,\"bps_rd\":0,\"bps_wr\":0,\"iops\":0,\"iops_rd\":0,\"iops_wr\":0}}"
}
limit 0
begin reset run "/dev/$disk" --bs 16k --qd 2 --baseline 0 --time 24 --cooldown 0
until_true 10 has_rows reset 3
expect "reset" eval "echo 1 >/sys/class/nvme/$controller/reset_controller"
until_true 10 has_rows reset 12
limit 1000
sleep 5
limit 0
expect "the run goes on to its end" ended reset 0
expect "reset: on the terminal" says "controller reset"
cp reset.csv "$OUT"
expect "reset: once in the log" [ "$(column reset.csv events | grep -c reset)" = 1 ]
expect "reset: temperatures go on" [ "$(column reset.csv temp_c | tail -n +3 | grep -c '^50$')" -ge 20 ]
expect "reset: bytes go on" [ "$(column reset.csv bytes | sed -n '6,9p' | grep -c '^0$')" = 0 ]
expect "reset: no request failed" eval "! column reset.csv events | grep -q io_error"
expect "hang: a row each second" within "$(rows reset.csv)" 23 25
expect "hang: rows of 0 bytes" within "$(column reset.csv bytes | grep -c '^0$')" 3 6
expect "hang: temperatures go on" \
  [ "$(awk -F, '$4 == "read" && $5 == 0 && $11 == 50' reset.csv | wc -l)" -ge 3 ]
cp reset.json "$OUT"
expect "no throttling is made of either" [ "$(json reset.json throttled)" = false ]
expect "the pause is a drop that is not heat" eval "grep -q '\"to_mb_s\": [0-9]' reset.json &&
  ! grep -q '\"cause\": \"thermal\"' reset.json"

begin stop run "/dev/$disk" --bs 16k --qd 2 --baseline 0 --time 30 --cooldown 0
until_true 10 has_rows stop 2
limit 1000
sleep 2
kill -INT "$(cat stop.pid)"
# The kernel keeps a process until its requests are done; the files do not wait for that.
expect "Ctrl-C while requests hang: files at once" until_true 8 [ -s stop.png ]
expect "Ctrl-C: the log ends" eval "tail -n 1 stop.csv | grep -q end=signal"
expect "Ctrl-C: JSON" [ "$(json stop.json end_reason)" = signal ]
expect "Ctrl-C: says that requests are left behind" \
  until_true 8 grep -q "does not answer; leaving its requests behind" stop.out
limit 0
expect "Ctrl-C: status" ended stop 130
