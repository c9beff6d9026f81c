#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_flow.sh DIR BIN: the lists for other build systems do what they are for, in an installed copy DIR/share/tocsin as in the tree.
# FuseSoC (BIN/fusesoc, of PyPI) builds and simulates aa_iommu and elaborates the two others; Verilator reads each list of files; of
# Bender.yml, Bender itself makes the list of files where there is one, else BIN/python reads it as Bender's manual says.
set -u
dir=$1 bin=$2 bad=0 n=0 skipped=
root=$PWD
out=$dir/../flow
mkdir -p "$out"

# want TEXT COMMAND...: the command succeeds
want() {
  text=$1
  shift
  n=$((n + 1))
  "$@" > "$out/log" 2>&1 || { bad=$((bad + 1)); echo "FAILED $text"; tail -15 "$out/log"; }
}
elaborate() { verilator --lint-only --timing -Wno-lint -Wno-style --top-module "$@"; }

for top in aa_iommu ax_iommu xtq_nic tocsin px_host; do want "rtl/$top.f" elaborate $top -F "rtl/$top.f"; done
for top in aa_iommu ax_iommu tocsin px_host; do want "installed $top.f" elaborate $top -F "$dir/share/tocsin/rtl/$top.f"; done

if [ -x "$bin/fusesoc" ]; then
  fuse() { (cd "$out" && PATH="$bin:$PATH" fusesoc --cores-root "$1" run --clean --build-root "$out/fuse" --target="$2" "tocsin:rtl:$3"); }
  want "FuseSoC simulates aa_iommu" fuse "$root/rtl" sim aa_iommu
  cp "$out/log" "$out/sim.log"
  want "the bench of aa_iommu says so" grep -q "tb: what was read and passed is right" "$out/sim.log"
  want "FuseSoC elaborates xtq_nic, installed" fuse "$dir/share/tocsin" lint xtq_nic
  want "FuseSoC elaborates tocsin" fuse "$root/rtl" lint tocsin
else
  skipped="$skipped FuseSoC (no Python packages)"
fi

# $1: a folder with Bender.yml; $2...: targets
sources() {
  if command -v bender > /dev/null; then
    bender -d "$1" script flist $(printf -- '-t %s ' "${@:2}")
  else
    "$bin/python" - "$@" << 'PY'
import os, sys, yaml
root, targets = sys.argv[1], sys.argv[2:]
for group in yaml.safe_load(open(os.path.join(root, "Bender.yml")))["sources"]:
    if group.get("target") in (*targets, None):
        print("\n".join(os.path.join(root, f) for f in group["files"]))
PY
  fi
}
if command -v bender > /dev/null || [ -x "$bin/fusesoc" ]; then
  sources "$root" > "$out/tree.f"
  want "Bender.yml, tocsin" elaborate tocsin -f "$out/tree.f"
  sources "$dir/share/tocsin" tocsin_sim > "$out/installed.f"
  want "Bender.yml installed, the bench" elaborate tb -DTB_TOP=xtq_nic -DTB_ADDR0=0 -DTB_WANT0=0 -DTB_ADDR1=0 -DTB_WANT1=0 \
    -f "$out/installed.f"
fi
command -v bender > /dev/null || skipped="$skipped Bender (not installed; its manifest was read without it)"

[ -z "$skipped" ] || echo "skipped in part:$skipped"
echo "flow-test: $n checks, $bad failed"
[ "$bad" = 0 ]
