// SPDX-License-Identifier: Apache-2.0
// Completions of the hardware's reads: every legal split, delay and order; and, when memory fails, every kind of
// failure, with answers that never come or come when the read has been given up, and completions that nobody has asked
// for. What each does to its tag is the golden model's verdict (tocsin/nic_dma.h), when one is too late the model's
// bounds of NIC_CPL_TMO (tocsin/nic_time.h).
//
//   request --> live --last completion, or one that ends it--> free
//                 |--malformed, or no answer in time--> given up --NIC_TAG_FREE--> free
#include <stdlib.h>
#include <string.h>

#include "dut_node.h"
#include "hw_tags.h"
#include "sw.h"
#include "tocsin/nic_time.h"

enum {
  HASTE = 1000,   // cycles before its time is over that a read is answered first of all
  MOMENT = 200,   // and those in which the answer at the last moment is made ready
  SELDOM = 1000,  // one of so many good reads is answered at the last moment
  STRAYS = 4000   // one of so many cycles brings a completion that nobody waits for
};

static uint64_t first(const dut_node *d, const dut_read *x) { return nic_time_give_up_first(d->tmo, x->offered); }
static uint64_t last(const dut_node *d, const dut_read *x) {
  return nic_time_give_up_last(d->tmo, DUT_TAGS, x->offered);
}
static bool silent(const dut_read *x) { return x->how == CPL_LOST || x->how == CPL_LATE; }

// ---- what comes
static unsigned beats(const dut_node *d, const pkt *p) { return p->ndw ? (p->ndw + d->bd - 1) / d->bd : 1; }

static pkt *completion(const dut_read *x, unsigned status, uint32_t left, uint64_t at, uint32_t ndw) {
  tlp_fields f;
  memset(&f, 0, sizeof f);
  f.type = ndw ? TLP_CPLD : TLP_CPL;
  f.length = (uint16_t)ndw;
  f.rid = x->rid;
  f.tag = x->tag;
  f.cid = 0x0008;
  f.status = (uint8_t)status;
  f.byte_count = (uint16_t)left;
  f.lower_addr = (uint8_t)(at & 0x7F);
  pkt *p = pkt_new(ndw);
  tlp_pack(&f, p->hdr);
  p->ndw = ndw;
  p->seq = x->src;
  return p;
}

// The next piece of an answer with data.
static pkt *piece(node *n, dut_read *x) {
  dut_node *d = n->dut;
  rng *r = &n->net->rng;
  uint32_t left = x->n - x->sent;
  uint64_t pos = x->va + x->sent, at = pos & ~3ull, stop = x->va + x->n;
  if (x->op != NIC_JOB_READ) {
    pkt *p = completion(x, TLP_SC, 8, 0, 2);
    le_put(p->data, 8, x->value);
    x->sent = 8;
    return p;
  }
  // the furthest border that keeps within MPS, then any one before it
  uint64_t far = (at + d->prof.mps) & ~(uint64_t)(d->prof.rcb - 1),
           near = (pos + d->prof.rcb) & ~(uint64_t)(d->prof.rcb - 1);
  if (((stop + 3) & ~3ull) - at > d->prof.mps || (near < stop && rng_1in(r, 3))) {
    uint64_t to = far;
    if (near < far && rng_1in(r, 2))
      to = near + d->prof.rcb * (uint64_t)rng_below(r, (uint32_t)((far - near) / d->prof.rcb + 1));
    if (to < stop) stop = to;
  }
  uint32_t ndw = (uint32_t)((stop - at + 3) / 4), k = (uint32_t)(stop - pos);
  pkt *p = completion(x, TLP_SC, left, pos, ndw);
  for (uint32_t i = 0; i < 4 * ndw; i++) p->data[i] = (uint8_t)rng_u64(r);  // bytes outside of the read are undefined
  node_peek(n, (unsigned)(x->rid - NET_RID), pos, p->data + (pos - at), k);
  x->sent += k;
  return p;
}

