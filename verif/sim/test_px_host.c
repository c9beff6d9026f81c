// SPDX-License-Identifier: Apache-2.0
// px_host: random TLPs of the IOMMU against a core that takes its time: it tells when a TLP is on the link, holds
// requests that want an answer as long as it likes, and answers them in any order, in pieces, damaged, late, twice, to
// nobody, and after it has ended them. Order is checked by what has left when a request goes; whom an answer is for by
// the requester id and tag that the request had.
// config: default -GHold=6
// config: narrow +define+TOCSIN_DATA_W=128 -GTags=4 -GSeqW=3 -GForce64=0 -GHold=4
// config: wide +define+TOCSIN_DATA_W=512 -GSeqCount=2 -GMessages=1 -GAsks=16 -GHold=7
// netlist: default
// netlist: narrow
#include <string.h>

#include "tb.h"
#include "px_host_tb.h"
#include "aa_fields.h"

#define BEAT_DW (CM_TLP_T_DATA_W / 32)
#define QUEUE 512
#define MOST 1024            // DWs of a TLP
#define WORDS (BEAT_DW + 8)  // of a beat that is held
#define SOON 10              // cycles in which nothing is in the way

typedef enum kind { WRITE, READ, ATOMIC, MESSAGE, COMPLETION, KINDS } kind;

typedef struct tlp {
  kind kind;
  uint32_t hdr[4], data[MOST];
  unsigned dws;
  uint64_t before;  // writes that came before it
} tlp;

typedef struct list {
  tlp at[QUEUE];
  unsigned in, out;
} list;

typedef struct asked {  // a request on the link, by its tag
  bool live, atomic;
  uint32_t hdr[4];  // as it came
  unsigned at, bytes;
  uint64_t from, until;  // the core has ended it: kept from here on, and until then at most
} asked;

typedef struct answer {
  uint32_t hdr[4], data[MOST], error;
  unsigned dws;
  bool goes, err, over;
} answer;

typedef struct stream {  // a TLP that comes out
  tlp got;
  bool mid, at;
} stream;

typedef struct held {  // P6: a beat that waits
  bool up;
  uint32_t now[WORDS];
} held;

typedef struct state {
  uint32_t rid;
  bool up, offered;  // there is a TLP; its beat is valid
  tlp now;
  unsigned dw;
  uint32_t beat[REQ_I_WORDS];
  list posted, asks, cpls;  // what must come out, in order
  stream wr, cpl, back;
  uint64_t writes, left, ats, ats_left, reads, reads_left;
  unsigned in_core, decided, drops, dropped, strays, stray_seen;
  asked tag[256];
  uint64_t clock;
  unsigned rx_tag, late;  // late: answers to tags that are kept, while requests wait
  bool rx_up;
  answer rx, due;  // on its way in; what must come out of it
  unsigned rx_dw;
  unsigned pct[8], made[KINDS], answers[16], refused;
  bool only_writes, only_reads, pages, no_room;  // pages: reads of 4096 bytes, each answered as a whole
  unsigned longest, waits;  // beats of a write among only_writes; cycles for which a request could have gone
  unsigned deep;  // if not 0: percent of requests among short writes, and no write leaves early (oldest_waits)
  held wr_held, rd_held, cpl_held, back_held;
  uint64_t beats;
} state;

enum { REQ, WR, RD, CPL, BACK, LINK, ANSWER, NP };
static bool up(tb *t, state *s, unsigned what) { return rnd_chance(t, s->pct[what]); }
static tlp *push(list *l) { return &l->at[l->in++ % QUEUE]; }
static bool fits(const list *l) { return l->in - l->out < QUEUE - 2; }
static unsigned length(const uint32_t *h) { return h[0] & 0x3ff ? h[0] & 0x3ff : 1024; }

static void hdr_get(const uint32_t *w, unsigned lsb, uint32_t *h) {
  for (unsigned i = 0; i < 4; i++) h[i] = (uint32_t)bits_get(w, lsb + 96 - 32 * i, 32);
}
static void hdr_set(uint32_t *w, unsigned lsb, const uint32_t *h) {
  for (unsigned i = 0; i < 4; i++) bits_set(w, lsb + 96 - 32 * i, 32, h[i]);
}

