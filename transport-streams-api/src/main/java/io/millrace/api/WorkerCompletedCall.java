package io.millrace.api;

import io.millrace.ends.Submission;
import io.millrace.event.TransportEvents;
import io.millrace.path.call.PeerCall;
import io.millrace.path.peer.PeerHandle;
import io.millrace.path.peer.SubmissionPort;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.PeerText;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A call with a completion on the worker's thread. */
final class WorkerCompletedCall extends PeerCall {
  private final SubmissionPort port;
  private final WorkerCompletion completion;
  private final PeerHandle handle;
  private final TransportEvents events;

  WorkerCompletedCall(
      PeerHandle handle,
      UnaryRequest request,
      WorkerCompletion completion,
      TransportEvents events) {
    super(
        handle.link(request.options().dependencies()),
        request.route().id(),
        request.options().priority(),
        request.options().headerBlock(),
        request.payload());
    TransferOptions options = request.options();
    agree(options.protection(), options.expectedResponseBytes());
    expireAfter(options.deadline().toNanos());
    this.port = handle.port();
    this.completion = completion;
    this.handle = handle;
    this.events = events;
    dependOn(options.dependencies(), port.causality());
  }

  @Override
  public void onResponse(
      CallOutcome outcome,
      DirectBuffer buffer,
      int headersOffset,
      int headersLength,
      int payloadOffset,
      int payloadLength) {
    if (outcome != CallOutcome.OK) {
      onFailure(outcome, PeerText.of(buffer, payloadOffset, payloadLength));
      return;
    }
    try {
      completion.onResponse(buffer, payloadOffset, payloadLength);
    } catch (RuntimeException | Error e) {
      onCompletionFault(e);
    }
  }

  @Override
  protected void onMessage(byte[] headers, byte[] payload) {
    port.giveBack(new Whole(payload));
  }

  /** A response assembled on the executor, on its way to the worker. */
  private final class Whole implements Submission {
    private final byte[] payload;

    private Whole(byte[] payload) {
      this.payload = payload;
    }

    @Override
    public int priority() {
      return WorkerCompletedCall.this.priority();
    }

    @Override
    public void onTaken(long nowNs) {
      try {
        completion.onResponse(new UnsafeBuffer(payload), 0, payload.length);
      } catch (RuntimeException | Error e) {
        onCompletionFault(e);
      }
    }

    @Override
    public void onRefused(CallOutcome outcome, String text) {
      onFailure(outcome, text);
    }
  }

  @Override
  public void onFailure(CallOutcome outcome, String text) {
    try {
      completion.onFailure(CallException.of(outcome, text, this));
    } catch (RuntimeException | Error e) {
      onCompletionFault(e);
    }
  }

  private void onCompletionFault(Throwable fault) {
    events.onCompletionFault(handle.port().worker(), handle.identity(), fault);
  }
}
