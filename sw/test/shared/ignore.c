// SPDX-License-Identifier: Apache-2.0
// What a compiler must not take without a warning.
#include <tocsin/active.h>

void ignore(toc_qp *q, toc_remote r);
void ignore(toc_qp *q, toc_remote r) { IGNORED; }
