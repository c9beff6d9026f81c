// SPDX-License-Identifier: Apache-2.0
// aa_log_ptr: the test is the table (ring, base, open, closing) and whoever writes entries. Scenarios
// first: a ring filled to the last byte, the pad, slots, publishing, consumers, tear-down, pointers past 2^32;
// then all at once. A reference, in bytes and from the specification, goes along in every cycle; after some,
// every length of entry is asked for.
// config: default -GNumLogs=8 -GLogDepth=16
// config: one -GNumLogs=1 -GLogDepth=1
// config: odd -GNumLogs=3 -GLogDepth=2
// config: big -GNumLogs=32 -GLogDepth=32
// netlist: odd
// long: big
#include <string.h>

#include "tb.h"
#include "aa_fields.h"
#include "aa_log_ptr_tb.h"
#include "reg_bus.h"

enum { Logs = P_NumLogs, Depth = P_LogDepth, None = -1 };
enum { LpProd = 0, LpCons = 8, LpRsvd = 16, LpSts = 24 };
enum { Failed = 8, PtrErr = 16 };

typedef struct entry {
  unsigned slot, bytes;
  bool done;
} entry;

static struct {
  struct {
    bool open, closing;
    uint64_t base;
    unsigned size, sts;
    uint32_t rsvd, prod, cons;
    entry e[32];  // oldest at head
    unsigned head, count;
    unsigned ripe;  // cycles since the oldest entry is done, without those of register writes under way
    unsigned over;  // cycles since all is published and the log closes
  } log[Logs];
  int opened;  // the log that opened in the cycle before
  int who;     // whose decision the cycle before had
  bool read;   // its pointers have been read since it opened
  bool took;   // and it took space, if there was any
  int passed;  // the end of an entry that was not taken in the cycle before, since another was
  struct {
    int log;
    unsigned at;  // from the first entry on
  } held[2];      // ends of entries that were not taken yet
  uint64_t was;   // the address a cycle ago: what is read belongs to it
  unsigned pads, nevers, spaces, refused, published, offs, failures, dead;
} r = {.opened = None, .who = None, .passed = None, .held = {{.log = None}, {.log = None}}};

// What happens in one cycle; None: nothing. `ask`: this log's decision waits, if there is no reservation. `done` names
// entries by their position in the log, 0 the oldest.
typedef struct act {
  int look, rsv, ask, close, open, lost, abort, fail, fail_ptr, done[2];  // fail: its entries, fail_ptr: its pointer
  unsigned bytes, pos[2], strb;
  bool we, busy, stop, off_ready;  // busy: a write is on its way; stop: an error is being recorded
  uint64_t addr, data;
} act;

static unsigned left(unsigned n) { return (unsigned)(r.log[n].prod - r.log[n].cons); }
static uint64_t ring(unsigned n) { return 1ULL << r.log[n].size; }
static uint64_t page(unsigned n, unsigned reg) { return 0x10000 + 0x1000ULL * n + reg; }
static entry *nth(unsigned n, unsigned i) { return &r.log[n].e[(r.log[n].head + i) % 32]; }

// A reservation of `bytes` bytes in log n, as LOG-1 and LOG-3 have it; returns whether there is space.
static bool room(unsigned n, unsigned bytes, uint64_t *pad, bool *never) {
  uint64_t off = r.log[n].rsvd % ring(n), free = ring(n) - (uint32_t)(r.log[n].rsvd - r.log[n].cons);
  *pad = off + bytes > ring(n) ? ring(n) - off : 0;
  *never = *pad + bytes > ring(n);
  return !*never && *pad + bytes <= free && r.log[n].count < Depth && !(r.log[n].sts & Failed);
}

// Of an entry that just fits, or just does not: what is free, with and without a pad, and what is left to the end.
static unsigned edge(tb *t, unsigned n) {
  uint64_t off = r.log[n].rsvd % ring(n), end = ring(n) - off;
  uint64_t free = (ring(n) - (uint32_t)(r.log[n].rsvd - r.log[n].cons)) & ~15ULL;
  uint64_t at[] = {free, end, free - end, off}, bytes = at[rnd_below(t, 4)] + 16 * rnd_below(t, 3) - 16;
  return bytes - 16 <= 4096 ? (unsigned)bytes : 16 + 16 * (unsigned)rnd_below(t, 257);
}

static bool check_reserve(tb *t, dut *d, unsigned n, unsigned bytes, uint64_t *pad) {
  bool never, space = room(n, bytes, pad, &never);
  uint64_t off = r.log[n].rsvd % ring(n);
  CHECK_EQ(t, dut_get_rsv_never_o(d), never, "P1: %u bytes at %" PRIx64 " never fit", bytes, off);
  CHECK_EQ(t, dut_get_rsv_space_o(d), space,
           "P1: log %u has space for %u bytes: ring %" PRIx64 ", rsvd %x, cons %x, %u slots", n, bytes, ring(n),
           r.log[n].rsvd, r.log[n].cons, r.log[n].count);
  CHECK_EQ(t, dut_get_rsv_ptr_o(d), r.log[n].rsvd, "P1: rsv_ptr_o");
  CHECK_EQ(t, dut_get_rsv_failed_o(d), !!(r.log[n].sts & Failed), "P6: rsv_failed_o");
  r.nevers += never, r.spaces += space;
  if (!space) return false;
  CHECK_EQ(t, dut_get_rsv_pad_o(d), *pad != 0, "P1: pad before %u bytes at %" PRIx64, bytes, off);
  CHECK_EQ(t, dut_get_rsv_addr_o(d), r.log[n].base + (*pad ? 0 : off), "P1: address of %u bytes", bytes);
  if (*pad) CHECK_EQ(t, dut_get_rsv_pad_addr_o(d), r.log[n].base + off, "P1: address of the pad");
  if (*pad) CHECK_EQ(t, dut_get_rsv_pad_bytes_o(d), *pad, "P1: bytes of the pad");
  CHECK_EQ(t, dut_get_rsv_id_o(d) >> AA_K_LogSlotW, n, "P1: rsv_id_o.log");
  unsigned slot = (unsigned)dut_get_rsv_id_o(d) & 31;
  CHECK(t, slot < Depth, "P1: slot %u", slot);
  for (unsigned i = 0; i < r.log[n].count; i++) CHECK(t, nth(n, i)->slot != slot, "P1: slot %u is taken", slot);
  return true;
}

