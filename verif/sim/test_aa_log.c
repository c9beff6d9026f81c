// SPDX-License-Identifier: Apache-2.0
// aa_log against a model in C written from the specification: registers with odd strobes and bad values, reservations
// in rings from the smallest on, entries done in any order, consumers good and bad, opening and closing.
// Rules of rtl/aa/README.md: LOG-1, LOG-3, LOG-6, LOG-7, LOG-8, LOG-9, ERR-2, ERR-3.
// config: default
// config: one -GNumLogs=1 -GLogDepth=1
// config: odd -GNumLogs=5 -GLogDepth=4 -GScratchWords=40
// config: big -GNumLogs=32 -GLogDepth=32 -GScratchWords=64
// netlist: odd
#include "tb.h"
#include "aa_fields.h"
#include "aa_log_tb.h"
#include "reg_bus.h"

// Fields of the structs at the ports of reservation.
#define RSV(field) rsv_at(d, AA_RSV_T_##field##_LSB, AA_RSV_T_##field##_W)
static uint64_t rsv_at(dut *d, unsigned lsb, unsigned width) {
  uint32_t w[RSV_O_WORDS];
  dut_get_rsv_o(d, w);
  return bits_get(w, lsb, width);
}
static void rsv_ask(dut *d, unsigned log, unsigned units) {
  dut_set_rsv_ask_i(d, log << AA_RSV_ASK_T_LOG_LSB | units << AA_RSV_ASK_T_UNITS_LSB);
}
static void rsv_act(dut *d, unsigned lsb, bool on) {
  dut_set_rsv_act_i(d, (dut_get_rsv_act_i(d) & ~(UINT64_C(1) << lsb)) | (uint64_t)on << lsb);
}

#include <string.h>

enum { Logs = P_NumLogs, Depth = P_LogDepth };

typedef struct slot {
  unsigned bytes, idx;
  bool done;
} slot;

typedef struct log_ref {
  uint64_t base, cfg;  // cfg: as LOG_CFG reads, EN apart
  bool open, closing;
  unsigned why, sts;
  uint32_t rsvd, prod, cons;
  slot slot[32];
  unsigned head, count, idx;  // idx: slot number that comes next
  unsigned waits, over;
} log_ref;

typedef struct ref {
  log_ref log[Logs];
  unsigned commits, pads, nevers, fulls, publishes, opens, offs, bad, b2b, same2, failures;
  unsigned why_seen;
  int last_commit, opened;  // opened: the log that did in the cycle before
  int passed;               // the side of done_valid_i that the other one went before, or -1
  slot *held[2];            // ends that were not taken, and their logs
  unsigned held_log[2];
  bool read, took;  // the decision's pointers have been read since its log opened; it took space, if there was any
  unsigned rsv;     // whose pointers are at hand
  uint64_t was;     // the address a cycle ago: what is read belongs to it
  struct bus {
    unsigned left;  // cycles until it is written
    unsigned strb;
    uint64_t addr, data, ptr_ok, msi_ok;
  } bus;
} ref;

static const uint64_t cfg_mask = 0x3F1F1F03FFULL;

static unsigned size_of(const log_ref *l) { return (unsigned)(l->cfg >> 16 & 31); }
static unsigned iuid_of(const log_ref *l) { return (unsigned)(l->cfg & 1023); }

static uint64_t reg_read(const ref *r, uint64_t addr) {
  if (addr >= 0x2000 && addr < 0x2000 + 64ULL * Logs) {
    const log_ref *l = &r->log[(addr - 0x2000) / 64];
    switch (addr & 63) {
      case 0: return l->base;
      case 8: return l->cfg | (uint64_t)l->open << 63;
      case 0x30: return (uint64_t)l->open | (uint64_t)l->closing << 1 | (uint64_t)l->why << 4;
      default: return 0;
    }
  }
  if (addr >= 0x10000 && addr < 0x10000 + 4096ULL * Logs) {
    const log_ref *l = &r->log[(addr - 0x10000) / 4096];
    switch (addr & 4095) {
      case 0: return l->prod;
      case 8: return l->cons;
      case 0x10: return l->rsvd;
      case 0x18: return l->sts | (uint64_t)l->open << 8;
      default: return 0;
    }
  }
  return 0;
}

static uint64_t merge(uint64_t old, uint64_t data, unsigned strb) {
  for (unsigned b = 0; b < 8; b++)
    if (strb >> b & 1) old = (old & ~(0xFFULL << 8 * b)) | (data & 0xFFULL << 8 * b);
  return old;
}

