// SPDX-License-Identifier: Apache-2.0
// Queue pairs that go off in motion and come back: because software wants it, or because memory has failed
// and nothing else helps.
//
//   on --> one end off, the other some time later --> quiet: no frame under way, all events heard --> score_lost
//      --> on, new PSNs
//
// A queue pair at rest goes off and on from where it was, with its stored answers, which nobody notices (QPR-9, QPR-10,
// QPR-11): pair_move.
#include <inttypes.h>
#include <string.h>

#include "sw.h"

enum { ANSWERED = 3000 };  // cycles until all that has come is answered, or nothing moves
enum { QUIET = 20000 };    // cycles until all that a queue pair has sent is surely gone

static void come_back(net *w, unsigned qp) {
  board *b = board_of(w);
  for (unsigned k = 0; k < 2; k++) {
    const stream *t = &b->s[2 * qp + k];
    node *n = &w->node[t->from];
    if (!qp_is_off(n, qp)) net_fail(w, "nic_qp", "node %u, QP %u is still on", n->id, qp);
    sw_hear(n, t->proc);
  }
  for (unsigned k = 0; k < 2 && !w->failed; k++) score_lost(w, &b->s[2 * qp + k]);
  pair_on(w, qp, (uint32_t)rng_u64(&w->rng) & 0xffffff, (uint32_t)rng_u64(&w->rng) & 0xffffff);
}

// What says how far it is, and from where it begins, in the same form.
static const uint32_t where[][2] = {{NIC_REG_QP_NOW, NIC_REG_QP_PSN},
                                    {NIC_REG_QP_STS, NIC_REG_QP_BEGIN},
                                    {NIC_REG_QP_MSG, NIC_REG_QP_BEGIN_MSG},
                                    {NIC_REG_QP_VA, NIC_REG_QP_BEGIN_VA},
                                    {NIC_REG_QP_REST, NIC_REG_QP_BEGIN_REST}};
enum { WHERE = sizeof where / sizeof *where };

// The answers that are stored, PSN and value of each (QPR-11).
typedef struct answers {
  unsigned num;
  uint64_t word[64][2];
} answers;

static uint32_t answer_reg(unsigned qp, unsigned i, unsigned value) {
  return (value ? NIC_REG_QP_ANSWER_VALUE : NIC_REG_QP_ANSWER_PSN) + NIC_REG_QP_ANSWER_PSN_STRIDE * (64 * qp + i);
}

static void read_answers(node *n, unsigned qp, answers *a) {
  a->num = (unsigned)(node_read(n, qp_reg(qp, NIC_REG_QP_MSG)) >> NIC_QP_MSG_ANSWERS_LSB & 127);
  for (unsigned i = 0; i < a->num; i++)
    for (unsigned k = 0; k < 2; k++) a->word[i][k] = node_read(n, answer_reg(qp, i, k));
}

static void same_answers(node *n, unsigned qp, const answers *is) {
  answers on;
  read_answers(n, qp, &on);
  if (on.num != is->num || memcmp(on.word, is->word, is->num * sizeof *is->word))
    net_fail(n->net, "nic_replay", "node %u, QP %u goes on with other stored answers: %u, was %u", n->id, qp, on.num,
             is->num);
}

// What it was in between must leave nothing: other registers, answers of others, another name.
static void other_life(node *n, unsigned qp, uint64_t ctl) {
  for (unsigned k = 0; k < WHERE; k++) node_write(n, qp_reg(qp, where[k][1]), rng_u64(&n->net->rng));
  for (unsigned i = 0; i < n->cfg.Replay; i++)
    for (unsigned k = 0; k < 2; k++) node_write(n, answer_reg(qp, i, k), rng_u64(&n->net->rng));
  node_write(n, qp_reg(qp, NIC_REG_QP_NAME), 0);
  node_write(n, qp_reg(qp, NIC_REG_QP_CTL), ctl);
  node_write(n, qp_reg(qp, NIC_REG_QP_CTL), 0);
  node_write(n, qp_reg(qp, NIC_REG_QP_NAME), SW_NAME - qp);
}

