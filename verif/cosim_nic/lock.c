// SPDX-License-Identifier: Apache-2.0
// Lockstep: the model beside the hardware gets its frames, notices and retire records, and its own reads; what the
// model says must come out, comes out.
//
//   writes       of each source one stream of bytes, in order; each job after the writes of other sources that it names
//   reads        a decision of the model reads what the hardware's own read of that source has brought
//   frames       in order of RetTx, every byte
//   registers    record against bus, record against model
//   task_done    a record of XT_TASK_DONE for each, and none without
//   time         both bounds of each timer, and what is owed (TIM-1, TIM-2, TIM-3, TIM-4, TIM-5, TIM-6, TIM-8,
//                TIM-9, TIM-10, TIM-11)
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dut_node.h"
#include "sw.h"
#include "tocsin/nic_time.h"
#include "words.h"

enum {
  EARLY = 20000,  // cycles that a write may come before its record
  LATE = 20000,   // and an atomic after its queue pair went off: reads that are never answered may hold it up
  COUNTED = 16,   // and the counter after a completion that is dropped
  AT_DOOR = 1,    // items with err that have been decided on, and are counted when they are taken
  BACK = 2000     // in which reads of responses that have been forgotten may still begin, held up by others
};

static const char *const source[NIC_SRC_NUM] = {
    "nic_decide (SrcResp)", "xtq_write (SrcTask)",    "nic_event (SrcEvent)",
    "nic_req (SrcReq)",     "nic_decide (SrcRead)",   "xtq_table (SrcTable)",
    "xtq_queue (SrcQueue)", "nic_decide (SrcAtomic)", "nic_ctx (SrcCtx)"};

// What has been asked to differ does: one bit of what the hardware did.
static bool slips(const node *n, const char *what) { return n->net->slip && !strcmp(n->net->slip, what); }

static void push(dut_fifo *q, dut_write *w) {
  if (!q->tail) q->tail = &q->head;
  w->next = NULL;
  *q->tail = w;
  q->tail = &w->next;
  q->n++;
}

static void pop(dut_fifo *q) {
  dut_write *w = q->head;
  q->head = w->next;
  if (!q->head) q->tail = &q->head;
  q->n--;
  free(w);
}

static dut_write *item(node *n, const void *p, size_t k) {
  dut_write *w = calloc(1, sizeof *w + k);
  if (!w) abort();
  if (k) memcpy(w->data, p, k);
  w->job.n = (uint32_t)k;
  w->cycle = n->net->cycle;
  return w;
}

// A job (or read) comes only after the writes that it names: `out` is what had left by then.
static void fences(node *n, const nic_job *j, const uint64_t *out) {
  dut_node *d = n->dut;
  for (unsigned s = 0; s < NIC_SRC_NUM; s++) {
    if (!j->after[s]) continue;
    uint64_t must = d->ends[s][j->after[s] % DUT_KEEP];
    if (out[s] < must)
      net_fail(n->net, source[j->src],
               "%s of %" PRIx64 " before a write that it must follow: %" PRIu64 " bytes of %s have left, want %" PRIu64,
               j->op == NIC_JOB_WRITE ? "write" : "read", j->va, out[s], source[s], must);
  }
}

// The byte i from where both are compared; what the field's other bytes would be is as the model has it.
static void differs(node *n, unsigned s, const dut_write *w, const dut_write *g, uint32_t i) {
  uint8_t got[4096];
  const words x = words_write(w, w->off + i);
  memcpy(got, w->data, w->job.n);
  memcpy(got + w->off, g->data + g->off, w->job.n - w->off < g->job.n - g->off ? w->job.n - w->off : g->job.n - g->off);
  net_fail(n->net, source[s], "%s: got %" PRIx64 ", want %" PRIx64, x.text, words_value(got, &x),
           words_value(w->data, &x));
}

