# SPDX-License-Identifier: Apache-2.0
# Mutation: bugs planted on purpose, and what finds them. scripts/mutate.py does the work; verif/README.md explains.
.PHONY: mutate
mutate: | need-formal need-sim ## planted bugs and what finds them: [BLOCK=X] [N=200]; PATCH=FILE judges one, PATCHES=1 all of verif/mutants
	$(Q)scripts/mutate.py $(if $(PATCH),--patch $(PATCH),$(if $(PATCHES),--patches))
