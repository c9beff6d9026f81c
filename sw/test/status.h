// SPDX-License-Identifier: Apache-2.0
/* What a test wants of a status. */
#ifndef TOCSIN_TEST_STATUS_H
#define TOCSIN_TEST_STATUS_H

#include "check.h"

/* `text`: the call as it is written. `name` makes a word of a status; `why` is what else is known,
 * and may look at `status_`. */
#define STATUS_IS(type, call, text, want, name, why)                                                     \
  do {                                                                                                   \
    const type status_ = (call);                                                                         \
    if (status_ == (want)) {                                                                             \
      passed++;                                                                                          \
    } else {                                                                                             \
      failed++;                                                                                          \
      printf("%s:%d: %s: %s, want %s (%s)\n", __FILE__, __LINE__, text, name(status_), name(want), why); \
    }                                                                                                    \
  } while (0)

#endif
