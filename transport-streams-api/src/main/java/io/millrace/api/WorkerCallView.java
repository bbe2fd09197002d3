package io.millrace.api;

import io.millrace.access.PeerIdentity;
import io.millrace.path.call.InboundCall;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** The engine's call in the shape of the API. */
record WorkerCallView(InboundCall call) implements WorkerCall {
  @Override
  public String peer() {
    return call.caller().peer();
  }

  @Override
  public PeerIdentity identity() {
    return call.caller().identity();
  }

  @Override
  public int priority() {
    return call.priority();
  }

  @Override
  public DirectBuffer buffer() {
    return call.buffer();
  }

  @Override
  public int headersOffset() {
    return call.headersOffset();
  }

  @Override
  public int headersLength() {
    return call.headersLength();
  }

  @Override
  public int payloadOffset() {
    return call.payloadOffset();
  }

  @Override
  public int payloadLength() {
    return call.payloadLength();
  }

  @Override
  public void reply(DirectBuffer source, int offset, int length) {
    call.reply(source, offset, length);
  }

  @Override
  public MutableDirectBuffer reply(int headersLength, int payloadLength) {
    return call.reply(headersLength, payloadLength);
  }
}
