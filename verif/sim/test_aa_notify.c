// SPDX-License-Identifier: Apache-2.0
// aa_notify under logs that open, publish, are read and are torn down at random. Every note is checked against what the
// specification allows in that cycle, every message and task against the note that announced it, every register and
// scratchpad word against what was written; and what is due must come soon when nothing stands in its way.
// config: default -GNumLogs=8 -GScratchWords=16
// config: one -GNumLogs=1 -GScratchWords=1
// config: many -GNumLogs=32 -GScratchWords=64
// config: odd -GNumLogs=5 -GScratchWords=7
// netlist: odd
#include "tb.h"
#include "aa_fields.h"
#include "aa_notify_tb.h"

enum { LOGS = P_NumLogs, SCRATCH = P_ScratchWords, QUEUE = 64 };

typedef struct alog {
  bool open, closing, done, ptr, msi, scr, task;  // done: all published, tear-down asked
  unsigned size, scri;
  uint32_t prod, cons, seen;
  bool dirty, armed, wait, tasked, alarm;
  uint32_t run;  // cycles with unread entries since the last consumer write
  uint64_t reg[4];
  unsigned late_alarm, late_ptr, late_msi, late_task, late_off;
} alog;

typedef struct msg {
  uint64_t addr, data;
  unsigned bytes, log;
  bool ptr;
} msg;

static struct {
  alog l[LOGS];
  uint64_t scratch[SCRATCH];
  msg q[QUEUE];
  unsigned head, out, tail;
  bool task, task_gone[LOGS];  // a task is offered; was taken and runs
  unsigned task_log;
  uint32_t task_prod, task_cons;
  bool off;
  unsigned addr, write, write_log, strb;  // write: what is on the bus is written in this many cycles less one
  uint64_t data;
  unsigned off_log;
  unsigned count[16], alarms;
} r;

static bool reason(const alog *g, uint32_t seen) {
  uint32_t used = seen - g->cons, low = (uint32_t)(g->reg[2] >> 32), cycles = (uint32_t)g->reg[3];
  if (used > 1u << g->size) return false;
  return (1u << g->size) - used < low || (cycles && used && g->run >= cycles);
}

static void bit(uint64_t *v, unsigned i, bool b) { *v |= (uint64_t)b << i; }

typedef struct rates {
  unsigned pub, cons, open, close, reg, note, msg, done, task, finish;
} rates;

static void late(tb *t, unsigned *n, bool due, unsigned limit, const char *what, unsigned log) {
  *n = due ? *n + 1 : 0;
  CHECK(t, *n <= limit, "log %u: %s due for %u cycles", log, what, *n);
}

