// SPDX-License-Identifier: Apache-2.0
// Contexts in memory (CTX-1 to CTX-14) at their borders: numbers that are none, closes of closed ones,
// tables that memory refuses, registers written in motion, images that nobody has made. Each is what the rules say,
// and the other contexts serve on. Cases of the suite `hostile`, for configurations that have contexts;
// the others have nothing to do.
#include "directed.h"

enum {
  FIRST = 2,  // behind QP and QP_OTHER: contexts that write, each its own word of REGION
  LAST = 9,
  OPEN_AT = 0x80,
  ANSWERS_AT = 0x100,
  SOON = 600  // cycles in which all of a move has begun
};

typedef struct hand {
  stage *s;
  uint32_t psn[LAST + 2];
  unsigned word;  // that is written next
} hand;

static uint64_t image(unsigned c, unsigned at) { return sw_va(SW_CTX_PROC, SW_CONTEXTS + SW_CTX_SIZE * c + at); }
static uint64_t in_memory(const stage *s, unsigned c, unsigned at) {
  return node_peek64(s->n, SW_CTX_PROC, image(c, at));
}
static void to_memory(const stage *s, unsigned c, unsigned at, uint64_t v) {
  node_poke64(s->n, SW_CTX_PROC, image(c, at), v);
}
static unsigned offset(uint32_t reg) { return reg & 255; }

static void open_it(hand *h, unsigned c, unsigned timeout) {
  h->psn[c] = EPSN;
  sw_connect(h->s->n, c, 0, 1, 4, EPSN, 0, sw_ctl(5, 3, 7, 7, timeout));
}

static bool begin(hand *h, stage *s) {
  *h = (hand){.s = s, .word = 1};
  if (!s->n->cfg.Contexts) return false;
  sw_region(s->n, 0, SW_KEY, 0, REGION, 0x1000, 3);
  for (unsigned c = FIRST; c <= LAST; c++) open_it(h, c, 14);
  settle(s);
  return true;
}

static nic_head write_to(const hand *h, unsigned c) {
  nic_head f = to_qp(h->s, c, NIC_OP_WRITE_ONLY);
  f.va = REGION + 8 * c;
  f.rkey = SW_KEY;
  f.length = f.bytes = 8;
  f.psn = c <= LAST ? h->psn[c] : EPSN;
  return f;
}

// A write to it is answered, and is in memory.
static void serves(hand *h, unsigned c, const char *what) {
  uint8_t b[8];
  le_put(b, 8, ++h->word);
  deliver(h->s, write_to(h, c), b, false);
  expect(h->s, what, h->s->answers, 1);
  expect(h->s, what, h->s->answer.syndrome, NIC_SYN_ACK);
  expect(h->s, what, h->s->answer.psn, h->psn[c]);
  expect(h->s, what, node_peek64(h->s->n, 0, REGION + 8 * c), h->word);
  h->psn[c] = (h->psn[c] + 1) & 0xffffff;
}

// A write to it is dropped, as of nobody's.
static void is_nobody(hand *h, unsigned c, const char *what) {
  const uint64_t foreign = counter(h->s, NIC_CNT_FR_FOREIGN);
  uint8_t b[8] = {0xee};
  note_memory(h->s);
  deliver(h->s, write_to(h, c), b, false);
  expect(h->s, what, h->s->answers, 0);
  untouched(h->s, what);
  expect(h->s, what, counter(h->s, NIC_CNT_FR_FOREIGN), foreign + 1);
}

static void others_serve(hand *h, unsigned but) {
  for (unsigned c = FIRST; c <= LAST; c++)
    if (c != but) serves(h, c, "a context that has no part in it");
}

static void ring(hand *h, unsigned c, unsigned prod) {
  node_write(h->s->n, NIC_REG_NIC_BELL, prod | (uint64_t)c << NIC_NIC_BELL_CTX_LSB);
}

static void close_it(hand *h, unsigned c) { node_write(h->s->n, NIC_REG_NIC_CLOSE, c); }

static void is_closed(hand *h, unsigned c, const char *what) {
  settle(h->s);
  expect(h->s, what, node_read(h->s->n, NIC_REG_NIC_CLOSE), c);  // not BUSY
  expect(h->s, what, in_memory(h->s, c, OPEN_AT), 0);
}