// ---- TLPs of the IOMMU ----
static bool make(tb *t, state *s) {
  unsigned pick = s->only_writes ? 0 : (unsigned)rnd_below(t, 100);
  if (s->deep) pick = pick < s->deep ? 35 + (unsigned)rnd_below(t, 40) : 0;  // a completion would wait for all writes
  tlp *n = &s->now;
  n->kind = pick < 35 ? WRITE : pick < 65 ? READ : pick < 75 ? ATOMIC : pick < 82 ? MESSAGE : COMPLETION;
  if (s->only_reads) n->kind = READ;
  if (!fits(&s->posted) || !fits(&s->asks) || !fits(&s->cpls)) return false;
  bool ask = n->kind == READ || n->kind == ATOMIC, quad = rnd_chance(t, 50);
  if (ask && !s->decided) return false;
  s->decided -= ask;
  n->dws = n->kind == ATOMIC ? 1u << rnd_below(t, 4) : 1 + (unsigned)rnd_below(t, rnd_chance(t, 93) ? 24 : MOST);
  if (n->kind == READ && (s->pages || rnd_chance(t, 10))) n->dws = MOST;
  if (s->only_writes) n->dws = s->longest * BEAT_DW;
  if (s->deep && n->kind == WRITE) n->dws = 1 + (unsigned)rnd_below(t, BEAT_DW);
  static const uint8_t form[KINDS] = {0x40, 0x00, 0x4c, 0x34, 0x0a};
  uint32_t f = form[n->kind];
  if (n->kind == ATOMIC) f += (uint32_t)rnd_below(t, 3);
  if (n->kind == MESSAGE || n->kind == COMPLETION) f |= rnd_chance(t, 50) ? 0x40 : 0;
  if (n->kind == MESSAGE) f = (f & ~7u) | (uint32_t)rnd_bits(t, 3);  // by any route
  if (n->kind == COMPLETION) f |= rnd_chance(t, 20);                 // of a locked read
  if (n->kind != MESSAGE && n->kind != COMPLETION && quad) f |= 0x20;
  for (unsigned i = 1; i < 4; i++) n->hdr[i] = (uint32_t)rnd(t);
  if (s->pages) n->hdr[3] &= ~3u;
  n->hdr[0] = f << 24 | ((uint32_t)rnd(t) & 0xfffc00) | (n->dws & 0x3ff);
  if (!(f & 0x40)) n->dws = 0;
  if (n->kind == MESSAGE && !n->dws) n->hdr[0] &= ~0x3ffu;
  for (unsigned i = 0; i < n->dws; i++) n->data[i] = (uint32_t)rnd(t);
  n->before = s->writes;
  if (n->kind == WRITE || (n->kind == MESSAGE && P_Messages))
    *push(&s->posted) = *n, s->writes++;
  else if (ask)
    *push(&s->asks) = *n;
  else if (n->kind == COMPLETION)
    *push(&s->cpls) = *n;
  else
    s->drops++;
  s->made[n->kind]++;
  s->dw = 0;
  rnd_words(t, s->beat, REQ_I_W);
  hdr_set(s->beat, CM_TLP_T_HDR_LSB, n->hdr);
  return s->up = true;
}

static void drive_req(tb *t, dut *d, state *s, bool more) {
  if (!s->up && more && up(t, s, REQ)) make(t, s);
  unsigned n = s->now.dws - s->dw < BEAT_DW ? s->now.dws - s->dw : BEAT_DW;
  if (s->up) {
    for (unsigned i = 0; i < n; i++) bits_set(s->beat, CM_TLP_T_DATA_LSB + 32 * i, 32, s->now.data[s->dw + i]);
    bits_set(s->beat, CM_TLP_T_STRB_LSB, BEAT_DW, n == 32 ? 0xffffffffu : (1u << n) - 1);
    bits_set(s->beat, CM_TLP_T_SOP_LSB, 1, s->dw == 0);
    bits_set(s->beat, CM_TLP_T_EOP_LSB, 1, s->dw + n == s->now.dws);
    uint32_t junk[4] = {(uint32_t)(s->dw * 2654435761u), s->dw, ~s->dw, s->dw * 77};
    if (s->dw) hdr_set(s->beat, CM_TLP_T_HDR_LSB, junk);  // it counts in the first beat alone
  }
  s->offered = s->up && (s->offered || up(t, s, REQ) || s->now.kind == READ || s->now.kind == ATOMIC);
  dut_set_req_valid_i(d, s->offered);
  dut_set_req_i(d, s->beat);
}

// ---- what comes out ----
// The header on the link of what came with `h`.
static void linked(const state *s, const tlp *n, uint32_t *h, uint32_t tag) {
  memcpy(h, n->hdr, 16);
  bool ask = n->kind == READ || n->kind == ATOMIC;
  h[1] = (h[1] & 0xffff) | s->rid << 16;
  if (ask) {
    h[1] = (h[1] & ~0xff00u) | tag << 8;
    h[0] &= ~0x880000u;
  }
  if (P_Force64 && n->kind != COMPLETION && !(h[0] >> 29 & 1)) {
    h[0] |= 0x20000000u;
    h[3] = h[2];
    h[2] = 0;
  }
}

