// SPDX-License-Identifier: Apache-2.0
// A request with its translation, as aa_rx and aa_xlt make them, and what is wanted of it by DEC-1 to DEC-10 (but the
// live tag and the resources): for the tests of aa_wanted, which says it, and of aa_decide, which does it.
// Rules of rtl/aa/README.md: DEC-1, DEC-2, DEC-3, DEC-5, DEC-6, DEC-7, DEC-8, DEC-9, DEC-10, DEC-11, DEC-12, DEC-13,
// DEC-14, DEC-19, LOG-2.
#ifndef TOCSIN_WANTED_CASE_H
#define TOCSIN_WANTED_CASE_H

#include <string.h>

#include "aa_fields.h"
#include "tb.h"
#include "tocsin/tlp.h"

enum { CASE_REQ_WORDS = (AA_REQ_T_W + 31) / 32, CASE_FILTER_WORDS = (4 * 33 + 31) / 32 };
#define CASE_SET(w, f, v) bits_set(w, f##_LSB, f##_W, v)

// What is wanted. A field says something only where the comment lets it.
typedef struct want {
  bool pre, fwd, ur, flush, put, get, denied, poisoned, fault;
  unsigned err, beats;
  unsigned reason;        // fault
  unsigned start, count;  // non-posted, and forwarded or held
  uint64_t pa;            // fwd
  uint32_t hdr[4];        // fwd; words as in the port: word 3 is DW0
  unsigned units;         // put or get
  uint32_t entry[4];      // put or get
  unsigned iuid;          // err, and not pre
} want;

typedef struct wanted_case {
  // as the ports have it
  unsigned lane, log;
  uint32_t req[CASE_REQ_WORDS], filter[CASE_FILTER_WORDS];
  uint64_t res;
  bool hit, page;
  // the same by name
  uint32_t hdr[4];
  unsigned kind, seq, len, fbe, lbe, op, bad, rid, tag;
  bool quad, rd, wr, at, np, ep, zero, filtered;
  uint64_t iova, pfn;
  unsigned fault, iuid;
  bool fpd, bypass, nointr, r, w, wl, wld, rl, rld, e;
  want x;
} wanted_case;

static inline unsigned case_len(tb *t, const wanted_case *c) {
  if (c->at && !c->bad) return c->op == 2 ? 2u << rnd_below(t, 3) : 1u << rnd_below(t, 2);
  unsigned how = (unsigned)rnd_below(t, 8);
  return how < 5 ? 1 + (unsigned)rnd_below(t, 5) : how == 5 ? 1024 : 1 + (unsigned)rnd_below(t, 1024);
}

// Byte 0 of a header; what aa_rx refuses for its type may have any.
static inline unsigned case_type(tb *t, const wanted_case *c) {
  static const unsigned pass[] = {0x70, 0x34, 0x4a, 0x0a};
  if (c->kind == AA_E_ReqPass) return pass[rnd_below(t, 4)];
  if (c->kind == AA_E_ReqRefuse) return (unsigned)rnd_bits(t, 8);
  unsigned op = c->rd ? 0x00 : c->wr ? 0x40 : 0x4c + c->op;
  return op | (rnd_chance(t, 50) ? 0x20 : 0);
}

