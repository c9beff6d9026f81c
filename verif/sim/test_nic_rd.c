// SPDX-License-Identifier: Apache-2.0
// nic_rd: jobs of every size against the model: the TLPs that ask, a completer that answers in any legal split, in any
// order and in any bad way, and the items that come out. Named scenarios first, then all of it at random.
// Rules of rtl/nic/README.md: MEM-2, MEM-3, MEM-4, MEM-5, MEM-7, TIM-7.
// config: default
// config: narrow +define+TOCSIN_DATA_W=128
// config: wide +define+TOCSIN_DATA_W=512
// config: many -GReadTags=32 -GMaxRead=256 +define+TOCSIN_DATA_W=128
// config: short -GTmoW=11 +define+TOCSIN_DATA_W=128
// netlist: narrow
#include <string.h>

#include "tb.h"
#include "nic_rd_tb.h"
#include "aa_fields.h"
#include "tocsin/nic_dma.h"

#define BEAT (NIC_BYTES_T_DATA_W / 8)
#define BEAT_DW (BEAT / 4)
#define TAGS ((unsigned)P_ReadTags)
#define LONGEST ((unsigned)((1ull << P_TmoW) - 1))
#define JOBS 128

typedef struct work {
  nic_dma_job job;
  uint8_t item[NIC_JOB_MAX];
  uint8_t err;  // NIC_ITEM_*
} work;

// A request that has left: what the completer still has to send.
typedef struct asked {
  nic_dma_job job;
  uint64_t va, sent;  // next byte; cycle
  uint32_t left;
  uint8_t memory[8];  // atomics
} asked;

typedef enum fault {
  NONE,
  STATUS,
  POISON,
  LINK,
  COUNT,
  LONG,
  NODATA,
  CUT,
  SHORT,
  TAIL,
  STRB,
  TYPE,
  REQUESTER,
  TAGBITS,
  FAULTS
} fault;

typedef struct state {
  work ring[JOBS];
  unsigned made, job_in, req, out, out_at;  // jobs made, taken, asked for, shown
  nic_chunk chunk;
  bool job_up;
  uint32_t job[JOB_I_WORDS];
  asked tag[NIC_TAGS_MAX];
  nic_reads model;
  // the completion that is being sent
  bool cpl, framed, cut;
  tlp t;
  uint8_t data[NIC_JOB_MAX + 64];
  unsigned dw, beats;  // words sent; beats still to send
  fault bad, only;     // only: the one fault that there is, or NONE for any
  // what the hardware says of it three cycles after its last beat (two after the sop that cuts it off)
  struct {
    bool due, framed;
    tlp t;
    uint8_t data[NIC_JOB_MAX + 64];
  } event[4];
  unsigned rcb, mrrs, tmo, fault_pm, lose_pm;
  unsigned job_pct, req_pct, cpl_pct, out_pct;
  bool hold_cpl, free_now;
  uint32_t held[OUT_O_WORDS], held_req[REQ_O_WORDS];  // what was shown in the cycle before,
  bool wait_out, wait_req;                            // and not taken
  uint64_t requests, completions, shown, first_out, last_out, first_req, last_req, seen[FAULTS], verdict[NIC_CPL_COUNT],
      expired;
  uint64_t bad_items, refused, first_cpl, last_cpl;
} state;

static uint8_t memory(uint64_t va) { return (uint8_t)((va * 0x9e3779b97f4a7c15u) >> 40); }

static uint32_t size_of(const state *s) { return nic_dma_size(s->mrrs, P_MaxRead); }

static work *make(tb *t, state *s, unsigned op, uint64_t va, unsigned len) {
  work *w = &s->ring[s->made++ % JOBS];
  w->job = (nic_dma_job){.rid = (uint16_t)rnd(t),
                         .src = (uint8_t)rnd(t),
                         .va = va,
                         .len = op ? 8 : len,
                         .op = (uint8_t)op,
                         .swap = rnd(t),
                         .compare = rnd(t)};
  w->err = NIC_ITEM_GOOD;
  return w;
}