static void same(tb *t, const state *s, const tlp *want, const tlp *got, uint32_t tag, const char *where) {
  uint32_t h[4];
  linked(s, want, h, tag);
  for (unsigned i = 0; i < 4; i++) CHECK_EQ(t, got->hdr[i], h[i], "P3: %s, DW %u of the header", where, i);
  CHECK_EQ(t, got->dws, want->dws, "P1: %s, payload", where);
  CHECK_MEM(t, got->data, want->data, 4 * want->dws, "P1: %s, payload", where);
}

// A beat of a stream; true with the last.
static bool beat(tb *t, stream *o, const uint32_t *hdr, const uint32_t *data, uint64_t strb, bool sop, bool eop,
                 const char *where) {
  CHECK_EQ(t, sop, !o->mid, "P1: %s, sop", where);
  uint32_t now[4];
  hdr_get(hdr, 0, now);
  if (sop) {
    memcpy(o->got.hdr, now, sizeof now);
    o->got.dws = 0;
  }
  CHECK_MEM(t, now, o->got.hdr, sizeof now, "P1, P3: %s, one header from sop to eop", where);
  unsigned n = 0;
  while (n < BEAT_DW && strb >> n & 1) n++;
  CHECK_EQ(t, strb, n == 64 ? ~0ull : (1ull << n) - 1, "P1: %s, strb", where);
  CHECK(t, eop || n == BEAT_DW, "P1: %s, strb full but in the last beat", where);
  for (unsigned i = 0; i < n && o->got.dws < MOST; i++)
    o->got.data[o->got.dws++] = (uint32_t)bits_get(data, 32 * i, 32);
  o->mid = !eop;
  return eop;
}

// A request that wants an answer goes: the next of its kind, not before the writes in front of it,
// with a tag that is free.
static void ask_goes(tb *t, state *s, const tlp *got, const char *where) {
  CHECK(t, s->asks.out != s->asks.in, "P1: %s, a request that nobody made", where);
  if (s->asks.out == s->asks.in) return;
  const tlp *want = &s->asks.at[s->asks.out++ % QUEUE];
  s->waits = 0;
  uint32_t tag = got->hdr[1] >> 8 & 0xff;
  same(t, s, want, got, tag, where);
  CHECK(t, s->left >= want->before, "P2: %s passed a write: %u of %u have left", where, (unsigned)s->left,
        (unsigned)want->before);
  CHECK(t, tag < P_Tags && !s->tag[tag].live, "P3: %s, tag %u is in use", where, tag);
  asked *a = &s->tag[tag];
  CHECK(t, !a->until || s->clock >= a->from + (1u << P_Hold), "P3 of px_tags: tag %u again after %u cycles", tag,
        (unsigned)(s->clock - a->from));
  *a = (asked){.live = true, .at = want->hdr[3] & 0xfff};
  memcpy(a->hdr, want->hdr, sizeof a->hdr);
  a->bytes = want->kind == ATOMIC ? 4 * length(want->hdr) / (want->hdr[0] >> 24 & 3 ? 2 : 1) : 4 * length(want->hdr);
  a->atomic = want->kind == ATOMIC;
  if (a->atomic) a->at = 0;
}

static void take_wr(tb *t, dut *d, state *s) {
  uint32_t hdr[4], data[BEAT_DW];
  dut_get_tx_wr_req_tlp_hdr(d, hdr);
  dut_get_tx_wr_req_tlp_data(d, data);
  bool sop = dut_get_tx_wr_req_tlp_sop(d), at = dut_get_tx_wr_req_tlp_seq(d) & 1;
  if (sop) s->wr.at = at;
  CHECK_EQ(t, at, s->wr.at, "P4: one number a TLP");
  if (sop && at) {
    CHECK(t, s->reads == s->reads_left && s->ats == s->ats_left, "P4: an AtomicOp goes alone");
    CHECK(t, !s->no_room, "P4: an AtomicOp goes though the host has no room");
  }
  s->beats++;
  if (!beat(t, &s->wr, hdr, data, dut_get_tx_wr_req_tlp_strb(d), sop, dut_get_tx_wr_req_tlp_eop(d), "tx_wr")) return;
  s->in_core++;
  if (at) {
    ask_goes(t, s, &s->wr.got, "an AtomicOp");
    CHECK(t, s->wr.got.hdr[0] >> 30 & 1, "P4: what goes the way of writes has data");
    s->ats++;
  } else {
    CHECK(t, s->posted.out != s->posted.in, "P1: a write that nobody made");
    if (s->posted.out != s->posted.in) same(t, s, &s->posted.at[s->posted.out++ % QUEUE], &s->wr.got, 0, "a write");
  }
}