// One that is all of it, or as much as one may be, and yet wrong: no data, a byte too many to come, a word too many.
static pkt *malformed(node *n, dut_read *x) {
  uint32_t left = x->n - x->sent, lead = x->op == NIC_JOB_READ ? (uint32_t)(x->va + x->sent) & 3 : 0;
  pkt *p;
  switch (rng_below(&n->net->rng, 3)) {
    case 0: p = completion(x, TLP_SC, left, x->va, 0); break;
    case 1: p = completion(x, TLP_SC, left + 1, x->va, (lead + left + 3) / 4); break;
    default: p = completion(x, TLP_SC, left, x->va, (lead + left + 3) / 4 + 1); break;
  }
  for (uint32_t i = 0; i < 4 * p->ndw; i++) p->data[i] = (uint8_t)rng_u64(&n->net->rng);
  x->sent = x->n;
  return p;
}

static void answer(node *n, dut_read *x) {
  dut_node *d = n->dut;
  pkt *p;
  if ((x->how == CPL_UR || x->how == CPL_CA) && !x->sent) {
    p = completion(x, x->how == CPL_CA ? TLP_CA : TLP_UR, x->n, x->op == NIC_JOB_READ ? x->va : 0, 0);
    x->sent = x->n;
  } else {
    p = x->how == CPL_MALFORMED ? malformed(n, x) : piece(n, x);
  }
  if (x->how == CPL_POISONED) p->hdr[0] |= 0x4000;
  if (x->how == CPL_ERROR) p->err = true;  // the link saw an error
  if (x->how == CPL_LAST_MOMENT && x->sent == x->n) p->due = first(d, x) - NIC_TIME_CPL - (beats(d, p) - 1);
  pktq_push(&d->cpl, p);
}

// Of an answer that is too late: some of it may be in time.
static void answer_some(node *n, dut_read *x) {
  uint32_t was = x->sent;
  pkt *p = piece(n, x);
  if (x->sent < x->n) {
    pktq_push(&n->dut->cpl, p);
  } else {
    x->sent = was;
    pkt_free(p);
  }
}

// A tag of another requester, one that no read ever has, one that was given up; with data or without, good or bad.
void root_stray(node *n) {
  dut_node *d = n->dut;
  rng *r = &n->net->rng;
  dut_read x = {.src = (uint8_t)rng_below(r, NIC_SRC_NUM), .rid = (uint16_t)(NET_RID + rng_below(r, n->cfg.NumProcs))};
  x.tag = (uint8_t)rng_below(r, rng_1in(r, 2) ? 2 * DUT_TAGS : 256);
  if (x.tag < DUT_TAGS && d->tags.tag[x.tag].state != NIC_TAG_DEAD) x.rid ^= (uint16_t)(1u << rng_range(r, 8, 15));
  pkt *p = completion(&x, rng_1in(r, 4) ? TLP_UR : TLP_SC, rng_range(r, 1, 512), 0, rng_below(r, 64));
  pktq_push(&d->cpl, p);
  reach(n, REACH_CPL_STRAY);
}

void root_first(node *n) {
  const dut_read x = {.src = NIC_SRC_READ, .rid = 0xbad};
  pktq_push(&n->dut->cpl, completion(&x, TLP_UR, 4, 0, 0));
}

// ---- tags
void root_tag(node *n, unsigned tag) {
  dut_node *d = n->dut;
  if (tag >= DUT_TAGS) {
    net_fail(n->net, "nic_rd", "tag %u is none", tag);
    return;
  }
  if (d->live[tag] && d->live[tag]->unsure) root_give_up(n, d->live[tag]);
  if (d->live[tag]) net_fail(n->net, "nic_rd", "tag %u is live", tag);
  if (d->tags.tag[tag].state == NIC_TAG_DEAD)
    net_fail(n->net, "nic_rd", "tag %u was given up, and NIC_TAG_FREE has not been written since", tag);
}

