// SPDX-License-Identifier: Apache-2.0
#include "nic_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bits.h"

// ---- a cycle --------------------------------------------------------------------------------------------------------

static void drive_frame(bench *b) {
  bool go = b->at < b->ins && !b->hold;
  *b->p.s_axis_valid_i = go;
  if (!go) return;
  const wire_frame *f = &b->in[b->at % WAITING];
  size_t left = f->n - b->gone, k = left < BEAT ? left : BEAT;
  memset(b->p.s_axis_data_i, 0, BEAT);
  memcpy(b->p.s_axis_data_i, f->b + b->gone, k);
  for (unsigned i = 0; i < BEAT; i++) bit_put(b->p.s_axis_keep_i, i, i < k);
  *b->p.s_axis_last_i = left <= BEAT;
}

static void drive_completion(bench *b) {
  const read_job *r = &b->read[0];
  *b->p.dev_cpl_valid_i = b->reads && r->due <= b->cycle;
  if (!*b->p.dev_cpl_valid_i) return;
  unsigned lead = tlp_first_byte(r->f.fbe), bytes = tlp_byte_count(r->f.length, r->f.fbe, r->f.lbe);
  tlp_fields f = {
      .type = TLP_CPLD, .length = r->f.length, .rid = r->f.rid, .tag = r->f.tag, .cid = 8, .status = TLP_SC};
  f.byte_count = (uint16_t)(bytes & 4095);
  f.lower_addr = (uint8_t)((r->f.addr + lead) & 127);
  uint32_t hdr[4];
  tlp_pack(&f, hdr);
  for (unsigned i = 0; i < 4; i++) memcpy(b->p.dev_cpl_hdr_i + 4 * i, &hdr[3 - i], 4);
  unsigned off = b->read_beat * BEAT_DW, dws = f.length - off < BEAT_DW ? f.length - off : BEAT_DW;
  mem_read(b->m, r->f.addr + 4 * off, b->p.dev_cpl_data_i, BEAT);
  strb_put(b->p.dev_cpl_strb_i, 0, BEAT_DW, (1u << dws) - 1);
  *b->p.dev_cpl_sop_i = off == 0;
  *b->p.dev_cpl_eop_i = off + dws == f.length;
}

static void see_request(bench *b) {
  if (!*b->p.dev_req_valid_o) return;
  if (*b->p.dev_req_sop_o) {
    uint32_t hdr[4];
    for (unsigned i = 0; i < 4; i++) memcpy(&hdr[3 - i], b->p.dev_req_hdr_o + 4 * i, 4);
    tlp_parse(hdr, &b->put);
    b->put_beat = 0;
    if (!(b->put.type & TLP_HAS_DATA)) {
      if (b->reads == READS) abort();
      b->read[b->reads++] = (read_job){b->put, b->cycle + b->latency};
    }
  }
  if (!(b->put.type & TLP_HAS_DATA)) return;
  if (b->put.addr >= BUFFER && !b->stored_cycle) b->stored_cycle = b->cycle;
  uint32_t strb = strb_get(b->p.dev_req_strb_o, 0, BEAT_DW);
  const uint64_t at = b->put.addr + (uint64_t)BEAT * b->put_beat++;
  if (b->put.addr < BUFFER || (*b->p.dev_req_sop_o && *b->p.dev_req_eop_o))  // long writes of peers are nobody's
    for (unsigned i = 0; i < BEAT_DW; i++)
      if (strb >> i & 1) mem_write(b->m, at + 4 * i, b->p.dev_req_data_o + 4 * i, 4);
  if (b->put.addr == DOORBELL && *b->p.dev_req_sop_o) {
    b->doorbells++;
    b->bell_cycle = b->cycle;
  }
}

static void see_frame(bench *b) {
  if (!*b->p.m_axis_valid_o) return;
  b->beats_out++;
  if (b->out_beat < sizeof b->out_head / BEAT) memcpy(b->out_head + b->out_beat * BEAT, b->p.m_axis_data_o, BEAT);
  b->out_beat++;
  if (!b->out_mid && b->frames_out == b->out_from) b->out_first = b->cycle;
  b->out_mid = !*b->p.m_axis_last_o;
  if (b->out_mid) return;
  b->frames_out++;
  b->out_last = b->cycle;
  b->out_beat = 0;
  if (b->on_frame) b->on_frame(b);
}

