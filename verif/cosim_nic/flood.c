// SPDX-License-Identifier: Apache-2.0
// Floods: a peer sends one kind of frame, as fast as the wire takes them or one at a time, while good traffic is under
// way in both directions. It cannot make us send more than it sends: node 0 sends at most as many frames and bytes more
// than without the flood as the flood has; and all that was asked for ends well, with the right data.
//
// Queue pairs of node 0: PEER, over which the flooder also does good work; OTHER, where somebody else does; MUTE, of
// which the flooder takes nothing and says nothing but the flood, so that the oldest packet stays what it is.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cosim_nic.h"
#include "dut_node.h"
#include "flood.h"

// Bytes of the wire: what is short is padded; preamble, FCS and gap.
static uint64_t wire(size_t n) { return (n < 60 ? 60 : n) + 24; }

static void add(count *c, uint64_t frames, uint64_t bytes) { c->frames += frames, c->bytes += bytes; }

// What a good request of node 1 makes node 0 send; when it comes again, a write is acknowledged again,
// and the others answered.
static void asks(flood *f, const nic_head *h, bool again) {
  unsigned packets = (h->length + MTU - 1) / MTU;
  bool write = h->opcode >= NIC_OP_WRITE_FIRST && h->opcode <= NIC_OP_WRITE_ONLY;
  if (write && (h->ack_req || again)) add(&f->asked, 1, ANSWER);
  if (h->opcode == NIC_OP_READ_REQ && again) add(&f->repeats, packets, h->length + packets * (ANSWER + 3));
  if (h->opcode == NIC_OP_FETCH_ADD && again) add(&f->repeats, 1, ANSWER + 8);
}

static void spy(net *w, const frame *x) {
  flood *f = w->user;
  nic_self self = node_self(x->to);
  nic_head h;
  const uint8_t *pay;
  if (nic_frame_parse(&self, x->b, x->n, false, &h, &pay) != NIC_RX_GOOD) return;
  unsigned qp = h.qp & 0xff, packets = h.opcode == NIC_OP_READ_REQ ? (h.length + MTU - 1) / MTU : 1;
  bool answer = h.opcode >= NIC_OP_READ_FIRST && h.opcode <= NIC_OP_ATOMIC_ACK;
  uint32_t *at = answer ? &f->oldest[x->to][qp / EACH] : &f->next[x->from][qp / EACH];
  uint32_t behind = psn_at(h.psn, answer ? h.syndrome < NIC_SYN_RNR : (int32_t)packets);
  if (x->from == 0) add(h.opcode == NIC_OP_ACK ? &f->acks : &f->data, 1, wire(x->n));
  if (x->from == 0 && qp == PEER && h.opcode == NIC_OP_ATOMIC_ACK) f->atomic = h.psn;
  if (x->from == 1 && !answer) asks(f, &h, ahead(h.psn, *at) < 0);
  if (ahead(behind, *at) > 0) *at = behind;
}

// ---- good traffic: request k of each queue pair and direction

static uint8_t pattern(unsigned whose, unsigned qp, unsigned k, unsigned i) {
  return (uint8_t)(whose * 89 + qp * 31 + k * 7 + i * 3);
}
static uint64_t near(unsigned qp, unsigned k) { return SW_LOCAL + 0x20000 * qp + SLOT * k; }

static void fill(node *n, uint64_t at, unsigned whose, unsigned qp, unsigned k) {
  uint8_t b[LONG];
  for (unsigned i = 0; i < LONG; i++) b[i] = pattern(whose, qp, k, i);
  node_poke(n, 0, at, b, LONG);
}

static void is(node *n, uint64_t at, unsigned len, unsigned whose, unsigned qp, unsigned k) {
  uint8_t b[LONG];
  node_peek(n, 0, at, b, len);
  for (unsigned i = 0; i < len; i++)
    if (b[i] != pattern(whose, qp, k, i)) {
      net_fail(n->net, "flood", "node %u, QP %u, request %u: byte %u is %02x, want %02x", n->id, qp, k, i, b[i],
               pattern(whose, qp, k, i));
      return;
    }
}

static void ask(node *n, unsigned qp) {
  node *other = &n->net->node[1 - n->id];
  for (unsigned k = 0; k < REQUESTS; k++) {
    uint8_t b[64];
    unsigned what = qp == MUTE ? WRITE_SHORT : k % KINDS;
    entry e = {.op = what == READ  ? SQ_READ
                     : what == ADD ? SQ_ADD
                                   : SQ_WRITE,
               .flags = 1,
               .va1 = near(qp, k),
               .len1 = what == ADD           ? 8
                       : what == WRITE_SHORT ? SHORT
                                             : LONG,
               .remote = what == ADD ? far_at(qp, ADD) : far_at(qp, k),
               .rkey = SW_KEY,
               .swap = 1};
    if (what == READ) fill(other, far_at(qp, k), 2 + other->id, qp, k);
    if (what == WRITE || what == WRITE_SHORT) fill(n, near(qp, k), n->id, qp, k);
    sw_entry_put(b, &e);
    node_poke(n, 0, SW_RING + 0x1000 * qp + 64 * k, b, 64);
  }
  node_write(n, NIC_REG_QP_PROD + qp * NIC_REG_QP_PROD_STRIDE, REQUESTS);
}

