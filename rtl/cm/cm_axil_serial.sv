// SPDX-License-Identifier: Apache-2.0
// cm_axil_serial: registers over a serial line. Takes requests byte by byte, makes AXI4-Lite accesses, answers.
//
//   request   A5  op  addr[3]  data[0, 4 or 8]  crc        op: 7 write, 6 turn, 5:4 zero, 3:0 bytes: 4 or 8
//   answer    5A  status  data[0, 4 or 8]  crc             numbers: lowest byte first; crc: x^8 + x^2 + x + 1 from 0,
//   without A5, 5A
//
//   status    0 done   1 the bus answered with an error   2 crc   3 no such request (op, alignment, address)
//
// Lost or spoilt bytes: a request that stops for Gap cycles is forgotten; who gets no good answer asks again. `turn`
// changes after each answer with status 0 or 1: a request with op and address of the last one that was done is answered
// again from memory, not done again, so that a write happens once however often its answer is lost. Who gives a
// request up asks for another register before that one again, which would be taken for it.
//
// P1  An access is made once for each new good request, with its address, data and strobes; none otherwise.
// P2  Each whole request gets one answer, after its access; a repeated one the answer of the first.
// P3  The bus: valid until ready, nothing changes meanwhile.
//
// Cost: 290 LUT4, 9 CCU2C, 234 flip-flops, 8 levels (Yosys 0.23, synth_ecp5 -nowidelut -abc9).
`default_nettype none

module cm_axil_serial #(
  parameter int unsigned AddrW = 21,    // up to 24
  parameter int unsigned Gap = 100_000  // cycles
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  // Bytes
  input  wire logic               in_valid_i,
  input  wire logic [7:0]         in_data_i,
  output logic                    out_valid_o,
  input  wire logic               out_ready_i,
  output logic      [7:0]         out_data_o,

  // AXI4-Lite
  output logic                    m_awvalid_o,
  input  wire logic               m_awready_i,
  output logic      [AddrW-1:0]   m_awaddr_o,
  output logic                    m_wvalid_o,
  input  wire logic               m_wready_i,
  output logic      [63:0]        m_wdata_o,
  output logic      [7:0]         m_wstrb_o,
  input  wire logic               m_bvalid_i,
  output logic                    m_bready_o,
  input  wire logic [1:0]         m_bresp_i,
  output logic                    m_arvalid_o,
  input  wire logic               m_arready_i,
  output logic      [AddrW-1:0]   m_araddr_o,
  input  wire logic               m_rvalid_i,
  output logic                    m_rready_o,
  input  wire logic [63:0]        m_rdata_i,
  input  wire logic [1:0]         m_rresp_i
);

  if (AddrW < 4 || AddrW > 24) begin : gen_bad_addr_w $error("cm_axil_serial: AddrW must be 4 to 24"); end
  if (Gap < 2) begin : gen_bad_gap $error("cm_axil_serial: Gap must be 2 or more"); end

  localparam logic [2:0] StStart = 3'd0;   // waits for A5
  localparam logic [2:0] StBody = 3'd1;    // takes op, address, data, crc
  localparam logic [2:0] StJudge = 3'd2;
  localparam logic [2:0] StAccess = 3'd3;
  localparam logic [2:0] StAnswer = 3'd4;
  localparam logic [1:0] StsDone = 2'd0;
  localparam logic [1:0] StsBus = 2'd1;
  localparam logic [1:0] StsCrc = 2'd2;
  localparam logic [1:0] StsRequest = 2'd3;
  localparam int unsigned GapW = $clog2(Gap + 1);

  function automatic logic [7:0] crc8(input logic [7:0] crc, input logic [7:0] data);
    logic [7:0] c;
    c = crc ^ data;
    for (int unsigned i = 0; i < 8; i++) c = c[7] ? {c[6:0], 1'b0} ^ 8'h07 : {c[6:0], 1'b0};
    crc8 = c;
  endfunction

  logic [2:0]      state_q;
  logic [7:0]      op_q, crc_q;
  logic [23:0]     addr_q;
  logic [63:0]     data_q;   // 4 bytes are the upper half
  logic [3:0]      cnt_q;    // bytes of the body, or of the answer, so far
  logic [GapW-1:0] gap_q;
  logic            good_q;   // the crc was
  logic            aw_q, w_q, ar_q;  // still to be taken by the bus

  // The last request that was done, and its answer
  logic            last_q;   // there is one
  logic [7:0]      last_op_q;
  logic [23:0]     last_addr_q;
  logic [1:0]      last_sts_q, sts_q;
  logic [63:0]     last_data_q;

  logic            write, wide, form, repeated, ends, whole, taken;
  logic            rests, goes_on;  // no request, or one that has stopped for too long; in the body of one
  logic [3:0]      body, answer, bytes;
  logic [7:0]      sent;

  assign write    = op_q[7];
  assign wide     = op_q[3:0] == 4'd8;
  assign form     = op_q[5:4] == 2'd0 && (wide || op_q[3:0] == 4'd4);
  assign repeated = last_q && op_q == last_op_q && addr_q == last_addr_q;
  assign body     = 4'd4 + (form && write ? op_q[3:0] : 4'd0);  // bytes before the crc; known once the op is
  assign rests    = state_q == StStart || (state_q == StBody && gap_q == '0);
  assign goes_on  = state_q == StBody && gap_q != '0;
  assign whole    = goes_on && in_valid_i && cnt_q == body && cnt_q != 4'd0;

  // ---- request ----
  always_ff @(posedge clk_i) begin
    if (in_valid_i && goes_on) begin
      crc_q <= crc8(crc_q, in_data_i);
      if (cnt_q == 4'd0) op_q <= in_data_i;
      else if (cnt_q <= 4'd3) addr_q <= {in_data_i, addr_q[23:8]};
      else if (!whole) data_q <= {in_data_i, data_q[63:8]};
      if (whole) good_q <= crc_q == in_data_i;
    end
    if (rests) crc_q <= 8'd0;
    if (state_q == StAnswer && taken && cnt_q != 4'd0) crc_q <= crc8(crc_q, out_data_o);
    if (state_q == StJudge) crc_q <= 8'd0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || in_valid_i || state_q != StBody) gap_q <= GapW'(Gap);
    else gap_q <= gap_q - 1'b1;
  end

  // ---- access ----
  logic bad_addr, ok;
  assign bad_addr = 32'(addr_q) >> AddrW != 32'd0 || addr_q[1:0] != 2'd0 || (wide && addr_q[2]);
  assign ok       = good_q && form && !bad_addr;

  assign m_awvalid_o = aw_q;
  assign m_wvalid_o  = w_q;
  assign m_arvalid_o = ar_q;
  assign m_awaddr_o  = {addr_q[AddrW-1:3], 3'd0};
  assign m_araddr_o  = {addr_q[AddrW-1:3], 3'd0};
  assign m_wdata_o   = wide ? data_q : {data_q[63:32], data_q[63:32]};
  assign m_wstrb_o   = wide ? 8'hFF : addr_q[2] ? 8'hF0 : 8'h0F;
  assign m_bready_o  = state_q == StAccess && write;
  assign m_rready_o  = state_q == StAccess && !write;
  assign ends        = (m_bready_o && m_bvalid_i) || (m_rready_o && m_rvalid_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      aw_q   <= 1'b0;
      w_q    <= 1'b0;
      ar_q   <= 1'b0;
      last_q <= 1'b0;
    end else begin
      if (m_awready_i) aw_q <= 1'b0;
      if (m_wready_i) w_q <= 1'b0;
      if (m_arready_i) ar_q <= 1'b0;
      if (state_q == StJudge && ok && !repeated) begin
        aw_q <= write;
        w_q  <= write;
        ar_q <= !write;
      end
      if (ends) last_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (ends) begin
      last_op_q   <= op_q;
      last_addr_q <= addr_q;
      last_sts_q  <= (write ? m_bresp_i : m_rresp_i) == 2'd0 ? StsDone : StsBus;
      last_data_q <= !wide && addr_q[2] ? {32'd0, m_rdata_i[63:32]} : m_rdata_i;
      sts_q       <= (write ? m_bresp_i : m_rresp_i) == 2'd0 ? StsDone : StsBus;
    end else if (state_q == StJudge) begin
      sts_q <= !good_q ? StsCrc : !ok ? StsRequest : last_sts_q;
    end
  end

  // ---- answer ----
  assign bytes       = !write && sts_q == StsDone ? op_q[3:0] : 4'd0;
  assign answer      = 4'd2 + bytes;  // place of the crc
  assign out_valid_o = state_q == StAnswer;
  assign taken       = out_valid_o && out_ready_i;
  assign out_data_o  = cnt_q == answer ? crc_q : sent;
  always_comb begin
    sent = cnt_q == 4'd0 ? 8'h5A : {6'd0, sts_q};
    for (int unsigned i = 0; i < 8; i++) if (cnt_q == 4'(i + 2)) sent = last_data_q[8*i+:8];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StStart;
      cnt_q   <= 4'd0;
    end else begin
      unique case (state_q)
        StStart, StBody: begin
          cnt_q <= rests ? 4'd0 : cnt_q + 4'(in_valid_i);
          if (rests) state_q <= in_valid_i && in_data_i == 8'hA5 ? StBody : StStart;
          else if (whole) state_q <= StJudge;
        end
        StJudge: begin
          cnt_q   <= 4'd0;
          state_q <= ok && !repeated ? StAccess : StAnswer;
        end
        StAccess: if (ends) state_q <= StAnswer;
        default:
          if (taken) begin
            cnt_q <= cnt_q + 4'd1;
            if (cnt_q == answer) state_q <= StStart;
          end
      endcase
    end
  end

`ifdef FORMAL
`include "cm_axil_serial_props.svh"
`endif

endmodule

`default_nettype wire
