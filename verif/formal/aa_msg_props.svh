// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_msg. One message, chosen freely (f_pick), of one source (f_src) is followed from its hand-over to its
// response. f_bq counts responses that the write channel owes: one for each message whose aw and w have both gone.
`include "fv.svh"

  `FV_INIT
  `FV_ANYSEQ(f_pick, 1)
  `FV_ANYCONST(f_src_any, IdxW)
  logic [IdxW-1:0] f_src;
  assign f_src = IdxW'(32'(f_src_any) % N);
  `FV_BELOW(def_src, f_src, N)

  logic               f_live_q, f_out_q, f_wide_q, f_awh_q, f_wh_q, f_mine;
  logic [63:0]        f_addr_q, f_data_q, f_aw_q;
  aa_pkg::owner_t     f_owner_q, f_said_q;
  logic [DataW-1:0]   f_w_q;
  logic [DataW/8-1:0] f_strb_q;
  logic [LevelW-1:0] f_aws_q, f_ws_q;  // addresses, and data, that have gone and are not answered
  logic [LevelW-1:0] f_ahead_q, f_level, f_owed;  // before it in the order; in the order; owed by the write channel
  logic [31:0]        f_bytes, f_byte;

  assign f_level = level_q;
  // The message in the register is not yet owed.
  assign f_owed  = f_level - LevelW'(aw_q || w_q);
  assign f_mine  = take && gnt[f_src];
  always_ff @(posedge clk_i) begin
    f_aw_q   <= aw_addr_o;
    f_said_q <= aw_owner_o;
    f_w_q    <= w_data_o;
    f_strb_q <= w_strb_o;
    f_awh_q  <= rst_ni && aw_valid_o && !aw_ready_i;
    f_wh_q   <= rst_ni && w_valid_o && !w_ready_i;
    if (!rst_ni) begin
      f_live_q <= 1'b0;
      f_out_q  <= 1'b0;
      f_aws_q  <= '0;
      f_ws_q   <= '0;
    end else begin
      f_aws_q <= f_aws_q + LevelW'(aw_valid_o && aw_ready_i) - LevelW'(b_valid_i);
      f_ws_q  <= f_ws_q + LevelW'(w_valid_o && w_ready_i) - LevelW'(b_valid_i);
      if (f_live_q) begin
        if (!aw_q && !w_q) f_out_q <= 1'b0;
        if (b_valid_i && f_ahead_q == '0) f_live_q <= 1'b0;
        if (b_valid_i && f_ahead_q != '0) f_ahead_q <= f_ahead_q - LevelW'(1);
      end else if (f_mine && f_pick) begin
        f_live_q  <= 1'b1;
        f_out_q   <= 1'b1;
        f_addr_q  <= msg_addr_i[64*f_src+:64] & 64'h0000_FFFF_FFFF_FFFF;
        f_data_q  <= msg_data_i[64*f_src+:64];
        f_wide_q  <= msg_bytes_i[4*f_src+3];
        f_owner_q <= msg_owner_i[aa_pkg::OwnerW*f_src+:aa_pkg::OwnerW];
        f_ahead_q <= f_level - LevelW'(b_valid_i);
      end
    end
  end

  // Bytes of the beat by their place in memory: for each enabled lane, does it hold the message's byte?
  always_comb begin
    f_bytes = 32'd0;
    f_byte  = 32'd0;  // lanes that are wrong
    for (int unsigned i = 0; i < DataW / 8; i++) begin
      if (w_strb_o[i]) begin
        f_bytes = f_bytes + 32'd1;
        if (32'(f_addr_q[7:0]) % (DataW / 8) > i || i - 32'(f_addr_q[7:0]) % (DataW / 8) >= 32'd8 ||
            w_data_o[8*i+:8] != 8'(f_data_q >> (8 * (i - 32'(f_addr_q[7:0]) % (DataW / 8))))) f_byte = f_byte + 32'd1;
      end
    end
  end

  logic [N-1:0] f_size, f_align;
  for (genvar i = 0; i < N; i++) begin : gen_f_env
    assign f_size[i]  = !msg_valid_i[i] || msg_bytes_i[4*i+:4] == 4'd4 || msg_bytes_i[4*i+:4] == 4'd8;
    assign f_align[i] = !msg_valid_i[i] || (msg_addr_i[64*i+:2] == 2'd0 && !(msg_bytes_i[4*i+3] && msg_addr_i[64*i+2]));
  end

  `FV_COMB if (f_past_q) begin
    env_b: assume (!b_valid_i || (f_aws_q != '0 && f_ws_q != '0));
    env_size: assume (f_size == '1);
    env_align: assume (f_align == '1);
    if (f_live_q && f_out_q && aw_q)
      p1_aw: assert (aw_addr_o == f_addr_q && aw_len_o == 8'd0 && aw_owner_o == f_owner_q);
    if (f_live_q && f_out_q && w_q) p1_w: assert (f_byte == 32'd0 && f_bytes == (f_wide_q ? 32'd8 : 32'd4) && w_last_o);
    if (f_live_q && f_out_q && (aw_q || w_q))
      p1_kept: assert (f_ahead_q == f_owed && wide_q == f_wide_q && owner_q == f_owner_q &&
      addr_q == f_addr_q[47:2] && data_q == (f_wide_q ? f_data_q : {f_data_q[31:0], f_data_q[31:0]}) &&
      !(f_wide_q && f_addr_q[2]) && f_addr_q[1:0] == 2'b00);
    if (f_awh_q) p2_aw: assert (aw_valid_o && aw_addr_o == f_aw_q && aw_owner_o == f_said_q);
    if (f_wh_q) p2_w: assert (w_valid_o && w_data_o == f_w_q && w_strb_o == f_strb_q);
    if (f_live_q && f_ahead_q == '0 && b_valid_i)
      p3_done: assert (msg_done_o == N'(1) << f_src && msg_fail_o == b_err_i);
    if (f_live_q) p3_order: assert (f_ahead_q < f_level && order_q[IdxW*f_ahead_q+:IdxW] == f_src);
    p3_one: assert ((msg_done_o & (msg_done_o - N'(1))) == '0 && (msg_done_o == '0 || b_valid_i));
    if (take) p4_turn: assert (msg_ready_o == gnt);  // the rest is P4 of cm_rr_arb
    p5_owed: assert (f_aws_q == f_owed + LevelW'(w_q && !aw_q) && f_ws_q == f_owed + LevelW'(aw_q && !w_q));
    p5_room: assert (32'(f_level) <= InFlight && (!(aw_q || w_q) || f_level != '0));
    p5_ready: assert ((msg_ready_o & ~msg_valid_i) == '0 && (take || msg_ready_o == '0));
    c_done: cover (f_live_q && f_ahead_q != '0 && b_valid_i);
    c_full: cover (32'(f_level) == InFlight && msg_valid_i != '0);
    c_second: cover (f_live_q && f_src == IdxW'(N - 1) && b_valid_i && f_ahead_q == '0);
    c_split: cover (aw_q && !w_q);
  end
