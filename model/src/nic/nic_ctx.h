// SPDX-License-Identifier: Apache-2.0
/* Contexts in memory, for nic_ctx.c, nic_ctx_run.c and nic_ctx_lock.c alone: which context is where,
 * and what of one is in memory. */
#ifndef TOCSIN_NIC_CTX_H
#define TOCSIN_NIC_CTX_H

#include "nic_state.h"

/* A word of a QP page, and from which word of a context it is loaded. CTX-5. */
typedef struct ctx_word {
  uint32_t to, from;
  uint64_t fields;
} ctx_word;
extern const ctx_word ctx_page[NIC_CTX_LOADS];
#define CTX_REG(NAME) (NIC_REG_QP_##NAME & 255)

/* What is in memory of one that is open. */
typedef struct ctx_bytes {
  const uint8_t *word, *answer;
  unsigned answers;
} ctx_bytes;
enum { CTX_THERE, CTX_CLOSED, CTX_BROKEN, CTX_WAITS };

uint32_t ctx_page_addr(unsigned i, unsigned reg);
uint32_t ctx_answer_addr(unsigned i, unsigned k); /* word k of the stored answers of place i */
bool ctx_is_answer(uint32_t addr, unsigned *i, unsigned *k);
unsigned ctx_answers(const nic *m, uint64_t msg); /* as QP_MSG says */

int ctx_place(const nic *m, unsigned c); /* of a context; -1: none */
int ctx_frame_names(const nic *m); /* the context of the oldest frame, which is in no place; -1: there is none such */
int ctx_frame_wants(const nic *m); /* the same, as long as nothing has been said of it */
bool ctx_works(const nic_qp *q);   /* something is posted, or it is in a task or a SEND */
bool ctx_answers_wait(const nic *m, unsigned i);
bool ctx_may_work(const nic *m, int i); /* a bell may be served there; -1: in a place that is free now */

unsigned ctx_fetch(nic *m, unsigned c, ctx_bytes *x); /* CTX_... */
void ctx_save(nic *m, uint64_t table, unsigned c, const uint64_t word[NIC_CTX_WORDS], const uint64_t *answer);
void ctx_shut(nic *m, unsigned c);  /* the end of a close */
void ctx_found(nic *m, unsigned c); /* closed or broken */
void ctx_none(nic *m);              /* no place for a frame's */
void ctx_forget_bell(nic *m, unsigned c);

#endif
