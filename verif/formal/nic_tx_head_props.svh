// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_tx_head. A head, chosen freely (f_pick), is followed through the two ranks and compared with the
// words that leave: the fields that have a place in every frame, the lengths, and a checksum that must sum to FFFFh.
`include "fv.svh"
// Rules of README.md: FRM-11, FRM-12, FRM-13.
  `FV_INIT
  `FV_SEES(f_idle, 1, idle_o)
  `FV_ANYSEQ(f_pick, 1)

  nic_pkg::tx_head_t f_head_q;
  nic_pkg::peer_t    f_peer, f_peer_q, f_was_q;  // of the head that is followed; in the cycle before
  logic              f_in_a_q, f_in_b_q, f_wait_q, f_took_q;
  logic [7:0]     f_taken_q, f_left_q;
  logic [23*32-1:0] f_hdr_q;
  logic [31:0]    f_ip_q;
  logic [127:0]   f_ip6_q, f_to, f_from;
  logic           f_v6;
  logic [7:0]     f_tos_q;
  logic [31:0]    f_bytes;
  logic           f_held_q;              // hold_i in the cycle before, or reset
  logic           f_may_q, f_changed_q;  // who we are may have changed, has changed once
  logic [18:0]    f_sum;                 // what the checksum has of constants and of us
  logic [19:0]    f_all;                 // the sum of all, with the checksum
  logic [16:0]    f_once;
  logic [15:0]    f_check;

  // Opcodes that are there: all of RC but the reserved ones, XTQ's writes without an immediate.
  logic f_form;
  assign f_form = in_head_i.opcode <= 8'h14 || in_head_i.opcode == 8'h16 || in_head_i.opcode == 8'h17 ||
                  in_head_i.opcode == 8'h1C || in_head_i.opcode == 8'h1D || in_head_i.opcode == 8'hC6 ||
                  in_head_i.opcode == 8'hC7 ||
                  in_head_i.opcode == 8'hC8 || in_head_i.opcode == 8'hCA || in_head_i.opcode == 8'h81;
  // Words of the extension, and of it those that may be other than 0: the last of XtqETH is not, nor a CNP's.
  function automatic logic [3:0] f_dws(input logic [7:0] op);
    unique case (op)
      8'hC6, 8'hCA: f_dws = 4'd8;
      8'h13, 8'h14: f_dws = 4'd7;
      8'h0B: f_dws = 4'd5;
      8'h06, 8'h0A, 8'h0C, 8'h81: f_dws = 4'd4;
      8'h12: f_dws = 4'd3;
      8'h03, 8'h05, 8'h09, 8'h16, 8'h17, 8'h0D, 8'h0F, 8'h10, 8'h11: f_dws = 4'd1;
      default: f_dws = 4'd0;
    endcase
  endfunction
  logic [255:0] f_more;  // what is behind the extension
  assign f_more = {32'd0, in_head_i.ext} >> {in_head_i.opcode == 8'h81 ? 4'd0 : f_dws(in_head_i.opcode), 5'd0};
  assign f_bytes = (32'(f_head_q.bytes) + 32'd3) / 32'd4 * 32'd4;
  // The addresses of IPv6 as numbers, out of the words that leave.
  assign f_peer = f_in_a_q ? in_peer_i : f_peer_q;
  assign f_v6   = f_peer.ip[127:32] != 96'hFFFF;
  for (genvar i = 0; i < 16; i++) begin : gen_f_byte
    assign f_from[8*(15-i)+:8] = out_hdr_o[8*(8+i)+:8];
    assign f_to[8*(15-i)+:8]   = out_hdr_o[8*(24+i)+:8];
  end
  assign f_sum = 19'({Version4, cfg_tos_i}) + 19'(DontFragment) + 19'({HopLimit, nic_pkg::ProtoUdp}) +
                 19'(cfg_ip_i[31:16]) + 19'(cfg_ip_i[15:0]);
  assign f_all   = 20'(b_sum_q) + 20'(check);
  assign f_once  = 17'(f_all[15:0]) + 17'(f_all[19:16]);
  assign f_check = f_once[15:0] + 16'(f_once[16]);
  always_ff @(posedge clk_i) begin
    f_wait_q <= rst_ni && out_valid_o && !out_ready_i;
    f_took_q <= !rst_ni || (in_valid_i && in_ready_o);
    f_peer_q <= f_peer;
    f_was_q  <= in_peer_i;
    f_hdr_q  <= out_hdr_o;
    f_ip_q   <= cfg_ip_i;
    f_ip6_q  <= cfg_ip6_i;
    f_tos_q  <= cfg_tos_i;
    f_held_q <= !rst_ni || hold_i;
    f_may_q  <= !rst_ni || (hold_i && f_idle);
    f_changed_q <= rst_ni && (f_changed_q || (f_may_q && cfg_tos_i != f_tos_q));
    if (!rst_ni) begin
      f_in_a_q  <= 1'b0;
      f_in_b_q  <= 1'b0;
      f_taken_q <= 8'd0;
      f_left_q  <= 8'd0;
    end else begin
      f_taken_q <= f_taken_q + 8'(in_valid_i && in_ready_o);
      f_left_q  <= f_left_q + 8'(out_valid_o && out_ready_i);
      if (f_in_b_q && out_ready_i) f_in_b_q <= 1'b0;
      if (f_in_a_q && b_go) begin
        f_in_a_q <= 1'b0;
        f_in_b_q <= 1'b1;
      end
      if (f_pick && in_valid_i && in_ready_o && !f_in_a_q && !f_in_b_q) begin
        f_in_a_q <= 1'b1;
        f_head_q <= in_head_i;
      end
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    if (in_valid_i) env_bytes: assume (in_head_i.bytes <= 13'd4096 && f_form);
    if (in_valid_i) env_ext: assume (f_more == '0);
    // nic_peer: the peer of the last head.
    if (!f_took_q) env_peer: assume (in_peer_i == f_was_q);
    if (f_in_a_q) env_v6: assume (in_peer_i.v6 == (in_peer_i.ip[127:32] != 96'hFFFF));
    if (!f_may_q)
      env_steady: assume (cfg_ip_i == f_ip_q && cfg_ip6_i == f_ip6_q && cfg_tos_i == f_tos_q);

    p1_one: assert (!(f_in_a_q && f_in_b_q));
    if (f_in_a_q) p1_known: assert (known);
    p1_none_lost: assert (8'(f_taken_q - f_left_q) == 8'(a_valid_q) + 8'(b_valid_q));
    if (f_in_a_q)
      p1_a: assert (a_valid_q && a_q == f_head_q && v6 == f_v6 && (f_v6 ? words >= 5'd15 : words <= 5'd18));
    if (f_in_b_q) p1_b: assert (b_valid_q && b_q == f_head_q && to_q == f_peer_q);
    if (f_in_b_q) p1_place: assert (out_mac_o == f_peer.mac && out_tag_o == {f_peer.tag, f_peer.tci} &&
                                    w[32*3+:24] == f_peer.qp && w[32*2+:16] == f_peer.pkey &&
                                    w[16+:16] == f_peer.port && w[32*4+:24] == f_head_q.psn &&
                                    w[32*2+24+:8] == f_head_q.opcode);
    if (f_in_b_q) p1_becn: assert (w[32*3+24+:8] == (f_head_q.opcode[7:5] == 3'd4 ? 8'h40 : 8'h00));
    if (f_in_a_q) p1_a_ext: assert (words == (f_v6 ? 5'd15 : 5'd10) + 5'(f_dws(f_head_q.opcode)));
    if (f_in_b_q) p1_b_ext: assert (out_words_o == (f_v6 ? 5'd15 : 5'd10) + 5'(f_dws(f_head_q.opcode)));
    if (f_in_b_q) p1_ext: assert (w[32*5+:8*32] == {32'd0, f_head_q.ext});
    if (f_in_b_q) p1_kind: assert (out_hdr_o[7:4] == (f_v6 ? 4'd6 : 4'd4) && b_v6_q == f_v6);
    if (f_in_b_q && f_v6) p1_ip6: assert (f_to == f_peer.ip && f_from == cfg_ip6_i && out_words_o >= 5'd15);
    if (f_in_b_q && !f_v6)
      p1_ip4: assert (w4[32*4+:32] == f_peer.ip[31:0] && w4[32*3+:32] == cfg_ip_i && out_words_o <= 5'd18);
    if (f_in_a_q) p1_a_dws: assert (32'(dws) * 4 == 32'(words) * 4 + f_bytes + 4);
    if (f_in_b_q)
      p1_dws: assert (32'(out_dws_o) * 4 == 32'(out_words_o) * 4 + f_bytes + 4 && 32'(ip_len) == 32'(out_dws_o) * 4);
    if (a_valid_q) p1_own: assert (own_q == f_sum);
    if (b_valid_q)
      p1_sum: assert (b_sum_q == f_sum + 19'({b_dws_q, 2'b00}) + 19'(to_q.ip[31:16]) + 19'(to_q.ip[15:0]));
    if (b_valid_q) p1_check: assert (f_check == 16'hFFFF);
    if (f_in_b_q) p1_pad: assert (3'(w[32*2+20+:2]) == 3'((f_bytes - 32'(f_head_q.bytes))));
    if (b_valid_q) p1_words: assert (out_words_o >= 5'd10 && out_words_o <= 5'd23);
    if (a_valid_q) p1_a_words: assert (words >= 5'd10 && words <= 5'd23);
    if (f_wait_q) p2_wait: assert (out_valid_o && out_hdr_o == f_hdr_q);
    p2_ready: assert (in_ready_o == (!f_held_q && (OneBeat ? a_go : !a_valid_q)));
    p3_idle: assert (idle_o == (f_held_q && f_taken_q == f_left_q));
    if (f_held_q && f_may_q) p3_stays: assert (idle_o);
    c_changed: cover (f_changed_q && f_in_b_q && !f_v6 && out_ready_i);
    c_both: cover (a_valid_q && b_valid_q && in_valid_i && out_ready_i);
    c_v6: cover (f_in_b_q && out_ready_i && f_v6 && out_words_o == 5'd23);
    c_through: cover (f_in_b_q && out_ready_i && f_head_q.opcode == 8'hCA && f_head_q.bytes == 13'd4096);
  end
