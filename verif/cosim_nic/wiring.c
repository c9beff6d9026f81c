// SPDX-License-Identifier: Apache-2.0
// Wiring, through the ports of xtq_nic alone: that each setting, place, end of a write and error reaches the block
// that it is for and no other. Nothing here knows of the blocks between, so it outlives any new cut of them.
// What belongs to a process is tried with two of them, of which the other one is in another state; lockstep compares
// all that the cases cause.
#include <string.h>

#include "directed.h"
#include "hw_tags.h"

enum { T = 3000, EVENT_QUEUE = 3, SMALL_RING = 0, TWO = 1, WIDE_RING = 7, TURN = 300, READ = 5, STUCK = 12 };

// Nothing is slow, but what a case holds up.
static void fast(stage *s) { s->n->dut->prof = dut_profile_fast; }

static uint64_t psn_of(stage *s, unsigned qp) { return qp == QP ? s->psn : s->other; }

static void one_more(stage *s, unsigned qp) {
  uint32_t *psn = qp == QP ? &s->psn : &s->other;
  *psn = (*psn + 1) & 0xffffff;
}

// An event ring of 2^size places, empty.
void event_ring(stage *s, unsigned p, unsigned size) {
  static const uint8_t none[32];
  uint32_t at = p * NIC_REG_EQ_BASE_STRIDE;
  node_write(s->n, NIC_REG_EQ_CTL + at, 0);
  for (unsigned k = 0; k < 1u << WIDE_RING; k++) node_poke(s->n, p, sw_va(p, SW_EQ + 32 * k), none, 32);
  node_write(s->n, NIC_REG_EQ_BASE + at, sw_va(p, SW_EQ));
  node_write(s->n, NIC_REG_EQ_CTL + at, NIC_EQ_CTL_EN_MASK | size);
  s->n->sw->p[p].eq_size = size;
  s->n->sw->p[p].seen = 0;
  settle(s);
}

static void drain(stage *s, unsigned p) {
  sw_event e;
  while (event_of(s, p, &e)) settle(s);
}

// ---- what asks for a place: an immediate, a task, a request of its own
static void immediate(stage *s, unsigned p, bool there) {
  nic_head h = to_qp(s, p, NIC_OP_WRITE_ONLY_IMM);
  h.psn = (uint32_t)psn_of(s, p);
  deliver(s, h, NULL, false);
  expect(s, "answers to an immediate", s->answers, 1);
  expect(s, "their syndrome", s->answer.syndrome, there ? NIC_SYN_ACK : NOT_READY);
  if (there) one_more(s, p);
}

static void task(stage *s, unsigned p, unsigned syndrome) {
  message m = good(s, KERNEL, 16, 8);
  m.h.qp = node_qpn(0) << 8 | p;
  m.h.psn = (uint32_t)psn_of(s, p);
  m.h.xtq_proc = (uint16_t)p;
  le_put(m.b + 48, 8, EVENT_QUEUE);
  deliver(s, m.h, m.b, false);
  expect(s, "answers to a task", s->answers, 1);
  expect(s, "their syndrome", s->answer.syndrome, syndrome);
  if (syndrome == NIC_SYN_ACK) one_more(s, p);
}

// The entry waits for its place; its frame is answered once it is there.
static void request(stage *s, unsigned p, bool there) {
  uint8_t b[64];
  uint32_t k = s->asked[p]++;
  entry e = {.op = SQ_WRITE, .flags = 1, .va1 = sw_va(p, SW_LOCAL), .len1 = 8, .remote = REGION, .rkey = SW_KEY};
  sw_entry_put(b, &e);
  node_poke(s->n, p, sw_va(p, SW_RING + 0x1000 * p) + 64 * (k & 15), b, 64);
  s->answers = 0;
  node_write(s->n, NIC_REG_QP_PROD + p * NIC_REG_QP_PROD_STRIDE, k + 1);
  node_settle(s->n);
  run_for(s, TURN);
  expect(s, "frames of a request", s->answers, there);
  if (!there) {
    drain(s, p);
    run_for(s, TURN);
    expect(s, "frames of a request that has got its place", s->answers, 1);
  }
  nic_head h = to_qp(s, p, NIC_OP_ACK);
  h.psn = k;
  h.syndrome = NIC_SYN_ACK;
  h.msn = k + 1;
  h.ack_req = false;
  deliver(s, h, NULL, false);
}

