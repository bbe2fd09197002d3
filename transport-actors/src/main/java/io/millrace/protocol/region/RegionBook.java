package io.millrace.protocol.region;

import static io.millrace.protocol.region.RegionHolder.AHEAD;
import static io.millrace.protocol.region.RegionHolder.CAPPED;
import static io.millrace.protocol.region.RegionHolder.PRIORITIES;

/**
 * The tables that the parts of a {@link RegionPool} share: the holders' regions, the holders'
 * demand, and the deadlines of regions. Does not decide; keeps the sums right.
 */
final class RegionBook {
  final RegionPoolSettings settings;
  final RegionClasses classes;
  final RegionBudget budget;
  final RegionCounters counters = new RegionCounters();
  final RegionForecast forecast = new RegionForecast();
  final HolderRoundRobin[] rings = new HolderRoundRobin[PRIORITIES];
  // The holders that want memory ahead of need.
  final HolderRoundRobin ahead = new HolderRoundRobin(AHEAD);
  // The holders that want regions beyond the limit of a holder.
  final HolderRoundRobin capped = new HolderRoundRobin(CAPPED);
  // Nothing of the fill has arrived; the longest idle first.
  final RegionList idle = new RegionList(RegionList.LIFE);
  // Something has arrived; the longest without progress first.
  final RegionList partial = new RegionList(RegionList.LIFE);
  // Void; the first to be quiet first.
  final RegionList quarantined = new RegionList(RegionList.LIFE);
  // Complete fills with wrong records that wait for budget.
  final RegionList repairs = new RegionList(RegionList.WANT);

  private long wantedBytes;
  private long grantedBytes;
  private long quarantinedBytes;
  private int activeHolders;
  private int regionBlocked = PRIORITIES;
  private int budgetBlocked = PRIORITIES;
  private int budgetNeedBytes;
  private boolean isDirty;

  RegionBook(RegionPoolSettings settings) {
    this.settings = settings;
    classes = new RegionClasses(settings);
    budget = new RegionBudget(settings);
    for (int priority = 0; priority < PRIORITIES; priority++) {
      rings[priority] = new HolderRoundRobin(priority);
    }
  }

  long grantedBytes() {
    return grantedBytes;
  }

  /** Regions in the lists of free regions. */
  int freeRegions() {
    int free = 0;
    for (int c = 0; c < settings.classBytes().size(); c++) {
      free += classes.freeCount(c);
    }
    return free;
  }

  /** Whether something changed that may let more be granted. */
  boolean isDirty() {
    return isDirty;
  }

  void dirty() {
    isDirty = true;
  }

  /** A pass over all demand begins; the pass notes anew which demand is blocked. */
  void beginPass() {
    isDirty = false;
    regionBlocked = PRIORITIES;
    budgetBlocked = PRIORITIES;
  }

  void blockedByRegions(int priority) {
    regionBlocked = Math.min(regionBlocked, priority);
  }

  void blockedByBudget(int priority, int needBytes) {
    if (priority < budgetBlocked) {
      budgetBlocked = priority;
      budgetNeedBytes = needBytes;
    }
  }

  /**
   * The best priority that waits for a region; {@link RegionHolder#PRIORITIES} if no priority
   * waits.
   */
  int regionBlocked() {
    return regionBlocked;
  }

  /**
   * The best priority that waits for budget; {@link RegionHolder#PRIORITIES} if no priority waits.
   */
  int budgetBlocked() {
    return budgetBlocked;
  }

  /** The best priority at which another holder waits for a region. */
  int regionBlockedFor(RegionHolder holder) {
    int priority = regionBlocked;
    while (priority < PRIORITIES
        && rings[priority].size() == (rings[priority].contains(holder) ? 1 : 0)) {
      priority++;
    }
    return priority;
  }

  /**
   * The number of turns, with constant demand, up to this holder's turn: the holder and all holders
   * before.
   */
  int turnsBefore(RegionHolder holder) {
    int turns = 0;
    for (int priority = 0; priority < PRIORITIES; priority++) {
      turns += rings[priority].size();
      if (holder.demandBytes(priority) > 0) {
        return turns;
      }
    }
    return turns;
  }

  boolean isPressed() {
    return regionBlocked < PRIORITIES || budgetBlocked < PRIORITIES;
  }

  /** Bytes that other holders want, less the bytes on their way back to the pool. */
  long wantedByOthers(RegionHolder holder) {
    return wantedBytes - holder.wantedBytes() - quarantinedBytes;
  }

  /** Bytes that all holders want, less the memory on its way back to the pool. */
  long wantedBytes() {
    return regionBlocked < PRIORITIES ? wantedBytes - quarantinedBytes : wantedBytes;
  }

  /** The largest region that the holder's habits justify, bytes. */
  int usefulBytes(RegionHolder holder) {
    return settings.isAdaptive() ? holder.usefulBytes() : Integer.MAX_VALUE;
  }