static void check_registers(tb *t, dut *d, uint64_t now) {
  uint64_t want = 0, addr = r.was;
  unsigned n = (unsigned)(addr >> 12) - 16;
  if (addr >= 0x10000 && n < Logs) {
    switch (addr & 0xfff) {
      case LpProd: want = r.log[n].prod; break;
      case LpCons: want = r.log[n].cons; break;
      case LpRsvd: want = r.log[n].rsvd; break;
      case LpSts: want = r.log[n].sts | (unsigned)r.log[n].open << 8; break;
      default: break;
    }
  }
  CHECK_EQ(t, dut_get_rb_rdata_o(d), want, "P6: register %" PRIx64, addr);
  r.was = now, n = (unsigned)(now >> 12) - 16;
  bool mine = now >= 0x10000 && n < Logs && (now & 0xfff) < 32;
  CHECK_EQ(t, dut_get_lp_sel_o(d), mine, "lp_sel_o at %" PRIx64, now);
  if (mine) CHECK_EQ(t, dut_get_lp_log_o(d), n, "lp_log_o at %" PRIx64, now);
}

// The register write at the end of the cycle: consumer (P4, LOG-7), sticky bits.
static void check_write(tb *t, dut *d, const act *a) {
  unsigned n = (unsigned)(a->addr >> 12) - 16;
  bool mine = a->we && a->addr >= 0x10000 && n < Logs, cons = mine && (a->addr & 0xfff) == LpCons && a->strb & 15,
       ok = false;
  uint32_t value = cons ? r.log[n].cons : 0;
  for (unsigned b = 0; b < 4; b++)
    if (a->strb >> b & 1) value = (value & ~(0xffu << 8 * b)) | ((uint32_t)a->data & 0xffu << 8 * b);
  if (cons) ok = value - r.log[n].cons <= left(n);
  CHECK_EQ(t, dut_get_cons_event_valid_o(d), cons && ok, "P4: consumer %x between %x and %x", value,
           cons ? r.log[n].cons : 0, cons ? r.log[n].prod : 0);
  CHECK_EQ(t, dut_get_err_valid_o(d), cons && !ok, "P4: err_valid_o");
  if (cons && ok) {
    CHECK_EQ(t, dut_get_cons_event_log_o(d), n, "cons_event_log_o");
    CHECK_EQ(t, dut_get_cons_event_o(d), value, "cons_event_o");
    r.log[n].cons = value;
  } else if (cons) {
    uint32_t err[ERR_O_WORDS];
    dut_get_err_o(d, err);
    CHECK_EQ(t, bits_get(err, AA_ERR_T_CODE_LSB, AA_ERR_T_CODE_W), AA_K_ErrConsumer, "P4: error code");
    CHECK_EQ(t, bits_get(err, AA_ERR_T_SID_LSB, 16), 0, "P4: error SID");
    CHECK_EQ(t, bits_get(err, AA_ERR_T_IUID_LSB, 10), dut_get_lp_iuid_i(d), "P4: error IUID");
    CHECK_EQ(t, bits_get(err, AA_ERR_T_ADDR_LSB, 64), value, "P4: error address");
    r.log[n].sts |= 1, r.refused++;
  }
  if (mine && (a->addr & 0xfff) == LpSts && a->strb & 1) r.log[n].sts &= ~(unsigned)a->data | Failed;
}

static unsigned longest_here(tb *t, dut *d, unsigned n) {  // the longest entry that has space; every length is tried
  unsigned best = 0;
  uint64_t pad;
  for (unsigned bytes = 16; bytes <= 16 + 4096; bytes += 16) {
    dut_set_rsv_units_i(d, bytes / 16 - 1);
    dut_eval(d);
    if (check_reserve(t, d, n, bytes, &pad)) best = bytes;
  }
  dut_set_rsv_units_i(d, 0);
  dut_eval(d);
  return best;
}

// Chosen for one cycle: whose log decides, whose pointers are asked for, whose entries end, whose error it is.
typedef struct drawn {
  unsigned who, query[2], bad, dones;
  bool want, ask;  // a reservation, of a log that takes one; whether there is space
  uint64_t id;
  entry *end[2];
} drawn;

static drawn draw(tb *t, const act *a) {
  drawn x = {.query = {(unsigned)rnd_below(t, Logs), 0}};
  x.query[1] = (unsigned)rnd_below(t, Logs);
  for (unsigned k = 0; k < 2; k++) {
    x.id |= rnd_bits(t, AA_K_EntryIdW) << AA_K_EntryIdW * k;  // anything, if there is none
    if (a->done[k] == None) continue;
    x.id &= ~(((1ULL << AA_K_EntryIdW) - 1) << AA_K_EntryIdW * k);
    x.end[k] = nth((unsigned)a->done[k], a->pos[k]);
    x.dones |= 1u << k;
    x.id |= ((uint64_t)a->done[k] << AA_K_LogSlotW | x.end[k]->slot) << AA_K_EntryIdW * k;
  }
  int first[] = {a->look, a->rsv, a->ask, a->lost, (int)x.query[0]};
  unsigned i = 0;
  while (first[i] == None) i++;
  x.who = (unsigned)first[i];
  x.want = a->rsv != None && r.log[x.who].open && !r.log[x.who].closing && a->open == None;
  x.ask = x.want || a->look != None;
  return x;
}

// The clock edge that ends the cycle before, which has to know whose log this one asks for.
static void tick(tb *t, dut *d, const drawn *x) {
  // Else it waits, and is the same; or a log has opened of which there is no decision yet.
  bool next = r.took || (int)x->who != r.who || (!r.read && x->ask) || rnd_chance(t, 60);
  r.read = (r.read || next) && (int)x->who != r.opened;
  r.who = (int)x->who, r.took = x->want && r.read;
  dut_set_next_i(d, next);
  dut_set_next_log_i(d, next ? x->who : rnd_below(t, Logs));
  dut_set_next_mask_i(d, (ring(x->who) - 1) >> 4);
  dut_tick(d);
}

