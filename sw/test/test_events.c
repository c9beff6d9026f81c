// SPDX-License-Identifier: Apache-2.0
// Events of a process: one that the device had no place for is told of by name, once.
#include "internal.h"
#include "scene.h"
#include "tocsin/nic_regs.h"

// ---- events that were lost
/* The device goes on while nobody takes events, as hardware does beside a program that computes. */
static void runs_alone(toc_fabric *h_f, uint64_t ns) {
  toc_i_fabric *f = toc_i_object(TOC_I_fabric, h_f, __func__, "f");
  toc_i_lock(f);
  for (uint64_t until = f->be->now(f->self) + ns; f->be->now(f->self) < until;) (void)f->be->progress(f->self);
  toc_i_unlock(f);
}

static bool is_lost(const scene *s) {
  uint64_t sts;
  OK(toc_reg_read(toc_node_at(s->f, 1), NREG_AT(EQ_STS, toc_proc_index(s->b)), 8, &sts));
  return sts & NIC_EQ_STS_LOST_MASK;
}

/* A message that finds no buffer is refused again and again, until the ring of events is full. */
static void ring_was_full(void) {
  scene s;
  toc_event e;
  toc_req r;
  if (!scene_open(&s, NULL)) return;
  OK(toc_send(s.ab, s.near, 64, &r));
  for (unsigned i = 0; i < 100 && !is_lost(&s); i++) runs_alone(s.f, 1000000);
  EQ(is_lost(&s), 1);
  IS(toc_event_next(s.b, &e, 0), TOC_E_LOST);
  CHECK(strstr(toc_why(), "events"));
  EQ(e.kind, TOC_EVENT_NONE);
  EQ(is_lost(&s), 0);
  OK(toc_recv_post(s.b, s.far, 4096, 4096, NULL));
  OK(toc_wait(r, 0));
  for (e.kind = TOC_EVENT_NONE; e.kind != TOC_EVENT_RECV && !failed;) OK(toc_event_next(s.b, &e, 0));
  while (toc_event_next(s.b, &e, 5) == TOC_OK) EQ(e.kind, TOC_EVENT_BUFFER);
  IS(toc_event_next(s.b, &e, 5), TOC_E_TIMEOUT);  // once
  IS(toc_event_next(s.a, &e, 5), TOC_E_TIMEOUT);  // and its own process alone
  scene_close(&s);
}

/* Nothing came that could be taken: who waits is told all the same. */
static void nothing_but_lost(void) {
  scene s;
  toc_event e;
  toc_req r;
  if (!scene_open(&s, NULL)) return;
  OK(toc_reg_write(toc_node_at(s.f, 1), NREG_AT(EQ_CTL, toc_proc_index(s.b)), 8, 0));
  OK(toc_put(s.ab, s.near, toc_at(s.there, 16384), 8, &r));  // behind the end
  IS(toc_wait(r, 0), TOC_E_ACCESS);
  IS(toc_event_next(s.b, &e, 0), TOC_E_LOST);
  IS(toc_event_next(s.b, &e, 5), TOC_E_TIMEOUT);
  scene_close(&s);
}

/* What one process lost is not told to the next. */
static void of_the_process_before(void) {
  scene s;
  toc_event e;
  toc_req r;
  if (!scene_open(&s, NULL)) return;
  OK(toc_reg_write(toc_node_at(s.f, 1), NREG_AT(EQ_CTL, toc_proc_index(s.b)), 8, 0));
  OK(toc_put(s.ab, s.near, toc_at(s.there, 16384), 8, &r));
  IS(toc_wait(r, 0), TOC_E_ACCESS);
  EQ(is_lost(&s), 1);
  const unsigned index = toc_proc_index(s.b);
  toc_proc_close(s.b);
  OK(toc_proc_open(toc_node_at(s.f, 1), &s.b));
  EQ(toc_proc_index(s.b), index);
  IS(toc_event_next(s.b, &e, 5), TOC_E_TIMEOUT);
  scene_close(&s);
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  ring_was_full();
  nothing_but_lost();
  of_the_process_before();
  return report();
}
