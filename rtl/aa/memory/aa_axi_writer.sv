// SPDX-License-Identifier: Apache-2.0
// aa_axi_writer: all that the IOMMU writes to memory goes out here: entries of logs, and messages (pointers, MSIs,
// status words). Wiring only.
//
//   entries (aa_logs) ---------------+--> aa_axi_w --> AXI4 writes, responses --> aa_axi_err --> whose burst failed
//   messages of three --> aa_msg ----+
`default_nettype none

module aa_axi_writer (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,

  // Entries: 0 and 1 of aa_logs, which are AXI ids 0 and 1
  input  wire logic [1:0]                    aw_valid_i,
  output logic      [1:0]                    aw_ready_o,
  input  wire logic [2*64-1:0]               aw_addr_i,
  input  wire logic [2*8-1:0]                aw_len_i,
  input  wire logic [2*aa_pkg::OwnerW-1:0]   aw_owner_i,
  input  wire logic [1:0]                    w_valid_i,
  output logic      [1:0]                    w_ready_o,
  input  wire logic [2*cm_pkg::DataW-1:0]    w_data_i,
  input  wire logic [2*(cm_pkg::DataW/8)-1:0] w_strb_i,
  input  wire logic [1:0]                    w_last_i,
  output logic      [1:0]                    b_valid_o,

  // Messages, id 2: 0 aa_fault, 1 aa_qi, 2 aa_logs; only the last one's may be a log's
  input  wire logic [2:0]                    msg_valid_i,
  output logic      [2:0]                    msg_ready_o,
  input  wire logic [3*64-1:0]               msg_addr_i,
  input  wire logic [3*64-1:0]               msg_data_i,
  input  wire logic [3*4-1:0]                msg_bytes_i,
  input  wire aa_pkg::owner_t                msg_owner_i,
  output logic      [2:0]                    msg_done_o,
  output logic                               msg_fail_o,

  // AXI4 master, write channels
  output logic                               m_aw_valid_o,
  input  wire logic                          m_aw_ready_i,
  output logic      [7:0]                    m_aw_id_o,
  output logic      [63:0]                   m_aw_addr_o,
  output logic      [7:0]                    m_aw_len_o,
  output logic                               m_w_valid_o,
  input  wire logic                          m_w_ready_i,
  output logic      [cm_pkg::DataW-1:0]      m_w_data_o,
  output logic      [cm_pkg::DataW/8-1:0]    m_w_strb_o,
  output logic                               m_w_last_o,
  input  wire logic                          m_b_valid_i,
  output logic                               m_b_ready_o,
  input  wire logic [7:0]                    m_b_id_i,
  input  wire logic [1:0]                    m_b_resp_i,

  // A write that failed: to its log, whose IUID comes back for the error; record and error
  output logic                               axi_busy_o,
  output aa_pkg::axi_fail_t                  fail_o,
  input  wire logic [9:0]                    fail_iuid_i,
  output logic                               note_valid_o,
  output aa_pkg::retire_t                    note_o,
  input  wire logic                          note_ready_i,
  output logic                               err_valid_o,
  output aa_pkg::err_t                       err_o
);

  logic msg_aw_valid, msg_aw_ready, msg_w_valid, msg_w_ready, msg_w_last, msg_b_valid, b_err;
  logic [63:0] msg_aw_addr;
  logic [7:0] msg_aw_len;
  logic [cm_pkg::DataW-1:0] msg_w_data;
  logic [cm_pkg::DataW/8-1:0] msg_w_strb;
  logic [aa_pkg::OwnerW-1:0] msg_aw_owner, m_aw_owner;

  aa_msg #(
    .N(3)
  ) u_msg (
    .clk_i,
    .rst_ni,
    .msg_valid_i,
    .msg_ready_o,
    .msg_addr_i,
    .msg_data_i,
    .msg_bytes_i,
    .msg_owner_i({msg_owner_i, (2 * aa_pkg::OwnerW)'(0)}),
    .msg_done_o,
    .msg_fail_o,
    .aw_valid_o(msg_aw_valid),
    .aw_ready_i(msg_aw_ready),
    .aw_addr_o(msg_aw_addr),
    .aw_len_o(msg_aw_len),
    .aw_owner_o(msg_aw_owner),
    .w_valid_o(msg_w_valid),
    .w_ready_i(msg_w_ready),
    .w_data_o(msg_w_data),
    .w_strb_o(msg_w_strb),
    .w_last_o(msg_w_last),
    .b_valid_i(msg_b_valid),
    .b_err_i(b_err)
  );

  aa_axi_w u_axi_w (
    .clk_i,
    .rst_ni,
    .aw_valid_i({msg_aw_valid, aw_valid_i}),
    .aw_ready_o({msg_aw_ready, aw_ready_o}),
    .aw_addr_i({msg_aw_addr, aw_addr_i}),
    .aw_len_i({msg_aw_len, aw_len_i}),
    .aw_owner_i({msg_aw_owner, aw_owner_i}),
    .w_valid_i({msg_w_valid, w_valid_i}),
    .w_ready_o({msg_w_ready, w_ready_o}),
    .w_data_i({msg_w_data, w_data_i}),
    .w_strb_i({msg_w_strb, w_strb_i}),
    .w_last_i({msg_w_last, w_last_i}),
    .b_valid_o({msg_b_valid, b_valid_o}),
    .b_err_o(b_err),
    .m_aw_valid_o,
    .m_aw_ready_i,
    .m_aw_id_o,
    .m_aw_addr_o,
    .m_aw_len_o,
    .m_aw_owner_o(m_aw_owner),
    .m_w_valid_o,
    .m_w_ready_i,
    .m_w_data_o,
    .m_w_strb_o,
    .m_w_last_o,
    .m_b_valid_i,
    .m_b_ready_o,
    .m_b_id_i,
    .m_b_resp_i,
    .b_ready_i(!axi_busy_o)
  );

  aa_axi_err u_axi_err (
    .clk_i,
    .rst_ni,
    .aw_valid_i(m_aw_valid_o && m_aw_ready_i),
    .aw_id_i(m_aw_id_o),
    .aw_addr_i(m_aw_addr_o[aa_pkg::HostAddrW-1:0]),
    .aw_owner_i(m_aw_owner),
    .b_valid_i(m_b_valid_i && m_b_ready_o),
    .b_id_i(m_b_id_i),
    .b_err_i(b_err),
    .busy_o(axi_busy_o),
    .note_valid_o,
    .note_o,
    .note_ready_i,
    .err_valid_o,
    .err_o,
    .fail_entry_valid_o(fail_o.entry),
    .fail_ptr_valid_o(fail_o.ptr),
    .fail_log_o(fail_o.log),
    .fail_iuid_i
  );

endmodule

`default_nettype wire