static void drive_job(tb *t, dut *d, state *s) {
  if (!s->job_up) {
    const nic_dma_job *job = &s->ring[s->job_in % JOBS].job;
    s->job_up = s->job_in != s->made && rnd_chance(t, s->job_pct);
    bits_set(s->job, NIC_DMA_T_RID_LSB, 16, job->rid);
    bits_set(s->job, NIC_DMA_T_SRC_LSB, 8, job->src);
    bits_set(s->job, NIC_DMA_T_VA_LSB, 64, job->va);
    bits_set(s->job, NIC_DMA_T_LEN_LSB, 13, job->op ? rnd_below(t, 4097) : job->len);
    bits_set(s->job, NIC_DMA_T_OP_LSB, 2, job->op);
    bits_set(s->job, NIC_DMA_T_SWAP_LSB, 64, job->swap);
    bits_set(s->job, NIC_DMA_T_COMPARE_LSB, 64, job->compare);
  }
  dut_set_job_valid_i(d, s->job_up);
  dut_set_job_i(d, s->job);
}

// ---- requests -------------------------------------------------------------------------------------------------------

static bool next_request(state *s) {
  for (; s->req != s->made; s->req++, s->chunk = (nic_chunk){0}) {
    const nic_dma_job *job = &s->ring[s->req % JOBS].job;
    if (!job->op ? nic_chunk_next(job, size_of(s), &s->chunk) : s->chunk.bytes == 0) {
      if (job->op) s->chunk.bytes = 8;
      return true;
    }
  }
  return false;
}

static void check_request(tb *t, dut *d, state *s) {
  uint32_t b[REQ_O_WORDS];
  uint8_t payload[16];
  tlp want;
  dut_get_req_o(d, b);
  bool any = next_request(s);
  CHECK(t, any, "P3: a request too many");
  if (!any) return;
  work *w = &s->ring[s->req % JOBS];
  unsigned tag = (unsigned)bits_get(b, CM_TLP_T_HDR_LSB + 72, 8);
  CHECK(t, tag < TAGS && s->model.tag[tag].state == NIC_TAG_FREE, "P3: tag %u is not free", tag);
  if (tag >= TAGS) return;
  nic_rd_tlp(&w->job, &s->chunk, (uint8_t)tag, payload, &want);
  for (unsigned i = 0; i < 4; i++)
    CHECK_EQ(t, bits_get(b, CM_TLP_T_HDR_LSB + 96 - 32 * i, 32), want.hdr[i],
             "P3: header word %u, op %u va %" PRIx64 " len %u", i, w->job.op, w->job.va, w->job.len);
  CHECK_EQ(t, bits_get(b, CM_TLP_T_SOP_LSB, 1) & bits_get(b, CM_TLP_T_EOP_LSB, 1), 1, "P3: one beat");
  CHECK_EQ(t, bits_get(b, CM_TLP_T_STRB_LSB, BEAT_DW), (1u << want.ndw) - 1, "P3: strb");
  CHECK_EQ(t, bits_get(b, CM_TLP_T_SEQ_LSB, 8), w->job.src, "P3: seq");
  for (unsigned i = 0; i < 4 * want.ndw; i++)
    CHECK_EQ(t, bits_get(b, 8 * i, 8), payload[i], "P3: byte %u of the operands", i);
  asked *a = &s->tag[tag];
  *a = (asked){.job = w->job, .va = s->chunk.va, .left = s->chunk.bytes, .sent = dut_cycle(d)};
  for (unsigned i = 0; i < 8; i++) a->memory[i] = (uint8_t)rnd(t);
  nic_reads_open(&s->model, (uint8_t)tag, &w->job, &s->chunk, w->item, &w->err);
  s->last_req = dut_cycle(d);
  if (!s->requests++) s->first_req = s->last_req;
}

// ---- the completer --------------------------------------------------------------------------------------------------

