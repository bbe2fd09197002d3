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
    super(link, route, 3, new byte[0], new byte[payloadBytes]);
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
  public void onFailure(CallOutcome outcome, String text) {
    end(outcome, text);
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