void root_asked(node *n, dut_read *x) {
  dut_node *d = n->dut;
  rng *r = &n->net->rng;
  nic_dma_job job = {.rid = x->rid, .src = x->src, .va = x->va, .len = x->n, .op = x->op};
  nic_chunk all = {.va = x->va, .at = 0, .bytes = x->n};
  d->live[x->tag] = x;
  nic_reads_open(&d->tags, x->tag, &job, &all, x->data, &x->err);
  d->under_way++;
  d->reads++;
  if (d->lose >> x->src & 1)
    x->how = CPL_LOST;
  else if (x->absent)
    x->how = CPL_UR;
  else if (x->fails)
    x->how =
        (uint8_t)(CPL_UR + (d->tmo && rng_1in(r, 2) ? CPL_MALFORMED - CPL_UR + rng_below(r, CPL_KINDS - CPL_MALFORMED)
                                                    : rng_below(r, CPL_MALFORMED - CPL_UR)));
  else if (d->tmo && !d->behind && !d->moment && rng_1in(r, SELDOM))
    d->moment = x, x->how = CPL_LAST_MOMENT;
}

// Its tag has ended; given up, if nobody knows what may still come for it.
void root_ended(node *n, dut_read *x, bool gave_up) {
  dut_node *d = n->dut;
  x->done = true;
  if (d->moment == x) d->moment = NULL;
  if (x->err != NIC_ITEM_GOOD) d->errors.n++;
  d->live[x->tag] = NULL;
  d->tags.tag[x->tag].state = gave_up ? NIC_TAG_DEAD : NIC_TAG_FREE;
  d->under_way--;
  if (n->m) return;
  dut_read **t = &d->asked[x->src];  // nobody will ask
  while (*t != x) t = &(*t)->next;
  *t = x->next;
  free(x);
}

void root_give_up(node *n, dut_read *x) {
  dut_node *d = n->dut;
  bool sharp = rng_1in(&n->net->rng, 2);
  while (x->how == CPL_LATE && x->sent < x->n && !x->unsure) {
    pkt *p = piece(n, x);
    p->due = n->net->cycle + (sharp ? 0 : rng_below(&n->net->rng, d->tmo / 2));
    pktq_push(&d->late, p);
  }
  reach(n, REACH_CPL_GIVEN_UP);
  n->held_up += d->tmo;
  x->err = NIC_ITEM_BROKEN;
  root_ended(n, x, !x->unsure);
}

// Software says that nothing more comes of what was given up, and so it is.
void root_tags_free(node *n) {
  dut_node *d = n->dut;
  pktq all = d->cpl;
  bool begun = *d->pin.dev_cpl_valid_i || d->cpl_beat;
  pktq_clear(&d->late);
  memset(&d->cpl, 0, sizeof d->cpl);
  for (pkt *p; (p = pktq_pop(&all)); begun = false) {
    const dut_read *x = d->live[tlp_cpl_tag(p->hdr) % DUT_TAGS];
    if (begun || (x && x->rid == tlp_cpl_id(p->hdr) && tlp_cpl_tag(p->hdr) < DUT_TAGS))
      pktq_push(&d->cpl, p);
    else
      pkt_free(p);
  }
  for (unsigned k = 0; k < DUT_TAGS; k++)
    if (d->live[k] && d->tmo && silent(d->live[k]) && n->net->cycle >= first(d, d->live[k])) d->live[k]->unsure = true;
  for (unsigned k = 0; k < DUT_TAGS; k++)
    if (d->tags.tag[k].state == NIC_TAG_DEAD) reach(n, REACH_TAG_FREED);
  nic_reads_free(&d->tags);
}

bool root_waits(const dut_node *d) {
  unsigned dead = 0;
  while (dead < DUT_TAGS && d->tags.tag[dead].state == NIC_TAG_DEAD) dead++;
  return d->under_way || dead == DUT_TAGS;
}

// ---- a cycle
static void count_pieces(const node *n, dut_read *x) {
  dut_node *d = n->dut;
  bool older = false;
  for (unsigned k = 0; k < DUT_TAGS; k++) older |= d->live[k] && d->live[k]->at < x->at && !d->live[k]->sent;
  if (x->pieces && d->last_piece != x) reach(n, REACH_CPL_MIXED);
  if (!x->pieces++ && older) reach(n, REACH_CPL_OVERTAKES);
  d->last_piece = x;
  if (x->sent < x->n) return;
  reach(n, x->pieces == 1 ? REACH_CPL_1 : x->pieces == 2 ? REACH_CPL_2 : x->pieces <= 4 ? REACH_CPL_4 : REACH_CPL_MORE);
}

