// SPDX-License-Identifier: Apache-2.0
// Ranks of a program that gets signals all the time, as profilers and timers send them: each call of the system that
// waits is interrupted, and none of them means that a rank is missing. And ranks that meet others than they look for.
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
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
#include "tocsin/tocsin.h"

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

// Where rank 0 listens, and how that is written.
static int listener(struct sockaddr_in *a, char root[40]) {
  socklen_t n = sizeof *a;
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  *a = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  EQ(bind(fd, (struct sockaddr *)a, sizeof *a) || listen(fd, 100) || getsockname(fd, (struct sockaddr *)a, &n), 0);
  snprintf(root, 40, "127.0.0.1:%u", ntohs(a->sin_port));
  return fd;
}

// By hand: rank 1 comes when rank 0 has waited for a while.
static void by_hand(void) {
  struct sockaddr_in a;
  char root[40];
  int status = -1;
  const int fd = listener(&a, root);
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

// A name that has two addresses, the first of which is nobody's: rank 0 does not listen there, or is not reached.
static const char *first_of_two;
int __real_getaddrinfo(const char *, const char *, const struct addrinfo *, struct addrinfo **);
int __wrap_getaddrinfo(const char *node, const char *port, const struct addrinfo *hint, struct addrinfo **all);
int __wrap_getaddrinfo(const char *node, const char *port, const struct addrinfo *hint, struct addrinfo **all) {
  if (strcmp(node, "two")) return __real_getaddrinfo(node, port, hint, all);
  const int e = __real_getaddrinfo(first_of_two, port, hint, all);
  return e ? e : __real_getaddrinfo("127.0.0.1", port, hint, &(*all)->ai_next);
}

static unsigned free_port(void) {
  struct sockaddr_in a;
  char root[40];
  close(listener(&a, root));
  return ntohs(a.sin_port);
}

static void by_name(const char *first) {
  char root[40];
  int status = -1;
  first_of_two = first;
  snprintf(root, sizeof root, "two:%u", free_port());
  fflush(NULL);
  const pid_t child = fork();
  ranks *r = joins(&(ranks_asked){.count = 2, .rank = !child, .root = root});
  if (r) tells(r, 1);
  if (!child) _exit(failed || !r || !ranks_leave(r));
  if (r) CHECK(ranks_leave(r));
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

// A rank that goes in the midst of what it says, as by kill -9: it is gone, and nothing was gathered. This one speaks
// as ranks.c does.
static void breaks_off(uint64_t bytes, uint32_t fails) {
  struct sockaddr_in a;
  char root[40], why[RANKS_WHY] = "";
  int status = -1;
  uint64_t mine = 1, all[2];
  const int fd = listener(&a, root);
  fflush(NULL);
  const pid_t child = fork();
  if (!child) {
    const struct {
      uint64_t magic, job;
      uint32_t rank, count, lives, none;
      struct {
        uint32_t status, rank;
        uint64_t bytes;
      } here, part;
      uint32_t half;
    } say = {.magic = 0x01736b6e61724f54, .rank = 1, .count = 2, .here = {.rank = 1}, .part = {fails, 1, bytes}};
    const int to = socket(AF_INET, SOCK_STREAM, 0);
    uint8_t all_are_here[16];
    bool good = !connect(to, (struct sockaddr *)&a, sizeof a);
    good = good && send(to, &say, offsetof(__typeof__(say), part), 0) == offsetof(__typeof__(say), part);
    good = good && recv(to, all_are_here, sizeof all_are_here, MSG_WAITALL) == sizeof all_are_here;
    _exit(!good || send(to, &say.part, sizeof say.part + sizeof say.half, 0) < 0);
  }
  ranks *r = joins(&(ranks_asked){.count = 2, .rank = 0, .root = root, .listener = fd});
  if (r) CHECK(!ranks_gather(r, &mine, sizeof mine, all, &status, why));
  EQ(status, TOC_E_PEER_GONE);
  CHECK(!strcmp(why, "rank 1 has gone"));
  if (r) CHECK(ranks_leave(r));
  EQ(waitpid(child, &status, 0), child);
  EQ(status, 0);
}

// What the program has printed before it has ranks, and is not written yet, is printed once.
static void printed_before(void) {
  char name[] = "/tmp/tocsin-ranks-XXXXXX", said[64] = "";
  int status = -1;
  const int fd = mkstemp(name);
  CHECK(fd >= 0);
  fflush(NULL);
  const pid_t child = fork();
  if (!child) {
    if (!freopen(name, "w", stdout)) _exit(9);
    printf("once\n");
    ranks *r = joins(&(ranks_asked){.count = 3, .rank = -1});
    exit(failed || !r || !ranks_leave(r));
  }
  EQ(waitpid(child, &status, 0), child);
  EQ(status, 0);
  CHECK(read(fd, said, sizeof said - 1) > 0 && !strcmp(said, "once\n"));
  (void)close(fd);
  (void)unlink(name);
}

// ---- those that do not find each other

// The end of a process that may hang. 0: it has ended well.
static int end_of(pid_t child) {
  int status = -1;
  for (unsigned i = 0; i < 2000; i++) {
    if (waitpid(child, &status, WNOHANG) == child) return status;
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  }
  printf("one has not ended within 20 s\n");
  kill(child, SIGKILL);
  (void)waitpid(child, &status, 0);
  return -1;
}

// A process that joins nobody, and knows why.
static pid_t in_vain(const ranks_asked *q, const char *want) {
  char why[RANKS_WHY] = "";
  fflush(NULL);
  const pid_t child = fork();
  if (child) return child;
  const bool good = !ranks_join(q, why) && strstr(why, want);
  if (!good) printf("rank %d, which was to hear '%s', says '%s'\n", q->rank, want, why);
  fflush(NULL);
  _exit(!good);
}

static int reaches(const struct sockaddr_in *a) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  EQ(connect(fd, (const struct sockaddr *)a, sizeof *a), 0);
  return fd;
}

// Somebody listens at root and says nothing.
static void silent_root(void) {
  struct sockaddr_in a;
  char root[40];
  const int fd = listener(&a, root);
  EQ(end_of(
         in_vain(&(ranks_asked){.count = 2, .rank = 1, .root = root, .patience_ms = 300}, "rank 0 has not answered")),
     0);
  close(fd);
}

// Somebody does not even take the connection: what asks for it is dropped, as by a firewall.
static void deaf_root(void) {
  struct sockaddr_in a;
  char root[40];
  int waiting[16];
  const int fd = listener(&a, root);
  EQ(listen(fd, 0), 0);
  for (unsigned i = 0; i < 16; i++) {
    waiting[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    (void)connect(waiting[i], (const struct sockaddr *)&a, sizeof a);
  }
  EQ(end_of(in_vain(&(ranks_asked){.count = 2, .rank = 1, .root = root, .patience_ms = 300},
                    "rank 0 does not listen at 127.0.0.1")),
     0);
  for (unsigned i = 0; i < 16; i++) close(waiting[i]);
  close(fd);
}

// Strangers come first, `silent` who say nothing, or one who speaks slowly, and keep nobody out.
static void strangers(unsigned silent, bool slow) {
  struct sockaddr_in a;
  char root[40];
  const int fd = listener(&a, root);
  fflush(NULL);
  const pid_t child = fork();
  if (!child) {
    close(fd);
    for (unsigned i = 0; i < silent; i++) (void)reaches(&a);
    const int to = slow ? reaches(&a) : -1;
    const pid_t speaks = slow ? fork() : -1;
    for (unsigned i = 0; !speaks && i < 39; i++) {
      (void)send(to, "x", 1, MSG_NOSIGNAL);
      nanosleep(&(struct timespec){.tv_nsec = 150000000}, NULL);
    }
    if (!speaks) _exit(0);
    comes_late();
    ranks *r = joins(&(ranks_asked){.count = 2, .rank = 1, .root = root, .patience_ms = 3000});
    if (slow) kill(speaks, SIGKILL);
    if (r) tells(r, 1);
    fflush(NULL);
    _exit(failed || !r || !ranks_leave(r));
  }
  ranks *r = joins(&(ranks_asked){.count = 2, .rank = 0, .root = root, .listener = fd, .patience_ms = 5000});
  if (r) tells(r, 1);
  if (r) CHECK(ranks_leave(r));
  EQ(end_of(child), 0);
}

// What ranks say to rank 0, as ranks.c has it.
typedef struct introduction {
  uint64_t magic, job;
  uint32_t rank, count, lives, none;
} introduction;

static int comes_as(const struct sockaddr_in *a, uint32_t rank, uint32_t count, uint64_t job, uint32_t lives) {
  const introduction i = {0x01736b6e61724f54, job, rank, count, lives, 0};
  const int fd = reaches(a);
  EQ(send(fd, &i, sizeof i, 0), sizeof i);
  return fd;
}

// What rank 0 says to one, "": that all are there.
static void hears(int fd, const char *want) {
  struct {
    uint32_t status, rank;
    uint64_t bytes;
  } m = {.status = 99};
  char text[RANKS_WHY] = "";
  CHECK(recv(fd, &m, sizeof m, MSG_WAITALL) == sizeof m && m.bytes <= sizeof text && !m.status == !*want);
  if (m.bytes && m.bytes <= sizeof text) EQ(recv(fd, text, m.bytes, MSG_WAITALL), m.bytes);
  CHECK(strstr(text, want));
  if (!strstr(text, want)) printf("want '%s', got '%s'\n", want, text);
}

// One comes to rank 0 who does not belong there: it hears why, and so do those who do.
static void wrong(uint32_t rank, uint64_t job, uint32_t lives, const char *want) {
  struct sockaddr_in a;
  char root[40];
  const int fd = listener(&a, root);
  const pid_t child =
      in_vain(&(ranks_asked){.count = 3, .rank = 0, .root = root, .job = 8, .listener = fd, .patience_ms = 5000}, want);
  close(fd);
  const int right = comes_as(&a, 2, 3, 8, 0);
  comes_late();
  const int other = comes_as(&a, rank, 3, job, lives);
  hears(other, want);
  hears(right, want);
  close(other);
  close(right);
  EQ(end_of(child), 0);
}

// One of three does not come; the other one hears that.
static void missing(void) {
  struct sockaddr_in a;
  char root[40];
  const int fd = listener(&a, root);
  const pid_t child = in_vain(&(ranks_asked){.count = 3, .rank = 0, .root = root, .listener = fd, .patience_ms = 300},
                              "only 2 of 3 ranks have come");
  close(fd);
  const int right = comes_as(&a, 2, 3, 0, 0);
  hears(right, "no other machine reaches that address");
  close(right);
  EQ(end_of(child), 0);
}

static void here(int fd) {
  const uint64_t barrier[2] = {0};
  EQ(send(fd, barrier, sizeof barrier, 0), sizeof barrier);
}

// A rank is killed; others come before it is there again. They hear that they are not meant, and do no harm.
static void comes_again(void) {
  struct sockaddr_in a;
  char root[40], why[RANKS_WHY] = "";
  int status;
  const int fd = listener(&a, root);
  fflush(NULL);
  const pid_t child = fork();
  if (!child) {
    ranks *r = joins(&(ranks_asked){.count = 2, .rank = 0, .root = root, .listener = fd, .patience_ms = 5000});
    const bool good = r && ranks_again(r, 1, &status, why);
    if (!good) printf("rank 0: %s\n", why);
    fflush(NULL);
    _exit(!good || !ranks_leave(r));
  }
  close(fd);
  const int first = comes_as(&a, 1, 2, 0, 0);
  here(first);
  hears(first, "");
  const int job = comes_as(&a, 1, 2, 7, 1), life = comes_as(&a, 1, 2, 0, 0);
  close(first);
  hears(job, "rank 0 waits for rank 1 to come again");
  hears(life, "rank 0 waits for rank 1 to come again");
  const int again = comes_as(&a, 1, 2, 0, 1);
  here(again);
  hears(again, "");
  EQ(end_of(child), 0);
  close(job);
  close(life);
  close(again);
}

// The name of a machine as Debian has it: an address of loopback.
int gethostname(char *name, size_t size) {
  snprintf(name, size, "localhost");
  return 0;
}

static bool is_routed(void) {
  const struct sockaddr_in out = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr = {htonl(0xc0000201)}};
  const int fd = socket(AF_INET, SOCK_DGRAM, 0);
  const bool good = !connect(fd, (const struct sockaddr *)&out, sizeof out);
  close(fd);
  return good;
}

// Under a launcher, on several machines: what the others are told is no address of loopback. Its answers are there
// before they are asked for.
static void own_name(void) {
  static const char answers[] =
      "cmd=response_to_init rc=0\ncmd=my_kvsname kvsname=k\ncmd=put_result rc=0\ncmd=barrier_out\n"
      "cmd=get_result rc=0 value=x\ncmd=finalize_ack\n";
  char number[12], said[1000] = "";
  int fd[2];
  EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
  EQ(send(fd[0], answers, sizeof answers - 1, 0), sizeof answers - 1);
  snprintf(number, sizeof number, "%d", fd[1]);
  EQ(setenv("PMI_FD", number, 1) || setenv("PMI_RANK", "0", 1) || setenv("PMI_SIZE", "2", 1) ||
         setenv("MPI_LOCALNRANKS", "1", 1),
     0);
  EQ(end_of(in_vain(&(ranks_asked){.rank = -1, .patience_ms = 100},
                    is_routed() ? "only 1 of 2 ranks have come" : "no address that another one reaches")),
     0);
  EQ(unsetenv("MPI_LOCALNRANKS"), 0);
  CHECK(recv(fd[0], said, sizeof said - 1, 0) > 0);
  const char *value = strstr(said, " value=");
  CHECK(value && strncmp(value, " value=127.", 11) && strncmp(value, " value=[::1]", 12));
  close(fd[0]);
  close(fd[1]);
}

// Slurm's name of several machines is that of the first.
static void slurm(const char *list, const char *first) {
  char want[100];
  snprintf(want, sizeof want, "rank 0 does not listen at %s:2", first);
  EQ(setenv("SLURM_PROCID", "1", 1) || setenv("SLURM_STEP_NUM_TASKS", "2", 1) || setenv("SLURM_STEP_ID", "0", 1) ||
         setenv("SLURM_STEP_NODELIST", list, 1),
     0);
  EQ(end_of(in_vain(&(ranks_asked){.rank = -1, .patience_ms = 1}, want)), 0);
  EQ(unsetenv("SLURM_STEP_ID"), 0);
}

int main(void) {
  by_hand();
  by_name("192.0.2.1");    // no address of this machine; who asks for it hears nothing, or that nobody is there
  by_name("2001:db8::1");  // likewise
  by_itself();
  breaks_off(sizeof(uint64_t), 0);
  breaks_off(100, TOC_E_IO);
  printed_before();
  silent_root();
  deaf_root();
  strangers(RANKS_MOST + 6, false);
  strangers(0, true);
  wrong(1, 7, 0, "rank 1 was started with other arguments");
  wrong(2, 8, 0, "or twice");
  wrong(1, 8, 1, "rank 1 was killed before all were there");
  missing();
  comes_again();
  own_name();
  slurm("127.0.0.[1-3,7],127.0.0.2", "127.0.0.1");
  slurm("127.0.0.1,other", "127.0.0.1");
  slurm("127.0.[0-3].[1-7],other[1-2]", "127.0.0.1");
  slurm("127.[0,2].0.1", "127.0.0.1");
  CHECK(alarms);
  return report();
}
