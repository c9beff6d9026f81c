// SPDX-License-Identifier: Apache-2.0
// Software of all nodes, the accelerators, and the score: what must come of everything that software asks for, kept
// apart from the model. Writes must land, reads bring what was there, atomics add up, tasks run once and in order.
//
// A queue pair i joins node 0 with a peer, QP i there as well; each end asks things of the other. All of a process lies
// at fixed offsets of its address space (sw_va).
#ifndef TOCSIN_COSIM_SW_H
#define TOCSIN_COSIM_SW_H

#include "net.h"

enum {
  SW_NAME = 0xe53,  // queue pair i is called SW_NAME - i in events (CTX-12)
  SW_QPS = 24,      // most of them, as contexts in memory; of a NIC without these
  SW_QPS_HERE = 16,
  SW_STREAMS = 2 * SW_QPS,
  SW_QUEUES = 4,     // of a process: plain, shared with the agent, with events, for access logs
  SW_SLOTS = 8,      // requests of a QP under way, and pieces of remote memory
  SW_EQ_ENOUGH = 7,  // log2 of an event ring's places that a process never fills
  SW_SLOT = 0x2000,
  SW_LOGS = 4,
  // offsets
  SW_EQ = 0x0,
  SW_RING = 0x10000,   // + 0x1000 * QP
  SW_QUEUE = 0x30000,  // + 0x1000 * queue: ring, index block, doorbell
  SW_BLOCK = 0x800,
  SW_BELL = 0x900,
  SW_SIGNAL = 0x38000,
  SW_TARGET = 0x39000,  // + 64 * (2 * kind + code): where kernels add up
  SW_MSI = 0x3f000,
  SW_TABLE = 0x40000,
  SW_CELL = 0x80000,  // + 64 * QP: add, compare-swap
  SW_SHARED = 0x80800,
  SW_CELLS_END = 0x80840,
  SW_LOCAL = 0x100000,   // + 0x20000 * QP
  SW_REMOTE = 0x400000,  // + 0x20000 * QP
  SW_CTX_PROC = 3,       // whose memory contexts are in: of no other process
  SW_CONTEXTS = 0xe00000,
  SW_CTX_SIZE = 2048,  // bytes of one
  SW_POOL = 0x800000,
  SW_POOLS = 256,  // so many that a message of many packets ends before its buffer comes round
  SW_POOL_SIZE = 0x2800,
  SW_KEY = 0xabcd00  // of region i: SW_KEY | i
};
enum { SQ_WRITE, SQ_WRITE_IMM, SQ_READ, SQ_ADD, SQ_CAS, SQ_XTQ, SQ_SEND, SQ_SEND_IMM };
enum { KERNEL, FUNCTION, QUEUE, VALID = 1, HAS_TARGET = 2, MULTI = 1 << 6, MIRROR = 1 << 7, EVENTS = 1 << 8 };

typedef struct sw_options {
  uint64_t n;            // requests of all together
  unsigned p_bad;        // of 1000 requests: one that must be refused
  unsigned p_reconnect;  // of 1000 requests: its queue pair goes off, at both ends, and comes back
  unsigned p_fail;       // of 10000 reads: memory fails
  unsigned p_move;       // of 1000 looks at a queue pair at rest: it goes off, and on from where it was
  bool logs;             // access logs start tasks
  bool one_way;          // node 0 only asks: nobody asks it
  bool noticed;          // access log 0 of each node has something to tell from reset on
} sw_options;

typedef struct entry {  // of a send ring
  uint8_t op, flags;
  uint16_t proc;
  uint32_t imm, len1, len2, rkey;
  uint64_t va1, va2, remote, swap, compare;
} entry;

typedef struct sw_event {
  uint8_t kind, status;
  uint16_t qp;
  uint32_t word, len, bytes;
  uint64_t addr;
} sw_event;

// Odd processes live above 4 GiB.
static inline uint64_t sw_va(unsigned proc, uint64_t off) { return off + (proc & 1 ? 0x7f12000000ull : 0); }

// Which queue pair's local memory an address lies in, plus 1; 0: in none's.
static inline unsigned sw_local(uint64_t va) {
  uint64_t off = va & 0xffffff;
  return off >= SW_LOCAL && off < SW_REMOTE ? (unsigned)((off - SW_LOCAL) >> 17) + 1 : 0;
}

