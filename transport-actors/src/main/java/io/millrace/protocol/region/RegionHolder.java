package io.millrace.protocol.region;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link RegionPool} knows of one path: what its sender wants and what it has. Changed by
 * the pool only, on the worker's thread.
 */
public final class RegionHolder {
  /** Priorities there are; 0 is served first. */
  public static final int PRIORITIES = 8;

  /** The ring of those who want something ahead of need. */
  static final int AHEAD = PRIORITIES;

  /** The ring of those who want more regions than one may have. */
  static final int CAPPED = PRIORITIES + 1;

  private static final int RINGS = PRIORITIES + 2;
  private static final int HABIT_FILLS = 8;

  private final Object owner;
  private final long[] demandBytes = new long[PRIORITIES];
  private final int[] largestBytes = new int[PRIORITIES];
  // Neighbours in the ring of each priority; null while not in it.
  private final @Nullable RegionHolder[] next = new RegionHolder[RINGS];
  private final @Nullable RegionHolder[] previous = new RegionHolder[RINGS];
  private final RegionList growable = new RegionList(RegionList.WANT);

  private long totalDemandBytes;
  private long wantedBytes;
  private long grantedBytes;
  private int regions;
  private boolean isCounted;
  private boolean isTold;
  private boolean isToBeTold;
  private int smallFills;
  private int largestSmallFill;
  private int usefulBytes = Integer.MAX_VALUE;
  private int usualPieceBytes;

  private final UnwrittenWindow window = new UnwrittenWindow();
  private final Silence silence = new Silence();
  private final Ahead ahead = new Ahead();

  /** What it is to have ahead of need: what its sender asked for, and what is expected of it. */
  private static final class Ahead {
    private long askedBytes;
    private long expectedBytes;
  }

  /**
   * Whether its peer fell silent, perhaps for good, what it wanted then, and what is left of it.
   */
  private static final class Silence {
    private final long[] demandBytes = new long[PRIORITIES];
    private final int[] largestBytes = new int[PRIORITIES];
    private int unreadRegions;
    private boolean isSuspected;
    private boolean isClosed;
  }

  RegionHolder(Object owner) {
    this.owner = owner;
  }

  /** What {@link RegionPool#open} was given. */
  public Object owner() {
    return owner;
  }

  /** Sizes of the regions that it has, bytes. */
  public long grantedBytes() {
    return grantedBytes;
  }

  /** How much of what it was authorised may be unwritten. */
  UnwrittenWindow window() {
    return window;
  }

  /** Regions that it has. */
  public int regionCount() {
    return regions;
  }

  /** What it wants and was not authorised yet, over all priorities, bytes. */
  public long demandBytes() {
    return totalDemandBytes;
  }

  /** What of it others may have to give way for, bytes: what its window lets it have. */
  long wantedBytes() {
    return wantedBytes;
  }

  void wantedBytes(long bytes) {
    wantedBytes = bytes;
  }

  /** What it wants and was not authorised yet at this priority, bytes. */
  public long demandBytes(int priority) {
    return demandBytes[priority];
  }

  /** Whether the pool was told that the path is over. */
  public boolean isClosed() {
    return silence.isClosed;
  }

  /** The largest region that its habits justify, bytes. */
  int usefulBytes() {
    return usefulBytes;
  }

  int largestBytes(int priority) {
    return largestBytes[priority];
  }

  void demand(int priority, long bytes, int largest) {
    totalDemandBytes += bytes - demandBytes[priority];
    demandBytes[priority] = bytes;
    largestBytes[priority] = largest;
    usualPieceBytes = bytes > 0 ? largest : usualPieceBytes;
  }

  /**
   * Sizes of regions that it is to have ahead of need, bytes: what its sender asked for, or what is
   * expected of it beyond what it has.
   */
  long aheadBytes() {
    return Math.max(ahead.askedBytes, ahead.expectedBytes - grantedBytes);
  }

  /** What of it its sender asked for, bytes. */
  long askedAheadBytes() {
    return ahead.askedBytes;
  }

  void askedAheadBytes(long bytes) {
    ahead.askedBytes = bytes;
  }

  /**
   * So much more, or less, is expected to be written soon.
   *
   * @param pieceBytes the longest piece of it that should lie in one region
   */
  void expected(long deltaBytes, int pieceBytes) {
    // What was forgotten meanwhile is not taken off again.
    ahead.expectedBytes = Math.max(ahead.expectedBytes + deltaBytes, 0);
    usualPieceBytes = Math.max(usualPieceBytes, pieceBytes);
  }

