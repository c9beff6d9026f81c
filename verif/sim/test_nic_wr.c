// SPDX-License-Identifier: Apache-2.0
// nic_wr: jobs of every size and alignment, in every MPS, against the TLPs that the model says they are; rates,
// latency; done_o.
// Rules of rtl/nic/README.md: MEM-1.
// config: default
// config: narrow +define+TOCSIN_DATA_W=128
// config: wide +define+TOCSIN_DATA_W=512
// netlist: narrow
#include <string.h>

#include "tb.h"
#include "nic_wr_tb.h"
#include "aa_fields.h"
#include "tocsin/nic_dma.h"

#define BEAT (NIC_BYTES_T_DATA_W / 8)
#define BEAT_DW (BEAT / 4)
#define JOBS 16

typedef struct work {
  nic_dma_job job;
  uint8_t byte[NIC_JOB_MAX];
} work;

typedef struct state {
  work ring[JOBS];
  unsigned made, job_in, pay_in, out;  // jobs made, offered and taken, with all bytes in, gone
  unsigned pay_at, mps;
  bool job_up, pay_up;
  uint32_t job[JOB_I_WORDS], pay[PAY_I_WORDS];
  unsigned job_pct, pay_pct, req_pct;
  nic_chunk chunk;  // the TLP that comes, and its words that have
  uint8_t payload[NIC_JOB_MAX];
  tlp want;
  unsigned dw;
  uint64_t beats, tlps;
  uint64_t first_beat, last_beat;  // cycles
} state;

static void make(tb *t, state *s, uint64_t va, unsigned len) {
  work *w = &s->ring[s->made++ % JOBS];
  w->job = (nic_dma_job){
      .rid = (uint16_t)rnd(t), .src = (uint8_t)rnd(t), .va = va, .len = len, .op = (uint8_t)rnd_below(t, 3)};
  for (unsigned i = 0; i < len; i++) w->byte[i] = (uint8_t)rnd(t);
}

static void drive_job(tb *t, dut *d, state *s) {
  if (!s->job_up) {
    const nic_dma_job *job = &s->ring[s->job_in % JOBS].job;
    s->job_up = s->job_in != s->made && rnd_chance(t, s->job_pct);
    rnd_words(t, s->job, JOB_I_W);
    bits_set(s->job, NIC_DMA_T_RID_LSB, 16, job->rid);
    bits_set(s->job, NIC_DMA_T_SRC_LSB, 8, job->src);
    bits_set(s->job, NIC_DMA_T_VA_LSB, 64, job->va);
    bits_set(s->job, NIC_DMA_T_LEN_LSB, 13, job->len);
    bits_set(s->job, NIC_DMA_T_OP_LSB, 2, job->op);
  }
  dut_set_job_valid_i(d, s->job_up);
  dut_set_job_i(d, s->job);
}

static void drive_pay(tb *t, dut *d, state *s) {
  while (s->pay_in != s->made && s->ring[s->pay_in % JOBS].job.len == 0) s->pay_in++;
  if (!s->pay_up && s->pay_in != s->made && rnd_chance(t, s->pay_pct)) {
    const work *w = &s->ring[s->pay_in % JOBS];
    unsigned left = w->job.len - s->pay_at, n = left < BEAT ? left : BEAT;
    rnd_words(t, s->pay, PAY_I_W);
    for (unsigned i = 0; i < n; i++) bits_set(s->pay, 8 * i, 8, w->byte[s->pay_at + i]);
    bits_set(s->pay, NIC_BYTES_T_BYTES_LSB, NIC_BYTES_T_BYTES_W, n);
    bits_set(s->pay, NIC_BYTES_T_LAST_LSB, 1, n == left);
    bits_set(s->pay, NIC_BYTES_T_ERR_LSB, 1, 0);
    s->pay_up = true;
  }
  dut_set_pay_valid_i(d, s->pay_up);
  dut_set_pay_i(d, s->pay);
}

