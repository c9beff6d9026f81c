// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_axi_err. One burst, chosen freely (f_pick), of one id (f_id) is followed from its AW to its response.
`include "fv.svh"
// Rules of README.md: ERR-1, ERR-2, ERR-4.
  `FV_INIT
  `FV_ANYSEQ(f_pick, 1)
  `FV_ANYCONST(f_id_any, 2)
  logic [1:0] f_id;
  assign f_id = f_id_any == 2'd3 ? 2'd0 : f_id_any;

  logic             f_live_q, f_due_q, f_error_q, f_aw, f_b, f_over, f_early;
  logic [5:0]       f_n_q, f_ahead_q, f_place, f_far;  // under way; before the one followed
  logic [Width-1:0] f_word_q;
  logic [3*6-1:0]   f_all_q;                                    // under way, of each id

  assign f_aw    = aw_valid_i && aw_id_i == 8'(f_id);
  assign f_b     = b_valid_i && b_id_i == 8'(f_id);
  assign f_n_q   = f_all_q[6*f_id+:6];
  always_comb begin
    {f_over, f_early} = 2'b00;
    for (int unsigned i = 0; i < 3; i++) begin
      if (aw_valid_i && aw_id_i == 8'(i) && f_all_q[6*i+:6] >= (i == 0 ? 6'(Depth0) : i == 1 ? 6'(Depth1) : 6'(Depth2)))
        f_over = 1'b1;
      if (b_valid_i && b_id_i == 8'(i) && f_all_q[6*i+:6] == '0) f_early = 1'b1;
    end
  end
  assign f_far   = f_live_q ? f_ahead_q : 6'd0;
  assign f_place = f_id == 2'd0 ? {1'b0, r0_q + f_far[4:0]} : f_id == 2'd1 ? {2'b10, r1_q + f_far[3:0]} :
                                                                            {3'b110, r2_q + f_far[2:0]};

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 3; i++) begin
      if (!rst_ni) f_all_q[6*i+:6] <= '0;
      else f_all_q[6*i+:6] <= f_all_q[6*i+:6] + 6'(aw_valid_i && aw_id_i == 8'(i)) - 6'(b_valid_i && b_id_i == 8'(i));
    end
    if (!rst_ni) begin
      f_live_q  <= 1'b0;
      f_due_q   <= 1'b0;
      f_error_q <= 1'b0;
    end else begin
      if (f_live_q && f_b) begin
        f_live_q  <= f_ahead_q != '0;
        f_ahead_q <= f_ahead_q - 6'd1;
      end else if (!f_live_q && !f_due_q && f_aw && f_pick) begin
        f_live_q  <= 1'b1;
        f_ahead_q <= f_n_q - 6'(f_b);
        f_word_q  <= {aw_owner_i, aw_addr_i};
      end
      if (f_live_q && f_b && f_ahead_q == '0) f_due_q <= b_err_i;
      else if (note_valid_o && note_ready_i) f_due_q <= 1'b0;
      if (b_valid_i && b_err_i && b_id_i < 8'd3) f_error_q <= 1'b1;
      else if (note_valid_o && note_ready_i) f_error_q <= 1'b0;
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_id: assume (!aw_valid_i || aw_id_i < 8'd3);
    env_room: assume (!f_over);
    env_b: assume (!f_early);
    env_busy: assume (!b_valid_i || !f_error_q);
  end

  `FV_COMB if (f_past_q) begin
    p1_count: assert (5'(w0_q - r0_q) == f_all_q[4:0] && 4'(w1_q - r1_q) == f_all_q[9:6] &&
                      3'(w2_q - r2_q) == f_all_q[14:12]);
    p1_room: assert (f_all_q[5:0] <= 6'(Depth0) && f_all_q[11:6] <= 6'(Depth1) && f_all_q[17:12] <= 6'(Depth2));
    if (f_live_q) p1_kept: assert (f_ahead_q < f_n_q && where_q[f_place] == f_word_q && !f_due_q);
    if (f_due_q) p1_due: assert (note_valid_o && note_o.code == aa_pkg::NoteAxiErr && note_o.idx == 8'(f_id) &&
        note_o.a == 64'(f_word_q[aa_pkg::HostAddrW-1:0]) && err_o.addr == note_o.a &&
        note_o.slot == (f_word_q[Width-1] ? 8'(f_word_q[Width-3-:5]) : 8'hFF));
    if (f_due_q) p1_whole: assert (note_o.kind == aa_pkg::RetNotify && note_o.lane == '0 && note_o.b == '0);
    p2_busy: assert (busy_o == f_error_q && note_valid_o == f_error_q);
    if (rst_ni && f_due_q) begin
      p3_entry: assert (fail_entry_valid_o == (note_ready_i && f_word_q[Width-1] && f_id != 2'd2));
      p3_ptr: assert (fail_ptr_valid_o == (note_ready_i && f_word_q[Width-1] && f_word_q[Width-2] && f_id == 2'd2));
      p3_log: assert (fail_log_o == f_word_q[Width-3-:5]);
      p3_flag: assert (note_o.flag == (f_word_q[Width-2] && f_id == 2'd2));
    end
    p3_only: assert (!(fail_entry_valid_o || fail_ptr_valid_o || err_valid_o) || (f_error_q && note_ready_i));
    c_told: cover (f_due_q && note_ready_i && f_id == 2'd2 && fail_ptr_valid_o);
    c_behind: cover (f_live_q && f_ahead_q == 6'd3);
  end
