// SPDX-License-Identifier: Apache-2.0
// Plays a trace of a whole node on the golden models of NIC, XTQ and IOMMU: verif/cosim_tocsin/trace_player.h,
// without hardware.
#ifndef TOCSIN_NODE_H
#define TOCSIN_NODE_H

#include "trace_player.h"

typedef struct node node;

// NULL: why (of `whys` bytes) says what is wrong with the trace.
node *node_new(FILE *file, const char *name, char *why, size_t whys);
void node_free(node *n);

// False: node_why says what is not as the trace has it.
bool node_play(node *n);
const char *node_why(const node *n);
player_count node_counts(const node *n);
#endif
