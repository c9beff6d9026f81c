// SPDX-License-Identifier: Apache-2.0
// aa_decide: requests that need every kind of resource, resources that come and go. Each request is decided once, or
// given back and offered again; a decision has all that it needs, and what is given back leaves no trace. What leaves
// with a decision (header, record, tag entry, answer, fault, error, counters) is compared, bit by bit, with what is
// wanted of the request (wanted_case.h), of its tag, its port's reset and its log. The watchdog drops a record after 1
// to 1.5 times its value from when its request first lacked space, also behind one that it has just dropped.
// Rules of rtl/aa/README.md: STR-3, DEC-4, DEC-14, DEC-15, DEC-16, DEC-17, DEC-18, DEC-19, RST-2, TAG-11, TMO-1.
// config: default -GNumPorts=2
// config: one -GNumPorts=1
// netlist: default
#include "wanted_case.h"
#include "aa_decide_tb.h"

enum { LANES = 2 * P_NumPorts, QUEUE = 16, WAKE = 16 };

typedef struct item {
  wanted_case c;
  bool live;  // its tag, if it is looked at
} item;

// A stage of the block: of which lane, and the how manieth of that lane.
typedef struct {
  bool valid;
  unsigned lane, n;
} stage;

// What D2 must do in this cycle, and why it may not.
typedef struct {
  bool live, old, fwd, ur, flush, fault, keep, drop, starve, watchdog, tracked;
  bool no_space, no_tag, no_waiter, no_ur, no_host;
  bool barred, done, back, move;
} deed;

// The bench: what was offered and what became of it, and what is given to the device in this cycle.
typedef struct {
  tb *t;
  dut *d;
  item q[LANES][QUEUE];
  unsigned made[LANES], next[LANES], rd[LANES], rest[LANES], hold_for, base;
  stage s[2];
  uint64_t outcomes[8], key, stopped, olds, dropped_picks, stays;
  // A lane that waits for log space: since when (0: it does not), and the watchdogs that there were meanwhile; the
  // ticks that it has seen.
  uint64_t since[LANES], since_set, expired, close, last_done[LANES];
  unsigned least[LANES], ticks[LANES], untold;  // untold: cycles since the last tick
  bool waiting[LANES], freed_before;
  uint64_t begun;  // the cycle after the reset
  // of this cycle
  uint64_t c;
  unsigned wdog, rid, lane, plenty, old_ports, old_fn, tag_idx, flush_idx;
  item *d1, *d2;
  deed e;
  uint32_t rsv[RSV_I_WORDS];
  bool hold, offer, space, never, failed, dropper, tag_ready, tag_hold, flush_ready, ur_ready, np_ready, move_ready,
      freed, tick;
} bench;

#define RSV(f) bits_get(b->rsv, AA_RSV_T_##f##_LSB, AA_RSV_T_##f##_W)
#define IN(w, type, f) bits_get(w, AA_##type##_##f##_LSB, AA_##type##_##f##_W)

// ---- what is offered ----
// Half of the requester ids are the same, the others differ from it in one bit; so it is with the one that is reset.
static unsigned requester(bench *b) { return b->base ^ (rnd_chance(b->t, 50) ? 0 : 1u << rnd_below(b->t, 16)); }

static void make(bench *b, unsigned lane) {
  item *x = &b->q[lane][b->made[lane]++ % QUEUE];
  case_make(b->t, &x->c, lane, requester(b), P_NumPorts);
  x->live = rnd_chance(b->t, 10);
}

static item *at(bench *b, stage s) { return s.valid ? &b->q[s.lane][s.n % QUEUE] : NULL; }

static void requests(bench *b) {
  b->hold = (b->c & 511) > 500;
  b->plenty = b->c & 4096 ? 90 : 40;
  for (unsigned l = 0; l < LANES; l++)
    if (b->made[l] - b->rd[l] < 8) make(b, l);
  b->lane = (unsigned)rnd_below(b->t, LANES);
  b->offer = !b->hold && b->next[b->lane] != b->made[b->lane] && !b->rest[b->lane] && rnd_chance(b->t, 80);
  b->d1 = at(b, b->s[0]);
  b->d2 = at(b, b->s[1]);
}