// A completion of a tag, up to a border of the root complex or to the end; 4: any word is a border.
static void answer(tb *t, state *s, unsigned tag) {
  asked *a = &s->tag[tag];
  bool atomic = a->job.op != 0;
  unsigned lead = atomic ? 0 : (unsigned)(a->va & 3);
  uint32_t bytes = a->left;
  if (!atomic) {
    uint64_t border = (a->va / s->rcb + 1 + rnd_below(t, rnd_chance(t, 50) ? 1 : 4096 / s->rcb)) * s->rcb;
    if (a->va + bytes > border) bytes = (uint32_t)(border - a->va);
  }
  for (unsigned i = 0; i < sizeof s->data; i++) s->data[i] = (uint8_t)rnd(t);
  for (unsigned i = 0; i < bytes; i++) s->data[lead + i] = atomic ? a->memory[i] : memory(a->va + i);
  tlp_fields f = {.type = TLP_CPLD,
                  .rid = a->job.rid,
                  .tag = (uint16_t)tag,
                  .cid = (uint16_t)rnd(t),
                  .byte_count = (uint16_t)a->left,
                  .length = (uint16_t)((lead + bytes + 3) / 4),
                  .lower_addr = (uint8_t)(atomic ? 0 : a->va & 0x7f),
                  .tc = 0};
  s->bad = rnd_below(t, 1000) < s->fault_pm ? (s->only ? s->only : (fault)(1 + rnd_below(t, FAULTS - 1))) : NONE;
  s->t = (tlp){.ndw = f.length, .data = s->data};
  s->framed = true;
  s->cut = false;
  switch (s->bad) {
    case STATUS:
      f.status = (uint8_t)(rnd_chance(t, 50) ? TLP_UR : 1 + rnd_below(t, 7));
      f.type = rnd_chance(t, 80) ? TLP_CPL : TLP_CPLD;
      break;
    case POISON: f.ep = true; break;
    case LINK: s->t.err = true; break;
    case COUNT: f.byte_count = (uint16_t)(f.byte_count ^ 1u << rnd_below(t, 12)); break;
    case LONG: f.length = (uint16_t)((lead + a->left + 3) / 4 + 1 + rnd_below(t, rnd_chance(t, 50) ? 3 : 15)); break;
    case NODATA: f.type = TLP_CPL; break;
    case TYPE: f.type = rnd_chance(t, 50) ? TLP_CPLDLK : TLP_MWR32; break;
    case REQUESTER: f.rid ^= (uint16_t)(1u << rnd_below(t, 16)); break;
    case TAGBITS: f.tag |= (uint16_t)(TAGS << rnd_below(t, TAGS == 64 ? 4 : 6) & 0x3ffu); break;
    default: break;
  }
  tlp_pack(&f, s->t.hdr);
  s->t.ndw = tlp_data_dw(s->t.hdr);
  s->beats = s->t.ndw ? (s->t.ndw + BEAT_DW - 1) / BEAT_DW : 1;
  if (s->bad == CUT && s->beats > 1)
    s->framed = false, s->cut = true, s->beats = 1 + (unsigned)rnd_below(t, s->beats - 1);
  if (s->bad == SHORT && s->beats > 1) s->framed = false, s->beats--;
  if (s->bad == TAIL) s->framed = false, s->beats += 1 + (unsigned)rnd_below(t, 3);
  if (s->bad == STRB) s->framed = false;
  s->cpl = true;
  s->dw = 0;
  s->seen[s->bad]++;
  s->completions++;
  if (s->bad == STATUS) a->left = 0;  // the last one, behind which the tag may soon be another's
  if (s->bad == NONE || s->bad == POISON || s->bad == LINK) {
    a->left -= bytes;
    a->va += bytes;
  }
}

// One of the tags that are live and have something left, or sometimes one that has been given up: it is stray.
static void choose(tb *t, state *s) {
  unsigned from = (unsigned)rnd_below(t, TAGS);
  for (unsigned i = 0; i < TAGS; i++) {
    unsigned tag = (from + i) % TAGS;
    bool late = s->model.tag[tag].state == NIC_TAG_DEAD && rnd_chance(t, 2);
    if (s->tag[tag].left && (s->model.tag[tag].state == NIC_TAG_LIVE || late)) {
      if (rnd_below(t, 1000) < s->lose_pm)
        s->tag[tag].left = 0;  // nobody answers any more
      else
        answer(t, s, tag);
      return;
    }
  }
}

// A completion of a tag that no tag of ours can be, of any length.
static void foreign(tb *t, state *s) {
  unsigned dw = 1 + (unsigned)rnd_bits(t, (unsigned)rnd_below(t, 11));
  tlp_fields f = {.type = TLP_CPLD,
                  .rid = (uint16_t)rnd(t),
                  .tag = 0x200,
                  .byte_count = (uint16_t)(4 * dw & 0xfff),
                  .length = (uint16_t)dw};
  s->t = (tlp){.ndw = dw, .data = s->data};
  tlp_pack(&f, s->t.hdr);
  s->cpl = s->framed = true;
  s->cut = false;
  s->bad = NONE;
  s->beats = (dw + BEAT_DW - 1) / BEAT_DW;
  s->dw = 0;
}

