// SPDX-License-Identifier: Apache-2.0
// What is around xtq_target in its test, written from the specification: software that sets up tables, queues and
// buffers; messages, and where each queue pair is in its own; what every packet must be answered, and all that comes of
// it.
#ifndef TOCSIN_XTQ_TARGET_JUDGE_H
#define TOCSIN_XTQ_TARGET_JUDGE_H

#include "xtq_target_bench.h"

// ---- software ----
static void commit(tb *t, dut *d, unsigned p, unsigned which, unsigned i, entry e) {
  for (unsigned k = 0; k < 4; k++) write_reg(t, d, 0xA000 + 8 * k, e.w[k]);
  write_reg(t, d, 0xA020, i | which << 16 | p << 18);
  for (unsigned n = 0; (read_reg(t, d, 0xA028) & 1) && n < 300; n++) cycle(t, d);
  CHECK_EQ(t, read_reg(t, d, 0xA028), 0, "XT_STS");
  table[p][which][i] = e;
  if (which == QUEUE) index_of[p][i].next = index_of[p][i].write;  // begins with what memory says
}

static void set_code(tb *t, dut *d, unsigned p, unsigned which, unsigned i, bool target) {
  commit(t, d, p, which, i, (entry){{rnd(t), rnd(t), rnd_chance(t, 30) ? 0 : rnd(t), 1u | (unsigned)target << 1}});
}

// A queue with its ring above everything else; kind: 0 NIC-owned, 1 MULTI, 2 MIRROR, 3 both.
static void set_queue(tb *t, dut *d, unsigned p, unsigned i, unsigned size, unsigned kind, bool events) {
  if (CACHE && !kind) kind = 2;
  uint64_t ring = 0xFFFFFFFF00000000 + ((uint64_t)(p * N + i) << 24);
  commit(t, d, p, QUEUE, i,
         (entry){{ring, 0x6000000000000000 + 8 * (p * N + i), block_at(p, i),
                  1 | size << 1 | kind << 6 | (unsigned)events << 8}});
}

static void post(tb *t, dut *d, unsigned p, uint64_t addr, uint64_t len, uint64_t least) {
  if (procs[p].count == DEPTH) return;
  write_reg(t, d, 0x8030 + 128 * p, addr);
  write_reg(t, d, 0x8038 + 128 * p, least << 32 | len);
  procs[p].posted[procs[p].count++] = (buffer){addr, len, least};
}

// ---- a message, and where its QP is in it ----
typedef struct message {
  bool live;
  unsigned proc, kind, target, args, pay, n, sent;  // n: all bytes; sent: those that were accepted
  unsigned nobody;                                  // what its queue pair has for a process that there is not, or 0
  uint64_t length;
  uint8_t bytes[LONGEST];
  uint64_t next;  // where its next bytes go
  bool send;      // a SEND; then status 0 to 2, with this value, into this buffer
  unsigned status;
  uint64_t value, number, room;
  uint8_t packet[64];  // rewritten
} message;
static message qps[QPS];

static uint64_t get64(const uint8_t *b) {
  uint64_t v = 0;
  for (unsigned i = 0; i < 8; i++) v |= (uint64_t)b[i] << 8 * i;
  return v;
}
static void put64(uint8_t *b, uint64_t v) {
  for (unsigned i = 0; i < 8; i++) b[i] = (uint8_t)(v >> 8 * i);
}

static message fresh(tb *t, unsigned proc, unsigned kind, unsigned args, unsigned pay_bytes, unsigned code,
                     unsigned queue) {
  message m = {.live = true, .proc = proc, .kind = kind, .target = proc, .args = args, .pay = pay_bytes};
  m.length = m.n = 64 + args + pay_bytes;
  for (unsigned i = 0; i < m.n; i++) m.bytes[i] = (uint8_t)rnd(t);
  m.bytes[0] = kind ? 4 : 2, m.bytes[1] &= 0x1F;
  put64(m.bytes + (kind ? 8 : 32), code);
  put64(m.bytes + 48, queue);
  return m;
}