static unsigned open_check(const ref *r, unsigned n, uint64_t ptr_ok, uint64_t msi_ok) {
  const log_ref *l = &r->log[n];
  unsigned size = size_of(l);
  if (size < 6 || size > 30) return 1;
  if (l->base & ((1ULL << size) - 1)) return 2;
  if (l->base + (1ULL << size) > 1ULL << 48 || l->base + (1ULL << size) < l->base) return 3;
  for (unsigned i = 0; i < Logs; i++)
    if (i != n && r->log[i].open && iuid_of(&r->log[i]) == iuid_of(l)) return 4;
  if (l->cfg >> 25 & 1 && !(ptr_ok >> n & 1)) return 5;
  if (l->cfg >> 26 & 1 && !(msi_ok >> n & 1)) return 6;
  if (l->cfg >> 27 & 1 && (l->cfg >> 32 & 63) >= P_ScratchWords) return 7;
  return 0;
}

static uint64_t pick_reg(tb *t) {
  static const unsigned table[] = {0, 8, 8, 8, 0x30, 0x10, 0x38}, page[] = {0, 8, 8, 8, 0x10, 0x18, 0x20};
  uint64_t n = rnd_below(t, rnd_chance(t, 90) ? Logs : 33);
  if (rnd_below(t, 30) == 0) return rnd_bits(t, 17) << 3;
  uint64_t addr =
      rnd_chance(t, 40) ? 0x2000 + 64 * n + table[rnd_below(t, 7)] : 0x10000 + 4096 * n + page[rnd_below(t, 7)];
  return rnd_chance(t, 10) ? addr ^ 8ULL << rnd_below(t, 17) : addr;  // somewhere else: each bit counts
}

// How often things happen, in percent.
typedef struct rates {
  unsigned rsv, done, reg, tear;
  unsigned only;  // not 0: one more than the log for which all is decided, in entries of the largest size
} rates;

// What goes in in one cycle.
typedef struct inputs {
  bool we, busy, table, want, lost, abort, off_ready, fail, fail_ptr, stop;
  uint64_t addr, data, ptr_ok, msi_ok;
  unsigned strb, rsv, bytes, iuid, query[2], abort_log, bad;
  slot *done[2];
  unsigned done_id[2];
} inputs;

static bool is_table(uint64_t addr) { return addr >= 0x2000 && addr < 0x2000 + 64 * 32; }
static bool is_page(uint64_t addr) { return addr >= 0x10000 && addr < 0x10000 + 4096ULL * Logs; }

static uint64_t some_base(tb *t, uint64_t data) {
  unsigned sh = (unsigned)rnd_below(t, 31);
  data = rnd_chance(t, 70) ? (data & 0xFFFFFFFFFFFFULL) >> sh << sh : rnd_chance(t, 50) ? 1ULL << 48 : data;
  return rnd_chance(t, 10) ? (1ULL << 48) - 64 : data;
}

static uint64_t some_cfg(tb *t, uint64_t data, unsigned tear) {
  data &= ~(0x1FULL << 16);
  data |= (rnd_chance(t, 60) ? 6 + rnd_below(t, 8) : rnd_chance(t, 75) ? 6 + rnd_below(t, 25) : rnd_bits(t, 5)) << 16;
  if (rnd_chance(t, 60)) data &= ~(7ULL << 25);
  if (rnd_chance(t, 70)) data &= ~0x3F0ULL;  // few IUIDs, so that some clash
  return (data & ~(1ULL << 63)) | (uint64_t)!rnd_chance(t, tear) << 63;
}

// Of an entry that just fits, or just does not: what is free, with and without a pad, and what is left to the end.
static unsigned edge(tb *t, const log_ref *l) {
  uint64_t ring = 1ULL << size_of(l), off = l->rsvd & (ring - 1), end = ring - off;
  uint64_t free = (ring - (uint32_t)(l->rsvd - l->cons)) & ~15ULL, at[] = {free, end, free - end, off};
  uint64_t bytes = at[rnd_below(t, 4)] + 16 * rnd_below(t, 3) - 16;
  return bytes - 16 <= 4096 ? (unsigned)bytes : 16 + 16 * (unsigned)rnd_below(t, 257);
}

static uint64_t some_consumer(tb *t, const log_ref *l, uint64_t data) {
  uint32_t room = l->prod - l->cons;
  if (rnd_chance(t, 85))
    data = (data & ~0xFFFFFFFFULL) | (uint32_t)(l->cons + rnd_below(t, room + 1ULL));
  else if (rnd_chance(t, 60))
    data = (uint32_t)(l->prod + (rnd_chance(t, 50) ? 1 + rnd_bits(t, 4) : 1ULL << rnd_below(t, 32)));
  else
    data = l->cons - 1;
  return rnd_chance(t, 40) ? l->prod : data;
}

