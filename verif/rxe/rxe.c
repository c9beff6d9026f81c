// SPDX-License-Identifier: Apache-2.0
// Cases between a node of ours and a guest with Soft-RoCE: starts the guest, opens a fabric whose frames leave the
// process for each backend and each rate of loss, and runs the cases on it.
//
//   rxe --run model:256,1024:0,2,5[:PATH,...] [--run rtl:1024:0] [--cases NAME,...] [--brief] [--seed N] [--dir DIR]
//       [--record DIR [--lockstep PROGRAM]] -- QEMU...
//
// PATH: how frames go, ip4 (if none is named), ip6, vlan4, vlan6: over which IP, and whether behind an 802.1Q tag.
// With --record a run of backend model at a single MTU and without loss leaves a trace of its node in DIR,
// model-MTU-PATH.trc; `PROGRAM --replay TRACE` plays it on the hardware, in lockstep with both models.
//
// The words @CONTROL@, @LOCAL@ and @REMOTE@ in the guest's command are replaced by its control socket,
// and the ports of its frames.
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record.h"
#include "rxe.h"

enum { RANK = 1, BOOT_MS = 600000, LISTS = 8, PATIENCE_MS = 600000 };
#define FAR_MAC 0x02544f430101u
#define RATE "50" /* Mbit/s: what an emulated machine takes; hardware in simulation is slower anyway */

typedef struct run { /* of --run */
  const char *backend;
  unsigned mtu[LISTS], loss[LISTS], path[LISTS], mtus, losses, paths;
} run;

typedef struct options {
  run run[LISTS];
  unsigned runs;
  const char *cases, *dir, *record, *lockstep;
  bool brief;
  uint64_t seed;
  char **guest;
} options;

typedef struct guest {
  pid_t pid;
  char dir[64], control[100];
  unsigned port[2]; /* node's, guest's */
} guest;

static int usage(void) {
  fputs(
      "rxe --run BACKEND:MTU,...:LOSS,... [--run ...] [--cases NAME,...] [--brief] [--seed N] [--dir DIR] "
      "[--record DIR [--lockstep PROGRAM]] -- QEMU...\n",
      stderr);
  return 2;
}

// ---- options
static unsigned numbers(char *text, unsigned *to) {
  unsigned n = 0;
  char *save;
  for (char *w = text ? strtok_r(text, ",", &save) : NULL; w && n < LISTS; w = strtok_r(NULL, ",", &save))
    to[n++] = (unsigned)strtoul(w, NULL, 0);
  return n;
}

static bool paths(char *text, run *r) {
  char *save;
  if (!text) r->path[r->paths++] = 0;
  for (char *w = text ? strtok_r(text, ",", &save) : NULL; w && r->paths < LISTS; w = strtok_r(NULL, ",", &save)) {
    unsigned k = 0;
    while (k < PATHS && strcmp(w, path_name[k])) k++;
    if (k == PATHS) return false;
    r->path[r->paths++] = k;
  }
  return r->paths;
}

static bool parse_run(options *o, char *text) {
  char *save;
  if (o->runs == LISTS) return false;
  run *r = &o->run[o->runs++];
  r->backend = strtok_r(text, ":", &save);
  char *mtu = strtok_r(NULL, ":", &save), *loss = strtok_r(NULL, ":", &save), *path = strtok_r(NULL, ":", &save);
  r->mtus = numbers(mtu, r->mtu);
  r->losses = numbers(loss, r->loss);
  return r->backend && r->mtus && r->losses && paths(path, r);
}

static bool parse(int argc, char **argv, options *o) {
  *o = (options){.seed = 1, .dir = "."};
  for (int i = 1; i < argc; i++) {
    const char *what = argv[i];
    if (!strcmp(what, "--")) {
      o->guest = argv + i + 1;
      return *o->guest && o->runs;
    }
    if (!strcmp(what, "--brief")) {
      o->brief = true;
      continue;
    }
    if (++i == argc) return false;
    if (!strcmp(what, "--cases"))
      o->cases = argv[i];
    else if (!strcmp(what, "--seed"))
      o->seed = strtoull(argv[i], NULL, 0);
    else if (!strcmp(what, "--dir"))
      o->dir = argv[i];
    else if (!strcmp(what, "--record"))
      o->record = argv[i];
    else if (!strcmp(what, "--lockstep"))
      o->lockstep = argv[i];
    else if (strcmp(what, "--run") || !parse_run(o, argv[i]))
      return false;
  }
  return false;
}

/* NAME is one of a list a,b,c; no list: it is. */
static bool listed(const char *list, const char *name) {
  size_t n = strlen(name);
  for (const char *p = list; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
    if (!strncmp(p, name, n) && (!p[n] || p[n] == ',')) return true;
  return !list;
}

// ---- the guest
/* Two UDP ports that are free now. */
static bool ports(guest *g) {
  int fd[2];
  for (unsigned i = 0; i < 2; i++) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t n = sizeof a;
    fd[i] = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd[i] < 0 || bind(fd[i], (struct sockaddr *)&a, n) || getsockname(fd[i], (struct sockaddr *)&a, &n))
      return false;
    g->port[i] = ntohs(a.sin_port);
  }
  close(fd[0]);
  close(fd[1]);
  return true;
}