static void schedule(state *s, unsigned in) {
  s->event[in].due = true;
  s->event[in].framed = s->framed;
  s->event[in].t = s->t;
  memcpy(s->event[in].data, s->data, sizeof s->data);
}

static void drive_cpl(tb *t, dut *d, state *s) {
  uint32_t b[CPL_I_WORDS];
  bool was_cut = s->cpl && s->cut && s->beats == 0;
  rnd_words(t, b, CPL_I_W);
  if ((!s->cpl || was_cut) && !s->hold_cpl) {
    tlp old = s->t;
    uint8_t old_data[sizeof s->data];
    memcpy(old_data, s->data, sizeof old_data);
    unsigned old_dw = s->dw;
    bool begun = false;
    if (rnd_chance(t, s->cpl_pct)) {
      s->cpl = false;
      choose(t, s);
      if (!s->cpl && (was_cut ? rnd_chance(t, 20) : s->fault_pm && rnd_below(t, 200) == 0)) foreign(t, s);
      begun = s->cpl;
    }
    if (was_cut && begun) {  // this sop ends the one before
      s->event[2].due = true;
      s->event[2].framed = false;
      s->event[2].t = old;
      memcpy(s->event[2].data, old_data, sizeof old_data);
    } else if (was_cut) {
      s->t = old;
      s->dw = old_dw;
      s->cpl = s->cut = true;
      s->framed = false;
      s->beats = 0;
    }
  }
  bool up = s->cpl && s->beats != 0 && (s->dw == 0 || rnd_chance(t, s->cpl_pct));
  dut_set_cpl_valid_i(d, up);
  if (up) {
    unsigned left = s->t.ndw > s->dw ? s->t.ndw - s->dw : 0, n = left < BEAT_DW ? left : BEAT_DW;
    bool sop = s->dw == 0, eop = s->beats == 1 && !s->cut;
    uint32_t strb = (1u << n) - 1;
    if (s->bad == STRB && sop) strb ^= 1u << rnd_below(t, BEAT_DW);
    bits_set(b, CM_TLP_T_SOP_LSB, 1, sop);
    bits_set(b, CM_TLP_T_EOP_LSB, 1, eop);
    bits_set(b, CM_TLP_T_ERR_LSB, 1, s->t.err && eop);
    bits_set(b, CM_TLP_T_STRB_LSB, BEAT_DW, strb);
    for (unsigned i = 0; i < 4 && sop; i++) bits_set(b, CM_TLP_T_HDR_LSB + 96 - 32 * i, 32, s->t.hdr[i]);
    for (unsigned i = 0; i < 4 * n; i++) bits_set(b, 8 * i, 8, s->data[4 * s->dw + i]);
    s->dw += BEAT_DW;
    s->last_cpl = dut_cycle(d);
    if (sop && s->completions == 1) s->first_cpl = s->last_cpl;
    if (--s->beats == 0 && !s->cut) {
      schedule(s, 3);
      s->cpl = false;
    }
  }
  dut_set_cpl_i(d, b);
}

static void check_events(tb *t, dut *d, state *s) {
  nic_cpl v = NIC_CPL_COUNT;
  if (s->event[0].due) {
    s->event[0].t.data = s->event[0].data;
    v = nic_reads_complete(&s->model, &s->event[0].t, s->event[0].framed);
    s->verdict[v]++;
  }
  CHECK_EQ(t, dut_get_err_stray_o(d), v == NIC_CPL_STRAY, "stray; the model says %s", nic_cpl_name(v));
  CHECK_EQ(t, dut_get_err_malformed_o(d), v == NIC_CPL_MALFORMED, "malformed; the model says %s", nic_cpl_name(v));
  memmove(&s->event[0], &s->event[1], 3 * sizeof s->event[0]);
  s->event[3].due = false;
  if (dut_get_err_timeout_o(d)) {
    unsigned tag = (unsigned)dut_get_err_tag_o(d);
    CHECK(t, tag < TAGS && s->model.tag[tag].state == NIC_TAG_LIVE, "time-out of tag %u, which is not live", tag);
    if (tag >= TAGS || s->model.tag[tag].state != NIC_TAG_LIVE) return;
    uint64_t age = dut_cycle(d) - s->tag[tag].sent;
    CHECK(t, s->tmo && age >= s->tmo && age <= s->tmo + TAGS + 2, "time-out after %" PRIu64 " cycles, NIC_CPL_TMO %u",
          age, s->tmo);
    nic_reads_expire(&s->model, (uint8_t)tag);
    s->expired++;
  }
}

