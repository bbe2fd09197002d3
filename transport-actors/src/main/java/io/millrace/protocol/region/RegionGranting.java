package io.millrace.protocol.region;

import static io.millrace.protocol.region.RegionHolder.PRIORITIES;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Decides which holder gets which region and how much of the region now: by priority, in turn
 * within a priority; a holder's present region grows before the holder gets another region; rule
 * W-3. Owned by a {@link RegionPool}.
 */
final class RegionGranting {
  private final RegionBook book;
  private final RegionKeys keys;
  // Holders with a demand since the last telling, each once.
  private final ArrayDeque<RegionHolder> untold = new ArrayDeque<>();

  RegionGranting(RegionBook book, RegionKeys keys) {
    this.book = book;
    this.keys = keys;
  }

  /** The holder has a demand, and may have to hear that no memory is free. */
  void onDemand(RegionHolder holder) {
    holder.told(false);
    if (!holder.isToBeTold()) {
      holder.toBeTold(true);
      untold.addLast(holder);
    }
  }

  /**
   * Makes all grants that are possible now, and returns the number of tokens and authorisations.
   */
  int pass(long nowNs, RegionSink sink) {
    if (!book.isDirty()) {
      return 0;
    }
    book.beginPass();
    final int repaired = repair(sink);
    int given = 0;
    for (int priority = 0; priority < PRIORITIES && !isBudgetSpent(); priority++) {
      given += serve(priority, nowNs, sink);
    }
    book.forecast.onPass(nowNs, given, book.isPressed());
    tellExhausted(sink);
    return repaired + given + (book.isPressed() ? 0 : speculate(nowNs, sink));
  }

  /** Grants ahead of need as long as memory is plentiful. */
  private int speculate(long nowNs, RegionSink sink) {
    int given = 0;
    RegionHolder holder = book.ahead.head();
    while (holder != null) {
      final int useful = Math.min(holder.usualPieceBytes(), book.usefulBytes(holder));
      final int sizeClass = book.classes.smallestFor(useful);
      final int bytes = book.classes.sizeBytes(sizeClass);
      final long most = book.settings.perHolderBytes() - holder.grantedBytes();
      if (holder.window().isBounded() || bytes > most) {
        book.forgetAhead(holder);
      } else if (!book.classes.isPlentiful(sizeClass) || !book.budget.isPlentiful(bytes)) {
        return given;
      } else {
        grantAhead(holder, sizeClass, bytes, nowNs, sink);
        given++;
        // The removal of a satisfied holder has passed the turn already.
        if (book.ahead.head() == holder) {
          book.ahead.rotate();
        }
      }
      holder = book.ahead.head();
    }
    return given;
  }

  private void grantAhead(
      RegionHolder holder, int sizeClass, int bytes, long nowNs, RegionSink sink) {
    final ReceiveRegion region = book.classes.take(sizeClass);
    region.grant(holder, PRIORITIES - 1, keys.nextKey(region.index(), holder.endpoint()), nowNs);
    region.ahead();
    book.granted(holder, region);
    book.budget.authorise(region, bytes);
    book.track(holder, region);
    book.askedAhead(holder, Math.max(holder.askedAheadBytes() - bytes, 0));
    book.counters.onGrantedAhead();
    sink.onGranted(holder, region);
  }

  private boolean isBudgetSpent() {
    return book.budgetBlocked() < PRIORITIES;
  }

  private int repair(RegionSink sink) {
    int given = 0;
    ReceiveRegion region = book.repairs.head();
    while (region != null && !isBudgetSpent()) {
      final long bad = region.badRecords();
      long admitted = 0;
      for (long left = bad; left != 0 && !isBudgetSpent(); left &= left - 1) {
        final int record = Long.numberOfTrailingZeros(left);
        final int bytes = region.missingBytes(record);
        if (book.budget.roomBytes(0) >= bytes) {
          book.budget.repair(region, bytes);
          admitted |= 1L << record;
        } else {
          book.blockedByBudget(0, bytes);
        }
      }
      region.badRecords(bad & ~admitted);
      final RegionHolder holder = region.holder();
      if (admitted != 0 && holder != null) {
        sink.onRepair(holder, region, admitted);
        given++;
      }
      if (bad == admitted) {
        RegionList.remove(RegionList.WANT, region);
      }
      region = book.repairs.head();
    }
    return given;
  }

