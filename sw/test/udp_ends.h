// SPDX-License-Identifier: Apache-2.0
/* What the tests of link=udp share: an end of a connection, and one that another process has. Ports are the
 * system's choice (":0"). */
#ifndef TOCSIN_UDP_ENDS_H
#define TOCSIN_UDP_ENDS_H

#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scene.h"
#include "tocsin/agent.h"
#include "tocsin/xtq.h"

enum { UDP_MEM = 65536, UDP_KERNEL = 7, UDP_QUEUE = 1, UDP_MAC_PORT = 0xffff };
#define UDP_ACTIVE_AT 0x600000000000ull /* where nothing is mapped: it only rings the bell */
#define UDP_FOREVER (TOC_FOREVER - 1)

/* What one end tells the other, by any means. */
typedef struct udp_card {
  toc_address here;
  toc_remote mem, active, flush;
  unsigned proc;
} udp_card;

typedef struct udp_end {
  toc_fabric *f;
  toc_proc *p;
  toc_qp *q;
  uint8_t *mem;
  uint64_t *sum; /* of what handlers and kernels got */
  toc_log *log;
  udp_card card, its;
} udp_end;

static inline void udp_on_put(void *arg, const toc_access *x) {
  uint64_t v;
  memcpy(&v, x->data, 8);
  ((uint64_t *)arg)[0] += v;
}

static inline void udp_kernel(void *arg, const toc_call *c) { ((uint64_t *)arg)[1] += *(const uint64_t *)c->payload; }

static inline void udp_end_serves(udp_end *e) {
  xtq_queue *queue;
  toc_agent *agent;
  OK(toc_log_open(e->p, &(toc_log_options){.bytes = 4096, .automatic = true}, &e->log));
  OK(toc_associate_iova(
      e->p, UDP_ACTIVE_AT, 4096,
      &(toc_rule){.put = TOC_REDIRECT, .get = TOC_BLOCK, .log = e->log, .handler = udp_on_put, .arg = e->sum}));
  OK(toc_expose_iova(e->p, UDP_ACTIVE_AT, 4096, TOC_WRITE, &e->card.active));
  OK(toc_flush_page(e->log, &e->card.flush));
  OK(xtq_queue_open(e->p, NULL, &queue));
  OK(toc_agent_open(queue, true, &agent));
  OK(xtq_register_queue(e->p, UDP_QUEUE, queue));
  OK(xtq_register_kernel(e->p, UDP_KERNEL, &(xtq_code){toc_agent_code(agent, udp_kernel, e->sum), NULL, NULL}));
  OK(xtq_feed_buffers(e->p, 4, 4096));
  e->card.proc = toc_proc_index(e->p);
}

/* o: what is not 0 of it; its link, and so on. */
static inline bool udp_end_open(udp_end *e, const toc_options *o, const toc_qp_options *qo) {
  toc_options with = *o;
  toc_qp_options qp = qo ? *qo : (toc_qp_options){0};
  memset(e, 0, sizeof *e);
  with.backend = backend;
  if (!with.seed) with.seed = seed;
  with.progress = TOC_PROGRESS_THREAD;
  if (!with.places) with.places = seats;
  OK(toc_open(&with, &e->f));
  if (!e->f) return false;
  OK(toc_proc_open(toc_node_at(e->f, 0), &e->p));
  if (!qp.timeout_us) qp.timeout_us = slow ? 100 : o->drop ? 100000 : 500000; /* a busy machine lets the peer wait */
  OK(toc_qp_open(e->p, &qp, &e->q));
  OK(toc_qp_address(e->q, &e->card.here));
  OK(toc_alloc(e->p, UDP_MEM, TOC_READ | TOC_WRITE, (void **)&e->mem));
  OK(toc_alloc(e->p, 4096, TOC_READ | TOC_WRITE, (void **)&e->sum));
  OK(toc_expose(e->p, e->mem, UDP_MEM, TOC_READ | TOC_WRITE | TOC_ATOMIC, &e->card.mem));
  return e->mem && e->q;
}