// Short ones, none, one that takes long to tick; and now and then one of which only a high bit is set as well, which
// must not tick at all.
static unsigned watchdog_of(bench *b) {
  static const unsigned wdogs[] = {0, 1, 2, 7, 40, 41, 0, 150};
  if ((b->c & 16383) >= 12288) return 2600;
  unsigned short_one = wdogs[b->c >> 10 & 7];
  return (b->c & 1023) < 768 ? short_one : short_one >> 2 | 1u << (7 + rnd_below(b->t, 25));
}

static void watchdog(bench *b) {
  bool high = (b->c & 16383) < 12288 && (b->c & 1023) >= 768;
  if (b->c & (high ? 31 : 1023)) return;

  b->wdog = watchdog_of(b);
  b->since_set = b->c;
  for (unsigned l = 0; l < LANES; l++) b->least[l] = b->wdog && b->wdog < b->least[l] ? b->wdog : b->least[l];
}

static void resources(bench *b) {
  bool dry = b->c & 2048;  // hardly ever any space
  b->space = rnd_chance(b->t, dry ? 1 : b->plenty);
  b->never = !b->space && rnd_chance(b->t, dry ? 1 : 6);
  b->failed = !b->space && rnd_chance(b->t, dry ? 1 : 5);
  b->dropper = b->failed || rnd_chance(b->t, dry ? 1 : 10);
  b->tag_hold = rnd_chance(b->t, 20);
  b->tag_ready = !b->tag_hold && rnd_chance(b->t, b->plenty);
  b->flush_ready = rnd_chance(b->t, b->plenty);
  b->ur_ready = rnd_chance(b->t, b->plenty);
  b->np_ready = rnd_chance(b->t, b->plenty);
  b->move_ready = rnd_chance(b->t, b->plenty);
  b->freed = rnd_chance(b->t, 10);
  b->tag_idx = (unsigned)rnd_bits(b->t, 8);
  b->flush_idx = (unsigned)rnd_bits(b->t, 8);
  rnd_words(b->t, b->rsv, AA_RSV_T_W);
  CASE_SET(b->rsv, AA_RSV_T_SPACE, b->space);
  CASE_SET(b->rsv, AA_RSV_T_NEVER, b->never);
  CASE_SET(b->rsv, AA_RSV_T_DROP, b->dropper);
  CASE_SET(b->rsv, AA_RSV_T_FAILED, b->failed);
}

// What has been reset: whole ports, or a requester, which changes under hold.
static void resets(bench *b) {
  b->old_ports = rnd_chance(b->t, 5) ? (unsigned)rnd_bits(b->t, P_NumPorts) : 0;
  b->old_fn = rnd_chance(b->t, 10) ? (unsigned)rnd_bits(b->t, P_NumPorts) : 0;
  if ((b->c & 511) != 511) return;

  b->base = (unsigned)rnd_bits(b->t, 16);
  b->rid = requester(b);
}

// Of the request in D1 the table, the flush pages and the filters are asked; what they say of nobody is anything.
static void drive_d1(bench *b) {
  wanted_case nobody;
  const wanted_case *c = b->d1 ? &b->d1->c : &nobody;
  if (!b->d1) case_make(b->t, &nobody, 0, 0, P_NumPorts);
  dut_set_cam_hit_i(b->d, c->hit);
  dut_set_cam_log_i(b->d, c->log);
  dut_set_page_hit_i(b->d, c->page);
#if P_NumPorts == 1  // a port of up to 64 bits is a number
  dut_set_filter_i(b->d, bits_get(c->filter, 0, FILTER_I_W));
#else
  dut_set_filter_i(b->d, c->filter);
#endif
}