// ---- items ----------------------------------------------------------------------------------------------------------

static void check_item(tb *t, dut *d, state *s) {
  uint32_t b[OUT_O_WORDS];
  dut_get_out_o(d, b);
  CHECK(t, s->out != s->job_in, "P1: an item too many");
  if (s->out == s->job_in) return;
  const work *w = &s->ring[s->out % JOBS];
  unsigned left = w->job.len - s->out_at, n = left < BEAT ? left : BEAT;
  CHECK_EQ(t, bits_get(b, NIC_BYTES_T_BYTES_LSB, NIC_BYTES_T_BYTES_W), n, "P1: bytes of a beat, byte %u of %u",
           s->out_at, w->job.len);
  CHECK_EQ(t, bits_get(b, NIC_BYTES_T_LAST_LSB, 1), n == left, "P1: last, byte %u of %u", s->out_at, w->job.len);
  CHECK_EQ(t, bits_get(b, NIC_BYTES_T_ERR_LSB, 1), w->err != NIC_ITEM_GOOD, "P2: err of job %u", s->out);
  CHECK_EQ(t, bits_get(b, NIC_BYTES_T_UR_LSB, 1), w->err == NIC_ITEM_REFUSED, "P2: refused, job %u", s->out);
  s->refused += w->err == NIC_ITEM_REFUSED;
  for (unsigned i = 0; i < n && !w->err; i++)
    CHECK_EQ(t, bits_get(b, 8 * i, 8), w->item[s->out_at + i], "P1: byte %u of %u, va %" PRIx64 " op %u", s->out_at + i,
             w->job.len, w->job.va, w->job.op);
  for (unsigned i = 0; i < n && !w->err && !w->job.op; i++)
    CHECK_EQ(t, w->item[s->out_at + i], memory(w->job.va + s->out_at + i), "test: the model's byte %u", s->out_at + i);
  s->last_out = dut_cycle(d);
  if (!s->shown++) s->first_out = s->last_out;
  s->out_at += n;
  if (n == left) {
    s->bad_items += w->err != NIC_ITEM_GOOD;
    s->out++;
    s->out_at = 0;
  }
}

static void cycle(tb *t, dut *d, state *s) {
  uint32_t now[OUT_O_WORDS], now_req[REQ_O_WORDS];
  bool quiet = !s->cpl && !s->event[0].due && !s->event[1].due && !s->event[2].due;
  bool freed = s->free_now && quiet;
  drive_job(t, d, s);
  if (freed)
    dut_set_cpl_valid_i(d, 0);
  else
    drive_cpl(t, d, s);
  bool req_ready = rnd_chance(t, s->req_pct), out_ready = rnd_chance(t, s->out_pct);
  dut_set_req_ready_i(d, req_ready);
  dut_set_out_ready_i(d, out_ready);
  dut_set_cfg_mrrs_i(d, s->mrrs);
  dut_set_cfg_tmo_i(d, s->tmo);
  dut_set_tag_free_i(d, freed);
  dut_eval(d);
  CHECK_EQ(t, dut_get_cpl_ready_o(d), 1, "P5: cpl_ready_o");
  dut_get_out_o(d, now);
  dut_get_req_o(d, now_req);
  if (s->wait_out)
    CHECK(t, dut_get_out_valid_o(d) && words_eq(now, s->held, OUT_O_W), "P4: a beat of an item changes while it waits");
  if (s->wait_req)
    CHECK(t, dut_get_req_valid_o(d) && words_eq(now_req, s->held_req, REQ_O_W), "P4: a request changes while it waits");
  s->wait_out = dut_get_out_valid_o(d) && !out_ready;
  s->wait_req = dut_get_req_valid_o(d) && !req_ready;
  memcpy(s->held, now, sizeof s->held);
  memcpy(s->held_req, now_req, sizeof s->held_req);
  if (freed) {
    nic_reads_free(&s->model);
    s->free_now = false;
  }
  check_events(t, d, s);
  if (dut_get_req_valid_o(d) && req_ready) check_request(t, d, s);
  if (dut_get_out_valid_o(d) && out_ready) check_item(t, d, s);
  bool job = s->job_up && dut_get_job_ready_o(d);
  dut_tick(d);
  if (job) s->job_in++, s->job_up = false;
}

