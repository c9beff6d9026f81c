#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fetch.sh DIR: Debian's packages of the guest, unpacked below DIR/tree; nothing is installed. The kernel
# is the one of this release.
set -eu
dir=$1
packages='busybox-static ibverbs-providers ibverbs-utils libibverbs1 libibverbs-dev libnl-3-200 libnl-route-3-200'
why() {
  echo "the guest needs Debian's packages linux-image-amd64 $packages: $1" >&2
  exit 1
}
command -v apt-get >/dev/null && command -v dpkg >/dev/null || why 'there is no apt-get here'
rm -rf "$dir/tree" "$dir/deb"
mkdir -p "$dir/deb/partial" "$dir/new"
cd "$dir/deb"
bring() {
  kernel=$(apt-cache depends --important linux-image-amd64 2>/dev/null |
    sed -n 's/.*Depends: *\(linux-image-[^ ]*\).*/\1/p' | head -n 1)
  # shellcheck disable=SC2086
  [ -n "$kernel" ] && apt-get download -q $kernel $packages >"$dir/fetch.log" 2>&1
}
bring || { [ "$(id -u)" = 0 ] && apt-get update -q >/dev/null 2>&1 && bring; } ||
  why "apt-get download fails, $dir/fetch.log"
for p in "$dir"/deb/*.deb; do dpkg -x "$p" "$dir/new"; done
rm -rf "$dir/deb"
mv "$dir/new" "$dir/tree"
