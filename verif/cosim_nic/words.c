// SPDX-License-Identifier: Apache-2.0
// The layouts are those of the specifications: EVT-2, XTM-2 and HSA's packets, TBL-1, CTX-2.
#include "words.h"

#include <inttypes.h>
#include <string.h>

#include "sw.h"
#include "tocsin/regs_table.h"

typedef struct field {
  uint8_t at, bytes;
  const char *name;
} field;

static const field event[] = {{0, 1, "type"},
                              {1, 1, "status"},
                              {2, 2, "QP_NAME"},
                              {4, 4, "entry, queue, reason or index"},
                              {8, 4, "immediate, key or length"},
                              {12, 4, "bytes"},
                              {16, 8, "address, index or PSN"},
                              {24, 7, "0"},
                              {31, 1, "lap"}};
static const field kernel[] = {{0, 2, "header"},
                               {2, 2, "setup"},
                               {4, 2, "workgroup_size_x"},
                               {6, 2, "workgroup_size_y"},
                               {8, 2, "workgroup_size_z"},
                               {10, 2, "0"},
                               {12, 4, "grid_size_x"},
                               {16, 4, "grid_size_y"},
                               {20, 4, "grid_size_z"},
                               {24, 4, "private_segment_size"},
                               {28, 4, "group_segment_size"},
                               {32, 8, "kernel_object"},
                               {40, 8, "kernarg_address"},
                               {48, 8, "0"},
                               {56, 8, "completion_signal"}};
static const field function[] = {{0, 2, "header"},  {2, 2, "type"},
                                 {4, 4, "0"},       {8, 8, "return_address"},
                                 {16, 8, "arg[0]"}, {24, 8, "arg[1]"},
                                 {32, 8, "arg[2]"}, {40, 8, "arg[3]"},
                                 {48, 8, "0"},      {56, 8, "completion_signal"}};
static const field table[] = {{0, 8, "code or ring"},
                              {8, 8, "target buffer or doorbell"},
                              {16, 8, "completion signal or index block"},
                              {24, 8, "flags"}};
static const field bth[] = {{0, 1, "opcode"},     {1, 1, "SE, M, pad, version"}, {2, 2, "P_Key"},
                            {4, 1, "FECN, BECN"}, {5, 3, "destination QP"},      {8, 1, "AckReq"},
                            {9, 3, "PSN"}};
#define OF(list) list, sizeof list / sizeof *list

enum {
  PACKET = 64,
  FUNCTION_TYPE = 4,
  BTH_BYTES = 12,
  WRITE_INDEX = 56,
  READ_INDEX = 128,
  CTX_WORDS = 0x80,
  CTX_ANSWERS = 0x100
};

static void says(words *x, const char *fmt, ...) {
  va_list ap;
  size_t k = strlen(x->text);
  va_start(ap, fmt);
  vsnprintf(x->text + k, sizeof x->text - k, fmt, ap);
  va_end(ap);
}

// The field of a list that has byte `at`; base: where the list begins in what is told of.
static void pick(words *x, const field *list, size_t n, uint32_t at, uint32_t base) {
  for (size_t i = 0; i < n; i++)
    if (at - list[i].at < list[i].bytes) {
      x->from = base + list[i].at;
      x->bytes = list[i].bytes;
      says(x, ", field %s", list[i].name);
      return;
    }
}

static words one(uint32_t at) { return (words){.from = at, .bytes = 1}; }

// A byte of a context: the register that it is of, as in a page.
static void in_context(words *x, uint32_t off, uint32_t at) {
  const uint32_t word = off & ~7u;
  x->from = at - (off & 7);
  x->bytes = 8;
  const tocsin_reg *r = tocsin_reg_at(&tocsin_nic_reg_map, NIC_REG_QP_CTL + word, NULL);
  if (off < CTX_WORDS)
    says(x, ", field %s", r ? r->name : "0");
  else if (off < CTX_ANSWERS)
    says(x, ", field %s", off < CTX_WORDS + 8 ? "OPEN" : "0");
  else
    says(x, ", %s of stored answer %u", off & 8 ? "value" : "PSN", (off - CTX_ANSWERS) / 16);
}

