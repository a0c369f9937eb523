# A drive that is pulled out of its slot during a run, and put back.
#
# | fault             | log              | verdict           | status | terminal                     |
# |-------------------|------------------|-------------------|--------|------------------------------|
# | pulled, run       | lost, end=lost;  | end_reason lost,  | 5      | says that the drive was lost |
# |                   | whole last row   | judged up to it   |        |                              |
# | pulled, watch     | the same         | the same          | 5      | the same                     |
# | pulled, of two    | lost in its log; | each its own      | 5      | names the lost one           |
# |                   | the other's goes |                   |        |                              |
# |                   | on to the end    |                   |        |                              |
# | put back          | -                | -                 | 0      | list has it, a run works     |
disk=$(disk_of TLVM4)
other=$(disk_of TLVM0)
gone() { [ ! -e "/sys/block/$disk" ]; }
pull() {
  monitor '{"execute":"device_del","arguments":{"id":"nvme-TLVM4"}}'
  until_true 20 gone
}
put_back() {
  monitor '{"execute":"device_add","arguments":{"driver":"nvme","id":"nvme-TLVM4","serial":"TLVM4","drive":"TLVM4","bus":"port-TLVM4"}}'
  disk=$(disk_of TLVM4)
}

begin run run "/dev/$disk" --baseline 0 --time 60 --cooldown 5
until_true 10 has_rows run 3
expect "run: pulled" pull
expect "run: ends with status 5" ended run 5
expect "run: says that the drive was lost" says "^throttlog: /dev/$disk: the drive was lost"
cp run.csv "$OUT"
expect "run: event" eval "column run.csv events | grep -q 'lost.*end=lost'"
expect "run: in the last row" eval "tail -n 1 run.csv | grep -q 'lost.*end=lost'"
cp run.json "$OUT"
expect "run: end_reason" [ "$(json run.json end_reason)" = lost ]
expect "run: no throttling is made of it" [ "$(json run.json throttled)" = null ]
expect "run: nor heat" says '"text": "The drive vanished at 50 °C after .*; nothing says that it was heat."' 
expect "run: a picture" [ -s run.png ]
expect "run: the log can be read" run 0 throttlog report run.csv

put_back
expect "put back: list has it" eval "run 0 throttlog list && says '^/dev/$disk .* 50 °C '"
expect "put back: a run works" run 0 tl run "/dev/$disk" --baseline 0 --time 1 --cooldown 0 \
  -o back
expect "put back: its serial" [ "$(key back.csv drive_serial)" = TLVM4 ]

begin watch watch "/dev/$disk" --time 60
until_true 10 has_rows watch 2
expect "watch: pulled" pull
expect "watch: ends with status 5" ended watch 5
expect "watch: says that the drive was lost" says "^throttlog: /dev/$disk: the drive was lost"
expect "watch: end_reason" [ "$(json watch.json end_reason)" = lost ]

put_back
begin both run "/dev/$disk" "/dev/$other" --baseline 0 --time 8 --cooldown 0
until_true 10 has_rows both-1 2
expect "two: pulled" pull
expect "two: ends with status 5" ended both 5
expect "two: names the lost one" says "^throttlog: /dev/$disk: the drive was lost"
expect "two: end_reason of the lost" [ "$(json both-1.json end_reason)" = lost ]
cp both-2.csv "$OUT"
expect "two: the other goes on to its end" [ "$(json both-2.json end_reason)" = "done" ]
expect "two: the other has all rows" within "$(rows both-2.csv)" 7 9
put_back
