// SPDX-License-Identifier: Apache-2.0
#include "bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bits.h"

#define RETIRE_W 157
#define RETIRE_SLOTS 9
#define OP_LIMIT 400000  // cycles that a register access may take
#define LOGS 32          // as many as one IOMMU has at most

static unsigned tasks(const bench *b) {
  unsigned n = 0;
  for (unsigned log = 0; log < LOGS; log++) n += b->task_due[log] != 0;
  return n;
}

static bool task_ends(const bench *b, unsigned log) { return b->task_due[log] && b->cycle >= b->task_due[log]; }

// ---- model alone ----------------------------------------------------------------------------------------------------

static bool solo_read(void *ctx, unsigned src, uint64_t addr, void *buf, size_t n) {
  bench *b = ctx;
  (void)src;
  b->stats.axi_reads++;
  if (axi_bad(b, addr)) return false;
  mem_read(b->mem, addr, buf, n);
  return true;
}

static bool solo_write(void *ctx, unsigned src, uint64_t addr, const void *buf, size_t n) {
  bench *b = ctx;
  (void)src;
  b->stats.axi_writes++;
  bool ok = true;
  for (const uint8_t *p = buf; n;) {
    size_t k = 4096 - (addr & 4095) < n ? 4096 - (addr & 4095) : n;
    if (axi_bad(b, addr))
      ok = false;
    else
      mem_write(b->mem, addr, p, k);
    p += k;
    addr += k;
    n -= k;
  }
  return ok;
}

static void out_dev(bench *b, unsigned port, pkt *p);

static void solo_host(void *ctx, const tlp *t) {
  bench *b = ctx;
  b->stats.host_tlps++;
  host_request(b, pkt_from_tlp(t));
}

static void solo_dev(void *ctx, unsigned port, unsigned src, const tlp *t) {
  pkt *p = pkt_from_tlp(t);
  p->src = (uint8_t)src;
  out_dev(ctx, port, p);
}

static void solo_retire(void *ctx, const aa_retire_rec *r) {
  bench *b = ctx;
  b->stats.retired[r->kind & 15]++;
  if (r->kind == AA_RET_PUBLISH) {
    b->stats.published++;
    if (b->on_publish) b->on_publish(b, r->idx, (uint32_t)r->a);
  }
  if (r->kind == AA_RET_NOTIFY && r->code == AA_NOTE_TASK) b->task_due[r->idx % LOGS] = b->cycle + 20;
}

static const aa_ops solo_ops = {solo_read, solo_write, solo_host, solo_dev, solo_retire};

// A packet as the model's transaction interface wants it; false: hardware would swallow it.
static bool as_tlp(const pkt *p, tlp *t, unsigned beat_dw) {
  pkt_tlp(p, t);
  if (p->nosop) return false;
  if (p->cut || p->strb || p->beats) {
    // whatever is wrong with the form is a disagreement with Length here
    uint32_t want = tlp_data_dw(p->hdr), have = p->beats ? p->beats * beat_dw : p->ndw;
    t->ndw = have == want ? (want ? want - 1 : 1) : have;
    if (t->ndw > p->room) t->ndw = want == 1 ? 2 : want - 1;
  }
  return true;
}

static void solo_step(bench *b) {
  tlp t;
  unsigned beat_dw = b->hw.DataW / 32;
  static const uint8_t zero[4 * 4096];
  for (unsigned k = 0; k < 8 && b->cpl_q.head; k++) {
    pkt *p = pktq_pop(&b->cpl_q);
    if (as_tlp(p, &t, beat_dw)) {
      if (t.ndw > p->room) t.data = zero;
      b->stats.completions++;
      aa_status s = aa_complete(b->model, &t);
      if (s) bench_fail(b, "model", "completion refused: %s", aa_strstatus(s));
    }
    pkt_free(p);
  }
  for (unsigned i = 0; i < b->hw.NumPorts; i++) {
    if (b->dev_reset >> i & 1) aa_dev_reset(b->model, i, true);
    for (unsigned k = 0; k < 1 && b->dev_q[i].head; k++) {
      pkt *p = b->dev_q[i].head;
      if (as_tlp(p, &t, beat_dw)) {
        if (t.ndw > p->room) t.data = zero;
        aa_status s = aa_submit(b->model, i, &t);
        if (s == AA_E_BUSY) break;
        b->stats.requests++;
        if (b->on_accept) b->on_accept(b, i, p);
        if (s) bench_fail(b, "model", "packet refused: %s", aa_strstatus(s));
      }
      pkt_free(pktq_pop(&b->dev_q[i]));
    }
    if (b->dev_reset >> i & 1) aa_dev_reset(b->model, i, false);
  }
  for (unsigned log = 0; log < LOGS; log++)
    if (task_ends(b, log)) {
      b->task_due[log] = 0;
      aa_task_done(b->model, log);
    }
  aa_status s = aa_advance(b->model, 1);
  if (s) bench_fail(b, "model", "%s: %s", aa_strstatus(s), aa_reason(b->model));
}

