# SPDX-License-Identifier: Apache-2.0
# Examples of irregular programs: build/bin/irr-NAME of sw/irregular/examples/NAME.c, plain and under ASan and UBSan.
$(B)/bin/irr-%: sw/irregular/examples/%.c $(IRR_LIB) $(B)/lib/libtocsin-driver.a $(MODEL_LIB) | need-cc
	@mkdir -p $(@D)
	$(Q)$(CCACHE) $(CC) $(CSTD) $(CFLAGS) $(IRR_INC) -c -o $@.o $<
	$(Q)$(CC) -o $@ $@.o $(filter %.a,$^) -lpthread -lm
$(B)/irregular/san/irr-%: sw/irregular/examples/%.c $(B)/irregular/san/libtocsin-irregular.a $(B)/sw/san/libtocsin-driver.a \
    $(B)/model/san/libtocsin.a | need-cc
	@mkdir -p $(@D)
	$(Q)$(CCACHE) $(CC) $(CSTD) $(CFLAGS) $(SAN) $(IRR_INC) -c -o $@.o $<
	$(Q)$(CC) $(SAN) -o $@ $@.o $(filter %.a,$^) -lpthread -lm

.PHONY: irr-mailbox irrsan-mailbox
irr-mailbox: $(B)/bin/irr-mailbox
irrsan-mailbox: $(B)/irregular/san/irr-mailbox
irr-mailbox irrsan-mailbox:
	$(Q)sw/irregular/test/mailbox.sh $< $(SEED)
TESTS += irr-mailbox irrsan-mailbox

# Ranks that are processes.
IRR_UDP := sw/irregular/test/udp.c sw/apps/ranks.c sw/apps/ranks_mpi.c
$(B)/irregular/irr-udp: $(IRR_UDP) $(IRR_LIB) $(B)/lib/libtocsin-driver.a $(MODEL_LIB) sw/apps/ranks.h | need-cc
	@mkdir -p $(@D)
	$(Q)$(CC) $(CSTD) $(CFLAGS) -D_GNU_SOURCE $(IRR_INC) -Isw/apps -o $@ $(filter %.c %.a,$^) -lpthread -lm
.PHONY: irr-udp
irr-udp: $(B)/irregular/irr-udp
	$(Q)for shape in "2 1" "4 1" "6 2"; do $< $$shape $(SEED) || exit 1; done
TESTS += irr-udp

# The threads of ranks, with driver and model under ThreadSanitizer. (-Wno-tsan: as in sw/test/checks.mk.)
$(B)/irregular/parallel-tsan: sw/irregular/test/test_parallel.c $(IRR_SRCS) $(wildcard sw/lib/*.c model/src/*.c sw/lib/*.h model/include/tocsin/*.h \
    sw/include/tocsin/irregular/*.h sw/irregular/*.h sw/irregular/test/*.h) | need-cc
	@mkdir -p $(@D)
	$(Q)$(CC) $(CSTD) -O1 -g -fsanitize=thread -Wno-tsan $(IRR_INC) -o $@ $< $(IRR_SRCS) $(TSAN_SRC) -lpthread -lm
.PHONY: irr-parallel-tsan
irr-parallel-tsan: $(B)/irregular/parallel-tsan
	$(Q)setarch -R true 2>/dev/null && run="setarch -R" || run=; TSAN_OPTIONS=halt_on_error=1 $$run $< --seed $(SEED)
TESTS += irr-parallel-tsan