// A put of 64 bytes that is in its ring.
static void post(const hand *h, unsigned c) {
  uint8_t b[64];
  entry e = {.op = SQ_WRITE, .va1 = sw_va(0, SW_LOCAL), .len1 = 64, .remote = REGION, .rkey = SW_KEY, .flags = 1};
  sw_entry_put(b, &e);
  node_poke(h->s->n, 0, sw_va(0, SW_RING + 0x1000 * c), b, sizeof b);
}

static unsigned in_places(hand *h) {
  unsigned on = 0;
  for (unsigned i = 0; i < h->s->n->cfg.NumQps; i++)
    on += (node_read(h->s->n, qp_reg(i, NIC_REG_QP_CTL)) & NIC_QP_CTL_EN_MASK) != 0;
  return on;
}

static void close_all(hand *h) {
  for (unsigned c = 0; c <= LAST; c++) {
    close_it(h, c);
    is_closed(h, c, "a close");
  }
  expect(h->s, "places in use when all are closed", in_places(h), 0);
}

static void open_again(hand *h, unsigned c) { to_memory(h->s, c, OPEN_AT, 1); }

// Numbers that are none (CTX-1): in a frame, a bell, a close; and of another NIC.
void case_54(stage *s) {
  hand h;
  if (!begin(&h, s)) return;
  const unsigned beyond[] = {s->n->cfg.Contexts, s->n->cfg.Contexts + 1, 0xfff};
  close_it(&h, LAST);
  is_closed(&h, LAST, "a close");
  open_again(&h, LAST);
  for (unsigned k = 0; k < 3; k++) {
    if (beyond[k] > 0xfff) continue;
    const uint64_t loaded = counter(s, NIC_CNT_CTX_LOADED), closed = counter(s, NIC_CNT_CTX_CLOSED);
    for (unsigned at = 0; at <= 0x80; at += 8) to_memory(s, beyond[k], at, in_memory(s, FIRST, at));  // nobody looks
    is_nobody(&h, beyond[k], "a frame for a context that does not exist");
    ring(&h, beyond[k], 1);
    close_it(&h, beyond[k]);
    node_write_strb(s->n, NIC_REG_NIC_BELL, 0, 0xf0);  // the halves that say nothing
    node_write_strb(s->n, NIC_REG_NIC_CLOSE, 0, 0xf0);
    settle(s);
    expect(s, "NIC_CLOSE after a number that is none", node_read(s->n, NIC_REG_NIC_CLOSE), LAST);
    expect(s, "its OPEN", in_memory(s, beyond[k], OPEN_AT), in_memory(s, FIRST, OPEN_AT));
    expect(s, "contexts loaded", counter(s, NIC_CNT_CTX_LOADED), loaded);
    expect(s, "contexts closed", counter(s, NIC_CNT_CTX_CLOSED), closed);
  }
  nic_head f = write_to(&h, FIRST);
  uint8_t b[8] = {1};
  f.qp ^= 1u << 12;
  deliver(s, f, b, false);
  expect(s, "answers to a frame of another NIC's context", s->answers, 0);
  others_serve(&h, 0);
}

// NIC_CTX (CTX-1): while queue pairs are on, a load or a close is under way, with bells that wait; off, and on again.
static void table_while_on(hand *h) {
  stage *s = h->s;
  const uint64_t table = sw_contexts(s->n);
  serves(h, FIRST, "one in a place");
  node_write(s->n, NIC_REG_NIC_CTX, 0);
  node_write(s->n, NIC_REG_NIC_CTX, table + 0x100000);
  expect(s, "NIC_CTX, written while queue pairs are on", node_read(s->n, NIC_REG_NIC_CTX), table);
  others_serve(h, 0);
}