// ---- hardware -------------------------------------------------------------------------------------------------------

static void out_dev(bench *b, unsigned port, pkt *p);

// A port whose device is part of the hardware: what passes there is seen, not driven.
static bool inner(const bench *b, unsigned port) { return b->part && !port; }

// Streams in: port 0..3, and the host's completions as number BENCH_PORTS.
static void drive_stream(bench *b, unsigned k) {
  bool host = k == BENCH_PORTS;
  pktq *q = host ? &b->cpl_q : &b->dev_q[k];
  unsigned port = host ? 0 : k, bd = b->hw.DataW / 32;
  uint8_t *valid = host ? b->pin.host_cpl_valid_i : b->pin.dev_req_valid_i;
  if (bit(valid, port)) return;  // waits for ready: may not change
  if (!b->drv[k].p) {
    if (!q->head || q->head->due > b->cycle) return;
    b->drv[k].p = q->head;
    b->drv[k].beat = 0;
    pkt *p = q->head;
    b->drv[k].beats = p->beats ? p->beats : p->ndw ? (p->ndw + bd - 1) / bd : 1;
  }
  if (b->cycle && !rng_p(&b->rng, host ? b->prof.p_host_cpl : b->prof.p_dev))
    return;  // what is there at reset comes at once
  const pkt *p = b->drv[k].p;
  unsigned at = b->drv[k].beat, off = at * bd, n = p->ndw > off ? p->ndw - off : 0;
  bool last = at + 1 == b->drv[k].beats;
  uint32_t all = bd == 32 ? ~0u : (1u << bd) - 1, strb = n >= bd ? all : (1u << n) - 1;
  if (last && p->strb) strb = p->strb & all;
  if (n > bd) n = bd;
  uint8_t *hdr = host ? b->pin.host_cpl_hdr_i : b->pin.dev_req_hdr_i + 16 * port;
  uint8_t *data = host ? b->pin.host_cpl_data_i : b->pin.dev_req_data_i + 4 * bd * port;
  for (unsigned i = 0; i < 4; i++) memcpy(hdr + 4 * i, &p->hdr[3 - i], 4);
  memcpy(data, p->data + 4 * off, 4 * n);
  for (unsigned i = 4 * n; i < 4 * bd; i++) data[i] = (uint8_t)(0xA5 + b->cycle + i);  // never to be looked at
  strb_put(host ? b->pin.host_cpl_strb_i : b->pin.dev_req_strb_i, port, bd, strb);
  (host ? b->pin.host_cpl_seq_i : b->pin.dev_req_seq_i)[port] = p->seq;
  bit_put(host ? b->pin.host_cpl_sop_i : b->pin.dev_req_sop_i, port, at == 0 && !p->nosop);
  bit_put(host ? b->pin.host_cpl_eop_i : b->pin.dev_req_eop_i, port, last && !p->cut);
  if (host) *b->pin.host_cpl_error_i = p->err;
  bit_put(valid, port, true);
  if (!b->cycle) aa_reach(b, AT_FIRST);
}

