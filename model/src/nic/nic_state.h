// SPDX-License-Identifier: Apache-2.0
/* The whole instance, for the files of the library only. Every decision is a function x_do(m, ..., hw): with the
 * hardware's record, or with NULL when the model runs by itself; then NIC_E_BUSY: not due, or it waits. */
#ifndef TOCSIN_NIC_STATE_H
#define TOCSIN_NIC_STATE_H

#include <string.h>

#include "../le.h"
#include "tocsin/nic.h"
#include "tocsin/nic_frame.h"
#include "tocsin/nic_mr.h"
#include "tocsin/nic_regs.h"
#include "tocsin/xtq_rbuf.h"
#include "tocsin/xtq_rewrite.h"

enum {
  NIC_PROCS_MAX = 16,
  NIC_QPS_MAX = 256,
  NIC_LOGS_MAX = 32,
  NIC_RECV_MAX = XTQ_RBUFS_MAX,
  NIC_EVENTS = 4096,
  NIC_MARKS = 64
};

/* ---- reads: nic_fetch.c ------------------------------------------------------------------------------------------ */

/* What a decision has read. It is made again from its start when an answer has come, and finds here
 * what it had asked for. */
typedef struct nic_read {
  nic_job job;
  uint8_t nth;
  bool done, err, refused;
  uint32_t ticket, at;
} nic_read;
typedef struct nic_memo {
  unsigned num;
  uint32_t used;
  bool refused; /* with NIC_GOT_ERR: by memory, and nothing else went wrong */
  nic_read item[32];
  uint8_t buf[4096 + 512];
} nic_memo;
typedef enum nic_got { NIC_GOT, NIC_GOT_ERR, NIC_WAIT } nic_got;

/* ---- time: nic_time.c -------------------------------------------------------------------------------------------- */

/* Something that has to come: since then, counted in cycles that nothing held up. */
typedef struct nic_due {
  bool on;
  uint64_t since;
} nic_due;
enum {
  NIC_DUE_SEND,
  NIC_DUE_TX,
  NIC_DUE_ENDS,
  NIC_DUE_LOST,
  NIC_DUE_QUIET,
  NIC_DUE_PROGRESS,
  NIC_DUE_RNR,
  NIC_DUE_NUM /* of a queue pair */
};

/* ---- frames ------------------------------------------------------------------------------------------------------ */
typedef struct nic_stored {
  nic_head h;
  bool named; /* RetRx has been seen */
  uint8_t pay[NIC_PAYLOAD_MAX];
} nic_stored;

/* ---- events ------------------------------------------------------------------------------------------------------ */
typedef struct nic_event {
  uint8_t proc, kind, status;
  uint16_t qp; /* its QP_NAME */
  bool kept;
  uint32_t word, len, bytes;
  uint64_t addr;
  uint32_t after[NIC_SRC_NUM];
  uint64_t free; /* time.free when it was decided */
} nic_event;
typedef struct nic_ring {
  uint64_t base, msia;
  uint32_t msid, prod, cons, kept;
  uint8_t size;
  bool en, lost, bad, armed;
  nic_due due;   /* its MSI */
  uint32_t back; /* lockstep: places given back of late, and when the last was (time.free) */
  uint64_t back_at;
} nic_ring;

/* ---- queue pairs ------------------------------------------------------------------------------------------------- */
typedef struct nic_req {
  uint16_t entry;
  uint8_t op, flags, bad;   /* bad: NIC_ST_... found when it was read or gathered */
  uint32_t first, n, got;   /* PSNs; read, atomic: answered packets */
  uint32_t len1, len2, imm; /* imm: also kind */
  uint64_t va1, va2, remote, swap, compare;
  uint32_t rkey;
  uint16_t target;
  uint32_t born;    /* epoch in which it was read */
  uint64_t read_at; /* cycle */
} nic_req;

