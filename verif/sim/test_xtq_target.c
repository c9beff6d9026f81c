// SPDX-License-Identifier: Apache-2.0
// xtq_target against the whole of README.md, a message at a time: what is answered, and every byte that is written for
// it, in order. The memory behind it has writes that dawdle, so that an index read too early is an old one. Every check
// by itself and in its order; messages of many packets side by side; refused packets that come again; SENDs, also such
// that are given up; tasks of access logs; turns of packets and tasks. Then all of it at random, and how fast it is.
// Rules of rtl/nic/README.md: RCV-1, RCV-2, RCV-3, RCV-4, RCV-5, RCV-6, RCV-7, RCV-8, RCV-9.
// Rules of rtl/xtq/README.md: XTM-1, XTM-2, XTM-3, XTM-4, XTM-5, XTM-6, ENQ-5, RBF-2, RBF-8.
// config: default -GNumProcs=3 -GNumQps=4 -GRecvDepth=4 -GTableBits=2
// config: cache -GNumProcs=2 -GNumQps=8 -GRecvDepth=8 -GTableBits=2 -GTableCache=2
// config: narrow -GNumProcs=1 -GNumQps=1 -GRecvDepth=2 -GTableBits=1 +define+TOCSIN_DATA_W=128
// config: wide -GNumProcs=2 -GNumQps=3 -GRecvDepth=4 -GTableBits=2 -GTableCache=4 +define+TOCSIN_DATA_W=512
// no netlist: 15 s, most of it in Yosys; `make sim BLOCK=xtq_target CONFIG=default NETLIST=1` before a release
#include "xtq_target_judge.h"

// ---- scenarios ----
static void set_up(tb *t, dut *d) {
  unsigned n = 0;
  for (; n < 3000 && (dut_eval(d), n < 40 || !dut_get_ask_ready_o(d)); n++) cycle(t, d);
  for (unsigned p = 0; p < PROCS; p++) {
    write_reg(t, d, 0x8048 + 128 * p, table_at(p));
    set_code(t, d, p, KERNEL, 0, false), set_code(t, d, p, KERNEL, 1, true);
    set_code(t, d, p, FUNCTION, 0, true), set_code(t, d, p, FUNCTION, 1, false);
    set_queue(t, d, p, 0, 3, 0, false), set_queue(t, d, p, 1, 2, p & 1 ? 1 : 2, true);
  }
}

static void agent(unsigned p, unsigned q) {
  index_of[p][q].read = (table[p][QUEUE][q].w[3] >> 6 & 1) ? index_of[p][q].write : index_of[p][q].next;
}

static void log_tasks(tb *t, dut *d, unsigned p) {
  // Tasks of access logs, with and without events.
  CHECK(t, log_task(t, d, 31, p, 0), "a log's task");
  agent(p, 1);
  CHECK(t, log_task(t, d, 1, p, 1), "with two places");
  event_room = false;
  CHECK(t, !log_task(t, d, 1, p, 1), "without them");
  event_room = true;
  CHECK(t, !log_task(t, d, 1, p, N) && !log_task(t, d, 1, p, 0xFFFF) && (PROCS == 16 || !log_task(t, d, 1, PROCS, 0)),
        "no such queue");
  drain(t, d);
}

// A queue is forgotten while what its last task wrote, the write index too, has not left: that is waited for (P2).
static void not_before(tb *t, dut *d, unsigned p, unsigned qp) {
  drain(t, d);
  set_queue(t, d, p, 0, 3, 2, false);
  agent(p, 0);
  held = true;
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 0, 0, 0, 0)), NIC_K_WhyNone, "a task whose writes do not leave");
  set_queue(t, d, p, 0, 3, 2, false);
  qps[qp] = fresh(t, p, 0, 0, 0, 0, 0);
  CHECK_EQ(t, start(&qps[qp], qp), NIC_K_WhyNone, "the task behind it");
  for (unsigned n = 0; n < 100; n++) {
    cycle(t, d);
    CHECK(t, answer < 0, "P2: an index before what was enqueued has left");
  }
  held = false;
  for (unsigned n = 0; n < 300 && answer < 0; n++) cycle(t, d);
  CHECK_EQ(t, answer, NIC_K_WhyNone, "the task behind it, when all has left");
  answers++, whys[NIC_K_WhyNone]++;
  drain(t, d);
}

