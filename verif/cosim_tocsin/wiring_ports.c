// SPDX-License-Identifier: Apache-2.0
// Wiring of the ports: what comes in at one has its effects there and nowhere else. Number 0 is the NIC, inside; the
// others are outside.
#include <string.h>

#include "bits.h"
#include "wiring.h"

enum { TAG = 0x40, HELD = 200, GOT = 8 /* bytes */ };

static unsigned ports(const stage *s) { return bench_of(s)->hw.NumPorts; }

// A read of each port is with the host, those of the other devices with these tags.
static void read_everywhere(stage *s, unsigned tag, unsigned step) {
  host_answers(s, false);
  nic_get(s, 0, OWN, GOT);
  for (unsigned i = 1; i < ports(s); i++) dev_get(s, i, tag + step * i, DEV_OWN + 0x1000 * i, GOT / 4);
  for (unsigned k = 0; asked(s) < ports(s) && !s->w->failed; k++) {
    if (k == 2000) expect(s, "reads that reach the host", asked(s), ports(s));
    net_cycle(s->w);
  }
}

static void answered(stage *s, bool nic) {
  expect(s, "answers of the NIC", s->answers, nic);
  if (nic) expect(s, "opcode of its answer", s->answer.opcode, NIC_OP_READ_ONLY);
}

// ---- A reset ends the reads of its own port, and those of nobody else: the NIC has none.
void reset_of_port(stage *s) {
  bench *b = bench_of(s);
  s->n->iommu->reset_until = ~0ull;
  for (unsigned which = 1; which < 1u << (ports(s) - 1) && !s->w->failed; which++) {
    uint64_t was = count_of(s, AA_CNT_CPL_TIMEOUTS), late = count_of(s, AA_CNT_LATE);
    unsigned ends = 0;
    for (unsigned i = 1; i < ports(s); i++) ends += which >> (i - 1) & 1;
    read_everywhere(s, TAG, 1);
    b->dev_reset = which << 1;
    run_for(s, HELD);
    b->dev_reset = 0;
    run_for(s, HELD);
    expect(s, "reads ended by a reset", count_of(s, AA_CNT_CPL_TIMEOUTS) - was, ends);
    for (unsigned i = 0; i < ports(s); i++) answer(s, asked_by(s, i), false);
    quiet(s);
    for (unsigned i = 1; i < ports(s); i++)
      expect(s, "completions of a port that may have been reset", b->dev_seen[i].n, !(which >> (i - 1) & 1));
    answered(s, true);
    expect(s, "late completions", count_of(s, AA_CNT_LATE) - late, ends);
    forget(s);
  }
  s->n->iommu->reset_until = 0;
  reg_put(s, AA_REG_AA_ERR_STS, 8, 1);
}

// ---- Credits of a port move by what came in there, and by no other's, nor by the NIC's.
typedef struct credits {
  uint64_t of[4];  // posted headers and data, non-posted ones
} credits;

static credits credits_now(stage *s, unsigned port) {
  const pins *p = &s->n->iommu->pin;
  unsigned i = port - 1;
  return (credits){{bits(p->crd_ph_o, 8 * i, 8), bits(p->crd_pd_o, 12 * i, 12), bits(p->crd_nph_o, 8 * i, 8),
                    bits(p->crd_npd_o, 12 * i, 12)}};
}

static void credits_moved(stage *s, unsigned port, const credits *was, bool mine) {
  static const char *const what[4] = {"posted headers", "posted data", "non-posted headers", "non-posted data"};
  static const uint64_t want[4] = {5, 11, 8, 3}, mask[4] = {0xff, 0xfff, 0xff, 0xfff};
  credits now = credits_now(s, port);
  for (unsigned k = 0; k < 4; k++) expect(s, what[k], (now.of[k] - was->of[k]) & mask[k], mine ? want[k] : 0);
}