/* A message of XtqPut or SEND under way. */
typedef struct xtq_msg {
  uint8_t cmd[XTQ_CMD]; /* rewritten */
  uint64_t next;        /* where its next packet's bytes go */
  uint16_t queue;
  uint32_t number, left, got; /* SEND: its buffer, room, bytes so far */
} xtq_msg;

enum { NIC_MSG_NONE, NIC_MSG_WRITE, NIC_MSG_XTQ, NIC_MSG_SEND };

/* Lockstep: of a queue pair that was turned off or on, what hardware had on its way. */
typedef struct nic_before {
  uint64_t ctl, mac, peer, ringc, vlan;
  nic_ip6 ip6;
  nic_req *req;
  unsigned head, num, reads;
} nic_before;

/* An ACK, NAK or RNR NAK that waits; after: the end of the queue of responses when it came. */
typedef struct nic_ack {
  bool on;
  uint8_t syndrome;
  uint32_t psn, msn, after;
} nic_ack;

/* Congestion that this NIC has seen: nic_cnp.c. */
typedef struct nic_cnp {
  bool owed;
  uint64_t least; /* the next may leave then */
  uint64_t from;  /* lockstep: its time began then at the latest */
  nic_due due;
} nic_cnp;

/* Congestion that the peer has told of: nic_rate.c. */
typedef struct nic_rate {
  bool had, slow; /* what is not slow has nothing of what follows */
  uint16_t rate, target, alpha;
  uint8_t stage, calms, raises; /* the last two in visits */
  int64_t bucket;               /* bytes; lockstep: at most */
  /* lockstep: visits without a record are not seen, packets later than hardware decides on them */
  uint64_t had_at;
  bool known;
  uint64_t at;            /* the last record */
  uint8_t early, late;    /* visits since, at most and at least */
  int64_t debt;           /* what the bucket has less than 0 at most, */
  uint64_t clear_at;      /* and when that became nothing */
  int64_t surely;         /* as long as this is less than 0 it is held back, whatever has been decided on when */
  uint64_t cut_free;      /* time.free at the last cut */
  unsigned before, after; /* packets that may have been decided on before it was slow, or before it no longer was */
} nic_rate;

typedef struct nic_answer { /* of an atomic */
  uint64_t psn, value;
} nic_answer;

typedef struct nic_qp {
  uint64_t ctl, mac, peer, psn, ring, ringc, vlan; /* as registers have them */
  uint64_t begin, begin_msg, begin_va, begin_rest;
  nic_ip6 ip6;
  uint16_t name;

  /* responder */
  uint32_t epsn, msn;
  uint32_t again; /* PSNs from ePSN on that have been taken before: hPSN - ePSN */
  bool told;      /* a NAK of this ePSN has been queued */
  nic_ack ack;
  bool resp_err;
  uint8_t msg;
  uint32_t rkey;
  uint64_t va, left;
  xtq_msg xtq;
  nic_answer answer[64]; /* the oldest first; behind the `answers` that count is what software has written there, and
                            what has been forgotten */
  unsigned answers;

  /* requester */
  uint16_t prod, cons, fetch; /* entries: ready, finished, read */
  uint16_t cons_was;          /* lockstep: before the last one that ended by itself, and when that was */
  uint64_t cons_at;
  uint32_t una, cur, nxt,
      end;      /* PSNs: oldest not acknowledged, to be sent next, never sent, not yet given to an entry */
  nic_req *req; /* 2 * Requests of them: a packet of one that has ended may still leave */
  unsigned head, num;
  bool send_err, bad_prod;
  bool lost; /* the packet at lpsn could not be read: it ends its request when all before it is acknowledged */
  uint32_t lpsn;
  uint8_t code;
  uint32_t
      epoch; /* how often it has gone back or ended a request badly with packets sent since, been turned off or on */
  unsigned retries, rnrs;
  bool rnr_wait;
  bool asked; /* una has been asked for again by an answer since it moved, or since its time-out */
  /* lockstep: hardware decides on a packet, or an entry, some time before its record */
  uint32_t back;       /* where cur would be if answers did not move it on */
  uint32_t stopped;    /* epoch from the last bad end on: packets of an older one were under way then */
  unsigned gone;       /* requests that were under way when it stopped, until the next one begins */
  unsigned late_waits; /* packets that it may have decided on before a wait */
  unsigned late_reads; /* entries that it had begun to read when it stopped */
  bool changing;       /* turned off or on, and it has not yet been said that all before is through */
  bool losing;         /* a packet's bytes could not be read, and it has not yet been said what that means */
  nic_before before;
  /* The time of no progress begins not before since_from and not after since: in between hardware has
   * decided on a packet. */
  uint64_t rnr_from, rnr_until, since_from, since;
  nic_due due[NIC_DUE_NUM], ack_due;

  nic_cnp cnp;
  nic_rate rate;
} nic_qp;