static void table_while_moving(hand *h) {
  stage *s = h->s;
  const uint64_t table = sw_contexts(s->n);
  for (unsigned k = 0; k < SOON && !s->w->failed; k += rng_range(&s->w->rng, 3, 23)) {
    close_all(h);
    open_again(h, FIRST);
    open_again(h, FIRST + 1);
    const bool closes = rng_1in(&s->w->rng, 3);
    const uint64_t loaded = counter(s, NIC_CNT_CTX_LOADED);
    if (closes) close_it(h, FIRST + 1);
    ring(h, FIRST, 0);
    if (rng_1in(&s->w->rng, 2)) ring(h, FIRST + 1, 0);
    node_settle(s->n);
    run_for(s, k);
    node_write(s->n, NIC_REG_NIC_CTX, table);
    settle(s);
    expect(s, "NIC_CTX, written in motion", node_read(s->n, NIC_REG_NIC_CTX), table);
    expect(s, "places in use", in_places(h), counter(s, NIC_CNT_CTX_LOADED) - loaded);
    serves(h, FIRST, "one whose bell may have been forgotten");
    if (closes) is_closed(h, FIRST + 1, "a close that a write of NIC_CTX meets");
  }
}

static void table_off(hand *h) {
  stage *s = h->s;
  close_all(h);
  for (unsigned c = FIRST; c <= LAST; c++) open_again(h, c);
  node_write(s->n, NIC_REG_NIC_CTX, 0);
  const uint64_t closed = counter(s, NIC_CNT_CTX_CLOSED), loaded = counter(s, NIC_CNT_CTX_LOADED),
                 close = node_read(s->n, NIC_REG_NIC_CLOSE);
  ring(h, FIRST, 1);
  close_it(h, FIRST);
  node_write(s->n, qp_reg(1, NIC_REG_QP_MAC), 0x123456);
  settle(s);
  expect(s, "NIC_CLOSE, without contexts", node_read(s->n, NIC_REG_NIC_CLOSE), close);
  expect(s, "OPEN, without contexts", in_memory(s, FIRST, OPEN_AT) & 1, 1);
  expect(s, "a page of registers, without contexts", node_read(s->n, qp_reg(1, NIC_REG_QP_MAC)), 0x123456);
  is_nobody(h, FIRST, "a context's frame, without contexts");
  expect(s, "contexts closed", counter(s, NIC_CNT_CTX_CLOSED), closed);
  expect(s, "contexts loaded", counter(s, NIC_CNT_CTX_LOADED), loaded);
  node_write(s->n, NIC_REG_NIC_CTX, sw_contexts(s->n));
  others_serve(h, 0);
}

void case_55(stage *s) {
  hand h;
  if (!begin(&h, s)) return;
  table_while_on(&h);
  table_while_moving(&h);
  table_off(&h);
  open_again(&h, QP);
}

// Closes (CTX-9): a second one meanwhile, one of what is closed, one with its bell and frames before and
// behind it, one at work.
void case_56(stage *s) {
  hand h;
  if (!begin(&h, s)) return;
  for (unsigned k = 0; k < 40 && !s->w->failed; k++) {
    const unsigned a = FIRST + k % 6, b = a + 1;
    const uint64_t closed = counter(s, NIC_CNT_CTX_CLOSED);
    serves(&h, a, "one that is closed then");
    if (k & 1) others_serve(&h, a);  // it has been saved before
    if (k & 2) ring(&h, a, 0);
    close_it(&h, a);
    close_it(&h, b);
    if (k & 4) ring(&h, a, 0);
    settle(s);
    if (!s->n->dut && node_read(s->n, NIC_REG_NIC_CLOSE) == b) {  // a model by itself has done the first at once
      is_closed(&h, b, "the second of two closes");
      open_again(&h, b);
      open_again(&h, a);
      continue;
    }
    is_closed(&h, a, "the first of two closes");
    expect(s, "OPEN of the second", in_memory(s, b, OPEN_AT) & 1, 1);
    // a bell that comes when all is over finds it closed
    const uint64_t now = counter(s, NIC_CNT_CTX_CLOSED);
    if (!(k & 4)) expect(s, "contexts closed", now, closed + 1);
    if (now > closed + 2) expect(s, "contexts closed, at the most", now, closed + 2);
    is_nobody(&h, a, "a closed one's frame");
    close_it(&h, a);
    is_closed(&h, a, "a close of a closed one");
    expect(s, "contexts closed by a close of a closed one", counter(s, NIC_CNT_CTX_CLOSED),
           now + 2);  // the frame's, and this
    serves(&h, b, "the second one");
    open_again(&h, a);
    serves(&h, a, "one that was closed, and is opened again");
  }
  // at work: a read whose answer is far off; nobody else waits for it, and it comes to nothing
  for (unsigned k = 0; k < 6 && !s->w->failed; k++) {
    nic_head r = to_qp(s, FIRST, NIC_OP_READ_REQ);
    r.va = REGION, r.rkey = SW_KEY, r.length = 2048, r.psn = h.psn[FIRST];
    s->n->sw->slow = 3000;
    s->answers = 0;
    give(s, r, NULL, false);
    run_for(s, 200 * k);
    close_it(&h, FIRST);
    is_closed(&h, FIRST, "one with a read under way");
    s->n->sw->slow = 0;
    others_serve(&h, FIRST);
    open_again(&h, FIRST);
    deliver(s, r, NULL, false);  // asked for again: done now, or again
    expect(s, "answers to a read that is asked for again", s->answers, 1);
    expect(s, "its PSN", s->answer.psn, h.psn[FIRST]);
    h.psn[FIRST] = (h.psn[FIRST] + 1) & 0xffffff;
    serves(&h, FIRST, "a write behind it");
  }
}

