// SPDX-License-Identifier: Apache-2.0
// Backend fpga on a pseudo-terminal; at the other end a thread serves the registers of another backend's node (the model, or with
// --backend rtl the Verilated hardware), or plays a line that damages what passes.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include "scene.h"
#include "serial.h"
#include "tocsin/aa_regs.h"
#include "tocsin/backend.h"

typedef struct line {
  int fd;
  char name[64];
  toc_node *node;
  volatile bool stop;
  pthread_t thread;
} line;

static void *serve(void *arg) {
  line *l = arg;
  (void)toc_serve_registers(l->node, l->fd, &l->stop);
  return NULL;
}

static bool line_open(line *l) {
  struct termios t;
  l->fd = posix_openpt(O_RDWR | O_NOCTTY);
  bool ok = l->fd >= 0 && !grantpt(l->fd) && !unlockpt(l->fd) && !ptsname_r(l->fd, l->name, sizeof l->name);
  CHECK(ok);
  if (!ok) return false;
  tcgetattr(l->fd, &t);
  cfmakeraw(&t);
  tcsetattr(l->fd, TCSANOW, &t);
  l->stop = false;
  return true;
}

static void line_close(line *l) {
  l->stop = true;
  pthread_join(l->thread, NULL);
  close(l->fd);
}

static bool told(const char *what) {
  if (strstr(toc_why(), what)) return true;
  printf("  said: %s\n", toc_why());
  return false;
}

// The same registers through the line as without it.
static void served(void) {
  toc_fabric *f, *far;
  line l;
  uint64_t direct, v;
  OK(toc_open(&(toc_options){.backend = backend}, &f));
  if (!f || !line_open(&l)) return;
  l.node = toc_node_at(f, 0);
  EQ(pthread_create(&l.thread, NULL, serve, &l), 0);
  OK(toc_open(&(toc_options){.backend = "fpga", .path = l.name}, &far));
  if (far) {
    toc_node *n = toc_node_at(far, 0);
    toc_caps here, there;
    toc_caps_of(l.node, &here);
    toc_caps_of(n, &there);
    CHECK(!memcmp(&here, &there, sizeof here));
    for (uint32_t a = AA_REG_AA_ID; a < AA_REG_AA_ID + 0x40; a += 8) {
      OK(toc_reg_read(l.node, a, 8, &direct));
      OK(toc_reg_read(n, a, 8, &v));
      EQ(v, direct);
    }
    OK(toc_reg_write(n, AA_REG_AA_WDOG, 4, 0x12345));
    OK(toc_reg_read(l.node, AA_REG_AA_WDOG, 4, &v));
    EQ(v, 0x12345);
    IS(toc_reg_read(n, 3, 4, &v), TOC_E_ARG);
    toc_proc *p;
    IS(toc_proc_open(n, &p), TOC_E_SUPPORT);
    toc_close(far);
  }
  /* Nonsense, then a good request by hand: the device finds its way back. Asked again, it is not done again. */
  int fd = open(l.name, O_RDWR | O_NOCTTY);
  uint8_t noise[] = {SERIAL_ASK, 8, 0, 'x', 'W'}, b[SERIAL_MOST] = {SERIAL_ASK, 8}, a[SERIAL_MOST];
  EQ(toc_i_serial_write(fd, noise, sizeof noise), 0);
  EQ(toc_i_serial_read(fd, a, sizeof a, 50), 0);
  b[3] = 0x10;  // AA_ID
  b[5] = toc_i_serial_crc(b + 1, 4);
  EQ(toc_i_serial_write(fd, b, 6), 0);
  EQ(toc_i_serial_read(fd, a, 11, 200), 11);
  CHECK(a[0] == SERIAL_ANSWER && !a[1] && a[2] == 'T' && a[3] == 'O' && a[10] == toc_i_serial_crc(a + 1, 9));
  b[1] = 3;  // no such size
  b[5] = toc_i_serial_crc(b + 1, 4);
  EQ(toc_i_serial_write(fd, b, 6), 0);
  EQ(toc_i_serial_read(fd, a, 11, 50), 3);
  EQ(a[1], SERIAL_REQUEST);
  b[5] ^= 1;
  EQ(toc_i_serial_write(fd, b, 6), 0);
  EQ(toc_i_serial_read(fd, a, 11, 50), 3);
  EQ(a[1], SERIAL_CRC);
  uint8_t w[SERIAL_MOST] = {SERIAL_ASK, SERIAL_WRITE | SERIAL_TURN | 4, 0x20, 0x10, 0, 7};  // AA_WDOG := 7
  w[9] = toc_i_serial_crc(w + 1, 8);
  for (unsigned i = 0; i < 2; i++) {
    EQ(toc_i_serial_write(fd, w, 10), 0);
    EQ(toc_i_serial_read(fd, a, 11, 50), 3);
    EQ(a[1], SERIAL_DONE);
    OK(toc_reg_read(l.node, AA_REG_AA_WDOG, 4, &v));
    EQ(v, i ? 9 : 7);
    OK(toc_reg_write(l.node, AA_REG_AA_WDOG, 4, 9));
  }
  close(fd);
  line_close(&l);
  toc_close(f);
}

/* Answers reads of VER, but not always well. */
static unsigned asked;
static void *bad_line(void *arg) {
  line *l = arg;
  while (!l->stop) {
    uint8_t b[SERIAL_MOST], a[SERIAL_MOST] = {SERIAL_ANSWER, SERIAL_DONE, AA_RESET_VER};
    if (toc_i_serial_read(l->fd, b, 6, 10) != 6) continue;
    size_t n = 2 + (b[1] & 15);
    a[n] = toc_i_serial_crc(a + 1, n - 1);
    if (++asked % 3 == 1) a[4] ^= 0x40;  // damaged
    if (asked % 3 == 2) continue;        // lost
    toc_i_serial_write(l->fd, a, n + 1);
  }
  return NULL;
}

static void damaged(void) {
  toc_fabric *f;
  line l;
  if (!line_open(&l)) return;
  EQ(pthread_create(&l.thread, NULL, bad_line, &l), 0);
  IS(toc_open(&(toc_options){.backend = "fpga", .path = l.name}, &f), TOC_E_DEVICE);  // each register is VER
  CHECK(told("CAP"));
  EQ(asked, 6);  // VER and CAP, three times each
  line_close(&l);
}

static void nobody(void) {
  toc_fabric *f;
  char path[80];
  IS(toc_open(&(toc_options){.backend = "fpga", .path = "/nowhere/tty"}, &f), TOC_E_BACKEND);
  line l;
  if (!line_open(&l)) return;
  snprintf(path, sizeof path, "%s@12345", l.name);
  IS(toc_open(&(toc_options){.backend = "fpga", .path = path}, &f), TOC_E_BACKEND);
  snprintf(path, sizeof path, "%s@921600", l.name);
  IS(toc_open(&(toc_options){.backend = "fpga", .path = path}, &f), TOC_E_DEAD);  // nobody answers
  close(l.fd);
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  served();
  damaged();
  nobody();
  return report();
}
