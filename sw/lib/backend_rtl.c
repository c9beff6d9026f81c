// SPDX-License-Identifier: Apache-2.0
// Backend `rtl` is in a library of its own, since it brings a simulator with it: loaded when somebody asks for it.
// $TOCSIN_RTL says where it is, if not where the loader looks.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "internal.h"

const toc_backend *toc_i_rtl(char *why, size_t n) {
  const char *name = getenv("TOCSIN_RTL");
  if (!name || !*name) name = "libtocsin-rtl.so";
  void *lib = dlopen(name, RTLD_NOW | RTLD_LOCAL); /* stays: once loaded, always there */
  const toc_backend *b = lib ? dlsym(lib, "toc_rtl_backend") : NULL;
  const unsigned *size = b ? dlsym(lib, "toc_rtl_size") : NULL;
  if (b && (!size || *size != sizeof *b)) {
    snprintf(why, n, "%.120s was built with another version of backend.h: `make sw-rtl`", name);
    return NULL;
  }
  if (!b)
    snprintf(why, n, "%.120s; `make sw-rtl` builds it, `make install-rtl` installs it, TOCSIN_RTL says where it is",
             dlerror());
  return b;
}

/* What stands in the list of backends until then. */
const toc_backend toc_backend_rtl = {.name = "rtl", .about = "the Verilated hardware in this process"};
