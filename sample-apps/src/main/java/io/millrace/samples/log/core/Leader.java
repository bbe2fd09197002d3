package io.millrace.samples.log.core;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a replica proposes. It prepares once for all slots to come, takes over what may have
 * been chosen before, and then proposes values without waiting for each other. Its shell calls it
 * on one thread and sends what it returns.
 *
 * <pre>
 * FOLLOWING --onLead--> PREPARING --quorum of promises--> CATCHING_UP --all chosen here--> LEADING
 *     ^------------------- a higher ballot is seen, from any of these ----------------------'
 * </pre>
 */
public final class Leader {
  /** What it does now. */
  public enum Stage {
    FOLLOWING,
    PREPARING,
    CATCHING_UP,
    LEADING
  }

  private static final class Proposal {
    private final Entry entry;
    private final BitSet votes = new BitSet();

    private Proposal(Entry entry) {
      this.entry = entry;
    }
  }

  private final int self;
  private final Quorum quorum;
  private final BitSet promises = new BitSet();
  private final NavigableMap<Long, Entry> found = new TreeMap<>();
  private final NavigableMap<Long, Proposal> proposals = new TreeMap<>();
  private Stage stage = Stage.FOLLOWING;
  private Ballot ballot = Ballot.NONE;
  private long neededThrough;
  private int mostInformed;
  private long nextSlot = 1;

  /** One that follows. */
  public Leader(int self, Quorum quorum) {
    this.self = self;
    this.quorum = quorum;
  }

  /** What it does now. */
  public Stage stage() {
    return stage;
  }

  /** The ballot of its last attempt. */
  public Ballot ballot() {
    return ballot;
  }

  /** Begins an attempt above each ballot that was seen. */
  public Ballot onLead(Ballot highest) {
    ballot = (highest.isAbove(ballot) ? highest : ballot).next(self);
    stage = Stage.PREPARING;
    promises.clear();
    found.clear();
    proposals.clear();
    neededThrough = 0;
    mostInformed = self;
    return ballot;
  }

  /** Somebody has promised, or refused. */
  public void onPromise(int from, Promise promise) {
    onBallot(promise.promised());
    if (stage != Stage.PREPARING || !promise.promised().equals(ballot)) {
      return;
    }
    promises.set(from);
    for (Entry entry : promise.entries()) {
      found.merge(
          entry.slot(), entry, (had, now) -> now.ballot().isAbove(had.ballot()) ? now : had);
    }
    if (promise.chosenThrough() > neededThrough) {
      neededThrough = promise.chosenThrough();
      mostInformed = from;
    }
    if (promises.cardinality() >= quorum.prepare()) {
      stage = Stage.CATCHING_UP;
    }
  }

  /** A ballot was seen: a higher one ends the attempt. Returns whether it did. */
  public boolean onBallot(Ballot seen) {
    if (stage == Stage.FOLLOWING || !seen.isAbove(ballot)) {
      return false;
    }
    follow();
    return true;
  }

  /**
   * Another replica knows a slot to be chosen. While this one leads that can be its own proposal,
   * or the slot was chosen in a higher ballot that it has not heard of: then the attempt ends,
   * since what it says of its slots would be believed of other values that it has proposed.
   *
   * @param accepted what this replica has for the slot
   * @return whether the attempt ended
   */
  public boolean onLearnt(Entry learnt, @Nullable Entry accepted) {
    boolean isOwn =
        accepted != null
            && accepted.ballot().equals(ballot)
            && accepted.value().equals(learnt.value());
    if (stage != Stage.LEADING || isOwn) {
      return false;
    }
    follow();
    return true;
  }

  /** Ends the attempt. */
  public void follow() {
    stage = Stage.FOLLOWING;
    proposals.clear();
    found.clear();
  }

  /** Who knew most of what is chosen, of those who promised. */
  public int mostInformed() {
    return mostInformed;
  }

  /**
   * Slots up to here are chosen and known here: if that is all that others know, it leads.
   *
   * @return what to propose first: what may have been chosen before, and nothing in between
   */
  public List<Entry> onChosenThrough(long slot) {
    if (stage != Stage.CATCHING_UP || slot < neededThrough) {
      return List.of();
    }
    stage = Stage.LEADING;
    nextSlot = slot + 1;
    List<Entry> first = new ArrayList<>();
    long last = found.isEmpty() ? slot : Math.max(slot, found.lastKey());
    while (nextSlot <= last) {
      Entry had = found.get(nextSlot);
      first.add(propose(had == null ? ByteString.emptyByteString() : had.value()));
    }
    found.clear();
    return first;
  }

  /** Proposes a value for the next slot; only while it leads. */
  public Entry propose(ByteString value) {
    if (stage != Stage.LEADING) {
      throw new IllegalStateException("a replica that is " + stage + " proposes nothing");
    }
    Entry entry = new Entry(nextSlot, ballot, value);
    proposals.put(nextSlot, new Proposal(entry));
    nextSlot++;
    return entry;
  }

  /** A replica has accepted; returns whether the slot is chosen by that. */
  public boolean onAccepted(int from, Ballot accepted, long slot) {
    Proposal proposal = proposals.get(slot);
    if (proposal == null || !accepted.equals(ballot)) {
      return false;
    }
    proposal.votes.set(from);
    if (proposal.votes.cardinality() < quorum.accept()) {
      return false;
    }
    proposals.remove(slot);
    return true;
  }

  /** Proposals that are not chosen yet. */
  public int open() {
    return proposals.size();
  }

  /** Open proposals that a replica has not accepted, in order. */
  public List<Entry> missing(int replica) {
    return proposals.values().stream()
        .filter(proposal -> !proposal.votes.get(replica))
        .map(proposal -> proposal.entry)
        .toList();
  }
}