/* ---- responses --------------------------------------------------------------------------------------------------- */
enum { NIC_RSP_READ, NIC_RSP_ATOMIC, NIC_RSP_REPLAY };
typedef struct nic_reply {
  uint8_t kind, qp, op;
  bool dead;
  bool paged, fresh; /* of a region whose pages may be absent; it has moved ePSN, */
  uint32_t from;     /* from here */
  uint32_t psn, msn, n, sent, len;
  uint64_t va, swap, compare; /* replay: swap = the stored answer */
  uint32_t after[NIC_SRC_NUM];
} nic_reply;

/* ---- XTQ --------------------------------------------------------------------------------------------------------- */
typedef struct xtq_queue_state { /* indices as last seen */
  bool known;
  uint64_t index, read;
} xtq_queue_state;
typedef struct xtq_line {
  bool valid;
  uint8_t proc, table;
  uint16_t index;
  uint64_t word[4];
} xtq_line;
typedef struct xtq_desc {
  uint64_t base, doorbell, block, size;
  bool multi, mirror, events;
  xtq_queue_state *state;
} xtq_desc;
typedef struct xtq_place { /* a slot that is ours */
  xtq_desc d;
  uint64_t index;
} xtq_place;
typedef struct xtq_enq {
  uint8_t proc;
  uint16_t qp, queue; /* qp: its QP_NAME */
  uint64_t index, base, size, doorbell, block;
  bool mirror, events;
  uint8_t packet[XTQ_CMD];
} xtq_enq;
enum { XTQ_ENQS = 64 };
typedef struct xtq_log {
  uint64_t ctl; /* register */
  uint8_t packet[XTQ_CMD];
  bool notice, busy, tell; /* a notice waits; a task is not done; which makes an event */
  uint8_t proc;
  uint32_t prod, cons;
  uint64_t not_before;
  bool refused; /* and tried again later */
  uint64_t refused_at;
  nic_due due;
} xtq_log;