// `open` and `closing`: of all logs, as they were before the edge.
static void set_inputs(tb *t, dut *d, const act *a, drawn *x, uint64_t open, uint64_t closing) {
  dut_set_rb_i(d, reg_bus_of(a->addr, a->we, a->data, a->strb).words);
  dut_set_rb_busy_i(d, a->busy);
  dut_set_lp_iuid_i(d, rnd_bits(t, 10));
  dut_set_open_i(d, open);
  dut_set_closing_i(d, closing);
  dut_set_open_event_valid_i(d, a->open != None);
  dut_set_open_event_log_i(d, a->open != None ? (uint64_t)a->open : rnd_bits(t, 5));
  dut_set_rsv_log_i(d, x->who);
  dut_set_rsv_units_i(d, a->bytes / 16 - 1);
  dut_set_rsv_base_i(d, r.log[x->who].base >> 6);
  dut_set_rsv_take_i(d, 0);
  dut_set_lost_i(d, a->lost != None);
  dut_set_done_valid_i(d, x->dones);
  dut_set_done_id_i(d, x->id);
  dut_set_abort_valid_i(d, a->abort != None);
  dut_set_abort_log_i(d, a->abort != None ? (uint64_t)a->abort : 0);
  x->bad = a->fail != None       ? (unsigned)a->fail
           : a->fail_ptr != None ? (unsigned)a->fail_ptr
                                 : (unsigned)rnd_below(t, Logs);
  dut_set_stop_i(d, a->stop);
  dut_set_fail_entry_valid_i(d, a->fail != None);
  dut_set_fail_ptr_valid_i(d, a->fail == None && a->fail_ptr != None);
  dut_set_fail_log_i(d, x->bad);
  dut_set_qry_log_i(d, x->query[0]);
  dut_set_qry2_log_i(d, x->query[1]);
  dut_set_off_ready_i(d, a->off_ready);
  dut_eval(d);
}

static void check_queries(tb *t, dut *d, const unsigned *query) {
  if (r.log[query[0]].open) {
    CHECK_EQ(t, dut_get_qry_prod_o(d), r.log[query[0]].prod, "qry_prod_o");
    CHECK_EQ(t, dut_get_qry_cons_o(d), r.log[query[0]].cons, "qry_cons_o");
  }
  if (r.log[query[1]].open) {
    CHECK_EQ(t, dut_get_qry2_prod_o(d), r.log[query[1]].prod, "qry2_prod_o");
    CHECK_EQ(t, dut_get_qry2_cons_o(d), r.log[query[1]].cons, "qry2_cons_o");
  }
}

static void check_publish(tb *t, dut *d, const act *a) {  // P3 (LOG-6), P6 (ERR-2)
  if (dut_get_pub_valid_o(d)) {
    unsigned n = (unsigned)dut_get_pub_log_o(d) % Logs;
    CHECK(t, !a->busy && !a->stop, "P3: a publish while a register write is on its way, or an error is recorded");
    CHECK(t, !(r.log[n].sts & Failed), "P6: log %u publishes, and has stopped", n);
    CHECK(t, r.log[n].count && nth(n, 0)->done, "P3: log %u publishes, its oldest entry is not done", n);
    r.log[n].prod += nth(n, 0)->bytes;
    CHECK_EQ(t, dut_get_pub_bytes_o(d), nth(n, 0)->bytes, "P3: bytes published");
    CHECK_EQ(t, dut_get_pub_prod_o(d), r.log[n].prod, "P3: producer");
    r.log[n].head++, r.log[n].count--, r.log[n].ripe = 0, r.published++;
  }
  for (unsigned n = 0; n < Logs; n++) {
    bool failed = r.log[n].sts & Failed && r.log[n].open;
    CHECK_EQ(t, dut_get_failed_o(d) >> n & 1, failed, "P6: failed_o of log %u", n);
    if (failed)  // what is done goes without a word
      for (; r.log[n].count && nth(n, 0)->done; r.log[n].count--) r.log[n].head++, r.dead++;
    bool ripe = r.log[n].count && nth(n, 0)->done;
    r.log[n].ripe = ripe ? r.log[n].ripe + (!a->busy && !a->stop) : 0;  // what went with a stopped log does not count
    CHECK(t, r.log[n].ripe <= Logs + 1, "P3: log %u does not publish", n);
  }
}

static void check_end_of_log(tb *t, dut *d, bool off_ready) {  // P5 (LOG-9)
  if (dut_get_off_valid_o(d)) {
    unsigned n = (unsigned)dut_get_off_log_o(d) % Logs;
    CHECK(t, r.log[n].closing && !r.log[n].count, "P5: log %u ends too early", n);
    if (off_ready) r.log[n].open = r.log[n].closing = false, r.offs++;
  }
  for (unsigned n = 0; n < Logs; n++) {  // one a cycle is looked at, and no other is in its way
    r.log[n].over = r.log[n].closing && !r.log[n].count && off_ready ? r.log[n].over + 1 : 0;
    CHECK(t, r.log[n].over <= Logs + 1 + (r.log[n].sts & Failed ? 2 * (unsigned)Depth * Logs : 0),
          "P5: log %u does not end", n);
  }
}

// done_ready_o: one a cycle, fairly. One that was passed over while another was taken goes first.
static void check_done(tb *t, dut *d, const act *a, const drawn *x) {
  unsigned ready = (unsigned)dut_get_done_ready_o(d);
  CHECK(t, x->dones == 3 ? ready == 1 || ready == 2 : (x->dones & ~ready) == 0, "done_ready_o %u of %u", ready,
        x->dones);
  CHECK(t, x->dones != 3 || r.passed == None || ready >> r.passed & 1, "done_ready_o: side %d is passed over twice",
        r.passed);
  r.passed = x->dones != 3 ? None : ready & 1 ? 1 : 0;
  for (unsigned k = 0; k < 2; k++) {
    r.held[k].log = x->dones & ~ready & 1u << k ? a->done[k] : None;
    if (r.held[k].log != None) r.held[k].at = r.log[r.held[k].log].head + a->pos[k];
  }
}

