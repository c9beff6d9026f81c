#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# units.sh DIR TOP OPT [FILE...]: compiles what Verilator wrote into DIR, and FILEs with it, to DIR/VTOP__ALL.a.
# Two units instead of Verilator's many files, each of which reads the same headers: one of what runs in every cycle,
# by OPT, with FILEs, and one of what runs once, by -O0. CXX and CXXFLAGS are set; PCH is a header that is read first,
# compiled for -O0 and perhaps for OPT (verif.mk).
set -eu
dir=$1 top=$2 opt=$3
shift 3
export CCACHE_PCH_EXTSUM=1 CCACHE_SLOPPINESS=pch_defines,time_macros
files=$(sed 's/: .*//; q' "$dir/V${top}__ver.d" | tr ' ' '\n' | sed -n 's|.*/\(.*\.cpp\)$|\1|p')
for unit in fast slow; do
  for f in $files; do
    case $f in *Slow.cpp | *__Syms.cpp) of=slow ;; *) of=fast ;; esac
    [ $of != $unit ] || echo "#include \"$f\""
  done > "$dir/$unit.cpp"
  for f; do [ $unit = slow ] || echo "#include \"$PWD/$f\""; done >> "$dir/$unit.cpp"
  first=${PCH:+"-fpch-preprocess -include ${PCH%-O*}$opt/headers.h"}
  # shellcheck disable=SC2086
  $CXX $CXXFLAGS $opt -g0 $first -I"$dir" -c -o "$dir/$unit.o" "$dir/$unit.cpp"
  opt=-O0
done
rm -f "$dir/V${top}__ALL.a"
ar rcs "$dir/V${top}__ALL.a" "$dir/fast.o" "$dir/slow.o"
