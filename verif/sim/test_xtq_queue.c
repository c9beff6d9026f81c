// SPDX-License-Identifier: Apache-2.0
// xtq_queue against queues in a memory that rivals and an agent work on as well. Every request leaves a list of what
// was read and of which CAS did what; the specification, played over that list, says what the answer must be and that
// nothing else was asked. And no slot is given twice, or before the agent has left it. Each way to an index and to a
// refusal by itself, then many queues at random, and resets in the middle.
// Rules of rtl/xtq/README.md: ENQ-2, ENQ-3, ENQ-4.
// config: default -GPlaces=6
// config: one -GPlaces=1
// config: two -GPlaces=2
// netlist: two
#include <string.h>

#include "aa_fields.h"
#include "tb.h"
#include "xtq_queue_tb.h"

enum { PLACES = P_Places, WRITE = 56, READ = 128, TRIES = 16, OPS = 2 + TRIES + 1 };

typedef struct queue {
  uint64_t write, read;  // in memory
  bool multi, known;
  unsigned size;
  uint64_t next, seen;  // NIC-owned, while known
  uint64_t end;         // one more than the last index that anybody got
  uint64_t block, rid;  // where memory has them, and as whom they are read
} queue;

typedef struct op {
  unsigned at;
  bool cas, err, won;
  uint64_t compare, value;
} op;

static queue queues[PLACES];
static op ops[OPS + 1];
static unsigned count;
static bool waiting;  // the last of ops has no answer yet
static unsigned delay, ready_pct = 100, fail_pct, quiet_pct = 100, agent_pct, rival_pct;
static unsigned steal;    // so many CAS in a row come too late
static int fail_at = -1;  // this op of the next request fails
static uint64_t given, fulls, lost, errors;
static unsigned here;  // the place that asks
static bool asking;    // its answer is due

static bool space(uint64_t w, uint64_t r, unsigned size) { return (w - r) >> size == 0; }

// Memory does what the last op asks for, and says what was there.
static void serve(tb *t, queue *q, op *o) {
  if (o->cas && steal) {
    steal--;
    q->write++;
  }
  o->value = o->at == READ ? q->read : q->write;
  o->won = o->cas && !o->err && o->value == o->compare;
  if (o->won) {
    CHECK(t, space(q->write, q->read, q->size), "P1: the slot is not free");
    CHECK(t, (int64_t)(q->write - q->end) >= 0, "somebody else has the slot");
    q->end = ++q->write;
  }
  lost += o->cas && !o->won;
}

static void asked(tb *t, dut *d) {
  uint32_t rd[(NIC_DMA_T_W + 31) / 32];
  dut_get_rd_o(d, rd);
  uint64_t at = bits_get(rd, NIC_DMA_T_VA_LSB, 64) - queues[here].block;
  const uint64_t what = bits_get(rd, NIC_DMA_T_OP_LSB, NIC_DMA_T_OP_W);
  op o = {.at = (unsigned)at, .cas = what == NIC_K_DmaCas};
  CHECK(t, asking && !waiting && count < OPS, "P4: for a request, one at a time, and not for ever");
  CHECK(t, at == READ || at == WRITE, "address: %llx behind the block", (unsigned long long)at);
  CHECK(t, o.cas ? at == WRITE : what == NIC_K_DmaRead, "operation %u", (unsigned)what);
  CHECK_EQ(t, bits_get(rd, NIC_DMA_T_LEN_LSB, NIC_DMA_T_LEN_W), 8, "length");
  CHECK_EQ(t, bits_get(rd, NIC_DMA_T_SRC_LSB, 8), NIC_K_SrcQueue, "source");
  CHECK_EQ(t, bits_get(rd, NIC_DMA_T_RID_LSB, 16), queues[here].rid, "requester id");
  if (o.at == WRITE && !o.cas) CHECK(t, dut_get_quiet_i(d), "P3: write index is read while writes are under way");
  o.compare = bits_get(rd, NIC_DMA_T_COMPARE_LSB, 64);
  if (o.cas) CHECK_EQ(t, bits_get(rd, NIC_DMA_T_SWAP_LSB, 64), o.compare + 1, "P2: CAS to one more");
  o.err = rnd_chance(t, fail_pct) || fail_at == (int)count;
  delay = (unsigned)rnd_below(t, 6);
  waiting = true;
  if (count < OPS) ops[count++] = o;
}

