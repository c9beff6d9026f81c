// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_cpl_gen. The byte count is written again as a loop over bytes, and for aligned whole reads as a sum.
// Rules of README.md: DEC-19, FLU-3.
  logic [12:0] f_first, f_end, f_bytes;  // first enabled byte, byte behind the last one, their distance
  logic        f_mrd;
  assign f_mrd = req_i[127:120] == 8'h00 || req_i[127:120] == 8'h20;

  always_comb begin
    f_first = 13'd0;
    f_end   = 13'd0;
    for (int i = 3; i >= 0; i--) if (fbe[i]) f_first = 13'(i);
    for (int i = 0; i < 4; i++) if (len == 11'd1 ? req_i[64+i] : req_i[68+i]) f_end = {len, 2'b00} - 13'd3 + 13'(i);
    f_bytes = f_end - f_first;
    if (fbe == 4'h0) f_bytes = 13'd1;
  end

  always_comb begin
    p1_kind: assert (cpl_o[127:120] == (data_i ? 8'h4A : 8'h0A));
    p1_status: assert (cpl_o[79:77] == (data_i ? 3'd0 : 3'd1) && cpl_o[105:96] == (data_i ? req_i[105:96] : 10'd0));
    p1_completer: assert (cpl_o[95:80] == 16'h0);
    p2_id: assert (cpl_o[63:48] == req_i[95:80] && {cpl_o[119], cpl_o[115], cpl_o[47:40]} ==
                   {req_i[119], req_i[115], req_i[79:72]});
    p2_attr: assert (cpl_o[118:116] == req_i[118:116] && {cpl_o[114], cpl_o[109:108]} == {req_i[114], req_i[109:108]});
    p2_zero: assert (cpl_o[113:110] == '0 && cpl_o[107:106] == '0 && !cpl_o[76] && !cpl_o[39] && cpl_o[31:0] == '0);
    // Byte enables of a read that aa_rx has let through.
    if (f_mrd && (len == 11'd1 || (fbe != 4'h0 && req_i[71:68] != 4'h0))) begin
      p3_count: assert (cpl_o[75:64] == f_bytes[11:0] && f_bytes >= 13'd1 && f_bytes <= 13'd4096);
      p3_low: assert (cpl_o[38:32] == {req_i[125] ? req_i[6:2] : req_i[38:34], f_first[1:0]});
    end
    if (!f_mrd) p4_low: assert (cpl_o[38:32] == 7'd0);
    case (req_i[127:120])
      8'h00, 8'h20: ;
      8'h4C, 8'h6C, 8'h4D, 8'h6D: p4_operand: assert (cpl_o[75:64] == {len[9:0], 2'b00});
      8'h4E, 8'h6E: p4_cas: assert (cpl_o[75:64] == {len, 1'b0});
      default: p4_other: assert (cpl_o[75:64] == 12'd4);
    endcase
    c_full: cover (f_mrd && cpl_o[75:64] == 12'd0 && len == 11'd1024);
    c_zero: cover (f_mrd && cpl_o[75:64] == 12'd1 && fbe == 4'h0);
    c_odd: cover (f_mrd && fbe == 4'h8 && req_i[71:68] == 4'h1 && len == 11'd3);
  end
