# SPDX-License-Identifier: Apache-2.0
# What takes longer than the sanitizers of every test: ThreadSanitizer on the threads, Valgrind on the programs.
# (-Wno-tsan: it does not follow fences; here they order memory for devices, threads take a lock.)
NEED_valgrind := $(NEED_cc) valgrind
$(B)/sw/tsan/%: sw/test/%.c $(B)/irregular/tsan/libbelow.a \
    $(wildcard sw/include/tocsin/*.h sw/lib/*.h model/include/tocsin/*.h sw/test/*.h model/test/*.h) | need-cc
	@mkdir -p $(@D)
	$(Q)$(CC) $(CSTD) -O1 -g -fsanitize=thread -Wno-tsan $(SW_INC) -o $@ $< $(B)/irregular/tsan/libbelow.a -lpthread -lm

.PHONY: sw-tsan sw-valgrind
sw-tsan: $(addprefix $(B)/sw/tsan/test_,threads waits poll resume many events)
	$(Q)setarch -R true 2>/dev/null && run="setarch -R" || run=; for t in $^; do \
	  TSAN_OPTIONS=halt_on_error=1 $$run $$t --seed $(SEED) || exit 1; done
sw-valgrind: $(B)/bin/tocsin $(B)/sw/plain/test/test_active $(B)/sw/plain/test/test_xtq | need-valgrind
	$(Q)for c in "$(B)/sw/plain/test/test_active" "$(B)/sw/plain/test/test_xtq" "$< run dht --n 60 --loss 30" \
	  "$< run sort --n 600" \
	  "$< run allreduce --n 600" "$< log dump sw/tools/test/puts.trc"; do \
	  valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=all $$c >/dev/null || \
	  { echo "failed: $$c"; exit 1; }; done
TESTS += sw-tsan sw-valgrind

# Bugs planted on purpose: sw/test/plants, each with the test that finds it.
.PHONY: sw-plants
sw-plants: $(SW_LIB) $(MODEL_LIB) | need-plants
	$(Q)scripts/plants.sh sw/test/plants $(B) $(CC) $(CSTD) $(CFLAGS) $(SW_INC)
TESTS += sw-plants

# What a put costs a backend in process, in instructions. A measurement, and no test.
.PHONY: bench-put
bench-put: $(B)/sw/plain/test/bench_put | need-valgrind ## instructions of a put between two nodes of the golden model, by callgrind
	$(Q)sw/test/bench_put.sh $< >$(B)/bench_put.txt && cat $(B)/bench_put.txt
	$(Q)sed -E 's/.*, ([0-9]+) under way: ([0-9]+) .*/under-way-\1 \2/' $(B)/bench_put.txt | scripts/measured.py keep put

# When each step of an active put happens on the hardware, for the table of sw/README.md. A measurement, and no test.
.PHONY: bench-life
bench-life: $(B)/sw/plain/test/bench_life $(SW_RTL) ## nanoseconds of each step of one active put on the backend `rtl`, for sw/README.md
	$(Q)TOCSIN_RTL=$(SW_RTL) $< | tee $(B)/life.txt && scripts/measured.py keep life <$(B)/life.txt

# link=udp beside libfabric's tcp and UCX's tcp, in one run. A measurement, and no test.
.PHONY: bench-udp
bench-udp: $(B)/sw/plain/test/bench_udp ## latency and puts a second of link=udp between two processes, beside libfabric's and UCX's tcp; leaves build/report/udp.json
	$(Q)for p in libfabric-bin ucx-utils; do scripts/need.sh $$p || true; done
	$(Q)mkdir -p $(B)/report && sw/test/bench_udp.py $< $(B)/report/udp.json