static void cycle(tb *t, dut *d, const rates *a) {
  uint64_t open = 0, closing = 0, pe = 0, me = 0, se = 0, te = 0;
  uint32_t scri[(6 * LOGS + 31) / 32] = {0};
  for (unsigned i = 0; i < LOGS; i++) {
    alog *g = &r.l[i];
    bit(&open, i, g->open), bit(&closing, i, g->closing), bit(&pe, i, g->ptr), bit(&me, i, g->msi), bit(&se, i, g->scr);
    bit(&te, i, g->task);
    bits_set(scri, 6 * i, 6, g->scri);
    g->done |= g->closing && rnd_chance(t, 20);
  }
  if (!r.off)
    for (unsigned i = 0; i < LOGS && !r.off; i++)
      if (r.l[i].done) r.off = true, r.off_log = i;

  // ---- what happens in this cycle: a publish, and one register write at most ----
  unsigned pl = (unsigned)rnd_below(t, LOGS), wl = r.write ? r.write_log : (unsigned)rnd_below(t, LOGS);
  alog *p = &r.l[pl], *w = &r.l[wl];
  uint32_t room = (1u << p->size) - (p->prod - p->cons), step = 16 * (1 + (uint32_t)rnd_below(t, 4));
  bool pub = p->open && !p->done && step <= room && rnd_chance(t, a->pub);
  uint32_t prod = p->prod + step;
  bool cons = false, opens = false, we = false;
  uint32_t new_cons = w->cons + (uint32_t)rnd_below(t, (w->prod - w->cons) / 16 + 1) * 16;
  unsigned was = r.addr, addr = r.write ? was : 0x400 + 8 * wl + 2 + (unsigned)rnd_below(t, 4),
           strb = rnd_chance(t, 60) ? 255 : (unsigned)rnd_bits(t, 8);
  uint64_t data = rnd(t);
  if (rnd_chance(t, 80))
    data = addr % 8 == 4   ? (rnd_below(t, 160) * rnd_below(t, 2)) << 32 | rnd_bits(t, 32)
           : addr % 8 == 5 ? rnd_below(t, 60) * rnd_below(t, 2)
                           : rnd_bits(t, 45) << 3;
  if (r.write)
    we = r.write == 1, data = r.data, strb = r.strb;
  else if (w->open && rnd_chance(t, a->cons))
    cons = true;
  else if (!w->open && rnd_chance(t, a->open))
    opens = true;
  else if (rnd_chance(t, a->reg))
    r.write = 3;
  else if (rnd_chance(t, 50))
    addr = 0x600 + (unsigned)rnd_below(t, 64);
  if (r.write == 3 && wl + 1 == LOGS && rnd_chance(t, 10)) addr = 0x400 + 8 * LOGS + 2;  // no such log
  r.addr = addr, r.write_log = wl, r.data = data, r.strb = strb;

  bool busy = r.write || rnd_chance(t, a->reg / 4);
  if (r.write) r.write--;
  bool done = r.head < r.out && rnd_chance(t, a->done), task_done = false;
  unsigned tl = (unsigned)rnd_below(t, LOGS);
  if (r.task_gone[tl] && rnd_chance(t, a->finish)) task_done = true;
  unsigned al = (unsigned)rnd_below(t, LOGS);
  bool alarm = r.l[al].open && rnd_chance(t, a->pub / 20);
  bool stop = alarm || rnd_chance(t, 5);
  bool note_ready = !alarm && rnd_chance(t, a->note), msg_ready = rnd_chance(t, a->msg),
       task_ready = rnd_chance(t, a->task);
  dut_set_rb_addr_i(d, addr);
  dut_set_rb_we_i(d, we);
  dut_set_rb_wdata_i(d, data);
  dut_set_rb_wstrb_i(d, strb);
  dut_set_rb_busy_i(d, busy);
  dut_set_pub_valid_i(d, pub);
  dut_set_pub_log_i(d, pl);
  dut_set_pub_prod_i(d, prod);
  dut_set_cons_event_valid_i(d, cons);
  dut_set_cons_event_log_i(d, wl);
  dut_set_open_event_valid_i(d, opens);
  dut_set_open_event_log_i(d, wl);
  dut_set_open_i(d, open);
  dut_set_closing_i(d, closing);
  dut_set_ptr_en_i(d, pe);
  dut_set_msi_en_i(d, me);
  dut_set_scr_en_i(d, se);
  dut_set_task_en_i(d, te);
#ifdef SCRI_I_WORDS
  dut_set_scri_i(d, scri);
#else
  dut_set_scri_i(d, bits_get(scri, 0, 6 * LOGS));
#endif
  dut_set_msg_ready_i(d, msg_ready);
  dut_set_msg_done_i(d, done);
  dut_set_task_ready_i(d, task_ready);
  dut_set_task_done_valid_i(d, task_done);
  dut_set_task_done_log_i(d, tl);
  dut_set_off_valid_i(d, r.off);
  dut_set_off_log_i(d, r.off_log);
  dut_set_note_ready_i(d, note_ready);
  dut_set_alarm_valid_i(d, alarm);
  dut_set_alarm_log_i(d, al);
  dut_set_stop_i(d, stop);
  dut_eval(d);
  unsigned q = (unsigned)dut_get_qry_log_o(d);
  dut_set_qry_prod_i(d, q < LOGS ? r.l[q].prod : 0);
  dut_set_qry_cons_i(d, q < LOGS ? r.l[q].cons : 0);
  dut_set_qry_size_i(d, q < LOGS ? r.l[q].size : 0);
  dut_eval(d);

  // ---- registers: of the address a cycle ago ----
  uint64_t want = 0;
  if (was >= 0x600 && was < 0x600 + SCRATCH) want = r.scratch[was - 0x600];
  if (was >= 0x400 && was < 0x600 && (was - 0x400) / 8 < LOGS) want = r.l[(was - 0x400) / 8].reg[was % 8 - 2];
  CHECK_EQ(t, dut_get_rb_rdata_o(d), want, "register %x", was * 8);
  for (unsigned i = 0; i < LOGS; i++) {
    const uint64_t *g = r.l[i].reg;
    CHECK_EQ(t, dut_get_ptr_ok_o(d) >> i & 1, !(g[0] & 7) && !(g[0] >> 48), "ptr_ok_o %u", i);
    CHECK_EQ(t, dut_get_msi_ok_o(d) >> i & 1, !(g[1] & 3) && !(g[1] >> 48), "msi_ok_o %u", i);
  }

  // ---- message and task ports ----
  if (dut_get_msg_valid_o(d)) {
    const msg *m = &r.q[r.out % QUEUE];
    CHECK(t, r.out < r.tail, "message without a note");
    CHECK_EQ(t, dut_get_msg_addr_o(d), m->addr, "message address");
    CHECK_EQ(t, dut_get_msg_data_o(d), m->data, "message data");
    CHECK_EQ(t, dut_get_msg_bytes_o(d), m->bytes, "message bytes");
    CHECK_EQ(t, dut_get_msg_owner_o(d), 64 | (unsigned)m->ptr << 5 | m->log, "message owner");
    r.out += msg_ready;
  } else {
    CHECK_EQ(t, r.out, r.tail, "message that was announced");
  }
  CHECK_EQ(t, dut_get_task_valid_o(d), r.task, "task_valid_o");
  if (r.task) {
    CHECK_EQ(t, dut_get_task_log_o(d), r.task_log, "task_log_o");
    CHECK_EQ(t, dut_get_task_prod_o(d), r.task_prod, "task_prod_o");
    CHECK_EQ(t, dut_get_task_cons_o(d), r.task_cons, "task_cons_o");
    if (task_ready) r.task = false, r.task_gone[r.task_log] = true;
  }

  // ---- publish ----
  if (pub) {
    p->prod = prod;
    p->dirty |= p->ptr;
    if (p->scr) r.scratch[p->scri] = (uint64_t)pl << 32 | prod;
  }

  // ---- notify ----
  bool off = false;
  if (dut_get_note_valid_o(d) && note_ready) {
    uint32_t note[NOTE_O_WORDS];
    dut_get_note_o(d, note);
    unsigned code = (unsigned)bits_get(note, AA_RETIRE_T_CODE_LSB, 4),
             i = (unsigned)bits_get(note, AA_RETIRE_T_IDX_LSB, 8);
    uint64_t value = bits_get(note, AA_RETIRE_T_A_LSB, 64);
    CHECK(t, i < LOGS && r.l[i % LOGS].open, "note %u of log %u", code, i);
    alog *g = &r.l[i % LOGS];
    r.count[code]++;
    bool send = code == AA_K_NotePtr || code == AA_K_NoteMsi;
    if (send) {
      CHECK(t, !g->wait, "log %u: a second message under way", i);
      g->wait = true;
      r.q[r.tail++ % QUEUE] = (msg){code == AA_K_NotePtr ? g->reg[0] : g->reg[1], value, code == AA_K_NotePtr ? 8 : 4,
                                    i, code == AA_K_NotePtr};
    }
    if (code == AA_K_NotePtr) {
      CHECK(t, g->dirty, "log %u: pointer without news", i);
      CHECK_EQ(t, value, g->prod, "pointer");
      g->dirty = false, g->seen = g->prod;
    } else if (code == AA_K_NoteMsi) {
      CHECK(t, g->msi && (g->armed || g->alarm), "log %u: MSI disabled or not armed", i);
      CHECK(t, g->alarm || reason(g, g->ptr ? g->seen : g->prod), "log %u: MSI for no reason", i);
      r.alarms += g->alarm;
      g->alarm = false;
      CHECK_EQ(t, value, g->reg[2] & 0xffffffff, "MSI data");
      g->armed = false;
    } else if (code == AA_K_NoteTask) {
      CHECK(t, g->task && !g->tasked && g->prod != g->cons && !r.task, "log %u: task", i);
      CHECK_EQ(t, value, g->prod, "task");
      g->tasked = r.task = true;
      r.task_log = i, r.task_prod = g->prod, r.task_cons = g->cons;
    } else {
      CHECK_EQ(t, code, AA_K_NoteLogOff, "code");
      CHECK(t, !stop && !(g->msi && g->alarm), "P6: log %u ends beside an alarm", i);
      CHECK(t, r.off && i == r.off_log && !g->dirty && !g->wait, "log %u: closed early", i);
      CHECK(t, !(g->msi && g->armed && (uint32_t)(g->reg[2] >> 32) > (1u << g->size) - (g->prod - g->cons)),
            "log %u: MSI lost", i);
      off = true;
    }
    CHECK_EQ(t, dut_get_ev_msi_o(d), code == AA_K_NoteMsi, "ev_msi_o");
  } else {
    CHECK_EQ(t, dut_get_ev_msi_o(d), 0, "ev_msi_o");
  }
  CHECK_EQ(t, dut_get_off_ready_o(d), off, "off_ready_o");
  if (done) r.l[r.q[r.head++ % QUEUE].log].wait = false;
  if (task_done) r.task_gone[tl] = r.l[tl].tasked = false;
  CHECK(t, !off || !busy, "P6: a log ends while a register write is on its way");
  if (off) {
    alog *g = &r.l[r.off_log];
    g->open = g->closing = g->done = r.off = false;
  }

  // ---- due, and for how long: only where nothing is in the way ----
  bool calm = a->note == 100 && a->msg == 100 && a->done == 100;
  unsigned period = LOGS < 4 ? 4 : LOGS, limit = 6 * period + 24;
  for (unsigned i = 0; i < LOGS; i++) {
    alog *g = &r.l[i];
    late(t, &g->late_ptr, calm && g->dirty, limit, "pointer", i);
    late(t, &g->late_msi, calm && g->open && g->msi && g->armed && reason(g, g->ptr ? g->seen : g->prod), 2 * limit,
         "MSI", i);
    late(t, &g->late_alarm, calm && g->open && g->msi && g->alarm, 2 * limit, "alarm", i);
    late(t, &g->late_task, calm && a->task == 100 && g->open && g->task && !g->tasked && g->prod != g->cons, 2 * limit,
         "task", i);
    late(t, &g->late_off, calm && r.off && r.off_log == i, 3 * limit, "tear-down", i);
    g->run = g->prod == g->cons ? 0 : g->run + 1;
  }

  if (alarm && r.l[al].open) r.l[al].alarm = true;

  // ---- register write ----
  if (cons && w->open) w->cons = new_cons, w->armed = true, w->run = 0, w->late_msi = w->late_task = 0;
  if (opens) {
    unsigned size = 6 + (unsigned)rnd_below(t, 3);
    uint64_t reg[4] = {w->reg[0], w->reg[1], w->reg[2], w->reg[3]};
    *w = (alog){.open = true,
                .ptr = rnd_chance(t, 60),
                .msi = rnd_chance(t, 60),
                .scr = rnd_chance(t, 60),
                .task = rnd_chance(t, 60),
                .size = size,
                .scri = (unsigned)rnd_below(t, SCRATCH),
                .armed = true,
                .tasked = w->tasked};
    for (unsigned i = 0; i < 4; i++) w->reg[i] = reg[i];
  }
  if (we && addr < 0x600 && (addr - 0x400) / 8 < LOGS && !w->open) {
    uint64_t *g = &w->reg[addr % 8 - 2], mask = 0;
    for (unsigned i = 0; i < 8; i++)
      if (strb >> i & 1) mask |= 0xffull << 8 * i;
    *g = (*g & ~mask) | (data & mask);
    if (addr % 8 == 5) *g &= 0xffffffff;
  }
  if (w->open && !w->closing && rnd_below(t, 1000) < a->close) w->closing = true;
  dut_tick(d);
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_notify", 60000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  while (dut_cycle(d) < t.cycles) {
    unsigned kind = (unsigned)rnd_below(&t, 4);
    rates a = {30, 10, 5, 5, 30, 100, 100, 100, 100, 30};                    // calm
    if (kind == 1) a = (rates){100, 2, 20, 0, 50, 100, 100, 100, 100, 100};  // flood
    if (kind >= 2)
      a = (rates){(unsigned)rnd_below(&t, 101),     (unsigned)rnd_below(&t, 50),      (unsigned)rnd_below(&t, 30),
                  (unsigned)rnd_below(&t, 30),      (unsigned)rnd_below(&t, 101),     1 + (unsigned)rnd_below(&t, 100),
                  1 + (unsigned)rnd_below(&t, 100), 1 + (unsigned)rnd_below(&t, 100), (unsigned)rnd_below(&t, 101),
                  (unsigned)rnd_below(&t, 101)};
    for (unsigned i = 0; i < 600; i++) cycle(&t, d, &a);
    for (unsigned i = 0; i < LOGS; i++)
      r.l[i].late_ptr = r.l[i].late_alarm = r.l[i].late_msi = r.l[i].late_task = r.l[i].late_off = 0;
  }
  for (unsigned i = AA_K_NotePtr; i <= AA_K_NoteLogOff; i++)
    CHECK(&t, r.count[i] || (i > AA_K_NoteMsi && i != AA_K_NoteTask && i != AA_K_NoteLogOff), "no note of code %u", i);
  CHECK(&t, r.alarms > tb_least(&t, 20), "%u alarms told", r.alarms);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
