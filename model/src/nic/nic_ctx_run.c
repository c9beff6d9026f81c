// SPDX-License-Identifier: Apache-2.0
/* Contexts in memory, the model by itself: it picks places, and moves what has to be moved, by reads and writes of the
 * registers that hardware makes as well. */
#include "nic_ctx.h"

static nic_status record(nic *m, unsigned code, unsigned i, unsigned c, bool flag) {
  return nic_retired(m, NULL, (nic_retire_rec){NIC_RET_CTX, flag, (uint8_t)code, (uint8_t)i, c, 0});
}

static void put_reg(nic *m, uint32_t addr, uint64_t v) {
  nic_regs_write(m, addr, v, 255);
  nic_retired(m, NULL, (nic_retire_rec){NIC_RET_REG_WRITE, true, 0, 255, addr, v});
}

static uint64_t get_reg(nic *m, uint32_t addr) {
  uint64_t v = nic_regs_read(m, addr);
  nic_retired(m, NULL, (nic_retire_rec){NIC_RET_REG_READ, true, 0, 0, addr, v});
  return v;
}

static void turn(nic *m, unsigned i, uint64_t ctl) {
  put_reg(m, ctx_page_addr(i, CTX_REG(CTL)), ctl);
  if (m->qp[i].changing) nic_req_quiet(m, i, NULL);
  m->perhaps.qps[i / 64] |= 1ull << i % 64;
  m->perhaps.requests = true;
}

static nic_status save_place(nic *m, unsigned i) {
  uint64_t w[NIC_CTX_WORDS], a[2 * NIC_CTX_ANSWERS];
  turn(m, i, 0);
  for (unsigned k = 0; k < NIC_CTX_WORDS; k++) w[k] = get_reg(m, ctx_page_addr(i, 8 * k));
  for (unsigned k = 0; k < 2 * ctx_answers(m, w[CTX_REG(MSG) / 8]); k++) a[k] = get_reg(m, ctx_answer_addr(i, k));
  ctx_save(m, m->contexts.reg, m->contexts.place[i].ctx, w, a);
  m->contexts.place[i].used = false;
  return record(m, NIC_CTX_SAVED, i, m->contexts.place[i].ctx, false);
}

static nic_status load_place(nic *m, unsigned i, unsigned c, const ctx_bytes *x) {
  for (unsigned k = 0; k < NIC_CTX_LOADS; k++)
    put_reg(m, ctx_page_addr(i, ctx_page[k].to), le64(x->word + ctx_page[k].from));
  put_reg(m, ctx_page_addr(i, CTX_REG(NAME)), c);
  for (unsigned k = 0; k < 2 * x->answers; k++) put_reg(m, ctx_answer_addr(i, k), le64(x->answer + 8 * k));
  uint64_t prod = le64(x->word + CTX_REG(PROD)) & NIC_QP_PROD_PROD_MASK;
  bool posted = prod != (le64(x->word + CTX_REG(STS)) & NIC_QP_STS_CONS_MASK);
  uint64_t ctl = le64(x->word + CTX_REG(CTL)) | NIC_QP_CTL_EN_MASK;
  memo_clear(&m->m_ctx);
  turn(m, i, ctl);
  if (posted) put_reg(m, ctx_page_addr(i, CTX_REG(PROD)), prod);
  m->contexts.place[i] = (nic_place){.used = true, .ctx = (uint16_t)c, .met = true};
  return record(m, NIC_CTX_LOADED, i, c, false);
}

enum { NO_PLACE = -1, PLACE_LATER = -2 };

/* CTX-6. A message that has taken its slot in a queue keeps its place. */
static int pick(nic *m) {
  int best = NO_PLACE;
  unsigned least = ~0u;
  int judged = m->m_frame.num ? nic_ctx_qp(m, &m->frame[m->frame_head % m->cfg.Frames].h) : -1;
  for (unsigned i = 0; i < m->cfg.NumQps; i++) {
    nic_place *p = &m->contexts.place[i];
    if (!p->used) return (int)i;
    if (ctx_works(&m->qp[i])) continue;
    if (ctx_answers_wait(m, i) || (int)i == judged) {
      if (best == NO_PLACE) best = PLACE_LATER;
      continue;
    }
    unsigned cost = (unsigned)m->qp[i].ack.on + m->qp[i].rate.slow + p->met;
    if (best >= 0 && cost >= least) continue;
    best = (int)i;
    least = cost;
  }
  for (unsigned i = 0; i < m->cfg.NumQps; i++) m->contexts.place[i].met = false;
  return best;
}

/* A context comes into a place, for a frame or a bell. It is read again when a place has been made for it. */
static nic_status seat(nic *m, unsigned c, bool frame) {
  ctx_bytes x;
  unsigned is = ctx_fetch(m, c, &x);
  if (is == CTX_WAITS) return NIC_E_BUSY;
  if (is != CTX_THERE) {
    ctx_found(m, c);
    return record(m, is == CTX_CLOSED ? NIC_CTX_CLOSED : NIC_CTX_BROKEN, 0, c, false);
  }
  int i = pick(m);
  if (i == NO_PLACE && frame) {
    ctx_none(m);
    memo_clear(&m->m_ctx);
    return record(m, NIC_CTX_NO_PLACE, 0, c, false);
  }
  if (i < 0) return NIC_E_BUSY;
  return m->contexts.place[i].used ? save_place(m, (unsigned)i) : load_place(m, (unsigned)i, c, &x);
}

/* In one step, or a frame of it might have it loaded again in between. */
static nic_status close_one(nic *m) {
  unsigned c = m->contexts.close;
  int i = ctx_place(m, c);
  if (i >= 0 && (nic_memo_pinned(&m->m_frame) || nic_memo_pinned(&m->m_task))) return NIC_E_BUSY;
  if (i >= 0) save_place(m, (unsigned)i);
  ctx_shut(m, c);
  return record(m, NIC_CTX_CLOSED, 0, c, true);
}

/* CTX-14, of a context that is in no place: one for it and another. */
static bool two_rest(const nic *m) {
  unsigned n = 0;
  for (unsigned k = 0; k < m->cfg.NumQps; k++) n += !(m->contexts.place[k].used && ctx_works(&m->qp[k]));
  return n > 1;
}

/* A bell of what is in a place. Before anything else, or a context that has been loaded for it might be taken away
 * before it is served. */
static bool rings(nic *m) {
  for (unsigned k = 0; k < m->contexts.bells; k++) {
    unsigned c = m->contexts.rung[k];
    int i = ctx_place(m, c);
    if (i < 0 || !ctx_may_work(m, i)) continue;
    uint16_t prod = m->contexts.bell[c].prod;
    ctx_forget_bell(m, c);
    put_reg(m, ctx_page_addr((unsigned)i, CTX_REG(PROD)), prod);
    m->perhaps.qps[i / 64] |= 1ull << i % 64;
    m->perhaps.requests = true;
    return true;
  }
  return false;
}

/* CTX-10. */
nic_status nic_ctx_run(nic *m) {
  if (!nic_ctx_on(m)) return NIC_E_BUSY;
  if (rings(m)) return NIC_OK;
  int c = ctx_frame_wants(m);
  if (c >= 0) return seat(m, (unsigned)c, true);
  if (m->contexts.closing) return close_one(m);
  for (unsigned k = 0; k < m->contexts.bells;
       k++) /* the oldest that is in none: if there is no place for that, there is for nobody */
    if (ctx_place(m, m->contexts.rung[k]) < 0) return two_rest(m) ? seat(m, m->contexts.rung[k], false) : NIC_E_BUSY;
  return NIC_E_BUSY;
}
