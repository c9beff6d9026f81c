// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_cpl_mux.
`include "fv.svh"

  `FV_INIT