// A queue with events, a kernel and a buffer for each process.
static void tasks_of(stage *s, unsigned procs) {
  for (unsigned p = 0; p < procs; p++) {
    const uint64_t q[4] = {RING, DOORBELL, INDICES, VALID | LOG2_SIZE << 1 | MIRROR | EVENTS},
                   k[4] = {CODE, TARGET, 0, VALID | HAS_TARGET};
    node_poke64(s->n, p, INDICES + 56, 0);
    node_poke64(s->n, p, INDICES + 128, 0);
    sw_table(s->n, p, KERNEL, KERNEL_1, k);
    sw_table(s->n, p, QUEUE, EVENT_QUEUE, q);
    if (p) sw_post_buffer(s->n, p, BUFFER, BUFFER_LEN, 0);
  }
}

static unsigned processes(const stage *s) { return s->n->cfg.NumProcs > 1 ? 2 : 1; }

// Who has no place waits or is refused, and nobody else.
static void places(stage *s) {
  fast(s);
  unsigned procs = processes(s);
  tasks_of(s, procs);
  for (unsigned what = 0; what < 3; what++)
    for (unsigned full = 0; full < procs; full++)
      for (unsigned p = 0; p < procs && !s->w->failed; p++) {
        for (unsigned k = 0; k < procs; k++) event_ring(s, k, k == full ? SMALL_RING : WIDE_RING);
        immediate(s, full, true);
        bool there = p != full;
        if (what == 0) immediate(s, p, there);
        if (what == 1) task(s, p, there ? NIC_SYN_ACK : NOT_READY);
        if (what == 2) request(s, p, there);
        for (unsigned k = 0; k < procs; k++) drain(s, k);
        for (unsigned k = 0; k < procs; k++) node_poke64(s->n, k, INDICES + 128, node_peek64(s->n, k, INDICES + 56));
      }
  for (unsigned k = 0; k < procs; k++) event_ring(s, k, WIDE_RING);
}

// What a task that is refused had taken is given back, to its process.
static void places_back(stage *s) {
  fast(s);
  unsigned procs = processes(s);
  tasks_of(s, procs);
  for (unsigned p = 0; p < procs; p++) {
    for (unsigned k = 0; k < procs; k++) event_ring(s, k, k == p ? TWO : SMALL_RING);
    for (unsigned k = 0; k < procs; k++)
      if (k != p) immediate(s, k, true);
    uint64_t w = node_peek64(s->n, p, INDICES + 56);
    node_poke64(s->n, p, INDICES + 128, w - (1 << LOG2_SIZE));
    for (unsigned k = 0; k < 3; k++) {
      task(s, p, NOT_READY);
      drain(s, p);
    }
    for (unsigned k = 0; k < procs; k++)
      if (k != p) immediate(s, k, false);
    node_poke64(s->n, p, INDICES + 128, w);
    task(s, p, NIC_SYN_ACK);
    task(s, p, NIC_SYN_ACK);
    task(s, p, NOT_READY);  // both places are taken
    for (unsigned k = 0; k < procs; k++) drain(s, k);
    node_poke64(s->n, p, INDICES + 128, node_peek64(s->n, p, INDICES + 56));
  }
  for (unsigned k = 0; k < procs; k++) event_ring(s, k, WIDE_RING);
}

// ---- tables: what is looked up is what was written last, also where a write is still on its way and the entry no
// longer in the cache
static void table(stage *s) {
  fast(s);
  unsigned far = s->n->cfg.TableCache ? s->n->cfg.TableCache : 1;  // of the same line
  static uint8_t b[512];
  for (unsigned i = 0; i < 10 && !s->w->failed; i++) {
    const uint64_t mine[4] = {CODE + 64 * i, TARGET, 0, VALID | HAS_TARGET}, other[4] = {~0ull << 6, 0, 0, VALID};
    serve(s);
    uint64_t slot = RING + 64 * (node_peek64(s->n, 0, INDICES + 56) & ((1 << LOG2_SIZE) - 1));
    nic_head h = to_qp(s, QP, NIC_OP_WRITE_ONLY);
    h.va = REGION, h.rkey = SW_KEY, h.length = sizeof b, h.bytes = sizeof b;
    give(s, h, b, false);
    one_more(s, QP);
    for (unsigned k = 0; k < 4; k++) node_write(s->n, NIC_REG_XT_W + 8 * k, mine[k]);
    node_write(s->n, NIC_REG_XT_CMD, 2);
    run_for(s, 40);
    for (unsigned k = 0; k < 4; k++) node_write(s->n, NIC_REG_XT_W + 8 * k, other[k]);
    node_write(s->n, NIC_REG_XT_CMD, 2 + far);
    node_settle(s->n);
    message m = good(s, KERNEL, 16, 8);
    le_put(m.b + 32, 8, 2);
    taken(s, &m, "a task of a kernel that has just been written");
    expect(s, "its code", node_peek64(s->n, 0, slot + 32), CODE + 64 * i);
  }
}

