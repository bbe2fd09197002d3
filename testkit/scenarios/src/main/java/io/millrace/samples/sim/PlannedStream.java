package io.millrace.samples.sim;

/**
 * A stream planned by the seed; both ends know the whole plan by its id.
 *
 * @param id the id of the stream
 * @param from the caller's node
 * @param to the callee's node
 * @param kind the kind of flows
 * @param fate the planned fault, if any
 * @param requests the number of elements in the caller's flow
 * @param responses the number of elements in the callee's flow
 * @param breakAt the number of the element at which the fate comes, from 1
 * @param mostBytes the most bytes of an element
 * @param priority 0 to 7
 */
record PlannedStream(
    long id,
    int from,
    int to,
    Kind kind,
    Fate fate,
    int requests,
    int responses,
    int breakAt,
    int mostBytes,
    int priority) {
  /** The flows of a stream. */
  enum Kind {
    /** A request, and many responses. */
    RESPONSE,
    /** Many requests, and a response with the number of elements taken. */
    REQUEST,
    /** Many requests and many responses, independent of each other. */
    BIDIRECTIONAL
  }

  /** The planned fault of a stream. */
  enum Fate {
    /** No fault. */
    PLAIN,
    /** Its receivers stall in the middle. */
    SLOW,
    /** The handler fails at once. */
    HANDLER_FAILS,
    /** The handler's responses fail in the middle. */
    RESPONSES_FAIL,
    /** The caller's requests fail in the middle. */
    REQUESTS_FAIL,
    /** The caller cancels the responses in the middle. */
    CALLER_CANCELS,
    /** The handler cancels the requests in the middle. */
    HANDLER_CANCELS
  }

  /** Returns whether this fate can come to a stream of this kind. */
  static boolean isApt(Kind kind, Fate fate) {
    return switch (fate) {
      case PLAIN, SLOW, HANDLER_FAILS -> true;
      case RESPONSES_FAIL, CALLER_CANCELS -> kind != Kind.REQUEST;
      case REQUESTS_FAIL, HANDLER_CANCELS -> kind != Kind.RESPONSE;
    };
  }

  /** Returns the number of elements in a flow, if the stream's fate lets all elements come. */
  int count(boolean isResponse) {
    return isResponse ? responses : requests;
  }

  /** Whether the elements of a flow fail in the middle. */
  boolean breaks(boolean isResponse) {
    return fate == (isResponse ? Fate.RESPONSES_FAIL : Fate.REQUESTS_FAIL);
  }

  /** Returns the number of elements that the receiver of an unbroken flow takes. */
  int taken(boolean isResponse) {
    boolean isCut = fate == (isResponse ? Fate.CALLER_CANCELS : Fate.HANDLER_CANCELS);
    return isCut ? breakAt : count(isResponse);
  }

  /** Returns a digest that stands for the stream. */
  long digest() {
    return id << Byte.SIZE ^ mostBytes;
  }

  @Override
  public String toString() {
    return kind
        + " "
        + id
        + " from n"
        + from
        + " to n"
        + to
        + ", "
        + requests
        + " requests, "
        + responses
        + " responses of up to "
        + mostBytes
        + " B, priority "
        + priority
        + ", "
        + fate
        + " at "
        + breakAt;
  }
}
