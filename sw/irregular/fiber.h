// SPDX-License-Identifier: Apache-2.0
/* What tools that watch memory and threads must be told of stacks and switches: AddressSanitizer and ThreadSanitizer
 * where the library is compiled with them, Valgrind where its header is there. Without them nothing of this leaves a
 * trace but three words a stack. */
#ifndef TOCSIN_IRREGULAR_FIBER_H
#define TOCSIN_IRREGULAR_FIBER_H

#include <stddef.h>

#include "switch.h"

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#ifndef __has_include
#define __has_include(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define IRR_ASAN 1
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>
#else
#define IRR_ASAN 0
#endif
#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#define IRR_TSAN 1
#include <sanitizer/tsan_interface.h>
#else
#define IRR_TSAN 0
#endif
#if __has_include(<valgrind/memcheck.h>)
#define IRR_VALGRIND 1
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#include <valgrind/memcheck.h>
#pragma GCC diagnostic pop
#else
#define IRR_VALGRIND 0
#endif

/* A stack, a task's or the thread's own. */
typedef struct irr_fiber {
  const void *low;
  size_t bytes;
  void *tool;     /* ThreadSanitizer's fiber, or AddressSanitizer's second stack while this one does not run */
  unsigned known; /* Valgrind's number */
} irr_fiber;

/* Memory that will be a stack for several tasks, one after the other, is there; a task begins on it, below `top`;
 * it is given back. */
static inline void irr_fiber_map(irr_fiber *f) {
#if IRR_VALGRIND
  f->known = VALGRIND_STACK_REGISTER(f->low, (const char *)f->low + f->bytes);
#endif
#if IRR_ASAN
  __lsan_register_root_region(f->low, f->bytes);
#endif
  (void)f;
}

static inline void irr_fiber_begin(irr_fiber *f, const void *top) {
#if IRR_TSAN
  if (f->tool) __tsan_destroy_fiber(f->tool);
  f->tool = __tsan_create_fiber(0);
#elif IRR_ASAN
  f->tool = NULL;
  __asan_unpoison_memory_region(f->low, f->bytes);
#elif IRR_VALGRIND
  (void)VALGRIND_MAKE_MEM_UNDEFINED(f->low, (size_t)((const char *)top - (const char *)f->low));
#endif
  (void)f;
  (void)top;
}

static inline void irr_fiber_unmap(irr_fiber *f) {
#if IRR_VALGRIND
  VALGRIND_STACK_DEREGISTER(f->known);
#endif
#if IRR_ASAN
  __lsan_unregister_root_region(f->low, f->bytes);
  __asan_unpoison_memory_region(f->low, f->bytes);
#elif IRR_TSAN
  if (f->tool) __tsan_destroy_fiber(f->tool);
#endif
  (void)f;
}

/* The thread's own stack begins to take part in switches. */
static inline void irr_fiber_thread(irr_fiber *f) {
#if IRR_TSAN
  f->tool = __tsan_get_current_fiber();
#endif
  (void)f;
}

/* First of all on a stack that has been switched to from `from`; `self` is NULL if it begins there. */
static inline void irr_fiber_arrived(irr_fiber *self, irr_fiber *from) {
#if IRR_ASAN
  const void *low;
  size_t bytes;
  __sanitizer_finish_switch_fiber(self ? self->tool : NULL, &low, &bytes);
  if (from) {
    from->low = low;
    from->bytes = bytes;
  }
#endif
  (void)self;
  (void)from;
}

/* To the stack `to`, which stopped at sp; *save is where `from` stops. `ends`: nobody will come back. */
static inline void irr_fiber_switch(irr_fiber *from, void **save, irr_fiber *to, void *sp, int ends) {
#if IRR_ASAN
  __sanitizer_start_switch_fiber(ends ? NULL : &from->tool, to->low, to->bytes);
#elif IRR_TSAN
  __tsan_switch_to_fiber(to->tool, 0);
#endif
  irr_context_switch(save, sp);
#if IRR_ASAN
  irr_fiber_arrived(from, NULL);
#endif
  (void)from;
  (void)to;
  (void)ends;
}

#endif
