// SPDX-License-Identifier: Apache-2.0
// aa_notify under logs that open, publish, are read and are torn down at random. Every note is checked against what the
// specification allows in that cycle, every message and task against the note that announced it, every register and
// scratchpad word against what was written; and what is due must come soon when nothing stands in its way.
// Rules of rtl/aa/README.md: NTF-1, NTF-2, NTF-3, NTF-4, NTF-5, NTF-6, NTF-7, LOG-10, ERR-4, ERR-7.
// config: default -GNumLogs=8 -GScratchWords=16
// config: one -GNumLogs=1 -GScratchWords=1
// config: many -GNumLogs=32 -GScratchWords=64
// config: odd -GNumLogs=5 -GScratchWords=7
// netlist: odd
#include <string.h>

#include "tb.h"
#include "aa_fields.h"
#include "aa_notify_tb.h"
#include "reg_bus.h"

enum { LOGS = P_NumLogs, SCRATCH = P_ScratchWords, QUEUE = 64 };
enum { PERIOD = LOGS < 4 ? 4 : LOGS };             // a log is looked at once in so many cycles
enum { SOON = 10 + PERIOD, DUE = 32 + 4 * LOGS };  // N of TMO-4, DUE-3

typedef struct alog {
  bool open, closing, done, ptr, msi, scr, task;  // done: all published, tear-down asked
  unsigned size, scri;
  uint32_t prod, cons, seen;
  bool dirty, armed, wait, tasked, alarm;
  uint32_t run;  // cycles with unread entries since the last consumer write
  uint64_t reg[4];
  int late_alarm, late_ptr, late_low, late_old, late_task, late_off;  // free cycles since it is due, less what may pass
  unsigned passed;                                                    // tasks of others since it has one due
  unsigned starved;                                                   // pointers told while an MSI is due
  unsigned overtaken;                                                 // notes of others while its pointer is due
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
  unsigned beat, clock;  // not 0: the task port is ready once in so many cycles, and what it takes ends at once
  bool rhythm;           // the consumer of `steady` writes once in a PERIOD
  unsigned steady;
  unsigned size;  // not 0: of the next log that opens, with MSI alone
  bool stream;    // these have a pointer as well, and may have tasks, and publish little at once
  bool tasks;     // all logs that open have tasks
} r;

// NTF-3: why an MSI is due, as its consumer sees the log.
static bool low(const alog *g) {
  uint32_t used = (g->ptr ? g->seen : g->prod) - g->cons;
  return used <= 1u << g->size && (1u << g->size) - used < (uint32_t)(g->reg[2] >> 32);
}
static bool old(const alog *g) {
  uint32_t used = (g->ptr ? g->seen : g->prod) - g->cons, cycles = (uint32_t)g->reg[3];
  return used <= 1u << g->size && cycles && used && g->run >= cycles;
}

static void bit(uint64_t *v, unsigned i, bool b) { *v |= (uint64_t)b << i; }

typedef struct rates {
  unsigned pub, cons, open, close, reg, note, msg, done, task, finish;
} rates;

static void late(tb *t, int *n, bool due, int passed, int limit, const char *what, unsigned log) {
  *n = due ? *n + passed : 0;
  CHECK(t, *n <= limit, "log %u: %s due for %d cycles, besides what may pass", log, what, *n);
}

// What happens in one cycle.
typedef struct {
  uint64_t open, closing, pe, me, se, te;
  uint32_t scri[(6 * LOGS + 31) / 32];
  unsigned pl, wl, was, addr, strb, tl, al;  // pl publishes, wl is written, tl's task ends, al has an alarm
  alog *p, *w;
  bool noted, pub, cons, opens, we, busy, done, task_done, alarm, stop, note_ready, msg_ready, task_ready;
  uint32_t prod, new_cons;
  uint64_t data;
} now;