static char *filled(const guest *g, const char *word) {
  char *out = calloc(1, strlen(word) + 200), number[2][12];
  const struct {
    const char *mark, *value;
  } of[] = {{"@CONTROL@", g->control}, {"@LOCAL@", number[1]}, {"@REMOTE@", number[0]}};
  if (!out) abort();
  for (unsigned i = 0; i < 2; i++) snprintf(number[i], sizeof number[i], "%u", g->port[i]);
  for (char *to = out; *word;) {
    unsigned k = 0;
    while (k < 3 && strncmp(word, of[k].mark, strlen(of[k].mark))) k++;
    if (k < 3) {
      to = stpcpy(to, of[k].value);
      word += strlen(of[k].mark);
    } else {
      *to++ = *word++;
    }
  }
  return out;
}

static void run_guest(const guest *g, char **words) {
  unsigned n = 0;
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* whatever becomes of us */
  while (words[n]) n++;
  char **args = calloc(n + 1, sizeof *args);
  if (!args) abort();
  for (unsigned i = 0; i < n; i++) args[i] = filled(g, words[i]);
  execvp(args[0], args);
  fprintf(stderr, "%s: %s\n", args[0], strerror(errno));
  _exit(127);
}

/* Its program has opened its device; false: it has ended, or says nothing for BOOT_MS. */
static bool boot(guest *g, char **words, rig *r) {
  char line[RIG_LINE] = "";
  struct sockaddr_un a = {.sun_family = AF_UNIX};
  strcpy(g->dir, "/tmp/rxe.XXXXXX");
  if (!mkdtemp(g->dir) || !ports(g)) return rig_fail(r, "no directory or no ports: %s", strerror(errno));
  snprintf(g->control, sizeof g->control, "%s/control", g->dir);
  strcpy(a.sun_path, g->control);
  int at = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (at < 0 || bind(at, (struct sockaddr *)&a, sizeof a) || listen(at, 1))
    return rig_fail(r, "%s: %s", g->control, strerror(errno));
  g->pid = fork();
  if (!g->pid) run_guest(g, words);
  struct pollfd p = {.fd = at, .events = POLLIN};
  int fd = -1;
  for (unsigned ms = 0; fd < 0 && ms < BOOT_MS; ms += 100) {
    if (poll(&p, 1, 100) == 1) fd = accept4(at, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0 && waitpid(g->pid, NULL, WNOHANG) == g->pid) g->pid = 0;
    if (!g->pid) break;
  }
  close(at);
  if (fd < 0) return rig_fail(r, "the guest's machine does not start");
  r->in = fdopen(fd, "r");
  r->out = fdopen(dup(fd), "w");
  p.fd = fd;
  if (!r->in || !r->out || poll(&p, 1, BOOT_MS) != 1 || !fgets(line, sizeof line, r->in) || strncmp(line, "ready", 5))
    return rig_fail(r, "the guest does not come up; it says '%.200s'", line);
  return true;
}

static void end_guest(guest *g, rig *r) {
  if (r->out) {
    fputs("bye\n", r->out);
    fflush(r->out);
  }
  for (unsigned i = 0; g->pid && i < 200 && waitpid(g->pid, NULL, WNOHANG) != g->pid; i++) {
    usleep(100000);
    if (i == 100) kill(g->pid, SIGTERM);
  }
  if (r->in) fclose(r->in);
  if (r->out) fclose(r->out);
  if (g->control[0]) unlink(g->control);
  if (g->dir[0]) rmdir(g->dir);
}

// ---- the cases
static uint64_t lost_so_far(rig *r) {
  toc_link_count c = {0};
  if (r->f) toc_link_counts(r->f, &c);
  return c.lost;
}

static void one(rig *r, report *p, const rxe_case *c, const char *backend, unsigned loss) {
  uint64_t before = lost_so_far(r);
  report_begin(p, backend, c->name, r->path, r->mtu, loss);
  r->why[0] = 0;
  r->psn = c->psn;
  r->far_psn = c->far_psn;
  if (rig_connect(r)) c->run(r);
  rig_disconnect(r);
  report_end(p, r->why, lost_so_far(r) - before);
  if (!rig_good(r)) rig_sync(r);
}

typedef struct ears {
  report *p;
  recorder *rec; /* or NULL */
  char trace[300];
} ears;

static void hear(void *ctx, const toc_seen *s) {
  const ears *e = ctx;
  report_see(e->p, s);
  if (e->rec) record_see(e->rec, s);
}

/* What hardware and models are to do once more, in lockstep. Not with loss: the node's time-outs are of the guest's
 * kind, half a second, which is hours of simulation. */
