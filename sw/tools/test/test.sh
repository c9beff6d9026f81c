#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test.sh TOCSIN [COSIM COSIM_NODE]: the command line as a user and a program see it: outputs, JSON,
# exit codes, what goes wrong.
here=$(dirname "$0")
tocsin=$1 cosim=$2 cosim_node=$3
puts=$here/puts.trc linux=verif/traces/linux-vtd.rec
. scripts/tally.sh

# want CODE PATTERN COMMAND...: that exit code, and a line like PATTERN on stdout or stderr ("" for nothing at all)
want() {
  local code=$1 pattern=$2 got
  shift 2
  "$@" >"$tmp/out" 2>&1
  got=$?
  if [ $got = "$code" ] && if [ "$pattern" ]; then grep -qE -e "$pattern" "$tmp/out"; else [ ! -s "$tmp/out" ]; fi; then
    pass
  else
    fail "$*: exit code $got, want $code; want a line like $pattern; got"
  fi
}

# what a trace says and leaves behind
want 0 'D from device +port 0 MWr32 01:00.0 0x40008c48 2 words, bytes f/f$' "$tocsin" trace show "$puts"
want 0 'W register write +LOG_CFG\[0\] := 0x80000000000c0010 IUID=0x10 SIZE=0xc EN=1$' "$tocsin" trace show "$puts"
want 0 '^ *25 N nothing more *$' "$tocsin" trace show "$puts" --from 25 --count 1
json 'len(v) == 4 and all(r["kind"] in "DT" for r in v)' "$tocsin" trace show "$puts" --kind DT
json 'v["tlps"]["MWr32"] == {"count": 2, "bytes": 12} and v["requesters"]["01:00.0"]["count"] == 4
  and v["lowest"] == "0x5000"' "$tocsin" trace stat "$puts"
json 'v[0]["requester"] == "0x100" and v[0]["active"]
  and [p["iova"] for p in v[0]["pages"]] == ["0x40008000", "0x40009000"]' "$tocsin" table dump "$puts"
json 'not v[0]["pages"][0]["W"] and v[0]["pages"][0]["WLD"] and v[0]["pages"][1]["RLD"]
  and v[0]["pages"][1]["iuid"] == 16' "$tocsin" table dump "$puts"
json '[e["kind"] for e in v[0]["entries"]] == ["put", "put", "get"] and v[0]["entries"][1]["data"] == "99aabbcc"' \
  "$tocsin" log dump "$puts"
json 'v[0]["entries"][0]["denied"] and not v[0]["entries"][2]["denied"] and v[0]["producer"] == "0x60"' \
  "$tocsin" log dump "$puts" --log 0
json 'v == []' "$tocsin" log dump "$puts" --log 1
json 'len(v[0]["entries"]) == 1' "$tocsin" log dump "$puts" --at 19
json 'v["AA_CTL"]["value"] == "0x551" and v["AA_CTL"]["AAE"] == "0x1" and len(v) == 1' "$tocsin" regs "$puts" aa_ctl
json '"LOG_CFG[0]" in v and "LOG_CFG[1]" not in v' "$tocsin" regs "$puts"
json 'v["translations"] == 862 and v["waits"] == 291 and v["as_expected"]' "$tocsin" replay "$linux"
want 0 'domain 3' "$tocsin" table dump "$linux"
want 0 ': 1 translation, .* 2 checks: all as expected' "$tocsin" replay "$puts"
want 0 ': 22 register reads, .* 80 checks: all as expected' "$tocsin" replay verif/traces/dht.trc  # not: 0 translations
json 'v["CNT[1]"]["counts"] == "writes" and v["CNT[1]"]["value"] == "0x3" and v["CNT[12]"]["counts"] == "log entries"' \
  "$tocsin" regs "$puts"
want 0 '^04028 CNT\[5\] +0*1  hits$' "$tocsin" regs "$puts" cnt
printf 'R 0x4058 8\n' >"$tmp/counter"
want 0 'register read +CNT\[11\] \(denied\)$' "$tocsin" trace show "$tmp/counter"

