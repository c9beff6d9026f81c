// SPDX-License-Identifier: Apache-2.0
// Hostile cases of requesters: one is reset while something of it is under way, one takes all that there is of a kind.
// Rules of rtl/aa/README.md: RST-1, RST-2, RST-3, RST-5, RST-6, TAG-6, TAG-7, TAG-8, TAG-9, TAG-11, FLU-4.
#include "directed.h"

// Lets time pass until one is there.
static void wait_for(fix *f, pktq *q) {
  for (unsigned i = 0; i < WAIT && !q->head && !f->b->failed; i++) bench_step(f->b);
}

static void device_reset(fix *f, unsigned ports, unsigned cycles) {
  f->b->dev_reset = ports;
  bench_run(f->b, cycles);
  f->b->dev_reset = 0;
  bench_run(f->b, 2);
}

// The function forgets its flush: the waiter ends, its tag is free, and nothing is sent, even when the log is drained.
static void c42(fix *f) {
  if (!f->b->hw.FlushPages) return;
  for (unsigned round = 0; round < 3; round++) {
    put(f, PUT, 1);
    unsigned n = most(f, f->b->hw.FlushWaiters), tags = most(f, f->b->hw.TagEntries);
    for (unsigned i = 0; i < n && i < tags; i++) send_pkt(f, 0, rd(A, TAG + i, FLUSH, 2));
    bench_run(f->b, 500);
    uint64_t held = cnt(f, AA_CNT_FLUSHES), ended = cnt(f, AA_CNT_FLUSHES_UNDONE);
    OK(!f->b->host_seen.head && !f->b->dev_seen[0].head && held > ended);
    device_reset(f, 1, round ? 1 : 9);
    for (unsigned i = 0; i < WAIT && cnt(f, AA_CNT_FLUSHES_UNDONE) != held && !f->b->failed; i++) bench_run(f->b, 10);
    IS("all ended", cnt(f, AA_CNT_FLUSHES_UNDONE), held);
    IS("no error", error_code(f), 0);
    consume(f, 0, 32 * (round + 1));
    bench_run(f->b, 300);
    OK(!f->b->dev_seen[0].head);
    send_pkt(f, 0, rd(A, TAG, GOOD, 1));
    HOST(PA(GOOD), TLP_MRD32);
    DEV(TLP_SC, 1, TAG);
  }
  NOTHING();
}

// A completion that comes after the end of its read never becomes data of the next one with that tag.
static void c43(fix *f) {
  host_mode_of(f->b)->manual = true;
  send_pkt(f, 0, rd(A, TAG, GET, 8));
  HOST(PA(GET), TLP_MRD32);
  device_reset(f, 1, 1);
  quiet(f);
  IS("error", error_code(f), AA_ERR_CPL_TIMEOUT);
  IS("ended", cnt(f, AA_CNT_CPL_TIMEOUTS), 1);
  ENTRY(0, 0, GET, entry(IUID, 2, DATA | ABORTED, 8, 0xF, 0xF, TAG, A));
  send_pkt(f, 0, rd(A, TAG, GOOD, 8));  // the same size: only the quarantine tells them apart
  send_pkt(f, 0, rd(A, TAG + 1, GOOD + 64, 1));
  bench_run(f->b, 500);
  OK(!f->b->host_seen.head && !f->b->dev_seen[0].head);
  put(f, GOOD + 128, 1);  // what is posted passes
  HOST(PA(GOOD) + 128, TLP_MWR32);
  complete(f, A, TAG, TLP_SC, 32, 0, 4, false);
  bench_run(f->b, 200);
  OK(!f->b->host_seen.head);  // its second half is still to come
  complete(f, A, TAG, TLP_SC, 16, 16, 4, false);
  HOST(PA(GOOD), TLP_MRD32);
  HOST(PA(GOOD) + 64, TLP_MRD32);
  OK(!f->b->dev_seen[0].head);
  IS("late", cnt(f, AA_CNT_LATE), 2);
  IS("stray", cnt(f, AA_CNT_BAD_CPL), 2);
  IS("error", error_code(f), AA_ERR_STRAY);
  complete(f, A, TAG, TLP_SC, 32, 0, 8, false);
  complete(f, A, TAG + 1, TLP_SC, 4, 64, 1, false);
  DEV(TLP_SC, 8, TAG);
  DEV(TLP_SC, 1, TAG + 1);
  // an answer that never comes keeps the tag for twice the time-out
  bench_write(f->b, AA_REG_AA_CPL_TMO, 4, 2000);
  uint64_t since = f->b->cycle;
  send_pkt(f, 0, rd(A, TAG, GOOD, 1));
  HOST(PA(GOOD), TLP_MRD32);
  for (unsigned i = 0; i < WAIT && cnt(f, AA_CNT_CPL_TIMEOUTS) != 2 && !f->b->failed; i++) bench_run(f->b, 10);
  OK(f->b->cycle - since >= 2000 && f->b->cycle - since < 2800);
  send_pkt(f, 0, rd(A, TAG, GOOD + 4, 1));
  for (unsigned i = 0; i < 2 && !f->b->host_seen.head && !f->b->failed; i++) wait_for(f, &f->b->host_seen);
  HOST(PA(GOOD) + 4, TLP_MRD32);
  OK(f->b->cycle - since >= 4000 && f->b->cycle - since < 4800);
  IS("never came", cnt(f, AA_CNT_OVER), 1);
  complete(f, A, TAG, TLP_SC, 4, 4, 1, false);
  DEV(TLP_SC, 1, TAG);
  bench_write(f->b, AA_REG_AA_CPL_TMO, 4, 0);
  IS("resets, time-outs", cnt(f, AA_CNT_CPL_TIMEOUTS), 2);
}

