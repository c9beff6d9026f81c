// SPDX-License-Identifier: Apache-2.0
// The accelerator in software: one queue, one packet after the other.
#include <stdlib.h>

#include "internal.h"

typedef struct code {
  toc_kernel *fn;
  void *arg;
} code;

struct toc_i_agent {
  void *h;
  toc_i_queue *q;
  bool automatic, still; /* still: nothing begins any more */
  toc_run run;
  code *codes;
  size_t n, room;
};

#define CODE0 0x746f630000000000ull /* numbers of codes begin here, so that what is not one is noticed */

toc_status toc_agent_open(xtq_queue *h_q, bool automatic, toc_agent **out) {
  NEED(out);
  *out = NULL;
  OBJECT(queue, q);
  toc_i_agent *a = calloc(1, sizeof *a);
  if (!a) return toc_i_fail(TOC_E_NOMEM, "toc_agent_open: no memory");
  *a = (toc_i_agent){.q = q, .automatic = automatic};
  toc_i_lock(q->p->n->f);
  toc_status s = TOC_OK;
  if (q->agent)
    s = toc_i_fail(TOC_E_IN_USE, "toc_agent_open: the queue has an agent already");
  else if (!(a->h = toc_i_handle_new(TOC_I_agent, a)))
    s = TOC_E_NOMEM;
  else
    q->agent = a;
  toc_i_unlock(q->p->n->f);
  if (s == TOC_OK)
    *out = a->h;
  else
    free(a);
  return s;
}

toc_status toc_i_agent_close(toc_i_agent *a) {
  toc_i_fabric *f = a->q->p->n->f;
  if (toc_i_run_is_mine(f, &a->run)) return toc_i_fail(TOC_E_IN_USE, "toc_agent_close: this is a kernel of the agent");
  a->still = true;
  toc_status s = toc_i_run_quiet(f, &a->run, "toc_agent_close: a kernel of the agent");
  a->still = false;
  if (s != TOC_OK) return s;
  a->q->agent = NULL;
  toc_i_handle_end(a->h);
  free(a->codes);
  free(a);
  return TOC_OK;
}

void toc_agent_close(toc_agent *h_a) {
  OBJECT_OR(agent, a, );
  toc_i_fabric *f = a->q->p->n->f;
  toc_i_lock(f);
  (void)toc_i_agent_close(a);
  toc_i_unlock(f);
}

toc_run *toc_i_agent_runs(toc_i_agent *a) { return &a->run; }

uint64_t toc_agent_code(toc_agent *h_a, toc_kernel *fn, void *arg) {
  OBJECT_OR(agent, a, 0);
  if (!fn) return 0;
  toc_i_fabric *f = a->q->p->n->f;
  toc_i_lock(f);
  size_t i = 0;
  while (i < a->n && (a->codes[i].fn != fn || a->codes[i].arg != arg)) i++;
  if (i == a->n && a->n == a->room) {
    size_t room = a->room ? 2 * a->room : 8;
    code *more = realloc(a->codes, room * sizeof *more);
    if (more) {
      a->codes = more;
      a->room = room;
    }
  }
  uint64_t number = 0;
  if (i < a->room) {
    if (i == a->n) a->codes[a->n++] = (code){fn, arg};
    number = CODE0 + i;
  }
  toc_i_unlock(f);
  return number;
}

static void *at(toc_i_proc *p, uint64_t iova, uint64_t bytes) {
  toc_mapping *m = iova ? toc_i_mapping_at(p, iova) : NULL;
  return m && bytes <= m->bytes - (iova - m->iova) ? m->ptr + (iova - m->iova) : NULL;
}

/* What the NIC has told a kernel, by the entries of its code: a payload, and a target buffer if
 * that is one of theirs. */
static void told(toc_i_proc *p, uint64_t number, toc_call *c) {
  bool ours = false, target = false;
  for (unsigned i = 0; i < p->n->caps.table_entries; i++) {
    const toc_entry *e = &p->table[0][i];
    if (!e->valid || e->code != number) continue;
    ours = true;
    target |= e->target && e->target == c->arg[0];
  }
  if (target) c->target = at(p, c->arg[0], 1);
  if (ours) c->payload = at(p, c->arg[1], 1);
}

/* A crooked address names none, as one outside. */
static aql_signal *signal_at(toc_i_proc *p, uint64_t signal) {
  return signal % 8 ? NULL : at(p, signal, sizeof(aql_signal));
}

static void complete(toc_i_proc *p, uint64_t signal) {
  aql_signal *s = signal_at(p, signal);
  if (s) __atomic_fetch_sub(&s->value, 1, __ATOMIC_SEQ_CST);
}

static toc_status call(toc_i_agent *a, toc_call *c, uint64_t number) {
  if (number < CODE0 || number - CODE0 >= a->n)
    return toc_i_fail(TOC_E_INVALID, "packet %llu: code 0x%llx is nobody's", (unsigned long long)c->index,
                      (unsigned long long)number);
  code k = a->codes[number - CODE0];
  toc_i_fabric *f = a->q->p->n->f;
  toc_i_out(f, &a->run);
  k.fn(k.arg, c);
  toc_i_back(f, &a->run);
  return TOC_OK;
}

