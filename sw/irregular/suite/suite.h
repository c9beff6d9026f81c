// SPDX-License-Identifier: Apache-2.0
// The irregular programs as `tocsin graph` runs them: what each takes, its variants, and what came of a run.
#ifndef TOCSIN_SUITE_SUITE_H
#define TOCSIN_SUITE_SUITE_H

#include "edges.h"
#include "tocsin/tocsin.h"
#include "uts.h"

// How ranks tell each other what is to be done: delegates by active puts, in aggregates, or one by one and waited for;
// or by messages, that have many of them, or one each; or no delegates, but gets, puts and atomics. XTQ: aggregates are
// tasks, and the delegates run in a kernel at the home's accelerator: for programs whose delegates use nothing that the
// rank itself looks at before all have been done.
typedef enum suite_way { SUITE_AA, SUITE_NAIVE, SUITE_AM, SUITE_MP, SUITE_RMA, SUITE_XTQ } suite_way;

// What a run is of. `list` is NULL for programs that need no graph; all ranks have the same job.
typedef struct suite_job {
  suite_way way;
  unsigned ranks;
  bool processes;         // each rank is one: by a launcher, or begun here
  uint64_t seed;          // of the weights; the list has been made already
  unsigned scale;         // gups: 2^scale words
  uint64_t updates;       // gups
  uint64_t memory;        // gups: bytes of a rank's table that are in memory; 0: all of it
  const char *store;      // and the folder that has the rest; NULL: that of temporary files
  const uts_known *tree;  // uts; without numbers if nobody has published them
  const edge_list *list;
  uint32_t root;    // bfs, sssp
  toc_see_fn *see;  // hears of all that happens to the nodes, if they are in this process; NULL: nobody does
  void *see_ctx;
} suite_job;

// SUITE_OPEN: nothing was there to hold the result against.
typedef enum suite_valid { SUITE_VALID, SUITE_WRONG, SUITE_OPEN } suite_valid;
enum { SUITE_FACTS = 12, SUITE_WHY = 200 };
typedef struct suite_fact {
  const char *name, *text;  // for JSON, and in words
  double value;
} suite_fact;

// The digest does not depend on the variant or on the number of ranks.
typedef struct suite_result {
  uint64_t count, digest;
  suite_valid valid;
  char why[SUITE_WHY];  // it is wrong, or open
  suite_fact fact[SUITE_FACTS];
  unsigned facts;
  uint64_t *level;  // bfs: vertices on each level, `levels` of them; the caller frees it
  unsigned levels;
  uint64_t operations;  // what a rate is of, in `seconds`, the check not included
  double seconds;
  bool silent;  // another process says it
} suite_result;

void suite_say(suite_result *r, const char *name, const char *text, double value);
void suite_wrong(suite_result *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

// SUITE_BROKEN: the network did not do what it should; `why` of the result says what.
typedef enum suite_end { SUITE_DONE, SUITE_NO_MEMORY, SUITE_BROKEN } suite_end;
typedef suite_end suite_run(const suite_job *job, suite_result *result);

typedef struct suite_variant {
  const char *name, *text;
  unsigned ranks;  // at most
  suite_way way;
  suite_run *run;
  bool processes;  // its ranks may be processes
} suite_variant;

enum { SUITE_VARIANTS = 8 };
typedef struct suite_kernel {
  const char *name, *counted, *operation;  // what `count` and `operations` are, in plural
  bool graph, rooted, weighed;             // takes a graph; a root; weights
  suite_variant variant[SUITE_VARIANTS];   // behind the last one a name is NULL
} suite_kernel;
extern const suite_kernel suite_kernels[];  // the last one has no name
const suite_kernel *suite_named(const char *name);
const suite_variant *suite_variant_named(const suite_kernel *k, const char *name);

// ---- variants
suite_run serial_gups, serial_uts, serial_bfs, serial_pagerank, serial_cc, serial_sssp, serial_triangles;
suite_run rma_gups, rma_bfs, rma_cc, rma_sssp;
suite_run dist_gups, dist_uts, dist_bfs, dist_pagerank, dist_cc, dist_sssp, dist_triangles;
#endif
