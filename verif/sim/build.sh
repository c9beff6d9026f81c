#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# build.sh BLOCK CONFIG DIR: builds DIR/test from verif/sim/test_BLOCK.c and the Verilated module. verif.mk calls it and
# sets the variables used here. Writes DIR/test.d, the sources that the result depends on.
# MUTANTS=n with NETLIST: the netlist holds n mutants, chosen by the input mut_sel (0: none); DIR/mutants.ys lists them,
# DIR/mutants.il is with all, DIR/whole.il without them and with the theorems. Clocks stay as they are.
set -eu
block=$1 config=$2 dir=$3
src=verif/sim/test_$block.c
top=$(sed -n 's|^// top: *\([a-z0-9_]*\).*|\1|p' "$src")
top=${top:-$block}
flags=$(sed -n "s|^// config: *$config  *\(.*\)|\1|p" "$src" | tr -d '\r')
files=$(scripts/rtl.py "$top")
rtl=${files##* }

if [ -n "${NETLIST:-}" ]; then
  defs= params=
  for f in $flags; do
    case $f in
      -G*) p=${f#-G}; params="$params -set ${p%%=*} ${p#*=}" ;;
      +define+*) defs="$defs -D${f#+define+}" ;;
    esac
  done
  # Nets of several drivers are split: mutants of two of their bits look like a loop to Verilator, which then computes
  # something else now and then.
  # Not `hierarchy -chparam`: Yosys 0.23 stumbles over an instance whose parameters equal those of the top.
  params=${params:+chparam $params $top;} formal= mutate=
  if [ -n "${MUTANTS:-}" ]; then
    formal="chformal -cover -remove; chformal -assume -remove */slice_* $top %d; chformal -assume2assert * $top %d;"
    mutate="write_rtlil $dir/whole.il; chformal -remove; delete t:\$any* t:\$initstate %u; \
      setattr -unset keep w:*f_*; opt_clean -purge; \
      mutate -list $MUTANTS -ctrl mut_sel 16 1 -o $dir/mutants.ys; \
      exec -- sed -i -e '/-port CLK/d' -e '/memrd.*-port EN/d' $dir/mutants.ys; script $dir/mutants.ys; \
      write_rtlil $dir/mutants.il;"
    defs="$defs -formal -DFORMAL"
  fi
  # Bits of a memory's write enable that are the same net are written by one statement; as words, each bit has its own,
  # of which Verilator makes up to fifteen times as much.
  # shellcheck disable=SC2016
  enables='select -set en t:$memwr_v2 %x1:+[EN] w:* %i;
    simplemap @en %ci*:+$mux[Y,A,B]:+$pmux[Y,A,B] t:$mux t:$pmux %u %i; opt_merge; opt_clean;'
  yosys -q -e 'implicitly declared' \
    -p "read_verilog -sv -Iverif/formal $defs $files; $params hierarchy -check -top $top; rename -top $top; proc; \
    $formal flatten; opt_clean; $mutate $enables splitnets -driver; write_verilog -noattr $dir/$top.v"
  inputs=$dir/$top.v
  vflags=$(for f in $flags; do case $f in -G*) ;; *) echo "$f" ;; esac; done)
else
  inputs="verif/lint/waivers.vlt $files"
  vflags="$flags -DFORMAL -Iverif/formal"
fi

# shellcheck disable=SC2086
verilator $VFLAGS $vflags --Mdir "$dir" --prefix "V$top" --top-module "$top" $inputs
# shellcheck disable=SC2086
verif/sim/mkshim.py "$top" "$dir" --rtl "$rtl" $files $flags
# A test that runs for longer than its compiler says so; unless VOPT asks for more.
case $CXXFLAGS in *' -O0') opt=-O0 ;; *) opt=-O1 ;; esac
if [ $opt = -O0 ] && sed -n 's|^// long: *||p' "$src" | tr ' \r' '\n\n' | grep -qx "${dir##*/}"; then
  opt=-Og CXXFLAGS="$CXXFLAGS -Og" better=${PCH%-O0/headers.h}-Og/headers.h
  [ ! -e "$better.gch" ] || PCH=$better
fi
# All of the model and its shim in one unit: what takes time is the reading of Verilator's headers,
# and those are precompiled.
{
  sed 's/: .*//; q' "$dir/V${top}__ver.d" | tr ' ' '\n' | sed -n 's|.*/\(.*\.cpp\)$|#include "\1"|p'
  echo "#include \"${top}_tb.cpp\""
} > "$dir/unit.cpp"
export CCACHE_PCH_EXTSUM=1 CCACHE_SLOPPINESS=pch_defines,time_macros
# shellcheck disable=SC2086
$CXX $CXXFLAGS -fpch-preprocess -include "$PCH" -I"$dir" -c -o "$dir/unit.o" "$dir/unit.cpp"
# shellcheck disable=SC2086
$CC $CSTD $opt -g $INC -Iverif/sim -I"$dir" -MMD -MF "$dir/test_c.d" -MT "$dir/test" -c -o "$dir/test.o" "$src"
# shellcheck disable=SC2086
${CXX##* } $(! command -v ld.gold > /dev/null || echo -fuse-ld=gold) -o "$dir/test" "$dir/test.o" "$dir/unit.o" $LIBS \
  -lz -lpthread

{
  cat "$dir/test_c.d"
  props=$(sed -n 's|.*: ||; s|\\||; p' "$dir/V${top}__ver.d" | tr ' ' '\n' | grep '\.svh\?$' | sort -u | tr '\n' ' ')
  echo "$dir/test: $files $props"
  for f in $files $props; do echo "$f:"; done
} > "$dir/test.d"
