// SPDX-License-Identifier: Apache-2.0
// xtq_task against a list of logs: each notice becomes a task, refused ones come again when they have waited for two
// ticks, which are counted here as well, none twice; a task is done when software says so, and only then. The scenario
// of a log from notice to re-arming; the first task after reset; refusals that hold up no other log; turns of logs that
// are all refused; words that are said at the wrong time; ticks of every length; registers of others. Then notices,
// answers, registers and completions at random. What is read or written is on the bus in the cycle before, another
// address before that.
// Rules of rtl/nic/README.md: TIM-3.
// Rules of rtl/xtq/README.md: TSK-1, TSK-2, TSK-3.
// config: default -GNumLogs=4
// config: one -GNumLogs=1
// config: all -GNumLogs=32
// netlist: default
#include <string.h>

#include "reg_bus.h"
#include "tb.h"
#include "xtq_task_tb.h"

enum { LOGS = P_NumLogs, DONE = 0xA030, LOG = 0xB000, TPL = 0xC000 };
typedef enum where { IDLE, PENDING, OUT } where;
typedef struct log {
  where at;
  bool tell;
  uint64_t conf, tpl[8], prod, cons;
  unsigned ticks;           // for which it waits, since it was refused
  bool held;                // by hold_i, since it could have been offered
  uint64_t waits;           // cycles since it could have been offered
  uint64_t ready, offered;  // P4: cycle from which it could have been offered, 0: it cannot; of its last task
  unsigned proc, events_due;
} log_t;
static log_t logs[LOGS];
static uint64_t tick = 40, since = 1;  // cycles of a tick; of the one that is under way, this one included
static bool alone, done_due;           // one log at a time has something to tell; the IOMMU must hear of a task's end
static const uint64_t conf_mask = 0x80000000000FFFFF;
static unsigned ok_pct = 100, answer_pct = 100, event_pct = 100;
static bool give_event;
static uint64_t tasks, refusals, dones, events, spurious;
static int last_task = -1;  // the log whose task was enqueued in this cycle
static int last_offer;      // the log that was offered in this cycle, or -1

static void check_task(tb *t, dut *d, unsigned l) {
  uint32_t got[16], want[16] = {0};
  log_t *g = &logs[l % LOGS];
  CHECK(t, l < LOGS && g->at == PENDING, "P1: a task of log %u, which has nothing to tell", l);
  CHECK(t, g->conf >> 63, "P4: log %u is off", l);
  for (unsigned k = 0; k < 8; k++) {
    uint64_t w = k == 2 ? l : k == 3 ? g->prod : k == 4 ? g->cons : g->tpl[k];
    bits_set(want, 64 * k, 64, w);
  }
  dut_get_task_packet_o(d, got);
  CHECK_MEM(t, got, want, sizeof want, "P2: packet of log %u", l);
  CHECK_EQ(t, dut_get_task_queue_o(d), g->conf & 0xFFFF, "queue");
  CHECK_EQ(t, dut_get_task_proc_o(d), g->conf >> 16 & 15, "process");
}

// A task takes 10 cycles. P4: who is offered for the second time has left nobody waiting who could have been offered
// since before the first.
static void check_turn(tb *t, dut *d, unsigned l) {
  uint64_t took = logs[l].ready ? dut_cycle(d) - logs[l].ready : 0;
  CHECK(t, took >= 10, "P1: log %u comes too early", l);
  if (alone && !logs[l].held) CHECK_EQ(t, took, 10, "P1: log %u comes when it may", l);
  for (unsigned m = 0; m < LOGS; m++)
    CHECK(t, m == l || !logs[m].ready || logs[m].ready >= logs[l].offered || logs[m].offered >= logs[l].offered,
          "P4: log %u comes again before log %u", l, m);
  logs[l].offered = dut_cycle(d) - 10;  // when it was chosen
}

static void take_event(tb *t, dut *d) {
  uint32_t ev[(NIC_EVENT_T_W + 31) / 32];
  dut_get_event_o(d, ev);
  unsigned l = (unsigned)bits_get(ev, NIC_EVENT_T_WORD_LSB, 32);
  CHECK(t, l < LOGS && logs[l % LOGS].events_due == 1, "event 7 of log %u", l);
  CHECK_EQ(t, bits_get(ev, NIC_EVENT_T_KIND_LSB, 8), NIC_K_EvTaskDone, "kind");
  CHECK_EQ(t, bits_get(ev, NIC_EVENT_T_KEPT_LSB, 1), 1, "its place is kept");
  CHECK_EQ(t, bits_get(ev, NIC_EVENT_T_PROC_LSB, 4), logs[l % LOGS].proc, "process");
  logs[l % LOGS].events_due = 0, events++;
}

