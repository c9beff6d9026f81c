// SPDX-License-Identifier: Apache-2.0
#include "directed.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t watched[3] = {BUFFER, RING, INDICES};

static void spy(net *w, const frame *f) {
  stage *s = w->user;
  nic_self self = node_self(1);
  const uint8_t *pay;
  if (f->from || nic_frame_parse(&self, f->b, f->n, false, &s->answer, &pay) != NIC_RX_GOOD) return;
  const nic_head *h = &s->answer;
  s->answers++;
  s->cnps += h->opcode == NIC_OP_CNP;
  if ((h->opcode >= NIC_OP_READ_FIRST && h->opcode <= NIC_OP_ATOMIC_ACK) || h->opcode == NIC_OP_CNP) return;
  s->requests++;
  s->bytes += h->bytes + 64;
  if (!s->acks || !h->ack_req) return;
  nic_head ack = to_qp(s, h->qp & 0xff, NIC_OP_ACK);
  ack.syndrome = NIC_SYN_ACK;
  ack.psn = h->psn;
  give(s, ack, NULL, false);
}

void expect(stage *s, const char *what, uint64_t got, uint64_t want) {
  if (got != want) net_fail(s->w, s->suite, "%s: got %" PRIx64 ", want %" PRIx64, what, got, want);
}

uint64_t counter(const stage *s, unsigned i) { return node_read(s->n, NIC_REG_NIC_CNT + 8 * i); }

void run_for(stage *s, uint64_t cycles) {
  while (cycles-- && !s->w->failed) net_cycle(s->w);
}

void settle(stage *s) {
  node_settle(s->n);
  for (unsigned quiet = 0, k = 0; quiet < 150 && !s->w->failed; k++) {
    net_cycle(s->w);
    quiet = net_idle(s->w) ? quiet + 1 : 0;
    if (k == 200000) net_fail(s->w, s->suite, "it hangs");
  }
}

void note_memory(stage *s) {
  for (unsigned i = 0; i < 3; i++) node_peek(s->n, 0, watched[i], s->seen[i], WATCHED);
}

void untouched(stage *s, const char *what) {
  uint8_t now[WATCHED];
  for (unsigned i = 0; i < 3; i++) {
    node_peek(s->n, 0, watched[i], now, WATCHED);
    if (memcmp(now, s->seen[i], WATCHED))
      net_fail(s->w, s->suite, "%s: memory at %" PRIx64 " was written", what, watched[i]);
  }
}

// ---- frames
void give(stage *s, nic_head h, const uint8_t *pay, bool spoil) {
  nic_self self = node_self(1);
  uint8_t b[NIC_FRAME_MAX];
  size_t n = nic_frame_build(&self, &h, pay, b);
  if (spoil) b[n - 5] ^= 1;
  link_deliver(s->w, 0, b, n, 1);
}

void deliver(stage *s, nic_head h, const uint8_t *pay, bool spoil) {
  s->answers = 0;
  give(s, h, pay, spoil);
  settle(s);
}

nic_head to_qp(const stage *s, unsigned qp, uint8_t opcode) {
  unsigned kind = net_kind(s->w, qp);
  return (nic_head){.mac = node_mac(0),
                    .ip = node_ip(0),
                    .v6 = kind & 2,
                    .ip6 = node_ip6(0),
                    .tag = kind & 1,
                    .tci = net_tci(qp),
                    .port = 0xc000,
                    .pkey = 0xffff,
                    .qp = node_number(s->n, qp),
                    .psn = s->psn,
                    .opcode = opcode,
                    .ack_req = true};
}

message good(const stage *s, unsigned kind, unsigned args, unsigned pay) {
  message m;
  memset(&m, 0, sizeof m);
  sw_command(m.b, kind, kind == KERNEL ? KERNEL_1 : FUNCTION_1, QUEUE_1);
  le_put(m.b + 56, 8, 0x6666);  // an initiator's own signal
  for (unsigned i = 0; i < args + pay; i++) m.b[64 + i] = (uint8_t)(i + 1);
  m.h = to_qp(s, QP, NIC_OP_XTQ_ONLY);
  m.h.xtq_kind = (uint8_t)kind;
  m.h.xtq_args = args;
  m.h.xtq_pay = pay;
  m.h.length = 64 + args + pay;
  m.h.bytes = (uint16_t)m.h.length;
  return m;
}

bool event_of(stage *s, unsigned proc, sw_event *e) {
  bool there = sw_take_event(s->n, proc, e);
  if (there) node_write(s->n, NIC_REG_EQ_CONS + proc * NIC_REG_EQ_CONS_STRIDE, s->n->sw->p[proc].seen);
  return there;
}

bool event(stage *s, sw_event *e) { return event_of(s, 0, e); }

void taken(stage *s, const message *m, const char *what) {
  deliver(s, m->h, m->b, false);
  expect(s, what, s->answers, 1);
  expect(s, what, s->answer.syndrome, NIC_SYN_ACK);
  s->psn = (s->psn + 1) & 0xffffff;
}

