package io.millrace.protocol.region;

import org.jspecify.annotations.Nullable;

/**
 * The knowledge of a {@link RegionPool} about a path: the sender's demand and regions. Changed by
 * the pool only, on the worker's thread.
 */
public final class RegionHolder {
  /** The number of priorities; 0 is served first. */
  public static final int PRIORITIES = 8;

  /** The ring of holders that want memory ahead of need. */
  static final int AHEAD = PRIORITIES;

  /** The ring of holders that want more regions than a holder may have. */
  static final int CAPPED = PRIORITIES + 1;

  private static final int RINGS = PRIORITIES + 2;
  private static final int HABIT_FILLS = 8;

  private final Object owner;
  private final long[] demandBytes = new long[PRIORITIES];
  private final int[] largestBytes = new int[PRIORITIES];
  // Neighbours in the ring of each priority; null for a ring without this holder.
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
  private int endpoint;
  private int usualPieceBytes;

  private final Habit habit = new Habit();
  private final UnwrittenWindow window = new UnwrittenWindow();
  private final Silence silence = new Silence();
  private final Ahead ahead = new Ahead();

  /** How the lengths of the holder's fills compare with the sizes of their regions. */
  private static final class Habit {
    private int smallFills;
    private int largestSmallFill;
    private int usefulBytes = Integer.MAX_VALUE;
  }

  /**
   * The holder's memory ahead of need: the sender's request, and the writes expected from the
   * sender.
   */
  private static final class Ahead {
    private long askedBytes;
    private long expectedBytes;
  }

  /**
   * The state of a holder whose peer fell silent, perhaps for good: the demand at this time, and
   * the regions left.
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

  /** The object that {@link RegionPool#open} was given. */
  public Object owner() {
    return owner;
  }

  /**
   * This side's endpoint by which the sender's writes come now, or a negative number; at first 0.
   */
  public int endpoint() {
    return endpoint;
  }

  /**
   * Writes come by another endpoint from now on. A region granted for the former endpoint goes back
   * to the pool after its fill.
   */
  public void endpoint(int index) {
    endpoint = index;
  }

  /** Sizes of the holder's regions, bytes. */
  public long grantedBytes() {
    return grantedBytes;
  }

  /** The bound on authorised and unwritten bytes. */
  UnwrittenWindow window() {
    return window;
  }

  /** The number of the holder's regions. */
  public int regionCount() {
    return regions;
  }

  /** The demand of the holder that is not authorised yet, over all priorities, bytes. */
  public long demandBytes() {
    return totalDemandBytes;
  }

  /**
   * The part of the demand that other holders may have to give way for, bytes: the demand within
   * the holder's window.
   */
  long wantedBytes() {
    return wantedBytes;
  }

  void wantedBytes(long bytes) {
    wantedBytes = bytes;
  }

  /** The demand of the holder at this priority that is not authorised yet, bytes. */
  public long demandBytes(int priority) {
    return demandBytes[priority];
  }

  /** Whether the pool was told that the path is over. */
  public boolean isClosed() {
    return silence.isClosed;
  }

  /** The largest region that the holder's habits justify, bytes. */
  int usefulBytes() {
    return habit.usefulBytes;
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
   * Sizes of regions that the holder is to have ahead of need, bytes: the sender's request, or the
   * expected writes beyond the present regions.
   */
  long aheadBytes() {
    return Math.max(ahead.askedBytes, ahead.expectedBytes - grantedBytes);
  }

  /** The sender's request ahead of need, bytes. */
  long askedAheadBytes() {
    return ahead.askedBytes;
  }

  void askedAheadBytes(long bytes) {
    ahead.askedBytes = bytes;
  }

  /**
   * More, or less, is expected to be written soon.
   *
   * @param pieceBytes the longest piece of the expected writes that should lie in a single region
   */
  void expected(long deltaBytes, int pieceBytes) {
    // Expectations that were forgotten meanwhile are not subtracted again.
    ahead.expectedBytes = Math.max(ahead.expectedBytes + deltaBytes, 0);
    usualPieceBytes = Math.max(usualPieceBytes, pieceBytes);
  }

  /** No writes are expected from the holder. */
  void forgetExpected() {
    ahead.expectedBytes = 0;
  }

  /** The longest piece of the last or expected demand, bytes; 0 without such a demand. */
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
   * A fill of this length was taken out of a region of this size. A sender that leaves three
   * quarters empty again and again gets smaller regions, until fills are long for their region
   * again. A fill that was given up, or whose length was never told, says nothing about the habit.
   */
  void onFillConsumed(int lengthBytes, int sizeBytes) {
    if (lengthBytes <= 0) {
      return;
    }
    if (lengthBytes <= sizeBytes / 4) {
      habit.largestSmallFill = Math.max(habit.largestSmallFill, lengthBytes);
      habit.smallFills++;
      if (habit.smallFills == HABIT_FILLS) {
        habit.usefulBytes = Math.min(habit.usefulBytes, 2 * habit.largestSmallFill);
        habit.smallFills = 0;
        habit.largestSmallFill = 0;
      }
      return;
    }
    habit.smallFills = 0;
    habit.largestSmallFill = 0;
    if (lengthBytes > sizeBytes / 4 * 3) {
      habit.usefulBytes = (int) Math.min(4L * habit.usefulBytes, Integer.MAX_VALUE);
    }
  }

  /** The least time from a grant until the sender's use of the grant can be seen, ns. */
  void answerNs(long answerNs) {
    window.answerNs(answerNs);
  }

  /** The time for which a region may lie unused while other holders wait, ns. */
  long patienceNs(RegionTimes times) {
    return window.patienceNs(times);
  }

  /** How long this region of the holder may lie unused while other holders wait, ns. */
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

  /** Whether the holder's peer seems to be gone: then the holder has nothing and wants nothing. */
  public boolean isSuspected() {
    return silence.isSuspected;
  }

  /** Remembers the holder's demand. */
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

  /** Whether the sender knows, or need not know, that the holder gets nothing for now. */
  boolean isTold() {
    return isTold;
  }

  void told(boolean value) {
    isTold = value;
  }

  /** Whether the holder is among the holders to look at after a pass over all demand. */
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
