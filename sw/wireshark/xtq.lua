-- SPDX-License-Identifier: Apache-2.0
-- Wireshark and tshark show the header of an XtqPut: RETH, XtqETH and the command behind Wireshark's own BTH.
--
--   wireshark -X lua_script:/usr/local/share/tocsin/xtq.lua wire.pcapng  (or a copy in ~/.local/lib/wireshark/plugins)
--   tshark -X lua_script:xtq.lua -r wire.pcapng -Y 'xtq.kernel == 7' -O xtq
--
-- The layout is that of rtl/nic/README.md ("Frames") and rtl/xtq/README.md ("The message").
local xtq = Proto("xtq", "XtqPut")

local opcodes = {[0xC6] = "first", [0xC7] = "middle", [0xC8] = "last", [0xCA] = "only"}
local kinds = {[0] = "kernel", [1] = "function"}
local packets = {[0] = "vendor specific", [1] = "invalid", [2] = "kernel dispatch", [3] = "barrier-and",
                 [4] = "agent dispatch", [5] = "barrier-or"}

local f = {
  part = ProtoField.uint8("xtq.part", "Part of the message", base.HEX, opcodes),
  va = ProtoField.uint64("xtq.va", "RETH address (not looked at)", base.HEX),
  key = ProtoField.uint32("xtq.rkey", "RETH R_Key (not looked at)", base.HEX),
  length = ProtoField.uint32("xtq.length", "Bytes of the message"),
  kind = ProtoField.uint8("xtq.kind", "Kind", base.DEC, kinds),
  process = ProtoField.uint16("xtq.process", "Process at the target"),
  args_bytes = ProtoField.uint32("xtq.args_bytes", "Bytes of arguments"),
  payload_bytes = ProtoField.uint32("xtq.payload_bytes", "Bytes of payload"),
  packet = ProtoField.uint8("xtq.packet", "Type of the packet", base.DEC, packets),
  header = ProtoField.uint16("xtq.header", "Header", base.HEX),
  dimensions = ProtoField.uint16("xtq.dimensions", "Dimensions"),
  workgroup = ProtoField.string("xtq.workgroup", "Work-group"),
  grid = ProtoField.string("xtq.grid", "Grid"),
  kernel = ProtoField.uint64("xtq.kernel", "Index in the kernel table"),
  fn = ProtoField.uint64("xtq.function", "Index in the function table"),
  type = ProtoField.uint16("xtq.type", "Type of the function", base.HEX),
  queue = ProtoField.uint16("xtq.queue", "Index in the queue table"),
  args = ProtoField.bytes("xtq.args", "Arguments"),
  payload = ProtoField.bytes("xtq.payload", "Payload"),
}
local short = ProtoExpert.new("xtq.short", "The frame ends before its header does", expert.group.MALFORMED,
                              expert.severity.ERROR)
local lengths = ProtoExpert.new("xtq.lengths", "RETH's length is not command, arguments and payload together",
                                expert.group.PROTOCOL, expert.severity.WARN)
local kind_bad = ProtoExpert.new("xtq.kind_bad", "Neither kernel nor function", expert.group.PROTOCOL,
                                 expert.severity.WARN)
xtq.fields = f
xtq.experts = {short, lengths, kind_bad}

local BTH, RETH, ETH, COMMAND, ICRC = 12, 16, 16, 64, 4
local opcode_of, qp_of = Field.new("infiniband.bth.opcode"), Field.new("infiniband.bth.destqp")
local psn_of, pad_of = Field.new("infiniband.bth.psn"), Field.new("infiniband.bth.padcnt")
local udp_length = Field.new("udp.length")

-- The bytes of a message that are in this packet, as what they are: `at` is where the first of them stands
-- in the message.
local function body(tree, bytes, at, args, payload)
  local function part(field, from, n)
    local first, last = math.max(from, at), math.min(from + n, at + bytes:len())
    if first < last then tree:add(field, bytes(first - at, last - first)) end
  end
  part(f.args, COMMAND, args)
  part(f.payload, COMMAND + args, payload)
end

local function command(tree, c, kind)
  local t = tree:add(xtq, c, "Command")
  t:add_le(f.header, c(0, 2))
  t:add(f.packet, c(0, 1))
  local index
  if kind == 1 then
    t:add_le(f.type, c(2, 2))
    t:add_le(f.fn, c(8, 8))
    index = c(8, 8):le_uint64()
  else
    t:add_le(f.dimensions, c(2, 2), c(2, 2):le_uint() % 4)
    t:add(f.workgroup, c(4, 6), string.format("%d x %d x %d", c(4, 2):le_uint(), c(6, 2):le_uint(), c(8, 2):le_uint()))
    t:add(f.grid, c(12, 12), string.format("%d x %d x %d", c(12, 4):le_uint(), c(16, 4):le_uint(), c(20, 4):le_uint()))
    t:add_le(f.kernel, c(32, 8))
    index = c(32, 8):le_uint64()
  end
  t:add_le(f.queue, c(48, 2))
  return string.format("%s %s to queue %d", kinds[kind] or "?", tostring(index), c(48, 2):le_uint())
end

-- First and Only: RETH, XtqETH, the command; of a frame that had `sent` bytes there, `b` are those in the capture.
-- What the column of the packet list says.
local function head(tree, b, sent)
  if sent < RETH + ETH + COMMAND then
    tree:add_proto_expert_info(short)
    return "cut off"
  end
  if not b or b:len() < RETH + ETH + COMMAND then return "not captured whole" end
  tree:add(f.va, b(0, 8))
  tree:add(f.key, b(8, 4))
  tree:add(f.length, b(12, 4))
  local kind, args, payload = b(16, 1):uint(), b(20, 4):uint(), b(24, 4):uint()
  local item = tree:add(f.kind, b(16, 1))
  if not kinds[kind] then item:add_proto_expert_info(kind_bad) end
  tree:add(f.process, b(18, 2))
  tree:add(f.args_bytes, b(20, 4))
  tree:add(f.payload_bytes, b(24, 4))
  if b(12, 4):uint() ~= COMMAND + args + payload then tree:add_proto_expert_info(lengths) end
  local says = command(tree, b(RETH + ETH, COMMAND), kind)
  if b:len() > RETH + ETH + COMMAND then
    body(tree, b(RETH + ETH + COMMAND), COMMAND, args, payload)
  end
  return string.format("%s, %d bytes of arguments, %d of payload", says, args, payload)
end

function xtq.dissector(buffer, pinfo, root)
  local opcode, udp = opcode_of(), udp_length()
  if not opcode or not opcodes[opcode.value] or not udp then return end  -- without UDP it is another RoCE
  local from = opcode.offset
  local tree = root:add(xtq, buffer(from), "XtqPut")
  tree:add(f.part, buffer(from, 1))
  local says = string.format("XtqPut %s QP=0x%06x PSN=%d", opcodes[opcode.value], qp_of().value, psn_of().value)
  -- the frame may be padded by the link: its end is where UDP says; and less of it may have been captured
  local sent = math.min(buffer:reported_len() - from, udp.value - 8) - BTH - ICRC - pad_of().value
  local left = math.min(buffer:len() - from - BTH, sent)
  if opcode.value == 0xC6 or opcode.value == 0xCA then
    says = says .. ": " .. head(tree, left > 0 and buffer(from + BTH, left):tvb(), sent)
  elseif sent > 0 then
    says = says .. string.format(": %d bytes more", sent)
  end
  pinfo.cols.protocol = "XtqPut"
  pinfo.cols.info = says
end

register_postdissector(xtq)