static void take_rd(tb *t, dut *d, state *s) {
  uint32_t hdr[4];
  dut_get_tx_rd_req_tlp_hdr(d, hdr);
  CHECK(t, dut_get_tx_rd_req_tlp_sop(d) && dut_get_tx_rd_req_tlp_eop(d), "P1: a read is one beat");
  CHECK_EQ(t, s->ats, s->ats_left, "P4: an AtomicOp is alone");
  tlp got = {.dws = 0};
  hdr_get(hdr, 0, got.hdr);
  ask_goes(t, s, &got, "a read");
  s->reads++;
}

static void take_tx_cpl(tb *t, dut *d, state *s) {
  uint32_t hdr[4], data[BEAT_DW];
  dut_get_tx_cpl_tlp_hdr(d, hdr);
  dut_get_tx_cpl_tlp_data(d, data);
  const tlp *want = &s->cpls.at[s->cpls.out % QUEUE];
  CHECK(t, s->cpls.out != s->cpls.in && s->left >= want->before, "P2: a completion passed a write");
  if (!beat(t, &s->cpl, hdr, data, dut_get_tx_cpl_tlp_strb(d), dut_get_tx_cpl_tlp_sop(d), dut_get_tx_cpl_tlp_eop(d),
            "tx_cpl"))
    return;
  same(t, s, want, &s->cpl.got, 0, "a completion");
  s->cpls.out++;
}

// ---- the core: what is on the link, and answers ----
// Among `deep`, what the oldest request waits for has left, and it is to go by that alone.
static bool oldest_waits(const state *s, uint64_t left) {
  return s->deep && s->asks.in != s->asks.out && left >= s->asks.at[s->asks.out % QUEUE].before;
}

static void drive_link(tb *t, dut *d, state *s) {
  uint64_t wr_valid = 0, rd_valid = 0, seq = 0;
  uint64_t writes = s->posted.out - s->left, ats = s->ats - s->ats_left, reads = s->reads - s->reads_left;
  for (unsigned i = 0; i < P_SeqCount; i++) {
    bool write = writes && !oldest_waits(s, s->posted.out - writes) && up(t, s, LINK),
         at = !write && ats && up(t, s, NP);
    if (!write && !at && reads && up(t, s, NP)) rd_valid |= 1ull << i, reads--;
    writes -= write;
    ats -= at;
    if (write || at) wr_valid |= 1ull << i;
    seq |= (at ? 1ull : rnd_bits(t, P_SeqW) & ~1ull) << (P_SeqW * i);
  }
  s->left = s->posted.out - writes;
  s->ats_left = s->ats - ats;
  s->reads_left = s->reads - reads;
  dut_set_wr_req_tx_seq_num(d, seq);
  dut_set_wr_req_tx_seq_num_valid(d, wr_valid);
  dut_set_rd_req_tx_seq_num_valid(d, rd_valid);
}

static void restore(const asked *a, uint32_t *h) {
  h[2] = (a->hdr[1] >> 16) << 16 | (a->hdr[1] >> 8 & 0xff) << 8 | (h[2] & 0xff);
  h[0] = (h[0] & ~0x880000u) | (a->hdr[0] & 0x880000u);
}

