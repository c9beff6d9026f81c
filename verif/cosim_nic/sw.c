// SPDX-License-Identifier: Apache-2.0
// Software of all nodes: how it is set up, what it does each cycle, what must hold in the end.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sw.h"

enum { MR_RWA = 7, MR_PAGED = 8 };

static void eq_on(node *n, unsigned p, unsigned size, bool msi) {
  sw_proc *s = &n->sw->p[p];
  s->eq_size = size;
  s->msi_driven = msi;
  node_write(n, eq_reg(p, NIC_REG_EQ_BASE), sw_va(p, SW_EQ));
  node_write(n, eq_reg(p, NIC_REG_EQ_MSIA), msi ? sw_va(p, SW_MSI) : 0);
  node_write(n, eq_reg(p, NIC_REG_EQ_MSID), 0x5151 + p);
  node_write(n, eq_reg(p, NIC_REG_EQ_CTL), NIC_EQ_CTL_EN_MASK | size);
  node_write(n, eq_reg(p, NIC_REG_EQ_CONS), 0);  // arms it
}

// ---- set-up
static uint64_t flags(const node *n, unsigned q, unsigned size) {
  return VALID | size << 1 | (q == 1 ? MULTI : q >= 2 || n->cfg.TableCache ? MIRROR : 0) | (q >= 2 ? EVENTS : 0);
}

static void init_proc(node *n, unsigned p, bool target) {
  rng *r = &n->net->rng;
  sw_proc *s = &n->sw->p[p];
  // Small rings, where what is refused may end; one of a single place never has the two that a log's task asks for.
  bool small = rng_1in(r, 3) && board_of(n->net)->opt.p_reconnect;
  eq_on(n, p, small ? rng_range(r, 1, 3) : rng_range(r, 5, 9), rng_1in(r, 2));
  if (!target) return;
  s->receives = rng_1in(r, 2);
  const unsigned paged = sw_paged(n, p) ? MR_PAGED : 0;
  sw_region(n, 2 * p, SW_KEY | (2 * p), p, sw_va(p, SW_CELL), SW_CELLS_END - SW_CELL, MR_RWA | paged);
  sw_region(n, 2 * p + 1, SW_KEY | (2 * p + 1), p, sw_va(p, SW_REMOTE), SW_POOL - SW_REMOTE, 3 | paged);
  node_write(n, eq_reg(p, NIC_REG_XT_BASE), sw_va(p, SW_TABLE));
  for (unsigned q = 0; q < SW_QUEUES; q++) {
    unsigned size = rng_below(r, 4);
    uint64_t va = sw_va(p, SW_QUEUE + 0x1000 * q), first = ~0ull - 20 + q;  // indices that wrap soon
    uint8_t none = 1;
    s->q[q] = (queue){.first = first, .size = 1ull << size, .bell = first - 1};
    for (unsigned k = 0; k < 1u << size; k++) node_poke(n, p, va + 64 * k, &none, 1);
    node_poke64(n, p, va + SW_BLOCK + 56, first);
    node_poke64(n, p, va + SW_BLOCK + 128, first);
    sw_table(n, p, QUEUE, q, (uint64_t[4]){va, va + SW_BELL, va + SW_BLOCK, flags(n, q, size)});
  }
  for (unsigned k = 0; k < 4; k++) {
    unsigned kind = k / 2, code = 1 + k % 2;
    bool has = kind == FUNCTION || code == 1;
    sw_table(n, p, kind, code,
             (uint64_t[4]){0xc0de0000u + kind * 16 + code, has ? sw_va(p, SW_TARGET + 64 * k) : 0,
                           has ? sw_va(p, SW_SIGNAL) : 0, VALID | (has ? HAS_TARGET : 0)});
  }
}

static void init_logs(node *n, unsigned procs) {
  for (unsigned l = 0; l < SW_LOGS && l < n->cfg.NumLogs; l++) {
    unsigned p = l % procs;
    uint8_t c[64];
    sw_command(c, FUNCTION, 0x10600 + l, 0);
    le_put(c + 40, 8, TAG_LOG + l);
    for (unsigned k = 0; k < 8; k++) node_write(n, NIC_REG_XT_TPL + 64 * l + 8 * k, le_get(c + 8 * k, 8));
    node_write(n, NIC_REG_XT_LOG + 8 * l, 3 | (uint64_t)p << NIC_XT_LOG_PROC_LSB | NIC_XT_LOG_EN_MASK);
  }
}