static void cycle(tb *t, dut *d) {
  uint32_t item[(NIC_BYTES_T_W + 31) / 32];
  bool answer = waiting && !delay;
  if (delay) delay--;
  rnd_words(t, item, NIC_BYTES_T_W);  // also when there is none
  if (answer) {
    serve(t, &queues[here], &ops[count - 1]);
    bits_set(item, NIC_BYTES_T_LAST_LSB, 1, 1);
    bits_set(item, NIC_BYTES_T_ERR_LSB, 1, ops[count - 1].err);
    bits_set(item, NIC_BYTES_T_BYTES_LSB, NIC_BYTES_T_BYTES_W, 8);
    bits_set(item, NIC_BYTES_T_DATA_LSB, 64, ops[count - 1].err ? rnd(t) : ops[count - 1].value);
  }
  dut_set_rdata_valid_i(d, answer);
  dut_set_rdata_i(d, item);
  dut_set_rd_ready_i(d, rnd_chance(t, ready_pct));
  dut_set_quiet_i(d, rnd_chance(t, quiet_pct));
  dut_eval(d);
  if (answer) {
    CHECK(t, dut_get_rdata_ready_o(d), "an answer is taken at once");
    waiting = false;
  }
  if (dut_get_rd_valid_o(d) && dut_get_rd_ready_i(d)) asked(t, d);
  CHECK(t, asking || !dut_get_rsp_valid_o(d), "P4: an answer to nothing");
  CHECK(t, !asking || dut_get_rsp_valid_o(d) || !dut_get_req_ready_o(d), "P4: no other request before the answer");
  if (dut_get_rsp_valid_o(d)) asking = false;
  dut_tick(d);
  for (unsigned p = 0; p < PLACES; p++) {
    queue *q = &queues[p];
    uint64_t end = q->multi || !q->known ? q->write : q->next;
    if (rnd_chance(t, agent_pct) && q->read != end) q->read++;
    if (q->multi && rnd_chance(t, rival_pct) && space(q->write, q->read, q->size)) q->end = ++q->write;
  }
}

// The specification, played over what memory has said. Returns the reason, and how many of the ops it needed.
static unsigned play(queue *q, uint64_t *index, unsigned *used) {
  unsigned n = 0, why = NIC_K_WhyQueueFull;
  uint64_t r = q->seen, w = q->next;
  bool both = !q->multi && q->known;
  if (both && space(w, r, q->size)) goto own;
  if (ops[n].at != READ) goto out;
  if (ops[n++].err) goto table;
  r = ops[n - 1].value;
  if (!both) {
    if (ops[n].at != WRITE || ops[n].cas) goto out;
    if (ops[n++].err) goto table;
    w = ops[n - 1].value;
  }
  if (q->multi) {
    for (unsigned i = 0; i < TRIES && space(w, r, q->size); i++) {
      const op *o = &ops[n++];
      if (o->err) goto table;
      if (!o->cas || o->compare != w) goto out;
      if (o->won) {
        why = NIC_K_WhyNone, *index = w;
        goto out;
      }
      w = o->value;
    }
    goto out;
  }
own:
  q->known = true, q->next = w, q->seen = r;
  if (space(w, r, q->size)) why = NIC_K_WhyNone, *index = q->next++;
  goto out;
table:
  why = NIC_K_WhyTable;
out:
  *used = n;
  return why;
}

static void request(tb *t, dut *d, unsigned p) {
  const queue *q = &queues[p];
  here = p, count = 0, waiting = false;
  memset(ops, 0, sizeof ops);
  dut_set_req_valid_i(d, 1);
  dut_set_req_place_i(d, p);
  dut_set_req_rid_i(d, q->rid);
  dut_set_req_block_i(d, q->block);
  dut_set_req_size_i(d, q->size);
  dut_set_req_multi_i(d, q->multi);
  dut_eval(d);
  CHECK(t, dut_get_req_ready_o(d), "ready after the last answer");
  cycle(t, d);
  asking = true;
  dut_set_req_valid_i(d, 0);
  dut_set_req_size_i(d, rnd(t)), dut_set_req_multi_i(d, rnd(t)), dut_set_req_place_i(d, 0);
  dut_set_req_rid_i(d, rnd(t)), dut_set_req_block_i(d, rnd(t));
}

