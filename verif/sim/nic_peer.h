// SPDX-License-Identifier: Apache-2.0
// The peers of queue pairs in the tests of nic_reply and nic_acks: each part of an address says whose it is. Included
// after aa_fields.h.
#ifndef TOCSIN_NIC_PEER_H
#define TOCSIN_NIC_PEER_H

// What events call queue pair q.
static inline unsigned peer_name(unsigned q) { return (q * 37 + 0x321) & 0xfff; }

// What nic_qp says of queue pair q; the other fields of qp_cfg_t stay.
static inline void peer_config(uint32_t *cfg, unsigned q) {
#define PEER(F, v) bits_set(cfg, NIC_QP_CFG_T_##F##_LSB, NIC_QP_CFG_T_##F##_W, v)
  PEER(MAC, 0x0200u + q);
  bits_set(cfg, NIC_QP_CFG_T_IP_LSB, 64, 0x0a000000u + q);
  bits_set(cfg, NIC_QP_CFG_T_IP_LSB + 64, 64, q + 1);
  PEER(TAG, q & 1);
  PEER(TCI, 0xe000u + q);
  PEER(QP, 0x100u + q);
  PEER(PORT, 0xc000u + q);
  PEER(PKEY, 0x8000u + q);
  PEER(NAME, peer_name(q));
#undef PEER
}

static inline void peer_check(tb *t, const uint32_t *head, unsigned q) {
#define PEER(F) bits_get(head, NIC_HEAD_T_##F##_LSB, NIC_HEAD_T_##F##_W)
  CHECK_EQ(t, PEER(QP), 0x100 + q, "the peer's QP");
  CHECK_EQ(t, PEER(MAC), 0x0200u + q, "the peer's MAC");
  CHECK_EQ(t, bits_get(head, NIC_HEAD_T_IP_LSB, 64), 0x0a000000u + q, "its address, low");
  CHECK_EQ(t, bits_get(head, NIC_HEAD_T_IP_LSB + 64, 64), q + 1u, "its address, high");
  CHECK_EQ(t, PEER(TAG) << 16 | PEER(TCI), (q & 1u) << 16 | (0xe000u + q), "its tag");
  CHECK_EQ(t, PEER(PORT) | PEER(PKEY) << 16, (0xc000u + q) | (0x8000ull + q) << 16, "port, P_Key");
#undef PEER
}

#endif