static void logs(tb *t, now *n) {
  for (unsigned i = 0; i < LOGS; i++) {
    alog *g = &r.l[i];
    bit(&n->open, i, g->open), bit(&n->closing, i, g->closing), bit(&n->pe, i, g->ptr), bit(&n->me, i, g->msi),
        bit(&n->se, i, g->scr);
    bit(&n->te, i, g->task);
    bits_set(n->scri, 6 * i, 6, g->scri);
    g->done |= g->closing && rnd_chance(t, 20);
  }
  if (!r.off)
    for (unsigned i = 0; i < LOGS && !r.off; i++)
      if (r.l[i].done) r.off = true, r.off_log = i;
}

// What is written to a register: FREE and CYCLES are small, or that and one bit more, or anything.
static uint64_t value(tb *t, unsigned addr) {
  unsigned kind = (unsigned)rnd_below(t, 10);
  uint64_t one = kind < 2 ? 1ULL << rnd_below(t, 32) : 0, some = kind & 1 ? 1 + rnd_below(t, 60) : 0;
  if (kind >= 8) return rnd(t);
  if (addr % 8 == 4) return (2 * some | one) << 32 | rnd_bits(t, 32);
  if (addr % 8 == 5) return some | one;
  return rnd_bits(t, 45) << 3;
}

// The register at an address of the bus, in words; NULL if it is none of a log's.
static uint64_t *at(unsigned addr) {
  if (addr < 0x400 || addr >= 0x600 || (addr - 0x400) / 8 >= LOGS || addr % 8 < 2 || addr % 8 > 5) return NULL;
  return &r.l[(addr - 0x400) / 8].reg[addr % 8 - 2];
}

// A publish, and one register write at most.
static void publish_or_write(tb *t, now *n, const rates *a) {
  n->pl = (unsigned)rnd_below(t, LOGS);
  n->wl = r.write ? r.write_log : (unsigned)rnd_below(t, LOGS);
  bool beat = r.rhythm && !r.write && r.clock % PERIOD == 0;
  if (beat) n->wl = r.steady;
  n->p = &r.l[n->pl];
  n->w = &r.l[n->wl];
  uint32_t room = (1u << n->p->size) - (n->p->prod - n->p->cons), step = 16 * (1 + (uint32_t)rnd_below(t, 4));
  if (room > 64 && !r.stream && rnd_chance(t, 30)) step = 16 * (1 + (uint32_t)rnd_below(t, room / 16));
  n->pub = n->p->open && !n->p->done && step <= room && rnd_chance(t, a->pub);
  n->prod = n->p->prod + step;
  n->new_cons = n->w->cons + (uint32_t)rnd_below(t, (n->w->prod - n->w->cons) / 16 + 1) * 16;
  n->was = r.addr;
  n->addr = r.write ? n->was : 0x400 + 8 * n->wl + 2 + (unsigned)rnd_below(t, 4);
  n->strb = rnd_chance(t, 60) ? 255 : (unsigned)rnd_bits(t, 8);
  n->data = value(t, n->addr);
  if (r.write)
    n->we = r.write == 1, n->data = r.data, n->strb = r.strb;
  else if (n->w->open && (beat || rnd_chance(t, a->cons)))
    n->cons = true;
  else if (!n->w->open && rnd_chance(t, a->open))
    n->opens = true;
  else if (rnd_chance(t, a->reg))
    r.write = 3;
  else if (rnd_chance(t, 50))
    n->addr = 0x600 + (unsigned)rnd_below(t, 64);
  if (r.write == 3 && n->wl + 1 == LOGS && rnd_chance(t, 10)) n->addr = 0x400 + 8 * LOGS + 2;  // no such log
  if ((!r.write || r.write == 3) && rnd_chance(t, 10)) n->addr ^= 1u << rnd_below(t, 17);      // somewhere else
  r.addr = n->addr, r.write_log = n->wl, r.data = n->data, r.strb = n->strb;
}