bool sw_move(node *n, unsigned qp) {
  net *w = n->net;
  const uint64_t refused = NIC_QP_STS_BAD_PROD_MASK;
  uint64_t is[WHERE];
  answers stored;
  uint64_t ctl = node_read(n, qp_reg(qp, NIC_REG_QP_CTL));
  if (node_read(n, qp_reg(qp, NIC_REG_QP_MSG)) & NIC_QP_MSG_TASK_MASK) return false;
  node_write(n, qp_reg(qp, NIC_REG_QP_CTL), 0);
  for (unsigned k = 0; k < WHERE; k++) is[k] = node_read(n, qp_reg(qp, where[k][0]));
  read_answers(n, qp, &stored);
  node_write(n, qp_reg(qp, NIC_REG_QP_CTL), ctl & ~NIC_QP_CTL_EN_MASK);
  const bool other = rng_1in(&w->rng, 2);
  if (other) other_life(n, qp, ctl);
  if (other || rng_1in(&w->rng, 2))  // else they stay where they are
    for (unsigned i = 0; i < stored.num; i++)
      for (unsigned k = 0; k < 2; k++) node_write(n, answer_reg(qp, i, k), stored.word[i][k]);
  for (unsigned k = 0; k < WHERE; k++) node_write(n, qp_reg(qp, where[k][1]), is[k]);
  node_write(n, qp_reg(qp, NIC_REG_QP_CTL), ctl);
  uint64_t sts = node_read(n, qp_reg(qp, NIC_REG_QP_STS)), prod = node_read(n, qp_reg(qp, NIC_REG_QP_PROD));
  if ((sts ^ is[1]) & ~refused)
    net_fail(w, "nic_qp", "node %u, QP %u goes on with QP_STS %" PRIx64 ", was %" PRIx64, n->id, qp, sts, is[1]);
  if (prod != (is[1] & NIC_QP_STS_CONS_MASK))
    net_fail(w, "nic_qp", "node %u, QP %u goes on with producer %" PRIx64, n->id, qp, prod);
  for (unsigned k = 0; k < WHERE; k++) node_write(n, qp_reg(qp, where[k][1]), 0);  // it is on: refused
  for (unsigned i = 0; i < stored.num; i++) node_write(n, answer_reg(qp, i, rng_below(&w->rng, 2)), 0);
  same_answers(n, qp, &stored);
  return true;
}

// Of a queue pair that the peer still asks things of no frame comes until all that has come is answered (QPR-10): what
// the link has lost of these answers is asked for again behind the move.
void pair_move(net *w, stream *t) {
  board *b = board_of(w);
  const stream *back = &b->s[t->id ^ 1];
  node *n = &w->node[t->from];
  const bool asked = back->posted != back->ended;
  if (n->cfg.Contexts) {
    b->moved += !asked && qp_reopen(n, t->qp);
    return;
  }
  if (asked) {
    link_wait(w, n->id, true);
    for (unsigned c = 0; c < ANSWERED && nic_owes(n->m, NULL, 0) && !w->failed; c++) net_cycle(w);
  }
  if (!asked || !nic_owes(n->m, NULL, 0)) {
    const bool went = sw_move(n, t->qp);
    b->moved += went;
    b->moved_asked += went && asked;
  }
  node_settle(n);
  link_wait(w, n->id, false);
}

void reconnect_cycle(net *w) {
  board *b = board_of(w);
  for (unsigned qp = 0; qp < b->qps && !w->failed; qp++) {
    pair *p = &b->pair[qp];
    const stream *t = &b->s[2 * qp];
    if (p->at == PAIR_ON || w->cycle < p->until) continue;
    if (p->at == PAIR_HALF) {
      qp_off(&w->node[t[!p->first].from], qp);
      p->at = PAIR_OFF;
      p->until = w->cycle + QUIET;
    } else if (!link_has(w, t->from, t->to)) {
      come_back(w, qp);
    }
  }
}
