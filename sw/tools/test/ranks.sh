#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ranks.sh TOCSIN [brief]: ranks that are processes, however they are started: the result is that of one process,
# over links that lose, too; who fails or is killed ends the job, and rank 0 says why, but where the program says that
# it survives. brief: a part of it.
tocsin=$1 brief=$2
. scripts/tally.sh
unset "${!OMPI_@}" "${!PMI_@}" "${!SLURM_@}" MPI_LOCALNRANKS

want() {  # want CODE PATTERN COMMAND...
  local code=$1 pattern=$2
  shift 2
  scripts/stuck.py "$@" >"$tmp/out" 2>&1 </dev/null
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
  for r in 1 2 3; do scripts/stuck.py "$@" --ranks 4 --rank $r --root "$root" >"$tmp/out$r" 2>&1 </dev/null & done
  scripts/stuck.py "$@" --ranks 4 --rank 0 --root "$root" >"$tmp/out" 2>&1 </dev/null
  got=$?
  wait
}

programs=$("$tocsin" run --list --json | sed -n 's/^    "name": "\(.*\)",/\1/p')
[ "$(wc -w <<<"$programs")" = 9 ] || fail "these are not nine programs: $programs"
declare -A few=([dht]=100 [counter]=80 [checkpoint]=100 [getlog]=60 [sort]=600 [launch]=12 [accumulate]=40 \
  [reduce]=2000 [allreduce]=2000)
dht=$(digest dht --nodes 4 --seed 3)
counter=$(digest counter --nodes 4 --seed 3)
dht3=$(digest dht --nodes 3 --n 900)

# started by rank 0 itself; one datagram in a hundred is lost, one doubled, one overtaken, at each end
for p in $programs; do
  right=$(digest "$p" --nodes 4 --seed 3)
  want 0 "both have the same result" "$tocsin" run "$p" --ranks 4 --seed 3 --variant both
  judge "$p of 4 ranks" 0 "^tocsin: passed, digest $right$"
  right=$(digest "$p" --nodes 4 --n ${few[$p]} --seed 4)
  want 0 "both have the same result" "$tocsin" run "$p" --ranks 4 --n ${few[$p]} --seed 4 --loss 10 --variant both
  judge "$p of 4 ranks, with loss" 0 "^tocsin: passed, digest $right$"
done
want 0 "^tocsin: passed, digest $dht3$" "$tocsin" run dht --ranks 3 --n 900
want 0 "\"ranks_by\": \"rank 0 itself\"" "$tocsin" run dht --ranks 2 --json
# more than a device has queue pairs
for p in $([ "$brief" ] && echo sort allreduce || echo "$programs"); do
  want 0 "^tocsin: passed, digest $(digest "$p" --nodes 20 --n ${few[$p]})$" "$tocsin" run "$p" --ranks 20 \
    --n ${few[$p]}
done
# in one process: more senders than buffers
want 0 "both have the same result" "$tocsin" run accumulate --nodes 48 --variant both --n 400
if [ -z "$brief" ]; then
  for p in dht reduce; do
    want 0 "^tocsin: passed, digest $(digest $p --nodes 64 --n 500)$" "$tocsin" run $p --ranks 64 --n 500
  done
fi

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
    scripts/stuck.py "$tocsin" run dht --ranks 4 --seed 3 >"$tmp/out$r" 2>&1 </dev/null &
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
  for r in 1 2 3; do "$tocsin" run dht --ranks 4 --seed 3 --rank $r \
    --root 127.0.0.1:$p >/dev/null 2>&1 </dev/null & done
  wait
} &
scripts/stuck.py "$tocsin" run dht --ranks 4 --seed 3 --rank 0 --root 127.0.0.1:$p >"$tmp/out" 2>&1 </dev/null &
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
scripts/stuck.py "$tocsin" run dht --ranks 2 --rank 1 --root 127.0.0.1:$p --n 7 >/dev/null 2>&1 </dev/null &
want 4 "rank 1 was started with other arguments" "$tocsin" run dht --ranks 2 --rank 0 --root 127.0.0.1:$p --n 8
wait
want 2 "sort needs 3 ranks" "$tocsin" run sort --ranks 2
want 2 "sort needs 3 ranks" env OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 "$tocsin" run sort --root 127.0.0.1:0
want 2 "--ranks" "$tocsin" run dht --ranks 65
want 2 "without --nodes" "$tocsin" run dht --ranks 3 --nodes 3
want 2 "with the --root HOST:PORT" "$tocsin" run dht --ranks 3 --rank 1
want 2 "is 0 to --ranks less one" "$tocsin" run dht --rank 1
want 2 "is 0 to --ranks less one" "$tocsin" run dht --ranks 2 --rank 5 --root 127.0.0.1:1
want 2 "goes with --ranks" "$tocsin" run dht --root 127.0.0.1:1
want 4 "it has set no PMI_FD" env PMI_RANK=1 PMI_SIZE=4 MPI_LOCALNRANKS=4 "$tocsin" run dht --ranks 4
want 4 "does not answer by PMI-1 on descriptor 99" env PMI_FD=99 PMI_RANK=1 PMI_SIZE=4 MPI_LOCALNRANKS=4 \
  "$tocsin" run dht --ranks 4