static void drive(bench *b) {
  const item *p = &b->q[b->lane][b->next[b->lane] % QUEUE];
  dut_set_wdog_i(b->d, b->wdog);
  dut_set_hold_i(b->d, b->hold);
  dut_set_freed_i(b->d, b->freed);
  dut_set_pick_valid_i(b->d, b->offer);
  dut_set_pick_lane_i(b->d, b->lane);
  dut_set_pick_req_i(b->d, p->c.req);
  dut_set_pick_res_i(b->d, p->c.res);
  drive_d1(b);
  dut_set_rsv_i(b->d, b->rsv);
  dut_set_old_i(b->d, b->old_ports);
  dut_set_old_fn_i(b->d, b->old_fn);
  dut_set_fn_rid_i(b->d, b->rid);
  bool live = b->d2 ? b->d2->live : rnd_bits(b->t, 1);
  dut_set_tag_i(b->d, (uint64_t)live << AA_TAG_T_LIVE_LSB | (uint64_t)b->tag_ready << AA_TAG_T_READY_LSB |
                          (uint64_t)b->tag_hold << AA_TAG_T_HOLD_LSB | (uint64_t)b->tag_idx << AA_TAG_T_IDX_LSB);
  dut_set_flush_ready_i(b->d, b->flush_ready);
  dut_set_flush_idx_i(b->d, b->flush_idx);
  dut_set_ur_ready_i(b->d, b->ur_ready);
  dut_set_host_np_ready_i(b->d, b->np_ready);
  dut_set_move_ready_i(b->d, b->move_ready);
  dut_eval(b->d);
}

// ---- what D2 must do ----
static deed deed_of(const bench *b) {
  deed e = {0};
  if (!b->d2) return e;
  const wanted_case *c = &b->d2->c;
  const want *x = &c->x;
  unsigned l = b->s[1].lane, port = l >> 1;
  e.live = c->np && !x->pre && b->d2->live;
  e.old = c->np && ((b->old_ports >> port & 1) || ((b->old_fn >> port & 1) && b->rid == c->rid));
  bool cut = e.live || e.old, record = (x->put || x->get) && !cut;
  e.fwd = x->fwd && !cut;
  e.ur = (x->ur || e.live) && !e.old;
  e.flush = x->flush && !cut;
  e.fault = x->fault && !cut;
  e.tracked = e.flush || (e.fwd && c->np);
  e.starve = record && !b->space && !b->never && !b->dropper;
  e.watchdog = e.starve && b->wdog && b->waiting[l] && b->ticks[l] == 3;
  e.keep = record && b->space;
  e.no_space = e.starve && !e.watchdog;
  e.drop = record && !b->space && !e.no_space;
  e.no_tag = e.tracked && !b->tag_ready;
  e.barred = e.tracked && b->tag_hold;
  e.no_waiter = e.flush && !b->flush_ready;
  e.no_ur = e.ur && !b->ur_ready;
  e.no_host = e.fwd && c->np && !b->np_ready;
  bool lacks = e.no_space || e.no_tag || e.no_waiter || e.no_ur || e.no_host;
  e.done = !b->hold && !lacks && b->move_ready;
  e.back = b->hold || (lacks && b->move_ready && !e.barred);
  e.move = !b->hold && !lacks && (e.fwd || x->beats || (e.keep && x->put));
  return e;
}

// Takes a tag entry, unless it is refused or of before a reset: for nothing else does a completion wait.
static bool may_track(const wanted_case *c) { return c->x.flush || (c->x.fwd && c->np); }

static unsigned outcome(const deed *e) {
  if (e->flush) return AA_E_OutFlush;
  if (e->fwd) return e->keep ? AA_E_OutLog : e->drop ? AA_E_OutLost : AA_E_OutPass;
  return e->keep ? AA_E_OutRedirect : e->drop ? AA_E_OutBlockLost : AA_E_OutBlock;
}