static void check_alarm(tb *t, dut *d, const act *a, unsigned bad) {  // P6 (ERR-2, ERR-4, ERR-7)
  bool rise = a->fail != None ? !(r.log[bad].sts & Failed) : a->fail_ptr != None && !(r.log[bad].sts & PtrErr);
  CHECK_EQ(t, dut_get_alarm_valid_o(d), rise, "P6: alarm");
  if (a->fail != None)
    r.log[bad].sts |= Failed, r.failures += rise;
  else if (a->fail_ptr != None)
    r.log[bad].sts |= PtrErr;
}

// Returns whether the reservation was made; the longest that could be, if a.look says of which log.
static unsigned one_cycle(tb *t, dut *d, act a) {
  uint64_t open = 0, closing = 0, pad = 0;
  if (a.close != None) r.log[a.close].closing = true;
  for (unsigned i = 0; i < Logs; i++) open |= (uint64_t)r.log[i].open << i, closing |= (uint64_t)r.log[i].closing << i;
  drawn x = draw(t, &a);
  tick(t, d, &x);
  if (a.open != None) a.we = true, a.addr = 0x2008 + 64ULL * (unsigned)a.open;  // in the table
  a.busy |= a.we;
  a.stop |= a.fail != None || a.fail_ptr != None;
  set_inputs(t, d, &a, &x, open, closing);

  check_registers(t, d, a.addr);
  check_queries(t, d, x.query);
  unsigned most = a.look != None ? longest_here(t, d, x.who) : 0;
  bool commit = r.log[x.who].open && r.read && check_reserve(t, d, x.who, a.bytes, &pad) && x.want;
  unsigned slot = (unsigned)dut_get_rsv_id_o(d) & 31;
  dut_set_rsv_take_i(d, r.took);
  dut_eval(d);

  uint64_t ready = dut_get_done_ready_o(d);
  check_done(t, d, &a, &x);
  check_publish(t, d, &a);
  check_end_of_log(t, d, a.off_ready);
  for (unsigned k = 0; k < 2; k++)
    if (x.dones & ready & 1u << k) x.end[k]->done = true;
  if (commit) {
    *nth(x.who, r.log[x.who].count++) = (entry){slot, a.bytes + (unsigned)pad, false};
    r.log[x.who].rsvd += a.bytes + (unsigned)pad;
    r.pads += pad != 0;
  }
  if (a.lost != None) r.log[x.who].sts |= 2;
  check_alarm(t, d, &a, x.bad);
  if (a.abort != None) r.log[a.abort].sts |= 4;
  check_write(t, d, &a);
  if (a.open != None) {
    r.log[a.open].open = true;
    r.log[a.open].rsvd = r.log[a.open].prod = r.log[a.open].cons = r.log[a.open].sts = 0;
  }
  r.opened = a.open;
  return a.look != None ? most : commit;
}

static act idle(void);
static unsigned cycle(tb *t, dut *d, act a) {  // the same; what is written has been on the bus for a cycle
  act bus = idle();
  bus.addr = a.addr, bus.data = a.data, bus.strb = a.strb, bus.busy = true;
  if (a.open != None) bus.addr = 0x2008 + 64ULL * (unsigned)a.open;
  if (!a.we && a.open == None) return one_cycle(t, d, a);
  for (unsigned k = 0; k < 2; k++)  // positions count from the oldest, which may be published meanwhile
    if (a.done[k] != None) a.pos[k] += r.log[a.done[k]].head;
  one_cycle(t, d, bus);
  for (unsigned k = 0; k < 2; k++)
    if (a.done[k] != None) a.pos[k] -= r.log[a.done[k]].head;
  return one_cycle(t, d, a);
}

// ---- one thing a cycle ----------------------------------------------------------------------------------------------
static act idle(void) {
  return (act){.look = None,
               .rsv = None,
               .ask = None,
               .close = None,
               .open = None,
               .lost = None,
               .abort = None,
               .fail = None,
               .fail_ptr = None,
               .done = {None, None},
               .bytes = 16};
}
static void wait(tb *t, dut *d, unsigned n) {
  while (n--) cycle(t, d, idle());
}
static void reserve(tb *t, dut *d, unsigned n, unsigned bytes) {
  act a = idle();
  a.rsv = (int)n, a.bytes = bytes;
  CHECK(t, cycle(t, d, a), "log %u reserves %u bytes", n, bytes);
}
static void finish(tb *t, dut *d, unsigned n, unsigned pos) {
  act a = idle();
  a.done[pos & 1] = (int)n, a.pos[pos & 1] = pos;
  cycle(t, d, a);
}
static void set(tb *t, dut *d, uint64_t addr, uint64_t data) {
  act a = idle();
  a.we = true, a.addr = addr, a.data = data, a.strb = 0xff;
  cycle(t, d, a);
}
static uint64_t get(tb *t, dut *d, uint64_t addr) {
  act a = idle();
  a.addr = addr;
  cycle(t, d, a);
  cycle(t, d, a);  // what is read belongs to the address of the cycle before
  return dut_get_rb_rdata_o(d);
}
static void drain(tb *t, dut *d, unsigned n) {  // everything of log n is done
  for (unsigned i = 0; i < r.log[n].count; i++)
    if (!nth(n, i)->done) finish(t, d, n, i--);
}
static void shut(tb *t, dut *d, unsigned n) {  // and published, and the log gone
  drain(t, d, n);
  act a = idle();
  a.off_ready = true, a.close = (int)n;
  while (r.log[n].open && r.log[n].over < 100) cycle(t, d, a);
}
static void open(tb *t, dut *d, unsigned n, unsigned size) {
  if (r.log[n].open) shut(t, d, n);
  r.log[n].size = size;
  r.log[n].base = rnd_bits(t, 48) >> size << size;
  act a = idle();
  a.open = (int)n;
  cycle(t, d, a);
  wait(t, d, 1);
}
static void fill(tb *t, dut *d, unsigned n, unsigned bytes) {  // reserves, writes, publishes
  reserve(t, d, n, bytes);
  finish(t, d, n, r.log[n].count - 1);
  wait(t, d, 3);
}
static unsigned longest(tb *t, dut *d, unsigned n) {  // takes a cycle
  act a = idle();
  a.look = (int)n;
  return cycle(t, d, a);
}