static void cycle(tb *t, dut *d) {
  static bool waiting, held;
  const bool er = rnd_chance(t, event_pct), over = since >= tick;
  dut_set_cfg_tick_i(d, tick);
  dut_set_event_ready_i(d, er);
  dut_set_task_ans_i(d, 0), dut_set_task_ok_i(d, rnd_bits(t, 1)), dut_set_task_event_i(d, rnd_bits(t, 1));
  dut_eval(d);
  CHECK_EQ(t, dut_get_done_o(d), done_due, "P3: done");
  CHECK(t, !held || dut_get_idle_o(d), "P6: no task is begun");
  held = dut_get_hold_i(d) && dut_get_idle_o(d);
  last_task = last_offer = -1;
  if (dut_get_task_valid_o(d)) {
    unsigned l = (unsigned)dut_get_task_log_o(d);
    check_task(t, d, l);
    if (!waiting) check_turn(t, d, l % LOGS), last_offer = (int)l;
    waiting = true;
    if (rnd_chance(t, answer_pct)) {
      bool ok = rnd_chance(t, ok_pct), tell = ok && (give_event = rnd_chance(t, 50));
      dut_set_task_ans_i(d, 1), dut_set_task_ok_i(d, ok), dut_set_task_event_i(d, tell);
      dut_eval(d);
      waiting = false;
      if (ok) {
        logs[l % LOGS].at = OUT, logs[l % LOGS].tell = tell, logs[l % LOGS].proc = logs[l % LOGS].conf >> 16 & 15;
        CHECK_EQ(t, logs[l % LOGS].events_due, 0, "P3: the event of the last task comes before the next one");
        last_task = (int)l, tasks++;
      } else {
        logs[l % LOGS].ticks = 2 + over, refusals++;  // two that end later
      }
    }
  }
  for (unsigned l = 0; l < LOGS; l++) {
    log_t *g = &logs[l];
    bool free_to_go = g->at == PENDING && g->conf >> 63 && !g->ticks;
    if (!free_to_go || g->events_due) g->ready = 0;
    if (free_to_go && !g->events_due && !g->ready) g->ready = dut_cycle(d);
    g->held = g->ready && (g->held || dut_get_hold_i(d));
    g->waits = free_to_go && !g->events_due && !dut_get_hold_i(d) ? g->waits + 1 : 0;
    if (answer_pct == 100)
      CHECK(t, g->waits < 12 * LOGS + 16, "P4: log %u has waited for %u cycles", l, (unsigned)g->waits);
    else
      g->waits = 0;
    if (over && g->ticks) g->ticks--;
  }
  since = over ? 1 : since + 1;
  if (er && dut_get_event_valid_o(d)) take_event(t, d);
  dut_tick(d);
  REG_BUS_SET(d, WE, 0);
  dut_set_notice_valid_i(d, 0);
  dut_set_notice_log_i(d, rnd_below(t, LOGS)), dut_set_notice_prod_i(d, rnd(t)), dut_set_notice_cons_i(d, rnd(t));
}

static uint64_t merge(uint64_t old, uint64_t v, unsigned strobes) {
  for (unsigned i = 0; i < 8; i++)
    if (strobes >> i & 1) old = (old & ~(0xFFull << 8 * i)) | (v & 0xFFull << 8 * i);
  return old;
}

// An address that stays for the next cycle: any.
static void elsewhere(tb *t, dut *d) {
  REG_BUS_SET(
      d, ADDR,
      rnd_chance(t, 70) ? (rnd_chance(t, 50) ? (unsigned)LOG : (unsigned)TPL) >> 3 | rnd_bits(t, 8) : rnd_bits(t, 17));
}

static void setup_reg(tb *t, dut *d, unsigned reg) {
  if (rnd_chance(t, 30)) cycle(t, d);
  REG_BUS_SET(d, ADDR, reg >> 3);
  cycle(t, d);
}

