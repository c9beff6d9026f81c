# SPDX-License-Identifier: Apache-2.0
# Lockstep with the golden models: what the tops share. TOP=X is verif/cosim_X (xtq: cosim_nic), which adds
# to COSIM_TOPS and has cosim-X.
COSIM_SHARED  := $(filter-out verif/cosim/dut_none.c,$(wildcard verif/cosim/*.c))
# What its programs are linked with besides: a coverage run measures the model as well.
COSIM_LD      ?= $(if $(COVER),--coverage)
# The theorems of the blocks are checked in the smallest configuration of each top; COSIM_FORMAL=-DFORMAL, in any.
COSIM_FORMAL  ?=
cosim-formal   = $(if $(filter small,$(1)),-DFORMAL,$(COSIM_FORMAL))
TOP           ?= aa
N             ?= 1000000
cosim-config   = $(or $(CONFIG),default)
# The programs of these can write waves whether asked to or not, which costs them a tenth: `make run` writes them, and
# would else build what the tests have already a second time.
COSIM_WAVY    ?= default
cosim-wavy     = $(or $(WAVES),$(filter $(COSIM_WAVY),$(1)))
# $(call cosim-dir,FOLDER,CONFIG): where it is built.
cosim-dir      = $(B)/$(1)/$(2)$(if $(filter-out $(COSIM_WAVY),$(2)),$(if $(WAVES),-waves))$(COVER_VAR)

# A file of a bench is compiled once for all parameter sets, unless it depends on them: PREFIX_HW. What else names one
# does not compile. Of the Verilated hardware, the part that runs in every cycle and what stands between it and C are
# one unit (verif/sim/units.sh). $(call cosim-obj,FOLDER,CONFIG,FILES,HW): objects of files.
cosim-obj = $(foreach f,$(3),$(B)/$(1)/$(if $(filter $(f),$(4)),hw-$(2),all)/$(basename $(f)).o)
cosim-free = { ! grep -n '\<CFG_[A-Z][a-z]' $(1) || \
             { echo '$(1) depends on parameters: name it in the list _HW of its top'; exit 1; }; }

# $(call cosim-top,PREFIX,FOLDER,MODULE,FLAGS OF C,FOLDERS OF RTL)
define cosim-top
$(B)/$(2)/all/%.o: %.c $$($(1)_HDR) $(wildcard model/include/tocsin/*.h) | need-cc
	@mkdir -p $$(@D)
	$$(Q)$$(call cosim-free,$$<) && $$(CCACHE) $$(CC) $$(CSTD) $$(CFLAGS) $$(INC) $(4) -DCFG_none -c -o $$@ $$<
$(foreach c,$($(1)_CONFIGS),$(call cosim-config-rule,$(1),$(2),$(3),$(4),$(5),$(c)))
endef

# The same of one configuration.
define cosim-config-rule
$(B)/$(2)/hw-$(6)/%.o: %.c $$($(1)_HDR) $(wildcard model/include/tocsin/*.h) | need-cc
	@mkdir -p $$(@D)
	$$(Q)$$(CCACHE) $$(CC) $$(CSTD) $$(CFLAGS) $$(INC) $(4) $(patsubst %,-DCFG_%,$($(1)_$(6))) -c -o $$@ $$<
$(call cosim-dir,$(2),$(6))/V$(3)__ALL.a: verif/cosim/dut_shim.cpp $(wildcard verif/cosim/pin*.h verif/$(2)/*pins.h) \
    verif/sim/units.sh \
    verif/cosim/cosim.mk verif/$(if $(filter cosim,$(2)),cosim_aa/cosim_aa,$(2)/$(2)).mk $(RTL_PKGS) \
    $(call rtl-in,$(5)) \
    $(wildcard verif/formal/*.svh) $(call cosim-pchs,$(call cosim-wavy,$(6))) | need-sim
	@mkdir -p $$(@D)
	@echo 'building $$(@D): Verilator, then the compiler; about a minute of one core'
	$$(Q)verilator $$(VFLAGS) $(if $(call cosim-wavy,$(6)),$(VTRACE)) $$(call cosim-formal,$(6)) -Iverif/formal \
	  -DTOCSIN_DATA_W=$(patsubst DataW=%,%,$(filter DataW=%,$($(1)_$(6)))) \
	  $(patsubst %,-G%,$(filter-out DataW=%,$($(1)_$(6)))) --Mdir $$(@D) --prefix V$(3) --top-module $(3) \
	  verif/lint/waivers.vlt $$$$(scripts/rtl.py $(3))
	$$(Q)CXX="$$(CCACHE) $$(CXX)" \
	  CXXFLAGS='$$(call cxxflags-v,$(call cosim-wavy,$(6))) $(subst ',,$(4)) -DDUT_TOP=$(3) -DDUT_HEADER="V$(3).h"' \
	  PCH=$(call cosim-pch,$(call cosim-wavy,$(6))) \
	  verif/sim/units.sh $$(@D) $(3) "$$(COSIM_OPT)" verif/cosim/dut_shim.cpp
$(call cosim-dir,$(2),$(6))/cosim: $(call cosim-obj,$(2),$(6),$($(1)_SRC),$($(1)_HW)) \
    $(call cosim-dir,$(2),$(6))/V$(3)__ALL.a $$(MODEL_LINK) $$(VRT)
	$$(Q)$$(CXX) -o $$@ $$^ $$(COSIM_LD) -lz -lpthread -lm

endef

.PHONY: cosim
cosim: cosim-$(TOP) ## random lockstep with the model: TOP=aa|xtq|tocsin N=... SEED=... [CONFIG=small|default|wide|stock] [LOSS=0] [DUTS=2] [WAVES=1]
