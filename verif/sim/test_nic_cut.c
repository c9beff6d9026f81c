// SPDX-License-Identifier: Apache-2.0
// nic_cut: random requests, every packet of the short ones, some of those of up to 2^31 bytes: joined, the pieces are
// the message; the heads are those of the table of opcodes.
// Rules of rtl/nic/README.md: REQ-4, FRM-5.
// config: default +define+TOCSIN_DATA_W=128
// netlist: default
#include <string.h>

#include "aa_fields.h"
#include "tb.h"
#include "nic_cut_tb.h"
#include "tx_ext.h"

#define S(f, v) bits_set(send, NIC_SEND_T_##f##_LSB, NIC_SEND_T_##f##_W, v)
#define H(f) bits_get(head, NIC_TX_HEAD_T_##f##_LSB, NIC_TX_HEAD_T_##f##_W)

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

typedef struct request {
  unsigned op, code, mtu, len, len1, packets;
  bool atomic, write, send, se, inv;
  uint64_t va1, va2, rva, swap, compare;
  uint32_t imm, rkey, target;
} request;

// Short, or as long as a message can be.
static unsigned any_length(tb *t, unsigned mtu) {
  if (rnd_chance(t, 10)) return 0;
  if (rnd_chance(t, 60)) return (unsigned)rnd_below(t, 6 * mtu);
  return (unsigned)rnd_bits(t, rnd_chance(t, 50) ? 31 : 1 + (unsigned)rnd_below(t, 31));
}

static request any_request(tb *t) {
  request r = {.op = (unsigned)rnd_below(t, 8), .code = 1 + (unsigned)rnd_below(t, 5)};
  r.mtu = 128u << r.code;
  r.atomic = r.op == Add || r.op == Swap;
  r.write = r.op != Read && !r.atomic;
  r.send = r.op == Send || r.op == SendImm;
  r.len = r.atomic ? 8 : any_length(t, r.mtu);
  r.len1 = r.write ? (unsigned)rnd_below(t, r.len + 1ull) : r.len;
  if (r.op == Xtq) r.len1 = 64 + (r.len1 & ~15u) / 2, r.len = r.len1 + r.len / 2;
  r.packets = r.atomic || r.len == 0 ? 1 : (r.len - 1) / r.mtu + 1;
  r.va1 = rnd(t), r.va2 = rnd(t), r.rva = rnd(t), r.swap = rnd(t), r.compare = rnd(t);
  r.imm = (uint32_t)rnd(t), r.rkey = (uint32_t)rnd(t), r.target = (uint32_t)rnd_bits(t, 16);
  r.se = rnd_chance(t, 50), r.inv = r.op == Send && rnd_chance(t, 50);
  return r;
}

static void drive(tb *t, dut *d, const request *r) {
  uint32_t send[SEND_I_WORDS];
  rnd_words(t, send, SEND_I_W);
  S(OP, r->op), S(BAD, 0), S(SOLICITED, r->se), S(IMM, r->imm), S(VA1, r->va1), S(LEN1, r->len1), S(VA2, r->va2);
  S(RVA, r->rva), S(RKEY, r->rkey), S(SWAP, r->swap), S(COMPARE, r->compare), S(TOTAL, r->len);
  S(PACKETS, r->packets), S(TARGET, r->target), S(INV, r->inv);
  dut_set_send_i(d, send);
  dut_set_mtu_i(d, r->code);
}

static void pieces(tb *t, dut *d, const request *r, unsigned i, unsigned want) {
  unsigned at = i * r->mtu, left1 = at < r->len1 ? r->len1 - at : 0;
  unsigned l1 = (unsigned)dut_get_len1_o(d), l2 = (unsigned)dut_get_len2_o(d);
  CHECK_EQ(t, l1, want < left1 ? want : left1, "bytes of the first buffer in packet %u of %u", i, r->packets);
  CHECK_EQ(t, l1 + l2, want, "bytes of packet %u of %u", i, r->packets);
  if (l1) CHECK_EQ(t, dut_get_va1_o(d), r->va1 + at, "first piece of packet %u", i);
  if (l2) CHECK_EQ(t, dut_get_va2_o(d), r->va2 + (at + l1 - r->len1), "second piece of packet %u", i);
}