// ---- what it did ----
static void record_of_the_decision(bench *b) {
  const deed *e = &b->e;
  uint32_t ret[RET_O_WORDS];
  unsigned out = outcome(e);
  dut_get_ret_o(b->d, ret);
  CHECK_EQ(b->t, IN(ret, RETIRE_T, KIND), AA_E_RetDecide, "kind of the record");
  CHECK_EQ(b->t, IN(ret, RETIRE_T, CODE), out, "outcome");
  CHECK_EQ(b->t, IN(ret, RETIRE_T, LANE), b->s[1].lane, "lane of the record");
  CHECK_EQ(b->t, IN(ret, RETIRE_T, FLAG), e->watchdog && e->drop, "flag: the watchdog");
  CHECK_EQ(b->t, IN(ret, RETIRE_T, IDX), e->flush ? b->flush_idx : e->tracked ? b->tag_idx : 0xff, "index");
  CHECK_EQ(b->t, IN(ret, RETIRE_T, A), e->fwd ? b->d2->c.x.pa : 0, "address forwarded");
  CHECK_EQ(b->t, IN(ret, RETIRE_T, B), e->keep ? RSV(ADDR) : 0, "address of the entry");
  CHECK_EQ(b->t, IN(ret, RETIRE_T, SLOT), e->keep ? b->d2->c.log : 0, "its log");
  b->outcomes[out]++;
}

static void error_and_fault(bench *b) {
  const deed *e = &b->e;
  const wanted_case *c = &b->d2->c;
  uint32_t err[ERR_O_WORDS], fault[FAULT_O_WORDS];
  bool refused = !e->live && c->x.err;
  unsigned why = b->failed    ? AA_K_ErrLogFailed
                 : b->never   ? AA_K_ErrLogFit
                 : b->dropper ? AA_K_ErrLogDrop
                              : AA_K_ErrLogWdog;
  CHECK_EQ(b->t, dut_get_err_valid_o(b->d), !e->old && (e->live || c->x.err || e->drop), "an error");
  if (dut_get_err_valid_o(b->d)) {
    dut_get_err_o(b->d, err);
    CHECK_EQ(b->t, IN(err, ERR_T, CODE), refused ? c->x.err : e->live ? AA_K_ErrTagLive : why, "which error");
    CHECK_EQ(b->t, IN(err, ERR_T, SID), c->rid, "whose error");
    CHECK_EQ(b->t, IN(err, ERR_T, IUID), e->live || c->x.pre ? 0 : c->x.iuid, "its IUID");
    CHECK_EQ(b->t, IN(err, ERR_T, ADDR), c->iova, "its address");
  }
  CHECK_EQ(b->t, dut_get_fault_valid_o(b->d), e->fault, "a stock fault");
  if (!e->fault) return;
  dut_get_fault_o(b->d, fault);
  CHECK_EQ(b->t, IN(fault, FAULT_T, REASON), c->x.reason, "its reason");
  CHECK_EQ(b->t, IN(fault, FAULT_T, READ), c->rd, "of a read");
  CHECK_EQ(b->t, IN(fault, FAULT_T, AT), bits_get(c->hdr, 106, 2), "its address type");
  CHECK_EQ(b->t, IN(fault, FAULT_T, SID), c->rid, "whose fault");
  CHECK_EQ(b->t, IN(fault, FAULT_T, PAGE), c->iova >> 12, "its page");
}

static void entry_is(bench *b, const uint32_t *w, unsigned lsb, const char *where) {
  for (unsigned i = 0; i < 4; i++)
    CHECK_EQ(b->t, bits_get(w, lsb + 32 * i, 32), b->d2->c.x.entry[i], "word %u of the entry, %s", i, where);
}