static void match(node *n, unsigned s) {
  dut_node *d = n->dut;
  while (d->want[s].head && d->got[s].head && !n->net->failed) {
    dut_write *w = d->want[s].head, *g = d->got[s].head;
    uint64_t wva = w->job.va + w->off, gva = g->job.va + g->off;
    uint32_t k = w->job.n - w->off < g->job.n - g->off ? w->job.n - w->off : g->job.n - g->off;
    if (wva != gva || w->job.rid != g->job.rid) {
      net_fail(n->net, source[s], "%s: got %u bytes at %" PRIx64 " as %04x, want %u at %" PRIx64 " as %04x",
               words_write(w, w->off).text, g->job.n - g->off, gva, g->job.rid, w->job.n - w->off, wva, w->job.rid);
      return;
    }
    if (!w->off) fences(n, &w->job, g->out);
    for (uint32_t i = 0; i < k; i++)
      if (w->data[w->off + i] != g->data[g->off + i]) {
        differs(n, s, w, g, i);
        return;
      }
    w->off += k;
    g->off += k;
    if (w->off == w->job.n) pop(&d->want[s]);
    if (g->off == g->job.n) pop(&d->got[s]);
  }
}

// ---- what the model does
static void on_write(void *ctx, const nic_job *j, const void *data) {
  node *n = ctx;
  dut_node *d = n->dut;
  unsigned s = j->src;
  dut_write *w = item(n, data, j->n);
  w->job = *j;
  w->what = words_kind(j, d->rec, data);
  w->qp = d->qp;
  d->ends[s][(d->jobs[s] + 1) % DUT_KEEP] = d->ends[s][d->jobs[s] % DUT_KEEP] + j->n;
  d->jobs[s]++;
  if (!d->behind) mem_write(n->ref, node_at((unsigned)(j->rid - NET_RID) & 255, j->va), data, j->n);
  push(&d->want[s], w);  // compared when the record has been given: a task's packet is in two writes
}

// All of it, one read behind the other.
static bool together(const dut_read *x, const nic_job *j) {
  uint32_t k = 0;
  for (; x && k < j->n; k += x->n, x = x->next)
    if (x->va != j->va + k || x->rid != j->rid || x->op != j->op || x->n > j->n - k || !x->done) return false;
  return k == j->n;
}

// Of a packet: none of its reads failed but for a record that says so. What was read before another packet of its queue
// pair was lost, or before the requester went back for that, is forgotten.
static bool whole(const dut_node *d, const dut_read *x, const nic_job *j) {
  if (!together(x, j)) return false;
  for (uint32_t k = 0; k < j->n; k += x->n, x = x->next)
    if ((x->err && !d->flag) || x->at <= d->lost_at[d->qp]) return false;
  return true;
}

static bool fits(const dut_node *d, const dut_read *x, const nic_job *j) {
  if (d->record == NIC_RET_TX && j->src == NIC_SRC_REQ) return whole(d, x, j);
  return x->va == j->va && x->rid == j->rid && x->op == j->op && x->n <= j->n && x->done;
}

// A read that is used, or that nobody will use. What is known of queue indices stays.
static void drop(node *n, dut_read **p) {
  dut_node *d = n->dut;
  dut_read *x = *p;
  if (d->live[x->tag] == x) root_give_up(n, x);  // the hardware did so, or it could not have been decided on
  if (x->src == NIC_SRC_QUEUE && x->op == NIC_JOB_READ && x->done && !x->err && x->n == 8) {
    unsigned k = 0;
    while (k < DUT_SEEN && (d->seen[k].va != x->va || d->seen[k].rid != x->rid)) k++;
    if (k == DUT_SEEN) k = d->seen_next++ % DUT_SEEN;
    d->seen[k].va = x->va;
    d->seen[k].rid = x->rid;
    memcpy(d->seen[k].data, x->data, 8);
  }
  *p = x->next;
  free(x);
}

static bool seen(const dut_node *d, const nic_job *j, uint8_t *data) {
  for (unsigned k = 0; k < DUT_SEEN; k++)
    if (d->seen[k].va == j->va && d->seen[k].rid == j->rid) return memcpy(data, d->seen[k].data, 8);
  return false;
}

static bool followed(const dut_node *d, const nic_job *j, const uint64_t *out) {
  for (unsigned s = 0; s < NIC_SRC_NUM; s++)
    if (j->after[s] && out[s] < d->ends[s][j->after[s] % DUT_KEEP]) return false;
  return true;
}

