// SPDX-License-Identifier: Apache-2.0
/* Kernel, function and queue tables: all on-chip, or two direct-mapped caches in front of memory. */
#include <stdlib.h>

#include "../nic/nic_state.h"

static size_t lines(const nic *m) {
  return m->cfg.TableCache ? 2 * (size_t)m->cfg.TableCache : (size_t)m->cfg.NumProcs * 3 << m->cfg.TableBits;
}

nic_status xtq_table_init(nic *m) {
  m->table = calloc(lines(m), sizeof *m->table);
  m->queue = calloc(lines(m), sizeof *m->queue);
  return m->table && m->queue ? NIC_OK : NIC_E_NOMEM;
}

/* TBL-5. */
static size_t line_of(const nic *m, unsigned proc, unsigned table, unsigned index) {
  unsigned k = m->cfg.TableBits, cache = m->cfg.TableCache;
  if (!cache) return (((size_t)proc * 3 + table) << k) + index;
  if (table == XTQ_QUEUE) return cache + (index + ((size_t)proc << k)) % cache;
  return (index + ((size_t)(table + 2 * proc) << k)) % cache;
}

static bool hit(const nic *m, const xtq_line *l, unsigned proc, unsigned table, unsigned index) {
  return !m->cfg.TableCache || (l->valid && l->proc == proc && l->table == table && l->index == index);
}

/* What XT_CMD refuses; from memory, what is then not valid. TBL-1, TBL-3, TBL-4. */
static bool entry_ok(const nic *m, unsigned table, const uint64_t w[4]) {
  if (table != XTQ_QUEUE || !(w[3] & 1)) return true;
  bool follows = w[3] & (1u << 6 | 1u << 7);
  return w[0] % 64 == 0 && w[1] % 8 == 0 && w[2] % 8 == 0 && (w[3] >> 1 & 31) <= 16 && (!m->cfg.TableCache || follows);
}

/* TBL-6. */
static uint64_t in_memory(const nic *m, unsigned proc, unsigned table, uint64_t index) {
  return m->xt_base[proc] + 64 * (index + ((uint64_t)table << m->cfg.TableBits));
}

/* TBL-7. */
static void fill(xtq_line *l, unsigned proc, unsigned table, unsigned index, const uint64_t w[4]) {
  l->valid = true;
  l->proc = (uint8_t)proc;
  l->table = (uint8_t)table;
  l->index = (uint16_t)index;
  memcpy(l->word, w, sizeof l->word);
}

nic_got xtq_table_find(nic *m, nic_memo *o, unsigned proc, unsigned table, uint64_t index, const uint64_t **word,
                       xtq_queue_state **state) {
  static const uint64_t none[4] = {0, 0, 0, 0};
  *word = none;
  if (index >> m->cfg.TableBits) return NIC_GOT;
  size_t n = line_of(m, proc, table, (unsigned)index);
  xtq_line *l = &m->table[n];
  if (hit(m, l, proc, table, (unsigned)index)) {
    if (m->cfg.TableCache) m->cnt[NIC_CNT_HIT]++;
  } else {
    nic_job j = nic_read_job(m, NIC_SRC_TABLE, proc, in_memory(m, proc, table, index), 32);
    const uint8_t *b = NULL;
    j.after[NIC_SRC_TABLE] = m->writes[NIC_SRC_TABLE];
    nic_got got = nic_fetch(m, o, &j, 0, &b);
    if (got == NIC_GOT_ERR) m->cnt[NIC_CNT_MISS]++;
    if (got != NIC_GOT) return got;
    m->cnt[NIC_CNT_MISS]++;
    uint64_t w[4] = {le64(b), le64(b + 8), le64(b + 16), le64(b + 24)};
    if (!entry_ok(m, table, w)) w[3] &= ~1ull;
    fill(l, proc, table, (unsigned)index, w);
    m->queue[n].known = false;
  }
  *word = l->word;
  if (state) *state = &m->queue[n];
  return NIC_GOT;
}

/* ---- by register ---- */

typedef struct command {
  unsigned proc, table, index;
  bool read;
} command;

static command decode(uint64_t c) {
  return (command){(unsigned)NIC_FIELD(c, XT_CMD_PROC), (unsigned)NIC_FIELD(c, XT_CMD_TABLE),
                   (unsigned)NIC_FIELD(c, XT_CMD_INDEX), c & NIC_XT_CMD_READ_MASK};
}

void xtq_table_cmd(nic *m) {
  command c = decode(m->xt_cmd);
  if (m->xt_busy || c.table > XTQ_QUEUE || c.proc >= m->cfg.NumProcs || c.index >> m->cfg.TableBits ||
      (!c.read && !entry_ok(m, c.table, m->xt_w)))
    m->xt_bad = true;
  else
    m->xt_busy = true;
}

/* TBL-2. */
static void commit(nic *m, command c) {
  size_t n = line_of(m, c.proc, c.table, c.index);
  fill(&m->table[n], c.proc, c.table, c.index, m->xt_w);
  m->queue[n].known = false;
  if (!m->cfg.TableCache) return;
  uint8_t b[32];
  for (unsigned i = 0; i < 4; i++) le64_put(b + 8 * i, m->xt_w[i]);
  nic_write(m, NIC_SRC_TABLE, c.proc, in_memory(m, c.proc, c.table, c.index), b, 32, NULL);
}

/* Not from the cache: it is what memory has, and a read must not evict. */
static nic_got read_back(nic *m, command c) {
  xtq_line *l = &m->table[line_of(m, c.proc, c.table, c.index)];
  if (hit(m, l, c.proc, c.table, c.index)) {
    memcpy(m->xt_w, l->word, sizeof m->xt_w);
    return NIC_GOT;
  }
  nic_job j = nic_read_job(m, NIC_SRC_TABLE, c.proc, in_memory(m, c.proc, c.table, c.index), 32);
  const uint8_t *b = NULL;
  nic_got got = nic_fetch(m, &m->m_table, &j, 0, &b);
  if (got == NIC_WAIT) return got;
  if (got == NIC_GOT_ERR) m->xt_bad = true; /* TBL-2 */
  for (unsigned i = 0; got == NIC_GOT && i < 4; i++) m->xt_w[i] = le64(b + 8 * i);
  return got;
}

nic_status xtq_table_do(nic *m, const nic_retire_rec *hw) {
  if (!m->xt_busy) return hw ? nic_order(m, "no command on the tables") : NIC_E_BUSY;
  if (!hw && (m->m_frame.num || m->m_task.num)) return NIC_E_BUSY; /* a look-up without its answer */
  command c = decode(m->xt_cmd);
  if (c.read) {
    nic_got got = read_back(m, c);
    if (got == NIC_WAIT) return hw ? nic_order(m, "the entry has not been read") : NIC_E_BUSY;
  } else {
    commit(m, c);
  }
  m->xt_busy = false;
  memo_clear(&m->m_table);
  return nic_retired(
      m, hw,
      (nic_retire_rec){NIC_RET_TABLE, hw && hw->flag, hw ? hw->code : 0, hw ? hw->idx : 0, m->xt_cmd, hw ? hw->b : 0});
}
