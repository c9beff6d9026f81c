// SPDX-License-Identifier: Apache-2.0
// aa_flush_buf between logs whose consumers move, that are torn down and opened anew, and ports that take answers when
// they like. Every answer is checked against the waiter as it was taken: reason, mark, record, completion, error.
// Phases drain the buffer by consumers, by time, by tear-down and by a reset of the ports, with a bound on the time.
// What is not valid is anything; a reset forgets waiters, answer and pages. A netlist begins at any time, where no run
// comes.
// Rules of rtl/aa/README.md: FLU-1, FLU-2, FLU-3, FLU-4, TAG-8.
// config: default -GNumLogs=8 -GFlushPages=4 -GFlushWaiters=8 -GNumPorts=2
// config: one -GNumLogs=1 -GFlushPages=1 -GFlushWaiters=1
// config: odd -GNumLogs=3 -GFlushPages=8 -GFlushWaiters=5 -GNumPorts=3
// netlist: odd
#include <stdlib.h>

#include "tb.h"
#include "aa_fields.h"
#include "aa_flush_buf_tb.h"
#include "reg_bus.h"

enum { FN_RID = 0x0123, LOGS = P_NumLogs, PAGES = P_FlushPages, WAITERS = P_FlushWaiters };

// Waiters that are each port's own.
static const unsigned share = P_NumPorts == 1 ? 0 : WAITERS < 2 * P_NumPorts ? 1 : WAITERS / (2 * P_NumPorts);

typedef struct waiter {
  bool live, torn, cut, late;
  unsigned log, tag, port, seq, iuid, stay;  // stay: cycles since it may be answered
  uint32_t snap, hdr[4];
  uint64_t born;
} waiter;

static struct {
  bool open[LOGS], closing[LOGS];
  uint32_t cons[LOGS];
  uint64_t page[8], wdata;
  unsigned waddr, wstrb;
  bool we;
  waiter w[WAITERS];
  bool gen;  // an answer waits
  waiter who;
  uint32_t gen_cons;
  bool gen_late;
  uint32_t tmo;
  unsigned answered, late, torn, cut, passes;
  uint64_t fn;        // cycles since fn_i rose
  bool ends, passed;  // ends: the requesters of FN_RID
  bool far;           // who comes now waits for what no consumer passes
  uint32_t was_tmo;
  bool was_fn;
} r;

// What a request asks for, from the first enabled byte to the last: 1 if none is.
static unsigned bytes_of(uint32_t dw1, unsigned len) {
  unsigned first = 4 * len, last = 0, fbe = dw1 & 15, lbe = len == 1 ? fbe : dw1 >> 4 & 15;
  for (unsigned i = 4; i-- > 0;)
    if (fbe >> i & 1) first = i;
  for (unsigned i = 0; i < 4; i++)
    if (lbe >> i & 1) last = 4 * (len - 1) + i;
  return fbe ? last - first + 1 : 1;
}

static void check_beat(tb *t, dut *d) {
  uint32_t b[GEN_BEAT_O_WORDS], hdr[4];
  dut_get_gen_beat_o(d, b);
  words_copy(hdr, 0, b, CM_TLP_T_HDR_LSB, 128);
  unsigned len = r.who.hdr[3] & 1023, fbe = r.who.hdr[2] & 15, first = 0;
  bool quad = r.who.hdr[3] >> 29 & 1;
  uint32_t addr = quad ? r.who.hdr[0] : r.who.hdr[1];
  if (fbe)
    while (!(fbe >> first & 1)) first++;
  CHECK_EQ(t, dut_get_gen_port_o(d), r.who.port, "port");
  CHECK_EQ(t, bits_get(b, CM_TLP_T_SEQ_LSB, CM_TLP_T_SEQ_W), r.who.seq, "seq");
  CHECK_EQ(t, bits_get(b, CM_TLP_T_SOP_LSB, 1) & bits_get(b, CM_TLP_T_EOP_LSB, 1), 1, "sop, eop");
  CHECK_EQ(t, hdr[3], 0x4a000000u | (r.who.hdr[3] & 0x00fc3000u) | len, "DW 0");
  CHECK_EQ(t, hdr[1], (r.who.hdr[2] & 0xffffff00u) | (addr & 0x7c) | first, "DW 2");
  CHECK_EQ(t, hdr[2], bytes_of(r.who.hdr[2], len), "DW 1");
  CHECK_EQ(t, hdr[0], 0, "DW 3");
  CHECK_EQ(t, bits_get(b, CM_TLP_T_STRB_LSB, CM_TLP_T_STRB_W), (1u << len) - 1, "strb");
  for (unsigned i = 0; i < 4; i++) {
    bool odd = (addr >> 2 & 1) ^ (i & 1);
    CHECK_EQ(t, bits_get(b, CM_TLP_T_DATA_LSB + 32 * i, 32),
             i >= len ? 0
             : odd    ? (uint32_t)r.gen_late << 31
                      : r.gen_cons,
             "data %u", i);
  }
}