// Of a lane, and of a requester. Whatever is not said by its kind is random.
static inline void case_request(tb *t, wanted_case *c, unsigned lane, unsigned rid) {
  static const unsigned kinds[2][4] = {{AA_E_ReqWrite, AA_E_ReqWrite, AA_E_ReqPass, AA_E_ReqRefuse},
                                       {AA_E_ReqRead, AA_E_ReqRead, AA_E_ReqAtomic, AA_E_ReqRefuse}};
  c->lane = lane;
  c->np = lane & 1;
  c->kind = kinds[c->np][rnd_below(t, 4)];
  c->rd = c->kind == AA_E_ReqRead;
  c->wr = c->kind == AA_E_ReqWrite;
  c->at = c->kind == AA_E_ReqAtomic;
  c->op = (unsigned)rnd_below(t, 3);  // atomics: FetchAdd, Swap, CAS
  c->bad = c->kind == AA_E_ReqRefuse ? AA_K_ErrType : rnd_chance(t, 8) ? 1 + (unsigned)rnd_below(t, 6) : 0;
  c->len = case_len(t, c);
  rnd_words(t, c->hdr, 128);
  bits_set(c->hdr, 120, 8, case_type(t, c));
  bits_set(c->hdr, 96, 10, c->len);
  bits_set(c->hdr, 80, 16, rid);
  c->ep = rnd_chance(t, 10);
  bits_set(c->hdr, 110, 1, c->ep);
  if (c->rd || c->wr) {  // elsewhere byte enables are reserved
    bits_set(c->hdr, 64, 4, c->len == 1 ? rnd_bits(t, 4) : 1 + rnd_below(t, 15));
    bits_set(c->hdr, 68, 4, c->len == 1 ? 0 : 1 + rnd_below(t, 15));
  }
  c->fbe = (unsigned)bits_get(c->hdr, 64, 4);
  c->lbe = (unsigned)bits_get(c->hdr, 68, 4);
  c->quad = bits_get(c->hdr, 125, 1);
  if (!c->quad && (c->rd || c->wr || c->at)) c->hdr[0] = 0;
  c->iova = (c->quad ? bits_get(c->hdr, 0, 64) : bits_get(c->hdr, 32, 32)) & ~3ull;
  c->zero = !c->at && c->len == 1 && !c->fbe;
  c->rid = rid;
  c->tag = (unsigned)(bits_get(c->hdr, 119, 1) << 9 | bits_get(c->hdr, 115, 1) << 8 | bits_get(c->hdr, 72, 8));
  c->seq = (unsigned)rnd_bits(t, 8);
  CASE_SET(c->req, AA_REQ_T_KIND, c->kind);
  CASE_SET(c->req, AA_REQ_T_BAD, c->bad);
  CASE_SET(c->req, AA_REQ_T_SEQ, c->seq);
  words_copy(c->req, AA_REQ_T_HDR_LSB, c->hdr, 0, 128);
}

// Frames below and above 4 GiB, by one bit as well; the window of the interrupts, and what is beside it by one bit.
static inline uint64_t case_frame(tb *t) {
  unsigned how = (unsigned)rnd_below(t, 20);
  if (how < 6) return rnd_bits(t, 36);
  if (how < 12) return rnd_bits(t, 20);
  if (how < 16) return rnd_bits(t, 20) | 1ull << (20 + rnd_below(t, 16));
  uint64_t window = 0xfee00 | rnd_bits(t, 8);
  return how < 18 ? window : window ^ 1ull << (8 + rnd_below(t, 28));
}

static inline void case_translation(tb *t, wanted_case *c) {
  uint32_t res[2] = {0};
  bool flush = c->rd && rnd_chance(t, 20);  // it would hardly ever come by chance
  unsigned bits = (unsigned)rnd_bits(t, 7) | (flush ? 0x41 : 0);
  c->fault = rnd_chance(t, 8) ? 1 + (unsigned)rnd_below(t, 14) : 0;
  c->fpd = rnd_chance(t, 20);
  // A reason that no walk has says which bits are looked at; whether it is qualified nobody says.
  if (!c->fpd && rnd_chance(t, 2)) c->fault = 1u << rnd_below(t, 8);
  c->bypass = rnd_chance(t, 10);
  c->nointr = rnd_chance(t, 3);
  c->hit = rnd_chance(t, 70);
  c->log = (unsigned)rnd_bits(t, 5);
  c->page = flush || rnd_chance(t, 20);
  c->iuid = (unsigned)rnd_bits(t, 10);
  c->pfn = case_frame(t);
  c->r = bits & 1;
  c->w = bits & 2;
  c->wl = bits & 4;
  c->wld = bits & 8;
  c->rl = bits & 16;
  c->rld = bits & 32;
  c->e = bits & 64;
  CASE_SET(res, AA_XLATE_T_FAULT, c->fault);
  CASE_SET(res, AA_XLATE_T_FPD, c->fpd);
  CASE_SET(res, AA_XLATE_T_BYPASS, c->bypass);
  CASE_SET(res, AA_XLATE_T_NOINTR, c->nointr);
  CASE_SET(res, AA_XLATE_T_R, c->r);
  CASE_SET(res, AA_XLATE_T_W, c->w);
  CASE_SET(res, AA_XLATE_T_WL, c->wl);
  CASE_SET(res, AA_XLATE_T_WLD, c->wld);
  CASE_SET(res, AA_XLATE_T_RL, c->rl);
  CASE_SET(res, AA_XLATE_T_RLD, c->rld);
  CASE_SET(res, AA_XLATE_T_E, c->e);
  CASE_SET(res, AA_XLATE_T_IUID, c->iuid);
  CASE_SET(res, AA_XLATE_T_PFN, c->pfn);
  c->res = bits_get(res, 0, 64);
}

