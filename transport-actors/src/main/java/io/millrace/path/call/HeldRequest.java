package io.millrace.path.call;

import io.millrace.protocol.causality.HeldTransfer;
import io.millrace.protocol.transfer.ServedCall;
import io.millrace.protocol.transfer.ServedWork;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A unary request that has come and is not executed yet, because others must be answered first;
 * rule D-7. It has a copy of its bytes, and keeps its inline credit. On the worker's thread.
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
      UnsafeBuffer buffer,
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

  /** The request, which it does not keep. */
  UnsafeBuffer takeBytes() {
    UnsafeBuffer taken = new UnsafeBuffer(bytes);
    bytes = NO_BYTES;
    return taken;
  }

  /** Nobody waits for its answer: it is never executed. */
  @Override
  public void onAbandoned() {
    bytes = NO_BYTES;
    abandoned.accept(this);
  }
}