// Checks 6 (of what is there now), 9 and 10. Takes the index if all is well.
static unsigned judge_queue(unsigned p, unsigned q, unsigned places, uint64_t *index) {
  const uint64_t *w = table[p][QUEUE][q].w;
  bool multi = w[3] >> 6 & 1;
  if ((w[3] >> 8 & 1) && !event_room) return NIC_K_WhyNoEvent;
  if (fail_queue) return NIC_K_WhyTable;
  uint64_t i = multi ? index_of[p][q].write : index_of[p][q].next;
  if ((i - index_of[p][q].read) >> (w[3] >> 1 & 31)) return NIC_K_WhyQueueFull;
  *index = i;
  if (multi || (w[3] >> 7 & 1)) index_of[p][q].write = i + 1;
  index_of[p][q].next = i + 1;
  if (w[3] >> 8 & 1) kept_want += places;
  return NIC_K_WhyNone;
}

static item *add(unsigned p, uint64_t va, const uint8_t *data, unsigned n) {
  item *i = &want[made++ % Q];
  *i = (item){.n = n, .rid = RID + p, .va = va};
  memcpy(i->data, data, n);
  return i;
}

static void enqueue(unsigned p, unsigned q, uint64_t index, const uint8_t *packet, unsigned qp, int log) {
  const uint64_t *w = table[p][QUEUE][q].w;
  uint64_t slot = w[0] + 64 * (index & ((1ull << (w[3] >> 1 & 31)) - 1));
  uint8_t b[8];
  add(p, slot + 4, packet + 4, 60);
  add(p, slot, packet, 4);
  put64(b, index + 1);
  if ((w[3] >> 6 & 3) == 2) add(p, w[2] + 56, b, 8);
  put64(b, index);
  add(p, w[1], b, 8);
  records[records_want % Q].queue = q, records[records_want % Q].index = index,
                         records[records_want % Q].log = log >= 0, records[records_want % Q].why = 0;
  records[records_want % Q].b = p | (log < 0 ? 0 : (unsigned)log << 8);
  records_want++, pushed++;
  if (!(w[3] >> 8 & 1)) return;
  unsigned n = tasks_made++ % Q;
  tasks[n].kind = NIC_K_EvTask, tasks[n].status = 0, tasks[n].proc = p, tasks[n].word = q;
  tasks[n].qp = log < 0 ? name_of(qp) : 0;
  tasks[n].addr = index, tasks[n].after = made, tasks[n].len = tasks[n].bytes = 0;
}

static unsigned room(const process *p, uint64_t n, uint64_t *va) {
  unsigned i = 0;
  for (; i < p->count; i++) {
    *va = p->posted[i].addr + (i ? 0 : p->offset);
    if ((i ? 0 : p->offset) + n <= p->posted[i].len) break;
  }
  return i;
}

static void take_room(process *p, uint64_t n) {
  uint64_t va = 0;
  unsigned i = room(p, n, &va);
  buffer b = p->posted[i];
  uint64_t end = (va - b.addr + n + 63) / 64 * 64;
  if (end > b.len) end = b.len;
  i += b.len - end < b.least;
  p->offset = b.len - end < b.least ? 0 : end;
  memmove(p->posted, p->posted + i, (p->count - i) * sizeof b);
  p->count -= i, p->number += i;
}

static void tell(const message *m, unsigned qp, unsigned status) {
  unsigned n = tasks_made++ % Q;
  tasks[n].kind = NIC_K_EvRecv, tasks[n].status = status, tasks[n].proc = m->proc, tasks[n].qp = name_of(qp);
  tasks[n].word = m->number, tasks[n].len = status == 1 || status == 2 ? m->value : 0, tasks[n].bytes = m->sent;
  tasks[n].addr = m->next - m->sent, tasks[n].after = made;
}

// The rules of SENDs (RCV-1 to RCV-5), and what comes of a packet that passes.
static unsigned judge_send(message *m, unsigned qp, bool first, bool last, unsigned n) {
  process *p = &procs[m->proc];
  if (first && m->nobody) return NIC_K_WhyNoBuffer;
  if (first) {
    uint64_t need = !last ? n + 1 : n ? n : 1, va = 0;
    unsigned i = room(p, need, &va);
    if (i == p->count) return NIC_K_WhyNoBuffer;
    if (!event_room) return NIC_K_WhyNoEvent;
    m->next = va, m->number = p->number + i;
    m->room = p->posted[i].len - (va - p->posted[i].addr);
    if (last) {
      take_room(p, need);
    } else {
      memmove(p->posted, p->posted + i + 1, (p->count - i - 1) * sizeof *p->posted);
      p->count -= i + 1, p->number += i + 1, p->offset = 0;
    }
    kept_want++;
  } else if (n > m->room) {
    tell(m, qp, 3);
    return NIC_K_WhyTooLong;
  }
  if (n) add(m->proc, m->next, m->bytes + m->sent, n)->last = true;
  m->next += n, m->room -= n;
  if (last) m->sent += n, tell(m, qp, m->status), m->sent -= n;
  return NIC_K_WhyNone;
}