void refused(stage *s, nic_head h, const uint8_t *pay, unsigned syndrome, unsigned why, const char *what) {
  sw_event e;
  note_memory(s);
  deliver(s, h, pay, false);
  untouched(s, what);
  expect(s, what, s->answers, 1);
  expect(s, what, s->answer.syndrome, syndrome);
  expect(s, what, s->answer.psn, s->psn);
  if (!event(s, &e)) {
    net_fail(s->w, s->suite, "%s: no event", what);
    return;
  }
  expect(s, what, e.kind, NIC_EV_REFUSED);
  expect(s, what, e.status, syndrome);
  expect(s, what, e.word, why);
  expect(s, what, e.addr, s->psn);
}

void refused_put(stage *s, const message *m, unsigned syndrome, unsigned why, const char *what) {
  refused(s, m->h, m->b, syndrome, why, what);
}

// ---- the stage
void hand_over(stage *s, uint64_t write, uint64_t read) {
  node_poke64(s->n, 0, INDICES + 56, write);
  node_poke64(s->n, 0, INDICES + 128, read);
  const uint64_t q[4] = {RING, DOORBELL, INDICES, VALID | LOG2_SIZE << 1 | MIRROR};
  sw_table(s->n, 0, QUEUE, QUEUE_1, q);
}

static void begin(stage *s, const nic_options *o, const char *suite) {
  nic_options quiet = *o;
  quiet.link = (net_link){.delay = 5, .late = 1};
  quiet.nodes = 2;
  memset(s, 0, sizeof *s);
  s->o = o;
  s->w = nic_begin(&quiet);
  s->n = &s->w->node[0];
  s->psn = s->other = EPSN;
  s->w->user = s;
  s->w->spy = spy;
  s->suite = suite;
  s->w->what = suite;
  node *n = s->n;
  unsigned procs = n->cfg.NumProcs > 1 ? 2 : 1;
  sw_node_on(n, procs);
  n->sw->open = true;
  node_write(n, NIC_REG_EQ_BASE, SW_EQ);
  node_write(n, NIC_REG_EQ_CTL, NIC_EQ_CTL_EN_MASK | n->sw->p[0].eq_size);
  sw_connect(n, QP, 0, 1, 4, EPSN, 0, sw_ctl(5, 3, 7, 7, 0));
  if (procs > 1) sw_connect(n, QP_OTHER, 1, 1, 4, EPSN, 0, sw_ctl(5, 3, 7, 7, 0));
  sw_region(n, 0, SW_KEY, 0, REGION, 0x1000, 3);      // read, write
  sw_region(n, 1, SW_KEY | 1, 0, REGION, 0x1000, 7);  // and atomics
  const uint64_t code[4] = {CODE, TARGET, SIGNAL, VALID | HAS_TARGET},
                 quiet_code[4] = {CODE, TARGET, 0, VALID | HAS_TARGET};
  for (unsigned p = 0; p < procs; p++) node_write(n, NIC_REG_XT_BASE + p * NIC_REG_EQ_BASE_STRIDE, sw_va(p, SW_TABLE));
  sw_table(n, 0, KERNEL, KERNEL_1, quiet_code);
  sw_table(n, 0, FUNCTION, FUNCTION_1, code);
  if (procs > 1) {
    const uint64_t q[4] = {RING, DOORBELL, INDICES, VALID | LOG2_SIZE << 1 | MIRROR};
    sw_table(n, 1, KERNEL, 2, code);
    sw_table(n, 1, QUEUE, 2, q);
  }
  hand_over(s, 0, 0);
  sw_post_buffer(n, 0, BUFFER, BUFFER_LEN, 0);
  settle(s);
}

void begin_again(stage *s) {
  if (s->w->failed) return;
  const nic_options *o = s->o;
  net *was = s->w;
  nic_options next = *o;
  next.pcap = NULL;
  next.was = was;
  begin(s, &next, s->suite);
  s->o = o;
  was->user = NULL;
  net_free(was);
}

// The agent has seen to all: the queue is empty again.
void serve(stage *s) { node_poke64(s->n, 0, INDICES + 128, node_peek64(s->n, 0, INDICES + 56)); }

void one_good(stage *s) {
  serve(s);
  message m = good(s, KERNEL, 16, 20);
  uint64_t index = node_peek64(s->n, 0, INDICES + 56);
  taken(s, &m, "a good message after the case");
  expect(s, "its doorbell", node_peek64(s->n, 0, DOORBELL), index);
}

int directed_run(const nic_options *o, const char *suite, const char *list, const directed_case *c, unsigned n) {
  unsigned passed = 0, failed = 0;
  for (unsigned i = 0; i < n; i++) {
    if (!options_chosen(list, c[i].number)) continue;
    stage s;
    begin(&s, o, suite);
    c[i].run(&s);
    if (!s.ends) one_good(&s);
    settle(&s);
    if (!s.w->failed && o->backend == NET_BOTH) dut_node_end(s.n);
    s.w->user = NULL;
    s.w->spy = NULL;
    bool bad = s.w->failed;
    bad ? failed++ : passed++;
    if (bad) fprintf(stderr, "in %s case %u, %s\n", suite, c[i].number, c[i].what);
    nic_options one = *o;
    one.only = c[i].number;
    nic_end(&one, s.w);
  }
  printf("%s cases: %u passed, %u failed\n", suite, passed, failed);
  const points reached = {o->hw->points, o->reached, o->hw->num_points};
  if (o->points && !points_add(&reached, o->points)) perror(o->points), failed++;
  return failed || !passed || (o->bounds && points_judge(&reached, stderr));
}
