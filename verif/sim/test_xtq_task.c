// SPDX-License-Identifier: Apache-2.0
// xtq_task against a list of logs: each notice becomes a task, refused ones come again after one to two ticks, none
// twice; a task is done when software says so, and only then. The scenario of a log from notice to re-arming; refusals
// that hold up no other log; words that are said at the wrong time. Then notices, answers, registers and completions at
// random. What is read or written is on the bus in the cycle before, another address before that.
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
  uint64_t refused_at, waits;  // cycle of the last refusal, 0: none; cycles since it could have been offered
  uint64_t ready, offered;     // P4: cycle from which it could have been offered, 0: it cannot; of its last task
  unsigned proc, events_due;
} log_t;
static log_t logs[LOGS];
static uint64_t tick = 40;
static const uint64_t conf_mask = 0x80000000000FFFFF;
static unsigned ok_pct = 100, answer_pct = 100, event_pct = 100;
static bool give_event;
static uint64_t tasks, refusals, dones, events, spurious;
static int last_task = -1;  // the log whose task was enqueued in this cycle

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
  if (g->refused_at) CHECK(t, dut_cycle(d) - g->refused_at >= tick, "P1: log %u is tried again too early", l);
}

// P4: who is offered for the second time has left nobody waiting who could have been offered since before the first.
static void check_turn(tb *t, dut *d, unsigned l) {
  for (unsigned m = 0; m < LOGS; m++)
    CHECK(t, m == l || !logs[m].ready || logs[m].ready >= logs[l].offered || logs[m].offered >= logs[l].offered,
          "P4: log %u comes again before log %u", l, m);
  logs[l].offered = dut_cycle(d) - 10;  // when it was chosen
}

