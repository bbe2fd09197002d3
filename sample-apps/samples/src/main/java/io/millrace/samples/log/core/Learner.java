package io.millrace.samples.log.core;

import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Decides which slots are chosen, and hands out their entries in order. A learner believes a leader
 * about a slot only if the entry here is of that leader's ballot: then the value is the leader's.
 */
public final class Learner {
  private final Acceptor acceptor;
  private final TreeSet<Long> chosenAbove = new TreeSet<>();
  private long chosenThrough;
  private long claimedThrough;

  /** Begins with no chosen slots. */
  public Learner(Acceptor acceptor) {
    this.acceptor = acceptor;
  }

  /** Returns the last slot of the prefix of slots that are chosen and handed out. */
  public long chosenThrough() {
    return chosenThrough;
  }

  /** Returns whether a leader said "chosen" of slots not yet known to be chosen here. */
  public boolean isBehind() {
    return claimedThrough > chosenThrough;
  }

  /** Takes note that a snapshot holds all slots up to this slot. */
  public void onSnapshot(long slot) {
    if (slot > chosenThrough) {
      chosenThrough = slot;
      chosenAbove.headSet(slot, true).clear();
    }
  }

  /** The leader of a ballot says that one slot is chosen. */
  public void onChosenAt(Ballot ballot, long slot) {
    claimedThrough = Math.max(claimedThrough, slot);
    mark(ballot, slot);
  }

  /** The leader of a ballot says that all slots up to this slot are chosen. */
  public void onChosenThrough(Ballot ballot, long slot) {
    claimedThrough = Math.max(claimedThrough, slot);
    for (Entry entry : acceptor.entries(chosenThrough + 1, slot)) {
      mark(ballot, entry.slot());
    }
  }

  private void mark(Ballot ballot, long slot) {
    Entry entry = acceptor.entry(slot);
    if (slot > chosenThrough && entry != null && isOf(entry, ballot)) {
      chosenAbove.add(slot);
    }
  }

  private static boolean isOf(Entry entry, Ballot ballot) {
    return entry.ballot().equals(ballot) || entry.ballot().equals(Ballot.CHOSEN);
  }

  /** Returns the next chosen slot in order, which counts as handed out, or null. */
  public @Nullable Entry pollChosen() {
    long next = chosenThrough + 1;
    Entry entry = acceptor.entry(next);
    if (entry == null || !(chosenAbove.remove(next) || entry.ballot().equals(Ballot.CHOSEN))) {
      return null;
    }
    chosenThrough = next;
    return entry;
  }
}
