// SPDX-License-Identifier: Apache-2.0
// Events of a process: of each what it must be, and what follows from it.
#include <inttypes.h>

#include "sw.h"

static void odd_event(node *n, unsigned p, const sw_event *e) {
  net_fail(n->net, "event",
           "node %u, process %u, event %u: type %u status %02x QP %u word %x length %x address %" PRIx64, n->id, p,
           n->sw->p[p].seen - 1, e->kind, e->status, e->qp, e->word, e->len, e->addr);
}

static stream *stream_at(net *w, const node *n, unsigned qp, bool to) {
  board *s = board_of(w);
  for (unsigned k = 0; k < 2 && qp < s->qps; k++)
    if ((to ? s->s[2 * qp + k].to : s->s[2 * qp + k].from) == n->id) return &s->s[2 * qp + k];
  return NULL;
}

// An immediate that comes once and in order; between may lie those of a queue pair that has gone off.
static bool imm_fits(stream *t, uint32_t imm) {
  while (t->imm_seen < imm && t->imm_seen < t->imm_sent && t->imm_may[t->imm_seen]) t->imm_seen++;
  return t->imm_seen < t->imm_sent && imm == t->imm_seen++;
}

void sw_hear(node *n, unsigned p) {
  net *w = n->net;
  board *b = board_of(w);
  sw_proc *s = &n->sw->p[p];
  sw_event e;
  uint32_t before = s->seen;
  bool hungry = false;
  while (!w->failed && sw_take_event(n, p, &e)) {
    stream *t = stream_at(w, n, e.qp, false), *from = stream_at(w, n, e.qp, true);
    bool qp_ok = t && t->proc == p;
    b->progress = w->cycle;
    switch (e.kind) {
      case NIC_EV_SEND:
        if (!qp_ok) {
          odd_event(n, p, &e);
          break;
        }
        while (t->ended != t->posted && t->op[t->ended % SW_SLOTS].flat && e.word != ((t->ended - t->base) & 0xffff))
          score_end(w, t, NULL);
        score_end(w, t, &e);
        break;
      case NIC_EV_IMM:
        if (!qp_ok || !imm_fits(from, e.len)) odd_event(n, p, &e);
        break;
      case NIC_EV_RECV:
        if (qp_ok)
          inbox_heard(n, from, &e);
        else
          odd_event(n, p, &e);
        break;
      case NIC_EV_BUFFER: hungry = true; break;
      case NIC_EV_TASK:
        if (e.word < 2 || e.word >= SW_QUEUES || e.addr != s->q[e.word].first + s->q[e.word].told++)
          odd_event(n, p, &e);
        break;
      case NIC_EV_TASK_DONE:
        if (e.word >= SW_LOGS || n->sw->log[e.word].told++ == n->sw->log[e.word].ran) odd_event(n, p, &e);
        break;
      case NIC_EV_REFUSED:
        if (e.status >> 5 != 1 && !b->opt.p_bad && !(from && from->serve_failed))
          odd_event(n, p, &e);  // not ready, and nothing worse
        break;
      case NIC_EV_RESP_FAILED:
        if (qp_ok && from->mend && e.status == 0x63) break;
        if (!qp_ok || !from->serve_failed || e.status != 0x63)
          odd_event(n, p, &e);
        else
          pair_off(w, e.qp);
        break;
      default: odd_event(n, p, &e); break;
    }
  }
  if (s->seen != before || s->msi) node_write(n, eq_reg(p, NIC_REG_EQ_CONS), s->seen);
  s->msi = false;
  if (hungry) inbox_feed(n, p);
}