// A packet and a log's task wait all the time, each refused for itself. Each is answered (xtq_check P1), so neither
// side may go on and on before the other: they take turns, and none is passed over twice in a row.
static void turns(tb *t, dut *d, unsigned p, unsigned qp) {
  enum { ROUNDS = 40 };
  unsigned done[2] = {0}, in_row = 0;  // packets, tasks
  int before = -1;
  drain(t, d);
  message m = fresh(t, p, 0, 0, 0, 0, 0);
  m.target = p + 16;
  qps[qp] = m;
  start(&qps[qp], qp), show_task(t, d, 3, p, N);
  for (unsigned n = 0; n < 100 * ROUNDS && done[0] + done[1] <= 2 * ROUNDS; n++) {
    cycle(t, d);
    if (answer < 0 && task_answer < 0) continue;
    const int who = task_answer >= 0;
    in_row = who == before ? in_row + 1 : 1, before = who, done[who]++;
    CHECK(t, in_row < 2, "a %s is passed over twice in a row", who ? "packet" : "task");
    if (who) CHECK_EQ(t, task_answer, 0, "task of a log: no such queue");
    if (!who) CHECK_EQ(t, answer, NIC_K_WhyBadProcess, "1: a packet that takes its turn");
    if (done[0] + done[1] >= 2 * ROUNDS) continue;  // who still waits is the last
    if (who) show_task(t, d, 3, p, N);
    if (!who) start(&qps[qp], qp);
  }
  CHECK(t, done[0] >= ROUNDS && done[1] >= ROUNDS, "%u packets and %u tasks have had their turn", done[0], done[1]);
  qps[qp].live = false;
  drain(t, d);
}

static void sends(tb *t, dut *d, unsigned p, unsigned qp) {
  // SENDs: of one packet and of many, of no bytes, too long, without a place or a buffer, given up.
  drain(t, d);
  CHECK_EQ(t, send(t, d, qp, letter(t, p, 0, 0)), NIC_K_WhyNone, "a SEND of no bytes");
  CHECK_EQ(t, send(t, d, qp, letter(t, p, 1, 1)), NIC_K_WhyNone, "one with immediate");
  CHECK_EQ(t, send(t, d, qp, letter(t, p, 256, 2)), NIC_K_WhyNone, "one with a key");
  CHECK_EQ(t, send(t, d, qp, letter(t, p, 257, 1)), NIC_K_WhyNone, "two packets");
  CHECK_EQ(t, procs[p].count, 0, "RCV-2: the rest of the buffer is used up");
  CHECK_EQ(t, send(t, d, qp, letter(t, p, 0, 0)), NIC_K_WhyNoBuffer, "RCV-3");
  post(t, d, p, 0x40000, 256, 0);
  CHECK_EQ(t, send(t, d, qp, letter(t, p, 257, 0)), NIC_K_WhyNoBuffer, "no more than a packet");
  post(t, d, p, 0x50000, 700, 0);
  event_room = false;
  CHECK_EQ(t, send(t, d, qp, letter(t, p, 700, 0)), NIC_K_WhyNoEvent, "RCV-3: no place");
  CHECK_EQ(t, procs[p].count, 2, "takes no room");
  event_room = true;
  CHECK_EQ(t, packet(t, d, qp), NIC_K_WhyNone, "the same again");
  event_room = false;  // its place is kept
  CHECK_EQ(t, packet(t, d, qp), NIC_K_WhyNone, "the second");
  CHECK_EQ(t, packet(t, d, qp), NIC_K_WhyNone, "the last fills it to the byte");
  event_room = true;
  CHECK(t, procs[p].count == 0, "the first was passed over");
  post(t, d, p, 0x50000, 700, 0);
  CHECK_EQ(t, send(t, d, qp, letter(t, p, 701, 0)), NIC_K_WhyTooLong, "RCV-4: a byte too long");
  drain(t, d);
  for (unsigned off = 0; off < 2; off++) {
    post(t, d, p, 0x60000, 4096, 0);
    qps[qp] = letter(t, p, 1000, 0);
    packet(t, d, qp);
    packet(t, d, qp);
    give_up(t, d, qp, off);
    give_up(t, d, qp, off);  // in no message: nothing
    drain(t, d);
  }
  CHECK(t, received[0] == 2 && received[1] == 2 && received[2] == 1 && received[3] == 3, "events 8");
  post(t, d, p, 0x20000, 8192, 0);
}

