// SPDX-License-Identifier: Apache-2.0
/* Contexts in memory in lockstep: the hardware's own reads and writes of registers (flag) and RetCtx, each looked at:
 * may it be? */
#include "nic_ctx.h"
#include "tocsin/nic_time.h"

enum { SEARCH = 16 }; /* cycles from the end of a place's work in hardware to its record, or the other way round */

static const uint64_t ctl_fields = NIC_QP_CTL_EN_MASK | NIC_QP_CTL_RECV_MASK | NIC_QP_CTL_IPV6_MASK |
                                   NIC_QP_CTL_VLAN_MASK | NIC_QP_CTL_PROC_MASK | NIC_QP_CTL_MTU_MASK |
                                   NIC_QP_CTL_RNR_MASK | NIC_QP_CTL_RETRY_MASK | NIC_QP_CTL_RNR_RETRY_MASK |
                                   NIC_QP_CTL_TIMEOUT_MASK | NIC_QP_CTL_PKEY_MASK;

static bool at_rest(const nic *m, unsigned i) { return !ctx_works(&m->qp[i]) && !ctx_answers_wait(m, i); }

static nic_status saving_begins(nic *m, unsigned i) {
  const nic_place *p = &m->contexts.place[i];
  if (!p->used) return nic_order(m, "QP %u is turned off, and no context is in it", i);
  bool closes = m->contexts.closing && m->contexts.close == p->ctx;
  if (!closes && !at_rest(m, i)) nic_ack_begin(m, i);
  if (!closes && !at_rest(m, i)) return nic_order(m, "QP %u is taken for another context, and not at rest", i);
  m->contexts.step = NIC_CTX_SAVING;
  m->contexts.table = m->contexts.reg;
  m->contexts.at = i;
  m->contexts.began = m->time.free;
  m->contexts.have = 0;
  m->contexts.have_answers = 0;
  return NIC_OK;
}

/* CTX-14, TIM-11: was another place not at work when hardware looked? For a context that has just been loaded that was
 * before its place was made ready. */
static bool another_rested(const nic *m, unsigned i) {
  if (!m->time.on) return true; /* when, nobody can say */
  const nic_place *p = &m->contexts.place[i];
  uint64_t late = nic_time_late(&m->cfg, m->time.beat), from = m->time.free;
  if (p->loaded + late >= from) from = p->began;
  for (unsigned k = 0; k < m->cfg.NumQps; k++)
    if (k != i && m->contexts.place[k].rested + late >= from) return true;
  return false;
}

static nic_status bell_rings(nic *m, unsigned i, uint64_t v) {
  const nic_place *p = &m->contexts.place[i];
  if (!p->used || m->contexts.step == NIC_CTX_SAVING)
    return nic_order(m, "a doorbell of QP %u, in which is no context", i);
  if (!m->contexts.bell[p->ctx].on) return nic_order(m, "a doorbell of context %u, which nobody rang", p->ctx);
  if (!ctx_may_work(m, (int)i) && !another_rested(m, i))
    return nic_order(m, "a doorbell of context %u, and all other places are at work", p->ctx);
  if (v != m->contexts.bell[p->ctx].prod) return nic_differs(m, "producer", v, m->contexts.bell[p->ctx].prod);
  ctx_forget_bell(m, p->ctx);
  return NIC_OK;
}

/* A word of a load: what it is worth is known when RetCtx names the context. */
static nic_status loads(nic *m, unsigned i, unsigned k, uint64_t v) {
  if (m->contexts.step == NIC_CTX_IDLE) {
    if (m->contexts.place[i].used)
      return nic_order(m, "QP %u is written, and context %u is in it", i, m->contexts.place[i].ctx);
    m->contexts.step = NIC_CTX_LOADING;
    m->contexts.at = i;
    if (!m->contexts.began) m->contexts.began = m->time.free;
    m->contexts.have = 0;
    m->contexts.have_answers = 0;
  }
  if (m->contexts.step != NIC_CTX_LOADING || m->contexts.at != i)
    return nic_order(m, "QP %u is written in another's turn", i);
  const uint32_t page_done = (1u << (NIC_CTX_LOADS + 1)) - 1, bit = 1u << k;
  if (m->contexts.have & bit) return nic_order(m, "register %u of QP %u is written twice", k, i);
  if (k == NIC_CTX_LOAD_CTL && m->contexts.have != page_done)
    return nic_order(m, "QP %u is turned on before all of it is written", i);
  if (k < NIC_CTX_LOAD_CTL && m->contexts.have >> NIC_CTX_LOAD_CTL) return nic_order(m, "QP %u is on, and written", i);
  if (k == NIC_CTX_LOAD_PROD && !(m->contexts.have >> NIC_CTX_LOAD_CTL & 1))
    return nic_order(m, "a doorbell of QP %u, off", i);
  m->contexts.have |= bit;
  m->contexts.word[k] = v;
  return NIC_OK;
}

