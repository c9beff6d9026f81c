// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_log_put: it takes the payload that the header announces, and keeps the rules of aa_log_pack, which
// then writes what it is given where it belongs (its own theorems; what it assumes is proved here).
`include "fv.svh"

  `FV_INIT

  logic         f_cmd_wait_q, f_data_wait_q;
  logic [aa_pkg::PutLogW-1:0] f_cmd_q;
  logic [11:0]  f_taken_q;   // DWs of the payload beats taken for the command
  logic [11:0]  f_len;

  assign f_len = cmd_i.hdr.data ? 12'(cmd_i.hdr.len) : 12'd0;

  always_ff @(posedge clk_i) begin
    f_cmd_wait_q  <= rst_ni && cmd_valid_i && !cmd_ready_o;
    f_data_wait_q <= rst_ni && data_valid_i && !data_ready_o;
    f_cmd_q       <= cmd_i;
    if (!rst_ni || (cmd_valid_i && cmd_ready_o)) f_taken_q <= '0;
    else if (data_valid_i && data_ready_o) f_taken_q <= f_taken_q + 12'(BeatDw);
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_len: assume (!cmd_valid_i || (cmd_i.hdr.len >= 11'd1 && cmd_i.hdr.len <= 11'd1024));
    env_total: assume (!cmd_valid_i ||
                       12'(cmd_i.total) == (cmd_i.hdr.data ? (12'(cmd_i.hdr.len) + 12'd7) >> 2 : 12'd1));
    env_place: assume (!cmd_valid_i || (cmd_i.addr[3:0] == '0 && (!cmd_i.pad || cmd_i.pad_addr[3:0] == '0)));
    env_cmd: assume (!f_cmd_wait_q || (cmd_valid_i && cmd_i == f_cmd_q));
    env_data: assume (!f_data_wait_q || data_valid_i);
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    if (mid_q || padded_q) p3_up: assert (f_cmd_wait_q);
    p3_pad: assert (!padded_q || cmd_i.pad);
    if (mid_q) p3_padded: assert (padded_q == cmd_i.pad);
    p3_left: assert (!mid_q || (cmd_i.hdr.data && 12'(left_q) + f_taken_q == f_len && f_taken_q < f_len &&
                                left_q != '0));
    p3_start: assert (mid_q || f_taken_q == '0);
    if (cmd_valid_i && cmd_ready_o)
      p3_beats: assert (f_len == '0 ? f_taken_q == '0 && !data_ready_o : data_ready_o && data_valid_i &&
                        f_taken_q < f_len &&
          f_taken_q + 12'(BeatDw) >= f_len);
    if (mid_q) p3_end: assert (end_q == (left_q <= 11'(BeatDw)));
    if (data_valid_i && data_ready_o) p3_wanted: assert (cmd_valid_i && cmd_i.hdr.data && f_taken_q < f_len);
    c_long: cover (cmd_valid_i && cmd_ready_o && f_taken_q > 12'(BeatDw));
    c_pad: cover (cmd_valid_i && cmd_ready_o && padded_q);
    c_done: cover (done_valid_o);
  end
