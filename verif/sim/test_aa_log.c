// SPDX-License-Identifier: Apache-2.0
// aa_log against a model in C written from the specification: registers with odd strobes and bad values, reservations in
// rings from the smallest on, entries done in any order, consumers good and bad, opening and closing.
// config: default
// config: one -GNumLogs=1 -GLogDepth=1
// config: odd -GNumLogs=5 -GLogDepth=4 -GScratchWords=40
// config: big -GNumLogs=32 -GLogDepth=32 -GScratchWords=64
// netlist: odd
#include "tb.h"
#include "aa_log_tb.h"

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
  unsigned waits, idle;
} log_ref;

typedef struct ref {
  log_ref log[Logs];
  unsigned commits, pads, nevers, fulls, publishes, opens, offs, bad, b2b, same2, failures;
  unsigned why_seen;
  int last_commit, opened;  // opened: the log that did in the cycle before
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
  return rnd_chance(t, 40) ? 0x2000 + 64 * n + table[rnd_below(t, 7)] : 0x10000 + 4096 * n + page[rnd_below(t, 7)];
}

static void cycle(tb *t, dut *d, ref *r, unsigned rsv_pct, unsigned done_pct, unsigned reg_pct, unsigned tear) {
  // ---- inputs
  bool we = r->bus.left == 1;  // what is written was on the bus in the two cycles before
  uint64_t addr = pick_reg(t), data = rnd(t);
  unsigned strb = rnd_chance(t, 80) ? 255 : (unsigned)rnd_bits(t, 8);
  uint64_t ptr_ok = rnd_chance(t, 80) ? ~0ULL : rnd(t), msi_ok = rnd_chance(t, 80) ? ~0ULL : rnd(t);
  if (r->bus.left) addr = r->bus.addr, strb = r->bus.strb, ptr_ok = r->bus.ptr_ok, msi_ok = r->bus.msi_ok;
  bool table = addr >= 0x2000 && addr < 0x2000 + 64 * 32;
  if (table && (addr & 63) == 0) {
    unsigned sh = (unsigned)rnd_below(t, 31);
    data = rnd_chance(t, 70) ? (data & 0xFFFFFFFFFFFFULL) >> sh << sh : rnd_chance(t, 50) ? 1ULL << 48 : data;
    if (rnd_chance(t, 10)) data = (1ULL << 48) - 64;
  }
  if (table && (addr & 63) == 8) {
    data &= ~(0x1FULL << 16);
    data |= (rnd_chance(t, 80) ? 6 + rnd_below(t, 8) : rnd_bits(t, 5)) << 16;
    if (rnd_chance(t, 75)) data &= ~(7ULL << 25);
    data &= ~0x3F0ULL;  // few IUIDs, so that some clash
    data = (data & ~(1ULL << 63)) | (uint64_t)!rnd_chance(t, tear) << 63;
  }
  if (addr >= 0x10000 && addr < 0x10000 + 4096ULL * Logs && (addr & 4095) == 8) {
    const log_ref *l = &r->log[(addr - 0x10000) / 4096];
    uint32_t room = l->prod - l->cons;
    if (rnd_chance(t, 85))
      data = (data & ~0xFFFFFFFFULL) | (uint32_t)(l->cons + rnd_below(t, room + 1ULL));
    else if (rnd_chance(t, 60))
      data = (uint32_t)(l->prod + 1 + rnd_bits(t, 4));
    else
      data = l->cons - 1;
    if (rnd_chance(t, 40)) data = l->prod;
  }
  if (r->bus.left) data = r->bus.data;
  unsigned left = r->bus.left ? r->bus.left - 1 : rnd_chance(t, 2 * reg_pct) ? 2 : 0;
  r->bus = (struct bus){left, strb, addr, data, ptr_ok, msi_ok};
  bool busy = we || left || rnd_chance(t, 5);
  // Now it is decided whose log this cycle asks for; the cycle before has to know, so its end comes here.
  if (r->took || rnd_chance(t, 60)) {
    dut_set_cam_iuid_i(d, rnd_chance(t, 80) ? iuid_of(&r->log[rnd_below(t, Logs)]) : rnd_bits(t, 10));
    dut_set_rsv_next_i(d, 1);
    dut_eval(d);
    r->rsv = (unsigned)dut_get_cam_log_o(d);
    r->read = true;
  } else {
    dut_set_rsv_next_i(d, 0);
  }
  dut_tick(d);
  unsigned rsv = r->rsv;
  r->read &= r->opened != (int)rsv;
  log_ref *l = &r->log[rsv];
  unsigned bytes = 16 * (1 + (unsigned)rnd_below(t, rnd_chance(t, 80) ? 5 : 257));
  bool want = rnd_chance(t, rsv_pct) && l->open && !l->closing && !(we && table);
  unsigned iuid = (unsigned)(rnd_chance(t, 80) ? rnd_bits(t, 4) : rnd_bits(t, 10));
  unsigned q1 = (unsigned)rnd_below(t, Logs), q2 = (unsigned)rnd_below(t, Logs);
  bool lost = rnd_below(t, 100) == 0, abort = rnd_below(t, 100) == 0;
  unsigned abort_log = (unsigned)rnd_below(t, Logs);
  bool off_ready = !busy && rnd_chance(t, 50);
  unsigned bad = (unsigned)rnd_below(t, Logs);
  bool fail = r->log[bad].open && rnd_below(t, 500) == 0,
       fail_ptr = !fail && r->log[bad].open && rnd_below(t, 300) == 0;
  bool stop = fail || fail_ptr || rnd_chance(t, 3);

  slot *dn[2] = {NULL, NULL};
  unsigned dn_id[2] = {0, 0};
  for (unsigned k = 0; k < 2; k++) {
    unsigned n = (unsigned)rnd_below(t, Logs);
    log_ref *x = &r->log[n];
    if (!rnd_chance(t, done_pct) || !x->count) continue;
    slot *s = &x->slot[(x->head + (rnd_chance(t, 60) ? 0 : rnd_below(t, x->count))) % 32];
    for (unsigned i = 0; i < x->count && s->done; i++) s = &x->slot[(x->head + i) % 32];
    if (s->done || (k && s == dn[0])) continue;
    dn[k] = s;
    dn_id[k] = n << 5 | s->idx;
  }

  dut_set_rb_addr_i(d, addr >> 3);
  dut_set_rb_we_i(d, we);
  dut_set_rb_wdata_i(d, data);
  dut_set_rb_wstrb_i(d, strb);
  dut_set_rb_busy_i(d, busy);
  dut_set_cam_iuid_i(d, iuid);
  dut_set_rsv_log_i(d, rsv);
  dut_set_rsv_units_i(d, bytes / 16 - 1);
  dut_set_rsv_take_i(d, 0);
  dut_set_lost_i(d, lost);
  dut_set_done_valid_i(d, (uint64_t)(dn[0] != NULL) | (uint64_t)(dn[1] != NULL) << 1);
  dut_set_done_id_i(d, dn_id[0] | dn_id[1] << 10);
  dut_set_abort_valid_i(d, abort);
  dut_set_abort_log_i(d, abort_log);
  dut_set_stop_i(d, stop);
  dut_set_fail_entry_valid_i(d, fail);
  dut_set_fail_ptr_valid_i(d, fail_ptr);
  dut_set_fail_log_i(d, bad);
  dut_set_qry_log_i(d, q1);
  dut_set_qry2_log_i(d, q2);
  dut_set_ptr_ok_i(d, ptr_ok);
  dut_set_msi_ok_i(d, msi_ok);
  dut_set_off_ready_i(d, off_ready);
  dut_eval(d);

  // ---- read, look-ups
  CHECK_EQ(t, dut_get_rb_rdata_o(d), reg_read(r, r->was & ~7ULL), "register %" PRIx64, r->was);
  r->was = addr;
  int hit = -1;
  uint64_t open = 0, closing = 0;
  for (unsigned i = 0; i < Logs; i++) {
    if (r->log[i].open && !r->log[i].closing && iuid_of(&r->log[i]) == iuid) hit = (int)i;
    open |= (uint64_t)r->log[i].open << i;
    closing |= (uint64_t)(r->log[i].closing || (r->log[i].open && r->log[i].sts & 8)) << i;
  }
  CHECK_EQ(t, dut_get_cam_hit_o(d), hit >= 0, "cam_hit_o of IUID %u", iuid);
  CHECK_EQ(t, dut_get_cam_log_o(d), hit >= 0 ? hit : 0, "cam_log_o of IUID %u", iuid);
  CHECK_EQ(t, dut_get_open_o(d), open, "open_o");
  if (r->log[bad].open) CHECK_EQ(t, dut_get_fail_iuid_o(d), iuid_of(&r->log[bad]), "fail_iuid_o");
  bool rise = (fail && !(r->log[bad].sts & 8)) || (fail_ptr && !(r->log[bad].sts & 16));
  CHECK_EQ(t, dut_get_alarm_valid_o(d), rise, "alarm_valid_o");
  CHECK_EQ(t, dut_get_closing_o(d), closing, "closing_o");
  if (r->log[q1].open) {
    CHECK_EQ(t, dut_get_qry_prod_o(d), r->log[q1].prod, "qry_prod_o of log %u", q1);
    CHECK_EQ(t, dut_get_qry_cons_o(d), r->log[q1].cons, "qry_cons_o of log %u", q1);
    CHECK_EQ(t, dut_get_qry_size_o(d), size_of(&r->log[q1]), "qry_size_o of log %u", q1);
  }
  if (r->log[q2].open) {
    CHECK_EQ(t, dut_get_qry2_prod_o(d), r->log[q2].prod, "qry2_prod_o of log %u", q2);
    CHECK_EQ(t, dut_get_qry2_cons_o(d), r->log[q2].cons, "qry2_cons_o of log %u", q2);
    CHECK_EQ(t, dut_get_qry2_size_o(d), size_of(&r->log[q2]), "qry2_size_o of log %u", q2);
  }

  // ---- reserve
  bool take = want && r->read, commit = false;
  r->took = take;
  unsigned pad = 0;
  if (l->open && r->read) {
    uint64_t ring = 1ULL << size_of(l), off = l->rsvd & (ring - 1), free = ring - (uint32_t)(l->rsvd - l->cons);
    pad = off + bytes > ring ? (unsigned)(ring - off) : 0;
    bool never = pad + bytes > ring, space = !never && pad + bytes <= free && l->count < Depth && !(l->sts & 8);
    CHECK_EQ(t, dut_get_rsv_never_o(d), never, "rsv_never_o: %u bytes at %" PRIx64 " of %" PRIx64, bytes, off, ring);
    CHECK_EQ(t, dut_get_rsv_space_o(d), space, "rsv_space_o: pad %u + %u bytes, %" PRIu64 " free, %u slots", pad, bytes,
             free, l->count);
    CHECK_EQ(t, dut_get_rsv_failed_o(d), l->sts >> 3 & 1, "P3: rsv_failed_o");
    CHECK_EQ(t, dut_get_rsv_drop_o(d), (l->cfg >> 24 & 1) | (l->sts >> 3 & 1), "rsv_drop_o");
    CHECK_EQ(t, dut_get_rsv_ptr_o(d), l->rsvd, "rsv_ptr_o");
    if (space) {
      CHECK_EQ(t, dut_get_rsv_pad_o(d), pad != 0, "rsv_pad_o");
      CHECK_EQ(t, dut_get_rsv_addr_o(d), l->base + (pad ? 0 : off), "rsv_addr_o");
      CHECK_EQ(t, dut_get_rsv_id_o(d) >> 5, rsv, "rsv_id_o.log");
      l->idx = (unsigned)dut_get_rsv_id_o(d) & 31;
      CHECK(t, l->idx < Depth, "rsv_id_o.slot");
      for (unsigned i = 0; i < l->count; i++)
        CHECK(t, l->slot[(l->head + i) % 32].idx != l->idx, "rsv_id_o: slot %u is taken", l->idx);
      if (pad) {
        CHECK_EQ(t, dut_get_rsv_pad_addr_o(d), l->base + off, "rsv_pad_addr_o");
        CHECK_EQ(t, dut_get_rsv_pad_bytes_o(d), pad, "rsv_pad_bytes_o");
      }
      commit = take;
    }
    r->nevers += never;
    r->fulls += !never && !space;
  }
  dut_set_rsv_take_i(d, take);
  dut_eval(d);

  uint64_t dv = (uint64_t)(dn[0] != NULL) | (uint64_t)(dn[1] != NULL) << 1, dr = dut_get_done_ready_o(d);
  CHECK(t, dv == 3 ? dr == 1 || dr == 2 : (dv & ~dr) == 0, "done_ready_o %" PRIx64 " of %" PRIx64, dr, dv);

  // ---- publish
  if (dut_get_pub_valid_o(d)) {
    unsigned n = (unsigned)dut_get_pub_log_o(d);
    log_ref *x = &r->log[n % Logs];
    slot *s = &x->slot[x->head % 32];
    CHECK(t, !stop && !(x->sts & 8), "log %u publishes, and has stopped", n);
    CHECK(t, !busy, "P3: a publish while a register write is on its way");
    CHECK(t, n < Logs && x->count && s->done, "P3: log %u publishes, its oldest entry is not done", n);
    CHECK_EQ(t, dut_get_pub_bytes_o(d), s->bytes, "pub_bytes_o of log %u", n);
    x->prod += s->bytes;
    CHECK_EQ(t, dut_get_pub_prod_o(d), x->prod, "pub_prod_o of log %u", n);
    x->head = (x->head + 1) % 32;
    x->count--;
    r->publishes++;
  }
  // A log whose oldest entry is done waits for the others at most, and for register writes under way.
  for (unsigned i = 0; i < Logs; i++) {
    log_ref *x = &r->log[i];
    if (x->open && x->sts & 8)  // what is done goes without a word
      for (; x->count && x->slot[x->head].done; x->count--) x->head = (x->head + 1) % 32;
    bool ripe = x->count && x->slot[x->head].done;
    x->waits = !ripe || (dut_get_pub_valid_o(d) && dut_get_pub_log_o(d) == i) ? 0 : x->waits + (!busy && !stop);
    CHECK(t, x->waits <= Logs + 3, "P3: log %u does not publish its oldest entry", i);
    bool empty = x->closing && !x->count;
    x->idle = empty ? x->idle + !busy : 0;
    CHECK(t, x->idle < 200 + 20 * Logs, "P5: log %u is not closed", i);
  }
  for (unsigned k = 0; k < 2; k++)
    if (dn[k] && dut_get_done_ready_o(d) >> k & 1) dn[k]->done = true;

  // ---- tear-down
  if (dut_get_off_valid_o(d)) {
    unsigned n = (unsigned)dut_get_off_log_o(d);
    CHECK(t, n < Logs && r->log[n].closing && !r->log[n].count, "P5: off_valid_o of log %u", n);
    if (off_ready) {
      r->log[n].open = r->log[n].closing = false;
      r->offs++;
    }
  }

  // ---- what was decided in this cycle
  if (commit) {
    slot *s = &l->slot[(l->head + l->count) % 32];
    *s = (slot){pad + bytes, l->idx, false};
    l->count++;
    l->rsvd += pad + bytes;
    r->commits++;
    r->pads += pad != 0;
    r->b2b += r->last_commit == (int)rsv;
    CHECK(t, l->rsvd - l->cons <= 1U << size_of(l) && l->prod - l->cons <= l->rsvd - l->cons, "P2");
  }
  r->last_commit = commit ? (int)rsv : -1;
  if (lost) l->sts |= 2;
  if (fail) r->log[bad].sts |= 8, r->failures++;
  if (fail_ptr) r->log[bad].sts |= 16;
  if (abort) r->log[abort_log].sts |= 4;

  // ---- register write
  bool opened = false, accepted = false, err = false;
  unsigned who = 0;
  uint32_t value = 0;
  if (we && table && addr < 0x2000 + 64ULL * Logs) {
    who = (unsigned)(addr - 0x2000) / 64;
    log_ref *x = &r->log[who];
    if ((addr & 63) == 0 && !x->open) x->base = merge(x->base, data, strb);
    if ((addr & 63) == 8) {
      bool en = strb & 128, set = data >> 63;
      if (!x->open) {
        x->cfg = merge(x->cfg, data, strb) & cfg_mask;
        if (en && set) {
          x->why = open_check(r, who, ptr_ok, msi_ok);
          r->why_seen |= 1U << x->why;
          if (!x->why) {
            x->open = opened = true;
            x->rsvd = x->prod = x->cons = 0;
            x->sts = 0;
            r->opens++;
          }
        }
      } else if (en && !set) {
        x->closing = true;
      } else if (en && x->closing) {
        x->why = 8;
        r->why_seen |= 1U << 8;
      }
    }
  }
  if (we && addr >= 0x10000 && addr < 0x10000 + 4096ULL * Logs) {
    who = (unsigned)(addr - 0x10000) / 4096;
    log_ref *x = &r->log[who];
    if ((addr & 4095) == 8) {
      value = (uint32_t)merge(x->cons, data, strb);
      accepted = value - x->cons <= x->prod - x->cons;
      err = !accepted;
      if (accepted)
        x->cons = value;
      else
        x->sts |= 1, r->bad++;
    }
    if ((addr & 4095) == 0x18 && strb & 1) x->sts &= (unsigned)~data | 8;
  }
  CHECK_EQ(t, dut_get_open_event_valid_o(d), opened, "open_event_valid_o");
  if (opened) CHECK_EQ(t, dut_get_open_event_log_o(d), who, "open_event_log_o");
  CHECK_EQ(t, dut_get_cons_event_valid_o(d), accepted, "cons_event_valid_o");
  if (accepted) {
    CHECK_EQ(t, dut_get_cons_event_log_o(d), who, "cons_event_log_o");
    CHECK_EQ(t, dut_get_cons_event_o(d), value, "cons_event_o");
  }
  CHECK_EQ(t, dut_get_err_valid_o(d), err, "err_valid_o");
  if (err) {
    uint32_t e[ERR_O_WORDS];
    dut_get_err_o(d, e);
    CHECK_EQ(t, bits_get(e, 0, 64), value, "err_o.addr");
    CHECK_EQ(t, bits_get(e, 64, 10), iuid_of(&r->log[who]), "err_o.iuid");
    CHECK_EQ(t, bits_get(e, 90, 5), 17, "err_o.code");
  }
  r->opened = opened ? (int)who : -1;
}