void credits_of_port(stage *s) {
  host_answers(s, true);
  for (unsigned who = 0; who < ports(s) && !s->w->failed; who++) {
    credits was[BENCH_PORTS];
    for (unsigned i = 1; i < ports(s); i++) was[i] = credits_now(s, i);
    for (unsigned k = 0; k < 5; k++) {
      unsigned words = 1 + 3 * k;  // 1, 1, 2, 3, 4 units
      who ? dev_put(s, who, DEV_OWN + 0x1000 * who, words) : nic_put(s, 0, OWN, 4 * words);
      who ? dev_get(s, who, TAG + k, DEV_OWN + 0x1000 * who, 1) : nic_get(s, 0, OWN, 4);
      if (!who) quiet(s);  // its peer asks for no more than it has answered
    }
    for (unsigned k = 0; k < 3; k++) {
      who ? dev_add(s, who, TAG + 8 + k, DEV_OWN + 0x1000 * who) : nic_add(s, 0, OWN + 8);
      if (!who) quiet(s);
    }
    quiet(s);
    for (unsigned i = 1; i < ports(s); i++) credits_moved(s, i, &was[i], i == who);
    expect(s, "completions of the device", who ? bench_of(s)->dev_seen[who].n : 8, 8);
    forget(s);
  }
}

// ---- The filter of a port refuses there, and only there.
static void is_write_of(stage *s, unsigned port, const pkt *p) {
  expect(s, "place of a write", tlp_addr(p->hdr), port ? dev_pa(port) : nic_pa(s, 0));
  expect(s, "its requester", tlp_req_id(p->hdr), port ? dev_rid(port) : NET_RID);
  expect(s, "its first byte", p->data[0], port ? 16 * port : (s->psn - 1) & 0xff);
  if (port) expect(s, "its sequence number", p->seq, dev_seq(port));
}

void filter_of_port(stage *s) {
  bench *b = bench_of(s);
  for (unsigned p = 0; p < ports(s); p++) {
    reg_put(s, AA_REG_AA_PORT + 8 * p, 8, AA_AA_PORT_EN_MASK | 0xFFFFull << 16 | 0x0f00);
    for (unsigned i = 0; i < ports(s) && !s->w->failed; i++) {
      uint64_t was = count_of(s, AA_CNT_PORT_FILTER);
      forget(s);
      i ? dev_put(s, i, DEV_OWN + 0x1000 * i, 2) : nic_put(s, 0, OWN, 8);
      quiet(s);
      expect(s, "writes that pass", b->host_seen.n, i != p);
      if (b->host_seen.head) is_write_of(s, i, b->host_seen.head);
      expect(s, "refused by the filter", count_of(s, AA_CNT_PORT_FILTER) - was, i == p);
      uint64_t e = reg(s, AA_REG_AA_ERR_STS), sid = i ? dev_rid(i) : NET_RID;
      expect(s, "error, requester", e & 0xffff1f01, i == p ? sid << 16 | AA_ERR_PORT_ID << 8 | 1 : 0);
      reg_put(s, AA_REG_AA_ERR_STS, 8, 1);
    }
    reg_put(s, AA_REG_AA_PORT + 8 * p, 8, 0);
  }
  forget(s);
}

// ---- Completions come back at the port that asked, with its data: all tags are equal, the answers come in any order.
// An error that the link saw is told to the port that it concerns.
static void own_data(stage *s, unsigned round, unsigned i, uint64_t *want) {
  *want = 0x0101010101010101ull * (16 * round + i + 1);
  if (i)
    bench_poke64(bench_of(s), dev_pa(i), *want);
  else
    node_poke64(s->n, 0, sw_va(0, OWN), *want);
}