static void unreadable(tb *t, dut *d, unsigned p, unsigned qp) {
  // What memory does not give: an index, asked for by the first message since XT_CMD; an entry that the cache
  // has not. Then it does.
  set_queue(t, d, p, 0, 3, 0, false);
  fail_queue = true;
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 64, 1, 0)), NIC_K_WhyTable, "10: the index cannot be read");
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 64, 1, 0)), NIC_K_WhyNone, "and then it can");
  if (CACHE) {
    send(t, d, qp, fresh(t, p, 1, 0, 64, 0, 0));  // its entry takes the line of kernel 0
    fail_table = 1;
    CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 64, 0, 0)), NIC_K_WhyTable, "5: the entry cannot be read");
    CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 64, 0, 0)), NIC_K_WhyNone, "and then it can");
    set_queue(t, d, p ^ 1, 0, 3, 0, false);  // takes the line of this queue 0
    fail_table = 2;
    CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 64, 0, 0)), NIC_K_WhyTable, "6: the queue cannot be read");
    CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 64, 0, 0)), NIC_K_WhyNone, "and then it can");
  }
  agent(p, 0);
}

static void queue_taken_away(tb *t, dut *d, unsigned p, unsigned qp) {
  // A queue that is taken away in mid-message.
  agent(p, 0);
  qps[qp] = fresh(t, p, 0, 16, 300, 1, 0);
  packet(t, d, qp);
  commit(t, d, p, QUEUE, 0, (entry){{0, 0, 0, 0}});
  CHECK_EQ(t, packet(t, d, qp), NIC_K_WhyBadQueue, "6 at Last");
  drain(t, d);
  set_queue(t, d, p, 0, 3, 0, false);
  agent(p, 0);
}

static void refused_at_the_end(tb *t, dut *d, unsigned p, unsigned qp) {
  // 9 and 10 at the end of a long message: nothing of the last packet is written, and it comes again.
  event_room = false;
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 300, 1, 1)), NIC_K_WhyNoEvent, "9");
  event_room = true;
  CHECK_EQ(t, packet(t, d, qp), NIC_K_WhyNone, "the refused packet again");
  for (unsigned i = 0; i < 3; i++) send(t, d, qp, fresh(t, p, 0, 16, 8, 1, 1));
  drain(t, d);
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 300, 1, 1)), NIC_K_WhyQueueFull, "10, hostile case 34");
  CHECK_EQ(t, packet(t, d, qp), NIC_K_WhyQueueFull, "and again");
  agent(p, 1);
  CHECK_EQ(t, packet(t, d, qp), NIC_K_WhyNone, "and then there is a slot");
  uint64_t offset = procs[p].offset;
  event_room = false;
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 8, 1, 1)), NIC_K_WhyNoEvent, "9: an Only");
  event_room = true;
  CHECK_EQ(t, procs[p].offset, offset, "takes no room");
  CHECK_EQ(t, read_reg(t, d, 0x8040 + 128 * p), offset << 32 | procs[p].count, "RB_STS");
}