# the programs: right, and with the result of their naive versions, over a bad link too
for p in $("$tocsin" run --list --json |
  python3 -c 'import json, sys; print(*[p["name"] for p in json.load(sys.stdin)])'); do
  json 'v["passed"] and len(v["runs"]) == 2 and v["runs"][0]["digest"] == v["runs"][1]["digest"] == v["digest"]' \
    "$tocsin" run "$p" --variant both --seed 3
  json 'v["passed"] and v["nodes"] == 4 and len(v["runs"]) == 2' "$tocsin" run "$p" --variant both --loss 30 \
    --seed 4 --nodes 4
  json 'v["passed"] and v["backend"] == "model" and v["n"] == 1' "$tocsin" run "$p" --n 1
done
for n in 12 012 0xC; do json 'v["n"] == 12' "$tocsin" run dht --n $n; done # decimal, or behind 0x
json 'len(v) == 9' "$tocsin" run --list
json 'all(n["value"] > 0 for r in v["runs"] for n in r["numbers"]) and len(v["runs"][0]["numbers"]) == 1' \
  "$tocsin" run launch --variant both --n 5
want 0 'model has no time of hardware: 4 times are left out' "$tocsin" run launch --n 5
want 0 '' bash -c '! "$0" run launch --n 5 2>&1 | grep " 0 ns"' "$tocsin"
json '"digest" not in v and "digest" not in v["runs"][0] and not v["passed"]' env TOCSIN_RTL="$tmp/no-such" \
  "$tocsin" run dht --backend rtl
want 0 '^both have the same result$' "$tocsin" run dht --variant both --n 50
want 4 'no backend moon' "$tocsin" run dht --backend moon
for s in 8 104 256; do  # messages of a size; over a bad link too
  json 'v["passed"] and v["size"] == '$s "$tocsin" run getlog --variant both --size $s --n 80 --loss 20
  json 'v["passed"] and v["size"] == '$s "$tocsin" run accumulate --variant both --size $s --n 20 --loss 20
  json 'v["passed"] and v["size"] == '$((16 * s)) "$tocsin" run launch --variant both --size $((16 * s)) \
    --n 10 --loss 20
done

# what is counted, by hand: a get of 8 bytes is 74 bytes there and 70 back, and so is the flush after 300;
# 8 checkpoints of 256 pages
number='{(r["variant"], n["name"], n["unit"]): n["value"] for r in v["runs"] for n in r["numbers"]}'
json "$number"'["tocsin", "bytes on the link of a get", "B"] == (300 * 144 + 144) / 300' "$tocsin" run getlog
json "$number"'["naive", "looked at", "page-table entries"] == 8 * 256' "$tocsin" run checkpoint --variant naive --n 160
json "$number"'["tocsin", "looked at", "records"] == 160' "$tocsin" run checkpoint --n 160

# figures: every value is that of a run by itself, and in its place in the picture; the same again is the same bytes
mkdir "$tmp/fig" "$tmp/again" "$tmp/full"
on_model='import json, sys; print(*[f["name"] for f in json.load(sys.stdin) if f["backend"] == "model"])'
for f in $("$tocsin" fig --list --json | python3 -c "$on_model"); do
  want 0 '' "$here/check_fig.py" "$tocsin" "$f" "$tmp/fig" model 2
  want 0 "^$tmp/again/$f.svg\$" "$tocsin" fig "$f" --seed 2 --out "$tmp/again"
done
want 0 '' diff -r "$tmp/fig" "$tmp/again"
want 0 '^400 +time of a remote insert' bash -c '"$0" fig insert --seed 3 --out "$1" | sed "s/^ *//"' "$tocsin" \
  "$tmp/again"
want 1 'differ' diff -q "$tmp/fig/insert.csv" "$tmp/again/insert.csv"
want 0 '' diff "$here/../../apps/insert.svg" <("$tocsin" fig insert --out "$tmp/again" >/dev/null &&
  cat "$tmp/again/insert.svg")