static unsigned ask(tb *t, dut *d, unsigned p) {
  queue *q = &queues[p], before = *q;
  uint64_t index = 0;
  unsigned used = 0, cycles = 0;
  request(t, d, p);
  for (cycles = 1; dut_eval(d), !dut_get_rsp_valid_o(d) && cycles < 1000; cycles++) cycle(t, d);
  CHECK(t, dut_get_rsp_valid_o(d) && !waiting, "P4: an answer, when nothing is under way");
  unsigned why = (unsigned)dut_get_rsp_why_o(d), want = play(q, &index, &used);
  CHECK_EQ(t, why, want, "place %u: reason", p);
  CHECK_EQ(t, count, used, "place %u: what was asked of memory", p);
  if (want == NIC_K_WhyNone) {
    CHECK_EQ(t, dut_get_rsp_index_o(d), index, "place %u: index", p);
    if (!q->multi && before.known) CHECK_EQ(t, index, before.next, "P2: the next one");
    CHECK(t, (int64_t)(index - q->read) < 1ll << q->size, "P1: its slot is free");
    if (!used) CHECK_EQ(t, cycles, 2, "P5: latency");
  }
  cycle(t, d);  // the answer's own
  given += want == NIC_K_WhyNone, fulls += want == NIC_K_WhyQueueFull, errors += want == NIC_K_WhyTable;
  return why;
}

static void forget(tb *t, dut *d, unsigned p) {
  cycle(t, d);
  dut_set_forget_i(d, 1);
  dut_set_forget_place_i(d, p);
  cycle(t, d);
  dut_set_forget_i(d, 0);
  queue *q = &queues[p];
  if (q->known && !q->multi) q->write = q->next;  // MIRROR
  q->known = false;
}

static void begin(tb *t, dut *d, unsigned p, unsigned size, bool multi, uint64_t write, uint64_t read) {
  forget(t, d, p);
  queues[p] = (queue){.write = write, .read = read, .size = size, .multi = multi, .end = write};
  queues[p].block = rnd(t) & ~7ull, queues[p].rid = rnd_bits(t, 16);
}

// In the middle of a request, or when it is just over: there is no answer, and each place is as if new.
static void restart(tb *t, dut *d) {
  request(t, d, (unsigned)rnd_below(t, PLACES));
  for (unsigned n = (unsigned)rnd_below(t, rnd_chance(t, 50) ? 2 : 20); n && asking; n--) cycle(t, d);
  dut_set_rdata_valid_i(d, 0);
  dut_reset(d, 1);
  asking = waiting = false;
  for (unsigned p = 0; p < PLACES; p++) forget(t, d, p);
}

// Indices that are a power of two apart: full if the queue is no longer than that, whichever bit it is; when they are
// known as well.
static void each_distance(tb *t, dut *d, unsigned bit, unsigned size, bool multi) {
  unsigned p = PLACES - 1;
  uint64_t write = rnd(t);
  begin(t, d, p, size, multi, write, write - (1ull << bit));
  CHECK_EQ(t, ask(t, d, p), bit < size ? NIC_K_WhyNone : NIC_K_WhyQueueFull, "2^%u apart, 2^%u slots", bit, size);
  if (bit >= size) CHECK_EQ(t, ask(t, d, p), NIC_K_WhyQueueFull, "2^%u apart, 2^%u slots, known", bit, size);
}