// When the request was taken whose first packet leaves, or a NAK in the place of that. A duplicate that was not
// answered is passed over.
static void leaves(dut_node *d, const nic_retire_rec *r) {
  const unsigned qp = d->qp;
  const uint32_t psn = (uint32_t)(r->a - r->b) & 0xffffff;
  if (r->b & 0xffffff) return;
  for (uint32_t k = d->taken[qp].out; k != d->taken[qp].in; k++)
    if (d->taken[qp].psn[k % DUT_TAKEN] == psn) {
      d->taken[qp].now = d->taken[qp].at[k % DUT_TAKEN];
      d->taken[qp].out = k + 1;
      return;
    }
  d->taken[qp].now = 0;
}

// It was read for a response that was forgotten when its queue pair went back: before the request whose packet leaves
// now was taken. What had been asked for by then may still come after that; as long as it may, what cannot be this
// packet's is taken for such.
static bool forgotten(const dut_node *d, const dut_read *x, const nic_job *j) {
  const uint64_t back = d->back_at[d->qp];
  if (j->src != NIC_SRC_READ || d->record != NIC_RET_TX) return false;
  if (x->at <= d->taken[d->qp].now) return true;
  return back && x->at <= back + BACK && (!together(x, j) || !followed(d, j, x->out));
}

// Of a queue pair that went off while it was under way: cells are the queue pairs' own, but those that are shared.
static bool went_off(const dut_node *d, const dut_read *x) {
  const unsigned qp = sw_remote(x->va);
  for (unsigned k = 0; k < 256; k++)
    if ((!qp || qp == k + 1) && d->off_at[k] && x->at <= d->off_at[k] + LATE) return true;
  return false;
}

// A context is read again where a bell has found no place for it; what was read before the last time,
// of whichever, is not needed.
static void only_last(node *n, const nic_job *j) {
  dut_node *d = n->dut;
  unsigned before = 0, k = 0;
  for (const dut_read *x = d->asked[NIC_SRC_CTX]; x; x = x->next, k++)
    if (fits(d, x, j)) before = k;
  for (; before; before--, d->skipped_ctx++) drop(n, &d->asked[NIC_SRC_CTX]);
}

// The hardware's read that brought what a decision of the model asks for.
//   REQ: entries are read and packets gathered side by side, in no order of the records; an entry that is read
//   and then forgotten,
//     since its queue pair has stopped, is read again, so the last one counts.
//   QUEUE, for a log's task: it is tried again while its queue is full, without records; the last read counts here too.
//   ATOMIC: one at a time, so the last one counts; all are needed but those under way when a queue pair went off.
//   Others: in order. What was read and then not needed, since a queue pair went off, is left out.
static dut_read **find(node *n, const nic_job *j) {
  dut_node *d = n->dut;
  if (j->src == NIC_SRC_CTX) only_last(n, j);
  bool last = j->op == NIC_JOB_READ && (d->record == NIC_RET_SEND || (d->of_log && j->src == NIC_SRC_QUEUE));
  bool keep = last || d->of_log || j->src == NIC_SRC_REQ;
  dut_read **p = &d->asked[j->src];
  while (j->src == NIC_SRC_ATOMIC && *p && (*p)->next && went_off(d, *p)) {
    drop(n, p);
    d->skipped++;
  }
  while (j->src != NIC_SRC_ATOMIC && *p && (!fits(d, *p, j) || forgotten(d, *p, j))) {
    if (keep) {
      p = &(*p)->next;
    } else {
      drop(n, p);
      d->skipped++;
    }
  }
  for (dut_read **x; last && *p; p = x) {
    for (x = &(*p)->next; *x && !fits(d, *x, j);) x = &(*x)->next;
    if (!*x) break;
    if (x == &(*p)->next) x = p;  // its place, once the older is gone
    drop(n, p);
    d->skipped++;
  }
  return p;
}