// The next piece of what a tag asked for, what the core says of it, and what must come out.
static void make_answer(tb *t, state *s) {
  unsigned tag = (unsigned)rnd_below(t, rnd_chance(t, 95) ? P_Tags : 256), kind = (unsigned)rnd_below(t, 100);
  if (tag < P_Tags && s->tag[tag].live && rnd_chance(t, 3)) tag ^= P_Tags << rnd_below(t, 3);  // beside a live one
  tag &= 255;
  asked *a = &s->tag[tag];
  answer *r = &s->rx;
  unsigned whole = (a->at & 3) + a->bytes, dws = 1 + (unsigned)rnd_below(t, 24);
  if (s->pages || rnd_chance(t, 15)) dws = MOST;
  if (s->pages) kind = 0;
  if (dws > (whole + 3) / 4) dws = (whole + 3) / 4;
  bool kept = a->until && s->clock < a->from + (1u << P_Hold);  // so that no request has it now
  if (!a->live && rnd_chance(t, kept ? 60 : tag < P_Tags ? 97 : 50)) return;
  bool bare = false, early = !a->live && s->asks.in != s->asks.out;  // the tag may be given, and not yet on the link
  s->late += kept && early;
  early = early && !kept;
  r->error = early ? 6 : 0;
  if (kind >= 70 && !early) {
    static const uint8_t codes[] = {1, 2, 2, 3, 4, 5, 6, 8, 15};
    r->error = codes[rnd_below(t, sizeof codes)];
    bare = r->error == 2 || r->error == 4 || r->error >= 8;
  }
  if (!a->live || !whole) dws = 1;
  r->dws = bare && !(r->error == 15 && rnd_chance(t, 30)) ? 0 : dws;  // whatever comes of a read that has ended
  for (unsigned i = 0; i < 4; i++) r->hdr[i] = (uint32_t)rnd(t);
  r->hdr[0] = (bare ? 0x0au : 0x4au) << 24 | ((uint32_t)rnd(t) & 0x77fc00u) | (r->dws & 0x3ff);
  r->hdr[1] = (uint32_t)rnd(t) << 16 | (bare ? 1u << 13 : 0) | ((a->live ? a->bytes : 4) & 0xfff);
  // Of an AtomicOp a core may say where it was; PCIe says 0 (docs/formats.md 2.5).
  uint32_t lower = a->live && a->atomic && rnd_chance(t, 70) ? a->hdr[3] & 0x7c : a->at & 0x7f;
  r->hdr[2] = s->rid << 16 | tag << 8 | lower;
  for (unsigned i = 0; i < r->dws; i++) r->data[i] = (uint32_t)rnd(t);
  s->due = *r;
  answer *w = &s->due;
  unsigned brings = 4 * dws - (lower & 3);
  bool ends = bare || brings >= a->bytes;  // by its count
  w->over = r->error == 4 || r->error == 8 || r->error == 15 || (r->error == 3 && ends);
  w->goes = a->live && tag < P_Tags && r->error != 6 && (r->error != 3 || w->over);
  w->err = r->error == 5;
  s->strays += !w->goes;
  if (a->live) restore(a, w->hdr);
  if (a->live && a->atomic) w->hdr[2] &= ~0x7fu;
  if (w->over && w->goes) {
    w->hdr[0] = 0x0au << 24 | (a->hdr[0] & 0xfc3000u & ~0x030000u);
    w->hdr[1] = 4u << 13 | 4;
    w->hdr[2] &= ~0xffu;
    w->hdr[3] = 0;
    w->dws = 0;
  }
  s->answers[w->goes ? r->error : 3]++;
  if (w->goes) {
    ends |= w->over;
    if (w->over) a->from = s->clock, a->until = UINT64_MAX;
    if (ends)
      a->live = false;
    else
      a->at += brings, a->bytes -= brings;
  }
  s->rx_tag = tag;
  s->rx_up = true;
  s->rx_dw = 0;
}

static void drive_rx(tb *t, dut *d, state *s) {
  if (!s->rx_up && up(t, s, ANSWER)) make_answer(t, s);
  uint32_t hdr[4], data[BEAT_DW];
  rnd_words(t, data, 32 * BEAT_DW);
  unsigned n = s->rx.dws - s->rx_dw < BEAT_DW ? s->rx.dws - s->rx_dw : BEAT_DW;
  for (unsigned i = 0; i < n; i++) data[i] = s->rx.data[s->rx_dw + i];
  hdr_set(hdr, 0, s->rx.hdr);
  if (s->rx_up) {
    dut_set_rx_cpl_tlp_hdr(d, hdr);
    for (unsigned i = n; i < BEAT_DW; i++) data[i] = 0;
    dut_set_rx_cpl_tlp_data(d, data);
    dut_set_rx_cpl_tlp_strb(d, (1ull << n) - 1);
    dut_set_rx_cpl_tlp_error(d, s->rx.error);
    dut_set_rx_cpl_tlp_sop(d, s->rx_dw == 0);
    dut_set_rx_cpl_tlp_eop(d, s->rx_dw + n == s->rx.dws);
  }
  dut_set_rx_cpl_tlp_valid(d, s->rx_up);
}

static void take_back(tb *t, dut *d, state *s) {
  uint32_t b[CPL_O_WORDS], hdr[4], data[BEAT_DW];
  dut_get_cpl_o(d, b);
  for (unsigned i = 0; i < 4; i++) hdr[i] = (uint32_t)bits_get(b, CM_TLP_T_HDR_LSB + 32 * i, 32);
  for (unsigned i = 0; i < BEAT_DW; i++) data[i] = (uint32_t)bits_get(b, CM_TLP_T_DATA_LSB + 32 * i, 32);
  const answer *w = &s->due;
  CHECK(t, s->rx_up && w->goes, "P1 of px_cpl: an answer for nobody");
  CHECK_EQ(t, bits_get(b, CM_TLP_T_ERR_LSB, 1), w->err, "err");
  if (!beat(t, &s->back, hdr, data, bits_get(b, CM_TLP_T_STRB_LSB, BEAT_DW), bits_get(b, CM_TLP_T_SOP_LSB, 1),
            bits_get(b, CM_TLP_T_EOP_LSB, 1), "cpl"))
    return;
  for (unsigned i = 0; i < 4; i++)
    CHECK_EQ(t, s->back.got.hdr[i], w->hdr[i], "P1 of px_cpl: DW %u of an answer, code %u", i, w->error);
  CHECK_EQ(t, s->back.got.dws, w->dws, "P1 of px_cpl: payload");
  CHECK_MEM(t, s->back.got.data, w->data, 4 * w->dws, "P1 of px_cpl: payload");
}

