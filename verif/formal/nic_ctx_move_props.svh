// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_ctx_move: which accesses a command makes, by a count of its own.
`include "fv.svh"
// Rules of README.md: CTX-5, CTX-7.
  `FV_INIT

  logic       f_acc_q, f_any_q, f_done_q;
  logic [3:0] f_cmd, f_cmd_q;
  logic [8:0] f_n_q;       // accesses of this command so far
  logic [7:0] f_answers_q; // words of answers: of a load from its beginning, of a save from its QP_MSG on
  logic [19:3] f_addr;
  logic [8:0] f_page;      // words of the page, and QP_NAME
  logic [4:0] f_word;
  logic       f_own_q;
  always_ff @(posedge clk_i) f_own_q <= rst_ni && own_i && want_o;
  logic [19:0] f_what_q;
  logic [6:0]  f_then_q;
  always_ff @(posedge clk_i) f_then_q <= answers_i;
  always_ff @(posedge clk_i) f_what_q <= {place_i, name_i};
  logic       f_over;      // the access at hand has been made
  assign f_over = state_q == StPut || state_q == StNext;
  assign f_cmd  = {off_i, save_i, load_i, ring_i};
  assign f_page = save_i ? 9'd16 : 9'd13;
  // Where the n-th access goes (CTX-5, CTX-7).
  always_comb begin
    f_word = 5'd0;
    if (ring_i) f_word = 5'd6;
    if (save_i) f_word = f_n_q[4:0];
    if (load_i) begin
      unique case (f_n_q)
        9'd0: f_word = 5'd1;
        9'd1: f_word = 5'd2;
        9'd2: f_word = 5'd3;
        9'd3: f_word = 5'd4;
        9'd4: f_word = 5'd5;
        9'd5: f_word = 5'd9;
        9'd6: f_word = 5'd10;
        9'd7: f_word = 5'd11;
        9'd8: f_word = 5'd16;
        9'd9: f_word = 5'd17;
        9'd10: f_word = 5'd18;
        9'd11: f_word = 5'd19;
        9'd12: f_word = 5'd20;
        default: f_word = f_n_q == f_page + {1'b0, f_answers_q} ? 5'd0 : 5'd6;
      endcase
    end
    f_addr = {4'd1, place_i, f_word};
    if ((save_i || load_i) && f_n_q >= f_page && f_n_q < f_page + {1'b0, f_answers_q})
      f_addr = {2'd1, place_i, 7'(f_n_q - f_page)};
  end
  always_ff @(posedge clk_i) begin
    f_acc_q  <= rst_ni && acc_valid_o && !acc_done_i;
    f_any_q  <= rst_ni && any && !done_o;
    f_done_q <= rst_ni && done_o;
    f_cmd_q  <= f_cmd;
    if (state_q == StIdle) f_n_q <= '0;
    else if (acc_valid_o && acc_done_i) f_n_q <= f_n_q + 9'd1;
    if (state_q == StIdle) f_answers_q <= load_i ? {answers_i, 1'b0} : '0;
    else if (save_i && acc_valid_o && acc_done_i && f_n_q == 9'd13)
      f_answers_q <= 32'(acc_rdata_i[62:56]) > Replay ? 8'(2 * Replay) : {acc_rdata_i[62:56], 1'b0};
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_one: assume ((f_cmd & (f_cmd - 4'd1)) == '0);
    if (f_any_q) env_stays: assume (f_cmd == f_cmd_q || (f_cmd_q == 4'b0010 && f_cmd == '0 && !f_own_q));
    if (f_own_q) env_own: assume (own_i);
    if (f_any_q && f_cmd == f_cmd_q) env_what: assume ({place_i, name_i} == f_what_q);
    if (load_i) env_answers: assume (32'(answers_i) <= Replay);
    if (load_i && f_any_q) env_same: assume (answers_i == f_then_q);
    if (f_n_q >= 9'd13 && state_q != StIdle && load_i) p1_load_n: assert (f_n_q <= f_page + {1'b0, f_answers_q} + 9'd2);
    // Where it is, by the count.
    if (state_q != StIdle) p1_any: assert (f_any_q);
    if (state_q == StTake || state_q == StAccess) p1_owns: assert (f_own_q);
    if (state_q != StIdle && load_i) p1_of_load: assert (f_answers_q == {answers_i, 1'b0});
    if (state_q != StIdle && (off_i || ring_i)) p1_single: assert (part_q == PtPage && k_q == '0);
    if (state_q != StIdle && f_cmd == f_cmd_q && part_q == PtPage)
      p1_page: assert (f_n_q == 9'(k_q) + 9'(f_over) && k_q <= (save_i ? LastWord : Names));
    if (state_q != StIdle && f_cmd == f_cmd_q && part_q == PtAnswers)
      p1_answers: assert (f_n_q == f_page + 9'(n_q) + 9'(f_over) && {1'b0, n_q} < f_answers_q && !off_i && !ring_i);
    if (state_q != StIdle && f_cmd == f_cmd_q && part_q >= PtCtl)
      p1_end: assert (load_i && f_n_q == f_page + {1'b0, f_answers_q} + 9'(f_over) + 9'(part_q == PtProd));
    if (state_q != StIdle && part_q != PtAnswers) p1_first: assert (n_q == '0 || part_q >= PtCtl);
    if (state_q != StIdle && save_i && (f_n_q > 9'd13)) p2_saved: assert (saved_q == f_answers_q);
    if (acc_valid_o) p1_which: assert (acc_addr_o == f_addr && acc_write_o == !save_i && any && want_o);
    if (f_acc_q && f_cmd == f_cmd_q) p1_stays: assert (acc_valid_o);
    if (done_o && (off_i || ring_i)) p1_one: assert (f_n_q == 9'd1);
    if (done_o && save_i) p1_save: assert (f_n_q == f_page + {1'b0, f_answers_q});
    if (done_o && load_i) p1_load: assert (f_n_q == f_page + {1'b0, f_answers_q} + (prod_i == cons_i ? 9'd1 : 9'd2));
    if (acc_valid_o && off_i) p1_off: assert (acc_wdata_o == '0);
    if (acc_valid_o && load_i && f_n_q == 9'd12) p3_name: assert (acc_wdata_o == 64'(name_i));
    if (acc_valid_o && load_i && f_n_q == f_page + {1'b0, f_answers_q}) p3_on: assert (acc_wdata_o[0]);
    if (take_o) p4_take: assert (ring_i && want_o);
    if (put_valid_o) p2_put: assert (save_i && !want_o);
    if (begin_o) p2_begin: assert (save_i && put_idle_i &&
        (begin_more_o ? f_n_q == 9'd16 && f_answers_q != '0 : state_q == StIdle));
    c_load: cover (acc_valid_o && acc_done_i && load_i && f_n_q == 9'd1);
    c_save: cover (put_valid_o && f_n_q == 9'd1);
    c_ring: cover (done_o && ring_i);
  end