// Beats that go in this cycle, for the model. Before this cycle's records: the limits of payload and read size that
// count are those before a register write of the same cycle.
static void feed_stream(bench *b, unsigned k, bool accepted) {
  bool host = k == BENCH_PORTS;
  unsigned port = host ? 0 : k, bd = b->hw.DataW / 32;
  if (b->backend != BENCH_BOTH || !bit(host ? b->pin.host_cpl_valid_i : b->pin.dev_req_valid_i, port)) return;
  const uint8_t *hdr = host ? b->pin.host_cpl_hdr_i : b->pin.dev_req_hdr_i + 16 * port;
  aa_beat x;
  x.sop = bit(host ? b->pin.host_cpl_sop_i : b->pin.dev_req_sop_i, port);
  x.eop = bit(host ? b->pin.host_cpl_eop_i : b->pin.dev_req_eop_i, port);
  x.err = host && *b->pin.host_cpl_error_i;
  x.seq = (host ? b->pin.host_cpl_seq_i : b->pin.dev_req_seq_i)[port];
  x.strb = strb_get(host ? b->pin.host_cpl_strb_i : b->pin.dev_req_strb_i, port, bd);
  for (unsigned i = 0; i < 4; i++) memcpy(&x.hdr[3 - i], hdr + 4 * i, 4);
  x.data = host ? b->pin.host_cpl_data_i : b->pin.dev_req_data_i + 4 * bd * port;
  if (host)
    aa_lock_host_in(b->lock, &x, accepted);
  else
    aa_lock_dev_in(b->lock, port, &x, accepted);
  if (!b->snoop) return;
  if (host)
    aa_snoop_host_in(b->snoop, &x, accepted);
  else
    aa_snoop_dev_in(b->snoop, port, &x, accepted);
}

// A beat went in: the next one.
static void sample_stream(bench *b, unsigned k, bool accepted) {
  bool host = k == BENCH_PORTS;
  unsigned port = host ? 0 : k;
  uint8_t *valid = host ? b->pin.host_cpl_valid_i : b->pin.dev_req_valid_i;
  if (!accepted || !bit(valid, port)) return;
  pkt *p = b->drv[k].p;
  bool last = ++b->drv[k].beat == b->drv[k].beats;
  bit_put(valid, port, false);
  if (!last) return;
  unsigned i = b->in_n++ % 16;
  b->in[i].cycle = b->cycle;
  memcpy(b->in[i].hdr, p->hdr, sizeof p->hdr);
  b->in[i].ndw = p->ndw;
  b->in[i].strb = p->strb;
  b->in[i].beats = p->beats;
  b->in[i].port = (uint8_t)k;
  b->in[i].nosop = p->nosop;
  b->in[i].cut = p->cut;
  b->in[i].err = p->err;
  if (!p->nosop) *(host ? &b->stats.completions : &b->stats.requests) += 1;
  if (!host && b->on_accept) b->on_accept(b, k, p);
  pkt_free(pktq_pop(host ? &b->cpl_q : &b->dev_q[k]));
  b->drv[k].p = NULL;
}

// Streams out: port 0..3, and requests for the host as number BENCH_PORTS. Null until a packet is whole.
static pkt *collect(bench *b, unsigned k) {
  bool host = k == BENCH_PORTS;
  unsigned port = host ? 0 : k, bd = b->hw.DataW / 32;
  if (!bit(host ? b->pin.host_req_valid_o : b->pin.dev_cpl_valid_o, port) ||
      !bit(host ? b->pin.host_req_ready_i : b->pin.dev_cpl_ready_i, port))
    return NULL;
  const char *name = host ? "host_req" : "dev_cpl";
  bool sop = bit(host ? b->pin.host_req_sop_o : b->pin.dev_cpl_sop_o, port);
  bool eop = bit(host ? b->pin.host_req_eop_o : b->pin.dev_cpl_eop_o, port);
  uint32_t strb = strb_get(host ? b->pin.host_req_strb_o : b->pin.dev_cpl_strb_o, port, bd), n = 0;
  pkt *p = b->col[k].p;
  if (sop == (p != NULL)) {
    bench_fail(b, name, "port %u: got %s, want %s", port, sop ? "sop" : "no sop", sop ? "the rest of a TLP" : "a TLP");
    return NULL;
  }
  if (!p) {
    p = b->col[k].p = pkt_new(1024 + 16);
    const uint8_t *hdr = host ? b->pin.host_req_hdr_o : b->pin.dev_cpl_hdr_o + 16 * port;
    for (unsigned i = 0; i < 4; i++) memcpy(&p->hdr[3 - i], hdr + 4 * i, 4);
    p->seq = (host ? b->pin.host_req_seq_o : b->pin.dev_cpl_seq_o)[port];
  }
  if (!host && bit(b->pin.dev_cpl_error_o, port)) p->err = true;
  while (strb >> n & 1) n++;
  if (strb >> n || (!eop && n != bd) || (eop && !sop && !n) || p->ndw + n > p->room) {
    bench_fail(b, name, "port %u: strobes %x%s are out of form", port, strb, eop ? " at eop" : "");
    return NULL;
  }
  memcpy(p->data + 4 * p->ndw, host ? b->pin.host_req_data_o : b->pin.dev_cpl_data_o + 4 * bd * port, 4 * n);
  p->ndw += n;
  if (!eop) return NULL;
  b->col[k].p = NULL;
  return p;
}