// Bells (CTX-4) of closed contexts, among those of others: Closed each, and the others' requests leave.
void case_57(stage *s) {
  hand h;
  if (!begin(&h, s)) return;
  s->acks = true;
  for (unsigned c = FIRST; c <= LAST; c++) post(&h, c);
  for (unsigned c = FIRST; c <= LAST; c += 2) {
    close_it(&h, c);
    is_closed(&h, c, "a close");
  }
  const uint64_t closed = counter(s, NIC_CNT_CTX_CLOSED), requests = s->requests;
  for (unsigned c = FIRST; c <= LAST; c++) ring(&h, c, 1);
  settle(s);
  expect(s, "bells of closed contexts", counter(s, NIC_CNT_CTX_CLOSED) - closed, (LAST - FIRST + 1) / 2);
  expect(s, "requests that have left", s->requests - requests, (LAST - FIRST + 1) / 2);
  for (unsigned c = FIRST; c <= LAST; c += 2) {
    open_again(&h, c);
    ring(&h, c, 1);
  }
  settle(s);
  expect(s, "requests that have left when all are open", s->requests - requests, LAST - FIRST + 1);
  s->acks = false;
  others_serve(&h, 0);
}

// Memory that refuses a table's read, or breaks it (CTX-5): in its words, in its stored answers;
// for a frame, for a bell.
static void memory_fails(stage *s, unsigned c, unsigned at, unsigned k) {
  s->n->sw->bad_lo = node_at(SW_CTX_PROC, image(c, at));
  s->n->sw->bad_hi = s->n->sw->bad_lo + k;
}

static void atomic(hand *h, unsigned c) {
  nic_head f = to_qp(h->s, c, NIC_OP_FETCH_ADD);
  f.va = REGION + 0x800, f.rkey = SW_KEY | 1, f.swap = 1, f.psn = h->psn[c];
  deliver(h->s, f, NULL, false);
  expect(h->s, "answers to an atomic", h->s->answers, 1);
  h->psn[c] = (h->psn[c] + 1) & 0xffffff;
}

static void broken(hand *h, unsigned c, bool bell) {
  stage *s = h->s;
  const uint64_t was = counter(s, NIC_CNT_CTX_BROKEN), loaded = counter(s, NIC_CNT_CTX_LOADED);
  if (bell) {
    ring(h, c, 0);
    settle(s);
  } else {
    is_nobody(h, c, "a frame for a broken context");
  }
  expect(s, "contexts broken", counter(s, NIC_CNT_CTX_BROKEN), was + 1);
  expect(s, "contexts loaded", counter(s, NIC_CNT_CTX_LOADED), loaded);
}