void nb_step(bench *b) {
  drive_frame(b);
  drive_completion(b);
  *b->p.clk_i = 0;
  dut_eval(b->d);
  bool in = *b->p.s_axis_valid_i && *b->p.s_axis_ready_o, cpl = *b->p.dev_cpl_valid_i && *b->p.dev_cpl_ready_o;
  bool in_last = *b->p.s_axis_last_i, cpl_last = *b->p.dev_cpl_eop_i;
  see_request(b);
  see_frame(b);
  if (b->on_step) b->on_step(b);
  *b->p.clk_i = 1;
  dut_eval(b->d);
  if (in) {
    if (b->gone == 0 && b->at == b->from) b->first = b->cycle;
    b->gone += BEAT;
    if (in_last) {
      b->last = b->cycle;
      b->at++;
      b->gone = 0;
    }
  }
  if (cpl) {
    b->read_beat++;
    if (cpl_last) {
      b->read_beat = 0;
      memmove(b->read, b->read + 1, --b->reads * sizeof b->read[0]);
    }
  }
  b->cycle++;
}

void nb_fail(bench *b, const char *what) {
  fprintf(stderr, "bench_nic: %s (cycle %" PRIu64 ")\n", what, b->cycle);
  exit(1);
}

void nb_put(bench *b, uint32_t addr, uint64_t v) {
  memcpy(b->p.s_axil_awaddr, &addr, 4);
  memcpy(b->p.s_axil_wdata, &v, 8);
  *b->p.s_axil_wstrb = 0xff;
  *b->p.s_axil_awvalid = *b->p.s_axil_wvalid = 1;
  for (unsigned i = 0; !*b->p.s_axil_bvalid; i++) {
    if (i == 2000) nb_fail(b, "a register is not written");
    *b->p.clk_i = 0;
    dut_eval(b->d);
    bool taken = *b->p.s_axil_awready;
    nb_step(b);
    if (taken) *b->p.s_axil_awvalid = *b->p.s_axil_wvalid = 0;
  }
  nb_step(b);
}

uint64_t nb_get(bench *b, uint32_t addr) {
  uint64_t v;
  memcpy(b->p.s_axil_araddr, &addr, 4);
  *b->p.s_axil_arvalid = 1;
  for (unsigned i = 0; !*b->p.s_axil_rvalid; i++) {
    if (i == 2000) nb_fail(b, "a register is not read");
    *b->p.clk_i = 0;
    dut_eval(b->d);
    bool taken = *b->p.s_axil_arready;
    nb_step(b);
    if (taken) *b->p.s_axil_arvalid = 0;
  }
  memcpy(&v, b->p.s_axil_rdata, 8);
  nb_step(b);
  return v;
}

// ---- the NIC and its peer -------------------------------------------------------------------------------------------

static void entry(bench *b, unsigned table, unsigned index, uint64_t w0, uint64_t w1, uint64_t w2, uint64_t w3) {
  const uint64_t w[4] = {w0, w1, w2, w3};
  for (unsigned i = 0; i < 4; i++) nb_put(b, NIC_REG_XT_W + 8 * i, w[i]);
  nb_put(b, NIC_REG_XT_CMD, index | (uint64_t)table << NIC_XT_CMD_TABLE_LSB);
  for (unsigned i = 0; nb_get(b, NIC_REG_XT_STS) & NIC_XT_STS_BUSY_MASK; i++)
    if (i == 1000) nb_fail(b, "XT_CMD does not end");
  if (nb_get(b, NIC_REG_XT_STS) & NIC_XT_STS_BAD_MASK) nb_fail(b, "XT_CMD is refused");
}

