// SPDX-License-Identifier: Apache-2.0
// cm_axil_serial: a host that asks for registers over a line that loses and spoils bytes, and asks again until it is answered. A memory
// on the bus counts what is done: every write once, every read with the right value, whatever happens on the line.
// config: default -GAddrW=21 -GGap=200
// config: narrow -GAddrW=6 -GGap=50
// netlist: narrow
#include <string.h>

#include "tb.h"
#include "cm_axil_serial_tb.h"

enum { WORDS = 8, PAUSE = 4 };  // cycles between bytes, at least

static uint8_t crc8(const uint8_t *p, unsigned n) {
  uint8_t c = 0;
  for (; n--; p++) {
    c ^= *p;
    for (int i = 0; i < 8; i++) c = (uint8_t)(c & 0x80 ? c << 1 ^ 7 : c << 1);
  }
  return c;
}

typedef struct host {
  uint8_t out[16], in[16], op;
  unsigned outs, sent, ins, want, wait;  // want: bytes of the answer, once known
  bool waits, write, wide, error;
  uint32_t addr;
  uint64_t value;
  unsigned turn, tries;
} host;

// What kind of request it is, and what must be answered.
typedef enum kind { GOOD, UNALIGNED, FAR, FORM, KINDS } kind;

static void compose(host *h, tb *t, kind k) {
  h->write = rnd_chance(t, 50);
  h->wide = rnd_chance(t, 50);
  h->value = rnd(t) << 32 ^ rnd(t);
  h->addr = (uint32_t)(rnd(t) % WORDS) * 8 + (h->wide || rnd_chance(t, 50) ? 0 : 4);
  unsigned bytes = h->wide ? 8 : 4;
  if (k == UNALIGNED) h->addr += h->wide && rnd_chance(t, 50) ? 4 : 1 + (uint32_t)(rnd(t) % 3);
  if (k == FAR) h->addr |= 1u << (P_AddrW + rnd(t) % (24 - P_AddrW));
  h->op = (uint8_t)(h->write << 7 | h->turn << 6 | bytes);
  if (k == FORM) h->op = (uint8_t)((h->op & 0xC0) | (rnd_chance(t, 50) ? 0x10 | bytes : 5 + rnd(t) % 3));
  h->out[0] = 0xA5;
  h->out[1] = h->op;
  for (unsigned i = 0; i < 3; i++) h->out[2 + i] = (uint8_t)(h->addr >> 8 * i);
  h->outs = 5;
  if (h->write && k != FORM)
    for (unsigned i = 0; i < bytes; i++) h->out[h->outs++] = (uint8_t)(h->value >> 8 * i);
  h->out[h->outs] = crc8(h->out + 1, h->outs - 1);
  h->outs++;
  h->tries = 0;
}

