#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# plants.sh BUILD COMPILER...: bugs that the tests must find. Each patch of plants/ names a test and a way to compile in its line
# `run:` (PLANT=NAME: one of them alone). What it changes is compiled anew and linked before the library of that way; the test must then
# fail, or not end. What threads have to meet for is found by chance (way tsan), so that it has 20 tries.
set -u
build=$1
shift
here=sw/irregular
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
found=0 bad=0
quiet=$(setarch -R true 2>/dev/null && echo "setarch -R")

flags_of() {
  case $1 in
    plain) echo "-fPIC" ;;
    san) echo "-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer" ;;
    tsan) echo "-O1 -fsanitize=thread" ;;
    ucontext) echo "-DIRR_UCONTEXT" ;;
  esac
}

# Tests of the communication layer need driver and model.
below() { [ "$1" != plain ] || echo build/lib/libtocsin-driver.a build/lib/libtocsin.a; }

passes() {
  for ((try = 0; try < $1; try++)); do
    TSAN_OPTIONS=halt_on_error=1 ASAN_OPTIONS=detect_stack_use_after_return=1 timeout 60 $quiet "$tmp/test" >"$tmp/said" 2>&1 || return 1
  done
}

for patch in $here/test/plants/${PLANT:-*}.patch; do
  read -r name way <<<"$(sed -n 's/^run: //p' "$patch")"
  if grep -q '^+++.*x86_64' "$patch" && [ "$(uname -m)" != x86_64 ]; then continue; fi
  library=$build/$way/libtocsin-irregular.a
  [ "$way" = plain ] && library=build/lib/libtocsin-irregular.a
  rm -rf "$tmp/src" && mkdir -p "$tmp/src" && cp $here/*.[chS] "$tmp/src/"
  objects=() compiled=true
  patch -s -d "$tmp/src" -p3 <"$patch" || compiled=false
  changed=$(sed -n 's#^+++ b/sw/irregular/\([^ ]*\).*#\1#p' "$patch")
  [ "$changed" = fiber.h ] && changed="task.c run.c stack.c"
  for source in $changed; do
    # shellcheck disable=SC2046
    "$@" $(flags_of "$way") -I"$tmp/src" -c -o "$tmp/$source.o" "$tmp/src/$source" || compiled=false
    objects+=("$tmp/$source.o")
  done
  # shellcheck disable=SC2046
  $compiled && "$@" $(flags_of "$way") -I"$tmp/src" -o "$tmp/test" "$here/test/test_$name.c" "${objects[@]}" "$library" $(below "$way") \
    -lpthread -lm ||
    compiled=false
  rm -f "$tmp"/*.o
  if ! $compiled; then
    echo "$patch does not apply, or does not compile"
    bad=$((bad + 1))
  elif passes "$([ "$way" = tsan ] && echo 20 || echo 1)"; then
    echo "$patch is not found by test_$name ($way)"
    bad=$((bad + 1))
  else
    found=$((found + 1))
  fi
done
echo "plants: $found found, $bad not"
[ $bad = 0 ]