// One without an IOMMU that gives its own.
bool sw_first_notice(const node *n, const sw_options *o) {
  return o->noticed && n->ops->task && o->logs && !(o->one_way && !n->id);
}

void sw_init(net *w, const sw_options *o) {
  board *s = w->user = calloc(1, sizeof *s);
  if (!s) abort();
  const nic_config *cfg = &w->node[0].cfg;
  s->opt = *o;
  s->left = o->n;
  w->kinds = NET_MIXED;
  s->logs_left = o->logs ? o->n / 20 : 0;
  s->qps = cfg->Contexts ? SW_QPS : cfg->NumQps < SW_QPS_HERE ? cfg->NumQps : 8;
  s->procs = cfg->NumProcs < 3 ? cfg->NumProcs : 3;
  if (2 * s->procs > cfg->NumMrs) s->procs = cfg->NumMrs / 2;
  s->streams = 2 * s->qps;
  s->s = calloc(s->streams, sizeof *s->s);
  if (!s->s) abort();
  w->what = "setting up";
  for (unsigned i = 0; i < w->nodes; i++) {
    sw_node_on(&w->node[i], s->procs);
    if (sw_first_notice(&w->node[i], o)) w->node[i].sw->log[0].waits = true, w->node[i].sw->log[0].sent = 1;
    static const unsigned ticks[] = {1, 10, 100, 400};
    w->node[i].tick = ticks[rng_below(&w->rng, 4)];
    node_write(&w->node[i], NIC_REG_NIC_TICK, w->node[i].tick);
    for (unsigned p = 0; p < s->procs; p++) init_proc(&w->node[i], p, i || !o->one_way);
    if (o->logs && (i || !o->one_way)) init_logs(&w->node[i], s->procs);
  }
  bool told = false;  // a node without IOMMU, where we give the notices
  for (unsigned i = 0; i < w->nodes; i++) told |= !w->node[i].active;
  for (unsigned i = 0; i < w->nodes; i++)  // what has come of a lost put is in a log
    if (w->node[i].active) s->opt.p_fail = 0;
  if (!told) s->logs_left = 0;
  for (unsigned qp = 0; qp < s->qps; qp++) {
    unsigned peer = 1 + qp % (w->nodes - 1), proc = qp / 2 % s->procs;
    for (unsigned k = 0; k < 2; k++) {
      stream *t = &s->s[2 * qp + k];
      t->id = 2 * qp + k;
      t->from = k ? peer : 0;
      t->to = k ? 0 : peer;
      t->qp = qp;
      t->proc = proc;
    }
    pair_on(w, qp, (uint32_t)rng_u64(&w->rng) & 0xffffff, 0xffffe0);  // one that wraps soon
  }
  for (unsigned i = 0; i < w->nodes; i++) node_settle(&w->node[i]);
  w->what = "random requests";
}

// ---- in motion
// The end of requests that ask for no event: the consumer tells.
static void flats(net *w, stream *t) {
  if (t->ended == t->posted || !t->op[t->ended % SW_SLOTS].flat || w->cycle - t->moved < 3000) return;
  t->moved = w->cycle;
  uint64_t sts = qp_get(&w->node[t->from], t->qp, NIC_REG_QP_STS);
  uint16_t cons = (uint16_t)(sts - (sts & NIC_QP_STS_SEND_ERR_MASK ? 1 : 0));  // of one that ends badly an event tells
  while (t->ended != t->posted && (int16_t)(cons - (t->ended - t->base)) > 0 && t->op[t->ended % SW_SLOTS].flat)
    score_end(w, t, NULL);
}

