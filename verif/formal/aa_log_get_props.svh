// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_log_get: it takes the data that a chunk announces, and keeps the rules of aa_log_pack, which then
// writes what it is given where it belongs (its own theorems; what it assumes is proved here).
`include "fv.svh"

  `FV_INIT

  logic         f_cmd_wait_q, f_data_wait_q;
  logic [269:0] f_cmd_q;
  logic [11:0]  f_taken_q;   // DWs of the beats taken for the command
  logic [11:0]  f_len;

  assign f_len = 12'(cmd_i.ndw);

  always_ff @(posedge clk_i) begin
    f_cmd_wait_q <= rst_ni && cmd_valid_i && !cmd_ready_o;
    f_cmd_q      <= cmd_i;
    f_data_wait_q <= rst_ni && data_valid_i && !data_ready_o;
    if (!rst_ni || (cmd_valid_i && cmd_ready_o)) f_taken_q <= '0;
    else if (data_valid_i && data_ready_o) f_taken_q <= f_taken_q + 12'(BeatDw);
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_len: assume (!cmd_valid_i || (cmd_i.ndw == '0 ? cmd_i.close && cmd_i.zeros == '0 : cmd_i.ndw <= 11'd1024));
    env_place: assume (!cmd_valid_i || (cmd_i.addr[1:0] == '0 && (!cmd_i.close || cmd_i.addr[3:0] == '0)));
    // the data that a header announces end where the next entry may begin
    env_whole: assume (!cmd_valid_i || !cmd_i.close || (cmd_i.ndw[1:0] + cmd_i.zeros == 2'd0));
    env_pad: assume (!cmd_valid_i || !cmd_i.close || !cmd_i.pad || cmd_i.pad_addr[3:0] == '0);
    env_cmd: assume (!f_cmd_wait_q || (cmd_valid_i && cmd_i == f_cmd_q));
    env_data: assume (!f_data_wait_q || data_valid_i);
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    if (mid_q || padded_q) p3_up: assert (f_cmd_wait_q);
    p3_have: assert (!mid_q || ((f_taken_q < f_len ? 12'(have_q) + f_taken_q == f_len : have_q == '0)));
    p3_left: assert (!mid_q ||
                     (12'(left_q) == 12'(have_q) + 12'(cmd_i.zeros) - (have_q == '0 ? f_taken_q - f_len : 12'd0) &&
        left_q != '0));
    p3_start: assert (mid_q || f_taken_q == '0);
    if (cmd_valid_i && cmd_ready_o)
      p3_beats: assert (f_len == '0 ? f_taken_q == '0 && !data_ready_o :
                        f_taken_q + (data_ready_o ? 12'(BeatDw) : 12'd0) >= f_len);
    if (data_valid_i && data_ready_o)
      p3_wanted: assert (cmd_valid_i && f_taken_q < f_len && (padded_q || !cmd_i.close || !cmd_i.pad));
    c_long: cover (cmd_valid_i && cmd_ready_o && f_taken_q > 12'(BeatDw));
    c_zeros: cover (cmd_valid_i && cmd_ready_o && !cmd_i.close && !data_ready_o && f_taken_q != '0);
    c_whole: cover (cmd_valid_i && cmd_ready_o && cmd_i.close && data_ready_o && f_taken_q != '0);
    c_pad: cover (cmd_valid_i && cmd_ready_o && padded_q);
    c_done: cover (done_valid_o);
  end
