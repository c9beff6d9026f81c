// SPDX-License-Identifier: Apache-2.0
// The peers of queue pairs in the tests of nic_reply and nic_acks: each part of an address is made of its key, so that
// every bit of it says whose it is. Included after aa_fields.h.
#ifndef TOCSIN_NIC_PEER_H
#define TOCSIN_NIC_PEER_H

// A queue pair has another peer each time it is turned on.
static inline unsigned peer_key(unsigned q, unsigned times) { return q + 256 * times; }

static inline uint64_t peer_part(unsigned key, unsigned part) {
  uint64_t z = (key * 16ull + part + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
  return z ^ z >> 27;
}

// What events call the queue pair, and the timer of its RNR NAKs.
static inline unsigned peer_name(unsigned key) { return (unsigned)(peer_part(key, 8) & 0xfff); }
static inline unsigned peer_rnr(unsigned key) { return (unsigned)(peer_part(key, 9) & 31); }

#define PEER_FIELDS(w, T)                                     \
  do {                                                        \
    bits_set(w, T##_MAC_LSB, T##_MAC_W, peer_part(key, 0));   \
    bits_set(w, T##_IP_LSB, 64, peer_part(key, 1));           \
    bits_set(w, T##_IP_LSB + 64, 64, peer_part(key, 2));      \
    bits_set(w, T##_TAG_LSB, 1, peer_part(key, 3));           \
    bits_set(w, T##_TCI_LSB, T##_TCI_W, peer_part(key, 4));   \
    bits_set(w, T##_QP_LSB, T##_QP_W, peer_part(key, 5));     \
    bits_set(w, T##_PORT_LSB, T##_PORT_W, peer_part(key, 6)); \
    bits_set(w, T##_PKEY_LSB, T##_PKEY_W, peer_part(key, 7)); \
  } while (0)

// What nic_qp says of the queue pair; the other fields of qp_cfg_t stay.
static inline void peer_config(uint32_t *cfg, unsigned key) {
  PEER_FIELDS(cfg, NIC_QP_CFG_T);
  bits_set(cfg, NIC_QP_CFG_T_NAME_LSB, NIC_QP_CFG_T_NAME_W, peer_name(key));
  bits_set(cfg, NIC_QP_CFG_T_RNR_LSB, NIC_QP_CFG_T_RNR_W, peer_rnr(key));
}

// What a head to it says of it, in a head that is expected.
static inline void peer_head(uint32_t *head, unsigned key) { PEER_FIELDS(head, NIC_HEAD_T); }
#undef PEER_FIELDS

#endif
