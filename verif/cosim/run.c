// SPDX-License-Identifier: Apache-2.0
#include "cosim.h"

int cosim_run(const cosim_options *o, const char *dir) {
  (void)o;
  (void)dir;
  return 2;
}
