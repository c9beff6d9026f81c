// SPDX-License-Identifier: Apache-2.0
// host FILE: loads a plugin, as an application does, and uses it.
#include <dlfcn.h>
#include <err.h>
#include <stddef.h>

int main(int argc, char **argv) {
  void *plugin = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  int (*use)(void);
  if (!plugin) errx(1, "%s", dlerror());
  *(void **)&use = dlsym(plugin, "use");
  if (!use) errx(1, "%s", dlerror());
  int bad = use();
  dlclose(plugin);
  return bad;
}
