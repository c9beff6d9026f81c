// SPDX-License-Identifier: Apache-2.0
// Aggregates that come as tasks (XtqPuts): the kernel at the accelerator's queue, and the lock that it shares
// with the rank's thread.
//
// The kernel puts a whole aggregate where those of puts are kept, and rings. Who then gets the lock takes apart what
// has come. The kernel must not wait for it: the rank's thread may have it and wait in the driver, which waits for
// kernels. So it only tries, and whoever has the lock looks at the bell after letting go.
#define _GNU_SOURCE  // a recursive mutex
#include <string.h>

#include "net_internal.h"

// A task's buffer: its arguments, at 64 the aggregate.
enum { TASK_BYTES = IRR_AGGREGATE_BYTES + 256 };

// ---- the lock
void irr_i_enter(irr_net *net) {
  if (!net->a.on) return;
  pthread_mutex_lock(&net->a.home);
  net->a.depth++;
}

static bool rings(const irr_net *net) { return __atomic_load_n(&net->a.rung, __ATOMIC_SEQ_CST); }

// false: somebody has it, this thread perhaps.
static bool try_enter(irr_net *net) {
  if (pthread_mutex_trylock(&net->a.home)) return false;
  if (net->a.depth) {
    pthread_mutex_unlock(&net->a.home);
    return false;
  }
  net->a.depth++;
  return true;
}

// What has come, as far as the kernel may run it. The neighbour is told at once: nobody need poll here.
static void take(irr_net *net) {
  net->now = toc_now(net->f);
  net->a.inside = true;
  for (unsigned i = 0; i < net->peers; i++) {
    peer *p = &net->peer[i];
    if (!p->connected || p->gone || !irr_i_take_apart(p, REQUEST)) continue;
    p->heard = net->now;
    irr_i_credit(p);
  }
  for (unsigned i = 0; i < net->peers; i++)
    if (!net->peer[i].failed) irr_i_lane_flush(&net->peer[i], ANSWER, IRR_FLUSH_DEMAND);
  net->a.inside = false;
}

static void serve(irr_net *net) {
  while (rings(net) && try_enter(net)) {
    __atomic_store_n(&net->a.rung, false, __ATOMIC_SEQ_CST);
    take(net);
    net->a.depth--;
    pthread_mutex_unlock(&net->a.home);
  }
}

void irr_i_leave(irr_net *net) {
  if (!net->a.on) return;
  const bool outermost = !--net->a.depth;
  pthread_mutex_unlock(&net->a.home);
  if (outermost) serve(net);
}

// ---- the kernel
// Keeps it where those of puts are; false: it is none.
static bool keep(irr_net *net, const uint8_t *from, size_t most) {
  head h;
  memcpy(&h, from, sizeof h);
  peer *p = irr_i_neighbour(net, h.from);
  if (!p) return false;
  inbound *i = &p->in[REQUEST];
  const uint32_t under_way = i->come - __atomic_load_n(&i->taken, __ATOMIC_ACQUIRE);
  const bool good = h.bytes >= sizeof h && h.bytes <= most && h.bytes <= IRR_AGGREGATE_BYTES && h.number == i->come &&
                    under_way < net->o.window;
  if (good) {
    memcpy(i->hold + (size_t)(i->come % net->o.window) * IRR_AGGREGATE_BYTES, from, h.bytes);
    __atomic_store_n(&i->come, i->come + 1, __ATOMIC_RELEASE);
  } else {
    __atomic_store_n(&i->bad, true, __ATOMIC_RELEASE);
  }
  return true;
}

// Each task has a buffer of its own, which is posted again when its aggregate has been kept.
static void kernel(void *arg, const toc_call *c) {
  irr_net *net = arg;
  const uint8_t *from = c->payload;
  const size_t all = (size_t)net->a.count * TASK_BYTES, at = from ? (size_t)(from - net->a.buffers) : all;
  if (at >= all) return;
  const size_t most = TASK_BYTES - at % TASK_BYTES;
  uint8_t *buffer = net->a.buffers + at / TASK_BYTES * TASK_BYTES;
  const bool ours = most > sizeof(head) && keep(net, from, most);
  (void)!xtq_post_buffer(net->p, buffer, TASK_BYTES, TASK_BYTES, NULL);
  if (!ours) return;
  __atomic_store_n(&net->a.rung, true, __ATOMIC_SEQ_CST);
  serve(net);
}

// ---- opening and closing
static toc_status open_queue(irr_net *net, const toc_caps *caps) {
  accel *a = &net->a;
  unsigned packets = 2;
  while (packets < 2 * caps->recv_buffers) packets *= 2;  // a packet is there until its kernel has ended
  toc_status s = xtq_queue_open(net->p, &(xtq_queue_options){.packets = packets}, &a->queue);
  if (!s) s = toc_agent_open(a->queue, true, &a->agent);
  const xtq_code code = {.code = s ? 0 : toc_agent_code(a->agent, kernel, net)};
  if (!s) s = xtq_register_kernel(net->p, a->number, &code);
  a->registered = !s;
  return s ? s : xtq_register_queue(net->p, a->number, a->queue);
}

irr_status irr_i_accel_open(irr_net *net) {
  accel *a = &net->a;
  toc_caps caps;
  pthread_mutexattr_t again;
  pthread_mutexattr_init(&again);
  pthread_mutexattr_settype(&again, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&a->home, &again);
  pthread_mutexattr_destroy(&again);
  a->on = true;
  if (!net->peers) return IRR_OK;
  toc_caps_of(toc_proc_node(net->p), &caps);
  a->number = caps.table_entries - 1;
  a->count = caps.recv_buffers;
  toc_status s = toc_alloc(net->p, (size_t)a->count * TASK_BYTES, TOC_READ | TOC_WRITE, (void **)&a->buffers);
  if (!s) s = open_queue(net, &caps);
  for (unsigned i = 0; i < a->count && !s; i++)
    s = xtq_post_buffer(net->p, a->buffers + (size_t)i * TASK_BYTES, TASK_BYTES, TASK_BYTES, NULL);
  return s ? IRR_E_DRIVER : IRR_OK;
}

void irr_i_accel_close(irr_net *net) {
  accel *a = &net->a;
  uint32_t back;
  if (!a->on) return;
  if (a->queue) (void)xtq_queue_close(a->queue);  // waits for the kernel that runs
  if (a->registered) (void)xtq_unregister_kernel(net->p, a->number);
  if (a->buffers) {
    (void)!toc_recv_withdraw(net->p, &back);
    (void)toc_free(net->p, a->buffers);
  }
  pthread_mutex_destroy(&a->home);
  a->on = false;
}

toc_status irr_i_accel_send(peer *p, const void *aggregate, uint32_t bytes, toc_req *r) {
  const xtq_task t = {
      .index = p->task, .queue = p->task, .process = p->process, .payload = aggregate, .payload_bytes = bytes};
  return xtq_put(p->qp, &t, r);
}