json 'len(v) == 8 and sum(f["points"] for f in v) == 47 and [f["backend"] for f in v].count("rtl") == 2' \
  "$tocsin" fig --list
want 0 '' bash -c '"$0" fig getlog --out "$1" 2>&1 >/dev/null' "$tocsin" "$tmp/fig"
want 0 ' 95 %' env TERM=vt100 python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]))' "$tocsin" fig getlog \
  --out "$tmp/fig"
want 3 'no-such-folder/insert.csv cannot be written: No such file' "$tocsin" fig insert --out "$tmp/no-such-folder"
want 3 'launch.csv cannot be written' env TOCSIN_RTL="$tmp/no-such" "$tocsin" fig launch --out "$tmp/no-such-folder"
want 3 'insert.csv/insert.csv cannot be written: Not a directory' "$tocsin" fig insert --out "$tmp/fig/insert.csv"
ln -s /dev/full "$tmp/full/insert.csv"
want 3 'full/insert.csv cannot be written: No space' "$tocsin" fig insert --out "$tmp/full"
mkdir "$tmp/full/getlog.svg"
want 3 'full/getlog.svg cannot be written: Is a directory' "$tocsin" fig getlog --out "$tmp/full"
want 4 'no backend moon' "$tocsin" fig insert --backend moon
want 4 'the model has no time of hardware; take backend rtl' "$tocsin" fig launch --backend model
want 4 'launch \(tocsin, nodes 2, n 20, size 64, loss 0\): .* `make sw-rtl` builds it' env TOCSIN_RTL="$tmp/no-such" \
  "$tocsin" fig launch

# a device, only looked at (here one in process, fresh from reset; with BOARD one behind a serial line)
json 'len(v) == 2 and v[0]["IOMMU"]["requests decided"] == 0 and len(v[1]["NIC"]) == 42' "$tocsin" top --backend model \
  --count 2 --ms 1
json 'v["IOMMU"]["CAP"]["value"] == "0xd2078c226f0406" and v["IOMMU"]["CAP"]["ND"] == "0x6" and v["NIC"] == {}' \
  "$tocsin" peek --backend model cap
want 0 '^01000 AA_ID .*TOC' "$tocsin" peek --backend model
want 4 'TOC_E_BACKEND' "$tocsin" top --backend fpga --path "$tmp/no-such-line"
want 4 'TOC_E_BACKEND' "$tocsin" peek --backend moon
want 2 'TOC_E_ARG: .* is not NAME' "$tocsin" peek --backend uio --path "$(printf 'a%.0s' {1..5000})"
want 4 'libtocsin-rtl.so: cannot open' env TOCSIN_RTL= LD_LIBRARY_PATH= "$tocsin" peek --backend rtl
want 4 '^tocsin: FAILED$' "$tocsin" run dht --backend uio --path "$tmp:uio0"
if [ "$BOARD" ]; then
  mkfifo "$tmp/fifo"
  "$BOARD" <"$tmp/fifo" >"$tmp/line" 2>/dev/null &
  exec 9>"$tmp/fifo"
  until [ -s "$tmp/line" ] || ! kill -0 $! 2>/dev/null; do sleep 0.05; done
  json 'v[1]["IOMMU"]["cycles"] > v[0]["IOMMU"]["cycles"] > 0' "$tocsin" top --backend fpga \
    --path "$(cat "$tmp/line")" --count 2 --ms 1
  want 0 '^00008 CAP +00d2078c226f0406 ' "$tocsin" peek --backend fpga --path "$(cat "$tmp/line")" CAP NIC_MAC
  exec 9>&-
  wait
fi

# traces that differ
sed 's/#.*//; s/  */ /g; s/0x2008/0x02008/' "$puts" >"$tmp/same"
sed 's/99aabbcc$/99aabbcd/' "$puts" >"$tmp/other"
head -22 "$puts" >"$tmp/shorter"
want 0 'the same, 22 records' "$tocsin" trace diff "$puts" "$tmp/same"
want 1 '^\+ .*:20: D 0 40000001010000' "$tocsin" trace diff "$puts" "$tmp/other"
want 1 'the end' "$tocsin" trace diff "$puts" "$tmp/shorter"
json 'not v["same"] and v["a"]["line"] == 20 and v["b"]["record"].endswith("99aabbcd")' "$tocsin" trace diff "$puts" \
  "$tmp/other"

