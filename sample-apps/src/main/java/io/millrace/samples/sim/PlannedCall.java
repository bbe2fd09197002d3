package io.millrace.samples.sim;

/**
 * A call that the seed has planned; both ends know all of it by its id.
 *
 * @param id which
 * @param from caller's node
 * @param to callee's node
 * @param kind what it does
 * @param fate what happens to it on purpose
 * @param bytes of the request's payload, or of a body
 * @param answerBytes of the response's payload
 * @param headersBytes of the request's header, the id among them
 * @param priority 0 to 7
 * @param slowNs how long its handler takes
 */
record PlannedCall(
    long id,
    int from,
    int to,
    Kind kind,
    Fate fate,
    int bytes,
    int answerBytes,
    int headersBytes,
    int priority,
    long slowNs) {
  /** What a call does. */
  enum Kind {
    /** A call whose handler runs on the executor. */
    UNARY,
    /** A call whose handler runs on the worker. */
    ON_WORKER,
    /** A bulk write. */
    WRITE,
    /** A bulk read. */
    READ
  }

  /** What happens to a call on purpose. */
  enum Fate {
    /** Nothing. */
    PLAIN,
    /** The handler takes its time. */
    SLOW,
    /** The handler fails, or refuses. */
    HANDLER_FAILS,
    /** The source fails before the end. */
    SOURCE_FAILS,
    /** The target fails before the end. */
    TARGET_FAILS,
    /** The target does not want the rest. */
    CANCELLED
  }

  /** What stands for the bytes, all of them and nothing else. */
  long digest() {
    return id << Byte.SIZE ^ bytes;
  }

  /** The same by a unary call. */
  PlannedCall asUnary() {
    return new PlannedCall(
        id, from, to, Kind.UNARY, fate, bytes, answerBytes, headersBytes, priority, slowNs);
  }

  /** Where a body breaks off if it is meant to. */
  long breakAt() {
    return bytes / 2;
  }

  @Override
  public String toString() {
    return kind
        + " "
        + id
        + " of "
        + bytes
        + " B from n"
        + from
        + " to n"
        + to
        + ", answer "
        + answerBytes
        + " B, priority "
        + priority
        + ", "
        + fate;
  }
}
