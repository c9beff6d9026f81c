# SPDX-License-Identifier: Apache-2.0
# What the Verilated IOMMU lets through by packet size: figures 6a and 6b of docs/figures.md, which
# sw/cluster/figures.py draws. The hardware is that of lockstep's configuration `default`, which every `make test`
# builds; alone, without the model.
BENCH_LINK     := $(B)/cosim/default/bench_link
BENCH_LINK_CC  := $(CSTD) $(CFLAGS) -D_POSIX_C_SOURCE=200809L $(INC) -Iverif/cosim_aa -Iverif/cosim
BENCH_LINK_SRC  = $(foreach p,$(BENCH_PARTS),$(filter %/$(p).c,$(COSIM_SRC)))
BENCH_LINK_LD   = $(call cosim-obj,cosim,default,$(BENCH_LINK_SRC),$(COSIM_HW)) $(B)/cosim/default/Vaa_iommu__ALL.a
$(BENCH_LINK): verif/bench/link/bench_link.c $(B)/cosim/default/cosim verif/bench/link.mk
	$(Q)$(CC) $(BENCH_LINK_CC) -c -o $(@D)/bench_link.o $<
	$(Q)$(CXX) -o $@ $(@D)/bench_link.o $(BENCH_LINK_LD) $(MODEL_LIB) $(VRT) -lz -lpthread -lm

.PHONY: bench-link bench-link-test
bench-link: $(BENCH_LINK) ## cycles by packet size through the Verilated IOMMU: build/cosim/default/bench_link, for make figures FIGURES="6a 6b"
bench-link-test: $(BENCH_LINK)
	$(Q)verif/bench/link/test.sh $(BENCH_LINK) '$(CC) $(BENCH_LINK_CC)' '$(CXX)' \
	  '$(BENCH_LINK_LD) $(MODEL_LIB) $(VRT) -lz -lpthread -lm'
TESTS += bench-link-test
