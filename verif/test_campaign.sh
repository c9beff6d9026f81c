#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_campaign.sh ENGINE: a campaign by this engine, of a program that only says that it ran: all seeds are recorded,
# each once; what fails is named, and its output kept; what was recorded is not run again, and what was lost or stopped
# is. parallel and slurm: with this one machine as the cluster.
engine=$1
. scripts/tally.sh
. scripts/slurm_one.sh
sshd=
ended() {
  [ -z "$sshd" ] || kill "$sshd"  # first: slurm_end waits for all that was started here
  slurm_end
  rm -rf "$tmp"
}
trap ended EXIT
case $engine in
  parallel) command -v parallel >/dev/null || { echo "skipped in part: this machine has no parallel"; exit 0; } ;;
  slurm) slurm_begin "$tmp" 24 || { echo "skipped in part: $slurm_why"; exit 0; } ;;
esac

shown() { tail -n 4 "$tmp/log"; }

# It writes down that it ran. By files beside it: seeds that fail, that report another seed, that are killed,
# that stop the campaign.
mkdir "$tmp/logs" "$tmp/work" && : >"$tmp/ran"
cat >"$tmp/run" <<'EOS'
#!/bin/sh
here=$(dirname "$0") config=$1
while [ $# -gt 1 ]; do
  case $1 in --n) n=$2 ;; --seed) seed=$2 ;; --json) json=$2 ;; esac
  shift
done
is() { grep -qsx "$seed" "$here/$1"; }
echo "$config $seed" >>"$here/ran"
echo "seed $seed, it's so: \$HOME; campaign-run 3 0 5 5"
is killed && kill -9 $PPID
is stops && kill "$(cat "$here/pid")" && sleep 5
is other && seed=77
is broken && { echo "block aa_x, cycle 12: got 1, want 0"; exit 3; }
wrong=0
is differs && wrong=1
printf '{"mismatches": %d, "requests": %d, "cycles": %d, "seed": %d}\n' $wrong "$n" $((seed * 1000)) "$seed" >"$json"
EOS
chmod +x "$tmp/run" && echo 'module x; // a comment' >"$tmp/source"

campaign() {  # campaign FIRST-LAST WORD...
  local seeds=$1
  shift
  scripts/campaign.py --engine "$engine" --top aa --n 500 --seeds "$seeds" --jobs 2 --record "$tmp/record" \
    --logs "$tmp/logs" \
    --work "$tmp/work" --every 0.2 --sources "$tmp/source" --run "default=$tmp/run 'a b'" "odd, no loss=$tmp/run odd" \
    "$@" >"$tmp/log" 2>&1 &
  echo $! >"$tmp/pid"
  wait $!
}
last() { [ "$(tail -n 1 "$tmp/log")" = "$1" ] && pass || fail "last line: want \"$1\""; }
ran() { [ "$(wc -l <"$tmp/ran")" = "$1" ] && pass || fail "$(wc -l <"$tmp/ran") runs, not $1: $2"; }
record() { grep -qF "$1" "$tmp/record" && pass || fail "the record has no $1: $(tail -n 3 "$tmp/record")"; }

campaign 1-6 && pass || fail 'six seeds of two configurations'
last '12 runs passed, 0 failed, 0 left'
record '| aa | default | 500 | 1-6 | 21000 |'
record '| aa | odd, no loss | 500 | 1-6 | 21000 |'
ran 12 'each once'
[ "$(sort -u "$tmp/ran" | wc -l)" = 12 ] && pass || fail 'a run was done twice, and another not'
campaign 1-6 && pass || fail 'nothing to do'
last '0 runs passed, 0 failed, 0 left'
ran 12 'what is recorded is not run again'

# what fails, reports mismatches or another seed is not recorded; all of its output is kept
echo 7 >"$tmp/broken" && echo 8 >"$tmp/differs" && echo 9 >"$tmp/other"
campaign 5-10 && fail 'three seeds of it fail' || pass
last '2 runs passed, 6 failed, 0 left'
record '| aa | default | 500 | 1-6, 10 | 31000 |'
for s in 7 8 9; do grep -qx "failed: aa odd, no loss seed $s" "$tmp/log" && pass || fail "seed $s is not named"; done
log=$tmp/logs/aa-default-7.log
grep -q "^block aa_x, cycle 12: got 1, want 0$" "$log" && grep -q "^$tmp/run 'a b' --n 500 --seed 7" "$log" &&
  grep -qF "it's so: \$HOME" "$log" && pass || fail 'the output of a run that failed'