# what a trace expects and does not get
sed 's/^U 0 \(.*\)ff$/U 0 \1fe/' "$puts" >"$tmp/bad"
want 1 'bad:23: for the device came 4a000004 00080010 01000a40' "$tocsin" replay "$tmp/bad"
sed 's/^T .*/T 0x0100 0x40009000 w -/' "$puts" >"$tmp/bad"
want 1 'bad:24: 40009000 came through as 7001000' "$tocsin" replay "$tmp/bad"
sed 's/^H .*//' "$puts" >"$tmp/bad"
want 1 'bad:25: a TLP for the host that nobody asked for' "$tocsin" replay "$tmp/bad"
printf 'P NumLogs 1\nP FlushPages 1\nL 0x2048 8 0x1\n' >"$tmp/bad"
want 1 'bad:3: register 0x2048 stays 0x0' "$tocsin" replay "$tmp/bad"
printf 'P NumLogs 0\n' >"$tmp/bad"
want 3 'bad: NumLogs must be 1 to 32' "$tocsin" replay "$tmp/bad"
printf 'D 0 40000002010000ff40008c48 1122334455667788 cut\n' >"$tmp/bad"
want 1 'beats that do not make a TLP' "$tocsin" replay "$tmp/bad"

# what is no trace, and no command
printf 'W 0x18 4\n' >"$tmp/bad"
want 3 'bad:1: ' "$tocsin" replay "$tmp/bad"
want 3 'bad:1: ' "$tocsin" trace show "$tmp/bad"
printf 'P NumPorts 77\n' >"$tmp/bad"
want 3 'bad: ' "$tocsin" regs "$tmp/bad"
printf 'P Nonsense 1\n' >"$tmp/bad"
want 3 'no parameter Nonsense' "$tocsin" regs "$tmp/bad"
want 3 'cannot be opened' "$tocsin" table dump "$tmp/no-such-file"
want 3 'cannot be written' bash -c '"$0" trace stat "$1" >/dev/full' "$tocsin" "$puts"
want 4 'is not there: ' "$tocsin" replay "$puts" --on rtl --program "$tmp/no-such-program"
for c in '' 'bark' 'trace' 'trace bark' 'trace show' "trace show $puts $puts" \
  "trace show $puts --count -1" "trace show $puts --from" \
  "trace diff $puts" "regs $puts NO_SUCH_REGISTER" "log dump $puts --log 99" "replay $puts --on moon" run "run bark" \
  "run dht --nodes 65" "run dht --n 0x" "run dht --n 0b1" "run dht --n 1e2" \
  "run reduce --nodes 3" "run dht --variant bark" "run dht --n -1" "run dht --backend" \
  "run dht --size 8" "run getlog --size 12" "run getlog --size 264" "run getlog --size 0" \
  fig "fig bark" "fig insert loss" "fig insert --out" "fig insert --seed x" "fig insert --n 5" \
  "table dump $puts --bark" "top --bark" "top --ms x" "peek NO_SUCH" \
  "trace show $puts --kind Z" "trace diff - -" "run --list dht" "run dht --n 0" "run dht --nodes 0" \
  "run dht --seed -1" "top --count 0" \
  "run dht --record-of node" "run dht --record-node 0" "run dht --pcap $tmp/x --record-node 0" "run dht --path uio0" \
  "run dht --rank 1" "run dht --ranks 2 --rank 5 --root 127.0.0.1:1" "run dht --root a:1" "run dht --root foo" \
  "run dht --record $tmp/x --pcap $tmp/x" "replay $puts --on rtl --at 3" "replay - --on both" "help bark" \
  "$(printf 'a%.0s' {1..200})" "help $(printf 'a%.0s' {1..200})"; do
  # shellcheck disable=SC2086
  want 2 'help|tocsin COMMAND' "$tocsin" $c