static void fast(state *s) {
  s->job_pct = s->req_pct = s->cpl_pct = s->out_pct = 100;
  s->fault_pm = s->lose_pm = s->tmo = 0;
  s->hold_cpl = false;
  s->only = NONE;
  s->rcb = 64;
  s->requests = s->shown = s->completions = 0;
}

// All items are out. Tags that nobody answers need the time-out; those given up are freed when they are in the way.
static void drain(tb *t, dut *d, state *s) {
  for (unsigned i = 0; i < 60000 && s->out != s->made; i++) {
    if (i % 500 == 499) s->free_now = true;
    cycle(t, d, s);
  }
  CHECK_EQ(t, s->out, s->made, "P1: every job has its item");
  unsigned fault_pm = s->fault_pm;
  s->fault_pm = 0;  // nothing foreign any more
  for (unsigned i = 0; i < 40 || (s->cpl && s->beats && i < 4000); i++) cycle(t, d, s);
  s->free_now = true;
  for (unsigned i = 0; i < 40; i++) cycle(t, d, s);
  s->fault_pm = fault_pm;
  CHECK(t, !next_request(s), "P3: every request has left");
  for (unsigned i = 0; i < TAGS; i++) CHECK_EQ(t, s->model.tag[i].state, NIC_TAG_FREE, "tag %u at the end", i);
}

// ---- scenarios ------------------------------------------------------------------------------------------------------

static void borders(tb *t, dut *d, state *s) {
  static const uint64_t at[] = {0x1000, 0x12340ff80, 0xfffff000, 0x100000000};
  static const unsigned len[] = {0, 1, 3, 4, 5, 31, 64, 65, 127, 129, 512, 4096};
  fast(s);
  for (s->mrrs = 0; s->mrrs < 8; s->mrrs += 1)
    for (unsigned l = 0; l < 12; l++) {
      s->rcb = l % 3 == 0 ? 4 : l % 3 == 1 ? 64 : 128;
      make(t, s, 0, at[(l + s->mrrs) % 4] - rnd_below(t, 70), len[l]);
      make(t, s, 0, at[l % 4] + rnd_below(t, 4), len[l]);
      make(t, s, 1 + l % 2, at[l % 4] + 8 * rnd_below(t, 9) + rnd_below(t, 8), 0);
      if (l % 4 == 3) drain(t, d, s);
    }
  drain(t, d, s);
}

// P6: long jobs: a beat of completions and of items a cycle, all from the first to the last.
static void rate_long(tb *t, dut *d, state *s) {
  fast(s);
  s->mrrs = 5;
  for (unsigned i = 0; i < 4; i++) make(t, s, 0, 0x40000 + 4096 * i, 4096);
  s->hold_cpl = true;
  for (unsigned i = 0; i < 60; i++) cycle(t, d, s);
  s->hold_cpl = false;
  s->rcb = 4096;
  drain(t, d, s);
  unsigned beats = 2 * 4096 / BEAT;
  CHECK(t, s->last_out - s->first_out + 1 <= 2 * beats + 4096 / BEAT, "P6: cycles for 4 items of 4096 bytes: %" PRIu64,
        s->last_out - s->first_out + 1);
}

// P6: short jobs: a request a cycle; when all have been answered, a beat a cycle.
static void rate_short(tb *t, dut *d, state *s) {
  fast(s);
  s->mrrs = 2;
  s->hold_cpl = true;
  s->out_pct = 0;
  for (unsigned i = 0; i < TAGS; i++) make(t, s, 0, 0x90000 + 64 * i, 64);
  for (unsigned i = 0; i < TAGS + 10; i++) cycle(t, d, s);
  CHECK_EQ(t, s->requests, TAGS, "requests of %u jobs", TAGS);
  CHECK_EQ(t, s->last_req - s->first_req + 1, TAGS, "P6: cycles for %u requests", TAGS);
  s->hold_cpl = false;
  for (unsigned i = 0; i < TAGS * 64 / BEAT + 10; i++) cycle(t, d, s);
  CHECK_EQ(t, s->last_cpl - s->first_cpl + 1, TAGS * 64 / BEAT, "P5: cycles for %u completions", TAGS);
  s->out_pct = 100;
  drain(t, d, s);
  CHECK_EQ(t, s->last_out - s->first_out + 1, TAGS * 64 / BEAT, "P6: cycles for %u items", TAGS);
}

