// SPDX-License-Identifier: Apache-2.0
// How fast a node in software is over link=udp between two processes of one machine: half a round trip of puts of BYTES
// that the other sees in its memory, and puts a second with 32 under way, of which the sender's processor time is told
// as well. Prints a line for bench_udp.py.
#define _GNU_SOURCE
#include <sys/resource.h>
#include <time.h>

#include "udp_ends.h"

enum { AT = 8192, UNDER_WAY = 32 };

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static bool end_open(udp_end *e, unsigned rank) {
  OK(toc_open(&(toc_options){.link = "udp,local=127.0.0.1:0", .seed = rank + 1, .timeout_us = 60000000}, &e->f));
  OK(toc_proc_open(toc_node_at(e->f, 0), &e->p));
  OK(toc_qp_open(e->p, NULL, &e->q));
  OK(toc_qp_address(e->q, &e->card.here));
  OK(toc_alloc(e->p, UDP_MEM, TOC_READ | TOC_WRITE, (void **)&e->mem));
  OK(toc_expose(e->p, e->mem, UDP_MEM, TOC_READ | TOC_WRITE, &e->card.mem));
  return !failed;
}

static double seconds(struct timeval t) { return (double)t.tv_sec + (double)t.tv_usec / 1e6; }

typedef struct spent { /* of this process, in us: by itself, by the kernel for it */
  double own, kernel;
} spent;

static spent spent_us(void) {
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return (spent){seconds(u.ru_utime) * 1e6, seconds(u.ru_stime) * 1e6};
}

// The last word of what is put counts the turns: it is there when all is.
static void ping_pong(udp_end *e, bool first, unsigned turns, uint32_t bytes) {
  volatile uint64_t *come = (uint64_t *)(void *)(e->mem + AT + bytes - 8);
  uint64_t *go = (uint64_t *)(void *)(e->mem + bytes - 8);
  toc_req r;
  for (unsigned i = 1; i <= turns && !failed; i++) {
    if (!first) OK(toc_wait_word(e->f, come, ~0ull, i, 0));
    *go = i;
    OK(toc_put(e->q, e->mem, toc_at(e->its.mem, AT), bytes, &r));
    if (first) OK(toc_wait_word(e->f, come, ~0ull, i, 0));
    OK(toc_wait(r, 0)); /* the bytes are free again */
  }
}

static double rate(udp_end *e, unsigned n, uint32_t bytes) {
  toc_req r[UNDER_WAY] = {{0}};
  double begin = now_s();
  for (unsigned i = 0; i < n && !failed; i++) {
    if (i >= UNDER_WAY) OK(toc_wait(r[i % UNDER_WAY], 0));
    OK(toc_put(e->q, e->mem, toc_at(e->its.mem, 2 * AT), bytes, &r[i % UNDER_WAY]));
  }
  OK(toc_wait_all(e->q, 0));
  return n / (now_s() - begin);
}

int main(int argc, char **argv) {
  uint32_t bytes = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 64;
  unsigned turns = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 2000;
  int fd[2], status = -1;
  udp_end e = {0};
  if (bytes < 8 || bytes % 8 || bytes > AT || socketpair(AF_UNIX, SOCK_STREAM, 0, fd)) return 2;
  pid_t pid = fork();
  int to = fd[!pid];
  close(fd[!!pid]);
  if (!end_open(&e, !pid)) return 1;
  udp_say(to, &e.card, sizeof e.card);
  if (!udp_hear(to, &e.its, sizeof e.its)) return 1;
  OK(toc_qp_connect(e.q, &e.its.here));
  uint8_t byte = 0;
  udp_say(to, &byte, 1);
  if (!udp_hear(to, &byte, 1)) return 1;
  double begin = now_s();
  ping_pong(&e, pid != 0, turns, bytes);
  double half_us = (now_s() - begin) / turns / 2 * 1e6;
  if (!pid) { /* the other's puts need this node's progress */
    OK(toc_wait_word(e.f, (uint64_t *)(void *)(e.mem + 6 * AT), ~0ull, 1, TOC_FOREVER));
    while (recv(to, &byte, 1, MSG_DONTWAIT) < 0) (void)toc_progress(e.f);
    toc_close(e.f);
    return failed != 0;
  }
  spent was = spent_us();
  double a_second = rate(&e, 4 * turns, bytes);
  spent is = spent_us();
  double own_us = (is.own - was.own) / (4 * turns), kernel_us = (is.kernel - was.kernel) / (4 * turns);
  toc_link_count c;
  toc_link_counts(e.f, &c);
  *(uint64_t *)(void *)e.mem = 1;
  toc_req r;
  OK(toc_put(e.q, e.mem, toc_at(e.its.mem, 6 * AT), 8, &r));
  OK(toc_wait(r, 0));
  udp_say(to, &byte, 1);
  EQ(waitpid(pid, &status, 0), pid);
  EQ(status, 0);
  printf(
      "{\"bytes\": %u, \"half_round_trip_us\": %.3f, \"puts_a_second\": %.0f, \"own_us_of_a_put\": %.3f, "
      "\"kernel_us_of_a_put\": %.3f, \"frames\": %llu, \"lost\": %llu}\n",
      bytes, half_us, a_second, own_us, kernel_us, (unsigned long long)c.out, (unsigned long long)c.lost);
  toc_close(e.f);
  return failed != 0;
}
