// SPDX-License-Identifier: Apache-2.0
/* What the files of the library share. Names that leave a file begin with toc_i_; they expect the fabric's lock. */
#ifndef TOCSIN_INTERNAL_H
#define TOCSIN_INTERNAL_H

#include <pthread.h>
#include <string.h>

#include "tocsin/aa_regs.h"
#include "tocsin/agent.h"
#include "tocsin/backend.h"
#include "tocsin/nic_regs.h"
#include "tocsin/table.h"

enum {
  PAGE = 4096,
  NIC = 0x100000, /* registers of the NIC */
  PROCS = 16,
  RANKS = 65536,      /* in addresses */
  QP_PLACES = 256,    /* queue pairs in the NIC */
  QP_CONTEXTS = 4096, /* and in memory, of which they take turns there */
  REGIONS = 256,
  LOGS = 32,
  FLUSH_PAGES = 8,
  EVENTS = 256,      /* kept for the program */
  EQ_LOG2 = 8,       /* event ring of a process */
  STATUSES = 1024,   /* ended requests that are remembered */
  SLOT_BYTES = 4224, /* command and arguments of one XtqPut */
  FLUSHES = 64,      /* of one queue pair at once */
  RID0 = 0x0100,     /* requester id of process 0 */
  VEC_FAULT = 0,
  VEC_LOG = 1,   /* + log */
  VEC_PROC = 33, /* + process */
  IUID0 = 1      /* IUID of log 0 */
};

/* I/O addresses that the library gives out; the rest is the program's. */
enum { BUS_BITS = 48 };
#define SPACE_AT 0x0000001000000000ull
#define SPACE_BYTES 0x0000001000000000ull

#define REG_AT(name, i) (AA_REG_##name + (uint32_t)(i)*AA_REG_##name##_STRIDE)
#define NREG(name) (NIC + NIC_REG_##name)
#define NREG_AT(name, i) (NIC + NIC_REG_##name + (uint32_t)(i)*NIC_REG_##name##_STRIDE)