void case_58(stage *s) {
  hand h;
  if (!begin(&h, s)) return;
  sw_region(s->n, 1, SW_KEY | 1, 0, REGION, 0x1000, 7);
  for (unsigned k = 0; k < 24 && !s->w->failed; k++) {
    const bool answers = k & 1, bell = k & 2;
    if (answers) atomic(&h, FIRST);
    others_serve(&h, FIRST);  // it is saved
    memory_fails(s, FIRST, answers ? ANSWERS_AT : 8 * (k % 16), 8);
    broken(&h, FIRST, bell);
    broken(&h, FIRST, !bell);
    others_serve(&h, FIRST);
    if (k % 5 == 0) {  // a close reads nothing
      close_it(&h, FIRST);
      is_closed(&h, FIRST, "a close of a broken one");
      open_again(&h, FIRST);
    }
    memory_fails(s, FIRST, 0, 0);
    node_write(s->n, NIC_REG_NIC_TAG_FREE, 1);  // of reads that never were answered
    serves(&h, FIRST, "one whose memory has mended");
  }
}

// What memory loses of a save is lost (CTX-13): the context is what it was before.
static void keep(const hand *h, unsigned c, uint64_t to[SW_CTX_SIZE / 8]) {
  for (unsigned at = 0; at < SW_CTX_SIZE; at += 8) to[at / 8] = in_memory(h->s, c, at);
}

void case_59(stage *s) {
  static uint64_t before[SW_CTX_SIZE / 8];
  hand h;
  if (!begin(&h, s)) return;
  for (unsigned k = 0; k < 4 && !s->w->failed; k++) {
    others_serve(&h, FIRST);
    keep(&h, FIRST, before);
    const uint32_t psn = h.psn[FIRST];
    serves(&h, FIRST, "what will be lost");
    others_serve(&h, FIRST);
    for (unsigned at = 0; at < SW_CTX_SIZE; at += 8) to_memory(s, FIRST, at, before[at / 8]);  // the save never was
    nic_head f = write_to(&h, FIRST);
    f.psn = (psn + 1) & 0xffffff;
    deliver(s, f, (const uint8_t[8]){0}, false);
    expect(s, "answers to what is ahead now", s->answers, 1);
    expect(s, "its NAK", s->answer.syndrome, NIC_SYN_NAK);
    expect(s, "of the PSN that was lost", s->answer.psn, psn);
    h.psn[FIRST] = psn;
    serves(&h, FIRST, "the same for the second time");
  }
}

// Software writes pages of queue pairs, stored answers and the context itself while contexts move: of the registers
// nothing is taken (CTX-11), and a context that is in a place has nothing of its memory (CTX-3).
void case_60(stage *s) {
  hand h;
  if (!begin(&h, s)) return;
  rng *r = &s->w->rng;
  for (unsigned turn = 0; turn < 60 && !s->w->failed; turn++) {
    const unsigned c = FIRST + turn % (LAST - FIRST + 1);
    uint8_t b[8];
    le_put(b, 8, ++h.word);
    s->answers = 0;
    give(s, write_to(&h, c), b, false);
    for (unsigned k = 0; k < 60 && !s->w->failed; k++) {
      const bool page = rng_1in(r, 2);
      const uint32_t addr = page ? qp_reg(rng_below(r, s->n->cfg.NumQps), NIC_REG_QP_CTL) + 8 * rng_below(r, 32)
                                 : NIC_REG_QP_ANSWER_PSN + 8 * rng_below(r, 128 * s->n->cfg.NumQps);
      node_write_strb(s->n, addr, rng_u64(r), (uint8_t)rng_u64(r));
      if (rng_1in(r, 8)) node_read(s->n, addr);
      run_for(s, rng_below(r, 12));
    }
    settle(s);
    expect(s, "answers while pages are written", s->answers, 1);
    expect(s, "the answer's syndrome", s->answer.syndrome, NIC_SYN_ACK);
    expect(s, "the word", node_peek64(s->n, 0, REGION + 8 * c), h.word);
    h.psn[c] = (h.psn[c] + 1) & 0xffffff;
    // it is in a place now: what is written into its memory is overwritten when it is saved
    for (unsigned at = 0; at < OPEN_AT; at += 8) to_memory(s, c, at, rng_u64(r));
  }
  others_serve(&h, 0);
}

