#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_carry.sh: scripts/carry.py, in a small tree of its own with a revision: rows of hardware that is only written
# differently get the present digest; what differs, in hardware, model or parameters, is refused by name, and the record
# stays.
. scripts/tally.sh
tree=$tmp/tree
git() { command git -C "$tree" -c user.name=x -c user.email=x@x -c commit.gpgsign=false "$@"; }

mkdir -p "$tree"/{scripts,fpga,rtl/cm,model/src,model/include,verif/formal,verif/sim,verif/lists}
cp scripts/{asked,carry,campaign,engine,sources,same,rtl}.py "$tree/scripts/"
for d in fpga verif/formal verif/sim; do : >"$tree/$d/none"; done
module() {  # module NEXT-VALUE: what carry_top adds up; a beat is as wide as the macro says
  cat <<EOS
\`ifndef TOCSIN_DATA_W
\`define TOCSIN_DATA_W 8
\`endif
module carry_top #(parameter int unsigned Step = 1) (
  input  wire logic                      clk_i,
  input  wire logic                      rst_ni,
  input  wire logic                      go_i,
  output logic      [\`TOCSIN_DATA_W-1:0] sum_o
);
  logic [\`TOCSIN_DATA_W-1:0] sum_q;
  always_ff @(posedge clk_i) if (!rst_ni) sum_q <= '0; else sum_q <= $1;
  assign sum_o = sum_q;
endmodule
EOS
}
was='sum_q + (go_i ? Step : 0)'
fresh() {  # the tree as it was, and its record: rows of its digest in three configurations, and another's
  git checkout -q -- .
  printf '| aa | %s |\n' "small, loss | 500 | 1-4 | 400 | $old_small" "small, no loss | 500 | 1-3 | 300 | $old_small" \
    "wide | 500 | 1-2 | 200 | $old_wide" "many | 500 | 9 | 900 | $old_small" \
    "wide | 500 | 7 | 70 | 0123456789ab" >"$tmp/record"
  cp "$tmp/record" "$tmp/was"
}
carry() {  # carry WORD...
  "$tree/scripts/carry.py" --top aa --module carry_top --rev HEAD --record "$tmp/record" \
    --model 'model/src/aa*.c' 'model/include/aa*.h' --headers 'model/src/*.h' --lists verif/lists/cosim.mk \
    --config "small=$small" "wide=$wide" "$@" >"$tmp/out" 2>&1
  got=$?
}
record() { grep -qxF "$1" "$tmp/record" && pass || fail "the record has no line $1: $(cat "$tmp/record")"; }
untouched() { cmp -s "$tmp/record" "$tmp/was" && pass || fail "the record is another after: $1"; }
refused() {  # refused WHAT PATTERN [WORD...]
  local what=$1 pattern=$2
  shift 2
  carry "$@"
  judge "$what" 1 "$pattern"
  judge "$what" 1 '^REFUSED: .*is as it was$'
  untouched "$what"
}
digest() { # digest [PARAMETERS]: of a configuration; without them: of hardware and model alone, as it once was
  (cd "$tree" && python3 -c 'import sys
sys.path.insert(0, "scripts")
import sources
files = ["rtl/cm/carry_top.sv", "model/src/aa.c", "model/include/aa.h"]
print(sources.digest(files + ["model/src/inner.h"] * (len(sys.argv) > 1), more=" ".join(sys.argv[1:])))' "$@")
}
small='DataW=4 Step=1' wide='DataW=16 Step=3'

module "$was" >"$tree/rtl/cm/carry_top.sv"
echo 'int aa(void) { return 1; } /* a comment */' >"$tree/model/src/aa.c"
echo 'int aa(void);' >"$tree/model/include/aa.h" && echo '#define INNER 1' >"$tree/model/src/inner.h"
printf '%s\n' 'COSIM_small := DataW=4 \' '  Step=1' 'COSIM_wide := DataW=16 Step=3' >"$tree/verif/lists/cosim.mk"
git init -q && git add -A && git commit -q -m 'A tree' || fail 'a tree'
old_small=$(digest "$small") old_wide=$(digest "$wide")

# only written differently, and other comments in the model: carried, of the configurations that were compared
fresh
module 'go_i ? sum_q + Step : sum_q' >"$tree/rtl/cm/carry_top.sv"
echo 'int aa(void) { return 1; } /* another */' >"$tree/model/src/aa.c"
new=$(digest "$small")
[ "$old_small" != "$new" ] && pass || fail 'the digest is the same'
echo "| aa | small, no loss | 500 | 6-7 | 60 | $new |" >>"$tmp/record"
carry
judge carried 0 "^3 rows of aa carried from HEAD$"
judge 'a line of a configuration' 0 '^small: the same: 4 bits of registers'
judge 'its width' 0 '^wide: the same: 16 bits of registers'
record "| aa | small, loss | 500 | 1-4 | 400 | $new |"
record "| aa | small, no loss | 500 | 1-3, 6-7 | 360 | $new |"
record "| aa | wide | 500 | 1-2 | 200 | $(digest "$wide") |"
record "| aa | many | 500 | 9 | 900 | $old_small |"
record '| aa | wide | 500 | 7 | 70 | 0123456789ab |'
[ "$(grep -c '^| aa' "$tmp/record")" = 5 ] && pass || fail 'a row is there twice'

# seeds that both have are counted once; of which one has a part only, the row stays
fresh
module 'go_i ? sum_q + Step : sum_q' >"$tree/rtl/cm/carry_top.sv"
printf '| aa | %s |\n' "small, loss | 500 | 2-3 | 250 | $new" "small, no loss | 500 | 1-5 | 500 | $new" \
  "wide | 500 | 2-3 | 220 | $(digest "$wide")" >>"$tmp/record"
carry
judge 'carried with some there' 0 "^2 rows of aa carried"
judge 'a part' 0 "^wide: stays, since $(digest "$wide") has a part of its seeds$"
record "| aa | small, loss | 500 | 1-4 | 400 | $new |"
record "| aa | small, no loss | 500 | 1-5 | 500 | $new |"
record "| aa | wide | 500 | 1-2 | 200 | $old_wide |"
record "| aa | wide | 500 | 2-3 | 220 | $(digest "$wide") |"

# rows of the time when inner headers and parameters were not part of the digest, of the present sources too
fresh && sed -i -E "s/($old_small|$old_wide) \|\$/$(digest) |/" "$tmp/record"
carry
judge 'rows as they once were' 0 '^3 rows of aa carried from HEAD$'
grep -q 'the same' "$tmp/out" && fail 'hardware that is the same word for word was compared' || pass
record "| aa | small, loss | 500 | 1-4 | 400 | $old_small |"
record "| aa | wide | 500 | 1-2 | 200 | $old_wide |"
record "| aa | many | 500 | 9 | 900 | $(digest) |"

# an instance that moved
fresh
sed 's/sum_q/all_q/g' "$tree/rtl/cm/carry_top.sv" >"$tmp/new" && cp "$tmp/new" "$tree/rtl/cm/carry_top.sv"
carry --moved sum_q=all_q
judge 'another name' 0 '^3 rows of aa carried'

# hardware that differs, in one configuration alone too
fresh && module 'go_i ? sum_q - Step : sum_q' >"$tree/rtl/cm/carry_top.sv"
refused 'other hardware' '^small: REFUSED: differs: register sum_q'
fresh && module "$was + (Step == 3 ? 1 : 0)" >"$tree/rtl/cm/carry_top.sv"
refused 'other hardware in one' '^wide: REFUSED: differs: register sum_q'
judge 'the other one' 1 '^small: the same'
judge 'which one' 1 '^REFUSED: not proved to be the same: wide;'
fresh && module "$was + (\$bits(sum_q) == 16 ? 1 : 0)" >"$tree/rtl/cm/carry_top.sv"
refused 'other hardware at one width' '^wide: REFUSED: differs'

# a model that differs, in its inner headers too; parameters that were others; nothing to carry
module 'go_i ? sum_q + Step : sum_q' >"$tmp/new"
fresh && cp "$tmp/new" "$tree/rtl/cm/carry_top.sv" && echo 'int aa(void) { return 2; }' >"$tree/model/src/aa.c"
refused 'another model' '^REFUSED: the model is not the one of HEAD'
fresh && cp "$tmp/new" "$tree/rtl/cm/carry_top.sv" && echo '#define INNER 2' >"$tree/model/src/inner.h"
refused 'another inner header' '^REFUSED: the model is not the one of HEAD'
fresh && cp "$tmp/new" "$tree/rtl/cm/carry_top.sv" && sed -i 's/Step=1/Step=2/' "$tree/verif/lists/cosim.mk"
refused 'other parameters' '^REFUSED: COSIM_small of verif/lists/cosim.mk was another'
fresh
refused 'the same sources' '^REFUSED: sources are '
fresh && cp "$tmp/new" "$tree/rtl/cm/carry_top.sv" && sed -i -E "s/$old_small|$old_wide/ba9876543210/" "$tmp/record"
cp "$tmp/record" "$tmp/was"
refused 'no rows' '^REFUSED: no row of aa '
fresh && cp "$tmp/new" "$tree/rtl/cm/carry_top.sv"
carry --rev nowhere
judge 'no revision' 1 'no revision nowhere'
untouched 'no revision'

tally 'campaign-carry'
