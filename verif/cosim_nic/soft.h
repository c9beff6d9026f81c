// SPDX-License-Identifier: Apache-2.0
// Software of all nodes, the accelerators, and the score: what must come of everything that software asks for, kept apart
// from the model. Writes must land, reads bring what was there, atomics add up, tasks run once and in order.
//
// A queue pair i joins node 0 with a peer, QP i there as well; each end asks things of the other. All of a process lies at
// fixed offsets of its address space (soft_va).
#ifndef TOCSIN_COSIM_SOFT_H
#define TOCSIN_COSIM_SOFT_H

#include "net.h"

enum {
  SOFT_QPS = 16,
  SOFT_STREAMS = 2 * SOFT_QPS,
  SOFT_QUEUES = 4,     // of a process: plain, shared with the agent, with events, for access logs
  SOFT_SLOTS = 8,      // requests of a QP under way, and pieces of remote memory
  SOFT_EQ_ENOUGH = 7,  // log2 of an event ring's places that a process never fills
  SOFT_SLOT = 0x2000,
  SOFT_LOGS = 4,
  // offsets
  SOFT_EQ = 0x0,
  SOFT_RING = 0x10000,   // + 0x1000 * QP
  SOFT_QUEUE = 0x30000,  // + 0x1000 * queue: ring, index block, doorbell
  SOFT_BLOCK = 0x800,
  SOFT_BELL = 0x900,
  SOFT_SIGNAL = 0x38000,
  SOFT_TARGET = 0x39000,  // + 64 * (2 * kind + code): where kernels add up
  SOFT_MSI = 0x3f000,
  SOFT_TABLE = 0x40000,
  SOFT_CELL = 0x80000,  // + 64 * QP: add, compare-swap
  SOFT_SHARED = 0x80800,
  SOFT_CELLS_END = 0x80840,
  SOFT_LOCAL = 0x100000,   // + 0x20000 * QP
  SOFT_REMOTE = 0x400000,  // + 0x20000 * QP
  SOFT_POOL = 0x800000,
  SOFT_POOLS = 64,
  SOFT_POOL_SIZE = 0x2800,
  SOFT_KEY = 0xabcd00  // of region i: SOFT_KEY | i
};
enum { SQ_WRITE, SQ_WRITE_IMM, SQ_READ, SQ_ADD, SQ_CAS, SQ_XTQ, SQ_SEND, SQ_SEND_IMM };
enum { KERNEL, FUNCTION, QUEUE, VALID = 1, HAS_TARGET = 2, MULTI = 1 << 6, MIRROR = 1 << 7, EVENTS = 1 << 8 };

typedef struct soft_options {
  uint64_t n;       // requests of all together
  unsigned p_bad;   // of 1000 requests: one that must be refused
  unsigned p_turn;  // of 1000 requests: its queue pair goes off, at both ends, and comes back
  unsigned p_fail;  // of 10000 reads: memory fails
  bool logs;        // access logs start tasks
  bool one_way;     // node 0 only asks: nobody asks it
} soft_options;

typedef struct entry {  // of a send ring
  uint8_t op, flags;
  uint16_t proc;
  uint32_t imm, len1, len2, rkey;
  uint64_t va1, va2, remote, swap, compare;
} entry;

typedef struct soft_event {
  uint8_t kind, status, qp;
  uint32_t word, len, bytes;
  uint64_t addr;
} soft_event;

// Odd processes live above 4 GiB.
static inline uint64_t soft_va(unsigned proc, uint64_t off) { return off + (proc & 1 ? 0x7f12000000ull : 0); }

// Which queue pair's local memory an address lies in, plus 1; 0: in none's.
static inline unsigned soft_local(uint64_t va) {
  uint64_t off = va & 0xffffff;
  return off >= SOFT_LOCAL && off < SOFT_REMOTE ? (unsigned)((off - SOFT_LOCAL) >> 17) + 1 : 0;
}

// Likewise for what peers reach: remote memory, cells.
static inline unsigned soft_remote(uint64_t va) {
  uint64_t off = va & 0xffffff;
  if (off >= SOFT_CELL && off < SOFT_SHARED) return (unsigned)(off - SOFT_CELL) / 64 + 1;
  return off >= SOFT_REMOTE && off < SOFT_POOL ? (unsigned)((off - SOFT_REMOTE) >> 17) + 1 : 0;
}

