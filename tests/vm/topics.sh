# Runs the topics of tests/vm/cases inside the virtual machine and numbers their cases. Prints TAP.
# Usage: topics.sh "TOPIC..."; without a name all but those with a line "# On request".
#
# Each topic is a shell of its own in /tmp/topics/TOPIC, whose files go to the host. Topics run
# three at a time, since they mostly wait. One with a line "# Alone" changes what others rely on
# (the clock, the list of drives): such topics come last, one after the other.
here=/vm/cases
cd /tmp || exit 1
mkdir -p topics && chmod 1777 topics
[ -n "$1" ] || set -- "$(cd $here && grep -Lx '# On request' ./*.sh | sed 's/^\.\///; s/\.sh$//' | tr '\n' ' ')"

start() {
  mkdir -p "topics/$1" && chmod 1777 "topics/$1"
  (
    cd "topics/$1" || exit 1
    TOPIC=$1 sh -c '. /vm/lib.sh; . "/vm/cases/$TOPIC.sh"; exit $((failed > 0))' \
      >results 2>errors </dev/null
    echo $? >status
    echo "$(cut -d " " -f 1 /proc/uptime) $1" >>/tmp/topics/times
  )
}

for topic in $1; do
  if [ ! -e $here/"$topic".sh ]; then
    echo "ok - topic $topic # SKIP there is no such topic" >>topics/unknown
  elif grep -qx '# Alone' $here/"$topic".sh; then
    echo "$topic"
  fi
done >topics/alone
together=$(for t in $1; do [ -e $here/"$t".sh ] && ! grep -qx "$t" topics/alone && echo "$t"; done)
echo "$(cut -d " " -f 1 /proc/uptime) start" >topics/times
under_way() {
  for t in $together; do
    if [ -d topics/"$t" ] && [ ! -e topics/"$t"/status ]; then echo "$t"; fi
  done | wc -l
}
for topic in $together; do
  while [ "$(under_way)" -ge 3 ]; do sleep 0.2; done
  mkdir -p topics/"$topic"
  start "$topic" &
done
wait
while read -r topic; do start "$topic"; done <topics/alone

n=0 failed=0
for topic in $together $(cat topics/alone); do
  dir=topics/$topic
  if ! grep -q '^not ok' "$dir/results" && [ "$(cat "$dir/status")" != 0 ]; then
    { echo "not ok - ended with status $(cat "$dir/status")"; tail -n 5 "$dir/errors" | sed 's/^/#   /'
    } >>"$dir/results"
  fi
  while IFS= read -r line; do
    case $line in
    "ok - "*) n=$((n + 1)) && echo "ok $n - $topic: ${line#ok - }" ;;
    "not ok - "*) n=$((n + 1)) failed=1 && echo "not ok $n - $topic: ${line#not ok - }" ;;
    *) echo "$line" ;;
    esac
  done <"$dir/results"
done
echo "1..$n"
exit $failed