static void drive(net *w, stream *t) {
  board *s = board_of(w);
  const stream *back = &s->s[t->id ^ 1];
  node *n = &w->node[t->from];
  unsigned most = 1u << t->ring_size < SW_SLOTS ? 1u << t->ring_size : SW_SLOTS;
  if (s->opt.one_way && t->from) return;
  if (s->pair[t->qp].at != PAIR_ON) return;
  if (t->mend && t->posted == t->ended && back->posted == back->ended) {
    pair_off(w, t->qp);
    return;
  }
  if (s->opt.p_move && t->posted == t->ended &&
      rng_below(&w->rng, 1000) < s->opt.p_move / (back->posted == back->ended ? 1 : 4))
    pair_move(w, t);
  const bool rests = n->cfg.Contexts && (t->stopped || back->stopped);  // a context that has stopped is closed at rest
  if (s->left && !rests && t->posted - t->ended < most && !(w->node[0].active && w->flying > NET_FULL)) {
    score_post(w, t);
    if (s->opt.p_reconnect && rng_below(&w->rng, 1000) < s->opt.p_reconnect) pair_off(w, t->qp);
  }
  if (t->rung != t->posted && (rng_1in(&w->rng, 2) || !s->left)) {
    qp_ring(n, t->qp, (uint16_t)(t->posted - t->base));
    t->rung = t->posted;
  }
  if (t->stopped && w->cycle >= t->again_at && !link_has(w, t->from, t->to) &&
      (!rests || back->stopped || back->posted == back->ended)) {
    t->stopped = false;
    qp_resume(n, t->qp);
  }
  if (n->unheard[t->qp] && t->rung != t->base) {
    n->unheard[t->qp] = false;
    qp_ring_again(n, t->qp);
  }
  flats(w, t);
}

static void logs(node *n) {
  net *w = n->net;
  board *s = board_of(w);
  unsigned l = rng_below(&w->rng, SW_LOGS);
  if (l >= n->cfg.NumLogs || !n->sw->p[0].q[0].size) return;
  if (!n->active && !n->sw->log[l].waits && !n->sw->log[l].runs && rng_1in(&w->rng, 5000))
    node_write(n, NIC_REG_XT_TASK_DONE, l);  // without a task it does nothing
  if (n->w_head != n->w_tail) return;
  if (n->sw->log[l].runs && w->cycle >= n->sw->log[l].due && !n->sw->log[l].closing) {
    n->sw->log[l].closing = true;
    if (n->active) n->active->consume(n, l);
    node_write(n, NIC_REG_XT_TASK_DONE, l);
  }
  if (n->active || !s->logs_left || n->sw->log[l].waits || n->sw->log[l].runs || !rng_1in(&w->rng, 40)) return;
  n->sw->log[l].prod += 16 * rng_range(&w->rng, 1, 100);
  n->sw->log[l].cons += 16 * rng_below(&w->rng, 2);
  if (!n->ops->task(n, l, n->sw->log[l].prod, n->sw->log[l].cons)) return;
  n->sw->log[l].waits = true;
  n->sw->log[l].sent++;
  s->logs_left--;
}

// Any register may be read at any time.
static void peek(node *n, bool one_way) {
  static const uint32_t some[] = {
      NIC_REG_NIC_CNP, NIC_REG_NIC_RATE, NIC_REG_NIC_RAISE, NIC_REG_QP_RATE, NIC_REG_QP_RATE,
      NIC_REG_NIC_ID,  NIC_REG_NIC_CAP,  NIC_REG_NIC_IP,    NIC_REG_NIC_DMA, NIC_REG_EQ_STS,
      NIC_REG_EQ_CONS, NIC_REG_EQ_CTL,   NIC_REG_QP_CTL,    NIC_REG_QP_STS,  NIC_REG_QP_PROD,
      NIC_REG_QP_PEER, NIC_REG_QP_NOW,   NIC_REG_MR_KEY,    NIC_REG_MR_LEN,  NIC_REG_RB_STS,
      NIC_REG_RB_DROP, NIC_REG_XT_W,     NIC_REG_XT_STS,    NIC_REG_XT_LOG,  NIC_REG_XT_TPL};
  rng *r = &n->net->rng;
  uint32_t a = some[rng_below(r, one_way ? 16 : sizeof some / sizeof *some)];
  if (rng_1in(r, 4)) a = NIC_REG_NIC_CNT + 8 * rng_below(r, NIC_CNT_NUM);
  if (rng_1in(r, 8) && !one_way) a = 8 * rng_below(r, 0x20000 / 8);
  if (a >= NIC_REG_QP_CTL && a < NIC_REG_QP_CTL + 256) a += NIC_REG_QP_CTL_STRIDE * rng_below(r, n->cfg.NumQps);
  node_read(n, a);
}

