// SPDX-License-Identifier: Apache-2.0
/* Contexts in memory: which context is in which place, what software says of them, what of one is in memory.
 * nic_ctx_run.c moves them when the model runs by itself, nic_ctx_lock.c follows the hardware. */
#include <stdlib.h>

#include "nic_ctx.h"

enum {
  SIZE = 2048, /* of a context */
  PAGE = 256,  /* what is read of it first */
  OPEN = 0x80,
  ANSWERS = 0x100,
  ANSWERS_SIZE = 64 * NIC_REG_QP_ANSWER_PSN_STRIDE /* of a queue pair, in the register map */
};

#define WORD(TO, FROM, FIELDS) \
  { NIC_REG_QP_##TO & 255, NIC_REG_QP_##FROM & 255, FIELDS }
const ctx_word ctx_page[NIC_CTX_LOADS] = {
    WORD(MAC, MAC, NIC_QP_MAC_MAC_MASK),
    WORD(PEER, PEER, NIC_QP_PEER_IP_MASK | NIC_QP_PEER_QP_MASK),
    WORD(PSN, NOW, NIC_QP_PSN_EPSN_MASK | NIC_QP_PSN_SPSN_MASK),
    WORD(RING, RING, NIC_QP_RING_ADDR_MASK),
    WORD(RINGC, RINGC, NIC_QP_RINGC_SIZE_MASK | NIC_QP_RINGC_PORT_MASK),
    WORD(IP6_HI, IP6_HI, ~0ull),
    WORD(IP6_LO, IP6_LO, ~0ull),
    WORD(VLAN, VLAN, NIC_QP_VLAN_TCI_MASK),
    WORD(BEGIN, STS,
         NIC_QP_BEGIN_CONS_MASK | NIC_QP_BEGIN_SEND_ERR_MASK | NIC_QP_BEGIN_RESP_ERR_MASK | NIC_QP_BEGIN_CODE_MASK),
    WORD(BEGIN_MSG, MSG,
         NIC_QP_BEGIN_MSG_MSN_MASK | NIC_QP_BEGIN_MSG_TOLD_MASK | NIC_QP_BEGIN_MSG_WRITE_MASK |
             NIC_QP_BEGIN_MSG_ANSWERS_MASK | NIC_QP_BEGIN_MSG_AGAIN_MASK),
    WORD(BEGIN_VA, VA, ~0ull),
    WORD(BEGIN_REST, REST, ~0ull)};

uint32_t ctx_page_addr(unsigned i, unsigned reg) { return NIC_REG_QP_CTL + i * NIC_REG_QP_CTL_STRIDE + reg; }

/* Stored answers are words in a row: PSN and value, PSN and value ... */
uint32_t ctx_answer_addr(unsigned i, unsigned k) { return NIC_REG_QP_ANSWER_PSN + ANSWERS_SIZE * i + 8 * k; }

bool ctx_is_answer(uint32_t addr, unsigned *i, unsigned *k) {
  if (addr < NIC_REG_QP_ANSWER_PSN || addr >= ctx_answer_addr(NIC_QPS_MAX, 0)) return false;
  *i = (addr - NIC_REG_QP_ANSWER_PSN) / ANSWERS_SIZE;
  *k = (addr - NIC_REG_QP_ANSWER_PSN) % ANSWERS_SIZE / 8;
  return true;
}

unsigned ctx_answers(const nic *m, uint64_t msg) {
  uint64_t n = NIC_FIELD(msg, QP_MSG_ANSWERS);
  return n < m->cfg.Replay ? (unsigned)n : m->cfg.Replay;
}

nic_status nic_ctx_new(nic *m) {
  m->contexts.bell = calloc(m->cfg.Contexts ? m->cfg.Contexts : 1, sizeof *m->contexts.bell);
  m->contexts.rung = calloc(m->cfg.Contexts ? m->cfg.Contexts : 1, sizeof *m->contexts.rung);
  m->contexts.wrote = calloc(m->cfg.Contexts ? m->cfg.Contexts : 1, sizeof *m->contexts.wrote);
  return m->contexts.bell && m->contexts.rung && m->contexts.wrote ? NIC_OK : NIC_E_NOMEM;
}

void nic_ctx_free(nic *m) {
  free(m->contexts.bell);
  free(m->contexts.rung);
  free(m->contexts.wrote);
}

bool nic_ctx_on(const nic *m) { return m->contexts.reg & NIC_NIC_CTX_EN_MASK; }

/* ---- numbers: CTX-1 ---- */

int ctx_place(const nic *m, unsigned c) {
  for (unsigned i = 0; i < m->cfg.NumQps; i++)
    if (m->contexts.place[i].used && m->contexts.place[i].ctx == c &&
        !(m->contexts.step == NIC_CTX_SAVING && m->contexts.at == i))
      return (int)i;
  return -1;
}

/* The context that a frame names, or -1: it is of nobody here. */
static int named(const nic *m, const nic_head *h) {
  unsigned c = h->qp & 0xfff;
  return nic_ctx_on(m) && h->qp >> 12 == m->qpn >> 4 && c < m->cfg.Contexts ? (int)c : -1;
}

int nic_ctx_qp(const nic *m, const nic_head *h) {
  if (nic_ctx_on(m)) {
    int c = named(m, h);
    return c < 0 ? -1 : ctx_place(m, (unsigned)c);
  }
  return h->qp >> 8 == m->qpn && (h->qp & 0xff) < m->cfg.NumQps ? (int)(h->qp & 0xff) : -1;
}

/* The context of a frame, if it is in no place; else -1. */
static int names(const nic *m, uint32_t frame) {
  int c = named(m, &m->frame[frame % m->cfg.Frames].h);
  return c < 0 || ctx_place(m, (unsigned)c) >= 0 ? -1 : c;
}
static bool unsaid(const nic *m, uint32_t frame) { return !m->contexts.said || m->contexts.said_frame != frame; }

/* The frame whose context is looked for: the oldest, or hardware's next one where the requester has that, and its
 * record may be still to come. */
static uint32_t looked_at(const nic *m) {
  const nic_head *h = &m->frame[m->frame_head % m->cfg.Frames].h;
  bool passed = m->lockstep && m->frame_head != m->frame_named && nic_is_answer(h->opcode) && nic_ctx_qp(m, h) >= 0;
  return m->frame_head + passed;
}

int ctx_frame_names(const nic *m) {
  uint32_t f = looked_at(m);
  return f == (m->lockstep ? m->frame_named : m->frame_tail) ? -1 : names(m, f);
}

/* CTX-8. */
int ctx_frame_wants(const nic *m) { return unsaid(m, looked_at(m)) ? ctx_frame_names(m) : -1; }

bool nic_ctx_frame_waits(const nic *m) {
  return nic_ctx_on(m) && names(m, m->frame_head) >= 0 && unsaid(m, m->frame_head);
}

void nic_ctx_frame_done(nic *m, const nic_head *h) {
  int i = nic_ctx_on(m) ? nic_ctx_qp(m, h) : -1;
  if (i >= 0) m->contexts.place[i].met = true;
  if (!unsaid(m, m->frame_head)) m->contexts.said = false;
}

/* ---- registers ---- */

uint64_t nic_ctx_reg(const nic *m, uint32_t addr) {
  if (!m->cfg.Contexts || addr == NIC_REG_NIC_BELL) return 0;
  if (addr == NIC_REG_NIC_CTX) return m->contexts.reg;
  return m->contexts.close | (uint64_t)m->contexts.closing << NIC_NIC_CLOSE_BUSY_LSB;
}

void ctx_forget_bell(nic *m, unsigned c) {
  if (!m->contexts.bell[c].on) return;
  m->contexts.bell[c].on = false;
  unsigned k = 0;
  while (m->contexts.rung[k] != c) k++;
  memmove(m->contexts.rung + k, m->contexts.rung + k + 1, (--m->contexts.bells - k) * sizeof *m->contexts.rung);
}

/* CTX-4. */
static void ring(nic *m, unsigned c, uint16_t prod) {
  if (!nic_ctx_on(m) || c >= m->cfg.Contexts) return;
  int i = ctx_place(m, c);
  if (i >= 0) m->contexts.place[i].met = true;
  if (!m->contexts.bell[c].on) m->contexts.rung[m->contexts.bells++] = (uint16_t)c;
  m->contexts.bell[c] = (nic_bell){true, prod};
}

static uint64_t merged(uint64_t was, uint64_t v, uint64_t mask) { return (was & ~mask) | (v & mask); }

static void write_close(nic *m, uint64_t v, uint64_t mask) {
  if (!(mask & NIC_NIC_CLOSE_CTX_MASK)) return;
  unsigned c = (unsigned)NIC_FIELD(merged(m->contexts.close, v, mask), NIC_CLOSE_CTX);
  if (!nic_ctx_on(m) || m->contexts.closing || c >= m->cfg.Contexts) return;
  m->contexts.close = (uint16_t)c;
  m->contexts.closing = true;
}

/* A load is forgotten by it; a save goes on. */
static void write_table(nic *m, uint64_t v, uint64_t mask) {
  const uint64_t fields = NIC_NIC_CTX_EN_MASK | NIC_NIC_CTX_PROC_MASK | NIC_NIC_CTX_ADDR_MASK;
  for (unsigned i = 0; i < m->cfg.NumQps; i++)
    if (qp_on(&m->qp[i])) return;
  if (m->contexts.closing) return;
  m->contexts.reg = merged(m->contexts.reg, v, mask & fields);
  while (m->contexts.bells) ctx_forget_bell(m, m->contexts.rung[0]);
  if (m->contexts.step == NIC_CTX_LOADING) m->contexts.step = NIC_CTX_IDLE;
  m->contexts.began = 0;
  m->contexts.said = false;
  memo_clear(&m->m_ctx);
}

/* CTX-1, CTX-4, CTX-9. */
void nic_ctx_write(nic *m, uint32_t addr, uint64_t v, uint64_t mask) {
  if (!m->cfg.Contexts) return;
  switch (addr) {
    case NIC_REG_NIC_BELL:
      if (!(mask & 0xffffffff)) break;
      ring(m, (unsigned)NIC_FIELD(v & mask, NIC_BELL_CTX), (uint16_t)NIC_FIELD(v & mask, NIC_BELL_PROD));
      break;
    case NIC_REG_NIC_CLOSE: write_close(m, v, mask); break;
    default: write_table(m, v, mask); break;
  }
}

/* CTX-11: software's writes of what belongs to a queue pair. */
bool nic_ctx_refuses(const nic *m, uint32_t addr) { return nic_ctx_on(m) && (addr & 0xfffff) >= NIC_REG_QP_CTL; }

/* ---- places: CTX-6 ---- */

bool ctx_works(const nic_qp *q) {
  return (q->prod != q->cons && !q->send_err) || (q->msg != NIC_MSG_NONE && q->msg != NIC_MSG_WRITE);
}

/* CTX-14. */
bool ctx_may_work(const nic *m, int i) {
  for (int k = 0; k < (int)m->cfg.NumQps; k++)
    if (k != i && !(m->contexts.place[k].used && ctx_works(&m->qp[k]))) return true;
  return false;
}

bool ctx_answers_wait(const nic *m, unsigned i) {
  for (uint32_t n = m->rsp_head; n != m->rsp_tail; n++) {
    const nic_reply *r = &m->rsp[n % m->cfg.RespDepth];
    if (r->qp == i && !r->dead) return true;
  }
  return false;
}

void nic_ctx_look(nic *m) {
  for (unsigned i = 0; i < m->cfg.NumQps; i++)
    if (m->contexts.place[i].used && ctx_works(&m->qp[i]))
      m->contexts.place[i].worked_at = m->now;
    else
      m->contexts.place[i].rested = m->time.free;
}

/* ---- memory ---- */

/* CTX-2. table: NIC_CTX, as it is or was when a save began. */
static unsigned proc_of(uint64_t table) { return (unsigned)NIC_FIELD(table, NIC_CTX_PROC); }
static uint64_t address_of(uint64_t table, unsigned c) { return (table & NIC_NIC_CTX_ADDR_MASK) + (uint64_t)SIZE * c; }

static void put(nic *m, uint64_t table, unsigned c, uint32_t at, const void *b, uint32_t n) {
  nic_write(m, NIC_SRC_CTX, proc_of(table), address_of(table, c) + at, b, n, NULL);
  m->contexts.wrote[c] = m->writes[NIC_SRC_CTX];
}

static nic_got get(nic *m, unsigned c, uint32_t at, uint32_t n, const uint8_t **b) {
  uint64_t table = m->contexts.reg;
  nic_job j = nic_read_job(m, NIC_SRC_CTX, proc_of(table), address_of(table, c) + at, n);
  j.after[NIC_SRC_CTX] = m->contexts.wrote[c];
  return nic_fetch(m, &m->m_ctx, &j, 0, b);
}

/* CTX-5: bytes 000 to 0FF, then its answers. */
unsigned ctx_fetch(nic *m, unsigned c, ctx_bytes *x) {
  nic_got got = get(m, c, 0, PAGE, &x->word);
  if (got != NIC_GOT) return got == NIC_WAIT ? CTX_WAITS : CTX_BROKEN;
  if (!(x->word[OPEN] & 1)) return CTX_CLOSED;
  x->answers = ctx_answers(m, le64(x->word + CTX_REG(MSG)));
  if (!x->answers) return CTX_THERE;
  got = get(m, c, ANSWERS, 16 * x->answers, &x->answer);
  return got == NIC_WAIT ? CTX_WAITS : got == NIC_GOT_ERR ? CTX_BROKEN : CTX_THERE;
}

/* CTX-7, CTX-13: what has been read of a place goes into its context; nobody asks memory whether it has come. */
void ctx_save(nic *m, uint64_t table, unsigned c, const uint64_t word[NIC_CTX_WORDS], const uint64_t *answer) {
  uint8_t b[16 * NIC_CTX_ANSWERS];
  for (unsigned k = 0; k < NIC_CTX_WORDS; k++) le64_put(b + 8 * k, word[k]);
  put(m, table, c, 0, b, 8 * NIC_CTX_WORDS);
  unsigned n = ctx_answers(m, word[CTX_REG(MSG) / 8]);
  for (unsigned k = 0; k < 2 * n; k++) le64_put(b + 8 * k, answer[k]);
  if (n) put(m, table, c, ANSWERS, b, 16 * n);
}

/* CTX-9: the end of a close. */
void ctx_shut(nic *m, unsigned c) {
  static const uint8_t none[8];
  put(m, m->contexts.reg, c, OPEN, none, sizeof none);
  ctx_forget_bell(m, c);
  m->contexts.closing = false;
  memo_clear(&m->m_ctx);
}

/* No place for the context that a frame waits for. CTX-8. */
void ctx_none(nic *m) {
  m->contexts.said = true;
  m->contexts.said_frame = looked_at(m);
}

/* Closed or broken: no bell of it is served, and no frame that waits for it. */
void ctx_found(nic *m, unsigned c) {
  ctx_forget_bell(m, c);
  if (ctx_frame_names(m) == (int)c) ctx_none(m);
  memo_clear(&m->m_ctx);
}

/* ---- at rest ---- */

unsigned nic_ctx_pending(const nic *m) {
  return m->contexts.bells + m->contexts.closing + (m->contexts.step != NIC_CTX_IDLE);
}
