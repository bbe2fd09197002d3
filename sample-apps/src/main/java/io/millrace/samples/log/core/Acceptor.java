package io.millrace.samples.log.core;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a replica promises and accepts. What it decides must be on the disk before anybody
 * is told. Its shell calls it on one thread.
 */
public final class Acceptor {
  private final NavigableMap<Long, Entry> entries = new TreeMap<>();
  private Ballot promised = Ballot.NONE;

  /** Slots up to here are gone: they are in a snapshot. */
  private long droppedThrough;

  /** The highest ballot that it has promised. */
  public Ballot promised() {
    return promised;
  }

  private boolean admits(Ballot ballot) {
    return !promised.isAbove(ballot);
  }

  /** Promises to refuse all lower ballots; false if it has promised a higher one. */
  public boolean onPrepare(Ballot ballot) {
    if (!admits(ballot)) {
      return false;
    }
    promised = ballot;
    return true;
  }

  /** Accepts, unless it has promised a higher ballot. What is known to be chosen stays so. */
  public boolean onAccept(Entry entry) {
    if (!admits(entry.ballot())) {
      return false;
    }
    promised = entry.ballot();
    store(entry);
    return true;
  }

  /** A value is known to be chosen, whatever was accepted here. */
  public void onChosen(Entry entry) {
    store(entry.chosen());
  }

  private void store(Entry entry) {
    if (entry.slot() > droppedThrough) {
      entries.merge(
          entry.slot(), entry, (had, now) -> had.ballot().isAbove(now.ballot()) ? had : now);
    }
  }

  /** What the disk had promised. */
  public void restore(Ballot ballot) {
    promised = promised.isAbove(ballot) ? promised : ballot;
  }

  /** What the disk had accepted, or known to be chosen. */
  public void restore(Entry entry) {
    if (!entry.ballot().equals(Ballot.CHOSEN)) {
      restore(entry.ballot());
    }
    store(entry);
  }

  /**
   * What the disk knew to be chosen, as it stands. Whoever learns of a slot knows of all below, so
   * those below a chosen one need no look.
   */
  public void restoreChosenThrough(long slot) {
    Map.Entry<Long, Entry> next = entries.floorEntry(slot);
    while (next != null && !next.getValue().ballot().equals(Ballot.CHOSEN)) {
      onChosen(next.getValue());
      next = entries.lowerEntry(next.getKey());
    }
  }

  /** Entries up to this slot are not needed any more. */
  public void dropThrough(long slot) {
    entries.headMap(slot, true).clear();
    droppedThrough = Math.max(droppedThrough, slot);
  }

  /** The lowest slot from which on to another one the values have no more than so many bytes. */
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

  /** Bytes of all values from a slot on. */
  public long bytesFrom(long slot) {
    return entries.tailMap(slot, true).values().stream()
        .mapToLong(entry -> entry.value().size())
        .sum();
  }

  /** Slots up to here are gone. */
  public long droppedThrough() {
    return droppedThrough;
  }

  /** What it has for a slot, if anything. */
  public @Nullable Entry entry(long slot) {
    return entries.get(slot);
  }

  /** What it has from a slot on, in order. */
  public List<Entry> entriesFrom(long slot) {
    return List.copyOf(entries.tailMap(slot, true).values());
  }

  /** What it has within these slots, both included, in order. */
  public List<Entry> entries(long from, long through) {
    return from > through
        ? List.of()
        : List.copyOf(entries.subMap(from, true, through, true).values());
  }
}