// A queue pair's packets are gathered in the order in which they leave. What was gathered before this one and did not
// leave (the hardware went back, or an answer made it needless) never will, and must not be taken for a later packet
// from the same place.
static dut_read **forget_older(node *n, const nic_job *j, dut_read **found) {
  dut_node *d = n->dut;
  const dut_read *until = *found;
  dut_read **p = &d->asked[j->src];
  while (*p != until)
    if ((*p)->rid == j->rid && sw_local(j->va) && sw_local((*p)->va) == sw_local(j->va)) {
      drop(n, p);
      d->skipped++;
    } else {
      p = &(*p)->next;
    }
  return p;
}

static void on_read(void *ctx, const nic_job *j) {
  node *n = ctx;
  dut_node *d = n->dut;
  uint8_t data[4096] = {0};
  bool err = false, broken = false;
  if (d->nak && j->src == NIC_SRC_READ) leaves(d, d->nak);
  d->nak = NULL;
  dut_read **p = find(n, j);
  if (*p && d->record == NIC_RET_TX && j->src == NIC_SRC_REQ) p = forget_older(n, j, p);
  if (!*p && d->of_log && j->src == NIC_SRC_QUEUE && j->op == NIC_JOB_READ && seen(d, j, data)) {
    reach(n, REACH_EXCUSE_SEEN);
    nic_read_done(n->m, j->src, data, j->n, false);  // known since a try that found the queue full
    return;
  }
  for (uint32_t k = 0; k < j->n && !n->net->failed;) {
    dut_read *x = *p;
    if (!x || x->va != j->va + k || x->rid != j->rid || x->op != j->op || x->n > j->n - k) {
      net_fail(n->net, source[j->src],
               "decided without reading %u bytes at %" PRIx64 " as %04x (operation %u); next read: %u at %" PRIx64
               " as %04x (%u)",
               j->n - k, j->va + k, j->rid, j->op, x ? x->n : 0, x ? x->va : 0, x ? x->rid : 0, x ? x->op : 0);
      break;
    }
    if (!x->done) net_fail(n->net, source[j->src], "decided before the %u bytes of %" PRIx64 " have come", x->n, x->va);
    if (j->op != NIC_JOB_READ && (x->swap != j->swap || (j->op == NIC_JOB_CAS && x->compare != j->compare)))
      net_fail(n->net, source[j->src],
               "atomic of %" PRIx64 ": got %" PRIx64 ", %" PRIx64 ", want %" PRIx64 ", %" PRIx64, j->va, x->swap,
               x->compare, j->swap, j->compare);
    if (!k) fences(n, j, x->out);
    err |= x->err != NIC_ITEM_GOOD;
    broken |= x->err == NIC_ITEM_BROKEN;
    memcpy(data + k, x->data, x->n);
    k += x->n;
    drop(n, p);
  }
  nic_status s = err && !broken ? nic_read_refused(n->m, j->src, j->n) : nic_read_done(n->m, j->src, data, j->n, err);
  if (s != NIC_OK && !n->net->failed) net_fail(n->net, "model", "does not take an answer of source %u", j->src);
}

static void on_frame(void *ctx, const uint8_t *b, size_t k) {
  node *n = ctx;
  push(&n->dut->frames, item(n, b, k));
}

static void on_task_done(void *ctx, unsigned log) {
  node *n = ctx;
  n->dut->tasks_done[log]++;
}

void nic_lock_init(node *n) {
  static const nic_ops ops = {on_write, on_read, on_read, on_frame, on_task_done, NULL};
  nic_config c = n->cfg;
  c.Frames = 1024;  // when there is room is the hardware's affair
  nic_status s = nic_new(&c, &ops, n, &n->m);
  if (s != NIC_OK) net_fail(n->net, "model", "%s", nic_strstatus(s));
  for (unsigned i = 0; i < NIC_SRC_NUM; i++)
    if (!(n->dut->ends[i] = calloc(DUT_KEEP, sizeof *n->dut->ends[i]))) abort();
}

void nic_lock_free(dut_node *d) {
  for (unsigned s = 0; s < NIC_SRC_NUM; s++) {
    while (d->want[s].head) pop(&d->want[s]);
    while (d->got[s].head) pop(&d->got[s]);
    free(d->ends[s]);
  }
  while (d->frames.head) pop(&d->frames);
}