// Writes that must change nothing that anybody needs: refused, of what is off or unused, or read-only.
static void scribble(node *n, unsigned p) {
  static const uint32_t fixed[] = {NIC_REG_QP_CTL,    NIC_REG_QP_MAC,    NIC_REG_QP_PEER,
                                   NIC_REG_QP_PSN,    NIC_REG_QP_RING,   NIC_REG_QP_RINGC,
                                   NIC_REG_QP_IP6_HI, NIC_REG_QP_IP6_LO, NIC_REG_QP_VLAN};
  rng *r = &n->net->rng;
  uint64_t v = rng_u64(r);
  unsigned mr = rng_below(r, n->cfg.NumMrs), log = rng_below(r, n->cfg.NumLogs + 1);
  bool spare = inbox_spare(n, mr);
  switch (rng_below(r, 9)) {
    case 0:  // of one that is on; what is off gets all of it again. Not byte 0, where QP_CTL has EN, but of a place
      node_write_strb(n, qp_reg(rng_below(r, n->cfg.NumQps), fixed[rng_below(r, sizeof fixed / sizeof *fixed)]), v,
                      n->cfg.Contexts ? (uint8_t)v : (uint8_t)(rng_below(r, 128) << 1));
      break;
    case 1: node_write(n, eq_reg(p, NIC_REG_EQ_CONS), n->sw->p[p].seen + 0x40000000); break;
    case 2: node_write(n, eq_reg(p, NIC_REG_EQ_STS), NIC_EQ_STS_BAD_MASK); break;
    case 3:
      if (spare) node_write(n, NIC_REG_MR_BASE + mr * NIC_REG_MR_BASE_STRIDE, v);
      break;
    case 4:
      if (spare) sw_region(n, mr, 0x11000000 | mr, p, v, v >> 32, v & 7);
      break;
    case 5: node_write_strb(n, NIC_REG_XT_W + 8 * rng_below(r, 4), v, (uint8_t)(v >> 8)); break;
    case 6:  // no such table, or only read
      v = rng_1in(r, 2) ? 3ull << NIC_XT_CMD_TABLE_LSB
                        : NIC_XT_CMD_READ_MASK | (uint64_t)rng_below(r, 3) << NIC_XT_CMD_TABLE_LSB | rng_below(r, 4);
      node_write(n, NIC_REG_XT_CMD, v | (uint64_t)p << NIC_XT_CMD_PROC_LSB);
      break;
    case 7:
      if (log >= SW_LOGS) node_write_strb(n, NIC_REG_XT_TPL + 64 * log + 8 * rng_below(r, 8), v, (uint8_t)(v >> 8));
      break;
    default: node_write(n, rng_1in(r, 2) ? NIC_REG_NIC_ID : NIC_REG_NIC_CNT + 8 * rng_below(r, NIC_CNT_NUM), v); break;
  }
}