static void other(fix *f, uint64_t iova, unsigned tag, bool goes) {
  send_pkt(f, 1, rd(B, tag, iova, 1));
  wait_for(f, goes ? &f->b->host_seen : &f->b->dev_seen[1]);
  if (goes) host_gets(f, __LINE__, PA(iova), TLP_MRD32);
}

// Port 0 takes all flush waiters and all tags that it can get, for ever. Port 1 goes on.
static void c44(fix *f) {
  if (f->b->hw.NumPorts < 2 || !f->b->hw.FlushPages || f->b->hw.NumLogs < 2) return;
  host_mode_of(f->b)->manual = true;
  bench_write(f->b, AA_REG_AA_FLUSH_TMO, 4, 0);
  bench_write(f->b, AA_REG_AA_CPL_TMO, 4, 0);
  open_log(f, 1, 12, IUID + 1, 0);
  map(f, PUT2, (aa_leaf){.r = true, .w = true, .e = true, .iuid = IUID + 1});
  driver_inv_iotlb(f->b, f->s, true, 2, 1, PUT2, 0, false);
  if (f->b->hw.FlushPages > 1) bench_write(f->b, AA_REG_AA_FLP + 8, 8, PUT2 | (IUID + 1) << 2 | 1);
  put(f, PUT, 1);
  for (unsigned round = 0; round < 2; round++) {
    // first flushes of a log that nobody reads, then reads that nobody answers
    for (unsigned i = 0; i < f->b->hw.TagEntries + 4; i++)
      send_pkt(f, 0, rd(A, 0x40 * (round + 1) + i, round ? GOOD : FLUSH, 1));
    bench_run(f->b, 2000);
    IS("held", cnt(f, AA_CNT_FLUSHES), most(f, f->b->hw.FlushWaiters) + (f->b->hw.FlushPages > 1 ? 3 * round : 0));
    pktq_clear(&f->b->host_seen);
    OK(!f->b->dev_seen[0].head);
    for (unsigned i = 0; i < 3; i++) {
      if (f->b->hw.FlushPages > 1) {  // a flush of an empty log
        other(f, PUT2, i, false);
        device_gets(f, __LINE__, 1, TLP_SC, 1, i, B);
      }
      other(f, GOOD + 256, i, true);
      complete(f, B, i, TLP_SC, 4, 0, 1, false);
      device_gets(f, __LINE__, 1, TLP_SC, 1, i, B);
    }
    // its whole share at once
    unsigned all = f->b->hw.TagEntries, ports = f->b->hw.NumPorts, own = all < 2 * ports ? 1 : all / (2 * ports);
    for (unsigned i = 0; i < own; i++) other(f, GOOD + 64, i, true);
    for (unsigned i = 0; i < own; i++) {
      complete(f, B, i, TLP_SC, 4, 0x40, 1, false);
      device_gets(f, __LINE__, 1, TLP_SC, 1, i, B);
    }
  }
  // what port 0 has asked for ends by time
  host_mode_of(f->b)->manual = false;
  bench_write(f->b, AA_REG_AA_FLUSH_TMO, 4, 300);
  bench_write(f->b, AA_REG_AA_CPL_TMO, 4, 300);
}

