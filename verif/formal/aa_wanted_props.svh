// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_wanted, for every request that aa_rx can make and every translation. Combinational: one step.
// Rules of README.md: DEC-12, DEC-13, DEC-19, LOG-2.
  logic f_blocked, f_table, f_mem;
  cm_pkg::tlp_req_t f_out, f_same;  // what leaves; the request with what becomes of its address
  logic [12:0] f_size;
  assign f_mem = is_read || is_write || is_atomic;
  assign f_blocked = !v.fwd && !v.flush;
  assign f_table = f_mem && req_i.bad == aa_pkg::ErrNone && !filtered && res_i.fault == 8'h00 && !res_i.nointr &&
                   !res_i.bypass;
  assign f_size = 13'd16 + (v.entry.data ? (13'(v.entry.len) * 13'd4 + 13'd15) & ~13'd15 : 13'd0);

  assign f_out = v.hdr;
  always_comb begin
    f_same = h;
    f_same.op[cm_pkg::OpFour] = f_out.op[cm_pkg::OpFour];
    f_same.td = 1'b0;
    f_same.addr = f_out.op[cm_pkg::OpFour] ? {v.pa[63:2], ph} : {v.pa[31:2], ph, 32'h0};
  end

  // What aa_rx makes: a kind fits its type and lane, what is refused carries its reason, atomics bring 1 to 8 DW.
  logic f_legal;
  assign f_legal = (np == (is_read || is_atomic) || req_i.bad != aa_pkg::ErrNone) &&
                   (req_i.kind != aa_pkg::ReqRefuse || req_i.bad != aa_pkg::ErrNone) &&
                   req_i.kind <= aa_pkg::ReqRefuse &&
                   (!is_read || !h.op[cm_pkg::OpData]) && (!(is_write || is_atomic) || h.op[cm_pkg::OpData]) &&
                   (!is_atomic || req_i.bad != aa_pkg::ErrNone || len <= 11'd8);

  always_comb if (f_legal) begin
    p1_one: assert (!(v.fwd && v.flush));
    p1_blocked: assert (!f_blocked || v.fault || v.err != aa_pkg::ErrNone || v.ur || v.put || v.denied ||
                        (res_i.fpd && (res_i.fault != '0 || res_i.nointr || f_table)));
    if (v.ur) p2_ur_np: assert (np && f_blocked);
    if (f_blocked && np && f_mem && req_i.bad == aa_pkg::ErrNone) p2_answered: assert (v.ur);
    p3_one: assert (!(v.put && v.get));
    if (v.put || v.get) p3_log: assert (f_table && res_i.e && cam_hit_i && v.log == cam_log_i);
    if (v.get) p3_get: assert (v.fwd && v.entry.data && !is_write);
    if (v.put && is_read) p3_meta: assert (!v.entry.data);
    if (v.put && v.entry.data) p3_put_data: assert (v.beats != '0 && res_i.wld);
    if (v.put || v.get) p3_size: assert (13'd16 + {v.units, 4'd0} == f_size);
    // What the record says, next to its size; an AtomicOp's byte enables are those of whole operands.
    if (v.put || v.get)
      p3_says: assert (v.entry.rid == h.rid && v.entry.tag == {h.t9, h.t8, h.tag} && v.entry.iuid == res_i.iuid &&
                       v.entry.denied == !v.fwd && v.entry.poisoned == (ep && !is_read) &&
                       v.entry.kind == (is_write ? 3'd1 : is_read ? 3'd2 : 3'd3) &&
                       v.entry.addr[63:2] == iova[63:2]);
    if (v.put || v.get)
      p3_bytes: assert (is_atomic ? v.entry.fbe == 4'hF && v.entry.lbe == (v.entry.len == 11'd1 ? 4'h0 : 4'hF) &&
                                    v.entry.addr[1:0] == 2'd0 :
                        v.entry.fbe == fbe && v.entry.lbe == lbe);
    if (v.fwd && f_table) p4_header: assert (f_out.op[cm_pkg::OpFour] == (v.pa[63:32] != '0) &&
                                             v.pa == {16'b0, res_i.pfn, iova[11:2], 2'b00});
    if (v.fwd && f_table) p4_leaves: assert (v.hdr == f_same);
    if (v.fwd && !f_mem) p4_passed: assert (v.hdr == h);
    if (v.fwd && f_mem && !f_table) p4_same: assert (v.hdr == h && res_i.bypass);
    if (v.fwd && f_table) p4_window: assert (v.pa[63:20] != aa_pkg::MsiRange && allowed);
    if (v.fault && res_i.fpd)
      p4_silent: assert (res_i.fault == 8'h01 || (res_i.fault >= 8'h08 && res_i.fault <= 8'h0B));
    c_flush: cover (v.flush);
    c_get: cover (v.get && is_atomic);
    c_put_denied: cover (v.put && v.entry.denied && v.entry.data && is_write);
    c_poison: cover (v.put && v.poisoned);
    c_short: cover (v.fwd && f_table && h.op[cm_pkg::OpFour] && !f_out.op[cm_pkg::OpFour]);
  end
