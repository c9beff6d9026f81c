# SPDX-License-Identifier: Apache-2.0
# Marks between tests that one make makes for scripts/test.py: that one was made, and that it has ended, with the ticks
# of the processor which make and all that it started have used so far.
passed-%: %
	@echo "$$TOCSIN_MARK passed $*"
ended-%:
	@read -ra f </proc/$$PPID/stat && echo "$$TOCSIN_MARK ended $* $$((f[13] + f[14] + f[15] + f[16]))"