static void registers(tb *t, dut *d) {
  unsigned at = (unsigned)rnd_below(t, 12);
  r.waddr = at < 8 ? 0x220 + at : (0x220 + at % 8) ^ 1u << rnd_below(t, 17);
  r.we = rnd_chance(t, 20);
  r.wdata = rnd(t);
  r.wstrb = rnd_chance(t, 70) ? 255 : (unsigned)rnd_bits(t, 8);
  dut_set_rb_i(d, reg_bus_of(8 * r.waddr, r.we, r.wdata, r.wstrb).words);
}

// What one cycle does.
typedef struct {
  bool fn, take, note_ready, gen_ready,
      mine;  // fn: the requesters of FN_RID are ended; mine: the address is one of ours
  uint32_t hdr[4], open, closing;
  unsigned port, free, log, idle_log, iuid, resets;
  uint64_t page;
  waiter n;  // who comes
} now;

static void make(tb *t, dut *d, now *x, unsigned alloc, unsigned note, unsigned gen) {
  x->port = (unsigned)rnd_below(t, P_NumPorts);
  x->free = WAITERS;
  x->log = (unsigned)rnd_below(t, LOGS);
  unsigned holds = 0;
  for (unsigned i = WAITERS; i-- > 0;) {
    if (!r.w[i].live && (i >= share * P_NumPorts || i / (share ? share : 1) == x->port)) x->free = i;
    holds += r.w[i].live && r.w[i].port == x->port;
  }
  CHECK(t, holds >= share || x->free < WAITERS, "port %u holds %u waiters, and none is free for it", x->port, holds);
  for (unsigned l = 0; l < LOGS; l++) x->open |= (uint32_t)r.open[l] << l, x->closing |= (uint32_t)r.closing[l] << l;
  rnd_words(t, x->hdr, 128);
  unsigned len = 1 + (unsigned)rnd_below(t, 4);
  x->hdr[3] = (x->hdr[3] & 0x00fffc00u) | (rnd_chance(t, 50) ? 0x20000000u : 0) | len;
  if (rnd_chance(t, 30)) x->hdr[2] = (x->hdr[2] & 0xffffu) | (uint32_t)FN_RID << 16;
  x->hdr[2] =
      (x->hdr[2] & 0xffffff00u) |
      (len == 1 ? (uint32_t)rnd_below(t, 16) : 1 + (uint32_t)rnd_below(t, 15) + 16 * (1 + (uint32_t)rnd_below(t, 15)));
  x->n = (waiter){.live = true,
                  .log = x->log,
                  .tag = (unsigned)rnd_bits(t, 8),
                  .port = x->port,
                  .seq = (unsigned)rnd_bits(t, 8),
                  .iuid = (unsigned)rnd_bits(t, 10),
                  .snap = r.cons[x->log] + (uint32_t)(r.far ? 1000 + rnd_bits(t, 30) : rnd_below(t, 80)),
                  .born = dut_cycle(d)};
  for (unsigned i = 0; i < 4; i++) x->n.hdr[i] = x->hdr[i];
  x->take = x->free < WAITERS && r.open[x->log] && !r.closing[x->log] && rnd_chance(t, alloc);
  x->idle_log = (unsigned)rnd_bits(t, ALLOC_LOG_I_W);
  x->note_ready = rnd_chance(t, note);
  x->gen_ready = rnd_chance(t, gen);
  // A page that there is, or all but one bit of it.
  uint64_t like = r.page[rnd_below(t, PAGES)] ^ (rnd_chance(t, 50) ? 4ull << rnd_below(t, 62) : 0);
  x->page = like >> 12;
  x->iuid = like >> 2 & 1023;
}