static void ask(host *h) {
  h->sent = h->ins = h->want = 0;
  h->wait = PAUSE;
  h->waits = false;
  h->tries++;
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "cm_axil_serial", 100000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  host h = {.turn = 0};
  uint64_t mem[WORDS] = {0}, have[WORDS] = {0};  // on the bus; as the host knows it
  unsigned done = 0, again = 0, accesses = 0, meant = 0, spoilt = 0;
  bool aw = false, w = false, b = false, r = false, bad = false;
  uint64_t awaddr = 0, wdata = 0, rdata = 0;
  unsigned strb = 0;
  kind k = GOOD;
  compose(&h, &t, k);
  ask(&h);
  while (dut_cycle(d) < t.cycles) {
    bool noise = dut_cycle(d) / 5000 % 2;
    // the line to the bridge
    bool valid = false;
    uint8_t byte = 0;
    if (!h.waits && h.wait && !--h.wait) {
      byte = h.out[h.sent++];
      valid = !(noise && rnd_chance(&t, 1));
      if (noise && rnd_chance(&t, 1)) byte ^= (uint8_t)(1u << rnd(&t) % 8), spoilt++;
      spoilt += !valid;
      h.wait = PAUSE + (unsigned)(rnd(&t) % 8);
      if (h.sent == h.outs) h.waits = true, h.wait = 0;
    } else if (h.waits && ++h.wait > P_Gap + 600) {
      again++;
      ask(&h);  // nothing good came
    }
    bool out_ready = rnd_chance(&t, 30);
    bool awready = !aw && !b && rnd_chance(&t, 40), wready = !w && !b && rnd_chance(&t, 40),
         arready = !r && rnd_chance(&t, 40);
    dut_set_in_valid_i(d, valid);
    dut_set_in_data_i(d, byte);
    dut_set_out_ready_i(d, out_ready);
    dut_set_m_awready_i(d, awready);
    dut_set_m_wready_i(d, wready);
    dut_set_m_arready_i(d, arready);
    dut_set_m_bvalid_i(d, b);
    dut_set_m_bresp_i(d, bad ? 2 : 0);
    dut_set_m_rvalid_i(d, r);
    dut_set_m_rresp_i(d, bad ? 2 : 0);
    dut_set_m_rdata_i(d, rdata);
    dut_eval(d);
    // the bus
    if (b && dut_get_m_bready_o(d)) b = false;
    if (r && dut_get_m_rready_o(d)) r = false;
    if (awready && dut_get_m_awvalid_o(d)) aw = true, awaddr = dut_get_m_awaddr_o(d);
    if (wready && dut_get_m_wvalid_o(d)) w = true, wdata = dut_get_m_wdata_o(d), strb = (unsigned)dut_get_m_wstrb_o(d);
    if (aw && w) {
      CHECK(&t, awaddr % 8 == 0 && awaddr < 8 * WORDS, "P1: write to %llx", (unsigned long long)awaddr);
      for (unsigned i = 0; i < 8; i++)
        if (strb >> i & 1) ((uint8_t *)&mem[awaddr / 8 % WORDS])[i] = (uint8_t)(wdata >> 8 * i);
      aw = w = false;
      b = true;
      bad = rnd_chance(&t, 5);
      accesses++;
    }
    if (arready && dut_get_m_arvalid_o(d)) {
      uint64_t a = dut_get_m_araddr_o(d);
      CHECK(&t, a % 8 == 0 && a < 8 * WORDS, "P1: read of %llx", (unsigned long long)a);
      rdata = mem[a / 8 % WORDS];
      r = true;
      bad = rnd_chance(&t, 5);
      accesses++;
    }
    // the line back
    if (out_ready && dut_get_out_valid_o(d)) {
      byte = (uint8_t)dut_get_out_data_o(d);
      if (noise && rnd_chance(&t, 1)) byte ^= (uint8_t)(1u << rnd(&t) % 8), spoilt++;
      if (h.ins < sizeof h.in && (h.ins || byte == 0x5A)) h.in[h.ins++] = byte;
      if (h.ins == 2) h.want = 3 + (!h.write && h.in[1] == 0 && k != FORM ? (h.wide ? 8 : 4) : 0);
      if (h.ins > 2 && h.ins == h.want) {
        if (crc8(h.in + 1, h.ins - 2) != h.in[h.ins - 1] || h.in[1] == 2 || !h.waits) {
          again++;
          ask(&h);
          h.wait = P_Gap + 100;  // let what is on its way end
        } else {
          unsigned status = h.in[1];
          // a request that became another on its way is possible only if its crc is right: then it was none of those without noise
          if (k != GOOD) {
            CHECK_EQ(&t, status, 3, "P2: status of a request of kind %d", (int)k);
          } else {
            CHECK(&t, status <= 1, "P2: status %u", status);
            meant++;
            uint64_t word = h.addr / 8, mask = h.wide ? ~0ull : 0xffffffffull << 8 * (h.addr & 4);
            if (h.write) {
              have[word] = (have[word] & ~mask) | ((h.value << 8 * (h.addr & 4)) & mask);
              CHECK_EQ(&t, mem[word], have[word], "P1: what was written to word %u", (unsigned)word);
            } else if (!status) {
              uint64_t got = 0;
              for (unsigned i = 0; i < (h.wide ? 8u : 4u); i++) got |= (uint64_t)h.in[2 + i] << 8 * i;
              CHECK_EQ(&t, got, (have[word] & mask) >> 8 * (h.addr & 4), "P1: what was read of word %u",
                       (unsigned)word);
            }
            CHECK_EQ(&t, accesses, meant, "P1: accesses, each once");
            h.turn ^= 1;
          }
          done++;
          k = rnd_chance(&t, 85) ? GOOD : (kind)(rnd(&t) % KINDS);
          compose(&h, &t, k);
          ask(&h);
        }
      }
    }
    dut_tick(d);
  }
  CHECK(&t, done > t.cycles / 1000 && again > 0 && spoilt > 10, "%u requests, %u asked again, %u spoilt bytes", done,
        again, spoilt);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
