// SPDX-License-Identifier: Apache-2.0
// The words of a queue pair, in registers of the NIC or in a context in memory: turned on, rung, looked at, turned off.
#include "internal.h"

static bool in_memory(const toc_i_qp *q) { return q->p->n->ctx.number != 0; }

static uint32_t reg(const toc_i_qp *q, unsigned offset) { return NREG_AT(QP_CTL, q->index) + offset; }

toc_status toc_i_qp_word(const toc_i_qp *q, unsigned offset, uint64_t *value) {
  return in_memory(q) ? toc_i_context_word(q, offset, value) : toc_i_read(q->p->n, reg(q, offset), 8, value);
}

/* QPR-11. */
static uint32_t answer_at(const toc_i_qp *q, unsigned k) {
  return NREG_AT(QP_ANSWER_PSN, q->index * TOC_I_ANSWERS + k);
}

toc_status toc_i_qp_answer(const toc_i_qp *q, unsigned k, uint64_t answer[2]) {
  if (in_memory(q)) return toc_i_context_answer(q, k, answer);
  TRY(toc_i_read(q->p->n, answer_at(q, k), 8, &answer[0]));
  return toc_i_read(q->p->n, answer_at(q, k) + 8, 8, &answer[1]);
}

/* QPR-9: the registers with which it begins have the fields of those that say where it was. */
static toc_status registers_on(toc_i_qp *q, const toc_i_page *page) {
  static const struct {
    unsigned to, from;
  } word[] = {
#define WORD(to, from) {TOC_I_OFFSET(to), TOC_I_OFFSET(from) / 8}
      WORD(BEGIN_MSG, MSG), WORD(BEGIN_VA, VA),   WORD(BEGIN_REST, REST), WORD(MAC, MAC),
      WORD(PEER, PEER),     WORD(IP6_HI, IP6_HI), WORD(IP6_LO, IP6_LO),   WORD(VLAN, VLAN),
      WORD(PSN, NOW),       WORD(RING, RING),     WORD(RINGC, RINGC)};
  toc_i_node *n = q->p->n;
  for (unsigned k = 0; k < page->answers; k++) {
    TRY(toc_i_write64(n, answer_at(q, k), page->answer[k][0]));
    TRY(toc_i_write64(n, answer_at(q, k) + 8, page->answer[k][1]));
  }
  for (unsigned k = TOC_I_WORD(page, MSG) ? 0 : 3; k < sizeof word / sizeof *word; k++)
    TRY(toc_i_write64(n, reg(q, word[k].to), page->word[word[k].from]));
  TRY(toc_i_write64(n, reg(q, TOC_I_OFFSET(STS)), NIC_QP_STS_SEND_ERR_MASK | NIC_QP_STS_BAD_PROD_MASK));
  return toc_i_write64(n, reg(q, TOC_I_OFFSET(CTL)), TOC_I_WORD(page, CTL) | NIC_QP_CTL_EN_MASK);
}

toc_status toc_i_qp_on(toc_i_qp *q, const toc_i_page *page) {
  return in_memory(q) ? toc_i_context_in(q, page) : registers_on(q, page);
}

toc_status toc_i_qp_stop(toc_i_qp *q) {
  return in_memory(q) ? toc_i_context_out(q) : toc_i_write64(q->p->n, reg(q, TOC_I_OFFSET(CTL)), 0);
}

toc_status toc_i_qp_again(toc_i_qp *q) {
  if (!in_memory(q)) return toc_i_write64(q->p->n, reg(q, TOC_I_OFFSET(STS)), NIC_QP_STS_SEND_ERR_MASK);
  TRY(toc_i_context_out(q));
  TRY(toc_i_context_again(q));
  return q->posted == q->ended ? TOC_OK : toc_i_qp_bell(q);
}

toc_status toc_i_qp_bell(const toc_i_qp *q) {
  const uint64_t prod = (q->posted - q->base) & NIC_QP_PROD_PROD_MASK;
  if (!in_memory(q)) return toc_i_write64(q->p->n, reg(q, TOC_I_OFFSET(PROD)), prod);
  return toc_i_write64(q->p->n, NREG(NIC_BELL), prod | (uint64_t)q->index << NIC_NIC_BELL_CTX_LSB);
}

void toc_i_qp_mark(const toc_i_qp *q) {
  if (in_memory(q)) toc_i_context_mark(q);
}

toc_status toc_i_qp_moved(const toc_i_qp *q, bool *moved) {
  *moved = false;
  return in_memory(q) && q->inside ? toc_i_context_moved(q, moved) : TOC_OK;
}
