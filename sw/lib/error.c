// SPDX-License-Identifier: Apache-2.0
// Names and texts of statuses, and the sentence that tells why.
#include <stdarg.h>
#include <stdio.h>

#include "internal.h"

static _Thread_local char why[256];

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
    [TOC_E_STOPPED] = {"TOC_E_STOPPED", "the queue pair has stopped after an error"},
    [TOC_E_NOT_DONE] = {"TOC_E_NOT_DONE", "the log has not been read so far"},
    [TOC_E_LOST] = {"TOC_E_LOST", "records or events were lost"},
    [TOC_E_SUPPORT] = {"TOC_E_SUPPORT", "this backend or device cannot do that"},
    [TOC_E_IO] = {"TOC_E_IO", "the operating system refused"},
    [TOC_E_BAD_ENTRY] = {"TOC_E_BAD_ENTRY", "the NIC refused the request"},
    [TOC_E_LOCAL] = {"TOC_E_LOCAL", "local memory could not be read"},
    [TOC_E_PEER_GONE] = {"TOC_E_PEER_GONE", "the peer does not answer"},
    [TOC_E_NOT_READY] = {"TOC_E_NOT_READY", "the peer has no buffer, queue slot or event place"},
    [TOC_E_INVALID] = {"TOC_E_INVALID", "the peer finds the request invalid"},
    [TOC_E_ACCESS] = {"TOC_E_ACCESS", "the peer does not allow that"},
    [TOC_E_REMOTE] = {"TOC_E_REMOTE", "the peer could not carry it out"},
};

const char *toc_name(toc_status s) { return (unsigned)s < TOC_E_COUNT ? table[s].name : "?"; }
const char *toc_text(toc_status s) { return (unsigned)s < TOC_E_COUNT ? table[s].text : "unknown status"; }
const char *toc_why(void) { return why; }

toc_status toc_i_fail(toc_status s, const char *format, ...) {
  va_list a;
  va_start(a, format);
  vsnprintf(why, sizeof why, format, a);
  va_end(a);
  return s;
}