static void packet(tb *t, dut *d, const request *r, unsigned i) {
  uint32_t head[HEAD_O_WORDS], psn = (uint32_t)rnd_bits(t, 24);
  if (rnd_chance(t, 20)) psn |= 15;
  dut_set_idx_i(d, i);
  dut_set_psn_i(d, psn);
  dut_eval(d);
  dut_get_head_o(d, head);
  bool first = i == 0, last = i == r->packets - 1, read = r->op == Read, xtq = r->op == Xtq && first;
  unsigned rest = r->len - i * r->mtu, want = !r->write ? 0 : rest < r->mtu ? rest : r->mtu;
  CHECK_EQ(t, H(OPCODE), opcode(r->op, first, last, r->inv), "opcode of packet %u of %u", i, r->packets);
  CHECK_EQ(t, H(BYTES), want, "bytes in the head");
  pieces(t, d, r, i, want);
  CHECK_EQ(t, dut_get_count_o(d), read ? r->packets - i : 1, "PSNs");
  CHECK_EQ(t, dut_get_last_o(d), last || read, "last");
  CHECK_EQ(t, H(ACK_REQ), last || read || (psn & 15) == 15, "ACK asked for");
  CHECK_EQ(t, H(SE), r->se && (last || read), "solicited");
  CHECK_EQ(t, H(PSN), psn, "PSN");
  // The extension: RETH, AtomicETH or neither; behind RETH, or alone, an immediate or a key; XtqETH; else 0.
  const bool atomic = r->atomic, reth = read || atomic || (first && !r->send),
             imm = (r->op == WriteImm || r->op == SendImm || r->inv) && last;
  uint32_t want_ext[7] = {0};
  const uint64_t va = read ? r->rva + i * r->mtu : r->rva;
  if (reth) want_ext[0] = (uint32_t)(va >> 32), want_ext[1] = (uint32_t)va, want_ext[2] = r->rkey;
  if (reth && !atomic) want_ext[3] = read ? rest : r->len;
  if (atomic) want_ext[3] = (uint32_t)(r->swap >> 32), want_ext[4] = (uint32_t)r->swap;
  if (r->op == Swap) want_ext[5] = (uint32_t)(r->compare >> 32), want_ext[6] = (uint32_t)r->compare;
  if (imm) want_ext[reth ? 4 : 0] = r->imm;
  if (xtq) want_ext[4] = r->imm << 24 | r->target, want_ext[5] = r->len1 - 64, want_ext[6] = r->len - r->len1;
  for (unsigned k = 0; k < 7; k++) CHECK_EQ(t, tx_word(head, k), want_ext[k], "word %u of the extension", k);
}

// First, last, the one in which the second buffer begins, a power of two away from these, or any.
static unsigned any_packet(tb *t, const request *r) {
  unsigned edge[4] = {0, r->packets - 1, r->len1 / r->mtu, (unsigned)rnd_below(t, r->packets)};
  unsigned i = edge[rnd_below(t, 4)], far = 1u << rnd_below(t, 23);
  if (rnd_chance(t, 60)) i += rnd_chance(t, 50) ? far : 0 - far;
  return i < r->packets ? i : r->packets - 1;
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "nic_cut", 4000);
  dut *d = dut_begin(&t);
  for (uint64_t n = 0; n < t.cycles; n++) {
    request r = any_request(&t);
    drive(&t, d, &r);
    for (unsigned i = 0; i < 8; i++) packet(&t, d, &r, r.packets > 8 ? any_packet(&t, &r) : i % r.packets);
  }
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
