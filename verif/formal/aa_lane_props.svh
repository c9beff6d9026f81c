// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_lane.
`include "fv.svh"

  `FV_INIT