static inline uint32_t eq_reg(unsigned proc, uint32_t reg) { return reg + proc * NIC_REG_EQ_BASE_STRIDE; }
static inline uint32_t qp_reg(unsigned qp, uint32_t reg) { return reg + qp * NIC_REG_QP_CTL_STRIDE; }

// Pages that may be absent: those of every other process, where no IOMMU has pages of its own.
static inline bool soft_paged(const node *n, unsigned proc) { return !n->active && (proc + n->id) % 2 == 0; }

// Nodes set up, queue pairs connected; then a call each cycle until soft_busy says no; then what must hold at the end.
void soft_init(net *w, const soft_options *o);
void soft_cycle(net *w);
bool soft_busy(const net *w);
void soft_finish(net *w);
void soft_free(node *n);
uint64_t soft_ended(const net *w);
void soft_tell(const net *w);  // what has come of it, for a reader

// Parts for directed tests.
void soft_node_on(node *n, unsigned procs);
void soft_region(node *n, unsigned i, uint32_t key, unsigned proc, uint64_t va, uint64_t len, uint64_t rights);
void soft_connect(node *n, unsigned qp, unsigned proc, unsigned peer, unsigned ring_size, uint32_t epsn, uint32_t spsn,
                  uint64_t ctl);
void soft_entry_put(uint8_t *b, const entry *e);
void soft_table(node *n, unsigned proc, unsigned table, unsigned index, const uint64_t w[4]);
void soft_post_buffer(node *n, unsigned proc, uint64_t va, uint32_t len, uint32_t least);
bool soft_take_event(node *n, unsigned proc, soft_event *e);
void soft_command(uint8_t *c, unsigned kind, uint64_t code, unsigned queue);
static inline uint64_t soft_ctl(unsigned mtu, unsigned rnr, unsigned retry, unsigned rnr_retry, unsigned timeout) {
  return (uint64_t)mtu << NIC_QP_CTL_MTU_LSB | (uint64_t)rnr << NIC_QP_CTL_RNR_LSB |
         (uint64_t)retry << NIC_QP_CTL_RETRY_LSB | (uint64_t)rnr_retry << NIC_QP_CTL_RNR_RETRY_LSB |
         (uint64_t)timeout << NIC_QP_CTL_TIMEOUT_LSB;
}

// access.c: what the NIC's accesses meet, besides node_dma_* (net.h).
bool soft_drops_read(node *n, unsigned src, unsigned proc, uint64_t va);  // memory fails, at random
bool soft_absent(node *n, unsigned src, unsigned proc, uint64_t va,
                 size_t k);                       // a page is absent: memory refuses a read
uint64_t soft_slow(const node *n, unsigned src);  // cycles more that it takes
void soft_saw_write(node *n, unsigned proc, uint64_t va, size_t k);
void soft_task_done(node *n, unsigned log);                             // the NIC re-arms a log
void soft_notice(node *n, unsigned log, uint32_t prod, uint32_t cons);  // an IOMMU of the node gives the NIC a notice

// ---- shared by the parts of software
typedef struct put_rec {  // what a task must be
  uint8_t kind, queue, code;
  bool run, may;  // has run; need not, since its queue pair went off
  uint32_t args, pay;
  uint64_t sum;
} put_rec;

typedef struct op_rec {
  entry e;
  unsigned slot;
  uint32_t put;                                  // tasks, SENDs: the number
  bool flat;                                     // it asks for no event
  uint8_t status;                                // with which it must end
  uint64_t old;                                  // atomics: what must come back
  uint32_t no_room, not_ready, harmed, doubled;  // what had been counted when it was posted
  uint64_t held_up;
  uint8_t want[SOFT_SLOT];  // reads: what must come; writes: what was there before
} op_rec;

typedef struct mail {  // what a SEND must be
  uint32_t len, value;
  uint8_t status;
  bool may, bad;  // need not come, since its queue pair went off; cannot
} mail;