static nic_status answer_loads(nic *m, unsigned i, unsigned k, uint64_t v) {
  if (m->contexts.step != NIC_CTX_LOADING || m->contexts.at != i || m->contexts.have >> NIC_CTX_LOAD_CTL)
    return nic_order(m, "an answer of QP %u is written in another's turn", i);
  if (k != m->contexts.have_answers) return nic_differs(m, "word of an answer", k, m->contexts.have_answers);
  m->contexts.answer[m->contexts.have_answers++] = v;
  return NIC_OK;
}

/* CTX-11: a write of the NIC's own. */
static nic_status may_write(nic *m, uint32_t addr, uint64_t v) {
  unsigned i, k;
  if (addr < NIC_REG_QP_CTL) return nic_order(m, "register %05x is no queue pair's", addr);
  if (ctx_is_answer(addr, &i, &k)) return i < m->cfg.NumQps ? answer_loads(m, i, k, v) : nic_differs(m, "qp", i, 0);
  i = (addr - NIC_REG_QP_CTL) / NIC_REG_QP_CTL_STRIDE;
  unsigned reg = addr & 255;
  if (i >= m->cfg.NumQps) return nic_differs(m, "qp", i, m->cfg.NumQps);
  bool loading = m->contexts.step == NIC_CTX_LOADING && m->contexts.at == i;
  if (reg == CTX_REG(PROD)) return loading ? loads(m, i, NIC_CTX_LOAD_PROD, v) : bell_rings(m, i, v);
  if (reg == CTX_REG(CTL) && !(v & NIC_QP_CTL_EN_MASK))
    return m->contexts.step == NIC_CTX_IDLE ? saving_begins(m, i)
                                            : nic_order(m, "QP %u is turned off in another's turn", i);
  if (reg == CTX_REG(CTL)) return loads(m, i, NIC_CTX_LOAD_CTL, v);
  if (reg == CTX_REG(NAME)) return loads(m, i, NIC_CTX_LOAD_NAME, v);
  for (k = 0; k < NIC_CTX_LOADS; k++)
    if (ctx_page[k].to == reg) return loads(m, i, k, v);
  return nic_order(m, "register %02x of QP %u is not part of a context", reg, i);
}

nic_status nic_ctx_wrote(nic *m, const nic_retire_rec *r) {
  uint32_t addr = (uint32_t)r->a & 0xffff8u;
  if (!nic_ctx_on(m)) return nic_order(m, "the NIC writes a register, and has no contexts");
  if (r->idx != 255) return nic_differs(m, "strobes", r->idx, 255);
  nic_status s = may_write(m, addr, r->b);
  if (s == NIC_OK) nic_regs_write(m, addr, r->b, 255);
  return s;
}

/* Of a place that is saved, each word once, in order; then its answers. CTX-7. */
static nic_status saves(nic *m, unsigned i, unsigned k, bool answer, uint64_t v) {
  unsigned *have = answer ? &m->contexts.have_answers : &m->contexts.have;
  unsigned all = answer ? 2 * ctx_answers(m, m->contexts.word[CTX_REG(MSG) / 8]) : NIC_CTX_WORDS;
  if (i != m->contexts.at) return nic_order(m, "QP %u is read, and QP %u is saved", i, m->contexts.at);
  if (answer && m->contexts.have != NIC_CTX_WORDS) return nic_order(m, "answers of QP %u are read before its words", i);
  if (k != *have || k >= all) return nic_order(m, "word %u of QP %u is read, %u of %u is the next", k, i, *have, all);
  (answer ? m->contexts.answer : m->contexts.word)[(*have)++] = v;
  return NIC_OK;
}