/* Puts, gets, atomics, active puts, tasks: from e to its peer, whose handlers and kernels have `sum` of them after. */
static inline uint64_t udp_exercise(udp_end *e, unsigned n) {
  uint64_t sum = 0, *word = (uint64_t *)(void *)(e->mem + 60000), args[2] = {0};
  toc_req r;
  for (unsigned i = 0; i < n && !failed; i++) {
    uint32_t bytes = i * 37 % 5000;
    for (uint32_t k = 0; k < bytes; k++) e->mem[k] = (uint8_t)(k * 7 + i);
    OK(toc_put(e->q, e->mem, toc_at(e->its.mem, 8192), bytes, &r));
    OK(toc_wait(r, UDP_FOREVER));
    memset(e->mem + 16384, 0xee, bytes + 1);
    OK(toc_get(e->q, e->mem + 16384, toc_at(e->its.mem, 8192), bytes, &r));
    OK(toc_wait(r, UDP_FOREVER));
    EQ(memcmp(e->mem, e->mem + 16384, bytes), 0);
    EQ(e->mem[16384 + bytes], 0xee);
    word[0] = i + 1;
    OK(toc_put(e->q, word, e->its.active, 8, &r));
    OK(toc_wait(r, UDP_FOREVER));
    OK(toc_fetch_add(e->q, word + 1, toc_at(e->its.mem, 32768), 3, &r));
    OK(toc_wait(r, UDP_FOREVER));
    EQ(word[1], 3 * i);
    OK(xtq_put(e->q,
               &(xtq_task){.index = UDP_KERNEL,
                           .queue = UDP_QUEUE,
                           .process = e->its.proc,
                           .args = args,
                           .args_bytes = sizeof args,
                           .payload = word,
                           .payload_bytes = 8},
               &r));
    OK(toc_wait(r, UDP_FOREVER));
    sum += i + 1;
  }
  if (!failed) OK(toc_flush(e->q, e->its.flush, UDP_FOREVER));
  return sum;
}

/* All that is to come of it. */
static inline void udp_served(udp_end *e, uint64_t sum) {
  if (failed) return; /* it may never come */
  OK(toc_wait_word(e->f, &e->sum[0], ~0ull, sum, UDP_FOREVER));
  OK(toc_wait_word(e->f, &e->sum[1], ~0ull, sum, UDP_FOREVER));
}

// ---- another process
typedef struct udp_other {
  pid_t pid;
  int fd; /* a stream to it */
} udp_other;

static inline void udp_say(int fd, const void *p, size_t n) { EQ(write(fd, p, n), (ssize_t)n); }
static inline bool udp_hear(int fd, void *p, size_t n) { return recv(fd, p, n, MSG_WAITALL) == (ssize_t)n; }

/* The child serves until it is told its sum, or killed; it says whether it was right. */
static inline udp_other udp_fork(const toc_options *o, const toc_qp_options *qo) {
  int fd[2];
  EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
  fflush(stdout);
  udp_other c = {fork(), fd[0]};
  if (c.pid) {
    close(fd[1]);
    return c;
  }
  close(fd[0]);
  udp_end e;
  uint64_t sum;
  failed = 0;
  if (!udp_end_open(&e, o, qo)) _exit(1);
  udp_end_serves(&e);
  udp_say(fd[1], &e.card, sizeof e.card);
  if (!udp_hear(fd[1], &e.its, sizeof e.its)) _exit(2);
  OK(toc_qp_connect(e.q, &e.its.here));
  udp_say(fd[1], "", 1);
  if (!udp_hear(fd[1], &sum, sizeof sum)) _exit(3);
  udp_served(&e, sum);
  toc_close(e.f);
  _exit(failed ? 4 : 0);
}

/* Cards are exchanged; both are connected then. */
static inline bool udp_meet(udp_end *e, const udp_other *c) {
  uint8_t ready;
  udp_say(c->fd, &e->card, sizeof e->card);
  OK(toc_qp_connect(e->q, &e->its.here));
  bool good = udp_hear(c->fd, &ready, 1);
  EQ(good, true);
  return good;
}

static inline void udp_part(udp_other *c, uint64_t sum) {
  int status = -1;
  if (failed) kill(c->pid, SIGKILL);
  udp_say(c->fd, &sum, sizeof sum);
  EQ(waitpid(c->pid, &status, 0), c->pid);
  EQ(status, 0);
  close(c->fd);
}

static inline bool udp_has_ip6(void) {
  struct sockaddr_in6 a = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
  int fd = socket(AF_INET6, SOCK_DGRAM, 0);
  bool has = fd >= 0 && !bind(fd, (struct sockaddr *)&a, sizeof a);
  if (fd >= 0) close(fd);
  return has;
}

/* RDMA WRITE Only of 8 bytes, from the BTH to the ICRC, which is not set. */
static inline size_t udp_write8(uint8_t *p, uint32_t qp, uint32_t psn, toc_remote at, uint64_t v) {
  const uint8_t bth[12] = {0x0a,
                           0x40,
                           0xff,
                           0xff,
                           0,
                           (uint8_t)(qp >> 16),
                           (uint8_t)(qp >> 8),
                           (uint8_t)qp,
                           0x80,
                           (uint8_t)(psn >> 16),
                           (uint8_t)(psn >> 8),
                           (uint8_t)psn};
  memcpy(p, bth, 12);
  for (unsigned i = 0; i < 8; i++) p[12 + i] = (uint8_t)(at.addr >> (56 - 8 * i));
  for (unsigned i = 0; i < 4; i++) p[20 + i] = (uint8_t)(at.key >> (24 - 8 * i));
  memcpy(p + 24, (uint8_t[]){0, 0, 0, 8}, 4);
  memcpy(p + 28, &v, 8);
  return 40;
}

#endif