// ---- a memory that answers nothing: its own timer, all tags given up, freed by the register, and what is counted
static void tags(stage *s) {
  dut_node *d = s->n->dut;
  fast(s);
  node_write(s->n, NIC_REG_NIC_CPL_TMO, T);
  node_write(s->n, NIC_REG_NIC_DMA, 0);
  node_write(s->n, NIC_REG_NIC_CNT + 8 * NIC_CNT_STRAY, 0);
  node_write(s->n, NIC_REG_NIC_CNT + 8 * NIC_CNT_ERR, 0);
  settle(s);
  // What has come by chance: with a model it is cleared with the counter, and else it is not.
  uint64_t counted = counter(s, NIC_CNT_STRAY), dropped = d->strays.n, asked = d->reads;
  d->lose = 1u << NIC_SRC_READ;
  nic_head h = to_qp(s, QP, NIC_OP_READ_REQ);
  h.va = REGION, h.rkey = SW_KEY, h.length = 4096;
  s->answers = 0;
  // 32 requests each: twice as many as there are tags.
  for (unsigned k = 0; k < DUT_TAGS / 16; k++) give(s, h, NULL, false);
  run_for(s, T / 2);
  expect(s, "requests of a read", d->reads - asked, DUT_TAGS);
  expect(s, "items with an error, half of the time over", counter(s, NIC_CNT_ERR), 0);
  run_for(s, T);
  expect(s, "reads under way when it is over", d->under_way, 0);
  expect(s, "requests when all tags are given up", d->reads - asked, DUT_TAGS);
  for (unsigned k = 0; k < 3; k++) root_stray(s->n);
  run_for(s, 300);
  dropped = d->strays.n - dropped;
  expect(s, "completions dropped, at least 3", dropped >= 3, true);
  expect(s, "completions dropped", counter(s, NIC_CNT_STRAY) - counted, dropped);
  expect(s, "answers", s->answers, DUT_TAGS >= 32);  // of a read whose requests have all been given up
  node_write(s->n, NIC_REG_NIC_TAG_FREE, 0);
  node_settle(s->n);
  run_for(s, 300);
  expect(s, "requests when tags are free", d->reads - asked, 2 * DUT_TAGS);
  run_for(s, T + 1000);
  expect(s, "answers to a read that memory has not answered", s->answers, 1);
  expect(s, "their syndrome", s->answer.syndrome, NIC_SYN_NAK | 3);
  expect(s, "items with an error", counter(s, NIC_CNT_ERR), DUT_TAGS / 16);
  d->lose = 0;
  node_write(s->n, NIC_REG_NIC_TAG_FREE, 0);
  node_write(s->n, NIC_REG_NIC_CPL_TMO, 0);
  settle(s);
  sw_event e;
  expect(s, "event of the failure", event(s, &e) ? e.kind : 0, NIC_EV_RESP_FAILED);
  sw_connect(s->n, QP, 0, 1, 4, EPSN, 0, sw_ctl(5, 3, 7, 7, 0));
  s->psn = EPSN;
  s->asked[QP] = 0;
  settle(s);
}

// ---- a memory that takes nothing: what is not looked up where frames are is read all the same, and at once
static void registers(stage *s) {
  static const uint32_t one_of_each[] = {NIC_REG_NIC_ID,  NIC_REG_NIC_CNT, NIC_REG_NIC_CNP, NIC_REG_NIC_RATE,
                                         NIC_REG_MR_BASE, NIC_REG_EQ_BASE, NIC_REG_EQ_STS,  NIC_REG_RB_STS,
                                         NIC_REG_XT_STS,  NIC_REG_XT_LOG,  NIC_REG_QP_CTL,  NIC_REG_QP_STS,
                                         NIC_REG_QP_NOW,  NIC_REG_QP_MSG};
  static uint8_t b[512];
  dut_node *d = s->n->dut;
  fast(s);
  settle(s);
  d->prof.p_req = 0;
  for (unsigned k = 0; k < STUCK; k++) {
    nic_head h = to_qp(s, QP, NIC_OP_WRITE_ONLY);
    h.va = REGION, h.rkey = SW_KEY, h.length = sizeof b, h.bytes = sizeof b;
    give(s, h, b, false);
    one_more(s, QP);
  }
  run_for(s, T);
  for (unsigned i = 0; i < sizeof one_of_each / sizeof *one_of_each; i++) {
    uint64_t began = s->w->cycle;
    node_read(s->n, one_of_each[i]);
    expect(s, "a register that is read while memory takes nothing: cycles", s->w->cycle - began, READ);
  }
  fast(s);
  settle(s);
}