void completions(stage *s) {
  bench *b = bench_of(s);
  unsigned n = ports(s);
  for (unsigned round = 0; round < 2 * n && !s->w->failed; round++) {
    unsigned bad = round < n ? n : round - n;  // whose answer has an error: the NIC's is the first of these
    uint64_t want[BENCH_PORTS];
    for (unsigned i = 0; i < n; i++) own_data(s, round, i, &want[i]);
    b->prof.p_dev_cpl = round & 1 ? 64 : 256;  // each port takes them when it likes
    host_answers(s, false);
    nic_get(s, 0, OWN, GOT);
    for (unsigned k = 0; !asked(s) && k < 2000 && !s->w->failed; k++) net_cycle(s->w);
    const pkt *nic = asked_by(s, 0);
    unsigned tag = nic ? tlp_req_tag(nic->hdr) : 0;
    if (nic) expect(s, "source of the NIC's read", nic->seq % NIC_SRC_NUM, NIC_SRC_READ);
    for (unsigned i = 1; i < n; i++) dev_get(s, i, tag, DEV_OWN + 0x1000 * i, GOT / 4);
    for (unsigned k = 0; asked(s) < n && k < 2000 && !s->w->failed; k++) net_cycle(s->w);
    for (unsigned k = 0; k < n; k++) answer(s, asked_by(s, (round + n - k) % n), (round + n - k) % n == bad);
    quiet(s);
    for (unsigned i = 1; i < n && !s->w->failed; i++) {
      const pkt *p = b->dev_seen[i].head;
      expect(s, "completions of a port", b->dev_seen[i].n, 1);
      if (!p) continue;
      expect(s, "its requester and tag", (uint32_t)tlp_cpl_id(p->hdr) << 16 | tlp_cpl_tag(p->hdr),
             (uint32_t)dev_rid(i) << 16 | tag);
      expect(s, "its error", p->err, i == bad);
      expect(s, "its sequence number", p->seq, dev_seq(i));
      if (i != bad) expect(s, "its data", le_get(p->data, 8), want[i]);
    }
    expect(s, "answers of the NIC", s->answers, 1);
    expect(s, "its answer is a NAK", s->answer.opcode == NIC_OP_ACK, !bad);
    if (bad) expect(s, "data of the NIC's answer", le_get(s->seen[0], 8), want[0]);
    forget(s);
    if (!bad) nic_again(s, 0);
  }
  b->prof.p_dev_cpl = 256;
}

// ---- While the host takes no reads, nobody's come; writes go on.
void host_stops_reads(stage *s) {
  bench *b = bench_of(s);
  host_answers(s, true);
  b->prof.p_np = 0;
  run_for(s, 10);
  nic_get(s, 0, OWN, GOT);
  for (unsigned i = 1; i < ports(s); i++) dev_get(s, i, TAG, DEV_OWN + 0x1000 * i, GOT / 4);
  run_for(s, 600);
  expect(s, "reads that the host does not take", b->host_seen.n, 0);
  nic_put(s, 0, OWN, 8);
  for (unsigned i = 1; i < ports(s); i++) dev_put(s, i, DEV_OWN + 0x1000 * i, 2);
  run_for(s, 600);
  expect(s, "writes beside them", b->host_seen.n, ports(s));
  b->prof.p_np = 256;
  quiet(s);
  expect(s, "all of them", b->host_seen.n, 2 * ports(s));
  for (unsigned i = 1; i < ports(s); i++) expect(s, "completions of a port", b->dev_seen[i].n, 1);
  forget(s);
}

// ---- Devices that take no completions stop the host, and lose none of its beats.
void device_stops(stage *s) {
  bench *b = bench_of(s);
  enum { READS = 2, WORDS = 1024 };
  if (ports(s) < 2) return;
  host_answers(s, true);
  b->prof.p_dev_cpl = 0;
  for (unsigned i = 1; i < ports(s); i++)
    for (unsigned k = 0; k < READS; k++) dev_get(s, i, TAG + k, DEV_OWN + 0x1000 * i, WORDS);
  run_for(s, 1000);
  expect(s, "the host has to wait", *s->n->iommu->pin.host_cpl_ready_o, 0);
  b->prof.p_dev_cpl = 256;
  quiet(s);
  for (unsigned i = 1; i < ports(s) && !s->w->failed; i++) {
    unsigned words = 0;
    for (const pkt *p = b->dev_seen[i].head; p; p = p->next) words += p->ndw;
    expect(s, "words that a port has read", words, READS * WORDS);
  }
  forget(s);
}
