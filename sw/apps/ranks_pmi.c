// SPDX-License-Identifier: Apache-2.0
// The launcher's own table of names and values: PMI-1, lines of text over the socket PMI_FD that mpirun of MPICH
// (Hydra, which is that of Intel MPI and MVAPICH too) hands to each process. No MPI library is asked: some
// distributions' speaks another PMI than their mpirun, and takes each process to be alone.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ranks.h"

enum { LINE = 1024 };

static int fd = -1;

// One line to the launcher, and its answer, which has to begin with "cmd=answer".
static bool ask(const char *line, const char *answer, char *got) {
  size_t n = strlen(line), have = 0;
  for (size_t at = 0; at < n;) {
    ssize_t k = send(fd, line + at, n - at, MSG_NOSIGNAL);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return false;
    at += (size_t)k;
  }
  while (!have || got[have - 1] != '\n') {
    ssize_t k = have < LINE - 1 ? read(fd, got + have, 1) : 0;
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return false;
    have++;
  }
  got[have - 1] = 0;
  n = strlen(answer);
  return !strncmp(got, "cmd=", 4) && !strncmp(got + 4, answer, n) && (got[4 + n] == ' ' || !got[4 + n]);
}

// What the answer says of a name, which ends at a blank: at most `size` less one characters.
static bool field(const char *got, const char *name, char *to, size_t size) {
  char key[32];
  snprintf(key, sizeof key, " %s=", name);
  const char *at = strstr(got, key);
  size_t n = at ? strcspn(at += strlen(key), " ") : 0;
  if (!n || n >= size) return false;
  memcpy(to, at, n);
  to[n] = 0;
  return true;
}

static bool done(const char *got) {
  char rc[8];
  return field(got, "rc", rc, sizeof rc) && !strcmp(rc, "0");
}

static bool tell(bool first, char *text, size_t size) {
  char line[LINE], got[LINE], table[256];
  if (!ask("cmd=init pmi_version=1 pmi_subversion=1\n", "response_to_init", got) || !done(got)) return false;
  if (!ask("cmd=get_my_kvsname\n", "my_kvsname", got) || !field(got, "kvsname", table, sizeof table)) return false;
  snprintf(line, sizeof line, "cmd=put kvsname=%s key=tocsin-root value=%s\n", table, text);
  if (first && (!ask(line, "put_result", got) || !done(got))) return false;
  if (!ask("cmd=barrier_in\n", "barrier_out", got)) return false;
  snprintf(line, sizeof line, "cmd=get kvsname=%s key=tocsin-root\n", table);
  return ask(line, "get_result", got) && done(got) && field(got, "value", text, size);
}

bool ranks_pmi_tell(bool first, char *text, size_t size, char *why) {
  const char *number = getenv("PMI_FD");
  if (!number || !*number || number[strspn(number, "0123456789")]) {
    snprintf(why, RANKS_WHY, "mpirun of MPICH: it has set no PMI_FD; start the ranks without its option -pmi-port");
    return false;
  }
  fd = (int)strtol(number, NULL, 10);
  if (tell(first, text, size)) return true;
  snprintf(why, RANKS_WHY, "mpirun of MPICH: it does not answer by PMI-1 on descriptor %d", fd);
  return false;
}

// A process that goes without a word ends the others, as MPI has it.
void ranks_pmi_end(void) {
  char got[LINE];
  if (fd >= 0) (void)ask("cmd=finalize\n", "finalize_ack", got);
  fd = -1;
}
