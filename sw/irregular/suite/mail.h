// SPDX-License-Identifier: Apache-2.0
// Delegates as other networks do them, to be compared with those of tocsin/irregular/net.h: messages (SENDs) into
// receive buffers, which the CPU of the target takes apart when it comes to look. Each rank is connected to each.
// Delegates wait for others to the same rank until a message has MAIL_BYTES, or each is a message of its own.
#ifndef TOCSIN_SUITE_MAIL_H
#define TOCSIN_SUITE_MAIL_H

#include "tocsin/irregular/net.h"

enum { MAIL_BYTES = 4096, MAIL_BUFFERS = 8, MAIL_SLOTS = 2 };

typedef struct mail_counts {
  uint64_t delegates, messages, bytes;  // that left
  uint64_t aggregates, parts;           // messages with delegates or answers, and how many of these
  uint64_t kernel;                      // of tocsin/irregular/net.h: delegates that an accelerator has run
} mail_counts;

// To one other rank.
typedef struct mail_lane {
  toc_qp *qp;
  uint8_t *slots;  // one is filled, the others are under way
  toc_req req[MAIL_SLOTS];
  bool sent[MAIL_SLOTS];
  unsigned turn;
  uint32_t used;
  bool owes;  // an answer
  irr_status owed_status;
  uint32_t owed_bytes;
  uint64_t owed[IRR_ANSWER_MOST / 8];
} mail_lane;

typedef struct mail_rank {
  toc_proc *p;
  mail_lane *to;
  uint8_t *pool;
  uint32_t came, used_up, posted;  // messages, buffers that nothing more comes into, buffers
  irr_function function;
  irr_delegate asked;  // waits for its answer
  bool asks;
} mail_rank;

typedef struct mail {
  toc_fabric *f;
  unsigned ranks;
  bool single;  // each delegate is a message
  mail_rank *rank;
  uint64_t sent, taken;  // messages
  bool inside;
  mail_counts n;
} mail;

// p[i] is rank i. Whatever comes of these, mail_close frees all but the processes.
toc_status mail_open(mail *m, toc_fabric *f, toc_proc *const *p, unsigned ranks, bool single);
void mail_close(mail *m);

// One after the other, `from` a rank of this process; what has no room waits, and all ranks are looked after meanwhile.
// ask: with an answer; a rank asks for one at a time.
toc_status mail_send(mail *m, unsigned from, const irr_delegate *d);
toc_status mail_ask(mail *m, unsigned from, const irr_delegate *d);
toc_status mail_flush(mail *m);
toc_status mail_poll(mail *m);
bool mail_is_idle(const mail *m);
#endif
