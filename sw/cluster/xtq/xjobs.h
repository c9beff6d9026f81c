// SPDX-License-Identifier: Apache-2.0
// What devices have to do, and when.
#ifndef TOCSIN_CLUSTER_XJOBS_H
#define TOCSIN_CLUSTER_XJOBS_H

#include "xnet.h"

void x_job_add(x_net *n, const x_job *j);
#endif
