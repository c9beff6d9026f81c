# SPDX-License-Identifier: Apache-2.0
# OpenSHMEM: build/lib/libtocsin-shmem.a, build/include, build/bin/oshcc and oshrun, laid out as `make install` does it;
# tests sw/shmem/test/test_*.c, run as 1, 2 and 4 PEs, plain and under ASan and UBSan.
SHM_SRCS := $(filter-out sw/shmem/oshrun.c,$(sort $(wildcard sw/shmem/*.c))) sw/apps/ranks.c sw/apps/ranks_mpi.c \
            sw/apps/ranks_pmi.c
SHM_H    := $(shell cd sw/shmem/include && find * -name '*.h' | sort)
SHM_LIB  := $(B)/lib/libtocsin-shmem.a
SHM_INC  := -D_GNU_SOURCE -Isw/shmem -Isw/shmem/include -Isw/include -Isw/apps $(INC)
SHM_BIN  := $(B)/bin/oshcc $(B)/bin/oshc++ $(B)/bin/oshrun
SHM_TREE := $(SHM_LIB) $(SHM_BIN) $(SHM_H:%=$(B)/include/%) $(B)/lib/libtocsin-driver.a $(MODEL_LIB) \
  $(B)/include/pshmem.h

# The profiling interface: pshmem.h, and lists for the library's names (pshmem.py).
SHM_LISTS := $(addprefix $(B)/shmem/profile/,names renames aliases.ld)
$(B)/include/pshmem.h: $(B)/shmem/profile/pshmem.h
	$(Q)install -D -m 644 $< $@
$(B)/shmem/profile/pshmem.h: sw/shmem/pshmem.py $(SHM_H:%=sw/shmem/include/%) | need-cc
	@mkdir -p $(@D)
	$(Q)$(CC) $(CSTD) -E -Isw/shmem/include sw/shmem/include/shmem.h >$(@D)/shmem.i && \
	  sw/shmem/pshmem.py $(@D) <$(@D)/shmem.i
$(SHM_LISTS): $(B)/shmem/profile/pshmem.h ;

# One object, whose only names are those that shmem.h and pshmem.h declare. The functions, and their calls of each
# other, get the names of pshmem.h; those of shmem.h are weak and mean the same, so that a tool may have its own.
# $(call shm-variant,NAME,FLAGS)
define shm-variant
$(B)/shmem/$(1)/%.o: sw/%.c | need-cc
	@mkdir -p $$(@D)
	$$(Q)$$(CCACHE) $$(CC) $$(CSTD) $$(CFLAGS) $$(if $$(filter apps/%,$$*),-fvisibility=hidden) $(2) $$(SHM_INC) -MMD \
	  -MP -c -o $$@ $$<
$(B)/shmem/$(1)/libtocsin-shmem.a: $$(SHM_SRCS:sw/%.c=$(B)/shmem/$(1)/%.o) $(SHM_LISTS)
	$$(Q)ld -r -o $$(@D)/own.o $$(filter %.o,$$^) && objcopy --localize-hidden --redefine-syms=$(B)/shmem/profile/renames \
	  $$(@D)/own.o && \
	  ld -r -o $$(@D)/all.o $$(@D)/own.o $(B)/shmem/profile/aliases.ld && \
	  objcopy --weaken-symbols=$(B)/shmem/profile/names $$(@D)/all.o && \
	  rm -f $$@ && ar rcs $$@ $$(@D)/all.o
-include $$(wildcard $(B)/shmem/$(1)/*/*.d)
endef
$(eval $(call shm-variant,plain,$(PIC)))
$(eval $(call shm-variant,san,$(SAN)))
$(eval $(call shm-variant,tsan,-O1 -fsanitize=thread -Wno-tsan))
$(SHM_LIB): $(B)/shmem/plain/libtocsin-shmem.a
	@mkdir -p $(@D)
	$(Q)cp $< $@
$(B)/include/%: sw/shmem/include/%
	$(Q)install -D -m 644 $< $@
$(B)/bin/oshcc $(B)/bin/oshc++: sw/shmem/oshcc.sh
	$(Q)install -D -m 755 $< $@
$(B)/bin/oshrun: sw/shmem/oshrun.c | need-cc
	@mkdir -p $(@D)
	$(Q)$(CCACHE) $(CC) $(CSTD) $(CFLAGS) -D_GNU_SOURCE -o $@ $<

.PHONY: shmem
shmem: $(SHM_TREE) ## OpenSHMEM: build/bin/oshcc and oshrun, build/lib/libtocsin-shmem.a

# What `make install` puts where shmem.mk says it is; headers are not all in include/tocsin.
INSTALL_LIB    += $(SHM_LIB)
INSTALL_BIN    += $(SHM_BIN)
INSTALL_PC     += sw/shmem/tocsin-shmem.pc.in
INSTALL_PLACES += bin/oshcc bin/oshc++ bin/oshrun include/shmem.h include/mpp include/pshmem.h
.PHONY: shmem-install shmem-uninstall
install: shmem-install
shmem-install: $(SHM_LIB) $(SHM_BIN) $(B)/include/pshmem.h
	$(Q)install -D -m 644 $(B)/include/pshmem.h $(I_DIR)/include/pshmem.h
	$(Q)$(foreach f,$(SHM_H),install -D -m 644 sw/shmem/include/$f $(I_DIR)/include/$f &&) true
uninstall: shmem-uninstall
shmem-uninstall:
	$(Q)rm -f $(SHM_H:%=$(I_DIR)/include/%) $(I_DIR)/include/pshmem.h
	$(Q)rmdir $(I_DIR)/include/mpp $(I_DIR)/include/tocsin/shmem 2>/dev/null || true

# As programs of others are built: by oshcc, from the tree. Most of a test is macros: it need not be quick.
SHM_CC := $(CSTD) -O0 -g -D_GNU_SOURCE
$(B)/shmem/test/%: sw/shmem/test/%.c sw/shmem/test/check.h $(SHM_TREE)
	@mkdir -p $(@D)
	$(Q)OSHCC="$(CC)" $(B)/bin/oshcc $(SHM_CC) -o $@ $<
$(B)/shmem/santest/%: sw/shmem/test/%.c sw/shmem/test/check.h $(B)/shmem/san/libtocsin-shmem.a $(SHM_TREE) \
    $(B)/sw/san/libtocsin-driver.a $(B)/model/san/libtocsin.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(SAN) $(SHM_CC) -I$(B)/include -o $@ $< $(B)/shmem/san/libtocsin-shmem.a $(B)/sw/san/libtocsin-driver.a \
	  $(B)/model/san/libtocsin.a \
	  -pthread -lm
SHM_TESTS := $(patsubst sw/shmem/test/test_%.c,%,$(sort $(wildcard sw/shmem/test/test_*.c)))
.PHONY: $(SHM_TESTS:%=shmem-%) $(SHM_TESTS:%=shmemsan-%)
$(SHM_TESTS:%=shmem-%): shmem-%: $(B)/shmem/test/test_%
$(SHM_TESTS:%=shmemsan-%): shmemsan-%: $(B)/shmem/santest/test_%
$(SHM_TESTS:%=shmem-%) $(SHM_TESTS:%=shmemsan-%):
	$(Q)for n in 1 2 4; do ASAN_OPTIONS=detect_leaks=1 $(B)/bin/oshrun --here -n $$n $< || exit 1; done

# Threads of a PE, with driver and model under ThreadSanitizer (libbelow.a: sw/irregular/net.mk).
SHM_TSAN := threads teams
$(B)/shmem/tsantest/%: sw/shmem/test/%.c sw/shmem/test/check.h $(B)/shmem/tsan/libtocsin-shmem.a $(SHM_TREE) \
    $(B)/irregular/tsan/libbelow.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(SHM_CC) -O1 -fsanitize=thread -I$(B)/include -o $@ $< $(B)/shmem/tsan/libtocsin-shmem.a \
	  $(B)/irregular/tsan/libbelow.a -pthread -lm
.PHONY: $(SHM_TSAN:%=shmemtsan-%)
$(SHM_TSAN:%=shmemtsan-%): shmemtsan-%: $(B)/shmem/tsantest/test_%
	$(Q)setarch -R true 2>/dev/null && run="setarch -R" || run=; for n in 2 4; do \
	  TSAN_OPTIONS=halt_on_error=1 $$run $(B)/bin/oshrun --here -n $$n $< || exit 1; done
TESTS        += $(SHM_TSAN:%=shmemtsan-%)
TESTS_SHARED += $(B)/shmem/tsan/libtocsin-shmem.a

.PHONY: shmem-misuse shmem-mpi shmem-headers shmem-readme shmem-plants shmem-profile
shmem-misuse: $(B)/shmem/test/misuse
	$(Q)sw/shmem/test/misuse.sh $(B)/bin $<

# Started by mpirun, of each MPI that is here.
shmem-mpi: $(B)/shmem/test/test_team $(SHM_TREE)
	$(Q)scripts/need.sh openmpi-bin mpich || true
	$(Q)for m in "mpirun.openmpi --allow-run-as-root --oversubscribe" mpirun.mpich; do \
	  command -v $${m%% *} >/dev/null || { echo "skipped: no $${m%% *}"; continue; }; \
	  OSHRUN_MPIRUN="$$m" $(B)/bin/oshrun -n 4 $< || exit 1; done

# A tool of pshmem.h's, in C and in C++, before a program that knows nothing of it; the names that the library has.
shmem-profile: $(SHM_TREE) $(B)/shmem/san/libtocsin-shmem.a
	$(Q)OSHCC="$(CC)" OSHCXX="$(CXX)" sw/shmem/test/profile.sh $(B)/bin $(B)/shmem/profile/names \
	  $(B)/shmem/plain/libtocsin-shmem.a $(B)/shmem/san/libtocsin-shmem.a

# The headers in C11, with _Generic, and in C++17, and in what came before, by gcc and by clang if it is here.
shmem-headers: $(SHM_TREE)
	$(Q)printf '#include <shmem.h>\n#include <pshmem.h>\n' >$(B)/shmem/headers.c && \
	  for c in "$(CC)" $$(command -v clang); do \
	  $$c $(CSTD) -I$(B)/include -fsyntax-only $(B)/shmem/headers.c && \
	  $$c -x c++ -std=c++17 $(WARN) -I$(B)/include -fsyntax-only $(B)/shmem/headers.c && \
	  $$c -x c++ -std=c++98 -I$(B)/include -fsyntax-only $(B)/shmem/headers.c && \
	  $$c -std=c99 -pedantic-errors $(WARN) -I$(B)/include -fsyntax-only $(B)/shmem/headers.c || exit 1; done; \
	  echo "headers stand alone"

# The program of the README does what the page says.
shmem-readme: $(SHM_TREE)
	$(Q)mkdir -p $(B)/shmem && sed -n '/^```c$$/,/^```$$/{//!p}' sw/shmem/README.md >$(B)/shmem/here.c
	$(Q)$(B)/bin/oshcc $(CSTD) -o $(B)/shmem/here $(B)/shmem/here.c
	$(Q)said=$$($(B)/bin/oshrun --here -n 4 $(B)/shmem/here) && grep -qF "prints \`$$said\`" sw/shmem/README.md || \
	  { echo "README.md does not say: $$said"; exit 1; }

# Bugs planted on purpose: sw/shmem/test/plants, each with the test that finds it.
shmem-plants: $(SHM_TREE) | need-plants
	$(Q)scripts/plants.sh sw/shmem/test/plants $(B) $(CC) $(SHM_CC) $(SHM_INC)

TESTS        += $(SHM_TESTS:%=shmem-%) $(SHM_TESTS:%=shmemsan-%) shmem-misuse shmem-mpi shmem-headers shmem-readme \
                shmem-plants shmem-profile
TESTS_SHARED += $(SHM_TREE) $(B)/shmem/san/libtocsin-shmem.a $(B)/shmem/test/test_team