static void each_check(tb *t, dut *d, unsigned p, unsigned qp) {
  message m;
  // Hostile cases 29 to 33. Each check by itself, then the first of several.
  m = fresh(t, p, 0, 16, 64, 1, 0), m.target = p + 16;
  CHECK_EQ(t, send(t, d, qp, m), NIC_K_WhyBadProcess, "1");
  m.kind = 2;
  CHECK_EQ(t, send(t, d, qp, m), NIC_K_WhyBadProcess, "1 before 2");
  for (unsigned k = 0; k < 20 && PROCS < 16; k++) {
    CHECK_EQ(t, send(t, d, qp, of_nobody(t, fresh(t, p, k % 2, 16, 64, 1, 0))), NIC_K_WhyBadProcess, "1: nobody's");
    CHECK_EQ(t, send(t, d, qp, of_nobody(t, letter(t, p, k * 30, 0))), NIC_K_WhyNoBuffer, "nobody's SEND");
    for (unsigned i = 0; i < PROCS; i++)
      CHECK_EQ(t, read_reg(t, d, 0x8040 + 128 * i), procs[i].offset << 32 | procs[i].count, "RB_STS of %u", i);
  }
  m = fresh(t, p, 0, 16, 64, 1, 0), m.kind = 255, m.length++;
  CHECK_EQ(t, send(t, d, qp, m), NIC_K_WhyBadKind, "2 before 3");
  m = fresh(t, p, 0, 16, 64, 1, 0), m.pay++, m.bytes[0] = 3;
  CHECK_EQ(t, send(t, d, qp, m), NIC_K_WhyBadLength, "3 before 4: the sum is wrong");
  m.pay = 72, m.args = 8;
  CHECK_EQ(t, send(t, d, qp, m), NIC_K_WhyBadLength, "3: arguments no multiple of 16");
  m.args = 16, m.pay = 0xFFFFFFC0, m.length = 16;
  CHECK_EQ(t, send(t, d, qp, m), NIC_K_WhyBadLength, "3: the sum is right in 32 bits only");
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 1, 4112, 0, 0, 0)), NIC_K_WhyBadLength, "3: arguments over 4096");
  m = fresh(t, p, 0, 0, 0, 0, 0), m.length = 20, m.n = 20;
  CHECK_EQ(t, send(t, d, qp, m), NIC_K_WhyBadLength, "3: shorter than a command");
  for (unsigned type = 0; type < 256; type += type < 6 ? 1 : 125) {
    m = fresh(t, p, type & 1, 16, 64, 1, 0), m.bytes[0] = (uint8_t)(type == 2 || type == 4 ? 6 - type : type),
    m.kind = type == 4 ? 0 : type & 1;
    if (type == 2) m.kind = 1;
    if (type == 2 || type == 4) m.bytes[0] = (uint8_t)type;
    CHECK_EQ(t, send(t, d, qp, m), NIC_K_WhyBadType, "4: type %u", type);
  }
  m = fresh(t, p, 0, 16, 64, 1, 0), m.bytes[1] |= 0x20;
  CHECK_EQ(t, send(t, d, qp, m), NIC_K_WhyBadType, "4: a reserved bit");
  for (unsigned bit = P_TableBits; bit < 64; bit++) {
    m = fresh(t, p, 0, 16, 64, 1, 0), put64(m.bytes + 32, 1 | 1ull << bit);
    CHECK_EQ(t, send(t, d, qp, m), NIC_K_WhyBadIndex, "5: bit %u of a kernel's index", bit);
    m = fresh(t, p, 1, 16, 64, 1, 0), put64(m.bytes + 8, 1 | 1ull << bit);
    CHECK_EQ(t, send(t, d, qp, m), NIC_K_WhyBadIndex, "5: bit %u of a function's index", bit);
  }
  commit(t, d, p, KERNEL, 1, (entry){{1, 2, 3, 2}});
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 64, 1, N)), NIC_K_WhyBadIndex, "5 before 6: not valid");
  set_code(t, d, p, KERNEL, 1, true);
  for (unsigned bit = P_TableBits; bit < 16; bit++)
    CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 64, 1, 1u << bit)), NIC_K_WhyBadQueue, "6: bit %u", bit);
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 0, 64, 1, 0)), NIC_K_WhyBadLength, "7: a target buffer needs arguments");
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 0, 5, 0, 0)), NIC_K_WhyBadLength, "7: a payload needs arguments");
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 1000000 % 900 + 64, 1, 0)), NIC_K_WhyNone,
           "and then the good one works");
}

