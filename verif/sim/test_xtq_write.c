// SPDX-License-Identifier: Apache-2.0
// xtq_write against the list of writes that an order stands for: arguments and payload, body, header, write_index,
// doorbell, event. Random orders of every shape; beats, jobs, bytes and events that wait on both sides; then messages
// of the smallest kind back to back, one in 8 beats.
// Rules of rtl/xtq/README.md: ENQ-1.
// config: default
// config: narrow +define+TOCSIN_DATA_W=128
// config: wide +define+TOCSIN_DATA_W=512
// netlist: narrow
#include <string.h>

#include "aa_fields.h"
#include "tb.h"
#include "xtq_write_tb.h"

enum { BB = NIC_K_BeatBytes, Q = 1024, ORDER = (XTQ_ORDER_T_W + 31) / 32, BYTES = (NIC_BYTES_T_W + 31) / 32 };
enum { WIDEST = 20 };  // words of a port, at most
#define PUT(w, f, v) bits_set(w, XTQ_ORDER_T_##f##_LSB, XTQ_ORDER_T_##f##_W, v)

typedef struct item {
  uint8_t data[4096];
  unsigned n;
  bool last;  // of a packet
  uint64_t va, rid;
} item;
typedef struct event {
  uint64_t kind, status, qp, proc, word, len, bytes, addr;
  unsigned after;  // so many items come before it
} event;

static item want[Q];
static event events[Q];
static unsigned made, jobs, items, at, events_made, events_seen;
static unsigned pct = 100;
static bool deaf;       // no event is taken
static unsigned waits;  // what was offered in the cycle before and not taken: job, item, event, a bit each

// ---- an order, and what must come of it ----
static uint32_t order[ORDER];
static uint8_t beats[4096];  // what stands in the beat FIFO
static unsigned beats_n, beats_at;
static bool order_valid;

static item *add(uint64_t rid, uint64_t va, unsigned n) {
  item *i = &want[made++ % Q];
  *i = (item){.n = n, .va = va, .rid = rid};
  return i;
}

static void put64(uint8_t *to, uint64_t v) {
  for (unsigned i = 0; i < 8; i++) to[i] = (uint8_t)(v >> 8 * i);
}

static void make(tb *t, unsigned len, bool drop, bool enq, bool mirror, bool ev, unsigned swap, bool recv) {
  uint8_t packet[64];
  uint64_t rid = rnd_bits(t, 16), va = rnd(t), slot = rnd(t) & ~63ull, bell = rnd(t), block = rnd(t);
  uint64_t index = rnd_chance(t, 5) ? ~0ull : rnd(t), proc = rnd_bits(t, 4), qidx = rnd_bits(t, 16),
           qp = rnd_bits(t, 12);
  bool frame = !drop && rnd_chance(t, 70);
  rnd_words(t, order, XTQ_ORDER_T_W);
  PUT(order, RID, rid), PUT(order, FRAME, frame), PUT(order, BEATS, len > 0), PUT(order, DROP, drop),
      PUT(order, VA, va), PUT(order, LEN, len);
  PUT(order, SWAP, swap), PUT(order, ENQ, enq), PUT(order, SLOT, slot), PUT(order, DOORBELL, bell);
  PUT(order, INDEX, index), PUT(order, MIRROR, mirror), PUT(order, BLOCK, block), PUT(order, EVENT_ON, ev);
  PUT(order, PROC, proc), PUT(order, QIDX, qidx), PUT(order, QP, qp), PUT(order, RECV, recv);
  for (unsigned i = 0; i < 64; i++) packet[i] = (uint8_t)bits_get(order, XTQ_ORDER_T_PACKET_LSB + 8 * i, 8);
  for (unsigned i = 0; i < len; i++) beats[i] = (uint8_t)rnd(t);
  beats_n = len, beats_at = 0;
  if (len && !drop) {
    item *i = add(rid, va, len);
    memcpy(i->data, beats, len);
    for (unsigned k = 0; k < 16; k++)
      if (swap >> k / 8 & 1) i->data[k] = (uint8_t)bits_get(order, XTQ_ORDER_T_ARG_LSB + 8 * k, 8);
  }
  if (enq) {
    memcpy(add(rid, slot + 4, 60)->data, packet + 4, 60);
    memcpy(add(rid, slot, 4)->data, packet, 4);
    if (mirror) put64(add(rid, block + 56, 8)->data, index + 1);
    put64(add(rid, bell, 8)->data, index);
    if (ev)
      events[events_made++ % Q] =
          (event){.kind = NIC_K_EvTask, .qp = qp, .proc = proc, .word = qidx, .addr = index, .after = made};
  }
#define RCV(at, w) bits_get(order, XTQ_ORDER_T_PACKET_LSB + (at), w)
  if (recv)
    events[events_made++ % Q] = (event){.kind = NIC_K_EvRecv,
                                        .status = RCV(160, 8),
                                        .qp = qp,
                                        .proc = proc,
                                        .word = RCV(128, 32),
                                        .len = RCV(96, 32),
                                        .bytes = RCV(64, 32),
                                        .addr = RCV(0, 64),
                                        .after = made};
  if (frame && (len || enq)) want[(made - 1) % Q].last = true;
  order_valid = true;
}

