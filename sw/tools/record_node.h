// SPDX-License-Identifier: Apache-2.0
// A trace of a whole node (verif/traces/README.md, `A tocsin`): register accesses, frames in and out, the memory that
// its software wrote and the device reads, and the memory that the device wrote. Needs backend `model`.
#ifndef TOCSIN_RECORD_NODE_H
#define TOCSIN_RECORD_NODE_H

#include <stdbool.h>
#include <stdio.h>

#include "tocsin/tocsin.h"

typedef struct node_recorder node_recorder;

node_recorder *node_record_open(FILE *out, const char *what);
void node_record_see(node_recorder *r, const toc_seen *s);  // of this node only
// Nothing stands in the file before this, since what the device does not read is left out.
// False: the file took no more.
bool node_record_close(node_recorder *r);
#endif