// What is written was on the bus in the two cycles before.
static void draw_bus(tb *t, ref *r, const rates *a, inputs *in) {
  in->we = r->bus.left == 1;
  in->addr = pick_reg(t);
  in->data = rnd(t);
  in->strb = rnd_chance(t, 80) ? 255 : (unsigned)rnd_bits(t, 8);
  in->ptr_ok = rnd_chance(t, 80) ? ~0ULL : rnd(t);
  in->msi_ok = rnd_chance(t, 80) ? ~0ULL : rnd(t);
  if (r->bus.left)
    in->addr = r->bus.addr, in->strb = r->bus.strb, in->ptr_ok = r->bus.ptr_ok, in->msi_ok = r->bus.msi_ok;
  in->table = is_table(in->addr);
  if (in->table && (in->addr & 63) == 0) in->data = some_base(t, in->data);
  if (in->table && (in->addr & 63) == 8) in->data = some_cfg(t, in->data, a->tear);
  if (is_page(in->addr) && (in->addr & 4095) == 8)
    in->data = some_consumer(t, &r->log[(in->addr - 0x10000) / 4096], in->data);
  if (r->bus.left) in->data = r->bus.data;
  unsigned left = r->bus.left ? r->bus.left - 1 : rnd_chance(t, 2 * a->reg) ? 2 : 0;
  r->bus = (struct bus){left, in->strb, in->addr, in->data, in->ptr_ok, in->msi_ok};
  in->busy = in->we || left || rnd_chance(t, 5);
}

// Now it is decided whose log this cycle asks for; the cycle before has to know, so its end comes here.
static void choose_log(tb *t, dut *d, ref *r, const rates *a, inputs *in) {
  if (r->took || rnd_chance(t, 60)) {
    unsigned n = a->only ? a->only - 1 : (unsigned)rnd_below(t, Logs);
    dut_set_cam_iuid_i(d, a->only || rnd_chance(t, 80) ? iuid_of(&r->log[n]) : rnd_bits(t, 10));
    rsv_act(d, AA_RSV_ACT_T_NEXT_LSB, 1);
    dut_eval(d);
    r->rsv = (unsigned)dut_get_cam_log_o(d);
    r->read = true;
  } else {
    rsv_act(d, AA_RSV_ACT_T_NEXT_LSB, 0);
  }
  dut_tick(d);
  in->rsv = r->rsv;
  r->read &= r->opened != (int)in->rsv;
}

static void draw_done(tb *t, ref *r, const rates *a, inputs *in) {
  for (unsigned k = 0; k < 2; k++) {
    in->done[k] = r->held[k];
    in->done_id[k] = r->held[k] ? r->held_log[k] << 5 | r->held[k]->idx : (unsigned)rnd_bits(t, 10);
  }
  for (unsigned k = 0; k < 2; k++) {
    if (in->done[k]) continue;
    unsigned n = a->only ? a->only - 1 : (unsigned)rnd_below(t, Logs);
    log_ref *x = &r->log[n];
    if (!rnd_chance(t, a->done) || !x->count) continue;
    slot *s = &x->slot[(x->head + (rnd_chance(t, 60) ? 0 : rnd_below(t, x->count))) % 32];
    for (unsigned i = 0; i < x->count && s->done; i++) s = &x->slot[(x->head + i) % 32];
    if (s->done || s == in->done[!k]) continue;
    in->done[k] = s;
    in->done_id[k] = n << 5 | s->idx;
  }
}

static void draw(tb *t, ref *r, const rates *a, inputs *in) {
  const log_ref *l = &r->log[in->rsv];
  in->bytes = 16 * (1 + (unsigned)rnd_below(t, rnd_chance(t, 80) ? 5 : 257));
  uint64_t free = (1ULL << size_of(l)) - (uint32_t)(l->rsvd - l->cons);
  if (l->open && rnd_chance(t, a->only ? 60 : 30)) in->bytes = edge(t, l);
  if (a->only && free >= 16384) in->bytes = 4112;
  in->want = rnd_chance(t, a->rsv) && l->open && !l->closing && !(in->we && in->table);
  in->iuid = (unsigned)(rnd_chance(t, 50) ? rnd_bits(t, 4) : rnd_bits(t, 10));
  if (rnd_chance(t, 30)) in->iuid = iuid_of(&r->log[rnd_below(t, Logs)]);
  for (unsigned k = 0; k < 2; k++) in->query[k] = (unsigned)rnd_below(t, Logs);
  bool wiped = in->we && is_page(in->addr) && (in->addr & 4095) == 0x18 && rnd_chance(t, 50);  // LOST, ABORTED of a log
  in->lost = wiped || rnd_below(t, 100) == 0;
  in->abort = wiped || rnd_below(t, 100) == 0;
  in->abort_log = (unsigned)rnd_below(t, Logs);
  in->off_ready = !in->busy && rnd_chance(t, 50);
  in->bad = (unsigned)rnd_below(t, Logs);
  const log_ref *bad = &r->log[in->bad];
  bool there = bad->open && !(bad->closing && !bad->count);  // else it may end in this very cycle
  in->fail = there && rnd_below(t, 500) == 0 && !a->only;
  in->fail_ptr = !in->fail && there && rnd_below(t, 300) == 0;
  in->stop = in->fail || in->fail_ptr || rnd_chance(t, 3);
  draw_done(t, r, a, in);
}

