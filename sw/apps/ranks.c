// SPDX-License-Identifier: Apache-2.0
#include "ranks.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tocsin/tocsin.h"

enum {
  JOIN_MS = 60000,
  LAST_WORDS_MS = 1000,
  AGAIN_MS = 50,
  TURN_MS = 1000,
  LIVES = 16,
  SLURM_PORT = 20000,
  SLURM_PORTS = 10000
};
#define HELLO 0x01736b6e61724f54ULL  // another kind of machine would send it the other way round
#define NOWHERE "-"                  // rank 0 does not listen, and the others need not wait for its address

typedef enum started { BY_HAND, BY_ITSELF, BY_OPEN_MPI, BY_MPICH, BY_SLURM } started;

typedef struct hello {
  uint64_t magic, job;
  uint32_t rank, count, lives, none;
} hello;

typedef struct guest {
  int fd;
  size_t have;  // of what he says
  hello h;
} guest;

struct ranks {
  unsigned rank, count;
  started by;
  char root[2 * RANKS_HOST], local[RANKS_HOST];
  int listener, to[RANKS_MOST];  // rank 0: to each other; else to[0]: to rank 0
  guest guest[RANKS_MOST];       // rank 0: who has come and not said yet who he is, the oldest first
  unsigned guests;
  pid_t child[RANKS_MOST];
  bool mpi;        // this process has begun with mpirun, and has to end with it
  unsigned lives;  // that this rank has had before
  uint64_t job;
  unsigned patience_ms;
  uint64_t until;  // when all have to be there; 0: they are
};

typedef struct message {  // and `bytes` bytes
  uint32_t status;        // 0: what is gathered, else a failure and its text
  uint32_t rank;
  uint64_t bytes;
} message;

#define SAY(...) (snprintf(why, RANKS_WHY, __VA_ARGS__), false)

// ---- who we are
static bool number(const char *name, unsigned *v) {
  const char *text = getenv(name);
  if (!text || !*text || text[strspn(text, "0123456789")]) return false;
  *v = (unsigned)strtoul(text, NULL, 10);
  return true;
}

