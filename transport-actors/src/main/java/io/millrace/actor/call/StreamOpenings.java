package io.millrace.actor.call;

import io.millrace.actor.body.RequestScreen;
import io.millrace.protocol.transfer.ServedCall;
import io.millrace.transfer.CallOutcome;

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

  /** The peer opened a stream by this call. */
  default void onOpening(
      ServedCall call,
      long route,
      int pattern,
      byte[] headers,
      byte[] payload,
      boolean isScreened) {}

  /** The peer gave the call up that opened a stream, if it did. */
  default void onGivenUp(long transferId, String text) {}

  /** The path has ended: the streams that the peer opened fail. */
  default void failAll(CallOutcome outcome, String text) {}
}