write_kind words_kind(const nic_job *j, const nic_retire_rec *r, const void *data) {
  switch (j->src) {
    case NIC_SRC_EVENT: return r && r->kind == NIC_RET_EVENT && r->code == NIC_EV_MSI ? WRITE_MSI : WRITE_EVENT;
    case NIC_SRC_TABLE: return WRITE_TABLE;
    case NIC_SRC_CTX: return WRITE_CONTEXT;
    case NIC_SRC_TASK: break;
    default: return WRITE_DATA;
  }
  if (!r || r->kind != NIC_RET_TASK) return WRITE_DATA;  // arguments and payload come with their frame
  if (j->n == PACKET - 4) return WRITE_BODY;
  if (j->n == 4) return WRITE_HEADER;
  return le_get(data, 8) == r->a ? WRITE_BELL : WRITE_INDEX_BLOCK;
}

// Of a task's packet: its type stands in the header, which follows.
static bool is_function(const dut_write *w) {
  const dut_write *h = w->what == WRITE_HEADER ? w : w->next;
  return !h || h->what != WRITE_HEADER || h->data[0] == FUNCTION_TYPE;
}

words words_write(const dut_write *w, uint32_t at) {
  words x = one(at);
  const unsigned proc = (unsigned)(w->job.rid - NET_RID) & 255;
  const uint64_t va = w->job.va;
  switch (w->what) {
    case WRITE_EVENT:
      says(&x, "event of process %u at %" PRIx64, proc, va);
      pick(&x, OF(event), at, 0);
      break;
    case WRITE_MSI:
      says(&x, "interrupt of process %u's event ring at %" PRIx64, proc, va);
      x.from = 0, x.bytes = w->job.n;
      break;
    case WRITE_BODY:
    case WRITE_HEADER: {
      const uint32_t skip = w->what == WRITE_BODY ? 4 : 0;
      says(&x, "task of process %u at %" PRIx64, proc, va - skip);
      if (is_function(w))
        pick(&x, OF(function), at + skip, 0u - skip);
      else
        pick(&x, OF(kernel), at + skip, 0u - skip);
      break;
    }
    case WRITE_BELL:
    case WRITE_INDEX_BLOCK:
      says(&x, "%s of a queue of process %u at %" PRIx64, w->what == WRITE_BELL ? "doorbell" : "write_index", proc, va);
      x.from = 0, x.bytes = 8;
      break;
    case WRITE_TABLE:
      says(&x, "table entry of process %u at %" PRIx64, proc, va);
      pick(&x, OF(table), at, 0);
      break;
    case WRITE_CONTEXT: {
      const uint64_t off = va + at - sw_va(SW_CTX_PROC, SW_CONTEXTS);
      says(&x, "context %u at %" PRIx64, sw_context_at(va), va);
      in_context(&x, (uint32_t)off & (SW_CTX_SIZE - 1), at);
      if (x.from > at || x.from + x.bytes > w->job.n) x.from = at, x.bytes = 1;
      break;
    }
    default: says(&x, "data of QP %u, process %u, byte %u of %u at %" PRIx64, w->qp, proc, at, w->job.n, va); break;
  }
  return x;
}

words words_frame(const uint8_t *b, size_t k, uint32_t at) {
  words x = one(at);
  const size_t head = nic_frame_bth(b, k);
  says(&x, "frame of %zu bytes, opcode %02x", k, head < k ? b[head] : 0);
  if (at + 4 >= k)
    says(&x, ", ICRC"), x.from = (uint32_t)k - 4, x.bytes = 4;
  else if (at >= head && at < head + BTH_BYTES)
    pick(&x, OF(bth), at - (uint32_t)head, (uint32_t)head);
  else if (at >= head)
    says(&x, ", byte %u behind the BTH", at - (uint32_t)head - BTH_BYTES);
  else
    says(&x, ", byte %u of Ethernet, IP and UDP", at);
  return x;
}