/* ---- contexts in memory: nic_ctx.c ------------------------------------------------------------------------------- */
enum {
  NIC_CTX_WORDS = 16, /* of a page that are saved */
  NIC_CTX_LOADS = 12, /* that are loaded, besides these: */
  NIC_CTX_LOAD_NAME = NIC_CTX_LOADS,
  NIC_CTX_LOAD_CTL,
  NIC_CTX_LOAD_PROD,
  NIC_CTX_ANSWERS = 64
};
enum { NIC_CTX_IDLE, NIC_CTX_SAVING, NIC_CTX_LOADING };
typedef struct nic_place {
  bool used, met; /* met: by a frame or a bell of late */
  uint16_t ctx;
  uint64_t worked_at; /* lockstep: when it was seen at work last */
  /* lockstep, of time.free: when it was not at work last; when its context was loaded, and when its place began to be
   * made ready for that */
  uint64_t rested, loaded, began;
} nic_place;
typedef struct nic_bell {
  bool on;
  uint16_t prod;
} nic_bell;
typedef struct nic_contexts {
  uint64_t reg;   /* NIC_CTX */
  uint64_t began; /* lockstep: a place is made ready, since when (time.free); 0: none is */
  uint16_t close;
  bool closing;
  bool said; /* of the context of frame said_frame it is known that it comes into no place */
  uint32_t said_frame;
  nic_place place[NIC_QPS_MAX];
  nic_bell *bell;
  uint16_t *rung; /* the contexts whose bells wait, the oldest first */
  unsigned bells;
  uint32_t *wrote; /* of each context: writes of NIC_SRC_CTX up to its last one */
  /* lockstep: what is under way at place `at`, and what has been written there, or read: a bit a word, or how many */
  uint8_t step;
  unsigned at;
  unsigned have, have_answers;
  uint64_t table; /* NIC_CTX when the save began */
  uint64_t word[NIC_CTX_WORDS], answer[2 * NIC_CTX_ANSWERS];
} nic_contexts;

struct nic {
  nic_config cfg;
  nic_ops ops;
  void *ctx;
  uint64_t now;
  struct { /* lockstep: told of each cycle; free: cycles that nothing held up; new_tick: when NIC_TICK was written */
    bool on,
        rsp_cut; /* rsp_left: `free` at the last RetTx of a response; rsp_cut: it was that one's last before its time */
    unsigned beat;
    uint64_t free, new_tick, rsp_left;
    uint64_t mark[NIC_MARKS]; /* free at every NIC_TIME_VISIT cycles */
    nic_due rx, frame, rsp, task, table;
  } time;

  nic_self self;
  uint64_t qpn, rid, dma, cpl_tmo, tick, cnp_reg, rate_reg, raise_reg;
  uint64_t visited; /* self-running: when queue pairs were visited last */
  unsigned cnp_turn;
  uint64_t cnt[NIC_CNT_NUM];
  nic_mr mr[NIC_MRS_MAX];

  nic_stored *frame;
  bool lockstep;
  uint32_t frame_head, frame_named, frame_tail;
  struct { /* lockstep: the oldest frame is an answer, and the requests before it have ended already */
    bool on;
    uint32_t una; /* before that */
    uint16_t cons;
  } begun;
  struct {
    uint8_t *code; /* verdicts that no RetRx has named; ring of 2 * Frames */
    uint32_t head, tail;
  } judged;

  nic_qp qp[NIC_QPS_MAX];
  nic_req *reqs;
  unsigned turn;

  nic_contexts contexts;
  nic_reply *rsp;
  uint32_t rsp_head, rsp_tail;
  nic_ack leaving; /* lockstep: one that hardware has chosen, and another has come for its place since */
  unsigned leaving_qp;

  nic_ring eq[NIC_PROCS_MAX];
  nic_event *event; /* decided, not yet written */
  unsigned events;

  xtq_rbufs rbuf[NIC_PROCS_MAX];
  uint64_t rb_addr[NIC_PROCS_MAX], rb_post[NIC_PROCS_MAX], xt_base[NIC_PROCS_MAX];
  bool rb_bad[NIC_PROCS_MAX];
  uint64_t xt_w[4], xt_cmd;
  bool xt_busy, xt_bad;
  xtq_line *table;        /* on-chip: (proc * 3 + table) << TableBits | index; cached: lines of code, then of queues */
  xtq_queue_state *queue; /* beside the queues */
  xtq_enq enq[XTQ_ENQS];
  uint32_t enq_head, enq_tail;
  xtq_log log[NIC_LOGS_MAX];

