// SPDX-License-Identifier: Apache-2.0
// Theorems of px_host: order and numbers on the way out, counted apart from the design: TLPs by kind as they come, and
// what has left. One request that wants an answer, or completion of a device, is chosen as it comes (f_pick) and must
// not leave too early.
`include "fv.svh"

  `FV_INIT
  `FV_ANYSEQ(f_pick, 1)

  logic                     f_in_wait_q, f_in_mid_q, f_two_q, f_wr_wait_q, f_rd_wait_q, f_cpl_wait_q, f_wr_mid_q,
                            f_at_q, f_live_q, f_begin, f_rx_wait_q, f_rx_mid_q, f_ask, f_posted, f_answer,
                            f_wr_first, f_gone;
  cm_pkg::tlp_t             f_in_q;
  logic [SliceW:0]          f_wr_q, f_wr;
  logic [SliceW-1:0]        f_cpl_q, f_cpl;
  logic [127:0]             f_rd_q;
  logic [15:0]              f_writes_q, f_sent_q, f_left_q, f_mark_q, f_asks_q, f_before_q, f_done_q, f_reads_q,
                            f_rleft_q, f_ats_q,
                            f_aleft_q, f_cpls_q, f_cpl_out_q, f_cpl_mark_q;
  cm_pkg::tlp_req_t         f_come, f_rd_hdr;  // what comes in; a request that goes
  logic [15:0]              f_wr_left, f_at_left, f_rd_left;
  always_comb begin
    {f_wr_left, f_at_left, f_rd_left} = '0;
    for (int unsigned i = 0; i < SeqCount; i++) begin
      if (wr_req_tx_seq_num_valid[i] && wr_req_tx_seq_num[SeqW*i]) f_at_left = f_at_left + 16'd1;
      if (wr_req_tx_seq_num_valid[i] && !wr_req_tx_seq_num[SeqW*i]) f_wr_left = f_wr_left + 16'd1;
      if (rd_req_tx_seq_num_valid[i]) f_rd_left = f_rd_left + 16'd1;
    end
  end
  logic [134+StrbW+DataW-1:0] f_rx_q, f_rx;
  assign f_come     = req_i.hdr;
  assign f_rd_hdr   = tx_rd_req_tlp_hdr;
  assign f_begin    = req_valid_i && req_ready_o && req_i.sop;
  assign f_posted   = (f_come.op & cm_pkg::AnyFour) == cm_pkg::OpWrite;
  assign f_answer   = (f_come.op & cm_pkg::AnyData & ~8'd1) == cm_pkg::OpCpl;
  // a message has 10 in bits 4:3 of the type, with four words
  assign f_ask      = !f_posted && !(f_come.op[cm_pkg::OpFour] && f_come.op[4:3] == 2'b10) && !f_answer;
  assign f_wr       = {tx_wr_req_tlp_seq[0], tx_wr_req_tlp_sop, tx_wr_req_tlp_eop, tx_wr_req_tlp_strb,
                       tx_wr_req_tlp_hdr,
                       tx_wr_req_tlp_data};
  assign f_cpl      = {tx_cpl_tlp_sop, tx_cpl_tlp_eop, tx_cpl_tlp_strb, tx_cpl_tlp_hdr, tx_cpl_tlp_data};
  assign f_wr_first = tx_wr_req_tlp_valid && tx_wr_req_tlp_ready && tx_wr_req_tlp_sop;
  assign f_rx       = {rx_cpl_tlp_sop, rx_cpl_tlp_eop, rx_cpl_tlp_error, rx_cpl_tlp_strb,
                       rx_cpl_tlp_hdr, rx_cpl_tlp_data};
  // a request shows: a read, or an AtomicOp
  assign f_gone     = (tx_rd_req_tlp_valid && tx_rd_req_tlp_ready) || (f_wr_first && tx_wr_req_tlp_seq[0]);

  always_ff @(posedge clk_i) begin
    f_in_wait_q  <= rst_ni && req_valid_i && !req_ready_o;
    f_in_q       <= req_i;
    f_rx_wait_q  <= rst_ni && rx_cpl_tlp_valid && !rx_cpl_tlp_ready;
    f_rx_q       <= f_rx;
    f_wr_wait_q  <= rst_ni && tx_wr_req_tlp_valid && !tx_wr_req_tlp_ready;
    f_rd_wait_q  <= rst_ni && tx_rd_req_tlp_valid && !tx_rd_req_tlp_ready;
    f_cpl_wait_q <= rst_ni && tx_cpl_tlp_valid && !tx_cpl_tlp_ready;
    f_wr_q       <= f_wr;
    f_cpl_q      <= f_cpl;
    f_rd_q       <= tx_rd_req_tlp_hdr;
    if (f_begin) f_two_q <= f_ask && f_come.op[cm_pkg::OpData] && f_come.len[3:0] > 4'd4;
    if (!rst_ni) begin
      {f_in_mid_q, f_wr_mid_q, f_live_q, f_rx_mid_q} <= '0;
      {f_writes_q, f_sent_q, f_left_q, f_asks_q, f_done_q, f_reads_q, f_rleft_q, f_ats_q, f_aleft_q, f_cpls_q,
       f_cpl_out_q} <= '0;
    end else begin
      if (req_valid_i && req_ready_o) f_in_mid_q <= !req_i.eop;
      if (tx_wr_req_tlp_valid && tx_wr_req_tlp_ready)
        {f_wr_mid_q, f_at_q} <= {!tx_wr_req_tlp_eop, tx_wr_req_tlp_seq[0]};
      if (rx_cpl_tlp_valid && rx_cpl_tlp_ready) f_rx_mid_q <= !rx_cpl_tlp_eop;
      f_writes_q <= f_writes_q + 16'(f_begin && f_posted);
      f_sent_q   <= f_sent_q + 16'(f_wr_first && !tx_wr_req_tlp_seq[0]);
      f_left_q   <= f_left_q + f_wr_left;
      f_ats_q    <= f_ats_q + 16'(f_wr_first && tx_wr_req_tlp_seq[0]);
      f_aleft_q  <= f_aleft_q + f_at_left;
      f_reads_q  <= f_reads_q + 16'(tx_rd_req_tlp_valid && tx_rd_req_tlp_ready);
      f_rleft_q  <= f_rleft_q + f_rd_left;
      f_asks_q   <= f_asks_q + 16'(f_begin && f_ask);
      f_done_q   <= f_done_q + 16'(f_gone);
      f_cpl_out_q <= f_cpl_out_q + 16'(tx_cpl_tlp_valid && tx_cpl_tlp_ready && tx_cpl_tlp_sop);
      if (f_begin && !f_posted && f_answer)
        {f_cpls_q, f_cpl_mark_q} <= {f_cpls_q + 16'd1, f_writes_q};
      if (f_begin && f_ask && f_pick && !f_live_q) begin
        f_live_q   <= 1'b1;
        f_mark_q   <= f_writes_q;
        f_before_q <= f_asks_q;
      end
    end
  end

  // The library's names of what comes in.
  logic f_rx_valid, f_rx_sop;
  assign f_rx_valid = rx_cpl_tlp_valid;
  assign f_rx_sop   = rx_cpl_tlp_sop;

  // What the IOMMU lets out: whole TLPs, of which an AtomicOp has at most two beats here; and the shim tells of what it
  // was given.
  `FV_COMB if (f_past_q && rst_ni) begin
    env_in: assume (!f_in_wait_q || (req_valid_i && req_i == f_in_q));
    env_rx: assume (!f_rx_wait_q || (f_rx_valid && f_rx == f_rx_q));
    env_rx_sop: assume (!f_rx_valid || f_rx_sop == !f_rx_mid_q);
    env_sop: assume (!req_valid_i || req_i.sop == !f_in_mid_q);
    env_read: assume (!req_valid_i || !req_i.sop || !f_ask || f_come.op[cm_pkg::OpData] || req_i.eop);
    env_atomic: assume (!req_valid_i || !req_i.sop || !f_ask || !f_come.op[cm_pkg::OpData] ||
                        (f_come.len != '0 && f_come.len <= 10'd8 && req_i.eop == (32'(f_come.len) <= StrbW)));
    env_second: assume (!req_valid_i || !f_in_mid_q || !f_two_q || req_i.eop);
    env_left: assume (f_wr_left <= f_sent_q - f_left_q);
    env_at: assume (f_at_left <= f_ats_q - f_aleft_q);
    env_rleft: assume (f_rd_left <= f_reads_q - f_rleft_q);
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    p1_frame: assert (!tx_wr_req_tlp_valid || tx_wr_req_tlp_sop == !f_wr_mid_q);
    p1_whole: assert (!tx_wr_req_tlp_valid || !f_wr_mid_q || tx_wr_req_tlp_seq[0] == f_at_q);
    if (f_live_q && f_gone && f_done_q == f_before_q) p2_read: assert (f_left_q - f_mark_q < 16'h8000);
    if (tx_cpl_tlp_valid && tx_cpl_tlp_sop && f_cpls_q == f_cpl_out_q + 16'd1)
      p2_cpl: assert (f_left_q - f_cpl_mark_q < 16'h8000);
    if (Force64 && tx_rd_req_tlp_valid) p3_long: assert (f_rd_hdr.op[cm_pkg::OpFour]);
    if (f_wr_first && tx_wr_req_tlp_seq[0]) p4_alone: assert (f_rleft_q == f_reads_q && f_aleft_q == f_ats_q);
    if (tx_rd_req_tlp_valid && tx_rd_req_tlp_ready) p4_reads: assert (f_aleft_q == f_ats_q);
    p4_sum: assert (f_done_q - f_reads_q == f_ats_q);
    if (f_wr_wait_q) p6_wr: assert (tx_wr_req_tlp_valid && f_wr == f_wr_q);
    if (f_rd_wait_q) p6_rd: assert (tx_rd_req_tlp_valid && tx_rd_req_tlp_hdr == f_rd_q);
    if (f_cpl_wait_q) p6_cpl: assert (tx_cpl_tlp_valid && f_cpl == f_cpl_q);
    c_read: cover (f_live_q && f_gone && f_done_q == f_before_q && f_mark_q == 16'd2);
    c_atomic: cover (f_wr_first && tx_wr_req_tlp_seq[0] && f_reads_q != '0 && f_left_q != '0);
    c_cpl: cover (tx_cpl_tlp_valid && f_left_q != '0);
  end