static void out_dev(bench *b, unsigned port, pkt *p);

static void axil_drive(bench *b) {
  if (b->axil.kind == 'r') {
    if (!b->axil.aw) *b->pin.s_axil_arvalid = rng_p(&b->rng, 200) || *b->pin.s_axil_arvalid;
    memcpy(b->pin.s_axil_araddr, &b->axil.addr, 4);
  } else if (b->axil.kind == 'w') {
    if (!b->axil.aw) *b->pin.s_axil_awvalid = rng_p(&b->rng, 200) || *b->pin.s_axil_awvalid;
    if (!b->axil.w) *b->pin.s_axil_wvalid = rng_p(&b->rng, 200) || *b->pin.s_axil_wvalid;
    memcpy(b->pin.s_axil_awaddr, &b->axil.addr, 4);
    memcpy(b->pin.s_axil_wdata, &b->axil.data, 8);
    *b->pin.s_axil_wstrb = b->axil.strb;
  }
  *b->pin.s_axil_rready = rng_p(&b->rng, 200);
  *b->pin.s_axil_bready = rng_p(&b->rng, 200);
}

// Requests of this cycle, before its records.
static void axil_requests(bench *b) {
  bench_axil *s = &b->now.axil;
  s->ar = *b->pin.s_axil_arvalid && *b->pin.s_axil_arready;
  s->aw = *b->pin.s_axil_awvalid && *b->pin.s_axil_awready;
  s->w = *b->pin.s_axil_wvalid && *b->pin.s_axil_wready;
  bool whole = (s->aw || b->axil.aw) && (s->w || b->axil.w) && (s->aw || s->w);
  if (b->backend == BENCH_BOTH && whole) aa_lock_reg_write(b->lock, b->axil.addr, b->axil.data, b->axil.strb);
  if (whole) b->axil.taken = b->cycle;
}

static void axil_sample(bench *b) {
  bench_axil *s = &b->now.axil;
  s->r = *b->pin.s_axil_rvalid && *b->pin.s_axil_rready;
  s->b = *b->pin.s_axil_bvalid && *b->pin.s_axil_bready;
  if (s->r) {
    memcpy(&b->axil.result, b->pin.s_axil_rdata, 8);
    if (b->axil.kind != 'r' || *b->pin.s_axil_rresp)
      bench_fail(b, "s_axil", "read response %u that is not wanted", *b->pin.s_axil_rresp);
    else if (b->backend == BENCH_BOTH)
      aa_lock_reg_read(b->lock, b->axil.addr, b->axil.result);
    if (b->snoop) aa_snoop_reg_read(b->snoop, b->axil.addr, b->axil.result);
  }
  if (s->b && b->snoop) aa_snoop_reg_write(b->snoop, b->axil.taken, b->axil.addr, b->axil.data, b->axil.strb);
  if (s->b && (b->axil.kind != 'w' || *b->pin.s_axil_bresp))
    bench_fail(b, "s_axil", "write response %u that is not wanted", *b->pin.s_axil_bresp);
}

static void axil_advance(bench *b) {
  const bench_axil *s = &b->now.axil;
  if (s->ar) b->axil.aw = true, *b->pin.s_axil_arvalid = 0;
  if (s->aw) b->axil.aw = true, *b->pin.s_axil_awvalid = 0;
  if (s->w) b->axil.w = true, *b->pin.s_axil_wvalid = 0;
  if (s->r || s->b) {
    b->axil.done = true;
    b->axil.kind = 0;
  }
}

