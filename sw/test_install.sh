#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_install.sh DIR VERSION: what `make install PREFIX=/usr DESTDIR=DIR` has put there is whole.
set -u
dir=$1 bad=0 n=0
here=$(cd "$(dirname "$0")" && pwd)
export PKG_CONFIG_PATH="$dir/usr/lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$dir" LD_LIBRARY_PATH="$dir/usr/lib"

# want TEXT COMMAND...: the command succeeds
want() {
  text=$1
  shift
  n=$((n + 1))
  out=$("$@" 2>&1) || { bad=$((bad + 1)); printf 'FAILED %s\n%s\n' "$text" "$out" | head -20; }
}

for p in tocsin tocsin-driver tocsin-irregular; do want "version of $p" [ "$(pkg-config --modversion $p)" = "$2" ]; done
for f in usr/share/tocsin/aa_checker.sv usr/share/tocsin/tocsin_dpi.c usr/share/man/man1/tocsin.1 usr/bin/tocsin; do
  want "$f is there" [ -s "$dir/$f" ]
done
want "the license is there" cmp LICENSE "$dir/usr/share/doc/tocsin/LICENSE"
want "share in tocsin.pc" [ -s "$(pkg-config --variable=share tocsin)/aa_checker.sv" ]
for top in aa_iommu xtq_nic tocsin; do
  for f in $(cat "$dir/usr/share/tocsin/rtl/$top.f"); do
    want "rtl/$f of $top" [ -s "$dir/usr/share/tocsin/rtl/$f" ]
  done
  want "$top.core" [ -s "$dir/usr/share/tocsin/rtl/$top.core" ]
done
for f in rtl/*/*.sv rtl/*/*/*.sv; do want "$f is installed" cmp "$f" "$dir/usr/share/tocsin/rtl/${f##*/}"; done

# pkg-config's files would have a path that holds nowhere else
for p in usr "/usr/a b" '~/tocsin'; do
  want "PREFIX=$p is refused" sh -c \
    "env -u MAKEFLAGS make -n install 'PREFIX=$p' DESTDIR='$dir/' 2>&1 | grep -q 'PREFIX=$p: an absolute path'"
done

# what install says: each place is there and explained, and each file is in one of them
want "install says where" grep -qx "installed below $dir/usr:" "$dir/said.txt"
sed -n 's/^  \([^ ]*\)  *[a-z].*/\1/p' "$dir/said.txt" >"$dir/places"
want "install names places" [ "$(wc -l <"$dir/places")" -gt 5 ]
while read -r f; do want "$f, which install names" [ -e "$dir/usr/$f" ]; done <"$dir/places"
(cd "$dir/usr" && find . ! -type d | sed 's|^\./||') >"$dir/files"
while read -r f; do sed -i "\\|^$f|d" "$dir/files"; done <"$dir/places"
want "nothing is installed elsewhere" diff /dev/null "$dir/files"
rm -f "$dir/said.txt" "$dir/places" "$dir/files"

# what help, manual pages and headers refer to is installed
docs=$dir/usr/share/doc/tocsin
"$dir/usr/bin/tocsin" help >"$dir/refer"
cat "$dir"/usr/share/man/man?/* "$dir"/usr/include/tocsin/*.h | sed 's/\\-/-/g; s/\\fR//g' >>"$dir/refer"
grep -oE '[A-Za-z0-9_./-]+\.md' "$dir/refer" | sed 's|^share/doc/tocsin/||' | sort -u >"$dir/pages"
want "something refers to a page" [ "$(wc -l <"$dir/pages")" -gt 3 ]
while read -r f; do want "page $f, which is referred to" [ -s "$docs/$f" ]; done <"$dir/pages"
rm -f "$dir/refer" "$dir/pages"

# pages: what they link to is installed, too (in code, `](` is a lambda)
for page in docs/irregular.md sw/irregular/README.md sw/irregular/suite/README.md; do
  want "$page" [ -s "$docs/$page" ]
done
find "$docs" -name '*.md' | while read -r page; do
  sed '/^```/,/^```/d' "$page" | grep -oE '\]\([^)#: ]+' | sed 's/^](//' | grep -vx https | sort -u |
    while read -r f; do [ -e "${page%/*}/$f" ] && echo . >>"$dir/good" || echo "${page#"$docs/"} links to $f"; done
done >"$dir/dead"
want "pages have links" [ "$(wc -l <"$dir/good")" -gt 200 ]
want "links of pages lead to what is installed" diff /dev/null "$dir/dead"
rm -f "$dir/good" "$dir/dead"

# one unit for all headers in each language: each comes twice, first in one order, then in the other
cd "$dir/usr/include" || exit 2
for h in tocsin/*.h tocsin/irregular/*.h; do
  want "$h alone, in C" \
    sh -c "echo '#include <$h>' | gcc -std=c11 -Wall -Wextra -Werror -fsyntax-only \$(pkg-config --cflags tocsin) -xc -"
done
all=$(for h in tocsin/*.h tocsin/*.hpp tocsin/irregular/*.h tocsin/irregular/*.hpp; do echo "#include <$h>"; done)
want "all headers in C++" \
  sh -c "echo '$all' | g++ -std=c++17 -Wall -Wextra -fsyntax-only \$(pkg-config --cflags tocsin) -xc++ -"

want "manual pages" "$here/test_man.sh" "$dir/usr"

cat > "$dir/model.c" <<EOT
#include <tocsin/aa.h>
int main(void) { return aa_strstatus(AA_OK)[0] != 'o'; }
EOT
want "link, shared" sh -c "cd '$dir' && gcc -o shared model.c \$(pkg-config --cflags --libs tocsin) && ./shared"
want "link, static" \
  sh -c "cd '$dir' && gcc -static -o static model.c \$(pkg-config --cflags --libs --static tocsin) && ./static"
rm -f "$dir/model.c" "$dir/shared" "$dir/static"
echo "install-test: $n checks, $bad failed"
[ "$bad" = 0 ]