static void tag_entry(bench *b) {
  const wanted_case *c = &b->d2->c;
  bool logged = b->e.keep && c->x.get;
  uint32_t w[TAG_ACT_O_WORDS];
  dut_get_tag_act_o(b->d, w);
  CHECK_EQ(b->t, IN(w, TAG_ACT_T, ALLOC_RID), c->rid, "requester");
  CHECK_EQ(b->t, IN(w, TAG_ACT_T, ALLOC_TAG), c->tag, "tag");
  CHECK_EQ(b->t, IN(w, TAG_ACT_T, ALLOC_PORT), c->lane >> 1, "port");
  CHECK_EQ(b->t, IN(w, TAG_ACT_T, ALLOC_FLUSH), b->e.flush, "held");
  CHECK_EQ(b->t, IN(w, TAG_ACT_T, ALLOC_START), c->x.start, "first byte");
  CHECK_EQ(b->t, IN(w, TAG_ACT_T, ALLOC_BYTES), c->x.count, "bytes");
  CHECK_EQ(b->t, IN(w, TAG_ACT_T, ALLOC_LOGGED), logged, "its completions are logged");
  if (!logged) return;
  entry_is(b, w, AA_TAG_ACT_T_ALLOC_HDR_LSB, "of the tag");
  CHECK_EQ(b->t, IN(w, TAG_ACT_T, ALLOC_ID), RSV(ID), "id of a get's entry");
  CHECK_EQ(b->t, IN(w, TAG_ACT_T, ALLOC_ADDR), RSV(ADDR), "its address");
  CHECK_EQ(b->t, IN(w, TAG_ACT_T, ALLOC_PAD), RSV(PAD), "its pad");
  if (!RSV(PAD)) return;
  CHECK_EQ(b->t, IN(w, TAG_ACT_T, ALLOC_PAD_ADDR), RSV(PAD_ADDR), "address of its pad");
  CHECK_EQ(b->t, IN(w, TAG_ACT_T, ALLOC_PAD_BYTES), RSV(PAD_BYTES), "bytes of its pad");
}

#define PUT(f) bits_get(w, AA_MOVE_T_LOG_LSB + AA_PUT_LOG_T_##f##_LSB, AA_PUT_LOG_T_##f##_W)
static void moved(bench *b) {
  const wanted_case *c = &b->d2->c;
  bool put = b->e.keep && c->x.put;
  uint32_t w[MOVE_O_WORDS];
  dut_get_move_o(b->d, w);
  CHECK_EQ(b->t, IN(w, MOVE_T, LANE), c->lane, "lane of what is moved");
  CHECK_EQ(b->t, IN(w, MOVE_T, FWD), b->e.fwd, "forwarded");
  CHECK_EQ(b->t, IN(w, MOVE_T, PUT), put, "put");
  CHECK_EQ(b->t, IN(w, MOVE_T, BEATS), c->x.beats, "beats of payload");
  CHECK_EQ(b->t, IN(w, MOVE_T, SEQ), c->seq, "sequence number");
  for (unsigned i = 0; b->e.fwd && i < 4; i++)
    CHECK_EQ(b->t, bits_get(w, AA_MOVE_T_HDR_LSB + 32 * i, 32), c->x.hdr[i], "word %u of the header that leaves", i);
  if (!put) return;
  entry_is(b, w, AA_MOVE_T_LOG_LSB + AA_PUT_LOG_T_HDR_LSB, "of the put");
  CHECK_EQ(b->t, PUT(ID), RSV(ID), "id of a put's entry");
  CHECK_EQ(b->t, PUT(ADDR), RSV(ADDR), "its address");
  CHECK_EQ(b->t, PUT(TOTAL), c->x.units + 1, "its size");
  CHECK_EQ(b->t, PUT(PAD), RSV(PAD), "its pad");
  if (!RSV(PAD)) return;
  CHECK_EQ(b->t, PUT(PAD_ADDR), RSV(PAD_ADDR), "address of its pad");
  CHECK_EQ(b->t, PUT(PAD_BYTES), RSV(PAD_BYTES), "bytes of its pad");
}

#define EVENT(f, is) ((uint64_t)(is) << AA_DECIDE_EVENT_T_##f##_LSB)
static uint64_t counted(const bench *b) {
  const deed *e = &b->e;
  const wanted_case *c = &b->d2->c;
  bool cut = e->live || e->old, filter = c->x.err == AA_K_ErrPortId;
  return EVENT(REQUEST, 1) | EVENT(WRITE, c->wr) | EVENT(READ, c->rd) | EVENT(ATOMIC, c->at) |
         EVENT(PASSED, c->x.pre && c->x.fwd) | EVENT(UR, e->ur) | EVENT(DENIED, c->x.denied && !cut) |
         EVENT(RESERVED, e->keep) | EVENT(DROPPED, e->drop) | EVENT(FLUSH, e->flush) |
         EVENT(MALFORMED, c->x.pre && c->x.err && !filter && !e->old) | EVENT(TAG_LIVE, e->live && !e->old) |
         EVENT(NO_LOG, c->x.err == AA_K_ErrNoLog && !cut) | EVENT(PAD, e->keep && RSV(PAD)) |
         EVENT(POISONED, c->x.poisoned && !cut) | EVENT(FILTER, filter && !e->old) | EVENT(OLD, e->old);
}

