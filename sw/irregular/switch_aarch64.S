// SPDX-License-Identifier: Apache-2.0
// irr_context_switch for AArch64, AAPCS64. The stack of a context that does not run, from its sp upwards:
//
//    0  d8 to d15
//   64  x19 to x28
//  144  x29, x30 (where it goes on)
//  160  FPCR, nothing
//
// Branch protection: it goes on by `ret`, which needs no landing pad, and signs nothing, since x30 changes stacks.
#if defined(__aarch64__) && !defined(IRR_UCONTEXT)
  .text
  .globl irr_context_switch
  .hidden irr_context_switch
  .type irr_context_switch, %function
  .p2align 6
irr_context_switch:
  .cfi_startproc
  hint #34  // bti c
  sub sp, sp, #176
  .cfi_def_cfa_offset 176
  stp d8, d9, [sp, #0]
  stp d10, d11, [sp, #16]
  stp d12, d13, [sp, #32]
  stp d14, d15, [sp, #48]
  stp x19, x20, [sp, #64]
  stp x21, x22, [sp, #80]
  stp x23, x24, [sp, #96]
  stp x25, x26, [sp, #112]
  stp x27, x28, [sp, #128]
  stp x29, x30, [sp, #144]
  .cfi_rel_offset x19, 64
  .cfi_rel_offset x20, 72
  .cfi_rel_offset x21, 80
  .cfi_rel_offset x22, 88
  .cfi_rel_offset x23, 96
  .cfi_rel_offset x24, 104
  .cfi_rel_offset x25, 112
  .cfi_rel_offset x26, 120
  .cfi_rel_offset x27, 128
  .cfi_rel_offset x28, 136
  .cfi_rel_offset x29, 144
  .cfi_rel_offset x30, 152
  mrs x9, fpcr
  str x9, [sp, #160]
  mov x10, sp
  str x10, [x0]
  mov sp, x1
  ldr x11, [sp, #160]
  cmp x9, x11
  b.eq 1f
  msr fpcr, x11
1:
  ldp d8, d9, [sp, #0]
  ldp d10, d11, [sp, #16]
  ldp d12, d13, [sp, #32]
  ldp d14, d15, [sp, #48]
  ldp x19, x20, [sp, #64]
  ldp x21, x22, [sp, #80]
  ldp x23, x24, [sp, #96]
  ldp x25, x26, [sp, #112]
  ldp x27, x28, [sp, #128]
  ldp x29, x30, [sp, #144]
  add sp, sp, #176
  .cfi_restore x19
  .cfi_restore x20
  .cfi_restore x21
  .cfi_restore x22
  .cfi_restore x23
  .cfi_restore x24
  .cfi_restore x25
  .cfi_restore x26
  .cfi_restore x27
  .cfi_restore x28
  .cfi_restore x29
  .cfi_restore x30
  .cfi_def_cfa_offset 0
  ret
  .cfi_endproc
  .size irr_context_switch, .-irr_context_switch

// Where a new context begins: x19 has its function, x20 the argument. Nobody called it, and here a backtrace ends.
  .globl irr_context_start
  .hidden irr_context_start
  .type irr_context_start, %function
  .p2align 4
irr_context_start:
  .cfi_startproc
  .cfi_undefined x30
  mov x29, xzr
  mov x30, xzr
  mov x0, x20
  blr x19
  brk #1
  .cfi_endproc
  .size irr_context_start, .-irr_context_start
#endif
#if defined(__linux__) && defined(__ELF__)
  .section .note.GNU-stack, "", %progbits
#endif