/* CTX-11: a read of the NIC's own. Its value has been compared. */
nic_status nic_ctx_read(nic *m, const nic_retire_rec *r) {
  uint32_t addr = (uint32_t)r->a & 0xffff8u;
  unsigned i = 0, k = 0;
  bool answer = ctx_is_answer(addr, &i, &k);
  if (addr < NIC_REG_QP_CTL) return nic_order(m, "register %05x is no queue pair's", addr);
  if (!answer) i = (addr - NIC_REG_QP_CTL) / NIC_REG_QP_CTL_STRIDE, k = (addr & 255) / 8;
  if (i >= m->cfg.NumQps) return nic_differs(m, "qp", i, m->cfg.NumQps);
  if (m->contexts.step != NIC_CTX_SAVING) return nic_order(m, "the NIC reads register %05x, and saves nothing", addr);
  return saves(m, i, k, answer, r->b);
}

/* Is there a reason to look for this context? A frame may have come, or a bell, after another's load had begun. */
static bool wanted(const nic *m, unsigned c) { return ctx_frame_names(m) == (int)c || m->contexts.bell[c].on; }

/* What was written must be what is in memory. CTX-5. */
static nic_status loaded(nic *m, unsigned i, unsigned c) {
  ctx_bytes x = {0};
  if (m->contexts.step != NIC_CTX_LOADING || m->contexts.at != i)
    return nic_order(m, "nothing has been loaded into QP %u", i);
  if (!(m->contexts.have >> NIC_CTX_LOAD_CTL & 1)) return nic_order(m, "QP %u has not been turned on", i);
  if (ctx_place(m, c) >= 0) return nic_order(m, "context %u is in a place already", c);
  if (!wanted(m, c)) return nic_order(m, "nobody asks for context %u", c);
  unsigned is = ctx_fetch(m, c, &x);
  if (is != CTX_THERE)
    return nic_order(m, "context %u is %s", c, is == CTX_CLOSED ? "closed" : is == CTX_BROKEN ? "broken" : "not read");
  for (unsigned k = 0; k < NIC_CTX_LOADS; k++) {
    uint64_t want = le64(x.word + ctx_page[k].from);
    if ((m->contexts.word[k] ^ want) & ctx_page[k].fields)
      return nic_differs(m, "a word of the load", m->contexts.word[k], want);
  }
  uint64_t ctl = le64(x.word + CTX_REG(CTL)) | NIC_QP_CTL_EN_MASK,
           prod = le64(x.word + CTX_REG(PROD)) & NIC_QP_PROD_PROD_MASK;
  if ((m->contexts.word[NIC_CTX_LOAD_CTL] ^ ctl) & ctl_fields)
    return nic_differs(m, "QP_CTL", m->contexts.word[NIC_CTX_LOAD_CTL], ctl);
  if (m->contexts.word[NIC_CTX_LOAD_NAME] != c)
    return nic_differs(m, "QP_NAME", m->contexts.word[NIC_CTX_LOAD_NAME], c);
  bool rang = m->contexts.have >> NIC_CTX_LOAD_PROD & 1,
       posted = prod != (le64(x.word + CTX_REG(STS)) & NIC_QP_STS_CONS_MASK);
  if (rang != posted) return nic_differs(m, "doorbell of the load", rang, posted);
  if (rang && (m->contexts.word[NIC_CTX_LOAD_PROD] & NIC_QP_PROD_PROD_MASK) != prod)
    return nic_differs(m, "QP_PROD", m->contexts.word[NIC_CTX_LOAD_PROD], prod);
  if (m->contexts.have_answers != 2 * x.answers)
    return nic_differs(m, "words of answers", m->contexts.have_answers, 2 * x.answers);
  for (unsigned k = 0; k < 2 * x.answers; k++) {
    uint64_t off = m->contexts.answer[k] ^ le64(x.answer + 8 * k);
    if (k & 1 ? off : psn24((uint32_t)off)) /* of a PSN's word the rest is nobody's */
      return nic_differs(m, "an answer", m->contexts.answer[k], le64(x.answer + 8 * k));
  }
  m->contexts.place[i] = (nic_place){.used = true,
                                     .ctx = (uint16_t)c,
                                     .met = true,
                                     .rested = m->time.free,
                                     .loaded = m->time.free,
                                     .began = m->contexts.began};
  m->contexts.began = 0;
  m->contexts.step = NIC_CTX_IDLE;
  memo_clear(&m->m_ctx);
  return NIC_OK;
}

