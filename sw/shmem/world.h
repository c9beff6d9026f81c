// SPDX-License-Identifier: Apache-2.0
// What a PE consists of. The symmetric heap is DMA memory: puts and gets of it are the NIC's. Everything else is asked
// of the PE that has it (request.c, serve.c): atomics, and static data, which no device reaches. Collectives have a
// channel between each two PEs (channel.c).
#ifndef TOCSIN_SHMEM_WORLD_H
#define TOCSIN_SHMEM_WORLD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ranks.h"
#include "shmem.h"
#include "tocsin/active.h"
#include "tocsin/tocsin.h"

#define SHM_PRIVATE __attribute__((visibility("hidden")))

enum {
  SHM_PES = RANKS_MOST,
  SHM_HEAP_ALIGN = 1 << 21,  // of the heap's first byte, at every PE
  SHM_SLOTS = 4,             // messages of a channel that may be under way
  SHM_SLOT_BYTES = 4096,
  SHM_ASKS = 8,             // requests to one PE that may be under way
  SHM_REQUEST_BYTES = 256,  // one TLP, so one record of the log
  SHM_ANSWER_BYTES = 256,
  SHM_BOUNCES = 32,  // pieces of private memory on their way
  SHM_BOUNCE_BYTES = 4096
};

// What PE A has for PE B, in DMA memory that B may write. What begins with out_ is A's own, for the NIC to read.
typedef struct shm_area {
  uint64_t flag[SHM_SLOTS];     // B's messages: channel.c
  uint64_t credit;              // how many of A's B has taken
  uint64_t answered[SHM_ASKS];  // the number of the request that B has answered
  uint8_t answer[SHM_ASKS][SHM_ANSWER_BYTES];
  uint8_t slot[SHM_SLOTS][SHM_SLOT_BYTES];
  uint64_t out_flag[SHM_SLOTS], out_credit, out_answered[SHM_ASKS];
  uint8_t out_answer[SHM_ASKS][SHM_ANSWER_BYTES];
  uint8_t out_slot[SHM_SLOTS][SHM_SLOT_BYTES];
  uint8_t out_request[SHM_ASKS][SHM_REQUEST_BYTES], out_exit[SHM_REQUEST_BYTES];
} shm_area;

typedef struct shm_ask {
  uint32_t number;  // 0: free
  void *into;       // where the answer goes, NULL: nowhere
  uint32_t bytes;
} shm_ask;

typedef struct shm_pair {
  toc_qp *qp;
  toc_remote heap, area, page;
  shm_area *mine;  // what it writes here
  bool posted;     // puts or gets that nobody has waited for
  uint32_t asked;  // number of the last request
  shm_ask ask[SHM_ASKS];
  uint32_t sent, taken, told;  // messages of the channel: sent, taken, of these told
  pthread_mutex_t sends;       // who writes into the channel
  pthread_mutex_t takes;       // who looks at what has come: taken, told and the rest
  pthread_cond_t came;         // something was kept, or nobody reads any more
  bool reading;                // a thread waits for the next message, without the mutex
  struct shm_kept *kept;       // taken, for other threads than the one that took them; the oldest first
} shm_pair;

typedef enum shm_state { SHM_BEFORE, SHM_OPEN, SHM_LEAVING, SHM_CLOSED } shm_state;

typedef struct shm_bounce {
  toc_req req;
  bool used;
} shm_bounce;

typedef struct shm_world {
  shm_state state;
  pthread_t leaves;  // SHM_LEAVING: the thread that ends all; others wait for the end
  int me, n, threads;
  ranks *all;     // NULL: a PE alone
  toc_fabric *f;  // NULL: a PE alone
  toc_proc *p;
  toc_log *log;
  uint8_t *heap;
  size_t heap_bytes;
  uint8_t *data;  // the program's static data
  size_t data_bytes;
  shm_area *area;
  uint8_t *bounce;
  shm_bounce bounced[SHM_BOUNCES];
  unsigned next_bounce;
  shm_pair pair[SHM_PES];
} shm_world;

extern shm_world shm SHM_PRIVATE;

// ---- die.c: the end of all PEs, with a sentence
_Noreturn void shm_die(const char *fmt, ...) __attribute__((format(printf, 1, 2))) SHM_PRIVATE;
void shm_must(toc_status s, const char *what, int pe) SHM_PRIVATE;
void shm_need_open(const char *what) SHM_PRIVATE;
void shm_leaves(void) SHM_PRIVATE;  // this thread, SHM_LEAVING
// n * size, which no memory has if it is more than a size_t can be.
size_t shm_bytes(size_t n, size_t size, const char *what) SHM_PRIVATE;

// ---- world.c
void shm_world_open(void) SHM_PRIVATE;
void shm_world_close(void) SHM_PRIVATE;
// At a sudden end that is no failure: mpirun wants to be told. Whichever thread comes first does.
void shm_leave_ranks(void) SHM_PRIVATE;

