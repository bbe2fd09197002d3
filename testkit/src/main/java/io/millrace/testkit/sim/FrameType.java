package io.millrace.testkit.sim;

import io.millrace.wire.codec.AckDecoder;
import io.millrace.wire.codec.AdvertDecoder;
import io.millrace.wire.codec.AdvertRejectDecoder;
import io.millrace.wire.codec.DataChunkDecoder;
import io.millrace.wire.codec.DrainDecoder;
import io.millrace.wire.codec.FlowResetDecoder;
import io.millrace.wire.codec.FramePieceDecoder;
import io.millrace.wire.codec.HybridAdvertDecoder;
import io.millrace.wire.codec.InlineRequestDecoder;
import io.millrace.wire.codec.InlineResponseDecoder;
import io.millrace.wire.codec.PacketSlotsDecoder;
import io.millrace.wire.codec.PathCloseDecoder;
import io.millrace.wire.codec.PathLostDecoder;
import io.millrace.wire.codec.PathTokenDecoder;
import io.millrace.wire.codec.ProbeDecoder;
import io.millrace.wire.codec.ProbeResponseDecoder;
import io.millrace.wire.codec.PskDoneDecoder;
import io.millrace.wire.codec.PskFinishDecoder;
import io.millrace.wire.codec.PskInitDecoder;
import io.millrace.wire.codec.PskRejectDecoder;
import io.millrace.wire.codec.PskReplyDecoder;
import io.millrace.wire.codec.RecordRequestDecoder;
import io.millrace.wire.codec.RegionExhaustedDecoder;
import io.millrace.wire.codec.RegionGrantDecoder;
import io.millrace.wire.codec.RegionRevokeDecoder;
import io.millrace.wire.codec.RequestRegionsDecoder;
import io.millrace.wire.codec.RetireControlKeyDecoder;
import io.millrace.wire.codec.RetireDataKeyDecoder;
import io.millrace.wire.codec.StreamCloseAckDecoder;
import io.millrace.wire.codec.StreamCloseDecoder;
import io.millrace.wire.codec.StreamCreditDecoder;
import io.millrace.wire.codec.StreamDataDecoder;
import io.millrace.wire.codec.TransferAckDecoder;
import io.millrace.wire.codec.TransferChallengeDecoder;
import io.millrace.wire.codec.TransferChallengeResponseDecoder;
import io.millrace.wire.codec.UseRailDecoder;
import io.millrace.wire.codec.WriteNotifyDecoder;
import org.jspecify.annotations.Nullable;

/**
 * The messages of the protocol, as its schema numbers them: frames of packets, messages of the
 * handshake, and the sealed contents of handshake messages. A test compares this list with the
 * schema.
 */
