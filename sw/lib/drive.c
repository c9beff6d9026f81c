// SPDX-License-Identifier: Apache-2.0
/* The thread of `progress = TOC_PROGRESS_THREAD`: what else is done by calls that wait, it does all the time.
 * While something moves it runs as fast as it can. When nothing does, simulated time follows the clock,
 * so that timers expire; when nothing has moved for as long as any timer of the device may take, it sleeps until
 * somebody writes a register. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

enum { NAP_US = 100, SLEEP_US = 10000, TURNS = 1000 };
#define QUIET_NS 200000000u /* the watchdog of logs and the requests' retries are shorter */

static uint64_t clock_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

/* Others first: they would find the lock taken again whenever they look. */
static void let_in(toc_i_fabric *f) {
  if (!__atomic_load_n(&f->wanted, __ATOMIC_RELAXED)) return;
  toc_i_unlock(f);
  nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
  toc_i_lock(f);
}

static void doze(toc_i_fabric *f, unsigned us) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  uint64_t ns = (uint64_t)t.tv_nsec + us * 1000ull;
  t.tv_sec += (time_t)(ns / 1000000000);
  t.tv_nsec = (long)(ns % 1000000000);
  (void)pthread_cond_timedwait(&f->driver->kick, &f->lock, &t);
}

static void nap(toc_i_fabric *f, unsigned us) {
  toc_driver *d = f->driver;
  uint64_t times;
  if (d->kicked || d->end) return;
  d->asleep = true;
  if (toc_i_rest(f, d->fd,
                 us < 1000 ? 1 : (int)us / 1000)) { /* a frame's arrival, or what another thread wants, ends it */
    while (read(d->fd, &times, sizeof times) > 0) {
    }
  } else {
    doze(f, us);
  }
  d->asleep = false;
}

/* Another thread waits, and does what there is to do: two would only be in each other's way.
 * true: it did so just now. */
static bool aside(toc_i_fabric *f) {
  toc_driver *d = f->driver;
  if (d->end || d->turns == f->turns) return false;
  d->turns = f->turns;
  doze(f, NAP_US);
  return true;
}

/* Idle turns until simulated time has caught up with the clock; true: something has moved. */
static bool catch_up(toc_i_fabric *f, uint64_t us, uint64_t ns) {
  for (unsigned turn = 0; turn < TURNS; turn++) {
    if (toc_i_progress(f, TOC_I_NOW)) return true;
    if (__atomic_load_n(&f->wanted, __ATOMIC_RELAXED)) return false;
    if (!f->be->in_process || f->be->now(f->self) - ns >= (clock_us() - us) * 1000) return false;
  }
  return false;
}

static void *drive(void *arg) {
  toc_i_fabric *f = arg;
  toc_driver *d = f->driver;
  toc_hand *me = toc_i_hand();
  me->of = f;
  toc_i_lock(f);
  uint64_t us = clock_us(), ns = f->be->now(f->self); /* since when nothing moves */
  while (!d->end) {
    while (aside(f)) {
      us = clock_us();
      ns = f->be->now(f->self);
    }
    bool moved = catch_up(f, us, ns) || d->kicked;
    d->kicked = false;
    if (moved) {
      toc_i_fault_events(f);
      us = clock_us();
      ns = f->be->now(f->self);
    } else {
      nap(f, f->be->in_process && f->be->now(f->self) - ns > QUIET_NS ? SLEEP_US : NAP_US);
    }
    let_in(f);
  }
  toc_i_unlock(f);
  me->of = NULL;
  return NULL;
}

toc_status toc_i_drive(toc_i_fabric *f) {
  sigset_t all, old;
  pthread_condattr_t a;
  toc_driver *d = calloc(1, sizeof *d);
  if (!d) return toc_i_fail(TOC_E_NOMEM, "toc_open: no memory");
  d->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (d->fd < 0) {
    free(d);
    return toc_i_fail(TOC_E_IO, "toc_open: no eventfd");
  }
  pthread_condattr_init(&a);
  pthread_condattr_setclock(&a, CLOCK_MONOTONIC);
  pthread_cond_init(&d->kick, &a);
  pthread_condattr_destroy(&a);
  f->driver = d;
  sigfillset(&all); /* signals are the program's */
  pthread_sigmask(SIG_SETMASK, &all, &old);
  int bad = pthread_create(&d->thread, NULL, drive, f);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  if (!bad) return TOC_OK;
  pthread_cond_destroy(&d->kick);
  close(d->fd);
  free(d);
  f->driver = NULL;
  return toc_i_fail(TOC_E_NOMEM, "toc_open: no thread to make progress");
}

void toc_i_drive_end(toc_i_fabric *f) {
  toc_driver *d = f->driver;
  if (!d) return;
  d->end = true;
  toc_i_kick(f);
  toc_i_unlock(f);
  pthread_join(d->thread, NULL);
  toc_i_lock(f);
  f->driver = NULL;
  pthread_cond_destroy(&d->kick);
  close(d->fd);
  free(d);
}