  uint32_t packet_writes; /* of writes[NIC_SRC_TASK]: up to the last one of a packet, not of a log's task */
  uint32_t writes[NIC_SRC_NUM], asked[NIC_SRC_NUM], answered[NIC_SRC_NUM];
  uint32_t expect[NIC_SRC_NUM][64]; /* bytes of the reads not answered */
  nic_memo m_frame, m_rsp, m_req, m_task, m_table, m_ctx;
  unsigned req_owner; /* QP whose decision m_req belongs to, or NIC_QPS_MAX */
  /* Running by itself: what may have something to do. False: it has nothing, and need not be asked. */
  struct {
    bool acks, cnps, tasks, requests, msis;
    uint64_t qps[NIC_QPS_MAX / 64]; /* requesters */
  } perhaps;
  unsigned task_owner;

  uint64_t excuses[NIC_EXCUSE_NUM];
  uint64_t cleared;                 /* counters, a bit each */
  uint64_t cleared_now, cleared_at; /* lockstep: those that software cleared in the cycle `cleared_at` */
  uint64_t looks_lost; /* frames whose queue pair went off while they waited: their look-ups were counted for nothing */
  char reason[192];
  uint8_t out[NIC_FRAME_MAX];
  uint8_t buf[NIC_PAYLOAD_MAX + XTQ_CMD];
};

/* ---- shared: nic.c ----------------------------------------------------------------------------------------------- */
#if defined(__GNUC__)
#define NIC_PRINTF(a, b) __attribute__((format(printf, a, b), cold))
#else
#define NIC_PRINTF(a, b)
#endif
nic_status nic_order(nic *m, const char *fmt, ...) NIC_PRINTF(2, 3);
nic_status nic_differs(nic *m, const char *field, uint64_t got, uint64_t want);
/* The end of a decision: compares idx, a and b with the record, or makes one; counts it. */
nic_status nic_retired(nic *m, const nic_retire_rec *hw, nic_retire_rec want);
void nic_clear(nic *m, unsigned counter); /* by software */

enum { NIC_LOOKS = 3 }; /* look-ups of a frame and of a log's task that have no record yet */
enum { NIC_LATE = 64 }; /* packets that hardware may have decided on and not yet recorded */
static inline unsigned req_slots(const nic *m) { return 2 * m->cfg.Requests; }
static inline uint32_t psn24(uint32_t v) { return v & 0xffffff; }
static inline int32_t psn_diff(uint32_t a, uint32_t b) { return (int32_t)((a - b) << 8) >> 8; }
static inline uint64_t field(uint64_t v, uint64_t mask, unsigned lsb) { return (v & mask) >> lsb; }
#define NIC_FIELD(v, F) field((v), NIC_##F##_MASK, NIC_##F##_LSB)

static inline bool qp_on(const nic_qp *q) { return q->ctl & NIC_QP_CTL_EN_MASK; }
/* The peer's address. One of IPv4 among those of IPv6, ::ffff:a.b.c.d, is IPv4. */
static inline void qp_peer(const nic_qp *q, nic_head *h) {
  bool mapped = q->ip6.hi == 0 && q->ip6.lo >> 32 == 0xffff;
  h->v6 = (q->ctl & NIC_QP_CTL_IPV6_MASK) && !mapped;
  h->ip6 = h->v6 ? q->ip6 : (nic_ip6){0, 0};
  h->ip = h->v6 ? 0 : (uint32_t)(q->ctl & NIC_QP_CTL_IPV6_MASK ? q->ip6.lo : NIC_FIELD(q->peer, QP_PEER_IP));
}
static inline unsigned qp_vid(const nic_qp *q) { return q->ctl & NIC_QP_CTL_VLAN_MASK ? q->vlan & 0xfff : 0; }
static inline unsigned qp_proc(const nic_qp *q) { return (unsigned)NIC_FIELD(q->ctl, QP_CTL_PROC); }
static inline uint32_t qp_mtu(const nic_qp *q) {
  uint64_t code = NIC_FIELD(q->ctl, QP_CTL_MTU);
  return 128u << (code < 1 ? 1 : code > 5 ? 5 : code);
}
static inline uint32_t packets(uint64_t bytes, uint32_t mtu) { return bytes ? (uint32_t)((bytes + mtu - 1) / mtu) : 1; }
static inline uint16_t proc_rid(const nic *m, unsigned proc) { return (uint16_t)(m->rid + proc); }

