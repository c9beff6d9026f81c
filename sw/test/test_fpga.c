// SPDX-License-Identifier: Apache-2.0
// Backend fpga on a pseudo-terminal; at the other end a thread serves the registers of another backend's node (the
// model, or with --backend rtl the Verilated hardware), or plays a line that damages what passes.
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <termios.h>
#include <unistd.h>

#include "internal.h"
#include "scene.h"
#include "serial.h"
#include "tocsin/aa_regs.h"
#include "tocsin/backend.h"

typedef struct line {
  int fd;
  char name[64];
  toc_node *node;
  volatile bool stop, fuzz;
  size_t said;
  toc_status ended;
  pthread_t thread;
} line;

static void *serve(void *arg) {
  line *l = arg;
  l->ended = toc_serve_registers(l->node, l->fd, &l->stop);
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
  l->ended = TOC_OK;  // also where no registers are served
  return true;
}

static void line_close(line *l) {
  l->stop = true;
  pthread_join(l->thread, NULL);
  CHECK(l->ended == TOC_OK || l->ended == TOC_E_IO);  // the line may go before it sees that it shall stop
  close(l->fd);
}

static bool told(const char *what) {
  if (strstr(toc_why(), what)) return true;
  printf("  said: %s\n", toc_why());
  return false;
}

/* An answer of n bytes, and no byte more. It has a minute to come: on a busy machine the other end
 * may be long in waking. */
enum { ANSWER_MS = 60000, SILENCE_MS = 20 };
static bool answered(int fd, uint8_t *a, size_t n) {
  uint8_t more;
  return toc_i_serial_read(fd, a, n, ANSWER_MS) == n && !toc_i_serial_read(fd, &more, 1, SILENCE_MS);
}

/* After words that were broken: a good request of n bytes is answered by k good ones. The device begins anew after a
 * pause, as it sees pauses: when its thread slept through ours, the request was the end of the broken words. So each
 * pause is twice the last; how many more than one were needed. */
enum { PAUSES = 10 };
static unsigned resumes(int fd, const uint8_t *b, size_t n, uint8_t *a, size_t k) {
  for (unsigned i = 0; i < PAUSES; i++) {
    uint8_t stale[64];
    while (toc_i_serial_read(fd, stale, sizeof stale, (4 << i) * SERIAL_PAUSE_MS)) continue;
    if (toc_i_serial_write(fd, b, n)) break;
    if (toc_i_serial_read(fd, a, k, 500 << i) == k && a[0] == SERIAL_ANSWER && !a[1] &&
        a[k - 1] == toc_i_serial_crc(a + 1, k - 2))
      return i;
  }
  return PAUSES;
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
  b[3] = 0x10;  // AA_ID
  b[5] = toc_i_serial_crc(b + 1, 4);
  CHECK(resumes(fd, b, 6, a, 11) < PAUSES);
  CHECK(a[2] == 'T' && a[3] == 'O');
  b[1] = 3;  // no such size
  b[5] = toc_i_serial_crc(b + 1, 4);
  EQ(toc_i_serial_write(fd, b, 6), 0);
  CHECK(answered(fd, a, 3));
  EQ(a[1], SERIAL_REQUEST);
  b[5] ^= 1;
  EQ(toc_i_serial_write(fd, b, 6), 0);
  CHECK(answered(fd, a, 3));
  EQ(a[1], SERIAL_CRC);
  uint8_t w[SERIAL_MOST] = {SERIAL_ASK, SERIAL_WRITE | SERIAL_TURN | 4, 0x20, 0x10, 0, 7};  // AA_WDOG := 7
  w[9] = toc_i_serial_crc(w + 1, 8);
  for (unsigned i = 0; i < 2; i++) {
    EQ(toc_i_serial_write(fd, w, 10), 0);
    CHECK(answered(fd, a, 3));
    EQ(a[1], SERIAL_DONE);
    OK(toc_reg_read(l.node, AA_REG_AA_WDOG, 4, &v));
    EQ(v, i ? 9 : 7);
    OK(toc_reg_write(l.node, AA_REG_AA_WDOG, 4, 9));
  }
  close(fd);
  line_close(&l);
  toc_close(f);
}