static void give_beat(dut *d, bool show) {
  uint32_t b[BYTES] = {0};
  unsigned left = beats_n - beats_at, n = left < BB ? left : BB;
  bits_set(b, NIC_BYTES_T_LAST_LSB, 1, left <= BB);
  bits_set(b, NIC_BYTES_T_BYTES_LSB, NIC_BYTES_T_BYTES_W, n);
  for (unsigned i = 0; i < n; i++) bits_set(b, NIC_BYTES_T_DATA_LSB + 8 * i, 8, beats[beats_at + i]);
  dut_set_beat_i(d, b);
  dut_set_beat_valid_i(d, show);
}

// P5: what was offered in the cycle before and not taken is offered still, and is the same.
static void stays(tb *t, dut *d, unsigned ready) {
  static uint32_t was[3][WIDEST];
  static uint64_t was_last;
  uint32_t is[3][WIDEST] = {0};
  const unsigned widths[3] = {NIC_DMA_T_W, NIC_BYTES_T_W, NIC_EVENT_T_W};
  const char *const names[3] = {"job", "item", "event"};
  const unsigned valid =
      (unsigned)(dut_get_job_valid_o(d) | dut_get_pay_valid_o(d) << 1 | dut_get_event_valid_o(d) << 2);
  dut_get_job_o(d, is[0]), dut_get_pay_o(d, is[1]), dut_get_event_o(d, is[2]);
  for (unsigned i = 0; i < 3; i++) {
    if (!(waits >> i & 1)) continue;
    CHECK(t, valid >> i & 1, "P5: the %s that was offered is gone", names[i]);
    CHECK(t, words_eq(is[i], was[i], widths[i]), "P5: the %s that was offered is another one", names[i]);
    CHECK(t, i || dut_get_job_last_o(d) == was_last, "P5: whether a job that waits is the last");
  }
  waits = valid & ~ready;
  memcpy(was, is, sizeof was);
  was_last = dut_get_job_last_o(d);
}

