package io.millrace.actor.peer;

import io.millrace.protocol.transfer.CallOutcome;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** A call that remembers how it ended, and can throw when it is told. */
final class TestCall extends PeerCall {
  final boolean throwing;
  @Nullable CallOutcome outcome;
  String text = "";
  int endings;

  TestCall(PeerLink link, long route, int payloadBytes) {
    this(link, route, payloadBytes, false);
  }

  TestCall(PeerLink link, long route, int payloadBytes, boolean throwing) {
    this(link, route, new byte[payloadBytes], throwing);
  }

  TestCall(PeerLink link, long route, byte[] payload, boolean throwing) {
    super(link, route, 3, new byte[0], payload);
    this.throwing = throwing;
  }

  @Override
  public void onResponse(
      CallOutcome outcome,
      DirectBuffer buffer,
      int headersOffset,
      int headersLength,
      int payloadOffset,
      int payloadLength) {
    end(outcome, "");
  }

  @Override
  protected void onMessage(byte[] headers, byte[] payload) {
    end(CallOutcome.OK, "");
  }

  @Override
  public void onFailure(CallOutcome outcome, String text) {
    end(outcome, text);
  }

  boolean isSentAsBody() {
    return request() != null;
  }

  private void end(CallOutcome outcome, String text) {
    this.outcome = outcome;
    this.text = text;
    endings++;
    if (throwing) {
      throw new IllegalStateException("planted in a completion");
    }
  }
}
