# SPDX-License-Identifier: Apache-2.0
# Long campaigns: SEEDS of every configuration of a top, links with and without loss; verif/CAMPAIGN.md is their record.
SEEDS ?= 1-20
CAMPAIGN_aa      := small default wide
CAMPAIGN_N_aa    := 1000000
campaign_aa       = $(foreach c,$(CAMPAIGN_aa),'$(c)=$(B)/cosim/$(c)/cosim --once --config $(c)')
CAMPAIGN_N_xtq   := 300000
campaign_xtq      = 'default, loss=$(B)/cosim_nic/default/cosim --once' 'default, no loss=$(B)/cosim_nic/default/cosim --once --lossless'
CAMPAIGN_N_tocsin := 300000
campaign_tocsin   = 'default, loss=$(B)/cosim_tocsin/default/cosim --once' 'default, no loss=$(B)/cosim_tocsin/default/cosim --once --lossless'
campaign-progs-aa  = $(CAMPAIGN_aa:%=$(B)/cosim/%/cosim)
campaign-progs-xtq = $(B)/cosim_nic/default/cosim
campaign-progs-tocsin = $(B)/cosim_tocsin/default/cosim
campaign-hw-aa    := aa_iommu
campaign-hw-xtq   := xtq_nic
campaign-hw-tocsin := tocsin
campaign-sw-aa    := aa tlp
campaign-sw-xtq   := nic xtq tlp
campaign-sw-tocsin := aa nic xtq tlp

.PHONY: campaign
campaign: ## many seeds in lockstep: [TOP=aa|xtq|tocsin] [SEEDS=1-20] [N=...] [MINUTES=...]; goes on where it stopped, verif/CAMPAIGN.md
	$(Q)$(MAKE) --no-print-directory $(campaign-progs-$(TOP))
	$(Q)scripts/campaign.py --top $(TOP) --n $(if $(filter file,$(origin N)),$(CAMPAIGN_N_$(TOP)),$(N)) --seeds $(SEEDS) --jobs $(JOBS) \
	  --minutes $(or $(MINUTES),0) --record verif/CAMPAIGN.md --run $(campaign_$(TOP)) \
	  --sources $$(scripts/rtl.py $(campaign-hw-$(TOP))) \
	    $(wildcard $(foreach p,$(campaign-sw-$(TOP)),model/src/$(p)*.c model/include/tocsin/$(p)*.h))