// ---- sizes of TLPs: of writes and of reads, each as large as its own setting allows, and no larger
static void sizes(stage *s) {
  static uint8_t b[1024];
  dut_node *d = s->n->dut;
  fast(s);
  for (unsigned mps = 0; mps < 4; mps++) {
    unsigned mrrs = (mps + 1) % 4, most = 128u << mrrs < DUT_MAX_READ ? 128u << mrrs : DUT_MAX_READ;
    node_write(s->n, NIC_REG_NIC_DMA, mps << NIC_NIC_DMA_MPS_LSB | mrrs << NIC_NIC_DMA_MRRS_LSB);
    settle(s);
    uint64_t writes = d->writes[NIC_SRC_RESP], reads = d->reads;
    nic_head h = to_qp(s, QP, NIC_OP_WRITE_ONLY);
    h.va = REGION, h.rkey = SW_KEY, h.length = sizeof b, h.bytes = sizeof b;
    deliver(s, h, b, false);
    one_more(s, QP);
    expect(s, "writes of 1024 bytes", d->writes[NIC_SRC_RESP] - writes, sizeof b / (128u << mps));
    expect(s, "reads beside a write", d->reads - reads, 0);
    h = to_qp(s, QP, NIC_OP_READ_REQ);
    h.va = REGION, h.rkey = SW_KEY, h.length = sizeof b;
    deliver(s, h, NULL, false);
    one_more(s, QP);
    expect(s, "reads of 1024 bytes", d->reads - reads, sizeof b / most);
  }
}

// ---- a reset of one edge in any cycle of work: nothing is left of what was before, neither in memory nor in registers
static void reset_at_work(stage *s) {
  static uint8_t b[1024];
  enum { CYCLES = 40, FRAMES = 4 };
  unsigned works = 0;
  for (unsigned k = 0; k < CYCLES && !s->w->failed; k++) {
    fast(s);
    for (unsigned i = 0; i < FRAMES; i++) {
      nic_head h = to_qp(s, QP, i & 1 ? NIC_OP_READ_REQ : NIC_OP_WRITE_ONLY);
      h.va = REGION, h.rkey = i == 2 && k & 1 ? 0 : SW_KEY, h.length = 300, h.bytes = i & 1 ? 0 : 300;
      give(s, h, b, i == 3 && k & 2);
      one_more(s, QP);
      if (i & 1) one_more(s, QP);  // a read of two packets
      message m = good(s, KERNEL, 16, 40);
      give(s, m.h, m.b, false);
      one_more(s, QP);
      m.h = to_qp(s, QP, i & 1 ? NIC_OP_SEND_ONLY : NIC_OP_FETCH_ADD);
      m.h.va = REGION, m.h.rkey = SW_KEY | 1, m.h.swap = 1;
      m.h.length = m.h.bytes = i & 1 ? 40 : 0;
      give(s, m.h, m.b, false);
      one_more(s, QP);
    }
    uint8_t e[64];
    entry w = {.op = SQ_WRITE, .flags = 1, .va1 = sw_va(0, SW_LOCAL), .len1 = 800, .remote = REGION, .rkey = SW_KEY};
    sw_entry_put(e, &w);
    for (unsigned i = 0; i < FRAMES; i++) node_poke(s->n, 0, sw_va(0, SW_RING) + 64 * i, e, 64);
    node_write(s->n, NIC_REG_QP_PROD, FRAMES);
    run_for(s, 10 + 3 * k);
    works += !net_idle(s->w);
    begin_again(s);
    for (unsigned i = 0; i < 32; i++) counter(s, i);  // as the model has it
    one_good(s);
  }
  expect(s, "most of the resets were at work", works > CYCLES / 2, 1);
}

int nic_wiring(const nic_options *o, const char *list) {
  static const directed_case cases[] = {{1, tags, "completion time-out, tags, what is counted"},
                                        {2, places, "a place in the event ring, of each process"},
                                        {3, places_back, "places given back, of each process"},
                                        {4, table, "tables: what is looked up is what was written"},
                                        {5, tasks_of_logs, "task of each access log, and its end"},
                                        {6, msi_of_events, "interrupt of each event ring"},
                                        {7, registers, "registers while memory takes nothing"},
                                        {8, sizes, "sizes of TLPs"},
                                        {9, reset_at_work, "a reset at work"},
                                        {10, who_we_are, "who we are, while frames wait"},
                                        {11, sends_given_up, "a SEND that comes to nothing, of each queue pair"}};
  return directed_run(o, "wiring", list, cases, sizeof cases / sizeof *cases);
}