static uint64_t done_valid(const inputs *in) {
  return (uint64_t)(in->done[0] != NULL) | (uint64_t)(in->done[1] != NULL) << 1;
}

static void drive(dut *d, const inputs *in) {
  dut_set_rb_i(d, reg_bus_of(in->addr, in->we, in->data, in->strb).words);
  dut_set_rb_busy_i(d, in->busy);
  dut_set_cam_iuid_i(d, in->iuid);
  rsv_ask(d, in->rsv, in->bytes / 16 - 1);
  rsv_act(d, AA_RSV_ACT_T_TAKE_LSB, 0);
  rsv_act(d, AA_RSV_ACT_T_LOST_LSB, in->lost);
  dut_set_done_valid_i(d, done_valid(in));
  dut_set_done_id_i(d, in->done_id[0] | in->done_id[1] << 10);
  dut_set_abort_valid_i(d, in->abort);
  dut_set_abort_log_i(d, in->abort_log);
  dut_set_stop_i(d, in->stop);
  dut_set_fail_entry_valid_i(d, in->fail);
  dut_set_fail_ptr_valid_i(d, in->fail_ptr);
  dut_set_fail_log_i(d, in->bad);
  dut_set_qry_log_i(d, in->query[0]);
  dut_set_qry2_log_i(d, in->query[1]);
  dut_set_ptr_ok_i(d, in->ptr_ok);
  dut_set_msi_ok_i(d, in->msi_ok);
  dut_set_off_ready_i(d, in->off_ready);
  dut_eval(d);
}

static void check_cam(tb *t, dut *d, const ref *r, const inputs *in) {
  int hit = -1;
  uint64_t open = 0, closing = 0;
  for (unsigned i = 0; i < Logs; i++) {
    if (r->log[i].open && !r->log[i].closing && iuid_of(&r->log[i]) == in->iuid) hit = (int)i;
    open |= (uint64_t)r->log[i].open << i;
    closing |= (uint64_t)(r->log[i].closing || (r->log[i].open && r->log[i].sts & 8)) << i;
  }
  CHECK_EQ(t, dut_get_cam_hit_o(d), hit >= 0, "cam_hit_o of IUID %u", in->iuid);
  CHECK_EQ(t, dut_get_cam_log_o(d), hit >= 0 ? hit : 0, "cam_log_o of IUID %u", in->iuid);
  CHECK_EQ(t, dut_get_open_o(d), open, "open_o");
  CHECK_EQ(t, dut_get_closing_o(d), closing, "closing_o");
}

static void check_fields(tb *t, dut *d, const ref *r) {  // what else LOG_CFG of a log says
  unsigned n = (unsigned)rnd_below(t, Logs);
  const log_ref *l = &r->log[n];
  uint64_t got = (dut_get_cfg_ptr_o(d) >> n & 1) | (dut_get_cfg_msi_o(d) >> n & 1) << 1;
  got |= (dut_get_cfg_scr_o(d) >> n & 1) << 2 | (dut_get_cfg_task_o(d) >> n & 1) << 3;
  CHECK_EQ(t, got, l->cfg >> 25 & 15, "PTR, MSI, SCR, TASK of log %u", n);
  if (!l->open) return;
#ifdef CFG_SCRI_O_WORDS
  uint32_t scri[CFG_SCRI_O_WORDS];
  dut_get_cfg_scri_o(d, scri);
  CHECK_EQ(t, bits_get(scri, 6 * n, 6), l->cfg >> 32, "SCRI of log %u", n);
#else
  CHECK_EQ(t, dut_get_cfg_scri_o(d) >> 6 * n & 63, l->cfg >> 32, "SCRI of log %u", n);
#endif
}

