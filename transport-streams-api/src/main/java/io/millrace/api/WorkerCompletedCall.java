package io.millrace.api;

import io.millrace.ends.Submission;
import io.millrace.event.TransportEvents;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.call.PeerCall;
import io.millrace.path.peer.PeerHandle;
import io.millrace.path.peer.SubmissionPort;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.PeerText;
import io.millrace.wire.RouteId;
import org.agrona.DirectBuffer;

/**
 * A call with a completion on the worker's thread. An answered call becomes a later call of the
 * worker's thread, so such calls do not allocate in the steady state.
 */
final class WorkerCompletedCall extends PeerCall {
  /** The completion of a call that waits to be made anew. */
  private static final WorkerCompletion NONE =
      new WorkerCompletion() {
        @Override
        public void onResponse(DirectBuffer buffer, int payloadOffset, int payloadLength) {}

        @Override
        public void onFailure(CallException failure) {}
      };

  private final SubmissionPort port;
  private final TransportEvents events;
  private WorkerCompletion completion;
  private PeerHandle handle;
  private RouteId route;

  /** A new call, or a spare call of the worker made anew for this request. */
  static WorkerCompletedCall of(
      PeerHandle handle,
      UnaryRequest request,
      WorkerCompletion completion,
      TransportEvents events) {
    TransferOptions options = request.options();
    if (options.deadline().isZero()
        && options.readyWait().isZero()
        && options.dependencies().isEmpty()
        && handle.isPlaced()
        && handle.port().takeSpare() instanceof WorkerCompletedCall spare) {
      spare.renew(handle, request, completion);
      return spare;
    }
    return new WorkerCompletedCall(handle, request, completion, events);
  }

  private WorkerCompletedCall(
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
    waitForReady(options.readyWait().toNanos());
    port = handle.port();
    this.completion = completion;
    this.handle = handle;
    route = request.route();
    this.events = events;
    dependOn(options.dependencies(), port.causality());
  }

  private void renew(PeerHandle peer, UnaryRequest request, WorkerCompletion next) {
    TransferOptions options = request.options();
    renew(
        peer.link(),
        request.route().id(),
        options.priority(),
        options.headerBlock(),
        request.payload());
    agree(options.protection(), options.expectedResponseBytes());
    completion = next;
    handle = peer;
    route = request.route();
  }

  /** Leaves the call to a later call of the worker's thread, if nobody else knows the call. */
  private void spare() {
    if (isReusable()) {
      dropPath();
      completion = NONE;
      port.spare(this);
    }
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
    WorkerCompletion own = completion;
    PeerHandle peer = handle;
    // The completion may submit this very call anew.
    spare();
    try {
      own.onResponse(buffer, payloadOffset, payloadLength);
    } catch (RuntimeException | Error e) {
      onCompletionFault(peer, e);
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
        completion.onResponse(new SegmentBuffer(payload), 0, payload.length);
      } catch (RuntimeException | Error e) {
        onCompletionFault(handle, e);
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
      completion.onFailure(CallException.of(outcome, text, this, route.name()));
    } catch (RuntimeException | Error e) {
      onCompletionFault(handle, e);
    }
  }

  private void onCompletionFault(PeerHandle peer, Throwable fault) {
    events.onCompletionFault(port.worker(), peer.identity(), fault);
  }
}
