// SPDX-License-Identifier: Apache-2.0
/* The change of one stack for another: switch_x86_64.S, switch_aarch64.S, or contexts of the C library where the
 * processor is another one or IRR_UCONTEXT is defined (switch.c).
 *
 * A context that does not run is one pointer, `sp`: everything else that it must find again lies on its stack. That is
 * what a function may rely on when it calls another: the callee-saved registers, and the control (not the status) bits
 * of the floating-point unit. These belong to each context.
 * The signal mask belongs to the thread, and no switch changes it.
 *
 * Nothing below the stack pointer is touched, so that a red zone needs no care: the compiler has none across a call.
 * Unwinders see the switch as an ordinary call, and end at irr_context_start, whose return address
 * is declared undefined.
 *
 * Shadow stacks (Intel CET): a switch returns to where another call came from, which a shadow stack forbids. The object
 * file of the assembly therefore does not declare SHSTK, and the linker leaves shadow stacks off in every program that
 * has it. Indirect branch tracking is kept: the only indirect branch is a call, to a function of C. */
#ifndef TOCSIN_IRREGULAR_SWITCH_H
#define TOCSIN_IRREGULAR_SWITCH_H

#include <stddef.h>

typedef void irr_context_fn(void *arg);

/* Goes to `to`, and leaves in *from where the caller can be found. Returns when somebody goes there. */
void irr_context_switch(void **from, void *to);

/* A context on the stack of `bytes` bytes that ends at `top`, which calls fn(arg) when it is first gone to.
 * fn must not return. */
void *irr_context_new(void *top, size_t bytes, irr_context_fn *fn, void *arg);

#endif