static void cycle(tb *t, dut *d) {
  uint32_t ev[(NIC_EVENT_T_W + 31) / 32];
  static bool waiting;
  bool er = rnd_chance(t, event_pct);
  dut_set_event_ready_i(d, er);
  dut_set_task_ans_i(d, 0);
  dut_eval(d);
  last_task = -1;
  if (dut_get_task_valid_o(d)) {
    unsigned l = (unsigned)dut_get_task_log_o(d);
    check_task(t, d, l);
    if (!waiting) check_turn(t, d, l % LOGS);
    waiting = true;
    if (rnd_chance(t, answer_pct)) {
      bool ok = rnd_chance(t, ok_pct), tell = ok && (give_event = rnd_chance(t, 50));
      dut_set_task_ans_i(d, 1), dut_set_task_ok_i(d, ok), dut_set_task_event_i(d, tell);
      dut_eval(d);
      waiting = false;
      if (ok) {
        logs[l % LOGS].at = OUT, logs[l % LOGS].tell = tell, logs[l % LOGS].proc = logs[l % LOGS].conf >> 16 & 15;
        logs[l % LOGS].refused_at = 0;
        CHECK_EQ(t, logs[l % LOGS].events_due, 0, "P3: the event of the last task comes before the next one");
        last_task = (int)l, tasks++;
      } else {
        logs[l % LOGS].refused_at = dut_cycle(d), refusals++;
      }
    }
  }
  if (dut_get_event_valid_o(d) && er) {
    dut_get_event_o(d, ev);
    unsigned l = (unsigned)bits_get(ev, NIC_EVENT_T_WORD_LSB, 32);
    CHECK(t, l < LOGS && logs[l % LOGS].events_due == 1, "event 7 of log %u", l);
    CHECK_EQ(t, bits_get(ev, NIC_EVENT_T_KIND_LSB, 8), NIC_K_EvTaskDone, "kind");
    CHECK_EQ(t, bits_get(ev, NIC_EVENT_T_KEPT_LSB, 1), 1, "its place is kept");
    CHECK_EQ(t, bits_get(ev, NIC_EVENT_T_PROC_LSB, 4), logs[l % LOGS].proc, "process");
    logs[l % LOGS].events_due = 0, events++;
  }
  for (unsigned l = 0; l < LOGS; l++) {
    log_t *g = &logs[l];
    bool free_to_go = g->at == PENDING && g->conf >> 63 && (!g->refused_at || dut_cycle(d) > g->refused_at + 2 * tick);
    if (!free_to_go || g->events_due) g->ready = 0;
    if (free_to_go && !g->events_due && !g->ready) g->ready = dut_cycle(d);
    g->waits = free_to_go && !dut_get_hold_i(d) ? g->waits + 1 : 0;
    if (answer_pct == 100 && event_pct == 100)
      CHECK(t, g->waits < 12 * LOGS + 16, "P4: log %u has waited for %u cycles", l, (unsigned)g->waits);
    else
      g->waits = 0;
  }
  dut_tick(d);
  REG_BUS_SET(d, WE, 0);
  dut_set_notice_valid_i(d, 0);
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

// A write waits until no task is under way; meanwhile none begins.
static void write_reg(tb *t, dut *d, unsigned reg, uint64_t v, unsigned strobes) {
  unsigned n = 0;
  dut_set_hold_i(d, 1);
  for (; dut_eval(d), !dut_get_idle_o(d) && n < 2000; n++) cycle(t, d);
  CHECK(t, dut_get_idle_o(d), "P6: the task under way comes to its end");
  setup_reg(t, d, reg);
  dut_set_rb_i(d, reg_bus_of(reg, true, v, strobes).words);
  cycle(t, d);
  elsewhere(t, d);
  for (n = (unsigned)rnd_below(t, 20) * rnd_chance(t, 10); n; n--) {
    cycle(t, d);
    CHECK(t, dut_get_idle_o(d), "P6: none begins");
  }
  dut_set_hold_i(d, 0);
}

static void configure(tb *t, dut *d, unsigned l, uint64_t v, unsigned strobes) {
  write_reg(t, d, LOG + 8 * l, v, strobes);
  logs[l].conf = merge(logs[l].conf, v, strobes) & conf_mask;
}

static void template(tb *t, dut *d, unsigned l, unsigned k, uint64_t v, unsigned strobes) {
  write_reg(t, d, TPL + 64 * l + 8 * k, v, strobes);
  logs[l].tpl[k] = merge(logs[l].tpl[k], v, strobes);
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
  bool tells = other != l && logs[other].at == IDLE && rnd_chance(t, 30);
  bool want = l < LOGS && (strobes & 1) && logs[l % LOGS].at == OUT;
  dut_set_rb_i(d, reg_bus_of(DONE, true, l | (rnd(t) & ~31ull), strobes).words);
  dut_eval(d);
  CHECK_EQ(t, dut_get_done_o(d), want, "P3: done, log %u", l);
  if (want) {
    CHECK_EQ(t, dut_get_done_log_o(d), l, "P3: which log");
    logs[l].events_due += logs[l].tell;
    logs[l].at = IDLE;
  }
  dones += want, spurious += !want;
  if (tells) give_notice(t, d, other);
  cycle(t, d);
  elsewhere(t, d);
  if (tells) logs[other].at = PENDING;
}

static void wait_for(tb *t, dut *d, unsigned l, where at) {
  for (unsigned i = 0; i < 40 * LOGS + 3 * tick && logs[l].at != at; i++) cycle(t, d);
  CHECK_EQ(t, logs[l].at, at, "log %u", l);
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
  CHECK(t, logs[l].refused_at, "refused");
  ok_pct = 100;
  if (LOGS > 1) {
    configure(t, d, 0, 1ull << 63, 0xFF);
    notice(t, d, 0);
    for (unsigned i = 0; i < 14; i++) cycle(t, d);
    CHECK_EQ(t, logs[0].at, OUT, "P4: another log does not wait");
    done(t, d, 0, 1);
  }
  wait_for(t, d, l, OUT);
  CHECK(t, dut_cycle(d) > tick, "a tick has passed");
  done(t, d, l, 1);
}

// Each bit of the tick: no refused task comes again before its time.
static void each_tick(tb *t, dut *d) {
  unsigned l = LOGS - 1;
  for (unsigned bit = 6; bit < 32; bit++) {
    dut_set_cfg_tick_i(d, tick = 1ull << bit);
    ok_pct = 0;
    notice(t, d, l);
    for (unsigned i = 0; i < 60; i++) cycle(t, d);
    CHECK(t, logs[l].refused_at, "refused");
    ok_pct = 100;
    dut_set_cfg_tick_i(d, tick = bit == 10 ? 2100 : 40);
    for (unsigned i = 0; i < 5000 && logs[l].at != OUT; i++) cycle(t, d);
    CHECK_EQ(t, logs[l].at, OUT, "a tick of 2^%u is over", bit);
    done(t, d, l, 1);
    for (unsigned i = 0; i < 20; i++) cycle(t, d);
  }
}

// All logs have something to tell all the time: turns (cycle looks at them), and a task takes 10 cycles.
static void all_at_once(tb *t, dut *d) {
  for (unsigned l = 0; l < LOGS; l++) configure(t, d, l, 1ull << 63 | rnd_bits(t, 20), 0xFF);
  uint64_t begin = dut_cycle(d), before = tasks;
  while (dut_cycle(d) - begin < 40 * LOGS + 60) {
    unsigned l = (unsigned)rnd_below(t, LOGS);
    if (logs[l].at == OUT && !logs[l].events_due)
      done(t, d, l, 1);
    else if (logs[l].at == IDLE)
      notice(t, d, l);
    else
      cycle(t, d);
  }
  if (LOGS > 3) CHECK(t, (tasks - before + 1) * 10 >= dut_cycle(d) - begin, "%u tasks", (unsigned)(tasks - before));
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "xtq_task", 40000);
  dut *d = dut_begin(&t);
  dut_set_cfg_tick_i(d, tick);
  dut_reset(d, 2);
  scenarios(&t, d);
  each_tick(&t, d);
  all_at_once(&t, d);
  while (dut_cycle(d) < t.cycles && !t.failures) {
    unsigned l = (unsigned)rnd_below(&t, LOGS);
    if (rnd_chance(&t, 1)) {
      ok_pct = rnd_chance(&t, 50) ? 100 : (unsigned)rnd_below(&t, 100);
      answer_pct = rnd_chance(&t, 50) ? 100 : 5 + (unsigned)rnd_below(&t, 50);
      event_pct = rnd_chance(&t, 50) ? 100 : 2;
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
