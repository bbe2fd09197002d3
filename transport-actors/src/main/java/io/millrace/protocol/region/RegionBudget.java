package io.millrace.protocol.region;

/**
 * Decides how much may be authorised now, so that the bytes authorised and not yet arrived, over
 * all regions, stay within the budget; rule W-3. For a priority without a right to the reserve,
 * these bytes stay within the budget less the reserve. Owned by a {@link RegionPool}. No clock;
 * does not allocate.
 *
 * <p>The unit of a grant is a record. Behind a known link with a smaller budget than the settings
 * allow, the unit is a <i>quantum</i>: whole packets of the holder's path, at least two, and at
 * least an eighth of the budget. A quantum is never cut because many holders wait; the holders that
 * find no room for a quantum wait. While several holders wait, none has more unwritten bytes than
 * an equal share of the budget, or a quantum if the share is less.
 */
final class RegionBudget {
  private final long mostBytes;

  /** At most this many holders have a whole quantum each on its way. */
  private static final int MOST_QUANTA = 8;

  private static final int QUANTUM_PACKETS = 2;

  /** A turn is bounded, so that a sender with an endless demand leaves turns to other senders. */
  private static final int TURN_BUDGETS = 16;

  private static final int RECORD_BYTES = ReceiveRegion.RECORD_BYTES;

  private final int stepBytes;
  private final RegionReserve reserve;
  private boolean isLinkKnown;
  private boolean isFew;
  private int sharers = 1;
  private long limitBytes;
  private long commonBytes;
  private long outstandingBytes;
  private long authorisedBytes;
  private long nowBytes = Long.MAX_VALUE;
  private long peakBytes;

  RegionBudget(RegionPoolSettings settings) {
    mostBytes = settings.budgetBytes();
    stepBytes = settings.stepBytes();
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
        bytes > limitBytes && limitBytes < mostBytes || newBytes > nowBytes && nowBytes < stepBytes;
    final long before = limitBytes;
    nowBytes = newBytes;
    limitBytes = Math.min(bytes, mostBytes);
    if (limitBytes != before) {
      // Whole steps: no holder would get a part of a step.
      final long keptBytes = reserve.of(limitBytes) / stepBytes * stepBytes;
      commonBytes = limitBytes - Math.clamp(limitBytes - stepBytes, 0, keptBytes);
    }
    return isMore;
  }

  /** Whether less may be on its way than the settings allow. */
  boolean isTight() {
    return limitBytes < mostBytes;
  }

  /** The limit is the link's: then a sender begins a record with a part of the record. */
  void linkKnown(boolean isKnown) {
    isLinkKnown = isKnown;
  }

  /** Whether the unit of a grant is a quantum. */
  boolean isInQuanta() {
    return isLinkKnown && isTight();
  }

  /** A holder keeps its turn until its demand is met. */
  void serveFew(boolean few) {
    isFew = few;
  }

  /** The bytes of a turn that begins now. */
  long turnBytes(RegionHolder holder) {
    return isFew
        ? Math.min(holder.demandBytes(), TURN_BUDGETS * limitBytes)
        : quantumBytes(holder);
  }

  /** As many holders share the budget from now on. */
  void sharers(int holders) {
    sharers = Math.max(holders, 1);
  }

  /** The least grant to this holder, of a demand that is not less, bytes: whole packets. */
  int quantumBytes(RegionHolder holder) {
    final long packet = packetBytes(holder);
    final long part = Math.max(limitBytes / MOST_QUANTA, QUANTUM_PACKETS * packet);
    return (int) Math.min(wholePackets(Math.min(part, commonBytes), packet), RECORD_BYTES);
  }

  private long packetBytes(RegionHolder holder) {
    return Math.clamp(holder.packetBytes(), 1, commonBytes);
  }

  private static long wholePackets(long bytes, long packet) {
    return bytes / packet * packet;
  }

  /** The room for this holder beside other holders, bytes. */
  private long shareRoom(RegionHolder holder) {
    final long share = wholePackets(commonBytes / sharers, packetBytes(holder));
    return Math.max(share, quantumBytes(holder)) - holder.window().unwrittenBytes();
  }

  /** The room in the holder's window and share, bytes. */
  private long ownRoom(RegionHolder holder, int authorised) {
    return isInQuanta()
        ? Math.min(holder.window().room(0, quantumBytes(holder)), shareRoom(holder))
        : holder.window().room(authorised, stepBytes);
  }

  /**
   * Whether a larger grant of this region helps the sender. A sender that began a fill with a part
   * of a record ends the fill with the record.
   */
  boolean mayGrow(ReceiveRegion region) {
    return !isInQuanta() || region.authorisedBytes() == 0 || endsWithinStep(region);
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
    final long room = Math.min(roomBytes(priority), ownRoom(holder, authorised));
    return withRoom(holder, room, authorised, bytes);
  }

  /** The room in the holder's window for a new fill, bytes. */
  long windowRoom(RegionHolder holder) {
    return holder.window().room(0, isInQuanta() ? quantumBytes(holder) : stepBytes);
  }

  /**
   * Whether the holder gets nothing of this demand before the holder has written its authorised
   * bytes.
   */
  boolean isHeldBack(RegionHolder holder, int authorised, int bytes) {
    return withRoom(holder, ownRoom(holder, authorised), authorised, bytes) == 0;
  }

  /** The size at which a window bounds nothing any more, bytes. */
  long limitBytes() {
    return limitBytes;
  }

  private int withRoom(RegionHolder holder, long room, int authorised, int bytes) {
    if (!isInQuanta()) {
      return withRoom(room, authorised, bytes);
    }
    final int useful = withinRecord(authorised, bytes);
    if (useful <= room) {
      return useful;
    }
    if (room < quantumBytes(holder)) {
      return 0;
    }
    final long unit = room < RECORD_BYTES ? packetBytes(holder) : RECORD_BYTES;
    return (int) wholePackets(room, unit);
  }

  /** The bytes of this demand that the sender can use in a begun fill. */
  private static int withinRecord(int authorised, int bytes) {
    final int begun = authorised % RECORD_BYTES;
    return begun == 0 ? bytes : Math.min(bytes, RECORD_BYTES - begun);
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
  int leastBytes(RegionHolder holder, int authorised, int bytes) {
    return isInQuanta()
        ? Math.min(withinRecord(authorised, bytes), quantumBytes(holder))
        : Math.min(bytes, stepBytes - authorised % stepBytes);
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
