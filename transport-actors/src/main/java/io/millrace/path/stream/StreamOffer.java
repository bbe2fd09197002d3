package io.millrace.path.stream;

import io.millrace.access.admission.Caller;
import io.millrace.ends.ElementStream;
import io.millrace.ends.ExecutorLane;
import io.millrace.ends.LaneTask;
import io.millrace.ends.RequestHold;
import io.millrace.ends.StreamEnd;
import io.millrace.path.call.CallOutcomes;
import io.millrace.path.call.HeaderLimits;
import io.millrace.path.call.StreamOpenings;
import io.millrace.wire.codec.CallStatus;
import java.util.Objects;

/**
 * A stream opened by a peer.
 *
 * @param caller the peer
 * @param priority 0 to 7
 * @param opening the terms of the opening
 * @param limits the limits of the response's headers
 * @param stream the flows of the stream; the first element to offer are the response's headers
 */
public record StreamOffer(
    Caller caller,
    int priority,
    StreamOpenings.Opening opening,
    HeaderLimits limits,
    ElementStream stream) {
  /** The headers of the request. */
  public byte[] headers() {
    return opening.headers();
  }

  /** The request of a streaming response. */
  public byte[] payload() {
    return opening.payload();
  }

  /** Whether the headers have passed the acceptor's screen already. */
  public boolean isScreened() {
    return opening.isScreened();
  }

  /**
   * Has a task run on the executor of the stream's handler; the task calls {@link #onTaken} and
   * {@link #onHandled}. Refuses the stream if the executor's queue is full.
   */
  public void handOver(ExecutorLane lane, LaneTask task) {
    String problem = memory().handOver(lane, task);
    if (problem != null) {
      refuse(CallStatus.OVERLOADED, problem);
    }
  }

  /** The task was taken out of the executor's queue. */
  public void onTaken() {
    memory().onTaken();
  }

  /** The task has ended: the task needs the request no more. */
  public void onHandled() {
    memory().release();
  }

  private RequestHold memory() {
    return Objects.requireNonNull(opening.memory());
  }

  /** Refuses the stream. Any thread may call this. */
  public void refuse(CallStatus status, String text) {
    refuseRequests(status, text);
    stream.outlet().fail(status, text);
  }

  /**
   * No more requests are wanted; the taker of the requests sees them fail with this status, for a
   * request may be missing. Any thread may call this.
   *
   * @param status a status other than {@code OK}
   */
  public void refuseRequests(CallStatus status, String text) {
    stream.inlet().giveUp(new StreamEnd(CallOutcomes.of(status.value()), text));
  }
}