// Images that no NIC has saved: any bits, but for the peer, which is one that the link knows, a process that exists,
// and a time-out. Whatever such a queue pair does by itself, the others serve on, and it can be closed.
void case_61(stage *s) {
#define AT(NAME) [(NIC_REG_QP_##NAME & 255) / 8]
  static const uint64_t kept[OPEN_AT / 8] = {
      AT(CTL) = NIC_QP_CTL_IPV6_MASK | NIC_QP_CTL_VLAN_MASK | NIC_QP_CTL_PROC_MASK | NIC_QP_CTL_TIMEOUT_MASK,
      AT(MAC) = ~0ull,
      AT(PEER) = ~0ull,
      AT(IP6_HI) = ~0ull,
      AT(IP6_LO) = ~0ull,
      AT(VLAN) = ~0ull};
#undef AT
  hand h;
  if (!begin(&h, s)) return;
  rng *r = &s->w->rng;
  for (unsigned k = 0; k < 40 && !s->w->failed; k++) {
    const unsigned c = FIRST + k % 2;
    close_it(&h, c);
    is_closed(&h, c, "a close");
    for (unsigned at = 0; at < SW_CTX_SIZE; at += 8) {
      const uint64_t was = in_memory(s, c, at), mask = at < OPEN_AT ? kept[at / 8] : at == OPEN_AT ? ~0ull : 0;
      uint64_t v = (was & mask) | (rng_u64(r) & ~mask);
      if (at == offset(NIC_REG_QP_MSG) && k % 3 == 1) v = 0;
      if (at == offset(NIC_REG_QP_PROD) && k % 4) v = was;
      to_memory(s, c, at, v);
    }
    if (k % 4) to_memory(s, c, offset(NIC_REG_QP_STS), in_memory(s, c, offset(NIC_REG_QP_PROD)) & 0xffff);
    to_memory(s, c, OPEN_AT, ~0ull);
    for (unsigned i = 0; i < 3; i++) {
      nic_head f = write_to(&h, c);
      f.psn = (uint32_t)in_memory(s, c, offset(NIC_REG_QP_NOW)) & 0xffffff;
      give(s, f, (const uint8_t[8]){1}, false);
      if (i) ring(&h, c, rng_below(r, 65536));
      run_for(s, rng_below(r, 2000));
    }
    for (unsigned o = FIRST + 2; o <= LAST; o++) {
      uint8_t b[8];
      le_put(b, 8, ++h.word);
      give(s, write_to(&h, o), b, false);
      run_for(s, 3000);  // the other may be at work for ever
      expect(s, "a word beside a context that nobody has made", node_peek64(s->n, 0, REGION + 8 * o), h.word);
      h.psn[o] = (h.psn[o] + 1) & 0xffffff;
    }
    close_it(&h, c);
    is_closed(&h, c, "a close of a context that nobody has made");
    open_it(&h, c, k % 2 ? 10 : 14);
    serves(&h, c, "one that is made anew");
  }
}

// CTX_SAVED, cleared when a context that needs another's place has been on its way for so long: 1 if that came first.
static uint64_t saved_after_clear(hand *h, uint64_t wait) {
  stage *s = h->s;
  ring(h, FIRST + h->word++ % (LAST + 1 - FIRST), 0);  // that of the longest ago, which is not there
  node_settle(s->n);
  run_for(s, wait);
  node_write(s->n, NIC_REG_NIC_CNT + 8 * NIC_CNT_CTX_SAVED, 0);
  settle(s);
  return counter(s, NIC_CNT_CTX_SAVED);
}

// A counter that is cleared about the cycle of what it counts (CNT-2): the cycles before and behind it, and that one.
void case_62(stage *s) {
  hand h;
  if (!begin(&h, s)) return;
  for (unsigned k = FIRST; k <= LAST; k++) saved_after_clear(&h, SOON);
  uint64_t before = 0, after = 2 * SOON;
  if (!s->n->dut) return;  // a model by itself has no cycles
  expect(s, "contexts saved since a clear before it", saved_after_clear(&h, before), 1);
  expect(s, "contexts saved since a clear behind it", saved_after_clear(&h, after), 0);
  while (after - before > 1 && !s->w->failed) {
    const uint64_t wait = (before + after) / 2;
    if (saved_after_clear(&h, wait))
      before = wait;
    else
      after = wait;
  }
  for (unsigned k = 0; k < 120 && !s->w->failed; k++) {
    const uint64_t saved = saved_after_clear(&h, after + k % 24 - 12);
    if (saved > 1) expect(s, "contexts saved since a clear, at the most", saved, 1);
  }
}
