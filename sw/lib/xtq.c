// SPDX-License-Identifier: Apache-2.0
#include "internal.h"
void toc_i_xtq_drop(toc_proc *p) { (void)p; }
void toc_i_refeed(toc_proc *p, uint32_t number) { (void)p, (void)number; }
toc_status toc_i_agent_run(toc_agent *a, unsigned most, unsigned *ran) {
  (void)a, (void)most, (void)ran;
  return TOC_OK;
}
bool toc_i_agent_automatic(const toc_agent *a) {
  (void)a;
  return false;
}
