#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ranks.sh TOCSIN: ranks that are processes, however they are started: the result is that of one process, over links that lose, too; who
# fails or is killed ends the job, and rank 0 says why.
tocsin=$1
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
good=0 bad=0
unset "${!OMPI_@}" "${!PMI_@}" "${!SLURM_@}" MPI_LOCALNRANKS

judge() {  # judge WHAT CODE PATTERN: what is in $tmp/out, and $got
  if [ "$got" = "$2" ] && grep -qE -e "$3" "$tmp/out"; then
    good=$((good + 1))
  else
    bad=$((bad + 1))
    printf 'failed: %s\n  exit code %s, want %s; want a line like %s; got\n' "$1" "$got" "$2" "$3"
    head -20 "$tmp/out"
  fi
}
want() {  # want CODE PATTERN COMMAND...
  local code=$1 pattern=$2
  shift 2
  timeout 300 "$@" >"$tmp/out" 2>&1 </dev/null
  got=$?
  judge "$*" "$code" "$pattern"
}
port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}
digest() {
  "$tocsin" run "$@" | sed -n 's/^tocsin: passed, digest //p'
}
each() {  # each ROOT COMMAND...: four ranks by hand; rank 0 last
  local root=$1
  shift
  for r in 1 2 3; do timeout 300 "$@" --ranks 4 --rank $r --root "$root" >"$tmp/out$r" 2>&1 </dev/null & done
  timeout 300 "$@" --ranks 4 --rank 0 --root "$root" >"$tmp/out" 2>&1 </dev/null
  got=$?
  wait
}

dht=$(digest dht --nodes 4 --seed 3)
counter=$(digest counter --nodes 4 --seed 3)
dht3=$(digest dht --nodes 3 --n 900)

# started by rank 0 itself
want 0 "both have the same result" "$tocsin" run dht --ranks 4 --seed 3 --variant both
grep -q "digest $dht$" "$tmp/out" || { bad=$((bad + 1)); echo "failed: dht of 4 ranks has another digest than $dht"; }
want 0 "both have the same result" "$tocsin" run counter --ranks 4 --seed 3 --variant both
grep -q "digest $counter$" "$tmp/out" || { bad=$((bad + 1)); echo "failed: counter of 4 ranks has another digest than $counter"; }
want 0 "^tocsin: passed, digest $dht3$" "$tocsin" run dht --ranks 3 --n 900
want 0 "\"ranks_by\": \"rank 0 itself\"" "$tocsin" run dht --ranks 2 --json
# one datagram in a hundred is lost, one doubled, one overtaken, at each end
want 0 "^tocsin: passed, digest $dht$" "$tocsin" run dht --ranks 4 --seed 3 --loss 10
want 0 "^naive: passed, digest $counter$" "$tocsin" run counter --ranks 4 --seed 3 --loss 10 --variant naive

# by hand
each "127.0.0.1:$(port)" "$tocsin" run dht --seed 3
judge "dht by hand" 0 "^tocsin: passed, digest $dht$"
if python3 -c 'import socket; socket.socket(socket.AF_INET6).bind(("::1", 0))' 2>/dev/null; then
  each "[::1]:$(port)" "$tocsin" run counter --seed 3
  judge "counter by hand over IPv6" 0 "^tocsin: passed, digest $counter$"
else
  echo "skipped in part: IPv6: this machine has no ::1"
fi
# as srun has it: its variables, and the machine that is first in its list
id=$((RANDOM * 3 + 1000))
for r in 1 2 3 0; do
  env SLURM_PROCID=$r SLURM_STEP_NUM_TASKS=4 SLURM_STEP_ID=0 SLURM_JOB_ID=$id SLURM_STEP_NODELIST=localhost \
    timeout 300 "$tocsin" run dht --ranks 4 --seed 3 >"$tmp/out$r" 2>&1 </dev/null &
  last=$!