static void cycle(tb *t, dut *d) {
  static bool shown;
  uint32_t job[(NIC_DMA_T_W + 31) / 32], b[BYTES], ev[(NIC_EVENT_T_W + 31) / 32];
  bool jr = rnd_chance(t, pct), pr = rnd_chance(t, pct), er = !deaf && (rnd_chance(t, pct / 4 + 1) || pct == 100);
  shown = beats_at < beats_n && (shown || rnd_chance(t, pct));
  give_beat(d, shown);
  dut_set_order_valid_i(d, order_valid);
  dut_set_order_i(d, order);
  dut_set_job_ready_i(d, jr);
  dut_set_pay_ready_i(d, pr);
  dut_set_event_ready_i(d, er);
  dut_eval(d);
  stays(t, d, (unsigned)jr | (unsigned)pr << 1 | (unsigned)er << 2);
  if (dut_get_job_valid_o(d) && jr) {
    const item *i = &want[jobs % Q];
    dut_get_job_o(d, job);
    CHECK(t, jobs < made, "P1: a job that nobody ordered");
    CHECK_EQ(t, bits_get(job, NIC_DMA_T_VA_LSB, 64), i->va, "P1: address of job %u", jobs);
    CHECK_EQ(t, bits_get(job, NIC_DMA_T_LEN_LSB, NIC_DMA_T_LEN_W), i->n, "P1: length of job %u", jobs);
    CHECK_EQ(t, dut_get_job_last_o(d), i->last, "P6: job %u is the last of its packet", jobs);
    CHECK_EQ(t, bits_get(job, NIC_DMA_T_RID_LSB, 16), i->rid, "requester id");
    CHECK_EQ(t, bits_get(job, NIC_DMA_T_SRC_LSB, 8), NIC_K_SrcTask, "source");
    jobs++;
  }
  if (dut_get_pay_valid_o(d) && pr) {
    const item *i = &want[items % Q];
    dut_get_pay_o(d, b);
    unsigned n = (unsigned)bits_get(b, NIC_BYTES_T_BYTES_LSB, NIC_BYTES_T_BYTES_W);
    bool last = bits_get(b, NIC_BYTES_T_LAST_LSB, 1);
    CHECK(t, items < made, "P2: an item that nobody ordered");
    CHECK_EQ(t, n, i->n - at < BB ? i->n - at : BB, "P2: bytes of a beat of item %u", items);
    CHECK_EQ(t, last, at + n == i->n, "P2: last of item %u", items);
    CHECK_EQ(t, bits_get(b, NIC_BYTES_T_ERR_LSB, 1), 0, "err");
    for (unsigned k = 0; k < n; k++)
      CHECK_EQ(t, bits_get(b, NIC_BYTES_T_DATA_LSB + 8 * k, 8), i->data[at + k], "item %u, byte %u", items, at + k);
    at = last ? 0 : at + n;
    items += last;
  }
  CHECK(t, jobs <= items + 1 && items <= jobs + 2, "P2: job %u, item %u", jobs, items);
  if (dut_get_event_valid_o(d) && er) {
    const event *e = &events[events_seen % Q];
    dut_get_event_o(d, ev);
    CHECK(t, events_seen < events_made && jobs >= e->after && items >= e->after,
          "P4: an event before its doorbell or its bytes");
    CHECK_EQ(t, bits_get(ev, NIC_EVENT_T_KIND_LSB, 8), e->kind, "event: kind");
    CHECK_EQ(t, bits_get(ev, NIC_EVENT_T_STATUS_LSB, 8), e->status, "event: status");
    CHECK_EQ(t, bits_get(ev, NIC_EVENT_T_LEN_LSB, 32), e->len, "event: length");
    CHECK_EQ(t, bits_get(ev, NIC_EVENT_T_BYTES_LSB, 32), e->bytes, "event: bytes");
    CHECK_EQ(t, bits_get(ev, NIC_EVENT_T_KEPT_LSB, 1), 1, "event: its place is kept");
    CHECK_EQ(t, bits_get(ev, NIC_EVENT_T_QP_LSB, NIC_EVENT_T_QP_W), e->qp, "event: QP");
    CHECK_EQ(t, bits_get(ev, NIC_EVENT_T_PROC_LSB, 4), e->proc, "event: process");
    CHECK_EQ(t, bits_get(ev, NIC_EVENT_T_WORD_LSB, 32), e->word, "event: queue");
    CHECK_EQ(t, bits_get(ev, NIC_EVENT_T_ADDR_LSB, 64), e->addr, "event: index");
    events_seen++;
  }
  if (shown && dut_get_beat_ready_o(d)) beats_at += BB, shown = false;
  if (order_valid && dut_get_order_ready_o(d)) order_valid = false;
  dut_tick(d);
}

static bool busy(void) { return order_valid || beats_at < beats_n; }