done
want 2 'tocsin trace: which one\?; see tocsin help trace' "$tocsin" trace
want 2 'tocsin graph: there is no nix; see tocsin help graph' "$tocsin" graph nix
want 0 '--nodes N +how many nodes.*up to 64' "$tocsin" help run
# files that are none, that cannot be read, that never end
tr -d '\n' </dev/urandom | head -c 40000 >"$tmp/binary"
head -c 300 "$puts" >"$tmp/comments"
printf 'R 0x8 8\nP NumLogs 4\n' >"$tmp/late"
for c in "trace show" "trace stat" "table dump" "log dump" regs replay; do
  # shellcheck disable=SC2086
  for f in /dev/zero "$tmp/binary" "$tmp"; do
    want 3 'no text|unknown record|cannot be read: ' scripts/stuck.py "$tocsin" $c "$f"
  done
  # shellcheck disable=SC2086
  want 0 . scripts/stuck.py "$tocsin" $c - <"$puts"
  # shellcheck disable=SC2086
  want 0 . scripts/stuck.py "$tocsin" $c <(cat "$puts") # a pipe cannot be read twice
done
"$tocsin" trace show "$tmp/binary" >"$tmp/said" 2>&1
want 1 '' env LC_ALL=C grep -q '[^ -~]' "$tmp/said" # only text goes to a terminal
want 3 'nothing in it that could be played' "$tocsin" replay /dev/null
want 1 '' bash -c '"$0" replay /dev/null 2>/dev/null | grep .' "$tocsin" # and no summary of nothing
want 3 'nothing in it that could be played' "$tocsin" replay "$tmp/comments"
want 1 'late:2: parameter NumLogs comes too late' "$tocsin" replay "$tmp/late"
printf 'A tocsin\nP NumQps 16\nQ\n' >"$tmp/nothing" # all that a disk had room for
want 3 'nothing in it that could be played' "$tocsin" replay "$tmp/nothing"
want 1 '' bash -c '"$0" replay "$1" 2>/dev/null | grep .' "$tocsin" "$tmp/nothing"
printf 'B 0x5000 ffffffff\nD 0 400000010000000f00001000 aabb\n' >"$tmp/half" # of a word: the rest would be anything
want 1 'half:2: 2 bytes of data: a TLP has whole words of 4' "$tocsin" replay "$tmp/half"
printf 'G manual\nC 4a0000010008000400000000 aabbccddee\n' >"$tmp/half"
want 1 'half:2: 5 bytes of data' "$tocsin" replay "$tmp/half"
cp "$puts" "$tmp"/$'a\xff"b'
json 'v["file"].endswith("/a\ufffd\"b")' "$tocsin" replay "$tmp"/$'a\xff"b'

# output that goes nowhere; what is recorded is whole although nobody hears of it
for c in "trace show $puts" --version help "help run" "run --help" "run --list" "regs $puts --json"; do
  want 3 'cannot be written' bash -c "'$tocsin' $c >/dev/full"
  want 3 'cannot be written' bash -c "'$tocsin' $c >&-"
done
bash -c '"$0" run dht --n 5 --record "$1" <&- >&- 2>&-' "$tocsin" "$tmp/trace"
want 0 'all as expected' "$tocsin" replay "$tmp/trace"
for c in --record --pcap "--record-of node --record"; do
  # shellcheck disable=SC2086
  want 3 "'/dev/full' cannot be written: No space left" "$tocsin" run dht --n 5 $c /dev/full
done
"$tocsin" run dht --n 5 --record /dev/full --json >"$tmp/json" 2>/dev/null
want 0 '' python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$tmp/json"
want 0 '' bash -c '"$0" trace show "$1" | head -1 >/dev/null' "$tocsin" "$puts"
want 0 'passed' env -i TERM=dumb COLUMNS=1 LC_ALL=de_DE.UTF-8 "$tocsin" run dht --n 5