// Each fault alone, then good jobs: nothing of it is left but what the model says.
static void faults(tb *t, dut *d, state *s) {
  fast(s);
  s->mrrs = 2;
  for (unsigned n = 0; n < 20 * FAULTS; n++) {
    s->fault_pm = 300;
    s->tmo = 400;
    s->rcb = 64;
    make(t, s, n % 8 == 7 ? 1 : 0, rnd_below(t, 1 << 16), 1 + (unsigned)rnd_below(t, 1000));
    if (n % 4 == 3) {
      drain(t, d, s);
      s->fault_pm = 0;
      make(t, s, 0, rnd_below(t, 1 << 16), 600);
      drain(t, d, s);
    }
  }
  for (unsigned i = 1; i < FAULTS; i++) CHECK(t, s->seen[i] != 0, "fault %u was tried", i);
}

// P2: an item says that its reads were refused, if that alone is what became of them, whichever place it has.
static void refused(tb *t, dut *d, state *s) {
  fast(s);
  s->mrrs = 0;
  s->only = STATUS;
  s->fault_pm = 900;
  uint64_t before = s->refused;
  for (unsigned i = 0; i < 8; i++) {
    for (unsigned n = 0; n < TAGS; n++) make(t, s, 0, rnd_below(t, 1 << 16), 1 + (unsigned)rnd_below(t, 160));
    drain(t, d, s);
  }
  CHECK(t, s->refused - before > TAGS, "%" PRIu64 " items refused", s->refused - before);
}

// As many jobs inside as there can be, most of them without bytes since tags are few, and one more that waits: the
// oldest is none the worse for it, of whatever size both are.
static void crowd(tb *t, dut *d, state *s) {
  for (unsigned len = 0; len <= 4096; len = len ? 2 * len : BEAT) {
    fast(s);
    s->mrrs = 5;
    s->hold_cpl = true;
    make(t, s, 0, 0x20003, len);
    for (unsigned i = 1; i < TAGS; i++) make(t, s, 0, 0x90000 + 64 * i, i % 4 ? 0 : i);
    make(t, s, 0, 0x30000, 4096 - len);
    for (unsigned i = 0; i < TAGS + 20; i++) cycle(t, d, s);
    s->hold_cpl = false;
    drain(t, d, s);
  }
}

// P4: the end of an item waits, and what comes behind it arrives.
static void item_waits(tb *t, dut *d, state *s) {
  for (unsigned lead = 1; lead < 4; lead++) {
    fast(s);
    s->mrrs = 2;
    s->out_pct = 0;
    make(t, s, 0, 0x5000 + lead, 5);
    for (unsigned i = 0; i < 40; i++) cycle(t, d, s);
    make(t, s, 0, 0x6000 + lead, 300);
    for (unsigned i = 0; i < 40; i++) cycle(t, d, s);
    s->out_pct = 100;
    drain(t, d, s);
  }
}

// Nobody answers: every tag is given up after its time, no more is asked for until they are freed.
static void silence(tb *t, dut *d, state *s, unsigned tmo) {
  fast(s);
  s->mrrs = 2;
  s->tmo = tmo;
  s->req_pct = 60;  // their times begin at any distance
  s->lose_pm = 1000;
  for (unsigned i = 0; i < TAGS + 10; i++) make(t, s, 0, 0x1000 * i, 16);
  for (unsigned i = 0; i < tmo + 8 * TAGS; i++) cycle(t, d, s);
  CHECK_EQ(t, s->requests, TAGS, "P3: requests while no tag comes back");
  CHECK_EQ(t, s->shown, TAGS, "P2: items of reads that nobody answers");
  s->lose_pm = 0;
  s->free_now = true;
  drain(t, d, s);
}

