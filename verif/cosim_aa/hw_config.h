// SPDX-License-Identifier: Apache-2.0
// Parameters of the IOMMU that this program was built for (-DCFG_..., `default` if none are given),
// as the model wants them.
#ifndef TOCSIN_HW_CONFIG_H
#define TOCSIN_HW_CONFIG_H

#include "tocsin/aa.h"

#ifdef CFG_none
#error "a file that needs the parameters of the hardware: to be named in the list _HW of its top (verif/cosim*/*.mk)"
#endif

#ifndef CFG_DataW  // scripts/params.py writes the values, from rtl/top/params.txt
#define CFG_DataW 256
#define CFG_NumPorts 2
#define CFG_Window 8
#define CFG_IotlbEntries 64
#define CFG_IotlbWays 4
#define CFG_IotlbRandom 0
#define CFG_SpEntries 4
#define CFG_CtxEntries 16
#define CFG_PscEntries 8
#define CFG_Walkers 4
#define CFG_NumLogs 8
#define CFG_LogDepth 16
#define CFG_TagEntries 32
#define CFG_FlushPages 4
#define CFG_FlushWaiters 8
#define CFG_ScratchWords 16
#endif
#ifndef CFG_ActiveAccess
#define CFG_ActiveAccess 1
#endif
#ifndef CFG_AaWindow  // in `tocsin` the NIC has a Window of its own
#define CFG_AaWindow CFG_Window
#endif

static inline void hw_config(aa_config *c) {
  aa_config_default(c);
  c->DataW = CFG_DataW;
  c->NumPorts = CFG_NumPorts;
  c->Window = CFG_AaWindow;
  c->IotlbEntries = CFG_IotlbEntries;
  c->IotlbWays = CFG_IotlbWays;
  c->IotlbRandom = CFG_IotlbRandom;
  c->SpEntries = CFG_SpEntries;
  c->CtxEntries = CFG_CtxEntries;
  c->PscEntries = CFG_PscEntries;
  c->Walkers = CFG_Walkers;
  c->NumLogs = CFG_NumLogs;
  c->LogDepth = CFG_LogDepth;
  c->TagEntries = CFG_TagEntries;
  c->FlushPages = CFG_FlushPages;
  c->FlushWaiters = CFG_FlushWaiters;
  c->ScratchWords = CFG_ScratchWords;
  c->ActiveAccess = CFG_ActiveAccess;
  if (!c->ActiveAccess) c->NumLogs = c->LogDepth = c->FlushPages = c->FlushWaiters = c->ScratchWords = 0;
}

#endif
