package io.millrace.api;

import io.millrace.body.SharedPayload;
import io.millrace.ends.ExecutorLane;
import io.millrace.path.call.RequestBody;
import io.millrace.path.peer.PeerHandle;
import io.millrace.transfer.CallOutcome;
import java.util.concurrent.atomic.AtomicBoolean;

/** A call whose request was sealed before: it holds that until a body has it, or it has ended. */
final class SealedCall<R> extends FutureCall<R> implements RequestBody {
  private final SharedPayload payload;
  private final AtomicBoolean taken = new AtomicBoolean();

  /** Takes over one hold of the payload, in which the headers are. */
  SealedCall(
      PeerHandle handle,
      UnaryRequest request,
      SharedPayload payload,
      FutureCall.Answer<R> answer,
      ExecutorLane lane) {
    super(handle, request, answer, lane);
    this.payload = payload;
    sendBody(this);
  }

  @Override
  public SharedPayload shared() {
    return payload;
  }

  @Override
  public void onStarted() {
    taken.set(true);
  }

  /** It may have been released. */
  @Override
  boolean hasPayload() {
    return false;
  }

  @Override
  void onUnsubmitted() {
    letGo();
  }

  @Override
  public void onFailure(CallOutcome outcome, String text) {
    letGo();
    super.onFailure(outcome, text);
  }

  private void letGo() {
    if (taken.compareAndSet(false, true)) {
      payload.release();
    }
  }
}