// One requester id is ended by software, as before a function-level reset: the other one of its port goes on.
static void c52(fix *f) {
  host_mode_of(f->b)->manual = true;
  bool flush = f->b->hw.FlushPages;
  put(f, PUT, 1);
  quiet(f);
  send_pkt(f, 0, rd(A, TAG, GET, 8));
  HOST(PA(GET), TLP_MRD32);
  if (flush) send_pkt(f, 0, rd(A, TAG + 1, FLUSH, 1));
  send_pkt(f, 0, rd(B, TAG, GOOD, 1));
  HOST(PA(GOOD), TLP_MRD32);
  bench_write(f->b, AA_REG_AA_RESET, 8, A);
  IS("no GO", bench_read(f->b, AA_REG_AA_RESET, 8), A);
  bench_run(f->b, 300);
  IS("nothing ended", cnt(f, AA_CNT_CPL_TIMEOUTS) + cnt(f, AA_CNT_FLUSHES_UNDONE), 0);
  bench_write(f->b, AA_REG_AA_RESET, 8, AA_AA_RESET_GO_MASK | A);
  driver_wait_reg(f->b, AA_REG_AA_RESET, 8, AA_AA_RESET_GO_MASK, 0);
  IS("reads", cnt(f, AA_CNT_CPL_TIMEOUTS), 1);
  IS("flushes", cnt(f, AA_CNT_FLUSHES_UNDONE), flush);
  IS("error", error_code(f), AA_ERR_CPL_TIMEOUT);
  quiet(f);
  ENTRY(0, 32, GET, entry(IUID, 2, DATA | ABORTED, 8, 0xF, 0xF, TAG, A));
  consume(f, 0, 64);
  complete(f, A, TAG, TLP_SC, 32, 0, 8, false);
  bench_run(f->b, 200);
  OK(!f->b->dev_seen[0].head);
  IS("late", cnt(f, AA_CNT_LATE), 1);
  complete(f, B, TAG, TLP_SC, 4, 0, 1, false);
  DEVB(TLP_SC, 1, TAG);
  send_pkt(f, 0, rd(A, TAG, GOOD, 1));
  HOST(PA(GOOD), TLP_MRD32);
  complete(f, A, TAG, TLP_SC, 4, 0, 1, false);
  DEV(TLP_SC, 1, TAG);
}

// What waits in a lane when its requester is reset is dropped at its turn: it reaches nobody, and nothing is answered.
static void c53(fix *f) {
  driver_close(f->b, f->s, 0);
  open_log(f, 0, 6, IUID, 0);
  for (unsigned round = 0; round < 2; round++) {
    for (unsigned i = 0; i < 3; i++) put(f, PUT, 1);  // room for two
    bench_run(f->b, 300);
    IS("full", lp(f, 0, RSVD) - lp(f, 0, CONS), 64);
    send_pkt(f, 0, rd(A, TAG, GOOD, 1));
    send_pkt(f, 0, traffic_request(TLP_FADD32, A, TAG + 1, GOOD + 4, 2, 0, 0));  // misaligned: else a UR
    bench_run(f->b, 300);
    OK(!f->b->host_seen.head && !f->b->dev_seen[0].head);
    if (round) {
      bench_write(f->b, AA_REG_AA_RESET, 8, AA_AA_RESET_GO_MASK | A);
      bench_run(f->b, 300);
      IS("GO waits for them", bench_read(f->b, AA_REG_AA_RESET, 8), AA_AA_RESET_GO_MASK | A);
    } else {
      device_reset(f, 1, 2);
    }
    send_pkt(f, 0, rd(B, TAG + 2, GOOD, 1));  // comes after it
    consume(f, 0, lp(f, 0, PROD));
    if (f->b->hw.Window > 2) {
      HOST(PA(GOOD), TLP_MRD32);
      DEVB(TLP_SC, 1, TAG + 2);
    } else {  // it was still before the lane, or within
      wait_for(f, &f->b->dev_seen[0]);
      pktq_clear(&f->b->host_seen);
      pktq_clear(&f->b->dev_seen[0]);
    }
    quiet(f);
    OK(!f->b->host_seen.head && !f->b->dev_seen[0].head);
    IS("dropped", cnt(f, AA_CNT_CUT), 2 * (round + 1));
    IS("malformed", cnt(f, AA_CNT_MALFORMED), 0);
    IS("no error", error_code(f), 0);
    IS("over", bench_read(f->b, AA_REG_AA_RESET, 8), round ? A : 0);
    consume(f, 0, lp(f, 0, PROD));
  }
}