static void scenarios(tb *t, dut *d) {
  unsigned p = PROCS - 1, qp = QPS - 1;
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 64, 1, 0)), NIC_K_WhyNoBuffer, "8: no buffer");
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 0, 0, 0, 0)), NIC_K_WhyNone, "a command alone needs no buffer");
  post(t, d, p, 0x10000, 8192, 0);
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 64, 1, 0)), NIC_K_WhyNone, "a kernel with a target buffer");
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 5, 0, 0)), NIC_K_WhyNone, "a kernel with five bytes of payload");
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 0, 0, 0)), NIC_K_WhyNone, "a kernel with arguments alone");
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 1, 0, 100, 0, 0)), NIC_K_WhyNone, "a function");
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 1, 32, 0, 1, 0)), NIC_K_WhyNone, "a function with arguments");
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 1600, 700, 1, 0)), NIC_K_WhyNone, "ten packets");
  agent(p, 0);

  each_check(t, d, p, qp);

  refused_at_the_end(t, d, p, qp);

  queue_taken_away(t, d, p, qp);

  unreadable(t, d, p, qp);

  sends(t, d, p, qp);

  log_tasks(t, d, p);

  not_before(t, d, p, qp);

  turns(t, d, p, qp);
}

// 64 bytes of payload, 16 of arguments: as fast as the wire gives them (MIRROR, which a cache needs: a cycle
// more). The asker takes two cycles from an answer to its next ask.
static void rate(tb *t, dut *d) {
  unsigned p = 0, count = 64;
  set_queue(t, d, p, 0, 10, 0, false);
  agent(p, 0);
  pct = 100;
  uint64_t begin = 0;
  unsigned worst = 0;
  for (unsigned i = 0; i < count + 4; i++) {
    if (procs[p].count < 2) post(t, d, p, 0x20000, 65536, 0);
    if (i == 4) begin = dut_cycle(d);
    if (i < 4) drain(t, d);
    send(t, d, 0, fresh(t, p, 0, 16, 64, 1, 0));
    if (i >= 4) cycle(t, d);
    if (i < 4) {
      drain(t, d);
      if (i && bell - last_beat > worst) worst = bell - last_beat;
    }
  }
  uint64_t cycles = dut_cycle(d) - begin;
  printf("%u beats: %u messages in %u cycles, last beat to doorbell %u cycles\n", (144 + BB - 1) / BB, count,
         (unsigned)cycles, worst);
  CHECK(t, worst <= 20, "latency: %u", worst);
  CHECK(t, cycles <= count * (BB == 16 ? 16 : CACHE ? 9 : 8), "rate: %u cycles", (unsigned)cycles);
  drain(t, d);
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "xtq_target", 70000);
  dut *d = dut_begin(&t);
  dut_set_cfg_rid_i(d, RID);
  dut_reset(d, 2);
  set_up(&t, d);
  scenarios(&t, d);
  rate(&t, d);
  for (unsigned p = 0; p < PROCS; p++) agent(p, 0);
  set_queue(&t, d, 0, 0, 3, 0, false);
  while (dut_cycle(d) < t.cycles && !t.failures) {
    unsigned p = (unsigned)rnd_below(&t, PROCS), qp = (unsigned)rnd_below(&t, QPS), i = (unsigned)rnd_below(&t, N);
    if (rnd_chance(&t, 3)) pct = rnd_chance(&t, 40) ? 100 : 20 + (unsigned)rnd_below(&t, 70);
    event_room = rnd_chance(&t, 85);
    if (rnd_chance(&t, QPS > 1 ? 25 : 40)) agent(p, i);
    if (rnd_chance(&t, procs[p].count ? 30 : 80))  // a long SEND takes a whole one
      post(&t, d, p, rnd(&t) & ~63ull, 1 + rnd_below(&t, 6000), rnd_below(&t, 300));
    if (rnd_chance(&t, 6)) set_code(&t, d, p, (unsigned)rnd_below(&t, 2), i, rnd_chance(&t, 50));
    if (rnd_chance(&t, 4)) {
      drain(&t, d);
      set_queue(&t, d, p, i, (unsigned)rnd_below(&t, 4), (unsigned)rnd_below(&t, 4), rnd_chance(&t, 50));
    }
    if (rnd_chance(&t, 10)) log_task(&t, d, (unsigned)rnd_below(&t, 32), p, (unsigned)rnd_below(&t, N + 1));
    if (qps[qp].live && rnd_chance(&t, QPS > 1 ? 2 : 3)) give_up(&t, d, qp, rnd_chance(&t, 50));
    if (!qps[qp].live && rnd_chance(&t, 30)) {
      qps[qp] = letter(&t, p, (unsigned)rnd_below(&t, rnd_chance(&t, 50) ? 300 : 2500), (unsigned)rnd_below(&t, 3));
      if (rnd_chance(&t, 3)) qps[qp] = of_nobody(&t, qps[qp]);
    } else if (!qps[qp].live) {
      bool big = rnd_chance(&t, 15);
      unsigned args = 16 * (unsigned)rnd_below(&t, big ? 257 : 6), bytes = (unsigned)rnd_below(&t, big ? 1000 : 150);
      if (rnd_chance(&t, 20)) bytes = 0;
      qps[qp] =
          fresh(&t, p, (unsigned)rnd_below(&t, 2), args, bytes, (unsigned)rnd_below(&t, N), (unsigned)rnd_below(&t, N));
      if (rnd_chance(&t, 5)) qps[qp].bytes[0] ^= (uint8_t)(1u << rnd_below(&t, 8));
      if (rnd_chance(&t, 3)) qps[qp].target ^= 1u << rnd_below(&t, 16);
      if (rnd_chance(&t, 3)) qps[qp] = of_nobody(&t, qps[qp]);
      if (rnd_chance(&t, 3)) qps[qp].length ^= 1u << rnd_below(&t, 31);
    }
    packet(&t, d, qp);
  }
  drain(&t, d);
  uint64_t few = tb_least(&t, 20);
  CHECK(&t, received[0] > few && received[1] > few && received[2] > few && received[3] > few, "events 8: %u %u %u %u",
        (unsigned)received[0], (unsigned)received[1], (unsigned)received[2], (unsigned)received[3]);
  CHECK(&t,
        pushed > tb_least(&t, 333) && whys[NIC_K_WhyQueueFull] > tb_least(&t, 100) && whys[NIC_K_WhyNoBuffer] &&
            whys[NIC_K_WhyNoEvent] > tb_least(&t, 25) && buffers_told,
        "%u tasks, %u full, %u no buffer, %u no event, %u buffers used up", (unsigned)pushed,
        (unsigned)whys[NIC_K_WhyQueueFull], (unsigned)whys[NIC_K_WhyNoBuffer], (unsigned)whys[NIC_K_WhyNoEvent],
        (unsigned)buffers_told);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