  /** Nothing is expected of it. */
  void forgetExpected() {
    ahead.expectedBytes = 0;
  }

  /** The longest piece of what it wanted last or is expected to want, bytes; 0 if there is none. */
  int usualPieceBytes() {
    return usualPieceBytes;
  }

  void onRegionGranted(int sizeBytes) {
    grantedBytes += sizeBytes;
    regions++;
    isTold = true;
  }

  void onRegionLost(int sizeBytes) {
    grantedBytes -= sizeBytes;
    regions--;
    assert grantedBytes >= 0 && regions >= 0;
  }

  /** Regions that were revoked with a fill that is still to be read. */
  int unreadRegions() {
    return silence.unreadRegions;
  }

  void unreadRegions(int count) {
    assert count >= 0;
    silence.unreadRegions = count;
  }

  /**
   * A fill of this length was taken out of a region of this size: who leaves three quarters empty
   * again and again gets smaller regions, until fills are long for their region again. One that was
   * given up, or whose length was never told, says nothing of that.
   */
  void onFillConsumed(int lengthBytes, int sizeBytes) {
    if (lengthBytes <= 0) {
      return;
    }
    if (lengthBytes <= sizeBytes / 4) {
      largestSmallFill = Math.max(largestSmallFill, lengthBytes);
      smallFills++;
      if (smallFills == HABIT_FILLS) {
        usefulBytes = Math.min(usefulBytes, 2 * largestSmallFill);
        smallFills = 0;
        largestSmallFill = 0;
      }
      return;
    }
    smallFills = 0;
    largestSmallFill = 0;
    if (lengthBytes > sizeBytes / 4 * 3) {
      usefulBytes = (int) Math.min(4L * usefulBytes, Integer.MAX_VALUE);
    }
  }

  /** How long the sender needs at least until what it was granted can be seen to be used, ns. */
  void answerNs(long answerNs) {
    window.answerNs(answerNs);
  }

  /** How long a region may lie unused while others wait, ns. */
  long patienceNs(RegionTimes times) {
    return window.patienceNs(times);
  }

  /** How long this region of it may, ns. */
  long patienceNs(RegionTimes times, ReceiveRegion region) {
    return window.patienceNs(times, region.outstandingBytes());
  }

  /** Regions of this holder whose current fill could get more. */
  RegionList growable() {
    return growable;
  }

  void close() {
    silence.isClosed = true;
  }

  /** Whether its peer seems to be gone: then it has nothing and wants nothing. */
  public boolean isSuspected() {
    return silence.isSuspected;
  }

  /** Remembers what it wants. */
  void suspect() {
    silence.isSuspected = true;
    System.arraycopy(demandBytes, 0, silence.demandBytes, 0, PRIORITIES);
    System.arraycopy(largestBytes, 0, silence.largestBytes, 0, PRIORITIES);
  }

  void trust() {
    silence.isSuspected = false;
  }

  long formerDemandBytes(int priority) {
    return silence.demandBytes[priority];
  }

  int formerLargestBytes(int priority) {
    return silence.largestBytes[priority];
  }

  boolean isActive() {
    return regions > 0 || totalDemandBytes > 0;
  }

  boolean isCounted() {
    return isCounted;
  }

  void counted(boolean value) {
    isCounted = value;
  }

  /** Whether the sender knows, or need not know, that it gets nothing for now. */
  boolean isTold() {
    return isTold;
  }

  void told(boolean value) {
    isTold = value;
  }

  /** Whether it is among those that are looked at when all demand was. */
  boolean isToBeTold() {
    return isToBeTold;
  }

  void toBeTold(boolean value) {
    isToBeTold = value;
  }

  @Nullable RegionHolder next(int priority) {
    return next[priority];
  }

  @Nullable RegionHolder previous(int priority) {
    return previous[priority];
  }

  void neighbours(int priority, @Nullable RegionHolder before, @Nullable RegionHolder after) {
    previous[priority] = before;
    next[priority] = after;
  }

  void next(int priority, RegionHolder after) {
    next[priority] = after;
  }

  void previous(int priority, RegionHolder before) {
    previous[priority] = before;
  }
}
