// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_pay_fifo.
`include "fv.svh"

  `FV_INIT
