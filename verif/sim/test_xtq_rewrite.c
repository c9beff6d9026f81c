// SPDX-License-Identifier: Apache-2.0
// xtq_rewrite against bytes: a command as an initiator fills it, then as HSA lays a packet out for kernel and function.
// Each rule of the specification by itself, and then everything at random.
// Rules of rtl/xtq/README.md: RBF-5, RBF-6, RBF-7.
// config: default
// netlist: default
#include <string.h>

#include "tb.h"
#include "xtq_rewrite_tb.h"

typedef struct message {
  bool func, has_args, has_pay;
  uint8_t cmd[64];
  uint64_t code, target, signal, flags, args_va, pay_va;
} message;

static void put64(uint8_t *at, uint64_t v) {
  for (unsigned i = 0; i < 8; i++) at[i] = (uint8_t)(v >> 8 * i);
}

static void words_of(uint32_t *w, const uint8_t *bytes, unsigned n) {
  for (unsigned i = 0; i < n; i++) bits_set(w, 8 * i, 8, bytes[i]);
}

// What must be enqueued, and what must stand at the start of the arguments (returns which of the two words;
// the others: as sent).
static unsigned rewritten(const message *m, uint8_t packet[64], uint8_t args[16]) {
  uint64_t payload = m->has_pay ? m->pay_va : 0;
  bool has_target = m->flags >> 1 & 1;
  memcpy(packet, m->cmd, 64);
  if (m->func) {
    put64(packet + 8, m->code);
    if (has_target) put64(packet + 16, m->target);
    put64(packet + 24, payload);
  } else {
    put64(packet + 32, m->code);
    put64(packet + 40, m->has_args ? m->args_va : 0);
  }
  put64(packet + 48, 0);
  put64(packet + 56, m->signal);
  put64(args, m->target);
  put64(args + 8, payload);
  return m->func || !m->has_args ? 0 : has_target ? 3 : 2;
}

static void check(tb *t, dut *d, const message *m, const char *what) {
  uint32_t cmd[16] = {0}, entry[8] = {0}, got[16], got_arg[4], want[16] = {0}, want_arg[4] = {0};
  uint8_t packet[64], args[16];
  words_of(cmd, m->cmd, 64);
  bits_set(entry, 0, 64, m->code);
  bits_set(entry, 64, 64, m->target);
  bits_set(entry, 128, 64, m->signal);
  bits_set(entry, 192, 64, m->flags);
  dut_set_func_i(d, m->func);
  dut_set_cmd_i(d, cmd);
  dut_set_entry_i(d, entry);
  dut_set_has_args_i(d, m->has_args);
  dut_set_has_pay_i(d, m->has_pay);
  dut_set_args_va_i(d, m->args_va);
  dut_set_pay_va_i(d, m->pay_va);
  dut_eval(d);
  unsigned swap = rewritten(m, packet, args);
  words_of(want, packet, 64);
  words_of(want_arg, args, 16);
  dut_get_cmd_o(d, got);
  dut_get_arg_o(d, got_arg);
  CHECK_MEM(t, got, want, sizeof want, "packet: %s", what);
  CHECK_EQ(t, dut_get_swap_o(d), swap, "which arguments are rewritten: %s", what);
  if (swap & 1) CHECK_MEM(t, got_arg, want_arg, 8, "target buffer: %s", what);
  if (swap & 2) CHECK_MEM(t, got_arg + 2, want_arg + 2, 8, "payload: %s", what);
}

static message plain(tb *t) {
  message m = {.has_args = true, .has_pay = true, .flags = 3};
  for (unsigned i = 0; i < 64; i++) m.cmd[i] = (uint8_t)rnd(t);
  m.code = rnd(t), m.target = rnd(t), m.signal = rnd(t), m.args_va = rnd(t), m.pay_va = rnd(t);
  return m;
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "xtq_rewrite", 20000);
  dut *d = dut_begin(&t);

  message m = plain(&t);
  check(&t, d, &m, "kernel with everything");
  m.has_pay = false;
  check(&t, d, &m, "kernel without payload: a null pointer for it");
  m.has_args = false;
  check(&t, d, &m, "kernel without arguments: kernarg_address is 0");
  m = plain(&t), m.flags = 1;
  check(&t, d, &m, "kernel without target buffer: argument 0 as sent, the payload's address in argument 1");
  m.has_pay = false;
  check(&t, d, &m, "kernel without target buffer and payload: argument 1 is 0, not the initiator's");
  m.has_args = false;
  check(&t, d, &m, "kernel without target buffer, payload and arguments");
  m = plain(&t), m.signal = 0;
  check(&t, d, &m, "hostile case 33: the initiator's signal is not passed on");
  m = plain(&t), m.func = true;
  check(&t, d, &m, "function with everything");
  m.flags = 1;
  check(&t, d, &m, "function without target buffer: arg[0] as sent");
  m.has_pay = false;
  check(&t, d, &m, "function without payload");
  m = plain(&t), m.flags = ~3ull;
  check(&t, d, &m, "flags that mean nothing");

  for (uint64_t c = 0; c < t.cycles && !t.failures; c++) {
    m = plain(&t);
    m.func = rnd_chance(&t, 50), m.has_args = rnd_chance(&t, 70), m.has_pay = rnd_chance(&t, 70), m.flags = rnd(&t);
    if (rnd_chance(&t, 20)) m.signal = 0;
    check(&t, d, &m, "at random");
  }
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
