// SPDX-License-Identifier: Apache-2.0
// XTQ as a program sees it: remote messages run functions of an accelerator in software.
#include "scene.h"
#include "tocsin/agent.h"

typedef struct machine {
  scene s;
  xtq_queue *queue;
  toc_agent *agent;
  aql_signal *done;
  uint64_t *sum;
} machine;

static bool machine_open(machine *m, const toc_options *o, const xtq_queue_options *q, bool automatic) {
  memset(m, 0, sizeof *m);
  if (!scene_open(&m->s, o)) return false;
  OK(xtq_queue_open(m->s.b, q, &m->queue));
  OK(toc_agent_open(m->queue, automatic, &m->agent));
  OK(xtq_register_queue(m->s.b, 3, m->queue));
  OK(xtq_feed_buffers(m->s.b, 4, 16384));
  OK(xtq_signal_open(m->s.b, 1000, &m->done));
  OK(toc_alloc(m->s.b, 4096, TOC_READ | TOC_WRITE, (void **)&m->sum));
  return m->queue && m->agent && m->sum;
}

static uint32_t heard_bytes;

/* Adds the payload's words up, into the target buffer. How many they are is in the third argument. */
static void add_up(void *arg, const toc_call *c) {
  uint64_t *sum = c->target;
  const uint64_t *v = c->payload;
  ++*(unsigned *)arg;
  heard_bytes = (uint32_t)c->arg[2];
  for (uint32_t i = 0; i < c->arg[2] / 8; i++) *sum += v[i];
}

// A kernel with arguments and payload: the target's pointers take the place of the first two arguments, the signal falls.
static void kernel(void) {
  machine m;
  toc_req r;
  unsigned ran = 0;
  if (!machine_open(&m, NULL, NULL, true)) return;
  uint64_t code = toc_agent_code(m.agent, add_up, &ran);
  EQ(code, toc_agent_code(m.agent, add_up, &ran));
  OK(xtq_register_kernel(m.s.b, 42, &(xtq_code){.code = code, .target = m.sum, .signal = m.done}));
  uint64_t *v = (uint64_t *)(void *)m.s.near, args[4] = {7, 8, 800, 0};
  for (unsigned i = 0; i < 100; i++) v[i] = i;
  xtq_task t = {
      .index = 42, .queue = 3, .process = toc_proc_index(m.s.b), .args = args, .args_bytes = 32, .payload = v};
  t.payload_bytes = 800;
  OK(xtq_put(m.s.ab, &t, &r));
  OK(toc_wait(r, 0));
  OK(xtq_signal_wait(m.s.b, m.done, 999, 0));
  EQ(ran, 1);
  EQ(heard_bytes, 800);
  EQ(*m.sum, 4950);
  scene_close(&m.s);
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  kernel();
  return report();
}