static void answers(tb *t, now *n, const rates *a) {
  n->busy = r.write || rnd_chance(t, a->reg / 4);
  if (r.write) r.write--;
  n->done = r.head < r.out && rnd_chance(t, a->done);
  n->tl = (unsigned)rnd_below(t, LOGS);
  if (r.task_gone[n->tl] && rnd_chance(t, a->finish)) n->task_done = true;
  n->al = (unsigned)rnd_below(t, LOGS);
  n->alarm = r.l[n->al].open && rnd_chance(t, a->pub / 20);
  n->stop = n->alarm || rnd_chance(t, 5);
  n->note_ready = !n->alarm && rnd_chance(t, a->note);
  n->msg_ready = rnd_chance(t, a->msg);
  n->task_ready = rnd_chance(t, a->task);
  r.clock++;
  if (!r.beat) return;
  n->tl = r.task_log;
  n->task_done = r.task_gone[n->tl];
  n->task_ready = r.clock % r.beat == 0;
}

static void drive(dut *d, const now *n) {
  dut_set_rb_i(d, reg_bus_of(8 * n->addr, n->we, n->data, n->strb).words);
  dut_set_rb_busy_i(d, n->busy);
  dut_set_pub_valid_i(d, n->pub);
  dut_set_pub_log_i(d, n->pl);
  dut_set_pub_prod_i(d, n->prod);
  dut_set_cons_event_valid_i(d, n->cons);
  dut_set_cons_event_log_i(d, n->wl);
  dut_set_open_event_valid_i(d, n->opens);
  dut_set_open_event_log_i(d, n->wl);
  dut_set_open_i(d, n->open);
  dut_set_closing_i(d, n->closing);
  dut_set_ptr_en_i(d, n->pe);
  dut_set_msi_en_i(d, n->me);
  dut_set_scr_en_i(d, n->se);
  dut_set_task_en_i(d, n->te);
#ifdef SCRI_I_WORDS
  dut_set_scri_i(d, n->scri);
#else
  dut_set_scri_i(d, bits_get(n->scri, 0, 6 * LOGS));
#endif
  dut_set_msg_ready_i(d, n->msg_ready);
  dut_set_msg_done_i(d, n->done);
  dut_set_task_ready_i(d, n->task_ready);
  dut_set_task_done_valid_i(d, n->task_done);
  dut_set_task_done_log_i(d, n->tl);
  dut_set_off_valid_i(d, r.off);
  dut_set_off_log_i(d, r.off_log);
  dut_set_note_ready_i(d, n->note_ready);
  dut_set_alarm_valid_i(d, n->alarm);
  dut_set_alarm_log_i(d, n->al);
  dut_set_stop_i(d, n->stop);
  dut_eval(d);
  unsigned q = (unsigned)dut_get_qry_log_o(d);
  dut_set_qry_prod_i(d, q < LOGS ? r.l[q].prod : 0);
  dut_set_qry_cons_i(d, q < LOGS ? r.l[q].cons : 0);
  dut_set_qry_size_i(d, q < LOGS ? r.l[q].size : 0);
  dut_eval(d);
}

// Of the address a cycle ago.
static void registers(tb *t, dut *d, const now *n) {
  uint64_t want = 0;
  if (n->was >= 0x600 && n->was < 0x600 + SCRATCH) want = r.scratch[n->was - 0x600];
  if (at(n->was)) want = *at(n->was);
  CHECK_EQ(t, dut_get_rb_rdata_o(d), want, "register %x", n->was * 8);
  for (unsigned i = 0; i < LOGS; i++) {
    const uint64_t *g = r.l[i].reg;
    CHECK_EQ(t, dut_get_ptr_ok_o(d) >> i & 1, !(g[0] & 7) && !(g[0] >> 48), "ptr_ok_o %u", i);
    CHECK_EQ(t, dut_get_msi_ok_o(d) >> i & 1, !(g[1] & 3) && !(g[1] >> 48), "msi_ok_o %u", i);
  }
}

