#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# profile.sh BIN NAMES LIBRARY...: a tool that has some of shmem.h's functions itself sees each call of the program,
# and none of the library's; without the tool the same program runs as well. Each library has all NAMES of shmem.h,
# weak, the same with a p, and no others.
bin=$1 names=$2
shift 2
. scripts/tally.sh

saw='3 puts of 20 bytes, 1 malloc, 0 align, 0 quiet, 0 sync, 1 init'
for language in c c++; do
  compile=("$bin/oshcc" -std=c11) && [ $language = c++ ] && compile=("$bin/oshc++" -std=c++17)
  for what in tool program; do
    if "${compile[@]}" -Wall -Wextra -Wpedantic -Werror -x $language -c -o "$tmp/$what.o" \
      "sw/shmem/test/profile_$what.c" 2>"$tmp/out"; then
      pass
    else
      fail "profile_$what.c in $language:"
    fi
  done
  # Before the library as an object, and as a library of its own.
  ar rcs "$tmp/libtool.a" "$tmp/tool.o"
  for tool in "$tmp/tool.o" "$tmp/libtool.a"; do
    "${compile[@]}" -o "$tmp/with" "$tmp/program.o" "$tool" >"$tmp/out" 2>&1 &&
      "$bin/oshrun" --here -n 2 "$tmp/with" >"$tmp/out" 2>&1 &&
      [ "$(grep -c "^PE [01]: $saw\$" "$tmp/out")" = 2 ] && pass ||
      fail "${tool##*/} in $language does not see on both PEs: $saw"
  done
  "${compile[@]}" -o "$tmp/without" "$tmp/program.o" >"$tmp/out" 2>&1 &&
    "$bin/oshrun" --here -n 2 "$tmp/without" >"$tmp/out" 2>&1 &&
    [ ! -s "$tmp/out" ] && pass || fail "the program without a tool, in $language"
done

has() {  # has LETTERS LIBRARY: its names of these kinds, but for handles
  nm -g --defined-only "$2" 2>/dev/null | awk -v kinds="$1" 'NF == 3 && index(kinds, $2) {print $3}' |
    grep -vE '^(__odr_asan\.)?tocsin_shmem_' | sort
}
sort "$names" >"$tmp/shmem" && sed 's/^/p/' "$names" | sort >"$tmp/pshmem"
[ "$(wc -l <"$tmp/shmem")" -gt 1500 ] && pass || fail "few names are declared"
for library; do
  diff "$tmp/shmem" <(has WV "$library") >"$tmp/out" && pass ||
    fail "$library: weak names, declared (<) and defined (>)"
  diff "$tmp/pshmem" <(has TDBRC "$library") >"$tmp/out" && pass ||
    fail "$library: other names, declared (<) and defined (>)"
done
tally profile