static void hold(tb *t, held *h, bool valid, bool ready, const uint32_t *now, const char *what) {
  CHECK(t, !h->up || (valid && !memcmp(now, h->now, sizeof h->now)), "P6: a beat of %s changed while it waits", what);
  h->up = valid && !ready;
  memcpy(h->now, now, sizeof h->now);
}

static void check_held(tb *t, dut *d, state *s, bool wr, bool rd, bool cpl, bool back) {
  uint32_t w[WORDS] = {0}, r[WORDS] = {0}, c[WORDS] = {0}, b[WORDS] = {0};
  dut_get_tx_wr_req_tlp_hdr(d, w);
  dut_get_tx_wr_req_tlp_data(d, w + 4);
  w[BEAT_DW + 4] = (uint32_t)dut_get_tx_wr_req_tlp_strb(d);
  w[BEAT_DW + 5] = (uint32_t)(dut_get_tx_wr_req_tlp_sop(d) << 1 | dut_get_tx_wr_req_tlp_eop(d));
  w[BEAT_DW + 6] = (uint32_t)dut_get_tx_wr_req_tlp_seq(d);
  dut_get_tx_rd_req_tlp_hdr(d, r);
  dut_get_tx_cpl_tlp_hdr(d, c);
  dut_get_tx_cpl_tlp_data(d, c + 4);
  c[BEAT_DW + 4] = (uint32_t)dut_get_tx_cpl_tlp_strb(d);
  c[BEAT_DW + 5] = (uint32_t)(dut_get_tx_cpl_tlp_sop(d) << 1 | dut_get_tx_cpl_tlp_eop(d));
  dut_get_cpl_o(d, b);
  hold(t, &s->wr_held, dut_get_tx_wr_req_tlp_valid(d), wr, w, "tx_wr");
  hold(t, &s->rd_held, dut_get_tx_rd_req_tlp_valid(d), rd, r, "tx_rd");
  hold(t, &s->cpl_held, dut_get_tx_cpl_tlp_valid(d), cpl, c, "tx_cpl");
  hold(t, &s->back_held, dut_get_cpl_valid_o(d), back, b, "cpl");
}

// The oldest request goes soon after the writes in front of it have left and a tag is free, whatever came behind it.
static void check_waits(tb *t, state *s, bool wr, bool rd) {
  const tlp *n = &s->asks.at[s->asks.out % QUEUE];
  unsigned live = s->rx_up;  // its tag lives until its last answer is through
  for (unsigned i = 0; i < P_Tags; i++) live += s->tag[i].live || s->clock < s->tag[i].until;
  bool may = s->asks.out != s->asks.in && s->left >= n->before && live < P_Tags && s->ats == s->ats_left;
  if (n->kind == READ) may = may && rd;
  if (n->kind == ATOMIC) may = may && wr && !s->wr.mid && s->reads == s->reads_left && !s->no_room;
  s->waits += may;
  CHECK(t, s->waits <= SOON, "P2: a request waits for nothing, kind %d", n->kind);
}

static void cycle(tb *t, dut *d, state *s, bool more) {
  s->clock = dut_cycle(d);
  drive_req(t, d, s, more);
  drive_link(t, d, s);
  drive_rx(t, d, s);
  bool wr = up(t, s, WR), rd = up(t, s, RD), cpl = up(t, s, CPL), back = up(t, s, BACK);
  dut_set_tx_wr_req_tlp_ready(d, wr);
  dut_set_tx_rd_req_tlp_ready(d, rd);
  dut_set_tx_cpl_tlp_ready(d, cpl);
  dut_set_cpl_ready_i(d, back);
  dut_eval(d);
  bool gone = s->offered && dut_get_req_ready_o(d), in = s->rx_up && dut_get_rx_cpl_tlp_ready(d);
  if (s->up && (s->now.kind == READ || s->now.kind == ATOMIC))
    CHECK(t, gone, "P5: room for a request that was decided");
  if (dut_get_host_np_ready_o(d) && s->decided < 4) s->decided++;
  s->dropped += (unsigned)dut_get_drop_o(d);
  s->stray_seen += (unsigned)dut_get_stray_o(d);
  check_held(t, d, s, wr, rd, cpl, back);
  check_waits(t, s, wr, rd);
  if (wr && dut_get_tx_wr_req_tlp_valid(d)) take_wr(t, d, s);
  if (rd && dut_get_tx_rd_req_tlp_valid(d)) take_rd(t, d, s);
  if (cpl && dut_get_tx_cpl_tlp_valid(d)) take_tx_cpl(t, d, s);
  if (back && dut_get_cpl_valid_o(d)) take_back(t, d, s);
  dut_tick(d);
  s->offered = s->offered && !gone;
  if (gone && (s->dw += BEAT_DW) >= s->now.dws) s->up = false;
  if (in && (s->rx_dw += BEAT_DW) >= s->rx.dws) {
    s->rx_up = false;
    if (s->due.over && s->due.goes) s->tag[s->rx_tag].until = s->clock + (2u << P_Hold) + 4;
    CHECK(t, !s->back.mid, "P1 of px_cpl: an answer without its end");
  }
}

