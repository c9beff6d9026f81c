// SPDX-License-Identifier: Apache-2.0
// Ranks that do a program together, by delegates (tocsin/irregular/net.h): each on a node of its own, all in this
// process, polled in turn by this thread, or each in a process of its own (dist_procs.h). A phase of a program is a
// loop over ranks in which each sends what it has to say, and dist_settle, after which all of it has been done; a
// rank's function runs at the home of what it changes and at no other rank's data.
//
// Vertex v is at rank v % ranks, and is called v / ranks there.
#ifndef TOCSIN_SUITE_DIST_H
#define TOCSIN_SUITE_DIST_H

#include "csr.h"
#include "suite.h"
#include "mail.h"
#include "rma.h"
#include "tocsin/irregular/net.h"

enum { DIST_RANKS = 64, DIST_FUNCTION = IRR_FUNCTION_USER };

typedef struct dist_procs dist_procs;

typedef struct dist {
  unsigned ranks;
  dist_procs *procs;  // the ranks are processes, and this is rank `me`; NULL: all are here
  unsigned me;
  suite_way way;
  toc_fabric *f;
  toc_proc *p[DIST_RANKS];
  irr_net *net[DIST_RANKS];  // of aa, xtq and naive
  mail mail;                 // of am and mp
  rma rma;                   // of rma, which has no delegates
  suite_end end;             // once it is not SUITE_DONE, nothing is sent or polled any more
  char *why;                 // of the result
  double begin;
} dist;

static inline irr_by dist_by(suite_way way) { return way == SUITE_XTQ ? IRR_BY_TASK : IRR_BY_PUT; }

// Of a node; 0: the default is enough.
uint64_t dist_node_bytes(const suite_job *job);
// Connects the ranks. Whatever comes of it, dist_close has to be called.
bool dist_open(dist *d, const suite_job *job, suite_result *r);
// Closes all, says what went over the network, and how the run has ended.
suite_end dist_close(dist *d, suite_result *r);

// Delegate DIST_FUNCTION of a rank; `ctx` is that rank's own.
void dist_function(dist *d, unsigned rank, irr_function_run *run, void *ctx, unsigned answer_bytes);
// Time is counted from here on, and to dist_stop.
void dist_start(dist *d);
void dist_stop(const dist *d, suite_result *r);

// Delegates of `from`. send: its completion is not wanted, and it runs before the next dist_settle returns. ask: it
// wants one, leaves now.
void dist_send(dist *d, unsigned from, unsigned to, const void *args, uint32_t bytes);
void dist_ask(dist *d, unsigned from, const irr_delegate *what);
void dist_poll(dist *d);
void dist_flush(dist *d);  // of all ranks
void dist_settle(dist *d);
void dist_broken(dist *d, const char *what, const char *text);  // the run ends so
// False, and the run ends so: there was no memory for something.
bool dist_have(dist *d, bool have);

// Is this rank in this process? What it has, is here then; of others it is zero.
static inline bool dist_here(const dist *d, unsigned rank) { return !d->procs || rank == d->me; }

static inline uint32_t dist_count(const dist *d, uint32_t vertices, unsigned rank) {
  return vertices / d->ranks + (rank < vertices % d->ranks);
}
// Rows of the vertices of a rank: row i is of vertex i * ranks + rank, its neighbours have their own numbers.
// False: no memory.
bool dist_rows(const dist *d, const csr *whole, unsigned rank, csr *rows);
#endif