// A beat that leaves is the next of the TLP that the model makes of the next chunk.
static void check_beat(tb *t, dut *d, state *s) {
  uint32_t b[REQ_O_WORDS];
  dut_get_req_o(d, b);
  if (s->dw == 0) {
    const work *w = &s->ring[s->out % JOBS];
    while (s->out != s->made && !nic_chunk_next(&w->job, nic_dma_size(s->mps, 4096), &s->chunk)) {
      s->chunk = (nic_chunk){0};
      w = &s->ring[++s->out % JOBS];
    }
    CHECK(t, s->out != s->made, "P1: a TLP too many");
    if (s->out == s->made) return;
    nic_wr_tlp(&w->job, &s->chunk, w->byte, s->payload, &s->want);
    s->tlps++;
  }
  const work *w = &s->ring[s->out % JOBS];
  unsigned left = s->want.ndw - s->dw, n = left < BEAT_DW ? left : BEAT_DW;
  for (unsigned i = 0; i < 4; i++)
    CHECK_EQ(t, bits_get(b, CM_TLP_T_HDR_LSB + 96 - 32 * i, 32), s->want.hdr[i],
             "P3: header word %u, va %" PRIx64 " len %u MPS %u", i, w->job.va, w->job.len, 128u << s->mps);
  CHECK_EQ(t, bits_get(b, CM_TLP_T_SOP_LSB, 1), s->dw == 0, "P2: sop");
  CHECK_EQ(t, bits_get(b, CM_TLP_T_EOP_LSB, 1), n == left, "P2: eop");
  CHECK_EQ(t, bits_get(b, CM_TLP_T_ERR_LSB, 1), 0, "P2: err");
  CHECK_EQ(t, bits_get(b, CM_TLP_T_STRB_LSB, BEAT_DW), (1u << n) - 1, "P2: strb");
  CHECK_EQ(t, bits_get(b, CM_TLP_T_SEQ_LSB, 8), w->job.src, "P2: seq");
  for (unsigned i = 0; i < 4 * n; i++)
    CHECK_EQ(t, bits_get(b, 8 * i, 8), s->payload[4 * s->dw + i], "P1: byte %u of the payload, va %" PRIx64 " len %u",
             4 * s->dw + i, w->job.va, w->job.len);
  CHECK_EQ(t, dut_get_done_o(d), n == left && nic_chunk_last(&w->job, &s->chunk), "P5: done_o");
  s->dw = n == left ? 0 : s->dw + n;
  s->last_beat = dut_cycle(d);
  if (!s->beats++) s->first_beat = s->last_beat;
}

static void cycle(tb *t, dut *d, state *s) {
  drive_job(t, d, s);
  drive_pay(t, d, s);
  bool ready = rnd_chance(t, s->req_pct);
  dut_set_req_ready_i(d, ready);
  dut_set_cfg_mps_i(d, s->mps);
  dut_eval(d);
  if (dut_get_req_valid_o(d) && ready)
    check_beat(t, d, s);
  else
    CHECK_EQ(t, dut_get_done_o(d), 0, "P5: done_o without a beat");
  bool job = s->job_up && dut_get_job_ready_o(d), pay = s->pay_up && dut_get_pay_ready_o(d);
  dut_tick(d);
  if (job) s->job_in++, s->job_up = false;
  if (pay) {
    s->pay_up = false;
    s->pay_at += BEAT;
    if (s->pay_at >= s->ring[s->pay_in % JOBS].job.len) s->pay_in++, s->pay_at = 0;
  }
}

// Until everything has gone; what then stands in the ring has been checked to the last byte.
static void drain(tb *t, dut *d, state *s) {
  unsigned idle = 0;
  for (unsigned i = 0; i < 30000 && idle < 20; i++) {
    uint64_t before = s->beats;
    cycle(t, d, s);
    idle = s->job_in == s->made && s->beats == before && s->req_pct == 100 && s->pay_pct == 100 ? idle + 1 : 0;
  }
  nic_chunk c = s->chunk;
  const nic_dma_job *job = &s->ring[s->out % JOBS].job;
  CHECK(t, s->dw == 0 && !nic_chunk_next(job, nic_dma_size(s->mps, 4096), &c), "P1: all of job %u has left", s->out);
  for (unsigned j = s->out + 1; j < s->made; j++) CHECK_EQ(t, s->ring[j % JOBS].job.len, 0, "P1: job %u has left", j);
  s->out = s->made;
  s->chunk = (nic_chunk){0};
}

static void fast(state *s) { s->job_pct = s->pay_pct = s->req_pct = 100; }