static void messages_and_tasks(tb *t, dut *d, const now *n) {
  if (dut_get_msg_valid_o(d)) {
    const msg *m = &r.q[r.out % QUEUE];
    CHECK(t, r.out < r.tail, "message without a note");
    CHECK_EQ(t, dut_get_msg_addr_o(d), m->addr, "message address");
    CHECK_EQ(t, dut_get_msg_data_o(d), m->data, "message data");
    CHECK_EQ(t, dut_get_msg_bytes_o(d), m->bytes, "message bytes");
    CHECK_EQ(t, dut_get_msg_owner_o(d), 64 | (unsigned)m->ptr << 5 | m->log, "message owner");
    r.out += n->msg_ready;
  } else {
    CHECK_EQ(t, r.out, r.tail, "message that was announced");
  }
  CHECK_EQ(t, dut_get_task_valid_o(d), r.task, "task_valid_o");
  if (r.task) {
    CHECK_EQ(t, dut_get_task_log_o(d), r.task_log, "task_log_o");
    CHECK_EQ(t, dut_get_task_prod_o(d), r.task_prod, "task_prod_o");
    CHECK_EQ(t, dut_get_task_cons_o(d), r.task_cons, "task_cons_o");
    if (n->task_ready) r.task = false, r.task_gone[r.task_log] = true;
  }
}

// Logs take turns: whatever the rhythm in which the task port gets free, none is passed over for ever.
static void task_of_log(tb *t, unsigned log) {
  for (unsigned j = 0; j < LOGS; j++) {
    alog *g = &r.l[j];
    g->passed = r.beat && j != log && g->open && g->task && !g->tasked && g->prod != g->cons ? g->passed + 1 : 0;
    CHECK(t, g->passed <= 5 * LOGS, "log %u: %u tasks of others while its own is due", j, g->passed);
  }
}

// Of others one acts a visit each until a pointer goes that may. Whoever is told, or wants an MSI first, begins anew.
static void pointers_wait(tb *t, unsigned log) {
  for (unsigned j = 0; j < LOGS; j++) {
    alog *g = &r.l[j];
    g->overtaken = j != log && g->dirty && !g->wait ? g->overtaken + 1 : 0;
    CHECK(t, g->overtaken <= 2 * LOGS, "log %u: %u notes of others while its pointer is due", j, g->overtaken);
  }
}

static void note_of_log(tb *t, const now *n, unsigned code, unsigned i, uint64_t value) {
  alog *g = &r.l[i % LOGS];
  r.count[code]++;
  pointers_wait(t, i);
  g->late_alarm = g->late_ptr = g->late_low = g->late_old = g->late_task = g->late_off = 0;  // a visit tells one
  if (code == AA_K_NotePtr || code == AA_K_NoteMsi) {
    CHECK(t, !g->wait, "log %u: a second message under way", i);
    g->wait = true;
    r.q[r.tail++ % QUEUE] = (msg){code == AA_K_NotePtr ? g->reg[0] : g->reg[1], value, code == AA_K_NotePtr ? 8 : 4, i,
                                  code == AA_K_NotePtr};
  }
  if (code == AA_K_NotePtr) {
    CHECK(t, g->dirty, "log %u: pointer without news", i);
    g->starved = g->msi && g->armed && low(g) ? g->starved + 1 : 0;
    CHECK(t, g->starved <= 2, "P4: log %u: publishes keep its MSI from it", i);
    CHECK_EQ(t, value, g->prod, "pointer");
    g->dirty = false, g->seen = g->prod;
  } else if (code == AA_K_NoteMsi) {
    CHECK(t, g->msi && (g->armed || g->alarm), "log %u: MSI disabled or not armed", i);
    CHECK(t, g->alarm || low(g) || old(g), "log %u: MSI for no reason", i);
    r.alarms += g->alarm;
    g->alarm = false;
    CHECK_EQ(t, value, g->reg[2] & 0xffffffff, "MSI data");
    g->armed = false;
    g->starved = 0;
  } else if (code == AA_K_NoteTask) {
    CHECK(t, g->task && !g->tasked && g->prod != g->cons && !r.task, "log %u: task", i);
    CHECK_EQ(t, value, g->prod, "task");
    task_of_log(t, i);
    g->tasked = r.task = true;
    r.task_log = i, r.task_prod = g->prod, r.task_cons = g->cons;
  } else {
    CHECK_EQ(t, code, AA_K_NoteLogOff, "code");
    CHECK(t, !n->stop && !(g->msi && g->alarm), "P6: log %u ends beside an alarm", i);
    CHECK(t, r.off && i == r.off_log && !g->dirty && !g->wait, "log %u: closed early", i);
    CHECK(t, !(g->msi && g->armed && (uint32_t)(g->reg[2] >> 32) > (1u << g->size) - (g->prod - g->cons)),
          "log %u: MSI lost", i);
  }
}

