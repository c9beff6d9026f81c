// SPDX-License-Identifier: Apache-2.0
// nic_regs against an array of words and an array of counters: every register with every strobe, all kinds of records.
// What is read or written is on the bus in the cycle before, which is no write.
// Rules of rtl/nic/README.md: CNT-2.
// config: default
// config: large -GNumQps=256 -GNumProcs=16 -GNumMrs=256 -GTableBits=12 -GRecvDepth=64 -GNumLogs=32 -GContexts=4096
// netlist: default
#include <string.h>

#include "reg_bus.h"
#include "tb.h"
#include "tocsin/nic_regs.h"
#include "nic_regs_tb.h"

enum { SLOTS = RET_VALID_I_W, RW = RET_I_W / SLOTS, CNT = 42 };
enum { RX = 2, FRAME = 3, SEND = 4, TX = 5, TASK = 6, EVENT = 7, TIMER = 8, RATE = 11, CTX = 12 };

static uint64_t word[16], cnt[64];  // those beyond CNT stay 0
static const uint64_t fields[16] = {
    [2] = 0xffffffffffff, [3] = 0xffffffffff, [4] = 0xffff,        [5] = 0xffff,
    [6] = 0x77,           [7] = 0xffffffff,   [9] = 0xffffffff,    [10] = ~0ull,
    [11] = ~0ull,         [12] = 0xffffffff,  [13] = 0xff07ff07ff, [14] = 0x7ff07ffffff};

// Which counter a record has; -1: none.
static int counter(unsigned kind, unsigned code, bool flag) {
  switch (kind) {
    case RX: return code < 6 ? (int)code : -1;
    case FRAME: return code < 12 ? 6 + (int)code : code == 12 ? 34 : -1;
    case SEND: return 18;
    case TX: return code == 5 ? 33 : code == 6 ? 36 : !flag && code < 5 ? 19 + (int)code : -1;
    case TASK: return code ? -1 : 24;
    case EVENT: return code ? 25 + flag : -1;
    case TIMER: return code ? -1 : 27;
    case RATE: return code ? -1 : 35;
    case CTX: return code < 5 ? 37 + (int)code : -1;
    default: return -1;
  }
}

// FULL is 1024 at most, MIN 1 at least.
static void rates(tb *t, dut *d) {
  uint32_t w[CFG_RATE_O_WORDS];
  dut_get_cfg_rate_o(d, w);
  uint64_t full = word[13] & 0x7ff, least = word[13] >> 16 & 0x7ff;
#define RATE_IS(F, v) CHECK_EQ(t, bits_get(w, NIC_RATE_CFG_T_##F##_LSB, NIC_RATE_CFG_T_##F##_W), v, "P2: " #F)
  RATE_IS(FULL, full > 1024 ? 1024 : full);
  RATE_IS(LEAST, least ? least : 1);
  RATE_IS(G, word[13] >> 32 & 15);
  RATE_IS(FAST, word[13] >> 36 & 15);
  RATE_IS(CALM, word[14] & 255);
  RATE_IS(RAISE, word[14] >> 8 & 255);
  RATE_IS(ADD, word[14] >> 16 & 0x7ff);
  RATE_IS(HYPER, word[14] >> 32 & 0x7ff);
  CHECK_EQ(t, dut_get_cfg_cnp_o(d), word[12], "P2: time of CNPs");
}

static void settings(tb *t, dut *d) {
  CHECK_EQ(t, dut_get_cfg_mac_o(d), word[2], "P2: MAC");
  CHECK_EQ(t, dut_get_cfg_ip_o(d) | dut_get_cfg_tos_o(d) << 32, word[3], "P2: IP, TOS");
  uint32_t ip6[4];
  dut_get_cfg_ip6_o(d, ip6);
  CHECK_EQ(t, bits_get(ip6, 0, 64), word[11], "P2: IPv6, low");
  CHECK_EQ(t, bits_get(ip6, 64, 64), word[10], "P2: IPv6, high");
  CHECK_EQ(t, dut_get_cfg_qpn_o(d) | dut_get_cfg_rid_o(d) << 16, word[4] | word[5] << 16, "P2: QPN, RID");
  CHECK_EQ(t, dut_get_cfg_mps_o(d) | dut_get_cfg_mrrs_o(d) << 4, word[6], "P2: DMA");
  CHECK_EQ(t, dut_get_cfg_tmo_o(d) | dut_get_cfg_tick_o(d) << 32, word[7] | word[9] << 32, "P2: times");
}