static void retire_sample(bench *b) {
  for (unsigned i = 0; i < RETIRE_SLOTS; i++) {
    if (!bit(b->pin.retire_valid_o, i)) continue;
    unsigned at = i * RETIRE_W;
    aa_retire_rec r;
    memset(&r, 0, sizeof r);
    r.b = bits(b->pin.retire_o, at, 64);
    r.a = bits(b->pin.retire_o, at + 64, 64);
    uint64_t top = bits(b->pin.retire_o, at + 128, 29);
    r.idx = (uint8_t)top;
    r.slot = (uint8_t)(top >> 8);
    r.lane = top >> 16 & 15;
    r.code = top >> 20 & 15;
    r.flag = top >> 24 & 1;
    r.kind = top >> 25 & 15;
    b->stats.retired[r.kind]++;
    aa_reach_retired(b, &r);
    if (r.kind == AA_RET_NOTIFY && r.code == AA_NOTE_AXI_ERR) axi_recorded(b);
    b->last[b->last_n % 64] = r;
    b->last_cycle[b->last_n++ % 64] = b->cycle;
    if (r.kind == AA_RET_PUBLISH) b->stats.published++;
    if (b->backend == BENCH_BOTH) aa_lock_retire(b->lock, &r);
    if (r.kind == AA_RET_PUBLISH && b->on_publish) b->on_publish(b, r.idx, (uint32_t)r.a);
    if (b->failed) return;
  }
}

void bench_drive(bench *b) {
  unsigned np = b->hw.NumPorts;
  for (unsigned k = 0; k < np; k++)
    if (!inner(b, k)) drive_stream(b, k);
  drive_stream(b, BENCH_PORTS);
  for (unsigned i = 0; i < np; i++)
    if (!inner(b, i)) bit_put(b->pin.dev_cpl_ready_i, i, rng_p(&b->rng, b->prof.p_dev_cpl));
  *b->pin.host_req_ready_i = rng_p(&b->rng, b->prof.p_host_req);
  *b->pin.host_np_ready_i = rng_p(&b->rng, b->prof.p_np);
  *b->pin.dev_reset_i = (uint8_t)b->dev_reset;
  if (!b->part) {
    unsigned log = 0;
    while (log < LOGS && !task_ends(b, log)) log++;
    *b->pin.task_ready_i = rng_p(&b->rng, b->prof.p_task);
    *b->pin.task_done_valid_i = log < LOGS;
    *b->pin.task_done_log_i = (uint8_t)((log < LOGS ? log : b->cycle) % LOGS);
  }
  axi_drive(b);
  if (!b->part) axil_drive(b);
}

void bench_sample(bench *b) {
  unsigned np = b->hw.NumPorts;
  if (b->backend == BENCH_BOTH)
    for (unsigned i = 0; i < np; i++) aa_lock_reset_level(b->lock, i, b->dev_reset >> i & 1);
  if (b->snoop) aa_snoop_cycle(b->snoop, b->cycle);
  if (b->snoop)
    for (unsigned i = 0; i < np; i++) aa_snoop_reset_level(b->snoop, i, b->dev_reset >> i & 1);
  axi_sample(b);
  for (unsigned k = 0; k <= BENCH_PORTS; k++) {
    if (k >= np && k != BENCH_PORTS) continue;
    b->now.in[k] = k == BENCH_PORTS ? *b->pin.host_cpl_ready_o : bit(b->pin.dev_req_ready_o, k);
    feed_stream(b, k, b->now.in[k]);
  }
  if (!b->part) axil_requests(b);
  if (!b->failed) retire_sample(b);
  if (!b->failed) axi_sample_writes(b);
  for (unsigned k = 0; k <= BENCH_PORTS; k++)
    b->now.out[k] = (k < np || k == BENCH_PORTS) && !b->failed ? collect(b, k) : NULL;
  b->now.task = *b->pin.task_valid_o && *b->pin.task_ready_i;
  b->now.task_done = *b->pin.task_done_valid_i;
  b->now.task_log = *b->pin.task_log_o;
  if (b->now.task && b->backend == BENCH_BOTH)
    aa_lock_task(b->lock, b->now.task_log, (uint32_t)bits(b->pin.task_prod_o, 0, 32));
  if (b->now.task_done && b->backend == BENCH_BOTH) aa_lock_task_done(b->lock, *b->pin.task_done_log_i);
  if (!b->part) axil_sample(b);
  unsigned shown = (*b->pin.host_req_valid_o ? AA_SHOWN_HOST : 0u) | (*b->pin.dev_cpl_valid_o ? AA_SHOWN_DEV : 0u) |
                   (*b->pin.m_axi_awvalid || *b->pin.m_axi_wvalid ? AA_SHOWN_WRITE : 0u);
  if (!shown && !axi_writes(b)) aa_reach(b, AT_FREE_DUE);
  if (b->backend == BENCH_BOTH) aa_lock_cycle(b->lock, shown | (*b->pin.host_np_ready_i ? 0u : AA_SHOWN_NO_NP));
}