// ---- wait.c: *turn is 0 at first; gives others the processor, and the library its turn
void shm_pause(unsigned *turn) SHM_PRIVATE;
// For who waits, {0} at first, called again and again: for PE pe, ends the program if that is gone; for any, pauses and
// ends it if one of them is.
typedef struct shm_watch {
  unsigned turn;
  int pe;  // whose sign of life is waited for
  uint64_t next_us;
  toc_req sign;
} shm_watch;
void shm_watch_pe(shm_watch *w, int pe) SHM_PRIVATE;
void shm_pause_for_any(shm_watch *w) SHM_PRIVATE;
void shm_tried(void) SHM_PRIVATE;  // by what looks and does not wait: ends the program, too, if one is gone
uint64_t shm_clock_us(void) SHM_PRIVATE;
// Until PE pe has written `want` there, as far as the mask says; sleeps meanwhile.
void shm_wait_word(const uint64_t *word, uint64_t mask, uint64_t want, int pe) SHM_PRIVATE;

// ---- place.c: symmetric memory
typedef struct shm_place {
  bool heap;
  uint64_t at;  // offset into the heap, or the static data
} shm_place;
bool shm_find(const void *p, size_t bytes, shm_place *where) SHM_PRIVATE;
void shm_find_data(void) SHM_PRIVATE;
void *shm_here(shm_place where) SHM_PRIVATE;

// ---- request.c, serve.c
typedef enum shm_op {
  SHM_READ = 1,  // bytes; the answer has them
  SHM_WRITE,     // bytes behind the request
  SHM_FETCH,     // words of 4 or 8 bytes from here on; the answer is the word before
  SHM_SET,       // a
  SHM_SWAP_IF,   // a: what it has to be, b: what it becomes then
  SHM_ADD,
  SHM_AND,
  SHM_OR,
  SHM_XOR,
  SHM_EXIT  // a: the program's status
} shm_op;

typedef struct shm_request {
  uint16_t from, slot;
  uint8_t op, heap, wanted, none;  // wanted: the answer has the word
  uint32_t number, bytes;
  uint64_t at, a, b;
} shm_request;
enum { SHM_DATA_BYTES = SHM_REQUEST_BYTES - sizeof(shm_request) };

// Asks PE pe; into may be NULL. Its answer has come when shm_answers has returned.
void shm_ask_pe(int pe, shm_request *r, const void *data, void *into) SHM_PRIVATE;
void shm_answers(int pe) SHM_PRIVATE;
void shm_serve(void *arg, const toc_access *a) SHM_PRIVATE;
uint64_t shm_do_word(void *word, shm_op op, size_t bytes, uint64_t a, uint64_t b) SHM_PRIVATE;
void shm_tell_exit(int status) SHM_PRIVATE;

// ---- move.c: pe is of the world
void shm_put(void *dest, const void *source, size_t bytes, int pe, bool nbi) SHM_PRIVATE;
void shm_get(void *dest, const void *source, size_t bytes, int pe, bool nbi) SHM_PRIVATE;
void shm_quiet(void) SHM_PRIVATE;
void shm_quiet_pe(int pe) SHM_PRIVATE;
// into NULL: the word before is not wanted. later: into is written by shm_quiet at the latest.
void shm_word(void *dest, shm_op op, size_t bytes, uint64_t a, uint64_t b, int pe, void *into, bool later) SHM_PRIVATE;

// ---- channel.c: bytes between two PEs, in order. what: team and collective, the same at both (shm_what). Threads may
// be in here with different teams.
enum { SHM_KIND_BITS = 4 };
void shm_channel_open(shm_pair *p) SHM_PRIVATE;
void shm_send(int pe, const void *bytes, size_t n, unsigned what) SHM_PRIVATE;
void shm_recv(int pe, void *bytes, size_t n, unsigned what) SHM_PRIVATE;
void shm_exchange(int to, const void *out, size_t n, int from, void *in, size_t m, unsigned what) SHM_PRIVATE;

// ---- team.c
// The thread that is in a collective of a team, and how deep.
typedef struct shm_use {
  pthread_t who;
  unsigned depth;
} shm_use;
// Numbers of teams: the world's, that of all active sets, and SHM_LED for each PE, which gives them to teams
// of which it is the first.
enum { SHM_ID_WORLD, SHM_ID_ACTIVE, SHM_LED = 512 };
struct tocsin_shmem_team {
  int start, stride, size;  // of the world; size 0: before shmem_init
  int contexts;
  struct tocsin_shmem_team *next;
  struct tocsin_shmem_ctx *ctx;  // that were made of it
  unsigned id;                   // the same at all its PEs, and no other team's that two of them are in
  shm_use *use, own;             // use: own, or that of all active sets
};
struct tocsin_shmem_ctx {
  struct tocsin_shmem_team *team;
  struct tocsin_shmem_ctx *next;
  long options;
};
int shm_team_index(shmem_team_t t, int world_pe) SHM_PRIVATE;  // -1: it is no member
int shm_pe_of(shmem_ctx_t ctx, int pe, const char *what) SHM_PRIVATE;

#endif
