package io.millrace.path.call;

import io.millrace.memory.SegmentBuffer;
import io.millrace.protocol.causality.HeldTransfer;
import io.millrace.protocol.transfer.ServedCall;
import io.millrace.protocol.transfer.ServedWork;
import java.util.function.Consumer;

/**
 * A unary request not executed yet, because other calls must be answered first; rule D-7. The
 * request owns a copy of the bytes, and keeps the inline credit. On the worker's thread.
 */
final class HeldRequest extends HeldTransfer implements ServedWork {
  private static final byte[] NO_BYTES = {};

  final ServedCall call;
  final long transferId;
  final long route;
  final int costBytes;
  final int headersLength;
  final int payloadLength;
  private final Consumer<HeldRequest> abandoned;
  private byte[] bytes;

  HeldRequest(
      ServedCall call,
      long route,
      InboundCall inbound,
      SegmentBuffer buffer,
      int costBytes,
      Consumer<HeldRequest> abandoned) {
    this.call = call;
    transferId = call.transferId();
    this.route = route;
    this.costBytes = costBytes;
    this.abandoned = abandoned;
    headersLength = inbound.headersLength();
    payloadLength = inbound.payloadLength();
    bytes = new byte[headersLength + payloadLength];
    buffer.getBytes(inbound.headersOffset(), bytes, 0, headersLength);
    buffer.getBytes(inbound.payloadOffset(), bytes, headersLength, payloadLength);
  }

  /** Returns the bytes of the request, and keeps no reference to the bytes. */
  SegmentBuffer takeBytes() {
    SegmentBuffer taken = new SegmentBuffer(bytes);
    bytes = NO_BYTES;
    return taken;
  }

  /** Nobody waits for the answer: the request is never executed. */
  @Override
  public void onAbandoned() {
    bytes = NO_BYTES;
    abandoned.accept(this);
  }
}