static void scenarios(tb *t, dut *d) {
  unsigned p = PLACES - 1;
  queue *q = &queues[p];
  begin(t, d, p, 2, false, ~0ull - 1, ~0ull - 2);
  for (unsigned i = 0; i < 3; i++) CHECK_EQ(t, ask(t, d, p), NIC_K_WhyNone, "up to four, across the end of 64 bits");
  CHECK_EQ(t, ask(t, d, p), NIC_K_WhyQueueFull, "full, and memory says so too");
  q->read++;
  CHECK_EQ(t, ask(t, d, p), NIC_K_WhyNone, "the agent has consumed one");
  q->read = q->next;
  for (unsigned i = 0; i < 4; i++) CHECK_EQ(t, ask(t, d, p), NIC_K_WhyNone, "it has consumed all");
  fail_at = 0;
  CHECK_EQ(t, ask(t, d, p), NIC_K_WhyTable, "read_index cannot be read: the index stays");
  fail_at = -1;
  forget(t, d, p);
  CHECK_EQ(t, ask(t, d, p), NIC_K_WhyQueueFull, "begins anew with what memory says: full");
  begin(t, d, p, 0, false, 7, 7);
  CHECK_EQ(t, ask(t, d, p), NIC_K_WhyNone, "one slot");
  CHECK_EQ(t, ask(t, d, p), NIC_K_WhyQueueFull, "one slot");
  begin(t, d, p, 16, false, 1, 2);
  CHECK_EQ(t, ask(t, d, p), NIC_K_WhyQueueFull, "hostile case 34: read_index has passed the index");
  begin(t, d, p, 4, true, 18, 1);
  CHECK_EQ(t, ask(t, d, p), NIC_K_WhyQueueFull, "hostile case 34: write_index beyond read_index + size");
  for (int i = 0; i < 3; i++) {
    begin(t, d, p, 4, i > 1, 5, 5);
    fail_at = i;
    CHECK_EQ(t, ask(t, d, p), NIC_K_WhyTable, "op %d fails", i);
    fail_at = -1;
    CHECK_EQ(t, ask(t, d, p), NIC_K_WhyNone, "and works the next time");
  }
  begin(t, d, p, 5, true, ~0ull - 8, ~0ull - 8);
  for (unsigned i = 0; i < 32; i++) CHECK_EQ(t, ask(t, d, p), NIC_K_WhyNone, "multi-producer, %u", i);
  CHECK_EQ(t, ask(t, d, p), NIC_K_WhyQueueFull, "multi-producer: full");
  for (unsigned n = 1; n < 19; n++) {
    begin(t, d, p, 16, true, 100, 90);
    steal = n;
    CHECK_EQ(t, ask(t, d, p), n < TRIES ? NIC_K_WhyNone : NIC_K_WhyQueueFull, "another is faster %u times", n);
    steal = 0;
  }
  begin(t, d, p, 2, true, 3, 0);
  steal = 1;
  CHECK_EQ(t, ask(t, d, p), NIC_K_WhyQueueFull, "another takes the last slot");
  quiet_pct = 5;
  begin(t, d, p, 2, false, 3, 0);
  CHECK_EQ(t, ask(t, d, p), NIC_K_WhyNone, "waits until what was written has left");
  quiet_pct = 0;
  CHECK_EQ(t, ask(t, d, p), NIC_K_WhyQueueFull, "read_index does not wait");
  quiet_pct = 100;
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "xtq_queue", 80000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  for (unsigned p = 0; p < PLACES; p++) begin(&t, d, p, 2, false, 0, 0);
  scenarios(&t, d);
  for (unsigned bit = 0; bit < 64; bit++) {
    unsigned longest = bit < 31 ? bit : 31;
    each_distance(&t, d, bit, longest, false);
    each_distance(&t, d, bit, (unsigned)rnd_below(&t, longest + 1), false);
    each_distance(&t, d, bit, bit < 31 ? bit + 1 : 0, true);
    each_distance(&t, d, bit, 0, bit & 1);
  }
  while (dut_cycle(d) < t.cycles && !t.failures) {
    if (rnd_chance(&t, 5)) {
      ready_pct = rnd_chance(&t, 50) ? 100 : 20, quiet_pct = rnd_chance(&t, 50) ? 100 : 20;
      agent_pct = 2 + (unsigned)rnd_below(&t, 30), rival_pct = rnd_chance(&t, 50) ? 0 : (unsigned)rnd_below(&t, 20);
      fail_pct = rnd_chance(&t, 50) ? 10 : 0;
    }
    unsigned p = (unsigned)rnd_below(&t, PLACES);
    if (rnd_chance(&t, 4)) {
      uint64_t at = rnd_chance(&t, 50) ? rnd(&t) : ~0ull - rnd_below(&t, 40);
      begin(&t, d, p, (unsigned)rnd_below(&t, rnd_chance(&t, 70) ? 4 : 32), rnd_chance(&t, 50), at,
            at - rnd_below(&t, 4));
    } else if (rnd_chance(&t, 3)) {
      forget(&t, d, p);
    } else {
      ask(&t, d, p);
    }
    if (rnd_chance(&t, 20)) cycle(&t, d);
    if (rnd_below(&t, 60) == 0) restart(&t, d);
  }
  CHECK(&t, given > tb_least(&t, 1000) && fulls > 200 && lost > 100 && errors > 30,
        "%u given, %u full, %u CAS lost, %u errors", (unsigned)given, (unsigned)fulls, (unsigned)lost,
        (unsigned)errors);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
