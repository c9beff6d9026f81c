# SPDX-License-Identifier: Apache-2.0
# Lockstep of the whole design, NIC and IOMMU: the nodes of verif/cosim_nic with the bench of verif/cosim_aa
# behind the NIC.
COSIM_TOCSIN_small   := DataW=128 NumPorts=2 AaWindow=2 IotlbEntries=2 IotlbWays=2 IotlbRandom=0 SpEntries=1 \
                        CtxEntries=2 PscEntries=1 \
                        Walkers=1 LogDepth=2 TagEntries=4 FlushPages=1 FlushWaiters=2 ScratchWords=2 \
                        $(patsubst NumLogs=%,NumLogs=4,$(filter-out DataW=%,$(COSIM_NIC_small)))
COSIM_TOCSIN_default := DataW=256 NumPorts=2 AaWindow=8 IotlbEntries=64 IotlbWays=4 IotlbRandom=0 SpEntries=4 \
                        CtxEntries=16 PscEntries=8 \
                        Walkers=4 LogDepth=16 TagEntries=32 FlushPages=4 FlushWaiters=8 ScratchWords=16 \
                        $(filter-out DataW=%,$(COSIM_NIC_default))
COSIM_TOCSIN_wide    := DataW=512 AxiCache=15 NumPorts=4 AaWindow=16 IotlbEntries=16 IotlbWays=16 IotlbRandom=1 \
                        SpEntries=8 CtxEntries=8 PscEntries=4 \
                        Walkers=8 LogDepth=32 TagEntries=64 FlushPages=8 FlushWaiters=16 ScratchWords=64 \
                        $(filter-out DataW=%,$(COSIM_NIC_wide))
# For the wiring: as many ports as there may be, and more than one process.
COSIM_TOCSIN_ports   := NumPorts=4 TagEntries=8 FlushWaiters=4 NumProcs=2 NumMrs=4 \
                        $(filter-out NumPorts=% TagEntries=% FlushWaiters=% NumProcs=% NumMrs=%,$(COSIM_TOCSIN_small))
COSIM_TOCSIN_CONFIGS := small ports default wide
# Contexts in memory, read and written through the IOMMU.
COSIM_TOCSIN_many    := $(filter-out $(COSIM_NIC_default),$(COSIM_TOCSIN_default)) \
                        $(patsubst NumLogs=%,NumLogs=8,$(COSIM_NIC_many))
