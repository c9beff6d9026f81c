#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test.sh DIR: waves of two blocks, opened in GTKWave by their save files: every signal is there, the first event
# is in the window, codes have names, a failing cycle has the marker, and the screen is not blank.
here=$(dirname "$0") dir=$1 n=0 bad=0
mkdir -p "$dir"
unset DISPLAY

# ok TEXT COMMAND...
ok() {
  n=$((n + 1))
  "${@:2}" >"$dir/out" 2>&1 && return
  bad=$((bad + 1))
  echo "FAILED $1"
  tail -5 "$dir/out"
}
# open NAME WAVE: GTKWave says what it has made of the save file (NAME.txt), and its window is NAME.xwd
open() {
  cat >"$dir/$1.tcl" <<T
puts "start [gtkwave::getWindowStartTime]"
puts "end [gtkwave::getWindowEndTime]"
puts "marker [gtkwave::getMarker]"
for {set i 0} {\$i < [gtkwave::getTotalNumTraces]} {incr i} { puts "shown [gtkwave::getTraceNameFromIndex \$i]" }
puts listed
flush stdout
T
  rm -rf "$dir/screen" && mkdir -p "$dir/screen"
  # until the waves are drawn, or for an hour
  # shellcheck disable=SC2016
  xvfb-run -a -s "-screen 0 1800x1000x24 -fbdir $dir/screen" bash -c '
    gtkwave --rcvar "splash_disable on" -S "$1.tcl" "$2" >"$1.txt" 2>&1 & p=$!
    for i in $(seq 7200); do
      sleep 0.5
      kill -0 $p 2>/dev/null || break
      grep -q ^listed "$1.txt" && cp "$3/screen/Xvfb_screen0" "$1.xwd" &&
        "$4/screen.py" "$1.xwd" "$1.png" >/dev/null && break
    done
    kill $p 2>/dev/null' - "$dir/$1" "${2%.fst}.gtkw" "$dir" "$here" 2>"$dir/xvfb.txt"
}
of() { sed -n "s/^$2 //p" "$dir/$1.txt"; }
# Each line of the save file that names a signal is a trace.
named() { grep -c '^[+a-z]' "${1%.fst}.gtkw"; }
whole() {
  [ "$(named "$2")" -gt 5 ] && [ "$(of "$1" shown | wc -l)" = "$(($(named "$2") + $(grep -c '^-' "${2%.fst}.gtkw")))" ]
}
within() { [ "$(of "$1" start | sed 's/ .*//')" -le "$2" ] && [ "$2" -lt "$(of "$1" end | sed 's/ .*//')" ]; }

make -s --no-print-directory sim BLOCK=xtq_queue CONFIG=default WAVES=1 >"$dir/make.txt" || bad=$((bad + 1))
make -s --no-print-directory sim BLOCK=aa_cpl_mux CONFIG=one WAVES=1 >>"$dir/make.txt" || bad=$((bad + 1))
queue=build/sim/xtq_queue/default-waves/wave.fst mux=build/sim/aa_cpl_mux/one-waves/wave.fst
ok "fst.py reads what fst2vcd does" "$here/check_fst.py" $queue
ok "vectors of one bit are in the save file" grep -q '^[a-z_.]*valid[a-z_]*\[0\]$' ${mux%.fst}.gtkw

for name in queue mux; do
  open $name "${!name}"
  first=$("$here/check_fst.py" "${!name}" \
    "$(sed -n 's/^shown \([a-z_]*valid[a-z_]*\).*/\1/p' "$dir/$name.txt" | head -1)")
  ok "$name: every signal is shown" whole $name "${!name}"
  ok "$name: the first event, at $first, is in the window" within $name "$first"
  ok "$name: some cycles are, not all" \
    [ "$(($(of $name end | sed 's/ .*//') - $(of $name start | sed 's/ .*//')))" -lt 1000 ]
  ok "$name: the screen is not blank" "$here/screen.py" "$dir/$name.xwd" "$dir/$name.png"
  ok "$name: Surfer's commands" "$here/check_surfer.py" "${!name%.fst}.sucl"
  ok "$name: they name as many signals" [ "$(cat "$dir/out")" = "$(named "${!name}")" ]
done

# codes by name: a state that changes in the window makes words in it, more of a screen than digits
ok "a state has a translate file" grep -q -B1 -A1 '^^1 .*codes' ${queue%.fst}.gtkw
ok "which has the names of the RTL" grep -qx '000 StIdle' ${queue%.fst}-codes/*.txt

# a run that fails: the marker stands on the cycle that it names
printf '#!/bin/sh\necho "FAIL xtq_queue[default] cycle 1234 seed 1: planted"\nexit 1\n' >"$dir/fails" &&
  chmod +x "$dir/fails"
ok "a failing run's code is passed on" sh -c "! scripts/gtkw.py --run xtq_queue $queue $dir/fails"
open marked $queue
ok "the marker is on the cycle" [ "$(of marked marker | sed 's/ .*//')" = 12340 ]
ok "which is in the window" within marked 12340
ok "and in Surfer's" "$here/check_surfer.py" ${queue%.fst}.sucl
ok "whose cursor is there" grep -qx 'cursor_set 12340' ${queue%.fst}.sucl
scripts/gtkw.py xtq_queue $queue >/dev/null
echo "gtkwave: $n checks, $bad failed; $dir/queue.png, $dir/mux.png"
[ $bad = 0 ]
