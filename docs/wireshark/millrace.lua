-- Millrace in Wireshark and tshark: packets, handshakes with a pre-shared key, and frames. See docs/observability.md.
--
-- The tables between the two marks are generated from transport-actors/src/main/sbe/millrace.xml by DissectorTables, and a test
-- compares them (docs/hacking.md). The rest is docs/protocol.md: P-1 to P-11 for packets and frames, H-1 for handshakes, U-2.
--
-- Bodies are sealed on the wire. What 'millrace capture decrypt' has opened has OPENED added to its form.

-- generated: begin
local ENUMS = {
  CallStatus = { [0] = "OK", [1] = "HANDLER_FAILED", [2] = "UNKNOWN_ROUTE", [3] = "OVERLOADED", [4] = "RESPONSE_TOO_LARGE", [5] = "SHUTTING_DOWN", [6] = "REFUSED", [7] = "TARGET_FAILED", [8] = "SOURCE_FAILED", [9] = "NOT_AUTHENTIC", [10] = "PAYLOAD_TOO_LARGE", [11] = "CANCELLED", [12] = "REQUEST_NOT_DECODED", [13] = "DEPENDENCY_FAILED", [14] = "NOT_AUTHORISED", },
  CloseReason = { [0] = "SHUTDOWN", [1] = "PEER_FAULT", [2] = "PROTOCOL_VIOLATION", [3] = "SUPERSEDED", [4] = "NO_ROOM", [5] = "YIELDED", },
  RejectReason = { [0] = "UNSUPPORTED_VERSION", [1] = "NO_COMMON_DRIVER", [2] = "TOO_MANY_PEERS", [3] = "SHUTTING_DOWN", [4] = "WRONG_KEY", [5] = "OWN_INIT", [6] = "WRONG_NAME", [7] = "MALFORMED", [8] = "NOT_AUTHORISED", },
  RegionDisposition = { [0] = "REUSE", [1] = "REVOKED", },
  ResetReason = { [0] = "STALE", [1] = "CANCELLED", [2] = "SOURCE_FAILED", [3] = "TARGET_FAILED", [4] = "NOT_AUTHENTIC", [5] = "TOO_LARGE", },
}
local FRAMES = {
  [1] = { name = "Ack", about = "Packets received, and how much more may be sent inline", members = {
    { "largest", "uint64", "largest packet number received" },
    { "delayNs", "uint32", "time that the largest waited for this frame, ns", unit = "ns" },
    { "ecnCePackets", "uint32", "packets received with CE, modulo 2^32", unit = "packets" },
    { "inlineLimit", "uint64", "inline bytes the receiver has allowed in all on this path" },
    { "firstRange", "uint32", "packets before largest that also arrived, contiguous" },
    { "ranges", "group", "older ranges, newest first", members = {
      { "gap", "uint32", "packets missing below the previous range, minus one" },
      { "length", "uint32", "packets in this range, minus one" },
    } },
  } },
  [2] = { name = "Probe", about = "Asks for an answer; carries the sender's clock", members = {
    { "probeId", "uint64", "" },
    { "sentNs", "uint64", "", unit = "ns" },
  } },
  [3] = { name = "ProbeResponse", about = "", members = {
    { "probeId", "uint64", "" },
    { "sentNs", "uint64", "", unit = "ns" },
  } },
  [4] = { name = "InlineRequest", about = "WRITE_NOTIFY, inline form: a whole unary request, or the opening of a stream", members = {
    { "transferId", "uint64", "id of the initiator" },
    { "route", "uint64", "hash of the route's name" },
    { "priority", "uint8", "0 (first) to 7" },
    { "pattern", "uint8", "0 unary, 1 streaming response, 2 streaming request, 3 bidirectional; 64 added: its headers begin with what it waits for" },
    { "answerBytes", "uint16", "cost of an answer that needs no credit; 0 for no such answer, or if the block ends before it", unit = "bytes" },
    { "answerWithinUs", "uint16", "the time after answerDelayUs in which such an answer may be sent, us", unit = "us" },
    { "answerDelayUs", "uint32", "such an answer is not sent earlier than this after the request came, us", unit = "us" },
    { "headers", "bytes", "" },
    { "payload", "bytes", "" },
  } },
  [5] = { name = "InlineResponse", about = "WRITE_NOTIFY, inline form: a whole unary response", members = {
    { "transferId", "uint64", "id of the initiator, echoed" },
    { "status", "CallStatus", "" },
    { "flags", "uint8", "1: sent by the grant in the request" },
    { "retryAfterMs", "uint32", "of a refusal: the time after which another try may go well, ms; 0 if unknown, or the block ends before it", unit = "ms" },
    { "headers", "bytes", "" },
    { "payload", "bytes", "" },
  } },
  [6] = { name = "PathClose", about = "The sender gives this path up; nothing follows", members = {
    { "reason", "CloseReason", "" },
    { "text", "text", "" },
  } },
  [7] = { name = "RequestRegions", about = "What the sender wants to write and has no tokens for; the newest replaces all before it", members = {
    { "requestId", "uint32", "counted by the sender from 1" },
    { "aheadBytes", "uint64", "speculation: sizes of regions wanted beyond that, from what is plentiful; 0 if the block ends before it", unit = "bytes" },
    { "wants", "group", "one for each priority that wants something", members = {
      { "priority", "uint8", "" },
      { "bytes", "uint64", "bytes in all", unit = "bytes" },
      { "largestBytes", "uint32", "the longest piece that should lie in one region", unit = "bytes" },
    } },
  } },
  [8] = { name = "RegionGrant", about = "Write tokens, and how much of each may be written now", members = {
    { "requestId", "uint32", "newest request that the receiver has seen" },
    { "tokens", "group", "", members = {
      { "region", "uint32", "index, unique at the receiver's worker" },
      { "fill", "uint32", "which use of the region under this key, from 1" },
      { "key", "uint64", "the name of the grant, never used again" },
      { "address", "uint64", "address of the first byte; 0 with offset addressing; all ones: no one-sided writes" },
      { "sizeBytes", "uint32", "", unit = "bytes" },
      { "authorisedBytes", "uint32", "grant offset: bytes of this fill that may be written now; only grows", unit = "bytes" },
      { "lifetimeMs", "uint32", "from receipt; 0 is without end", unit = "ms" },
      { "endpoint", "uint8", "place in the advert of the receiver's endpoint that the address and remoteKey belong to (O-1); no one-sided writes if the entry ends before it" },
      { "remoteKey", "uint64", "the key that the NIC of the endpoint knows; two endpoints may have the same" },
    } },
  } },
  [9] = { name = "DataChunk", about = "DATA_CHUNKS: a write into a granted region; the bytes follow the tag of the packet", members = {
    { "region", "uint32", "" },
    { "fill", "uint32", "" },
    { "key", "uint64", "" },
    { "at", "uint32", "first byte in the region" },
    { "length", "uint32", "bytes behind the tag" },
  } },
  [10] = { name = "WriteNotify", about = "Bytes of a transfer's body have been written into regions", members = {
    { "transferId", "uint64", "id of the initiator" },
    { "bufferId", "uint64", "the sender's buffer that the first fill lies in; 0 if no fill has bytes" },
    { "route", "uint64", "hash of the route's name; 0 in a response" },
    { "bodyBytes", "uint64", "length of the whole body; all ones while unknown", unit = "bytes" },
    { "position", "uint64", "of the first byte in the body" },
    { "firstNonce", "uint64", "nonce of the first record; the others follow it" },
    { "headersBytes", "uint32", "leading bytes of the body that are headers", unit = "bytes" },
    { "pattern", "uint8", "0 unary, 1 to 3 opening of a stream, 4 bulk" },
    { "priority", "uint8", "0 (first) to 7" },
    { "flags", "uint8", "1 response, 2 end of the body, 4 placed, 8 returned, 16 authenticated" },
    { "status", "CallStatus", "of a response" },
    { "regions", "group", "in the order of the body", members = {
      { "region", "uint32", "" },
      { "fill", "uint32", "" },
      { "key", "uint64", "" },
      { "lengthBytes", "uint32", "", unit = "bytes" },
    } },
    { "dataKey", "bytes", "AES key of the records, 16 or 32 bytes" },
    { "tags", "bytes", "16 bytes for each record, in order" },
  } },
  [11] = { name = "TransferAck", about = "Regions whose bytes were verified and taken out of them", members = {
    { "regions", "group", "", members = {
      { "region", "uint32", "" },
      { "fill", "uint32", "the fill that was consumed" },
      { "key", "uint64", "" },
      { "authorisedBytes", "uint32", "of the next fill", unit = "bytes" },
      { "disposition", "RegionDisposition", "" },
    } },
  } },
  [12] = { name = "RegionExhausted", about = "Nothing can be granted now", members = {
    { "requestId", "uint32", "" },
    { "estimateMs", "uint32", "when to expect a grant; 0 if unknown", unit = "ms" },
  } },
  [13] = { name = "RegionRevoke", about = "Tokens that are void; best effort", members = {
    { "regions", "group", "", members = {
      { "region", "uint32", "" },
      { "key", "uint64", "" },
    } },
  } },
  [14] = { name = "FlowReset", about = "One direction of a transfer is over; not answered by another", members = {
    { "transferId", "uint64", "id of the initiator" },
    { "flags", "uint8", "1 the response's body, else the request's; 2 from its sender, else from its receiver; 4 it answers a challenge, and is of no transfer" },
    { "reason", "ResetReason", "" },
    { "costBytes", "uint32", "from the caller: inline credit that its request took; 0 if the block ends before it", unit = "bytes" },
    { "number", "uint64", "from the caller: its number among those that others wait for; 0 if it has none, or the block ends before it" },
    { "text", "text", "" },
  } },
  [15] = { name = "RecordRequest", about = "Records whose tag was wrong; they are to be written again", members = {
    { "region", "uint32", "" },
    { "fill", "uint32", "" },
    { "key", "uint64", "" },
    { "records", "uint64", "bit n stands for record n of the fill" },
  } },
  [16] = { name = "StreamData", about = "Elements of one flow of a stream, or a part of one", members = {
    { "transferId", "uint64", "id of the initiator" },
    { "segment", "uint64", "counts the StreamData frames of the flow from 0" },
    { "element", "uint64", "number in the flow of the first element here" },
    { "flags", "uint8", "1 the response flow, else the request flow; 2 the first element goes on here; 4 the last one goes on in the next segment" },
    { "lengths", "group", "one for each element, in order", members = {
      { "bytes", "uint16", "of the element that are in this segment", unit = "bytes" },
    } },
    { "elements", "bytes", "the elements, one behind the other" },
  } },
  [17] = { name = "StreamCredit", about = "How much the receiver of one flow takes in all", members = {
    { "transferId", "uint64", "id of the initiator" },
    { "elements", "uint64", "elements that may be sent in all; only grows" },
    { "bytes", "uint64", "a segment may be sent while fewer bytes were; only grows", unit = "bytes" },
    { "flags", "uint8", "1 the response flow, else the request flow" },
  } },
  [18] = { name = "StreamClose", about = "STREAM_CLOSE: one flow of a stream ends", members = {
    { "transferId", "uint64", "id of the initiator" },
    { "segments", "uint64", "from the sender: segments of the flow in all, if the status is OK" },
    { "costBytes", "uint64", "from the sender: inline credit that the flow took in all", unit = "bytes" },
    { "flags", "uint8", "1 the response flow, else the request flow; 2 from its sender, else from its receiver" },
    { "status", "CallStatus", "OK: all elements were sent" },
    { "text", "text", "for a person, UTF-8" },
  } },
  [19] = { name = "StreamCloseAck", about = "STREAM_CLOSE_ACK: the receiver has all it wants of a flow", members = {
    { "transferId", "uint64", "id of the initiator" },
    { "flags", "uint8", "1 the response flow, else the request flow" },
  } },
  [20] = { name = "Drain", about = "The transfers of this path come to their end", members = {
    { "flags", "uint8", "1 the sender begins no transfer of the receiver any more; 2 no transfer of the sender is open here, and none will be" },
  } },
  [21] = { name = "RetireControlKey", about = "RETIRE_CONTROL_KEY: nothing that the sender sealed under these keys is on its way any more", members = {
    { "keyId", "uint32", "this control key of the sender, and all before it" },
  } },
  [22] = { name = "RetireDataKey", about = "RETIRE_DATA_KEY: the sender has forgotten a data key, and no record under it is on its way any more", members = {
    { "fingerprint", "bytes", "of the data key (K-9)", size = 16 },
  } },
  [23] = { name = "TransferChallenge", about = "TRANSFER_CHALLENGE: asks whether transfers are the sender's whose openings came in a packet below the window", members = {
    { "nonce", "uint64", "echoed by the answer" },
    { "transfers", "group", "those that the packet would open", members = {
      { "transferId", "uint64", "id of the initiator" },
    } },
  } },
  [24] = { name = "TransferChallengeResponse", about = "TRANSFER_CHALLENGE_RESPONSE: a challenged transfer is the sender's; what opens it goes again", members = {
    { "nonce", "uint64", "of the challenge" },
    { "transferId", "uint64", "id of the initiator" },
  } },
  [25] = { name = "PathToken", about = "The key of the proof that the sender has lost the secret of a path (U-1)", members = {
    { "pathId", "uint64", "the path id of that secret" },
    { "first", "uint64", "first half of the token" },
    { "second", "uint64", "second half of the token" },
  } },
  [26] = { name = "PathLost", about = "UNKNOWN_PATH_SECRET, confirmed: the sender does not know a path that it was asked about", members = {
    { "pathId", "uint64", "" },
  } },
  [27] = { name = "UseRail", about = "The path uses this pair of endpoints from now on", members = {
    { "number", "uint64", "counts the moves of the path; the highest counts" },
    { "initiatorEndpoint", "uint8", "place in the advert of the handshake's initiator" },
    { "responderEndpoint", "uint8", "place in the advert of the responder" },
    { "queueUs", "uint32", "how long the queue in front of the sender's endpoint takes to drain, us; as told before if the block ends before it", unit = "us" },
  } },
  [28] = { name = "PacketSlots", about = "Memory for packets that the receiver of the frame may write with an immediate value", members = {
    { "address", "uint64", "address of the first slot for one-sided writes" },
    { "key", "uint64", "for one-sided writes" },
    { "firstSlot", "uint32", "number of the first slot at the sender's worker" },
    { "slots", "uint16", "number of slots, one behind the other" },
    { "slotBytes", "uint16", "of each slot", unit = "bytes" },
  } },
  [29] = { name = "FramePiece", about = "A piece of a frame that must keep its form and is longer than the path's datagrams now (T-8, T-13)", members = {
    { "number", "uint32", "of the cut frame, counted from 0 by its sender on the path" },
    { "oldest", "uint32", "no piece of a cut frame with a smaller number comes any more" },
    { "frameBytes", "uint16", "of the whole frame", unit = "bytes" },
    { "pieceOffset", "uint16", "of the piece in the frame, a multiple of 1,024" },
    { "bytes", "bytes", "1,024 bytes of the frame, of the last piece the rest" },
  } },
  [64] = { name = "PskInit", about = "Begins an exchange", members = {
    { "protocolVersion", "uint16", "version of the frames and packets that follow the handshake" },
    { "incarnation", "uint64", "of the initiator: random, new in each process" },
    { "initiatorNonce", "bytes", "random, new in each exchange", size = 32 },
    { "mac", "bytes", "HMAC-SHA256 over the datagram with this field zero", size = 32 },
    { "padding", "bytes", "zeros: as many that Init is as long as the longest Reply" },
  } },
  [65] = { name = "PskReply", about = "Answers an Init", members = {
    { "protocolVersion", "uint16", "" },
    { "incarnation", "uint64", "of the responder" },
    { "initiatorNonce", "bytes", "echoed", size = 32 },
    { "responderNonce", "bytes", "random, new in each exchange", size = 32 },
    { "sealedAdvert", "bytes", "all before it is additional data" },
  } },
  [66] = { name = "PskFinish", about = "Proves that the initiator has the key now", members = {
    { "initiatorNonce", "bytes", "", size = 32 },
    { "responderNonce", "bytes", "", size = 32 },
    { "sealedAdvert", "bytes", "all before it is additional data" },
  } },
  [67] = { name = "PskDone", about = "Confirms that the responder has established the path", members = {
    { "initiatorNonce", "bytes", "", size = 32 },
    { "responderNonce", "bytes", "", size = 32 },
    { "mac", "bytes", "HMAC-SHA256 over all before it", size = 32 },
  } },
  [68] = { name = "PskReject", about = "Refuses an Init", members = {
    { "protocolVersion", "uint16", "of the responder" },
    { "reason", "RejectReason", "" },
    { "initiatorNonce", "bytes", "echoed; zeros if it could not be read", size = 32 },
    { "mac", "bytes", "HMAC-SHA256 over all before it; zeros if the keys differ", size = 32 },
  } },
  [96] = { name = "Advert", about = "What a node offers to a peer", members = {
    { "worker", "uint8", "the worker that this node gives to the peer" },
    { "incarnation", "uint64", "random, new in each process" },
    { "inlineLimit", "uint64", "inline bytes allowed from the start" },
    { "concurrentTransfers", "uint32", "transfers that the peer may have open" },
    { "maxDatagramBytes", "uint32", "largest datagram this node receives", unit = "bytes" },
    { "keyBytes", "uint8", "AES keys of the path have so many bytes at least: 16 or 32", unit = "bytes" },
    { "headersBytes", "uint32", "most bytes of headers that this node takes of a request or a response; 16,384 if the block ends before it", unit = "bytes" },
    { "creditLifetimeMs", "uint32", "how long an inline limit beyond the first holds, from its receipt; 0, also if the block ends before it: without end, and answers cost nothing", unit = "ms" },
    { "queueUs", "uint32", "how long the queue in front of this node takes to drain, us; 0 if the block ends before it", unit = "us" },
    { "renews", "uint64", "the path that the handshake brings a new secret for; 0, also if the block ends before it: none" },
    { "doubts", "uint64", "a path that the receiver may have lost; 0, also if the block ends before it: none" },
    { "host", "uint64", "tells this node's host from other hosts (N-12); 0, also if the block ends before it: unknown" },
    { "endpoints", "group", "", members = {
      { "worker", "uint8", "" },
      { "nic", "uint8", "number of the NIC in its node" },
      { "flags", "uint8", "4 the endpoint's driver writes one-sided, and tokens name the endpoint (O-1); 1 not set any more, builds whose tokens name no endpoint set 1 instead of 4; 2 the endpoint's NIC leads to this host alone, as far as the system tells (N-2); 8 this node reads packets that were written with an immediate value (I-1); 16 this node reads frames in pieces (T-8)" },
      { "prefixBits", "uint8", "of the network that the NIC's address is in; 0 if unknown", unit = "bits" },
      { "speedMbps", "uint32", "of the NIC, Mbit/s; 0 if unknown", unit = "Mbit/s" },
      { "driver", "text", "driver family, ASCII" },
      { "address", "bytes", "opaque to all but the driver family" },
    } },
    { "identity", "text", "handshake address of this node, UTF-8 host:port" },
  } },
  [97] = { name = "AdvertReject", about = "Refuses an advert", members = {
    { "reason", "RejectReason", "" },
    { "text", "text", "the same for a person, UTF-8, at most 1,024 bytes" },
  } },
  [98] = { name = "HybridAdvert", about = "An advert with one side's half of ML-KEM-768", members = {
    { "share", "bytes", "of the initiator the encapsulation key, 1,184 bytes; of the responder the ciphertext, 1,088 bytes" },
    { "advert", "bytes", "the frame Advert" },
  } },
}
-- generated: end

