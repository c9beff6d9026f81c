# SPDX-License-Identifier: Apache-2.0
# XTQ's evaluation in simulated time: build/lib/xtq.so, for the same run.sh and figures.py as build/lib/cluster.so.
XTQ     := $(B)/lib/xtq.so
XTQ_SRC := $(sort $(wildcard sw/cluster/xtq/*.c)) sw/cluster/cost.c sw/cluster/choice.c
XTQ_HDR := $(wildcard sw/cluster/xtq/*.h sw/cluster/*.h model/include/tocsin/*.h sw/include/tocsin/*.h) sw/apps/mix.h
XTQ_CC  := $(CLUSTER_CC) -Isw/include -Isw/cluster

$(XTQ): $(XTQ_SRC) $(XTQ_HDR) $(MODEL_LIB) | need-cc
	@mkdir -p $(@D)
	$(call cluster-link,xtq,$(XTQ_CC),$(XTQ_SRC))
