package io.millrace.body;

import io.millrace.buffer.TransferBuffer;
import io.millrace.crypto.DataKey;
import io.millrace.transfer.Protection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A payload that was sealed once, under a data key of its own, for any number of peers. One
 * allocation in ranges, each held by the owner and by every transfer that is not done with it, so
 * that memory goes back range by range. Counting is for any thread.
 */
public final class SharedPayload {
  private final List<TransferBuffer> ranges;
  private final @Nullable DataKey key;
  private final int headersBytes;
  private final int bodyBytes;
  private final boolean isCovered;
  private final Protection protection;

  SharedPayload(
      List<TransferBuffer> ranges,
      @Nullable DataKey key,
      int headersBytes,
      int bodyBytes,
      boolean isCovered,
      Protection protection) {
    this.protection = protection;
    this.ranges = ranges;
    this.key = key;
    this.headersBytes = headersBytes;
    this.bodyBytes = bodyBytes;
    this.isCovered = isCovered;
  }

  /** How the payload behind the headers is protected. */
  public Protection protection() {
    return protection;
  }

  /** Leading bytes that are headers. */
  public int headersBytes() {
    return headersBytes;
  }

  /** Bytes of headers and payload. */
  public int bodyBytes() {
    return bodyBytes;
  }

  /** How many hold the range that most hold; 0 once all of it is free. */
  public int refCount() {
    int most = 0;
    for (TransferBuffer range : ranges) {
      most = Math.max(most, range.refCount());
    }
    return most;
  }

  /** Bytes of ranges that somebody holds. */
  public int heldBytes() {
    int sum = 0;
    for (TransferBuffer range : ranges) {
      sum += range.refCount() > 0 ? range.lengthBytes() : 0;
    }
    return sum;
  }

  /**
   * So many more transfers hold all of it. Only for who holds all of it.
   *
   * @throws IllegalStateException if some of it was freed
   */
  public void retain(int transfers) {
    for (TransferBuffer range : ranges) {
      range.retain(transfers);
    }
  }

  /** Somebody who held all of it does not any more. */
  public void release() {
    for (TransferBuffer range : ranges) {
      range.release();
    }
  }

  /** As {@link #release}, for an owner that was collected without having done so: that is told. */
  public void releaseDropped() {
    if (!ranges.isEmpty()) {
      ranges.getFirst().reportLeak(heldBytes());
    }
    release();
  }

  /** Begins to send all of it as {@code body}, which takes over the caller's hold. Its worker. */
  public void send(OutboundBody body) {
    body.start(new Feed(body));
  }

  /** Gives all records at once: they need no memory of their own. */
  private final class Feed implements BodyFeed {
    private final OutboundBody body;

    private Feed(OutboundBody body) {
      this.body = body;
    }

    @Override
    public void start() {
      if (ranges.isEmpty()) {
        body.onSealed(new SealedRecords(body, null, null, 0, true));
        return;
      }
      long position = 0;
      for (int i = 0; i < ranges.size(); i++) {
        TransferBuffer range = ranges.get(i);
        body.onSealed(new SealedRecords(body, range, key, position, i == ranges.size() - 1));
        position += range.lengthBytes();
      }
    }

    @Override
    public void onAcknowledged(int bytes) {
      // The fill that was acknowledged has let go of its range.
    }

    @Override
    public void onPlaced(int bytes) {
      // There is nothing to read ahead.
    }

    @Override
    public void cancel() {
      // The body lets go of its records.
    }

    @Override
    public boolean isCovered() {
      return isCovered;
    }
  }
}