// Likewise for what peers reach: remote memory, cells.
static inline unsigned sw_remote(uint64_t va) {
  uint64_t off = va & 0xffffff;
  if (off >= SW_CELL && off < SW_SHARED) return (unsigned)(off - SW_CELL) / 64 + 1;
  return off >= SW_REMOTE && off < SW_POOL ? (unsigned)((off - SW_REMOTE) >> 17) + 1 : 0;
}

static inline uint32_t eq_reg(unsigned proc, uint32_t reg) { return reg + proc * NIC_REG_EQ_BASE_STRIDE; }
static inline uint32_t qp_reg(unsigned qp, uint32_t reg) { return reg + qp * NIC_REG_QP_CTL_STRIDE; }

// where.c: where the state of queue pair qp is, in its page of registers or in memory and some place.
uint64_t sw_contexts(const node *n);         // NIC_CTX, or 0
unsigned sw_context_at(uint64_t va);         // which context lies there
int sw_named(const node *n, unsigned name);  // by an event; 0: of none, -1: there is none called so
void qp_clear(node *n, unsigned qp);         // what software says of it begins
void qp_put(node *n, unsigned qp, uint32_t reg, uint64_t v);
void qp_on(node *n, unsigned qp, uint64_t ctl);
void qp_off(node *n, unsigned qp);  // begins to go off
bool qp_is_off(node *n, unsigned qp);
void qp_close(node *n, unsigned qp);   // contexts: off, and in memory
bool qp_reopen(node *n, unsigned qp);  // likewise, at rest: off, and on from where it was
void qp_ring(node *n, unsigned qp, uint16_t prod);
void qp_ring_again(node *n, unsigned qp);  // as the last time
void qp_resume(node *n, unsigned qp);
uint64_t qp_get(node *n, unsigned qp, uint32_t reg);

// Pages that may be absent: those of every other process, where no IOMMU has pages of its own.
static inline bool sw_paged(const node *n, unsigned proc) { return !n->active && (proc + n->id) % 2 == 0; }

// Nodes set up, queue pairs connected; then a call each cycle until sw_busy says no; then what must hold at the end.
void sw_init(net *w, const sw_options *o);
bool sw_first_notice(const node *n, const sw_options *o);  // this node's log 0 has
void sw_cycle(net *w);
bool sw_busy(const net *w);
void sw_finish(net *w);
void sw_free(node *n);
uint64_t sw_ended(const net *w);
void sw_tell(const net *w);  // what has come of it, for a reader

// Parts for directed tests.
void sw_node_on(node *n, unsigned procs);
void sw_region(node *n, unsigned i, uint32_t key, unsigned proc, uint64_t va, uint64_t len, uint64_t rights);
void sw_connect(node *n, unsigned qp, unsigned proc, unsigned peer, unsigned ring_size, uint32_t epsn, uint32_t spsn,
                uint64_t ctl);
void sw_entry_put(uint8_t *b, const entry *e);
void sw_table(node *n, unsigned proc, unsigned table, unsigned index, const uint64_t w[4]);
void sw_post_buffer(node *n, unsigned proc, uint64_t va, uint32_t len, uint32_t least);
bool sw_take_event(node *n, unsigned proc, sw_event *e);
void sw_command(uint8_t *c, unsigned kind, uint64_t code, unsigned queue);
static inline uint64_t sw_ctl(unsigned mtu, unsigned rnr, unsigned retry, unsigned rnr_retry, unsigned timeout) {
  return (uint64_t)mtu << NIC_QP_CTL_MTU_LSB | (uint64_t)rnr << NIC_QP_CTL_RNR_LSB |
         (uint64_t)retry << NIC_QP_CTL_RETRY_LSB | (uint64_t)rnr_retry << NIC_QP_CTL_RNR_RETRY_LSB |
         (uint64_t)timeout << NIC_QP_CTL_TIMEOUT_LSB;
}

// access.c: what the NIC's accesses meet, besides node_dma_* (net.h).
bool sw_drops_read(node *n, unsigned src, unsigned proc, uint64_t va);  // memory fails, at random
bool sw_absent(node *n, unsigned src, unsigned proc, uint64_t va,
               size_t k);                       // a page is absent: memory refuses a read