  /** The part of each active holder in an equal division. */
  long shareBytes() {
    return classes.totalBytes() / Math.max(activeHolders, 1);
  }

  void demand(RegionHolder holder, int priority, long bytes, int largestBytes) {
    holder.demand(priority, bytes, largestBytes);
    final HolderRoundRobin ring = rings[priority];
    if (bytes > 0 != ring.contains(holder)) {
      if (bytes > 0) {
        ring.add(holder);
      } else {
        ring.remove(holder);
      }
    }
    if (holder.demandBytes() == 0) {
      capped(holder, false);
    }
    recount(holder);
    wants(holder);
  }

  /**
   * The holder's demand or allowance changed: bytes that the holder's window withholds do not count
   * as waited for.
   */
  void wants(RegionHolder holder) {
    final long wanted = Math.min(holder.demandBytes(), budget.windowRoom(holder));
    wantedBytes += wanted - holder.wantedBytes();
    holder.wantedBytes(wanted);
  }

  /** Whether the holder wants more than the holder may have. */
  void capped(RegionHolder holder, boolean isCapped) {
    if (isCapped != capped.contains(holder)) {
      if (isCapped) {
        capped.add(holder);
      } else {
        capped.remove(holder);
      }
    }
  }

  /** The holder would like these bytes ahead of need. */
  void askedAhead(RegionHolder holder, long bytes) {
    holder.askedAheadBytes(bytes);
    aheadChanged(holder);
  }

  /** The holder is expected to write more, or less, soon. */
  void expected(RegionHolder holder, long deltaBytes, int pieceBytes) {
    holder.expected(deltaBytes, pieceBytes);
    aheadChanged(holder);
  }

  /** The holder gets nothing ahead of need before there is a new reason to. */
  void forgetAhead(RegionHolder holder) {
    holder.askedAheadBytes(0);
    holder.forgetExpected();
    aheadChanged(holder);
  }

  private void aheadChanged(RegionHolder holder) {
    final boolean isMissing = holder.aheadBytes() > 0;
    if (isMissing != ahead.contains(holder)) {
      if (isMissing) {
        ahead.add(holder);
      } else {
        ahead.remove(holder);
      }
    }
  }

  /** These bytes of the holder's demand were authorised. */
  void cover(RegionHolder holder, int bytes) {
    for (int priority = 0; priority < PRIORITIES; priority++) {
      final long wanted = holder.demandBytes(priority);
      if (wanted > 0) {
        final long left = Math.max(wanted - bytes, 0);
        demand(holder, priority, left, holder.largestBytes(priority));
        return;
      }
    }
  }

  void granted(RegionHolder holder, ReceiveRegion region) {
    grantedBytes += region.sizeBytes();
    holder.onRegionGranted(region.sizeBytes());
    counters.onGranted();
    idle.add(region);
    recount(holder);
  }

  void track(RegionHolder holder, ReceiveRegion region) {
    if (region.isGrowable()) {
      if (!holder.growable().contains(region)) {
        holder.growable().add(region);
      }
    } else if (holder.growable().contains(region)) {
      RegionList.remove(RegionList.WANT, region);
    }
  }

  /** No more than this can arrive of the region's fill. */
  void lower(ReceiveRegion region, int bytes) {
    budget.lower(region, bytes);
    if (budgetBlocked < PRIORITIES && budget.roomBytes(budgetBlocked) >= budgetNeedBytes) {
      isDirty = true;
    }
    final RegionHolder holder = region.holder();
    if (holder != null && holder.window().isBounded() && holder.demandBytes() > 0) {
      wants(holder);
      isDirty = true;
    }
  }

  /** The key is void. */
  void release(RegionHolder holder, ReceiveRegion region, RegionSink sink) {
    RegionList.remove(RegionList.WANT, region);
    RegionList.remove(RegionList.LIFE, region);
    lower(region, 0);
    grantedBytes -= region.sizeBytes();
    holder.onRegionLost(region.sizeBytes());
    recount(holder);
    counters.onReleased();
    isDirty = true;
    sink.onReleased(region);
  }

  void quarantine(ReceiveRegion region, long nowNs) {
    region.attachment(null);
    region.activeNs(nowNs);
    quarantined.add(region);
    quarantinedBytes += region.sizeBytes();
  }

  void free(ReceiveRegion region) {
    region.free();
    quarantinedBytes -= region.sizeBytes();
    classes.put(region);
    isDirty = true;
  }

  private void recount(RegionHolder holder) {
    if (holder.isActive() != holder.isCounted()) {
      holder.counted(holder.isActive());
      activeHolders += holder.isActive() ? 1 : -1;
    }
  }

  boolean invariantsHold() {
    assert wantedBytes >= 0 && grantedBytes >= 0 && quarantinedBytes >= 0 && activeHolders >= 0;
    assert grantedBytes + quarantinedBytes <= classes.totalBytes();
    return true;
  }
}