static nic_status saved(nic *m, unsigned i, unsigned c) {
  if (m->contexts.step != NIC_CTX_SAVING || m->contexts.at != i) return nic_order(m, "QP %u has not been saved", i);
  if (c != m->contexts.place[i].ctx) return nic_differs(m, "context", c, m->contexts.place[i].ctx);
  if (m->contexts.have != NIC_CTX_WORDS ||
      m->contexts.have_answers != 2 * ctx_answers(m, m->contexts.word[CTX_REG(MSG) / 8]))
    return nic_order(m, "of QP %u %u words and %u of its answers have been read", i, m->contexts.have,
                     m->contexts.have_answers);
  ctx_save(m, m->contexts.table, c, m->contexts.word, m->contexts.answer);
  m->contexts.place[i].used = false;
  m->contexts.step = NIC_CTX_IDLE;
  return NIC_OK;
}

static nic_status found(nic *m, unsigned c, unsigned code) {
  ctx_bytes x;
  if (m->contexts.step != NIC_CTX_IDLE)
    return nic_order(m, "context %u is looked for while place %u is moved", c, m->contexts.at);
  if (ctx_place(m, c) >= 0) return nic_order(m, "context %u is in a place", c);
  if (!wanted(m, c)) return nic_order(m, "nobody asks for context %u (the oldest frame: %d)", c, ctx_frame_names(m));
  unsigned is = ctx_fetch(m, c, &x), want = code == NIC_CTX_CLOSED ? CTX_CLOSED : CTX_BROKEN;
  if (is != want) return nic_differs(m, "what is found (there, closed, broken)", want, is);
  ctx_found(m, c);
  return NIC_OK;
}

static nic_status closed(nic *m, unsigned c) {
  if (!m->contexts.closing || m->contexts.close != c) return nic_order(m, "nobody closes context %u", c);
  if (m->contexts.step != NIC_CTX_IDLE || ctx_place(m, c) >= 0) return nic_order(m, "context %u is in a place", c);
  ctx_shut(m, c);
  m->contexts.began = 0;
  return NIC_OK;
}

/* All are at work at once. */
static nic_status no_place(nic *m, unsigned c) {
  if (m->contexts.step != NIC_CTX_IDLE || ctx_frame_wants(m) != (int)c)
    return nic_order(m, "no frame asks for context %u", c);
  ctx_bytes x;
  if (ctx_fetch(m, c, &x) != CTX_THERE) return nic_order(m, "context %u finds no place, and is closed or broken", c);
  memo_clear(&m->m_ctx);
  for (unsigned i = 0; i < m->cfg.NumQps; i++) {
    const nic_place *p = &m->contexts.place[i];
    if (!p->used) return nic_order(m, "context %u finds no place, and place %u is free", c, i);
    if (!ctx_works(&m->qp[i]) && p->worked_at + SEARCH < m->now)
      return nic_order(m, "context %u finds no place, and place %u is at rest", c, i);
  }
  ctx_none(m);
  return NIC_OK;
}

nic_status nic_ctx_moved(nic *m, const nic_retire_rec *hw) {
  unsigned i = hw->idx, c = (unsigned)hw->a;
  if ((!nic_ctx_on(m) && m->contexts.step != NIC_CTX_SAVING) || hw->a >= m->cfg.Contexts)
    return nic_order(m, "there is no context %u", c);
  bool place = hw->code == NIC_CTX_LOADED || hw->code == NIC_CTX_SAVED, close = hw->code == NIC_CTX_CLOSED && hw->flag;
  if (place && i >= m->cfg.NumQps) return nic_differs(m, "place", i, m->cfg.NumQps);
  nic_status s = hw->code == NIC_CTX_LOADED    ? loaded(m, i, c)
                 : hw->code == NIC_CTX_SAVED   ? saved(m, i, c)
                 : close                       ? closed(m, c)
                 : hw->code < NIC_CTX_NO_PLACE ? found(m, c, hw->code)
                                               : no_place(m, c);
  if (s != NIC_OK) return s;
  return nic_retired(m, hw, (nic_retire_rec){NIC_RET_CTX, close, hw->code, hw->idx, c, 0});
}