// After a reset no read is under way: none meets its time-out, and what answers those of before is stray.
static void forgotten(tb *t, dut *d, state *s, const asked *before) {
  fast(s);
  s->tmo = 20;
  for (unsigned i = 0; i < 60; i++) cycle(t, d, s);
  for (unsigned tag = 0; tag < TAGS; tag++) {
    s->tag[tag] = before[tag];
    s->tag[tag].left = 8;
    for (answer(t, s, tag); s->cpl;) cycle(t, d, s);
    s->tag[tag] = (asked){0};
  }
  for (unsigned i = 0; i < 10; i++) cycle(t, d, s);
  CHECK_EQ(t, s->verdict[NIC_CPL_STRAY], TAGS, "stray answers to what a reset has forgotten");
}

// Reset forgets all jobs, tags and completions, wherever they are.
static void restart(tb *t, dut *d, state *s) {
  fast(s);
  for (unsigned i = 0; i < 40; i++) make(t, s, 0, 0x1000 * i + 13, 700);
  for (unsigned i = 0; i < 90; i++) cycle(t, d, s);
  s->out_pct = s->req_pct = 0;
  for (unsigned i = 0; i < 60; i++) cycle(t, d, s);
  dut_reset(d, 1);
  asked before[NIC_TAGS_MAX];
  memcpy(before, s->tag, sizeof before);
  memset(s, 0, sizeof *s);
  nic_reads_init(&s->model, TAGS);
  forgotten(t, d, s, before);
}

int main(int argc, char **argv) {
  static state s;
  tb t;
  tb_init(&t, argc, argv, "nic_rd", 30000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  nic_reads_init(&s.model, TAGS);
  restart(&t, d, &s);
  borders(&t, d, &s);
  rate_long(&t, d, &s);
  rate_short(&t, d, &s);
  faults(&t, d, &s);
  refused(&t, d, &s);
  crowd(&t, d, &s);
  item_waits(&t, d, &s);
  // Each bit alone, and what a bit that is wrong makes shorter.
  static const unsigned times[] = {50, 52, 60, 64, 68, 76, 84, 92, 128, 256, 512, 1024, 2048};
  for (unsigned i = 0; i < sizeof times / sizeof *times; i++)
    if (times[i] <= LONGEST) silence(&t, d, &s, times[i]);
  // The longest of all, where that is short: a tag whose age has passed it may have been looked at just before.
  for (unsigned k = 0; k < 3 && LONGEST < 4096; k++) silence(&t, d, &s, LONGEST - k);
  uint64_t end = dut_cycle(d) + t.cycles;
  fast(&s);
  while (dut_cycle(d) < end) {
    static const unsigned pct[] = {100, 100, 70, 20}, rcb[] = {4, 64, 128};
    fast(&s);
    s.job_pct = pct[rnd_below(&t, 4)];
    s.req_pct = pct[rnd_below(&t, 4)];
    s.cpl_pct = pct[rnd_below(&t, 4)];
    s.out_pct = pct[rnd_below(&t, 4)];
    s.mrrs = (unsigned)rnd_below(&t, 8);
    s.rcb = rcb[rnd_below(&t, 3)];
    s.fault_pm = rnd_chance(&t, 50) ? 0 : rnd_chance(&t, 50) ? 30 : 150;
    s.lose_pm = s.fault_pm ? 10 : 0;
    s.tmo = s.fault_pm ? 300 + (unsigned)rnd_below(&t, 1000) : 0;
    unsigned most = rnd_chance(&t, 60) ? 300 : 4097;
    for (unsigned i = 0; i < 600; i++) {
      while (s.made - s.out < JOBS - 2)
        make(&t, &s, rnd_chance(&t, 10) ? 1 + (unsigned)rnd_below(&t, 2) : 0, rnd(&t) >> rnd_below(&t, 40),
             (unsigned)rnd_below(&t, most));
      if (rnd_chance(&t, 1)) s.free_now = true;
      cycle(&t, d, &s);
    }
    s.job_pct = s.req_pct = s.cpl_pct = s.out_pct = 100;
    drain(&t, d, &s);
  }
  printf("  %u jobs, %" PRIu64 " bad items, %" PRIu64 " time-outs; completions", s.out, s.bad_items, s.expired);
  for (unsigned i = 0; i < NIC_CPL_COUNT; i++) printf(" %s %" PRIu64, nic_cpl_name((nic_cpl)i), s.verdict[i]);
  printf("\n");
  for (unsigned i = 0; i < NIC_CPL_COUNT; i++)
    CHECK(&t, s.verdict[i] > 0, "a completion that is %s", nic_cpl_name((nic_cpl)i));
  CHECK(&t, s.expired > 0, "a time-out");
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
