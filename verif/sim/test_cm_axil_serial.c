// SPDX-License-Identifier: Apache-2.0
// cm_axil_serial: a host that asks for registers over a line that loses and spoils bytes, and asks again until it is
// answered. A memory on the bus counts what is done: every write once, every read with the right value, whatever
// happens on the line.
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

// The line and the bus: what the host has asked for, what memory has and what the host knows of it.
typedef struct {
  tb *t;
  dut *d;
  host h;
  uint64_t mem[WORDS], have[WORDS];  // on the bus; as the host knows it
  unsigned done, again, accesses, meant, spoilt, strb;
  bool aw, w, bvalid, r, bad, noise, out_ready, awready, wready, arready;
  uint64_t awaddr, wdata, rdata;
  kind k;
} bench;

static void drive(bench *v) {
  bool valid = false;
  uint8_t byte = 0;
  if (!v->h.waits && v->h.wait && !--v->h.wait) {
    byte = v->h.out[v->h.sent++];
    valid = !(v->noise && rnd_chance(v->t, 1));
    if (v->noise && rnd_chance(v->t, 1)) byte ^= (uint8_t)(1u << rnd(v->t) % 8), v->spoilt++;
    v->spoilt += !valid;
    v->h.wait = PAUSE + (unsigned)(rnd(v->t) % 8);
    if (v->h.sent == v->h.outs) v->h.waits = true, v->h.wait = 0;
  } else if (v->h.waits && ++v->h.wait > P_Gap + 600) {
    v->again++;
    ask(&v->h);  // nothing good came
  }
  v->out_ready = rnd_chance(v->t, 30);
  v->awready = !v->aw && !v->bvalid && rnd_chance(v->t, 40);
  v->wready = !v->w && !v->bvalid && rnd_chance(v->t, 40);
  v->arready = !v->r && rnd_chance(v->t, 40);
  dut_set_in_valid_i(v->d, valid);
  dut_set_in_data_i(v->d, byte);
  dut_set_out_ready_i(v->d, v->out_ready);
  dut_set_m_awready_i(v->d, v->awready);
  dut_set_m_wready_i(v->d, v->wready);
  dut_set_m_arready_i(v->d, v->arready);
  dut_set_m_bvalid_i(v->d, v->bvalid);
  dut_set_m_bresp_i(v->d, v->bad ? 2 : 0);
  dut_set_m_rvalid_i(v->d, v->r);
  dut_set_m_rresp_i(v->d, v->bad ? 2 : 0);
  dut_set_m_rdata_i(v->d, v->rdata);
  dut_eval(v->d);
}

static void bus(bench *v) {
  if (v->bvalid && dut_get_m_bready_o(v->d)) v->bvalid = false;
  if (v->r && dut_get_m_rready_o(v->d)) v->r = false;
  if (v->awready && dut_get_m_awvalid_o(v->d)) v->aw = true, v->awaddr = dut_get_m_awaddr_o(v->d);
  if (v->wready && dut_get_m_wvalid_o(v->d))
    v->w = true, v->wdata = dut_get_m_wdata_o(v->d), v->strb = (unsigned)dut_get_m_wstrb_o(v->d);
  if (v->aw && v->w) {
    CHECK(v->t, v->awaddr % 8 == 0 && v->awaddr < 8 * WORDS, "P1: write to %llx", (unsigned long long)v->awaddr);
    for (unsigned i = 0; i < 8; i++)
      if (v->strb >> i & 1) ((uint8_t *)&v->mem[v->awaddr / 8 % WORDS])[i] = (uint8_t)(v->wdata >> 8 * i);
    v->aw = v->w = false;
    v->bvalid = true;
    v->bad = rnd_chance(v->t, 5);
    v->accesses++;
  }
  if (v->arready && dut_get_m_arvalid_o(v->d)) {
    uint64_t a = dut_get_m_araddr_o(v->d);
    CHECK(v->t, a % 8 == 0 && a < 8 * WORDS, "P1: read of %llx", (unsigned long long)a);
    v->rdata = v->mem[a / 8 % WORDS];
    v->r = true;
    v->bad = rnd_chance(v->t, 5);
    v->accesses++;
  }
}

static void answered(bench *v) {
  unsigned status = v->h.in[1];
  // a request that became another on its way is possible only if its crc is right: then it was none
  // of those without noise
  if (v->k != GOOD) {
    CHECK_EQ(v->t, status, 3, "P2: status of a request of kind %d", (int)v->k);
  } else {
    CHECK(v->t, status <= 1, "P2: status %u", status);
    v->meant++;
    uint64_t word = v->h.addr / 8, mask = v->h.wide ? ~0ull : 0xffffffffull << 8 * (v->h.addr & 4);
    if (v->h.write) {
      v->have[word] = (v->have[word] & ~mask) | ((v->h.value << 8 * (v->h.addr & 4)) & mask);
      CHECK_EQ(v->t, v->mem[word], v->have[word], "P1: what was written to word %u", (unsigned)word);
    } else if (!status) {
      uint64_t got = 0;
      for (unsigned i = 0; i < (v->h.wide ? 8u : 4u); i++) got |= (uint64_t)v->h.in[2 + i] << 8 * i;
      CHECK_EQ(v->t, got, (v->have[word] & mask) >> 8 * (v->h.addr & 4), "P1: what was read of word %u",
               (unsigned)word);
    }
    CHECK_EQ(v->t, v->accesses, v->meant, "P1: accesses, each once");
    v->h.turn ^= 1;
  }
}

static void line_back(bench *v) {
  if (v->out_ready && dut_get_out_valid_o(v->d)) {
    uint8_t byte = (uint8_t)dut_get_out_data_o(v->d);
    if (v->noise && rnd_chance(v->t, 1)) byte ^= (uint8_t)(1u << rnd(v->t) % 8), v->spoilt++;
    if (v->h.ins < sizeof v->h.in && (v->h.ins || byte == 0x5A)) v->h.in[v->h.ins++] = byte;
    if (v->h.ins == 2) v->h.want = 3 + (!v->h.write && v->h.in[1] == 0 && v->k != FORM ? (v->h.wide ? 8 : 4) : 0);
    if (v->h.ins > 2 && v->h.ins == v->h.want) {
      if (crc8(v->h.in + 1, v->h.ins - 2) != v->h.in[v->h.ins - 1] || v->h.in[1] == 2 || !v->h.waits) {
        v->again++;
        ask(&v->h);
        v->h.wait = P_Gap + 100;  // let what is on its way end
      } else {
        answered(v);
        v->done++;
        v->k = rnd_chance(v->t, 85) ? GOOD : (kind)(rnd(v->t) % KINDS);
        compose(&v->h, v->t, v->k);
        ask(&v->h);
      }
    }
  }
}

int main(int argc, char **argv) {
  static bench all;
  bench *v = &all;
  tb t;
  tb_init(&t, argc, argv, "cm_axil_serial", 100000);
  v->t = &t;
  v->d = dut_begin(&t);
  dut_reset(v->d, 2);
  v->k = GOOD;
  compose(&v->h, &t, v->k);
  ask(&v->h);
  while (dut_cycle(v->d) < t.cycles) {
    v->noise = dut_cycle(v->d) / 5000 % 2;
    drive(v);
    bus(v);
    line_back(v);
    dut_tick(v->d);
  }
  CHECK(&t, v->done > t.cycles / 1000 && v->again > 0 && v->spoilt > 10, "%u requests, %u asked again, %u spoilt bytes",
        v->done, v->again, v->spoilt);
  dut_free(v->d);
  tb_unwatch(&t);
  return tb_end(&t);
}