typedef struct stream {  // one direction of a QP
  unsigned id, from, to, qp, proc, ring_size;
  op_rec op[SOFT_SLOTS];
  uint32_t posted, rung, ended, base;        // base: the first of this ring
  uint8_t image[SOFT_SLOTS + 1][SOFT_SLOT];  // the last: pages that block, if memory has such
  unsigned reading[SOFT_SLOTS + 1];
  uint64_t sum, cell, shared_seen, moved, again_at;
  unsigned retry, rnr_retry, timeout;
  bool stopped, read_failed, serve_failed;
  bool mend;      // nothing more is asked of this queue pair, which goes off and on once it has ended all
  bool *imm_may;  // need not be seen
  uint32_t imm_cap;
  uint32_t imm_sent, imm_seen, puts, puts_cap, last_run[SOFT_QUEUES];
  put_rec *put;
  mail *mail;
  uint32_t mails, mail_cap, mail_seen, inv_key, inv_gen;
  bool inv_ready, was_off;  // the key may be used; went off since it was on
  unsigned inv_from;        // when its node has written so many registers
} stream;

typedef struct queue {  // of user tasks
  uint64_t first, size, bell;
  uint64_t tasks, own_sent, own_run, told;
  bool rang;
} queue;

typedef struct soft_proc {
  bool on, msi_driven, msi;
  unsigned eq_size;
  uint32_t seen, fed, number;  // number: of the next receive buffer
  uint64_t buffer[SOFT_POOLS];
  bool receives;
  uint64_t look, sleeps, shared, shared_may;  // sleeps: its accelerator does nothing until then
  queue q[SOFT_QUEUES];
} soft_proc;

struct soft {
  soft_proc p[16];
  struct {
    bool waits, runs, closing;  // a notice is with the NIC; its task is not yet done
    uint32_t prod, cons;
    uint64_t due, sent, ran, done, told;
  } log[SOFT_LOGS];
  uint64_t bad_lo, bad_hi;        // soft_fails
  uint64_t absent_lo, absent_hi;  // soft_absent, of directed tests
  uint64_t slow;                  // cycles more for reads of responses, likewise
  bool open;                      // directed tests: everything is allowed
};

typedef struct pair {  // both ends of a queue pair
  enum { PAIR_ON, PAIR_HALF, PAIR_OFF } at;
  unsigned first;  // the stream whose end goes off first
  uint64_t until;
} pair;

typedef struct board {
  soft_options opt;
  unsigned qps, streams, procs;
  stream *s;
  uint64_t left, ended, progress, logs_left, turns, failures;
  pair pair[SOFT_QPS];
} board;
static inline board *board_of(const net *w) { return w->user; }

void score_post(net *w, stream *t);                      // one more request, at random
void score_end(net *w, stream *t, const soft_event *e);  // the oldest has ended; null: it asked for no event
void score_lost(net *w, stream *t);  // both ends are off: anything may have come of what has not ended
uint8_t score_payload(unsigned s, uint32_t seq, uint32_t k);
void soft_hear(node *n, unsigned proc);  // all events that there are
void turn_on(net *w, unsigned qp, uint32_t psn0, uint32_t psn1);
void turn_off(net *w, unsigned qp);
void turn_cycle(net *w);
bool turn_excuses(const net *w, const stream *t, uint8_t status);
void inbox_feed(node *n, unsigned proc);
void inbox_drop(node *n, unsigned proc);
void inbox_on(net *w, stream *t);
bool inbox_spare(const node *n, unsigned mr);
bool inbox_takes(const net *w, const stream *t);
void inbox_post(net *w, stream *t, op_rec *o, uint8_t *b, uint32_t len);
void inbox_bad(net *w, stream *t, op_rec *o);
void inbox_heard(node *n, stream *t, const soft_event *e);
void inbox_may(stream *t, uint32_t number);
void inbox_finish(net *w, stream *t);
void agent_bell(node *n, unsigned proc, unsigned q, uint64_t index);
void agent_cycle(node *n, unsigned proc);
enum { TAG_OWN = 0xfffffff, TAG_LOG = 0xffffff0 };
#endif
