// SPDX-License-Identifier: Apache-2.0
// What is used of MPI: a start, one broadcast, an end. The library that mpirun belongs to is loaded when it is needed, so that nothing here
// depends on it; Open MPI and MPICH name and represent their handles differently.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "ranks.h"

enum { MPICH_WORLD = 0x44000000, MPICH_BYTE = 0x4c00010d };

static int (*finalize)(void);

// A function of a library, as the C of POSIX has it.
static bool load(void *lib, const char *name, void *to) {
  void *f = dlsym(lib, name);
  memcpy(to, &f, sizeof f);
  return f != NULL;
}

static bool tell(void *lib, ranks_mpi_kind kind, void *bytes, int n) {
  int (*init)(int *, char ***);
  if (!load(lib, "MPI_Init", &init) || !load(lib, "MPI_Finalize", &finalize) || init(NULL, NULL)) return false;
  if (kind == RANKS_MPICH) {
    int (*bcast)(void *, int, int, int, int);
    return load(lib, "MPI_Bcast", &bcast) && !bcast(bytes, n, MPICH_BYTE, 0, MPICH_WORLD);
  }
  int (*bcast)(void *, int, void *, int, void *);
  void *byte = dlsym(lib, "ompi_mpi_byte"), *world = dlsym(lib, "ompi_mpi_comm_world");
  return byte && world && load(lib, "MPI_Bcast", &bcast) && !bcast(bytes, n, byte, 0, world);
}

bool ranks_mpi_tell(ranks_mpi_kind kind, void *bytes, int n, char *why) {
  static const char *const names[2][4] = {{"libmpi.so.40", "libmpi.so", NULL},
                                          {"libmpich.so.12", "libmpich.so", "libmpi.so.12", NULL}};
  void *lib = NULL;
  for (unsigned i = 0; names[kind][i] && !lib; i++) lib = dlopen(names[kind][i], RTLD_NOW | RTLD_GLOBAL);
  if (lib && tell(lib, kind, bytes, n)) return true;
  snprintf(why, RANKS_WHY, "%s: %s", kind == RANKS_MPICH ? "MPICH" : "Open MPI",
           lib ? "its MPI_Init or MPI_Bcast fails" : dlerror());
  return false;
}

void ranks_mpi_end(void) {
  if (finalize) (void)finalize();
  finalize = NULL;
}
