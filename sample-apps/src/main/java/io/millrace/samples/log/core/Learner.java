package io.millrace.samples.log.core;

import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Decides which slots are chosen, and hands them out in order. It believes a leader about a slot
 * only if the entry here is of that leader's ballot: then the value is the leader's.
 */
public final class Learner {
  private final Acceptor acceptor;
  private final TreeSet<Long> chosenAbove = new TreeSet<>();
  private long chosenThrough;
  private long claimedThrough;

  /** Nothing is chosen yet. */
  public Learner(Acceptor acceptor) {
    this.acceptor = acceptor;
  }

  /** All slots up to here are chosen, and were handed out. */
  public long chosenThrough() {
    return chosenThrough;
  }

  /** A leader said that slots are chosen which are not known here. */
  public boolean isBehind() {
    return claimedThrough > chosenThrough;
  }

  /** A snapshot holds all slots up to this. */
  public void onSnapshot(long slot) {
    if (slot > chosenThrough) {
      chosenThrough = slot;
      chosenAbove.headSet(slot, true).clear();
    }
  }

  /** One slot is chosen, says the leader of a ballot. */
  public void onChosenAt(Ballot ballot, long slot) {
    claimedThrough = Math.max(claimedThrough, slot);
    mark(ballot, slot);
  }

  /** All slots up to this are chosen, says the leader of a ballot. */
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

  /** The next slot in order that is chosen, or null; it counts as handed out. */
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