static bool from_launcher(ranks *r) {
  const struct {
    started by;
    const char *rank, *count, *sign;
  } of[] = {{BY_OPEN_MPI, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
            {BY_MPICH, "PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"},
            {BY_SLURM, "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_STEP_ID"}};
  for (unsigned i = 0; i < sizeof of / sizeof *of; i++)
    if (getenv(of[i].sign) && number(of[i].rank, &r->rank) && number(of[i].count, &r->count)) {
      r->by = of[i].by;
      return true;
    }
  return false;
}

unsigned ranks_launched_count(void) {
  ranks r;
  return from_launcher(&r) ? r.count : 0;
}

bool ranks_launched(void) { return ranks_launched_count(); }

// All on one machine? Then nobody else need reach us.
static bool on_one_machine(const ranks *r) {
  unsigned here = 0;
  return (r->by == BY_OPEN_MPI && number("OMPI_COMM_WORLD_LOCAL_SIZE", &here) && here == r->count) ||
         (r->by == BY_MPICH && number("MPI_LOCALNRANKS", &here) && here == r->count);
}

// The first of "rack[1-2]node[03-07,9],other", which is where task 0 is; its port is one that belongs to the job step.
static void slurm_root(ranks *r) {
  const char *list = getenv("SLURM_STEP_NODELIST");
  char node[2 * RANKS_HOST - 12] = "";
  unsigned job = 0, step = 0;
  size_t n = 0;
  for (const char *at = list ? list : ""; *at && *at != ',' && n < sizeof node - 1; at++) {
    if (*at != '[') {
      node[n++] = *at;
      continue;
    }
    const size_t first = strcspn(at + 1, "-,]");
    n += (size_t)snprintf(node + n, sizeof node - n, "%.*s", (int)first, at + 1);
    if (n >= sizeof node || !(at = strchr(at, ']'))) break;
  }
  (void)number("SLURM_JOB_ID", &job);
  (void)number("SLURM_STEP_ID", &step);
  snprintf(r->root, sizeof r->root, "%s:%u", node, SLURM_PORT + (job * 16 + step) % SLURM_PORTS);
}

static bool who(ranks *r, const ranks_asked *q, char *why) {
  if (q->rank >= 0) {
    *r = (ranks){.by = BY_HAND, .rank = (unsigned)q->rank, .count = q->count};
    if (!q->root || !q->count || r->rank >= q->count)
      return SAY("--rank is 0 to --ranks less one, with the --root HOST:PORT of rank 0");
  } else if (!from_launcher(r)) {
    *r = (ranks){.by = BY_ITSELF, .count = q->count};
  }
  if (q->count && q->count != r->count) return SAY("%u ranks were started, not %u", r->count, q->count);
  if (r->count < 2 || r->count > RANKS_MOST) return SAY("%u ranks; 2 to %d are possible", r->count, RANKS_MOST);
  if (q->root && strlen(q->root) >= sizeof r->root)
    return SAY("a root of more than %zu characters", sizeof r->root - 1);
  if (q->root)
    strcpy(r->root, q->root);
  else if (r->by == BY_SLURM)
    slurm_root(r);
  return true;
}

const char *ranks_by(const ranks *r) {
  static const char *const name[] = {"hand", "rank 0 itself", "mpirun of Open MPI", "mpirun of MPICH", "srun"};
  return name[r->by];
}

unsigned ranks_rank(const ranks *r) { return r->rank; }
unsigned ranks_count(const ranks *r) { return r->count; }
const char *ranks_local(const ranks *r) { return r->local; }

// ---- TCP
static uint64_t clock_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static double seconds(const ranks *r) { return r->patience_ms / 1000.0; }

static bool late(const ranks *r) { return r->until && clock_ms() >= r->until; }

// For poll: until then, or (0) for ever.
static int left_ms(uint64_t until) {
  const uint64_t now = clock_ms();
  return !until ? -1 : now < until ? (int)(until - now) : 0;
}

// false: time is over.
static bool waits(uint64_t until, int fd, short what) {
  struct pollfd p = {.fd = fd, .events = what};
  for (;;) {
    const int left = left_ms(until);
    if (poll(&p, 1, left) > 0) return true;
    if (!left) return false;
  }
}

static bool whole(const ranks *r, int fd, void *p, size_t n, bool out) {
  const int how = r->until ? MSG_DONTWAIT : 0;
  for (uint8_t *at = p; n;) {
    ssize_t k = out ? send(fd, at, n, how | MSG_NOSIGNAL) : recv(fd, at, n, how);
    if (k < 0 && (errno == EINTR || (errno == EAGAIN && waits(r->until, fd, out ? POLLOUT : POLLIN)))) continue;
    if (k <= 0) return false;
    at += k;
    n -= (size_t)k;
  }
  return true;
}

static struct addrinfo *resolve(const char *text, char *why) {
  char host[2 * RANKS_HOST];
  struct addrinfo hint = {.ai_socktype = SOCK_STREAM}, *a = NULL;
  const char *colon = strrchr(text, ':');
  size_t n = colon ? (size_t)(colon - text) : 0;
  bool bracket = n > 2 && text[0] == '[' && text[n - 1] == ']';
  snprintf(host, sizeof host, "%.*s", (int)(n - 2 * bracket), text + bracket);
  const bool port = n && strtoul(colon + 1, NULL, 10) <= UINT16_MAX;  // getaddrinfo takes the rest by 65536
  if (port && !getaddrinfo(host, colon + 1, &hint, &a)) return a;
  (void)SAY("there is no address '%.80s'; it is HOST:PORT", text);
  return NULL;
}

// Address and port as text; [] around IPv6.
static bool text_of(const struct sockaddr *a, socklen_t n, char *host, unsigned *port) {
  char text[RANKS_HOST - 2], service[8];
  if (getnameinfo(a, n, text, sizeof text, service, sizeof service, NI_NUMERICHOST | NI_NUMERICSERV)) return false;
  snprintf(host, RANKS_HOST, strchr(text, ':') ? "[%s]" : "%s", text);
  *port = (unsigned)strtoul(service, NULL, 10);
  return true;
}

// Of this end.
static bool name_of(int fd, char *host, unsigned *port) {
  struct sockaddr_storage a;
  socklen_t n = sizeof a;
  return !getsockname(fd, (struct sockaddr *)&a, &n) && text_of((struct sockaddr *)&a, n, host, port);
}

static bool is_local(const char *host) { return !strncmp(host, "127.", 4) || !strcmp(host, "[::1]"); }

// The first of the name's addresses that is this machine's and free.
static bool listens_at(ranks *r, const char *at, char *why) {
  int yes = 1, e = 0;
  struct addrinfo *all = resolve(at, why);
  if (!all) return false;
  for (const struct addrinfo *a = all; a && r->listener < 0; a = a->ai_next) {
    const int fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && !setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) &&
        !bind(fd, a->ai_addr, a->ai_addrlen) && !listen(fd, RANKS_MOST)) {
      r->listener = fd;
      break;
    }
    e = errno;
    if (fd >= 0) close(fd);
  }
  freeaddrinfo(all);
  return r->listener >= 0 || SAY("rank 0 cannot listen at %.80s: %s", at, strerror(e));
}

