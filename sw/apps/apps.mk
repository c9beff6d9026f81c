# SPDX-License-Identifier: Apache-2.0
# Tests of the papers' programs beside those of the command line (sw/tools): checkpoints, and how the
# CPU's writes are seen.
APPS_CC   := $(CSTD) $(CFLAGS) -g -D_GNU_SOURCE $(INC) -Isw/include -Isw/apps
CPU_TEST  := sw/apps/test/test_cpu_writes.c sw/apps/cpu_writes.c
CPU_TESTS := $(addprefix $(B)/apps/,cpu-writes cpu-writes-san cpu-writes-tsan)
$(B)/apps/cpu-writes-san:  APPS_CC += $(SAN)
$(B)/apps/cpu-writes-tsan: APPS_CC += -fsanitize=thread
$(CPU_TESTS): $(CPU_TEST) sw/apps/cpu_writes.h sw/include/tocsin/tocsin.h | need-cc
	@mkdir -p $(@D)
	$(Q)$(CC) $(APPS_CC) -o $@ $(CPU_TEST) -lpthread

# Ranks of processes that are interrupted all the time.
$(B)/apps/ranks-signals: sw/apps/test/test_ranks.c sw/apps/ranks.c sw/apps/ranks_mpi.c sw/apps/ranks_pmi.c \
    sw/apps/ranks.h model/test/check.h sw/include/tocsin/tocsin.h | need-cc
	@mkdir -p $(@D)
	$(Q)$(CC) $(APPS_CC) $(SAN) -Imodel/test -Wl,--wrap=getaddrinfo -o $@ $(filter %.c,$^)
.PHONY: ranks-signals
ranks-signals: $(B)/apps/ranks-signals
	$(Q)$<
TESTS += ranks-signals

.PHONY: cpu-writes cpu-writes-san cpu-writes-tsan checkpoint-test
cpu-writes cpu-writes-san cpu-writes-tsan: %: $(B)/apps/%
	$(Q)$<
checkpoint-test: $(B)/bin/tocsin $(SW_LIB) $(MODEL_LIB) | need-plants ## checkpoints see what others put and what the own CPU writes, in every way that the kernel has
	$(Q)sw/apps/test/checkpoint.sh $< '$(CC) $(APPS_CC)' '$(SW_LIB) $(MODEL_LIB)'
TESTS += cpu-writes cpu-writes-san cpu-writes-tsan checkpoint-test
