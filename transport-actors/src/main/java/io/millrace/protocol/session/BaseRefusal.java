package io.millrace.protocol.session;

/**
 * Decides when a path ends because this host does not send datagrams of the size that every path
 * needs. Such a path sent a packet beyond the system's limit, and for a while no such packet was
 * acknowledged. Small packets pass meanwhile, so the peer looks healthy, and larger frames would be
 * retransmitted for ever. Rule M-6.
 *
 * <p>Owned by the path's worker. Time is passed in; does not allocate.
 */
public final class BaseRefusal {
  private static final long NONE = Long.MAX_VALUE;

  private final int baseBytes;
  private final long failAfterNs;
  private int localBytes = Integer.MAX_VALUE;
  private long deadlineNs = NONE;

  /**
   * Nothing is refused.
   *
   * @param baseBytes size of a datagram that every path must carry
   * @param failAfterNs from the first such packet to the end of the path
   */
  public BaseRefusal(int baseBytes, long failAfterNs) {
    this.baseBytes = baseBytes;
    this.failAfterNs = failAfterNs;
  }

  /** The system sends no larger datagram than this. */
  public void onLocalLimit(int bytes) {
    localBytes = bytes;
    if (bytes >= baseBytes) {
      deadlineNs = NONE;
    }
  }

  /** A packet of this number of bytes was given to the system. */
  public void onPacketSent(int bytes, long nowNs) {
    if (localBytes < baseBytes && bytes > localBytes && deadlineNs == NONE) {
      deadlineNs = nowNs + failAfterNs;
    }
  }

  /**
   * A packet of this number of bytes was acknowledged: the system sends such packets after all, in
   * fragments.
   */
  public void onPacketAcked(int bytes) {
    if (bytes > localBytes) {
      deadlineNs = NONE;
    }
  }

  /** When the path ends, ns; {@link Long#MAX_VALUE} if nothing is refused. */
  public long deadlineNs() {
    return deadlineNs;
  }

  /** The largest datagram that the system sends, bytes. */
  public int localBytes() {
    return localBytes;
  }
}
