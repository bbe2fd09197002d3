package io.millrace.body;

import io.millrace.buffer.TransferBuffer;
import io.millrace.crypto.DataKey;
import io.millrace.transfer.Protection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A payload sealed once, under a data key of its own, for any number of peers. One allocation in
 * ranges, each held by the owner and by every unfinished transfer, so that memory goes back range
 * by range. Counting is for any thread.
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

  /** The protection of the payload behind the headers. */
  public Protection protection() {
    return protection;
  }

  /** The number of leading bytes of headers. */
  public int headersBytes() {
    return headersBytes;
  }

  /** Bytes of headers and payload. */
  public int bodyBytes() {
    return bodyBytes;
  }

  /** The number of holders of the range with the most holders; 0 once the whole payload is free. */
  public int refCount() {
    int most = 0;
    for (TransferBuffer range : ranges) {
      most = Math.max(most, range.refCount());
    }
    return most;
  }

  /** The number of bytes of held ranges. */
  public int heldBytes() {
    int sum = 0;
    for (TransferBuffer range : ranges) {
      sum += range.refCount() > 0 ? range.lengthBytes() : 0;
    }
    return sum;
  }

  /**
   * This number of further transfers holds the whole payload. Only for a holder of the whole
   * payload.
   *
   * @throws IllegalStateException if a part of the payload was freed
   */
  public void retain(int transfers) {
    for (TransferBuffer range : ranges) {
      range.retain(transfers);
    }
  }

  /** A holder of the whole payload lets the payload go. */
  public void release() {
    for (TransferBuffer range : ranges) {
      range.release();
    }
  }

  /** As {@link #release}, for an owner collected without a release: the leak is reported. */
  public void releaseDropped() {
    if (!ranges.isEmpty()) {
      ranges.getFirst().reportLeak(heldBytes());
    }
    release();
  }

  /**
   * Begins to send the whole payload as {@code body}, which takes over the caller's hold. On the
   * thread of the body's worker.
   */
  public void send(OutboundBody body) {
    body.start(new Feed(body));
  }

  /** Gives all records at once: the records need no memory of their own. */
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
      // The acknowledged fill has let go of its range.
    }

    @Override
    public void onPlaced(int bytes) {
      // The feed has nothing to read ahead.
    }

    @Override
    public void cancel() {
      // The body lets go of the records.
    }

    @Override
    public boolean isShared() {
      return true;
    }

    @Override
    public boolean isCovered() {
      return isCovered;
    }
  }
}