static void reset(dut *d, ref *r) {
  dut_set_done_valid_i(d, 0);
  dut_set_lost_i(d, 0);
  dut_set_abort_valid_i(d, 0);
  dut_set_rsv_take_i(d, 0);
  dut_set_rb_we_i(d, 0);
  dut_set_rsv_next_i(d, 0);
  dut_set_rsv_units_i(d, 0);
  dut_reset(d, 2);
  for (unsigned i = 0; i < Logs; i++) r->log[i] = (log_ref){0};
  r->last_commit = r->opened = -1;
  r->read = r->took = false;
  r->bus.left = 0;
}

int main(int argc, char **argv) {
  static ref r;
  tb t;
  tb_init(&t, argc, argv, "aa_log", 60000);
  dut *d = dut_begin(&t);
  reset(d, &r);
  while (dut_cycle(d) < t.cycles) {
    static const unsigned rsv[] = {100, 100, 50, 10}, done[] = {100, 50, 20, 5}, reg[] = {5, 20, 40, 60};
    unsigned a = rsv[rnd_below(&t, 4)], b = done[rnd_below(&t, 4)], c = reg[rnd_below(&t, 4)];
    unsigned tear = (unsigned)rnd_below(&t, 3) * 15;
    for (unsigned i = 0; i < 400; i++) cycle(&t, d, &r, a, b, c, tear);
    if (rnd_chance(&t, 40))  // let everything end
      for (unsigned i = 0; i < 40U * Logs + 200; i++) cycle(&t, d, &r, 0, 100, 20, 0);
    if (rnd_chance(&t, 5)) reset(d, &r);
  }
  printf(
      "  %u entries, %u pads, %u never, %u full, %u back to back, %u published, %u opened, %u closed, %u refused, "
      "%u stopped, WHY %x\n",
      r.commits, r.pads, r.nevers, r.fulls, r.b2b, r.publishes, r.opens, r.offs, r.bad, r.failures, r.why_seen);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
