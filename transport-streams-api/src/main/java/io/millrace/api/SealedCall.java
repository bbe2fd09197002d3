package io.millrace.api;

import io.millrace.body.SharedPayload;
import io.millrace.ends.ExecutorLane;
import io.millrace.path.call.RequestBody;
import io.millrace.path.peer.PeerHandle;
import io.millrace.transfer.CallOutcome;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A call with a payload sealed before. The call holds the payload until a body has taken the
 * payload over, or the call has ended.
 */
final class SealedCall<R> extends FutureCall<R> implements RequestBody {
  private final SharedPayload payload;
  private final AtomicBoolean taken = new AtomicBoolean();

  /** Takes over a hold of the payload, which contains the headers. */
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

  /** False: the payload may already be released. */
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
