#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# two.sh TOCSIN END: two machines: name spaces of the network, left and right, with an Ethernet between them (a veth
# pair) and nothing else. Ranks on both, over IPv4 and IPv6, with an MTU of 1500 and 9000, with loss on the wire;
# what the path takes is found out.
tocsin=$1 end=$2
if [ -z "$TWO_INSIDE" ]; then
  who=
  [ "$(id -u)" = 0 ] || who="--user --map-root-user"
  if ! unshare $who --mount --net true 2>/dev/null || ! command -v ip >/dev/null; then
    echo "skipped: this machine gives no name spaces of the network, or has no ip"
    exit 0
  fi
  TWO_INSIDE=1 exec unshare $who --mount --net "$0" "$@"
fi
mount -t tmpfs none /run && mkdir -p /run/netns
. scripts/tally.sh
unset "${!OMPI_@}" "${!PMI_@}" "${!SLURM_@}" MPI_LOCALNRANKS
on() {  # on MACHINE COMMAND...
  ip netns exec "$@"
}
shown() { head -20 "$file"; }
has() {  # has WHAT FILE PATTERN
  local file=$2
  if grep -qE -e "$3" "$file"; then pass; else fail "$1: want a line like $3; got"; fi
}
set -e
for m in left right; do
  ip netns add $m
  ip -n $m link set lo up
done
ip link add wire netns left type veth peer name wire netns right
n=1
for m in left right; do
  ip -n $m addr add 192.0.2.$n/24 dev wire
  ip -n $m addr add fd00:2::$n/64 dev wire nodad 2>/dev/null || v6=no
  ip -n $m link set wire up
  n=2
done
set +e
packets() {
  on left cat /sys/class/net/wire/statistics/rx_packets 2>/dev/null || ip -n left -s link show wire |
    awk '/RX:/ { getline; print $2 }'
}
mtu() {
  for m in left right; do ip -n $m link set wire mtu "$1"; done
}
port=7400
# ranks ROOT PROGRAM ARGS...: four ranks, two on each machine
ranks() {
  local root=$1:$((++port)) p=$2 before right
  shift 2
  right=$("$tocsin" run "$p" --nodes 4 --seed 5 ${few[$p]} | sed -n 's/^tocsin: passed, digest //p')
  before=$(packets)
  for r in 1 2 3; do
    on $([ $r = 1 ] && echo left || echo right) scripts/stuck.py "$tocsin" run "$p" --seed 5 ${few[$p]} --ranks 4 \
      --rank $r --root "$root" "$@" \
      >"$tmp/out$r" 2>&1 </dev/null &
  done
  on left scripts/stuck.py "$tocsin" run "$p" --seed 5 ${few[$p]} --ranks 4 --rank 0 --root "$root" \
    "$@" >"$tmp/out" 2>&1 </dev/null
  wait
  has "$p, root $root $*" "$tmp/out" "^tocsin: passed, digest ${right:-none}$"
  echo "$(($(packets) - before)) packets" >"$tmp/packets"
  has "$p, root $root: the wire carries it" "$tmp/packets" '^[0-9]{3,} packets'
}
# ends LEFT RIGHT MTU PATTERN: one connection between two ends
mkfifo "$tmp/there" "$tmp/back"
ends() {
  on left scripts/stuck.py "$end" "$1" "$3" >"$tmp/there" <"$tmp/back" 2>"$tmp/one" & # in this order, or both wait
  on right scripts/stuck.py "$end" "$2" "$3" <"$tmp/there" >"$tmp/back" 2>"$tmp/two"
  wait
  has "left, $1 to $2, mtu $3" "$tmp/one" "$4"
  has "right, $1 to $2, mtu $3" "$tmp/two" "$4"
}
declare -A few=([dht]="--n 100" [sort]="--n 600" [allreduce]="--n 2000" [getlog]="--n 60")

[ "$(mtu 1500; ip -n left link show wire | grep -c 'mtu 1500')" = 1 ] || bad=$((bad + 1))
ranks 192.0.2.1 dht
ranks 192.0.2.1 sort --loss 10
ends 192.0.2.1:0 192.0.2.2:0 0 'in frames: (6[5-9]|[7-9][0-9]|1[01][0-9]|12[0-7])$' # 64 of 1024 bytes, and their like
ends 192.0.2.1:0 192.0.2.2:0 2048 'TOC_E_SUPPORT: toc_qp_connect: frames of mtu 2048 .* the path takes 1500'
mtu 9000
ends 192.0.2.1:0 192.0.2.2:0 4096 'in frames: (1[6-9]|[2-5][0-9])$' # 16 of 4096
ranks 192.0.2.1 allreduce
if [ -z "$v6" ]; then
  ends '[fd00:2::1]:0' '[fd00:2::2]:0' 4096 'in frames: (1[6-9]|[2-5][0-9])$'
  mtu 1500
  ends '[fd00:2::1]:0' '[fd00:2::2]:0' 2048 'TOC_E_SUPPORT: toc_qp_connect: frames of mtu 2048 .* the path takes 1500'
  ranks '[fd00:2::1]' getlog --loss 10
else
  echo "skipped in part: IPv6: this machine has none"
fi
mtu 1500
if on left tc qdisc add dev wire root netem loss 2% 2>/dev/null &&
  on right tc qdisc add dev wire root netem loss 2% 2>/dev/null; then
  ranks 192.0.2.1 dht
else
  echo "skipped in part: netem: this kernel has none; --loss loses datagrams in the link instead"
fi
mtu 600 # too narrow for IPv6, which is gone then
ends 192.0.2.1:0 192.0.2.2:0 0 'in frames: (12[89]|1[3-9][0-9]|2[0-4][0-9])$' # 128 of 512
tally
