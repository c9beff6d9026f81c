// SPDX-License-Identifier: Apache-2.0
// For programs without hardware: node 0 is a model as well.
#include <stdlib.h>

#include "net.h"

void dut_node_init(node *n, const char *wave) {
  (void)n;
  (void)wave;
  fputs("cosim: this program was built without the hardware: --backend model\n", stderr);
  exit(2);
}
void dut_node_end(node *n) { (void)n; }
void dut_node_report(const node *n) { (void)n; }
