// SPDX-License-Identifier: Apache-2.0
// nic_event: the event rings of the processes: places, the events themselves, and their MSIs.
//
//   events [Sources] --> round robin --> | event | --> judge ---> | write | --> job, pay (nic_wr)
//   rings that want an MSI ------------------^          |  RetEvent
//   places: rsv, back ----------------------> nic_ring [NumProcs] <---- registers
//
// P1  Of the events of a source none is lost, doubled or overtaken by a later one: each makes one RetEvent, in order.
//     One of kind 0 is none: it gives back the place that its source has reserved.
// P2  An event is written at EQ_BASE + 32 * (producer mod 2^SIZE), laid out as README.md says, and the producer moves
//     in the cycle of its RetEvent; or it is dropped (flag): one that was reserved when the ring is off or full,
//     another when no place is left that nobody has reserved.
// P3  rsv_ok_o: the place that rsv_valid_i asks for is there, and taken in that cycle; 2 comes first, then an event
//     that has no place, then 0, then 1. While such an event is judged, and all of the write before has been taken, 0
//     asks for none (rsv_wait_o, env_wait) and 1, which asks again, is refused one. Places that are not used are given
//     back, and free two cycles later; what a register makes free is there two cycles later, too. Places and events
//     together never exceed the ring (nic_ring P1, P2).
// P4  A ring that is on, armed, not consumed and has an MSI address sends it once, and is then not armed: RetEvent with
//     code 0. What had to be written before is on its way to nic_wr before.
// P5  A job and its bytes do not change while they wait.
// P6  Registers are acted upon at once, in the order of the retire records: nothing holds them up. What is read has
//     been addressed in the cycle before; what is written is on the bus in the two cycles before, and the last of them
//     is no write (env_setup, env_held). No event's fate is decided in the cycle of a write, nor in the next one if it
//     is of its ring's EQ_CONS, or of EQ_CTL while the ring is off or as it is turned off.
//
// An event takes 3 cycles and the beats of 32 bytes, one that comes alone a cycle more; the next one is picked
// meanwhile, so that they are decided a cycle and their beats apart. A place takes no cycle. Cost: NumProcs x (190
// flip-flops + 152 bits of LUT RAM, two readers), about 850 flip-flops.
// One file: P2 and P3 tie a place that is taken to the event that uses it; what is of one ring alone is nic_ring.
// Rules of README.md: EVT-1, EVT-2, EVT-4, EVT-5, QPR-7, QPR-8, TIM-5.
`default_nettype none

module nic_event #(
  parameter int unsigned NumProcs = 4,
  parameter int unsigned Sources = 4
) (
  input  wire logic                                 clk_i,
  input  wire logic                                 rst_ni,
  input  wire logic [15:0]                          cfg_rid_i,

  // Register bus
  input  wire cm_pkg::reg_bus_t                     rb_i,
  output logic      [63:0]                          rb_rdata_o,

  // Places: 0 responder, 1 requester, 2 tasks
  input  wire logic [2:0]                           rsv_valid_i,
  input  wire logic [3*nic_pkg::ProcW-1:0]          rsv_proc_i,
  output logic      [2:0]                           rsv_ok_o,
  output logic                                      rsv_wait_o,   // the responder asks for none of its process now
  input  wire logic [2:0]                           back_valid_i,
  input  wire logic [3*nic_pkg::ProcW-1:0]          back_proc_i,
  input  wire logic [3*6-1:0]                       back_num_i,

  // Events
  input  wire logic [Sources-1:0]                   ev_valid_i,
  output logic      [Sources-1:0]                   ev_ready_o,
  input  wire logic [Sources*nic_pkg::EventW-1:0]   ev_i,

  // Writes
  output logic                                      job_valid_o,
  input  wire logic                                 job_ready_i,
  output nic_pkg::dma_t                             job_o,
  output logic                                      pay_valid_o,
  input  wire logic                                 pay_ready_i,
  output nic_pkg::bytes_t                           pay_o,

  output logic                                      ret_valid_o,
  output nic_pkg::retire_t                          ret_o
);

  if (NumProcs < 1 || NumProcs > nic_reg_pkg::RegEQ_BASENum) begin : gen_bad_num_procs
    $error("nic_event: NumProcs must be 1 to 16");
  end
  if (Sources < 1) begin : gen_bad_sources $error("nic_event: Sources must be at least 1"); end

  localparam int unsigned ProcW = nic_pkg::ProcW;
  localparam int unsigned EventW = nic_pkg::EventW;
  localparam int unsigned IdxW = NumProcs > 1 ? $clog2(NumProcs) : 1;
  localparam int unsigned PayW = nic_pkg::DataW < 256 ? nic_pkg::DataW : 256;
  localparam int unsigned Beats = 256 / PayW;

  // An event, or an MSI, waits to be decided: until all of the write before has been taken.
  logic                judge_q, job_q, pay_q, room_q;
  logic                msi_q;
  nic_pkg::event_t     ev_q, ev_pick;
  logic                decide, give, drop, phase, held;  // held: by the write of a register
  // Whose event is judged, one bit a process; it has no place; and could be written now, so it goes first.
  logic [NumProcs-1:0] its_q, first_q;
  logic                bare_q;

  // ---- registers ----
  logic        mine, mine_q, we, is_base_q, is_ctl_q, is_cons_q, is_sts_q, is_msia_q, is_msid_q;
  logic [3:0]  rb_proc, bus_proc_q;
  assign rb_proc = nic_reg_pkg::idx_EQ_BASE(rb_i.addr);
  // its page, whatever the word
  assign mine    = rb_i.addr[16:8] == 9'(nic_reg_pkg::RegEQ_BASE >> 11) && 32'(rb_proc) < NumProcs;
  // The address is decoded a cycle before.
  always_ff @(posedge clk_i) begin
    mine_q     <= mine;
    bus_proc_q <= rb_proc;
    is_base_q  <= mine && nic_reg_pkg::at_EQ_BASE(rb_i.addr);
    is_ctl_q   <= mine && nic_reg_pkg::at_EQ_CTL(rb_i.addr);
    is_cons_q  <= mine && nic_reg_pkg::at_EQ_CONS(rb_i.addr);
    is_sts_q   <= mine && nic_reg_pkg::at_EQ_STS(rb_i.addr);
    is_msia_q  <= mine && nic_reg_pkg::at_EQ_MSIA(rb_i.addr);
    is_msid_q  <= mine && nic_reg_pkg::at_EQ_MSID(rb_i.addr);
  end
  assign we = rb_i.we && mine_q;

  // What is kept in RAM: place of the ring, MSI.
  typedef struct packed {
    logic [63:6] base;
    logic [63:2] msia;
    logic [31:0] msid;
  } row_t;
  localparam int unsigned RowW = 58 + 62 + 32;
  logic [RowW-1:0]     row_q [NumProcs];
  logic [NumProcs-1:0] known_q, msi_on_q;  // known: written once, so that row_q means something
  logic                known;
  row_t                row, row_d, sel;

  // ---- the rings ----
  logic [NumProcs-1:0]    en, full, moved, ringing, lost, bad, want;
  logic [5*NumProcs-1:0]  size;
  logic [32*NumProcs-1:0] prod, cons;
  logic [2*NumProcs-1:0]  spare;
  logic [8*NumProcs-1:0]  back_q;
  logic [NumProcs-1:0]    free_q;  // the place of an event that was not written
  logic                   start, stop, rb_en;
  logic [4:0]             rb_size;
  logic [31:0]            rb_prod, rb_cons;
  logic                   rb_lost, rb_bad;
  logic [63:0]            old, next_q;

  always_comb begin
    rb_en   = 1'b0;
    rb_size = '0;
    rb_prod = '0;
    rb_cons = '0;
    rb_lost = 1'b0;
    rb_bad  = 1'b0;
    known   = 1'b0;
    for (int unsigned p = 0; p < NumProcs; p++) begin
      if (bus_proc_q == 4'(p)) begin
        rb_en   = en[p];
        rb_size = size[5*p+:5];
        rb_prod = prod[32*p+:32];
        rb_cons = cons[32*p+:32];
        rb_lost = lost[p];
        rb_bad  = bad[p];
        known   = known_q[p];
      end
    end
  end

  assign row = known ? row_q[bus_proc_q[IdxW-1:0]] : '0;
  // The word as each register has it: as it is, and what would be written to it.
  nic_reg_pkg::eq_base_t at_base, to_base;
  nic_reg_pkg::eq_ctl_t  at_ctl, to_ctl;
  nic_reg_pkg::eq_cons_t at_cons, to_cons;
  nic_reg_pkg::eq_sts_t  at_sts, to_sts;
  nic_reg_pkg::eq_msia_t at_msia, to_msia;
  nic_reg_pkg::eq_msid_t at_msid, to_msid;
  always_comb begin
    {at_base, at_ctl, at_cons, at_sts, at_msia, at_msid} = '0;
    at_base.ADDR = row.base;
    at_ctl.EN    = rb_en;
    at_ctl.SIZE  = rb_size;
    at_cons.CONS = rb_cons;
    at_sts.BAD   = rb_bad;
    at_sts.LOST  = rb_lost;
    at_sts.PROD  = rb_prod;
    at_msia.ADDR = row.msia;
    at_msid.DATA = row.msid;
  end
  assign old = ({64{is_base_q}} & at_base) | ({64{is_ctl_q}} & at_ctl) | ({64{is_cons_q}} & at_cons) |
               ({64{is_sts_q}} & at_sts) | ({64{is_msia_q}} & at_msia) | ({64{is_msid_q}} & at_msid);
  assign rb_rdata_o = old;
  // Of what is on the bus still when it is written: what that makes of the word, and whether the ring is on.
  logic bus_en_q;
  always_ff @(posedge clk_i) begin
    next_q   <= cm_pkg::merge(rb_i.wstrb, rb_i.wdata, old);
    bus_en_q <= rb_en;
  end
  assign to_base    = next_q;
  assign to_ctl     = next_q;
  assign to_cons    = next_q;
  assign to_sts     = rb_i.wdata;  // by its strobe
  assign to_msia    = next_q;
  assign to_msid    = next_q;
  always_comb begin
    row_d = row;
    if (is_base_q && !bus_en_q) row_d.base = to_base.ADDR;
    if (is_msia_q) row_d.msia = to_msia.ADDR;
    if (is_msid_q) row_d.msid = to_msid.DATA;
  end
  assign start = rb_i.we && is_ctl_q && !bus_en_q && to_ctl.EN;
  assign stop  = rb_i.we && is_ctl_q && bus_en_q && !to_ctl.EN;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      known_q  <= '0;
      msi_on_q <= '0;
    end else begin
      for (int unsigned p = 0; p < NumProcs; p++) begin
        if (we && bus_proc_q == 4'(p)) known_q[p] <= 1'b1;
        if (we && bus_proc_q == 4'(p)) msi_on_q[p] <= row_d.msia != '0;
      end
    end
  end
  always_ff @(posedge clk_i) if (we) row_q[bus_proc_q[IdxW-1:0]] <= row_d;

  for (genvar p = 0; p < NumProcs; p++) begin : gen_ring
    logic [1:0] take, wants;
    logic [7:0] back;
    logic [2:0] asks, gives;
    logic       here, own;
    for (genvar k = 0; k < 3; k++) begin : gen_port
      assign asks[k]  = rsv_valid_i[k] && rsv_proc_i[ProcW*k+:ProcW] == ProcW'(p) && !(k != 2 && first_q[p]);
      assign gives[k] = back_valid_i[k] && back_proc_i[ProcW*k+:ProcW] == ProcW'(p);
    end
    // An event that has no place takes one as it is decided, if no task does; nobody else asks then.
    assign own   = first_q[p] && !held && !moved[p];
    // As many as there are, whosever they are.
    assign wants = 2'(asks[0]) + 2'(asks[1]) + 2'(asks[2] || own);
    assign take  = wants > spare[2*p+:2] ? spare[2*p+:2] : wants;
    assign back = (gives[0] ? 8'(back_num_i[5:0]) : 8'd0) + (gives[1] ? 8'(back_num_i[11:6]) : 8'd0) +
                  (gives[2] ? 8'(back_num_i[17:12]) : 8'd0);
    always_ff @(posedge clk_i) back_q[8*p+:8] <= rst_ni ? back : 8'd0;
    assign here = bus_proc_q == 4'(p);

    nic_ring u_ring (
      .clk_i,
      .rst_ni,
      .start_i(start && here),
      .stop_i(stop && here),
      .size_we_i(rb_i.we && is_ctl_q && here && !bus_en_q),
      .size_i(to_ctl.SIZE),
      .cons_we_i(rb_i.we && is_cons_q && here && rb_i.wstrb[3:0] != '0),
      .cons_i(to_cons.CONS),
      .lost_clr_i(rb_i.we && is_sts_q && here && rb_i.wstrb[4] && to_sts.LOST),
      .bad_clr_i(rb_i.we && is_sts_q && here && rb_i.wstrb[4] && to_sts.BAD),
      .take_i(take),
      .back_i(back_q[8*p+:8]),
      .free_i(free_q[p]),
      .event_i(decide && !msi_q && !give && its_q[p]),
      .drop_i(drop),
      .msi_i(decide && msi_q && its_q[p]),
      .en_o(en[p]),
      .size_o(size[5*p+:5]),
      .prod_o(prod[32*p+:32]),
      .cons_o(cons[32*p+:32]),
      .spare_o(spare[2*p+:2]),
      .full_o(full[p]),
      .moved_o(moved[p]),
      .ring_o(ringing[p]),
      .lost_o(lost[p]),
      .bad_o(bad[p])
    );
    assign want[p] = ringing[p] && msi_on_q[p];
  end

  // ---- places ----
  // Tasks come first, whose asks are known early, then the responder.
  always_comb begin
    rsv_ok_o = '0;
    for (int unsigned p = 0; p < NumProcs; p++) begin
      for (int unsigned k = 0; k < 3; k++) begin
        if (rsv_proc_i[ProcW*k+:ProcW] == ProcW'(p) && !(k != 2 && first_q[p]))
          rsv_ok_o[k] = spare[2*p+:2] > 2'(k != 2 && rsv_valid_i[2] && rsv_proc_i[2*ProcW+:ProcW] == ProcW'(p)) +
                                        2'(k == 1 && rsv_valid_i[0] && rsv_proc_i[0+:ProcW] == ProcW'(p));
      end
    end
  end

  // ---- pick: MSIs before events ----
  logic               any, pick, pick_msi, turn, bare;
  logic [Sources-1:0] gnt, gnt_q;
  logic [ProcW-1:0]   msi_proc;
  logic [EventW-1:0]  ev_bits;

  // Whose turn it is is known a cycle before, while another event is judged or written; not that of the one whose event
  // goes, since nobody knows yet whether another follows.
  cm_rr_arb #(
    .N(Sources)
  ) u_arb (
    .clk_i,
    .rst_ni,
    .req_i(ev_valid_i & ~gnt_q),
    .advance_i(turn),
    .valid_o(),
    .gnt_o(gnt),
    .idx_o()
  );
  assign turn = gnt_q == '0 || (pick && !pick_msi);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) gnt_q <= '0;
    else if (turn) gnt_q <= gnt;
  end

  assign any        = (gnt_q & ev_valid_i) != '0;
  assign pick       = !judge_q && (any || pick_msi);
  assign pick_msi   = want_q != '0;
  assign ev_ready_o = pick && !pick_msi ? gnt_q : '0;
  always_comb begin
    ev_pick = ev_bits;
    if (pick_msi) ev_pick.proc = msi_proc;
  end
  assign bare = !pick_msi && !ev_pick.kept && ev_pick.kind != 8'd0;

  // A cycle old, for timing; the judge looks again.
  logic [NumProcs-1:0] want_q;
  always_ff @(posedge clk_i) want_q <= rst_ni && !(decide && msi_q) && !(pick && pick_msi) ? want : '0;

  always_comb begin
    ev_bits  = '0;
    msi_proc = '0;
    for (int unsigned k = 0; k < Sources; k++) if (gnt_q[k]) ev_bits = ev_bits | ev_i[EventW*k+:EventW];
    for (int unsigned p = 0; p < NumProcs; p++) if (want_q[NumProcs-1-p]) msi_proc = ProcW'(NumProcs - 1 - p);
  end

  // ---- judge ----
  logic        p_en, p_full, p_moved, p_spare, p_rsv, p_want, p_known;
  logic [4:0]  p_size;
  logic [31:0] p_prod;
  always_comb begin
    p_en    = 1'b0;
    p_full  = 1'b1;
    p_moved = 1'b0;
    p_spare = 1'b0;
    p_want  = 1'b0;
    p_known = 1'b0;
    p_size  = '0;
    p_prod  = '0;
    for (int unsigned p = 0; p < NumProcs; p++) begin
      if (its_q[p]) begin
        p_en    = en[p];
        p_full  = full[p];
        p_moved = moved[p];
        p_spare = spare[2*p+:2] != 2'd0;
        p_want  = want[p];
        p_known = known_q[p];
        p_size  = size[5*p+:5];
        p_prod  = prod[32*p+:32];
      end
    end
  end
  always_comb begin
    p_rsv = 1'b0;
    for (int unsigned p = 0; p < NumProcs; p++)
      if (its_q[p] && rsv_valid_i[2] && rsv_proc_i[2*ProcW+:ProcW] == ProcW'(p)) p_rsv = 1'b1;
  end
  assign sel    = p_known ? row_q[ev_q.proc[IdxW-1:0]] : '0;
  // Full is looked at for all: who gives back more than it took cannot overwrite an event.
  assign drop   = !p_en || p_full || (!ev_q.kept && !p_spare);
  assign phase  = !p_prod[p_size];
  // An event that has no place, and could be written now, goes before the responder and the requester, whose asks are
  // known late, and behind a task that asks for one and would be refused: it waits for what that leaves. One that asks
  // in vain, or an event that has its place, waits for nobody: a full ring is asked in every cycle until such events
  // have been written.
  always_comb begin
    rsv_wait_o = 1'b0;
    for (int unsigned p = 0; p < NumProcs; p++)
      if (first_q[p] && rsv_proc_i[0+:ProcW] == ProcW'(p)) rsv_wait_o = 1'b1;
  end
  assign held   = rb_i.we && mine_q;
  assign decide = judge_q && room_q && !held && !p_moved && (msi_q ? p_want : !bare_q || !p_spare || !p_rsv);

  assign give = decide && !msi_q && ev_q.kind == 8'd0;
  always_ff @(posedge clk_i) begin
    for (int unsigned p = 0; p < NumProcs; p++)
      free_q[p] <= rst_ni && its_q[p] && (give || (decide && !msi_q && drop && (ev_q.kept || p_spare)));
  end

  assign ret_valid_o = decide && !give;
  always_comb begin
    ret_o      = '0;
    ret_o.kind = nic_pkg::RetEvent;
    ret_o.flag = !msi_q && drop;
    ret_o.code = msi_q ? 4'd0 : ev_q.kind[3:0];
    ret_o.idx  = 8'(ev_q.proc);
    ret_o.a    = {32'd0, p_prod};
    if (!msi_q) ret_o.b = ev_q.kind == nic_pkg::EvTaskDone ? 64'(ev_q.word[7:0]) : 64'(ev_q.qp);
  end

  // ---- write: made in every cycle in which there is room for it ----
  // Beats behind this one choose which it is: that one has been taken is known late, and moves no data.
  logic [1:0]   left_q;
  logic         short_q;
  logic [3:0]   proc_q;
  logic [63:0]  va_q;
  logic [255:0] data, data_q;

  assign data = msi_q ? 256'(sel.msid) << (256 - PayW) :  // its only beat is the last one
                {7'd0, phase, 56'd0, ev_q.addr, ev_q.bytes, ev_q.len, ev_q.word, 16'(ev_q.qp), ev_q.status, ev_q.kind};

  // Who hears of it is late: whether there will be room in the next cycle is known in this one.
  logic writes, job_d, pay_d, bare_d;
  assign writes = decide && !give && (msi_q || !drop);
  assign job_d  = writes || (job_q && !job_ready_i);
  assign pay_d  = writes || (pay_q && !(pay_ready_i && pay_o.last));
  assign bare_d = pick ? bare : bare_q && !decide;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      first_q <= '0;
      room_q  <= 1'b1;
      judge_q <= 1'b0;
      bare_q  <= 1'b0;
      job_q   <= 1'b0;
      pay_q   <= 1'b0;
    end else begin
      for (int unsigned p = 0; p < NumProcs; p++)
        first_q[p] <= bare_d && !job_d && !pay_d && (judge_q ? its_q[p] : ev_pick.proc == ProcW'(p));
      if (pick) judge_q <= 1'b1;
      else if (decide || (msi_q && !p_want)) judge_q <= 1'b0;
      room_q <= !job_d && !pay_d;
      bare_q <= bare_d;
      job_q  <= job_d;
      pay_q  <= pay_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!judge_q) begin  // that there is one is known late
      msi_q <= pick_msi;
      ev_q  <= ev_pick;
      for (int unsigned p = 0; p < NumProcs; p++) its_q[p] <= ev_pick.proc == ProcW'(p);
    end
    if (room_q) begin
      proc_q  <= ev_q.proc;
      va_q    <= msi_q ? {sel.msia, 2'd0} :
                 {sel.base, 6'd0} + {27'd0, p_prod & ((32'd1 << p_size) - 32'd1), 5'd0};
      short_q <= msi_q;
      left_q  <= msi_q ? 2'd0 : 2'(Beats - 1);
      data_q  <= data;
    end else if (pay_q && pay_ready_i) begin
      left_q <= left_q - 2'd1;
    end
  end

  assign job_valid_o = job_q;
  always_comb begin
    job_o     = '0;
    job_o.rid = cfg_rid_i + 16'(proc_q);
    job_o.src = nic_pkg::SrcEvent;
    job_o.va  = va_q;
    job_o.len = short_q ? 13'd4 : 13'd32;
  end

  assign pay_valid_o = pay_q;
  always_comb begin
    pay_o       = '0;
    pay_o.last  = left_q == 2'd0;
    pay_o.bytes = short_q ? 7'd4 : 7'(PayW / 8);
    pay_o.data[PayW-1:0] = pay_o.last ? data_q[256-PayW+:PayW] : data_q[PayW-1:0];
  end

`ifdef FORMAL
`include "nic_event_props.svh"
`endif

endmodule

`default_nettype wire