void nb_setup(bench *b) {
  const uint64_t mac = 0x02746f637301, ip = 0x0a000002;
  b->m = mem_new();
  b->d = dut_new(1, NULL, &b->p);
  b->latency = 1;
  b->peer = (nic_self){.mac = 0x02746f637302, .ip = 0x0a000003};
  b->h = (nic_head){.mac = mac, .ip = (uint32_t)ip, .port = 0xC000, .pkey = 0xffff, .qp = 0x100, .rkey = KEY};
  *b->p.rst_ni = 0;
  *b->p.m_axis_ready_i = *b->p.dev_req_ready_i = *b->p.s_axil_bready = *b->p.s_axil_rready = 1;
  for (unsigned i = 0; i < 10; i++) nb_step(b);
  *b->p.rst_ni = 1;
  nb_put(b, NIC_REG_NIC_MAC, mac);
  nb_put(b, NIC_REG_NIC_IP, ip);
  nb_put(b, NIC_REG_NIC_QPN, 1);
  uint64_t mrrs = 0;
  while (128u << mrrs < CFG_MaxRead) mrrs++;
  uint64_t dma = nb_get(b, NIC_REG_NIC_DMA) & ~NIC_NIC_DMA_MRRS_MASK;
  nb_put(b, NIC_REG_NIC_DMA, dma | mrrs << NIC_NIC_DMA_MRRS_LSB);
  nb_put(b, NIC_REG_MR_BASE, 0);
  nb_put(b, NIC_REG_MR_LEN, 1ull << 40);
  nb_put(b, NIC_REG_MR_KEY, KEY | NIC_MR_KEY_R_MASK | NIC_MR_KEY_W_MASK | NIC_MR_KEY_EN_MASK);
  nb_put(b, NIC_REG_QP_MAC, b->peer.mac);
  nb_put(b, NIC_REG_QP_PEER, b->peer.ip | 0x200ull << NIC_QP_PEER_QP_LSB);
  nb_put(b, NIC_REG_QP_PSN, 0);
  nb_put(b, NIC_REG_QP_RING, SEND_RING);
  nb_put(b, NIC_REG_QP_RINGC, SEND_SIZE | 0xC000ull << NIC_QP_RINGC_PORT_LSB);
  nb_put(b, NIC_REG_QP_CTL,
         0xffff000077000000ull | 5ull << NIC_QP_CTL_MTU_LSB | NIC_QP_CTL_RECV_MASK | NIC_QP_CTL_EN_MASK);
  nb_put(b, NIC_REG_RB_ADDR, BUFFER);
  nb_put(b, NIC_REG_RB_POST, 0x40000000);
  nb_put(b, NIC_REG_XT_BASE, 0x1000000);
  nb_put(b, NIC_REG_EQ_BASE, 0x2200000);
  nb_put(b, NIC_REG_EQ_CTL, 12 | NIC_EQ_CTL_EN_MASK);
  for (unsigned i = 0; i < 32; i++) entry(b, 0, i, 0x1000 + i, TARGET, 0x9000, 3);
  entry(b, 2, 0, RING, DOORBELL, INDICES, 1 | 16 << 1 | (CFG_TableCache ? 1 << 7 : 0));  // behind a cache: MIRROR
}

void nb_frame(bench *b, nic_head h, const uint8_t *pay) {
  wire_frame *f = &b->in[b->ins++ % WAITING];
  h.psn = b->h.psn;
  f->n = nic_frame_build(&b->peer, &h, pay, f->b);
}

void nb_begin(bench *b) {
  b->ins = b->at = b->gone = 0;
  b->hold = true;
  b->stored_cycle = 0;
}

void nb_run(bench *b) {
  b->hold = false;
  for (unsigned quiet = 0; b->at < b->ins || quiet < 300; quiet++) {
    uint64_t was = b->beats_out + b->doorbells;
    nb_step(b);
    if (b->at < b->ins || b->beats_out + b->doorbells != was) quiet = 0;
    if (b->cycle > 100000000) nb_fail(b, "it does not end");
  }
}

unsigned nb_beats_of(size_t bytes) { return (unsigned)((bytes + BEAT - 1) / BEAT); }

void nb_xtq_put(bench *b, unsigned kernel, unsigned pay, bool ack) {
  static uint8_t msg[64 + 16 + NIC_PAYLOAD_MAX];
  memset(msg, 0, sizeof msg);
  msg[0] = 2;
  msg[32] = (uint8_t)kernel;
  nic_head h = b->h;
  h.opcode = NIC_OP_XTQ_ONLY;
  h.xtq_args = 16;
  h.xtq_pay = pay;
  h.length = 64 + 16 + pay;
  h.bytes = (uint16_t)h.length;
  h.ack_req = ack;
  nb_frame(b, h, msg);
  b->h.psn++;
}

void nb_row(const char *name, double value, const char *unit, double limit, const char *op, double target) {
  printf("{\"name\": \"%s\", \"value\": %.6g, \"unit\": \"%s\", \"limit\": %.6g, \"op\": \"%s\", \"target\": %.6g}\n",
         name, value, unit, limit, op, target);
  fflush(stdout);
}