done
wait $last
got=$?
wait
mv "$tmp/out0" "$tmp/out"
judge "dht under srun's variables" 0 "4 ranks by srun"
judge "dht under srun's variables" 0 "^tocsin: passed, digest $dht$"

# strangers at rank 0's door are not let in, and do no harm
p=$(port)
{
  for r in 1 2 3; do "$tocsin" run dht --ranks 4 --seed 3 --rank $r --root 127.0.0.1:$p >/dev/null 2>&1 </dev/null & done
  wait
} &
timeout 300 "$tocsin" run dht --ranks 4 --seed 3 --rank 0 --root 127.0.0.1:$p >"$tmp/out" 2>&1 </dev/null &
last=$!
python3 - "$p" <<'EOF'
import os, socket, sys, time
for junk in (b"", b"GET / HTTP/1.0\r\n\r\n" * 9, os.urandom(5), os.urandom(500)):
    for _ in range(100):
        try:
            s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
            s.sendall(junk)
            s.close()
            break
        except OSError:
            time.sleep(0.01)
EOF
wait $last
got=$?
wait
judge "dht with strangers" 0 "^tocsin: passed, digest $dht$"

# who has other arguments, and what makes no sense
p=$(port)
timeout 300 "$tocsin" run dht --ranks 2 --rank 1 --root 127.0.0.1:$p --n 7 >/dev/null 2>&1 </dev/null &
want 4 "rank 1 was started with other arguments" "$tocsin" run dht --ranks 2 --rank 0 --root 127.0.0.1:$p --n 8
wait
want 2 "sort does not run as ranks" "$tocsin" run sort --ranks 3
want 2 "without --nodes" "$tocsin" run dht --ranks 3 --nodes 3
want 4 "with the --root HOST:PORT" "$tocsin" run dht --ranks 3 --rank 1
want 4 "no address 'nowhere'" "$tocsin" run dht --ranks 3 --rank 0 --root nowhere

# a rank is killed: rank 0 says so, and nobody stays
p=$(port)
for r in 1 2 3; do
  timeout 300 "$tocsin" run counter --n 1000000 --ranks 4 --rank $r --root 127.0.0.1:$p >"$tmp/out$r" 2>&1 </dev/null &
  [ $r != 2 ] || victim=$!
done
{
  timeout 300 "$tocsin" run counter --n 1000000 --ranks 4 --rank 0 --root 127.0.0.1:$p >"$tmp/out" 2>&1 </dev/null
  echo $? >"$tmp/code"
} &
until grep -q "4 ranks" "$tmp/out" 2>/dev/null; do sleep 0.1; done
sleep 0.5
child=$(cat "/proc/$victim/task/$victim/children" 2>/dev/null || pgrep -P "$victim")
kill -9 $child
wait 2>/dev/null
got=$(cat "$tmp/code")
judge "a rank that is killed" 1 "TOC_E_PEER_GONE: rank 2 has gone"

# mpirun, of both kinds
for kind in openmpi mpich; do
  if ! command -v mpirun.$kind >/dev/null; then
    echo "skipped in part: $kind: there is no mpirun.$kind"
    continue
  fi
  more=
  [ $kind = mpich ] || more="--allow-run-as-root --oversubscribe"
  for of in "dht $dht" "counter $counter"; do
    read -r app right <<<"$of"
    want 0 "4 ranks by mpirun of" mpirun.$kind $more -n 4 "$tocsin" run $app --ranks 4 --seed 3
    judge "$app under $kind" 0 "^tocsin: passed, digest $right$"
    want 0 "^tocsin: passed, digest $right$" mpirun.$kind $more -n 4 "$tocsin" run $app --ranks 4 --seed 3 --loss 10
  done
  want 4 "3 ranks were started, not 4" mpirun.$kind $more -n 3 "$tocsin" run dht --ranks 4
done

echo "$good passed, $bad failed"
[ $bad = 0 ]