/* A write of ours; after: NULL, or what must have left before. */
void nic_write(nic *m, unsigned src, unsigned proc, uint64_t va, const void *data, uint32_t n, const uint32_t *after);
/* Fills in what every frame of a QP says, and sends it. */
void nic_send(nic *m, const nic_qp *q, nic_head *h, const uint8_t *pay);
bool nic_is_ours(const nic *m, const nic_head *h); /* for a QP that is on, from its peer */
static inline bool nic_is_answer(unsigned op) { return op >= NIC_OP_READ_FIRST && op <= NIC_OP_ATOMIC_ACK; }

/* nic_time.c: too early? `from`: since when there has been no progress. */
uint64_t nic_time_tick(const nic *m);
nic_status nic_time_no_progress(nic *m, unsigned i, uint64_t from);
nic_status nic_time_rnr(nic *m, unsigned i);
nic_status nic_time_task(nic *m, unsigned log);
nic_status nic_time_cnp(nic *m, unsigned i);
nic_status nic_time_visit(nic *m, unsigned i, unsigned n); /* the n-th after the last record; 0: any */
uint64_t nic_time_turn(const nic *m);
uint64_t nic_time_visits_of_turns(
    const nic *m); /* how many may have been in the last two turns; NIC_MARKS: nobody knows */
/* nic_due.c: a record has been taken. */
void nic_due_done(nic *m, const nic_retire_rec *r);

/* nic_fetch.c */
nic_got nic_fetch(nic *m, nic_memo *o, const nic_job *j, unsigned nth, const uint8_t **data);
nic_job nic_read_job(const nic *m, unsigned src, unsigned proc, uint64_t va, uint32_t n);
/* A slot of a queue may have been taken already: the decision stands. */
bool nic_memo_pinned(const nic_memo *o);
static inline void memo_clear(nic_memo *o) {
  o->num = 0;
  o->used = 0;
}

/* nic_qp.c */
void nic_qp_reset(nic *m);
void nic_qp_start(nic *m, unsigned i);
void nic_qp_stop(nic *m, unsigned i);
uint64_t nic_qp_read(const nic *m, unsigned i, unsigned reg);
void nic_qp_write(nic *m, unsigned i, unsigned reg, uint64_t v, uint64_t mask);

/* nic_ctx.c */
nic_status nic_ctx_new(nic *m);
void nic_ctx_free(nic *m);
bool nic_ctx_on(const nic *m);
int nic_ctx_qp(const nic *m,
               const nic_head *h);      /* the queue pair, or place, of a frame; -1: it is for none that is here */
bool nic_ctx_frame_waits(const nic *m); /* the oldest one, for its context */
void nic_ctx_frame_done(nic *m, const nic_head *h);
uint64_t nic_ctx_reg(const nic *m, uint32_t addr);
void nic_ctx_write(nic *m, uint32_t addr, uint64_t v, uint64_t mask);
bool nic_ctx_refuses(const nic *m, uint32_t addr);          /* software's write */
nic_status nic_ctx_run(nic *m);                             /* by itself: the next thing that is due */
nic_status nic_ctx_moved(nic *m, const nic_retire_rec *hw); /* lockstep: RetCtx */
nic_status nic_ctx_wrote(nic *m, const nic_retire_rec *r);  /* lockstep: registers of a place, by the NIC itself */
nic_status nic_ctx_read(nic *m, const nic_retire_rec *r);
void nic_ctx_look(nic *m); /* lockstep: time has passed */
unsigned nic_ctx_pending(const nic *m);