void bench_after(bench *b) {
  unsigned np = b->hw.NumPorts;
  for (unsigned k = 0; k < np; k++)
    if (!inner(b, k)) sample_stream(b, k, b->now.in[k]);
  sample_stream(b, BENCH_PORTS, b->now.in[BENCH_PORTS]);
  if (!b->part) axil_advance(b);
  if (b->now.task_done) b->task_due[*b->pin.task_done_log_i % LOGS] = 0;
  if (b->now.task && !b->part) {
    if (tasks(b)) aa_reach(b, AT_TASKS);
    b->task_due[b->now.task_log % LOGS] = b->cycle + rng_range(&b->rng, 1, 1u << rng_range(&b->rng, 0, 12));
  }
  for (unsigned k = 0; k <= BENCH_PORTS; k++) {
    pkt *out = b->now.out[k];
    b->now.out[k] = NULL;
    if (!out) continue;
    if (k == BENCH_PORTS) {
      b->stats.host_tlps++;
      if (b->backend == BENCH_BOTH) lock_host(b, out);
      host_request(b, out);
    } else {
      if (b->backend == BENCH_BOTH) lock_dev(b, k, out);
      out_dev(b, k, out);
    }
  }
}

static void rtl_step(bench *b) {
  bool dump = b->wave && b->cycle >= b->wave_from && b->cycle < b->wave_to;
  bench_drive(b);
  dut_half(b->dut, &b->pin, 0, b->cycle * 10, dump);
  bench_sample(b);
  dut_half(b->dut, &b->pin, 1, b->cycle * 10 + 5, dump);
  if (dut_failed(b->dut) && !b->failed) bench_fail(b, "assertion", "%s", dut_failed(b->dut));
  bench_after(b);
}

// ---- both -----------------------------------------------------------------------------------------------------------

void traffic_cycle(bench *b);
void traffic_answer(bench *b, unsigned port, const pkt *p);

static void out_dev(bench *b, unsigned port, pkt *p) {
  b->stats.dev_tlps++;
  if (b->traffic) traffic_answer(b, port, p);
  if (b->keep)
    pktq_push(&b->dev_seen[port], p);
  else
    pkt_free(p);
}

void bench_outside(bench *b) {
  if (b->traffic) traffic_cycle(b);
  host_cycle(b);
}

void bench_step(bench *b) {
  if (b->failed) return;
  bench_outside(b);
  if (b->backend == BENCH_MODEL)
    solo_step(b);
  else
    rtl_step(b);
  b->cycle++;
}

void bench_run(bench *b, uint64_t cycles) {
  while (cycles-- && !b->failed) bench_step(b);
}

bench *bench_part(int backend, const aa_config *hw, uint64_t seed) {
  bench *b = calloc(1, sizeof *b);
  if (!b) return NULL;
  b->backend = backend;
  b->part = true;
  b->hw = *hw;
  b->seed = seed;
  b->wave_to = ~0ULL;
  rng_seed(&b->rng, seed);
  b->mem = mem_new();
  b->ref = mem_new();
  b->axi = axi_new();
  b->host = host_new();
  profile_fast(&b->prof);
  if (backend & BENCH_MODEL) {
    aa_status s = backend == BENCH_BOTH ? lock_new(b) : aa_new(hw, &solo_ops, b, &b->model);
    if (s) {
      fprintf(stderr, "cosim: model: %s\n", aa_strstatus(s));
      bench_free(b);
      return NULL;
    }
  }
  return b;
}

bench *bench_new(int backend, const aa_config *hw, uint64_t seed, const char *wave) {
  bench *b = bench_part(backend, hw, seed);
  if (!b) return NULL;
  b->part = false;
  b->wave = wave;
  if (backend & BENCH_RTL) {
    b->dut = dut_new(seed, wave, &b->pin);
    dut_reset(b->dut, &b->pin, seed);
  }
  return b;
}