// The filters of all ports, {enable, mask, id} each. That of the request's port lets it pass if it is off or its id
// agrees under the mask; the others would refuse nearly everybody.
static inline void case_filter(tb *t, wanted_case *c, unsigned ports) {
  rnd_words(t, c->filter, ports * 33);
  for (unsigned p = 0; p < ports; p++) bits_set(c->filter, 33 * p + 32, 1, 1);
  bool on = rnd_chance(t, 75), differs = rnd_chance(t, on ? 12 : 50);
  unsigned bit = differs ? 1u << rnd_below(t, 16) : 0, mask = (unsigned)rnd_bits(t, 16) | bit;
  unsigned id = c->rid ^ ((unsigned)rnd_bits(t, 16) & ~mask) ^ bit;
  bits_set(c->filter, 33 * (c->lane >> 1), 33, (uint64_t)on << 32 | (uint64_t)mask << 16 | id);
  c->filtered = on && differs;
}

// DEC-10 to DEC-12: what the leaf's bits say.
static inline void case_page(const wanted_case *c, want *x) {
  bool allowed = c->wr ? c->w : c->rd ? c->r || (c->zero && c->w) : c->r && c->w;
  bool l = c->wr ? c->wl || c->wld : c->rd ? c->rl || c->rld : c->wl || c->wld || c->rl || c->rld;
  if (c->rd && allowed && c->e && c->page) {
    x->err = c->len > 4 ? AA_K_ErrFlushLen : !c->hit ? AA_K_ErrNoLog : 0;
    x->flush = !x->err, x->ur = !x->flush;
    return;
  }
  if (allowed && c->pfn >> 8 == 0xfee) {
    x->fault = true, x->reason = 0xe, x->ur = c->np;
    return;
  }
  bool get = c->rd ? c->rld && !c->zero : c->at && !c->wld && c->rld;
  x->fwd = allowed, x->ur = c->np && !allowed, x->denied = !allowed;
  if (!c->e) x->fault = !allowed || l, x->reason = allowed ? 0xa0 : c->rd || c->w ? 6 : 5;
  if (c->e && l && !c->hit) x->err = AA_K_ErrNoLog;
  x->get = c->e && l && c->hit && get && allowed;
  x->put = c->e && l && c->hit && !x->get;
}

static inline void case_verdict(const wanted_case *c, want *x) {
  bool l = c->wr ? c->wl || c->wld : c->wl || c->wld || c->rl || c->rld;
  if (c->bad) {
    x->err = c->bad, x->ur = c->np && (c->bad == AA_K_ErrAtomic || c->bad == AA_K_ErrType), x->pre = true;
  } else if (c->kind == AA_E_ReqPass) {
    x->fwd = x->pre = true;
  } else if (c->filtered) {
    x->err = AA_K_ErrPortId, x->ur = c->np, x->pre = true;
  } else if (c->fault || c->nointr) {
    x->fault = true, x->reason = c->fault ? c->fault : 0x25, x->ur = c->np;
  } else if (c->ep && !c->rd) {
    x->poisoned = true, x->err = AA_K_ErrPoison, x->ur = c->np, x->put = !c->bypass && c->e && l && c->hit;
  } else if (c->bypass) {
    x->fwd = true;
  } else {
    case_page(c, x);
  }
  bool always = x->reason == 1 || (x->reason >= 8 && x->reason <= 0xb);
  if (c->fpd && !always) x->fault = false;
  // Who is poisoned and not to be logged names no log.
  x->iuid = x->poisoned && (c->bypass || !c->e || !l) ? 0 : c->iuid;
}

