package io.millrace.protocol.replay;

/**
 * The answers that the sender of transfers owes to challenges of its peer on a path, in the order
 * of the challenges' arrival; rules RP-5 and RP-6. Bounded: a challenge without room is not
 * answered, and the peer asks again or forgets. Owned by the path, on the worker's thread. No
 * clock; does not allocate after construction.
 */
public final class ChallengeAnswers {
  /** The number of answers that may wait; a power of two. */
  public static final int MOST = 64;

  private final long[] nonces = new long[MOST];
  private final long[] transferIds = new long[MOST];
  private long confirmed;
  private long first;
  private long end;

  /** Nothing is to be answered. */
  public ChallengeAnswers() {}

  /**
   * An answer is to go.
   *
   * @param isOwn whether the transfer is this side's and wanted; otherwise a FlowReset says so
   * @return false without room for the answer
   */
  public boolean add(long nonce, long transferId, boolean isOwn) {
    if (end - first == MOST) {
      return false;
    }
    int place = place(end++);
    nonces[place] = nonce;
    transferIds[place] = transferId;
    confirmed = isOwn ? confirmed | 1L << place : confirmed & ~(1L << place);
    assert invariantsHold();
    return true;
  }

  /** Whether nothing is to be answered. */
  public boolean isEmpty() {
    return first == end;
  }

  /** The nonce of the first answer. */
  public long nonce() {
    return nonces[place(first)];
  }

  /** The transfer of the first answer. */
  public long transferId() {
    return transferIds[place(first)];
  }

  /** Whether the first answer says that the transfer is this side's. */
  public boolean isOwn() {
    return (confirmed & 1L << place(first)) != 0;
  }

  /** The first answer was sent. */
  public void remove() {
    first++;
    assert invariantsHold();
  }

  private static int place(long number) {
    return (int) number & MOST - 1;
  }

  private boolean invariantsHold() {
    return first <= end && end - first <= MOST;
  }
}
