package io.millrace.protocol.region;

import static io.millrace.protocol.region.RegionHolder.PRIORITIES;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides, for the memory of one worker, which sender may write which region, how much of the
 * region now, whether arriving bytes may land, and the fate of a filled region.
 *
 * <p>A region has a single holder at a time and a key that is fresh at every grant. The holder
 * fills the region again and again under this key: each use is a fill, counted from 1. The bytes
 * authorised and not yet arrived, over all regions, never exceed the budget; rule W-3. The pool
 * authorises bytes on demand, with two exceptions. The next fill of a region just taken out gets
 * the possible bytes if nobody waits. While memory is plentiful and nobody waits, senders get
 * regions ahead of need.
 *
 * <p>Owned by a worker, on the worker's thread. Time is passed in. Call {@link #grant} after a
 * batch of inputs and {@link #onDeadline} when {@link #nextDeadlineNs} has come. Allocates for a
 * new holder only.
 */
public final class RegionPool {
  private static final long LONGEST_ESTIMATE_NS = 60_000_000_000L;

  private final RegionBook book;
  private final RegionGranting granting;
  private final RegionExpiry expiry;
  private final RegionShortage shortage;

  /** A pool with all regions free. */
  public RegionPool(RegionPoolSettings settings, RegionKeys keys) {
    book = new RegionBook(settings);
    granting = new RegionGranting(book, keys);
    expiry = new RegionExpiry(book);
    shortage = new RegionShortage(book);
  }

  /** A path begins; {@code owner} is whatever the caller wants to find again. */
  public RegionHolder open(Object owner) {
    return new RegionHolder(owner);
  }

  /**
   * The path's sender has told its demand.
   *
   * @param bytes the demand at this priority that is not authorised yet; replaces the former
   *     demand, 0 clears the demand
   * @param largestBytes the longest piece that should lie in a single region, 1 or more; unsigned
   */
  public void onDemand(RegionHolder holder, int priority, long bytes, int largestBytes) {
    if (holder.isClosed()) {
      return;
    }
    final long wanted = Math.clamp(bytes, 0, Long.MAX_VALUE >>> Short.SIZE);
    // Unsigned on the wire: a negative value is longer than any region.
    book.demand(holder, priority, wanted, pieceBytes(largestBytes));
    if (wanted > 0) {
      granting.onDemand(holder);
    }
    book.dirty();
    assert book.invariantsHold();
  }

  /**
   * The path's sender would like tokens ahead of need. This wish is no demand: the pool serves the
   * wish from plentiful memory when all demand is met, and nobody waits for the wish.
   *
   * @param bytes sizes of regions; replaces the former wish
   */
  public void onAhead(RegionHolder holder, long bytes) {
    if (!holder.isClosed()) {
      book.askedAhead(holder, Math.clamp(bytes, 0, book.settings.perHolderBytes()));
      book.dirty();
    }
  }

  /**
   * This side expects further writes of the path's sender soon: the holder gets the missing bytes
   * as if the sender had asked ahead of need. The caller takes the expectation back when the bytes
   * have come, or will not come.
   *
   * @param deltaBytes added to the expected bytes; negative to take the expectation back
   */
  public void onExpected(RegionHolder holder, long deltaBytes) {
    if (!holder.isClosed()) {
      final long most = book.settings.perHolderBytes();
      final long delta = Math.clamp(deltaBytes, -most, most);
      book.expected(holder, delta, Math.clamp(delta, 0, Integer.MAX_VALUE));
      book.dirty();
    }
  }

  /**
   * From now on this much may be on its way at most, bytes; never more than the settings say.
   *
   * @param newBytes bytes that may be granted until the next call of this method
   */
  public void onBudget(long bytes, long newBytes) {
    if (book.budget.limit(bytes, newBytes)) {
      book.dirty();
    }
  }

  private static int pieceBytes(int largestBytes) {
    return largestBytes < 0 ? Integer.MAX_VALUE : Math.max(largestBytes, 1);
  }

  /**
   * Hands out all grants that are possible now. Cheap when nothing changed.
   *
   * @return how many tokens, authorisations and repairs were given
   */
  public int grant(long nowNs, RegionSink sink) {
    final int given = granting.pass(nowNs, sink);
    assert book.invariantsHold();
    return given;
  }

  /** Whether these bytes may land; anything but OK is to be dropped, and is counted here. */
  public WriteVerdict check(
      RegionHolder holder, int region, int fill, long key, long at, long length) {
    final WriteVerdict verdict = verdict(holder, region, fill, key, at, length);
    book.counters.onVerdict(verdict);
    return verdict;
  }

  private WriteVerdict verdict(
      RegionHolder holder, int index, int fill, long key, long at, long length) {
    final ReceiveRegion region = book.classes.region(index);
    if (region == null) {
      return WriteVerdict.UNKNOWN_REGION;
    }
    if (region.holder() != holder) {
      return WriteVerdict.NOT_OWNER;
    }
    if (region.key() != key) {
      return WriteVerdict.WRONG_KEY;
    }
    if (isVoid(region)) {
      return WriteVerdict.REVOKED;
    }
    if (fill != region.fill()) {
      return fill > 0 && fill < region.fill() ? WriteVerdict.STALE_FILL : WriteVerdict.FUTURE_FILL;
    }
    if (at < 0 || length <= 0 || length > region.sizeBytes() || at > region.sizeBytes() - length) {
      return WriteVerdict.OUT_OF_BOUNDS;
    }
    if (region.state() == RegionState.CONSUMING) {
      return WriteVerdict.ALREADY_CONSUMING;
    }
    final int end = region.notifiedBytes() < 0 ? region.authorisedBytes() : region.notifiedBytes();
    return at + length > end ? WriteVerdict.NOT_AUTHORISED : WriteVerdict.OK;
  }

  private static boolean isVoid(ReceiveRegion region) {
    return region.state() == RegionState.REVOKING || region.state() == RegionState.QUARANTINED;
  }

  /** The region of this index, which must exist. */
  public ReceiveRegion region(int index) {
    return Objects.requireNonNull(book.classes.region(index), "no such region");
  }

  /** The number of regions; regions are numbered from 0. */
  public int regionCount() {
    return book.classes.count();
  }

  /**
   * Bytes that passed {@link #check} have landed.
   *
   * @return the number of new bytes in this fill; 0 if all bytes were known; -1 if the fill has too
   *     many gaps to note the bytes, and the bytes count as not received
   */
  public int onWritten(ReceiveRegion region, int at, int length, long nowNs) {
    final int fresh = region.ranges().add(at, length);
    if (fresh < 0) {
      book.counters.onDiscardedWrite();
    }
    if (fresh > 0) {
      region.move(RegionEvent.WRITE);
      region.written(nowNs);
      book.partial.add(region);
      book.lower(region, Math.max(region.outstandingBytes() - fresh, 0));
    }
    assert book.invariantsHold();
    return fresh;
  }

  /** The least time until this sender's use of a grant can be seen, ns. */
  public void onAnswerTime(RegionHolder holder, long answerNs) {
    holder.answerNs(answerNs);
  }

  /**
   * Whether this sender wants regions, can write nothing, and has been unable to write for as long
   * as a region may lie: application threads have all regions of the sender, including regions
   * revoked meanwhile.
   */
  public boolean isStarved(RegionHolder holder, long nowNs) {
    if (holder.demandBytes() == 0 || holder.regionCount() + holder.unreadRegions() == 0) {
      return false;
    }
    boolean isWaiting = false;
    for (int index = 0; index < book.classes.count(); index++) {
      final ReceiveRegion region = region(index);
      if (region.holder() == holder && isInUse(region)) {
        if (!region.isRead()
            || nowNs - region.activeNs() < holder.patienceNs(book.settings.times())) {
          return false;
        }
        isWaiting = true;
      }
    }
    return isWaiting;
  }

  private static boolean isInUse(ReceiveRegion region) {
    final boolean isIdle = region.state() == RegionState.GRANTED && region.outstandingBytes() == 0;
    return region.isRead() || region.isGranted() && !isIdle;
  }

  /** The sender announces the length of a fill; 0 gives the fill up. */
  public NotifyVerdict onNotified(
      RegionHolder holder, int region, int fill, long key, int lengthBytes) {
    final NotifyVerdict verdict = judge(holder, region, fill, key, lengthBytes);
    book.counters.onVerdict(verdict);
    if (verdict == NotifyVerdict.OK) {
      final ReceiveRegion filled = region(region);
      filled.notified(lengthBytes);
      book.track(holder, filled);
      book.lower(filled, lengthBytes - filled.ranges().bytesBefore(lengthBytes));
    }
    assert book.invariantsHold();
    return verdict;
  }

  private NotifyVerdict judge(RegionHolder holder, int index, int fill, long key, int lengthBytes) {
    final ReceiveRegion region = book.classes.region(index);
    if (region == null) {
      return NotifyVerdict.FORGED_REGION;
    }
    if (region.holder() != holder) {
      return NotifyVerdict.FORGED_OWNER;
    }
    if (region.key() != key) {
      return NotifyVerdict.FORGED_KEY;
    }
    if (isVoid(region)) {
      return NotifyVerdict.REVOKED;
    }
    if (fill != region.fill()) {
      return fill > 0 && fill < region.fill() ? NotifyVerdict.STALE : NotifyVerdict.FORGED_FILL;
    }
    if (region.notifiedBytes() >= 0) {
      return NotifyVerdict.DUPLICATE;
    }
    return lengthBytes < 0 || lengthBytes > region.authorisedBytes()
        ? NotifyVerdict.FORGED_LENGTH
        : NotifyVerdict.OK;
  }

  /** Whether the fill was announced and all announced bytes have arrived. */
  public boolean isComplete(ReceiveRegion region) {
    return region.notifiedBytes() >= 0 && region.ranges().covers(region.notifiedBytes());
  }

  /** A complete fill goes to an application thread. */
  public void onConsuming(ReceiveRegion region) {
    if (!isComplete(region)) {
      throw new IllegalStateException("region " + region.index() + " is not complete");
    }
    region.move(RegionEvent.CONSUME);
    RegionList.remove(RegionList.LIFE, region);
    // Late duplicates may have filled the records that were to be asked for again.
    RegionList.remove(RegionList.WANT, region);
    region.badRecords(0);
    book.lower(region, 0);
  }

  /**
   * Nobody wants the fill, complete or not: the fill counts as complete and as held by an
   * application thread; {@link #onConsumed} follows.
   */
  public void onDiscarded(ReceiveRegion region) {
    region.move(RegionEvent.CONSUME);
    region.badRecords(0);
    book.lower(region, 0);
    RegionList.remove(RegionList.LIFE, region);
    RegionList.remove(RegionList.WANT, region);
  }

  /**
   * The application thread found the tag of a record wrong, and is done with the region: the record
   * is forgotten, and {@link RegionSink#onRepair} says when the record may be asked for again. To
   * be called once for each such record.
   *
   * @param at where the record begins in the region
   * @param length the record's length
   * @return false if the region is being revoked: nothing can be repaired, call {@link #onFailed}
   */
  public boolean onRecordBad(ReceiveRegion region, int at, int length, long nowNs) {
    book.counters.onBadRecord();
    region.move(RegionEvent.RECORD_BAD);
    if (region.state() == RegionState.REVOKING) {
      return false;
    }
    region.spoil();
    region.ranges().remove(at, length);
    region.badRecords(region.badRecords() | 1L << at / ReceiveRegion.RECORD_BYTES);
    region.activeNs(nowNs);
    book.partial.add(region);
    book.repairs.add(region);
    book.dirty();
    assert book.invariantsHold();
    return true;
  }

  /** The fill was verified and taken out; decides whether its holder may fill the region again. */
  public void onConsumed(ReceiveRegion region, long nowNs, RegionSink sink) {
    final RegionHolder holder = holderOf(region);
    holder.onFillConsumed(region.notifiedBytes(), region.sizeBytes());
    if (holder.window().isBounded()) {
      book.dirty();
    }
    holder.window().onFruitful(region.notifiedBytes(), book.budget.limitBytes());
    book.wants(holder);
    if (region.state() == RegionState.REVOKING || shouldRevoke(holder, region)) {
      finish(holder, region, region.fill(), nowNs, sink);
    } else {
      reuse(holder, region, nowNs, sink);
    }
    assert book.invariantsHold();
  }

  /** The application thread is done with the region, and the fill is given up. */
  public void onFailed(ReceiveRegion region, long nowNs, RegionSink sink) {
    finish(holderOf(region), region, region.fill() - 1, nowNs, sink);
    assert book.invariantsHold();
  }

  private boolean shouldRevoke(RegionHolder holder, ReceiveRegion region) {
    if (region.fill() == Integer.MAX_VALUE || region.endpoint() != holder.endpoint()) {
      return true;
    }
    final int blocked = book.regionBlockedFor(holder);
    if (blocked < PRIORITIES && book.wantedByOthers(holder) > 0) {
      return holder.demandBytes() == 0
          || blocked <= region.priority() && holder.grantedBytes() > book.shareBytes();
    }
    final int better = book.classes.smallestFor(book.usefulBytes(holder));
    return better < region.sizeClass() && book.classes.isAvailable(better, region.priority());
  }

  private void reuse(RegionHolder holder, ReceiveRegion region, long nowNs, RegionSink sink) {
    region.move(RegionEvent.REUSE);
    book.lower(region, 0);
    region.nextFill();
    region.activeNs(nowNs);
    region.renewed(nowNs);
    book.idle.add(region);
    book.counters.onReused();
    // No demand asked for these bytes: the reserve is not for them, whatever the region's priority.
    final int admitted = book.budget.admissible(holder, PRIORITIES, 0, region.sizeBytes());
    // With a tight link the budget is too small to lie with a holder that may not need the bytes.
    final boolean isSpare = !book.budget.isTight() || book.budget.isPlentiful(admitted);
    if (admitted > 0 && isSpare && book.budgetBlocked() > region.priority()) {
      book.budget.authorise(region, admitted);
      book.cover(holder, admitted);
    }
    book.track(holder, region);
    if (region.isGrowable() && holder.demandBytes() > 0) {
      book.dirty();
    }
    sink.onReused(holder, region);
  }

  private void finish(
      RegionHolder holder, ReceiveRegion region, int consumedFill, long nowNs, RegionSink sink) {
    final boolean wasVoid = region.state() == RegionState.REVOKING;
    region.move(RegionEvent.FINISH);
    if (wasVoid) {
      holder.unreadRegions(holder.unreadRegions() - 1);
    } else {
      book.release(holder, region, sink);
    }
    region.attachment(null);
    tellRevoked(holder, region, consumedFill, sink);
    book.quarantine(region, nowNs);
  }

  /**
   * Takes the region from its holder: the key is void at once. A region that is being read is
   * quarantined, and its holder told, only when {@link #onConsumed} or {@link #onFailed} is called.
   */
  public void revoke(ReceiveRegion region, long nowNs, RegionSink sink) {
    if (region.state() == RegionState.FREE || isVoid(region)) {
      return;
    }
    final RegionHolder holder = holderOf(region);
    region.move(RegionEvent.REVOKE);
    book.release(holder, region, sink);
    if (region.state() == RegionState.QUARANTINED) {
      tellRevoked(holder, region, region.fill() - 1, sink);
      book.quarantine(region, nowNs);
    } else {
      holder.unreadRegions(holder.unreadRegions() + 1);
    }
    assert book.invariantsHold();
  }

  /** The path is over: all regions of the path are revoked and its demand is forgotten. */
  public void onHolderClosed(RegionHolder holder, long nowNs, RegionSink sink) {
    holder.close();
    takeAll(holder, nowNs, sink);
  }

  /**
   * The path's peer seems to be gone: all regions of the path are revoked, and the path gets no
   * region until {@link #onHolderTrusted}. The path's demand is remembered.
   */
  public void onHolderSuspected(RegionHolder holder, long nowNs, RegionSink sink) {
    if (!holder.isClosed() && !holder.isSuspected()) {
      holder.suspect();
      takeAll(holder, nowNs, sink);
    }
  }

  /** The peer is there: the path gets its demand back from before the silence. */
  public void onHolderTrusted(RegionHolder holder) {
    if (holder.isClosed() || !holder.isSuspected()) {
      return;
    }
    holder.trust();
    for (int priority = 0; priority < PRIORITIES; priority++) {
      final long bytes = holder.formerDemandBytes(priority);
      if (bytes > 0) {
        onDemand(holder, priority, bytes, holder.formerLargestBytes(priority));
      }
    }
  }

  private void takeAll(RegionHolder holder, long nowNs, RegionSink sink) {
    for (int priority = 0; priority < PRIORITIES; priority++) {
      book.demand(holder, priority, 0, 1);
    }
    book.forgetAhead(holder);
    for (int index = 0; index < book.classes.count() && holder.regionCount() > 0; index++) {
      final ReceiveRegion region = region(index);
      if (region.holder() == holder) {
        revoke(region, nowNs, sink);
      }
    }
    book.dirty();
    assert book.invariantsHold();
  }

  private static void tellRevoked(
      RegionHolder holder, ReceiveRegion region, int consumedFill, RegionSink sink) {
    if (!holder.isClosed()) {
      sink.onRevoked(holder, region.index(), region.key(), consumedFill);
    }
  }

  private static RegionHolder holderOf(ReceiveRegion region) {
    final @Nullable RegionHolder holder = region.holder();
    if (holder == null) {
      throw new IllegalStateException("region " + region.index() + " is free");
    }
    return holder;
  }

  /**
   * Frees regions that have rested long enough and revokes regions that have lain unused for too
   * long.
   */
  public void onDeadline(long nowNs, RegionSink sink) {
    expiry.onDeadline(nowNs, this, sink);
    assert book.invariantsHold();
  }

  /**
   * When {@link #onDeadline} or {@link #pollShortage} may have something to do, ns; {@link
   * Long#MAX_VALUE} if never.
   */
  public long nextDeadlineNs() {
    return Math.min(expiry.nextDeadlineNs(), shortage.nextDeadlineNs());
  }

  /**
   * Whether the owner should look now for fills that application threads do not take: senders wait
   * for the memory of the regions for which {@link #isWanted} holds. At most once in the time after
   * which an idle region is taken from its holder.
   */
  public boolean pollShortage(long nowNs) {
    return shortage.poll(nowNs);
  }

  /** Whether an end of this region's reading would help a waiting sender. */
  public boolean isWanted(ReceiveRegion region) {
    return shortage.isOf(region);
  }

  /**
   * The time for which a region of this holder may serve nothing while another holder waits for the
   * region, ns.
   */
  public long patienceNs(RegionHolder holder) {
    return holder.patienceNs(book.settings.times());
  }

  /** How long a sender may let a fill stand still, ns. */
  public long stallTimeoutNs() {
    return book.settings.times().stallTimeoutNs();
  }

  /**
   * The estimated time until this waiting holder gets something, ns from now; 0 without an
   * estimate. The estimate is no promise.
   */
  public long estimateNs(RegionHolder holder, long nowNs) {
    final long estimateNs = book.forecast.estimateNs(book.turnsBefore(holder), nowNs);
    if (estimateNs != RegionForecast.UNKNOWN) {
      return Math.min(estimateNs, LONGEST_ESTIMATE_NS);
    }
    final long deadlineNs = expiry.nextDeadlineNs();
    return deadlineNs == Long.MAX_VALUE
        ? 0
        : Math.clamp(deadlineNs - nowNs, 0, LONGEST_ESTIMATE_NS);
  }

  /**
   * The time from now for which the holder may keep this region's token without a use, ns; not 0.
   */
  public long lifetimeNs(ReceiveRegion region, long nowNs) {
    return Math.max(region.renewedNs() + book.settings.times().lifetimeNs() - nowNs, 1);
  }

  /** Bytes authorised and not yet arrived. */
  public long outstandingBytes() {
    return book.budget.outstandingBytes();
  }

  /** Bytes authorised in all so far. */
  public long authorisedBytes() {
    return book.budget.authorisedBytes();
  }

  /** Whether somebody waits. */
  public boolean isPressed() {
    return book.isPressed();
  }

  /** The largest value of {@link #outstandingBytes} so far. */
  public long peakOutstandingBytes() {
    return book.budget.peakBytes();
  }

  /** Sizes of the regions that have a holder and a valid key. */
  public long grantedBytes() {
    return book.grantedBytes();
  }

  /** Free regions of this class. */
  public int freeRegions(int classIndex) {
    return book.classes.freeCount(classIndex);
  }

  /** All regions at this moment. Allocates; for observation. */
  public RegionCensus census() {
    return RegionCensus.of(book);
  }

  /** The counts so far; read only. */
  public RegionCounters counters() {
    return book.counters;
  }
}