static bool listens(ranks *r, const char *at, int given, char *why) {
  unsigned port;
  if (given > 0)
    r->listener = given;
  else if (!listens_at(r, at, why))
    return false;
  if (!name_of(r->listener, r->local, &port)) return SAY("rank 0 does not know its own address");
  snprintf(r->root, sizeof r->root, "%s:%u", r->local, port);
  return true;
}

static int take_out(ranks *r, unsigned i) {
  const int fd = r->guest[i].fd;
  memmove(&r->guest[i], &r->guest[i + 1], (--r->guests - i) * sizeof r->guest[i]);
  return fd;
}

// What guest i says. A rank is no guest any more, but his descriptor; -1: he is none, or has not said all yet.
static int listen_to(ranks *r, unsigned i, hello *h) {
  guest *g = &r->guest[i];
  const ssize_t k = recv(g->fd, (uint8_t *)&g->h + g->have, sizeof g->h - g->have, MSG_DONTWAIT);
  if (k < 0 && (errno == EAGAIN || errno == EINTR)) return -1;
  if (k > 0 && (g->have += (size_t)k) < sizeof g->h) return -1;
  *h = g->h;
  const int fd = take_out(r, i);
  if (k > 0 && h->magic == HELLO) return fd;
  close(fd);
  return -1;
}

// The next who says that he is a rank. Others may knock as well, and say nothing, or something else: nobody is waited
// for alone, and where too many are silent, the oldest has to leave.
static int next_guest(ranks *r, hello *h, uint64_t until) {
  for (;;) {
    struct pollfd p[RANKS_MOST + 1] = {{.fd = r->listener, .events = POLLIN}};
    uint64_t now = clock_ms();
    for (unsigned i = 0; i < r->guests; i++) p[i + 1] = (struct pollfd){.fd = r->guest[i].fd, .events = POLLIN};
    if (now >= until) return -1;
    if (poll(p, r->guests + 1, (int)(until - now)) <= 0) continue;  // a signal, or time is over
    for (unsigned i = r->guests; i-- > 0;) {
      const int fd = p[i + 1].revents ? listen_to(r, i, h) : -1;
      if (fd >= 0) return fd;
    }
    const int fd = p[0].revents ? accept4(r->listener, NULL, NULL, SOCK_CLOEXEC) : -1;
    if (fd < 0) continue;
    if (r->guests == RANKS_MOST) close(take_out(r, 0));
    r->guest[r->guests++] = (guest){.fd = fd};
  }
}