  private int serve(int priority, long nowNs, RegionSink sink) {
    final HolderRoundRobin ring = book.rings[priority];
    int given = 0;
    int refusals = 0;
    RegionHolder holder = ring.head();
    while (holder != null && refusals < ring.size()) {
      final boolean isServed =
          grow(holder, priority, nowNs, sink) || grant(holder, priority, nowNs, sink);
      if (isServed) {
        given++;
        refusals = 0;
      } else if (isBudgetSpent()) {
        return given;
      } else {
        refusals++;
      }
      // If the holder left the ring with its last byte of demand, the turn has passed already.
      if (ring.head() == holder && !(isServed && isHalfDone(holder, priority))) {
        ring.rotate();
      }
      holder = ring.head();
    }
    return given;
  }

  /**
   * Whether the holder has only a part of a record under a tight budget: then the holder keeps its
   * turn, and other holders wait.
   */
  private boolean isHalfDone(RegionHolder holder, int priority) {
    final ReceiveRegion region =
        book.budget.isTight() ? firstToGrow(holder, holder.largestBytes(priority)) : null;
    return region != null && region.authorisedBytes() % ReceiveRegion.RECORD_BYTES != 0;
  }

  private boolean grow(RegionHolder holder, int priority, long nowNs, RegionSink sink) {
    final int largest = holder.largestBytes(priority);
    final ReceiveRegion region = firstToGrow(holder, largest);
    if (region == null) {
      return false;
    }
    final int most = Math.min(largest, region.sizeBytes()) - region.authorisedBytes();
    final boolean isIdle =
        book.budget.isTight() && book.idle.contains(region) && region.outstandingBytes() == 0;
    if (!authorise(holder, region, (int) Math.min(most, holder.demandBytes(priority)), priority)) {
      return false;
    }
    region.renewed(nowNs);
    if (isIdle) {
      // The region lay without permission to be used: the holder's time begins now.
      region.activeNs(nowNs);
      book.idle.add(region);
    }
    sink.onAuthorised(holder, region);
    return true;
  }

  /**
   * A region whose authorised bytes end within a record goes first: the sender cannot use these
   * bytes, and they hold budget.
   */
  private @Nullable ReceiveRegion firstToGrow(RegionHolder holder, int largest) {
    ReceiveRegion first = null;
    ReceiveRegion region = holder.growable().head();
    while (region != null) {
      if (region.authorisedBytes() < Math.min(largest, region.sizeBytes())) {
        if (book.budget.endsWithinStep(region)) {
          return region;
        }
        first = first == null ? region : first;
      }
      region = holder.growable().after(region);
    }
    return first;
  }

  private boolean grant(RegionHolder holder, int priority, long nowNs, RegionSink sink) {
    final int piece = (int) Math.min(holder.largestBytes(priority), holder.demandBytes(priority));
    if (isBudgetSpent() || book.budget.isHeldBack(holder, 0, piece)) {
      return false;
    }
    final int useful = Math.min(piece, book.usefulBytes(holder));
    final long most = book.settings.perHolderBytes() - holder.grantedBytes();
    final int sizeClass = book.classes.select(priority, useful, most);
    if (sizeClass < 0) {
      if (book.classes.select(priority, useful, Long.MAX_VALUE) < 0) {
        book.blockedByRegions(priority);
      } else {
        book.capped(holder, true);
      }
      return false;
    }
    book.capped(holder, false);
    final int bytes = Math.min(piece, book.classes.sizeBytes(sizeClass));
    if (book.budget.admissible(holder, priority, 0, bytes) == 0) {
      book.blockedByBudget(priority, book.budget.leastBytes(0, bytes));
      return false;
    }
    final ReceiveRegion region = book.classes.take(sizeClass);
    region.grant(holder, priority, keys.nextKey(region.index(), holder.endpoint()), nowNs);
    book.granted(holder, region);
    authorise(holder, region, bytes, priority);
    sink.onGranted(holder, region);
    return true;
  }

  private boolean authorise(RegionHolder holder, ReceiveRegion region, int bytes, int priority) {
    final int authorised = region.authorisedBytes();
    final int admitted = book.budget.admissible(holder, priority, authorised, bytes);
    if (admitted == 0) {
      if (!book.budget.isHeldBack(holder, authorised, bytes)) {
        book.blockedByBudget(priority, book.budget.leastBytes(authorised, bytes));
      }
      return false;
    }
    book.budget.authorise(region, admitted);
    book.track(holder, region);
    book.cover(holder, admitted);
    return true;
  }

  private void tellExhausted(RegionSink sink) {
    RegionHolder holder = untold.pollFirst();
    while (holder != null) {
      holder.toBeTold(false);
      if (!holder.isTold() && holder.demandBytes() > 0 && holder.regionCount() == 0) {
        book.counters.onExhausted();
        sink.onExhausted(holder);
      }
      holder.told(true);
      holder = untold.pollFirst();
    }
  }
}
