package io.millrace.path.call;

import io.millrace.body.RequestScreen;
import io.millrace.ends.RequestHold;
import io.millrace.path.causality.SlotToken;
import io.millrace.path.packet.ProtocolViolationException;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.protocol.transfer.OutboundCall;
import io.millrace.protocol.transfer.ServedCall;
import io.millrace.transfer.CallOutcome;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The hooks of one path's calls into the streams opened by these calls. On the worker's thread. */
public interface StreamOpenings {
  /** The answer to new calls of peers while this node is drained. */
  String DRAINING = "the peer is about to shut down; this was not executed";

  /** A path without streams. */
  StreamOpenings NONE = new StreamOpenings() {};

  /** The screen asked ahead of openings received as bodies. */
  default RequestScreen screen(long route, int pattern) {
    return RequestScreen.NONE;
  }

  /**
   * A call of this node has its id, and the request of the call is queued, or on the way as a body.
   */
  default void onOpened(PeerCall call, boolean isBody) {}

  /** The request of a call was queued as a frame, and goes as a body after all. */
  default void onSentAsBody(PeerCall call) {}

  /** The peer has taken over the request of a call, which was a body. */
  default void onRequestTaken(PeerCall call) {}

  /** Ends the flows of a call and thereby the call; false for a call without flows. */
  default boolean giveUp(PeerCall call, CallOutcome outcome, String text) {
    return false;
  }

  /**
   * Whether a refusal of the peer leaves the call open: segments sent behind the opening took
   * credit, and the peer does not know how much; rule S-11.
   */
  default boolean owesCost(OutboundCall call) {
    return false;
  }

  /** Whether the call was refused, and is open only until the peer knows the cost; rule S-11. */
  default boolean isRefused(OutboundCall call) {
    return false;
  }

  /**
   * This side has refused the opening of a stream, a body, in an answer; rule S-11. On the worker's
   * thread.
   */
  default void onRefusal(long transferId) {}

  /**
   * The terms of an opening.
   *
   * @param route the route's id
   * @param pattern 1 to 3
   * @param headers the headers of the request
   * @param payload the request of a streaming response
   * @param isScreened whether the headers have passed the acceptor's screen already
   * @param token the token of the stream at this node, or null
   * @param memory memory set aside for the opening; null if no memory was left, and then the
   *     opening is empty and not wanted
   */
  record Opening(
      long route,
      int pattern,
      byte[] headers,
      byte[] payload,
      boolean isScreened,
      @Nullable SlotToken token,
      @Nullable RequestHold memory) {}

  /** Decides when a stream is offered to the application. */
  interface Gate {
    /** Runs either {@code offer} or {@code refuse}, now or later. */
    void pass(Runnable offer, Consumer<String> refuse);
  }

  /** The peer opened a stream by this call. */
  default void onOpening(ServedCall call, Opening opening, Gate gate) {}

  /** The peer gave up a call; ends the stream opened by the call, if any. */
  default void onGivenUp(long transferId, String text) {}

  /** The path has ended: the streams opened by the peer fail. */
  default void failAll(CallOutcome outcome, String text) {}

  /** Whether a request of this pattern opens a stream. */
  static boolean isStream(int pattern) {
    if (pattern > StreamPattern.BIDIRECTIONAL) {
      throw new ProtocolViolationException("unknown pattern " + pattern);
    }
    return pattern != StreamPattern.UNARY;
  }
}