// ---- what the hardware does
void nic_lock_frame_in(node *n, const frame *f) {
  nic_status s = nic_rx(n->m, f->b, f->n, f->fcs_bad);
  if (s != NIC_OK) net_fail(n->net, "nic_rx", "more frames stored than the model has room for");
}

void nic_lock_task(node *n) {
  nic_status s = nic_task(n->m, n->dut->task.log, n->dut->task.prod, n->dut->task.cons);
  if (s != NIC_OK) net_fail(n->net, "xtq_task", "takes a second notice of log %u", n->dut->task.log);
}

static void forget_taken(dut_node *d, unsigned qp) { d->taken[qp].out = d->taken[qp].in; }

static void power(node *n, const nic_retire_rec *r) {
  const unsigned qp = r->a >> 8 & 0xff;
  bool *on = &n->dut->on[qp];
  if (n->cfg.Contexts && !r->flag) return;  // software's, and does nothing
  if (*on && !(r->b & 1)) n->dut->off_at[node_qp(n, qp)] = n->net->cycle, forget_taken(n->dut, node_qp(n, qp));
  *on = r->b & 1;
}

static void takes(const node *n, const nic_retire_rec *r) {
  dut_node *d = n->dut;
  const unsigned op = r->a >> 24 & 0xff, qp = d->qp, k = d->taken[qp].in % DUT_TAKEN;
  if (op != NIC_OP_READ_REQ || (r->code != NIC_FR_DONE && r->code != NIC_FR_DUP)) return;
  d->taken[qp].psn[k] = r->a & 0xffffff;
  d->taken[qp].at[k] = n->net->cycle;
  d->taken[qp].in++;
  if (d->taken[qp].in - d->taken[qp].out > DUT_TAKEN) d->taken[qp].out++;
}

static void between(node *n, unsigned i, uint64_t got, uint64_t least, uint64_t most) {
  if (got < least || got > most)
    net_fail(n->net, "nic_rd", "counter %u: got %" PRIu64 ", want %" PRIu64 " to %" PRIu64 ", as the pins have it", i,
             got, least, most);
}

// Ended with an error, and not yet asked for by the model: its item may have been counted, or be counted later.
static unsigned undecided(const dut_node *d) {
  unsigned k = 0;
  for (unsigned s = 0; s < NIC_SRC_NUM; s++)
    for (const dut_read *x = d->asked[s]; x; x = x->next) k += x->done && x->err != NIC_ITEM_GOOD;
  return k;
}

// Counters of what came of completions: the pins know. A write clears; what came just before may be counted after it.
static void strays(node *n, const nic_retire_rec *r) {
  dut_node *d = n->dut;
  bool settled = n->net->cycle - d->stray_at > COUNTED;
  if (r->kind == NIC_RET_REG_WRITE) {
    d->strays = (pin_count){.more = settled ? 0 : COUNTED};
    return;
  }
  if (r->b != d->strays.n) reach(n, REACH_EXCUSE_STRAY);
  between(n, NIC_CNT_STRAY, r->b, settled ? d->strays.n : 0, d->strays.n + d->strays.more);
}

// Of items with err those are certain that the model has decided on.
static void errors(node *n, const nic_retire_rec *r) {
  dut_node *d = n->dut;
  uint64_t decided;
  if (r->kind == NIC_RET_REG_WRITE) {
    d->errors = (pin_count){.more = undecided(d) + AT_DOOR};
    return;
  }
  if (nic_reg_read(n->m, NIC_REG_NIC_CNT + 8 * NIC_CNT_ERR, &decided) != NIC_OK) return;
  uint64_t not_yet = d->errors.more + AT_DOOR;
  between(n, NIC_CNT_ERR, r->b, decided > not_yet ? decided - not_yet : 0, d->errors.n + d->errors.more);
}

