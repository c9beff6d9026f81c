#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_flow.sh DIR BIN: the lists for other build systems do what they are for, in an installed copy DIR/share/tocsin
# as in the tree. FuseSoC (BIN/fusesoc, of PyPI) builds and simulates aa_iommu and elaborates the others with their
# benches; Verilator reads each list of files, that of Bender.yml as Bender's manual says it is read (BIN/python),
# and compared with Bender's own where there is one.
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

# as_in_tree LIST: what is installed, in one folder, is the tree's list and the tree's files
as_in_tree() {
  diff <(sed 's|.*/||' "rtl/$1") "$dir/share/tocsin/rtl/$1" || return
  while read -r f; do cmp "rtl/$f" "$dir/share/tocsin/rtl/${f##*/}" || return; done < "rtl/$1"
}

for top in aa_iommu ax_iommu xtq_nic tocsin px_host; do want "rtl/$top.f" elaborate $top -F "rtl/$top.f"; done
# one of them shows that Verilator finds what an installed list names; the others name the same files
for top in aa_iommu ax_iommu tocsin px_host; do want "installed $top.f" as_in_tree $top.f; done
want "installed px_host.f: Verilator" elaborate px_host -F "$dir/share/tocsin/rtl/px_host.f"

if [ -x "$bin/fusesoc" ]; then
  # VLT_BRIEF: words for Verilator's makefile, which FuseSoC calls
  fuse() {
    (cd "$out" && MAKEFLAGS=" -- ${VLT_BRIEF:-}" PATH="$bin:$PATH" \
      fusesoc --cores-root "$1" run --clean --build-root "$out/fuse" --target="$2" "tocsin:rtl:$3")
  }
  want "FuseSoC simulates aa_iommu" fuse "$root/rtl" sim aa_iommu
  cp "$out/log" "$out/sim.log"
  want "the bench of aa_iommu says so" grep -q "tb: what was read and passed is right" "$out/sim.log"
  want "FuseSoC elaborates xtq_nic, installed" fuse "$dir/share/tocsin" lint xtq_nic
  want "FuseSoC elaborates tocsin" fuse "$root/rtl" lint tocsin
  want "FuseSoC elaborates ax_iommu" fuse "$root/rtl" lint ax_iommu
  # the others' benches are elaborated as FuseSoC would have them built
  bench() {
    (cd "$out" && PATH="$bin:$PATH" \
      fusesoc --cores-root "$root/rtl" run --setup --clean --build-root "$out/fuse" --target=sim "tocsin:rtl:$1") &&
      (cd "$out/fuse/tocsin_rtl_$1_"*/sim-verilator && verilator --lint-only --timing -Wno-lint -Wno-style -f ./*.vc)
  }
  for top in ax_iommu xtq_nic tocsin; do want "FuseSoC's bench of $top" bench $top; done
else
  skipped="$skipped FuseSoC (no Python packages)"
fi

# $1: a folder with Bender.yml; $2...: targets. Bender leaves a lock beside the manifest: it works in a copy.
with_bender() {
  rm -rf "$out/bender" && mkdir "$out/bender" && cp -r "$1/Bender.yml" "$1/rtl" "$out/bender" || return
  bender -d "$out/bender" script flist "${@:2}" | sed "s|^$(cd "$out/bender" && pwd -P)/||"
}
# Of the manifest as Bender's manual has it, which refuses no key that it does not know: only those
# that are there may be.
by_the_manual() {
  "$bin/python" - "$@" << 'PY'
import os, sys, yaml
root, targets = sys.argv[1], sys.argv[2:]
with open(os.path.join(root, "Bender.yml"), encoding="utf-8") as f:
    made = yaml.safe_load(f)
listed = [path for group in made["sources"] for path in group.get("files", [])]
wrong = [key for key in made if key not in ("package", "dependencies", "sources")]
wrong += [key for group in made["sources"] for key in group if key not in ("target", "files")]
wrong += [path for path in listed if not os.path.isfile(os.path.join(root, path)) or listed.count(path) > 1]
first = next((n for n, path in enumerate(listed) if not path.endswith("_pkg.sv")), 0)
wrong += [path for path in listed[first:] if path.endswith("_pkg.sv")]
if wrong or made["package"].get("name") != "tocsin":
    sys.exit("Bender.yml: no such key or file, twice in it, or a package behind modules: " + " ".join(wrong))
for group in made["sources"]:
    if group.get("target") in (*targets, None):
        print("\n".join(group["files"]))
PY
}
# of FOLDER TEXT TARGET TOP OPTIONS: Verilator reads what Bender gives out for a target, or for none
of() {
  target=$3
  want "Bender.yml$2" by_the_manual "$1" $target
  cp "$out/log" "$out/bender.f"
  if command -v bender > /dev/null; then
    want "Bender's list$2" with_bender "$1" ${target:+-t $target}
    cp "$out/log" "$out/bender-own.f"
    want "which is that of the manual$2" diff "$out/bender-own.f" "$out/bender.f"
  fi
  sed -i "s|^|$1/|" "$out/bender.f"
  want "Bender.yml$2: $4" elaborate "${@:4}" -f "$out/bender.f"
}
if [ -x "$bin/python" ] && "$bin/python" -c 'import yaml' 2> /dev/null; then
  of "$root" "" "" tocsin
  of "$dir/share/tocsin" " installed" tocsin_sim tb -DTB_TOP=xtq_nic -DTB_ADDR0=0 -DTB_WANT0=0 -DTB_ADDR1=0 -DTB_WANT1=0
else
  skipped="$skipped Bender.yml (no Python packages)"
fi
command -v bender > /dev/null || skipped="$skipped Bender (not installed; its manifest was read without it)"

[ -z "$skipped" ] || echo "skipped in part:$skipped"
echo "flow-test: $n checks, $bad failed"
[ "$bad" = 0 ]