static void check_lookups(tb *t, dut *d, ref *r, const inputs *in) {
  CHECK_EQ(t, dut_get_rb_rdata_o(d), reg_read(r, r->was & ~7ULL), "register %" PRIx64, r->was);
  r->was = in->addr;
  check_cam(t, d, r, in);
  check_fields(t, d, r);
  const log_ref *bad = &r->log[in->bad];
  if (bad->open) CHECK_EQ(t, dut_get_fail_iuid_o(d), iuid_of(bad), "fail_iuid_o");
  bool rise = (in->fail && !(bad->sts & 8)) || (in->fail_ptr && !(bad->sts & 16));
  CHECK_EQ(t, dut_get_alarm_valid_o(d), rise, "alarm_valid_o");
  const log_ref *q1 = &r->log[in->query[0]], *q2 = &r->log[in->query[1]];
  if (q1->open) {
    CHECK_EQ(t, dut_get_qry_prod_o(d), q1->prod, "qry_prod_o of log %u", in->query[0]);
    CHECK_EQ(t, dut_get_qry_cons_o(d), q1->cons, "qry_cons_o of log %u", in->query[0]);
    CHECK_EQ(t, dut_get_qry_size_o(d), size_of(q1), "qry_size_o of log %u", in->query[0]);
  }
  if (q2->open) {
    CHECK_EQ(t, dut_get_qry2_prod_o(d), q2->prod, "qry2_prod_o of log %u", in->query[1]);
    CHECK_EQ(t, dut_get_qry2_cons_o(d), q2->cons, "qry2_cons_o of log %u", in->query[1]);
    CHECK_EQ(t, dut_get_qry2_size_o(d), size_of(q2), "qry2_size_o of log %u", in->query[1]);
  }
}

// Where the entry would go. True: there is space, and *pad bytes before it.
static bool check_reserve(tb *t, dut *d, ref *r, const inputs *in, unsigned *pad) {
  log_ref *l = &r->log[in->rsv];
  *pad = 0;
  if (!l->open || !r->read) return false;
  uint64_t ring = 1ULL << size_of(l), off = l->rsvd & (ring - 1), free = ring - (uint32_t)(l->rsvd - l->cons);
  *pad = off + in->bytes > ring ? (unsigned)(ring - off) : 0;
  bool never = *pad + in->bytes > ring, space = !never && *pad + in->bytes <= free && l->count < Depth && !(l->sts & 8);
  r->nevers += never;
  r->fulls += !never && !space;
  CHECK_EQ(t, RSV(NEVER), never, "rsv_o.never: %u bytes at %" PRIx64 " of %" PRIx64, in->bytes, off, ring);
  CHECK_EQ(t, RSV(SPACE), space, "rsv_o.space: pad %u + %u bytes, %" PRIu64 " free, %u slots", *pad, in->bytes, free,
           l->count);
  CHECK_EQ(t, RSV(FAILED), l->sts >> 3 & 1, "P3: rsv_o.failed");
  CHECK_EQ(t, RSV(DROP), (l->cfg >> 24 & 1) | (l->sts >> 3 & 1), "rsv_o.drop");
  CHECK_EQ(t, dut_get_rsv_ptr_o(d), l->rsvd, "rsv_ptr_o");
  if (!space) return false;
  CHECK_EQ(t, RSV(PAD), *pad != 0, "rsv_o.pad");
  CHECK_EQ(t, RSV(ADDR), l->base + (*pad ? 0 : off), "rsv_o.addr");
  CHECK_EQ(t, RSV(ID) >> 5, in->rsv, "rsv_o.id.log");
  l->idx = (unsigned)RSV(ID) & 31;
  CHECK(t, l->idx < Depth, "rsv_o.id.slot");
  for (unsigned i = 0; i < l->count; i++)
    CHECK(t, l->slot[(l->head + i) % 32].idx != l->idx, "rsv_o.id: slot %u is taken", l->idx);
  if (*pad) {
    CHECK_EQ(t, RSV(PAD_ADDR), l->base + off, "rsv_o.pad_addr");
    CHECK_EQ(t, RSV(PAD_BYTES), *pad, "rsv_o.pad_bytes");
  }
  return true;
}

static void check_publish(tb *t, dut *d, ref *r, const inputs *in) {
  if (!dut_get_pub_valid_o(d)) return;
  unsigned n = (unsigned)dut_get_pub_log_o(d);
  log_ref *x = &r->log[n % Logs];
  slot *s = &x->slot[x->head % 32];
  CHECK(t, !in->stop && !(x->sts & 8), "log %u publishes, and has stopped", n);
  CHECK(t, !in->busy, "P3: a publish while a register write is on its way");
  CHECK(t, n < Logs && x->count && s->done, "P3: log %u publishes, its oldest entry is not done", n);
  CHECK_EQ(t, dut_get_pub_bytes_o(d), s->bytes, "pub_bytes_o of log %u", n);
  x->prod += s->bytes;
  CHECK_EQ(t, dut_get_pub_prod_o(d), x->prod, "pub_prod_o of log %u", n);
  uint32_t ret[PUB_RETIRE_O_WORDS], want[PUB_RETIRE_O_WORDS] = {0};
  dut_get_pub_retire_o(d, ret);
  bits_set(want, AA_RETIRE_T_KIND_LSB, AA_RETIRE_T_KIND_W, AA_E_RetPublish);
  bits_set(want, AA_RETIRE_T_IDX_LSB, AA_RETIRE_T_IDX_W, n);
  bits_set(want, AA_RETIRE_T_A_LSB, AA_RETIRE_T_A_W, x->prod);
  CHECK(t, words_eq(ret, want, AA_RETIRE_T_W), "the record of a publish of log %u", n);
  x->head = (x->head + 1) % 32;
  x->count--;
  r->publishes++;
}

