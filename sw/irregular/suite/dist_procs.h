// SPDX-License-Identifier: Apache-2.0
// Ranks of dist.h that are processes of their own, on link=udp: this one is d->me, and has its own net, part and
// delegates alone. All do the same program, and come to the same result; rank 0 says it.
#ifndef TOCSIN_SUITE_DIST_PROCS_H
#define TOCSIN_SUITE_DIST_PROCS_H

#include "dist.h"

// What each rank says of itself in a vote. sent and run are filled in by the vote.
typedef struct dist_votes {
  uint64_t busy, nodes, sent, run;
} dist_votes;

// Joins the others, and connects to them.
void dist_procs_open(dist *d, const suite_job *job);
void dist_procs_close(dist *d);
// The others hear of a failure of this rank.
void dist_procs_fail(dist *d, const char *why);
// Begins a vote, or looks whether the one that is under way has ended: true, and *all is the sum.
// Between the two the caller polls.
bool dist_vote(dist *d, const dist_votes *mine, dist_votes *all);
// Nobody was busy, and nothing was under way, in this vote and the one before.
bool dist_at_rest(const dist_votes *all, const dist_votes *before);
void dist_procs_settle(dist *d);

// When all is at rest. With ranks in one process these do nothing: the sum is `mine`, and `all` is not written.
uint64_t dist_sum(dist *d, uint64_t mine);
bool dist_gather(dist *d, const void *mine, size_t bytes, void *all);
#endif