rm "$tmp/broken" "$tmp/differs" "$tmp/other"
campaign 5-10 && pass || fail 'the same, mended'
last '6 runs passed, 0 failed, 0 left'
record '| aa | default | 500 | 1-10 | 55000 |'
ran 26 'what failed is run again, and nothing else'

# other sources, not other comments
echo 'module x; // another comment' >"$tmp/source"
campaign 1-10 && pass || fail 'another comment'
last '0 runs passed, 0 failed, 0 left'
echo 'module y;' >"$tmp/source"
campaign 2-3 && last '4 runs passed, 0 failed, 0 left'

# other parameters of a configuration, and of no other one; make names them, and the model's own headers
campaign 2-3 --config 'default=A=1' 'odd=A=1' && last '4 runs passed, 0 failed, 0 left'
campaign 2-3 --config 'default=A=1' 'odd=A=1  ' && last '0 runs passed, 0 failed, 0 left'
campaign 2-3 --config 'default=A=1' 'odd=A=2' && last '2 runs passed, 0 failed, 0 left'
campaign 2-3 && last '4 runs passed, 0 failed, 0 left'
env -u MAKEFLAGS -u MFLAGS make -n campaign CAMPAIGN_VERILATOR= TOP=aa 2>/dev/null >"$tmp/log"
for w in model/src/aa/aa_walk.h model/src/le.h "--config 'default=DataW=256 NumPorts=2"; do
  grep -qF -e "$w" "$tmp/log" && pass || fail "make campaign does not name $w"
done

# what cannot be meant is refused with its name, and makes no row
if [ "$engine" = local ]; then
  cp "$tmp/record" "$tmp/kept"
  for w in abc 5-1 1-2-3; do
    campaign $w && fail "seeds $w" || pass
    grep -q -- "--seeds: $w: a seed" "$tmp/log" && pass || fail "seeds $w are not named"
  done
  campaign 2-3 --n 0 && fail 'runs of no request' || pass
  campaign 4-9 --look && last "12 runs of 500 requests, sources $(sed -n 's/.* sources //p' "$tmp/log")"
  cmp -s "$tmp/record" "$tmp/kept" && pass || fail 'the record has changed'
  for w in 'TOP=foo: aa, xtq, tocsin' 'CONFIGS=small nope: aa has no nope'; do
    env -u MAKEFLAGS -u MFLAGS make -s campaign CAMPAIGN_VERILATOR= "${w%%: *}" >"$tmp/log" 2>&1 &&
      fail "make campaign ${w%%: *}" || pass
    grep -qx "$w" "$tmp/log" && pass || fail "make campaign does not say $w"
  done
fi

# two campaigns write into the record at the same time, and both are in it
if [ "$engine" = local ]; then
  campaign 4-9 --top xtq &
  other=$!
  campaign 4-9 --top tocsin && pass || fail 'beside another campaign'
  wait $other && pass || fail 'the other campaign'
  record '| tocsin | default | 500 | 4-9 | 39000 |'
  record '| xtq | odd, no loss | 500 | 4-9 | 39000 |'

  # of two whose runs are numbers in one folder, the second is refused; what stands for GNU Parallel waits until then
  mkdir "$tmp/bin" && printf '%s\n' '#!/bin/bash' \
    "mkdir '$tmp/begun' 2>/dev/null && until [ -e '$tmp/go' ]; do sleep 0.1; done" 'for ((k = 1; k < $#; k++)); do' \
    '  [ "${!k}" = ::: ] && for i in "${@:k+1}"; do "${@:k-4:3}" "$i"; done' 'done' >"$tmp/bin/parallel"
  chmod +x "$tmp/bin/parallel"
  PATH=$tmp/bin:$PATH campaign 4-6 --engine parallel --top one &
  other=$!
  until [ -e "$tmp/begun" ] || ! kill -0 $other 2>/dev/null; do sleep 0.1; done
  PATH=$tmp/bin:$PATH campaign 4-5 --engine parallel --top two && fail 'two campaigns in one folder' || pass
  : >"$tmp/go"
  wait $other && pass || fail 'the first of two campaigns'
  record '| one | odd, no loss | 500 | 4-6 | 15000 |'
  grep -q '^| two ' "$tmp/record" && fail 'runs of another campaign' || pass
fi