# top ends by being interrupted, and what it has printed is whole
scripts/stuck.py --cpu 20 "$tocsin" top --backend model --ms 50 --json >"$tmp/top" 2>&1 &
top=$!
until [ -s "$tmp/top" ] || ! kill -0 $top 2>/dev/null; do sleep 0.05; done
pkill -INT -P $top
wait $top
want 0 '' [ $? = 0 ]
want 0 '' python3 -c 'import json, sys; sys.exit(not json.load(open(sys.argv[1])))' "$tmp/top"

want 0 'tocsin [0-9]' "$tocsin" --version
want 0 'tocsin log dump TRACE' "$tocsin" help log
want 0 'Exit codes' "$tocsin" help
want 0 '^tocsin help COMMAND, or' "$tocsin" help
want 0 'Exit codes' "$tocsin" help help
want 0 'the first record that differs' "$tocsin" trace diff --help

for h in -h --help; do
  want 0 'Exit codes' "$tocsin" $h
  want 0 'tocsin trace diff TRACE TRACE' "$tocsin" trace $h
  want 0 '^  --seed N +[a-z]' "$tocsin" run $h
  want 0 '^  --n +how many keys: 1 to 1000000, 400 ' "$tocsin" run dht --seed 2 $h
  want 0 '^  --kind LETTERS +[a-z]' "$tocsin" trace show "$puts" $h
  want 0 '^  D  from device$' "$tocsin" trace show $h
  want 0 'the first record that differs' "$tocsin" trace diff $h
  want 2 'no program bark' "$tocsin" run bark $h
done
want 0 'are two runs|is two runs, `tocsin run dht --n' "$tocsin" fig insert -h
want 0 'a multiple of 8 up to 4000' "$tocsin" help run accumulate
want 2 '.x is not understood' "$tocsin" trace stat -x "$puts"
for p in $("$tocsin" run --list | cut -c3-13); do want 0 "^$p: " "$tocsin" run "$p" -h; done

# every command is in the manual with its options, the shell completes it, and it takes what help offers
. "$here/../completion.bash"
complete_after() {
  COMP_WORDS=("$tocsin" "$@" "")
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  _tocsin
  printf '%s\n' "${COMPREPLY[@]}"
}
"$tocsin" help | sed -n 's/^  tocsin \([a-z]*\( [a-z]*\)\?\)\( .*\|$\)/\1/p' >"$tmp/commands"
want 0 '' [ "$(wc -l <"$tmp/commands")" = 18 ]
while read -r c; do
  read -r first second <<<"$c"
  want 0 "^$first\$" complete_after
  want 0 "^${second:-$first}\$" complete_after ${second:+"$first"}
  sed -n "/^\.B tocsin $c /,/^\.TP/p" "$here/../tocsin.1" | tr -d '\\' >"$tmp/man"
  want 0 . cat "$tmp/man"
  # shellcheck disable=SC2086
  for o in $("$tocsin" $c -h | sed -n 's/^  \(--[a-z-]*\) .*/\1/p' | grep -v -e --json -e --list); do
    want 0 . grep -e "$o" "$tmp/man"
    want 1 '' grep -qe "is not understood" <("$tocsin" $c $o </dev/null 2>&1)
    COMP_WORDS=("$tocsin" $c -) COMP_CWORD=$(($(wc -w <<<"$c") + 1)) COMPREPLY=()
    _tocsin
    want 0 "^$o\$" printf '%s\n' "${COMPREPLY[@]}"
  done
done <"$tmp/commands"
want 0 '^both$' complete_after replay x --on
want 0 '^node$' complete_after run dht --record-of
want 0 '^allreduce$' complete_after run
want 0 '^T1XXL$' complete_after graph uts --tree
want 0 '^serial$' complete_after graph bfs --variant
while read -r v; do want 0 . grep -F "$v\fR" <(sed -n '/^.SH GRAPHS/,/^.SH FIGURES/p' "$here/../tocsin.1"); done < <(
  for p in gups uts bfs pagerank cc sssp triangles; do "$tocsin" help graph $p; done |
    sed -n 's/^  --variant \([a-z]*\) .*;.*/\1/p' | sort -u)
