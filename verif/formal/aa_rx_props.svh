// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_rx. The rules are written out once more, from README.md: by fmt and type, in bytes, and over the TLP
// as a whole: how many beats it had, and whether the strobes of one of them were wrong.
`include "fv.svh"
// Rules of README.md: STR-6, STR-7, STR-8, STR-9.
  `FV_INIT

  // The header: of the TLP under way, or the one offered.
  cm_pkg::tlp_req_t f_hdr, f_hdr_q;
  logic         f_open_q, f_four, f_data, f_np, f_take, f_act, f_cut;
  logic [4:0]   f_type, f_early, f_late, f_late_q, f_rule;
  logic [12:0]  f_bytes, f_offset, f_op_bytes, f_limit;
  logic [10:0]  f_dw;
  logic [3:0]   f_fbe, f_lbe;
  logic [10:0]  f_beats, f_count_q, f_pays_q;
  logic         f_wrong_q, f_strb_wrong, f_err_q, f_np_q;
  logic [BeatDw-1:0] f_strb;
  logic [2:0]   f_kind;
  assign f_hdr  = f_open_q ? f_hdr_q : in_beat_i.hdr;
  assign f_four = f_hdr.op[cm_pkg::OpFour];
  assign f_data = f_hdr.op[cm_pkg::OpData];
  assign f_type = f_hdr.op[4:0];
  assign f_dw   = f_hdr.len == 10'd0 ? 11'd1024 : {1'b0, f_hdr.len};
  assign f_bytes = {f_dw, 2'b00};
  assign f_offset = {1'b0, f_four ? f_hdr.addr[11:2] : f_hdr.addr[43:34], 2'b00};
  assign f_lbe = f_hdr.lbe;
  assign f_fbe = f_hdr.fbe;

  always_comb begin
    f_kind = 3'd4;
    f_np = 1'b0;
    if (!f_hdr.op[7]) begin
      case (f_type)
        5'd0: begin
          f_kind = f_data ? 3'd1 : 3'd2;
          f_np = !f_data;
        end
        5'd1: f_np = !f_data;
        5'd2, 5'd4, 5'd5: f_np = !f_four;
        5'd10: if (!f_four) f_kind = 3'd0;
        5'd12, 5'd13, 5'd14: if (f_data) begin
          f_kind = 3'd3;
          f_np = 1'b1;
        end
        5'd16, 5'd17, 5'd18, 5'd19, 5'd20, 5'd21, 5'd22, 5'd23: if (f_four) f_kind = 3'd0;
        default: f_kind = 3'd4;
      endcase
    end
    if (Completion) f_np = 1'b0;

    f_op_bytes = f_type == 5'd14 ? f_bytes >> 1 : f_bytes;
    f_limit = f_kind == 3'd1 ? 13'd128 << (mps_i > 3'd5 ? 3'd5 : mps_i) : 13'd128 << (mrrs_i > 3'd5 ? 3'd5 : mrrs_i);
    f_early = Completion ? (f_kind == 3'd0 && f_type == 5'd10 ? 5'd0 : 5'd6) : f_kind == 3'd4 ? 5'd6 : 5'd0;
    f_late = 5'd0;
    if (f_kind == 3'd3) begin
      if (f_op_bytes != 13'd4 && f_op_bytes != 13'd8 && !(f_type == 5'd14 && f_op_bytes == 13'd16)) f_late = 5'd5;
      else if (f_type == 5'd14 && f_dw[0]) f_late = 5'd5;
      else if ((f_offset & (f_op_bytes - 13'd1)) != 13'd0) f_late = 5'd5;
    end else if (f_kind == 3'd1 || f_kind == 3'd2) begin
      if (f_bytes > f_limit) f_late = 5'd3;
      else if (f_offset + f_bytes > 13'd4096) f_late = 5'd2;
      else if (f_dw == 11'd1) f_late = f_lbe != 4'd0 ? 5'd4 : 5'd0;
      else if (f_fbe == 4'd0 || f_lbe == 4'd0) f_late = 5'd4;
      else if (f_dw > 11'd2 || f_offset[2]) begin
        if (!(f_fbe == 4'b1111 || f_fbe == 4'b1110 || f_fbe == 4'b1100 || f_fbe == 4'b1000)) f_late = 5'd4;
        if (!(f_lbe == 4'b1111 || f_lbe == 4'b0111 || f_lbe == 4'b0011 || f_lbe == 4'b0001)) f_late = 5'd4;
      end
    end
  end

  // The beat: f_count_q of the TLP were there before it.
  assign f_take  = in_valid_i && in_ready_o;
  assign f_act   = f_take && (f_open_q || in_beat_i.sop);
  assign f_cut   = in_valid_i && f_open_q && in_beat_i.sop;
  assign f_beats = f_data ? (f_dw + 11'(BeatDw) - 11'd1) / 11'(BeatDw) : 11'd1;
  always_comb begin
    for (int unsigned i = 0; i < BeatDw; i++) f_strb[i] = f_data && 13'(f_count_q) * 13'(BeatDw) + 13'(i) < {2'b00,
        f_dw};
  end
  assign f_strb_wrong = f_count_q < f_beats && in_beat_i.strb != f_strb;

  always_comb begin
    f_rule = f_open_q ? f_late_q : f_late;
    if (f_cut || f_wrong_q || f_strb_wrong || f_count_q + 11'd1 != f_beats) f_rule = 5'd1;
    if (f_early != 5'd0) f_rule = f_early;
    if (Completion && f_rule != 5'd0) f_rule = 5'd15;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_open_q  <= 1'b0;
      f_count_q <= '0;
      f_pays_q  <= '0;
      f_wrong_q <= 1'b0;
      f_err_q   <= 1'b0;
    end else if (f_cut || (f_act && in_beat_i.eop)) begin
      f_open_q  <= 1'b0;
      f_count_q <= '0;
      f_pays_q  <= '0;
      f_wrong_q <= 1'b0;
      f_err_q   <= 1'b0;
    end else if (f_act) begin
      f_open_q  <= 1'b1;
      f_count_q <= f_count_q == 11'd1200 ? f_count_q : f_count_q + 11'd1;
      f_pays_q  <= f_pays_q + 11'(pay_o);
      f_wrong_q <= f_wrong_q || f_strb_wrong;
      f_err_q   <= f_err_q || in_beat_i.err;
      if (!f_open_q) begin
        f_hdr_q  <= in_beat_i.hdr;
        f_late_q <= f_late;
        f_np_q   <= f_np;
      end
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    p1_head: assert (head_o == (f_take && in_beat_i.sop && !f_open_q));
    p1_done: assert (done_o == (f_cut || (f_act && in_beat_i.eop)));
    p1_lane: assert (!(head_o || pay_o || done_o) || np_o == f_np);
    if (head_o) p1_kind: assert (3'(kind_o) == f_kind || (Completion && f_early != 5'd0));
    if (done_o) p2_bad: assert (bad_o == f_rule);
    if (done_o) p2_good: assert (good_o == (f_rule == 5'd0));
    if (done_o) p2_err: assert (err_o == (f_err_q || (!f_cut && in_beat_i.err)));
    if (done_o) p2_units: assert (12'(units_o) == (f_data ? (12'(f_dw) + 12'd3) / 12'd4 : 12'd0));
    if (done_o && bad_o == 5'd0) p3_whole: assert (f_pays_q + 11'(pay_o) == (f_data ? f_beats : 11'd0));
    if (pay_o) p3_no_more: assert (f_act && f_data && f_pays_q < f_beats);
    if (pay_o && f_strb != '0 && f_count_q < f_beats)
      p3_units: assert (5'(pay_units_o) + 5'd1 == (5'($countones(f_strb)) + 5'd3) / 5'd4);
    if (in_valid_i && !f_open_q && !in_beat_i.sop) p4_swallow: assert (in_ready_o && !head_o && !pay_o && !done_o);
    if (f_cut) p4_cut: assert (!in_ready_o && done_o && bad_o != 5'd0 && !pay_o);
    if (in_valid_i && !f_cut && (f_open_q || in_beat_i.sop)) p5_ready: assert (in_ready_o == (f_np ? np_ok_i : p_ok_i));

    // What the induction needs: the design's state told in the terms above.
    p1_state: assert (busy_q == f_open_q && f_count_q <= 11'd1200);
    if (f_open_q) begin
      p1_state_lane: assert (np_q == f_np && f_np_q == f_np && data_q == f_data && f_count_q != 11'd0 &&
          err_q == f_err_q);
      p2_state_rule: assert (f_late_q <= 5'd5 && rule_q == (f_early != 5'd0 ? 5'd6 : f_late_q) &&
          lm1_q == 10'(f_dw - 11'd1));
      p2_state_form: assert (form_q == (f_wrong_q || f_count_q >= f_beats));
      if (!form_q) p2_state_left: assert (f_data && 11'(left_q) + f_count_q + 11'd1 == f_beats);
      p3_state_pays: assert (f_pays_q <= f_count_q && f_pays_q <= f_beats && (f_data || f_pays_q == 11'd0));
      if (!form_q && rule_q == 5'd0) p3_state_all: assert (f_pays_q == f_count_q);
      p2_state_broken: assert (broken_q == (rule_q != aa_pkg::ErrNone));
      p3_state_end: assert (end_q == (left_q == '0));
      p3_state_tail: assert (tail_q == BeatDw'((64'd2 << lm1_q[LowW-1:0]) - 64'd1));
    end else begin
      p1_state_idle: assert (f_count_q == 11'd0 && f_pays_q == 11'd0 && !f_wrong_q && !f_err_q);
    end

    c_good_long: cover (done_o && bad_o == 5'd0 && f_count_q >= 11'd2);
    c_cut: cover (f_cut && f_count_q >= 11'd2);
    c_extra: cover (done_o && bad_o == (Completion ? 5'd15 : 5'd1) && f_count_q == f_beats + 11'd1);
    c_np: cover (done_o && np_o && bad_o == 5'd0);
    c_swallow: cover (f_take && !f_open_q && !in_beat_i.sop && in_beat_i.eop);
    c_byteen: cover (done_o && bad_o == 5'd4);
    c_max: cover (done_o && bad_o == 5'd3);
    c_cross: cover (done_o && bad_o == 5'd2);
    c_atomic: cover (done_o && bad_o == 5'd5);
  end