static uint64_t read_reg(tb *t, dut *d, unsigned reg) {
  setup_reg(t, d, reg);
  dut_eval(d);
  const uint64_t got = dut_get_rb_rdata_o(d);
  elsewhere(t, d);
  return got;
}

static bool is_conf(unsigned reg) { return reg >= LOG && reg < LOG + 8 * LOGS; }

static bool is_template(unsigned reg) { return reg >= TPL && reg < TPL + 64 * LOGS; }

static void ref_write(unsigned reg, uint64_t v, unsigned strobes) {
  uint64_t *conf = &logs[(reg - LOG) / 8 % LOGS].conf, *tpl = &logs[(reg - TPL) / 64 % LOGS].tpl[reg / 8 % 8];
  if (is_conf(reg)) *conf = merge(*conf, v, strobes) & conf_mask;
  if (is_template(reg)) *tpl = merge(*tpl, v, strobes);
}

// A write waits until no task is under way; meanwhile none begins.
static void write_reg(tb *t, dut *d, unsigned reg, uint64_t v, unsigned strobes) {
  unsigned n = 0;
  dut_set_hold_i(d, 1);
  for (; dut_eval(d), !dut_get_idle_o(d) && n < 2000; n++) cycle(t, d);
  CHECK(t, dut_get_idle_o(d), "P6: the task under way comes to its end");
  setup_reg(t, d, reg);
  dut_set_rb_i(d, reg_bus_of(reg, true, v, strobes).words);
  cycle(t, d);
  ref_write(reg, v, strobes);
  elsewhere(t, d);
  for (n = (unsigned)rnd_below(t, 20) * rnd_chance(t, 10); n; n--) cycle(t, d);
  dut_set_hold_i(d, 0);
}

static void configure(tb *t, dut *d, unsigned l, uint64_t v, unsigned strobes) {
  write_reg(t, d, LOG + 8 * l, v, strobes);
}

static void template(tb *t, dut *d, unsigned l, unsigned k, uint64_t v, unsigned strobes) {
  write_reg(t, d, TPL + 64 * l + 8 * k, v, strobes);
}

static void check_regs(tb *t, dut *d, unsigned l) {
  CHECK_EQ(t, read_reg(t, d, LOG + 8 * l), logs[l].conf, "XT_LOG[%u]", l);
  for (unsigned k = 0; k < 8; k++)
    CHECK_EQ(t, read_reg(t, d, TPL + 64 * l + 8 * k), logs[l].tpl[k], "XT_TPL[%u], word %u", l, k);
}

static void give_notice(tb *t, dut *d, unsigned l) {
  logs[l].prod = rnd_bits(t, 32), logs[l].cons = rnd_bits(t, 32);
  dut_set_notice_log_i(d, l), dut_set_notice_prod_i(d, logs[l].prod), dut_set_notice_cons_i(d, logs[l].cons);
  dut_set_notice_valid_i(d, 1);
  dut_eval(d);
  CHECK(t, dut_get_notice_ready_o(d), "a notice is taken at once");
}

static void notice(tb *t, dut *d, unsigned l) {
  give_notice(t, d, l);
  cycle(t, d);
  logs[l].at = PENDING;
}

// XT_TASK_DONE: the IOMMU hears of it in the same cycle, if there is something to hear. It may tell of another
// log in that cycle.
static void done(tb *t, dut *d, unsigned l, unsigned strobes) {
  unsigned other = (unsigned)rnd_below(t, LOGS);
  setup_reg(t, d, DONE);
  bool tells = !alone && other != l && logs[other].at == IDLE && rnd_chance(t, 30);
  bool want = l < LOGS && (strobes & 1) && logs[l % LOGS].at == OUT;
  dut_set_rb_i(d, reg_bus_of(DONE, true, l | (rnd(t) & ~31ull), strobes).words);
  dut_eval(d);
  done_due = want;
  if (want) {
    CHECK_EQ(t, dut_get_done_log_o(d), l, "P3: which log");
    logs[l].events_due += logs[l].tell;
    logs[l].at = IDLE;
  }
  dones += want, spurious += !want;
  if (tells) give_notice(t, d, other);
  cycle(t, d);
  done_due = false;
  elsewhere(t, d);
  if (tells) logs[other].at = PENDING;
}

static void wait_for(tb *t, dut *d, unsigned l, where at) {
  for (unsigned i = 0; i < 40 * LOGS + 3 * tick && logs[l].at != at; i++) cycle(t, d);
  CHECK_EQ(t, logs[l].at, at, "log %u", l);
}

