// SPDX-License-Identifier: Apache-2.0
// Ranks that are processes, here or on several machines: who this one is, and what they tell each other besides
// what the program itself does. Rank 0 listens on a TCP port, the others come to it; nothing of the program's own
// traffic goes that way.
//
// Who started them says who they are: mpirun, srun, a hand, or rank 0 itself, which then starts the others on this
// machine. Of mpirun no more is asked than to tell rank 0's address to the others: Open MPI's by its library, which is
// loaded, MPICH's by what it hands to ranks.
#ifndef TOCSIN_RANKS_H
#define TOCSIN_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RANKS_MOST = 64, RANKS_WHY = 240, RANKS_HOST = 64 };

typedef struct ranks ranks;

typedef struct ranks_asked {
  unsigned count;        // 0: as the launcher says
  int rank;              // by hand, with root; -1: as the launcher says
  const char *root;      // HOST:PORT of rank 0; NULL: the launcher's, or this machine
  uint64_t job;          // a hash of all that has to be the same at each rank
  int listener;          // by hand, rank 0: a TCP socket at root that listens already, from whoever started us; 0: none
  bool survives;         // a rank may be killed where all have said so (ranks_again): another process starts it again
  unsigned patience_ms;  // 0: a minute
} ranks_asked;

// Joins them; NULL and a sentence in why if that fails. Until all are there it takes patience_ms at most, whoever else
// listens at root or comes to it.
ranks *ranks_join(const ranks_asked *q, char *why);
bool ranks_launched(void);            // somebody has started this process as one of several
unsigned ranks_launched_count(void);  // of so many; 0: nobody has
unsigned ranks_rank(const ranks *r);
unsigned ranks_count(const ranks *r);
const char *ranks_local(const ranks *r);  // the address of this machine that the others reach, [] around IPv6
const char *ranks_by(const ranks *r);     // who started them: "mpirun of Open MPI"

// n bytes of each rank, in order, in all; all take part. n 0: a barrier. false: a rank has failed or gone, and *status
// and why (RANKS_WHY bytes) say which and how; nothing more can be exchanged then.
bool ranks_gather(ranks *r, const void *mine, size_t n, void *all, int *status, char *why);
// This rank, not 0, ends here and now, as by kill -9, and is started again: its ranks_join comes back in another
// process, where ranks_lives is one more, once the others are in ranks_again.
_Noreturn void ranks_crash(const ranks *r);
unsigned ranks_lives(const ranks *r);  // how often it was killed and started again
// All others meanwhile: it has gone, and is there again. As ranks_gather.
bool ranks_again(ranks *r, unsigned gone, int *status, char *why);
// This rank has failed: the others hear of it where they gather next.
void ranks_fail(ranks *r, int status, const char *why);
// Ends; those that rank 0 has started are waited for. false: one of them has failed.
bool ranks_leave(ranks *r);

// ranks_mpi.c: n bytes of rank 0 become those of all, by Open MPI. false: why.
bool ranks_mpi_tell(void *bytes, int n, char *why);
void ranks_mpi_end(void);
// ranks_pmi.c: a word of the first, below `size` characters, becomes that of all, by mpirun of MPICH
// itself. false: why.
bool ranks_pmi_tell(bool first, char *text, size_t size, char *why);
void ranks_pmi_end(void);

#endif