static void came_right(node *n, unsigned qp) {
  node *other = &n->net->node[1 - n->id];
  for (unsigned k = 0; k < REQUESTS; k++) {
    unsigned what = k % KINDS;
    if (what == READ) is(n, near(qp, k), LONG, 2 + other->id, qp, k);
    if (what == WRITE || what == WRITE_SHORT) is(other, far_at(qp, k), what == WRITE ? LONG : SHORT, n->id, qp, k);
    if (what == ADD && node_peek64(n, 0, near(qp, k)) != k / KINDS)
      net_fail(n->net, "flood", "node %u, QP %u: fetch-add %u brings %" PRIu64, n->id, qp, k / KINDS,
               node_peek64(n, 0, near(qp, k)));
  }
}

// Ends of requests; what else there is to tell of is the flood's.
static void hear(flood *f, node *n) {
  sw_event e;
  bool some = false;
  for (; sw_take_event(n, 0, &e); some = true) {
    if (e.kind != NIC_EV_SEND) continue;
    if (e.status && e.qp != MUTE)
      net_fail(f->w, "flood", "node %u, QP %u: a good request ends with status %u", n->id, e.qp, e.status);
    f->ended[n->id][e.qp / EACH]++;
  }
  if (some) node_write(n, NIC_REG_EQ_CONS, n->sw->p[0].seen);
}

static unsigned left(const flood *f) {
  unsigned all = 0;
  for (unsigned i = 0; i < 2; i++) all += 2 * REQUESTS - f->ended[i][PEER / EACH] - f->ended[i][OTHER / EACH];
  return all;
}

// The flood has the wire for itself but for one good frame in a while, which is the first in the queue now.
static void cut_in(net *w, unsigned frames) {
  frame **first = &w->air[0], *rest = *first ? (*first)->next : NULL, **last = first;
  while (*last && (*last)->from != 0) last = &(*last)->next;
  if (!*first || !rest || (*first)->from == 0 || rest->from == 0) return;
  frame *flood = *last;
  *last = NULL;
  (*first)->next = flood;
  while (--frames) flood = flood->next;
  flood->next = rest;
}

// The next frames of the flood, when those before have left the queue.
static void pour(flood *f) {
  static const uint8_t pay[PAYLOAD] = {0xee, 0xee};
  net *w = f->w;
  if (f->in.frames == f->all || w->cycle < f->due || ahead(f->next[0][MUTE / EACH], FIRST) < UNDER_WAY) return;
  for (const frame *x = w->air[0]; x; x = x->next)
    if (x->from == 0) return;
  nic_self self = node_self(1);
  unsigned burst = f->gap || !f->w->node[0].dut ? 1 : BURST;
  uint64_t bytes = f->in.bytes;
  for (unsigned i = 0; i < burst; i++) {
    nic_head h = {.mac = node_mac(0),
                  .ip = node_ip(0),
                  .port = 0xc000,
                  .pkey = 0xffff,
                  .qp = node_qpn(0) << 8 | f->k->qp,
                  .opcode = NIC_OP_ACK,
                  .syndrome = NIC_SYN_ACK,
                  .va = far_at(f->k->qp, 0),
                  .rkey = SW_KEY,
                  .ack_req = true};
    uint8_t b[NIC_FRAME_MAX];
    f->k->make(f, &h);
    self.tos = h.ce ? 3 : 0;
    size_t n = nic_frame_build(&self, &h, pay, b);
    link_deliver(w, 0, b, n, 0);
    add(&f->in, 1, wire(n));
  }
  cut_in(w, burst);
  if (f->in.frames == burst) f->first = w->cycle;
  f->last = w->cycle;
  f->due = w->cycle + (f->gap ? f->gap : f->w->node[0].dut ? 0 : (f->in.bytes - bytes + BEAT - 1) / BEAT);
  if (f->in.frames == f->all) f->busy = left(f);
}

static void node_on(node *n) {
  uint64_t ctl = sw_ctl(MTU_1024, 3, 7, 7, TIMEOUT), mute = sw_ctl(MTU_1024, 3, 7, 3, NEVER);
  sw_node_on(n, 1);
  n->sw->open = true;
  node_write(n, NIC_REG_NIC_CPL_TMO, 0);
  node_write(n, NIC_REG_NIC_DMA, 0);
  node_write(n, NIC_REG_EQ_BASE, SW_EQ);
  node_write(n, NIC_REG_EQ_CTL, NIC_EQ_CTL_EN_MASK | n->sw->p[0].eq_size);
  sw_region(n, 0, SW_KEY, 0, SW_REMOTE, SW_POOL - SW_REMOTE, 7);
  for (unsigned qp = 0; qp <= (n->id ? OTHER : MUTE); qp += EACH)
    sw_connect(n, qp, 0, 1 - n->id, LOG2_REQUESTS, n->id ? FIRST : FAR_FIRST, n->id ? FAR_FIRST : FIRST,
               qp == MUTE ? mute : ctl);
  if (n->dut) n->dut->prof = dut_profile_fast;
}