// TSK-2: who is refused waits for ticks, and after reset nobody has been: each log's first task comes at once, however
// long a tick is. Then all begins anew.
static void first_tasks(tb *t, dut *d) {
  tick = 1 << 20, alone = true;
  for (unsigned l = 0; l < LOGS; l++) {
    configure(t, d, l, 1ull << 63, 0xFF);
    notice(t, d, l);
    for (unsigned i = 0; i < 12; i++) cycle(t, d);
    CHECK_EQ(t, logs[l].at, OUT, "TSK-2: the first task of log %u, never refused, waits for no tick", l);
  }
  dut_reset(d, 2);
  memset(logs, 0, sizeof logs);
  tick = 40, since = 1, alone = false;
}

static void scenarios(tb *t, dut *d) {
  unsigned l = LOGS - 1;
  for (unsigned i = 0; i < LOGS; i++) check_regs(t, d, i);
  notice(t, d, l);
  for (unsigned i = 0; i < 4 * tick; i++) cycle(t, d);
  CHECK_EQ(t, logs[l].at, PENDING, "P4: off: the notice is kept");
  for (unsigned k = 0; k < 8 * LOGS; k++) {  // what has not been written reads 0
    template(t, d, k * 5 % (8 * LOGS) / 8, k * 5 % 8, rnd(t), 0xFF);
    check_regs(t, d, k * 5 % (8 * LOGS) / 8);
    check_regs(t, d, (unsigned)rnd_below(t, LOGS));
  }
  for (unsigned i = 0; i < LOGS; i++) check_regs(t, d, i);
  done(t, d, l, 1);  // too early
  configure(t, d, l, 1ull << 63 | 0xA5678, 0xFF);
  wait_for(t, d, l, OUT);
  done(t, d, l, 0xFE);
  CHECK_EQ(t, logs[l].at, OUT, "a write without the byte says nothing");
  done(t, d, (l + 1) % 32, 1);
  done(t, d, l, 1);
  notice(t, d, l);  // in the very next cycle
  wait_for(t, d, l, OUT);
  done(t, d, l, 1);
  done(t, d, l, 1);  // twice

  // Refused: again after one to two ticks; the others meanwhile go on.
  ok_pct = 0;
  notice(t, d, l);
  for (unsigned i = 0; i < 20; i++) cycle(t, d);
  CHECK(t, logs[l].ticks, "refused");
  ok_pct = 100;
  if (LOGS > 1) {
    configure(t, d, 0, 1ull << 63, 0xFF);
    if (logs[0].at == IDLE) notice(t, d, 0);
    for (unsigned i = 0; i < 14; i++) cycle(t, d);
    CHECK_EQ(t, logs[0].at, OUT, "P4: another log does not wait");
    done(t, d, 0, 1);
  }
  wait_for(t, d, l, OUT);
  CHECK(t, dut_cycle(d) > tick, "a tick has passed");
  done(t, d, l, 1);
}

// Ticks of every length, most of them a bit away from the cycles that have passed: a log that is refused again and
// again comes as soon as it may.
static void any_ticks(tb *t, dut *d) {
  const unsigned l = LOGS - 1, before = (unsigned)refusals;
  for (unsigned i = 0; i < 12 * LOGS; i++) cycle(t, d);  // nothing is left to tell
  alone = true, ok_pct = 0;
  notice(t, d, l);
  for (unsigned i = 0; i < 400; i++) {
    tick = (since ^ 1ull << rnd_below(t, 32)) & 0xFFFFFFFF;
    for (unsigned n = (unsigned)rnd_below(t, 25); n; n--) cycle(t, d);
  }
  tick = 4200;
  for (unsigned i = 0; i < 4200; i++) cycle(t, d);
  tick = 40, ok_pct = 100;
  wait_for(t, d, l, OUT);
  done(t, d, l, 1);
  for (unsigned i = 0; i < 20; i++) cycle(t, d);
  CHECK(t, refusals - before > 20, "refused %u times", (unsigned)refusals - before);
  alone = false;
}

