#!/bin/sh
# Includes point down only (tests/layers.txt), and each header compiles alone.
set -u
echo 1..2
bad=$(find src -name '*.[ch]' -exec awk '
  FILENAME ~ /layers.txt$/ { if ($1 ~ /^[0-9]/) for (i = 2; i <= NF; i++) level[$i] = $1; next }
  /^#include "/ {
    split($0, q, "\""); name = q[2]; sub(/\.h$/, "", name)
    split(FILENAME, path, "/"); own = level[path[2]]
    if (name ~ /^throttlog\//) { sub(/^throttlog\//, "", name); at = level[name] }
    else if (name ~ /\//) { split(name, folder, "/"); at = level[folder[1]] }
    else next
    if (at == "") print FILENAME ": " name " is in no layer"
    else if (own == "") print FILENAME ": its folder is in no layer"
    else if (at > own) print FILENAME ": includes " name " of layer " at " from layer " own
  }' tests/layers.txt {} +)
if [ -z "$bad" ]; then echo "ok 1 - includes point down"; else
  echo "not ok 1 - includes point down"; echo "$bad" | sed 's/^/# /'; fi
bad=
for h in include/throttlog/*.h; do
  ${CC:-cc} -std=gnu11 -D_GNU_SOURCE -Iinclude -fsyntax-only -x c "$h" 2>/dev/null || bad="$bad $h"
done
for h in $(git ls-files 'src/*.h' 2>/dev/null); do
  ${CC:-cc} -std=gnu11 -D_GNU_SOURCE -Iinclude -Isrc -fsyntax-only -x c "$h" 2>/dev/null || bad="$bad $h"
done
if [ -z "$bad" ]; then echo "ok 2 - each header compiles alone"; else
  echo "not ok 2 - each header compiles alone"; echo "#$bad"; fi
