package io.millrace.testkit.path;

import io.millrace.testkit.internal.path.PumpedStream;
import io.millrace.transfer.CallOutcome;
import java.util.List;

/**
 * The caller's end of a stream on the path of a {@link PathPair}, with elements in both directions.
 * Elements wait at this end while the peer gives no credit for them.
 */
public final class PairStream {
  private final PumpedStream stream;

  PairStream(PumpedStream stream) {
    this.stream = stream;
  }

  /**
   * Sends an element.
   *
   * @throws IllegalStateException after {@link #end}, and after a failure of the stream
   */
  public void send(byte[] element) {
    stream.send(element);
  }

  /** Ends the flow to the peer, behind the elements sent so far. */
  public void end() {
    stream.end();
  }

  /** The elements that have arrived from the peer, in their order. */
  public List<byte[]> received() {
    return stream.received();
  }

  /** Whether the flow from the peer has ended, and all its elements have arrived. */
  public boolean isEnded() {
    return stream.outcome() != null;
  }

  /**
   * The outcome of the flow from the peer.
   *
   * @throws IllegalStateException before the end of this flow
   */
  public CallOutcome outcome() {
    CallOutcome outcome = stream.outcome();
    if (outcome == null) {
      throw new IllegalStateException("the stream has not ended");
    }
    return outcome;
  }

  /** The reason of a failure, for a person; empty without a failure. */
  public String text() {
    return stream.text();
  }
}
