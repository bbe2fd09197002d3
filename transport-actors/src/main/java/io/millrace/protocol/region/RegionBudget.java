package io.millrace.protocol.region;

/**
 * Decides how much may be authorised now, so that the bytes authorised and not yet arrived, over
 * all regions, stay within the budget; rule W-3. For a priority without a right to the reserve,
 * these bytes stay within the budget less the reserve. Owned by a {@link RegionPool}. No clock;
 * does not allocate.
 */
final class RegionBudget {
  private final long mostBytes;

  /** Under a limit below the budget of the settings, a step is at most a third of the limit. */
  private static final int STEPS = 3;

  private static final int SMALLEST_STEP_BYTES = 2 << 10;

  private final int wholeStepBytes;
  private final RegionReserve reserve;
  private int stepBytes;
  private long limitBytes;
  private long commonBytes;
  private long outstandingBytes;
  private long authorisedBytes;
  private long nowBytes = Long.MAX_VALUE;
  private long peakBytes;

  RegionBudget(RegionPoolSettings settings) {
    mostBytes = settings.budgetBytes();
    wholeStepBytes = settings.stepBytes();
    stepBytes = wholeStepBytes;
    reserve = settings.reserve();
    limit(mostBytes, Long.MAX_VALUE);
  }

  /**
   * Sets a limit on the bytes on their way from now on, besides the limit of the settings. Earlier
   * authorisations stay valid.
   *
   * @param bytes bytes that may be on their way
   * @param newBytes bytes that may be authorised before the next call of this method
   * @return whether the budget has more room than before
   */
  boolean limit(long bytes, long newBytes) {
    final boolean isMore =
        bytes > limitBytes && limitBytes < mostBytes
            || newBytes > nowBytes && nowBytes < wholeStepBytes;
    final long before = limitBytes;
    nowBytes = newBytes;
    limitBytes = Math.min(bytes, mostBytes);
    final long third = Long.highestOneBit(Math.max(limitBytes / STEPS, 1));
    stepBytes =
        isTight() && third < wholeStepBytes
            ? (int) Math.max(third, SMALLEST_STEP_BYTES)
            : wholeStepBytes;
    if (limitBytes != before) {
      // Whole steps: no holder would get a part of a step.
      final long keptBytes = reserve.of(limitBytes) / wholeStepBytes * wholeStepBytes;
      commonBytes = limitBytes - Math.clamp(limitBytes - wholeStepBytes, 0, keptBytes);
    }
    return isMore;
  }

  /** Whether less may be on its way than the settings allow. */
  boolean isTight() {
    return limitBytes < mostBytes;
  }

  long outstandingBytes() {
    return outstandingBytes;
  }

  /** All bytes authorised so far. */
  long authorisedBytes() {
    return authorisedBytes;
  }

  long peakBytes() {
    return peakBytes;
  }

  /**
   * The bytes that this priority could be given now; below 0 when other priorities have some of the
   * reserve.
   */
  long roomBytes(int priority) {
    final long room = (reserve.isFor(priority) ? limitBytes : commonBytes) - outstandingBytes;
    return Math.min(room, nowBytes);
  }

  /**
   * How many of these bytes a fill can get now, with {@code authorised} bytes authorised before:
   * all bytes, or the bytes up to a whole step, or 0.
   */
  int admissible(int priority, int authorised, int bytes) {
    return withRoom(roomBytes(priority), authorised, bytes);
  }

  /** The same for this holder, whose window may be smaller than the room. */
  int admissible(RegionHolder holder, int priority, int authorised, int bytes) {
    final long window = holder.window().room(authorised, stepBytes);
    return withRoom(Math.min(roomBytes(priority), window), authorised, bytes);
  }

  /** The room in the holder's window for a new fill, bytes. */
  long windowRoom(RegionHolder holder) {
    return holder.window().room(0, stepBytes);
  }

  /**
   * Whether the holder gets nothing of this demand before the holder has written its authorised
   * bytes.
   */
  boolean isHeldBack(RegionHolder holder, int authorised, int bytes) {
    return withRoom(holder.window().room(authorised, stepBytes), authorised, bytes) == 0;
  }

  /** The size at which a window bounds nothing any more, bytes. */
  long limitBytes() {
    return limitBytes;
  }

  private int withRoom(long room, int authorised, int bytes) {
    return bytes <= room
        ? bytes
        : (int) Math.max((authorised + room) / stepBytes * stepBytes - authorised, 0);
  }

  /** Whether more than half of the budget, and the reserve, stays free if this is authorised. */
  boolean isPlentiful(int bytes) {
    final long left = limitBytes - outstandingBytes - bytes;
    return 2 * left > limitBytes && left >= limitBytes - commonBytes;
  }

  /** The room at which {@link #admissible} is no longer nothing. */
  int leastBytes(int authorised, int bytes) {
    return Math.min(bytes, stepBytes - authorised % stepBytes);
  }

  /**
   * Whether the authorised bytes end within a step, so that less than a step makes the bytes
   * useful.
   */
  boolean endsWithinStep(ReceiveRegion region) {
    return region.authorisedBytes() % stepBytes != 0;
  }

  void authorise(ReceiveRegion region, int bytes) {
    assert outstandingBytes + bytes <= limitBytes;
    region.authorise(bytes);
    authorisedBytes += bytes;
    nowBytes -= bytes;
    count(region, bytes);
  }

  /** These bytes of the region are to be written again. */
  void repair(ReceiveRegion region, int bytes) {
    region.outstandingBytes(region.outstandingBytes() + bytes);
    count(region, bytes);
  }

  /** No more than this can arrive of the region's fill. */
  void lower(ReceiveRegion region, int bytes) {
    final int counted = region.outstandingBytes();
    if (bytes < counted) {
      count(region, bytes - counted);
      region.outstandingBytes(bytes);
    }
    assert outstandingBytes >= 0;
  }

  private void count(ReceiveRegion region, int bytes) {
    final RegionHolder holder = region.holder();
    if (holder != null) {
      holder.window().onUnwritten(bytes);
    }
    outstandingBytes += bytes;
    peakBytes = Math.max(peakBytes, outstandingBytes);
    assert outstandingBytes <= mostBytes;
  }
}
