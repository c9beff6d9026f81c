// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_port.
`include "fv.svh"

  `FV_INIT