void sw_cycle(net *w) {
  board *s = board_of(w);
  rng *r = &w->rng;
  if (w->failed) return;
  drive(w, &s->s[rng_below(r, s->streams)]);
  reconnect_cycle(w);
  congest_cycle(w);
  for (unsigned i = 0; i < w->nodes; i++) {
    node *n = &w->node[i];
    unsigned p = rng_below(r, s->procs);
    sw_proc *me = &n->sw->p[p];
    if (me->msi_driven ? me->msi : rng_1in(r, 16)) sw_hear(n, p);
    if (rng_1in(r, 3000)) node_write(n, eq_reg(p, NIC_REG_EQ_CONS), me->seen);  // arms a ring that is armed
    if (w->cycle >= me->next_look) {  // an event that does not ask for its place may be lost
      me->next_look = w->cycle + rng_range(r, 4000, 12000);
      inbox_feed(n, p);
    }
    if (rng_1in(r, 4000) && !n->iommu) node_write(n, NIC_REG_NIC_TAG_FREE, rng_u64(r));
    if (rng_1in(r, 6000) && (i || !s->opt.one_way)) inbox_drop(n, p);
    if (rng_1in(r, 5000)) me->sleeps = w->cycle + rng_range(r, 1000, 8000);
    if (rng_1in(r, 12) && w->cycle >= me->sleeps) agent_cycle(n, p);
    if (s->opt.logs) logs(n);
    if (n->active) n->active->cycle(n);
  }
  if (rng_1in(r, 600) && !s->opt.one_way) scribble(&w->node[rng_below(r, w->nodes)], rng_below(r, s->procs));
  if (rng_1in(r, 400)) peek(&w->node[rng_below(r, 2)], s->opt.one_way);
  if (w->cycle - s->progress > 2000000) {
    for (unsigned i = 0; i < s->streams; i++)
      if (s->s[i].ended != s->s[i].posted) {
        const stream *t = &s->s[i];
        net_fail(w, "hang", "nothing moves: node %u, QP %u: %u requests posted, %u ended", t->from, t->qp, t->posted,
                 t->ended);
      }
    for (unsigned i = 0; i < w->nodes; i++)
      for (unsigned l = 0; l < SW_LOGS; l++)
        if (w->node[i].sw->log[l].waits || w->node[i].sw->log[l].runs)
          net_fail(w, "hang", "nothing moves: node %u, access log %u: its task %s", i, l,
                   w->node[i].sw->log[l].runs ? "does not end" : "does not begin");
    for (unsigned i = 0; i < w->nodes; i++)
      if (w->node[i].active) w->node[i].active->finish(&w->node[i]);
    net_fail(w, "hang", "nothing moves");
  }
}

void sw_tell(const net *w) {
  for (unsigned i = 0; i < w->nodes; i++) {
    const struct sw *s = w->node[i].sw;
    uint64_t tasks = 0, by_log = 0;
    for (unsigned p = 0; p < 16; p++)
      for (unsigned q = 0; q < SW_QUEUES; q++) tasks += s->p[p].q[q].tasks;
    for (unsigned l = 0; l < SW_LOGS; l++) by_log += s->log[l].ran;
    printf("  node %u%s: its accelerator has run %" PRIu64 " tasks, %" PRIu64 " of them started by access logs\n", i,
           i < w->duts ? ", the hardware" : "", tasks, by_log);
  }
  const board *b = board_of(w);
  printf("  queue pairs turned off and on: %" PRIu64 "; taken off and on at rest: %" PRIu64 ", %" PRIu64
         " of them with the peer's requests open; reads that memory has failed: %" PRIu64 "\n",
         b->reconnected, b->moved, b->moved_asked, b->failures);
}

// What the tasks that have run must have left behind.
static void tasks_must(const board *s, const node *n, unsigned p, uint64_t sum[4], uint64_t *signals) {
  for (unsigned i = 0; i < s->streams; i++)
    for (uint32_t k = 0; s->s[i].to == n->id && s->s[i].proc == p && k < s->s[i].puts; k++) {
      const put_rec *r = &s->s[i].put[k];
      if (!r->run) continue;
      if (r->kind == FUNCTION || r->code == 1) ++*signals;
      sum[2 * r->kind + r->code - 1] += r->sum;
    }
}

static void must(net *w, const node *n, unsigned p, const char *what, uint64_t got, uint64_t want) {
  if (got != want)
    net_fail(w, "score", "node %u, process %u: %s: got %" PRIx64 ", want %" PRIx64, n->id, p, what, got, want);
}

