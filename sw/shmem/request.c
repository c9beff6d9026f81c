// SPDX-License-Identifier: Apache-2.0
// Requests to other PEs: an active put, one record in their log, whose handler (serve.c) does it and puts the answer
// here. Each has a number; the slot that it takes is free again when the answer's number is there.
#include <string.h>

#include "world.h"

enum { EXIT_US = 6000000 };  // a lost frame is sent again after four seconds

static void take(int pe, unsigned slot) {
  shm_pair *p = &shm.pair[pe];
  shm_ask *q = &p->ask[slot];
  if (!q->number) return;
  shm_wait_word(&p->mine->answered[slot], UINT64_MAX, q->number, pe);
  if (q->into) memcpy(q->into, p->mine->answer[slot], q->bytes);
  q->number = 0;
}

void shm_answers(int pe) {
  for (unsigned i = 0; i < SHM_ASKS; i++) take(pe, i);
}

void shm_ask_pe(int pe, shm_request *r, const void *data, void *into) {
  shm_pair *p = &shm.pair[pe];
  if (!++p->asked) p->asked = 1;
  const unsigned slot = p->asked % SHM_ASKS;
  const uint32_t extra = data ? r->bytes : 0;
  take(pe, slot);
  p->ask[slot] = (shm_ask){.number = p->asked, .into = into, .bytes = r->bytes};
  r->from = (uint16_t)shm.me;
  r->slot = (uint16_t)slot;
  r->number = p->asked;
  r->wanted = into != NULL;
  memcpy(p->mine->out_request[slot], r, sizeof *r);
  if (extra) memcpy(p->mine->out_request[slot] + sizeof *r, data, extra);
  shm_must(toc_put(p->qp, p->mine->out_request[slot], p->page, (uint32_t)sizeof *r + extra, NULL), "a request", pe);
}

// Nobody answers that. All are told before any is waited for: who is told ends, and may have told us, too.
void shm_tell_exit(int status) {
  toc_req told[SHM_PES] = {{0}};
  for (int pe = 0; shm.f && pe < shm.n; pe++) {
    shm_pair *p = &shm.pair[pe];
    const shm_request r = {.from = (uint16_t)shm.me, .op = SHM_EXIT, .a = (uint64_t)(int64_t)status};
    if (pe == shm.me) continue;
    memcpy(p->mine->out_exit, &r, sizeof r);
    if (toc_put(p->qp, p->mine->out_exit, p->page, sizeof r, &told[pe]) != TOC_OK) told[pe].qp = NULL;
  }
  const uint64_t until = shm_clock_us() + EXIT_US;
  for (int pe = 0; pe < shm.n; pe++) {
    const uint64_t now = shm_clock_us();
    if (told[pe].qp) (void)!toc_wait(told[pe], now < until ? until - now : 1);
  }
}
