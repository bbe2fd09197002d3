package io.millrace.samples.log.core;

/**
 * The limits of a log's sizes, bytes. All replicas must have the same limits, since the result of
 * an operation depends on the limits.
 *
 * @param operation the bytes of one operation; a larger operation is refused by {@code TOO_LARGE}.
 *     At most {@link #MOST_OPERATION}
 * @param batch the bytes of the operations in one slot, about
 * @param waiting the bytes of operations waiting for a slot at a leader; more operations are
 *     refused by {@code OVERLOADED}
 * @param log the bytes of chosen values since the last checkpoint, until the next checkpoint is
 *     written. As many bytes stay in memory behind a checkpoint, for replicas that lag
 * @param state the bytes of keys and values; an operation beyond this limit is refused by {@code
 *     TOO_LARGE}. The last answers of sessions take an eighth of this limit at most; the limit is
 *     {@link #MOST_STATE} at most
 */
public record SizeLimits(int operation, int batch, long waiting, long log, long state) {
  /** A promise holds some dozen operations in one message, and the transport bounds a message. */
  public static final int MOST_OPERATION = 1 << 20;

  /** A checkpoint is one array of bytes. */
  public static final long MOST_STATE = 512L << 20;

  /**
   * The bytes of accepted entries beyond the slots known to be chosen; a promise holds all these
   * entries.
   */
  public static final long MOST_OPEN = 32L << 20;

  /** The usual limits. */
  public static final SizeLimits USUAL =
      new SizeLimits(MOST_OPERATION, 64 * 1024, 64L << 20, 256L << 20, MOST_STATE);

  /** Refuses limits that allow no operation at all. */
  public SizeLimits {
    if (operation < Operation.LEAST_BYTES || operation > MOST_OPERATION) {
      throw new IllegalArgumentException(
          "an operation may have " + MOST_OPERATION + " bytes at most, not " + operation);
    }
    if (batch < 1 || batch > MOST_OPERATION) {
      throw new IllegalArgumentException(
          "a slot may have " + MOST_OPERATION + " bytes at most, not " + batch);
    }
    if (state < 1 || state > MOST_STATE) {
      throw new IllegalArgumentException(
          "the state may have " + MOST_STATE + " bytes at most, not " + state);
    }
    if (waiting < operation || log < 1) {
      throw new IllegalArgumentException("too few bytes may wait or be logged");
    }
  }

  /** Returns these limits with other bounds of one operation and of the state. */
  public SizeLimits with(int otherOperation, long otherState) {
    return new SizeLimits(otherOperation, batch, waiting, log, otherState);
  }
}