// The bounds of the watchdog, whatever its ticks.
static void waited_for_space(bench *b) {
  unsigned l = b->s[1].lane;
  if (b->e.watchdog && b->e.drop) {
    uint64_t begun = b->since[l];
    CHECK(b->t, begun && b->c - begun > b->least[l], "lane %u dropped by the watchdog %u, given back %s %llu before", l,
          b->least[l], begun ? "first" : "never", (unsigned long long)(begun ? b->c - begun : 0));
    b->expired++;
  }
  b->stopped += b->e.drop && b->failed;
  if ((b->d2->c.x.put || b->d2->c.x.get) && b->c - b->last_done[l] == 1) b->close++;
  b->last_done[l] = b->c;
  b->since[l] = 0;
}

static void decided(bench *b) {
  CHECK_EQ(b->t, dut_get_done_lane_o(b->d), b->s[1].lane, "lane that is done");
  CHECK_EQ(b->t, b->s[1].n, b->rd[b->s[1].lane], "in order");
  record_of_the_decision(b);
  error_and_fault(b);
  CHECK_EQ(b->t, dut_get_event_o(b->d), counted(b), "counted");
  if (b->e.old) b->olds++;
  waited_for_space(b);
}

static void given_back(bench *b) {
  unsigned l = b->s[1].lane, half = b->wdog > 3 ? b->wdog / 2 : 1;
  CHECK_EQ(b->t, dut_get_back_lane_o(b->d), l, "lane that is given back");
  CHECK_EQ(b->t, dut_get_rest_o(b->d), !b->hold, "it rests, but for a hold");
  if (b->hold) return;

  uint64_t from = b->since[l] > b->since_set ? b->since[l] : b->since_set;
  bool lacks_more = b->e.no_tag || b->e.no_ur || b->e.no_host || b->e.no_waiter;
  if (b->e.starve && b->since[l] && !lacks_more)
    CHECK(b->t, !b->wdog || b->c - from <= 3 * half, "lane %u still waits for space after %llu cycles, watchdog %u", l,
          (unsigned long long)(b->c - from), b->wdog);
  if (b->e.starve && !b->since[l]) b->least[l] = b->wdog ? b->wdog : ~0u;
  b->since[l] = !b->e.starve ? 0 : b->since[l] ? b->since[l] : b->c;
}

// What D2 says of its request, whether it is decided or not; and who has to answer it.
static void asks(bench *b) {
  const wanted_case *c = &b->d2->c;
  uint32_t w[ASKER_O_WORDS];
  const uint64_t ask = dut_get_rsv_ask_o(b->d);
  CHECK_EQ(b->t, b->key, (uint64_t)c->rid << 10 | c->tag, "the key that was looked up a cycle ahead");
  if (c->x.put || c->x.get) {
    CHECK_EQ(b->t, ask >> AA_RSV_ASK_T_LOG_LSB & 31, c->log, "log that is asked for room");
    CHECK_EQ(b->t, ask >> AA_RSV_ASK_T_UNITS_LSB & 511, c->x.units, "how much room");
  }
  dut_get_asker_o(b->d, w);
  CHECK_EQ(b->t, IN(w, ASKER_T, PORT), c->lane >> 1, "port of who asked");
  CHECK_EQ(b->t, IN(w, ASKER_T, SEQ), c->seq, "its sequence number");
  for (unsigned i = 0; i < 4; i++) CHECK_EQ(b->t, bits_get(w, 32 * i, 32), c->hdr[i], "word %u of its header", i);
}

