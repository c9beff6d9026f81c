// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_split. The followed job is kept as it came; what has been cut off it so far is
// counted in whole bytes.
`include "fv.svh"
// Rules of README.md: MEM-1.
  `FV_INIT

  logic          f_hold_q, f_wait_q, f_taken, f_left_job, f_in_q;
  nic_pkg::dma_t f_job_q, f_cur_q;
  logic [215:0]  f_out_q;
  logic [12:0]   f_done_q;               // bytes of the job at the output that have left
  logic [12:0]   f_bytes;                // of the chunk shown
  logic          f_atomic;
  logic [12:0]   f_len;

  assign f_atomic = !Write && job_o.op != nic_pkg::DmaRead;
  assign f_len    = f_atomic ? 13'd8 : job_o.len;
  assign f_bytes  = empty_o ? 13'd0 : 13'(span_o) + 13'd1 - 13'(lead_o);

  always_ff @(posedge clk_i) begin
    f_hold_q <= rst_ni && job_valid_i && !job_ready_o;
    f_job_q  <= job_i;
    f_wait_q <= rst_ni && valid_o && !ready_i;
    f_out_q  <= {first_o, last_o, empty_o, lead_o, span_o, hdr_o, job_o.rid, job_o.src, job_o.len,
                 job_o.op, 32'(job_o.va)};
    if (!rst_ni || (valid_o && ready_i && last_o)) f_done_q <= '0;
    else if (valid_o && ready_i) f_done_q <= f_done_q + f_bytes;
  end

  // Of the stage before the output: what of its job has been cut off.
  logic [12:0] f_cut;
  assign f_cut = b_valid_q && !b_last_q ? f_done_q + f_bytes : 13'd0;

  `FV_COMB if (f_past_q && rst_ni) begin
    env_len: assume (!job_valid_i || job_i.len <= 13'd4096);
    env_hold: assume (!f_hold_q || (job_valid_i && job_i == f_job_q));
  end

  logic [63:0] f_a_va;
  logic [12:0] f_a_len;
  logic        f_a_atomic;
  assign f_a_atomic = !Write && a_job_q.op != nic_pkg::DmaRead;
  assign f_a_va     = f_a_atomic ? {a_job_q.va[63:3], 3'd0} : a_job_q.va;
  assign f_a_len    = f_a_atomic ? 13'd8 : a_job_q.len;

  `FV_COMB if (f_past_q) begin
    if (a_valid_q) begin
      p1_from: assert (a_va_q == f_a_va + 64'(f_cut) && a_first_q == (f_cut == '0) && f_a_len <= 13'd4096);
      if (f_a_len != '0)
        p1_left: assert (f_cut < f_a_len && 13'(a_left_q - 13'(a_va_q[1:0]) + 13'd1) == f_a_len - f_cut &&
                         a_left_q <= 13'd4098);
      if (f_a_len == '0) p1_none: assert (a_one_q && a_first_q);
      p1_one: assert (a_one_q == (f_a_atomic || f_a_len == '0));
      p2_mask: assert ((a_mask_q == 12'h7F || a_mask_q == 12'hFF || a_mask_q == 12'h1FF || a_mask_q == 12'h3FF ||
                        a_mask_q == 12'h7FF ||
                        a_mask_q == 12'hFFF) && 32'(a_mask_q) < MaxSize);
      if (!f_a_atomic) p2_room: assert (a_room_q == ((~a_va_q[11:0] & a_mask_q) | 12'd3));
      if (f_a_atomic) p4_room: assert (a_room_q == '1 && a_left_q == 13'd7);
    end
    // The chunk shown and the one behind it are of the same job until it is the last.
    if (b_valid_q && !b_last_q)
      p1_same: assert (a_valid_q && a_job_q == b_job_q && !a_first_q && a_va_q == b_va_q + 64'(f_bytes));
    if (b_valid_q) begin
      p1_b: assert (b_va_q == (f_atomic ? {b_job_q.va[63:3], 3'd0} : b_job_q.va) + 64'(f_done_q) &&
                    b_first_q == (f_done_q == '0) &&
                    f_len <= 13'd4096);
      p1_sum: assert (empty_o ? f_len == '0 && b_last_q && f_done_q == '0 :
                      b_last_q ? f_done_q + f_bytes == f_len : f_done_q + f_bytes < f_len);
      p1_beat: assert (one_o == (32'(span_o) < nic_pkg::BeatBytes));
      p1_some: assert (empty_o || (f_bytes != '0 && f_bytes <= 13'd4096));
      if (!empty_o) p2_page: assert (32'(b_va_q[11:0]) + 32'(f_bytes) <= 32'd4096);
      if (!empty_o && !f_atomic) p2_border: assert ((b_va_q & 64'(MaxSize - 1)) + 64'(f_bytes) <= 64'(MaxSize));
    end else p1_idle: assert (f_done_q == '0 || a_valid_q);
    if (!b_valid_q) p1_gap: assert (f_done_q == '0);
  end

  // Header, said byte by byte: byte n of the first and last words is enabled exactly if it is in [va, va + bytes).
  logic [3:0]  f_fbe, f_lbe;
  logic [12:0] f_words;
  cm_pkg::tlp_req_t f_hdr;
  logic [7:0] f_four;  // in op, of an address beyond 4 GiB
  assign f_hdr = hdr_o;
  assign f_four = b_va_q[63:32] != '0 ? 8'd1 << cm_pkg::OpFour : 8'd0;
  assign f_words = 13'((32'(lead_o) + 32'(f_bytes) + 32'd3) / 32'd4);
  always_comb for (int unsigned n = 0; n < 4; n++) begin
    f_fbe[n] = n >= 32'(lead_o) && n < 32'(lead_o) + 32'(f_bytes);
    f_lbe[n] = f_words > 13'd1 && 32'(f_words - 13'd1) * 4 + n < 32'(lead_o) + 32'(f_bytes);
  end
  `FV_COMB if (f_past_q && rst_ni && valid_o && !empty_o) begin
    if (!f_atomic) begin
      p3_length: assert (f_hdr.len == f_words[9:0] && f_words <= 13'd1024);
      p3_enables: assert (f_hdr.fbe == f_fbe && f_hdr.lbe == f_lbe);
      p3_kind: assert (f_hdr.op == ((Write ? cm_pkg::OpWrite : cm_pkg::OpRead) | f_four));
    end else begin
      p4_atomic: assert (f_hdr.len == (job_o.op == nic_pkg::DmaFetchAdd ? 10'd2 : 10'd4) && first_o && last_o);
      p4_kind: assert (f_hdr.op == ((job_o.op == nic_pkg::DmaFetchAdd ? cm_pkg::OpFetchAdd : cm_pkg::OpCas) | f_four));
    end
    p3_rest: assert ({f_hdr.t9, f_hdr.tc, f_hdr.t8, f_hdr.ido, f_hdr.ln, f_hdr.th, f_hdr.td, f_hdr.ep, f_hdr.ro,
                      f_hdr.ns,
                      f_hdr.at} == '0 && f_hdr.rid == job_o.rid && f_hdr.tag == '0);
    p3_addr: assert (f_hdr.addr == (b_va_q[63:32] != '0 ? {b_va_q[63:2], 2'd0} : {b_va_q[31:2], 34'd0}));
    c_split: cover (!first_o && last_o && ready_i && lead_o == 2'd0 && job_o.va[1:0] == 2'd3);
    c_wide: cover (f_hdr.op[cm_pkg::OpFour] && span_o == 12'd0);
  end
  `FV_COMB if (f_past_q && rst_ni) begin
    if (f_wait_q)
      p5_hold: assert (valid_o && {first_o, last_o, empty_o, lead_o, span_o, hdr_o, job_o.rid, job_o.src, job_o.len,
                                   job_o.op, 32'(job_o.va)} == f_out_q);
    if (ready_i && a_valid_q && a_last) p5_rate: assert (job_ready_o);
    c_empty: cover (valid_o && empty_o);
  end
