package io.millrace.body;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A body that this side sends, as the worker of its path sees it: records that were sealed and wait
 * for regions, and how many fills are on their way. Worker's thread only.
 *
 * <pre>
 * OPEN -(last record placed)-> PLACED -(last fill acknowledged)-> DONE
 * OPEN, PLACED -(aborted)-> ABORTED
 * </pre>
 */
public final class OutboundBody {
  /** Moves bodies; the path. */
  public interface Carrier {
    /** Records were sealed. */
    void onSealed(OutboundBody body);

    /** The source failed; no more records come. */
    void onSourceFailed(OutboundBody body, String text);

    /** What one of these threw: it concerns no other path. */
    void onFault(Throwable fault);
  }

  private static final int UNRESTRICTED = Integer.MAX_VALUE;
  private static final long NOT_YET = -1;

  /** Fills that are at the peer at once beyond which their number is not counted. */
  private static final int MOST_COUNTED = 16;

  private final BodyTerms terms;
  private final Carrier carrier;
  private final ArrayDeque<SealedRecords> sealed = new ArrayDeque<>(2);
  private @Nullable BodyFeed feed;
  private int headUsedBytes;
  private int openFills;
  private int mostFillsOut = UNRESTRICTED;
  private int fillsBack;
  private long bytesBack;
  private long wantedBytes;
  private long queuedBytes;
  private long stageSinceNs = NOT_YET;
  private boolean isGranted;
  private boolean isPlaced;
  private boolean isOver;
  private boolean isWaiting;

  /** A body of which nothing was sealed yet. */
  public OutboundBody(BodyTerms terms, Carrier carrier) {
    this.terms = terms;
    this.carrier = carrier;
  }

  /** What notifications say. */
  public BodyTerms terms() {
    return terms;
  }

  /** Where records come from. */
  public BodyFeed feed() {
    BodyFeed present = feed;
    if (present == null) {
      throw new IllegalStateException("the body was not started");
    }
    return present;
  }

  void start(BodyFeed feed) {
    this.feed = feed;
    feed.start();
  }

  void onSealed(SealedRecords records) {
    if (isOver) {
      records.release();
      return;
    }
    sealed.addLast(records);
    queuedBytes += records.lengthBytes();
    try {
      carrier.onSealed(this);
    } catch (RuntimeException | Error e) {
      carrier.onFault(e);
    }
  }

  void onSourceFailed(String text) {
    if (isOver) {
      return;
    }
    try {
      carrier.onSourceFailed(this, text);
    } catch (RuntimeException | Error e) {
      carrier.onFault(e);
    }
  }

  /** Whether the packets of its chunks seal its bytes once more. */
  public boolean isCovered() {
    return feed().isCovered();
  }

  /** What is to be placed next, or null. */
  public @Nullable SealedRecords head() {
    return sealed.peekFirst();
  }

  /** What was sealed last. */
  public SealedRecords newest() {
    return sealed.getLast();
  }

  /** A fill goes on as two. */
  public void onFillSplit() {
    openFills++;
  }

  /** Bytes of {@link #head()} that are placed already. */
  public int headUsedBytes() {
    return headUsedBytes;
  }

  /** Sealed bytes that have no region yet. */
  public long queuedBytes() {
    return queuedBytes;
  }

  /** The next {@code bytes} of the head have a region; it is left when all has. */
  public void onPlaced(int bytes) {
    SealedRecords records = sealed.getFirst();
    headUsedBytes += bytes;
    queuedBytes -= bytes;
    openFills++;
    if (bytes > 0) {
      feed().onPlaced(bytes);
    }
    if (headUsedBytes == records.lengthBytes()) {
      sealed.removeFirst();
      records.release();
      headUsedBytes = 0;
      isPlaced |= records.isLast();
    }
  }

  /** Whether its first bytes have begun to wait for memory of the peer. */
  public boolean isStaged() {
    return stageSinceNs != NOT_YET;
  }

  /** Its first bytes wait for memory of the peer, from now on. */
  public void onWaiting(long nowNs) {
    stageSinceNs = nowNs;
  }

  /**
   * Bytes have memory of the peer; how long the first of them waited, ns, or -1 if it is not they.
   */
  public long takeGrantWaitNs(long nowNs) {
    if (isGranted) {
      return NOT_YET;
    }
    isGranted = true;
    long waitedNs = nowNs - stageSinceNs;
    stageSinceNs = nowNs;
    return waitedNs;
  }

  /** How long ago its first bytes had memory of the peer, ns; -1 if none had. */
  public long writingNs(long nowNs) {
    return isGranted ? nowNs - stageSinceNs : NOT_YET;
  }

  /** A fill was taken out of its region at the peer, or never got there. */
  public void onFillClosed() {
    openFills--;
  }

  /** A fill has no region any more: it must be placed again. */
  public void onFillBack(int bytes) {
    fillsBack++;
    bytesBack += bytes;
  }

  /** So much of a fill that had no region has one, or is not wanted. */
  public void onPlacedAgain(int bytes, boolean isWhole) {
    fillsBack -= isWhole ? 1 : 0;
    bytesBack -= bytes;
  }

  /** Fills that must be placed again. */
  public int fillsBack() {
    return fillsBack;
  }

  /** Their bytes. */
  public long bytesBack() {
    return bytesBack;
  }

  /** From now on it may have no more fills at the peer than now, or one; see {@link #earn}. */
  public void restrict() {
    mostFillsOut = Math.min(mostFillsOut, Math.max(openFills - fillsBack, 1));
  }

  /** The peer took a fill out: it may have one more there, and at some point all that it wants. */
  public void earn() {
    if (isRestricted()) {
      mostFillsOut = mostFillsOut >= MOST_COUNTED ? UNRESTRICTED : mostFillsOut + 1;
    }
  }

  /** Whether it may not have as many fills at the peer as it wants. */
  public boolean isRestricted() {
    return mostFillsOut != UNRESTRICTED;
  }

  /** Whether it may have one more fill at the peer. */
  public boolean hasRoom() {
    return openFills - fillsBack < mostFillsOut;
  }

  /** Bytes for which its path asks; as last given to {@link #wantedBytes(long)}. */
  public long wantedBytes() {
    return wantedBytes;
  }

  /** Notes for how many bytes its path asks. */
  public void wantedBytes(long bytes) {
    wantedBytes = bytes;
  }

  /** Whether all of it was taken over by the peer. */
  public boolean isDone() {
    return isPlaced && openFills == 0;
  }

  /** Whether it was done or aborted. */
  public boolean isOver() {
    return isOver;
  }

  /** Nothing of it is wanted any more: what waits is released and the source closed. */
  public void finish() {
    isOver = true;
    SealedRecords records;
    while ((records = sealed.pollFirst()) != null) {
      records.release();
    }
    queuedBytes = 0;
    if (feed != null) {
      feed.cancel();
    }
  }

  /** Whether it stands in the queue of bodies that wait for regions. */
  public boolean isWaiting() {
    return isWaiting;
  }

  /** Notes that it entered or left that queue. */
  public void setWaiting(boolean isWaiting) {
    this.isWaiting = isWaiting;
  }
}
