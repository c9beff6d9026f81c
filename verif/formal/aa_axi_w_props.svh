// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_axi_w. Bursts are numbered as they are taken: f_taken_q by their aw, f_begun_q by their first w.
`include "fv.svh"

  `FV_INIT

  // ---- environment: a source holds what it offers ------------------------------------------------------------------
  logic [N-1:0]       f_aw_wait_q, f_w_wait_q;
  logic [N-1:0]       f_w_last_q;
  logic               f_m_aw_wait_q, f_m_w_wait_q, f_m_last_q;
  logic [79+aa_pkg::OwnerW:0] f_m_aw_q;
  logic [aa_pkg::OwnerW-1:0] f_owner_said_q;  // by the source of the burst whose aw is in the register
  logic [DataW-1:0]   f_m_w_q;
  logic [7:0]         f_taken_q, f_begun_q;
  logic               f_mid_q;          // between the first and the last w of a burst
  logic [1:0]         f_owner_q;
  logic               f_w_last;         // of the beat that is taken
  assign f_w_last = |(w_last_i & w_valid_i & w_ready_o);

  // Any source: bursts of others that begin while it asks (small: and does not rest).
  `FV_ANYCONST(f_any, 2)
  logic [1:0] f_src, f_lost_q;
  logic [5:0] f_since_q;
  assign f_src = f_any == 2'd3 ? 2'd0 : f_any;

  always_ff @(posedge clk_i) begin
    f_aw_wait_q <= {N{rst_ni}} & aw_valid_i & ~aw_ready_o;
    f_w_wait_q  <= {N{rst_ni}} & w_valid_i & ~w_ready_o;
    if (!rst_ni || !aw_valid_i[f_src] || aw_ready_o[f_src]) f_lost_q <= 2'd0;
    else if (|(aw_valid_i & aw_ready_o) && (32'(f_src) != N - 1 || rest_q[5])) f_lost_q <= f_lost_q + 2'd1;
    // Cycles since the last small burst, counted apart.
    if (!rst_ni) f_since_q <= 6'd32;
    else if (aw_valid_i[N-1] && aw_ready_o[N-1]) f_since_q <= '0;
    else if (f_since_q != 6'd32) f_since_q <= f_since_q + 6'd1;
  end

  `FV_COMB if (f_past_q) begin
    p3_fair: assert (32'(f_lost_q) < N);
    p3_count: assert (rest_q == f_since_q && f_since_q <= 6'd32);
    if (rst_ni && aw_valid_i[N-1] && aw_ready_o[N-1] && f_since_q < 6'd32) p3_rest: assert (aw_valid_i[N-2:0] == '0);
    c_rests: cover (f_since_q == 6'd5 && aw_valid_i[N-1] && |(aw_ready_o & aw_valid_i) && !aw_ready_o[N-1]);
    c_served_last: cover (32'(f_lost_q) == N - 1 && aw_valid_i[f_src] && aw_ready_o[f_src]);
  end

  always_ff @(posedge clk_i) begin
    f_w_last_q    <= w_last_i;
    f_m_aw_wait_q <= rst_ni && m_aw_valid_o && !m_aw_ready_i;
    f_m_w_wait_q  <= rst_ni && m_w_valid_o && !m_w_ready_i;
    f_m_aw_q      <= {m_aw_id_o, m_aw_addr_o, m_aw_len_o, m_aw_owner_o};
    f_m_w_q       <= m_w_data_o;
    f_m_last_q    <= m_w_last_o;
    if (!rst_ni) begin
      f_taken_q <= '0;
      f_begun_q <= '0;
      f_mid_q   <= 1'b0;
    end else begin
      if (aw_fire) f_taken_q <= f_taken_q + 8'd1;
      if (w_fire && !f_mid_q) f_begun_q <= f_begun_q + 8'd1;
      if (w_fire) f_mid_q <= !f_w_last;
    end
    if (aw_fire) f_owner_q <= arb_idx;
    if (aw_fire) f_owner_said_q <= aw_owner_i[aa_pkg::OwnerW*arb_idx+:aa_pkg::OwnerW];
  end

  `FV_COMB if (f_past_q) begin
    env_aw: assume ((f_aw_wait_q & ~aw_valid_i) == '0);
    env_w: assume ((f_w_wait_q & ~w_valid_i) == '0);
    env_w_last: assume ((f_w_wait_q & (w_last_i ^ f_w_last_q)) == '0);
  end

  logic [N-1:0] f_w_taken, f_aw_taken;
  assign f_w_taken  = w_valid_i & w_ready_o;
  assign f_aw_taken = aw_valid_i & aw_ready_o;

  `FV_COMB if (f_past_q && rst_ni) begin
    p1_one_aw: assert ((f_aw_taken & (f_aw_taken - N'(1))) == '0);
    p1_one_w: assert ((f_w_taken & (f_w_taken - N'(1))) == '0);
    // Every beat is of the burst whose aw was taken last, and no aw is taken before its last beat.
    if (|f_w_taken) p1_owner: assert (f_w_taken == (busy_q ? N'(1) << f_owner_q : f_aw_taken));
    if (|f_aw_taken) p1_whole: assert (!f_mid_q);
    p1_busy: assert (busy_q == (f_mid_q || f_taken_q != f_begun_q));
    p1_numbers: assert (f_taken_q == f_begun_q || (f_taken_q == f_begun_q + 8'd1 && busy_q && !f_mid_q));
    p1_own: assert (own_q == (busy_q ? N'(1) << f_owner_q : '0) && (!busy_q || f_owner_q < 2'(N)));
    if (f_m_aw_wait_q) p2_aw: assert (m_aw_valid_o && {m_aw_id_o, m_aw_addr_o, m_aw_len_o, m_aw_owner_o} == f_m_aw_q);
    if (f_m_w_wait_q) p2_w: assert (m_w_valid_o && m_w_last_o == f_m_last_q && m_w_data_o == f_m_w_q);
    // The beat in the register is of a burst whose aw is in its register, or has left.
    if (w_fire) p2_after: assert (f_mid_q || f_taken_q != f_begun_q || aw_fire);
    if (m_aw_valid_o) p5_owner: assert (m_aw_owner_o == f_owner_said_q);
    p4_ready: assert (m_b_ready_o == b_ready_i);
    p4_route: assert (b_valid_o == (m_b_valid_i && b_ready_i && m_b_id_i < 8'(N) ? N'(1) << m_b_id_i[1:0] : '0));
    p4_err: assert (b_err_o == m_b_resp_i[1]);
    c_through: cover (f_taken_q == 8'd4 && m_w_valid_o && m_w_last_o && !busy_q);
    c_long: cover (f_mid_q && w_fire && f_w_last);
    c_apart: cover (busy_q && !f_mid_q && w_fire);
  end
