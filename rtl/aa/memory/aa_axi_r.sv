// SPDX-License-Identifier: Apache-2.0
// aa_axi_r: the AXI4 read master. Walkers and the invalidation queue share it; all reads are single beats inside one
// aligned 16-byte chunk.
//
//   walkers (id = walker)  --ar--+                      +--> walkers: r_valid, r_id, r_data (the 16-byte chunk), r_err
//                                +--> AR ... R --> id --+
//   queue   (id = Walkers) --ar--+                      +--> queue
//
// P1  An AR that waits does not change.
// P2  A read comes back to its owner as the aligned 16-byte chunk of its address, with err for an error response.
// P3  Whoever waits is next: the other side gets one AR between at most. Neither direction has a register: one AR and
//     one R a cycle, no cycle added.
//
// A client has at most one read under way for an id, and takes its data when it comes. Cost: the chunk's place for each
// id.
`default_nettype none

module aa_axi_r #(
  parameter int unsigned Walkers = 4,
  parameter int unsigned DataW = cm_pkg::DataW,
  localparam int unsigned IdW = $clog2(Walkers + 1)
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,

  // Walkers
  input  wire logic             w_ar_valid_i,
  output logic                  w_ar_ready_o,
  input  wire logic [63:0]      w_ar_addr_i,
  input  wire logic [IdW-1:0]   w_ar_id_i,    // the walker, below Walkers
  input  wire logic             w_ar_wide_i,  // 16 bytes, else 8
  output logic                  w_r_valid_o,
  output logic      [IdW-1:0]   w_r_id_o,
  output logic      [127:0]     w_r_data_o,   // an 8-byte read is in its own half
  output logic                  w_r_err_o,

  // Queue: 16 bytes
  input  wire logic             q_ar_valid_i,
  output logic                  q_ar_ready_o,
  input  wire logic [63:0]      q_ar_addr_i,
  output logic                  q_r_valid_o,
  output logic      [127:0]     q_r_data_o,
  output logic                  q_r_err_o,

  // AXI4 master
  output logic                  m_arvalid_o,
  input  wire logic             m_arready_i,
  output logic      [IdW-1:0]   m_arid_o,
  output logic      [63:0]      m_araddr_o,
  output logic      [7:0]       m_arlen_o,
  output logic      [2:0]       m_arsize_o,
  output logic      [1:0]       m_arburst_o,
  input  wire logic             m_rvalid_i,
  output logic                  m_rready_o,
  input  wire logic [IdW-1:0]   m_rid_i,
  input  wire logic [DataW-1:0] m_rdata_i,
  input  wire logic [1:0]       m_rresp_i
);

  if (Walkers < 1) begin : gen_bad_walkers $error("aa_axi_r: Walkers must be at least 1"); end
  if (DataW != 128 && DataW != 256 && DataW != 512) begin : gen_bad_data_w
    $error("aa_axi_r: DataW must be 128, 256 or 512");
  end

  localparam int unsigned Chunks = DataW / 128;
  localparam int unsigned PlaceW = Chunks > 1 ? $clog2(Chunks) : 1;
  localparam int unsigned Ids = Walkers + 1;
  localparam logic [IdW-1:0] QueueId = IdW'(Walkers);

  logic queue, last_q, locked_q, lock_queue_q;

  // Turns; what was offered stays.
  assign queue        = locked_q ? lock_queue_q : q_ar_valid_i && (!w_ar_valid_i || !last_q);
  assign m_arvalid_o  = queue ? q_ar_valid_i : w_ar_valid_i;
  assign m_arid_o     = queue ? QueueId : w_ar_id_i;
  assign m_araddr_o   = queue ? q_ar_addr_i : w_ar_addr_i;
  assign m_arsize_o   = queue || w_ar_wide_i ? 3'd4 : 3'd3;
  assign m_arlen_o    = 8'd0;
  assign m_arburst_o  = 2'b01;
  assign w_ar_ready_o = m_arready_i && !queue;
  assign q_ar_ready_o = m_arready_i && queue;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      last_q       <= 1'b0;
      locked_q     <= 1'b0;
      lock_queue_q <= 1'b0;
    end else begin
      locked_q     <= m_arvalid_o && !m_arready_i;
      lock_queue_q <= queue;
      if (m_arvalid_o && m_arready_i) last_q <= queue;
    end
  end

  // Data: the chunk's place in the beat is that of its address.
  logic [PlaceW-1:0] place_q [Ids];
  logic [PlaceW-1:0] place;

  always_ff @(posedge clk_i)
    if (m_arvalid_o && m_arready_i) place_q[m_arid_o] <= PlaceW'((m_araddr_o >> 4) % 64'(Chunks));
  assign place = place_q[m_rid_i];

  logic unused;
  assign unused = ^{place, m_rresp_i[0]};

  if (Chunks == 1) begin : gen_narrow
    assign w_r_data_o = m_rdata_i;
  end else begin : gen_wide
    assign w_r_data_o = m_rdata_i[32'(place) * 128 +: 128];
  end

  assign m_rready_o  = 1'b1;
  assign w_r_valid_o = m_rvalid_i && m_rid_i != QueueId;
  assign w_r_id_o    = m_rid_i;
  assign w_r_err_o   = m_rresp_i[1];
  assign q_r_valid_o = m_rvalid_i && m_rid_i == QueueId;
  assign q_r_data_o  = w_r_data_o;
  assign q_r_err_o   = m_rresp_i[1];

`ifdef FORMAL
`include "aa_axi_r_props.svh"
`endif

endmodule

`default_nettype wire