// Records of any kind, and which counters they are.
static void records(tb *t, dut *d, uint64_t *add) {
  uint32_t ret[RET_I_WORDS];
  uint64_t valid = rnd_chance(t, 50) ? rnd_bits(t, SLOTS) : 0;
  memset(ret, 0, sizeof ret);
  for (unsigned k = 0; k < SLOTS; k++) {
    unsigned code = (unsigned)rnd_bits(t, 4);
    bool flag = rnd_chance(t, 30);
    bits_set(ret, k * RW + NIC_RETIRE_T_CODE_LSB, 4, code);
    bits_set(ret, k * RW + NIC_RETIRE_T_FLAG_LSB, 1, flag);
    int c = valid >> k & 1 ? counter(k + 1, code, flag) : -1;
    if (c >= 0) add[c] = 1;
  }
  dut_set_ret_valid_i(d, valid);
  dut_set_ret_i(d, ret);
}

int main(int argc, char **argv) {
  unsigned reads = 0, clears = 0, i = 0;
  uint64_t addr = 0;
  bool is_cnt = false, far = false, seen = false;  // seen: addr was there in the last cycle, which was no write
  tb t;
  tb_init(&t, argc, argv, "nic_regs", 30000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  word[0] = 0x14e434f54;
  word[1] = P_NumQps | P_NumProcs << 16 | (uint64_t)P_NumMrs << 24 | (uint64_t)P_TableBits << 36 |
            (uint64_t)P_RecvDepth << 40 | (uint64_t)P_NumLogs << 48 |
            (uint64_t)(P_Contexts ? __builtin_ctz(P_Contexts) : 0) << 56;
  word[4] = 1;
  word[6] = 0x21;
  word[9] = 1000;
  word[12] = 5000;
  word[13] = 0x5400010400;
  word[14] = 0xa00010505;
  while (dut_cycle(d) < t.cycles) {
    uint64_t add[CNT] = {0};
    records(&t, d, add);
    unsigned hit = (unsigned)rnd_bits(&t, 2), miss = (unsigned)rnd_bits(&t, 2);
    add[28] = (hit & 1) + (hit >> 1);
    add[29] = (miss & 1) + (miss >> 1);
    for (unsigned i = 30; i < 33; i++) add[i] = rnd_chance(&t, 20);
    dut_set_hit_i(d, hit);
    dut_set_miss_i(d, miss);
    dut_set_stray_i(d, add[30]);
    dut_set_bad_item_i(d, add[31]);
    dut_set_marked_i(d, add[32]);
    if (!(seen && rnd_chance(&t, 70))) {
      uint64_t was = addr;
      is_cnt = rnd_chance(&t, 50), far = rnd_chance(&t, 5);
      i = (unsigned)rnd_below(&t, is_cnt ? (rnd_chance(&t, 90) ? CNT : 64) : 16);
      addr = (is_cnt ? NIC_REG_NIC_CNT : 0) + 8 * i;
      if (far) addr ^= 1ULL << (10 + rnd_below(&t, 10));
      seen = seen && addr == was;
    }
    bool we = seen && rnd_chance(&t, is_cnt ? 1 : 20);
    unsigned strb = (unsigned)rnd_bits(&t, 8) | (rnd_chance(&t, 50) ? 255 : 0);
    uint64_t data = rnd_bits(&t, 64);
    dut_set_rb_i(d, reg_bus_of(addr, we && strb, data, strb).words);
    dut_eval(d);
    if (seen) {
      CHECK_EQ(&t, dut_get_rb_rdata_o(d),
               far      ? 0
               : is_cnt ? cnt[i]
                        : word[i],
               "register at %llx", (unsigned long long)addr);
    }
    CHECK_EQ(&t, dut_get_tag_free_o(d), we && strb && addr == NIC_REG_NIC_TAG_FREE, "P2: tag_free_o");
    CHECK_EQ(&t, dut_get_cnp_we_o(d), we && strb && addr == NIC_REG_NIC_CNP, "P4: cnp_we_o");
    CHECK_EQ(&t, dut_get_rate_we_o(d), we && strb && (addr == NIC_REG_NIC_RATE || addr == NIC_REG_NIC_RAISE),
             "P4: rate_we_o");
    rates(&t, d);
    settings(&t, d);
    reads += seen && is_cnt && !far && cnt[i] > 100;
    for (unsigned k = 0; k < CNT; k++) cnt[k] += add[k];
    if (we && strb && !far && is_cnt) cnt[i] = 0, clears++;
    if (we && strb && !far && !is_cnt)
      for (unsigned b = 0; b < 64; b++)
        if (strb >> b / 8 & fields[i] >> b & 1) word[i] = (word[i] & ~(1ULL << b)) | (data & 1ULL << b);
    seen = !(we && strb);
    dut_tick(d);
  }
  CHECK(&t, reads > t.cycles / 20 && clears > 20, "counters were read and cleared");
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
