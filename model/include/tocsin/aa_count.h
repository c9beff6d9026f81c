// SPDX-License-Identifier: Apache-2.0
/* aa_count: the event counters. Their indices, AA_CNT_..., and names come from rtl/aa/aa_regs.rdl. */
#ifndef TOCSIN_AA_COUNT_H
#define TOCSIN_AA_COUNT_H

#include "tocsin/aa_regs.h"

enum {
  AA_CNT_TIME_FIRST = AA_CNT_CYCLES, /* of time: the model has 0 there */
  AA_CNT_TIME_LAST = AA_CNT_WAIT_XLATE,
  AA_CNT_NUM = AA_REG_CNT_NUM
};

#endif
