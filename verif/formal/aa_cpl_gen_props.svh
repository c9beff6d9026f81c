// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_cpl_gen. The byte count is written again as a loop over bytes, and for aligned whole reads as a sum.
// Rules of README.md: DEC-19, FLU-3.
  logic [12:0] f_first, f_end, f_bytes;  // first enabled byte, byte behind the last one, their distance
  logic        f_mrd;
  logic [3:0]  f_lbe;
  assign f_lbe = req_i.lbe;
  assign f_mrd = (req_i.op & cm_pkg::AnyFour) == cm_pkg::OpRead;

  always_comb begin
    f_first = 13'd0;
    f_end   = 13'd0;
    for (int i = 3; i >= 0; i--) if (fbe[i]) f_first = 13'(i);
    for (int i = 0; i < 4; i++) if (len == 11'd1 ? fbe[i] : f_lbe[i]) f_end = {len, 2'b00} - 13'd3 + 13'(i);
    f_bytes = f_end - f_first;
    if (fbe == 4'h0) f_bytes = 13'd1;
  end

  always_comb begin
    p1_kind: assert (cpl_o.op == (data_i ? cm_pkg::OpCplData : cm_pkg::OpCpl));
    p1_status: assert (cpl_o.status == (data_i ? 3'd0 : 3'd1) && cpl_o.len == (data_i ? req_i.len : 10'd0));
    p1_completer: assert (cpl_o.cid == 16'h0);
    p2_id: assert (cpl_o.rid == req_i.rid && {cpl_o.t9, cpl_o.t8, cpl_o.tag} == {req_i.t9, req_i.t8, req_i.tag});
    p2_attr: assert (cpl_o.tc == req_i.tc && {cpl_o.ido, cpl_o.ro, cpl_o.ns} == {req_i.ido, req_i.ro, req_i.ns});
    p2_zero: assert ({cpl_o.ln, cpl_o.th, cpl_o.td, cpl_o.ep} == '0 && cpl_o.at == '0 && !cpl_o.bcm && !cpl_o.none &&
                     cpl_o.unused == '0);
    // Byte enables of a read that aa_rx has let through.
    if (f_mrd && (len == 11'd1 || (fbe != 4'h0 && f_lbe != 4'h0))) begin
      p3_count: assert (cpl_o.count == f_bytes[11:0] && f_bytes >= 13'd1 && f_bytes <= 13'd4096);
      p3_low: assert (cpl_o.lower == {req_i.op[cm_pkg::OpFour] ? req_i.addr[6:2] : req_i.addr[38:34], f_first[1:0]});
    end
    if (!f_mrd) p4_low: assert (cpl_o.lower == 7'd0);
    case (req_i.op & cm_pkg::AnyFour)
      cm_pkg::OpRead: ;
      cm_pkg::OpFetchAdd, cm_pkg::OpSwap: p4_operand: assert (cpl_o.count == {len[9:0], 2'b00});
      cm_pkg::OpCas: p4_cas: assert (cpl_o.count == {len, 1'b0});
      default: p4_other: assert (cpl_o.count == 12'd4);
    endcase
    c_full: cover (f_mrd && cpl_o.count == 12'd0 && len == 11'd1024);
    c_zero: cover (f_mrd && cpl_o.count == 12'd1 && fbe == 4'h0);
    c_odd: cover (f_mrd && fbe == 4'h8 && f_lbe == 4'h1 && len == 11'd3);
  end