// All logs are on and have nothing to tell; all events are taken.
static void settle(tb *t, dut *d) {
  tick = 40, ok_pct = event_pct = 100;
  for (unsigned m = 0; m < LOGS; m++) configure(t, d, m, 1ull << 63, 0xFF);
  for (unsigned i = 0; i < 12 * LOGS + 100; i++) cycle(t, d);
  for (unsigned m = 0; m < LOGS; m++) done(t, d, m, 1);
  for (unsigned i = 0; i < 2 * LOGS + 10; i++) cycle(t, d);
}

// A log waits for a tick that does not come, or its event for being taken.
static void hold_up(tb *t, dut *d, unsigned l, bool refused) {
  if (refused) {
    tick = 1 << 20, ok_pct = 0;
    notice(t, d, l);
    for (unsigned i = 0; i < 12; i++) cycle(t, d);
    CHECK(t, logs[l].ticks, "refused");
    ok_pct = 100;
    return;
  }
  for (unsigned i = 0; i < 40; i++) {
    notice(t, d, l);
    wait_for(t, d, l, OUT);
    event_pct = logs[l].tell ? 0 : 100;
    done(t, d, l, 1);
    if (!event_pct) return;
  }
  CHECK(t, false, "40 tasks without an event");
}

// P4: each other log comes as if it were the only one.
static void others_go_on(tb *t, dut *d) {
  alone = true;
  for (unsigned l = LOGS - 1; l < LOGS; l -= (LOGS + 3) / 4) {
    for (unsigned refused = 0; refused < 2; refused++) {
      settle(t, d);
      hold_up(t, d, l, refused);
      for (unsigned m = 0; m < LOGS; m++) {
        if (m == l) continue;
        notice(t, d, m);
        for (unsigned i = 0; i < 12; i++) cycle(t, d);
        CHECK_EQ(t, logs[m].at, OUT, "P4: log %u does not wait for log %u", m, l);
      }
    }
  }
  settle(t, d);
  alone = false;
}

// P4, turns: all logs are refused, again and again, within the same tick, so that all may come in the same cycle. Each
// comes once before any comes again, and who came last is not the first of the next round: the others have waited as
// long.
static void all_refused(tb *t, dut *d) {
  enum { ROUNDS = 4 };
  unsigned offers = 0;
  int before = -1;
  uint64_t seen = 0;
  alone = true;  // while they settle: no other log is given a notice
  settle(t, d);
  alone = false;
  tick = 16 * LOGS + 40, ok_pct = 0;
  for (unsigned i = 0; i < 2 * tick && (i == 0 || since != 1); i++) cycle(t, d);
  for (unsigned l = 0; l < LOGS; l++) notice(t, d, l);
  for (unsigned i = 0; i < 3 * ROUNDS * tick && offers < ROUNDS * LOGS; i++) {
    if (last_offer >= 0) {
      CHECK(t, !(seen >> last_offer & 1), "P4: log %d comes again before others have come", last_offer);
      CHECK(t, LOGS == 1 || last_offer != before, "P4: log %d has two turns in a row, others wait as long", before);
      seen = ++offers % LOGS ? seen | 1ull << last_offer : 0;
      before = last_offer;
    }
    cycle(t, d);
  }
  CHECK_EQ(t, offers, ROUNDS * LOGS, "P4: %u turns of each log", ROUNDS);
  ok_pct = 100;
  for (unsigned l = 0; l < LOGS; l++) wait_for(t, d, l, OUT);
  alone = true;
  settle(t, d);
  alone = false;
}

// Registers a bit of the address away from ours, also of logs that there are not: they read 0, and what is written
// there is not for us, though a task is out.
static void not_ours(tb *t, dut *d) {
  const unsigned l = LOGS - 1, ours[] = {DONE, LOG, LOG + 8 * l, TPL, TPL + 64 * l + 56};
  done(t, d, l, 1);
  if (logs[l].at == IDLE) notice(t, d, l);
  wait_for(t, d, l, OUT);
  for (unsigned k = 0; k < 5; k++) {
    for (unsigned bit = 3; bit < 20; bit++) {
      const unsigned reg = ours[k] ^ 1u << bit;
      if (reg == DONE || is_conf(reg) || is_template(reg)) continue;
      CHECK_EQ(t, read_reg(t, d, reg), 0, "not ours: %x", reg);
      write_reg(t, d, reg, (rnd(t) & ~31ull) | l, 0xFF);
    }
  }
  for (unsigned i = 0; i < LOGS; i++) check_regs(t, d, i);
  done(t, d, l, 1);
}

