// SPDX-License-Identifier: Apache-2.0
// Ranks with a thread each on one fabric: updates of a table by all, each its own too; by CPU and by accelerator.
#include <pthread.h>

#include "ranks_here.h"

enum { WORDS = 256, UPDATES = 1500 };

typedef struct worker {
  here *h;
  unsigned me;
  uint64_t memory[WORDS], answers, failures;
  pthread_t thread;
} worker;

static unsigned ready;  // ranks that have all their answers

static void on_answer(void *arg, uint64_t value) {
  worker *w = arg;
  (void)value;
  w->answers++;
}

static void *work(void *arg) {
  worker *w = arg;
  irr_net *net = w->h->net[w->me];
  uint64_t r = seed + w->me;
  for (unsigned i = 0; i < UPDATES; i++) {
    const unsigned to = scene_random(&r) % w->h->n;
    const irr_word_args a = {.place = scene_random(&r) % WORDS * 8, .a = 1};
    const irr_delegate d = {
        .to = to, .function = IRR_WORD_ADD, .args = &a, .bytes = sizeof a, .done = on_answer, .arg = w};
    irr_status s;
    while ((s = irr_net_send(net, &d)) == IRR_BUSY) (void)irr_net_poll(net, NULL);
    w->failures += s != IRR_OK;
  }
  while (w->answers < UPDATES) w->failures += irr_net_poll(net, NULL) != IRR_OK;
  __atomic_fetch_add(&ready, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&ready, __ATOMIC_SEQ_CST) < w->h->n) w->failures += irr_net_poll(net, NULL) != IRR_OK;
  return NULL;
}

static void parallel(unsigned n, unsigned group, irr_by by) {
  static worker w[HERE_MOST];
  here h;
  uint64_t sum = 0;
  if (!here_open(&h, n, NULL, &(irr_net_options){.group = group, .by = by})) return;
  ready = 0;
  for (unsigned i = 0; i < n; i++) {
    w[i] = (worker){.h = &h, .me = i};
    FINE(irr_net_share(h.net[i], w[i].memory, sizeof w[i].memory));
  }
  for (unsigned i = 0; i < n; i++) CHECK(!pthread_create(&w[i].thread, NULL, work, &w[i]));
  for (unsigned i = 0; i < n; i++) {
    pthread_join(w[i].thread, NULL);
    EQ(w[i].failures, 0);
  }
  for (unsigned i = 0; i < n; i++)
    for (unsigned k = 0; k < WORDS; k++) sum += w[i].memory[k];
  EQ(sum, (uint64_t)n * UPDATES);
  EQ(here_counts(&h).run, (uint64_t)n * UPDATES);
  here_close(&h);
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  parallel(3, 1, IRR_BY_PUT);
  parallel(6, 3, IRR_BY_PUT);
  parallel(3, 1, IRR_BY_TASK);
  parallel(6, 3, IRR_BY_TASK);
  return report();
}
