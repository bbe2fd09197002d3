package io.millrace.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.actor.peer.PeerCall;
import io.millrace.actor.peer.PeerHandle;
import io.millrace.protocol.transfer.CallOutcome;
import org.agrona.DirectBuffer;

/** A call whose outcome is told on the worker's thread. */
final class WorkerCompletedCall extends PeerCall {
  private final WorkerCompletion completion;

  WorkerCompletedCall(PeerHandle handle, UnaryRequest request, WorkerCompletion completion) {
    super(
        handle.link(),
        request.route().id(),
        request.options().priority(),
        request.options().headers(),
        request.payload());
    this.completion = completion;
  }

  @Override
  public void onResponse(
      CallOutcome outcome,
      DirectBuffer buffer,
      int headersOffset,
      int headersLength,
      int payloadOffset,
      int payloadLength) {
    if (outcome == CallOutcome.OK) {
      completion.onResponse(buffer, payloadOffset, payloadLength);
    } else {
      byte[] text = new byte[payloadLength];
      buffer.getBytes(payloadOffset, text);
      completion.onFailure(new CallException(outcome, new String(text, UTF_8)));
    }
  }

  @Override
  public void onFailure(CallOutcome outcome, String text) {
    completion.onFailure(new CallException(outcome, text));
  }
}