static bool recording(ears *e, const options *o, const run *run, unsigned path, unsigned loss) {
  char what[120];
  if (!o->record || loss || strcmp(run->backend, "model") || run->mtus != 1) return true;
  snprintf(e->trace, sizeof e->trace, "%s/model-%u-%s.trc", o->record, run->mtu[0], path_name[path]);
  snprintf(what, sizeof what, "a node and Soft-RoCE of a Linux kernel, MTU %u, %s", run->mtu[0], path_name[path]);
  e->rec = record_open(&(record_options){.trace = e->trace, .nodes = 1, .whole = true, .what = what});
  return e->rec;
}

static void not_recorded(const ears *e, const char *backend, unsigned path) {
  char why[RIG_WHY];
  snprintf(why, sizeof why, "'%s' cannot be written: %s", e->trace, strerror(errno));
  report_begin(e->p, backend, "record", path, 0, 0);
  report_end(e->p, why, 0);
}

static void play_again(const ears *e, const options *o, unsigned mtu, unsigned path) {
  char log[320], line[RIG_WHY] = "", why[RIG_WHY] = "";
  int status = -1;
  report *p = e->p;
  snprintf(log, sizeof log, "%s/model-%u-%s.log", o->record, mtu, path_name[path]);
  report_begin(p, "lockstep", "all", path, mtu, 0);
  pid_t pid = fork();
  if (!pid) {
    if (!freopen(log, "w", stdout) || dup2(1, 2) < 0) _exit(126);
    execl(o->lockstep, o->lockstep, "--replay", e->trace, (char *)NULL);
    _exit(127);
  }
  waitpid(pid, &status, 0);
  FILE *f = fopen(log, "r");
  while (f && fgets(line, sizeof line, f) && strncmp(line, "replay of", 9)) {
  }
  if (f) fclose(f);
  line[strcspn(line, "\n")] = 0;
  if (status) snprintf(why, sizeof why, "%.400s; %.200s", line, log);
  report_end(p, why, 0);
  if (!status) printf("     %s\n", line);
}

/* A receive buffer that is used up is told of before its message by the model, and behind it by the hardware:
 * a trace knows one order. */
static bool receives(const rxe_case *c) {
  return c->run == sends_guest || c->run == sends_not_ready || c->run == pingpong_guest || c->run == pingpong_node;
}

static void all_on(rig *r, report *p, const options *o, const guest *g, const run *run, unsigned path, unsigned loss) {
  char link[120];
  ears e = {.p = p};
  if (!recording(&e, o, run, path, loss)) not_recorded(&e, run->backend, path);
  r->path = path;
  r->slow = strcmp(run->backend, "model");
  r->lossy = loss;
  snprintf(link, sizeof link, "frames,local=127.0.0.1:%u,remote=127.0.0.1:%u%s", g->port[0], g->port[1],
           r->slow ? "" : ",rate=" RATE);
  r->timeout_us = r->slow ? 500 : 500000; /* of its own time: about half a second of ours, or a few */
  r->why[0] = 0;
  toc_options with = {.backend = run->backend,
                      .link = link,
                      .rank0 = RANK,
                      .seed = o->seed,
                      .drop = 10 * loss,
                      .node_bytes = 8u << 20,
                      .progress = TOC_PROGRESS_THREAD,
                      .timeout_us = TOC_FOREVER - 1,
                      .patience_ms = PATIENCE_MS,
                      .see = hear,
                      .see_ctx = &e};
  bool good = rig_open(r, &with);
  if (!good) {
    report_begin(p, run->backend, "open", path, 0, loss);
    report_end(p, r->why, 0);
  }
  for (unsigned m = 0; good && m < run->mtus; m++) {
    r->mtu = run->mtu[m];
    for (unsigned i = 0; i < rxe_case_count; i++)
      if ((!o->brief || rxe_cases[i].brief) && listed(o->cases, rxe_cases[i].name) &&
          !(e.rec && receives(&rxe_cases[i])))
        one(r, p, &rxe_cases[i], run->backend, loss);
  }
  rig_close(r);
  if (e.rec && record_close(e.rec))
    not_recorded(&e, run->backend, path);
  else if (e.rec && o->lockstep)
    play_again(&e, o, run->mtu[0], path);
}

int main(int argc, char **argv) {
  options o;
  guest g = {0};
  rig r = {.far_mac = FAR_MAC};
  if (!parse(argc, argv, &o)) return usage();
  signal(SIGPIPE, SIG_IGN);
  report *p = report_new(o.dir);
  if (boot(&g, o.guest, &r) && rig_hello(&r)) {
    printf("the guest is up:");
    for (unsigned i = 0; i < PATHS; i++) printf(" %s %s", path_name[i], r.gid[i]);
    printf("\n");
    fflush(stdout);
    for (const run *u = o.run; u < o.run + o.runs; u++)
      for (unsigned k = 0; k < u->paths * u->losses; k++)
        all_on(&r, p, &o, &g, u, u->path[k / u->losses], u->loss[k % u->losses]);
  } else {
    report_begin(p, "guest", "boot", 0, 0, 0);
    report_end(p, r.why, 0);
  }
  end_guest(&g, &r);
  return report_close(p) ? 1 : 0;
}
