#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_shared.sh DIR SOVERSION: the shared libraries in DIR/usr/lib, where `make install` has put them: their names,
# what they export, programs and plugins that use them, and what the compiler says of a result that is ignored.
set -u
dir=$1 so=$2 bad=0 n=0
src=$(cd "$(dirname "$0")" && pwd) lib=$dir/usr/lib
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
export PKG_CONFIG_PATH="$lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$dir" LD_LIBRARY_PATH="$lib"
unset TOCSIN_RTL
cd "$work" || exit 2

# want TEXT COMMAND...: the command succeeds
want() {
  text=$1
  shift
  n=$((n + 1))
  out=$("$@" 2>&1) || { bad=$((bad + 1)); printf 'FAILED %s\n%s\n' "$text" "$out" | head -20; }
}
not() { ! "$@"; }
sys() { sh -c "$1"; }

# names: the soname, the links, and each exported name with the version that brought it, all of them
# in the version script
for l in libtocsin libtocsin-driver libtocsin-irregular; do
  case $l in
    libtocsin) map=$src/../model/$l.map ;;
    libtocsin-driver) map=$src/$l.map ;;
    *) map=$src/irregular/$l.map ;;
  esac
  want "soname of $l" sys "objdump -p $lib/$l.so | grep -q 'SONAME *$l.so.$so\$'"
  want "$l.so.$so is there" [ -e "$lib/$l.so.$so" ]
  nm -D --defined-only "$lib/$l.so" | grep -v ' A ' | awk '{ print $3 }' | sort >has
  awk '/^[A-Z]/ { v = $1 } /^    [a-z].*;$/ { sub(/;/, ""); print $1 "@@" v }' "$map" | sort >wants
  want "$l exports something" [ "$(wc -l <wants)" -gt 90 ]
  want "$l exports what its version script says" diff wants has
done
nm -D --defined-only "$lib/libtocsin-driver.so" | grep -v ' A ' | awk '{ print $3 }' >has
want "the driver exports toc_ and xtq_ alone" not grep -vE '^(toc|xtq)_' has
want "nothing internal" not grep '^toc_i_' has
nm -D --defined-only "$lib/libtocsin-irregular.so" | grep -v ' A ' | awk '{ print $3 }' >has
want "the library of irregular programs exports irr_ alone" not grep -v '^irr_' has
want "nothing internal of it" not grep '^irr_i_' has
want "code may lie anywhere" not sys "readelf -d $lib/libtocsin*.so | grep TEXTREL"

# all that is exported, named by a program in C++: its header declares it for C
{
  (cd "$dir/usr/include" && printf '#include <%s>\n' tocsin/*.h tocsin/irregular/*.h)
  echo 'const void *const all[] = {'
  nm -D --defined-only "$lib"/libtocsin.so "$lib"/libtocsin-driver.so "$lib"/libtocsin-irregular.so |
    sed -nE 's/.* [TDRB] (\w+)@@.*/  (const void *)\&\1,/p'
  echo '};'
  echo 'int main() { return !all[0]; }'
} >all.cpp
want "it has a table of them" [ "$(grep -c '&' all.cpp)" -gt 300 ]
want "C++ finds each function" sys \
  "g++ -std=c++17 -o all all.cpp \$(pkg-config --cflags --libs tocsin-irregular tocsin) && ./all"

flags=$(pkg-config --cflags --libs tocsin-driver)
C="gcc -std=gnu11 -Wall -Wextra -Wpedantic -Werror"
want "link, shared" sys "$C -o program $src/test/shared/use.c $flags && ./program"
want "it uses the driver's library" sys "ldd ./program | grep -q 'libtocsin-driver.so.$so => $lib'"
want "and not the model's" not sys "ldd ./program | grep 'libtocsin.so'"
want "a program with names of its own" sys "$C -DOWN_NAMES -rdynamic -o own $src/test/shared/use.c $flags && ./own"

# the static libraries: in a program, and in a plugin
static="-I$dir/usr/include -L$lib -l:libtocsin-driver.a -l:libtocsin.a -pthread -lm"
want "link, static" sys "$C -o static $src/test/shared/use.c $static && ! ldd static | grep libtocsin && ./static"
want "pkg-config says what a static program needs" sys \
  "pkg-config --static --libs tocsin-driver | grep -q -- '-ltocsin .*-lm'"
want "a plugin with the static library" sys \
  "$C -DPLUGIN -fPIC -shared -Wl,-z,defs -Wl,-z,text -o static.so $src/test/shared/use.c $static"
want "a plugin with the shared one" sys \
  "$C -DPLUGIN -fPIC -shared -Wl,-z,defs -o shared.so $src/test/shared/use.c $flags"
want "a host" sys "$C -o host $src/test/shared/host.c -ldl"
for p in static shared; do want "the $p plugin, loaded" ./host ./$p.so; done

# irregular programs: in C and in C++, with the shared libraries and the static ones, on threads and on processes
irregular=$(pkg-config --cflags --libs tocsin-irregular)
static="-I$dir/usr/include -L$lib -l:libtocsin-irregular.a -l:libtocsin-driver.a -l:libtocsin.a -pthread -lm"
X="g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror"
sums() { TOCSIN_RANKS=$1 "./$2" | grep -x '2 ranks: 4950'; }
want "irregular, in C" $C -o team "$src/test/shared/team.c" $irregular
want "it uses the shared library" sys "ldd ./team | grep -q 'libtocsin-irregular.so.$so => $lib'"
want "irregular, in C, static" $C -o team-static "$src/test/shared/team.c" $static
want "it needs no shared one" not sys "ldd team-static | grep libtocsin"
want "irregular, in C++" $X -o array "$src/test/shared/array.cpp" $irregular
want "irregular, in C++, static" $X -o array-static "$src/test/shared/array.cpp" $static
for p in team team-static array array-static; do
  for ranks in 2 2,processes; do want "$p on TOCSIN_RANKS=$ranks" sums $ranks $p; done
done
want "pkg-config says what a static one needs" \
  sys "pkg-config --static --libs tocsin-irregular | grep -q -- '-ltocsin-irregular .*-ltocsin-driver .*-ltocsin .*-lm'"

# ignored results
ignored() { $C -Wno-unused-parameter -c -o ignored.o "-DIGNORED=$1" $flags "$src/test/shared/ignore.c"; }
for c in 'toc_put(q, 0, r, 8, 0)' 'toc_wait((toc_req){0}, 0)' 'toc_flush(q, r, 0)' 'toc_wait_all(q, 0)'; do
  want "ignoring $c is a warning" not ignored "$c"
done
for c in 'toc_qp_close(q)' '(void)r'; do want "$c is none" ignored "$c"; done
echo "shared-test: $n checks, $bad failed"
[ "$bad" = 0 ]
