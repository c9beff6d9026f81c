#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# units.sh DIR TOP OPT: compiles what Verilator wrote into DIR, to DIR/VTOP__ALL.a. Two units instead of Verilator's many files, each
# of which reads the same headers: one of what runs in every cycle, by OPT, and one of what runs once, by -O0. CXX and CXXFLAGS are set.
set -eu
dir=$1 top=$2 opt=$3
files=$(sed 's/: .*//; q' "$dir/V${top}__ver.d" | tr ' ' '\n' | sed -n 's|.*/\(.*\.cpp\)$|\1|p')
for unit in fast slow; do
  for f in $files; do
    case $f in *Slow.cpp | *__Syms.cpp) of=slow ;; *) of=fast ;; esac
    [ $of != $unit ] || echo "#include \"$f\""
  done > "$dir/$unit.cpp"
  # shellcheck disable=SC2086
  $CXX $CXXFLAGS $opt -g0 -I"$dir" -c -o "$dir/$unit.o" "$dir/$unit.cpp"
  opt=-O0
done
rm -f "$dir/V${top}__ALL.a"
ar rcs "$dir/V${top}__ALL.a" "$dir/fast.o" "$dir/slow.o"
