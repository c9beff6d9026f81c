// SPDX-License-Identifier: Apache-2.0
// nic_cut: random requests, every packet: joined, the pieces are the message; the heads are those of the table of
// opcodes.
// Rules of rtl/nic/README.md: REQ-4, FRM-5.
// config: default +define+TOCSIN_DATA_W=128
#include <string.h>

#include "aa_fields.h"
#include "tb.h"
#include "nic_cut_tb.h"

#define S(f, v) bits_set(send, NIC_SEND_T_##f##_LSB, NIC_SEND_T_##f##_W, v)
#define C(f, v) bits_set(cfg, NIC_QP_CFG_T_##f##_LSB, NIC_QP_CFG_T_##f##_W, v)
#define H(f) bits_get(head, NIC_HEAD_T_##f##_LSB, NIC_HEAD_T_##f##_W)

enum { Write, WriteImm, Read, Add, Swap, Xtq, Send, SendImm };

// The table of opcodes.
static unsigned opcode(unsigned op, bool first, bool last, bool inv) {
  static const unsigned ops[4] = {0x07, 0x08, 0x06, 0x0A};
  unsigned want = op == Read ? 0x0C : op == Add ? 0x14 : op == Swap ? 0x13 : ops[2 * first + last];
  if (op == WriteImm && last) want++;
  if (op == Xtq) want |= 0xC0;
  static const unsigned sends[4] = {0x01, 0x02, 0x00, 0x04};
  if (op == Send || op == SendImm) want = sends[2 * first + last];
  if (op == SendImm && last) want++;
  if (inv && last) want = first ? 0x17 : 0x16;
  return want;
}

