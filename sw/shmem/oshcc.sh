#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# oshcc, oshc++: the C or C++ compiler with what an OpenSHMEM program needs. OSHCC, OSHCXX name another compiler;
# -show says what it would do.
here=$(dirname "$(readlink -f "$0")") && prefix=$(dirname "$here")
case ${0##*/} in
  *++ | *xx) compiler=${OSHCXX:-c++} ;;
  *) compiler=${OSHCC:-cc} ;;
esac
libs="-L$prefix/lib -l:libtocsin-shmem.a -l:libtocsin-driver.a -l:libtocsin.a -pthread -lm"
show=
for a; do
  shift
  case $a in
    -show | --showme) show=echo && continue ;;
    -c | -S | -E | -M | -MM | -fsyntax-only) libs= ;;
  esac
  set -- "$@" "$a"
done
[ $# != 0 ] || [ "$show" ] || {
  echo "oshcc: no input; oshcc -o PROGRAM PROGRAM.c, then oshrun -n 4 ./PROGRAM" >&2
  exit 2
}
exec $show $compiler -I"$prefix/include" "$@" $libs
