// SPDX-License-Identifier: Apache-2.0
// Reads under way that the NIC was built for (-DCFG_ReadTags), and their largest (-DCFG_MaxRead).
#ifndef TOCSIN_COSIM_HW_TAGS_H
#define TOCSIN_COSIM_HW_TAGS_H

#ifdef CFG_none
#error "a file that needs the parameters of the hardware: to be named in the list _HW of its top (verif/cosim*/*.mk)"
#endif
#ifndef CFG_ReadTags
#define CFG_ReadTags 16
#endif
#ifndef CFG_MaxRead
#define CFG_MaxRead 512
#endif

enum { DUT_TAGS = CFG_ReadTags, DUT_MAX_READ = CFG_MaxRead };
#endif
