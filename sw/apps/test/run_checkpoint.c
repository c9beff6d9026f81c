// SPDX-License-Identifier: Apache-2.0
// run_checkpoint N NODES SEED: the program `checkpoint` without the command line around it, for planted bugs.
// 0: its result is right.
#include <stdio.h>
#include <stdlib.h>

#include "app.h"

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  app a = {.open = {.seed = strtoull(argv[3], NULL, 10)},
           .n = strtoull(argv[1], NULL, 10),
           .nodes = (unsigned)strtoul(argv[2], NULL, 10)};
  toc_status e = app_run(&a, app_named("checkpoint"));
  if (e || a.wrong) printf("%s: %s\n", toc_name(e), a.why);
  return e || a.wrong;
}