static toc_status kernel(toc_i_agent *a, const uint8_t *b, uint64_t index) {
  toc_i_proc *p = a->q->p;
  aql_kernel k;
  memcpy(&k, b, sizeof k);
  toc_call c = {.packet = b, .index = index, .proc = p->h, .args = at(p, k.kernarg_address, 16)};
  if (c.args) {
    toc_mapping *m = toc_i_mapping_at(p, k.kernarg_address);
    uint64_t left = m->bytes - (k.kernarg_address - m->iova);
    for (unsigned i = 0; i < 4 && 8 * i + 8 <= left; i++) c.arg[i] = toc_i_get((uint8_t *)c.args + 8 * i, 8);
    told(p, k.kernel_object, &c);
  }
  toc_status s = call(a, &c, k.kernel_object);
  complete(p, k.completion_signal);
  return s;
}

static toc_status function(toc_i_agent *a, const uint8_t *b, uint64_t index) {
  toc_i_proc *p = a->q->p;
  aql_agent g;
  memcpy(&g, b, sizeof g);
  toc_call c = {.packet = b, .function = true, .index = index, .proc = p->h};
  memcpy(c.arg, g.arg, sizeof c.arg);
  c.target = at(p, g.arg[0], 1);
  c.payload = at(p, g.arg[1], 1);
  toc_status s = call(a, &c, g.return_address);
  complete(p, g.completion_signal);
  return s;
}

/* False: its signals say that it must wait. */
static bool is_open(const toc_i_agent *a, const uint8_t *b) {
  aql_barrier k;
  unsigned n = 0, zero = 0;
  bool any = b[0] == AQL_BARRIER_OR;
  memcpy(&k, b, sizeof k);
  for (unsigned i = 0; i < 5; i++) {
    const aql_signal *s = signal_at(a->q->p, k.dep_signal[i]);
    if (!s) continue;
    n++;
    zero += __atomic_load_n(&s->value, __ATOMIC_SEQ_CST) == 0;
  }
  return !n || (any ? zero : zero == n);
}

static bool barrier(toc_i_agent *a, const uint8_t *b) {
  aql_barrier k;
  memcpy(&k, b, sizeof k);
  if (!is_open(a, b)) return false;
  complete(a->q->p, k.completion_signal);
  return true;
}

/* The packet that is next; 0: there is none. */
static uint32_t head_of(const toc_i_agent *a, uint8_t packet[64]) {
  const toc_i_queue *q = a->q;
  const uint8_t *slot = q->ring + 64 * (toc_load(q->v.read_index) & (q->o.packets - 1));
  uint32_t head = __atomic_load_n((const uint32_t *)(const void *)slot, __ATOMIC_SEQ_CST) & 0xff;
  if (head != AQL_INVALID) memcpy(packet, slot, 64);
  return head;
}

bool toc_i_agent_ready(const toc_i_agent *a) {
  uint8_t packet[64];
  if (!a->automatic || a->run.busy || a->still || a->q->p->closing) return false;
  uint32_t head = head_of(a, packet);
  return head != AQL_INVALID && ((head != AQL_BARRIER_AND && head != AQL_BARRIER_OR) || is_open(a, packet));
}

toc_status toc_i_agent_batch(toc_i_agent *a, unsigned most, unsigned *ran) {
  const toc_i_queue *q = a->q;
  toc_status all = TOC_OK;
  unsigned n = 0;
  while ((!most || n < most) && !a->still && !q->p->closing) {
    uint64_t index = toc_load(q->v.read_index);
    uint8_t *slot = q->ring + 64 * (index & (q->o.packets - 1)), packet[64];
    uint32_t head = head_of(a, packet);
    toc_status s = TOC_OK;
    if (head == AQL_INVALID) break;
    switch (head) {
      case AQL_KERNEL_DISPATCH: s = kernel(a, packet, index); break;
      case AQL_AGENT_DISPATCH: s = function(a, packet, index); break;
      case AQL_BARRIER_AND:
      case AQL_BARRIER_OR:
        if (barrier(a, packet)) break;
        goto out;
      default: s = toc_i_fail(TOC_E_INVALID, "packet %llu: type %u", (unsigned long long)index, (unsigned)head); break;
    }
    if (s != TOC_OK) all = s;
    __atomic_store_n((uint32_t *)(void *)slot, AQL_INVALID, __ATOMIC_SEQ_CST);
    toc_store(q->v.read_index, index + 1);
    n++;
  }
out:
  if (ran) *ran = n;
  return all;
}

static toc_status agent_run(toc_i_agent *a, unsigned most, unsigned *ran) {
  toc_i_fabric *f = a->q->p->n->f;
  if (toc_i_run_is_mine(f, &a->run)) return TOC_OK; /* a kernel of it waits for something */
  TRY(toc_i_run_quiet(f, &a->run, "toc_agent_run: a kernel that another thread runs"));
  toc_i_run_begin(&a->run);
  toc_status s = toc_i_agent_batch(a, most, ran);
  toc_i_run_end(f, &a->run);
  return s;
}

toc_status toc_agent_run(toc_agent *h_a, unsigned most, unsigned *ran) {
  if (ran) *ran = 0;
  OBJECT(agent, a);
  toc_i_fabric *f = a->q->p->n->f;
  toc_i_lock(f);
  toc_status s = agent_run(a, most, ran);
  toc_i_unlock(f);
  return s;
}