// A log whose oldest entry is done waits for the others at most, and for register writes under way.
static void check_waits(tb *t, dut *d, ref *r, const inputs *in) {
  for (unsigned i = 0; i < Logs; i++) {
    log_ref *x = &r->log[i];
    if (x->open && x->sts & 8)  // what is done goes without a word
      for (; x->count && x->slot[x->head].done; x->count--) x->head = (x->head + 1) % 32;
    bool ripe = x->count && x->slot[x->head].done, told = dut_get_pub_valid_o(d) && dut_get_pub_log_o(d) == i;
    x->waits = !ripe || told ? 0 : x->waits + (!in->busy && !in->stop);
    CHECK(t, x->waits <= Logs + 1, "P3: log %u does not publish its oldest entry", i);
    x->over = x->closing && !x->count ? x->over + in->off_ready : 0;
    CHECK(t, x->over <= Logs + 2 + (x->sts & 8 ? 2 * (unsigned)Depth * Logs : 0), "P5: log %u is not closed", i);
  }
}

// done_ready_o: one a cycle, fairly. Who was passed over goes first; what is not taken stays.
static void check_done(tb *t, dut *d, ref *r, const inputs *in) {
  uint64_t dv = done_valid(in), dr = dut_get_done_ready_o(d);
  CHECK(t, dv == 3 ? dr == 1 || dr == 2 : (dv & ~dr) == 0, "done_ready_o %" PRIx64 " of %" PRIx64, dr, dv);
  CHECK(t, dv != 3 || r->passed < 0 || dr >> r->passed & 1, "done_ready_o: side %d is passed over twice", r->passed);
  r->passed = dv != 3 ? -1 : (int)(dr & 1);
  for (unsigned k = 0; k < 2; k++) {
    bool taken = dr >> k & 1;
    r->held[k] = taken ? NULL : in->done[k];
    r->held_log[k] = in->done_id[k] >> 5;
    if (in->done[k] && taken) in->done[k]->done = true;
  }
}

static void check_tear_down(tb *t, dut *d, ref *r, const inputs *in) {
  if (!dut_get_off_valid_o(d)) return;
  unsigned n = (unsigned)dut_get_off_log_o(d);
  CHECK(t, n < Logs && r->log[n].closing && !r->log[n].count, "P5: off_valid_o of log %u", n);
  if (!in->off_ready) return;
  r->log[n].open = r->log[n].closing = false;
  r->offs++;
}

// What the decision of this cycle does.
static void decided(tb *t, ref *r, const inputs *in, bool commit, unsigned pad) {
  log_ref *l = &r->log[in->rsv];
  if (commit) {
    l->slot[(l->head + l->count) % 32] = (slot){pad + in->bytes, l->idx, false};
    l->count++;
    l->rsvd += pad + in->bytes;
    r->commits++;
    r->pads += pad != 0;
    r->b2b += r->last_commit == (int)in->rsv;
    CHECK(t, l->rsvd - l->cons <= 1U << size_of(l) && l->prod - l->cons <= l->rsvd - l->cons, "P2");
  }
  r->last_commit = commit ? (int)in->rsv : -1;
  if (in->lost) l->sts |= 2;
  if (in->fail) r->log[in->bad].sts |= 8, r->failures++;
  if (in->fail_ptr) r->log[in->bad].sts |= 16;
  if (in->abort) r->log[in->abort_log].sts |= 4;
}

// What a register write does: whose log it is, and what is told of it.
typedef struct written {
  unsigned who;
  bool opened, accepted, err;
  uint32_t value;
} written;

static void write_table(ref *r, const inputs *in, written *w) {
  w->who = (unsigned)(in->addr - 0x2000) / 64;
  log_ref *x = &r->log[w->who];
  bool en = in->strb & 128, set = in->data >> 63;
  if ((in->addr & 63) == 0 && !x->open) x->base = merge(x->base, in->data, in->strb);
  if ((in->addr & 63) != 8) return;
  if (x->open) {
    if (en && !set) x->closing = true;
    if (en && set && x->closing) x->why = 8, r->why_seen |= 1U << 8;
    return;
  }
  x->cfg = merge(x->cfg, in->data, in->strb) & cfg_mask;
  if (!en || !set) return;
  x->why = open_check(r, w->who, in->ptr_ok, in->msi_ok);
  r->why_seen |= 1U << x->why;
  if (x->why) return;
  x->open = w->opened = true;
  x->rsvd = x->prod = x->cons = 0;
  x->sts = 0;
  r->opens++;
}