// Look-ups and items with err are counted when they are made, which may be before their record, or without any (the
// model's counter_ok). Each that is found ahead is one more that is excused.
static void ahead(const node *n, const nic_retire_rec *r, unsigned i) {
  enum { LOOKS = 3 };  // of a frame and of a log's task
  dut_node *d = n->dut;
  uint64_t want;
  uint64_t *over = i == NIC_CNT_ERR ? NULL : &d->looks_over[i == NIC_CNT_MISS];
  if (r->kind == NIC_RET_REG_WRITE && over) *over = 0;
  if (r->kind != NIC_RET_REG_READ || nic_reg_read(n->m, (uint32_t)r->a & ~7u, &want) != NIC_OK || r->b == want) return;
  reach(n, over ? REACH_EXCUSE_LOOKS : REACH_EXCUSE_ERR);
  if (!over || r->b <= want + LOOKS) return;
  for (; *over < r->b - want - LOOKS; ++*over) reach(n, REACH_EXCUSE_LOOKS_LOST);
}

static void counters(node *n, const nic_retire_rec *r) {
  const unsigned i = (unsigned)(r->a - NIC_REG_NIC_CNT) / 8;
  if (r->a < NIC_REG_NIC_CNT) return;
  if (i == NIC_CNT_STRAY) strays(n, r);
  if (i == NIC_CNT_ERR) errors(n, r);
  if (i == NIC_CNT_HIT || i == NIC_CNT_MISS || i == NIC_CNT_ERR) ahead(n, r, i);
}

// The model takes what it has decided on for counted, which an item is when it has been taken: one may still stand at
// the door. It is shown as counted; `errors` has looked at what there was.
static void at_door(const node *n, nic_retire_rec *r) {
  const uint32_t err = NIC_REG_NIC_CNT + 8 * NIC_CNT_ERR;
  uint64_t decided;
  if (r->kind != NIC_RET_REG_READ || r->a != err || nic_reg_read(n->m, err, &decided) != NIC_OK) return;
  if (r->b < decided && r->b + AT_DOOR >= decided) r->b = decided;
}

// The model's ePSN of a queue pair.
static uint64_t expected(const node *n, unsigned qp) {
  uint64_t now = 0;
  if (nic_reg_read(n->m, NIC_REG_QP_NOW + qp * NIC_REG_QP_NOW_STRIDE, &now) != NIC_OK) return 0;
  return now & NIC_QP_NOW_EPSN_MASK;
}

// What holds the hardware up in this cycle.
static unsigned held(const dut_node *d) {
  const pins *p = &d->pin;
  return (root_waits(d) ? NIC_HELD_READ : 0u) | (*p->dev_req_valid_o && !*p->dev_req_ready_i ? NIC_HELD_DMA : 0u) |
         (*p->m_axis_valid_o && !*p->m_axis_ready_i ? NIC_HELD_WIRE : 0u);
}

static void differs_in_record(node *n, const nic_retire_rec *r, nic_status s) {
  char text[160];
  uint64_t want;
  words x = {.bytes = 0};
  if (r->kind == NIC_RET_REG_READ && nic_reg_read(n->m, (uint32_t)r->a & ~7u, &want) == NIC_OK)
    x = words_register((uint32_t)r->a, r->b, want);
  net_fail(n->net, words_block(r), "%s%s%s: %s\nrecord %s", x.text, x.bytes ? ": " : "", nic_strstatus(s),
           nic_reason(n->m), net_record_text(r, text, sizeof text));
}

