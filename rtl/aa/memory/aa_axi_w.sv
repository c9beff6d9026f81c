// SPDX-License-Identifier: Apache-2.0
// aa_axi_w: the write side of the AXI4 master, shared by three sources. AXI id = number of the source.
//
//   0 aa_log_put -+
//   1 aa_log_get -+--> one burst at a time, round robin --> | aw reg | | w reg | --> AW, W
//   2 small     --+                                          B --> by id --> source, axi_err
//
// P1  Bursts leave whole: the beats of one source between its aw and its last beat, in the order of AW.
// P2  aw and w never change while they wait; w is offered with or after its aw.
// P3  Fair: a source that asks gets the next burst but N-1 at the latest. But `small` comes often (a pointer after each
//     entry) and takes a beat each time: while others ask, 32 cycles lie between two of its bursts.
// P4  A response goes to the source whose id it bears, when b_ready_i takes it.
// P5  m_aw_owner_o, beside AW, is what the source said of this burst.
//
// A source holds its aw (addr, len) and w until taken; w is taken with its aw or later. Rate: a beat a cycle, bursts of
// one beat included. Latency 1. Cost: one register for AW and one for W.
`default_nettype none

module aa_axi_w #(
  localparam int unsigned N = 3
) (
  input  wire logic                             clk_i,
  input  wire logic                             rst_ni,

  // Sources
  input  wire logic [N-1:0]                     aw_valid_i,
  output logic      [N-1:0]                     aw_ready_o,
  input  wire logic [N*64-1:0]                  aw_addr_i,
  input  wire logic [N*8-1:0]                   aw_len_i,
  input  wire logic [N*aa_pkg::OwnerW-1:0]      aw_owner_i,
  input  wire logic [N-1:0]                     w_valid_i,
  output logic      [N-1:0]                     w_ready_o,
  input  wire logic [N*cm_pkg::DataW-1:0]       w_data_i,
  input  wire logic [N*(cm_pkg::DataW/8)-1:0]   w_strb_i,
  input  wire logic [N-1:0]                     w_last_i,
  output logic      [N-1:0]                     b_valid_o,
  output logic                                  b_err_o,

  // AXI4 master, write channels (size: the bus, burst: INCR)
  output logic                                  m_aw_valid_o,
  input  wire logic                             m_aw_ready_i,
  output logic      [7:0]                       m_aw_id_o,
  output logic      [63:0]                      m_aw_addr_o,
  output logic      [7:0]                       m_aw_len_o,
  output logic      [aa_pkg::OwnerW-1:0]        m_aw_owner_o,
  output logic                                  m_w_valid_o,
  input  wire logic                             m_w_ready_i,
  output logic      [cm_pkg::DataW-1:0]         m_w_data_o,
  output logic      [cm_pkg::DataW/8-1:0]       m_w_strb_o,
  output logic                                  m_w_last_o,
  input  wire logic                             m_b_valid_i,
  output logic                                  m_b_ready_o,
  input  wire logic [7:0]                       m_b_id_i,
  input  wire logic [1:0]                       m_b_resp_i,

  // Responses are taken (not while aa_axi_err records an error)
  input  wire logic                             b_ready_i
);

  localparam int unsigned DataW = cm_pkg::DataW;
  localparam int unsigned StrbW = DataW / 8;

  logic               aw_valid_q, w_valid_q, w_last_q, busy_q;
  logic [1:0]         aw_id_q, arb_idx;
  logic [63:0]        aw_addr_q;
  logic [7:0]         aw_len_q;
  logic [aa_pkg::OwnerW-1:0] aw_owner_q;
  logic [DataW-1:0]   w_data_q;
  logic [StrbW-1:0]   w_strb_q;
  logic [N-1:0]       own_q;   // the source of the burst under way, if busy_q
  logic [N-1:0]       arb_gnt, sel, ask, ends;
  logic [5:0]         rest_q;  // cycles since the last small burst, up to 32
  logic               arb_valid, aw_room, w_room, aw_fire, w_fire, own_ends, new_ends;

  cm_rr_arb #(
    .N(N)
  ) u_arb (
    .clk_i,
    .rst_ni,
    .req_i(busy_q ? '0 : ask),
    .advance_i(aw_fire),
    .valid_o(arb_valid),
    .gnt_o(arb_gnt),
    .idx_o(arb_idx)
  );

  assign ask     = {aw_valid_i[N-1] && (rest_q[5] || aw_valid_i[N-2:0] == '0), aw_valid_i[N-2:0]};
  assign sel     = own_q | arb_gnt;  // own_q is empty while the arbiter grants
  assign aw_room = !aw_valid_q || m_aw_ready_i;
  assign w_room  = !w_valid_q || m_w_ready_i;
  assign aw_fire = arb_valid && aw_room;

  // ---- pick one source ------------------------------------------------------------------------------------------
  logic [63:0]      aw_addr;
  logic [7:0]       aw_len;
  logic [aa_pkg::OwnerW-1:0] aw_owner;
  logic [DataW-1:0] w_data;
  logic [StrbW-1:0] w_strb;

  always_comb begin
    aw_addr = '0;
    aw_len  = '0;
    aw_owner = '0;
    w_data  = '0;
    w_strb  = '0;
    for (int unsigned s = 0; s < N; s++) begin
      if (arb_gnt[s]) begin
        aw_addr = aw_addr | aw_addr_i[64*s+:64];
        aw_len  = aw_len | aw_len_i[8*s+:8];
        aw_owner = aw_owner | aw_owner_i[aa_pkg::OwnerW*s+:aa_pkg::OwnerW];
      end
      if (sel[s]) begin
        w_data  = w_data | w_data_i[DataW*s+:DataW];
        w_strb  = w_strb | w_strb_i[StrbW*s+:StrbW];
      end
    end
  end

  // The grant is late: what would follow from each source is known before, and the grant chooses. A register with room
  // may be written at any time, so only its valid waits for the grant.
  assign ends       = w_valid_i & w_last_i;
  assign own_ends   = w_room && |(own_q & ends);
  assign new_ends   = |(arb_gnt & ends & {N{w_room}});
  assign w_fire     = w_room && (|(own_q & w_valid_i) || |(arb_gnt & w_valid_i & {N{aw_room}}));
  assign aw_ready_o = aw_room ? arb_gnt : '0;
  assign w_ready_o  = w_room ? own_q | (aw_room ? arb_gnt : '0) : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      aw_valid_q <= 1'b0;
      w_valid_q  <= 1'b0;
      busy_q     <= 1'b0;
      own_q      <= '0;
      rest_q     <= 6'd32;
    end else begin
      if (aw_fire && arb_gnt[N-1]) rest_q <= '0;
      else if (!rest_q[5]) rest_q <= rest_q + 6'd1;
      if (aw_room) aw_valid_q <= arb_valid;
      if (w_room) w_valid_q <= w_fire;
      busy_q <= busy_q ? !own_ends : aw_fire && !new_ends;
      for (int unsigned s = 0; s < N; s++) begin
        own_q[s] <= busy_q ? own_q[s] && !own_ends : arb_gnt[s] && aw_room && !(w_room && ends[s]);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (aw_room) begin
      aw_id_q   <= arb_idx;
      aw_addr_q <= aw_addr;
      aw_len_q  <= aw_len;
      aw_owner_q <= aw_owner;
    end
    if (w_room) begin
      w_data_q <= w_data;
      w_strb_q <= w_strb;
      w_last_q <= |(w_last_i & sel);
    end
  end

  assign m_aw_valid_o = aw_valid_q;
  assign m_aw_id_o    = 8'(aw_id_q);
  assign m_aw_addr_o  = aw_addr_q;
  assign m_aw_len_o   = aw_len_q;
  assign m_aw_owner_o = aw_owner_q;
  assign m_w_valid_o  = w_valid_q;
  assign m_w_data_o   = w_data_q;
  assign m_w_strb_o   = w_strb_q;
  assign m_w_last_o   = w_last_q;

  // ---- responses ------------------------------------------------------------------------------------------------
  assign m_b_ready_o     = b_ready_i;
  logic unused_resp;  // EXOKAY is as good as OKAY
  assign unused_resp     = m_b_resp_i[0];
  assign b_err_o         = m_b_resp_i[1];
  always_comb for (int unsigned s = 0; s < N; s++) b_valid_o[s] = m_b_valid_i && b_ready_i && m_b_id_i == 8'(s);

`ifdef FORMAL
`include "aa_axi_w_props.svh"
`endif

endmodule

`default_nettype wire