static void tell(const ranks *r, int fd, const message *m, const void *bytes) {
  if (whole(r, fd, (void *)m, sizeof *m, true)) (void)whole(r, fd, (void *)bytes, m->bytes, true);
}

static void tell_all(const ranks *r, const message *m, const void *bytes) {
  for (unsigned i = 0; i < r->count; i++)
    if (r->to[i] >= 0) tell(r, r->to[i], m, bytes);
}

static message refusal(const char *why) { return (message){.status = TOC_E_IN_USE, .bytes = strlen(why) + 1}; }

static void refuse(const ranks *r, int fd, const char *why) {
  const message m = refusal(why);
  tell(r, fd, &m, why);
  close(fd);
}

static bool comes_right(const ranks *r, const hello *h, char *why) {
  if (h->job != r->job || h->count != r->count || !h->rank || h->rank >= r->count || (!h->lives && r->to[h->rank] >= 0))
    return SAY("rank %u was started with other arguments, or twice", h->rank);
  return !h->lives || SAY("rank %u was killed before all were there", h->rank);  // the others would not know of it
}

// Of one who comes wrong nobody knows whether he should be one of these, so that all end, and hear why.
static bool welcome(ranks *r, char *why) {
  for (unsigned here = 1; here < r->count; here++) {
    hello h;
    int fd = next_guest(r, &h, r->until);
    if (fd < 0)
      return SAY("only %u of %u ranks have come to %.80s within %g s%s", here, r->count, r->root, seconds(r),
                 is_local(r->local) ? "; no other machine reaches that address" : "");
    if (!comes_right(r, &h, why)) {
      refuse(r, fd, why);
      return false;
    }
    r->to[h.rank] = fd;
  }
  return true;
}

static bool welcomes(ranks *r, char *why) {
  if (welcome(r, why)) return true;
  const message m = refusal(why);
  tell_all(r, &m, why);
  return false;
}

// A connection; -1 and errno: none. Who does not answer at all is waited for until time is over, or the turn is.
static int tries(const ranks *r, const struct addrinfo *a, uint64_t turn_ms) {
  const uint64_t over = clock_ms() + turn_ms, until = turn_ms && (!r->until || over < r->until) ? over : r->until;
  const int fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  int e = 0;
  socklen_t n = sizeof e;
  if (fd < 0) return -1;
  if (connect(fd, a->ai_addr, a->ai_addrlen) && errno != EINPROGRESS)
    e = errno;
  else if (!waits(until, fd, POLLOUT))
    e = ETIMEDOUT;
  else if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &e, &n) || (!e && fcntl(fd, F_SETFL, 0)))
    e = errno;
  if (!e) return fd;
  close(fd);
  errno = e;
  return -1;
}

// The first of a name's addresses that answers; of several each has its turn, since one may be nobody's from here.
static int tries_all(const ranks *r, const struct addrinfo *all) {
  int fd = -1;
  for (const struct addrinfo *a = all; a && fd < 0; a = a->ai_next) fd = tries(r, a, all->ai_next ? TURN_MS : 0);
  return fd;
}

static bool comes(ranks *r, char *why) {
  unsigned port;
  struct addrinfo *a = resolve(r->root, why);
  if (!a) return false;
  while ((r->to[0] = tries_all(r, a)) < 0) {
    if ((r->lives && errno == ECONNREFUSED) || late(r)) break;  // not any more
    nanosleep(&(struct timespec){.tv_nsec = AGAIN_MS * 1000000}, NULL);
  }
  const int e = errno;
  freeaddrinfo(a);
  if (r->to[0] < 0) return SAY("rank 0 does not listen at %.80s: %s", r->root, strerror(e));
  hello mine = {HELLO, r->job, r->rank, r->count, r->lives, 0};
  if (!whole(r, r->to[0], &mine, sizeof mine, true) || !name_of(r->to[0], r->local, &port))
    return SAY("rank 0 at %.80s has gone", r->root);
  return true;
}