int main(int argc, char **argv) {
  uint32_t send[SEND_I_WORDS], cfg[CFG_I_WORDS], head[HEAD_O_WORDS];
  tb t;
  tb_init(&t, argc, argv, "nic_cut", 4000);
  dut *d = dut_begin(&t);
  for (uint64_t n = 0; n < t.cycles; n++) {
    unsigned op = (unsigned)rnd_below(&t, 8), code = 1 + (unsigned)rnd_below(&t, 5), mtu = 128u << code;
    bool atomic = op == Add || op == Swap, write = op != Read && !atomic;
    unsigned len = atomic               ? 8
                   : rnd_chance(&t, 10) ? 0
                                        : (unsigned)rnd_below(&t, 6 * mtu),
             len1 = write ? (unsigned)rnd_below(&t, len + 1) : len;
    if (op == Xtq) {
      len += 64;
      len1 = 64;
    }
    unsigned packets = atomic || len == 0 ? 1 : (len + mtu - 1) / mtu;
    uint64_t va1 = rnd(&t), va2 = rnd(&t), rva = rnd(&t), swap = rnd(&t), compare = rnd(&t);
    uint32_t imm = (uint32_t)rnd(&t), rkey = (uint32_t)rnd(&t), at = 0;
    bool se = rnd_chance(&t, 50), send_op = op == Send || op == SendImm, inv = op == Send && rnd_chance(&t, 50);
    rnd_words(&t, send, SEND_I_W);
    rnd_words(&t, cfg, CFG_I_W);
    S(OP, op), S(BAD, 0), S(SOLICITED, se), S(IMM, imm), S(VA1, va1), S(LEN1, len1), S(VA2, va2), S(RVA, rva),
        S(RKEY, rkey);
    S(SWAP, swap), S(COMPARE, compare), S(TOTAL, len), S(PACKETS, packets), S(TARGET, 0xBEEF), S(INV, inv);
    C(MTU, code), C(QP, 0xC0FFEE), C(MAC, 0x020304050607), C(PORT, 0xC123), C(TAG, 1), C(TCI, 0xA123);
    bits_set(cfg, NIC_QP_CFG_T_IP_LSB + 64, 64, 0x20010db800000000);
    bits_set(cfg, NIC_QP_CFG_T_IP_LSB, 64, 0x1234);
    dut_set_send_i(d, send);
    dut_set_cfg_i(d, cfg);
    for (unsigned i = 0; i < packets; i++) {
      uint32_t psn = (uint32_t)rnd_bits(&t, 24);
      dut_set_idx_i(d, i);
      dut_set_psn_i(d, psn);
      dut_eval(d);
      dut_get_head_o(d, head);
      bool first = i == 0, last = i == packets - 1;
      unsigned rest = len - i * mtu, want = !write ? 0 : rest < mtu ? rest : mtu;
      unsigned l1 = (unsigned)dut_get_len1_o(d), l2 = (unsigned)dut_get_len2_o(d);
      CHECK_EQ(&t, H(OPCODE), opcode(op, first, last, inv), "opcode of packet %u of %u", i, packets);
      CHECK_EQ(&t, l1 + l2, want, "bytes of packet %u of %u", i, packets);
      CHECK_EQ(&t, H(BYTES), want, "bytes in the head");
      if (l1) CHECK(&t, at < len1 && at + l1 <= len1 && dut_get_va1_o(d) == va1 + at, "first piece of packet %u", i);
      if (l2) CHECK(&t, at + l1 >= len1 && dut_get_va2_o(d) == va2 + (at + l1 - len1), "second piece of packet %u", i);
      at += want;
      CHECK_EQ(&t, dut_get_count_o(d), op == Read ? packets - i : 1, "PSNs");
      CHECK_EQ(&t, dut_get_last_o(d), last || op == Read, "last");
      CHECK_EQ(&t, H(ACK_REQ), last || op == Read || (psn & 15) == 15, "ACK asked for");
      CHECK_EQ(&t, H(SE), se && (last || op == Read), "solicited");
      CHECK_EQ(&t, H(PSN), psn, "PSN");
      CHECK_EQ(&t, H(QP), 0xC0FFEE, "QP of the peer");
      CHECK_EQ(&t, H(MAC), 0x020304050607, "MAC");
      CHECK_EQ(&t, H(PORT), 0xC123, "port");
      CHECK_EQ(&t, bits_get(head, NIC_HEAD_T_IP_LSB + 64, 64), 0x20010db800000000, "address, high");
      CHECK_EQ(&t, bits_get(head, NIC_HEAD_T_IP_LSB, 64), 0x1234, "address, low");
      CHECK_EQ(&t, H(TAG) << 16 | H(TCI), 1 << 16 | 0xA123, "tag");
      CHECK_EQ(&t, H(VA), op == Read ? rva + i * mtu : first && !send_op ? rva : 0, "remote address");
      CHECK_EQ(&t, H(RKEY), (first || op == Read) && !send_op ? rkey : 0, "R_Key");
      CHECK_EQ(&t, H(LENGTH), op == Read ? rest : first && write && !send_op ? len : 0, "RETH length");
      CHECK_EQ(&t, H(IMM), (op == WriteImm || op == SendImm || inv) && last ? imm : 0, "immediate");
      CHECK_EQ(&t, H(SWAP), atomic ? swap : 0, "swap or add");
      CHECK_EQ(&t, H(COMPARE), op == Swap ? compare : 0, "compare");
      CHECK_EQ(&t, H(XTQ_KIND), op == Xtq && first ? imm & 0xFF : 0, "XtqETH kind");
      CHECK_EQ(&t, H(XTQ_PROC), op == Xtq && first ? 0xBEEF : 0, "XtqETH process");
      CHECK_EQ(&t, H(XTQ_ARGS), op == Xtq && first ? len1 - 64 : 0, "XtqETH arguments");
      CHECK_EQ(&t, H(XTQ_PAY), op == Xtq && first ? len - len1 : 0, "XtqETH payload");
    }
    if (write) CHECK_EQ(&t, at, len, "all bytes");
  }
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