static void drive(dut *d, now *x) {
  dut_set_flush_tmo_i(d, r.tmo);
  dut_set_flush_tmo_on_i(d, r.tmo != 0);
  dut_set_m_page_i(d, x->page);
  dut_set_m_iuid_i(d, x->iuid);
  dut_set_dev_reset_i(d, x->resets);
  dut_set_fn_i(d, x->fn);
  dut_set_fn_rid_i(d, FN_RID);
  r.fn = x->fn ? r.fn + 1 : 0;
  dut_set_alloc_valid_i(d, x->take);
  dut_set_alloc_log_i(d, x->take ? x->n.log : x->idle_log);
  dut_set_alloc_snap_i(d, x->n.snap);
  dut_set_alloc_tag_idx_i(d, x->n.tag);
  dut_set_alloc_port_i(d, x->n.port);
  dut_set_alloc_seq_i(d, x->n.seq);
  dut_set_alloc_iuid_i(d, x->n.iuid);
  dut_set_alloc_hdr_i(d, x->hdr);
  dut_set_open_i(d, x->open);
  dut_set_closing_i(d, x->closing);
  dut_set_note_ready_i(d, x->note_ready);
  dut_set_gen_ready_i(d, x->gen_ready);
  dut_eval(d);
  unsigned q = (unsigned)dut_get_qry_log_o(d);
  dut_set_qry_cons_i(d, q < LOGS ? r.cons[q] : 0);
  dut_eval(d);
}

// P6, of one waiter. An end by fn_i, which may be over, does not count as a reason.
static void stay(tb *t, dut *d, const now *x, unsigned i) {
  waiter *w = &r.w[i];
  bool may =
      (int32_t)(r.cons[w->log] - w->snap) >= 0 || w->torn || w->cut || (r.tmo && dut_cycle(d) - w->born >= r.tmo);
  bool calm = x->note_ready && x->gen_ready && r.tmo == r.was_tmo && x->fn == r.was_fn;
  w->stay = w->live && may && calm ? w->stay + 1 : 0;
  CHECK(t, w->stay <= 2 * WAITERS + 1, "P6: waiter %u may be answered for %u cycles", i, w->stay);
}

static void outputs(tb *t, dut *d, now *x) {
  bool hit = false;
  for (unsigned i = 0; i < PAGES; i++) hit |= r.page[i] == (x->page << 12 | (uint64_t)x->iuid << 2 | 1);
  CHECK_EQ(t, dut_get_m_hit_o(d), hit, "m_hit_o");
  x->mine = r.waddr >= 0x220 && r.waddr < 0x220 + PAGES;
  CHECK_EQ(t, dut_get_rb_rdata_o(d), x->mine ? r.page[r.waddr - 0x220] : 0, "AA_FLP at %x", r.waddr * 8);
  CHECK_EQ(t, dut_get_alloc_ready_o(d), x->free < WAITERS, "alloc_ready_o");
  if (x->free < WAITERS) CHECK_EQ(t, dut_get_alloc_idx_o(d), x->free, "alloc_idx_o");
  CHECK_EQ(t, dut_get_gen_valid_o(d), r.gen, "gen_valid_o");
  if (r.gen) check_beat(t, d);
  if (r.gen && x->gen_ready) r.gen = false;
  for (unsigned i = 0; i < WAITERS; i++) {
    r.w[i].torn |= !r.open[r.w[i].log] || r.closing[r.w[i].log];
    r.w[i].cut |= r.w[i].live && (x->resets >> r.w[i].port & 1);
    r.w[i].late |= r.tmo && dut_cycle(d) - r.w[i].born >= r.tmo;  // a longer time-out may be written since
    stay(t, d, x, i);
  }
  r.was_tmo = r.tmo;
  r.was_fn = x->fn;
}