static void drain(tb *t, dut *d) {
  for (unsigned i = 0; i < 4000 && (busy() || events_seen != events_made || !dut_get_idle_o(d)); i++) cycle(t, d);
  for (unsigned i = 0; i < 4; i++) cycle(t, d);
  CHECK(t, jobs == made && items == made && events_seen == events_made, "P1: %u of %u jobs, %u items, %u of %u events",
        jobs, made, items, events_seen, events_made);
  CHECK(t, dut_get_idle_o(d), "P7: idle");
}

// A reset at any point of an order: nothing of it is left, and the next one begins at its beginning.
static void cut_short(tb *t, dut *d) {
  make(t, 1 + (unsigned)rnd_below(t, 200), false, true, rnd_chance(t, 50), true, 0, false);
  for (unsigned n = (unsigned)rnd_below(t, 30); n; n--) cycle(t, d);
  order_valid = false;
  beats_n = beats_at = made = jobs = items = at = events_made = events_seen = waits = 0;
  dut_set_order_valid_i(d, 0), dut_set_beat_valid_i(d, 0);
  dut_reset(d, 1);
  dut_eval(d);
  CHECK(t, dut_get_idle_o(d) && !dut_get_job_valid_o(d) && !dut_get_pay_valid_o(d) && !dut_get_event_valid_o(d),
        "idle after a reset");
  make(t, (unsigned)rnd_bits(t, 1) * 40, false, true, true, true, 3, false);
  drain(t, d);
}

// An event that nobody takes holds up orders that have one, and no others.
static void events_wait(tb *t, dut *d) {
  deaf = true;
  for (unsigned i = 0; i < 3; i++) {
    make(t, 40, false, true, true, i != 1, 0, false);
    for (unsigned n = 0; n < 40; n++) cycle(t, d);
    CHECK_EQ(t, jobs == made && items == made, i < 2, "all but the doorbell of an order whose event has no place");
  }
  deaf = false;
  drain(t, d);
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "xtq_write", 30000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);

  for (unsigned i = 0; i < 30; i++) cut_short(&t, d);

  events_wait(&t, d);

  // Every shape by itself.
  for (unsigned shape = 0; shape < 160; shape++) {
    unsigned len = shape & 1 ? 16 + (unsigned)rnd_below(&t, 200) : 0;
    bool recv = shape >= 128;  // no task then
    make(&t, len, shape >> 1 & 1, !recv && shape >> 2 & 1, shape >> 3 & 1, shape >> 4 & 1, recv ? 0 : shape >> 5, recv);
    drain(&t, d);
  }

  // Back to back: 16 bytes of arguments and 64 of payload, a packet, a doorbell. A beat is lost between two of them.
  uint64_t start = dut_cycle(d), least = (80 + BB - 1) / BB + (60 + BB - 1) / BB + 3;
  for (unsigned i = 0; i < 50; i++) {
    make(&t, 80, false, true, false, false, 3, false);
    while (busy()) cycle(&t, d);
  }
  drain(&t, d);
  CHECK(&t, dut_cycle(d) - start <= 50 * least + 12, "rate: %u cycles for 50 messages of %u beats",
        (unsigned)(dut_cycle(d) - start), (unsigned)least);

  while (dut_cycle(d) < t.cycles && !t.failures) {
    if (rnd_chance(&t, 2)) pct = rnd_chance(&t, 30) ? 100 : 20 + (unsigned)rnd_below(&t, 80);
    unsigned len = rnd_chance(&t, 30) ? 0 : 1 + (unsigned)rnd_below(&t, rnd_chance(&t, 90) ? 200 : 4096);
    bool recv = rnd_chance(&t, 25);
    make(&t, len, rnd_chance(&t, 20), !recv && rnd_chance(&t, 60), rnd_chance(&t, 40), rnd_chance(&t, 50),
         len >= 16 ? (unsigned)rnd_bits(&t, 2) : 0, recv);
    while (busy() && !t.failures) cycle(&t, d);
  }
  drain(&t, d);
  CHECK(&t, made > 500, "%u writes", made);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
