// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_event beside its rings, of which fv_see shows two: nic_ring's env_back. No more is given back to a
// ring than was taken of it, the present cycle included, as long as the sources of nic_event give back what they have
// (its env_places, of which f_overdrew_q says that it was broken).
`include "fv.svh"

  `FV_INIT

`ifdef YOSYS
  localparam int unsigned HasW = 34;  // as in nic_ring
  (* hierconn *) wire [HasW-1:0]   \u_event.gen_ring[0].u_ring.f_less ;
  (* hierconn *) wire [1:0]        \u_event.gen_ring[0].take ;
  (* hierconn *) wire              \u_event.gen_ring[0].u_ring.written_q ;
  (* hierconn *) wire [HasW-1:0]   \u_event.gen_ring[0].u_ring.f_resv_q ;
  (* hierconn *) wire [HasW-1:0]   \u_event.gen_ring[0].u_ring.resv_q ;
  (* hierconn *) wire [HasW-1:0]   \u_event.gen_ring[1].u_ring.f_less ;
  (* hierconn *) wire [1:0]        \u_event.gen_ring[1].take ;
  (* hierconn *) wire              \u_event.gen_ring[1].u_ring.written_q ;
  (* hierconn *) wire [HasW-1:0]   \u_event.gen_ring[1].u_ring.f_resv_q ;
  (* hierconn *) wire [HasW-1:0]   \u_event.gen_ring[1].u_ring.resv_q ;
  (* hierconn *) wire [2*HasW-1:0] \u_event.f_has_q ;
  (* hierconn *) wire [2*HasW-1:0] \u_event.f_hand ;
  (* hierconn *) wire              \u_event.f_overdrawn ;
  (* hierconn *) wire              \u_event.f_overdrew_q ;

  logic [2*HasW-1:0] f_less, f_taken, f_resv, f_has, f_hand;
  logic [3:0]        f_take;  // in this cycle
  logic [1:0]        f_written;  // in the cycle before, and still in f_resv
  logic              f_overdrawn, f_overdrew;
  fv_see #(
    .W(10 * HasW + 8)
  ) u_f_see (
    .inside_io({\u_event.gen_ring[1].u_ring.f_less , \u_event.gen_ring[0].u_ring.f_less ,
                \u_event.gen_ring[1].u_ring.f_resv_q , \u_event.gen_ring[0].u_ring.f_resv_q ,
                \u_event.gen_ring[1].u_ring.resv_q , \u_event.gen_ring[0].u_ring.resv_q ,
                \u_event.f_has_q , \u_event.f_hand , \u_event.gen_ring[1].take , \u_event.gen_ring[0].take ,
                \u_event.gen_ring[1].u_ring.written_q , \u_event.gen_ring[0].u_ring.written_q ,
                \u_event.f_overdrawn , \u_event.f_overdrew_q }),
    .seen_o({f_less, f_taken, f_resv, f_has, f_hand, f_take, f_written, f_overdrawn, f_overdrew})
  );

  `FV_COMB if (f_past_q && rst_ni && !f_overdrew) begin
    p3_taken: assert (f_taken[HasW-1:0] == f_has[HasW-1:0] + f_hand[HasW-1:0] &&
                      f_taken[HasW+:HasW] == f_has[HasW+:HasW] + f_hand[HasW+:HasW] &&
                      f_resv[HasW-1:0] == f_taken[HasW-1:0] + HasW'(f_written[0]) &&
                      f_resv[HasW+:HasW] == f_taken[HasW+:HasW] + HasW'(f_written[1]));
    if (!f_overdrawn)
      p3_back: assert (f_less[HasW-1:0] <= f_taken[HasW-1:0] + HasW'(f_take[1:0]) &&
                       f_less[HasW+:HasW] <= f_taken[HasW+:HasW] + HasW'(f_take[3:2]));
    c_back: cover (!f_overdrawn && f_less[HasW-1:0] == HasW'(2));
  end
`endif