// ---- scenarios ------------------------------------------------------------------------------------------------------
static void exactly_full(tb *t, dut *d) {
  unsigned n = Logs - 1;
  open(t, d, n, 6);
  CHECK_EQ(t, longest(t, d, n), 64, "an empty ring takes 64 bytes");
  fill(t, d, n, 64);
  CHECK_EQ(t, longest(t, d, n), 0, "a full one nothing");
  set(t, d, page(n, LpCons), 16);
  CHECK_EQ(t, longest(t, d, n), 16, "16 bytes are read, 16 fit");
  fill(t, d, n, 16);
  CHECK_EQ(t, longest(t, d, n), 0, "full again, in the next lap");
  set(t, d, page(n, LpCons), 48);
  CHECK_EQ(t, longest(t, d, n), 32, "32 bytes between 80 and 112");
  set(t, d, page(n, LpCons), 80);
  CHECK_EQ(t, longest(t, d, n), 48, "empty: 48 bytes to the end, and what needs a pad does not fit before it");
  for (unsigned size = 6; size <= 30; size++) {  // every ring, the longest entry that fits and others
    open(t, d, n, size);
    for (unsigned i = 0; i < 24; i++) {
      unsigned most = longest(t, d, n), bytes = rnd_chance(t, 50) ? most : 16 + 16 * (unsigned)rnd_below(t, 257);
      uint64_t pad;
      bool never;
      if (room(n, bytes, &pad, &never) && most) fill(t, d, n, bytes);
      if (rnd_chance(t, 60)) set(t, d, page(n, LpCons), r.log[n].cons + 16 * rnd_below(t, left(n) / 16 + 1));
    }
  }
}

static void pad_at_the_end(tb *t, dut *d) {  // LOG-3
  unsigned n = 0;
  open(t, d, n, 7);
  fill(t, d, n, 96);
  set(t, d, page(n, LpCons), 96);
  CHECK_EQ(t, longest(t, d, n), 96, "32 bytes of pad and 96 from the base on are all of the ring");
  fill(t, d, n, 48);  // at 96: 32 bytes of pad, then 48 at the base, one slot, one publish
  CHECK_EQ(t, get(t, d, page(n, LpRsvd)), 96 + 32 + 48, "LP_RSVD");
  CHECK_EQ(t, get(t, d, page(n, LpProd)), 96 + 32 + 48, "LP_PROD");
  CHECK_EQ(t, longest(t, d, n), 48, "from 48 to the reader at 96");
  set(t, d, page(n, LpCons), 176);
  fill(t, d, n, 80);  // up to the very end: no pad
  CHECK_EQ(t, get(t, d, page(n, LpProd)), 256, "LP_PROD at the end of the second lap");
}

static void slots(tb *t, dut *d) {
  unsigned n = Logs / 2;
  open(t, d, n, 13);
  for (unsigned lap = 0; lap < 3; lap++) {
    for (unsigned i = r.log[n].count; i < Depth; i++) reserve(t, d, n, 16);
    CHECK_EQ(t, longest(t, d, n), 0, "no slot is free, the ring nearly empty");
    finish(t, d, n, 0);
    for (unsigned i = 0; i < 2; i++)
      CHECK_EQ(t, longest(t, d, n), 0, "%u cycles after done it is not published", i + 1);
    CHECK_EQ(t, longest(t, d, n), 4112, "the slot of what was published");
  }
}

static void publishing(tb *t, dut *d) {  // LOG-6
  unsigned n = 0, all = Depth < 8 ? Depth : 8;
  open(t, d, n, 12);
  uint32_t prod = 0;
  for (unsigned i = 0; i < all; i++) reserve(t, d, n, 16 + 16 * i);
  for (unsigned i = all; i-- > 1;) finish(t, d, n, i);
  wait(t, d, 4);
  CHECK_EQ(t, r.log[n].prod, 0, "P3: nothing goes before the oldest");
  if (Logs > 1) {
    open(t, d, Logs - 1, 6);
    fill(t, d, Logs - 1, 32);
    CHECK_EQ(t, r.log[Logs - 1].prod, 32, "P3: another log is not delayed");
  }
  finish(t, d, n, 0);
  wait(t, d, 1);
  CHECK_EQ(t, r.log[n].prod, 0, "one cycle after done");
  for (unsigned i = 0; i < all; i++) {
    wait(t, d, 1);
    prod += 16 + 16 * i;
    CHECK_EQ(t, r.log[n].prod, prod, "%u cycles after done: one publish a cycle", i + 2);
  }
  reserve(t, d, n, 16);
  finish(t, d, n, 0);
  set(t, d, 0x8, 0);  // on the bus in the first cycle after done, written in the second
  CHECK_EQ(t, r.log[n].prod, prod, "P3: a register write holds the publish");
  act a = idle();
  a.busy = true;
  cycle(t, d, a);
  CHECK_EQ(t, r.log[n].prod, prod, "P3: so does one that is on its way");
  wait(t, d, 1);
  CHECK_EQ(t, r.log[n].prod, prod + 16, "which comes right after it");
}

static void two_ends_at_once(tb *t, dut *d) {  // done_ready_o: both sides in turns
  unsigned taken[2] = {0, 0};
  if (Depth < 2) return;
  open(t, d, 0, 12);
  for (unsigned i = 0; i < 40; i++) {
    while (r.log[0].count < 2) reserve(t, d, 0, 16);
    act a = idle();
    a.done[0] = a.done[1] = 0, a.pos[0] = i & 1, a.pos[1] = ~i & 1;
    cycle(t, d, a);
    bool first = nth(0, a.pos[0])->done;
    taken[!first]++;
    finish(t, d, 0, first ? a.pos[1] : a.pos[0]);
    wait(t, d, 4);
    set(t, d, page(0, LpCons), r.log[0].prod);
  }
  CHECK(t, taken[0] > 10 && taken[1] > 10, "of 40 times side 0 went first %u times, side 1 %u times", taken[0],
        taken[1]);
}

