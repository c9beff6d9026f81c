#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# mailbox.sh PROGRAM SEED: every letter arrives, once and whole, over good links and bad ones; reads that are
# told of need no puts.
set -eu
program=$1 seed=$2
fail() { echo "mailbox: $*"; exit 1; }
for bad in 0 10 50; do
  for more in 0 1 2 3; do
    said=$("$program" --letters 1500 --seed $((seed + more)) --bad $bad) ||
      fail "--bad $bad --seed $((seed + more)): $said"
    case $said in
      "1500 of 1500 letters, the page tells of gets,"*" and 0.00 puts a letter, all as they were written") ;;
      *) fail "$said" ;;
    esac
  done
  echo "$said"
done
said=$("$program" --letters 300 --seed "$seed" --bad 20 --ack) || fail "--ack: $said"
case $said in *"the reader says so,"*" and 1.00 puts a letter, all as they were written") ;; *) fail "$said" ;; esac
echo "$said"
if "$program" --letter 3 2>/dev/null; then fail "takes a word that it does not know"; fi
for wrong in "--letters many" "--letters 3x" "--letters -1" "--bad 1001" --seed; do
  # shellcheck disable=SC2086
  if "$program" $wrong >/dev/null 2>&1; then fail "takes $wrong"; fi
done
