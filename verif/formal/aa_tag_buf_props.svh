// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_tag_buf.
`include "fv.svh"

  `FV_INIT
