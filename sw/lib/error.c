// SPDX-License-Identifier: Apache-2.0
// Names and texts of statuses, and the sentence that tells why.
#include <stdarg.h>
#include <stdio.h>

#include "internal.h"
#include "tocsin/nic.h"

static _Thread_local char why[256];
static _Thread_local toc_status last;

static const struct {
  const char *name, *text;
} table[TOC_E_COUNT] = {
    [TOC_OK] = {"TOC_OK", "ok"},
    [TOC_E_ARG] = {"TOC_E_ARG", "an argument is wrong"},
    [TOC_E_NOMEM] = {"TOC_E_NOMEM", "no memory left"},
    [TOC_E_BACKEND] = {"TOC_E_BACKEND", "no such backend, or it cannot be opened"},
    [TOC_E_DEVICE] = {"TOC_E_DEVICE", "the device is none that this driver drives"},
    [TOC_E_DEAD] = {"TOC_E_DEAD", "the device does not answer"},
    [TOC_E_TIMEOUT] = {"TOC_E_TIMEOUT", "the time is over"},
    [TOC_E_FULL] = {"TOC_E_FULL", "all of them are in use"},
    [TOC_E_RANGE] = {"TOC_E_RANGE", "not in memory of this process"},
    [TOC_E_ALIGN] = {"TOC_E_ALIGN", "not aligned"},
    [TOC_E_ACTION] = {"TOC_E_ACTION", "these actions do not go together"},
    [TOC_E_IN_USE] = {"TOC_E_IN_USE", "others still use it"},
    [TOC_E_STOPPED] = {"TOC_E_STOPPED", "the queue pair, or the log, has stopped after an error"},
    [TOC_E_NOT_DONE] = {"TOC_E_NOT_DONE", "the log has not been read so far"},
    [TOC_E_LOST] = {"TOC_E_LOST", "records or events were lost"},
    [TOC_E_SUPPORT] = {"TOC_E_SUPPORT", "this backend or device cannot do that"},
    [TOC_E_IO] = {"TOC_E_IO", "the operating system refused"},
    [TOC_E_PLACE] = {"TOC_E_PLACE", "the backend's memory for the device is not where it may be"},
    [TOC_E_BAD_ENTRY] = {"TOC_E_BAD_ENTRY", "the NIC refused the request"},
    [TOC_E_LOCAL] = {"TOC_E_LOCAL", "local memory could not be read"},
    [TOC_E_PEER_GONE] = {"TOC_E_PEER_GONE", "the peer does not answer"},
    [TOC_E_NOT_READY] = {"TOC_E_NOT_READY", "the peer has no buffer, queue slot or event place"},
    [TOC_E_INVALID] = {"TOC_E_INVALID", "the peer finds the request invalid"},
    [TOC_E_ACCESS] = {"TOC_E_ACCESS", "the peer does not allow that: its region, with these rights and bounds"},
    [TOC_E_REMOTE] = {"TOC_E_REMOTE", "the peer could not carry it out: its page tables or its memory refuse"},
    [TOC_E_CLOSED] = {"TOC_E_CLOSED", "it has been closed"},
};

const char *toc_name(toc_status s) { return (unsigned)s < TOC_E_COUNT ? table[s].name : "?"; }
const char *toc_text(toc_status s) { return (unsigned)s < TOC_E_COUNT ? table[s].text : "unknown status"; }
const char *toc_why(void) { return why; }

const char *toc_reason(uint64_t value) {
  static const char *const text[] = {
      [NIC_WHY_NONE] = "none was given",
      [NIC_WHY_BAD_PROCESS] = "the task is for another process than the connection",
      [NIC_WHY_BAD_KIND] = "the task is neither kernel nor function",
      [NIC_WHY_BAD_LENGTH] = "its lengths do not agree, or a kernel with target buffer or payload has no arguments",
      [NIC_WHY_BAD_TYPE] = "the packet's type is not the task's",
      [NIC_WHY_BAD_INDEX] = "no kernel or function is registered under its index",
      [NIC_WHY_BAD_QUEUE] = "no queue is registered under its index",
      [NIC_WHY_NO_BUFFER] = "no receive buffer has room",
      [NIC_WHY_QUEUE_FULL] = "the queue is full",
      [NIC_WHY_TABLE] = "a table could not be read",
      [NIC_WHY_SEQUENCE] = "its packets came in an order that makes no message",
      [NIC_WHY_REGION] = "no region has this key, or not with this right and length",
      [NIC_WHY_NO_EVENT] = "the event ring is full",
      [NIC_WHY_OPCODE] = "nothing there takes such an operation",
  };
  return value < sizeof text / sizeof *text ? text[value] : "unknown reason";
}

toc_status toc_i_fail(toc_status s, const char *format, ...) {
  va_list a;
  va_start(a, format);
  vsnprintf(why, sizeof why, format, a);
  va_end(a);
  return last = s;
}

toc_status toc_i_failed(void) { return last; }