/* ---- why (error.c) */
toc_status toc_i_fail(toc_status s, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define TRY(x)                       \
  do {                               \
    toc_status try_ = (x);           \
    if (try_ != TOC_OK) return try_; \
  } while (0)
/* What a function of the interface gives, with the lock held for it. */
#define LOCKED(p, call)           \
  do {                            \
    toc_i_fabric *f_ = (p)->n->f; \
    toc_i_lock(f_);               \
    toc_status s_ = (call);       \
    toc_i_unlock(f_);             \
    return s_;                    \
  } while (0)
/* A pointer of the program that must not be NULL: refused by the function's name and its own. */
#define NEED(ptr)                                                                          \
  do {                                                                                     \
    if (!(ptr)) return toc_i_fail(TOC_E_ARG, "%s: '" #ptr "' must not be NULL", __func__); \
  } while (0)

/* ---- handles (handle.c): what the program holds, for the objects here */
typedef enum toc_i_kind {
  TOC_I_fabric = 1,
  TOC_I_node,
  TOC_I_proc,
  TOC_I_qp,
  TOC_I_log,
  TOC_I_box,
  TOC_I_queue,
  TOC_I_agent
} toc_i_kind;
typedef struct toc_i_fabric toc_i_fabric;
typedef struct toc_i_node toc_i_node;
typedef struct toc_i_proc toc_i_proc;
typedef struct toc_i_qp toc_i_qp;
typedef struct toc_i_log toc_i_log;
typedef struct toc_i_box toc_i_box;
typedef struct toc_i_queue toc_i_queue;
typedef struct toc_i_agent toc_i_agent;
void *toc_i_handle_new(toc_i_kind kind, void *object); /* NULL: E_NOMEM */
void toc_i_handle_end(const void *handle);             /* NULL: nothing */
/* NULL: it is NULL (E_ARG), or closed, or none (E_CLOSED). */
void *toc_i_object(toc_i_kind kind, const void *handle, const char *function, const char *argument);
toc_status toc_i_failed(void); /* the status of the last failure in this thread */

/* The object of an argument h_name, as `name`; or the function ends. */
#define OBJECT(type, name)                                                    \
  toc_i_##type *name = toc_i_object(TOC_I_##type, h_##name, __func__, #name); \
  if (!name) return toc_i_failed()
/* The same where NULL is fine, or there is no status: what is given for it. */
#define OBJECT_OR(type, name, ...)                                                              \
  toc_i_##type *name = h_##name ? toc_i_object(TOC_I_##type, h_##name, __func__, #name) : NULL; \
  if (!name) return __VA_ARGS__
/* Closing. */
#define OBJECT_TO_CLOSE(type, name) \
  if (!h_##name) return TOC_OK;     \
  OBJECT(type, name)

/* ---- free ranges of an address space (range.c): whole pages, first fit */
typedef struct toc_range {
  uint64_t at, bytes;
} toc_range;
typedef struct toc_ranges {
  toc_range *free;
  size_t n, room;
} toc_ranges;
bool toc_i_ranges_init(toc_ranges *r, uint64_t at, uint64_t bytes);
void toc_i_ranges_free(toc_ranges *r);
bool toc_i_range_take(toc_ranges *r, uint64_t bytes, uint64_t align, uint64_t *at);
bool toc_i_range_take_at(toc_ranges *r, uint64_t at, uint64_t bytes); /* false: not all free */
bool toc_i_range_is_free(const toc_ranges *r, uint64_t at, uint64_t bytes);
void toc_i_range_give(toc_ranges *r, uint64_t at, uint64_t bytes);

/* ---- tables in DMA memory */
typedef struct toc_tables {
  toc_dma m;
  aa_table t;
} toc_tables;

/* ---- the program's code that runs for the library: handlers of a log, kernels of an agent (lock.c, crew.c)
 *
 * It runs without the fabric's lock: what is automatic in a thread of the library's, handed over by whoever waits, who
 * waits for it for a while; what toc_log_run and toc_agent_run run in their caller. */
typedef struct toc_hand {  /* one a thread */
  struct toc_hand *caller; /* who waits for what it runs */
  toc_i_fabric *of;        /* a thread of the library's: its fabric */
  toc_i_fabric *out;       /* it is in the program's code, for this fabric */
  unsigned depth;          /* of automatic work in automatic work */
} toc_hand;

/* What one log or agent has under way. */
typedef struct toc_run {
  bool busy;
  toc_hand *by;
  bool out;             /* in the program's code */
  uint64_t since_ms;    /* of that call, real time */
  toc_i_fabric *before; /* that this thread was out for already */
} toc_run;

typedef struct toc_worker toc_worker;
typedef struct toc_driver { /* the thread that makes progress (drive.c) */
  pthread_t thread;
  pthread_cond_t kick;
  bool kicked, end, asleep;
  unsigned turns; /* of others, when it looked last */
  int fd;         /* an eventfd: kicked, for who sleeps on the backend's descriptor as well */
} toc_driver;

struct toc_i_fabric {
  void *h;               /* its handle */
  pthread_mutex_t lock;  /* nobody takes it twice */
  pthread_cond_t worked; /* a run has ended */
  toc_worker *crew;
  toc_driver *driver; /* NULL: calls make progress */
  unsigned wanted;    /* threads that wait for the lock */
  unsigned turns;     /* of calls that wait: while they go on, the driver need not */
  unsigned out;       /* threads in the program's code */
  bool closing;
  pthread_t last;  /* thread of the program that was here */
  unsigned others; /* idle turns for which we still believe that there is another one */
  const toc_backend *be;
  void *self;
  toc_options o;
  bool linked;                    /* others are at the end of its link: */
  void (*probe)(toc_i_fabric *f); /* at times: what may be lost; NULL: nothing is */
  uint64_t probe_ms;              /* the next time */
  toc_spy spy;
  unsigned nodes;
  toc_i_node *node;
  bool dead;
};

/* Memory that peers may use. */
typedef struct toc_region {
  toc_i_proc *p; /* NULL: it is free */
  toc_remote at;
  uint64_t bytes;
} toc_region;

/* Queue pairs that lie in memory (context.c). */
typedef struct toc_contexts {
  unsigned number;   /* 0: there are none; the last one is the library's */
  toc_i_proc *owner; /* whose memory they are in; no process of the program's */
  uint8_t *table;
  bool up, closing; /* closing: one is being closed */
} toc_contexts;

struct toc_i_node {
  void *h; /* its handle */
  toc_i_fabric *f;
  unsigned rank;
  bool up;
  int fault_fd; /* + 1; 0: none */
  toc_caps caps;
  toc_tables root;
  toc_ranges bus;          /* what of the device's addresses is no memory of its own yet */
  toc_dma queue;           /* invalidation queue, and behind it status words and producer pointers */
  uint32_t iq_tail, waits; /* waits: descriptors so far */
  bool commanding;         /* a command of XTQ's tables is under way */
  toc_i_proc *proc[PROCS];
  toc_i_log *log[LOGS];
  unsigned procs_reach, logs_reach; /* none from here on has ever been open */
  uint32_t opening_logs;            /* taken, but not there yet */
  toc_i_qp **qp;                    /* caps.qps of them */
  toc_contexts ctx;
  uint32_t bad_logs; /* would not drain */
  toc_region region[REGIONS];
  uint32_t region_gen;
  toc_i_log *flush[FLUSH_PAGES];
  uint64_t rng;
};

/* Memory that is mapped for a process. */
typedef struct toc_mapping {
  uint64_t iova, bytes;
  uint8_t *ptr;
  uint64_t bus;
  unsigned rights;
  bool owner;  /* of dma: it was allocated with this mapping */
  bool inside; /* the library's own */
  bool signal; /* of those: one of xtq_signal_open */
  toc_dma dma;
} toc_mapping;

typedef struct toc_i_rule { /* toc_rule, of objects */
  unsigned put, get;
  toc_i_log *log;
  toc_handler *handler;
  void *arg;
} toc_i_rule;

typedef struct toc_rule_range {
  uint64_t iova, bytes;
  toc_i_rule rule;
} toc_rule_range;

typedef struct toc_entry { /* of a table of XTQ */
  bool valid;
  uint64_t code, target, signal;
  toc_i_queue *queue;
} toc_entry;

struct toc_i_proc {
  void *h; /* its handle */
  toc_i_node *n;
  bool closing;
  unsigned index;
  uint16_t rid, did;
  toc_tables tables;
  uint64_t level4;
  toc_ranges space;
  toc_mapping *map;
  size_t maps, map_room;
  toc_rule_range *rule;
  size_t rules, rule_room;
  uint8_t *eq; /* event ring */
  uint32_t eq_seen;
  int eq_fd;
  toc_event event[EVENTS];
  unsigned ev_head, ev_tail;
  bool ev_lost;
  bool woken; /* atomic: toc_event_wake was called, and nobody has taken it yet */
  toc_entry *table[3];
  toc_i_queue *queues;
  toc_i_box *boxes;
  uint32_t posted, posted0; /* receive buffers; before this process */
  uint8_t *feed;            /* the library's own ones */
  uint32_t feed_bytes, fed_first;
  unsigned feed_count;
};

enum { IS_ANY, IS_PUT, IS_PROBE };

struct toc_i_qp {
  void *h; /* its handle */
  toc_i_proc *p;
  unsigned index, log2;
  toc_qp_options o;
  bool any_mtu;     /* the program has not said which */
  uint64_t refused; /* of the link's frames, when it was armed */
  uint32_t psn;
  toc_address to;                  /* as it was connected */
  uint8_t *ring, *scratch, *slots; /* slots: made by the first XtqPut */
  uint32_t posted, ended, base;    /* requests; base: the one that is entry 0 of the ring since it was armed */
  struct {
    bool taken, left; /* left: nobody waits for it any more, but its request may still write it */
    uint32_t seq;
  } word[FLUSHES]; /* of scratch */
  uint8_t status[STATUSES];
  toc_status stopped;     /* by which error; OK: it runs */
  toc_status first_error; /* that nobody has waited for */
  uint32_t first_failed;  /* its request */
  bool failures;          /* some have failed, the last of them: */
  uint32_t last_failed;
  bool fatal;  /* what the peer has done is not known */
  bool middle; /* it has stopped in the middle of a message, whose rest the peer waits for */
  bool connected;
  bool held;          /* its connection is being put in order: nobody posts, connects or closes */
  bool inside;        /* of one that lies in memory: the NIC's hand is on it */
  bool waits;         /* something was under way, when that was last looked at: */
  uint32_t silent_at; /* `ended` was this then */
  unsigned probes;    /* that were sent since */
  uint64_t probe_ms;  /* the next one */
  bool takes_puts;    /* the peer has acknowledged one; of another an empty put may be refused, and stop both ends */
  uint8_t is[256];    /* requests under way, by number: of how a probe ends the program hears nothing */
};

struct toc_i_log {
  void *h; /* its handle */
  toc_i_proc *p;
  unsigned index;
  toc_log_options o;
  toc_dma ring;
  uint32_t mask, prod, seen, given;
  volatile uint64_t *pointer;
  int fd;
  unsigned scratch; /* word */
  uint64_t records, unclaimed;
  bool closing, broken;
  bool still; /* no handler begins any more */
  bool own;   /* its handlers are the library's */
  toc_run run;
  bool handling;    /* a record is in the hands of its handler: */
  uint64_t handled; /* its address */
  uint32_t kept;    /* its place in the ring, which is not given back before */
  int flush_index;  /* -1: none */
  bool flush_ready;
  void *flush_ptr;
  toc_remote flush_at;
};

struct toc_i_box {
  void *h; /* its handle */
  toc_i_box *next;
  toc_i_proc *p;
  unsigned slots;
  toc_i_log *log;
  uint64_t iova, bytes;
  toc_remote where;
  uint64_t *value;
};

struct toc_i_queue {
  void *h; /* its handle */
  toc_i_queue *next;
  toc_i_proc *p;
  xtq_queue_options o;
  unsigned log2;
  bool adopted; /* its memory is somebody else's; ours has block and doorbell behind the ring */
  uint8_t *ring;
  uint64_t iova, block, bell;
  xtq_queue_view v;
  toc_i_agent *agent;
};

/* What follows calls, file by file, only what stands above it: from what never waits for the device, by the one place
 * that does, to what a program opens.
 * ---- lock.c: the lock, and the code of the program that runs without it */
void toc_i_lock(toc_i_fabric *f);
void toc_i_unlock(toc_i_fabric *f);
toc_hand *toc_i_hand(void);
void toc_i_hire(toc_hand *h); /* this thread is a worker */
uint64_t toc_i_clock_ms(void);
/* This thread runs it, or waits for who does. */
bool toc_i_run_is_mine(const toc_i_fabric *f, const toc_run *r);
void toc_i_run_begin(toc_run *r);
void toc_i_run_end(toc_i_fabric *f, toc_run *r);
void toc_i_out(toc_i_fabric *f, toc_run *r); /* gives the lock up for the program's code */
void toc_i_back(toc_i_fabric *f, toc_run *r);
toc_i_fabric *toc_i_out_for(const toc_hand *h);
bool toc_i_inside(toc_i_fabric *f); /* the program's code waits in the library; what it gives is for toc_i_outside */
void toc_i_outside(toc_i_fabric *f, bool was);
/* Waits until nobody runs it. E_TIMEOUT. */
toc_status toc_i_run_quiet(toc_i_fabric *f, const toc_run *r, const char *what);
enum { TOC_I_SLICE_MS = 20 };
bool toc_i_wait_ms(toc_i_fabric *f, uint64_t ms); /* for a run to end. false: it is over, and none has */
/* Gives the lock up until something has ended, or for a moment; false: the patience since then is over. */
bool toc_i_pause(toc_i_fabric *f, uint64_t since_ms);

/* ---- bus.c: registers, interrupts, memory that the device reaches */
enum { LINK_TIMEOUT_LOG2 = 24 }; /* of others, who live by the clock: 67 ms, as is usual */
static inline unsigned toc_i_timeout_log2(const toc_i_fabric *f) {
  if (f->be->qp_timeout_log2) return f->be->qp_timeout_log2;
  return f->linked ? LINK_TIMEOUT_LOG2 : 20;
}
toc_status toc_i_read(toc_i_node *n, uint32_t addr, unsigned size, uint64_t *value);
toc_status toc_i_write(toc_i_node *n, uint32_t addr, unsigned size, uint64_t value);
static inline toc_status toc_i_write64(toc_i_node *n, uint32_t addr, uint64_t v) { return toc_i_write(n, addr, 8, v); }
void toc_i_kick(toc_i_fabric *f); /* there is something to do for the driver's thread */
/* fd -1: no interrupts. E_IO. */
toc_status toc_i_vector(toc_i_node *n, unsigned vector, int *fd, uint64_t *addr, uint32_t *data);
uint32_t toc_i_cycles(const toc_i_fabric *f, uint64_t us);
uint64_t toc_i_random(toc_i_node *n);
/* Memory of the backend for the device, apart from all that it has; E_NOMEM, E_PLACE. */
toc_status toc_i_dma_alloc(toc_i_node *n, size_t bytes, size_t align, toc_dma *m);
void toc_i_dma_free(toc_i_node *n, const toc_dma *m);

/* ---- space.c: what is where for a process */
toc_mapping *toc_i_mapping_of(toc_i_proc *p, const void *ptr, uint64_t bytes);
toc_mapping *toc_i_mapping_at(toc_i_proc *p, uint64_t iova);
toc_rule_range *toc_i_rule_at(toc_i_proc *p, uint64_t iova);
toc_status toc_i_local(toc_i_proc *p, const void *ptr, uint64_t bytes, unsigned rights, uint64_t *iova);

/* ---- buffers.c: receive buffers */
toc_status toc_i_buffer_post(toc_i_proc *p, const void *ptr, uint32_t bytes, uint32_t least, uint32_t *number);
bool toc_i_refeed(toc_i_proc *p, uint32_t number); /* it was one of the library's own */
toc_status toc_i_withdraw(toc_i_proc *p, uint32_t *count);
toc_status toc_i_recv_begin(toc_i_proc *p);
void toc_i_received(toc_i_proc *p, toc_qp *qp, const uint8_t *event);

/* ---- events.c */
void toc_i_event(toc_i_proc *p, toc_event e);
void toc_i_events_lost(toc_i_proc *p);            /* has the device had no place for one? */
void toc_i_end_one(toc_i_qp *q, toc_status s);    /* its oldest request */
toc_status toc_i_tell(toc_i_qp *q, uint32_t seq); /* how one has ended that is remembered; somebody hears it */
bool toc_i_events(toc_i_proc *p);                 /* takes what is in the event ring */
void toc_i_faults(toc_i_node *n);
void toc_i_probe(toc_i_fabric *f);        /* probe.c: what a link has lost behind the last frame */
void toc_i_fault_events(toc_i_fabric *f); /* where an interrupt has told of faults */

/* ---- records.c, agent.c: what runs handlers and kernels */
void toc_i_log_look(toc_i_log *l); /* how far the device has come */
bool toc_i_log_has(void *log);     /* a record, or it is broken */
toc_status toc_i_log_run(toc_i_log *l, unsigned most, unsigned *ran);
bool toc_i_log_ready(toc_i_log *l);                                     /* automatic, and there is something */
toc_status toc_i_log_batch(toc_i_log *l, unsigned most, unsigned *ran); /* for who has begun its run */
bool toc_i_agent_ready(const toc_i_agent *a); /* automatic, and there is something that can run */
toc_status toc_i_agent_batch(toc_i_agent *a, unsigned most, unsigned *ran);
toc_run *toc_i_agent_runs(toc_i_agent *a);
toc_status toc_i_agent_close(toc_i_agent *a);

/* ---- crew.c: the threads that run what is automatic */
void toc_i_crew_init(toc_i_fabric *f);
void toc_i_crew_end(toc_i_fabric *f);
void toc_i_automatic(toc_i_fabric *f, uint64_t until);
/* What of the program's code has been running for long: a part of a sentence, or nothing. */
void toc_i_stuck(toc_i_fabric *f, char *text, size_t n);

/* ---- wait.c
 * Polls until `done` is true, running the backend, and what is automatic if `autos`. It gives the lock to others while
 * it waits: what was looked at before must be looked at again behind it. */
typedef bool toc_i_cond(void *ctx);
toc_status toc_i_wait(toc_i_fabric *f, toc_i_cond *done, void *ctx, uint64_t timeout_us, bool autos);
/* One turn. until: time of the backend at which the caller waits no longer for what is automatic;
 * 0: nothing automatic. */
enum { TOC_I_NOW = 1 }; /* until: it is handed over, and nobody waits */
bool toc_i_progress(toc_i_fabric *f, uint64_t until);
uint64_t toc_i_deadline(toc_i_fabric *f, uint64_t timeout_us);
/* Sleeps without the lock until the backend has something to do, or `kick` (-1: none) is readable, so many ms
 * at most. false: it has. */
bool toc_i_rest(toc_i_fabric *f, int kick, int ms);

/* ---- drive.c: the thread that makes progress */
toc_status toc_i_drive(toc_i_fabric *f);
void toc_i_drive_end(toc_i_fabric *f);

/* ---- device.c */
toc_status toc_i_node_up(toc_i_node *n);
void toc_i_node_address(const toc_i_node *n, toc_address *a); /* qp: of its first queue pair */
void toc_i_node_down(toc_i_node *n);
toc_status toc_i_tables_make(toc_i_node *n, size_t bytes, toc_tables *t);
void toc_i_tables_free(toc_i_node *n, toc_tables *t);
toc_status toc_i_translate(toc_i_proc *p, uint64_t pages); /* for its requester id, by tables of so many pages */
/* pages 0: all of the domain; did 0: everything. Returns when it has taken effect. */
toc_status toc_i_invalidate(toc_i_node *n, uint16_t did, uint64_t iova, uint64_t pages);
toc_status toc_i_wait_reg(toc_i_node *n, uint32_t addr, unsigned size, uint64_t mask, uint64_t want, const char *what);
volatile uint64_t *toc_i_pointer_word(toc_i_node *n, unsigned log, uint64_t *bus);

/* ---- rules.c */
/* Writes the leaves of pages again from mappings and rules. fresh: nothing was there. */
toc_status toc_i_pages(toc_i_proc *p, uint64_t iova, uint64_t bytes, bool fresh);
toc_status toc_i_rule_set(toc_i_proc *p, uint64_t iova, uint64_t bytes, const toc_i_rule *r); /* r NULL: away */
toc_status toc_i_rules_drop(toc_i_proc *p, const toc_i_log *l);
/* No handler runs any more for a record of these pages, but for those that this thread is in. */
toc_status toc_i_rules_quiet(toc_i_proc *p, uint64_t iova, uint64_t bytes);

/* ---- memory.c */
toc_status toc_i_alloc(toc_i_proc *p, size_t bytes, unsigned rights, bool inside, void **ptr);
/* Memory at an address that is free, for good. */
toc_status toc_i_alloc_at(toc_i_proc *p, uint64_t iova, size_t bytes, unsigned rights);
toc_status toc_i_free(toc_i_proc *p, void *ptr, bool inside);
toc_status toc_i_expose(toc_i_proc *p, uint64_t iova, uint64_t bytes, unsigned rights, toc_remote *r);
toc_status toc_i_hide(toc_i_proc *p, toc_remote r);

/* ---- context.c: queue pairs that lie in memory */
toc_status toc_i_contexts_up(toc_i_node *n);
void toc_i_contexts_down(toc_i_node *n);
#define TOC_I_OFFSET(name) \
  (NIC_REG_QP_##name - NIC_REG_QP_CTL) /* of a word of a queue pair, in its page and its context */
enum { TOC_I_WORDS = TOC_I_OFFSET(REST) / 8 + 1, TOC_I_ANSWERS = 64 };
/* What a queue pair is turned on with: the words of a context (CTX-2), and its stored answers. */
typedef struct toc_i_page {
  uint64_t word[TOC_I_WORDS];
  unsigned answers;
  const uint64_t (*answer)[2];
} toc_i_page;
#define TOC_I_WORD(page, name) ((page)->word[TOC_I_OFFSET(name) / 8])
toc_status toc_i_context_out(toc_i_qp *q);                        /* its words are in memory then */
toc_status toc_i_context_in(toc_i_qp *q, const toc_i_page *page); /* it is out */
toc_status toc_i_context_again(toc_i_qp *q); /* it is out, and goes on from there; SEND_ERR is over */
toc_status toc_i_context_word(const toc_i_qp *q, unsigned offset, uint64_t *value);
toc_status toc_i_context_answer(const toc_i_qp *q, unsigned k, uint64_t answer[2]); /* it is out */
void toc_i_context_mark(const toc_i_qp *q);
toc_status toc_i_context_moved(const toc_i_qp *q, bool *moved);

/* ---- page.c: the words of a queue pair, wherever it is */
toc_status toc_i_qp_word(const toc_i_qp *q, unsigned offset, uint64_t *value);
toc_status toc_i_qp_answer(const toc_i_qp *q, unsigned k, uint64_t answer[2]); /* it is off */
toc_status toc_i_qp_on(toc_i_qp *q, const toc_i_page *page);
toc_status toc_i_qp_stop(toc_i_qp *q);
toc_status toc_i_qp_again(toc_i_qp *q); /* goes on behind a request that has ended badly */
toc_status toc_i_qp_bell(const toc_i_qp *q);
/* Of one that may be in memory: words that were read in between are old, if it has been saved meanwhile. */
void toc_i_qp_mark(const toc_i_qp *q);
toc_status toc_i_qp_moved(const toc_i_qp *q, bool *moved);

/* ---- peer.c: the other end of a queue pair */
typedef enum toc_i_left {
  PEER_GOES_ON,   /* the peer waits for our next packet */
  PEER_STOPPED,   /* the peer's responder has stopped; in this fabric */
  PEER_MIDDLE,    /* it waits for the rest of a message that has been given up; in this fabric */
  PEER_DISAGREES, /* its sequence number is not ours, or need not be; in this fabric */
  PEER_ELSEWHERE, /* nobody here knows */
  PEER_OVER       /* nobody here knows, and our end cannot go on */
} toc_i_left;
void toc_i_qp_address(const toc_i_qp *q, toc_address *a);
toc_i_qp *toc_i_peer(const toc_i_qp *q); /* if it is in this fabric and connected to this one */
toc_status toc_i_peer_state(const toc_i_qp *q, const toc_i_qp *y, toc_i_left *is); /* y: its peer; NULL: elsewhere */
const char *toc_i_qp_left(const toc_i_qp *q); /* what there is to do after it has stopped, as a part of a sentence */
uint32_t toc_i_bytes_around(const toc_address *to);         /* of a frame to it, from IP on, beside the payload */
const char *toc_i_silence(const toc_i_qp *q, toc_status s); /* why it does not answer, likewise */

/* ---- request.c */
enum { OP_WRITE, OP_WRITE_IMM, OP_READ, OP_ADD, OP_CAS, OP_XTQ, OP_SEND, OP_SEND_IMM };
typedef struct toc_wqe {
  uint8_t op;
  bool inv;   /* of a SEND: with invalidate */
  bool probe; /* the library's own question */
  uint16_t proc;
  uint32_t imm, len1, len2;
  uint64_t va1, va2;
  toc_remote far;
  uint64_t swap, compare;
} toc_wqe;
bool toc_i_has_entry(const toc_i_qp *q);
toc_status toc_i_room(toc_i_qp *q);
toc_status toc_i_post(toc_i_qp *q, const toc_wqe *w, toc_req *r);
/* Takes the lock; looks local memory up, waits for room, posts. */
toc_status toc_i_request(toc_i_qp *q, toc_wqe *w, const void *local, uint32_t bytes, unsigned rights, toc_req *r);
/* A request of an object. Waits until it has ended, and how. */
typedef struct toc_i_req {
  toc_i_qp *qp;
  uint32_t seq;
} toc_i_req;
toc_status toc_i_finish(toc_i_req *r, uint64_t timeout_us);
bool toc_i_ended(const toc_i_req *r);

/* ---- qp.c */
void toc_i_qp_close(toc_i_qp *q);
toc_status toc_i_qp_off(toc_i_qp *q);
/* It is off. What is under way is sent again, or is over: E_STOPPED. */
toc_status toc_i_qp_arm_at(toc_i_qp *q, const toc_qp_state *s);
toc_status toc_i_qp_arm(toc_i_qp *q, const toc_address *to, bool again);
uint64_t toc_i_qp_timeout_us(const toc_i_qp *q);

/* ---- flush.c, log.c, box.c, xtq.c, queue.c, proc.c */
void toc_i_flush_drop(toc_i_log *l);
toc_status toc_i_log_open(toc_i_proc *p, const toc_log_options *o, toc_i_log **l);
toc_status toc_i_log_close(toc_i_log *l, uint64_t timeout_us, bool force);
toc_status toc_i_box_close(toc_i_box *b);
toc_status toc_i_queue_forget(toc_i_queue *q); /* out of the table */
void toc_i_entries_drop(toc_i_proc *p);        /* of all tables */
toc_status toc_i_queue_close(toc_i_queue *q);
toc_status toc_i_proc_close(toc_i_proc *p);

/* Who listens where nobody does: a backend need not tell it anything (fabric.c). */
void toc_i_see_nothing(void *ctx, const toc_seen *s);

/* ---- little-endian words in DMA memory */
static inline uint64_t toc_i_get(const uint8_t *p, unsigned n) {
  uint64_t v = 0;
  while (n--) v = v << 8 | p[n];
  return v;
}
static inline void toc_i_put(uint8_t *p, unsigned n, uint64_t v) {
  for (unsigned i = 0; i < n; i++) p[i] = (uint8_t)(v >> 8 * i);
}
static inline uint64_t toc_i_up(uint64_t v, uint64_t to) { return (v + to - 1) & ~(to - 1); }
static inline unsigned toc_i_log2(uint64_t v) {
  unsigned n = 0;
  while (v >> 1 >> n) n++;
  return n;
}
/* [at, at + bytes) lies below 2^bits. */
static inline bool toc_i_below(uint64_t at, uint64_t bytes, unsigned bits) {
  return bytes <= 1ull << bits && at <= (1ull << bits) - bytes;
}
static inline bool toc_i_power(uint64_t v) { return v && !(v & (v - 1)); }

/* ---- queues */
static inline bool toc_i_overlap(const void *a, uint64_t a_bytes, const void *b, uint64_t b_bytes) {
  return (uintptr_t)a < (uintptr_t)b + b_bytes && (uintptr_t)b < (uintptr_t)a + a_bytes;
}
static inline uint64_t toc_i_packet_bytes(const xtq_queue_view *v) { return 64ull * v->packets; }

extern const toc_backend toc_backend_model, toc_backend_rtl, toc_backend_uio, toc_backend_vfio, toc_backend_fpga;
const toc_backend *toc_i_rtl(char *why, size_t n); /* the real one */

#endif
