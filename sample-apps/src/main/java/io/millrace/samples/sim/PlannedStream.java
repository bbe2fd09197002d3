package io.millrace.samples.sim;

/**
 * A stream that the seed has planned; both ends know all of it by its id.
 *
 * @param id which
 * @param from caller's node
 * @param to callee's node
 * @param kind which flows it has
 * @param fate what happens to it on purpose
 * @param requests elements of the caller's flow
 * @param responses elements of the callee's flow
 * @param breakAt number of the element at which its fate comes, from 1
 * @param mostBytes most bytes of one element
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
  /** Which flows a stream has. */
  enum Kind {
    /** One request, many responses. */
    RESPONSE,
    /** Many requests, one response: how many were taken. */
    REQUEST,
    /** Many of both, independent of each other. */
    BIDIRECTIONAL
  }

  /** What happens to a stream on purpose. */
  enum Fate {
    /** Nothing. */
    PLAIN,
    /** Its receivers stall in the middle. */
    SLOW,
    /** The handler fails at once. */
    HANDLER_FAILS,
    /** The handler's responses fail in the middle. */
    RESPONSES_FAIL,
    /** The caller's requests fail in the middle. */
    REQUESTS_FAIL,
    /** The caller wants no more responses. */
    CALLER_CANCELS,
    /** The handler wants no more requests. */
    HANDLER_CANCELS
  }

  /** Whether its fate can come to a stream of this kind. */
  static boolean isApt(Kind kind, Fate fate) {
    return switch (fate) {
      case PLAIN, SLOW, HANDLER_FAILS -> true;
      case RESPONSES_FAIL, CALLER_CANCELS -> kind != Kind.REQUEST;
      case REQUESTS_FAIL, HANDLER_CANCELS -> kind != Kind.RESPONSE;
    };
  }

  /** Elements of one of its flows, if its fate lets them all come. */
  int count(boolean isResponse) {
    return isResponse ? responses : requests;
  }

  /** Whether the elements of a flow fail in the middle. */
  boolean breaks(boolean isResponse) {
    return fate == (isResponse ? Fate.RESPONSES_FAIL : Fate.REQUESTS_FAIL);
  }

  /** Elements of a flow that its receiver takes if it is not broken off. */
  int taken(boolean isResponse) {
    boolean isCut = fate == (isResponse ? Fate.CALLER_CANCELS : Fate.HANDLER_CANCELS);
    return isCut ? breakAt : count(isResponse);
  }

  /** What stands for the stream. */
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
