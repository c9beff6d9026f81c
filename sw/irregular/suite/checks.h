// SPDX-License-Identifier: Apache-2.0
// What every variant's result goes through: the check, by other means than those that found it, and the report. Arrays
// are those of the whole input. False: no memory.
#ifndef TOCSIN_SUITE_CHECKS_H
#define TOCSIN_SUITE_CHECKS_H

#include "suite.h"
#include "triangles.h"

double check_now(void);  // seconds of this machine

void check_gups(const suite_job *job, uint64_t digest, uint64_t errors, suite_result *r);
void check_uts(const suite_job *job, const uts_count *c, suite_result *r);
bool check_bfs(const suite_job *job, const uint32_t *parent, const uint32_t *level, suite_result *r);
bool check_pagerank(const suite_job *job, const uint64_t *rank, unsigned turns, suite_result *r);
bool check_cc(const suite_job *job, const uint32_t *label, suite_result *r);
bool check_sssp(const suite_job *job, const double *distance, suite_result *r);
bool check_triangles(const suite_job *job, const triangles *found, suite_result *r);
#endif