static void notify(tb *t, dut *d, now *n) {
  bool off = false;
  n->noted = dut_get_note_valid_o(d) && n->note_ready;
  if (n->noted) {
    uint32_t note[NOTE_O_WORDS];
    dut_get_note_o(d, note);
    unsigned code = (unsigned)bits_get(note, AA_RETIRE_T_CODE_LSB, 4),
             i = (unsigned)bits_get(note, AA_RETIRE_T_IDX_LSB, 8);
    uint64_t value = bits_get(note, AA_RETIRE_T_A_LSB, 64);
    CHECK(t, i < LOGS && r.l[i % LOGS].open, "note %u of log %u", code, i);
    note_of_log(t, n, code, i, value);
    off = code == AA_K_NoteLogOff;
    CHECK_EQ(t, dut_get_ev_msi_o(d), code == AA_K_NoteMsi, "ev_msi_o");
  } else {
    CHECK_EQ(t, dut_get_ev_msi_o(d), 0, "ev_msi_o");
  }
  CHECK_EQ(t, dut_get_off_ready_o(d), off, "off_ready_o");
  if (n->done) r.l[r.q[r.head++ % QUEUE].log].wait = false;
  if (n->task_done) r.task_gone[n->tl] = r.l[n->tl].tasked = false;
  CHECK(t, !off || !n->busy, "P6: a log ends while a register write is on its way");
  if (off) {
    alog *g = &r.l[r.off_log];
    g->open = g->closing = g->done = r.off = false;
  }
}

// For how long something is due, in cycles in which nothing is in the way; notes and consumer writes take their time
// (TMO-4). What a timer brings may be as late once more, since its beginning is seen by a visit.
static void due(tb *t, const now *n) {
  bool clear = n->note_ready && r.head == r.tail && !(r.off && (n->busy || n->stop));
  int gone = (n->noted ? 8 : 0) + n->cons, passed = clear - gone;
  for (unsigned i = 0; i < LOGS; i++) {
    alog *g = &r.l[i];
    bool msi = g->open && g->msi, unread = g->prod != g->cons;
    late(t, &g->late_ptr, g->dirty, passed, SOON, "pointer", i);
    late(t, &g->late_low, msi && g->armed && low(g), passed, SOON, "MSI for want of space", i);
    late(t, &g->late_old, msi && g->armed && old(g), passed, 2 * SOON, "MSI for the interval", i);
    late(t, &g->late_alarm, msi && g->alarm, passed, SOON, "alarm", i);
    late(t, &g->late_task, g->open && g->task && !g->tasked && unread && !r.beat, (clear && !r.task) - gone, DUE,
         "task", i);
    late(t, &g->late_off, r.off && r.off_log == i && !(r.rhythm && r.steady == i),
         (clear && !n->busy && !n->stop) - gone, DUE, "tear-down", i);
    g->run = unread ? g->run + 1 : 0;
  }
}