// A run; k: null: without a flood. What node 0 has sent in it is in *f.
static int play(const nic_options *o, const kind *k, unsigned gap, flood *f) {
  nic_options quiet = *o;
  quiet.link = (net_link){.delay = 5, .late = 1};
  quiet.nodes = 2;
  net *w = nic_begin(&quiet);
  *f = (flood){.w = w, .k = k, .all = !k ? 0 : gap ? SLOW : FAST, .gap = gap};
  w->user = f;
  w->spy = spy;
  w->what = k ? k->name : "no flood";
  for (unsigned qp = 0; qp < QPS; qp++)
    for (unsigned i = 0; i < 2; i++) f->oldest[i][qp] = f->next[i][qp] = i ? FAR_FIRST : FIRST;
  for (unsigned i = 0; i < 2; i++) node_on(&w->node[i]);
  for (unsigned i = 0; i < 2; i++) node_settle(&w->node[i]);
  for (unsigned i = 0; i < 2; i++)
    for (unsigned qp = 0; qp <= (i ? OTHER : MUTE); qp += EACH) ask(&w->node[i], qp);
  for (unsigned quiet_for = 0, t = 0; quiet_for < 1000 && !w->failed; t++) {
    net_cycle(w);
    for (unsigned i = 0; i < 2; i++) hear(f, &w->node[i]);
    pour(f);
    quiet_for = f->in.frames == f->all && !left(f) && net_idle(w) ? quiet_for + 1 : 0;
    if (t == PATIENCE) net_fail(w, "flood", "%u good requests do not end", left(f));
  }
  for (unsigned i = 0; i < 2; i++)
    for (unsigned qp = 0; qp < MUTE; qp += EACH) came_right(&w->node[i], qp);
  node_write(&w->node[0], NIC_REG_QP_CTL + MUTE * NIC_REG_QP_CTL_STRIDE, 0);
  for (unsigned t = 0; t < 2000 && !w->failed; t++) net_cycle(w);
  if (!w->failed && o->backend == NET_BOTH) dut_node_end(&w->node[0]);
  w->user = NULL;
  w->spy = NULL;
  return nic_end(o, w);
}

// What node 0 has sent more than without a flood. Acknowledgements that it owes may be merged: then none is too much.
static count excess(const flood *f, const flood *none) {
  count of[2] = {f->acks, f->data}, due[2] = {f->asked, none->data}, more = {0, 0};
  add(&due[1], f->repeats.frames, f->repeats.bytes);
  for (unsigned i = 0; i < 2; i++)
    if (of[i].bytes > due[i].bytes)
      add(&more, of[i].frames > due[i].frames ? of[i].frames - due[i].frames : 0, of[i].bytes - due[i].bytes);
  return more;
}

static bool one(const nic_options *o, const kind *k, bool slow, const flood *none) {
  flood f;
  bool failed = play(o, k, slow ? GAP : 0, &f);
  count more = excess(&f, none);
  uint64_t frames = (slow ? k->slow : k->fast).frames, bytes = (slow ? k->slow : k->fast).bytes;
  failed = failed || more.frames > f.in.frames * (frames ? frames : 1) ||
           more.bytes > (bytes ? f.in.frames * bytes : f.in.bytes) || f.in.frames != f.all || (!slow && !f.busy);
  printf("%s  %-38s%s %5" PRIu64 " frames %7" PRIu64 " bytes in %6" PRIu64 " cycles; of ours %5" PRIu64 " and %7" PRIu64
         " more, %3u%% of it; %u good requests under way\n",
         failed ? "FAIL" : "ok", k->name, slow ? "slow" : "fast", f.in.frames, f.in.bytes, f.last - f.first,
         more.frames, more.bytes, (unsigned)(100 * more.bytes / (f.in.bytes + !f.in.bytes)), f.busy);
  return !failed;
}

int nic_flood(const nic_options *o, const char *list) {
  unsigned bad = 0, passed = 0;
  flood none;
  if (play(o, NULL, 0, &none)) return 1;
  for (unsigned i = 0; i < 2 * flood_kind_count; i++) {
    const kind *k = &flood_kinds[i / 2];
    if (strcmp(list, "all") && strcmp(list, i % 2 ? "slow" : "fast") && !strstr(k->name, list)) continue;
    one(o, k, i % 2, &none) ? passed++ : bad++;
  }
  printf("floods: %u passed, %u failed\n", passed, bad);
  return bad || !passed;
}
