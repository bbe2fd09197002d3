package io.millrace.samples.sim;

/**
 * A call planned by the seed; both ends know the whole plan by its id.
 *
 * @param id the id of the call
 * @param from the caller's node
 * @param to the callee's node
 * @param kind the kind of the call
 * @param fate the planned fault, if any
 * @param bytes the bytes of the request's payload, or of a body
 * @param answerBytes the bytes of the response's payload
 * @param headersBytes the bytes of the request's header, the id among these
 * @param priority 0 to 7
 * @param slowNs the time that a slow handler takes
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
  /** The kind of a call. */
  enum Kind {
    /** A call with a handler on the executor. */
    UNARY,
    /** A call with a handler on the worker. */
    ON_WORKER,
    /** A bulk write. */
    WRITE,
    /** A bulk read. */
    READ
  }

  /** The planned fault of a call. */
  enum Fate {
    /** No fault. */
    PLAIN,
    /** The handler takes its time. */
    SLOW,
    /** The handler fails, or refuses. */
    HANDLER_FAILS,
    /** The source fails before the end. */
    SOURCE_FAILS,
    /** The target fails before the end. */
    TARGET_FAILS,
    /** The target cancels the rest of the body. */
    CANCELLED
  }

  /** Returns a digest that stands for the whole body and nothing else. */
  long digest() {
    return id << Byte.SIZE ^ bytes;
  }

  /** Returns the same call by a unary call. */
  PlannedCall asUnary() {
    return new PlannedCall(
        id, from, to, Kind.UNARY, fate, bytes, answerBytes, headersBytes, priority, slowNs);
  }

  /** Returns the position at which a body breaks off if the plan says so. */
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