// TMO-4: what is due for its consumer counts anew. An MSI that goes first is looked at again, and its pointer waits.
static void consumed(alog *g, uint32_t cons) {
  if (g->msi && (g->alarm || low(g) || old(g))) g->late_ptr = 0, g->overtaken = 0;
  g->cons = cons;
  g->armed = true;
  g->run = g->starved = 0;
  g->late_low = g->late_old = g->late_alarm = g->late_task = 0;
}

static void written(tb *t, const now *n, const rates *a) {
  if (n->alarm && r.l[n->al].open) r.l[n->al].alarm = true;

  if (n->cons && n->w->open) consumed(n->w, n->new_cons);
  if (n->opens) {
    unsigned size = 6 + (unsigned)rnd_below(t, rnd_chance(t, 70) ? 3 : 25);
    uint32_t start = (uint32_t)rnd(t) & ~15u;  // as if it had run for long
    uint64_t reg[4] = {n->w->reg[0], n->w->reg[1], n->w->reg[2], n->w->reg[3]};
    *n->w = (alog){.open = true,
                   .ptr = rnd_chance(t, 60),
                   .msi = rnd_chance(t, 60),
                   .scr = rnd_chance(t, 60),
                   .task = rnd_chance(t, 60),
                   .size = size,
                   .scri = (unsigned)rnd_below(t, SCRATCH),
                   .prod = start,
                   .cons = start,
                   .seen = start,
                   .armed = true,
                   .tasked = n->w->tasked};
    for (unsigned i = 0; i < 4; i++) n->w->reg[i] = reg[i];
    if (r.size) n->w->size = r.size, n->w->msi = true, n->w->ptr = r.stream, n->w->task &= r.stream;
    n->w->task |= r.tasks;
  }
  uint64_t *g = n->we ? at(n->addr) : NULL, mask = 0;
  if (g && !r.l[(n->addr - 0x400) / 8].open) {
    for (unsigned i = 0; i < 8; i++)
      if (n->strb >> i & 1) mask |= 0xffull << 8 * i;
    *g = (*g & ~mask) | (n->data & mask);
    if (n->addr % 8 == 5) *g &= 0xffffffff;
  }
  if (n->w->open && !n->w->closing && rnd_below(t, 1000) < a->close) n->w->closing = true;
}

static void cycle(tb *t, dut *d, const rates *a) {
  now of_now = {0}, *n = &of_now;
  logs(t, n);
  publish_or_write(t, n, a);
  answers(t, n, a);
  drive(d, n);
  registers(t, d, n);
  messages_and_tasks(t, d, n);
  if (n->pub) {
    n->p->prod = n->prod;
    n->p->dirty |= n->p->ptr;
    if (n->p->scr) r.scratch[n->p->scri] = (uint64_t)n->pl << 32 | n->prod;
  }
  notify(t, d, n);
  due(t, n);
  written(t, n, a);
  dut_tick(d);
}

// Whatever is under way is forgotten; the registers read 0.
static void restart(tb *t, dut *d) {
  now nothing = {.w = &r.l[0]};
  logs(t, &nothing);
  drive(d, &nothing);
  dut_reset(d, 1);
  memset(r.l, 0, sizeof r.l);
  memset(r.scratch, 0, sizeof r.scratch);
  memset(r.task_gone, 0, sizeof r.task_gone);
  r.head = r.out = r.tail = r.write = r.addr = 0;
  r.task = r.off = false;
}

// One of a log's registers, while all are closed and nothing else happens.
static void program(tb *t, dut *d, unsigned log, unsigned reg, uint64_t data) {
  const rates none = {0, 0, 0, 0, 0, 100, 100, 100, 100, 100};
  unsigned addr = 0x400 + 8 * log + reg;
  now n = {.addr = addr, .was = addr, .data = data, .strb = 255, .busy = true, .w = &r.l[0]};
  r.addr = addr;
  for (unsigned i = 0; i < 3; i++) {
    n.we = i == 2;
    drive(d, &n);
    if (i == 2) written(t, &n, &none);
    dut_tick(d);
  }
}

