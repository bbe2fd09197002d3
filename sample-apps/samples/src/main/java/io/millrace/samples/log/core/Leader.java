package io.millrace.samples.log.core;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Decides on the proposals of a replica. A leader prepares once for all slots to come, and takes
 * over values that may have been chosen before. Then the leader proposes values, without waiting
 * between proposals. The replica's shell calls a leader on one thread and sends the returned
 * proposals.
 *
 * <pre>
 * FOLLOWING --onLead--> PREPARING --quorum of promises--> CATCHING_UP --all chosen here--> LEADING
 *     ^------------------- a higher ballot is seen, from any of these ----------------------'
 * </pre>
 */
public final class Leader {
  /** The stage of a leader. */
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

  /** Begins as a follower. */
  public Leader(int self, Quorum quorum) {
    this.self = self;
    this.quorum = quorum;
  }

  /** Returns the present stage. */
  public Stage stage() {
    return stage;
  }

  /** Returns the ballot of the last attempt. */
  public Ballot ballot() {
    return ballot;
  }

  /** Begins an attempt above each ballot seen so far. */
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

  /** A replica has promised, or refused. */
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

  /** A ballot was seen: a higher ballot ends the attempt. Returns whether the attempt ended. */
  public boolean onBallot(Ballot seen) {
    if (stage == Stage.FOLLOWING || !seen.isAbove(ballot)) {
      return false;
    }
    follow();
    return true;
  }

  /**
   * Another replica knows a slot to be chosen. While this replica leads, the slot can be its own
   * proposal, or was chosen in a higher ballot not seen here. In the second case the attempt ends:
   * other replicas would believe what this leader says of its slots, although its proposals had
   * other values.
   *
   * @param accepted the entry of this replica for the slot
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

  /** Returns the replica that knew the most chosen slots, among the replicas that promised. */
  public int mostInformed() {
    return mostInformed;
  }

  /**
   * Slots up to here are chosen and known here: a replica that knows as much as the others leads.
   *
   * @return the first proposals: the values that may have been chosen before, and empty values in
   *     between
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

  /** Proposes a value for the next slot; only while this replica leads. */
  public Entry propose(ByteString value) {
    if (stage != Stage.LEADING) {
      throw new IllegalStateException("a replica that is " + stage + " proposes nothing");
    }
    Entry entry = new Entry(nextSlot, ballot, value);
    proposals.put(nextSlot, new Proposal(entry));
    nextSlot++;
    return entry;
  }

  /** A replica has accepted a slot; returns whether the slot is chosen by this acceptance. */
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

  /** Returns the number of proposals not chosen yet. */
  public int open() {
    return proposals.size();
  }

  /** Returns the open proposals not accepted by a replica, in order. */
  public List<Entry> missing(int replica) {
    return proposals.values().stream()
        .filter(proposal -> !proposal.votes.get(replica))
        .map(proposal -> proposal.entry)
        .toList();
  }
}