void sw_finish(net *w) {
  board *s = board_of(w);
  w->what = "coming to rest";
  for (unsigned i = 0; i < w->nodes; i++)
    if (w->node[i].active) w->node[i].active->rest(&w->node[i]);
  for (unsigned calm = 0, k = 0; calm < 3000 && !w->failed; k++) {  // what is still queued for agents and software
    for (unsigned i = 0; i < w->nodes; i++)
      for (unsigned p = 0; p < s->procs; p++) {
        agent_cycle(&w->node[i], p);
        sw_proc *me = &w->node[i].sw->p[p];
        if (me->msi_driven ? me->msi : !(k % 64)) sw_hear(&w->node[i], p);
      }
    net_cycle(w);
    calm = net_idle(w) ? calm + 1 : 0;
    for (unsigned i = 0; k == 2000000 && i < w->nodes; i++)
      if (!w->node[i].ops->idle(&w->node[i]))
        net_fail(w, "hang", "node %u never comes to rest: %u things to be decided", i,
                 w->node[i].m ? nic_pending(w->node[i].m) : 0);
    if (k == 2000000) net_fail(w, "hang", "the nodes never come to rest");
  }
  w->what = "comparing";
  again_finish(w);
  for (unsigned i = 0; i < s->streams && !w->failed; i++) {
    stream *t = &s->s[i];
    node *n = &w->node[t->to];
    static uint8_t b[SW_SLOT];
    while (t->imm_seen != t->imm_sent && t->imm_may[t->imm_seen]) t->imm_seen++;
    inbox_finish(w, t);
    must(w, n, t->proc, "immediates seen", t->imm_seen, t->imm_sent);
    must(w, n, t->proc, "sum of atomics", node_peek64(n, t->proc, sw_va(t->proc, SW_CELL + 64 * t->qp)), t->sum);
    must(w, n, t->proc, "compared and swapped", node_peek64(n, t->proc, sw_va(t->proc, SW_CELL + 64 * t->qp + 8)),
         t->cell);
    for (unsigned k = 0; k <= SW_SLOTS; k++) {
      uint64_t va = sw_va(t->proc, SW_REMOTE + 0x20000 * t->qp + SW_SLOT * k);
      node_peek(n, t->proc, va, b, SW_SLOT);
      for (unsigned j = 0; j < SW_SLOT; j++)
        if (b[j] != t->image[k][j])
          net_fail(w, "score", "node %u, process %u: byte at %" PRIx64 " (of QP %u): got %02x, want %02x", n->id,
                   t->proc, va + j, t->qp, b[j], t->image[k][j]);
    }
    for (uint32_t k = 0; k < t->puts; k++)
      if (!t->put[k].run && !t->put[k].may)
        net_fail(w, "score", "node %u: task %u of QP %u, queue %u, has not run", n->id, k, t->qp, t->put[k].queue);
  }
  for (unsigned i = 0; i < w->nodes && !w->failed; i++)
    if (w->node[i].active) w->node[i].active->finish(&w->node[i]);
  for (unsigned i = 0; i < w->nodes && !w->failed; i++)
    for (unsigned p = 0; p < s->procs; p++) {
      node *n = &w->node[i];
      sw_proc *me = &n->sw->p[p];
      uint64_t sum[4] = {0}, signals = 0, shared = node_peek64(n, p, sw_va(p, SW_SHARED));
      tasks_must(s, n, p, sum, &signals);
      if (shared > me->shared || shared < me->shared - me->shared_may)
        must(w, n, p, "common counter", shared, me->shared);
      must(w, n, p, "signal", 0 - node_peek64(n, p, sw_va(p, SW_SIGNAL)), signals);
      for (unsigned k = 0; k < 4; k++)
        must(w, n, p, "what kernels have added up", node_peek64(n, p, sw_va(p, SW_TARGET + 64 * k)), sum[k]);
      must(w, n, p, "tasks of the agent's own", me->q[1].own_run, me->q[1].own_sent);
      must(w, n, p, "events of tasks", me->q[2].told, me->q[2].tasks);
      for (unsigned l = p; l < SW_LOGS; l += s->procs) {
        must(w, n, p, "tasks of a log", n->sw->log[l].ran, n->sw->log[l].sent);
        must(w, n, p, "their ends", n->sw->log[l].done, n->sw->log[l].sent);
        must(w, n, p, "events of their ends", n->sw->log[l].told, n->sw->log[l].sent);
      }
    }
}