/* nic_decide.c, nic_acks.c, nic_reply.c */
nic_status nic_decide_do(nic *m, const nic_retire_rec *hw);
nic_status nic_acks_put(nic *m, unsigned i, uint32_t psn, unsigned syndrome, const nic_retire_rec *hw, bool *met);
nic_status nic_acks_do(nic *m, const nic_retire_rec *hw);
bool nic_acks_theirs(const nic *m, const nic_retire_rec *hw);
bool nic_acks_due(const nic *m, unsigned i); /* one waits for nothing but its turn */
bool nic_acks_leaving(const nic *m, unsigned i);
unsigned nic_acks_pending(const nic *m);
void nic_acks_forget(nic *m, unsigned i);
nic_status nic_reply_do(nic *m, const nic_retire_rec *hw);
enum { RSP_NO_ROOM, RSP_DOUBT, RSP_ROOM };
unsigned nic_reply_pending(const nic *m); /* that are not forgotten */
unsigned nic_reply_room(const nic *m);
nic_reply *nic_reply_push(nic *m, unsigned qp, unsigned kind, uint32_t psn);
void nic_reply_forget(nic *m, unsigned qp);

/* nic_cnp.c, nic_rate.c */
void nic_cnp_mark(nic *m, unsigned i); /* a marked frame of it */
nic_status nic_cnp_do(nic *m, const nic_retire_rec *hw);
bool nic_cnp_due(const nic *m, unsigned i); /* one leaves now; lockstep: its time is over, surely */
void nic_cnp_forget(nic *m, unsigned i);
void nic_cnp_written(nic *m);           /* NIC_CNP */
void nic_rate_told(nic *m, unsigned i); /* by a CNP */
void nic_rate_forget(nic *m, unsigned i);
nic_status nic_rate_do(nic *m, const nic_retire_rec *hw);
void nic_rate_advance(nic *m);
uint64_t nic_rate_reg(const nic *m, unsigned i);
nic_status nic_rate_spend(nic *m, unsigned i, uint32_t bytes); /* a packet of a request */
bool nic_rate_held(const nic *m, unsigned i);                  /* lockstep: perhaps */
bool nic_rate_surely_held(nic *m, unsigned i);                 /* lockstep */
bool nic_rate_just_free(const nic *m, unsigned i); /* lockstep: it may have been held back until a moment ago */
uint64_t nic_rate_next(const nic *m, unsigned i);  /* lockstep: when its next record comes */
void nic_rate_look(nic *m, unsigned i);            /* lockstep: time has passed */

/* nic_req.c, nic_ack.c */
nic_status nic_req_read(nic *m, unsigned i, const nic_retire_rec *hw); /* RetSend */
void nic_req_back(nic_qp *q, const nic_retire_rec *hw);                /* to the oldest not acknowledged */
nic_status nic_req_send(nic *m, unsigned i, const nic_retire_rec *hw); /* RetTx */
bool nic_req_may_read(const nic *m, unsigned i);                       /* an entry; without doubt */
bool nic_req_may_send(const nic *m, unsigned i);                       /* a packet */
bool nic_req_ends(const nic *m, unsigned i);                           /* the oldest request, by itself */
nic_status nic_req_timer(nic *m, unsigned i, const nic_retire_rec *hw);
nic_status nic_req_rnr(nic *m, unsigned i, const nic_retire_rec *hw); /* the time of an RNR NAK is over */
nic_status nic_req_quiet(nic *m, unsigned i,
                         const nic_retire_rec *hw); /* what it had on its way when turned off is through */
void nic_req_settle(nic *m, unsigned i);            /* ends what has been answered */
void nic_req_fail(nic *m, unsigned i, unsigned status, const nic_retire_rec *hw); /* ends the oldest badly */
void nic_req_forget(nic *m, unsigned i);                                          /* all under way, without event */
unsigned nic_ack_judge(const nic *m, unsigned i, const nic_head *h);              /* NIC_FR_... */
/* Lockstep: hardware ends the requests before an answer one after the other and makes the record with the last step.
 * True: the oldest frame is such an answer of this QP, and they have ended now. */
