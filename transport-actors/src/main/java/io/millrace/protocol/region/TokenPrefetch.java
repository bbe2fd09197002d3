package io.millrace.protocol.region;

/**
 * Decides how many bytes of tokens to ask for ahead of need: as many bytes as were used lately,
 * within a limit, less the bytes of present tokens and of the demand. Owned by a {@link
 * TokenDemand}. Time is passed in; does not allocate.
 */
final class TokenPrefetch {
  private final long intervalNs;
  private long limitBytes;
  private long possessedBytes;
  private long usedBytes;
  private long usedBeforeBytes;
  private long sinceNs;
  private long toldBytes;

  /** Asks for nothing at first; "lately" means the present interval and the interval before. */
  TokenPrefetch(long intervalNs) {
    this.intervalNs = intervalNs;
  }

  void limit(long bytes) {
    limitBytes = bytes;
  }

  /** Whether the sender ever asks ahead of need. */
  boolean isOn() {
    return limitBytes > 0;
  }

  /** Sizes of the regions of all tokens. */
  void onPossessed(long bytes) {
    possessedBytes = bytes;
  }

  /** These bytes were placed under tokens. */
  void onUsed(long bytes, long nowNs) {
    final long elapsedNs = nowNs - sinceNs;
    if (elapsedNs >= intervalNs) {
      usedBeforeBytes = elapsedNs < 2 * intervalNs ? usedBytes : 0;
      usedBytes = 0;
      sinceNs = nowNs;
    }
    usedBytes += bytes;
  }

  /**
   * The demand asks for {@code wantedBytes} anyway: the receiver knows of no more than the missing
   * bytes.
   */
  void onWanted(long wantedBytes, long nowNs) {
    toldBytes = Math.min(toldBytes, bytes(wantedBytes, nowNs));
  }

  /** The bytes to ask for. */
  long bytes(long wantedBytes, long nowNs) {
    return Math.max(targetBytes(nowNs) - possessedBytes - wantedBytes, 0);
  }

  /** Whether the missing bytes that the receiver does not know of are worth a request. */
  boolean isDue(long wantedBytes, long nowNs) {
    final long missing = bytes(wantedBytes, nowNs);
    return missing > toldBytes + toldBytes / 4 && 2 * missing >= targetBytes(nowNs);
  }

  /** The missing bytes were told now. */
  void onTold(long wantedBytes, long nowNs) {
    toldBytes = bytes(wantedBytes, nowNs);
  }

  private long targetBytes(long nowNs) {
    final boolean isLately = nowNs - sinceNs < 2 * intervalNs;
    return isLately ? Math.min(limitBytes, Math.max(usedBytes, usedBeforeBytes)) : 0;
  }
}
