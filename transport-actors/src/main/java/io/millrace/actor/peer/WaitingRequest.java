package io.millrace.actor.peer;

import io.millrace.protocol.transfer.ServedCall;
import io.millrace.protocol.transfer.ServedWork;

/**
 * A request that has come and is not executed yet, because its path has as many calls with handlers
 * as it may; rule C-6. It has a copy of its bytes, and keeps its inline credit. On the worker's
 * thread.
 */
final class WaitingRequest implements ServedWork {
  final InboundHandler handler;
  final ServedCall call;
  final int costBytes;
  final byte[] bytes;
  final int headersLength;
  final int payloadLength;
  final boolean isScreened;
  private final PathServing serving;

  /** A copy of the request that {@code inbound} shows. */
  WaitingRequest(
      PathServing serving,
      InboundHandler handler,
      ServedCall call,
      InboundCall inbound,
      int costBytes) {
    this.serving = serving;
    this.handler = handler;
    this.call = call;
    this.costBytes = costBytes;
    headersLength = inbound.headersLength();
    payloadLength = inbound.payloadLength();
    isScreened = inbound.isScreened();
    bytes = new byte[headersLength + payloadLength];
    inbound.buffer().getBytes(inbound.headersOffset(), bytes, 0, headersLength);
    inbound.buffer().getBytes(inbound.payloadOffset(), bytes, headersLength, payloadLength);
  }

  /** Its caller gave it up: it is never executed. */
  @Override
  public void onAbandoned() {
    serving.onWaitingAbandoned(this);
  }
}