// A log opens, with MSI and a ring of this size, and another one; it publishes once.
static void published(tb *t, dut *d, unsigned log, unsigned other, unsigned size) {
  rates only = {0, 0, 100, 0, 0, 100, 100, 100, 100, 100};
  r.size = size;
  while (!r.l[log].open || !r.l[other].open) cycle(t, d, &only);
  r.size = 0;
  only.open = 0, only.pub = 19;  // few enough for no alarm
  while (r.l[log].prod == r.l[log].cons) cycle(t, d, &only);
}

// Whether a log tells that it has published, by these limits, within so many cycles and a few.
static void limits(tb *t, dut *d, unsigned log, unsigned size, uint64_t free, uint64_t cycles, unsigned wait,
                   bool told) {
  const rates none = {0, 0, 0, 0, 0, 100, 100, 100, 100, 100};
  restart(t, d);
  program(t, d, log, 4, free << 32);
  program(t, d, log, 5, cycles);
  published(t, d, log, log, size);
  for (unsigned i = 0; i < wait + 4 * SOON; i++) cycle(t, d, &none);
  CHECK_EQ(t, r.l[log].armed, !told, "log %u: ring of 2^%u, FREE %" PRIx64 ", CYCLES %" PRIx64, log, size, free,
           cycles);
}

// Every bit of FREE and CYCLES, alone; every ring, of which anything that is published takes what FREE asks for; an
// interval of every log, and one that is long.
static void every_bit(tb *t, dut *d) {
  for (unsigned bit = 9; bit < 32; bit++) {
    limits(t, d, bit % LOGS, 6 + bit % 3, 0, 1ULL << bit | 3, 0, false);
    limits(t, d, bit % LOGS, 6 + bit % 3, 1ULL << bit, 0, 0, true);
  }
  for (unsigned size = 6; size <= 30; size++) limits(t, d, size % LOGS, size, 1ULL << size, 0, 0, true);
  for (unsigned n = 0; n < LOGS; n++) limits(t, d, n, 8, 0, 20 + rnd_below(t, 40), 60, true);
  limits(t, d, 0, 8, 0, 8300, 8300, true);
}

// A consumer that writes once in a PERIOD keeps no other log from its MSI, wherever in the scan that is.
static void rhythms(tb *t, dut *d) {
  const rates none = {0, 0, 0, 0, 0, 100, 100, 100, 100, 100};
  for (unsigned i = 0; i < 32 && LOGS > 1; i++) {
    unsigned log = (i + 1) % LOGS;
    restart(t, d);
    program(t, d, log, 4, 256ULL << 32);
    program(t, d, log, 5, 0);
    r.steady = i % LOGS;
    published(t, d, log, r.steady, 8);
    r.rhythm = true, r.clock = i / LOGS;
    for (unsigned k = 0; k < 4 * SOON; k++) cycle(t, d, &none);
    r.rhythm = false;
    CHECK(t, !r.l[log].armed, "log %u: no MSI beside consumer writes of log %u", log, r.steady);
  }
}

// FREE that is always, often or never wanted, short intervals: of all logs, while they are closed.
static void program_all(tb *t, dut *d) {
  for (unsigned n = 0; n < LOGS; n++) {
    uint64_t free = rnd_chance(t, 40) ? rnd_bits(t, 31) : rnd_chance(t, 70) ? 1 + rnd_below(t, 256) : 0;
    program(t, d, n, 4, free << 32 | rnd_bits(t, 32));
    program(t, d, n, 5, rnd_chance(t, 60) ? 1 + rnd_below(t, 60) : 0);
  }
}