static void write_page(ref *r, const inputs *in, written *w) {
  w->who = (unsigned)(in->addr - 0x10000) / 4096;
  log_ref *x = &r->log[w->who];
  if ((in->addr & 4095) == 8 && in->strb & 15) {
    w->value = (uint32_t)merge(x->cons, in->data, in->strb);
    w->accepted = w->value - x->cons <= x->prod - x->cons;
    w->err = !w->accepted;
    if (w->accepted)
      x->cons = w->value;
    else
      x->sts |= 1, r->bad++;
  }
  if ((in->addr & 4095) == 0x18 && in->strb & 1) x->sts &= (unsigned)~in->data | 8;
}

static void check_write(tb *t, dut *d, ref *r, const inputs *in) {
  written w = {0};
  if (in->we && in->table && in->addr < 0x2000 + 64ULL * Logs) write_table(r, in, &w);
  if (in->we && is_page(in->addr)) write_page(r, in, &w);
  CHECK_EQ(t, dut_get_open_event_valid_o(d), w.opened, "open_event_valid_o");
  if (w.opened) CHECK_EQ(t, dut_get_open_event_log_o(d), w.who, "open_event_log_o");
  CHECK_EQ(t, dut_get_cons_event_valid_o(d), w.accepted, "cons_event_valid_o");
  if (w.accepted) {
    CHECK_EQ(t, dut_get_cons_event_log_o(d), w.who, "cons_event_log_o");
    CHECK_EQ(t, dut_get_cons_event_o(d), w.value, "cons_event_o");
  }
  CHECK_EQ(t, dut_get_err_valid_o(d), w.err, "err_valid_o");
  if (w.err) {
    uint32_t e[ERR_O_WORDS];
    dut_get_err_o(d, e);
    CHECK_EQ(t, bits_get(e, 0, 64), w.value, "err_o.addr");
    CHECK_EQ(t, bits_get(e, 64, 10), iuid_of(&r->log[w.who]), "err_o.iuid");
    CHECK_EQ(t, bits_get(e, 90, 5), 17, "err_o.code");
  }
  r->opened = w.opened ? (int)w.who : -1;
}

static void cycle(tb *t, dut *d, ref *r, const rates *a) {
  inputs in;
  unsigned pad;
  draw_bus(t, r, a, &in);
  choose_log(t, d, r, a, &in);
  draw(t, r, a, &in);
  drive(d, &in);
  check_lookups(t, d, r, &in);
  r->took = in.want && r->read;
  bool commit = check_reserve(t, d, r, &in, &pad) && r->took;
  rsv_act(d, AA_RSV_ACT_T_TAKE_LSB, r->took);
  dut_eval(d);
  check_publish(t, d, r, &in);
  check_waits(t, d, r, &in);
  check_done(t, d, r, &in);
  check_tear_down(t, d, r, &in);
  decided(t, r, &in, commit, pad);
  check_write(t, d, r, &in);
}

static void reset(dut *d, ref *r) {
  dut_set_done_valid_i(d, 0);
  dut_set_abort_valid_i(d, 0);
  dut_set_fail_entry_valid_i(d, 0);
  dut_set_fail_ptr_valid_i(d, 0);
  dut_set_rb_i(d, reg_bus_of(0, false, 0, 0).words);
  dut_set_rsv_act_i(d, 0);
  rsv_ask(d, (unsigned)(dut_get_rsv_ask_i(d) >> AA_RSV_ASK_T_LOG_LSB), 0);
  dut_reset(d, 2);
  for (unsigned i = 0; i < Logs; i++) r->log[i] = (log_ref){0};
  r->last_commit = r->opened = r->passed = -1;
  r->held[0] = r->held[1] = NULL;
  r->read = r->took = false;
  r->bus.left = 0;
}

// The log of the decision stays, so that it may wait while its consumer goes on.
static void set(tb *t, dut *d, ref *r, uint64_t addr, uint64_t data) {
  const rates quiet = {.done = 100, .only = r->rsv + 1};
  r->bus = (struct bus){3, 255, addr, data, ~0ULL, ~0ULL};
  for (unsigned i = 0; i < 3; i++) cycle(t, d, r, &quiet);
}

static void shut(tb *t, dut *d, ref *r, unsigned n) {
  const rates quiet = {.done = 100};
  set(t, d, r, 0x2000 + 64 * n + 8, 0);
  while (r->log[n].open) cycle(t, d, r, &quiet);
}

// A ring of 2^size bytes; whether it opens is checked by its event.
static bool open(tb *t, dut *d, ref *r, unsigned n, uint64_t base, unsigned size, unsigned iuid) {
  set(t, d, r, 0x2000 + 64 * n, base);
  set(t, d, r, 0x2000 + 64 * n + 8, 1ULL << 63 | (uint64_t)size << 16 | iuid);
  return r->log[n].open;
}