static void check_err(tb *t, dut *d, const waiter *w) {
  uint32_t err[ERR_O_WORDS];
  bool quad = w->hdr[3] >> 29 & 1;
  uint64_t iova = quad ? (uint64_t)w->hdr[1] << 32 | (w->hdr[0] & ~3u) : w->hdr[1] & ~3u;
  dut_get_err_o(d, err);
  CHECK_EQ(t, bits_get(err, AA_ERR_T_CODE_LSB, AA_ERR_T_CODE_W), AA_K_ErrFlushTimeout, "error code");
  CHECK_EQ(t, bits_get(err, AA_ERR_T_SID_LSB, 16), w->hdr[2] >> 16, "error sid");
  CHECK_EQ(t, bits_get(err, AA_ERR_T_IUID_LSB, 10), w->iuid, "error iuid");
  CHECK_EQ(t, bits_get(err, AA_ERR_T_ADDR_LSB, 64), iova, "error address");
}

static void answered(tb *t, dut *d, const now *x) {
  uint32_t note_w[NOTE_O_WORDS];
  dut_get_note_o(d, note_w);
  unsigned idx = (unsigned)bits_get(note_w, AA_RETIRE_T_IDX_LSB, 8);
  CHECK(t, idx < WAITERS && r.w[idx % WAITERS].live, "answer for waiter %u", idx);
  waiter *w = &r.w[idx % WAITERS];
  uint32_t cons = r.cons[w->log];
  bool his = x->fn && w->hdr[2] >> 16 == FN_RID;  // ended if it was there when fn_i rose, else perhaps
  if (his && dut_cycle(d) - w->born >= r.fn) w->cut = true;
  w->cut |= his && bits_get(note_w, AA_RETIRE_T_SLOT_LSB, 8) == 1;
  bool drained = (int32_t)(cons - w->snap) >= 0 && !w->torn && !w->cut, late = r.tmo && w->late;
  CHECK(t, drained || late || w->torn || w->cut, "waiter %u answered for no reason", idx);
  CHECK_EQ(t, bits_get(note_w, AA_RETIRE_T_SLOT_LSB, 8), w->cut, "slot");
  CHECK_EQ(t, bits_get(note_w, AA_RETIRE_T_FLAG_LSB, 1), !drained, "flag");
  CHECK_EQ(t, bits_get(note_w, AA_RETIRE_T_A_LSB, 64), cons, "a");
  CHECK_EQ(t, bits_get(note_w, AA_RETIRE_T_CODE_LSB, 4), AA_K_NoteFlush, "code");
  CHECK_EQ(t, dut_get_flush_free_valid_o(d), 1, "flush_free_valid_o");
  CHECK_EQ(t, dut_get_flush_free_idx_o(d), w->tag, "flush_free_idx_o");
  CHECK_EQ(t, dut_get_ev_late_o(d), !drained, "ev_late_o");
  CHECK_EQ(t, dut_get_err_valid_o(d), !drained && !w->torn && !w->cut, "err_valid_o");
  if (!drained && !w->torn && !w->cut) check_err(t, d, w);
  r.answered++, r.late += !drained && !w->torn && !w->cut, r.torn += w->torn, r.cut += w->cut;
  CHECK(t, !r.gen || w->cut, "an answer over another");
  if (!w->cut) r.gen = true, r.who = *w, r.gen_cons = cons, r.gen_late = !drained;
  w->live = false;
}

static void passed(tb *t, dut *d, const now *x) {
  CHECK(t, !dut_get_fn_pass_o(d) || x->fn, "fn_pass_o");
  for (unsigned i = 0; i < WAITERS && dut_get_fn_pass_o(d); i++)
    CHECK(t, !r.w[i].live || r.w[i].hdr[2] >> 16 != FN_RID || dut_cycle(d) - r.w[i].born < r.fn,
          "waiter %u was there when its requester was to end, and is there after the pass", i);
  CHECK(t, !r.passed || !x->fn || dut_get_fn_pass_o(d), "fn_pass_o falls before fn_i");
  r.passed = dut_get_fn_pass_o(d);
  r.passes += r.passed;
}

static void write_page(void) {
  uint64_t mask = 0;
  for (unsigned i = 0; i < 8; i++)
    if (r.wstrb >> i & 1) mask |= 0xffull << 8 * i;
  r.page[r.waddr - 0x220] = ((r.page[r.waddr - 0x220] & ~mask) | (r.wdata & mask)) & ~2ull;
}

