package io.millrace.transfer;

/** How a call ended, as the caller sees the call. */
public enum CallOutcome {
  /** The handler answered. */
  OK,
  /** The handler failed; the text says how. */
  HANDLER_FAILED,
  /** The peer has no handler for the route. */
  UNKNOWN_ROUTE,
  /** The peer's handlers were full; the call was not executed. */
  OVERLOADED,
  /** The handler's answer does not fit a message. */
  RESPONSE_TOO_LARGE,
  /** This side had no memory to put the answer together; the call was executed. */
  RESPONSE_DROPPED,
  /** The peer, or this node, is about to shut down; the call was not executed. */
  SHUTTING_DOWN,
  /** Headers and payload together do not fit a message to this peer. */
  PAYLOAD_TOO_LARGE,
  /** The handshake with the peer failed; the text says why. */
  HANDSHAKE_FAILED,
  /** The peer has not answered for a while, and the call was not sent. */
  PEER_UNREACHABLE,
  /** The peer did not answer its probes; the call may have been executed. */
  PEER_UNRESPONSIVE,
  /** The peer restarted or gave up the path; the call may have been executed. */
  PEER_RESET,
  /** This side's handling of the peer failed; the call may have been executed. */
  PEER_FAULT,
  /** The submission queue is full; the call was not sent. */
  SUBMISSION_FULL,
  /** The local transport was closed; the call may have been executed. */
  CLOSED,
  /** The receiver does not want this transfer; the text says why. */
  REFUSED,
  /**
   * The peer does not authorise this node to use the route so, the text says why; no handler ran.
   */
  NOT_AUTHORISED,
  /** Where the bytes should come from failed; the text says how. */
  SOURCE_FAILED,
  /** Where the bytes should go failed; the text says how. */
  TARGET_FAILED,
  /** Bytes did not match their tags again and again. */
  NOT_AUTHENTIC,
  /**
   * The side that began the transfer, or the other side of a stream, wants no more of the transfer.
   */
  CANCELLED,
  /**
   * The peer could not decode a request, the text says why; a handler of a single request was not
   * run.
   */
  REQUEST_NOT_DECODED,
  /** This side could not decode a response, the text says why; the call was executed. */
  RESPONSE_NOT_DECODED,
  /** The deadline that this side set has passed; the call may have been executed. */
  EXPIRED,
  /**
   * The worker that served the peer has stopped, though the transport was not closed; the call may
   * have been executed.
   */
  WORKER_STOPPED,
  /**
   * A transfer failed that this call depends on critically; {@code CallException} says which
   * transfer is at the root, and whether this call may have been executed.
   */
  DEPENDENCY_FAILED,
  /**
   * The call was not sent: the call depends critically on a transfer that ended so long ago that
   * its outcome is forgotten.
   */
  DEPENDENCY_EXPIRED;

  /** Whether the peer executed a call, as far as its caller can know. */
  public enum Execution {
    /** The peer's handler ran. */
    YES,
    /** No handler ran, and no handler will run. */
    NO,
    /** A handler may have run, or be running. */
    UNKNOWN
  }

  /** Whether the peer executed a call with this outcome. */
  public Execution execution() {
    return switch (this) {
      case OK, HANDLER_FAILED, RESPONSE_TOO_LARGE, RESPONSE_DROPPED, RESPONSE_NOT_DECODED ->
          Execution.YES;
      case UNKNOWN_ROUTE,
          OVERLOADED,
          SHUTTING_DOWN,
          PAYLOAD_TOO_LARGE,
          HANDSHAKE_FAILED,
          PEER_UNREACHABLE,
          SUBMISSION_FULL,
          REFUSED,
          NOT_AUTHORISED,
          REQUEST_NOT_DECODED,
          DEPENDENCY_EXPIRED ->
          Execution.NO;
      case PEER_UNRESPONSIVE,
          PEER_RESET,
          PEER_FAULT,
          CLOSED,
          SOURCE_FAILED,
          TARGET_FAILED,
          NOT_AUTHENTIC,
          CANCELLED,
          EXPIRED,
          WORKER_STOPPED,
          DEPENDENCY_FAILED ->
          Execution.UNKNOWN;
    };
  }

  /**
   * Whether the same call may end otherwise on another try, at this peer later or at another peer.
   * A true answer does not say that a repeated call is safe: {@link #execution} does.
   */
  public boolean isRetryable() {
    return switch (this) {
      case OVERLOADED,
          RESPONSE_DROPPED,
          SHUTTING_DOWN,
          HANDSHAKE_FAILED,
          PEER_UNREACHABLE,
          PEER_UNRESPONSIVE,
          PEER_RESET,
          PEER_FAULT,
          SUBMISSION_FULL,
          NOT_AUTHENTIC,
          EXPIRED,
          WORKER_STOPPED ->
          true;
      case OK,
          HANDLER_FAILED,
          UNKNOWN_ROUTE,
          RESPONSE_TOO_LARGE,
          PAYLOAD_TOO_LARGE,
          CLOSED,
          REFUSED,
          NOT_AUTHORISED,
          SOURCE_FAILED,
          TARGET_FAILED,
          CANCELLED,
          REQUEST_NOT_DECODED,
          RESPONSE_NOT_DECODED,
          DEPENDENCY_FAILED,
          DEPENDENCY_EXPIRED ->
          false;
    };
  }
}
