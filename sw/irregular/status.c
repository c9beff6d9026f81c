// SPDX-License-Identifier: Apache-2.0
// Names and texts of statuses.
#include "tocsin/irregular/status.h"

static const struct {
  const char *name, *text;
} table[IRR_E_COUNT] = {
    [IRR_OK] = {"IRR_OK", "ok"},
    [IRR_BUSY] = {"IRR_BUSY", "no room now: poll, and call again"},
    [IRR_E_ARG] = {"IRR_E_ARG", "an argument is wrong"},
    [IRR_E_NOMEM] = {"IRR_E_NOMEM", "no memory left"},
    [IRR_E_GONE] = {"IRR_E_GONE", "the rank does not answer any more"},
    [IRR_E_FUNCTION] = {"IRR_E_FUNCTION", "no function is registered under this number there"},
    [IRR_E_LONG] = {"IRR_E_LONG", "longer than a delegate's argument or answer may be"},
    [IRR_E_RANGE] = {"IRR_E_RANGE", "the home has given no such memory away"},
    [IRR_E_ALIGN] = {"IRR_E_ALIGN", "the address is no multiple of 8"},
    [IRR_E_INSIDE] = {"IRR_E_INSIDE", "inside a delegate or a completion nothing may wait or poll"},
    [IRR_E_DRIVER] = {"IRR_E_DRIVER", "the driver refused; toc_why says why"},
    [IRR_E_IN_USE] = {"IRR_E_IN_USE", "it is taken"},
    [IRR_E_FILE] = {"IRR_E_FILE", "the file cannot be used; errno says why"},
    [IRR_E_THROWN] = {"IRR_E_THROWN", "the function has thrown an exception at its home"},
};

const char *irr_name(irr_status s) { return (unsigned)s < IRR_E_COUNT ? table[s].name : "?"; }
const char *irr_text(irr_status s) { return (unsigned)s < IRR_E_COUNT ? table[s].text : "unknown status"; }