// All logs have something to tell all the time: turns (cycle looks at them).
static void all_tell(tb *t, dut *d, unsigned cycles) {
  for (uint64_t begin = dut_cycle(d); dut_cycle(d) - begin < cycles;) {
    const unsigned ended = (unsigned)last_task, l = (unsigned)rnd_below(t, LOGS);
    if (last_task >= 0 && rnd_chance(t, 80)) {  // and again as soon as can be
      done(t, d, ended, 1);
      if (logs[ended].at == IDLE) notice(t, d, ended);
    } else if (logs[l].at == OUT)
      done(t, d, l, 1);
    else if (logs[l].at == IDLE)
      notice(t, d, l);
    else
      cycle(t, d);
  }
}

// Then a task takes 10 cycles.
static void all_at_once(tb *t, dut *d) {
  for (unsigned l = 0; l < LOGS; l++) configure(t, d, l, 1ull << 63 | rnd_bits(t, 20), 0xFF);
  all_tell(t, d, 10 * LOGS + 30);
  uint64_t begin = dut_cycle(d), before = tasks;
  all_tell(t, d, 40 * LOGS + 500);
  if (LOGS > 3) CHECK(t, (tasks - before + 1) * 10 >= dut_cycle(d) - begin, "%u tasks", (unsigned)(tasks - before));
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "xtq_task", 50000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  first_tasks(&t, d);
  scenarios(&t, d);
  any_ticks(&t, d);
  others_go_on(&t, d);
  all_refused(&t, d);
  not_ours(&t, d);
  all_at_once(&t, d);
  while (dut_cycle(d) < t.cycles && !t.failures) {
    unsigned l = (unsigned)rnd_below(&t, LOGS);
    if (rnd_chance(&t, 1)) {
      ok_pct = rnd_chance(&t, 50) ? 100 : (unsigned)rnd_below(&t, 100);
      answer_pct = rnd_chance(&t, 50) ? 100 : 5 + (unsigned)rnd_below(&t, 50);
      event_pct = rnd_chance(&t, 50) ? 100 : 2;
      tick = rnd_chance(&t, 50) ? 40 : rnd_below(&t, 200);
    }
    if (logs[l].at == IDLE && rnd_chance(&t, 30)) {
      if (rnd_chance(&t, 30)) template(&t, d, l, (unsigned)rnd_below(&t, 8), rnd(&t), (unsigned)rnd_bits(&t, 8));
      if (rnd_chance(&t, 30)) configure(&t, d, l, rnd(&t) | (rnd_chance(&t, 80) ? 1ull << 63 : 0), 0xFF);
      notice(&t, d, l);
    } else if (rnd_chance(&t, 10)) {
      unsigned any = rnd_chance(&t, 80) ? (unsigned)rnd_below(&t, LOGS) : (unsigned)rnd_below(&t, 32);
      done(&t, d, any, rnd_chance(&t, 90) ? 1 : (unsigned)rnd_bits(&t, 8));
    } else if (logs[l].at == PENDING && !(logs[l].conf >> 63) && rnd_chance(&t, 30)) {
      configure(&t, d, l, 1ull << 63, 0x80);
    } else if (rnd_chance(&t, 1)) {  // at any time: a task is what they say when it is answered
      template(&t, d, l, (unsigned)rnd_below(&t, 8), rnd(&t), (unsigned)rnd_bits(&t, 8));
      configure(&t, d, l, rnd(&t) | (rnd_chance(&t, 80) ? 1ull << 63 : 0), (unsigned)rnd_bits(&t, 8));
    } else if (rnd_chance(&t, 2)) {
      check_regs(&t, d, l);
    } else {
      cycle(&t, d);
    }
  }
  event_pct = 100;
  for (unsigned i = 0; i < 2 * LOGS + 10; i++) cycle(&t, d);
  for (unsigned l = 0; l < LOGS; l++) CHECK_EQ(&t, logs[l].events_due, 0, "P3: event 7 of log %u", l);
  CHECK(&t,
        600 * tasks > t.cycles && 2000 * refusals > t.cycles && 1500 * events > t.cycles && 1000 * spurious > t.cycles,
        "%u tasks, %u refused, %u done, %u events, %u words at the wrong time", (unsigned)tasks, (unsigned)refusals,
        (unsigned)dones, (unsigned)events, (unsigned)spurious);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
