// SPDX-License-Identifier: Apache-2.0
// The programs of the two papers, each with a naive version beside it, and what they share.
//
// A program is one function that plays ranks: rank r is process a->p[r] on node r, a->qp[r][s] connects r to s. It
// checks its own result (app_wrong) and folds it into a->digest, which depends on seed, n, nodes and size alone: the
// same on every backend, over a link that loses frames as well, in the naive version, and whether one process plays all
// ranks or each is a process of its own.
//
// It does for rank r only what app_plays(a, r) says is this process's. In one process that is everything; with a->all
// each rank is a process of its own, on link=udp, whose node and process are a->p[a->rank] and whose connections are
// a->qp[a->rank][s]. What ranks have to know of each other they share, where all have come to the same place. Choices
// by chance (app_random) are made by all, so that each knows those of the others. The digest is that of rank 0.
#ifndef TOCSIN_APP_H
#define TOCSIN_APP_H

#include "mix.h"
#include "ranks.h"
#include "tocsin/active.h"
#include "tocsin/agent.h"
#include "tocsin/tocsin.h"
#include "tocsin/xtq.h"

enum { APP_NODES = RANKS_MOST, APP_NUMBERS = 12 };

// A result with a name; time is that of the backend. The model's is that of the link alone: what takes none
// of it is no result there.
typedef struct app_number {
  const char *name, *unit;
  double value;
} app_number;

typedef struct app {
  // what is asked for
  toc_options open;  // backend, seed, link, listener
  unsigned nodes;
  uint64_t n;     // how much; see the program
  uint64_t size;  // bytes of a message, 0: as the program has them
  bool naive;
  void (*progress)(void *ctx, uint64_t done, uint64_t all);  // may be NULL
  void *ctx;
  ranks *all;     // NULL: this process plays all ranks
  unsigned rank;  // which one it is otherwise
  bool again;     // it was killed (app_crash), and begins behind that
  // while it runs
  toc_fabric *f;
  void *own;
  toc_proc *p[APP_NODES];
  toc_qp *qp[APP_NODES][APP_NODES];  // [r][r] is NULL
  uint64_t random;
  uint64_t link_bytes;  // of all frames that left a node of this process so far, also those lost or sent again
  // what came of it
  uint64_t digest;
  app_number number[APP_NUMBERS];
  unsigned numbers;
  unsigned timeless;  // numbers that are times of hardware, which the backend does not have: they are left out
  bool wrong;
  bool told;  // another rank has said why
  char why[240];
} app;

typedef struct app_program {
  const char *name, *text;  // text: what it does; the naive version in brackets
  toc_status (*run)(app *a);
  unsigned nodes;  // default, and fewest
  uint64_t n;      // default
  const char *n_is;
  bool survives;       // one rank is killed on the way
  unsigned size_most;  // bytes of a message, multiples of 8 up to this may be asked for; 0: it takes no size
} app_program;

extern const app_program app_programs[];  // name NULL behind the last
const app_program *app_named(const char *name);

// Opens the fabric, a process on each node, a connection for each pair; runs; closes. TOC_OK and a->wrong:
// the result is not right.
toc_status app_run(app *a, const app_program *program);

static inline bool app_plays(const app *a, unsigned r) { return !a->all || a->rank == r; }
// All of these are called by all ranks, in one order; in one process they have nothing to do. E_PEER_GONE, or what
// another rank has met.
toc_status app_share(app *a, void *of, size_t each);               // of[r] is that of rank r, for each of a->nodes
toc_status app_tell(app *a, unsigned from, void *what, size_t n);  // what rank `from` has
toc_status app_sum(app *a, uint64_t *v, size_t n);                 // over all ranks
toc_status app_together(app *a);                                   // nobody goes on before all are here

// Rank r, not 0, is killed, and comes again with nothing: its process, its memory and its connections are new. It does
// not return there: it plays the program from its beginning with a->again, and has to go on behind this call, as the
// others do. What it was told before it has to be told again.
toc_status app_crash(app *a, unsigned r);

uint64_t app_random(app *a);
void app_number_add(app *a, const char *name, const char *unit, double value);
void app_digest(app *a, const void *bytes, size_t n);
void app_digest_word(app *a, uint64_t v);
toc_status app_wrong(app *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void app_step(app *a, uint64_t done);  // of n

// Memory that handlers use: zeroed, and there until the fabric has been closed. Once a run.
void *app_own(app *a, size_t bytes);

// Puts from slots that the program need not watch: app_slot waits until the oldest of a lane's slots is free again.
typedef struct app_lane {
  toc_qp *qp;
  uint8_t *bytes;  // slots of `size`
  uint32_t size;
  unsigned slots, next;
  toc_req *req;
  bool *used;
} app_lane;
toc_status app_lane_open(app_lane *l, toc_qp *qp, unsigned slots, uint32_t size);
toc_status app_lane_slot(app_lane *l, void **slot, toc_req **req);
toc_status app_lane_drain(app_lane *l);
void app_lane_close(app_lane *l);

#define TRY(call)                    \
  do {                               \
    toc_status try_ = (call);        \
    if (try_ != TOC_OK) return try_; \
  } while (0)

toc_status app_dht(app *a);
toc_status app_counter(app *a);
toc_status app_checkpoint(app *a);
toc_status app_getlog(app *a);
toc_status app_sort(app *a);
toc_status app_launch(app *a);
toc_status app_accumulate(app *a);
toc_status app_reduce(app *a);
toc_status app_allreduce(app *a);
#endif
