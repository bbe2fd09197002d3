package io.millrace.samples.log.core;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides on the promises and acceptances of a replica. A decision must be on the disk before
 * anybody is told. The replica's shell calls an acceptor on one thread.
 */
public final class Acceptor {
  private final NavigableMap<Long, Entry> entries = new TreeMap<>();
  private Ballot promised = Ballot.NONE;

  /** The entries of slots up to here are dropped: a snapshot holds their effect. */
  private long droppedThrough;

  /** Returns the highest promised ballot. */
  public Ballot promised() {
    return promised;
  }

  private boolean admits(Ballot ballot) {
    return !promised.isAbove(ballot);
  }

  /** Promises to refuse all lower ballots; returns false after a promise of a higher ballot. */
  public boolean onPrepare(Ballot ballot) {
    if (!admits(ballot)) {
      return false;
    }
    promised = ballot;
    return true;
  }

  /**
   * Accepts an entry, except after a promise of a higher ballot. An entry known to be chosen stays
   * so.
   */
  public boolean onAccept(Entry entry) {
    if (!admits(entry.ballot())) {
      return false;
    }
    promised = entry.ballot();
    store(entry);
    return true;
  }

  /** Stores a value known to be chosen, in place of any accepted value. */
  public void onChosen(Entry entry) {
    store(entry.chosen());
  }

  private void store(Entry entry) {
    if (entry.slot() > droppedThrough) {
      entries.merge(
          entry.slot(), entry, (had, now) -> had.ballot().isAbove(now.ballot()) ? had : now);
    }
  }

  /** Restores a promise from the disk. */
  public void restore(Ballot ballot) {
    promised = promised.isAbove(ballot) ? promised : ballot;
  }

  /** Restores an entry from the disk, accepted or known to be chosen. */
  public void restore(Entry entry) {
    if (!entry.ballot().equals(Ballot.CHOSEN)) {
      restore(entry.ballot());
    }
    store(entry);
  }

  /**
   * Restores from the disk that the entries up to a slot are chosen. A replica that learns of a
   * slot knows all slots below, so slots below a chosen slot need no look.
   */
  public void restoreChosenThrough(long slot) {
    Map.Entry<Long, Entry> next = entries.floorEntry(slot);
    while (next != null && !next.getValue().ballot().equals(Ballot.CHOSEN)) {
      onChosen(next.getValue());
      next = entries.lowerEntry(next.getKey());
    }
  }

  /** Drops the entries up to this slot: nobody needs these entries any more. */
  public void dropThrough(long slot) {
    entries.headMap(slot, true).clear();
    droppedThrough = Math.max(droppedThrough, slot);
  }

  /**
   * Returns the lowest slot from which on, up to slot {@code through}, the values have at most so
   * many bytes.
   */
  public long firstWithin(long through, long bytes) {
    long left = bytes;
    long first = through + 1;
    for (Entry entry : entries.headMap(through, true).descendingMap().values()) {
      left -= entry.value().size();
      if (left < 0) {
        break;
      }
      first = entry.slot();
    }
    return first;
  }

  /** Returns the bytes of all values from a slot on. */
  public long bytesFrom(long slot) {
    return entries.tailMap(slot, true).values().stream()
        .mapToLong(entry -> entry.value().size())
        .sum();
  }

  /** Returns the last slot with a dropped entry. */
  public long droppedThrough() {
    return droppedThrough;
  }

  /** Returns the entry of a slot, or null without an entry. */
  public @Nullable Entry entry(long slot) {
    return entries.get(slot);
  }

  /** Returns the entries from a slot on, in order. */
  public List<Entry> entriesFrom(long slot) {
    return List.copyOf(entries.tailMap(slot, true).values());
  }

  /** Returns the entries of these slots, both included, in order. */
  public List<Entry> entries(long from, long through) {
    return from > through
        ? List.of()
        : List.copyOf(entries.subMap(from, true, through, true).values());
  }
}
