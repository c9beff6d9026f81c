// SPDX-License-Identifier: Apache-2.0
// How ranks that are processes find each other: as those of the command line do (sw/apps/ranks.h), under names
// of this library's own.
#ifndef TOCSIN_IRREGULAR_TEAM_RANKS_H
#define TOCSIN_IRREGULAR_TEAM_RANKS_H

#define ranks_join irr_i_ranks_join
#define ranks_launched irr_i_ranks_launched
#define ranks_launched_count irr_i_ranks_launched_count
#define ranks_rank irr_i_ranks_rank
#define ranks_count irr_i_ranks_count
#define ranks_local irr_i_ranks_local
#define ranks_by irr_i_ranks_by
#define ranks_gather irr_i_ranks_gather
#define ranks_crash irr_i_ranks_crash
#define ranks_lives irr_i_ranks_lives
#define ranks_again irr_i_ranks_again
#define ranks_fail irr_i_ranks_fail
#define ranks_leave irr_i_ranks_leave
#define ranks_mpi_tell irr_i_ranks_mpi_tell
#define ranks_mpi_end irr_i_ranks_mpi_end
#define ranks_pmi_tell irr_i_ranks_pmi_tell
#define ranks_pmi_end irr_i_ranks_pmi_end

#include "../apps/ranks.h"
#endif
