package io.millrace.samples.log.core;

import org.apache.pekko.util.ByteString;

/**
 * The result of an operation.
 *
 * @param status the way in which the operation ended
 * @param number the number of the opened session; for {@link Status#NOT_LEADER} the leading
 *     replica, or -1; for {@link Status#TOO_LARGE} the limit, bytes
 * @param value the value found; empty if the key has no value
 */
public record Result(Status status, long number, ByteString value) {
  private static final ByteString NOTHING = ByteString.emptyByteString();
  private static final Status[] STATUSES = Status.values();

  /** How an operation ended; the order is on the wire and on the disk. */
  public enum Status {
    DONE,
    /** A compare-and-set found another value, given in the answer. */
    DIFFERENT,
    /** The session is unknown, or was forgotten: whether the operation was done is unknown. */
    NO_SESSION,
    /** Nothing was done: ask the leader. */
    NOT_LEADER,
    /**
     * The operation may have been done or may be done later: ask again with the same sequence
     * number.
     */
    UNCERTAIN,
    /** Nothing was done: too many operations wait. */
    OVERLOADED,
    /** Nothing was done: the operation is too large, or the state would become too large. */
    TOO_LARGE
  }

  /** Returns a result with a value. */
  public static Result of(Status status, ByteString value) {
    return new Result(status, 0, value);
  }

  /** Returns a result with a number. */
  public static Result of(Status status, long number) {
    return new Result(status, number, NOTHING);
  }

  /** Returns whether the log has answered, so that another question changes nothing. */
  public boolean isFinal() {
    return switch (status) {
      case DONE, DIFFERENT, NO_SESSION, TOO_LARGE -> true;
      case NOT_LEADER, UNCERTAIN, OVERLOADED -> false;
    };
  }

  /** Writes the fields. */
  public void write(FieldWriter out) {
    out.small(status.ordinal()).number(number).bytes(value);
  }

  /** Reads the fields. */
  public static Result read(FieldReader in) {
    int status = in.small();
    if (status < 0 || status >= STATUSES.length) {
      throw new IllegalArgumentException("there is no status " + status);
    }
    return new Result(STATUSES[status], in.number(), in.bytes());
  }
}
