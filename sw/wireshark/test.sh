#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test.sh TOCSIN: what tshark shows of XtqPuts with xtq.lua: each field of frames that are known, frames that make no
# sense, and what a program sends.
here=$(dirname "$0") tocsin=$1 n=0 bad=0
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
export HOME=$tmp  # no settings and plugins of the user's
# From 4.4 on tshark runs no scripts for root, and says nothing.
[ "$(id -u)" != 0 ] || other="setpriv --reuid=65534 --regid=65534 --clear-groups"
chmod 755 "$tmp" && install -m 644 "$here/xtq.lua" "$tmp"
shark() { ${other:-} tshark -X "lua_script:$tmp/xtq.lua" "$@" 2>"$tmp/err"; }

# want TEXT WANTED GOT
want() {
  n=$((n + 1))
  [ "$2" = "$3" ] && return
  bad=$((bad + 1))
  printf 'FAILED %s\n  want %s\n  got  %s\n' "$1" "$2" "$3"
  cat "$tmp/err"
}
# fields FRAME FIELD...: their values, a space between
fields() {
  local frame=$1 f=()
  shift
  for x; do f+=(-e "xtq.$x"); done
  # since 4.4 a space within a field has a backslash
  shark -r "$tmp/pcap" -Y "frame.number == $frame" -T fields -E separator=/s "${f[@]}" | sed 's/\\ / /g'
}

"$here/frames.py" "$tmp/pcap"
want "a kernel's header" '0xca 0x1122334455667788 0xaabbccdd 109 0 9 32 13' \
  "$(fields 1 part va rkey length kind process args_bytes payload_bytes)"
want "its command" '0x1402 2 3 8 x 4 x 2 64 x 32 x 16 42 513' \
  "$(fields 1 header packet dimensions workgroup grid kernel queue)"
want "its bytes" "$(printf '%02x' {0..31}) $(printf 'payload!!!!!!' | od -An -tx1 | tr -d ' \n')" \
  "$(fields 1 args payload | tr -d :)"
want "a function" '1 0 0 4 0x8001 43 6' "$(fields 2 kind args_bytes payload_bytes packet type function queue)"
want "which has no bytes, and no kernel" ' ' "$(fields 2 args kernel)"
want "the first part of a message" "0xc6 396 300 $(printf '00%.0s' {1..160})" \
  "$(fields 3 part length payload_bytes payload | tr -d :)"
want "one from its middle" '0xc7 ' "$(fields 4 part kind)"
want "the list of packets" \
  'XtqPut only QP=0x012345 PSN=77: kernel 42 to queue 513, 32 bytes of arguments, 13 of payload' \
  "$(shark -r "$tmp/pcap" -Y 'frame.number == 1' | grep -o 'XtqPut only.*')"
want "what makes no sense" '5 6 7 8' \
  "$(echo $(shark -r "$tmp/pcap" -Y 'xtq.kind_bad || xtq.lengths || xtq.short' -T fields -e frame.number))"
want "a kind that none is" 5 "$(shark -r "$tmp/pcap" -Y xtq.kind_bad -T fields -e frame.number)"
want "lengths that do not agree" 6 "$(shark -r "$tmp/pcap" -Y xtq.lengths -T fields -e frame.number)"
want "frames that end too soon" '7 8' "$(echo $(shark -r "$tmp/pcap" -Y xtq.short -T fields -e frame.number))"
want "a write stays one, and so does what has no UDP" '9 0x0a 10 0xca' \
  "$(echo $(shark -r "$tmp/pcap" -Y '!xtq' -T fields -E separator=/s -e frame.number -e infiniband.bth.opcode |
  awk '{ printf "%s 0x%02x\n", $1, $2 }'))"
want "a header of which all was captured" 'kernel 49 to queue 1, 32 bytes of arguments, 13 of payload' \
  "$(shark -r "$tmp/pcap" -Y 'frame.number == 11' | grep -o 'kernel .*')"
want "one of which less was" 'not captured whole' \
  "$(shark -r "$tmp/pcap" -Y 'frame.number == 12' | grep -o 'not captured .*')"
want "no error of Lua in any frame" '' "$(shark -r "$tmp/pcap" -V | grep 'Lua Error')"
want "Lua has nothing to say" '' "$(grep -vi 'running as user' "$tmp/err")"

# what a program sends: launches in one packet each, and in four
"$tocsin" run launch --n 3 --pcap "$tmp/pcap" >/dev/null
want "launches" '3 kernel=7 queue=1 process=0 args=32 payload=128' \
  "$(shark -r "$tmp/pcap" -Y 'xtq.part == 0xca' -T fields -E separator=/s \
    -e xtq.kernel -e xtq.queue -e xtq.process -e xtq.args_bytes -e xtq.payload_bytes |
    sort | uniq -c | awk '{ print $1, "kernel=" $2, "queue=" $3, "process=" $4, "args=" $5, "payload=" $6 }')"
"$tocsin" run launch --n 1 --size 4000 --pcap "$tmp/pcap" >/dev/null
want "a long launch" '0xc6 0xc7 0xc7 0xc8' "$(echo $(shark -r "$tmp/pcap" -Y xtq -T fields -e xtq.part))"
echo "dissector: $n checks, $bad failed"
[ $bad = 0 ]
