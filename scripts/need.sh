#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# need.sh PACKAGE...: installs the Debian or Ubuntu packages that are missing, saying so first. Where apt-get or the
# right to use it is missing, names what to install and fails. A package counts as present when its program is there.
set -u

have() {
  case $1 in
    python3-venv) python3 -c 'import venv, ensurepip' 2>/dev/null ;;
    python3-dev)
      python3 -c 'import os, sysconfig
raise SystemExit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' ;;
    zlib1g-dev) [ -e /usr/include/zlib.h ] || echo '#include <zlib.h>' | gcc -E -x c - >/dev/null 2>&1 ;;
    groff-base) command -v groff >/dev/null ;;
    xvfb) command -v Xvfb >/dev/null && command -v xvfb-run >/dev/null ;;
    openmpi-bin) command -v mpirun.openmpi >/dev/null ;;
    llvm-[0-9]*) command -v "llvm-profdata-${1#llvm-}" >/dev/null ;;
    munge) command -v munged >/dev/null || [ -x /usr/sbin/munged ] ;;
    slurmctld | slurmd) command -v "$1" >/dev/null || [ -x "/usr/sbin/$1" ] ;;
    slurm-client) command -v srun >/dev/null ;;
    mpich) command -v mpirun.mpich >/dev/null ;;
    libfabric-bin) command -v fi_pingpong >/dev/null ;;
    ucx-utils) command -v ucx_perftest >/dev/null ;;
    qemu-system-x86) command -v qemu-system-x86_64 >/dev/null ;;
    gnuplot-nox) command -v gnuplot >/dev/null ;;
    gcc-aarch64-linux-gnu) command -v aarch64-linux-gnu-gcc >/dev/null ;;
    qemu-user-static) command -v qemu-aarch64-static >/dev/null ;;
    *-dev | *-cross) dpkg -s "$1" >/dev/null 2>&1 ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
  esac
}

missing() {
  m=
  for p; do have "$p" || m="$m $p"; done
  echo "$m"
}

lack=$(missing "$@")
[ -n "$lack" ] || exit 0

if command -v flock >/dev/null && [ -z "${TOCSIN_NEED_LOCK:-}" ]; then  # `make -j` asks several times at once
  TOCSIN_NEED_LOCK=1 exec flock "${TMPDIR:-/tmp}/tocsin-need.$(id -u).lock" "$0" "$@"
fi

sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
if ! command -v apt-get >/dev/null || { [ -n "$sudo" ] && ! command -v sudo >/dev/null; }; then
  echo "tocsin: please install:$lack (names of Debian packages), then run make again" >&2
  exit 1
fi
echo "tocsin: missing:$lack; installing with ${sudo:+sudo }apt-get" >&2
export DEBIAN_FRONTEND=noninteractive
apt() { $sudo apt-get -o DPkg::Lock::Timeout=-1 "$@" >&2; }  # -1: who installs something else beside us is waited for
# shellcheck disable=SC2086
apt install -y --no-install-recommends $lack || { apt update && apt install -y --no-install-recommends $lack; }
still=$(missing "$@")
[ -z "$still" ] && exit 0
echo "tocsin: could not install:$still" >&2
exit 1