// Where things are decided: around borders of words, beats, MPS, pages, 4 GiB and the end of the address space.
static void borders(tb *t, dut *d, state *s) {
  static const uint64_t at[] = {0x1000, 0x12340ff80, 0xfffff000, 0x100000000, 0xffffffffffff0000};
  static const unsigned len[] = {0, 1, 2, 3, 4, 5, 8, 31, 64, 127, 128, 129, 255, 257, 512, 4095, 4096};
  fast(s);
  for (s->mps = 0; s->mps < 8; s->mps++)
    for (unsigned a = 0; a < 5; a++)
      for (unsigned l = 0; l < 17; l++) {
        if ((a + l + s->mps) % 2) continue;
        make(t, s, at[a] - rnd_below(t, 5), len[l]);
        make(t, s, at[a] + 4096 - len[l] / 2 + rnd_below(t, 4), len[l]);
        drain(t, d, s);
      }
}

// P6: `jobs` of `len` bytes back to back: beats and cycles from the first beat to the last. Behind each so many without
// bytes, which cost a cycle each at most.
static void rate(tb *t, dut *d, state *s, unsigned jobs, unsigned len, unsigned mps, unsigned empty) {
  fast(s);
  s->mps = mps;
  s->beats = 0;
  for (unsigned i = 0; i < jobs;) {
    for (; i < jobs && s->made - s->out + empty < JOBS - 2; i++) {
      make(t, s, 0x700000000 + 4096 * i, len);
      for (unsigned e = 0; e < empty; e++) make(t, s, rnd(t), 0);
    }
    cycle(t, d, s);
  }
  drain(t, d, s);
  uint64_t beats = jobs * ((len + BEAT - 1) / BEAT), cycles = s->last_beat - s->first_beat + 1;
  CHECK_EQ(t, s->beats, beats, "beats of %u jobs of %u bytes", jobs, len);
  CHECK(t, cycles >= beats && cycles <= beats + jobs * empty, "P6: %u cycles for %u jobs of %u bytes, MPS %u",
        (unsigned)cycles, jobs, len, 128u << mps);
}

// A full beat leaves 2 cycles after its bytes have come, whether others follow or not; 3 after its job.
static void latency(tb *t, dut *d, state *s) {
  for (unsigned late_job = 0; late_job < 2; late_job++) {
    fast(s);
    *(late_job ? &s->job_pct : &s->pay_pct) = 0;
    make(t, s, 0x40000, 3 * BEAT);
    for (unsigned i = 0; i < 8; i++) cycle(t, d, s);
    uint64_t from = dut_cycle(d);
    s->beats = 0;
    fast(s);
    cycle(t, d, s);
    if (!late_job) s->pay_pct = 0;
    for (unsigned i = 0; i < 10 && !s->beats; i++) cycle(t, d, s);
    CHECK(t, s->beats, "P4: a beat that has come leaves");
    CHECK_EQ(t, s->first_beat - from, late_job ? 3 : 2, "latency from %s", late_job ? "the job" : "its bytes");
    fast(s);
    drain(t, d, s);
  }
}

int main(int argc, char **argv) {
  static state s;
  tb t;
  tb_init(&t, argc, argv, "nic_wr", 20000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  borders(&t, d, &s);
  rate(&t, d, &s, 200, 64, 1, 0);
  rate(&t, d, &s, 20, 4096, 0, 0);
  rate(&t, d, &s, 20, 4096, 5, 0);
  rate(&t, d, &s, 50, 64, 0, 3);
  s.mps = 5;
  latency(&t, d, &s);
  uint64_t end = dut_cycle(d) + t.cycles;
  s.tlps = s.beats = 0;
  while (dut_cycle(d) < end) {
    static const unsigned pct[] = {100, 100, 70, 20};
    s.job_pct = pct[rnd_below(&t, 4)];
    s.pay_pct = pct[rnd_below(&t, 4)];
    s.req_pct = pct[rnd_below(&t, 4)];
    s.mps = (unsigned)rnd_below(&t, 8);
    unsigned most = rnd_chance(&t, 60) ? 200 : 4097;
    for (unsigned i = 0; i < 400; i++) {
      while (s.made - s.out < JOBS - 2) make(&t, &s, rnd(&t) >> rnd_below(&t, 40), (unsigned)rnd_below(&t, most));
      cycle(&t, d, &s);
    }
    fast(&s);
    drain(&t, d, &s);
  }
  printf("  random: %" PRIu64 " TLPs, %" PRIu64 " beats\n", s.tlps, s.beats);
  CHECK(&t, s.beats > t.cycles / 10, "beats go through");
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