// README.md's checks, and what comes of a packet that passes.
static unsigned judge(message *m, unsigned qp, bool first, bool last, unsigned n) {
  if (m->send) return judge_send(m, qp, first, last, n);
  const uint8_t *c = m->bytes;
  const uint64_t *e = NULL;
  uint64_t code = get64(c + (m->kind == 1 ? 8 : 32)), va = 0, index = 0, all = (uint64_t)m->args + m->pay;
  unsigned queue = c[48] | (unsigned)c[49] << 8, why;
  if (first) {
    if (m->nobody || m->target != m->proc) return NIC_K_WhyBadProcess;
    if (m->kind > 1) return NIC_K_WhyBadKind;
    if (64 + all != m->length || m->args % 16 || m->args > 4096 || n < 64) return NIC_K_WhyBadLength;
    if (c[0] != (m->kind ? 4 : 2) || c[1] >> 5) return NIC_K_WhyBadType;
    if (code < N && fail_table == 1) return NIC_K_WhyTable;
    if (code >= N || !(table[m->proc][m->kind][code].w[3] & 1)) return NIC_K_WhyBadIndex;
    e = table[m->proc][m->kind][code].w;
  }
  if ((first || last) && queue < N && fail_table == 2) return NIC_K_WhyTable;
  if ((first || last) && (queue >= N || !(table[m->proc][QUEUE][queue].w[3] & 1))) return NIC_K_WhyBadQueue;
  if (first && !m->kind && (e[3] & 2 || m->pay) && m->args < 16) return NIC_K_WhyBadLength;
  if (first && all && room(&procs[m->proc], all, &va) == procs[m->proc].count) return NIC_K_WhyNoBuffer;
  if (last && (why = judge_queue(m->proc, queue, 1, &index))) return why;

  uint8_t data[4096];
  unsigned off = first ? 64 : 0, k = n - off;
  memcpy(data, m->bytes + m->sent + off, k);
  if (first) {
    uint64_t payload = m->pay ? va + m->args : 0;
    if (all) take_room(&procs[m->proc], all);
    m->next = va;
    memcpy(m->packet, c, 64);
    put64(m->packet + (m->kind ? 8 : 32), e[0]);
    if (m->kind && (e[3] & 2)) put64(m->packet + 16, e[1]);
    if (m->kind) put64(m->packet + 24, payload);
    if (!m->kind) put64(m->packet + 40, m->args ? va : 0);
    put64(m->packet + 48, 0);
    put64(m->packet + 56, e[2]);
    if (!m->kind && (e[3] & 2) && m->args) put64(data, e[1]);
    if (!m->kind && m->args) put64(data + 8, payload);
  }
  if (k) add(m->proc, m->next, data, k);
  m->next += k;
  if (last) enqueue(m->proc, queue, index, m->packet, qp, -1);
  want[(made - 1) % Q].last = true;
  return NIC_K_WhyNone;
}

// The next packet of a QP's message: what must be answered.
static unsigned start(message *m, unsigned qp) {
  bool first = m->sent == 0;
  unsigned n = m->n - m->sent < MTU ? m->n - m->sent : MTU;
  bool last = m->sent + n == m->n;
  memset(ask_w, 0, sizeof ask_w);
#define ASK(f, v) bits_set(ask_w, NIC_XTQ_ASK_T_##f##_LSB, NIC_XTQ_ASK_T_##f##_W, v)
  ASK(QP, qp), ASK(NAME, name_of(qp)), ASK(PROC, m->nobody ? m->nobody : m->proc), ASK(FIRST, first), ASK(LAST, last),
      ASK(BYTES, n);
  ASK(LENGTH, m->length), ASK(KIND, m->kind), ASK(TARGET, m->target), ASK(ARGS, m->args), ASK(PAY, m->pay);
  ASK(SEND, m->send), ASK(IMM_ON, m->send && last && m->status == 1), ASK(INV, m->send && last && m->status == 2);
  ASK(IMM, m->value);
  asked_qp = qp;
  memcpy(pay, m->bytes + m->sent, n);
  pay_n = n, pay_at = 0, pay_on = true, ask_valid = true;
  due = made;
  unsigned why = judge(m, qp, first, last, n);
  if (!why) m->sent += n;
  if (!why && last) m->live = false;
  return why;
}

