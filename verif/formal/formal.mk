# SPDX-License-Identifier: Apache-2.0
# Proofs: verif/formal/table.txt lists them, scripts/formal.py runs them, <module>_props.svh holds them.
.PHONY: formal
formal: | need-formal ## every theorem and cover: [BLOCK=aa_x] [QUICK=1] [FORCE=1]; leaves build/report/formal.json
	$(Q)scripts/formal.py --jobs $(JOBS) $(addprefix --block ,$(BLOCK)) $(if $(QUICK),--quick) $(if $(FORCE),--force)

FORMAL_QUICK := $(shell awk '!/^\#/ && / quick/ { print $$1 }' verif/formal/table.txt | sort -u)
.PHONY: $(FORMAL_QUICK:%=formal-%)
$(FORMAL_QUICK:%=formal-%): formal-%: | need-formal
	$(Q)scripts/formal.py --jobs 1 --quick --block $*
TESTS += $(FORMAL_QUICK:%=formal-%)
