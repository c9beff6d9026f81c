// SPDX-License-Identifier: Apache-2.0
/* What is due: the IOMMU has all that it needs for it, and waits for nobody. Private to the library; aa_owes of
 * tocsin/aa.h says what is due and what is only under way. */
#ifndef AA_OWES_H
#define AA_OWES_H

#include "tocsin/aa.h"

typedef enum aa_due_kind {
  AA_DUE_RESET,     /* a read whose requester was reset: its RetTimeout */
  AA_DUE_ENDED,     /* AA_RESET, when nothing of its requester is left: NoteReset */
  AA_DUE_ABORT,     /* an open get of a log that closes: its RetTimeout */
  AA_DUE_FLUSH,     /* a flush whose log is drained or was torn down, or whose requester was reset: NoteFlush */
  AA_DUE_PTR,       /* a log's producer in memory: NotePtr */
  AA_DUE_TASK,      /* NoteTask */
  AA_DUE_OFF,       /* a log that closes, is published and has told all: NoteLogOff */
  AA_DUE_FAULT,     /* NoteFault */
  AA_DUE_INV_EVENT, /* NoteInvDone */
  AA_DUE_INV,       /* an invalidation by register that waits for no lane: its RetInval 1 or 2 */
  AA_DUE_PUBLISH,   /* the oldest entry of a log: RetPublish; its bytes are written (lockstep: aa_duty) */
  AA_DUE_WAIT, /* a wait, NoteWait; and an invalidation by register, RetInval 3 or 4: no older read is outstanding */
  AA_DUE_DONE, /* (lockstep: and no older TLP: aa_duty) */
  AA_DUE_NUM
} aa_due_kind;

unsigned aa_due_count(const aa *m, aa_due_kind k); /* how many of a kind there can be */
bool aa_due_now(const aa *m, aa_due_kind k, unsigned i);
void aa_due_text(const aa *m, aa_due_kind k, unsigned i, char *text, size_t n);

#endif