static bool busy(const state *s) {
  unsigned live = 0;
  for (unsigned i = 0; i < P_Tags; i++) live += s->tag[i].live;
  return s->up || s->rx_up || live || s->asks.in != s->asks.out || s->posted.in != s->posted.out ||
         s->cpls.in != s->cpls.out;
}

static void drain(tb *t, dut *d, state *s) {
  for (unsigned i = 0; i < 8; i++) s->pct[i] = 100;
  for (unsigned i = 0; i < 60000 && busy(s); i++) cycle(t, d, s, false);
  for (unsigned i = 0; i < 20; i++) cycle(t, d, s, false);
  CHECK(t, !busy(s), "P1: all has left and is answered: %u asks, %u writes, %u completions are not",
        s->asks.in - s->asks.out, s->posted.in - s->posted.out, s->cpls.in - s->cpls.out);
  CHECK_EQ(t, s->dropped, s->drops, "P1: what is dropped is told");
  CHECK_EQ(t, s->stray_seen, s->strays, "P1 of px_cpl: what is nobody's is told");
  CHECK(t, dut_get_host_np_ready_o(d), "P5: room at rest");
}

static void room(dut *d, uint64_t headers, uint64_t data) {
  dut_set_fc_nph_i(d, headers);
  dut_set_fc_npd_i(d, data);
}

// Without room at the host AtomicOps wait, and what waits behind them; writes go on, at a beat a cycle.
static void no_room(tb *t, dut *d, state *s) {
  drain(t, d, s);
  if (rnd_chance(t, 50))
    room(d, 8, 2000);
  else
    room(d, 200, 1);
  s->no_room = true;
  unsigned ats = s->made[ATOMIC];
  for (unsigned i = 0; i < 2000 && s->made[ATOMIC] == ats; i++) cycle(t, d, s, true);
  CHECK(t, s->made[ATOMIC] != ats, "an AtomicOp was made");
  s->only_writes = true;
  s->longest = 4;
  for (unsigned i = 0; i < 300; i++) cycle(t, d, s, true);
  uint64_t from = s->beats;
  for (unsigned i = 0; i < 200; i++) cycle(t, d, s, true);
  CHECK_EQ(t, s->beats - from, 200, "P6: a beat of writes a cycle, though an AtomicOp waits");
  s->only_writes = s->no_room = false;
  room(d, 9, 2);
  drain(t, d, s);
}

// What is under way is forgotten; the core has another number.
static void restart(tb *t, dut *d, state *s) {
  dut_set_req_valid_i(d, 0);
  dut_set_rx_cpl_tlp_valid(d, 0);
  dut_set_wr_req_tx_seq_num_valid(d, 0);
  dut_set_rd_req_tx_seq_num_valid(d, 0);
  dut_reset(d, 1);
  dut_eval(d);
  CHECK(t, !dut_get_tx_wr_req_tlp_valid(d) && !dut_get_tx_rd_req_tlp_valid(d) && !dut_get_tx_cpl_tlp_valid(d),
        "nothing is left after reset");
  s->rid = (uint32_t)rnd_bits(t, 16);
  dut_set_cfg_rid_i(d, s->rid);
  s->up = s->offered = s->rx_up = s->wr.mid = s->cpl.mid = s->back.mid = false;
  s->wr_held.up = s->rd_held.up = s->cpl_held.up = s->back_held.up = false;
  s->posted.out = s->posted.in, s->asks.out = s->asks.in, s->cpls.out = s->cpls.in;
  s->left = s->writes, s->ats_left = s->ats, s->reads_left = s->reads;
  s->dropped = s->drops, s->stray_seen = s->strays;
  s->decided = s->waits = 0;
  memset(s->tag, 0, sizeof s->tag);
}

static void reads_of_pages(tb *t, dut *d, state *s) {
  drain(t, d, s);
  s->only_reads = s->pages = true;
  for (uint64_t all = s->made[READ] + 3; s->made[READ] < all;) cycle(t, d, s, true);
  drain(t, d, s);
  s->only_reads = s->pages = false;
}

