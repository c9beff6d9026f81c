// SPDX-License-Identifier: Apache-2.0
// aa_wanted: what is wanted for a translated request: what shall happen to it, by DEC-1 to DEC-10, except DEC-4 (live
// tag) and the resources, which aa_decide settles one cycle later. Combinational.
//
//   req, translation, port filter --> first match --> forward / UR / drop, fault, error, record, header that leaves
//
// P1  Exactly one of: forwarded, held as a flush, blocked. P2  What is blocked and non-posted gets UR unless malformed.
// P3  Never a put and a get record at once; never a record without a log; never data of a denied read.
// P4  A header leaves with a 4 DW address only if it needs one.
// Rules of README.md: DEC-1, DEC-2, DEC-3, DEC-5, DEC-6, DEC-7, DEC-8, DEC-9, DEC-10, DEC-12, DEC-13, DEC-14.
`default_nettype none

module aa_wanted #(
  parameter int unsigned NumPorts = 1
) (
  input  wire logic [3:0]                 lane_i,
  input  wire aa_pkg::req_t               req_i,
  input  wire aa_pkg::xlate_t             res_i,
  input  wire logic [NumPorts*33-1:0]     filter_i,  // {enable, mask, id} a port

  // Access-log table
  input  wire logic                       cam_hit_i,  // for res_i.iuid
  input  wire logic [4:0]                 cam_log_i,
  // Flush pages
  input  wire logic                       page_hit_i,  // for the request's page and res_i.iuid

  output logic      [63:0]                iova_o,
  output aa_pkg::wanted_t                wanted_o
);

  aa_pkg::wanted_t v;

  // ---- the header's fields ----
  cm_pkg::tlp_req_t h, out;
  logic         np, zero, ep;
  logic [10:0]  len;
  logic [3:0]   fbe, lbe;
  logic [1:0]   first;
  logic [63:0]  iova, pa;
  logic [1:0]   ph;
  logic [10:0]  operand;
  logic [8:0]   units, operand_units;  // of 16 bytes of data

  assign h = req_i.hdr;
  assign np = lane_i[0];
  assign ep = h.ep;
  assign len = h.len == '0 ? 11'd1024 : {1'b0, h.len};
  assign lbe = h.lbe;
  assign fbe = h.fbe;
  assign zero = len == 11'd1 && fbe == 4'h0;
  assign {iova[63:2], ph} = cm_pkg::tlp_addr(h);
  assign iova[1:0] = 2'b00;
  assign operand = h.op[1] ? {1'b0, len[10:1]} : len;  // CAS brings two operands
  assign units = len[10:2] + 9'(|len[1:0]);
  assign operand_units = operand[10:2] + 9'(|operand[1:0]);
  assign iova_o = iova;

  always_comb begin
    unique casez (fbe)
      4'b???1: first = 2'd0;
      4'b??10: first = 2'd1;
      4'b?100: first = 2'd2;
      4'b1000: first = 2'd3;
      default: first = 2'd0;
    endcase
  end

  // Bytes that a first completion announces.
  logic [12:0] count;
  logic [2:0]  lead, trail;
  always_comb begin
    lead = {1'b0, first};
    unique casez (len == 11'd1 ? fbe : lbe)
      4'b1???: trail = 3'd0;
      4'b01??: trail = 3'd1;
      4'b001?: trail = 3'd2;
      4'b0001: trail = 3'd3;
      default: trail = 3'd3;  // no byte enabled counts as one byte
    endcase
    count = req_i.kind == aa_pkg::ReqAtomic ? {operand, 2'b00} : {len, 2'b00} - 13'(lead) - 13'(trail);
  end

  // ---- port filter ----
  logic filtered;
  always_comb begin
    filtered = 1'b0;
    for (int unsigned p = 0; p < NumPorts; p++) begin
      if (lane_i[3:1] == 3'(p)) begin
        filtered = filter_i[33*p+32] && |((filter_i[33*p+:16] ^ h.rid) & filter_i[33*p+16+:16]);
      end
    end
  end

  // ---- the table ----
  logic allowed, log, stock_log, stock_fault, data_put, data_get, is_read, is_atomic, is_write;
  logic [7:0] stock_code;

  aa_leaf_bits u_leaf_bits (
    .kind_i(req_i.kind),
    .zero_i(zero),
    .poisoned_i(ep && req_i.kind != aa_pkg::ReqRead),
    .bypass_i(res_i.bypass),
    .r_i(res_i.r),
    .w_i(res_i.w),
    .wl_i(res_i.wl),
    .wld_i(res_i.wld),
    .rl_i(res_i.rl),
    .rld_i(res_i.rld),
    .e_i(res_i.e),
    .allowed_o(allowed),
    .log_o(log),
    .stock_log_o(stock_log),
    .stock_fault_o(stock_fault),
    .stock_code_o(stock_code),
    .data_put_o(data_put),
    .data_get_o(data_get)
  );

  assign is_read = req_i.kind == aa_pkg::ReqRead;
  assign is_write = req_i.kind == aa_pkg::ReqWrite;
  assign is_atomic = req_i.kind == aa_pkg::ReqAtomic;

  logic to_intr, poisoned;
  // By itself, since Yosys 0.23 takes other bits of a member whose range does not end at 0.
  logic [aa_pkg::HostAddrW-1:12] pfn;
  assign pfn = res_i.pfn;
  assign to_intr = pfn[aa_pkg::HostAddrW-1:20] == (aa_pkg::HostAddrW - 20)'(aa_pkg::MsiRange);
  assign poisoned = ep && (is_write || is_atomic);

  always_comb begin
    v = '0;
    v.np = np;
    v.tag = is_read || is_atomic;
    v.read = is_read;
    v.start = is_atomic ? 12'd0 : {iova[11:2], first};
    v.count = count;
    v.log = cam_log_i;
    if (h.op[cm_pkg::OpData] && req_i.bad == aa_pkg::ErrNone) begin
      v.beats = 9'((len + 11'(cm_pkg::BeatDw - 1)) / 11'(cm_pkg::BeatDw));
    end

    if (req_i.bad != aa_pkg::ErrNone) begin  // 2; kind ReqRefuse always has a reason
      v.pre = 1'b1;
      v.err = req_i.bad;
      v.ur = np && (req_i.bad == aa_pkg::ErrAtomic || req_i.bad == aa_pkg::ErrType);
    end else if (req_i.kind == aa_pkg::ReqPass) begin  // 1
      v.pre = 1'b1;
      v.fwd = 1'b1;
    end else if (filtered) begin  // 3
      v.pre = 1'b1;
      v.err = aa_pkg::ErrPortId;
      v.ur = np;
    end else if (res_i.fault != aa_pkg::FltNone) begin  // 5
      v.fault = 1'b1;
      v.reason = res_i.fault;
      v.ur = np;
    end else if (res_i.nointr) begin  // 6
      v.fault = 1'b1;
      v.reason = aa_pkg::FltNoIntr;
      v.ur = np;
    end else if (poisoned) begin  // 7
      v.poisoned = 1'b1;
      v.err = aa_pkg::ErrPoison;
      v.put = log && cam_hit_i;
      v.ur = np;
    end else if (res_i.bypass) begin  // 8
      v.fwd = 1'b1;
    end else if (is_read && allowed && res_i.e && page_hit_i) begin  // 9
      v.flush = cam_hit_i && len <= 11'd4;
      v.ur = !v.flush;
      if (len > 11'd4) v.err = aa_pkg::ErrFlushLen;
      else if (!cam_hit_i) v.err = aa_pkg::ErrNoLog;
    end else begin  // 10
      v.fwd = allowed && !to_intr;
      v.ur = np && !v.fwd;
      v.denied = !allowed;
      if (allowed && to_intr) begin
        v.fault = 1'b1;
        v.reason = aa_pkg::FltToIntr;
      end else begin
        v.fault = stock_log || stock_fault;
        v.reason = stock_code;
        if (log && !cam_hit_i) v.err = aa_pkg::ErrNoLog;
        v.get = log && cam_hit_i && data_get;
        v.put = log && cam_hit_i && !data_get;
      end
    end

    if (res_i.fpd && !aa_pkg::unqualified(res_i.fault)) v.fault = 1'b0;

    // ---- the record ----
    v.entry.rid = h.rid;
    v.entry.tag = {h.t9, h.t8, h.tag};
    // The byte enables of an AtomicOp are reserved: a record shows whole operands.
    v.entry.fbe = is_atomic ? 4'hF : fbe;
    v.entry.lbe = !is_atomic ? lbe : (data_get ? operand : len) == 11'd1 ? 4'h0 : 4'hF;
    v.entry.data = (data_put && !v.poisoned) || data_get;
    v.entry.len = data_get && is_atomic ? operand : len;
    v.entry.poisoned = v.poisoned;
    v.entry.denied = !v.fwd;
    v.entry.kind = is_write ? aa_pkg::KindPut : is_read ? aa_pkg::KindGet : aa_pkg::KindAtomic;
    // Errors quote it too, and who neither records nor errs does not care: of those that do, only the poisoned have
    // none.
    v.entry.iuid = poisoned && !log ? 10'd0 : res_i.iuid;
    v.entry.addr = {iova[63:2], is_atomic ? 2'b00 : first};
    v.units = !v.entry.data ? 9'd0 : data_get && is_atomic ? operand_units : units;

    // ---- the header that leaves ----
    pa = {{(64 - aa_pkg::HostAddrW) {1'b0}}, res_i.pfn, iova[11:2], 2'b00};
    out = h;
    if (!res_i.bypass && req_i.kind != aa_pkg::ReqPass) begin
      v.pa = pa;
      out.op[cm_pkg::OpFour] = |pa[63:32];
      out.addr = |pa[63:32] ? {pa[63:2], ph} : {pa[31:2], ph, 32'h0};
      out.td = 1'b0;  // the digest of the old header would not fit the new one
    end else if (req_i.kind != aa_pkg::ReqPass) begin
      v.pa = iova;
    end
    v.hdr = out;
  end

  assign wanted_o = v;

`ifdef FORMAL
`include "aa_wanted_props.svh"
`endif

endmodule

`default_nettype wire