static void consumers(tb *t, dut *d) {  // P4 (LOG-7)
  unsigned n = Logs - 1;
  open(t, d, n, 8);
  fill(t, d, n, 96);
  reserve(t, d, n, 32);
  static const uint32_t good[] = {0, 16, 16, 17, 64, 96, 96};
  for (unsigned i = 0; i < 7; i++) {
    uint32_t v = good[i], bad[] = {v - 1, v - 16, 97, 112, 128, v ^ 1u << 31, ~0u};
    set(t, d, page(n, LpCons), rnd(t) << 32 | v);
    CHECK_EQ(t, get(t, d, page(n, LpCons)), v, "LP_CONS");
    for (unsigned k = 0; k < 7; k++) {
      CHECK_EQ(t, get(t, d, page(n, LpSts)), 256, "LP_STS");
      set(t, d, page(n, LpCons), bad[k]);
      CHECK_EQ(t, get(t, d, page(n, LpSts)), 257, "BAD: %x after %x", bad[k], v);
      CHECK_EQ(t, get(t, d, page(n, LpCons)), v, "LP_CONS stays");
      set(t, d, page(n, LpSts), 1);
    }
    for (unsigned bit = 0; bit < 32; bit++) {  // beyond the producer, and before the consumer
      set(t, d, page(n, LpCons), 96 + (1u << bit));
      set(t, d, page(n, LpCons), v - (1u << bit));
    }
    CHECK_EQ(t, get(t, d, page(n, LpSts)), 257, "BAD");
    CHECK_EQ(t, get(t, d, page(n, LpCons)), v, "LP_CONS stays");
    set(t, d, page(n, LpSts), 1);
  }
  for (unsigned bits = 0; bits < 8; bits++) {  // LOST and ABORTED, cleared one by one; a write wins over what sets them
    act a = idle();
    a.lost = a.abort = (int)n;
    cycle(t, d, a);
    set(t, d, page(n, LpCons), 0);
    CHECK_EQ(t, get(t, d, page(n, LpSts)), 256 | 7, "all three");
    a.we = true, a.addr = page(n, LpSts), a.data = bits, a.strb = 0xfe;
    cycle(t, d, a);
    CHECK_EQ(t, get(t, d, page(n, LpSts)), 256 | 7, "not without strobe 0");
    a.strb = 1;
    cycle(t, d, a);
    CHECK_EQ(t, get(t, d, page(n, LpSts)), 256 | (7 & ~bits), "LP_STS after writing %u", bits);
  }
}

static void never_opened(tb *t, dut *d) {  // right after reset: LUT RAM holds anything
  for (unsigned n = 0; n < 32; n++) {
    for (unsigned reg = 0; reg < 64; reg += 8) CHECK_EQ(t, get(t, d, page(n, reg)), 0, "log %u, +%x", n, reg);
    set(t, d, page(n, LpCons), 0);
    CHECK_EQ(t, get(t, d, page(n, LpSts)), 0, "P4: the only consumer of log %u", n);
    set(t, d, page(n, LpCons), 16);
    CHECK_EQ(t, get(t, d, page(n, LpSts)), n < Logs, "P4: any other is refused");
    CHECK_EQ(t, get(t, d, page(n, LpCons)), 0, "P4: LP_CONS of log %u", n);
    for (unsigned bit = 0; bit < 32 && n < Logs && n < 3; bit++) set(t, d, page(n, LpCons), 1ULL << bit);
  }
}

static void tear_down(tb *t, dut *d) {  // P5 (LOG-9)
  for (unsigned n = 0; n < Logs; n++) {
    open(t, d, n, 9);
    reserve(t, d, n, 64);
    act a = idle();
    a.close = (int)n, a.off_ready = true;
    for (unsigned i = 0; i < 2 * Logs; i++) cycle(t, d, a);
    CHECK(t, r.log[n].open, "P5: log %u has an entry that is not written", n);
    finish(t, d, n, 0);
    a.off_ready = false;
    for (unsigned i = 0; i < Logs + 4; i++) cycle(t, d, a);
    CHECK_EQ(t, dut_get_off_valid_o(d) << 5 | dut_get_off_log_o(d), 32 | n, "P5: it waits to be taken");
    a.off_ready = true, a.open = (int)n;  // opened in the cycle in which it ends: all begins at 0
    cycle(t, d, a);
    r.log[n].size = 6;  // the new entry of the table
    CHECK_EQ(t, get(t, d, page(n, LpRsvd)) | get(t, d, page(n, LpProd)) | get(t, d, page(n, LpCons)), 0, "log %u", n);
    CHECK_EQ(t, longest(t, d, n), 64, "a new ring");
    shut(t, d, n);
  }
}

static void all_end(tb *t, dut *d) {  // one a cycle, once they are taken
  for (unsigned n = 0; n < Logs; n++) open(t, d, n, 6);
  act a = idle();
  for (unsigned n = 0; n < Logs; n++) {
    a.close = (int)n;
    cycle(t, d, a);
  }
  wait(t, d, Logs);
  a = idle(), a.off_ready = true;
  for (unsigned i = 0; i < Logs; i++) cycle(t, d, a);
  for (unsigned n = 0; n < Logs; n++) CHECK(t, !r.log[n].open, "P5: log %u does not end", n);
}

// P6 (ERR-2): entries before and behind, done and not: nothing is published, every slot comes free, and the log ends.
static void stopped(tb *t, dut *d) {
  for (unsigned n = 0; n < Logs; n++) {
    open(t, d, n, 12);
    fill(t, d, n, 48);
    for (unsigned i = 0; i < Depth; i++) reserve(t, d, n, 32);
    act a = idle();
    a.stop = true;
    finish(t, d, n, 0);
    for (unsigned i = 0; i < 5; i++) cycle(t, d, a);
    CHECK_EQ(t, r.log[n].prod, 48, "P6: nothing is published while an error is being recorded");
    a.fail = (int)n;
    cycle(t, d, a);
    wait(t, d, 3);
    CHECK_EQ(t, get(t, d, page(n, LpProd)), 48, "P6: LP_PROD");
    CHECK_EQ(t, get(t, d, page(n, LpSts)), 256 | Failed, "P6: LP_STS");
    CHECK_EQ(t, longest(t, d, n), 0, "P6: nothing fits");
    set(t, d, page(n, LpSts), ~0ULL);
    CHECK_EQ(t, get(t, d, page(n, LpSts)), 256 | Failed, "P6: it cannot be wiped away");
    set(t, d, page(n, LpCons), 48);
    CHECK_EQ(t, get(t, d, page(n, LpCons)), 48, "what was published can be read");
    a = idle();
    a.fail_ptr = (int)n;
    cycle(t, d, a);
    CHECK_EQ(t, get(t, d, page(n, LpSts)), 256 | Failed | PtrErr, "its pointer");
    set(t, d, page(n, LpSts), PtrErr);
    CHECK_EQ(t, get(t, d, page(n, LpSts)), 256 | Failed, "can be wiped away");
    shut(t, d, n);
    CHECK_EQ(t, get(t, d, page(n, LpSts)), Failed, "still");
    CHECK_EQ(t, get(t, d, page(n, LpProd)), 48, "P6: LP_PROD");
    open(t, d, n, 6);
    CHECK_EQ(t, get(t, d, page(n, LpSts)), 256, "P6: opened anew");
    CHECK_EQ(t, longest(t, d, n), 64, "a new ring");
    shut(t, d, n);
  }
}