void nic_lock_retire(node *n, const nic_retire_rec *hw) {
  nic_retire_rec of = *hw, *r = &of;
  if (r->kind == NIC_RET_REG_READ && r->a == NIC_REG_NIC_DMA && slips(n, "register")) r->b ^= 1;
  n->dut->record = r->kind;
  n->dut->shown = true;
  n->dut->of_log = r->kind == NIC_RET_TASK && r->flag;
  n->dut->flag = r->flag;
  n->dut->qp = (uint8_t)node_qp(n, r->idx);  // by number, wherever the hardware has it
  if (r->kind == NIC_RET_REG_READ || r->kind == NIC_RET_REG_WRITE) counters(n, r), at_door(n, r);
  if (r->kind == NIC_RET_TIMER && !held(n->dut)) {
    if (r->code == NIC_TM_NO_PROGRESS) reach(n, REACH_FREE_NO_PROGRESS);
    if (r->code == NIC_TM_RNR) reach(n, REACH_FREE_RNR);
  }
  if (r->kind == NIC_RET_REG_WRITE && r->a >> 16 == NIC_REG_QP_CTL >> 16 && !(r->a & 0xff) && r->idx & 1) power(n, r);
  bool absent = r->kind == NIC_RET_TX && r->code == NIC_TX_ABSENT && r->idx < n->cfg.NumQps;
  uint64_t was = absent ? expected(n, r->idx) : 0;
  if (r->kind == NIC_RET_FRAME) takes(n, r);
  if (r->kind == NIC_RET_TX && (r->code == NIC_TX_READ || r->code == NIC_TX_ABSENT)) leaves(n->dut, r);
  n->dut->nak = r->kind == NIC_RET_TX && r->code == NIC_TX_NAK ? r : NULL;
  n->dut->rec = r;
  nic_status s = nic_retire(n->m, r);
  n->dut->rec = NULL;
  for (unsigned k = 0; k < NIC_SRC_NUM; k++) match(n, k);
  if (absent && expected(n, r->idx) != was)
    n->dut->back_at[n->dut->qp] = n->net->cycle, forget_taken(n->dut, n->dut->qp);
  bool lost = (r->kind == NIC_RET_TX && r->flag) || (r->kind == NIC_RET_TIMER && r->code == NIC_TM_LOST);
  if (lost) n->dut->lost_at[n->dut->qp] = n->net->cycle;
  if (s == NIC_OK || n->net->failed) return;
  differs_in_record(n, r, s);
}

static void slip_of_write(const node *n, unsigned src, uint8_t *b, uint32_t k) {
  enum { STATUS = 1, KERNARG_ADDRESS = 40 - 4 };
  if (src == NIC_SRC_EVENT && k == 32 && slips(n, "event")) b[STATUS] ^= 1;
  if (src == NIC_SRC_TASK && k == 60 && slips(n, "task")) b[KERNARG_ADDRESS] ^= 1;
  if (src == NIC_SRC_RESP && slips(n, "data")) b[0] ^= 1;
  if (src == NIC_SRC_CTX && slips(n, "context")) b[0] ^= 1;
}

void nic_lock_write(node *n, unsigned src, uint16_t rid, uint64_t va, const void *p, uint32_t k) {
  dut_write *g = item(n, p, k);
  slip_of_write(n, src, g->data, k);
  g->job.src = (uint8_t)src;
  g->job.rid = rid;
  g->job.va = va;
  memcpy(g->out, n->dut->written, sizeof g->out);
  push(&n->dut->got[src], g);
  match(n, src);
}

static unsigned opcode_of(const uint8_t *b, size_t k) {
  const size_t at = nic_frame_bth(b, k);
  return at < k ? b[at] : 0;
}

// Of a frame the first byte is the highest.
static uint64_t number(const uint8_t *b, const words *x) {
  uint64_t v = 0;
  for (uint32_t i = 0; i < x->bytes; i++) v = v << 8 | b[x->from + i];
  return v;
}

void nic_lock_frame_out(node *n, const uint8_t *b, size_t k) {
  dut_fifo *q = &n->dut->frames;
  if (!q->head) {
    net_fail(n->net, "nic_tx", "got a frame of %zu bytes, opcode %02x, want none", k, opcode_of(b, k));
    return;
  }
  dut_write *w = q->head;
  if (slips(n, "frame")) w->data[nic_frame_bth(w->data, w->job.n) + 11] ^= 1;
  if (w->job.n != k)
    net_fail(n->net, "nic_tx", "frame: got %zu bytes, want %u (opcode %02x, %02x)", k, w->job.n, opcode_of(b, k),
             opcode_of(w->data, w->job.n));
  for (size_t i = 0; i < k && !n->net->failed; i++)
    if (b[i] != w->data[i]) {
      const words x = words_frame(w->data, k, (uint32_t)i);
      net_fail(n->net, "nic_tx", "%s: got %" PRIx64 ", want %" PRIx64, x.text, number(b, &x), number(w->data, &x));
    }
  pop(q);
}

