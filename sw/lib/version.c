// SPDX-License-Identifier: Apache-2.0
#include "internal.h"
#include "tocsin/version.h"

unsigned toc_version(void) { return TOC_VERSION; }
const char *toc_version_text(void) { return TOC_VERSION_TEXT; }