static void in_queue(words *x, uint64_t off) {
  const unsigned q = (unsigned)(off >> 12);
  off &= 0xfff;
  says(x, "of queue %u: ", q);
  if (off < SW_BLOCK) {
    says(x, "task %u", (unsigned)off / PACKET);
    pick(x, OF(function), (uint32_t)off % PACKET, 0);
  } else if (off >= SW_BELL) {
    says(x, "doorbell");
  } else {
    const unsigned at = (unsigned)off - SW_BLOCK;
    says(x, "%s", at / 8 == WRITE_INDEX / 8 ? "write_index" : at / 8 == READ_INDEX / 8 ? "read_index" : "index block");
  }
}

words words_memory(const node *n, unsigned proc, uint64_t va) {
  words x = one(0);
  const uint64_t off = va - sw_va(proc, 0);
  says(&x, "memory of process %u at %" PRIx64 "%s", proc, va, n->sw && !n->sw->open ? ", " : "");
  if (!n->sw || n->sw->open) return x;
  if (n->cfg.Contexts && proc == SW_CTX_PROC) {
    says(&x, "context %u", sw_context_at(va));
    in_context(&x, (uint32_t)(off - SW_CONTEXTS) & (SW_CTX_SIZE - 1), 0);
  } else if (off < SW_RING) {
    says(&x, "event at place %u", (unsigned)off / 32);
    pick(&x, OF(event), (uint32_t)off % 32, 0);
  } else if (off < SW_QUEUE) {
    says(&x, "entry %u of QP %u's ring", (unsigned)(off / 64 % 64), (unsigned)(off - SW_RING) >> 12);
  } else if (off < SW_QUEUE + 0x1000 * SW_QUEUES) {
    in_queue(&x, off - SW_QUEUE);
  } else if (off - SW_TABLE < SW_CELL - SW_TABLE) {
    says(&x, "table entry %u", (unsigned)(off - SW_TABLE) / 64);
    pick(&x, OF(table), (uint32_t)off % 64, 0);
  } else if (off - SW_LOCAL < SW_REMOTE - SW_LOCAL) {
    says(&x, "local memory of QP %u", (unsigned)(off - SW_LOCAL) >> 17);
  } else if (off - SW_REMOTE < SW_POOL - SW_REMOTE) {
    says(&x, "remote memory of QP %u", (unsigned)(off - SW_REMOTE) >> 17);
  } else if (off - SW_POOL < (uint64_t)SW_POOLS * SW_POOL_SIZE) {
    says(&x, "receive buffer at %u", (unsigned)(off - SW_POOL) / SW_POOL_SIZE);
  } else {
    says(&x, "of software");
  }
  x.from = 0, x.bytes = 1;  // the byte that differs
  return x;
}

words words_register(uint32_t addr, uint64_t got, uint64_t want) {
  words x = {.bytes = 8};
  unsigned i = 0;
  const tocsin_reg *r = tocsin_reg_at(&tocsin_nic_reg_map, addr & ~7u, &i);
  if (!r) {
    says(&x, "register %05x, of none", addr);
    return x;
  }
  says(&x, "%s", r->name);
  if (r->num) says(&x, " %u", i);
  for (size_t k = 0; k < r->fields; k++)
    if ((got ^ want) >> r->field[k].lsb & (~0ull >> (63 - (r->field[k].msb - r->field[k].lsb)))) {
      says(&x, ", field %s", r->field[k].name);
      break;
    }
  return x;
}

uint64_t words_value(const uint8_t *p, const words *x) { return le_get(p + x->from, x->bytes < 8 ? x->bytes : 8); }

const char *words_block(const nic_retire_rec *r) {
  static const char *const by[] = {"model",     "nic_regs", "nic_rx",   "nic_decide", "nic_req",  "nic_tx", "xtq_task",
                                   "nic_event", "nic_step", "nic_regs", "xtq_table",  "nic_rate", "nic_ctx"};
  return r->kind < sizeof by / sizeof *by ? by[r->kind] : "model";
}
