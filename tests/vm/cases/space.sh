# The disk of the log gets full. The run is worth more than its log: it goes on.
#
# | fault                 | log                   | verdict            | status | terminal             |
# |-----------------------|-----------------------|--------------------|--------|----------------------|
# | no room for the head  | none is made          | -                  | 1      | cannot create: No    |
# |                       |                       |                    |        | space left           |
# | full during the run,  | whole rows only, the  | from the rows that | 1      | cannot write, once;  |
# | to its end            | first ones            | are there; no JSON |        | rows lost at the     |
# |                       |                       | and picture, or    |        | end; cannot write    |
# |                       |                       | whole ones         |        | JSON                 |
# | full for a while      | rows_lost=N with the  | rows are missing   | 1      | the same             |
# |                       | row that has room     |                    |        |                      |
disk=$(disk_of TLVM0)
mkdir -p /mnt/small && mount -t tmpfs -o size=256k,mode=1777 small /mnt/small
# shellcheck disable=SC2034 # for begin and has_rows
TO=/mnt/small
fill() { dd if=/dev/zero of=/mnt/small/fill bs=4k 2>/dev/null; }

fill
expect "no room at all: fails" run 1 tl run "/dev/$disk" --baseline 0 --time 1 --cooldown 0 \
  -o /mnt/small/none
expect "no room at all: says so" says "cannot create /mnt/small/none.csv: No space left on device"
expect "no room at all: no file is made" [ "$(ls /mnt/small)" = fill ]
rm /mnt/small/fill

# A row has some 180 bytes, a page of the file system room for 22: rows come ten a second.
begin full run "/dev/$disk" --baseline 0 --time 8 --cooldown 0 --interval 0.1
log=/mnt/small/full.csv
until_true 10 has_rows full 10
fill
expect "full: the run goes on to its end, and has failed" ended full 1
expect "full: says once that rows are lost" \
  [ "$(grep -c "cannot write $log: No space left on device; rows are lost" "$OUT")" = 1 ]
expect "full: how many" says "$log: [0-9]* rows were lost"
expect "full: that there is no JSON" says "cannot write /mnt/small/full.json: No space left"
expect "full: nor a picture" says "cannot write /mnt/small/full.png: No space left"
expect "full: and none of them is there" [ "$(cd /mnt/small && echo *)" = "fill full.csv" ]
cp $log "$OUT"
expect "full: the log ends with a whole row" [ -z "$(tail -c 1 $log)" ]
expect "full: the log has the first rows" within "$(rows $log)" 10 70
rm /mnt/small/fill
expect "full: the log can be read" run 0 throttlog report --json $log
expect "full: to its last row" says "\"samples\": $(rows $log),"
rm /mnt/small/*

begin while run "/dev/$disk" --baseline 0 --time 10 --cooldown 0 --interval 0.1
log=/mnt/small/while.csv
until_true 10 has_rows while 10
fill
until_true 10 grep -q "rows are lost" while.out
sleep 1
rm /mnt/small/fill
expect "full for a while: status" ended while 1
cp $log "$OUT"
lost=$(column $log events | sed -n 's/.*rows_lost=\([0-9]*\).*/\1/p' | sum)
expect "full for a while: the log tells of the lost rows" within "$lost" 3 60
# A machine that is busy elsewhere misses ticks.
expect "full for a while: and has all others" within $(($(rows $log) + lost)) 60 102
expect "full for a while: JSON" [ -s /mnt/small/while.json ]
expect "full for a while: picture" [ -s /mnt/small/while.png ]
cp /mnt/small/*.csv .
umount /mnt/small
