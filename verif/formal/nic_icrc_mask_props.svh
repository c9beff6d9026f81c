// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_icrc_mask. A byte of a beat, chosen freely (f_byte), is at f_at of the frame from IP on; which bytes
// count as ones is written out as lists of places.
`include "fv.svh"
// Rules of README.md: FRM-3.
  `FV_ANYCONST(f_byte, $clog2(BeatBytes))

  logic [31:0] f_at, f_udp;
  logic        f_ones, f_low;
  logic [7:0]  f_in, f_out;
  assign f_at  = 32'(beat_i) * BeatBytes + 32'(f_byte);
  assign f_udp = v6_i ? 40 : 20;
  assign f_low = v6_i && f_at == 0;
  assign f_ones = f_at == f_udp + 6 || f_at == f_udp + 7 || f_at == f_udp + 12 ||
                  (v6_i ? f_at <= 3 || f_at == 7 : f_at == 1 || f_at == 8 || f_at == 10 || f_at == 11);
  assign f_in  = data_i[8*f_byte+:8];
  assign f_out = data_o[8*f_byte+:8];
  always_comb begin
    p1_byte: assert (f_out == (f_low ? f_in | 8'h0F : f_ones ? 8'hFF : f_in));
    c_checksum: cover (v6_i && f_at == 46 && f_out != f_in);
    c_none: cover (beat_i == 3'd7 && f_out != 8'hFF);
  end
