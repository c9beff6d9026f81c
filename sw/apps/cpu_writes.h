// SPDX-License-Identifier: Apache-2.0
// Which pages of a range has this process's own CPU written? What dirty.h says of devices, so that both together say of
// which pages an incremental checkpoint has to save anything. The kernel is asked, in the best way that it has here:
//
//   userfaultfd  write protection that the kernel lifts by itself at the first write (Linux 6.7),
//                and /proc/self/pagemap
//   soft-dirty   bits that the kernel sets in the page table (CONFIG_MEM_SOFT_DIRTY), and /proc/self/pagemap
//   faults       mprotect, and a handler of SIGSEGV that lifts it; a system call that is to write such
//                a page fails with EFAULT
//   everything   no way at all: all pages count as written, always
//
// A device's writes are none of these, since they do not go through the CPU's page tables. Those of a backend in this
// process do: cpu_view gives the CPU an address of its own for the same memory.
#ifndef TOCSIN_CPU_WRITES_H
#define TOCSIN_CPU_WRITES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tocsin/tocsin.h"

typedef enum cpu_way { CPU_USERFAULTFD, CPU_SOFT_DIRTY, CPU_FAULTS, CPU_EVERYTHING, CPU_WAYS } cpu_way;
cpu_way cpu_way_named(const char *name);  // CPU_WAYS: there is none
const char *cpu_way_name(cpu_way way);
bool cpu_way_works(cpu_way way);  // here: it is tried

typedef struct cpu_writes cpu_writes;

// Whole pages, which are clean from here on. way: CPU_WAYS for the first that works for them, else this one. E_ARG,
// E_NOMEM; E_SUPPORT: that way does not work, or soft-dirty is in use already, of which a process can have one.
toc_status cpu_writes_open(void *ptr, size_t bytes, cpu_way way, cpu_writes **w);
void cpu_writes_close(cpu_writes *w);  // pages may be written; NULL is fine
cpu_way cpu_writes_way(const cpu_writes *w);

// Bit i of the bitmap: page i was written since it was clean; it is clean from here on. Who copies the page behind this
// call loses nothing: a write that comes later is in the next bitmap, also from another thread (soft-dirty: only while
// nobody writes). The bitmap is not in the range. E_IO: the kernel has failed; then pages may have been missed.
toc_status cpu_writes_get(cpu_writes *w, uint64_t *bitmap);
uint64_t cpu_writes_looked(const cpu_writes *w);  // at so many page-table entries, faults or pages so far

// The same memory at another address, for the CPU; what is at ptr (whole pages, of a backend in this process, that
// nobody has written yet) stays the device's. E_NOMEM. To be given back before ptr's memory is.
toc_status cpu_view_open(void *ptr, size_t bytes, void **view);
void cpu_view_close(void *view, size_t bytes);
#endif