static unsigned packet(tb *t, dut *d, unsigned qp) {
  unsigned n = 0, why = start(&qps[qp], qp);
  bool answered = false;
  for (; (!answered || pay_on) && n < 3000; n++) {
    cycle(t, d);
    if (answer < 0) continue;
    CHECK(t, !answered, "one answer");
    CHECK_EQ(t, answer, why, "QP %u: answer", qp);
    answered = true, answers++;
  }
  CHECK(t, answered && !pay_on, "QP %u is answered, and its payload taken", qp);
  whys[why & 15]++;
  bool rnr = why == NIC_K_WhyNoBuffer || why == NIC_K_WhyNoEvent || why == NIC_K_WhyQueueFull;
  if (why && !rnr) qps[qp].live = false;
  return why;
}

static unsigned send(tb *t, dut *d, unsigned qp, message m) {
  unsigned why = 0;
  for (qps[qp] = m; qps[qp].live && !why;) why = packet(t, d, qp);
  return why;
}

// As if its queue pair had a process beyond those that there are, if it can.
static message of_nobody(tb *t, message m) {
  if (PROCS < 16) m.nobody = m.target = PROCS + (unsigned)rnd_below(t, 16 - PROCS);
  return m;
}

static message letter(tb *t, unsigned proc, unsigned n, unsigned status) {
  message m = {.live = true, .send = true, .proc = proc, .n = n, .status = status, .value = rnd(t) & 0xffffffff};
  m.args = (unsigned)rnd(t), m.pay = (unsigned)rnd(t), m.kind = (unsigned)rnd_bits(t, 8);  // mean nothing
  for (unsigned i = 0; i < n; i++) m.bytes[i] = (uint8_t)rnd(t);
  return m;
}

// Its queue pair is told NAK 1 or 2 of something else, or goes off.
static void give_up(tb *t, dut *d, unsigned qp, bool off) {
  message *m = &qps[qp];
  if (m->live && m->send && m->sent) tell(m, qp, 3);
  m->live = false;
  *(off ? &stops : &gives_up) = (int)qp;
  cycle(t, d);
}

// A task of a log is shown: why it must be refused, or WhyNone.
static unsigned show_task(tb *t, dut *d, unsigned log, unsigned p, unsigned q) {
  uint32_t w[16];
  uint8_t bytes[64];
  uint64_t index = 0;
  rnd_words(t, w, 512);
  for (unsigned i = 0; i < 64; i++) bytes[i] = (uint8_t)(w[i / 4] >> 8 * (i % 4));
  bool there = p < PROCS && q < N && (table[p % PROCS][QUEUE][q % N].w[3] & 1);
  due = made;
  unsigned why = there ? judge_queue(p, q, 2, &index) : NIC_K_WhyBadQueue;
  if (!why) {
    enqueue(p, q, index, bytes, 0, (int)log);
  } else {
    unsigned r = records_want++ % Q;
    records[r].queue = q & 255, records[r].index = 0, records[r].b = p | log << 8, records[r].log = true,
    records[r].why = why;
  }
  dut_set_task_log_i(d, log), dut_set_task_proc_i(d, p), dut_set_task_queue_i(d, q), dut_set_task_packet_i(d, w);
  task_valid = true;
  return why;
}

static bool log_task(tb *t, dut *d, unsigned log, unsigned p, unsigned q) {
  unsigned n = 0, why = show_task(t, d, log, p, q);
  for (task_answer = -1; task_answer < 0 && n < 3000; n++) cycle(t, d);
  CHECK_EQ(t, task_answer, !why, "task of a log");
  if (!why) CHECK_EQ(t, task_event, table[p][QUEUE][q].w[3] >> 8 & 1, "a place for its end");
  return !why;
}

#endif
