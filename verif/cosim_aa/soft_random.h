// SPDX-License-Identifier: Apache-2.0
// Random software (soft.h): what it sets up (soft_setup.c), and what it then does (soft_act.c).
#ifndef TOCSIN_COSIM_SOFT_RANDOM_H
#define TOCSIN_COSIM_SOFT_RANDOM_H

#include "soft.h"

void soft_set_page(bench *b, soft_page *p, bool spoil);
void soft_set_timers(bench *b);
void soft_open_random(bench *b, unsigned i);
void soft_collect_pages(bench *b);
void soft_set_context(bench *b, unsigned p, unsigned i, bool change);
void soft_set_flush_page(bench *b, unsigned i);
#endif