want 0 . grep -x '\.B \\-\\-version' "$here/../tocsin.1"
want 0 . grep -x '\.B TOCSIN_RTL' "$here/../tocsin.1"

for p in $("$tocsin" fig --list --json | sed -n 's/^    "name": "\(.*\)",/\1/p'); do
  want 0 "^$p\$" complete_after fig
  want 0 . grep -x "\.B $p" "$here/../tocsin.1"
done

# the same on the hardware: a trace in lockstep; every program with the digest that the model has
if [ "$TOCSIN_RTL" ]; then
  for p in dht:40 counter:40 checkpoint:60 getlog:40 sort:300 launch:5 accumulate:10 reduce:600 allreduce:600; do
    want=$("$tocsin" run "${p%:*}" --n "${p#*:}" --seed 6 --json | sed -n 's/^  "digest": "\(.*\)",/\1/p')
    json "v['passed'] and v['backend'] == 'rtl' and len(v['runs']) == 2 and v['digest'] == '$want'" \
      "$tocsin" run "${p%:*}" --n "${p#*:}" --seed 6 --backend rtl --variant both
  done
  json 'v["passed"] and v["n"] == 12' "$tocsin" run dht --n 12 --backend rtl --loss 30
  for f in launch accumulate; do want 0 '' "$here/check_fig.py" "$tocsin" "$f" "$tmp/fig" rtl 1; done
  want 0 '' diff "$here/../../apps/launch.svg" "$tmp/fig/launch.svg"
fi
for p in dht sort launch; do  # what a program causes, played again
  want 0 'passed' "$tocsin" run "$p" --n 20 --loss 20 --record "$tmp/trace" --record-node 1 --pcap "$tmp/pcap"
  want 0 'all as expected' "$tocsin" replay "$tmp/trace"
  want 0 'pcap' find "$tmp/pcap" -size +1k
  [ "$cosim" ] && want 0 'on both: .*all as expected' "$tocsin" replay "$tmp/trace" --on both --program "$cosim"
done
# the same of a whole node, and what is not as the trace has it: every slip is named with its line
node=verif/traces/node
want 0 'frame out +READ only, QP [0-9a-f]{6} PSN [0-9a-f]{6}, [0-9]+ bytes$' "$tocsin" trace show $node/dht.trc --kind O
printf 'A tocsin\nO %s%s\n' 02544f43000102544f43000008004500003400004000401126110a5400000a540001c00012b70020 \
  00000440ffff0001010080e61b760000000000000000ac8f0020 >"$tmp/message"
want 0 'frame out +SEND only, QP 010100 PSN e61b76, 8 bytes, asks for an ACK$' "$tocsin" trace show "$tmp/message"
json 'v["frames"]["SEND only out"]["count"] == 1' "$tocsin" trace stat "$tmp/message"
want 0 'a trace of +a node: NIC, XTQ and IOMMU' "$tocsin" trace show $node/dht.trc --kind A
want 0 ' nic QP_CTL' "$tocsin" trace show $node/dht.trc --kind W
json 'v["frames"]["XtqPut only in"]["count"] == 40 and v["frames"]["ACK out"]["count"] == 40
  and v["records"]["frame in"]["count"] == 40' "$tocsin" trace stat $node/launch.trc
