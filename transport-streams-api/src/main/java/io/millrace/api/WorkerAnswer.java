package io.millrace.api;

import io.millrace.path.call.DeferredAnswer;
import io.millrace.wire.codec.CallStatus;
import org.apache.pekko.util.ByteString;

/**
 * The right to answer one call of a {@link WorkerHandler} after the handler has returned. The first
 * answer counts, and later answers do nothing. A call that is never answered keeps its place among
 * the calls of the peer until the peer's path ends; also a call that its caller gave up needs an
 * answer. Any thread.
 */
public final class WorkerAnswer {
  private static final byte[] NO_BYTES = {};

  private final DeferredAnswer answer;
  private final HandlerFaults faults;

  WorkerAnswer(DeferredAnswer answer, HandlerFaults faults) {
    this.answer = answer;
    this.faults = faults;
  }

  /**
   * Answers with these bytes and without headers.
   *
   * @return false if the call was answered before
   */
  public boolean reply(ByteString payload) {
    return answer.answer(NO_BYTES, payload.toArrayUnsafe());
  }

  /**
   * Answers with a failure, as the failed future of a handler does.
   *
   * @return false if the call was answered before
   */
  public boolean fail(Throwable failure) {
    faults.onFailure(answer.peer(), failure);
    return answer.fail(
        HandlerFailure.statusOf(failure, CallStatus.HANDLER_FAILED),
        HandlerFailure.textOf(failure));
  }
}