local OPENED = 0x20
local HEADER, TAG, FRAME_START, CHUNK = 24, 16, 8, 32
local DATA, CHUNKS, RETIREMENT, HANDSHAKE, UNKNOWN = 0x4d, 0x4e, 0x52, 0x48, 0x55
local FORMS = {
  [DATA] = "Data", [CHUNKS] = "Chunks", [RETIREMENT] = "Retirement",
  [DATA + OPENED] = "Data, opened", [CHUNKS + OPENED] = "Chunks, opened", [RETIREMENT + OPENED] = "Retirement, opened",
  [HANDSHAKE] = "Handshake", [UNKNOWN] = "Unknown path",
}
-- Numbers that are names, bit sets or drawn at random.
local IN_HEX = {
  route = true, key = true, address = true, pathId = true, renews = true, doubts = true, incarnation = true,
  first = true, second = true, records = true, nonce = true, flags = true, host = true,
}
local INTEGERS = {
  uint8 = { ProtoField.uint8, 1 }, uint16 = { ProtoField.uint16, 2 }, uint32 = { ProtoField.uint32, 4 },
  uint64 = { ProtoField.uint64, 8 },
}

local millrace = Proto("millrace", "Millrace")
local fields, experts = {}, {}

local function declare(field)
  fields[#fields + 1] = field
  return field
end

local function snake(name)
  return (name:gsub("(%l)(%u)", "%1_%2"):lower())
end

local TEMPLATES = {}
for id, frame in pairs(FRAMES) do
  TEMPLATES[id] = frame.name
end

local f = {
  form = declare(ProtoField.uint8("millrace.form", "Form", base.HEX, FORMS)),
  second = declare(ProtoField.uint8("millrace.second", "Second byte", base.DEC, nil, nil, "chunks, or what a retirement is of")),
  source = declare(ProtoField.uint8("millrace.source_worker", "Source worker")),
  destination = declare(ProtoField.uint8("millrace.destination_worker", "Destination worker")),
  key_id = declare(ProtoField.uint32("millrace.key_id", "Key id")),
  path_id = declare(ProtoField.uint64("millrace.path_id", "Path id", base.HEX)),
  number = declare(ProtoField.uint64("millrace.packet_number", "Packet number")),
  sealed = declare(ProtoField.bytes("millrace.sealed", "Sealed body")),
  padding = declare(ProtoField.bytes("millrace.padding", "Padding")),
  tag = declare(ProtoField.bytes("millrace.tag", "Tag")),
  chunk_bytes = declare(ProtoField.bytes("millrace.chunk_bytes", "Bytes of the chunks")),
  token = declare(ProtoField.bytes("millrace.token", "Proof")),
  version = declare(ProtoField.uint8("millrace.handshake_version", "Version of the handshake")),
  frame_length = declare(ProtoField.uint16("millrace.frame_length", "Frame length", base.UNIT_STRING, { " bytes" })),
  block_length = declare(ProtoField.uint16("millrace.block_length", "Block length", base.UNIT_STRING, { " bytes" })),
  template = declare(ProtoField.uint8("millrace.template", "Template", base.DEC, TEMPLATES)),
  schema = declare(ProtoField.uint8("millrace.schema", "Schema")),
  schema_version = declare(ProtoField.uint8("millrace.schema_version", "Schema version")),
  surplus = declare(ProtoField.bytes("millrace.surplus", "Of a later version")),
}
local malformed = ProtoExpert.new("millrace.malformed", "Malformed", expert.group.MALFORMED, expert.severity.ERROR)

-- Makes the fields of Wireshark for the members of a frame or group, and keeps each as member.field.
local function declare_members(members, prefix)
  for _, member in ipairs(members) do
    local name, kind, about = member[1], member[2], member[3]
    local filter = prefix .. "." .. snake(name)
    local integer = INTEGERS[kind]
    if kind == "group" then
      member.field = declare(ProtoField.none(filter, name, base.NONE, about))
      declare_members(member.members, filter)
    elseif ENUMS[kind] then
      member.field = declare(ProtoField.uint8(filter, name, base.DEC, ENUMS[kind], nil, about))
      member.size = 1
    elseif integer then
      if member.unit then
        member.field = declare(integer[1](filter, name, base.UNIT_STRING, { " " .. member.unit }, nil, about))
      else
        member.field = declare(integer[1](filter, name, IN_HEX[name] and base.HEX or base.DEC, nil, nil, about))
      end
      member.size = integer[2]
    elseif kind == "text" then
      member.field = declare(ProtoField.string(filter, name, base.UNICODE, about))
    else
      member.field = declare(ProtoField.bytes(filter, name, base.NONE, about))
      member.size = member.size -- bytes of a fixed length have one in the table
    end
  end
end

for _, frame in pairs(FRAMES) do
  local filter = "millrace." .. snake(frame.name)
  frame.field = declare(ProtoField.none(filter, frame.name, base.NONE, frame.about))
  declare_members(frame.members, filter)
end
millrace.fields = fields
millrace.experts = { malformed }

-- Adds the members to the tree; returns where the next byte is, or nil if they pass the end. The members of fixed size lie in
-- the block, which ends at block_end: those that it lacks are of a later version than the sender's, what it has more is of a
-- later one than this.
local function add_members(members, tvb, at, block_end, limit, tree)
  local next_in_block, next_behind = at, block_end
  for _, member in ipairs(members) do
    if member.size then
      if next_in_block + member.size <= block_end then
        local range = tvb(next_in_block, member.size)
        if member[2] == "bytes" then tree:add(member.field, range) else tree:add_le(member.field, range) end
        next_in_block = next_in_block + member.size
      end
    elseif member[2] == "group" then
      if next_behind + 2 > limit then return nil end
      local block, count = tvb(next_behind, 1):uint(), tvb(next_behind + 1, 1):uint()
      local group = tree:add(member.field, tvb(next_behind, 2))
      group:append_text(string.format(": %d", count))
      next_behind = next_behind + 2
      for i = 1, count do
        if next_behind + block > limit then return nil end
        local entry = group:add(millrace, tvb(next_behind, block), string.format("%s %d", member[1], i))
        next_behind = add_members(member.members, tvb, next_behind, next_behind + block, limit, entry)
        if not next_behind then return nil end
      end
    else
      if next_behind + 2 > limit then return nil end
      local length = tvb(next_behind, 2):le_uint()
      if next_behind + 2 + length > limit then return nil end
      local item = length > 0 and tree:add(member.field, tvb(next_behind + 2, length))
        or tree:add(member.field, tvb(next_behind, 2), "")
      item:append_text(string.format(" (%d bytes)", length))
      next_behind = next_behind + 2 + length
    end
  end
  if next_in_block < block_end then
    tree:add(f.surplus, tvb(next_in_block, block_end - next_in_block))
  end
  return next_behind
end

-- Adds one frame (P-4); returns its name and length, or nil.
local function add_frame(tvb, at, limit, tree)
  local length, block, template = tvb(at, 2):le_uint(), tvb(at + 2, 2):le_uint(), tvb(at + 4, 1):uint()
  local frame = FRAMES[template]
  if length < FRAME_START or at + length > limit or at + FRAME_START + block > at + length then
    tree:add_tvb_expert_info(malformed, tvb(at, limit - at), "a frame that passes its end")
    return nil
  end
  local item
  if frame then
    item = tree:add(frame.field, tvb(at, length))
    item:append_text(string.format(", %d bytes", length))
  else
    item = tree:add(millrace, tvb(at, length), string.format("Unknown frame %d", template))
  end
  item:add_le(f.frame_length, tvb(at, 2))
  item:add_le(f.block_length, tvb(at + 2, 2))
  item:add(f.template, tvb(at + 4, 1))
  item:add(f.schema, tvb(at + 5, 1))
  item:add(f.schema_version, tvb(at + 6, 1))
  if frame then
    local from = at + FRAME_START
    if not add_members(frame.members, tvb, from, from + block, at + length, item) then
      item:add_tvb_expert_info(malformed, tvb(at, length), "fields that pass the end of their frame")
    end
  end
  return frame and frame.name or "frame " .. template, length
end

-- Adds the frames of a body (P-4, P-5); returns their names.
local function add_frames(tvb, at, limit, tree)
  local names = {}
  while limit - at >= FRAME_START and tvb(at, 2):le_uint() ~= 0 do
    local name, length = add_frame(tvb, at, limit, tree)
    if not name then
      return names
    end
    names[#names + 1] = name
    at = at + length
  end
  if at < limit then
    tree:add(f.padding, tvb(at, limit - at))
  end
  return names
end

-- "Ack, DataChunk x 3"
local function summary(names)
  local parts, i = {}, 1
  while i <= #names do
    local run = i
    while names[run + 1] == names[i] do run = run + 1 end
    parts[#parts + 1] = run > i and string.format("%s x %d", names[i], run - i + 1) or names[i]
    i = run + 1
  end
  return #parts > 0 and table.concat(parts, ", ") or "no frames"
end

local function is_packet(tvb, at)
  local length = tvb:len() - at
  if length < HEADER + TAG then return false end
  local form, second = tvb(at, 1):uint(), tvb(at + 1, 1):uint()
  local plain = form >= 0x60 and form - OPENED or form
  if plain == DATA then
    -- No sender comes to the 2^24th key or the 2^56th packet: that tells these packets from others of the same first bytes.
    return second == 0 and tvb(at + 7, 1):uint() == 0 and tvb(at + 23, 1):uint() == 0
  elseif plain == CHUNKS then
    return second >= 1 and second <= 4 and length >= HEADER + TAG + second * CHUNK
      and tvb(at + 7, 1):uint() == 0 and tvb(at + 23, 1):uint() == 0
  end
  return plain == RETIREMENT and (second == 1 or second == 2) and tvb(at + 4, 4):le_uint() == 0
end

local function is_handshake(tvb)
  return tvb:len() >= 2 + FRAME_START and tvb:len() <= 1200 and tvb(0, 1):uint() == HANDSHAKE and tvb(1, 1):uint() == 1
    and tvb(2, 2):le_uint() == tvb:len() - 2
end

local function is_unknown(tvb)
  return tvb:len() == 32 and tvb(0, 1):uint() == UNKNOWN and tvb(1, 4):uint() == 0 and tvb(5, 3):uint() == 0
end

-- Where the packet at this place ends: the kernel cuts trains, perhaps behind the place where they were captured. The header
-- that follows has the same path and workers, and the next number.
local function end_of_packet(tvb, raw, at)
  local next_number = tvb(at + 16, 8):le_uint64() + 1
  local needle = raw:sub(at + 9, at + 16)
  for i = 0, 7 do
    needle = needle .. string.char(next_number:rshift(8 * i):band(255):tonumber())
  end
  local workers = raw:sub(at + 3, at + 4)
  local from = at + HEADER + TAG + 9
  while true do
    local hit = raw:find(needle, from, true)
    if not hit then return tvb:len() end
    local start = hit - 9
    if raw:sub(start + 3, start + 4) == workers and is_packet(tvb, start) then return start end
    from = hit + 1
  end
end

local function add_packet(tvb, at, limit, tree)
  local form = tvb(at, 1):uint()
  local opened = form >= 0x60
  local plain = opened and form - OPENED or form
  local number = tvb(at + 16, 8):le_uint64():tonumber()
  local packet = tree:add(millrace, tvb(at, limit - at),
    string.format("Millrace, %s, packet %.0f, worker %d to %d", FORMS[form], number, tvb(at + 2, 1):uint(), tvb(at + 3, 1):uint()))
  packet:add(f.form, tvb(at, 1))
  packet:add(f.second, tvb(at + 1, 1))
  packet:add(f.source, tvb(at + 2, 1))
  packet:add(f.destination, tvb(at + 3, 1))
  packet:add_le(f.key_id, tvb(at + 4, 4))
  packet:add_le(f.path_id, tvb(at + 8, 8))
  packet:add_le(f.number, tvb(at + 16, 8))
  local body = at + HEADER
  local tag = plain == CHUNKS and body + tvb(at + 1, 1):uint() * CHUNK or limit - TAG
  local text
  if opened then
    text = summary(add_frames(tvb, body, tag, packet))
  else
    text = string.format("%d bytes sealed", tag - body)
    if tag > body then packet:add(f.sealed, tvb(body, tag - body)) end
  end
  packet:add(f.tag, tvb(tag, TAG))
  if tag + TAG < limit then
    packet:add(f.chunk_bytes, tvb(tag + TAG, limit - tag - TAG))
    text = text .. string.format(", %d bytes of records", limit - tag - TAG)
  end
  return string.format("%s %.0f [%s]", FORMS[plain], number, text)
end

local SHOWN = 4

function millrace.dissector(tvb, pinfo, tree)
  local text
  if is_handshake(tvb) then
    local item = tree:add(millrace, tvb(), "Millrace, handshake with a pre-shared key")
    item:add(f.form, tvb(0, 1))
    item:add(f.version, tvb(1, 1))
    text = "Handshake [" .. (add_frame(tvb, 2, tvb:len(), item) or "malformed") .. "]"
  elseif is_unknown(tvb) then
    local item = tree:add(millrace, tvb(), "Millrace, the path is unknown here")
    item:add(f.form, tvb(0, 1))
    item:add_le(f.path_id, tvb(8, 8))
    item:add_le(f.number, tvb(16, 8))
    item:add(f.token, tvb(24, 8))
    text = "Unknown path"
  elseif is_packet(tvb, 0) then
    local raw, at, texts, count = tvb:raw(), 0, {}, 0
    while at < tvb:len() and is_packet(tvb, at) do
      local limit = end_of_packet(tvb, raw, at)
      local one = add_packet(tvb, at, limit, tree)
      count = count + 1
      if count <= SHOWN then texts[count] = one end
      at = limit
    end
    if count > SHOWN then texts[SHOWN + 1] = string.format("and %d more packets of this train", count - SHOWN) end
    text = table.concat(texts, " ")
  else
    return 0
  end
  pinfo.cols.protocol = "Millrace"
  pinfo.cols.info = text
  return tvb:len()
end

millrace:register_heuristic("udp", function(tvb, pinfo, tree)
  return millrace.dissector(tvb, pinfo, tree) > 0
end)
DissectorTable.get("udp.port"):add_for_decode_as(millrace)
