// SPDX-License-Identifier: Apache-2.0
// For programs that use the model alone.
#include <stdio.h>
#include <stdlib.h>

#include "pins.h"

dut *dut_new(uint64_t seed, const char *wave, pins *p) {
  (void)seed;
  (void)wave;
  (void)p;
  fputs("cosim: this program was built without the hardware\n", stderr);
  exit(2);
}

void dut_eval(dut *d) { (void)d; }
void dut_check(dut *d, int on) { (void)d, (void)on; }
void dut_dump(dut *d, uint64_t time) { (void)d, (void)time; }
const char *dut_failed(dut *d) { return (void)d, NULL; }
void dut_free(dut *d) { (void)d; }
