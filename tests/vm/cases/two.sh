# Two drives at once: nothing of one may end up in the other's log, whatever they are called.
a=$(disk_of TLVM7) b=$(disk_of TLVM6)
bytes_a=$(read_bytes "$a") bytes_b=$(read_bytes "$b")
# The drives differ in the threshold that one of them warns at: 45 °C, below its 50 °C.
if have nvme; then
  nvme set-feature "/dev/$(controller_of "$a")" -f 4 -v 318 >"$OUT" 2>&1
  warns=2
else
  warns=0
fi
expect "runs" run 0 tl run "/dev/$a" "/dev/$b" --bs 64k --baseline 1 --time 4 --cooldown 1 \
  -o both
cp both-1.csv "$OUT"
expect "first: serial" [ "$(key both-1.csv drive_serial)" = TLVM7 ]
expect "second: serial" [ "$(key both-2.csv drive_serial)" = TLVM6 ]
expect "first: its bytes" \
  [ "$(column both-1.csv bytes | sum)" = "$(($(read_bytes "$a") - bytes_a))" ]
expect "second: its bytes" \
  [ "$(column both-2.csv bytes | sum)" = "$(($(read_bytes "$b") - bytes_b))" ]
expect "first: nobody else's bytes" [ "$(column both-1.csv foreign_bytes | sum)" = 0 ]
expect "second: nobody else's bytes" [ "$(column both-2.csv foreign_bytes | sum)" = 0 ]
expect "first: its warning" \
  [ "$(column both-1.csv critical_warning | grep -v '^$' | sort -u)" = $warns ]
expect "second: no warning" \
  [ "$(column both-2.csv critical_warning | grep -v '^$' | sort -u)" = 0 ]
expect "first: JSON" [ "$(json both-1.json serial)" = TLVM7 ]
expect "second: JSON" [ "$(json both-2.json serial)" = TLVM6 ]
expect "one picture" [ -s both.png ]
if [ $warns = 2 ]; then
  run 0 throttlog list
  expect "list: the changed threshold is told of the one" says "${a%n*}.* warns at 45 °C"
  # shellcheck disable=SC2016
  expect "list: and not of the other" eval '! says "${b%n*}.* warns at"'
  nvme set-feature "/dev/$(controller_of "$a")" -f 4 -v 343 >"$OUT" 2>&1
fi
# hwmon alone, which libsensors calls by PCI address.
chgrp user "/dev/$a" "/dev/$b" && chmod 640 "/dev/$a" "/dev/$b"
expect "user: runs on two drives" run 0 as_user \
  "throttlog watch /dev/$a /dev/$b --time 2 --no-tui --size 400x250 -o user"
expect "user: says what is missing" says "CAP_SYS_ADMIN"
expect "user: first" [ "$(key user-1.csv drive_serial)" = TLVM7 ]
expect "user: second" [ "$(key user-2.csv drive_serial)" = TLVM6 ]
for i in 1 2; do
  expect "user: hwmon's temperature $i" [ "$(column user-$i.csv temp_c | grep -v '^$' | sort -u)" = 50 ]
  expect "user: no counters $i" [ -z "$(column user-$i.csv tmt1_count)" ]
done
chgrp 0 "/dev/$a" "/dev/$b" && chmod 600 "/dev/$a" "/dev/$b"
