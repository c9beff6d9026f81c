# SPDX-License-Identifier: Apache-2.0
# For scripts/plants.sh BUILD COMPILER...: `run:` is a test and a way to compile. What is changed is compiled
# anew and linked before the library of that way. What threads have to meet for is found by chance (way tsan),
# so that it has 20 tries; ranks-tsan is for tests that need driver and model as well.
# shellcheck shell=bash disable=SC2034,SC2154
sources=(sw/irregular/*.[chS])
build=$1
compiler=("${@:2}")
quiet=$(setarch -R true 2>/dev/null && echo "setarch -R")

flags_of() {
  case $1 in
    plain) echo "-fPIC" ;;
    san) echo "-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer" ;;
    tsan | ranks-tsan) echo "-O1 -fsanitize=thread" ;;
    ucontext) echo "-DIRR_UCONTEXT" ;;
  esac
}

# Tests of the communication layer need driver and model.
libraries_of() {
  case $1 in
    plain) echo "$build"/lib/libtocsin-{irregular,driver}.a "$build"/lib/libtocsin.a ;;
    ranks-tsan) echo "$build"/irregular/tsan/lib{tocsin-irregular,below}.a ;;
    *) echo "$build/irregular/$1/libtocsin-irregular.a" ;;
  esac
}

plant_fits() { ! grep -q '^+++.*x86_64' "$patch" || [ "$(uname -m)" = x86_64 ]; }

plant_builds() {
  local way=${run[1]} here=$tmp/sw/irregular file objects=()
  [[ $changed == *fiber.h ]] && changed="task.c scheduler.c stack.c"
  rm -f "$tmp"/*.o
  for file in $changed; do
    file=${file##*/}
    # shellcheck disable=SC2046
    "${compiler[@]}" $(flags_of "$way") -I"$here" -c -o "$tmp/$file.o" "$here/$file" || return 1
    objects+=("$tmp/$file.o")
  done
  # shellcheck disable=SC2046
  "${compiler[@]}" $(flags_of "$way") -I"$here" -o "$tmp/test" "sw/irregular/test/test_${run[0]}.c" "${objects[@]}" \
    $(libraries_of "$way") -lpthread -lm
}

plant_passes() {
  local tries=1 try
  [ "${run[1]}" = tsan ] && tries=20
  for ((try = 0; try < tries; try++)); do
    TSAN_OPTIONS=halt_on_error=1 ASAN_OPTIONS=detect_stack_use_after_return=1 \
      scripts/stuck.py --cpu 60 --idle 20 $quiet "$tmp/test" || return
  done
}