bench *bench_again(bench *b) {
  bench *n = bench_part(b->backend, &b->hw, b->seed);
  if (!n) return NULL;
  n->part = false;
  n->keep = b->keep;
  n->wave = b->wave;
  n->cycle = b->cycle;
  n->dut = b->dut;
  n->pin = b->pin;
  b->dut = NULL;
  bench_free(b);
  if (n->dut) {
    bench_drive(n);  // no stream is valid
    dut_reset(n->dut, &n->pin, 1);
  }
  return n;
}

void bench_free(bench *b) {
  if (!b) return;
  if (b->dut) dut_free(b->dut);
  if (!b->lock) aa_free(b->model);
  aa_lock_free(b->lock);
  aa_snoop_free(b->snoop);
  for (unsigned i = 0; i < BENCH_PORTS; i++) {
    pktq_clear(&b->dev_q[i]);
    pktq_clear(&b->dev_seen[i]);
  }
  for (unsigned i = 0; i <= BENCH_PORTS; i++) {
    pkt_free(b->col[i].p);
    pkt_free(b->now.out[i]);
  }
  pktq_clear(&b->cpl_q);
  pktq_clear(&b->host_seen);
  mem_free(b->mem);
  mem_free(b->ref);
  axi_free(b->axi);
  host_free(b->host);
  free(b);
}

static void op_wait(bench *b) {
  for (uint64_t i = 0; !b->axil.done && !b->failed; i++) {
    if (i == OP_LIMIT) {
      bench_fail(b, "s_axil", "register access 0x%05" PRIx32 " hangs", b->axil.addr);
      return;
    }
    bench_step(b);
  }
}

static uint64_t op_read(bench *b, uint32_t addr) {
  if (b->failed) return 0;
  b->stats.reg_ops++;
  if (b->backend == BENCH_MODEL) {
    uint64_t v = 0;
    if (aa_reg_read(b->model, addr, 8, &v)) bench_fail(b, "model", "register read 0x%05" PRIx32, addr);
    return v;
  }
  b->axil.kind = 'r';
  b->axil.addr = addr;
  b->axil.aw = b->axil.w = b->axil.done = false;
  op_wait(b);
  return b->axil.result;
}

uint64_t bench_read(bench *b, uint32_t addr, unsigned size) {
  uint64_t v = op_read(b, addr & ~7u);
  return size == 8 ? v : v >> (addr & 4 ? 32 : 0) & 0xFFFFFFFF;
}

void bench_write_strb(bench *b, uint32_t addr, uint64_t value, uint8_t strb) {
  if (b->failed) return;
  b->stats.reg_ops++;
  if (b->backend == BENCH_MODEL) {
    aa_status s = AA_OK;
    if (strb == 0xFF)
      s = aa_reg_write(b->model, addr, 8, value);
    else if (strb == 0xF0)
      s = aa_reg_write(b->model, addr + 4, 4, value >> 32);
    else if (strb == 0x0F)
      s = aa_reg_write(b->model, addr, 4, value & 0xFFFFFFFF);
    if (s) bench_fail(b, "model", "register write 0x%05" PRIx32 ": %s", addr, aa_strstatus(s));
    return;
  }
  b->axil.kind = 'w';
  b->axil.addr = addr;
  b->axil.data = value;
  b->axil.strb = strb;
  b->axil.aw = b->axil.w = b->axil.done = false;
  op_wait(b);
}

void bench_write(bench *b, uint32_t addr, unsigned size, uint64_t value) {
  bool high = size == 4 && addr & 4;
  bench_write_strb(b, addr & ~7u, high ? value << 32 : value, size == 8 ? 0xFF : high ? 0xF0 : 0x0F);
}

bool bench_idle(const bench *b) {
  for (unsigned i = 0; i < b->hw.NumPorts; i++)
    if (b->dev_q[i].head || b->col[i].p) return false;
  return !b->cpl_q.head && !b->col[BENCH_PORTS].p && host_idle(b) && axi_idle(b) && !tasks(b);
}

bool bench_quiet(bench *b, uint64_t limit) {
  unsigned calm = 0;
  uint64_t records = 0;
  for (uint64_t i = 0; i < limit && !b->failed; i++) {
    uint64_t now = 0;
    for (unsigned k = 0; k < 16; k++) now += b->stats.retired[k];
    calm = bench_idle(b) && now == records ? calm + 1 : 0;
    records = now;
    if (calm == 100) return true;
    bench_step(b);
    if (b->idle) b->idle(b);
  }
  return false;
}