static void past_32_bits(tb *t, dut *d) {  // LOG-1: the pointers run free: 4 GiB in entries of 4 KiB, one a cycle
  unsigned n = 0;
  if (Depth < 8) return;
  open(t, d, n, 30);
  uint64_t total = 0, cycles = 0;
  while (total < (1ULL << 32) + 65536 && !t->failures) {
    act a = idle();
    a.rsv = (int)n, a.bytes = 4096;
    if (r.log[n].count && !nth(n, r.log[n].count - 1)->done) a.done[0] = (int)n, a.pos[0] = r.log[n].count - 1;
    if (++cycles % 100000 == 0) a.we = true, a.addr = page(n, LpCons), a.data = r.log[n].prod, a.strb = 15;
    total += 4096 * cycle(t, d, a);
  }
  CHECK(t, cycles < total / 4096 + 100, "rate: %u entries in %u cycles", (unsigned)(total / 4096), (unsigned)cycles);
  shut(t, d, n);
}

// Two laps of a ring, with entries of all lengths, a reader that is now close behind and now far.
static void laps(tb *t, dut *d, unsigned size) {
  unsigned n = (unsigned)rnd_below(t, Logs), most = size < 13 ? 1u << size : 4112;
  open(t, d, n, size);
  bool close = true;
  for (unsigned i = 0; i < 4000 && (r.log[n].rsvd >> size) < 2; i++) {
    act a = idle();
    a.rsv = (int)n, a.addr = page(n, 8 * (unsigned)rnd_below(t, 4));
    a.bytes = rnd_chance(t, 80) ? most : 16 + 16 * (unsigned)rnd_below(t, most / 16);
    if (rnd_chance(t, 30)) a.bytes = edge(t, n);
    if (r.log[n].count && !nth(n, r.log[n].count - 1)->done) a.done[0] = (int)n, a.pos[0] = r.log[n].count - 1;
    close = rnd_chance(t, 2) ? !close : close;
    uint64_t free = ring(n) - (r.log[n].rsvd - r.log[n].cons);
    if (rnd_chance(t, 10) && (close || free < 2 * most)) {
      a.we = true, a.addr = page(n, LpCons), a.strb = 15;
      a.data = close ? r.log[n].prod : r.log[n].cons + 16 * rnd_below(t, left(n) / 16 + 1);
    }
    cycle(t, d, a);
  }
}

// One reservation and one end of an entry, of the logs below `logs` in turns, but of none that has no slot.
static act haul(unsigned turn, unsigned logs) {
  act a = idle();
  unsigned n = turn % logs, ends = 0;
  for (unsigned k = 0; k < logs && r.log[n].count == Depth; k++) n = k;
  a.rsv = (int)n, a.bytes = 4112;
  for (unsigned k = 0; k < logs && ends < 2; k++)
    for (unsigned pos = 0; pos < r.log[k].count; pos++)
      if (!nth(k, pos)->done) {
        a.done[ends] = (int)k, a.pos[ends++] = pos;
        break;
      }
  return a;
}

// A reader far behind in log 0; one in log 1 that the writer catches up with, and that stays close before it for a
// while. Log 2 has but to come to its end. Returns whether the consumer pointer is written.
static bool far_reader(tb *t, act *a, unsigned *close) {
  uint64_t free = ring(1) - (uint32_t)(r.log[1].rsvd - r.log[1].cons);
  if (a->rsv == 1 && free < 16384 && rnd_chance(t, 60)) a->bytes = edge(t, 1);
  a->strb = 15;
  if (free < 4112 && left(1) >= 4112 && rnd_chance(t, 20)) {
    a->addr = page(1, LpCons);
    if (!r.log[1].cons)
      a->data = (93u << 20) + 16 * rnd_below(t, 65536);
    else
      a->data = ++*close < 400 ? r.log[1].cons + 16 + 16 * rnd_below(t, 300) : r.log[1].prod;
    a->we = true;
  } else if (ring(2) - (r.log[2].rsvd - r.log[2].cons) < 4112 && left(2) >= 4112) {
    a->addr = page(2, LpCons), a->data = r.log[2].prod, a->we = true;
  } else if (rnd_below(t, 2000) == 0) {
    a->addr = page(0, LpCons), a->data = r.log[0].cons + left(0) / 128 * 16, a->we = true;
  }
  return a->we;
}

// Pointers past 2^29, in rings that are longer and shorter.
static void far(tb *t, dut *d) {
  unsigned close = 0, cycles = 0, size[] = {30, 28, 27};
  if (Logs < 3 || Depth < 2 || Depth >= 8) return;  // past_32_bits does more
  for (unsigned n = 0; n < 3; n++) open(t, d, n, size[n]);
  while ((r.log[0].rsvd >> 29 == 0 || r.log[1].rsvd < (1u << 29) + 65536) && cycles++ < 500000 && !t->failures) {
    act a = haul(cycles, r.log[2].rsvd < (1u << 27) + 65536 ? 3 : 2);
    a.addr = page((unsigned)rnd_below(t, 3), 8 * (unsigned)rnd_below(t, 4));
    if (far_reader(t, &a, &close) && rnd_chance(t, 50)) a.ask = (int)(a.addr >> 12) - 16, a.rsv = None;
    cycle(t, d, a);
    if (a.ask == None) continue;
    a = idle(), a.ask = r.who;
    cycle(t, d, a);
  }
  CHECK(t, r.log[0].rsvd >> 29 && r.log[1].rsvd >> 29 && close > 300, "%u cycles are too few", cycles);
  for (unsigned n = 0; n < 3; n++) {
    drain(t, d, n);
    wait(t, d, 3);
    for (unsigned i = 0; i < 20; i++) {
      set(t, d, page(n, LpCons), r.log[n].prod + 16);
      set(t, d, page(n, LpCons), r.log[n].prod);
      fill(t, d, n, 16 + 16 * (unsigned)rnd_below(t, 257));
    }
    shut(t, d, n);
  }
}