static void logs(tb *t, unsigned move, unsigned close) {
  for (unsigned l = 0; l < LOGS; l++) {
    if (r.open[l] && rnd_chance(t, move)) r.cons[l] += (uint32_t)rnd_below(t, 30);
    if (!r.open[l] && rnd_chance(t, 50))
      r.open[l] = true, r.cons[l] = (uint32_t)rnd(t);
    else if (r.closing[l] && rnd_chance(t, 50))
      r.open[l] = r.closing[l] = false;
    else if (r.open[l] && rnd_below(t, 1000) < close)
      *(rnd_chance(t, 90) ? &r.closing[l] : &r.open[l]) ^= true;  // or closed at once
  }
}

static void cycle(tb *t, dut *d, unsigned alloc, unsigned note, unsigned gen, unsigned move, unsigned close,
                  unsigned resets) {
  if (!r.ends && rnd_below(t, 200) == 0)
    r.ends = true;
  else if (r.ends && r.passed && rnd_chance(t, 30))
    r.ends = false;
  now all = {.fn = r.ends, .resets = resets}, *x = &all;
  make(t, d, x, alloc, note, gen);
  registers(t, d);
  drive(d, x);
  outputs(t, d, x);
  if (dut_get_note_valid_o(d) && x->note_ready)
    answered(t, d, x);
  else
    CHECK(t, !dut_get_flush_free_valid_o(d) && !dut_get_err_valid_o(d) && !dut_get_ev_late_o(d),
          "effects without an answer");
  passed(t, d, x);
  if (x->take) r.w[x->free] = x->n;
  if (r.we && x->mine) write_page();
  logs(t, move, close);
  dut_tick(d);
}

static void reset(dut *d) {
  dut_set_alloc_valid_i(d, 0);  // there may be no room for it
  dut_reset(d, 1);
  for (unsigned i = 0; i < WAITERS; i++) r.w[i].live = false;
  for (unsigned i = 0; i < 8; i++) r.page[i] = 0;
  r.gen = r.passed = false;
}

static unsigned live(void) {
  unsigned n = 0;
  for (unsigned i = 0; i < WAITERS; i++) n += r.w[i].live;
  return n;
}

// All are due at nearly the same time, by consumers but for one, by time, wherever the scanner is.
static void nearly_at_once(tb *t, dut *d) {
  r.tmo = 4 * WAITERS + (unsigned)rnd_below(t, 16);
  r.far = true;
  while (!live()) cycle(t, d, 100, 100, 100, 0, 0, 0);
  r.far = false;
  uint64_t end = dut_cycle(d) - 2 + r.tmo + rnd_below(t, 3);
  while (dut_cycle(d) < end) cycle(t, d, dut_cycle(d) + 2 * WAITERS < end ? 100 : 0, 100, 100, 0, 0, 0);
  for (unsigned l = 0; l < LOGS; l++) r.cons[l] += 80;
  for (unsigned i = 0; i < 2 * WAITERS + 2; i++) cycle(t, d, 0, 100, 100, 0, 0, 0);
  CHECK_EQ(t, live(), 0, "waiters after consumers and time");
}

// Each way for all waiters to end, in the time that P6 leaves for it.
static void drains(tb *t, dut *d) {
  const unsigned all = (1u << P_NumPorts) - 1;
  r.tmo = 0;
  for (unsigned i = 0; i < 4 * WAITERS; i++) cycle(t, d, 100, 100, 100, 0, 0, 0);  // fill
  for (unsigned l = 0; l < LOGS; l++) r.cons[l] += 80;                             // all consumers pass
  for (unsigned i = 0; i < 2 * WAITERS + 4; i++) cycle(t, d, 0, 100, 100, 0, 0, 0);
  CHECK_EQ(t, live(), 0, "waiters after all logs were drained");
  for (unsigned i = 0; i < 2 * WAITERS; i++) cycle(t, d, 100, 100, 100, 0, 0, 0);
  r.tmo = 7;
  for (unsigned i = 0; i < 2 * WAITERS + 12; i++) cycle(t, d, 0, 100, 100, 0, 0, 0);
  CHECK_EQ(t, live(), 0, "waiters after the time-out");
  r.tmo = 0;
  for (unsigned i = 0; i < 2 * WAITERS; i++) cycle(t, d, 100, 100, 100, 0, 0, 0);
  cycle(t, d, 0, 100, 100, 0, 1000, 0);
  for (unsigned i = 0; i < 2 * WAITERS + 4; i++) cycle(t, d, 0, 100, 100, 0, 0, 0);
  CHECK_EQ(t, live(), 0, "waiters after the tear-down of all logs");
  for (unsigned i = 0; i < 2 * WAITERS + 4; i++) cycle(t, d, 100, 100, 0, 0, 0, 0);  // fill; no answer leaves
  cycle(t, d, 0, 100, 0, 0, 0, all);
  for (unsigned i = 0; i < 2 * WAITERS + 4; i++) cycle(t, d, 0, 100, 0, 0, 0, 0);
  CHECK_EQ(t, live(), 0, "waiters after a reset of all ports, while no answer leaves");
  for (unsigned i = 0; i < 6; i++) nearly_at_once(t, d);
}

