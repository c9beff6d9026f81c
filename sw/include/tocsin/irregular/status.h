// SPDX-License-Identifier: Apache-2.0
/* How calls of the communication layer and of global memory end. Functions that can fail return
 * irr_status; IRR_OK is 0. */
#ifndef TOCSIN_IRREGULAR_STATUS_H
#define TOCSIN_IRREGULAR_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/* What each says; a function's page names those that it gives. */
typedef enum irr_status {
  IRR_OK = 0,
  IRR_BUSY,       /* no room now: nothing has happened; poll, and call again */
  IRR_E_ARG,      /* an argument is wrong */
  IRR_E_NOMEM,    /* no memory left: the program's, the node's, or of the share that was asked */
  IRR_E_GONE,     /* the rank, or the way to it, does not answer any more */
  IRR_E_FUNCTION, /* no function is registered under this number at the home */
  IRR_E_LONG,     /* the argument, or the answer, is longer than a delegate's may be */
  IRR_E_RANGE,    /* the home has given no such memory away */
  IRR_E_ALIGN,    /* a word's address is no multiple of 8 */
  IRR_E_INSIDE,   /* inside a delegate, or a completion, nothing may wait or poll */
  IRR_E_DRIVER,   /* the driver refused: toc_why says why */
  IRR_E_IN_USE,   /* the number, or the memory, is taken */
  IRR_E_FILE,     /* the file of a store cannot be used: errno says why */
  IRR_E_THROWN,   /* in C++: the function has thrown an exception at its home */
  IRR_E_COUNT
} irr_status;

/* The name of a status ("IRR_E_GONE"), and by irr_text what it means. Never NULL. */
const char *irr_name(irr_status s);
const char *irr_text(irr_status s);

#ifdef __cplusplus
}
#endif
#endif