public enum FrameType {
  /** Subject: the largest packet number. */
  ACK(AckDecoder.TEMPLATE_ID, AckDecoder.largestEncodingOffset()),
  /** Subject: the probe's number. */
  PROBE(ProbeDecoder.TEMPLATE_ID, ProbeDecoder.probeIdEncodingOffset()),
  /** Subject: the probe's number. */
  PROBE_RESPONSE(ProbeResponseDecoder.TEMPLATE_ID, ProbeResponseDecoder.probeIdEncodingOffset()),
  /** Subject: the transfer. */
  INLINE_REQUEST(InlineRequestDecoder.TEMPLATE_ID, InlineRequestDecoder.transferIdEncodingOffset()),
  /** Subject: the transfer. */
  INLINE_RESPONSE(
      InlineResponseDecoder.TEMPLATE_ID, InlineResponseDecoder.transferIdEncodingOffset()),
  /** No subject. */
  PATH_CLOSE(PathCloseDecoder.TEMPLATE_ID),
  /** No subject. */
  REQUEST_REGIONS(RequestRegionsDecoder.TEMPLATE_ID),
  /** No subject. */
  REGION_GRANT(RegionGrantDecoder.TEMPLATE_ID),
  /** No subject. */
  DATA_CHUNK(DataChunkDecoder.TEMPLATE_ID),
  /** Subject: the transfer. */
  WRITE_NOTIFY(WriteNotifyDecoder.TEMPLATE_ID, WriteNotifyDecoder.transferIdEncodingOffset()),
  /** No subject. */
  TRANSFER_ACK(TransferAckDecoder.TEMPLATE_ID),
  /** No subject. */
  REGION_EXHAUSTED(RegionExhaustedDecoder.TEMPLATE_ID),
  /** No subject. */
  REGION_REVOKE(RegionRevokeDecoder.TEMPLATE_ID),
  /** Subject: the transfer. */
  FLOW_RESET(FlowResetDecoder.TEMPLATE_ID, FlowResetDecoder.transferIdEncodingOffset()),
  /** No subject. */
  RECORD_REQUEST(RecordRequestDecoder.TEMPLATE_ID),
  /** Subject: the stream's transfer. */
  STREAM_DATA(StreamDataDecoder.TEMPLATE_ID, StreamDataDecoder.transferIdEncodingOffset()),
  /** Subject: the stream's transfer. */
  STREAM_CREDIT(StreamCreditDecoder.TEMPLATE_ID, StreamCreditDecoder.transferIdEncodingOffset()),
  /** Subject: the stream's transfer. */
  STREAM_CLOSE(StreamCloseDecoder.TEMPLATE_ID, StreamCloseDecoder.transferIdEncodingOffset()),
  /** Subject: the stream's transfer. */
  STREAM_CLOSE_ACK(
      StreamCloseAckDecoder.TEMPLATE_ID, StreamCloseAckDecoder.transferIdEncodingOffset()),
  /** No subject. */
  DRAIN(DrainDecoder.TEMPLATE_ID),
  /** In a separate datagram; no subject. */
  RETIRE_CONTROL_KEY(RetireControlKeyDecoder.TEMPLATE_ID),
  /** In a separate datagram, with other frames of this kind; no subject. */
  RETIRE_DATA_KEY(RetireDataKeyDecoder.TEMPLATE_ID),
  /** Subject: the nonce. */
  TRANSFER_CHALLENGE(
      TransferChallengeDecoder.TEMPLATE_ID, TransferChallengeDecoder.nonceEncodingOffset()),
  /** Subject: the transfer. */
  TRANSFER_CHALLENGE_RESPONSE(
      TransferChallengeResponseDecoder.TEMPLATE_ID,
      TransferChallengeResponseDecoder.transferIdEncodingOffset()),
  /** Subject: the path. */
  PATH_TOKEN(PathTokenDecoder.TEMPLATE_ID, PathTokenDecoder.pathIdEncodingOffset()),
  /** Subject: the path unknown to the sender. */
  PATH_LOST(PathLostDecoder.TEMPLATE_ID, PathLostDecoder.pathIdEncodingOffset()),
  /** Subject: the number of the move. */
  USE_RAIL(UseRailDecoder.TEMPLATE_ID, UseRailDecoder.numberEncodingOffset()),
  /** No subject. */
  PACKET_SLOTS(PacketSlotsDecoder.TEMPLATE_ID),
  /** No subject. */
  FRAME_PIECE(FramePieceDecoder.TEMPLATE_ID),
  /** A datagram of the handshake; no subject. */
  PSK_INIT(PskInitDecoder.TEMPLATE_ID),
  /** A datagram of the handshake; no subject. */
  PSK_REPLY(PskReplyDecoder.TEMPLATE_ID),
  /** A datagram of the handshake; no subject. */
  PSK_FINISH(PskFinishDecoder.TEMPLATE_ID),
  /** A datagram of the handshake; no subject. */
  PSK_DONE(PskDoneDecoder.TEMPLATE_ID),
  /** A datagram of the handshake; no subject. */
  PSK_REJECT(PskRejectDecoder.TEMPLATE_ID),
  /** Never by itself: the advert lies sealed in PSK_REPLY and PSK_FINISH. */
  ADVERT(AdvertDecoder.TEMPLATE_ID),
  /** Never in a simulation: this message lies in TLS or QUIC. */
  ADVERT_REJECT(AdvertRejectDecoder.TEMPLATE_ID),
  /** Never in a simulation: this message lies in TLS or QUIC. */
  HYBRID_ADVERT(HybridAdvertDecoder.TEMPLATE_ID);

  private static final int NO_SUBJECT = -1;
  private static final FrameType[] BY_TEMPLATE = new FrameType[1 << Byte.SIZE];

  static {
    for (FrameType type : values()) {
      BY_TEMPLATE[type.templateId] = type;
    }
  }

  private final int templateId;
  private final int subjectOffset;

  FrameType(int templateId) {
    this(templateId, NO_SUBJECT);
  }

  FrameType(int templateId, int subjectOffset) {
    this.templateId = templateId;
    this.subjectOffset = subjectOffset;
  }

  /** The number of this type in the schema. */
  public int templateId() {
    return templateId;
  }

  /** The type of this number, or null. */
  public static @Nullable FrameType of(int templateId) {
    return BY_TEMPLATE[templateId];
  }

  /**
   * The place of the subject, counted from the end of the frame's start; negative if the type has
   * no subject.
   */
  public int subjectOffset() {
    return subjectOffset;
  }
}