// A stray at the head of the completions, and a stream of what takes no tag but has its {rid, tag}: posted writes, then
// atomics that are malformed. The completion behind it, of the last port, is taken as ever.
static void c64(fix *f) {
  const unsigned port = f->b->hw.NumPorts - 1, stream = 400;
  put(f, GOOD + 64, 1);
  HOST(PA(GOOD) + 64, TLP_MWR32);
  host_mode_of(f->b)->manual = true;
  for (unsigned round = 0; round < 2; round++) {
    send_pkt(f, port, rd(B, TAG, GOOD, 1));
    HOST(PA(GOOD), TLP_MRD32);
    for (unsigned i = 0; i < stream; i++) {
      pkt *p = round ? traffic_request(TLP_FADD32, A, TAG, GOOD + 2, 3, 0, 0) : wr(A, GOOD + 64, 1, 0xF, 0);
      if (!round) p->hdr[1] |= 0x100 * TAG;
      send_pkt(f, 0, p);
    }
    bench_run(f->b, 40);
    complete(f, A, TAG, TLP_SC, 4, 0, 1, false);
    complete(f, B, TAG, TLP_SC, 4, 0, 1, false);
    for (unsigned i = 0; i < 40; i++) bench_step(f->b);
    OK(f->b->dev_q[0].head);  // the stream goes on
    for (pkt *p; port == 0 && f->b->dev_seen[0].head && tlp_cpl_id(f->b->dev_seen[0].head->hdr) == A;) {
      p = pktq_pop(&f->b->dev_seen[0]);  // UR of the atomics
      pkt_free(p);
    }
    OK(f->b->dev_seen[port].head);
    quiet(f);
    IS("error", error_code(f), round ? AA_ERR_ATOMIC : AA_ERR_STRAY);
    pktq_clear(&f->b->host_seen);
    for (unsigned p = 0; p <= port; p++) pktq_clear(&f->b->dev_seen[p]);
  }
}

// A flood of strays, and a read that comes at each of 8 phases of it: it is answered while the strays go on.
static void c65(fix *f) {
  const unsigned strays = 400;
  const bool timed = f->b->backend & BENCH_RTL;  // the model alone takes a stray a cycle
  send_pkt(f, 0, rd(A, TAG, GOOD, 1));
  DEV(TLP_SC, 1, TAG);
  quiet(f);
  pktq_clear(&f->b->host_seen);
  for (unsigned phase = 0; phase < 8; phase++) {
    for (unsigned i = 0; i < strays; i++) complete(f, NOBODY, TAG, TLP_SC, 4, 0, 1, false);
    bench_run(f->b, 100 + phase);
    send_pkt(f, 0, rd(A, TAG, GOOD, 1));
    bench_run(f->b, 100);
    OK(!timed || f->b->cpl_q.n > strays / 2);
    HOST(PA(GOOD), TLP_MRD32);
    OK(!timed || f->b->cpl_q.n > strays / 2);
    DEV(TLP_SC, 1, TAG);
    quiet(f);
  }
  IS("strays", cnt(f, AA_CNT_BAD_CPL), 8 * strays);
}

static const directed_case cases[] = {
    {42, c42, "reset while a flush is held"},
    {43, c43, "completion after the end of its read"},
    {44, c44, "one port takes all it can get"},
    {52, c52, "one requester id is ended"},
    {53, c53, "reset with requests in the lane"},
    {64, c64, "a stray beside its tag in requests that take none"},
    {65, c65, "a flood of strays"},
};
const directed_suite requester_cases = SUITE("hostile", cases);