COSIM_TOCSIN_OWN     := $(sort $(wildcard verif/cosim_tocsin/*.c))
COSIM_TOCSIN_SRC     := $(COSIM_TOCSIN_OWN) \
                        $(filter-out $(addprefix verif/cosim_nic/,hostile.c wiring.c wiring_sends.c wiring_tasks.c flood.c floods.c top.c),$(COSIM_NIC_SRC)) \
                        $(addprefix verif/cosim_aa/,aa_reach.c bench.c bench_base.c axi.c host.c lock.c traffic.c)
COSIM_TOCSIN_INC     := -Iverif/cosim_tocsin -Iverif/cosim_nic -Iverif/cosim_aa -Iverif/cosim \
                        -DDUT_PINS='"tocsin_pins.h"'
cosim-tocsin-prog     = $(call cosim-dir,cosim_tocsin,$(1))/cosim
COSIM_TOCSIN_HDR     := $(wildcard verif/cosim_tocsin/*.h verif/cosim_aa/*.h) $(COSIM_NIC_HDR)
COSIM_TOCSIN_HW      := verif/cosim_tocsin/tocsin_node.c verif/cosim_tocsin/top.c verif/cosim_aa/axi.c \
                        $(patsubst %,verif/cosim_nic/%.c,cosim_nic cpl dut_node)
$(eval $(call cosim-top,COSIM_TOCSIN,cosim_tocsin,tocsin,$(COSIM_TOCSIN_INC),cm nic xtq aa top))
$(eval $(call cosim-config-rule,COSIM_TOCSIN,cosim_tocsin,tocsin,$(COSIM_TOCSIN_INC),cm nic xtq aa top,many))

COSIM_TOPS += tocsin
.PHONY: cosim-tocsin
cosim-tocsin: $(call cosim-tocsin-prog,$(cosim-config))
	@mkdir -p $(REPORT)
	$(Q)$(if $(WAVES),scripts/gtkw.py --run tocsin $(<D)/wave.fst) $< --n $(N) --seed $(SEED) --config $(cosim-config) \
	  $(if $(DUTS),--nodes $(DUTS) --duts $(DUTS)) --json $(REPORT)/cosim.json $(if $(filter 0,$(LOSS)),--lossless) \
	  $(ARGS) \
	  $(if $(WAVES),--waves $(<D)/wave.fst)

# Short runs: one node of hardware between models, and two of hardware back to back.
.PHONY: cosim-tocsin-smoke cosim-tocsin-pair
cosim-tocsin-smoke: $(call cosim-tocsin-prog,default)
	$(Q)rm -f $(<D)/points
	$(Q)$< --n 1000 --seed 1 --bad 40 --quiet --once --points $(<D)/points  # entries that end without an answer are rare
	$(Q)$< --n 1000 --seed 5 --lossless --quiet --once --points $(<D)/points
	$(Q)$< --wiring 10 --points $(<D)/points  # memory that refuses what a log writes
	$(Q)$< --n 1000 --seed 7 --nodes 2 --duts 2 --quiet --once --points $(<D)/points --bounds
	$(Q)verif/cosim_nic/bounds.sh $< default
TESTS        += cosim-tocsin-smoke
# Contexts in memory: each is read and written through the IOMMU, whose tables and caches a driver
# invalidates meanwhile.
.PHONY: cosim-tocsin-many
cosim-tocsin-many: $(call cosim-tocsin-prog,many)
	$(Q)rm -f $(<D)/points
	$(Q)$< --n 500 --config many --seed 4 --reconnect 40 --move 20 --quiet --once --points $(<D)/points
	$(Q)$< --n 500 --config many --seed 1 --bad 40 --nodes 2 --duts 2 --quiet --once --points $(<D)/points --bounds
	$(Q)verif/cosim_nic/bounds.sh $< many
TESTS        += cosim-tocsin-many
TESTS_SHARED += $(B)/cosim_tocsin/many/cosim
# The theorems of the blocks are on in this one.
.PHONY: cosim-tocsin-small cosim-tocsin-first
cosim-tocsin-small: $(call cosim-tocsin-prog,small)
	$(Q)for s in 1 2; do $< --n 300 --seed $$s --config small --bounds || exit 1; done
cosim-tocsin-first: $(call cosim-tocsin-prog,small)
	$(Q)$< --n 300 --seed 1 --config small --bounds
TESTS        += cosim-tocsin-small cosim-tocsin-first
# What joins the halves and their pins. Without models the cases judge by themselves what they see.
COSIM_TOCSIN_WIRED  := small ports default
COSIM_TOCSIN_WIRING := $(COSIM_TOCSIN_WIRED:%=cosim-tocsin-wiring-%)
.PHONY: $(COSIM_TOCSIN_WIRING)
$(COSIM_TOCSIN_WIRING): cosim-tocsin-wiring-%: $(B)/cosim_tocsin/%$(COVER_VAR)/cosim
	$(Q)for b in both rtl; do $< --wiring all --seed $(SEED) --config $* --backend $$b --quiet || exit 1; done
TESTS        += $(COSIM_TOCSIN_WIRING)
TESTS_SHARED += $(COSIM_TOCSIN_WIRED:%=$(B)/cosim_tocsin/%/cosim)

# What programs caused at a node, played again; the second time with other gaps and delays.
.PHONY: cosim-tocsin-traces
cosim-tocsin-traces: $(call cosim-tocsin-prog,default)
	$(Q)for t in verif/traces/node/*.trc; do $< --replay $$t && $< --replay $$t --backend rtl --seed 2 || exit 1; done
TESTS += cosim-tocsin-traces
# Of the irregular programs (`make graph-traces` records them anew). None is missing, and a byte that
# the device wrote otherwise is found.
GRAPH_PROGRAMS := gups uts bfs pagerank cc sssp triangles
.PHONY: cosim-graph-traces
cosim-graph-traces: $(call cosim-tocsin-prog,default) ## plays a recorded node of each irregular program on hardware and model in lockstep
	$(Q)for p in $(GRAPH_PROGRAMS); do test -s verif/traces/graph/$$p.trc || \
	  { echo "verif/traces/graph/$$p.trc is missing: make graph-traces"; exit 1; }; done
	$(Q)for t in verif/traces/graph/*.trc; do \
	  $< --replay $$t && $< --replay $$t --backend rtl --seed 2 >$(<D)/graph.log || \
	  { cat $(<D)/graph.log; exit 1; }; done
	$(Q)awk '$$1 == "E" && NF == 3 { l[++n] = NR } { a[NR] = $$0 } END { k = l[int((n + 1) / 2)]; m = length(a[k]); \
	  a[k] = substr(a[k], 1, m - 1) (substr(a[k], m) == "a" ? "b" : "a"); for (i = 1; i <= NR; i++) print a[i] }' \
	  verif/traces/graph/gups-xtq.trc >$(<D)/slip.trc
	$(Q)! $< --replay $(<D)/slip.trc --backend rtl >$(<D)/graph.log 2>&1 || \
	  { echo "a slip in gups-xtq.trc is not found"; exit 1; }; \
	  grep -q "slip.trc:[0-9]*: memory" $(<D)/graph.log || { cat $(<D)/graph.log; exit 1; }
TESTS += cosim-graph-traces

# 10,000 mixed requests between two nodes of hardware through the lossy link.
cosim-tocsin-pair: $(call cosim-tocsin-prog,$(cosim-config))
	$(Q)$< --n 10000 --seed $(SEED) --config $(cosim-config) --nodes 2 --duts 2 --tell
