// SPDX-License-Identifier: Apache-2.0
// What is used of Open MPI: a start, one broadcast, an end. Its library is loaded when it is needed, so that nothing
// here depends on it.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "ranks.h"

static int (*finalize)(void);

// A function of a library, as the C of POSIX has it.
static bool load(void *lib, const char *name, void *to) {
  void *f = dlsym(lib, name);
  memcpy(to, &f, sizeof f);
  return f != NULL;
}

static bool tell(void *lib, void *bytes, int n) {
  int (*init)(int *, char ***), (*bcast)(void *, int, void *, int, void *);
  if (!load(lib, "MPI_Init", &init) || !load(lib, "MPI_Finalize", &finalize) || init(NULL, NULL)) return false;
  void *byte = dlsym(lib, "ompi_mpi_byte"), *world = dlsym(lib, "ompi_mpi_comm_world");
  return byte && world && load(lib, "MPI_Bcast", &bcast) && !bcast(bytes, n, byte, 0, world);
}

bool ranks_mpi_tell(void *bytes, int n, char *why) {
  void *lib = dlopen("libmpi.so.40", RTLD_NOW | RTLD_GLOBAL);
  if (!lib) lib = dlopen("libmpi.so", RTLD_NOW | RTLD_GLOBAL);
  if (lib && tell(lib, bytes, n)) return true;
  snprintf(why, RANKS_WHY, "Open MPI: %s", lib ? "its MPI_Init or MPI_Bcast fails" : dlerror());
  return false;
}

void ranks_mpi_end(void) {
  if (finalize) (void)finalize();
  finalize = NULL;
}
