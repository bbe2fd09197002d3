package io.millrace.samples.log.core;

/**
 * How large things of a log may become, bytes. All replicas must have the same, since what an
 * operation does depends on it.
 *
 * @param operation one operation at most; a larger one is refused by {@code TOO_LARGE}. At most
 *     {@link #MOST_OPERATION}
 * @param batch operations that share a slot take about so much, at most
 * @param waiting operations that wait for a slot at a leader; more are refused by {@code
 *     OVERLOADED}
 * @param log values of chosen slots since the last checkpoint, until the next one is written; as
 *     much stays in memory behind a checkpoint, for replicas that lag
 * @param state keys and values at most; an operation beyond that is refused by {@code TOO_LARGE}.
 *     What sessions were answered last takes an eighth of that at most, at {@link #MOST_STATE} at
 *     most
 */
public record SizeLimits(int operation, int batch, long waiting, long log, long state) {
  /** A promise holds some dozen of them in one message, whose bound is the transport's. */
  public static final int MOST_OPERATION = 1 << 20;

  /** A checkpoint is one array of bytes. */
  public static final long MOST_STATE = 512L << 20;

  /** What a replica accepts beyond the slots that it knows to be chosen; a promise has it all. */
  public static final long MOST_OPEN = 32L << 20;

  /** The usual ones. */
  public static final SizeLimits USUAL =
      new SizeLimits(MOST_OPERATION, 64 * 1024, 64L << 20, 256L << 20, MOST_STATE);

  /** Refuses what nothing could be done with. */
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

  /** With other bounds of one operation and of the state. */
  public SizeLimits with(int otherOperation, long otherState) {
    return new SizeLimits(otherOperation, batch, waiting, log, otherState);
  }
}