want 2 "nowhere: it is HOST:PORT" "$tocsin" run dht --ranks 3 --rank 0 --root nowhere
for p in x 70000 65536; do
  want 4 "no address '127.0.0.1:$p'" "$tocsin" run dht --ranks 3 --rank 0 --root 127.0.0.1:$p
done

# by_hand COMMAND...: four ranks, each started by hand; the processes of rank 2 in $two, and rank 0's code
# comes into $tmp/code
by_hand() {
  local root
  root=127.0.0.1:$(port)
  rm -f "$tmp/code"
  for r in 1 2 3; do
    scripts/stuck.py "$tocsin" run "$@" --ranks 4 --rank $r --root "$root" >"$tmp/out$r" 2>&1 </dev/null &
    [ $r != 2 ] || two=$!
  done
  {
    scripts/stuck.py "$tocsin" run "$@" --ranks 4 --rank 0 --root "$root" >"$tmp/out" 2>&1 </dev/null
    echo $? >"$tmp/code"
  } &
  until grep -q "4 ranks" "$tmp/out" 2>/dev/null || [ -s "$tmp/code" ]; do sleep 0.1; done
}
child_of() {
  cat "/proc/$1/task/$1/children" 2>/dev/null || pgrep -P "$1"
}
# a rank is killed: rank 0 says so, and nobody stays
by_hand counter --n 1000000
sleep 0.5
kill -9 $(child_of $two)
wait 2>/dev/null
got=$(cat "$tmp/code")
judge "a rank that is killed" 1 "TOC_E_PEER_GONE: rank 2 has gone"
# the same where another rank's death would be survived: not this one's, nor at this place, and nobody stays
for victim in rank guard; do
  by_hand getlog --n 1000000
  sleep 0.5
  guard=$(child_of $two)
  [ $victim = guard ] && kill -9 $guard || kill -9 $(child_of $guard)
  wait 2>/dev/null
  got=$(cat "$tmp/code")
  judge "a rank that is killed at another place ($victim)" 1 "TOC_E_PEER_GONE: rank 2 has gone"
done

# mpirun, of both kinds
for kind in openmpi mpich; do
  if ! command -v mpirun.$kind >/dev/null; then
    echo "skipped in part: $kind: there is no mpirun.$kind"
    continue
  fi
  more=
  [ $kind = mpich ] || more="--allow-run-as-root --oversubscribe"
  for p in $([ "$brief" ] && echo dht sort || echo "$programs"); do
    right=$(digest "$p" --nodes 4 --n ${few[$p]} --seed 3)
    for loss in 0 10; do
      want 0 "4 ranks by mpirun of" mpirun.$kind $more -n 4 "$tocsin" run $p --ranks 4 --n ${few[$p]} --seed 3 \
        --loss $loss
      judge "$p under $kind, loss $loss" 0 "^tocsin: passed, digest $right$"
    done
  done
  want 2 "sort needs 3 ranks" mpirun.$kind $more -n 2 "$tocsin" run sort --root "127.0.0.1:$(port)"
  want 4 "3 ranks were started, not 4" mpirun.$kind $more -n 3 "$tocsin" run dht --ranks 4
  # an address of no machine: the others do not wait for rank 0
  want 4 "rank 0 cannot listen at 192.0.2.1:7471" mpirun.$kind $more -n 2 "$tocsin" run dht --root 192.0.2.1:7471
done

tally
