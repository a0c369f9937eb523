#!/bin/sh
# The manual names every option that the program's help names, and no other, and each word of the
# column events.
set -u
echo 1..3
help=$(for c in list run watch report compare; do
  "$THROTTLOG" $c --help 2>/dev/null | grep -o '^ *\(-[a-z], \)\? *--[a-z-]*' | grep -o '[a-z][a-z-]*$'
done | sort -u)
man=$(grep '^\.It Fl' man/throttlog.1 | grep -o '\\-[a-z][a-z-]*' | sed 's/^\\-//' | sort -u | grep -vx -e help -e version)
missing=$(printf '%s\n' "$help" | grep -vxF "$man")
if [ -z "$missing" ]; then echo "ok 1 - every option is in the manual"; else
  echo "not ok 1 - every option is in the manual"; echo "# $missing" | tr '\n' ' '; echo; fi
extra=$(printf '%s\n' "$man" | grep -vxF "$help")
if [ -z "$extra" ] && [ -n "$help" ]; then echo "ok 2 - the manual invents no option"; else
  echo "not ok 2 - the manual invents no option"; echo "# $extra" | tr '\n' ' '; echo; fi
words=$(sed -n 's/^ *\[EVENT_[A-Z0-9_]*\] = {"\([a-z0-9_]\{1,\}\)".*/\1/p' src/model/event.c)
missing=
for word in $words; do
  grep -q "^\.It Li \(.* , \)\?$word\([+= ]\|$\)" man/throttlog.1 || missing="$missing $word"
done
if [ -n "$words" ] && [ -z "$missing" ]; then echo "ok 3 - every event word is in the manual"; else
  echo "not ok 3 - every event word is in the manual"; echo "# $missing"; fi
