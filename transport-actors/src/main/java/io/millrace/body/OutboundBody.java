package io.millrace.body;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A body sent by this side, in the view of the path's worker. Keeps the sealed records waiting for
 * regions, and the number of fills on their way. Worker's thread only.
 *
 * <pre>
 * OPEN -(last record placed)-> PLACED -(last fill acknowledged)-> DONE
 * OPEN, PLACED -(aborted)-> ABORTED
 * </pre>
 */
public final class OutboundBody {
  /** Moves the records of bodies; the path. */
  public interface Carrier {
    /** Records were sealed. */
    void onSealed(OutboundBody body);

    /** The source failed; no more records come. */
    void onSourceFailed(OutboundBody body, String text);

    /** An exception of these methods: the fault concerns no other path. */
    void onFault(Throwable fault);
  }

  private static final int UNRESTRICTED = Integer.MAX_VALUE;
  private static final long NOT_YET = -1;

  /** The most fills at the peer at once whose number is counted. */
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

  /** A body without sealed records so far. */
  public OutboundBody(BodyTerms terms, Carrier carrier) {
    this.terms = terms;
    this.carrier = carrier;
  }

  /** The terms in the notifications of the body. */
  public BodyTerms terms() {
    return terms;
  }

  /** The source of the records. */
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

  /** Whether the packets of the body's chunks seal the bytes once more. */
  public boolean isCovered() {
    return feed().isCovered();
  }

  /** Whether other peers get the same sealed bytes. */
  public boolean isShared() {
    return feed().isShared();
  }

  /** The records to place next, or null. */
  public @Nullable SealedRecords head() {
    return sealed.peekFirst();
  }

  /** The records sealed last. */
  public SealedRecords newest() {
    return sealed.getLast();
  }

  /** A fill goes on as two fills. */
  public void onFillSplit() {
    openFills++;
  }

  /** The number of bytes of {@link #head()} placed already. */
  public int headUsedBytes() {
    return headUsedBytes;
  }

  /** The number of sealed bytes without a region so far. */
  public long queuedBytes() {
    return queuedBytes;
  }

  /**
   * The next {@code bytes} of the head have a region; the head is left when all its bytes have a
   * region.
   */
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

  /** Whether the first bytes of the body have begun to wait for memory of the peer. */
  public boolean isStaged() {
    return stageSinceNs != NOT_YET;
  }

  /** The first bytes of the body wait for memory of the peer, from now on. */
  public void onWaiting(long nowNs) {
    stageSinceNs = nowNs;
  }

  /**
   * Bytes have memory of the peer; returns the wait of the first bytes, ns, or -1 for later bytes.
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

  /**
   * The time since the first bytes got memory of the peer, ns; -1 before the first bytes got
   * memory.
   */
  public long writingNs(long nowNs) {
    return isGranted ? nowNs - stageSinceNs : NOT_YET;
  }

  /** A fill was taken out of its region at the peer, or never got there. */
  public void onFillClosed() {
    openFills--;
  }

  /** A fill has lost its region: the fill must be placed again. */
  public void onFillBack(int bytes) {
    fillsBack++;
    bytesBack += bytes;
  }

  /** This number of bytes of a fill without a region has a region, or is not wanted. */
  public void onPlacedAgain(int bytes, boolean isWhole) {
    fillsBack -= isWhole ? 1 : 0;
    bytesBack -= bytes;
  }

  /** The number of fills to place again. */
  public int fillsBack() {
    return fillsBack;
  }

  /** The bytes of these fills. */
  public long bytesBack() {
    return bytesBack;
  }

  /**
   * Restricts the body to its present number of fills at the peer, or to a single fill; see {@link
   * #earn}.
   */
  public void restrict() {
    mostFillsOut = Math.min(mostFillsOut, Math.max(openFills - fillsBack, 1));
  }

  /**
   * The peer took a fill out: the body may have one more fill there, and at some point as many
   * fills as wanted.
   */
  public void earn() {
    if (isRestricted()) {
      mostFillsOut = mostFillsOut >= MOST_COUNTED ? UNRESTRICTED : mostFillsOut + 1;
    }
  }

  /** Whether the body is restricted to fewer fills at the peer than wanted. */
  public boolean isRestricted() {
    return mostFillsOut != UNRESTRICTED;
  }

  /** Whether the body may have one more fill at the peer. */
  public boolean hasRoom() {
    return openFills - fillsBack < mostFillsOut;
  }

  /** The number of bytes for which the path asks; as last given to {@link #wantedBytes(long)}. */
  public long wantedBytes() {
    return wantedBytes;
  }

  /** Notes the number of bytes for which the path asks. */
  public void wantedBytes(long bytes) {
    wantedBytes = bytes;
  }

  /** Whether the peer has taken over the whole body. */
  public boolean isDone() {
    return isPlaced && openFills == 0;
  }

  /** Whether the body was done or aborted. */
  public boolean isOver() {
    return isOver;
  }

  /**
   * Nothing of the body is wanted any more: waiting records are released and the source is closed.
   */
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

  /** Whether the body stands in the queue of bodies waiting for regions. */
  public boolean isWaiting() {
    return isWaiting;
  }

  /** Notes that the body entered or left the queue. */
  public void setWaiting(boolean isWaiting) {
    this.isWaiting = isWaiting;
  }
}
