#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# installed.sh PREFIX DESTDIR PLACE...: says what `make install` has put where, and what to do with it.
set -eu
prefix=$1 dest=$2
shift 2
use() {
  case $1 in
    bin/tocsin) echo "the command line: tocsin run dht; tocsin -h" ;;
    bin/oshcc) echo "the compiler for OpenSHMEM programs: oshcc -o prog prog.c" ;;
    bin/oshc++) echo "the same for C++" ;;
    bin/oshrun) echo "starts them: oshrun -n 4 ./prog" ;;
    include/shmem.h) echo "for OpenSHMEM programs: \$(pkg-config --cflags --libs tocsin-shmem)" ;;
    include/pshmem.h) echo "for tools that look at such programs: OpenSHMEM's profiling interface" ;;
    include/mpp) echo "the same, where old programs look for it" ;;
    lib) echo "libraries; ldconfig or LD_LIBRARY_PATH=$prefix/lib finds the shared ones" ;;
    include/tocsin) echo 'headers: cc ... $(pkg-config --cflags --libs tocsin-driver)' ;;
    lib/pkgconfig) echo "for pkg-config; elsewhere than /usr and /usr/local: PKG_CONFIG_PATH=$prefix/lib/pkgconfig" ;;
    share/tocsin) echo "the checker for a test bench, the RTL, xtq.lua for Wireshark (-X lua_script:FILE)" ;;
    share/man) echo "a page for each function and header: man tocsin, man toc_put, man tocsin.h" ;;
    share/doc/tocsin) echo "tutorial, how-tos, specifications, tables of registers" ;;
    share/bash-completion) echo "for the shell" ;;
    lib/libtocsin-rtl.so) echo "backend rtl: tocsin run dht --backend rtl" ;;
    libexec/tocsin) echo "lockstep: tocsin replay TRACE --on both" ;;
  esac
}
echo "installed below $dest$prefix:"
for place; do printf '  %-23s %s\n' "$place" "$(use "$place")"; done
echo "\`make uninstall PREFIX=$prefix${dest:+ DESTDIR=$dest}\` removes what \`make install\` brings"