// ---- joining
static bool starts(ranks *r) {
  fflush(NULL);  // what is not written yet would be written by each
  for (unsigned i = 1; i < r->count; i++) {
    pid_t pid = fork();
    if (pid < 0) return false;
    if (!pid) {
      close(r->listener);
      r->listener = -1;
      memset(r->child, 0, sizeof r->child);
      r->rank = i;
      return true;
    }
    r->child[i] = pid;
  }
  return true;
}

// What mpirun does for us: everybody has rank 0's address, and at the end it hears that we go.
static bool told(ranks *r, char *why) {
  return r->by == BY_MPICH ? ranks_pmi_tell(!r->rank, r->root, sizeof r->root, why)
                           : ranks_mpi_tell(r->root, sizeof r->root, why);
}

static void part(const ranks *r) {
  if (r->mpi && r->by == BY_MPICH) ranks_pmi_end();
  if (r->mpi && r->by == BY_OPEN_MPI) ranks_mpi_end();
}

// Stands by while another process is the rank, and starts it again when it is killed.
static void stand_by(ranks *r) {
  const pid_t us = getpid();
  for (int status = 0;; r->lives++) {
    fflush(NULL);
    pid_t pid = fork();
    if (!pid) {
      r->mpi = false;
      if (!prctl(PR_SET_PDEATHSIG, SIGKILL) && getppid() == us) return;
      _exit(1);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    if (pid > 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && r->lives < LIVES) continue;
    part(r);
    exit(pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 1);
  }
}

// The address of this machine on its way to others: of a socket to one that is nobody's, by which nothing is sent.
static bool outward(char *host) {
  static const char *const nobody[] = {"192.0.2.1:9", "[2001:db8::1]:9"};
  char why[RANKS_WHY];
  bool good = false;
  for (unsigned i = 0; i < 2 && !good; i++) {
    struct addrinfo *a = resolve(nobody[i], why);
    const int fd = a ? socket(a->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0) : -1;
    unsigned port;
    good = fd >= 0 && !connect(fd, a->ai_addr, a->ai_addrlen) && name_of(fd, host, &port);
    if (fd >= 0) close(fd);
    if (a) freeaddrinfo(a);
  }
  return good;
}

// Where the others reach rank 0 when nobody has said so. Some systems give their own name an address of loopback.
static bool own_address(char *at, size_t size, char *why) {
  char name[RANKS_HOST], host[RANKS_HOST];
  unsigned port;
  if (gethostname(name, sizeof name)) return SAY("this machine has no name");
  snprintf(at, size, "%s:0", name);
  struct addrinfo *a = resolve(at, why);
  const bool reached = a && text_of(a->ai_addr, a->ai_addrlen, host, &port) && !is_local(host);
  if (a) freeaddrinfo(a);
  if (reached) return true;
  if (!outward(host))
    return SAY("%s, as this machine calls itself, is no address that another one reaches; --root says which is", name);
  snprintf(at, size, "%s:0", host);
  return true;
}

static bool address(ranks *r, int listener, char *why) {
  char at[2 * RANKS_HOST] = "127.0.0.1:0";
  if (*r->root)
    strcpy(at, r->root);
  else if (r->by != BY_ITSELF && !on_one_machine(r) && !own_address(at, sizeof at, why))
    return false;
  return listens(r, at, listener, why);
}

static bool meet(ranks *r, const ranks_asked *q, char *why) {
  const bool lost = !r->rank && !address(r, q->listener, why);
  char untold[RANKS_WHY];
  if (lost) strcpy(r->root, NOWHERE);
  if (!lost && r->by == BY_ITSELF && !starts(r)) return SAY("this machine starts no more processes");
  r->mpi = r->by == BY_OPEN_MPI || r->by == BY_MPICH;
  if (r->mpi && !told(r, lost ? untold : why)) return false;
  if (lost) return false;
  r->root[sizeof r->root - 1] = 0;
  if (!strcmp(r->root, NOWHERE)) return SAY("rank 0 does not listen; it says why");
  if (r->rank && q->survives) stand_by(r);
  r->until = clock_ms() + r->patience_ms;
  return r->rank ? comes(r, why) : welcomes(r, why);
}

ranks *ranks_join(const ranks_asked *q, char *why) {
  ranks *r = calloc(1, sizeof *r);
  *why = 0;
  if (r && who(r, q, why)) {
    int status;
    r->listener = -1;
    r->job = q->job;
    r->patience_ms = q->patience_ms ? q->patience_ms : JOIN_MS;
    for (unsigned i = 0; i < RANKS_MOST; i++) r->to[i] = -1;
    if (meet(r, q, why) && ranks_gather(r, NULL, 0, NULL, &status, why)) {
      r->until = 0;
      return r;
    }
    for (unsigned i = 0; i < RANKS_MOST; i++)
      if (r->child[i]) kill(r->child[i], SIGKILL);
    (void)ranks_leave(r);
    return NULL;
  }
  free(r);
  return NULL;
}

// ---- telling each other
static bool failed(const message *m, const char *text, int *status, char *why) {
  *status = (int)m->status;
  return SAY("%s", text);
}

static bool has_gone(const ranks *r, unsigned i, message *m, char *text) {
  *m = (message){.status = TOC_E_PEER_GONE, .rank = i};
  if (late(r))
    snprintf(text, RANKS_WHY, "rank %u has not answered at %.80s within %g s", i, r->root, seconds(r));
  else
    snprintf(text, RANKS_WHY, "rank %u has gone", i);
  return false;
}

// A rank that is gone without a word is the cause when others say that a peer is, or that it refuses what they ask: one
// whose guard was killed may do so before its connections are closed.
static void who_has_gone(const ranks *r, message *m, char *text) {
  const bool refused = m->status == TOC_E_REMOTE || m->status == TOC_E_ACCESS;
  const uint64_t until = clock_ms() + (refused ? LAST_WORDS_MS : 0);
  uint8_t byte;
  if (m->status != TOC_E_PEER_GONE && !refused) return;
  do {
    for (unsigned i = 1; i < r->count; i++)
      if (i != m->rank && r->to[i] >= 0 && !recv(r->to[i], &byte, 1, MSG_PEEK | MSG_DONTWAIT)) {
        (void)has_gone(r, i, m, text);
        return;
      }
  } while (clock_ms() < until && !poll(NULL, 0, 10));
}

// Rank 0: the next of rank i; false: it has failed, and *m and text say how. It may go in the midst of what it says.
static bool hear(const ranks *r, unsigned i, message *m, void *bytes, size_t n, char *text) {
  int fd = r->to[i ? i : 0];
  char said[RANKS_WHY];
  if (!whole(r, fd, m, sizeof *m, false)) return has_gone(r, i, m, text);
  if (!m->status && m->bytes == n) return whole(r, fd, bytes, n, false) || has_gone(r, i, m, text);
  if (m->status && m->bytes <= sizeof said) {
    if (!whole(r, fd, said, m->bytes, false)) return has_gone(r, i, m, text);
    said[m->bytes ? m->bytes - 1 : 0] = 0;
    snprintf(text, RANKS_WHY, "%s", said);
    return false;
  }
  *m = (message){.status = TOC_E_IO, .rank = i};
  snprintf(text, RANKS_WHY, "rank %u is at another place of the program", i);
  return false;
}

// In the order in which they come, so that one that is gone is seen while others still work.
static bool hear_all(ranks *r, size_t n, uint8_t *all, message *m, char *text) {
  bool here[RANKS_MOST] = {true};
  for (unsigned left = r->count - 1; left;) {
    struct pollfd p[RANKS_MOST] = {{.fd = -1}};
    for (unsigned i = 1; i < r->count; i++) p[i] = (struct pollfd){.fd = here[i] ? -1 : r->to[i], .events = POLLIN};
    if (poll(p, r->count, left_ms(r->until)) < 0) continue;
    for (unsigned i = 1; i < r->count; i++) {
      if (!p[i].revents && (here[i] || !late(r))) continue;
      if (!hear(r, i, m, all ? all + i * n : NULL, n, text)) {
        who_has_gone(r, m, text);
        return false;
      }
      here[i] = true;
      left--;
    }
  }
  return true;
}

bool ranks_gather(ranks *r, const void *mine, size_t n, void *all, int *status, char *why) {
  char text[RANKS_WHY];
  message m = {.rank = r->rank, .bytes = n};
  if (r->rank) {
    void *own = n ? (uint8_t *)all + r->rank * n : NULL;
    if (n) memcpy(own, mine, n);
    if (whole(r, r->to[0], &m, sizeof m, true)) (void)whole(r, r->to[0], own, n, true);
    return hear(r, 0, &m, all, n * r->count, text) || failed(&m, text, status, why);
  }
  if (n) memcpy(all, mine, n);
  if (!hear_all(r, n, all, &m, text)) {
    m.bytes = strlen(text) + 1;
    tell_all(r, &m, text);
    return failed(&m, text, status, why);
  }
  m = (message){.bytes = n * r->count};
  tell_all(r, &m, all);
  return true;
}

_Noreturn void ranks_crash(const ranks *r) {
  (void)r;
  for (;;) (void)kill(getpid(), SIGKILL);
}

unsigned ranks_lives(const ranks *r) { return r->lives; }

// Rank 0: until the rank has gone, and another one has come for it.
static bool came_again(ranks *r, unsigned gone, message *m, char *text) {
  uint8_t none;
  hello h;
  *m = (message){.status = TOC_E_PEER_GONE, .rank = gone};
  if (whole(r, r->to[gone], &none, 1, false)) {
    m->status = TOC_E_IO;
    snprintf(text, RANKS_WHY, "rank %u is at another place of the program", gone);
    return false;
  }
  close(r->to[gone]);
  const uint64_t until = clock_ms() + r->patience_ms;
  while ((r->to[gone] = next_guest(r, &h, until)) >= 0) {
    if (h.job == r->job && h.count == r->count && h.rank == gone && h.lives) return true;
    snprintf(text, RANKS_WHY, "rank 0 waits for rank %u to come again, and for nobody else", gone);
    refuse(r, r->to[gone], text);
  }
  snprintf(text, RANKS_WHY, "rank %u was killed, and has not come again within %g s", gone, seconds(r));
  return false;
}

bool ranks_again(ranks *r, unsigned gone, int *status, char *why) {
  char text[RANKS_WHY];
  message m;
  if (r->rank || came_again(r, gone, &m, text)) return ranks_gather(r, NULL, 0, NULL, status, why);
  m.bytes = strlen(text) + 1;
  tell_all(r, &m, text);
  return failed(&m, text, status, why);
}

void ranks_fail(ranks *r, int status, const char *why) {
  char text[RANKS_WHY];
  message m = {.status = (uint32_t)status, .rank = r->rank};
  snprintf(text, sizeof text, "rank %u: %.200s", r->rank, why);
  if (!r->rank) who_has_gone(r, &m, text);
  m.bytes = strlen(text) + 1;
  tell_all(r, &m, text);
}

// false: it has not ended well.
static bool ended(pid_t child) {
  int status = 0;
  pid_t pid;
  do pid = waitpid(child, &status, 0);
  while (pid < 0 && errno == EINTR);
  return pid == child && !status;
}

bool ranks_leave(ranks *r) {
  bool good = true;
  if (r->listener >= 0) close(r->listener);
  for (unsigned i = 0; i < RANKS_MOST; i++) {
    if (r->to[i] >= 0) close(r->to[i]);
    if (r->child[i] && !ended(r->child[i])) good = false;
  }
  while (r->guests) close(take_out(r, r->guests - 1));
  part(r);
  free(r);
  return good;
}
