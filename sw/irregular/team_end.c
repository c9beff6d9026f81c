// SPDX-License-Identifier: Apache-2.0
// When is a team over? Rank 0, when it has nothing to do, asks all ranks whether they have, how many delegates they
// have begun, and how many have ended there. Two such waves in a row in which all are quiet, with the same numbers, and
// as many ended as begun, mean that nothing has happened between them and that nothing is under way: between the last
// answer of the first wave and the first of the second there was a moment at which that was so everywhere, and what is
// quiet everywhere stays so. The questions themselves are not counted.
#include <stdio.h>
#include <string.h>

#include "team_internal.h"

// Nothing is ready, nothing has not begun, and no answer is waited for but those to questions. Rank 0's own
// question has no ticket.
static report of(const member *m) {
  irr_traffic n;
  const unsigned questions = m->m.rank ? 0 : m->wave.asked - m->wave.answered - 1;
  irr_net_counts(m->m.r.net, &n);
  return (report){.quiet = irr_i_sched_quiet(m->m.r.s) && irr_i_net_quiet(m->m.r.net, questions),
                  .failed = m->status != TOC_OK,
                  .begun = n.sent + n.own - m->asks_sent,
                  .ran = n.run + irr_i_net_unknown(m->m.r.net) - m->asks_run,
                  .left = irr_left(m->m.r.s)};
}

irr_status irr_i_team_ask(void *ctx, const irr_arrival *a, irr_answer *answer) {
  member *m = ctx;
  (void)a;
  const report r = of(m);
  m->asks_run++;
  memcpy(answer->word, &r, sizeof r);
  answer->bytes = sizeof r;
  return IRR_OK;
}

// At rank 0 it says that a rank has failed, at the others that the team is over.
irr_status irr_i_team_over(void *ctx, const irr_arrival *a, irr_answer *answer) {
  member *m = ctx;
  (void)a;
  (void)answer;
  *(m->m.rank ? &m->over : &m->ending) = true;
  return IRR_OK;
}

static void on_answer(void *arg, uint64_t value) {
  (void)value;
  ((member *)arg)->wave.answered++;
}

// false: no room now.
static bool ask(member *m) {
  wave *w = &m->wave;
  while (w->asked < m->m.ranks) {
    const unsigned to = w->asked;
    const irr_delegate d = {.to = to,
                            .function = IRR_TEAM_ASK,
                            .done = on_answer,
                            .arg = m,
                            .status = &w->status[to],
                            .into = &w->of[to],
                            .into_bytes = sizeof w->of[to]};
    w->asked++;  // before it runs, if it is our own
    const irr_status s = irr_net_send(m->m.r.net, &d);
    if (s != IRR_OK) {
      w->asked--;
      return false;
    }
    m->asks_sent++;
  }
  return true;
}

static void sum_up(const member *m, report *sum) {
  *sum = (report){.quiet = 1};
  for (unsigned i = 0; i < m->m.ranks; i++) {
    const report *r = &m->wave.of[i];
    sum->quiet &= r->quiet && m->wave.status[i] == IRR_OK;
    sum->failed |= r->failed;
    sum->begun += r->begun;
    sum->ran += r->ran;
    sum->left += r->left;
  }
}

// Who waits for what another thread may do is not stuck as long as it may.
static bool settled(member *m, const report *now, const report *last) {
  if (!now->quiet || !last->quiet || now->begun != now->ran || last->begun != now->begun || last->ran != now->ran)
    return false;
  if (!now->left) return true;
  if (m->awaits) {
    irr_complete(m->m.r.s, m->awaits);
    m->awaits = NULL;
    return false;
  }
  if (m->o->tasks.foreign) return false;
  char what[96];
  snprintf(what, sizeof what, "%llu tasks are blocked, and nothing is left that could wake them",
           (unsigned long long)now->left);
  (void)irr_i_failed(m, TOC_E_NOT_DONE, "", what);
  return true;
}

static bool tell(member *m, unsigned to) {
  return irr_net_send(m->m.r.net, &(irr_delegate){.to = to, .function = IRR_TEAM_OVER}) != IRR_BUSY;
}

static void tell_all(member *m) {
  m->ending = true;
  for (; m->told < m->m.ranks; m->told++)
    if (m->told && !tell(m, m->told)) return;
  (void)irr_net_flush_all(m->m.r.net);
  m->over = true;
}

void irr_i_team_look(member *m) {
  wave *w = &m->wave;
  if (m->m.rank) {
    if (m->status != TOC_OK && !m->ending) m->ending = tell(m, 0);
    return;
  }
  if (m->ending || m->status != TOC_OK) {
    tell_all(m);
    return;
  }
  if (!ask(m) || w->answered < m->m.ranks) return;
  sum_up(m, &w->sum);
  w->asked = w->answered = 0;
  const bool waited = m->awaits;
  if (w->sum.failed || settled(m, &w->sum, &w->last)) tell_all(m);
  w->last = w->sum;
  if (waited && !m->awaits) w->last.quiet = 0;  // who was woken moves
}

irr_status irr_team_quiet(irr_member *m) {
  member *of = (member *)(void *)m;
  if (!m || m->rank || of->awaits) return IRR_E_ARG;
  if (irr_delegate_running()) return IRR_E_INSIDE;
  irr_counter moves;
  irr_counter_init(&moves, m->r.s);
  irr_enroll(m->r.s, &moves, 1);
  of->awaits = &moves;
  of->wave.last.quiet = 0;
  irr_wait(m->r.s, &moves);
  return IRR_OK;
}
