// SPDX-License-Identifier: Apache-2.0
/* The whole instance, for the files of the library only. */
#ifndef TOCSIN_AA_STATE_H
#define TOCSIN_AA_STATE_H

#include <string.h>

#include "tocsin/aa.h"
#include "tocsin/aa_count.h"
#include "tocsin/aa_cpl.h"
#include "tocsin/aa_decide.h"
#include "tocsin/aa_fault.h"
#include "tocsin/aa_flush_buf.h"
#include "tocsin/aa_log.h"
#include "tocsin/aa_notify.h"
#include "tocsin/aa_qi.h"
#include "tocsin/aa_reset.h"
#include "tocsin/aa_tag_buf.h"
#include "tocsin/aa_xlt.h"

enum { AA_PORTS_MAX = 4, AA_CNT_NOTHING = AA_CNT_NUM };

/* A packet that waits: a request in its lane, or a completion of the host. */
typedef struct aa_slot {
  tlp t;
  uint8_t *buf; /* TLP_MAX_BYTES, made when first needed */
  aa_req req;
  aa_xlate xl;
  uint32_t posted; /* non-posted: posted requests of the port that came before */
  bool bad;        /* completions: ill-formed */
  bool stalled;    /* self-running: waits for log space */
  bool walked;     /* lockstep: a walk for it has begun */
  uint64_t since;
} aa_slot;

/* Numbers run freely: head = oldest not consumed, xl = oldest not translated, tail = next to come. */
typedef struct aa_queue {
  aa_slot *ring;
  uint32_t cap, head, xl, tail;
  /* A lane: its oldest was here when translations were forgotten, and is still (XLT-24). Hardware had it for sure if it
   * was translated, or walked for: what a bench has just handed over may not be in its lane yet. */
  bool owed, sure;
} aa_queue;

static inline aa_slot *aa_queue_at(const aa_queue *q, uint32_t num) { return &q->ring[num & (q->cap - 1)]; }

/* A page that was hit and asks for nothing but the access. Valid while nothing was filled, invalidated,
 * written or waits. */
typedef struct aa_memo {
  uint64_t page;
  uint64_t who;    /* generation of the caches | requester */
  aa_tlb_set *set; /* in the IOTLB */
  aa_tlb_way *way;
} aa_memo;
enum { AA_MEMOS = 64 };

struct aa {
  aa_config cfg;
  aa_ops ops;
  void *ctx;

  uint64_t cnt[AA_CNT_NUM + 1]; /* the last: counts nothing that anybody sees */
  uint64_t port_filter[AA_PORTS_MAX];
  bool filter_any;
  unsigned mps_dw, mrrs_dw;
  struct {
    uint32_t mps_dw, mrrs_dw;
  } limits[AA_PORTS_MAX]; /* as they were at the first beat of the packet under way */
  uint32_t mps, mrrs;
  uint32_t cpl_tmo, wdog, flush_tmo;
  uint64_t rtaddr, ccmd, iotlb, iva;
  uint8_t inv_gran[2]; /* CCMD, IOTLB: granularity done, while its drain goes on */
  uint64_t drains;     /* begun, one by each invalidation */
  bool rtps;
  uint64_t scratch_word[64];

  aa_xlt xlt;
  bool aae; /* AA_CTL.AAE; xlt has what it does */
  aa_queue lane[2 * AA_PORTS_MAX];
  aa_queue cpl;
  aa_rx rx[AA_PORTS_MAX + 1]; /* the last: host_cpl */
  bool reset[AA_PORTS_MAX];
  bool fn_go; /* AA_RESET */
  uint16_t fn_rid;
  uint32_t fn_mark[AA_PORTS_MAX]; /* of each non-posted lane: what was in it */
  aa_logs logs;
  aa_tag_buf tags;
  aa_flush_buf flush;
  aa_fault fault;
  aa_qi qi;
  uint8_t rule[AA_OP_NUM][128];

  /* self-running */
  uint64_t now;
  uint32_t logs_due;         /* logs at which something may have to be published or told */
  bool due;                  /* other things may have to be done */
  bool stalled;              /* the last decision waits for log space ... */
  bool wdog_fired;           /* ... and now no longer shall */
  bool plain_alone;          /* the short way of aa_submit may be taken where nothing waits ... */
  bool plain;                /* ... and nothing does */
  aa_memo memo[2][AA_MEMOS]; /* reads, writes */
  unsigned queued;           /* requests in lanes */
  bool polled;               /* aa_poll has found all there was, and nothing has come since but plain accesses */
  uint32_t told;             /* logs whose task has been told of, until aa_tasks_told */

  char reason[192];
  uint8_t buf[TLP_MAX_BYTES + 32];
};