uint64_t sw_slow(const node *n, unsigned src);  // cycles more that it takes
void sw_saw_write(node *n, unsigned proc, uint64_t va, size_t k);
void sw_task_done(node *n, unsigned log);                             // the NIC re-arms a log
void sw_notice(node *n, unsigned log, uint32_t prod, uint32_t cons);  // an IOMMU of the node gives the NIC a notice

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
  uint8_t want[SW_SLOT];  // reads: what must come; writes: what was there before
} op_rec;

typedef struct mail {  // what a SEND must be
  uint32_t len, value;
  uint8_t status;
  bool may, bad;  // need not come, since its queue pair went off; cannot
} mail;

typedef struct stream {  // one direction of a QP
  unsigned id, from, to, qp, proc, ring_size;
  op_rec op[SW_SLOTS];
  uint32_t posted, rung, ended, base;    // base: the first of this ring
  uint8_t image[SW_SLOTS + 1][SW_SLOT];  // the last: pages that block, if memory has such
  unsigned reading[SW_SLOTS + 1];
  uint64_t sum, cell, shared_seen, moved, again_at;
  unsigned retry, rnr_retry, timeout;
  bool stopped, read_failed, serve_failed;
  bool mend;      // nothing more is asked of this queue pair, which goes off and on once it has ended all
  bool *imm_may;  // need not be seen
  uint32_t imm_cap;
  uint32_t imm_sent, imm_seen, puts, puts_cap, last_run[SW_QUEUES];
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

typedef struct sw_proc {
  bool on, msi_driven, msi;
  unsigned eq_size;
  uint32_t seen, fed, number;  // number: of the next receive buffer
  uint64_t buffer[SW_POOLS];
  bool receives;
  uint64_t next_look, sleeps, shared, shared_may;  // sleeps: its accelerator does nothing until then
  queue q[SW_QUEUES];
} sw_proc;

struct sw {
  sw_proc p[16];
  struct {
    bool waits, runs, closing;  // a notice is with the NIC; its task is not yet done
    uint32_t prod, cons;
    uint64_t due, sent, ran, done, told;
  } log[SW_LOGS];
  uint64_t bad_lo, bad_hi;        // sw_fails
  uint64_t absent_lo, absent_hi;  // sw_absent, of directed tests
  uint64_t slow;                  // cycles more for reads of responses, likewise
  bool open;                      // directed tests: everything is allowed
};

typedef struct pair {  // both ends of a queue pair
  enum { PAIR_ON, PAIR_HALF, PAIR_OFF } at;
  unsigned first;  // the stream whose end goes off first
  uint64_t until;
} pair;

typedef struct board {
  sw_options opt;
  unsigned qps, streams, procs;
  stream *s;
  uint64_t left, ended, progress, logs_left, reconnected, failures, moved, moved_asked;
  pair pair[SW_QPS];
} board;
static inline board *board_of(const net *w) { return w->user; }

void score_post(net *w, stream *t);                    // one more request, at random
void score_end(net *w, stream *t, const sw_event *e);  // the oldest has ended; null: it asked for no event
void score_lost(net *w, stream *t);  // both ends are off: anything may have come of what has not ended
uint8_t score_payload(unsigned s, uint32_t seq, uint32_t k);
void sw_hear(node *n, unsigned proc);  // all events that there are
void pair_on(net *w, unsigned qp, uint32_t psn0, uint32_t psn1);
void pair_off(net *w, unsigned qp);
bool sw_move(node *n, unsigned qp);  // off, and on from where it was; false: in a message, and nothing has happened
void pair_move(net *w, stream *t);
void reconnect_cycle(net *w);
bool pair_excuses(const net *w, const stream *t, uint8_t status);
void inbox_feed(node *n, unsigned proc);
void inbox_drop(node *n, unsigned proc);
void inbox_on(net *w, stream *t);
bool inbox_spare(const node *n, unsigned mr);
bool inbox_takes(const net *w, const stream *t);
void inbox_post(net *w, stream *t, op_rec *o, uint8_t *b, uint32_t len);
void inbox_bad(net *w, stream *t, op_rec *o);
void inbox_heard(node *n, stream *t, const sw_event *e);
void inbox_may(stream *t, uint32_t number);
void inbox_finish(net *w, stream *t);
void agent_bell(node *n, unsigned proc, unsigned q, uint64_t index);
void agent_cycle(node *n, unsigned proc);
enum { TAG_OWN = 0xfffffff, TAG_LOG = 0xffffff0 };
#endif
