# SPDX-License-Identifier: Apache-2.0
# Lockstep with the parameters that the sources have by default, for campaigns (CONFIGS=shipped): `default` has fewer
# responses and tags, which fill up sooner. Not among the lists of verif/cosim_nic and verif/cosim_tocsin, on whose text
# depends which mutants have been judged.
COSIM_NIC_shipped    := DataW=256 NumProcs=4 NumQps=16 NumMrs=32 RespDepth=64 Replay=16 Window=64 Requests=16 \
                        TableBits=6 TableCache=0 RecvDepth=8 NumLogs=8 RxFrames=16 Ahead=64 ReadTags=128 MaxRead=512
COSIM_TOCSIN_shipped := $(filter-out $(COSIM_NIC_default),$(COSIM_TOCSIN_default)) $(COSIM_NIC_shipped)
$(eval $(call cosim-config-rule,COSIM_NIC,cosim_nic,xtq_nic,$(COSIM_NIC_INC),cm nic xtq,shipped))
$(eval $(call cosim-config-rule,COSIM_TOCSIN,cosim_tocsin,tocsin,$(COSIM_TOCSIN_INC),cm nic xtq aa top,shipped))
