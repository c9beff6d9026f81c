// SPDX-License-Identifier: Apache-2.0
// test_board BOARD: the backend `fpga` against the hardware that a board would have, on a pseudo-terminal: probe,
// registers of both halves, a walk that finds no memory.
#define _GNU_SOURCE
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "scene.h"
#include "tocsin/aa_regs.h"
#include "tocsin/nic_regs.h"
#include "tocsin/regs_table.h"

enum { NIC = 1 << 20 };

static pid_t board(const char *program, char name[64], int *keep) {
  int in[2], out[2];
  if (pipe(in) || pipe(out)) return -1;
  pid_t pid = fork();
  if (!pid) {
    dup2(in[0], 0);
    dup2(out[1], 1);
    close(in[1]);
    execl(program, program, (char *)NULL);
    _exit(3);
  }
  close(in[0]);
  close(out[1]);
  FILE *f = fdopen(out[0], "r");
  if (pid < 0 || !f || !fgets(name, 64, f)) return -1;
  name[strcspn(name, "\n")] = 0;
  fclose(f);
  *keep = in[1];
  return pid;
}

int main(int argc, char **argv) {
  char name[64] = "";
  int keep = -1;
  toc_fabric *f = NULL;
  uint64_t v = 0;
  if (argc < 2) return 2;
  signal(SIGPIPE, SIG_IGN);
  pid_t pid = board(argv[1], name, &keep);
  CHECK(pid > 0);
  const toc_options o = {.backend = "fpga", .path = name, .patience_ms = 10000000};  // a busy machine is a slow board
  OK(toc_open(&o, &f));
  if (f) {
    toc_node *n = toc_node_at(f, 0);
    toc_caps caps;
    toc_caps_of(n, &caps);
    EQ(caps.logs, 8);
    EQ(caps.qps, 16);
    OK(toc_reg_read(n, AA_REG_CAP, 8, &v));
    EQ(v, AA_RESET_CAP);
    OK(toc_reg_read(n, AA_REG_AA_ID, 8, &v));
    EQ(v, AA_RESET_AA_ID);
    // every bit of a register, halves by themselves, both sides of the device
    const struct {
      uint32_t addr;
      uint64_t value;
    } word[] = {{AA_REG_RTADDR, 0x123456789000}, {NIC | NIC_REG_NIC_MAC, 0x025443460001}};
    for (unsigned i = 0; i < 2; i++) {
      OK(toc_reg_write(n, word[i].addr, 8, word[i].value));
      OK(toc_reg_read(n, word[i].addr, 8, &v));
      EQ(v, word[i].value);
      OK(toc_reg_read(n, word[i].addr + 4, 4, &v));
      EQ(v, word[i].value >> 32);
    }
    // Registers that count what is written: twice would show.
    for (unsigned i = 0; i < 20; i++) OK(toc_reg_write(n, AA_REG_AA_WDOG, 4, i));
    OK(toc_reg_read(n, AA_REG_AA_WDOG, 4, &v));
    EQ(v, 19);
    // The invalidation queue lies in memory that is not there: the hardware must say so.
    OK(toc_reg_write(n, AA_REG_IQA, 8, 0x1000));
    OK(toc_reg_write(n, AA_REG_GCMD, 4, AA_GCMD_QIE_MASK));
    OK(toc_reg_write(n, AA_REG_IQT, 8, 0x10));
    for (unsigned i = 0; i < 50; i++) {
      OK(toc_reg_read(n, AA_REG_FSTS, 4, &v));
      if (v & AA_FSTS_IQE_MASK) break;
    }
    CHECK(v & AA_FSTS_IQE_MASK);
    toc_proc *p;
    IS(toc_proc_open(n, &p), TOC_E_SUPPORT);
    toc_close(f);
  }
  // Somebody else opens the same line: whatever the board remembers of us does no harm.
  OK(toc_open(&o, &f));
  if (f) {
    OK(toc_reg_read(toc_node_at(f, 0), AA_REG_AA_WDOG, 4, &v));
    EQ(v, 19);
    toc_close(f);
  }
  close(keep);
  int status = -1;
  CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0);
  return report();
}
