package io.millrace.testkit.internal.net;

/** The counts of a network's events so far. Read on the thread of the simulation. */
public final class NetworkCounters {
  private static final LossReason[] REASONS = LossReason.values();

  private final long[] lost = new long[REASONS.length];
  long sent;
  long sentBytes;
  long delivered;
  long deliveredBytes;
  long duplicated;
  long damaged;
  long marked;

  NetworkCounters() {}

  void onLost(LossReason reason) {
    lost[reason.ordinal()]++;
  }

  /** Datagrams sent by endpoints. */
  public long sent() {
    return sent;
  }

  /** Bytes of the sent datagrams. */
  public long sentBytes() {
    return sentBytes;
  }

  /** Datagrams that reached an endpoint, second copies included. */
  public long delivered() {
    return delivered;
  }

  /** Bytes of the delivered datagrams. */
  public long deliveredBytes() {
    return deliveredBytes;
  }

  /** Second copies made. */
  public long duplicated() {
    return duplicated;
  }

  /** Datagrams corrupted or truncated. */
  public long damaged() {
    return damaged;
  }

  /** Datagrams marked CE. */
  public long marked() {
    return marked;
  }

  /** Datagrams lost for this reason. */
  public long lost(LossReason reason) {
    return lost[reason.ordinal()];
  }

  /** Datagrams lost for all reasons. */
  public long lost() {
    long sum = 0;
    for (long count : lost) {
      sum += count;
    }
    return sum;
  }

  /** Datagrams on their way. */
  public long inFlight() {
    return sent + duplicated - delivered - lost();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append("sent ").append(sent).append(", delivered ").append(delivered);
    text.append(", duplicated ").append(duplicated).append(", damaged ").append(damaged);
    for (LossReason reason : REASONS) {
      if (lost(reason) > 0) {
        text.append(", lost ").append(reason).append(' ').append(lost(reason));
      }
    }
    return text.toString();
  }
}
