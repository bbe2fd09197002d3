package io.millrace.protocol.transfer;

/**
 * Decides how many inline bytes a peer may send in all on this path: what was consumed plus the
 * window; rules C-2 to C-4. A peer that sends more broke the protocol. Owned by the path's worker.
 * No clock; does not allocate.
 */
public final class ReceiveCredit {
  private final long windowBytes;
  private long receivedBytes;
  private long consumedBytes;
  private long announcedBytes;
  private long trackedBytes;

  /**
   * A window of which the handshake announced the first bytes.
   *
   * @param initialBytes what the peer knows that it may send, at most {@code windowBytes}
   * @param windowBytes what it may have outstanding once it was told
   */
  public ReceiveCredit(long initialBytes, long windowBytes) {
    this.windowBytes = windowBytes;
    announcedBytes = initialBytes;
    trackedBytes = initialBytes;
  }

  /**
   * A message of this cost arrived for the first time.
   *
   * @return false when the peer had no credit for it
   */
  public boolean onReceived(int costBytes) {
    if (receivedBytes + costBytes > announcedBytes) {
      return false;
    }
    receivedBytes += costBytes;
    assert invariantsHold();
    return true;
  }

  /** The memory of a received message is free again. */
  public void onConsumed(int costBytes) {
    consumedBytes += costBytes;
    assert invariantsHold();
  }

  /**
   * The limit to write into an acknowledgement now. It counts as allowed from here on, whether or
   * not the packet arrives.
   */
  public long announce() {
    announcedBytes = consumedBytes + windowBytes;
    return announcedBytes;
  }

  /** The last {@link #announce()} went in a packet that is sent again if it is lost. */
  public void onAnnouncementTracked() {
    trackedBytes = announcedBytes;
    assert invariantsHold();
  }

  /**
   * Whether so much was consumed since the last tracked announcement that the peer must be told:
   * acknowledgements are not sent again, so those alone could leave a peer without credit for ever.
   */
  public boolean isAnnouncementDue() {
    return consumedBytes + windowBytes - trackedBytes >= windowBytes >>> 1;
  }

  /** Bytes received and not yet consumed. */
  public long outstandingBytes() {
    return receivedBytes - consumedBytes;
  }

  private boolean invariantsHold() {
    assert consumedBytes <= receivedBytes && receivedBytes <= announcedBytes;
    assert trackedBytes <= announcedBytes;
    return true;
  }
}