// Time, and reads that must be answered now if at all.
static dut_read *in_haste(node *n) {
  dut_node *d = n->dut;
  uint64_t now = n->net->cycle;
  dut_read *oldest = NULL;
  d->haste = false;
  for (unsigned k = 0; k < DUT_TAGS && d->tmo; k++) {
    dut_read *x = d->live[k];
    if (!x) continue;
    if (silent(x)) {
      if (now >= first(d, x)) x->done = true, x->err = NIC_ITEM_BROKEN;  // from here on it may be decided on
      if (now >= last(d, x)) root_give_up(n, x);
      continue;
    }
    if (now > first(d, x)) net_fail(n->net, "root", "the bench has not answered tag %u in time", k);
    bool moment = x->how == CPL_LAST_MOMENT;
    if (now + (moment ? MOMENT : HASTE) < first(d, x)) continue;
    d->haste = true;
    if (x->sent < x->n && (!oldest || x->offered < oldest->offered)) oldest = x;
  }
  return oldest;
}

// Reads of different tags are answered in any order, pieces of one in theirs.
static dut_read *next(node *n) {
  dut_node *d = n->dut;
  unsigned from = d->prof.in_order ? 0 : rng_below(&n->net->rng, DUT_TAGS);
  for (unsigned k = 0; k < DUT_TAGS; k++) {
    dut_read *x = d->live[(from + k) % DUT_TAGS];
    if (!x || x->sent == x->n || x->due > n->net->cycle || x->how == CPL_LOST || x->how == CPL_LAST_MOMENT) continue;
    if (x->how == CPL_LATE && (x->pieces || first(d, x) < n->net->cycle + HASTE)) continue;
    return x;
  }
  return NULL;
}

void root_cycle(node *n) {
  dut_node *d = n->dut;
  rng *r = &n->net->rng;
  dut_read *x = in_haste(n);
  if (d->cpl.n >= 4) return;
  if (d->late.head && d->late.head->due <= n->net->cycle) {
    pktq_push(&d->cpl, pktq_pop(&d->late));
    reach(n, REACH_CPL_LATE);
    return;
  }
  if (d->tmo && !d->haste && rng_1in(r, STRAYS)) root_stray(n);
  if (!x && d->under_way) x = next(n);
  if (!x) return;
  if (x->how == CPL_LATE) {
    x->pieces++;
    answer_some(n, x);
    return;
  }
  answer(n, x);
  count_pieces(n, x);
  if (x->how == CPL_MALFORMED) reach(n, REACH_CPL_MALFORMED);
  if (x->how == CPL_LAST_MOMENT && x->sent == x->n) reach(n, REACH_CPL_LAST_MOMENT);
  x->due = n->net->cycle + rng_below(r, d->prof.lat_max / 2 + 1);
}

// A completion has gone in.
void root_arrived(node *n, const pkt *p) {
  dut_node *d = n->dut;
  dut_read *x = d->live[tlp_cpl_tag(p->hdr) % DUT_TAGS];
  tlp t;
  pkt_tlp(p, &t);
  nic_cpl what = nic_reads_complete(&d->tags, &t, true);
  bool dropped = what == NIC_CPL_STRAY || what == NIC_CPL_MALFORMED;
  if (dropped && d->behind)
    net_fail(n->net, "dev_cpl", "a %s completion of tag %u, requester %04x", nic_cpl_name(what), tlp_cpl_tag(p->hdr),
             tlp_cpl_id(p->hdr));
  if (dropped) {
    d->strays.n++;
    d->stray_at = n->net->cycle;
  }
  if (what == NIC_CPL_STRAY || !x || d->tags.tag[x->tag].state == NIC_TAG_LIVE) return;
  if (what == NIC_CPL_MALFORMED && x->rid != tlp_cpl_id(p->hdr)) return;
  root_ended(n, x, what == NIC_CPL_MALFORMED);
}