bool nic_ack_begin(nic *m, unsigned qp);
bool nic_ack_begin_named(nic *m, uint64_t name); /* by QP_NAME */
bool nic_ack_begin_any(nic *m);                  /* of whichever QP: the places of what has ended are free for others */
void nic_ack_take(nic *m, unsigned i, const nic_head *h, const uint8_t *pay, const nic_retire_rec *hw);

uint64_t nic_answer_read(const nic *m, uint32_t addr);
void nic_answer_write(nic *m, uint32_t addr, uint64_t v, uint64_t mask);

/* nic_event.c */
bool nic_event_room(const nic *m, unsigned proc, unsigned places);
/* Hardware may find no room where the model does: it takes places before the record that says so. */
bool nic_event_doubt(const nic *m, unsigned proc);
/* There is no room, or hardware has said so and there is doubt. */
bool nic_event_none(nic *m, unsigned proc, unsigned places, bool said);
void nic_event_keep(nic *m, unsigned proc, unsigned places);
void nic_event_release(nic *m, unsigned proc, unsigned places);
void nic_event_add(nic *m, const nic_event *e);
nic_status nic_event_do(nic *m, const nic_retire_rec *hw);
bool nic_event_msi_due(const nic *m, unsigned proc);
uint64_t nic_event_reg(const nic *m, unsigned proc, unsigned reg);
void nic_event_write(nic *m, unsigned proc, unsigned reg, uint64_t v, uint64_t mask);

/* xtq_table.c */
nic_status xtq_table_init(nic *m);
nic_got xtq_table_find(nic *m, nic_memo *o, unsigned proc, unsigned table, uint64_t index, const uint64_t **word,
                       xtq_queue_state **state);
nic_status xtq_table_do(nic *m, const nic_retire_rec *hw);
void xtq_table_cmd(nic *m);
/* xtq_queue.c */
bool xtq_queue_desc(const uint64_t w[4], xtq_queue_state *s, xtq_desc *d);
unsigned xtq_queue_place(nic *m, nic_memo *o, unsigned proc, const xtq_desc *d,
                         xtq_place *p); /* NIC_WHY_..., XTQ_WAIT */
void xtq_queue_commit(const xtq_place *p);
void xtq_queue_enqueue(nic *m, const xtq_enq *e, unsigned log);
enum { XTQ_WAIT = 255 };
/* xtq_target.c: why a packet is refused, or XTQ_WAIT; then the same with its effects */
typedef struct xtq_plan {
  unsigned why;
  uint16_t queue;
  xtq_place place;
  bool room;
  uint32_t number;
  uint64_t at;
  uint8_t cmd[XTQ_CMD];
  xtq_entry code;
} xtq_plan;
void xtq_target_judge(nic *m, nic_qp *q, const nic_head *h, const uint8_t *pay, bool no_event, xtq_plan *p);
void xtq_target_take(nic *m, unsigned qp, const nic_head *h, const uint8_t *pay, const xtq_plan *p);
void xtq_target_receive(nic *m, unsigned qp, const nic_head *h, const uint8_t *pay, const xtq_plan *p); /* a SEND */
void xtq_target_give_up(nic *m, unsigned qp); /* its message, if it is in one, comes to nothing */
void xtq_target_drop(nic *m, unsigned proc);  /* RB_DROP */
/* xtq_task.c */
nic_status xtq_task_do(nic *m, const nic_retire_rec *hw);
void xtq_task_is_done(nic *m, unsigned log);

/* nic_regs.c */
void nic_regs_reset(nic *m);
uint64_t nic_regs_read(const nic *m, uint32_t addr);
void nic_regs_write(nic *m, uint32_t addr, uint64_t data, unsigned strb);

#endif