void nic_lock_task_done(node *n, unsigned log) {
  if (!n->dut->tasks_done[log])
    net_fail(n->net, "xtq_task", "log %u is re-armed without a record", log);
  else
    n->dut->tasks_done[log]--;
}

// Cycles in which nothing has happened: a point at which nothing may be owed. Four packets that have been read and go
// through nic_rd and nic_gather to be forgotten show nothing of it; and a peer of the wiring cases takes some 400
// before it answers.
static unsigned calm(const dut_node *d) {
  unsigned unseen = 4 * NIC_PAYLOAD_MAX / d->bb + 100;
  return unseen > 500 ? unseen : 500;
}

// Nothing is under way: nothing may be owed.
static void owes(node *n) {
  char text[200];
  unsigned k = nic_owes(n->m, text, sizeof text);
  if (k) net_fail(n->net, "model", "at rest %u things are owed: %s", k, text);
  reach(n, REACH_AT_REST);
}

void nic_lock_cycle(node *n) {
  dut_node *d = n->dut;
  reach_held(n, held(d));
  if (!n->net->failed && nic_cycle(n->m, d->bb, held(d)) != NIC_OK) net_fail(n->net, "time", "%s", nic_reason(n->m));
  d->calm = d->shown || !dut_node_idle(n) ? 0 : d->calm + 1;
  d->shown = false;
  if (d->calm == calm(d) && !n->net->failed) owes(n);
  for (unsigned s = 0; s < NIC_SRC_NUM && !(n->net->cycle & 1023); s++)
    if (d->got[s].head && n->net->cycle - d->got[s].head->cycle > EARLY)
      net_fail(n->net, source[s], "got %u bytes written at %" PRIx64 ", which no record asks for",
               d->got[s].head->job.n, d->got[s].head->job.va);
}

bool nic_lock_idle(const dut_node *d) {
  for (unsigned s = 0; s < NIC_SRC_NUM; s++)
    if (d->want[s].head || d->got[s].head) return false;
  return !d->frames.head;
}

static unsigned byte_at(mem *m, uint64_t at) {
  uint8_t b;
  mem_read(m, at, &b, 1);
  return b;
}

void dut_node_end(node *n) {
  dut_node *d = n->dut;
  uint64_t first = 0x55, k;
  for (unsigned i = NIC_CNT_HIT; i < NIC_CNT_NUM; i++) node_read(n, NIC_REG_NIC_CNT + 8 * i);
  for (unsigned s = 0; s < NIC_SRC_NUM && !n->net->failed; s++) {
    if (d->want[s].head)
      net_fail(n->net, source[s], "%s: got no write, want %u bytes (%u more writes)",
               words_write(d->want[s].head, d->want[s].head->off).text, d->want[s].head->job.n, d->want[s].n - 1);
    if (d->got[s].head)
      net_fail(n->net, source[s], "got %u bytes written at %" PRIx64 ", want none", d->got[s].head->job.n,
               d->got[s].head->job.va);
    for (const dut_read *x = d->asked[s]; x; x = x->next) d->skipped++;
  }
  reach_excuses(n);
  for (unsigned l = 0; l < NET_LOGS; l++)
    if (d->tasks_done[l]) net_fail(n->net, "xtq_task", "log %u is not re-armed", l);
  if (d->frames.head) net_fail(n->net, "nic_tx", "got no frame, want one of %u bytes", d->frames.head->job.n);
  if (nic_pending(n->m)) net_fail(n->net, "model", "%u things are still to be decided", nic_pending(n->m));
  owes(n);
  const uint64_t status = sw_va(0, SW_EQ) + 1;
  if (slips(n, "memory")) mem_write(n->mem, n->ops->where ? n->ops->where(n, 0, status) : status, &first, 1);
  if (!n->net->failed && !d->behind && (k = mem_compare(n->mem, n->ref, &first))) {
    const words x = words_memory(n, (unsigned)(first >> 56), first & ~0ull >> 8);
    net_fail(n->net, "memory", "%s: got %02x, want %02x; the first of %" PRIu64 " bytes that differ", x.text,
             byte_at(n->mem, first), byte_at(n->ref, first), k);
  }
}
