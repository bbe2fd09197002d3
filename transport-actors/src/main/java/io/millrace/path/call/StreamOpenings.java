package io.millrace.path.call;

import io.millrace.body.RequestScreen;
import io.millrace.ends.RequestHold;
import io.millrace.path.causality.SlotToken;
import io.millrace.protocol.transfer.ServedCall;
import io.millrace.transfer.CallOutcome;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What calls have to do with the streams that they open, on one path. On the worker's thread. */
public interface StreamOpenings {
  /** To what peers begin while this node is drained. */
  String DRAINING = "the peer is about to shut down; this was not executed";

  /** There are no streams. */
  StreamOpenings NONE = new StreamOpenings() {};

  /** Asked ahead of openings that come as bodies. */
  default RequestScreen screen(long route, int pattern) {
    return RequestScreen.NONE;
  }

  /** A call of this node has its id, and its request is queued, or on its way as a body. */
  default void onOpened(PeerCall call, boolean isBody) {}

  /** The request of a call was queued as a frame, and goes as a body after all. */
  default void onSentAsBody(PeerCall call) {}

  /** The peer has taken over the request of a call, which was a body. */
  default void onRequestTaken(PeerCall call) {}

  /** Ends the flows of a call, if it has any, which is the end of the call; else returns false. */
  default boolean giveUp(PeerCall call, CallOutcome outcome, String text) {
    return false;
  }

  /**
   * How a stream opens.
   *
   * @param route the route's id
   * @param pattern 1 to 3
   * @param headers of the request
   * @param payload the request of a streaming response
   * @param isScreened whether the headers have passed the acceptor's screen already
   * @param token what names it at this node, or null
   * @param memory set aside for it; null if there was none, and then it is empty and not wanted
   */
  record Opening(
      long route,
      int pattern,
      byte[] headers,
      byte[] payload,
      boolean isScreened,
      @Nullable SlotToken token,
      @Nullable RequestHold memory) {}

  /** Says when a stream is offered to the application. */
  interface Gate {
    /** Runs one of the two, now or later. */
    void pass(Runnable offer, Consumer<String> refuse);
  }

  /** The peer opened a stream by this call. */
  default void onOpening(ServedCall call, Opening opening, Gate gate) {}

  /** The peer gave the call up that opened a stream, if it did. */
  default void onGivenUp(long transferId, String text) {}

  /** The path has ended: the streams that the peer opened fail. */
  default void failAll(CallOutcome outcome, String text) {}
}
