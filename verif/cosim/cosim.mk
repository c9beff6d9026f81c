# SPDX-License-Identifier: Apache-2.0
# Lockstep with the golden models: what the tops share. TOP=X is verif/cosim_X (xtq: cosim_nic), which adds to COSIM_TOPS and has cosim-X.
COSIM_SHARED  := $(filter-out verif/cosim/dut_none.c,$(wildcard verif/cosim/*.c))
# Of the Verilated hardware: -O1 takes twice as long to build, -O2 longer still, and what is built runs 3 to 7 % faster.
COSIM_OPT     ?= -Og
COSIM_LD      ?= $(if $(COVER),--coverage)
# The theorems of the blocks are checked in the smallest configuration of each top; COSIM_FORMAL=-DFORMAL, in any.
COSIM_FORMAL  ?=
cosim-formal   = $(if $(filter small,$(1)),-DFORMAL,$(COSIM_FORMAL))
TOP           ?= aa
N             ?= 1000000
cosim-config   = $(or $(CONFIG),default)

.PHONY: cosim
cosim: cosim-$(TOP) ## random lockstep with the model: TOP=aa|xtq|tocsin N=... SEED=... [CONFIG=small|default|wide|stock] [LOSS=0] [DUTS=2] [WAVES=1]