// Every valid of D2.
static void look(bench *b) {
  const deed *e = &b->e;
  uint32_t tag[TAG_ACT_O_WORDS];
  const uint64_t act = dut_get_rsv_act_o(b->d);
  bool reserved = (act >> AA_RSV_ACT_T_TAKE_LSB & 1) && b->space, lost = act >> AA_RSV_ACT_T_LOST_LSB & 1;
  dut_get_tag_act_o(b->d, tag);
  CHECK_EQ(b->t, dut_get_done_valid_o(b->d), e->done, "decided");
  CHECK_EQ(b->t, dut_get_back_o(b->d), e->back, "given back");
  CHECK_EQ(b->t, dut_get_ret_valid_o(b->d), e->done, "a record with every decision");
  CHECK_EQ(b->t, IN(tag, TAG_ACT_T, VALID), e->done && e->tracked, "tag entry");
  CHECK_EQ(b->t, IN(tag, TAG_ACT_T, MAY), b->d2 && may_track(&b->d2->c) && b->move_ready, "a tag entry may be taken");
  CHECK_EQ(b->t, dut_get_flush_valid_o(b->d), e->done && e->flush, "waiter");
  CHECK_EQ(b->t, dut_get_ur_valid_o(b->d), e->done && e->ur, "UR");
  CHECK_EQ(b->t, reserved, e->done && e->keep, "reservation");
  CHECK_EQ(b->t, lost, e->done && e->drop, "record dropped");
  CHECK_EQ(b->t, dut_get_move_valid_o(b->d), e->move, "moved");
  CHECK_EQ(b->t, dut_get_wait_o(b->d), b->hold ? 0 : e->no_host << 3 | e->no_waiter << 2 | e->no_tag << 1 | e->no_space,
           "what it waits for");
  if (b->d2) asks(b);
  if (e->done && e->tracked) tag_entry(b);
  if (e->move) moved(b);
  if (e->done) {
    decided(b);
  } else {
    CHECK(b->t, !dut_get_err_valid_o(b->d) && !dut_get_fault_valid_o(b->d) && !dut_get_event_o(b->d),
          "a trace without a decision");
  }
  if (e->back) given_back(b);
}

// Whether the stages move, what D1 asks, and who is woken: after what was freed a cycle ago, by each tick of the
// watchdog, and every 16 cycles.
static bool moves(const bench *b) { return !b->d2 || b->hold || (b->move_ready && !b->e.barred); }

static void look_around(bench *b) {
  CHECK_EQ(b->t, dut_get_idle_o(b->d), !b->d1 && !b->d2, "idle");
  CHECK_EQ(b->t, dut_get_pick_ready_o(b->d), !b->d1 || moves(b), "takes what is picked");
  if (b->d1) {
    CHECK_EQ(b->t, dut_get_cam_iuid_o(b->d), b->d1->c.iuid, "IUID that the table is asked for");
    CHECK_EQ(b->t, dut_get_page_o(b->d), b->d1->c.iova >> 12, "page that the flush pages are asked for");
  }
  b->tick = b->wdog && b->untold >= b->wdog / 2;
  CHECK_EQ(b->t, dut_get_wake_o(b->d), b->freed_before || b->tick || (b->c - b->begun) % WAKE == 0, "wakes");
  CHECK_EQ(b->t, dut_get_rsv_act_o(b->d) >> AA_RSV_ACT_T_NEXT_LSB & 1, moves(b), "the log is asked for of the next");
}

// ---- the next cycle ----
static void stages(bench *b) {
  const unsigned back_port = b->s[1].lane >> 1;
  bool take = dut_get_pick_ready_o(b->d) && b->offer, next = moves(b);
  bool kill_pick = b->e.back && b->lane >> 1 == back_port, kill = b->e.back && b->s[0].lane >> 1 == back_port;
  if (next) {
    b->s[1] = b->s[0];
    b->s[1].valid = b->s[0].valid && !kill;
  }
  if (dut_get_pick_ready_o(b->d)) {
    b->s[0] = (stage){.valid = take && !kill_pick, .lane = b->lane, .n = b->next[b->lane]};
    b->next[b->lane] += take;
    b->dropped_picks += take && kill_pick;
  }
}

