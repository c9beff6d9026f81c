// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "team_ranks.h"

#include "../apps/ranks_pmi.c"