/* Between the terminal and who serves: while `mute` is set no answer comes through. */
typedef struct relay {
  int near, far;
  volatile bool stop, mute;
  unsigned late_us;  // of an answer
  pthread_t thread;
} relay;

static void *pass(void *arg) {
  relay *r = arg;
  while (!r->stop) {
    struct pollfd p[2] = {{.fd = r->near, .events = POLLIN}, {.fd = r->far, .events = POLLIN}};
    uint8_t b[64];
    ssize_t k = 0;
    if (poll(p, 2, 10) <= 0) continue;
    if (p[0].revents & POLLIN && (k = read(r->near, b, sizeof b)) > 0) toc_i_serial_write(r->far, b, (size_t)k);
    if (p[1].revents & POLLIN && (k = read(r->far, b, sizeof b)) > 0 && !r->mute) {
      if (r->late_us) usleep(r->late_us);
      toc_i_serial_write(r->near, b, (size_t)k);
    }
  }
  return NULL;
}

/* A board's fabric behind a serial line that a relay carries. */
typedef struct relayed {
  toc_fabric *f;
  line outer, inner;  // of the program, of the board
  int far;
  relay r;
} relayed;

static bool relayed_open(relayed *s, unsigned late_us) {
  int pair[2];
  *s = (relayed){.far = -1};
  OK(toc_open(&(toc_options){.backend = backend}, &s->f));
  EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
  if (!s->f || !line_open(&s->outer)) return false;
  s->far = pair[0];
  s->inner.fd = pair[1];
  s->inner.node = toc_node_at(s->f, 0);
  s->r = (relay){.near = s->outer.fd, .far = s->far, .late_us = late_us};
  EQ(pthread_create(&s->inner.thread, NULL, serve, &s->inner), 0);
  EQ(pthread_create(&s->r.thread, NULL, pass, &s->r), 0);
  return true;
}

static void relayed_close(relayed *s) {
  s->r.stop = true;
  pthread_join(s->r.thread, NULL);
  line_close(&s->inner);
  close(s->far);
  close(s->outer.fd);
  toc_close(s->f);
}

/* A write is done, and none of its answers arrives. The next one to that register is another one, and not its echo. */
static void mute(void) {
  relayed s;
  toc_fabric *far;
  uint64_t v;
  if (!relayed_open(&s, 0)) return;
  OK(toc_open(&(toc_options){.backend = "fpga", .path = s.outer.name}, &far));
  if (far) {
    toc_node *n = toc_node_at(far, 0);
    OK(toc_reg_write(n, AA_REG_AA_WDOG, 4, 9));
    s.r.mute = true;
    IS(toc_reg_write(n, AA_REG_AA_WDOG, 4, 5), TOC_E_DEAD);
    IS(toc_reg_write(n, AA_REG_AA_WDOG, 4, 6), TOC_E_DEAD);
    s.r.mute = false;
    OK(toc_reg_write(n, AA_REG_AA_WDOG, 4, 7));
    OK(toc_reg_read(s.inner.node, AA_REG_AA_WDOG, 4, &v));
    EQ(v, 7);
    toc_close(far);
  }
  relayed_close(&s);
}

static void on_alarm(int sig) { (void)sig; }