// Each ring at each bit of an address: it opens there if the bit is not inside, of which the next ones are tried.
static void bases(tb *t, dut *d, ref *r) {
  for (unsigned size = 6; size <= 30; size++) {
    unsigned n = (unsigned)rnd_below(t, Logs);
    for (unsigned bit = 0; bit < size; bit++) open(t, d, r, n, 1ULL << bit, size, 0);
    for (unsigned bit = size; bit <= size + 8; bit++) {
      open(t, d, r, n, 1ULL << bit, size, 0);
      shut(t, d, r, n);
    }
  }
}

// Each log against the next one: the same IUID is refused, one that differs in a bit is not.
static void clashes(tb *t, dut *d, ref *r) {
  for (unsigned n = 0; n < Logs && Logs > 1; n++) {
    for (unsigned bit = 0; bit < 10; bit++) {
      unsigned iuid = (unsigned)rnd_bits(t, 10), other = (n + 1) % Logs;
      open(t, d, r, n, 0, 6 + (unsigned)rnd_below(t, 25), iuid);
      open(t, d, r, other, 0, 6 + (unsigned)rnd_below(t, 25), iuid);
      open(t, d, r, other, 0, 6 + (unsigned)rnd_below(t, 25), iuid ^ 1u << bit);
      shut(t, d, r, other);
      shut(t, d, r, n);
    }
  }
}

// One log takes the longest entries, one after the other, so that its pointers get far: in a large ring with its reader
// close behind, in others it catches up with the reader, who then goes on to a little beyond the next multiple of some
// power of two.
static void gallop(tb *t, dut *d, ref *r, unsigned size, unsigned cycles) {
  unsigned n = (unsigned)rnd_below(t, Logs);
  log_ref *l = &r->log[n];
  shut(t, d, r, n);
  if (!open(t, d, r, n, 0, size, 0x3c0 | size)) return;  // another one has this IUID
  for (unsigned i = 0, power = size - 1; i < cycles; i++) {
    uint32_t step = ((l->cons >> power) + 1) << power, to = step + 16 * (uint32_t)rnd_below(t, 8);
    bool full = (1ULL << size) - (l->rsvd - l->cons) < 4112;
    if (size == 30) to = l->prod;
    if (size == 30 ? i % 1000 == 999 : full && rnd_chance(t, size < 20 ? 50 : 8)) {
      set(t, d, r, 0x10000 + 4096 * n + 8, to - l->cons < l->prod - l->cons ? to : l->prod);
      power = power > 9 ? power - 1 : size - 1;
    }
    cycle(t, d, r, &(rates){.rsv = 100, .done = 100, .reg = size == 30, .only = n + 1});
  }
}

int main(int argc, char **argv) {
  static ref r;
  tb t;
  tb_init(&t, argc, argv, "aa_log", 100000);
  dut *d = dut_begin(&t);
  reset(d, &r);
  bases(&t, d, &r);
  clashes(&t, d, &r);
  for (unsigned size = 6; size <= 16; size++) gallop(&t, d, &r, size, 600);
  bool judged = Depth == 4;  // the netlist: past 2^29, with a reader past 2^27, and round a ring past 2^27
  gallop(&t, d, &r, 30, judged ? 140000 : Depth < 8 ? 0 : (unsigned)(t.cycles / 3));
  gallop(&t, d, &r, 28, judged ? 115000 : 0);
  gallop(&t, d, &r, 18, judged ? 40000 : 0);
  for (uint64_t end = dut_cycle(d) + t.cycles; dut_cycle(d) < end;) {
    static const unsigned rsv[] = {100, 100, 50, 10}, done[] = {100, 50, 20, 5}, reg[] = {5, 20, 40, 60};
    rates a = {.rsv = rsv[rnd_below(&t, 4)]};
    a.done = done[rnd_below(&t, 4)];
    a.reg = reg[rnd_below(&t, 4)];
    a.tear = (unsigned)rnd_below(&t, 4) * 20;
    for (unsigned i = 0; i < 400; i++) cycle(&t, d, &r, &a);
    if (rnd_chance(&t, 40))  // let everything end
      for (unsigned i = 0; i < 40U * Logs + 200; i++) cycle(&t, d, &r, &(rates){0, 100, 20, 0, 0});
    if (rnd_chance(&t, 20)) reset(d, &r);
  }
  printf(
      "  %u entries, %u pads, %u never, %u full, %u back to back, %u published, %u opened, %u closed, %u refused, "
      "%u stopped, WHY %x\n",
      r.commits, r.pads, r.nevers, r.fulls, r.b2b, r.publishes, r.opens, r.offs, r.bad, r.failures, r.why_seen);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