# stopped on the way: the rest is done next time. On a busy machine little may have been heard of before.
kept() { # seeds 11 to 30 that are written down
  python3 -c 'import sys
sys.path.insert(0, "scripts")
import campaign
print(sum(len(seeds & set(range(11, 31))) for seeds, _ in campaign.read(sys.argv[1]).values()))' "$tmp/record"
}
echo 16 >"$tmp/stops" && : >"$tmp/ran"
campaign 11-30 && fail 'a campaign that was stopped' || pass
rm "$tmp/stops"
done=$(sort -u "$tmp/ran" | wc -l)
[ "$done" -gt 4 ] && [ "$done" -lt 40 ] && pass || fail "$done of 40 runs until it was stopped"
kept=$(kept)
[ "$engine" != local ] || [ "$kept" -gt 4 ] && pass || fail "$kept runs are written down"
campaign 11-30 && pass || fail 'going on'
last "$((40 - kept)) runs passed, 0 failed, 0 left"
record '| aa | default | 500 | 2-3, 11-30 |'
[ "$(sort -u "$tmp/ran" | wc -l)" = 40 ] && pass || fail 'not all runs after it went on'

# no time: nothing begins, and nothing is said to have failed
: >"$tmp/ran"
campaign 31-33 --minutes 1e-9 && pass || fail 'no minutes'
last '0 runs passed, 0 failed, 6 left'
ran 0 'none, without time'

# a run whose shell is killed, as with its machine: nothing is recorded, and it is named
if [ "$engine" != local ]; then
  echo 33 >"$tmp/killed"
  campaign 31-33 && fail 'two runs are lost' || pass
  grep -qx 'nothing heard of: aa default seed 33' "$tmp/log" && pass || fail 'a lost run is not named'
  last '4 runs passed, 0 failed, 2 left'
  rm "$tmp/killed"
  campaign 31-33 && pass || fail 'the lost runs once more'
  last '2 runs passed, 0 failed, 0 left'
  mv "$tmp/run" "$tmp/gone" && campaign 34-34 && fail 'no program' || pass
  last '0 runs passed, 0 failed, 2 left'
  mv "$tmp/gone" "$tmp/run"
fi

# another machine, which is this one by ssh, in a folder of its own: the program is copied there, and runs there
far() {
  local port
  for p in sshd rsync ssh-keygen; do
    PATH=$PATH:/usr/sbin command -v $p >/dev/null || {
      echo "skipped in part: a machine by ssh: this one has no $p"
      return
    }
  done
  mkdir -p "$tmp/near/bin" && cp "$tmp/run" "$tmp/near/bin/" && ssh-keygen -q -t ed25519 -N '' -f "$tmp/key" &&
    ssh-keygen -q -t ed25519 -N '' -f "$tmp/host" || fail 'making keys for a machine by ssh'
  mkdir -p /run/sshd 2>/dev/null  # where Debian's sshd, started as root, wants to be
  read -r port _ <<<"$(slurm_ports)"
  printf '%s\n' "Port $port" 'ListenAddress 127.0.0.1' "HostKey $tmp/host" "AuthorizedKeysFile $tmp/key.pub" \
    "PidFile $tmp/sshd.pid" \
    'PasswordAuthentication no' 'UsePAM no' 'StrictModes no' 'PermitRootLogin prohibit-password' >"$tmp/sshd.conf"
  printf '%s\n' 'Host far' 'HostName 127.0.0.1' "Port $port" "IdentityFile $tmp/key" 'IdentitiesOnly yes' \
    'StrictHostKeyChecking no' \
    'UserKnownHostsFile /dev/null' 'LogLevel ERROR' 'BatchMode yes' >"$tmp/ssh.conf"
  "$(PATH=$PATH:/usr/sbin command -v sshd)" -D -e -f "$tmp/sshd.conf" >"$tmp/sshd.log" 2>&1 &
  sshd=$!
  for ((i = 0; i < 100; i++)); do ssh -F "$tmp/ssh.conf" far true 2>"$tmp/log" && break || sleep 0.2; done
  [ $i -lt 100 ] || {
    echo "skipped in part: a machine by ssh: $(tail -n 1 "$tmp/log" "$tmp/sshd.log" | tr '\n' ' ')"
    return
  }
  (cd "$tmp/near" && "$root/scripts/campaign.py" --engine parallel --hosts "2/ssh -F $tmp/ssh.conf far" \
    --workdir "$tmp/far" --work work \
    --top aa --n 500 --seeds 1-3 --record record --logs logs --sources "$tmp/source" --run default=bin/run) \
    >"$tmp/log" 2>&1 &&
    pass || fail 'a machine by ssh'
  last '3 runs passed, 0 failed, 0 left'
  [ "$(wc -l <"$tmp/far/bin/ran")" = 3 ] && [ ! -e "$tmp/near/bin/ran" ] && pass ||
    fail 'runs of another machine were here'
}
root=$PWD
[ "$engine" != parallel ] || far

tally "campaign by $engine"