// LOG-2: the header of its record, and how many units of 16 bytes follow it.
static inline void case_entry(const wanted_case *c, want *x) {
  bool data = x->get || (c->wld && !c->zero && !c->rd && !x->poisoned);
  unsigned n = x->get && c->at && c->op == 2 ? c->len / 2 : c->len;
  unsigned first = c->at || !c->fbe ? 0 : (unsigned)__builtin_ctz(c->fbe);
  memset(x->entry, 0, sizeof x->entry);
  CASE_SET(x->entry, AA_ENTRY_T_RID, c->rid);
  CASE_SET(x->entry, AA_ENTRY_T_TAG, c->tag);
  CASE_SET(x->entry, AA_ENTRY_T_FBE, c->at ? 0xf : c->fbe);
  CASE_SET(x->entry, AA_ENTRY_T_LBE, !c->at ? c->lbe : n == 1 ? 0 : 0xf);
  CASE_SET(x->entry, AA_ENTRY_T_LEN, n);
  CASE_SET(x->entry, AA_ENTRY_T_DATA, data);
  CASE_SET(x->entry, AA_ENTRY_T_POISONED, x->poisoned);
  CASE_SET(x->entry, AA_ENTRY_T_DENIED, !x->fwd);
  CASE_SET(x->entry, AA_ENTRY_T_KIND, c->wr ? AA_K_KindPut : c->rd ? AA_K_KindGet : AA_K_KindAtomic);
  CASE_SET(x->entry, AA_ENTRY_T_IUID, c->iuid);
  CASE_SET(x->entry, AA_ENTRY_T_ADDR, c->iova | first);
  x->units = data ? (n + 3) / 4 : 0;
}

// DEC-18, DEC-19: where it goes, and the header with which it does.
static inline void case_forwarded(const wanted_case *c, want *x) {
  bool untouched = c->kind == AA_E_ReqPass || c->bypass;
  memcpy(x->hdr, c->hdr, sizeof x->hdr);
  x->pa = c->kind == AA_E_ReqPass ? 0 : c->bypass ? c->iova : c->pfn << 12 | (c->iova & 0xffc);
  if (untouched) return;
  uint64_t hint = (c->quad ? c->hdr[0] : c->hdr[1]) & 3;
  bool quad = x->pa >> 32;
  bits_set(x->hdr, 0, 64, (x->pa | hint) << (quad ? 0 : 32));
  bits_set(x->hdr, 125, 1, quad);
  bits_set(x->hdr, 111, 1, 0);  // TD
}

static inline void case_wanted(wanted_case *c) {
  c->x = (want){0};
  case_verdict(c, &c->x);
  case_forwarded(c, &c->x);
  if (c->x.put || c->x.get) case_entry(c, &c->x);
  bool data = bits_get(c->hdr, 126, 1) && !c->bad;
  c->x.beats = data ? (c->len + CM_K_BeatDw - 1) / CM_K_BeatDw : 0;
  c->x.start = c->at ? 0 : (unsigned)(c->iova & 0xfff) + tlp_first_byte(c->fbe);
  c->x.count = c->at ? 4 * (c->op == 2 ? c->len / 2 : c->len) : tlp_byte_count(c->len, c->fbe, c->lbe);
}

static inline void case_make(tb *t, wanted_case *c, unsigned lane, unsigned rid, unsigned ports) {
  memset(c, 0, sizeof *c);
  case_request(t, c, lane, rid);
  case_translation(t, c);
  case_filter(t, c, ports);
  case_wanted(c);
}

#endif