want 1 '^- .*launch.trc:1' "$tocsin" trace diff $node/launch.trc $node/dht.trc
for t in $node/*.trc; do
  json 'v["as_expected"] and v["on"] == "model" and v["frames_out"] >= v["frames_in"] > 10 and v["checks"] > 50' \
    "$tocsin" replay "$t"
done
for p in launch allreduce dht getlog; do
  want 0 'passed' "$tocsin" run "$p" --n 30 --loss 20 --record "$tmp/trace" --record-of node --record-node 1
  want 0 'all as expected' "$tocsin" replay "$tmp/trace"
  [ "$cosim_node" ] && want 0 'on both: .*all as expected' "$tocsin" replay "$tmp/trace" --on both \
    --program "$cosim_node"
done
# slip KIND CONDITION AWK: in the middle one of the records of that kind, AWK changes what is in it; its line in $line
slip() {
  line=$(awk "\$1 == \"$1\" && ($2) { l[++n] = NR } END { print l[int((n + 1) / 2)] }" $node/dht.trc)
  awk -v l="${line:?no such record}" "$other NR == l { $3 } { print }" $node/dht.trc >"$tmp/bad"
}
# other(s, i): s with another hexadecimal digit there; only puts: the opcode is byte 42
other='function other(s, i) { return substr(s, 1, i - 1) (substr(s, i, 1) == "0" ? "1" : "0") substr(s, i + 1) }'
put='substr($2, 85, 2) == "0a"'
bad() { # PATTERN: what a replay of the slip says, on every machine that is here
  want "$1" "bad:$2" "$tocsin" replay "$tmp/bad"
  [ "$cosim_node" ] && want "$1" "bad:$2" "$tocsin" replay "$tmp/bad" --on both --program "$cosim_node"
}
slip F 1 '$2 = other($2, length($2) - 8)'
bad 3 "$line: this frame is damaged"
slip O "$put" '$2 = other($2, length($2) - 8)'
bad 1 "$line: another frame leaves: opcode 0a"
slip O "$put" '$0 = "#"'
bad 1 '[0-9]*: another frame leaves: opcode 0a'
slip F "$put" '$0 = "#"'
bad 1 '[0-9]*: (this frame never leaves|another frame leaves|memory at)'
slip R 1 '$4 = "0x1"'
bad 1 "$line: register 0x[0-9a-f]* is 0x[0-9a-f]*, want 0x1"
slip L 1 '$4 = "0x7777"'
bad 1 "$line: register 0x[0-9a-f]* stays "
slip E 1 '$3 = other($3, 1)'
bad 1 "$line: memory at 0x[0-9a-f]* stays [0-9a-f]*, want "
printf 'A tocsin\nD 0 40000002010000ff40008c48 1122334455667788\n' >"$tmp/bad"
bad 3 '2: record D does not belong'
printf 'A tocsin\nP NumQps 3\nB 0x1000 00\nW 0x100010 8 0x1\nB 0x2000 01\nQ\n' >"$tmp/bad"
want 0 'all as expected' "$tocsin" replay "$tmp/bad"
[ "$cosim_node" ] && want 1 'it needs NumQps = 3, this build has 16' "$tocsin" replay "$tmp/bad" --on rtl \
  --program "$cosim_node"
printf 'A tocsin\nP Nonsense 3\n' >"$tmp/bad"
want 3 'a parameter that no node has' "$tocsin" replay "$tmp/bad"
want 3 'a trace of tocsin, not of an IOMMU' "$tocsin" regs $node/dht.trc
printf 'O 00112233\n' >"$tmp/bad"
want 1 'bad:1: a frame, and no NIC' "$tocsin" replay "$tmp/bad"
want 4 'make cosim TOP=tocsin N=1' "$tocsin" replay $node/dht.trc --on both --program "$tmp/no-such-program"
want 2 'is played to its end' "$tocsin" replay $node/dht.trc --at 100
"$tocsin" run launch --variant naive --n 5 --size 64 --record "$tmp/trace" >/dev/null # it says how it was made
want 0 'run launch --variant naive --seed 1 --nodes 2 --n 5 --size 64 --loss 0: the IOMMU of node 0$' \
  head -1 "$tmp/trace"
want 2 'it is iommu or node' "$tocsin" run dht --record "$tmp/trace" --record-of moon

want 4 'only backend model' "$tocsin" run dht --record "$tmp/trace" --backend rtl
want 3 'cannot be written' "$tocsin" run dht --record "$tmp/no-such-folder/trace"
want 2 'there are 2 nodes' "$tocsin" run dht --record "$tmp/trace" --record-node 2
want 2 'not both' "$tocsin" run dht --record "$tmp/trace" --variant both
if [ "$cosim" ]; then
  want 0 'on both: 1 translation, .* 2 checks.*: all as expected' "$tocsin" replay "$puts" --on both --program "$cosim"
fi

tally
