// SPDX-License-Identifier: Apache-2.0
// What `tocsin graph` was asked for, and its report.
#ifndef TOCSIN_GRAPH_H
#define TOCSIN_GRAPH_H

#include "cli.h"
#include "read.h"
#include "record.h"
#include "suite.h"

typedef struct asked {
  const suite_kernel *kernel;
  const suite_variant *variant;
  suite_job job;
  uint64_t scale, degree, root;
  bool has_scale, has_root, has_degree, has_seed, has_tree, has_traced;
  const char *input;
  read_how how;
  uts_known tree;
  edge_list list;
  const char *trace, *part;  // --record, --record-of
  uint64_t traced;           // --record-node
  recorder *rec;
} asked;

void graph_report(cli *c, const asked *a, const suite_result *r);
#endif
