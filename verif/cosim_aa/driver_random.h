// SPDX-License-Identifier: Apache-2.0
// Random software (driver.h): what it sets up (driver_setup.c), and what it then does (driver_act.c).
#ifndef TOCSIN_COSIM_DRIVER_RANDOM_H
#define TOCSIN_COSIM_DRIVER_RANDOM_H

#include "driver.h"

void driver_set_page(bench *b, driver_page *p, bool spoil);
void driver_set_timers(bench *b);
void driver_open_random(bench *b, unsigned i);
void driver_collect_pages(bench *b);
void driver_set_context(bench *b, unsigned p, unsigned i, bool change);
void driver_set_flush_page(bench *b, unsigned i);
#endif