static void restart(dut *d) {
  dut_set_rb_i(d, reg_bus_of(0, false, 0, 0).words);
  dut_set_rb_busy_i(d, 0);
  dut_set_open_i(d, 0);
  dut_set_closing_i(d, 0);
  dut_set_open_event_valid_i(d, 0);
  dut_set_next_i(d, 0);
  dut_set_rsv_units_i(d, 0);
  dut_set_rsv_take_i(d, 0);
  dut_set_lost_i(d, 0);
  dut_set_done_valid_i(d, 0);
  dut_set_abort_valid_i(d, 0);
  dut_set_stop_i(d, 0);
  dut_set_fail_entry_valid_i(d, 0);
  dut_set_fail_ptr_valid_i(d, 0);
  dut_reset(d, 2);
  memset(r.log, 0, sizeof r.log);
  r.opened = r.who = r.passed = r.held[0].log = r.held[1].log = None;
  r.read = r.took = false;
  r.was = 0;
}

static void at_random(tb *t, dut *d, unsigned rsv, unsigned done, unsigned regs, unsigned ends) {
  act a = idle();
  unsigned n = (unsigned)rnd_below(t, Logs), m = (unsigned)rnd_below(t, Logs);
  a.off_ready = rnd_chance(t, 50);
  a.bytes = 16 + 16 * (unsigned)rnd_below(t, rnd_chance(t, 80) ? 5 : 257);
  if (r.log[n].open && rnd_chance(t, 30)) a.bytes = edge(t, n);
  if (rnd_chance(t, rsv)) a.rsv = (int)n;
  if (r.who != None && rnd_chance(t, 50)) a.ask = r.who;
  if (rnd_below(t, 1000) < ends && r.log[m].open) a.close = (int)m;
  for (unsigned k = 0; k < 2; k++)  // what was not taken stays
    if (r.held[k].log != None) a.done[k] = r.held[k].log, a.pos[k] = r.held[k].at - r.log[a.done[k]].head;
  for (unsigned k = 0; k < 2; k++) {
    if (a.done[k] != None) continue;
    unsigned l = (unsigned)rnd_below(t, Logs), pos = r.log[l].count ? (unsigned)rnd_below(t, r.log[l].count) : 0;
    if (!rnd_chance(t, done) || !r.log[l].count || nth(l, pos)->done) continue;
    if (a.done[!k] == (int)l && a.pos[!k] == pos) continue;
    a.done[k] = (int)l, a.pos[k] = pos;
  }
  if (rnd_chance(t, 2)) a.lost = (int)n;
  if (rnd_chance(t, 2)) a.abort = (int)m;
  a.stop = rnd_chance(t, 3);
  if (rnd_below(t, 400) == 0 && r.log[n].open) a.fail = (int)n;
  if (rnd_chance(t, 1) && r.log[m].open) a.fail_ptr = (int)m;
  static const unsigned reg[] = {LpProd, LpCons, LpCons, LpCons, LpRsvd, LpSts, 0x20, 0x800};
  unsigned l = (unsigned)rnd_below(t, Logs);
  a.addr = page(rnd_chance(t, 95) ? l : (unsigned)rnd_below(t, 48), reg[rnd_below(t, 8)]);
  a.we = rnd_chance(t, regs), a.busy = rnd_chance(t, regs / 4),
  a.strb = rnd_chance(t, 80) ? 15 : (unsigned)rnd_bits(t, 8);
  a.data = rnd_chance(t, 50) ? r.log[l].prod : r.log[l].cons - 16 + 16 * rnd_below(t, left(l) / 16 + 3);
  if (rnd_chance(t, 10)) a.data = r.log[l].prod + (1u << rnd_below(t, 32));
  if ((a.addr & 0xfff) == LpSts) a.data = rnd(t);
  if (!r.log[m].open && rnd_chance(t, 20)) {
    a.open = (int)m, a.close = None;
    if (rnd_chance(t, 50)) a.ask = (int)m, a.rsv = None;
    if (rnd_chance(t, 30)) a.lost = a.abort = (int)m, a.rsv = None;  // what is told of the log before
    r.log[m].size = 6 + (unsigned)rnd_below(t, rnd_chance(t, 80) ? 8 : 25);
    r.log[m].base = rnd_bits(t, 48) >> r.log[m].size << r.log[m].size;
  }
  cycle(t, d, a);
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_log_ptr", 40000);
  dut *d = dut_begin(&t);
  restart(d);
  never_opened(&t, d);
  pad_at_the_end(&t, d);
  exactly_full(&t, d);
  slots(&t, d);
  publishing(&t, d);
  two_ends_at_once(&t, d);
  consumers(&t, d);
  tear_down(&t, d);
  all_end(&t, d);
  stopped(&t, d);
  past_32_bits(&t, d);
  for (unsigned size = 6; size <= 23; size++) laps(&t, d, size);
  far(&t, d);
  for (uint64_t end = dut_cycle(d) + t.cycles; dut_cycle(d) < end;) {
    unsigned rsv = (unsigned)rnd_below(&t, 101), done = 1 + (unsigned)rnd_below(&t, 100),
             regs = (unsigned)rnd_below(&t, 80);
    unsigned ends = (unsigned)rnd_below(&t, 20);
    for (unsigned i = 0; i < 500; i++) at_random(&t, d, rsv, done, regs, ends);
    if (rnd_chance(&t, 10)) restart(d);
  }
  CHECK(&t,
        r.pads > 10 && r.nevers > 10 && r.refused > 10 && r.offs > 10 && r.published > 1000 && r.failures > 5 &&
            r.dead > 5,
        "%u pads, %u never, %u refused, %u ends, %u published, %u stopped, %u entries lost to it", r.pads, r.nevers,
        r.refused, r.offs, r.published, r.failures, r.dead);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