static void phase(tb *t, dut *d) {
  unsigned alloc = (unsigned)rnd_below(t, 101), note = 1 + (unsigned)rnd_below(t, 100),
           gen = 1 + (unsigned)rnd_below(t, 100);
  r.tmo = rnd_chance(t, 50)   ? 0
          : rnd_chance(t, 20) ? (uint32_t)rnd_bits(t, 1 + (unsigned)rnd_below(t, 32))
                              : (uint32_t)rnd_below(t, 100);
  for (unsigned i = 0; i < 200; i++) {
    r.far = rnd_chance(t, 10);
    cycle(t, d, alloc, note, gen, 20, 10, rnd_chance(t, 2) ? (unsigned)rnd_bits(t, P_NumPorts) : 0);
  }
  r.far = false;
}

// All that are there end by time, whatever they wait for.
static void time_ends(tb *t, dut *d) {
  for (unsigned l = 0; l < LOGS; l++) r.cons[l] += 80;
  r.tmo = 1;
  for (unsigned i = 0; i < 4 * WAITERS + 20; i++) cycle(t, d, 0, 100, 100, 0, 0, 0);
  CHECK_EQ(t, live(), 0, "waiters at the end");
}

// Before its reset a netlist holds anything (of the module the theorems begin with a reset): when its waiters have
// ended by time and its pages are known, it counts on at a time that a run comes to after hours.
static void begin_anywhere(tb *t, uint64_t seed) {
  dut *d = dut_new(seed, NULL);
  tb_watch(t, d, dut_tb_cycle, dut_tb_close);
  dut_set_rst_ni(d, 1);
  dut_set_note_ready_i(d, 1);
  dut_set_gen_ready_i(d, 1);
  dut_set_flush_tmo_i(d, 1);
  dut_set_flush_tmo_on_i(d, 1);
  for (unsigned i = 0; i < 8 * WAITERS + 20; i++) dut_tick(d);
  for (unsigned i = 0; i < PAGES; i++) {
    dut_set_rb_i(d, reg_bus_of(8 * (0x220 + i), 0, 0, 0).words);
    dut_eval(d);
    r.page[i] = dut_get_rb_rdata_o(d);
  }
  for (unsigned i = 0; i < WAITERS; i++) r.w[i].live = false;
  r.gen = r.ends = r.passed = false;
  r.fn = 0;
  drains(t, d);
  phase(t, d);
  time_ends(t, d);
  dut_free(d);
  tb_unwatch(t);
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_flush_buf", 30000);
  for (unsigned n = 0; n < 4 && getenv("TOCSIN_NETLIST"); n++) begin_anywhere(&t, t.seed + n);
  dut *d = dut_begin(&t);
  reset(d);
  for (unsigned n = 0; n < 4; n++) {  // early, since time begins anew
    for (unsigned i = 0; i < 4 * WAITERS; i++) cycle(&t, d, 100, 50, 50, n & 1 ? 50 : 0, 0, 0);
    reset(d);
  }
  while (dut_cycle(d) < t.cycles) {
    drains(&t, d);
    for (unsigned n = 0; n < 5; n++) phase(&t, d);
    time_ends(&t, d);
  }
  CHECK(&t, r.passes, "no pass");
  CHECK(&t, r.answered && r.late && r.torn && r.cut, "answered %u, late %u, torn %u, reset %u", r.answered, r.late,
        r.torn, r.cut);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
