// SPDX-License-Identifier: Apache-2.0
// A board without a board: the Verilated rtl/top/tocsin_fpga.sv with its serial line on a pseudo-terminal, whose name
// is the first line of output. Runs until standard input ends.
//
//   build/bin/tocsin-board < fifo &      /dev/pts/5
//   tocsin regs --backend fpga --path /dev/pts/5
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include "pins.h"

// A bit is BOARD_DIV cycles. Bits go out in the middle of nothing else: one line each way, a bit at a time.
typedef struct board {
  dut *d;
  pins p;
  int fd;
  unsigned out, out_bits, out_left;  // to the board: bits still to send, the present one's cycles
  unsigned in, in_bits, in_left;     // from the board: sampled in the middle
} board;

static void cycle(board *b) {
  *b->p.clk_i = 0;
  dut_eval(b->d);
  *b->p.clk_i = 1;
  dut_eval(b->d);
}

static void send(board *b) {
  uint8_t byte;
  if (b->out_left) {
    b->out_left--;
  } else if (b->out_bits) {
    b->out >>= 1;
    b->out_bits--;
    b->out_left = BOARD_DIV - 1;
  } else if (read(b->fd, &byte, 1) == 1) {
    b->out = (0x300u | byte) << 1;  // start, data, stop
    b->out_bits = 10;
    b->out_left = BOARD_DIV - 1;
  }
  *b->p.uart_rx_i = b->out_bits ? b->out & 1 : 1;
}

static void receive(board *b) {
  unsigned line = *b->p.uart_tx_o & 1;
  if (!b->in_bits) {
    if (line) return;
    b->in = 0;
    b->in_bits = 10;
    b->in_left = BOARD_DIV / 2;
  }
  if (b->in_left--) return;
  b->in_left = BOARD_DIV - 1;
  b->in |= line << (10 - b->in_bits);
  if (--b->in_bits) return;
  uint8_t byte = (uint8_t)(b->in >> 1);
  if ((b->in & 0x201) != 0x200 || write(b->fd, &byte, 1) != 1) fputs("tocsin-board: a byte was lost\n", stderr);
}

static int terminal(void) {
  struct termios t;
  int fd = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
  if (fd < 0 || grantpt(fd) || unlockpt(fd) || tcgetattr(fd, &t)) {
    perror("tocsin-board");
    exit(3);
  }
  cfmakeraw(&t);
  tcsetattr(fd, TCSANOW, &t);
  puts(ptsname(fd));
  fflush(stdout);
  return fd;
}

int main(void) {
  board b = {.fd = terminal()};
  b.d = dut_new(1, NULL, &b.p);
  *b.p.rst_ni = 0;
  *b.p.uart_rx_i = 1;
  for (unsigned i = 0; i < 4; i++) cycle(&b);
  *b.p.rst_ni = 1;
  for (unsigned quiet = 0;;) {
    send(&b);
    cycle(&b);
    receive(&b);
    quiet = b.out_bits || b.in_bits ? 0 : quiet + 1;
    if (quiet < 20000) continue;
    // Nothing for a long while: sleep until there is something, or nobody wants us any more.
    struct pollfd p[2] = {{.fd = b.fd, .events = POLLIN}, {.fd = 0, .events = POLLIN}};
    poll(p, 2, -1);
    char c;
    if ((p[1].revents & (POLLIN | POLLHUP)) && read(0, &c, 1) <= 0) break;
    if (p[0].revents & POLLHUP) usleep(10000);  // nobody has opened the terminal
    quiet = 0;
  }
  dut_free(b.d);
  return 0;
}
