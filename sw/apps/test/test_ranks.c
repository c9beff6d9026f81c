// SPDX-License-Identifier: Apache-2.0
// Ranks of a program that gets signals all the time, as profilers and timers send them: each call of the system that
// waits is interrupted, and none of them means that a rank is missing.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "ranks.h"

static unsigned char alarms;
static void on_alarm(int signal) {
  (void)signal;
  alarms = 1;
}

static void signals(unsigned us) {
  const struct itimerval every = {{0, us}, {0, us}};
  EQ(sigaction(SIGALRM, &(struct sigaction){.sa_handler = on_alarm}, NULL), 0);  // without SA_RESTART
  EQ(setitimer(ITIMER_REAL, &every, NULL), 0);
}

static void comes_late(void) { nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL); }

static ranks *joins(const ranks_asked *q) {
  char why[RANKS_WHY] = "";
  ranks *r = ranks_join(q, why);
  if (!r) printf("rank %d: %s\n", q->rank, why);
  CHECK(r);
  return r;
}

static void tells(ranks *r, unsigned n) {
  char why[RANKS_WHY] = "";
  uint64_t mine = 100 + ranks_rank(r), all[2] = {0};
  int status = 0;
  for (unsigned i = 0; i < n; i++) {
    if (i == n / 2 && ranks_rank(r)) comes_late();
    CHECK(ranks_gather(r, &mine, sizeof mine, all, &status, why));
    CHECK(all[0] == 100 && all[1] == 101);
  }
}

// By hand: rank 1 comes when rank 0 has waited for a while.
static void by_hand(void) {
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t n = sizeof a;
  char root[40];
  int status = -1;
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  EQ(bind(fd, (struct sockaddr *)&a, sizeof a) || listen(fd, 2) || getsockname(fd, (struct sockaddr *)&a, &n), 0);
  snprintf(root, sizeof root, "127.0.0.1:%u", ntohs(a.sin_port));
  fflush(NULL);
  const pid_t child = fork();
  if (!child) {
    close(fd);
    comes_late();
    ranks *r = joins(&(ranks_asked){.count = 2, .rank = 1, .root = root});
    if (r) tells(r, 3);
    _exit(failed || !r || !ranks_leave(r));
  }
  signals(1000);
  ranks *r = joins(&(ranks_asked){.count = 2, .rank = 0, .root = root, .listener = fd});
  if (r) tells(r, 3);
  if (r) CHECK(ranks_leave(r));
  signals(0);
  EQ(waitpid(child, &status, 0), child);
  EQ(status, 0);
}

// Started by rank 0, which waits for its end.
static void by_itself(void) {
  ranks *r = joins(&(ranks_asked){.count = 2, .rank = -1});
  if (!r) return;
  if (ranks_rank(r)) {
    tells(r, 1);
    comes_late();
    _exit(failed || !ranks_leave(r));
  }
  signals(1000);
  tells(r, 1);
  CHECK(ranks_leave(r));
  signals(0);
}

int main(void) {
  by_hand();
  by_itself();
  CHECK(alarms);
  return report();
}