/* Refusals, with a text. */
#if defined(__GNUC__)
#define AA_PRINTF(a, b) __attribute__((format(printf, a, b), cold))
#else
#define AA_PRINTF(a, b)
#endif
aa_status aa_order(aa *m, const char *fmt, ...) AA_PRINTF(2, 3);
aa_status aa_differs(aa *m, const char *field, uint64_t got, uint64_t want);

/* A record that the self-running model made. */
static inline void aa_emit(aa *m, unsigned kind, bool flag, unsigned code, unsigned lane, unsigned slot, unsigned idx,
                           uint64_t a, uint64_t b) {
  if (m->ops.retire) {
    aa_retire_rec r = {(uint8_t)kind, flag, (uint8_t)code, (uint8_t)lane, (uint8_t)slot, (uint8_t)idx, a, b};
    m->ops.retire(m->ctx, &r);
  }
}

/* A write of the engine's own. owner: its log, with AA_OWNER_PTR when it is the log's pointer, or AA_LOG_NONE.
 * Self-running: an error response is recorded, and makes false. */
enum { AA_OWNER_PTR = 0x100 };
bool aa_write(aa *m, unsigned src, unsigned owner, uint64_t addr, const void *buf, size_t n, const aa_retire_rec *hw);
/* A write of the IOMMU's own failed: error, event, and what it means for the log. */
void aa_write_failed(aa *m, unsigned src, unsigned owner, uint64_t addr);

/* Sends a request on with another address. */
static inline void aa_forward(aa *m, const tlp *from, uint64_t addr) {
  uint32_t h0 = from->hdr[0], high = (uint32_t)(addr >> 32);
  uint32_t low = (uint32_t)addr | (from->hdr[2 + (h0 >> 29 & 1u)] & 3u);
  tlp t;
  memcpy(t.hdr, from->hdr, 8);
  h0 &= ~0x20008000u; /* the digest, if there was one, is no longer right */
  if (high) {
    t.hdr[0] = h0 | 0x20000000u;
    t.hdr[2] = high;
    t.hdr[3] = low;
  } else {
    t.hdr[0] = h0;
    t.hdr[2] = low;
    t.hdr[3] = 0;
  }
  t.ndw = from->ndw;
  t.data = from->data;
  t.seq = from->seq;
  t.err = false;
  m->ops.host_req(m->ctx, &t);
}

/* aa_new without looking at ranges: for an instance of which no hardware is asked. */
aa_status aa_make(const aa_config *cfg, const aa_ops *ops, void *ctx, aa **out);

/* One decision each. hw: the hardware's record, or NULL when the model runs by itself; then AA_E_BUSY: must wait. */
aa_status aa_decide(aa *m, const aa_req *q, const aa_xlate *x, const aa_retire_rec *hw);
/* What a translated request lacks now: space in its log (and must wait for it), anything else. */
enum { AA_LACKS_SPACE = 1, AA_LACKS_OTHER = 2 };
unsigned aa_decide_lacks(aa *m, const aa_req *q, const aa_xlate *x);
/* The posted requests that came before a lane's oldest have been decided. */
bool aa_in_order(const aa *m, unsigned lane);
aa_status aa_cpl_consume(aa *m, const tlp *t, bool bad_form, const aa_retire_rec *hw);
aa_status aa_cpl_timeout(aa *m, unsigned i, aa_close why, const aa_retire_rec *hw);
aa_status aa_log_publish_to(aa *m, unsigned n, uint32_t prod, const aa_retire_rec *hw);
aa_status aa_notify_do(aa *m, unsigned code, unsigned idx, bool flag, const aa_retire_rec *hw);
/* CCMD (0) or IOTLB (1) has asked for an invalidation, and none by register is being drained. */
bool aa_inval_asked(const aa *m, unsigned which);
/* A descriptor can be taken from the queue. */
bool aa_qi_due(const aa *m);
/* The reads before the wait descriptor that is under way have ended. INV-6. */
static inline bool aa_qi_drained(const aa *m) { return m->qi.drained || !m->tags.old; }
/* A lane, plus 1, for which the next invalidation waits, or, if sure, has to; 0: none. */
unsigned aa_inval_waits(const aa *m, bool sure);
aa_status aa_inval_do(aa *m, unsigned code, const aa_retire_rec *hw);

void aa_forget(aa *m);
void aa_regs_reset(aa *m);
uint64_t aa_regs_read(const aa *m, uint32_t addr);
void aa_regs_write(aa *m, uint32_t addr, uint64_t data, unsigned strb);

/* Self-running: the logs that have told of a task since the last call. Records say the same, but who asks for records
 * is never taken the short way of aa_submit. */
uint32_t aa_tasks_told(aa *m);

/* Sends the UR that answers a request. */
void aa_cpl_refuse(aa *m, unsigned port, const uint32_t req[4], uint8_t seq);

#endif