// Writes of a beat that the core keeps, up to so many as are counted, and requests behind them.
static void far_behind(tb *t, dut *d, state *s) {
  for (unsigned i = 0; i < 8; i++) s->pct[i] = 100;
  s->pct[LINK] = 0;
  s->only_writes = true;
  s->longest = 1;
  for (unsigned i = (unsigned)rnd_below(t, 300); i--;) cycle(t, d, s, true);
  s->only_writes = false;
  for (unsigned i = (unsigned)rnd_below(t, 100); i--;) cycle(t, d, s, true);
  s->only_writes = true;
  for (unsigned i = (unsigned)rnd_below(t, 300); i--;) cycle(t, d, s, true);
  s->only_writes = false;
}

// Many writes between requests, so that each that waits has another number of them ahead.
static void deep(tb *t, dut *d, state *s) {
  static const unsigned asks[] = {4, 10, 30}, link[] = {100, 60, 30};
  for (unsigned i = 0; i < 8; i++) s->pct[i] = 100;
  s->pct[LINK] = 0;
  s->deep = asks[rnd_below(t, 3)];
  for (unsigned i = (unsigned)rnd_below(t, 300); i--;) cycle(t, d, s, true);
  s->pct[LINK] = link[rnd_below(t, 3)];
  for (unsigned i = 0; i < 800; i++) cycle(t, d, s, true);
  s->deep = 0;
}

// Reads that nobody answers take every tag. Before that an AtomicOp waits for each read that the core has not told of.
static void all_tags(tb *t, dut *d, state *s) {
  drain(t, d, s);
  for (unsigned i = 0; i < (2u << P_Hold) + 4; i++) cycle(t, d, s, false);
  s->pct[ANSWER] = s->pct[NP] = 0;
  s->only_reads = true;
  uint64_t some = s->reads + 1 + rnd_below(t, P_Tags - 1);
  for (unsigned i = 0; i < 400 && s->reads < some; i++) cycle(t, d, s, true);
  CHECK(t, s->reads >= some, "reads go while there are tags");
  s->only_reads = false;
  for (unsigned i = 0; i < 60; i++) cycle(t, d, s, true);
  s->pct[NP] = 100;
  s->only_reads = true;
  for (unsigned i = 0; i < 400; i++) cycle(t, d, s, true);
  unsigned live = 0;
  for (unsigned i = 0; i < P_Tags; i++) live += s->tag[i].live;
  CHECK_EQ(t, live, P_Tags, "P1 of px_tags: if a tag is free one is offered");
  s->only_reads = false;
  drain(t, d, s);
}

int main(int argc, char **argv) {
  static state s;
  tb t;
  tb_init(&t, argc, argv, "px_host", 36000);
  dut *d = dut_begin(&t);
  room(d, 100, 100);
  restart(&t, d, &s);
  no_room(&t, d, &s);
  all_tags(&t, d, &s);
  reads_of_pages(&t, d, &s);
  for (unsigned i = 0; i < 4; i++) {
    far_behind(&t, d, &s);
    s.pct[LINK] = 60;
    for (unsigned k = 0; k < 400; k++) cycle(&t, d, &s, true);
    deep(&t, d, &s);
  }
  uint64_t end = dut_cycle(d) + t.cycles;
  while (dut_cycle(d) < end) {
    static const unsigned pct[] = {100, 100, 60, 10};
    if (rnd_chance(&t, 50)) no_room(&t, d, &s);
    if (rnd_chance(&t, 50)) all_tags(&t, d, &s);
    for (unsigned phase = 0; phase < 3; phase++) {
      if (rnd_chance(&t, 30)) far_behind(&t, d, &s);
      if (rnd_chance(&t, 30)) deep(&t, d, &s);
      for (unsigned i = 0; i < 8; i++) s.pct[i] = pct[rnd_below(&t, 4)];
      for (unsigned i = 0; i < 800; i++) cycle(&t, d, &s, true);
    }
    if (rnd_chance(&t, 50)) restart(&t, d, &s);
  }
  drain(&t, d, &s);
  printf("  %u writes, %u reads, %u atomics, %u messages, %u completions; %u answers, %u strays\n", s.made[WRITE],
         s.made[READ], s.made[ATOMIC], s.made[MESSAGE], s.made[COMPLETION],
         s.answers[0] + s.answers[1] + s.answers[2] + s.answers[5], s.strays);
  for (unsigned k = 0; k < KINDS; k++) CHECK(&t, s.made[k] > tb_least(&t, 20), "kind %u happened", k);
  for (unsigned e = 0; e < 16; e++)
    if (s.answers[e] == 0) CHECK(&t, e == 6 || e == 7 || (e > 8 && e < 15), "code %u happened", e);
  CHECK(&t, s.late > tb_least(&t, 10), "answers came late: %u", s.late);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