/* A program that is interrupted all the time has its answers, though each takes longer than it is left alone. */
static void interrupted(void) {
  const struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
  relayed s;
  toc_fabric *far;
  uint64_t v;
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  sigaction(SIGALRM, &(struct sigaction){.sa_handler = on_alarm}, NULL);
  pthread_sigmask(SIG_BLOCK, &alarm, NULL);  // the others are not interrupted
  const bool open = relayed_open(&s, 20000);
  pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
  if (!open) return;
  setitimer(ITIMER_REAL, &often, NULL);
  OK(toc_open(&(toc_options){.backend = "fpga", .path = s.outer.name}, &far));
  if (far) {
    OK(toc_reg_write(toc_node_at(far, 0), AA_REG_AA_WDOG, 4, 11));
    OK(toc_reg_read(toc_node_at(far, 0), AA_REG_AA_WDOG, 4, &v));
    EQ(v, 11);
    toc_close(far);
  }
  setitimer(ITIMER_REAL, &never, NULL);
  relayed_close(&s);
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

/* A line that talks without end, as fast as somebody listens. */
static void *babble(void *arg) {
  line *l = arg;
  uint8_t noise[64];
  memset(noise, 0x33, sizeof noise);
  while (!l->stop) {
    struct pollfd p = {.fd = l->fd, .events = POLLOUT};
    ssize_t k = poll(&p, 1, 10) == 1 ? write(l->fd, noise, sizeof noise) : 0;
    if (k > 0) l->said += (size_t)k;
  }
  return NULL;
}

static void never_silent(void) {
  toc_fabric *f;
  line l = {.said = 0};
  if (!line_open(&l)) return;
  fcntl(l.fd, F_SETFL, O_NONBLOCK);
  EQ(pthread_create(&l.thread, NULL, babble, &l), 0);
  IS(toc_open(&(toc_options){.backend = "fpga", .path = l.name}, &f), TOC_E_DEAD);
  line_close(&l);
  CHECK(l.said < 1u << 16);  // it was not listened to for long
}

static void no_line(void) {
  toc_fabric *f;
  int pair[2];
  bool stop = false;
  OK(toc_open(&(toc_options){.backend = backend}, &f));
  if (!f || socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return;
  close(pair[1]);
  IS(toc_serve_registers(toc_node_at(f, 0), pair[0], &stop), TOC_E_IO);  // its other end is gone
  close(pair[0]);
  IS(toc_serve_registers(toc_node_at(f, 0), pair[0], &stop), TOC_E_IO);  // and now itself
  IS(toc_serve_registers(toc_node_at(f, 0), -1, &stop), TOC_E_IO);
  toc_close(f);
}

// ---- mutation: what the two ends make of each other's words when some are wrong. The same from run to run.
static uint64_t dice;
static uint32_t roll(uint32_t n) { return scene_random(&dice) % n; }

/* Flips, drops, doubles or cuts off bytes of a message, or puts noise before it. Its new length. */
static size_t mutate(uint8_t *b, size_t n, size_t room) {
  size_t at = roll((uint32_t)n);
  switch (roll(5)) {
    case 0: b[at] ^= (uint8_t)(1 + roll(255)); break;
    case 1: n = at; break;
    case 2:
      memmove(b + at, b + at + 1, n - at - 1);
      n--;
      break;
    case 3:
      if (n == room) break;
      memmove(b + at + 1, b + at, n - at);
      b[at] = (uint8_t)roll(256);
      n++;
      break;
    default:
      for (size_t i = 0; i < n; i++) b[i] = roll(4) ? b[i] : (uint8_t)roll(256);
  }
  return n;
}

/* The device's end: whatever came before, after a pause the next good request is answered as if nothing had been. */
static void mutated_requests(void) {
  toc_fabric *f;
  int pair[2];
  line l = {.stop = false};
  OK(toc_open(&(toc_options){.backend = backend}, &f));
  if (!f || socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return;
  l.fd = pair[0];
  l.node = toc_node_at(f, 0);
  EQ(pthread_create(&l.thread, NULL, serve, &l), 0);
  unsigned wrong = 0, again = 0, tries = scene_few(250);
  for (unsigned i = 0; i < tries; i++) {
    uint8_t b[32] = {SERIAL_ASK}, a[64];
    unsigned bytes = roll(2) ? 4 : 8;
    bool write = roll(2);
    b[1] = (uint8_t)(bytes | (write ? SERIAL_WRITE : 0) | (roll(2) ? SERIAL_TURN : 0));
    toc_i_put(b + 2, 3, roll(1u << 21) / 8 * 8);
    for (unsigned k = 0; k < 8; k++) b[5 + k] = (uint8_t)roll(256);
    size_t n = write ? 5 + bytes : 5;
    b[n] = toc_i_serial_crc(b + 1, n - 1);
    n = mutate(b, n + 1, sizeof b);
    if (toc_i_serial_crc(b + 1, n > 2 ? n - 2 : 0) == b[n ? n - 1 : 0])
      b[n ? n - 1 : 0] ^= 0x55;  // it may not be done by luck
    EQ(toc_i_serial_write(pair[1], b, n), 0);
    uint8_t ver[6] = {SERIAL_ASK, (uint8_t)(4 | (i & 1 ? SERIAL_TURN : 0)), AA_REG_VER};
    ver[5] = toc_i_serial_crc(ver + 1, 4);
    unsigned pauses = resumes(pair[1], ver, sizeof ver, a, 7);
    if (pauses == PAUSES || toc_i_get(a + 2, 4) != AA_RESET_VER)
      wrong++;
    else
      again += pauses;
  }
  EQ(wrong, 0);
  CHECK(again <= tries / 4);  // a device that needs two pauses is not excused by a busy machine
  close(pair[1]);
  l.stop = true;
  pthread_join(l.thread, NULL);
  close(pair[0]);
  toc_close(f);
}

/* Our end: two answers in five have something wrong with them. A value that comes back is the register's. */
static void *mutated_answers(void *arg) {
  line *l = arg;
  while (!l->stop) {
    uint8_t b[SERIAL_MOST], a[32] = {SERIAL_ANSWER, SERIAL_DONE};
    if (toc_i_serial_read(l->fd, b, 6, 10) != 6) continue;
    unsigned bytes = b[1] & 15;
    uint64_t v = 0;
    if (toc_reg_read(l->node, (uint32_t)toc_i_get(b + 2, 3), bytes, &v) != TOC_OK) continue;
    toc_i_put(a + 2, bytes, v);
    size_t n = 2 + bytes;
    a[n] = toc_i_serial_crc(a + 1, n - 1);
    n++;
    if (l->fuzz && roll(5) < 2) {
      n = mutate(a, n, sizeof a);
      /* Eight bits of check let one in 256 through; here none. */
      if (a[1] == SERIAL_DONE && toc_i_get(a + 2, bytes) != v && a[2 + bytes] == toc_i_serial_crc(a + 1, 1 + bytes))
        a[2 + bytes] ^= 0x55;
    }
    toc_i_serial_write(l->fd, a, n);
  }
  return NULL;
}

static void answers_mutated(void) {
  toc_fabric *f, *far;
  line l = {.stop = false};
  OK(toc_open(&(toc_options){.backend = backend}, &f));
  if (!f || !line_open(&l)) return;
  l.node = toc_node_at(f, 0);
  EQ(pthread_create(&l.thread, NULL, mutated_answers, &l), 0);
  unsigned right = 0, none = 0, wrong = 0;
  for (unsigned i = 0; i < scene_few(6); i++) {
    l.fuzz = false;
    OK(toc_open(&(toc_options){.backend = "fpga", .path = l.name}, &far));
    if (!far) break;
    l.fuzz = true;
    for (unsigned k = 0; k < 8; k++) {
      uint64_t v;
      toc_status s = toc_reg_read(toc_node_at(far, 0), AA_REG_AA_ID, 8, &v);
      if (s == TOC_OK && v == AA_RESET_AA_ID)
        right++;
      else if (s != TOC_OK && !v)
        none++;
      else
        wrong++;
    }
    toc_close(far);
  }
  EQ(wrong, 0);
  CHECK(right > none);
  line_close(&l);
  toc_close(f);
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
  mute();
  interrupted();
  damaged();
  nobody();
  never_silent();
  no_line();
  dice = seed * 0x9e3779b97f4a7c15u + 1;
  mutated_requests();
  answers_mutated();
  return report();
}
