// SPDX-License-Identifier: Apache-2.0
// oshrun -n N PROGRAM [ARGUMENT...]: N processes of an OpenSHMEM program. By mpirun where there is one that will, which
// may have several machines; otherwise, or with --here, on this machine, by this program itself: it gives PE 0 a socket
// that listens already, so that no port can be taken meanwhile, and ends all PEs when one has failed.
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PES_MOST = 64, USAGE = 2, GRACE_S = 5 };

typedef struct job {
  int n;
  bool here;
  char **program;
  int listener;
  char root[40];
  pid_t pid[PES_MOST];
} job;

_Noreturn static void fail(const char *what, const char *which) {
  fprintf(stderr, "oshrun: %s%s\n", what, which);
  exit(USAGE);
}

static void help(void) {
  printf(
      "oshrun -n N [--here] PROGRAM [ARGUMENT...]\n"
      "  -n N, -np N  so many PEs, 1 to %d\n"
      "  --here       on this machine, without mpirun\n"
      "Without --here they are started by mpirun, if there is one; OSHRUN_MPIRUN names it, and its options.\n"
      "For root Open MPI's is passed over, unless OMPI_ALLOW_RUN_AS_ROOT and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM are set.\n"
      "The exit code is that of the PE that failed first, or 0.\n",
      PES_MOST);
  exit(0);
}

static int count_of(const char *text) {
  char *end;
  const long n = text ? strtol(text, &end, 10) : 0;
  if (!text || *end || n < 1 || n > PES_MOST) fail("-n is 1 to 64, not ", text ? text : "nothing");
  return (int)n;
}

static job parse(int argc, char **argv) {
  job j = {0};
  int i = 1;
  for (; i < argc && *argv[i] == '-'; i++) {
    if (!strcmp(argv[i], "-n") || !strcmp(argv[i], "-np"))
      j.n = count_of(argv[++i]);
    else if (!strcmp(argv[i], "--here"))
      j.here = true;
    else if (!strcmp(argv[i], "-h") || !strcmp(argv[i], "--help"))
      help();
    else
      fail("there is no option ", argv[i]);
  }
  if (!j.n) fail("how many PEs? -n N PROGRAM; oshrun -h says more", "");
  if (i >= argc) fail("which program? -n N PROGRAM; oshrun -h says more", "");
  j.program = argv + i;
  return j;
}

// ---- mpirun
static bool in_path(const char *name) {
  char *path = strdup(getenv("PATH") ? getenv("PATH") : ""), *rest = path, file[4096];
  bool found = false;
  for (char *dir; !found && (dir = strsep(&rest, ":"));) {
    snprintf(file, sizeof file, "%s/%s", dir, name);
    found = !access(file, X_OK);
  }
  free(path);
  return found;
}

// Open MPI's, for root, who has not said that he means it.
static bool refuses_us(void) {
  if (geteuid() || (getenv("OMPI_ALLOW_RUN_AS_ROOT") && getenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"))) return false;
  return !system("mpirun --version 2>&1 | grep -qiE 'open.?mpi|as root'");
}

static void by_mpirun(const job *j) {
  const char *own = getenv("OSHRUN_MPIRUN");
  if (!own && !in_path("mpirun")) return;
  if (!own && refuses_us()) {
    fputs("oshrun: Open MPI's mpirun does not run for root: all PEs are on this machine, as with --here\n", stderr);
    return;
  }
  // The shell splits what OSHRUN_MPIRUN says into words; the program and its arguments stay as they are.
  static const char script[] = "m=${OSHRUN_MPIRUN:-mpirun}; n=$1; shift; exec $m -n \"$n\" \"$@\"";
  size_t count = 0;
  while (j->program[count]) count++;
  char n[12], **args = calloc(count + 6, sizeof *args);
  if (!args) fail("no memory", "");
  snprintf(n, sizeof n, "%d", j->n);
  const char *const head[] = {"sh", "-c", script, "oshrun", n};
  memcpy(args, head, sizeof head);
  memcpy(args + sizeof head / sizeof *head, j->program, count * sizeof *args);
  execvp("sh", args);
  fail("sh: ", strerror(errno));
}

// ---- here
static void listens(job *j) {
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t n = sizeof a;
  j->listener = socket(AF_INET, SOCK_STREAM, 0);
  if (j->listener < 0 || bind(j->listener, (struct sockaddr *)&a, sizeof a) || listen(j->listener, PES_MOST) ||
      getsockname(j->listener, (struct sockaddr *)&a, &n))
    fail("a socket: ", strerror(errno));
  snprintf(j->root, sizeof j->root, "127.0.0.1:%u", ntohs(a.sin_port));
}

static void set(const char *name, int value) {
  char text[12];
  snprintf(text, sizeof text, "%d", value);
  if (setenv(name, text, 1)) fail("no memory", "");
}

static pid_t start(const job *j, int pe) {
  const pid_t us = getpid(), pid = fork();
  if (pid < 0) fail("this machine starts no more processes: ", strerror(errno));
  if (pid) return pid;
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != us) _exit(1);
  set("TOCSIN_SHMEM_RANKS", j->n);
  set("TOCSIN_SHMEM_RANK", pe);
  if (setenv("TOCSIN_SHMEM_ROOT", j->root, 1)) fail("no memory", "");
  if (pe)
    close(j->listener);
  else
    set("TOCSIN_SHMEM_LISTENER", j->listener);
  execvp(j->program[0], j->program);
  fprintf(stderr, "oshrun: %s: %s\n", j->program[0], strerror(errno));
  _exit(127);
}

// Their time to end is over.
static const job *late;
static void kill_all(int signal) {
  (void)signal;
  for (int pe = 0; pe < late->n; pe++)
    if (late->pid[pe]) kill(late->pid[pe], SIGKILL);
}

// Whether it was a PE. It is none any more.
static bool was_pe(job *j, pid_t pid) {
  for (int pe = 0; pe < j->n; pe++)
    if (j->pid[pe] == pid) {
      j->pid[pe] = 0;
      return true;
    }
  return false;
}

static void end_all(const job *j) {
  for (int pe = 0; pe < j->n; pe++)
    if (j->pid[pe]) kill(j->pid[pe], SIGTERM);
  late = j;
  signal(SIGALRM, kill_all);
  alarm(GRACE_S);
}

// The first that fails says how; the others are ended, since they would wait for it. Who has become oshrun may have had
// other children.
static int wait_for(job *j) {
  int first = 0;
  for (int left = j->n; left;) {
    int status;
    const pid_t pid = wait(&status);
    if (pid < 0 && errno == EINTR) continue;
    if (pid < 0) fail("the PEs are not to be waited for: ", strerror(errno));
    if (!was_pe(j, pid)) continue;
    left--;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (!code || first) continue;
    first = code;
    if (WIFSIGNALED(status)) fprintf(stderr, "oshrun: a PE has died by signal %d\n", WTERMSIG(status));
    end_all(j);
  }
  return first;
}

int main(int argc, char **argv) {
  job j = parse(argc, argv);
  signal(SIGCHLD, SIG_DFL);  // whoever ignores it is not told how his children end
  if (!j.here) by_mpirun(&j);
  listens(&j);
  fflush(NULL);
  for (int pe = 0; pe < j.n; pe++) j.pid[pe] = start(&j, pe);
  close(j.listener);
  return wait_for(&j);
}