// All logs tell their pointer and by MSI, and publish without an end, in rings of which FREE asks for all but a little:
// the reason for an MSI comes and goes with what is published and read, and is seen only with the pointer.
static void streams(tb *t, dut *d) {
  r.stream = true;
  for (unsigned i = 0; i < 8; i++) {
    restart(t, d);
    r.size = 12 + 6 * (i % 4);
    for (unsigned n = 0; n < LOGS; n++) {
      program(t, d, n, 4, (uint64_t)((1u << r.size) - 16 * (unsigned)rnd_below(t, 64)) << 32);
      program(t, d, n, 5, 0);
    }
    const rates a = {i & 1 ? 100 : 30, 4, 60, 0, 0, 100, 100, 100, 100, 100};
    for (unsigned k = 0; k < 600; k++) cycle(t, d, &a);
  }
  r.stream = false, r.size = 0;
  restart(t, d);
}

// All logs have tasks, which end at once, and the port takes one in so many cycles.
static void tasks_of_all(tb *t, dut *d) {
  const rates a = {60, 0, 60, 0, 0, 100, 100, 100, 0, 0};
  r.tasks = true;
  for (r.beat = 1; r.beat <= 3 * PERIOD; r.beat++) {
    restart(t, d);
    for (unsigned k = 0; k < 300; k++) cycle(t, d, &a);
  }
  r.tasks = false, r.beat = 0;
  restart(t, d);
}

static rates random_rates(tb *t) {
  unsigned kind = (unsigned)rnd_below(t, 8);
  r.beat = kind == 2 ? 1 + (unsigned)rnd_below(t, 3 * (LOGS < 4 ? 4 : LOGS)) : 0;
  r.rhythm = kind == 5, r.steady = (unsigned)rnd_below(t, LOGS);
  if (kind == 0) return (rates){30, 10, 5, 5, 30, 100, 100, 100, 100, 30};    // calm
  if (kind == 1) return (rates){100, 2, 20, 0, 50, 100, 100, 100, 100, 100};  // flood
  if (kind == 2) return (rates){60, 0, 60, 0, 0, 100, 100, 100, 0, 100};      // turns
  if (kind == 3) return (rates){60, 20, 30, 1, 5, 100, 100, 8, 50, 50};       // many messages without a response
  if (kind == 4) return (rates){4, 1, 60, 0, 0, 100, 100, 100, 100, 30};      // quiet: intervals
  if (kind == 5) return (rates){10, 1, 60, 2, 0, 100, 100, 100, 100, 100};    // rhythm
  return (rates){(unsigned)rnd_below(t, 101),     (unsigned)rnd_below(t, 50),      (unsigned)rnd_below(t, 30),
                 (unsigned)rnd_below(t, 30),      (unsigned)rnd_below(t, 101),     1 + (unsigned)rnd_below(t, 100),
                 1 + (unsigned)rnd_below(t, 100), 1 + (unsigned)rnd_below(t, 100), (unsigned)rnd_below(t, 101),
                 (unsigned)rnd_below(t, 101)};
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_notify", 80000);
  dut *d = dut_begin(&t);
  restart(&t, d);
  every_bit(&t, d);
  rhythms(&t, d);
  streams(&t, d);
  tasks_of_all(&t, d);
  program_all(&t, d);
  uint64_t begin = dut_cycle(d), end = begin + t.cycles;
  while (dut_cycle(d) < end) {
    rates a = random_rates(&t);
    for (unsigned i = 0; i < 600; i++) cycle(&t, d, &a);
    if (dut_cycle(d) < begin + 12000 || !rnd_chance(&t, 30)) continue;  // at first the clock comes past 2^13
    restart(&t, d);
    if (rnd_chance(&t, 80)) program_all(&t, d);
  }
  for (unsigned i = AA_K_NotePtr; i <= AA_K_NoteLogOff; i++)
    CHECK(&t, r.count[i] || (i > AA_K_NoteMsi && i != AA_K_NoteTask && i != AA_K_NoteLogOff), "no note of code %u", i);
  CHECK(&t, r.alarms > tb_least(&t, 20), "%u alarms told", r.alarms);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
