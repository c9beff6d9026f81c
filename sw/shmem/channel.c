// SPDX-License-Identifier: Apache-2.0
// A channel from each PE to each: messages in order, in slots of the receiver's memory. The flag of a slot is written behind its bytes: the
// number of the message, how long it is, and which collective it is of. The receiver tells how many it has taken.
#include <stddef.h>
#include <string.h>

#include "world.h"

static uint64_t flag_of(uint32_t number, size_t n, unsigned what) {
  return (uint64_t)number | (uint64_t)n << 32 | (uint64_t)what << 48;
}

static void send_piece(int pe, const uint8_t *bytes, size_t n, unsigned what) {
  shm_pair *p = &shm.pair[pe];
  const unsigned i = p->sent % SHM_SLOTS;
  unsigned turn = 0;
  while (p->sent - (uint32_t)toc_load(&p->mine->credit) >= SHM_SLOTS) shm_pause(&turn);
  p->sent++;
  if (n) {
    memcpy(p->mine->out_slot[i], bytes, n);
    const toc_remote to = toc_at(p->area, offsetof(shm_area, slot) + (uint64_t)i * SHM_SLOT_BYTES);
    shm_must(toc_put(p->qp, p->mine->out_slot[i], to, (uint32_t)n, NULL), "a message", pe);
  }
  p->mine->out_flag[i] = flag_of(p->sent, n, what);
  const toc_remote to = toc_at(p->area, offsetof(shm_area, flag) + i * sizeof(uint64_t));
  shm_must(toc_put(p->qp, &p->mine->out_flag[i], to, sizeof(uint64_t), NULL), "a message", pe);
}

static void tell_credit(int pe) {
  shm_pair *p = &shm.pair[pe];
  if (p->taken - p->told < SHM_SLOTS / 2) return;
  p->told = p->taken;
  p->mine->out_credit = p->taken;
  shm_must(toc_put(p->qp, &p->mine->out_credit, toc_at(p->area, offsetof(shm_area, credit)), sizeof(uint64_t), NULL),
           "a message", pe);
}

static void recv_piece(int pe, uint8_t *bytes, size_t n, unsigned what) {
  shm_pair *p = &shm.pair[pe];
  const unsigned i = p->taken % SHM_SLOTS;
  shm_wait_word(&p->mine->flag[i], UINT32_MAX, p->taken + 1, pe);
  const uint64_t flag = toc_load(&p->mine->flag[i]);
  if (flag != flag_of(p->taken + 1, n, what))
    shm_die(
        "PE %d is in another collective, or with another size: %llu bytes of kind %llu came here, %zu of kind %u "
        "were expected",
        pe, (unsigned long long)(flag >> 32 & 0xffff), (unsigned long long)(flag >> 48), n, what);
  if (n) memcpy(bytes, p->mine->slot[i], n);
  p->taken++;
  tell_credit(pe);
}

static size_t piece(size_t left) { return left < SHM_SLOT_BYTES ? left : SHM_SLOT_BYTES; }

void shm_send(int pe, const void *bytes, size_t n, unsigned what) {
  const uint8_t *at = bytes;
  do {
    const size_t now = piece(n);
    send_piece(pe, at, now, what);
    if (now) at += now;
    n -= now;
  } while (n);
}

void shm_recv(int pe, void *bytes, size_t n, unsigned what) {
  uint8_t *at = bytes;
  do {
    const size_t now = piece(n);
    recv_piece(pe, at, now, what);
    if (now) at += now;
    n -= now;
  } while (n);
}

// Both at once, lest all PEs of a ring wait for room.
void shm_exchange(int to, const void *out, size_t n, int from, void *in, size_t m, unsigned what) {
  const uint8_t *source = out;
  uint8_t *dest = in;
  for (bool first = true; first || n || m; first = false) {
    const size_t sends = piece(n), takes = piece(m);
    if (first || sends) send_piece(to, source, sends, what);
    if (first || takes) recv_piece(from, dest, takes, what);
    if (sends) source += sends;
    if (takes) dest += takes;
    n -= sends;
    m -= takes;
  }
}