// As aa_pick keeps them: what goes back, and all that is behind it in its port, is picked anew.
static void pointers(bench *b) {
  const unsigned l2 = b->s[1].lane;
  if (b->e.done) b->rd[l2]++;
  stages(b);
  for (unsigned l = 0; l < LANES; l++) {
    if (b->rest[l]) b->rest[l]--;
    if (b->e.back && l >> 1 == l2 >> 1) b->next[l] = b->rd[l];
  }
  if (b->e.back && !b->hold) b->rest[l2] = 3;
  b->hold_for = b->hold ? b->hold_for + 1 : 0;
  if (b->hold_for > 3) CHECK(b->t, dut_get_idle_o(b->d), "hold ends within 3 cycles");
  const uint64_t ask = dut_get_tag_ask_o(b->d);
  if (ask >> AA_TAG_ASK_T_LOOK_LSB & 1) b->key = ask >> AA_TAG_ASK_T_KEY_LSB & ((1u << AA_TAG_ASK_T_KEY_W) - 1);
}

// A wait for space counts ticks, from the cycle after the one in which it began, to its decision or to another reason.
static void waits(bench *b, unsigned l2) {
  for (unsigned l = 0; l < LANES; l++) {
    b->ticks[l] = !b->waiting[l] ? 0 : b->ticks[l] + (b->tick && b->ticks[l] < 3);
    if (l != l2) continue;
    if (b->e.done) b->waiting[l] = false;
    if (b->e.back && !b->hold) b->waiting[l] = b->e.starve;
  }
  b->untold = !b->wdog || b->tick ? 1 : b->untold + 1;
  b->freed_before = b->freed;
}

static void reset(bench *b) {
  dut_set_pick_valid_i(b->d, 0);
  dut_reset(b->d, 1);
  b->s[0].valid = b->s[1].valid = b->freed_before = false;
  b->untold = b->hold_for = 0;
  b->begun = b->c + 1;
  for (unsigned l = 0; l < LANES; l++) {
    b->next[l] = b->rd[l];
    b->since[l] = b->rest[l] = b->ticks[l] = 0;
    b->waiting[l] = false;
  }
}

static void ends(bench *b) {
  CHECK(b->t, b->olds > 20, "%llu were dropped for a reset", (unsigned long long)b->olds);
  for (unsigned i = 0; i < 7; i++)
    CHECK(b->t, b->outcomes[i] > 20, "outcome %u came %llu times", i, (unsigned long long)b->outcomes[i]);
  CHECK(b->t, b->expired > 20, "the watchdog ended %llu waits", (unsigned long long)b->expired);
  CHECK(b->t, b->close > 20, "%llu times two decisions of a lane in consecutive cycles", (unsigned long long)b->close);
  CHECK(b->t, b->stays > 20, "%llu times a stray kept a request in D2", (unsigned long long)b->stays);
  CHECK(b->t, b->stopped > tb_least(b->t, 20), "%u records dropped since their log has stopped", (unsigned)b->stopped);
  CHECK(b->t, b->dropped_picks > tb_least(b->t, 20), "%u picks dropped", (unsigned)b->dropped_picks);
}

static void cycle(bench *b) {
  requests(b);
  watchdog(b);
  resources(b);
  resets(b);
  drive(b);
  b->e = deed_of(b);
  b->stays += b->e.barred && b->move_ready && !b->hold;
  look_around(b);
  look(b);
  const unsigned l2 = b->d2 ? b->s[1].lane : LANES;
  pointers(b);
  waits(b, l2);
  dut_tick(b->d);
}

int main(int argc, char **argv) {
  static bench all;
  bench *b = &all;
  tb t;
  tb_init(&t, argc, argv, "aa_decide", 60000);
  b->t = &t;
  b->d = dut_begin(&t);
  b->base = (unsigned)rnd_bits(&t, 16);
  dut_reset(b->d, 2);
  for (b->c = 0; b->c < t.cycles && !t.failures; b->c++)
    if (rnd_below(&t, 2000))
      cycle(b);
    else
      reset(b);
  ends(b);
  dut_free(b->d);
  tb_unwatch(&t);
  return tb_end(&t);
}
